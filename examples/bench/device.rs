//! The device that the programs run on.

use std::path::Path;

use anyhow::{Context, Result};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::command::Step;

/// What the tool's list of devices says of one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Device {
    /// What `STENCIL_DEVICE` takes.
    pub index: u32,
    /// `cpu` or `gpu`.
    pub kind: String,
    /// Name, as the driver spells it.
    pub name: String,
    /// Name of the platform that has it.
    pub platform: String,
    /// OpenCL version.
    pub version: String,
    /// Version of the driver.
    #[serde(rename = "driver_version")]
    pub driver: String,
    /// Whether kernels can compute with `double`.
    #[serde(rename = "double_precision")]
    pub has_double: bool,
    /// Processors that each run work-groups of their own.
    pub compute_units: u32,
    /// The plan that programs follow there.
    pub plan: String,
}

impl Device {
    /// The device that `wish` names as `STENCIL_DEVICE` would, otherwise the first GPU, otherwise the first of all.
    ///
    /// # Errors
    /// There is none, or the tool cannot list them.
    pub fn choose(tool: &Path, wish: Option<&str>) -> Result<Self> {
        let (devices, _) = list::<Self>(tool, &[])?;
        let find = |test: &dyn Fn(&Self) -> bool| devices.iter().find(|device| test(device)).cloned();
        let found = match wish {
            Some(wish) => find(&|device| device.is_meant(wish)),
            None => find(&|device| device.is_gpu()).or_else(|| find(&|_| true)),
        };
        found.with_context(|| format!("no such OpenCL device; there are: {}", names(&devices)))
    }

    fn is_meant(&self, wish: &str) -> bool {
        match wish.parse::<u32>() {
            Ok(index) => self.index == index,
            Err(_) => self.kind == wish || self.name.to_lowercase().contains(&wish.to_lowercase()),
        }
    }

    /// Whether it follows plans for GPUs.
    pub fn is_gpu(&self) -> bool {
        self.plan == "gpu"
    }

    /// Whether its compiler tells registers.
    pub fn is_nvidia(&self) -> bool {
        self.platform.starts_with("NVIDIA")
    }
}

/// What the tool's list of devices says of each with these flags, and the command.
///
/// # Errors
/// The tool cannot list them, or says something else.
pub fn list<T: DeserializeOwned>(tool: &Path, flags: &[&str]) -> Result<(Vec<T>, String)> {
    let list = Step::new(tool, Path::new(".")).args(["devices", "--message-format", "json"]).args(flags).run()?;
    let devices = String::from_utf8(list.stdout)?.lines().map(serde_json::from_str).collect::<Result<_, _>>();
    Ok((devices.with_context(|| list.line.clone())?, list.line))
}

fn names(devices: &[Device]) -> String {
    let names: Vec<&str> = devices.iter().map(|device| device.name.as_str()).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}
