//! What a text does at the boundary of the stages that it stands for: decided here, once, and only carried out elsewhere.

use super::turn::{Ahead, Turn};
use crate::kernel::ArgumentKind;
use crate::kernel::emitter;
use crate::tile::{Leaves, Steady, StreamStage, StreamTile};

/// What a text does at the boundary of the stages that it stands for. Their halos are put into their window from the buffers of one
/// level after the other, in turns.
pub(super) type StageBoundary<'a> = emitter::StageBoundary<Turn<'a>, Vec<ArgumentKind>, StageStore>;

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
    /// The deepest tile, which leaves most.
    pub stream: StreamTile<'a>,
    /// How its levels follow from each other; `None`: all are written out.
    pub steady: Option<Steady>,
    /// Levels that launches may leave out.
    pub most_skipped: usize,
    /// Whether launches may leave out what is stored for results alone.
    pub may_leave_less: bool,
}

impl<'a> Text<'a> {
    /// What is done about a stage.
    pub fn boundary(&self, turn: Turn<'a>) -> StageBoundary<'a> {
        let halo = turn.at.piped.halo.map(|_| self.halo(&turn));
        let stored = if turn.at.is_read() { self.stored(&turn) } else { Vec::new() };
        StageBoundary { at: turn, halo, stores: stored.into_iter().map(|at| self.store(&turn, at)).collect() }
    }

    /// The store of a stage that nobody reads: it has no window, and stores what it computes at once.
    pub fn stored_at_once(&self, turn: &Turn<'a>) -> Option<StageStore> {
        (!turn.at.is_read()).then(|| self.store(turn, turn.at))
    }

    fn store(&self, turn: &Turn<'a>, at: StreamStage<'a>) -> StageStore {
        let StreamTile { recurrences, tile, .. } = self.stream;
        let is_for_results = self.may_leave_less && tile.is_for_results_alone(recurrences, at.stage);
        debug_assert!(!is_for_results || tile.leaves == Leaves::Results, "the text stores what any launch may");
        StageStore {
            buffer: self.stream.result(at.stage),
            ahead: (turn.ahead != Ahead::None).then(|| at.stage.level - turn.at.stage.level),
            is_for_results,
        }
    }

    /// Buffers with the halos of the slots that a stage stands for, one level after the other.
    fn halo(&self, turn: &Turn<'a>) -> Vec<ArgumentKind> {
        let slot = |at: StreamStage<'_>| at.stage.slot(self.stream.recurrences);
        let first = slot(turn.at);
        let mut slots = vec![first];
        if let (Ahead::Loop, Some(steady)) = (turn.ahead, &self.steady) {
            let later = self.steady_stages(steady, turn).skip(1).map(slot);
            slots.extend(later.take_while(|slot| *slot != first));
        }
        slots.into_iter().map(|slot| self.stream.source(slot)).collect()
    }

    /// The stages that a text stands for and that launches store.
    fn stored(&self, turn: &Turn<'a>) -> Vec<StreamStage<'a>> {
        let is_output = |at: &StreamStage<'_>| at.stage.is_output;
        let Some(steady) = self.steady.as_ref().filter(|_| turn.ahead != Ahead::None) else {
            return Some(turn.at).filter(is_output).into_iter().collect();
        };
        let is_met = |at: &StreamStage<'_>| {
            let ahead = at.stage.level - turn.at.stage.level;
            turn.ahead == Ahead::Loop || ahead <= self.most_skipped && steady.is_same_slot(ahead)
        };
        self.steady_stages(steady, turn).filter(is_output).filter(is_met).collect()
    }

    /// A stage of a steady level and those of the later ones that do the same, but for the last level.
    fn steady_stages(&self, steady: &Steady, turn: &Turn<'a>) -> impl Iterator<Item = StreamStage<'a>> {
        let stream = self.stream;
        let all = turn.at.index..(stream.tile.levels - 1) * steady.width;
        all.step_by(steady.width).map(move |index| stream.stage(index))
    }

    /// The first row of the stream and the last one behind the core, relative to it.
    pub fn span(&self) -> (i64, i64) {
        let first = self.stream.stages().map(|at| at.stage.region.lo[0] + at.piped.lag()).min();
        let last = self.stream.stages().map(|at| at.stage.region.hi[0] + at.piped.lag()).max();
        (first.unwrap_or(0), last.unwrap_or(0) - (self.stream.tile.core[0] - 1))
    }
}
