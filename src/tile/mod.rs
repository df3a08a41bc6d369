//! Overlapped time tiles as integer sets (Holewinski et al., ICS 2012, Algorithm 2).
//!
//! A work-group owns the cells of a *core* box and advances it by several time steps, the *levels*, in one launch. From
//! the core at the last level the instances needed at every level are found backwards, sweep by sweep, as preimages
//! under the flow dependences; each region is the rectangular hull of what is needed. isl gives the hull of the cells
//! that one cell needs; the preimage of a box is that box dilated by it. Example, 1D three-point Jacobi,
//! core `[o, o + 63]`, two levels: level 1 computes `[o, o + 63]`, level 0 `[o - 1, o + 64]`, the input is
//! `[o - 2, o + 65]`.

mod block;
mod cell_box;
mod edges;
mod folded;
mod leaves;
mod parts;
mod pipeline;
mod reaches;
mod row_window;
mod shape;
mod steady;
mod stream_tile;
#[cfg(test)]
mod stream_tests;
#[cfg(test)]
mod tests;
mod trace;

use std::collections::BTreeMap;

use crate::ir::{Access, Handle};
use crate::poly::{Origin, Recurrences, SlotChoice};
pub use block::{BlockCell, Blocks, moved};
pub use cell_box::CellBox;
pub use edges::{EdgeRows, Edges, exchanged_bytes};
pub use folded::{Folded, combination};
use leaves::is_output;
pub use leaves::{Leaves, last_single_steps, longest_distance, most_levels, slots_kept};
pub use pipeline::{
    HaloSource, Pipeline, PipelineRules, PipelineStage, Producer, Tap, ValuePart, Window, stream_obstacle,
};
pub use reaches::{Reaches, compute_reaches, farthest_reads};
pub use row_window::RowWindow;
pub use shape::{LANES, MOST_NEIGHBOURS, StreamShape, streamed_dimensions};
pub use steady::Steady;
pub use stream_tile::{StreamStage, StreamTile};

/// One sweep at one level of a tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// Steps that the tile has completed before: 0 for the first level.
    pub level: usize,
    /// The sweep.
    pub sweep: usize,
    /// Cells to compute, before they are cut to the sweep's domain.
    pub region: CellBox,
    /// Whether its core cells are results of the launch.
    pub is_output: bool,
    /// Whether they are folded: nothing else is wanted of them.
    pub is_folded: bool,
}

impl Stage {
    /// The field and the relative slot that it writes.
    pub fn slot(&self, recurrences: &Recurrences) -> (usize, usize) {
        let storage = &recurrences.storage;
        let (field, ring) = storage.writes[self.sweep];
        (field, slot_at(ring, self.level, storage.fields[field].slots))
    }
}

/// What a slot of a field is needed for within a tile. Slots are relative: slot `r` is `(t + r) mod slots` for a launch
/// that starts with step `t`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotUse {
    /// Cells that are read or computed.
    pub region: CellBox,
    /// Whether values of earlier launches are read.
    pub has_input: bool,
    /// Whether cells are read that no sweep writes (the halo).
    pub has_halo: bool,
}

/// The regions of an overlapped time tile.
#[derive(Clone, Debug)]
pub struct Tile {
    /// Time steps.
    pub levels: usize,
    /// Which values it stores; [`Leaves::Results`] wherever these are all.
    pub leaves: Leaves,
    /// Extents of the core, outermost first.
    pub core: Vec<i64>,
    /// The sweeps of all levels in order of execution; those that nothing needs are left out.
    pub stages: Vec<Stage>,
    /// The slots of written fields that are read within the tile, by field and relative slot.
    pub slots: BTreeMap<(usize, usize), SlotUse>,
    /// What it folds of each step, if it leaves [`Leaves::Folds`].
    pub folded: Option<Folded>,
}

impl Tile {
    /// Whether no later launch reads what a stage stores.
    pub fn is_for_results_alone(&self, recurrences: &Recurrences, stage: &Stage) -> bool {
        stage.is_output && !is_output(recurrences, stage.level, stage.sweep, self.levels, Leaves::Inputs)
    }

