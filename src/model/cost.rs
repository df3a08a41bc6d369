//! What a call costs, for a program that decides between its own loops and the device.

use super::estimate::Estimate;
use super::plan::KernelPlan;
use super::profile::Profile;
use super::work::Work;
use crate::ir::Nest;
use crate::options::{DeviceKindName, FpMode};
use crate::poly::Recurrences;

/// Seconds that one core takes for an operation of compiled loops, and for a byte that it moves. They are on the low side:
/// what stays on the host by mistake is measured there.
const HOST_OPERATION: f64 = 0.2e-9;
const HOST_BYTE: f64 = 0.03e-9;

/// How fast a kind of device is expected to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// Seconds for a cell in a step, in single sweeps.
    pub step_seconds: f64,
    /// The same in the deepest time tile.
    pub tile_seconds: f64,
    /// Steps of that; 0 without time tiles.
    pub levels: usize,
}

/// What the host's loops and transfers cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CallCost {
    /// Seconds for a cell in a step, all sweeps together, by the original loops.
    pub host_seconds: f64,
    /// Bytes for a cell that go to the device.
    pub bytes_up: usize,
    /// Bytes for a cell that come back.
    pub bytes_down: usize,
    /// Bytes of histories for a cell and step that go to the device.
    pub row_bytes_up: usize,
    /// Bytes of histories for a cell and step that come back.
    pub row_bytes_down: usize,
    /// Number of histories.
    pub rows: usize,
}

impl Pace {
    /// That of the plan for all devices of a kind.
    pub fn new(plans: &[KernelPlan], kind: DeviceKindName, nest: &Nest, recurrences: &Recurrences, fp: FpMode) -> Self {
        let profile = Profile::of(kind);
        let step_seconds = 1.0 / Work::new(nest, recurrences).direct_rate(profile);
        let is_for_kind = |plan: &&KernelPlan| plan.device.is_none() && plan.profile.is_gpu == profile.is_gpu;
        let estimate = plans.iter().rfind(is_for_kind).map(|plan| Estimate::new(plan, nest, recurrences, fp));
        let levels = estimate.as_ref().map_or(0, |estimate| estimate.levels);
        let rate = estimate.and_then(|estimate| estimate.rate);
        Self { step_seconds, tile_seconds: rate.map_or(step_seconds, |rate| 1.0 / rate), levels }
    }
}

impl CallCost {
    /// That of a nest whose results are in these fields.
    pub fn new(nest: &Nest, recurrences: &Recurrences, results: impl Iterator<Item = usize>) -> Self {
        let work = Work::new(nest, recurrences);
        let fields = &recurrences.storage.fields;
        let rank = fields.iter().map(|field| field.rank).max().unwrap_or(1);
        let is_whole = |field: usize| fields[field].rank == rank;
        let size = |field: usize| fields[field].element.size();
        let whole = || (0..fields.len()).filter(|field| is_whole(*field));
        let slots = |field: usize| fields[field].rows.map_or(fields[field].slots, |rows| rows.span - 1);
        let is_kept = |field: &usize| fields[*field].rows.is_some_and(|rows| rows.keeps_contents);
        let (of_rows, down): (Vec<_>, Vec<_>) =
            results.filter(|field| is_whole(*field)).partition(|field| fields[*field].is_history());
        Self {
            host_seconds: work.host_seconds(HOST_OPERATION, HOST_BYTE),
            bytes_up: whole().map(|field| size(field) * slots(field)).sum(),
            bytes_down: down.into_iter().map(size).sum(),
            row_bytes_up: whole().filter(is_kept).map(size).sum(),
            row_bytes_down: of_rows.iter().copied().map(size).sum(),
            rows: of_rows.len(),
        }
    }
}
