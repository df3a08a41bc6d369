//! Devices as the OpenCL loader shows them.
//!
//! The loader is asked through the bindings of `ocl` themselves: its safe functions panic on an error code that a vendor
//! made up, and wait ten seconds for a platform where there is none.
#![expect(unsafe_code, reason = "bindings of C functions")]

use std::ffi::c_void;
use std::ptr;

use ocl::core::{DeviceId, DeviceInfo, DeviceType, PlatformInfo, Status};
use ocl::ffi::{self, cl_device_id, cl_int, cl_platform_id, cl_uint};

use super::{Device, DeviceError, DeviceKind, Executor, measure};
use crate::options::Rates;

/// As many platforms and devices as a rewritten program looks at.
const MAX_PLATFORMS: usize = 32;
const MAX_DEVICES: usize = 128;

/// Bytes of the longest answer that is read.
const LONGEST_ANSWER: usize = 4096;

const SUCCESS: cl_int = Status::CL_SUCCESS as cl_int;
const NO_PLATFORM: cl_int = Status::CL_PLATFORM_NOT_FOUND_KHR as cl_int;
const NO_DEVICE: cl_int = Status::CL_DEVICE_NOT_FOUND as cl_int;

/// The machine's own devices.
pub struct OpenClExecutor;

impl Executor for OpenClExecutor {
    fn devices(&self) -> Result<Vec<Device>, DeviceError> {
        Ok(found()?.into_iter().map(|(_, device)| device).collect())
    }

    fn measure(&self, index: usize) -> Result<Rates, DeviceError> {
        let devices = found()?;
        let found = devices.get(index).filter(|(id, _)| !id.is_null());
        let (id, device) = found.ok_or_else(|| DeviceError::OpenCl(format!("there is no device {index}")))?;
        // SAFETY: the loader gave this device.
        measure::measure(unsafe { DeviceId::from_raw(*id) }, device)
    }
}

/// All devices, in the order in which rewritten programs count them.
fn found() -> Result<Vec<(cl_device_id, Device)>, DeviceError> {
    let mut devices = Vec::new();
    let mut failure = None;
    for platform in list_platforms()? {
        let name = platform_name(platform);
        match list_devices(platform) {
            Ok(ids) => devices.extend(ids.into_iter().map(|id| (id, describe(id, &name)))),
            // Like a rewritten program, passes over a platform that cannot list its devices.
            Err(error) => failure = Some(error),
        }
    }
    devices.truncate(MAX_DEVICES);
    failure.filter(|_| devices.is_empty()).map_or(Ok(devices), Err)
}

fn list_platforms() -> Result<Vec<cl_platform_id>, DeviceError> {
    let mut ids = [ptr::null_mut(); MAX_PLATFORMS];
    let mut count: cl_uint = 0;
    // SAFETY: the function writes at most as many platforms as it is told that there is room for.
    let status = unsafe { ffi::clGetPlatformIDs(MAX_PLATFORMS as cl_uint, ids.as_mut_ptr(), &raw mut count) };
    check(status, NO_PLATFORM, "clGetPlatformIDs")?;
    Ok(ids.into_iter().take(if status == SUCCESS { count as usize } else { 0 }).collect())
}

fn list_devices(platform: cl_platform_id) -> Result<Vec<cl_device_id>, DeviceError> {
    let mut ids = [ptr::null_mut(); MAX_DEVICES];
    let (all, most) = (DeviceType::ALL.bits(), MAX_DEVICES as cl_uint);
    let mut count: cl_uint = 0;
    // SAFETY: the function writes at most as many devices as it is told that there is room for.
    let status = unsafe { ffi::clGetDeviceIDs(platform, all, most, ids.as_mut_ptr(), &raw mut count) };
    check(status, NO_DEVICE, "clGetDeviceIDs")?;
    Ok(ids.into_iter().take(if status == SUCCESS { count as usize } else { 0 }).collect())
}

/// Fails unless the function succeeded or found nothing, which it tells by `nothing`.
fn check(status: cl_int, nothing: cl_int, function: &str) -> Result<(), DeviceError> {
    if status == SUCCESS || status == nothing {
        return Ok(());
    }
    Err(DeviceError::OpenCl(format!("{function} failed (error {status})")))
}

fn platform_name(platform: cl_platform_id) -> String {
    let what = PlatformInfo::Name as cl_uint;
    // SAFETY: `read` gives memory of the size that it tells.
    let ask = |size, to, written| unsafe { ffi::clGetPlatformInfo(platform, what, size, to, written) };
    decode_text(&read(ask))
}

fn describe(id: cl_device_id, platform: &str) -> Device {
    Device {
        kind: kind(DeviceType::from_bits_truncate(number(id, DeviceInfo::Type))),
        name: text(id, DeviceInfo::Name),
        platform: platform.to_owned(),
        version: text(id, DeviceInfo::Version),
        driver: text(id, DeviceInfo::DriverVersion),
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

fn text(id: cl_device_id, what: DeviceInfo) -> String {
    decode_text(&bytes(id, what))
}

fn number(id: cl_device_id, what: DeviceInfo) -> u64 {
    decode_number(&bytes(id, what))
}

/// The device's answer in its own form; none if it does not know the question, as one without `double` may not.
fn bytes(id: cl_device_id, what: DeviceInfo) -> Vec<u8> {
    // SAFETY: `read` gives memory of the size that it tells.
    read(|size, to, written| unsafe { ffi::clGetDeviceInfo(id, what as cl_uint, size, to, written) })
}

/// Reads an answer by a function of the size of the memory, the memory, and where to write the size of the answer.
fn read(ask: impl FnOnce(usize, *mut c_void, *mut usize) -> cl_int) -> Vec<u8> {
    let mut answer = vec![0_u8; LONGEST_ANSWER];
    let mut size = 0;
    let status = ask(LONGEST_ANSWER, answer.as_mut_ptr().cast(), &raw mut size);
    answer.truncate(if status == SUCCESS { size } else { 0 });
    answer
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
    fn failures_name_the_function_and_the_error() {
        let message = |status| check(status, NO_PLATFORM, "clGetPlatformIDs").map_err(|error| error.to_string());
        assert_eq!(message(SUCCESS), Ok(()));
        assert_eq!(message(NO_PLATFORM), Ok(()));
        assert_eq!(message(-6), Err("OpenCL: clGetPlatformIDs failed (error -6)".to_owned()));
    }

    #[test]
    fn a_default_cpu_is_a_cpu_and_the_rest_follows_the_type() {
        assert_eq!(kind(DeviceType::DEFAULT | DeviceType::CPU), DeviceKind::Cpu);
        assert_eq!(kind(DeviceType::GPU), DeviceKind::Gpu);
        assert_eq!(kind(DeviceType::ACCELERATOR), DeviceKind::Accelerator);
        assert_eq!(kind(DeviceType::CUSTOM), DeviceKind::Custom);
    }
}
