//! Devices as the OpenCL loader shows them.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use ocl::core::{self, DeviceId, DeviceInfo, DeviceType, PlatformId, PlatformInfo, Status};

use super::{Device, DeviceError, DeviceKind, Executor};

/// As many platforms and devices as a rewritten program looks at.
const MAX_PLATFORMS: usize = 32;
const MAX_DEVICES: usize = 128;

/// Room for the devices of one platform. `ocl` trusts the count it is told, so that this must never be too small.
const DEVICE_ROOM: u32 = 4096;

/// Time for a list of platforms that the loader already has.
const HANDOVER: Duration = Duration::from_millis(500);

/// The machine's own devices.
pub struct OpenClExecutor;

impl Executor for OpenClExecutor {
    fn devices(&self) -> Result<Vec<Device>, DeviceError> {
        let platforms = list_platforms()?;
        Ok(platforms.iter().take(MAX_PLATFORMS).flat_map(platform_devices).take(MAX_DEVICES).collect())
    }
}

/// The platforms that the loader found.
///
/// Where there is none, `ocl` takes the loader to be starting still and asks again for ten seconds. When the loader has
/// just denied that there is any, its list is waited for only as long as it takes to be handed over.
fn list_platforms() -> Result<Vec<PlatformId>, DeviceError> {
    let listed = if denies_platforms() {
        let (sender, receiver) = mpsc::channel();
        // Nobody receives a list that comes too late; the thread then ends with the process.
        thread::spawn(move || sender.send(core::get_platform_ids()));
        receiver.recv_timeout(HANDOVER).unwrap_or_else(|_| Ok(Vec::new()))
    } else {
        core::get_platform_ids()
    };
    listed.map_err(|error| DeviceError::OpenCl(error.to_string()))
}

/// Whether a context of no matter which platform fails for want of any; some drivers fail so if none is named.
///
/// Nearly no platform has custom devices, so that no context is made where there is one.
fn denies_platforms() -> bool {
    let context = core::create_context_from_type::<DeviceId>(None, DeviceType::CUSTOM, None, None);
    let status = context.err().and_then(|error| error.api_status());
    matches!(status, Some(Status::CL_INVALID_PLATFORM | Status::CL_PLATFORM_NOT_FOUND_KHR))
}

/// The platform's devices; like a rewritten program, passes over a platform that cannot list them.
fn platform_devices(platform: &PlatformId) -> Vec<Device> {
    let name = core::get_platform_info(platform, PlatformInfo::Name).map(String::from).unwrap_or_default();
    let ids = core::get_device_ids(platform, Some(DeviceType::ALL), Some(DEVICE_ROOM)).unwrap_or_default();
    ids.into_iter().take(MAX_DEVICES).map(|id| describe(id, &name)).collect()
}

fn describe(id: DeviceId, platform: &str) -> Device {
    Device {
        kind: kind(DeviceType::from_bits_truncate(number(id, DeviceInfo::Type))),
        name: text(id, DeviceInfo::Name),
        platform: platform.to_owned(),
        version: text(id, DeviceInfo::Version),
        has_double: number(id, DeviceInfo::DoubleFpConfig) != 0,
        local_bytes: number(id, DeviceInfo::LocalMemSize),
        work_group_size: number(id, DeviceInfo::MaxWorkGroupSize),
        global_bytes: number(id, DeviceInfo::GlobalMemSize),
        compute_units: number(id, DeviceInfo::MaxComputeUnits),
    }
}

fn kind(types: DeviceType) -> DeviceKind {
    if types.contains(DeviceType::CPU) {
        DeviceKind::Cpu
    } else if types.contains(DeviceType::GPU) {
        DeviceKind::Gpu
    } else if types.contains(DeviceType::ACCELERATOR) {
        DeviceKind::Accelerator
    } else {
        DeviceKind::Custom
    }
}

fn text(id: DeviceId, what: DeviceInfo) -> String {
    decode_text(&bytes(id, what))
}

fn number(id: DeviceId, what: DeviceInfo) -> u64 {
    decode_number(&bytes(id, what))
}

/// The device's answer in its own form; none if it does not know the question, as one without `double` may not.
fn bytes(id: DeviceId, what: DeviceInfo) -> Vec<u8> {
    core::get_device_info_raw(id, what as u32).unwrap_or_default()
}

/// A C string's text, without the blanks that some drivers fill names up with.
fn decode_text(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).trim().to_owned()
}

/// A `cl_uint`, `cl_ulong` or `size_t`.
fn decode_number(bytes: &[u8]) -> u64 {
    if let Ok(long) = bytes.try_into() {
        u64::from_ne_bytes(long)
    } else {
        bytes.try_into().map_or(0, |short| u64::from(u32::from_ne_bytes(short)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_decoded_by_their_size() {
        assert_eq!(decode_number(&7_u32.to_ne_bytes()), 7);
        assert_eq!(decode_number(&(1_u64 << 40).to_ne_bytes()), 1 << 40);
        assert_eq!(decode_number(&[]), 0);
        assert_eq!(decode_text(b"  Some GPU \0rest"), "Some GPU");
    }

    #[test]
    fn a_default_cpu_is_a_cpu_and_the_rest_follows_the_type() {
        assert_eq!(kind(DeviceType::DEFAULT | DeviceType::CPU), DeviceKind::Cpu);
        assert_eq!(kind(DeviceType::GPU), DeviceKind::Gpu);
        assert_eq!(kind(DeviceType::ACCELERATOR), DeviceKind::Accelerator);
        assert_eq!(kind(DeviceType::CUSTOM), DeviceKind::Custom);
    }
}
