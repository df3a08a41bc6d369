//! OpenCL devices of this machine: the only module that knows the crate `ocl`.
//!
//! Everything else sees [`Executor`], so that it can be tested with devices that nobody has.
//!
//! `ocl` links the tool with libOpenCL, without which the tool would not even start. Builds without the cargo feature
//! `device` have no executor and rewrite all the same.

#[cfg(feature = "device")]
mod measure;
#[cfg(test)]
pub mod mock;
#[cfg(feature = "device")]
mod opencl;

use serde::{Serialize, Serializer};

use crate::options::{DeviceKindName, Rates};

/// What the OpenCL devices are asked through.
pub trait Executor {
    /// The devices of all platforms, in the order in which `STENCIL_DEVICE=<index>` counts them in a rewritten program.
    /// None at all is an empty list.
    ///
    /// # Errors
    /// When the OpenCL loader cannot list its platforms for another reason than that there is none.
    fn devices(&self) -> Result<Vec<Device>, DeviceError>;

    /// Measures what the device with this index in the list can do at most, which takes it about a second.
    ///
    /// # Errors
    /// When there is no such device or it cannot run the kernels that measure it.
    fn measure(&self, index: usize) -> Result<Rates, DeviceError>;
}

/// Why the devices cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DeviceError {
    /// The tool was built without the cargo feature `device`.
    #[error("this stencil-rewrite was built without the feature `device` and cannot use OpenCL devices itself")]
    NotBuiltIn,
    /// There is no driver, or none has a device.
    #[error("no OpenCL device: rewritten programs run their original loops here")]
    NoDevice,
    /// An OpenCL function failed.
    #[error("OpenCL: {0}")]
    OpenCl(String),
}

/// What a device tells about itself; a number that it does not tell is 0, a text empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Device {
    /// Kind of processor.
    pub kind: DeviceKind,
    /// Name, as the driver spells it.
    pub name: String,
    /// Name of the platform that has it.
    pub platform: String,
    /// OpenCL version, and what the vendor adds to it.
    pub version: String,
    /// Version of the driver.
    #[serde(rename = "driver_version")]
    pub driver: String,
    /// Whether kernels can compute with `double`.
    #[serde(rename = "double_precision")]
    pub has_double: bool,
    /// Local memory of a work-group, in bytes.
    #[serde(rename = "local_memory_bytes")]
    pub local_bytes: u64,
    /// Work-items of the largest work-group.
    pub work_group_size: u64,
    /// Global memory, in bytes.
    #[serde(rename = "global_memory_bytes")]
    pub global_bytes: u64,
    /// Processors that each run work-groups of their own.
    pub compute_units: u64,
}

/// Kind of processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceKind {
    /// The host's processor, or another of its sort.
    Cpu,
    /// A graphics processor.
    Gpu,
    /// A processor made for OpenCL alone.
    Accelerator,
    /// Hardware with fixed functions.
    Custom,
}

impl DeviceKind {
    /// `cpu`, `gpu`, `accelerator` or `custom`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Gpu => "gpu",
            Self::Accelerator => "accelerator",
            Self::Custom => "custom",
        }
    }

    /// The kind whose kernel plan a rewritten program takes on such a device unless `STENCIL_PLAN` names one: what is no
    /// CPU counts as a GPU.
    pub fn plan(self) -> DeviceKindName {
        if self == Self::Cpu { DeviceKindName::Cpu } else { DeviceKindName::Gpu }
    }
}

impl Serialize for DeviceKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// The executor of this machine.
///
/// # Errors
/// [`DeviceError::NotBuiltIn`] in a build without the cargo feature `device`.
#[cfg(feature = "device")]
pub fn executor() -> Result<Box<dyn Executor>, DeviceError> {
    Ok(Box::new(opencl::OpenClExecutor))
}

/// The executor of this machine.
///
/// # Errors
/// [`DeviceError::NotBuiltIn`] in a build without the cargo feature `device`.
#[cfg(not(feature = "device"))]
pub fn executor() -> Result<Box<dyn Executor>, DeviceError> {
    Err(DeviceError::NotBuiltIn)
}
