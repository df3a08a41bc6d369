//! The tuning file, `legacy.stencil.toml` beside `legacy.c`: a list of plans, and one of devices that were measured.
//!
//! ```toml
//! [[plan]]
//! nest = "legacy_stencil_1"
//! device = "NVIDIA H200"
//! fp = "contract"
//! element = "double"
//! sizes = { n = 8352, m = 8352 }
//! strategy = "stream"
//! time_tile = 8
//! tile = [128]
//! per_item = 2
//! work_group = [32, 4]
//! gcells_per_second = 1035.2
//!
//! [[device]]
//! name = "NVIDIA H200"
//! gbytes_per_second = 3861.2
//! single_gflops = 51938.0
//! double_gflops = 31548.0
//! ```

use serde::Deserialize;
use std::collections::BTreeMap;
use std::io;
use std::num::NonZeroU32;
use std::ops::Range;
use std::path::Path;
use toml::Spanned;

use crate::ir::ScalarType;
use crate::options::{DeviceKindName, FpMode, MeasuredDevice, Rates, StrategyName, TunedPlan, Tuning, Wanted};
use crate::source::{Diagnostic, SourceFile, Span};

/// A tuning file and what it says.
#[derive(Debug)]
pub struct TuningFile {
    /// The text, for diagnostics.
    pub source: SourceFile,
    /// What it says, or what is wrong with it.
    pub content: Result<Tuned, Vec<Diagnostic>>,
}

/// What a tuning file says.
#[derive(Debug)]
pub struct Tuned {
    /// Plans in order.
    pub plans: Vec<TunedPlan>,
    /// Devices in order.
    pub devices: Vec<MeasuredDevice>,
}

/// Reads the tuning file at `path`.
///
/// # Errors
/// What the operating system says when the file cannot be read. What is wrong with its content is in the result.
pub fn read_tuning_file(path: &Path) -> io::Result<TuningFile> {
    let source = SourceFile::read(path)?;
    let content = parse(&source);
    Ok(TuningFile { source, content })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(default)]
    plan: Vec<Spanned<Entry>>,
    #[serde(default)]
    device: Vec<DeviceEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DeviceEntry {
    name: Spanned<String>,
    kind: Option<DeviceKindName>,
    gbytes_per_second: Spanned<f64>,
    single_gflops: Spanned<f64>,
    double_gflops: Option<Spanned<f64>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    nest: String,
    device: Spanned<String>,
    kind: Option<DeviceKindName>,
    fp: Option<FpMode>,
    element: Option<Spanned<String>>,
    #[serde(default)]
    sizes: BTreeMap<String, Spanned<i64>>,
    strategy: Option<StrategyName>,
    time_tile: Option<NonZeroU32>,
    #[serde(default)]
    tile: Vec<NonZeroU32>,
    per_item: Option<NonZeroU32>,
    #[serde(default)]
    work_group: Vec<NonZeroU32>,
    #[serde(rename = "gcells_per_second")]
    _gcells_per_second: Option<f64>,
}

/// Devices of a file: each may get plans of its own in every driver.
const MOST_DEVICES: usize = 32;

/// Reads a tuning file's text.
///
/// # Errors
/// What is wrong with it.
pub fn parse(source: &SourceFile) -> Result<Tuned, Vec<Diagnostic>> {
    let text = std::str::from_utf8(source.bytes())
        .map_err(|error| vec![refuse("it is not UTF-8".into(), error.valid_up_to()..error.valid_up_to())])?;
    let document: Document = toml::from_str(text).map_err(|error| {
        let message = error.message().lines().next().unwrap_or_default().to_owned();
        vec![refuse(message, error.span().unwrap_or_default())]
    })?;
    let mut plans: Vec<TunedPlan> = Vec::new();
    let mut errors = Vec::new();
    for (index, entry) in document.plan.into_iter().enumerate() {
        let span = entry.span();
        match plan_of(source, index + 1, span.start, entry.into_inner()) {
            Err(error) => errors.push(*error),
            Ok(plan) => match plans.iter().find(|other| other.is_for_same(&plan)) {
                None => plans.push(plan),
                Some(other) => errors.push(repeated(&other.place, span)),
            },
        }
    }
    if let Some(entry) = document.device.get(MOST_DEVICES) {
        errors.push(refuse(format!("there are more than {MOST_DEVICES} devices"), entry.name.span()));
    }
    let mut devices: Vec<MeasuredDevice> = Vec::new();
    for entry in document.device {
        let span = entry.name.span();
        match device_of(entry) {
            Err(error) => errors.push(*error),
            Ok(device) if devices.iter().any(|other| other.name.eq_ignore_ascii_case(&device.name)) => {
                errors.push(refuse("another entry has the same name".into(), span));
            }
            Ok(device) => devices.push(device),
        }
    }
    if errors.is_empty() { Ok(Tuned { plans, devices }) } else { Err(errors) }
}

