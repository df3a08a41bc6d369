//! Putting a plan into the text of a tuning file, which keeps its other plans, comments and layout.

use std::collections::BTreeMap;

use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, TomlError, value};

use crate::ir::ScalarType;
use crate::options::{Asked, DeviceKindName, FpMode, MeasuredDevice, Tuning};
use crate::settings::Setting;

/// The best plan that was found for a nest, a device, a mode, a type of elements and sizes.
#[derive(Clone, Debug)]
pub struct BestPlan {
    /// Name of the nest.
    pub nest: String,
    /// Name of the device.
    pub device: String,
    /// Whether it is a CPU.
    pub is_cpu: bool,
    /// The mode.
    pub fp: FpMode,
    /// Type of the elements.
    pub element: Option<ScalarType>,
    /// Values of the nest's integer parameters.
    pub sizes: BTreeMap<String, i64>,
    /// The plan.
    pub tuning: Tuning,
    /// What was measured.
    pub gcells_per_second: f64,
}

/// The text with `best` in place of the plan for the same nest, device, mode, elements and sizes, or behind all plans.
///
/// # Errors
/// When the text is no TOML.
pub fn with_plan(text: &str, best: &BestPlan) -> Result<String, TomlError> {
    with_table(text, "plan", table(best), is_for_same)
}

/// The text with a measured device in place of the one of the same name, or behind all devices.
///
/// # Errors
/// When the text is no TOML.
pub fn with_device(text: &str, device: &MeasuredDevice) -> Result<String, TomlError> {
    let mut new = Table::new();
    new["name"] = value(&device.name);
    if device.kind == DeviceKindName::Cpu {
        new["kind"] = value("cpu");
    }
    for (name, rate) in device.rates.named() {
        new[name] = value(rate);
    }
    with_table(text, "device", new, |old, new| {
        let name = |table: &Table| table.get("name").and_then(Item::as_str).map(str::to_ascii_lowercase);
        name(old) == name(new)
    })
}

/// The text with `new` in place of the table of an array for the same, or behind all.
fn with_table(text: &str, array: &str, new: Table, is_same: fn(&Table, &Table) -> bool) -> Result<String, TomlError> {
    let mut document: DocumentMut = text.parse()?;
    let tables = document.remove(array).and_then(|tables| tables.into_array_of_tables().ok());
    let mut tables = tables.unwrap_or_default();
    let same = tables.iter().position(|table| is_same(table, &new));
    match same.and_then(|index| tables.get_mut(index)) {
        None => tables.push(new),
        Some(old) => {
            let (decor, position) = (old.decor().clone(), old.position());
            *old = new;
            *old.decor_mut() = decor;
            old.set_position(position);
        }
    }
    document.insert(array, Item::ArrayOfTables(tables));
    Ok(document.to_string())
}

/// Tables compare by what they say, without comments and layout.
fn is_for_same(old: &Table, new: &Table) -> bool {
    let said = |table: &Table, key: &str| table.get(key).and_then(Item::as_str).map(str::to_ascii_lowercase);
    let sizes = |table: &Table| -> BTreeMap<String, Option<i64>> {
        let sizes = table.get("sizes").and_then(Item::as_table_like);
        sizes
            .into_iter()
            .flat_map(|sizes| sizes.iter())
            .map(|(name, size)| (name.to_owned(), size.as_integer()))
            .collect()
    };
    let is_same = |key: &&str| said(old, key) == said(new, key);
    ["nest", "device", "fp"].iter().all(is_same)
        && (!old.contains_key("element") || is_same(&"element"))
        && sizes(old) == sizes(new)
}

fn table(best: &BestPlan) -> Table {
    let mut table = Table::new();
    table["nest"] = value(&best.nest);
    table["device"] = value(&best.device);
    if best.is_cpu {
        table["kind"] = value("cpu");
    }
    table[Setting::Fp.key()] = value(best.fp.name());
    if let Some(element) = best.element {
        table["element"] = value(element.c_name());
    }
    if !best.sizes.is_empty() {
        let sizes: InlineTable = best.sizes.iter().map(|(name, size)| (name.as_str(), *size)).collect();
        table["sizes"] = value(sizes);
    }
    for setting in Tuning::PLAN {
        let Some(asked) = best.tuning.asked(setting) else { continue };
        table[setting.key()] = match asked {
            Asked::Word(word) => value(word),
            Asked::Number(number) => value(i64::from(number)),
            Asked::Numbers(numbers) => value(numbers.iter().map(|number| i64::from(*number)).collect::<Array>()),
        };
    }
    table["gcells_per_second"] = value((best.gcells_per_second * 1000.0).round() / 1000.0);
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::StrategyName;
    use crate::source::SourceFile;
    use crate::tune::file::parse;

    fn best(steps: u32, n: i64) -> BestPlan {
        BestPlan {
            nest: "a_stencil_1".into(),
            device: "Some \"GPU\"".into(),
            is_cpu: false,
            fp: FpMode::Strict,
            element: Some(ScalarType::F32),
            sizes: BTreeMap::from([("n".to_owned(), n)]),
            tuning: Tuning {
                strategy: Some(StrategyName::Stream),
                time_tile: Some(steps),
                tile: vec![1, 128],
                ..Tuning::default()
            },
            gcells_per_second: 12.34567,
        }
    }

    #[test]
    fn a_new_file_says_what_was_found() {
        let text = with_plan("", &best(8, 100)).expect("TOML");
        let expected = "[[plan]]\nnest = \"a_stencil_1\"\ndevice = 'Some \"GPU\"'\nfp = \"strict\"\nelement = \"float\"\nsizes = { n = 100 }\n\
                        strategy = \"stream\"\ntime_tile = 8\ntile = [1, 128]\ngcells_per_second = 12.346\n";
        assert_eq!(text, expected);
        let plans = parse(&SourceFile::new("a.toml", text.into_bytes())).expect("a tuning file").plans;
        assert_eq!((&plans[0].tuning, plans[0].fp), (&best(8, 100).tuning, Some(FpMode::Strict)));
    }

    #[test]
    fn the_plan_for_the_same_is_replaced_and_the_rest_stays() {
        let other = "# by hand\n[[plan]]\nnest = 'b'   # the other\ndevice = 'cpu'\n\n";
        let text = with_plan(other, &best(8, 100)).and_then(|text| with_plan(&text, &best(4, 50))).expect("TOML");
        let changed = with_plan(&text, &best(6, 100)).expect("TOML");
        assert!(changed.starts_with("# by hand\n[[plan]]\nnest = 'b'   # the other\ndevice = 'cpu'\n"), "{changed}");
        assert_eq!(changed, text.replace("time_tile = 8", "time_tile = 6"));
    }

    #[test]
    fn plans_in_an_inline_array_stay() {
        let text = with_plan("plan = [{ nest = 'b', device = 'cpu' }]\n", &best(8, 100)).expect("TOML");
        let plans = parse(&SourceFile::new("a.toml", text.into_bytes())).expect("a tuning file").plans;
        assert_eq!(plans.iter().map(|plan| plan.nest.as_str()).collect::<Vec<_>>(), ["b", "a_stencil_1"]);
    }
}