    /// The box around everything that is computed or loaded, per field.
    pub fn field_region(&self, field: usize) -> Option<CellBox> {
        let uses = self.slots.iter().filter(|((f, _), _)| *f == field).map(|(_, slot)| slot.region.clone());
        uses.reduce(|a, b| a.hull(&b))
    }

    /// The box around everything.
    pub fn region(&self) -> CellBox {
        let core = CellBox { lo: vec![0; self.core.len()], hi: self.core.iter().map(|extent| extent - 1).collect() };
        let stages = self.stages.iter().map(|stage| &stage.region);
        stages.chain(self.slots.values().map(|slot| &slot.region)).fold(core, |hull, region| hull.hull(region))
    }

    /// The same with its last cells counted from the core's last one.
    pub fn region_around_core(&self) -> CellBox {
        let mut region = self.region();
        region.hi.iter_mut().zip(&self.core).for_each(|(hi, extent)| *hi -= extent - 1);
        region
    }

    /// Cells computed for each cell of the core and step: 1 without redundancy.
    pub fn redundancy(&self) -> f64 {
        let computed: f64 = self.stages.iter().map(|stage| stage.region.volume() as f64).sum();
        let core: i64 = self.core.iter().product();
        let sweeps = self.stages.iter().map(|stage| stage.sweep).collect::<std::collections::BTreeSet<_>>().len();
        computed / (core * (self.levels * sweeps.max(1)) as i64) as f64
    }

    /// The same tile with another core: regions keep their distance from the core's faces.
    #[must_use]
    pub fn with_core(&self, core: &[i64]) -> Self {
        let grow = |region: &mut CellBox| {
            for (d, hi) in region.hi.iter_mut().enumerate() {
                *hi += core[d] - self.core[d];
            }
        };
        let mut tile = Self { core: core.to_vec(), ..self.clone() };
        tile.stages.iter_mut().for_each(|stage| grow(&mut stage.region));
        tile.slots.values_mut().for_each(|slot| grow(&mut slot.region));
        tile
    }
}

/// Why a system of recurrences cannot be advanced tile by tile.
pub struct Obstacle {
    /// A sentence for people.
    pub reason: String,
    /// The read that is in the way, if it is one.
    pub read: Option<Handle<Access>>,
}

/// What keeps a system of recurrences from time tiles.
pub fn obstacle(recurrences: &Recurrences) -> Option<Obstacle> {
    let storage = &recurrences.storage;
    let ranks: Vec<usize> = storage.writes.iter().map(|(field, _)| storage.fields[*field].rank).collect();
    if ranks.iter().any(|rank| *rank != ranks[0]) {
        return Some(Obstacle { reason: "it writes arrays of different rank".into(), read: None });
    }
    // A launch hands a slot that it reads on in another buffer, and so must write all of its cells that change.
    for (field, ring) in &storage.writes {
        if storage.writes.iter().any(|(other, another)| other == field && another != ring) {
            let name = &storage.fields[*field].name;
            let reason = format!("statements write `{name}` for different steps at a time");
            return Some(Obstacle { reason, read: None });
        }
    }
    if most_levels(recurrences) < 2 {
        return Some(Obstacle { reason: "it keeps rows of too many arrays in each step".into(), read: None });
    }
    for dependence in &recurrences.sweeps.dependences {
        let Some(read) = storage.reads.get(&(dependence.sweep, dependence.read)) else { continue };
        let field = &storage.fields[read.field];
        let is_uniform =
            read.offset.is_some() && (dependence.distance.is_some() || matches!(dependence.origin, Origin::Initial(_)));
        if !is_uniform {
            let reason = format!("the distance of a dependence through `{}` is not constant", field.name);
            return Some(Obstacle { reason, read: Some(dependence.read) });
        }
    }
    None
}

/// The relative slot that a rotation reaches at a level.
pub fn slot_at(ring: SlotChoice, level: usize, slots: usize) -> usize {
    match ring {
        SlotChoice::Rotating(shift) => (level as i64 + shift).rem_euclid(slots as i64) as usize,
        SlotChoice::Fixed(slot) => slot,
    }
}
