//! The regions of a tile, traced back from its core: sweep by sweep, from the last level to the first.

use std::collections::BTreeMap;

use super::leaves::{is_output, last_single_steps};
use super::reaches::ReachOrigin;
use super::{CellBox, Leaves, Reaches, SlotUse, Stage, Tile, slot_at};

impl Tile {
    /// The tile of the given core and number of levels. One of too few levels cannot leave results: the launch before it need
    /// not have left those versions that it does not compute.
    pub fn new(reaches: &Reaches<'_>, core: &[i64], levels: usize, leaves: Leaves) -> Self {
        let leaves = match last_single_steps(reaches.recurrences) {
            _ if leaves == Leaves::Folds => leaves,
            0 => Leaves::Results,
            steps if levels < steps => Leaves::Inputs,
            _ => leaves,
        };
        Builder::new(reaches, core, levels, leaves).build()
    }
}

struct Builder<'a> {
    reaches: &'a Reaches<'a>,
    levels: usize,
    leaves: Leaves,
    core: CellBox,
    /// By level and sweep, the hull of what is needed.
    needed: BTreeMap<(usize, usize), CellBox>,
    slots: BTreeMap<(usize, usize), SlotUse>,
}

impl<'a> Builder<'a> {
    fn new(reaches: &'a Reaches<'a>, core: &[i64], levels: usize, leaves: Leaves) -> Self {
        let core = CellBox { lo: vec![0; core.len()], hi: core.iter().map(|extent| extent - 1).collect() };
        Self { reaches, levels, leaves, core, needed: BTreeMap::new(), slots: BTreeMap::new() }
    }

    fn build(mut self) -> Tile {
        let recurrences = self.reaches.recurrences;
        let mut stages = Vec::new();
        for level in (0..self.levels).rev() {
            for &sweep in recurrences.order.iter().rev() {
                let is_output = is_output(recurrences, level, sweep, self.levels, self.leaves);
                let is_folded = self.leaves == Leaves::Folds && self.reaches.folds(sweep);
                if is_output || is_folded {
                    self.need(level, sweep, self.core.clone());
                }
                let Some(region) = self.needed.get(&(level, sweep)).cloned() else { continue };
                self.trace_back(level, sweep, &region);
                stages.push(Stage { level, sweep, region, is_output, is_folded });
            }
        }
        stages.reverse();
        self.cover_computed(&stages);
        let (levels, leaves, core) = (self.levels, self.leaves, self.core.extents());
        let folded = self.reaches.folded().cloned().filter(|_| leaves == Leaves::Folds);
        Tile { levels, leaves, core, stages, slots: self.slots, folded }
    }

    /// Adds to the needs of earlier sweeps and levels what this region reads.
    fn trace_back(&mut self, level: usize, sweep: usize, region: &CellBox) {
        let reaches = self.reaches;
        for reach in reaches.reaches.iter().filter(|reach| reach.sweep == sweep) {
            let touched = region.dilated(&reach.cells);
            let slots = reaches.recurrences.storage.fields[reach.field].slots;
            let key = (reach.field, slot_at(reach.slot, level, slots));
            let (has_input, has_halo) = match reach.source {
                ReachOrigin::Sweep { sweep, distance } => {
                    let written = level as i64 - distance;
                    if written >= 0 {
                        self.need(written as usize, sweep, touched.clone());
                    }
                    (written < 0, false)
                }
                // In later steps of the nest this level reads what sweeps have written, or nothing.
                ReachOrigin::Initial { last_step: Some(last), .. } if last < level as i64 => continue,
                ReachOrigin::Initial { is_beside, .. } => (!is_beside, is_beside),
            };
            self.use_slot(key, SlotUse { region: touched, has_input, has_halo });
        }
    }

    /// Makes room in local memory for cells that are computed beside those that are read.
    fn cover_computed(&mut self, stages: &[Stage]) {
        for stage in stages {
            let key = stage.slot(self.reaches.recurrences);
            if self.slots.contains_key(&key) {
                let region = stage.region.clone();
                self.use_slot(key, SlotUse { region, has_input: false, has_halo: false });
            }
        }
    }

    fn need(&mut self, level: usize, sweep: usize, cells: CellBox) {
        let hull = self.needed.get(&(level, sweep)).map_or(cells.clone(), |others| others.hull(&cells));
        self.needed.insert((level, sweep), hull);
    }

    fn use_slot(&mut self, key: (usize, usize), this: SlotUse) {
        let all = match self.slots.remove(&key) {
            Some(other) => SlotUse {
                region: other.region.hull(&this.region),
                has_input: other.has_input || this.has_input,
                has_halo: other.has_halo || this.has_halo,
            },
            None => this,
        };
        self.slots.insert(key, all);
    }
}
