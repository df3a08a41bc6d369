//! What a device can do at most: three kernels, timed by the device's own clock.
#![expect(unsafe_code, reason = "bindings of C functions")]

use std::ffi::CString;

use ocl::core::{
    self, ArgVal, CommandQueue, CommandQueueProperties, Context, DeviceId, Event, Kernel, Mem, MemFlags, ProfilingInfo,
    ProfilingInfoResult, Program,
};

use super::{Device, DeviceError, DeviceKind};
use crate::options::Rates;

const KERNELS: &str = include_str!("measure.cl");

/// Bytes of an array, beyond the caches of most devices, and the part of the device's memory that it may be.
const ARRAY_BYTES: u64 = 256 << 20;
const PART_OF_MEMORY: u64 = 8;

/// Bytes that a work-item of `scale` reads, and as many that it writes.
const PAIR_BYTES: u64 = 8;

/// Work-items of `chains` for each compute unit: several for each lane of a GPU.
const CHAINED_ITEMS: u64 = 8192;

/// Numbers of a work-item of `chains` on a CPU, whose compilers do not vectorise loops inside a work-item.
const CPU_VECTOR: usize = 16;

/// Operations of `chains` for each number and turn.
const CHAINED_OPERATIONS: f64 = 512.0;

/// Seconds that are long beside what a launch costs.
const LONG_ENOUGH: f64 = 0.01;

/// Runs of a kernel, of which the fastest counts.
const RUNS: usize = 5;

/// Measures the device.
///
/// # Errors
/// When an OpenCL function fails or the device's clock stands still.
pub fn measure(id: DeviceId, device: &Device) -> Result<Rates, DeviceError> {
    let context = core::create_context(None, &[id], None, None)?;
    let queue = core::create_command_queue(&context, id, Some(CommandQueueProperties::PROFILING_ENABLE))?;
    let chained_items = (device.compute_units.max(1) * CHAINED_ITEMS) as usize;
    let bench =
        Bench { id, context, queue, chained_items, width: if device.kind == DeviceKind::Cpu { CPU_VECTOR } else { 1 } };
    let single = bench.build("float")?;
    let double = if device.has_double { Some(bench.build("double")?) } else { None };
    Ok(Rates {
        memory: bench.memory(&single, device.global_bytes)?,
        single: bench.arithmetic(&single, size_of::<f32>())?,
        double: double.map(|program| bench.arithmetic(&program, size_of::<f64>())).transpose()?,
    })
}

impl From<ocl::OclCoreError> for DeviceError {
    fn from(error: ocl::OclCoreError) -> Self {
        Self::OpenCl(error.to_string().trim().lines().next().unwrap_or_default().to_owned())
    }
}

struct Bench {
    id: DeviceId,
    context: Context,
    queue: CommandQueue,
    chained_items: usize,
    width: usize,
}

impl Bench {
    fn build(&self, element: &str) -> Result<Program, DeviceError> {
        let text = CString::new(KERNELS).expect("the text has no zero byte");
        let width = if self.width > 1 { self.width.to_string() } else { String::new() };
        let options = CString::new(format!("-DNUMBERS={element}{width}")).expect("neither have the options");
        let program = core::create_program_with_source(&self.context, &[text])?;
        core::build_program(&program, Some(&[self.id]), &options, None, None)?;
        Ok(program)
    }

    /// Bytes a second from and to the device's memory.
    fn memory(&self, program: &Program, global_bytes: u64) -> Result<f64, DeviceError> {
        let bytes = ARRAY_BYTES.min(global_bytes / PART_OF_MEMORY).max(PAIR_BYTES);
        let items = (bytes / PAIR_BYTES) as usize;
        let arrays = [self.buffer(bytes as usize)?, self.buffer(bytes as usize)?];
        let fill = core::create_kernel(program, "fill")?;
        for array in &arrays {
            core::set_kernel_arg(&fill, 0, ArgVal::mem(array))?;
            self.seconds(&fill, items)?;
        }
        let scale = core::create_kernel(program, "scale")?;
        core::set_kernel_arg(&scale, 0, ArgVal::mem(&arrays[0]))?;
        core::set_kernel_arg(&scale, 1, ArgVal::mem(&arrays[1]))?;
        Ok((2 * bytes) as f64 / self.best_seconds(&scale, items)?)
    }

    /// Operations a second, a fused pair being two.
    fn arithmetic(&self, program: &Program, element_bytes: usize) -> Result<f64, DeviceError> {
        let chains = core::create_kernel(program, "chains")?;
        let results = self.buffer(self.chained_items * self.width * element_bytes)?;
        core::set_kernel_arg(&chains, 0, ArgVal::mem(&results))?;
        let mut turns = 1_i32;
        loop {
            core::set_kernel_arg(&chains, 1, ArgVal::scalar(&turns))?;
            if self.seconds(&chains, self.chained_items)? >= LONG_ENOUGH || turns >= i32::MAX / 2 {
                break;
            }
            turns *= 2;
        }
        let numbers = (self.chained_items * self.width) as f64;
        let operations = numbers * f64::from(turns) * CHAINED_OPERATIONS;
        Ok(operations / self.best_seconds(&chains, self.chained_items)?)
    }

    fn buffer(&self, bytes: usize) -> Result<Mem, DeviceError> {
        // SAFETY: the buffer takes no memory of the host.
        Ok(unsafe { core::create_buffer::<_, u8>(&self.context, MemFlags::READ_WRITE, bytes, None) }?)
    }

    fn best_seconds(&self, kernel: &Kernel, items: usize) -> Result<f64, DeviceError> {
        (0..RUNS).try_fold(f64::INFINITY, |best, _| Ok(self.seconds(kernel, items)?.min(best)))
    }

    /// Runs a kernel whose arguments are set.
    fn seconds(&self, kernel: &Kernel, items: usize) -> Result<f64, DeviceError> {
        let mut event = Event::null();
        let global = [items, 1, 1];
        // SAFETY: each work-item touches the element of its number, of which the buffers have as many.
        unsafe {
            core::enqueue_kernel(&self.queue, kernel, 1, None, &global, None, None::<Event>, Some(&mut event))?;
        }
        core::wait_for_event(&event)?;
        let clock = |what| match core::get_event_profiling_info(&event, what)? {
            ProfilingInfoResult::Start(time) | ProfilingInfoResult::End(time) => Ok::<_, DeviceError>(time),
            other => Err(DeviceError::OpenCl(format!("the device's clock says {other:?}"))),
        };
        let (start, end) = (clock(ProfilingInfo::Start)?, clock(ProfilingInfo::End)?);
        match end.checked_sub(start) {
            None | Some(0) => Err(DeviceError::OpenCl("the device's clock stands still".into())),
            Some(nanoseconds) => Ok(1e-9 * nanoseconds as f64),
        }
    }
}
