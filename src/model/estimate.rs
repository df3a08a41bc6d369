//! What the model expects of a plan.

use super::plan::{KernelPlan, flag_of};
use super::strategies::strategy_of;
use super::strategy::Expected;
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
        let Expected { rate, registers } = strategy_of(plan).expected(plan, nest, recurrences, fp);
        let this = Self { rate, registers, redundancy: 1.0, tuning: tuning_of(plan), ..Self::default() };
        let Some(tile) = plan.tiles.first() else { return this };
        Self {
            levels: tile.levels,
            strategy: Some(strategy_of(plan).name()),
            local_bytes: strategy_of(plan).local_bytes(nest, recurrences, tile),
            local_maximum: plan.profile.local_maximum,
            redundancy: tile.redundancy(),
            ..this
        }
    }
}

/// The words that ask for the deepest tile of a plan, or for single sweeps.
pub(super) fn tuning_of(plan: &KernelPlan) -> Tuning {
    let strategy = Some(strategy_of(plan).name());
    let Some(tile) = plan.tiles.first() else { return Tuning { strategy, ..Tuning::default() } };
    let time_tile = Some(flag_of(tile.levels as i64));
    Tuning { strategy, time_tile, ..strategy_of(plan).flags(plan, tile) }
}
