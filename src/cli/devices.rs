//! `stencil-rewrite devices`: the OpenCL devices that a rewritten program can run on.

use anyhow::Result;
use serde::Serialize;
use std::io::{self, Write};

use super::args::DevicesArguments;
use super::exit::Exit;
use crate::device::{self, Device, Executor};
use crate::report::Format;

/// Lists the devices on standard output. That there is none is no failure.
///
/// # Errors
/// When this build has no access to devices, the OpenCL loader fails, or standard output cannot be written.
pub fn run(arguments: DevicesArguments) -> Result<Exit> {
    let executor = device::executor()?;
    write_devices(executor.as_ref(), arguments.message_format.into(), &mut io::stdout().lock())?;
    Ok(Exit::Success)
}

fn write_devices(executor: &dyn Executor, format: Format, output: &mut impl Write) -> Result<()> {
    let devices = executor.devices()?;
    match format {
        Format::Human => write_text(&devices, output)?,
        Format::Json => write_json(&devices, output)?,
    }
    Ok(())
}

fn write_text(devices: &[Device], output: &mut impl Write) -> io::Result<()> {
    if devices.is_empty() {
        writeln!(output, "no OpenCL device")?;
    }
    for (index, device) in devices.iter().enumerate() {
        writeln!(output, "{index}: {} {}", device.kind.name(), device.name)?;
        for (what, value) in properties(device) {
            writeln!(output, "   {what:<18}{value}")?;
        }
    }
    Ok(())
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
        ("plan", device.kind.plan().into()),
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
}

fn write_json(devices: &[Device], output: &mut impl Write) -> io::Result<()> {
    for (index, device) in devices.iter().enumerate() {
        serde_json::to_writer(&mut *output, &JsonDevice { index, device, plan: device.kind.plan() })?;
        output.write_all(b"\n")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::mock::MockExecutor;

    fn written(executor: &MockExecutor, format: Format) -> String {
        let mut text = Vec::new();
        write_devices(executor, format, &mut text).expect("a vector can be written");
        String::from_utf8(text).expect("listings are UTF-8")
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

    #[test]
    fn no_device_is_a_listing_too() {
        assert_eq!(written(&MockExecutor(Vec::new()), Format::Human), "no OpenCL device\n");
        assert_eq!(written(&MockExecutor(Vec::new()), Format::Json), "");
    }
}
