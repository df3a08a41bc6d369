//! Devices that nobody has, for tests.

use super::{Device, DeviceError, DeviceKind, Executor};
use crate::options::Rates;

/// Lists the devices that it was given.
pub struct MockExecutor(pub Vec<Device>);

impl Executor for MockExecutor {
    fn devices(&self) -> Result<Vec<Device>, DeviceError> {
        Ok(self.0.clone())
    }

    /// So many thousand millions of everything as the device has compute units; those that compute with nothing fail.
    fn measure(&self, index: usize) -> Result<Rates, DeviceError> {
        let device = &self.0[index];
        if device.work_group_size < 2 {
            return Err(DeviceError::OpenCl("clBuildProgram failed".into()));
        }
        let rate = 1e9 * device.compute_units as f64;
        Ok(Rates { memory: rate, single: 2.0 * rate, double: device.has_double.then_some(rate) })
    }
}

impl MockExecutor {
    /// A GPU with double precision and, after it, a small CPU without.
    pub fn with_gpu_and_cpu() -> Self {
        let gpu = Device {
            kind: DeviceKind::Gpu,
            name: "Large GPU".into(),
            platform: "First".into(),
            version: "OpenCL 3.0 CUDA".into(),
            driver: "570.1".into(),
            has_double: true,
            local_bytes: 48 << 10,
            work_group_size: 1024,
            global_bytes: (139 << 30) + (512 << 20),
            compute_units: 132,
        };
        let cpu = Device {
            kind: DeviceKind::Cpu,
            name: "Small CPU".into(),
            platform: "Second".into(),
            version: "OpenCL 1.2".into(),
            driver: "1.0".into(),
            has_double: false,
            local_bytes: 1000,
            work_group_size: 1,
            global_bytes: 2 << 30,
            compute_units: 1,
        };
        Self(vec![gpu, cpu])
    }
}