fn device_of(entry: DeviceEntry) -> Result<MeasuredDevice, Box<Diagnostic>> {
    let rate = |giga: Spanned<f64>| match 1e9 * giga.get_ref() {
        rate if rate.is_normal() && rate > 0.0 => Ok(rate),
        _ => Err(Box::new(refuse("a rate is above 0".into(), giga.span()))),
    };
    Ok(MeasuredDevice {
        name: name_part(&entry.name)?,
        kind: entry.kind.unwrap_or(DeviceKindName::Gpu),
        rates: Rates {
            memory: rate(entry.gbytes_per_second)?,
            single: rate(entry.single_gflops)?,
            double: entry.double_gflops.map(rate).transpose()?,
        },
    })
}

fn name_part(name: &Spanned<String>) -> Result<String, Box<Diagnostic>> {
    let part = name.get_ref().trim();
    if part.is_empty() || part.chars().any(char::is_control) {
        return Err(refuse("this is no part of a device's name".into(), name.span()).into());
    }
    Ok(part.to_owned())
}

fn plan_of(source: &SourceFile, number: usize, start: usize, entry: Entry) -> Result<TunedPlan, Box<Diagnostic>> {
    let device = name_part(&entry.device)?;
    if let Some(size) = entry.sizes.values().find(|size| *size.get_ref() < 1) {
        return Err(refuse("sizes are at least 1".into(), size.span()).into());
    }
    let element = entry.element.map(|name| element_named(&name)).transpose()?;
    let name = source.path().file_name().unwrap_or_default().to_string_lossy();
    let extents = |extents: Vec<NonZeroU32>| extents.into_iter().map(NonZeroU32::get).collect();
    Ok(TunedPlan {
        nest: entry.nest,
        number,
        place: format!("{name}:{}", source.position(start).0),
        device: wanted(device, entry.kind),
        fp: entry.fp,
        element,
        sizes: entry.sizes.into_iter().map(|(name, size)| (name, size.into_inner())).collect(),
        tuning: Tuning {
            strategy: entry.strategy,
            time_tile: entry.time_tile.map(NonZeroU32::get),
            tile: extents(entry.tile),
            work_group: extents(entry.work_group),
            per_item: entry.per_item.map(NonZeroU32::get),
            fp: None,
        },
    })
}

fn element_named(name: &Spanned<String>) -> Result<ScalarType, Box<Diagnostic>> {
    let found = ScalarType::ALL.into_iter().find(|element| element.c_name() == name.get_ref());
    found.ok_or_else(|| {
        let names: Vec<&str> = ScalarType::ALL.map(ScalarType::c_name).to_vec();
        refuse(format!("this is none of the types `{}`", names.join("`, `")), name.span()).into()
    })
}

/// `gpu` and `cpu` are kinds of devices, everything else is part of a name; without a kind it is a GPU's.
fn wanted(device: String, kind: Option<DeviceKindName>) -> Wanted {
    match device.as_str() {
        "gpu" => Wanted { kind: DeviceKindName::Gpu, name_part: None },
        "cpu" => Wanted { kind: DeviceKindName::Cpu, name_part: None },
        _ => Wanted { kind: kind.unwrap_or(DeviceKindName::Gpu), name_part: Some(device) },
    }
}

fn repeated(place: &str, span: Range<usize>) -> Diagnostic {
    Diagnostic::error("tuning-file", "two plans are for the same nest, device, sizes and mode", to_span(span))
        .because(format!("the other one is {place}"))
        .with_help("remove the slower one")
}

fn refuse(message: String, span: Range<usize>) -> Diagnostic {
    Diagnostic::error("tuning-file", "this tuning file cannot be used", to_span(span))
        .because(message)
        .with_help("correct it, remove it, or run with --no-tuning")
}

