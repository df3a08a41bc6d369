//! What the model expects of a plan.

use super::registers::Carried;
use super::rows::Rows;
use super::stream_rate::Streamed;
use super::work::{Work, arithmetic_seconds, slow_operations};
use super::{KernelPlan, TileStorage, extents, flag_of, stream_shape};
use crate::ir::Nest;
use crate::options::{FpMode, StrategyName, Tuning};
use crate::poly::Recurrences;

/// What can be said of a plan without running it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Estimate {
    /// Steps of the deepest tile; 0 if there are single sweeps only.
    pub levels: usize,
    /// How tiles are computed, or single sweeps if there are none.
    pub strategy: Option<StrategyName>,
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
    /// The words that ask for the deepest tile, or for single sweeps.
    pub tuning: Tuning,
}

impl Estimate {
    /// Looks at the deepest tile of a plan.
    pub fn new(plan: &KernelPlan, nest: &Nest, recurrences: &Recurrences, fp: FpMode) -> Self {
        let profile = &plan.profile;
        let work = Work::new(nest, recurrences);
        let Some(tile) = plan.tiles.first() else {
            let rate = Some(work.direct_rate(profile));
            return Self { redundancy: 1.0, rate, tuning: tuning_of(plan), ..Self::default() };
        };
        let this = Self {
            levels: tile.levels,
            strategy: Some(plan.storage.strategy()),
            local_bytes: plan.storage.local_bytes(nest, recurrences, tile),
            local_maximum: profile.local_maximum,
            redundancy: tile.redundancy(),
            tuning: tuning_of(plan),
            ..Self::default()
        };
        match &plan.storage {
            TileStorage::Local => {
                Self { rate: Some(work.tile_rate(recurrences, tile, profile, plan.tile_work_group)), ..this }
            }
            TileStorage::Registers(shape) => {
                let is_known = profile.is_gpu && slow_operations(nest, recurrences) == 0;
                let may_fuse = fp != FpMode::Strict;
                let arithmetic = arithmetic_seconds(nest, recurrences, &profile.instructions, may_fuse);
                let streamed = Streamed { recurrences, tile, shape, profile, arithmetic };
                Self {
                    registers: Some(Carried::new(nest, recurrences, tile, shape).registers),
                    rate: is_known.then(|| streamed.rate()),
                    ..this
                }
            }
            TileStorage::Rings => Self { rate: Some(Rows::new(nest, recurrences, tile).rate(&work, profile)), ..this },
        }
    }
}

/// The words that ask for the deepest tile of a plan, or for single sweeps.
pub(super) fn tuning_of(plan: &KernelPlan) -> Tuning {
    let Some(tile) = plan.tiles.first() else {
        return Tuning { strategy: Some(StrategyName::Direct), ..Tuning::default() };
    };
    let flags = match &plan.storage {
        TileStorage::Rings => Tuning { tile: extents(tile), ..Tuning::default() },
        TileStorage::Local => {
            let work_group = plan.tile_work_group[..tile.core.len().min(3)].to_vec();
            Tuning { tile: extents(tile), work_group, ..Tuning::default() }
        }
        TileStorage::Registers(shape) => stream_shape::flags(shape, tile),
    };
    Tuning { strategy: Some(plan.storage.strategy()), time_tile: Some(flag_of(tile.levels as i64)), ..flags }
}
