//! What a text does at the boundary of the stages that it stands for: decided here, once, and only carried out elsewhere.

use super::turn::{Ahead, Turn};
use crate::kernel::ArgumentKind;
use crate::poly::Recurrences;
use crate::tile::{Leaves, Pipeline, Steady, Tile};

/// What a text does at the boundary of its stages.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct StageBoundary {
    /// Whether a window keeps what they compute.
    pub is_kept: bool,
    /// The buffers from which their halos are put into that window, if they are: those of one level after the other, in turns.
    pub halo: Vec<ArgumentKind>,
    /// What they store of the core: all of it at once where no window keeps it.
    pub stores: Vec<StageStore>,
}

/// A store of a stage.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct StageStore {
    /// Where to.
    pub buffer: ArgumentKind,
    /// How many levels later than the text's first the stage is that stores, if the text stands for several.
    pub ahead: Option<usize>,
    /// Whether those launches leave it out that leave what the next steps read and no more.
    pub is_for_results: bool,
}

/// A text for tiles that differ in nothing but depth and in what they leave: what its boundaries are decided from.
pub(super) struct Text<'a> {
    pub recurrences: &'a Recurrences,
    /// The deepest tile, which leaves most.
    pub tile: &'a Tile,
    pub pipeline: &'a Pipeline,
    /// How its levels follow from each other; `None`: all are written out.
    pub steady: Option<Steady>,
    /// Levels that launches may leave out.
    pub most_skipped: usize,
    /// Whether launches may leave out what is stored for results alone.
    pub may_leave_less: bool,
}

impl Text<'_> {
    /// What is done about a stage.
    pub fn boundary(&self, turn: &Turn) -> StageBoundary {
        let piped = &self.pipeline.stages[turn.index];
        let is_kept = !self.pipeline.windows[piped.window()].taps.is_empty();
        let halo = if piped.halo.is_some() && is_kept { self.halo(turn) } else { Vec::new() };
        let stored = if is_kept { self.stored(turn) } else { vec![turn.index] };
        StageBoundary { is_kept, halo, stores: stored.into_iter().map(|index| self.store(turn, index)).collect() }
    }

    fn store(&self, turn: &Turn, index: usize) -> StageStore {
        let stage = &self.tile.stages[index];
        let (field, slot) = stage.slot(self.recurrences);
        let is_for_results = self.may_leave_less && self.tile.is_for_results_alone(self.recurrences, stage);
        debug_assert!(!is_for_results || self.tile.leaves == Leaves::Results, "the text stores what any launch may");
        StageStore {
            buffer: ArgumentKind::result(field, slot, self.pipeline.is_in_place((field, slot))),
            ahead: (turn.ahead != Ahead::None).then(|| stage.level - self.tile.stages[turn.index].level),
            is_for_results,
        }
    }

    /// Buffers with the halos of the slots that a stage stands for, one level after the other.
    fn halo(&self, turn: &Turn) -> Vec<ArgumentKind> {
        let slot = |index: usize| self.tile.stages[index].slot(self.recurrences);
        let first = slot(turn.index);
        let mut slots = vec![first];
        if let (Ahead::Loop, Some(steady)) = (turn.ahead, &self.steady) {
            let later = self.steady_stages(steady, turn.index).skip(1).map(slot);
            slots.extend(later.take_while(|slot| *slot != first));
        }
        let source = |(field, slot)| ArgumentKind::source(field, slot, self.pipeline.is_in_place((field, slot)));
        slots.into_iter().map(source).collect()
    }

    /// The stages that a text stands for and that launches store.
    fn stored(&self, turn: &Turn) -> Vec<usize> {
        let is_output = |index: &usize| self.tile.stages[*index].is_output;
        let Some(steady) = self.steady.as_ref().filter(|_| turn.ahead != Ahead::None) else {
            return Some(turn.index).filter(is_output).into_iter().collect();
        };
        let is_met = |index: &usize| {
            let ahead = (index - turn.index) / steady.width;
            turn.ahead == Ahead::Loop || ahead <= self.most_skipped && steady.is_same_slot(ahead)
        };
        self.steady_stages(steady, turn.index).filter(is_output).filter(is_met).collect()
    }

    /// A stage of a steady level and those of the later ones that do the same, but for the last level.
    fn steady_stages(&self, steady: &Steady, first: usize) -> impl Iterator<Item = usize> {
        (first..(self.tile.levels - 1) * steady.width).step_by(steady.width)
    }

    /// The first row of the stream and the last one behind the core, relative to it.
    pub fn span(&self) -> (i64, i64) {
        let stages = || self.tile.stages.iter().zip(&self.pipeline.stages);
        let first = stages().map(|(stage, piped)| stage.region.lo[0] + piped.lag()).min();
        let last = stages().map(|(stage, piped)| stage.region.hi[0] + piped.lag()).max();
        (first.unwrap_or(0), last.unwrap_or(0) - (self.tile.core[0] - 1))
    }
}
