//! `stencil-rewrite devices`: the OpenCL devices that a rewritten program can run on.

use anyhow::Result;
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;

use super::args::DevicesArguments;
use super::exit::Exit;
use super::failure::tell;
use super::files::change_text;
use crate::device::{self, Device, DeviceError, Executor};
use crate::options::{MeasuredDevice, Rates, giga};
use crate::report::Format;
use crate::tune::save::with_device;

/// Lists the devices on standard output, measures them if wanted, and keeps that in a tuning file.
///
/// # Errors
/// When there is no device, this build has no access to devices, the OpenCL loader fails, standard output cannot be written, or the tuning file
/// cannot be read, changed or written.
pub fn run(arguments: DevicesArguments) -> Result<Exit> {
    let executor = device::executor()?;
    let listed = list(executor.as_ref(), arguments.measure)?;
    if listed.is_empty() {
        return Err(DeviceError::NoDevice.into());
    }
    let format = arguments.message_format.into();
    match format {
        Format::Human => write_text(&listed, &mut io::stdout().lock())?,
        Format::Json => write_json(&listed, &mut io::stdout().lock())?,
    }
    if let Some(path) = &arguments.tuning {
        keep(&listed, path)?;
    }
    let mut exit = Exit::Success;
    for Listed { device, measured } in listed {
        if let Some(Err(error)) = measured {
            exit = tell(format, &anyhow::Error::from(error).context(format!("cannot measure {}", device.name)));
        }
    }
    Ok(exit)
}

/// A device, and what it can do if that was to be measured.
struct Listed {
    device: Device,
    measured: Option<Result<Rates, DeviceError>>,
}

fn list(executor: &dyn Executor, measure: bool) -> Result<Vec<Listed>, DeviceError> {
    let devices = executor.devices()?.into_iter().enumerate();
    let listed = |(index, device)| Listed { device, measured: measure.then(|| executor.measure(index)) };
    Ok(devices.map(listed).collect())
}

/// Puts the devices that were measured, if any, into a tuning file.
fn keep(listed: &[Listed], path: &Path) -> Result<()> {
    let mut measured = listed
        .iter()
        .filter_map(|Listed { device, measured }| {
            let rates = *measured.as_ref()?.as_ref().ok()?;
            Some(MeasuredDevice { name: device.name.clone(), kind: device.kind.plan(), rates })
        })
        .peekable();
    if measured.peek().is_none() {
        return Ok(());
    }
    change_text(path, |text| measured.try_fold(text.to_owned(), |text, device| with_device(&text, &device)))
}

fn write_text(listed: &[Listed], output: &mut impl Write) -> io::Result<()> {
    for (index, Listed { device, measured }) in listed.iter().enumerate() {
        writeln!(output, "{index}: {} {}", device.kind.name(), device.name)?;
        let measured = measured.iter().map(|measured| ("measured", measured.as_ref().map_or("failed".into(), rates)));
        for (what, value) in properties(device).into_iter().chain(measured) {
            writeln!(output, "   {what:<18}{value}")?;
        }
    }
    Ok(())
}

/// `3862 GB/s, 51938 GFLOP/s single, 31548 GFLOP/s double`
fn rates(rates: &Rates) -> String {
    let arithmetic = |rate: f64, precision: &str| format!(", {} GFLOP/s {precision}", giga(rate));
    let double = rates.double.map(|rate| arithmetic(rate, "double")).unwrap_or_default();
    format!("{} GB/s{}{double}", giga(rates.memory), arithmetic(rates.single, "single"))
}

fn properties(device: &Device) -> [(&'static str, String); 9] {
    [
        ("platform", device.platform.clone()),
        ("version", device.version.clone()),
        ("driver", device.driver.clone()),
        ("double precision", if device.has_double { "yes" } else { "no" }.into()),
        ("local memory", format!("{} a work-group", size(device.local_bytes))),
        ("work-group", format!("up to {} work-items", device.work_group_size)),
        ("global memory", size(device.global_bytes)),
        ("compute units", device.compute_units.to_string()),
        ("plan", device.kind.plan().name().into()),
    ]
}

/// Bytes in the largest unit of which there is a whole one, to a tenth where that is not all.
fn size(bytes: u64) -> String {
    let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")];
    match units.into_iter().find(|(shift, _)| bytes >> shift > 0) {
        None => format!("{bytes} bytes"),
        Some((shift, unit)) if bytes.is_multiple_of(1 << shift) => format!("{} {unit}", bytes >> shift),
        Some((shift, unit)) => format!("{:.1} {unit}", bytes as f64 / (1_u64 << shift) as f64),
    }
}

/// A line for machines.
#[derive(Serialize)]
struct JsonDevice<'a> {
    index: usize,
    #[serde(flatten)]
    device: &'a Device,
    plan: &'static str,
    #[serde(flatten)]
    measured: Option<&'a Rates>,
}

