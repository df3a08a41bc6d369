//! When tiles with boundaries load those cells of their halos that no window holds.
//!
//! Sub-groups that have such cells wait for memory in every step where others do not, and are the slowest of a launch.
//!
//! In three dimensions neighbours in a plane are read a step after it was computed (`PipelineRules::age_of_rows`). In the same
//! step a stage reads of what another one computes the same cell only; where both are of one sweep, nothing uses what it makes
//! of a cell of the halo, which is one of its own too. Then halos are *deferred*: put back when a step ends, those of all
//! stages together. What no window holds is loaded right into the stage's window, as soon as no stage needs what was there, if
//! later stages hide the load; otherwise into registers of its own when the step begins.

use std::collections::BTreeSet;

use super::text::{Ends, Places, Text};
use crate::kernel::ArgumentKind;
use crate::tile::{HaloSource, StreamStage, Tap};

/// A load of a halo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HaloLoad {
    /// The buffer that holds it.
    pub buffer: ArgumentKind,
    /// When it happens.
    pub moment: Moment,
    /// Neighbouring columns that come as one vector.
    pub columns: i64,
    /// When its rows are brought near, if they are not near anyway.
    pub prefetch: Option<Prefetch>,
}

/// When a halo is loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moment {
    /// As it is put back.
    PutBack,
    /// When the step before has used the last one.
    StepBefore,
    /// When the step begins.
    StepBegin,
    /// Before a stage computes.
    Before(usize),
    /// After a stage, right into the window of its own stage.
    After(usize),
}

/// A prefetch of a halo's row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Prefetch {
    /// How many steps after the next ones the row is loaded.
    pub steps: i64,
    /// Whether those sub-groups alone do it that load the halo after a stage.
    pub is_with_load: bool,
}

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
const STAGES_AHEAD: usize = 2;

impl<'a> Text<'a> {
    /// When the tile's halos are loaded.
    pub fn halo_loads(&self) -> HaloLoads {
        match self.stream.tile.core.len() {
            3 => HaloLoads::WithStep,
            2 => match self.loaded_halos() {
                loads if loads.len() <= 1 => HaloLoads::RowAhead,
                loads if loads.iter().all(|(at, _)| takes_one_register(*at)) => HaloLoads::StagesAhead,
                _ => HaloLoads::WhenNeeded,
            },
            _ => HaloLoads::WhenNeeded,
        }
    }

    /// Stages with halos that no window holds, and the buffers that hold them.
    fn loaded_halos(&self) -> Vec<(StreamStage<'a>, ArgumentKind)> {
        self.stream.stages().filter_map(|at| Some((at, self.halo_buffer(at.piped.halo?)?))).collect()
    }

    fn halo_buffer(&self, source: HaloSource) -> Option<ArgumentKind> {
        let HaloSource::Buffer { field, slot } = source else { return None };
        Some(self.stream.source((field, slot)))
    }

    /// How a stage's halo is loaded: as vectors, unless others may write cells beside it meanwhile.
    pub fn halo_load(&self, at: StreamStage<'_>, source: HaloSource) -> Option<HaloLoad> {
        let buffer = self.halo_buffer(source)?;
        let moment = self.moment(at);
        let has_vectors = match moment {
            Moment::PutBack => false,
            Moment::After(_) => self.lines() == [Places::Columns],
            _ => !matches!(buffer, ArgumentKind::InPlace { .. }),
        };
        let columns = if has_vectors { self.shape.columns } else { 1 };
        let is_with_load = matches!(moment, Moment::After(_)) && self.ends == Ends::Planes;
        let prefetch = self.prefetched_after(at).map(|steps| Prefetch { steps, is_with_load });
        Some(HaloLoad { buffer, moment, columns, prefetch })
    }

    fn moment(&self, at: StreamStage<'_>) -> Moment {
        match (self.stage_before_deferred_load(at), self.halo_loads()) {
            (Some(stage), _) => Moment::After(stage),
            (None, HaloLoads::WhenNeeded) => Moment::PutBack,
            (None, HaloLoads::RowAhead) => Moment::StepBefore,
            (None, HaloLoads::WithStep) => Moment::StepBegin,
            (None, HaloLoads::StagesAhead) => {
                let loads = self.loaded_halos();
                let before = loads.iter().filter(|(other, _)| other.index < at.index).count();
                let ahead = before.checked_sub(STAGES_AHEAD);
                ahead.map_or(Moment::StepBegin, |ahead| Moment::Before(loads[ahead].0.index))
            }
        }
    }

    /// How many steps after the next ones a row of a stage's halo is loaded that is to be prefetched: it is no row of an
    /// input, which is near anyway, and no stage before loads from the same buffer.
    fn prefetched_after(&self, at: StreamStage<'_>) -> Option<i64> {
        let inputs = self.stream.inputs().map(|(_, (field, slot))| ArgumentKind::Input { field, slot });
        let mut near: BTreeSet<ArgumentKind> = inputs.collect();
        let mut first = self.loaded_halos().into_iter().filter(|(_, buffer)| near.insert(*buffer));
        let steps = match self.halo_loads() {
            HaloLoads::WithStep => -at.piped.lag(),
            // Together with the inputs' rows.
            HaloLoads::WhenNeeded | HaloLoads::StagesAhead | HaloLoads::RowAhead => self.shape.ahead,
        };
        (self.shape.prefetched > 0 && first.any(|(other, _)| other.index == at.index)).then_some(steps)
    }

    /// If a stage's halo may be deferred, the last stage that in a step needs what it computes in the same one: itself if
    /// no other does.
    pub fn last_user(&self, at: StreamStage<'_>) -> Option<usize> {
        let halo = at.piped.halo.filter(|_| !self.lines().is_empty())?;
        let window = at.piped.window();
        let now = HaloSource::Window { window, age: 0 };
        let is_now = |tap: &Tap| tap.window == window && tap.age == 0;
        let is_used = |reader: StreamStage<'_>, tap: &Tap| {
            tap.offset.iter().any(|offset| *offset != 0) || reader.stage.sweep != at.stage.sweep
        };
        let readers: Vec<_> = self.stream.taps().filter(|(_, tap)| is_now(tap)).collect();
        let last = readers.iter().map(|(reader, _)| reader.index).max().unwrap_or(0).max(at.index);
        let is_there = !matches!(halo, HaloSource::Window { age: 0, .. });
        let is_source = self.stream.stages().any(|other| other.piped.halo == Some(now));
        (is_there && !is_source && !readers.into_iter().any(|(reader, tap)| is_used(reader, tap))).then_some(last)
    }

    /// The stage after which a deferred halo is loaded right into the stage's window, if later ones hide the load. What no window
    /// holds of others is loaded when a step begins.
    fn stage_before_deferred_load(&self, at: StreamStage<'_>) -> Option<usize> {
        self.last_user(at).filter(|last| last + 1 < self.stream.pipeline.stages.len())
    }
}

/// Whether what a stage computes has no more than 32 bits.
fn takes_one_register(at: StreamStage<'_>) -> bool {
    at.window.element.size() <= 4
}
