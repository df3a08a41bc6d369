//! What the model expects of a plan.

use super::registers::Carried;
use super::work::Work;
use super::{KernelPlan, local_bytes, profile};
use crate::ir::Nest;
use crate::poly::Recurrences;

/// What can be said of a plan without running it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Estimate {
    /// Steps of the deepest tile; 0 if there are single sweeps only.
    pub levels: usize,
    /// Whether tiles are streamed.
    pub is_stream: bool,
    /// Bytes of local memory of the deepest tile.
    pub local_bytes: i64,
    /// Bytes of local memory that a work-group of such a device can use.
    pub local_maximum: i64,
    /// 32-bit registers of a work-item of a stream.
    pub registers: Option<i64>,
    /// Computed cells for each useful one in the deepest tile.
    pub redundancy: f64,
    /// Cells times steps a second, where the model tells.
    pub rate: Option<f64>,
}

impl Estimate {
    /// Looks at the deepest tile of a plan.
    pub fn new(plan: &KernelPlan, nest: &Nest, recurrences: &Recurrences) -> Self {
        let profile = if plan.is_gpu { &profile::GPU } else { &profile::CPU };
        let work = Work::new(nest, recurrences);
        let Some(tile) = plan.tiles.first() else {
            return Self { redundancy: 1.0, rate: Some(work.direct_rate(profile)), ..Self::default() };
        };
        let is_stream = plan.stream.is_some();
        let rate = || work.tile_rate(recurrences, tile, profile, plan.tile_work_group);
        Self {
            levels: tile.levels,
            is_stream,
            local_bytes: if is_stream { 0 } else { local_bytes(recurrences, tile) },
            local_maximum: profile.local_maximum,
            registers: plan.stream.as_ref().map(|shape| Carried::new(nest, recurrences, tile, shape).registers),
            redundancy: tile.redundancy(),
            rate: (!is_stream).then(rate),
        }
    }
}