fn write_json(listed: &[Listed], output: &mut impl Write) -> io::Result<()> {
    for (index, Listed { device, measured }) in listed.iter().enumerate() {
        let measured = measured.as_ref().and_then(|measured| measured.as_ref().ok());
        let plan = device.kind.plan().name();
        serde_json::to_writer(&mut *output, &JsonDevice { index, device, plan, measured })?;
        output.write_all(b"\n")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    use crate::device::mock::MockExecutor;
    use crate::tune::read_tuning_file;

    fn written(executor: &MockExecutor, format: Format) -> String {
        text_of(&list(executor, false).expect("devices"), format)
    }

    fn text_of(listed: &[Listed], format: Format) -> String {
        let mut text = Vec::new();
        let written = match format {
            Format::Human => write_text(listed, &mut text),
            Format::Json => write_json(listed, &mut text),
        };
        written.expect("a vector can be written");
        String::from_utf8(text).expect("listings are UTF-8")
    }

    #[test]
    fn measured_rates_stand_with_their_device() {
        let listed = list(&MockExecutor::with_gpu_and_cpu(), true).expect("devices");
        let lines = text_of(&listed, Format::Human);
        let measured: Vec<&str> = lines.lines().filter_map(|line| line.trim().strip_prefix("measured")).collect();
        assert_eq!(
            measured.iter().map(|text| text.trim()).collect::<Vec<_>>(),
            ["132 GB/s, 264 GFLOP/s single, 132 GFLOP/s double", "failed"]
        );
        let json = text_of(&listed, Format::Json);
        assert!(json.contains(r#""gbytes_per_second":132.0,"single_gflops":264.0,"double_gflops":132.0}"#), "{json}");
        assert_eq!(json.matches("gflops").count(), 2);
    }

    #[test]
    fn what_is_measured_is_kept_in_a_tuning_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.stencil.toml");
        fs::write(&path, "# mine\n[[plan]]\nnest = \"a\"\ndevice = \"gpu\"\n").expect("a file");
        let listed = list(&MockExecutor::with_gpu_and_cpu(), true).expect("devices");
        keep(&listed, &path).expect("the file changes");
        keep(&listed, &path).expect("and again, to the same");
        let file = read_tuning_file(&path).expect("the file can be read");
        let tuned = file.content.expect("and understood");
        let names: Vec<&str> = tuned.devices.iter().map(|device| device.name.as_str()).collect();
        assert_eq!((tuned.plans.len(), names), (1, vec!["Large GPU"]));
        assert!(file.source.bytes().starts_with(b"# mine"));
    }

    #[test]
    fn no_tuning_file_is_made_of_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.stencil.toml");
        let listed = list(&MockExecutor::with_gpu_and_cpu(), false).expect("devices");
        keep(&listed, &path).expect("nothing to keep");
        assert!(!path.exists());
    }

    #[test]
    fn people_read_a_block_a_device() {
        let expected = "\
0: gpu Large GPU
   platform          First
   version           OpenCL 3.0 CUDA
   driver            570.1
   double precision  yes
   local memory      48 KiB a work-group
   work-group        up to 1024 work-items
   global memory     139.5 GiB
   compute units     132
   plan              gpu
1: cpu Small CPU
   platform          Second
   version           OpenCL 1.2
   driver            1.0
   double precision  no
   local memory      1000 bytes a work-group
   work-group        up to 1 work-items
   global memory     2 GiB
   compute units     1
   plan              cpu
";
        assert_eq!(written(&MockExecutor::with_gpu_and_cpu(), Format::Human), expected);
    }

    #[test]
    fn machines_read_one_object_a_line() {
        let expected = concat!(
            r#"{"index":0,"kind":"gpu","name":"Large GPU","platform":"First","version":"OpenCL 3.0 CUDA","driver_version":"570.1","#,
            r#""double_precision":true,"local_memory_bytes":49152,"work_group_size":1024,"#,
            r#""global_memory_bytes":149786984448,"compute_units":132,"plan":"gpu"}"#,
            "\n",
            r#"{"index":1,"kind":"cpu","name":"Small CPU","platform":"Second","version":"OpenCL 1.2","driver_version":"1.0","#,
            r#""double_precision":false,"local_memory_bytes":1000,"work_group_size":1,"#,
            r#""global_memory_bytes":2147483648,"compute_units":1,"plan":"cpu"}"#,
            "\n",
        );
        assert_eq!(written(&MockExecutor::with_gpu_and_cpu(), Format::Json), expected);
    }
}
