//! When tiles with boundaries load those cells of their halos that no window holds.
//!
//! Sub-groups that have such cells wait for memory in every step where others do not, and are the slowest of a launch.

use std::collections::BTreeSet;

use super::Builder;
use super::boundary::among;
use super::halo::halo_now;
use super::memory::Position;
use super::stage_halo::{Moment, Prefetch};
use crate::kernel::registers::Registers;
use crate::kernel::{ArgumentKind, Index, Statement};
use crate::tile::{BlockCell, HaloSource};

/// When halos are loaded, and with it how a stage replaces its cells.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum HaloLoads {
    /// Where a stage needs them, if the sub-group has any: for pipelines in which many stages load, whose values would keep
    /// registers busy in all work-items.
    WhenNeeded,
    /// For such pipelines, if a value takes one register: while the [`STAGES_AHEAD`] stages before compute that load too.
    StagesAhead,
    /// When a step begins, whole rows of the block that has such cells: in three dimensions, where these are many.
    WithStep,
    /// When the step before has used the last ones. Then stages choose cells without a branch, and as their steps are not
    /// unrolled, both texts of the kernel are short enough to stay near the processor side by side.
    RowAhead,
}

/// How many loads of halos are under way while a stage computes: tiles at the ends of rows take far longer than others where
/// each stage waits for its own.
pub(super) const STAGES_AHEAD: usize = 2;

impl Builder<'_> {
    /// When the tile's halos are loaded.
    pub(super) fn halo_loads(&self) -> HaloLoads {
        match self.rank() {
            3 => HaloLoads::WithStep,
            2 => match self.loaded_halos() {
                loads if loads.len() <= 1 => HaloLoads::RowAhead,
                loads if loads.iter().all(|(index, _)| self.takes_one_register(*index)) => HaloLoads::StagesAhead,
                _ => HaloLoads::WhenNeeded,
            },
            _ => HaloLoads::WhenNeeded,
        }
    }

    /// Whether what a stage computes has no more than 32 bits.
    fn takes_one_register(&self, index: usize) -> bool {
        self.pipeline.windows[self.pipeline.stages[index].window()].element.size() <= 4
    }

    /// Stages, by index, with halos that no window holds, and the buffers that hold them.
    pub(super) fn loaded_halos(&self) -> Vec<(usize, ArgumentKind)> {
        let stages = self.pipeline.stages.iter().enumerate();
        let loaded = stages.filter_map(|(index, piped)| match piped.halo {
            Some(HaloSource::Buffer { field, slot }) => Some((index, self.halo_buffer(field, slot))),
            _ => None,
        });
        loaded.collect()
    }

    pub(super) fn halo_buffer(&self, field: usize, slot: usize) -> ArgumentKind {
        ArgumentKind::source(field, slot, self.is_in_place(field, slot))
    }

    /// Of stages that load from the same buffer the first, if rows of it are not near anyway.
    pub(super) fn halos_to_prefetch(&self) -> Vec<(usize, ArgumentKind)> {
        if self.shape.prefetched == 0 {
            return Vec::new();
        }
        let mut near: BTreeSet<ArgumentKind> = self.inputs().into_iter().map(|window| self.input(window).0).collect();
        self.loaded_halos().into_iter().filter(|(_, kind)| near.insert(*kind)).collect()
    }

    /// Brings the rows near whose halos are loaded some steps later, and loads those that stages need in this one; rows of
    /// the stream before and behind the domain are few.
    pub(super) fn load_halos_of_step(&mut self) -> Vec<Statement> {
        let mut body = Vec::new();
        for (index, halo) in self.with_halos() {
            if let (Some(load), Some(prefetch)) = (halo.load, halo.prefetch.filter(|prefetch| !prefetch.is_with_load)) {
                body.push(self.prefetch_halo(index, load.buffer, prefetch));
            }
        }
        body.extend(self.load_halos_at(Moment::StepBegin));
        body
    }

    /// Loads the halos that stages need in this step, as far as a moment is theirs.
    pub(super) fn load_halos_at(&mut self, moment: Moment) -> Vec<Statement> {
        let loads = self.loaded_at(moment).into_iter();
        loads.flat_map(|(index, kind)| self.load_halo(index, kind)).collect()
    }

    /// Loads the halo that a stage needs in this step.
    fn load_halo(&mut self, index: usize, kind: ArgumentKind) -> Vec<Statement> {
        let mask = halo_now(index);
        let row = Index::Const(-self.pipeline.stages[index].lag());
        vec![
            self.declare_halo(index),
            self.halo_mask(index, &mask, 0),
            self.halo_row(index, kind, &mask, Position::Here, row),
        ]
    }

    /// Brings the row near whose halo a stage needs some steps later.
    pub(super) fn prefetch_halo(&mut self, index: usize, kind: ArgumentKind, prefetch: Prefetch) -> Statement {
        let condition = among(&line(self.tile.stages[index].sweep), 1);
        Statement::If { condition, body: vec![self.prefetch(kind, prefetch.steps)] }
    }

    /// Before the first step: the halos of its rows.
    pub(super) fn first_halos(&mut self) -> Vec<Statement> {
        let mut body = Vec::new();
        for (index, kind) in self.loaded_at(Moment::StepBefore) {
            let mask = format!("halo_first{index}");
            let row = Index::name("first_row").plus(-self.pipeline.stages[index].lag());
            body.push(self.declare_halo(index));
            body.push(self.halo_mask_of_row(index, &mask, row.clone()));
            body.push(self.halo_row(index, kind, &mask, Position::Block, row));
        }
        body
    }

    /// Loads the halo that a stage needs in the next step.
    pub(super) fn next_halo(&mut self, index: usize, kind: ArgumentKind) -> [Statement; 2] {
        let mask = format!("halo_next{index}");
        let row = Index::Const(1 - self.pipeline.stages[index].lag());
        [self.halo_mask(index, &mask, 1), self.halo_row(index, kind, &mask, Position::Here, row)]
    }

    fn declare_halo(&self, index: usize) -> Statement {
        let window = self.pipeline.stages[index].window();
        let names = self.blocks.own().map(|block| loaded(window, block)).collect();
        Statement::Registers { element: self.pipeline.windows[window].element, names }
    }

    /// Loads what a mask has of a row as vectors, unless others may write cells beside the halo meanwhile.
    fn halo_row(&mut self, index: usize, kind: ArgumentKind, mask: &str, from: Position, row: Index) -> Statement {
        let (window, blocks) = (self.pipeline.stages[index].window(), self.blocks);
        let element = self.pipeline.windows[window].element;
        let width = if matches!(kind, ArgumentKind::InPlace { .. }) { 1 } else { self.shape.columns };
        let mut loads = Vec::new();
        for (i, j) in blocks.own().filter(|(_, j)| j % width == 0) {
            let from = self.element(kind, from, row.clone(), (i, j));
            let cells: Vec<BlockCell> = (j..j + width).map(|j| (i, j)).collect();
            let to = cells.iter().map(|cell| loaded(window, *cell)).collect();
            let bits = cells.iter().map(|cell| self.halo_bit(*cell)).fold(0, |all, bit| all | bit);
            loads.push((bits, Statement::LoadVector { element, to, from }));
        }
        self.in_halo(mask, loads)
    }
}

/// The mask that tells whether the cells that a work-item prefetches are in a sweep's halo.
pub(super) fn line(sweep: usize) -> String {
    format!("line_halo{sweep}")
}

/// The register for what a stage's halo holds in a step.
pub(super) fn loaded(window: usize, block: BlockCell) -> String {
    format!("{}_halo", Registers::name(window, 0, block))
}