fn to_span(range: Range<usize>) -> Span {
    Span::new(range.start, range.end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Setting;

    fn parsed(text: &str) -> Result<Tuned, Vec<Diagnostic>> {
        parse(&SourceFile::new("d/a.stencil.toml", text.as_bytes().to_vec()))
    }

    /// The line of the first diagnostic and what stands beside it.
    fn refusal(text: &str) -> (usize, String) {
        let source = SourceFile::new("a.stencil.toml", text.as_bytes().to_vec());
        let error = parse(&source).expect_err("a bad file").remove(0);
        (source.position(error.primary.span.start).0, error.primary.message)
    }

    #[test]
    fn a_plan_says_for_what_it_is_and_what_it_is() {
        let text = "# measured\n\n[[plan]]\nnest = 'a_stencil_1'\ndevice = 'NVIDIA H200'\nfp = 'contract'\nelement = 'double'\n\
                    sizes = { n = 8352 }\nstrategy = 'stream'\ntime_tile = 8\ntile = [128]\nper_item = 2\n\
                    work_group = [32, 4]\ngcells_per_second = 1035.2\n[[plan]]\nnest = 'b'\ndevice = 'cpu'\n";
        let plans = parsed(text).expect("a good file").plans;
        let tuning = Tuning {
            strategy: Some(StrategyName::Stream),
            time_tile: Some(8),
            tile: vec![128],
            work_group: vec![32, 4],
            per_item: Some(2),
            fp: None,
        };
        let first = TunedPlan {
            nest: "a_stencil_1".into(),
            number: 1,
            place: "a.stencil.toml:3".into(),
            device: Wanted { kind: DeviceKindName::Gpu, name_part: Some("NVIDIA H200".into()) },
            fp: Some(FpMode::Contract),
            element: Some(ScalarType::F64),
            sizes: BTreeMap::from([("n".into(), 8352)]),
            tuning,
        };
        assert_eq!(plans[0], first);
        assert_eq!(plans[1].device, Wanted { kind: DeviceKindName::Cpu, name_part: None });
        assert_eq!((plans[1].number, plans[1].place.as_str()), (2, "a.stencil.toml:15"));
    }

    #[test]
    fn the_keys_of_settings_are_known_and_no_others() {
        for setting in Setting::all() {
            let text = format!("[[plan]]\nnest = 'a'\ndevice = 'gpu'\n{} = false\n", setting.clause());
            let is_known = !refusal(&text).1.contains("unknown field");
            assert_eq!(if is_known { setting.clause() } else { "" }, setting.key());
        }
    }

    #[test]
    fn bad_files_are_refused_by_line() {
        let plan = |rest: &str| format!("[[plan]]\nnest = 'a'\ndevice = 'gpu'\n{rest}\n");
        let line_of = |rest: &str| refusal(&plan(rest)).0;
        assert_eq!(line_of("time_tiles = 4"), 4);
        assert_eq!(line_of("time_tile = 0"), 4);
        assert_eq!(line_of("time_tile = 'deep'"), 4);
        assert_eq!(line_of("tile = [8, -1]"), 4);
        assert_eq!(line_of("sizes = { n = 0 }"), 4);
        assert_eq!(line_of("strategy = 'fast'"), 4);
        assert_eq!(line_of("strategy = "), 4);
        let device = |rest: &str| format!("[[device]]\nname = 'x'\ngbytes_per_second = 1.5\n{rest}\n");
        assert_eq!(refusal(&device("single_gflops = 0")).0, 4);
        assert_eq!(refusal(&device("")).0, 1);
        let good = device("single_gflops = 2");
        assert_eq!(parsed(&good).expect("a good file").devices[0].rates.single, 2e9);
        assert_eq!(refusal(&(good.clone() + &good)), (6, "another entry has the same name".into()));
        assert_eq!(refusal("[[plan]]\ndevice = 'gpu'\n").0, 1);
        assert_eq!(refusal("[[plan]]\nnest = 'a'\ndevice = ' '\n").0, 3);
        assert_eq!(refusal(&(plan("") + &plan("time_tile = 2"))), (5, "the other one is a.stencil.toml:1".into()));
    }
}
