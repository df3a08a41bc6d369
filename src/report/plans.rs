//! Plans for machines: what was chosen, in the words of the clauses that would choose it again.

use serde::Serialize;

use crate::back::NestToWrite;
use crate::ir::StrategyName;
use crate::kernel::{Kernel, PlanKernels};
use crate::model::{Estimate, TileStorage};
use crate::options::giga;
use crate::text::Writer;

/// A plan of a nest. Sizes have the fastest dimension first, as in clauses.
#[derive(Serialize)]
struct PlanSummary<'a> {
    nest: &'a str,
    plan: &'a str,
    strategy: &'static str,
    /// What the model expects of the deepest kernel, in 10^9 cells times steps a second, where it tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected_gcells_per_second: Option<f64>,
    /// Kernels of decreasing depth; those of single sweeps come last.
    kernels: Vec<KernelSummary<'a>>,
}

#[derive(Serialize)]
struct KernelSummary<'a> {
    name: &'a str,
    /// Time steps that a launch advances; 0 for one sweep of one step.
    time_tile: usize,
    /// Cells of a tile; none for a sweep.
    tile: Vec<i64>,
    /// Points of a work-item along the fastest dimension.
    per_item: i64,
    work_group: &'a [u32],
    /// Local memory of a work-group.
    local_bytes: i64,
}

/// A line a plan.
pub fn write_plans(writer: &mut Writer, plan: &NestToWrite<'_>) {
    for (kernels, choice) in plan.plans.iter().zip(plan.choices) {
        let expected = Estimate::new(choice, plan.nest(), plan.recurrences(), plan.fp).rate;
        let summary = PlanSummary {
            nest: &plan.nest().name,
            plan: &kernels.name,
            strategy: strategy(kernels).name(),
            expected_gcells_per_second: expected.map(giga),
            kernels: kernels.kernels.iter().map(|kernel| summarise(kernel, kernels)).collect(),
        };
        writer.line(serde_json::to_string(&summary).expect("texts and numbers are JSON"));
    }
}

fn strategy(kernels: &PlanKernels) -> StrategyName {
    let has_tiles = kernels.kernels.iter().any(|kernel| kernel.levels > 0);
    if has_tiles { kernels.storage.strategy() } else { StrategyName::Direct }
}

fn summarise<'a>(kernel: &'a Kernel, kernels: &PlanKernels) -> KernelSummary<'a> {
    let tile: Vec<i64> = kernel.tile.iter().rev().copied().collect();
    let columns = i64::from(kernel.work_group[0]);
    let per_item = match (tile.first(), kernels.storage) {
        (None, _) => 1,
        (Some(_), TileStorage::Registers(shape)) => shape.columns,
        (Some(extent), _) => (extent + columns - 1) / columns,
    };
    KernelSummary {
        name: &kernel.name,
        time_tile: kernel.levels,
        tile,
        per_item,
        work_group: &kernel.work_group[..kernel.rank.clamp(1, 3)],
        local_bytes: kernel.local_bytes(),
    }
}
