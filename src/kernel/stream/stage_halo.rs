//! What a text does about the halo of each stage: decided here, once for a text, and only carried out elsewhere.

use super::Builder;
use super::halo_loads::{HaloLoads, STAGES_AHEAD};
use crate::kernel::ArgumentKind;
use crate::tile::{HaloSource, Tap};

/// What a text does about the halo of a stage.
#[derive(Clone, Copy)]
pub(super) struct StageHalo {
    /// Where its cells are.
    pub source: HaloSource,
    /// When they are loaded, if no window holds them.
    pub load: Option<HaloLoad>,
    /// How they take the place of what the stage computes there.
    pub put_back: PutBack,
    /// When their rows are brought near, if they are not near anyway.
    pub prefetch: Option<Prefetch>,
}

/// A load of a halo.
#[derive(Clone, Copy)]
pub(super) struct HaloLoad {
    /// The buffer that holds it.
    pub buffer: ArgumentKind,
    /// When it happens.
    pub moment: Moment,
}

/// When a halo is loaded.
#[derive(Clone, Copy, PartialEq, Eq)]
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

/// How a halo takes the place of what its stage computes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum PutBack {
    /// Behind the stage: cells behind one test.
    Tested,
    /// Behind the stage: cells that are chosen without a branch.
    Selected,
    /// Behind the stage: whole rows and columns.
    Lines,
    /// The same when the step ends, for all stages together.
    Deferred,
    /// Its load does it.
    Loaded,
}

/// A prefetch of a halo's row.
#[derive(Clone, Copy)]
pub(super) struct Prefetch {
    /// How many steps after the next ones the row is loaded.
    pub steps: i64,
    /// Whether those sub-groups alone do it that load the halo after a stage.
    pub is_with_load: bool,
}

impl Builder<'_> {
    /// For each stage what the text under construction does about its halo.
    pub(super) fn stage_halos(&self) -> Vec<Option<StageHalo>> {
        if self.is_full() {
            return vec![None; self.pipeline.stages.len()];
        }
        let prefetched = self.halos_to_prefetch();
        let of_stage = |(index, halo): (usize, Option<HaloSource>)| {
            let source = halo?;
            let load = self.halo_load(index, source);
            let is_after = load.is_some_and(|load| matches!(load.moment, Moment::After(_)));
            let steps = match self.halo_loads() {
                HaloLoads::WithStep => -self.pipeline.stages[index].lag(),
                // Together with the inputs' rows.
                HaloLoads::WhenNeeded | HaloLoads::StagesAhead | HaloLoads::RowAhead => self.shape.ahead,
            };
            let prefetch = Prefetch { steps, is_with_load: is_after && !self.tests.rows };
            let prefetch = prefetched.iter().any(|(stage, _)| *stage == index).then_some(prefetch);
            let put_back = if is_after { PutBack::Loaded } else { self.put_back(index) };
            Some(StageHalo { source, load, put_back, prefetch })
        };
        self.pipeline.stages.iter().map(|piped| piped.halo).enumerate().map(of_stage).collect()
    }

    fn halo_load(&self, index: usize, source: HaloSource) -> Option<HaloLoad> {
        let HaloSource::Buffer { field, slot } = source else { return None };
        let moment = match (self.stage_before_deferred_load(index), self.halo_loads()) {
            (Some(stage), _) => Moment::After(stage),
            (None, HaloLoads::WhenNeeded) => Moment::PutBack,
            (None, HaloLoads::RowAhead) => Moment::StepBefore,
            (None, HaloLoads::WithStep) => Moment::StepBegin,
            (None, HaloLoads::StagesAhead) => {
                let loads = self.loaded_halos();
                let before = loads.iter().filter(|(stage, _)| *stage < index).count().checked_sub(STAGES_AHEAD);
                before.map_or(Moment::StepBegin, |before| Moment::Before(loads[before].0))
            }
        };
        Some(HaloLoad { buffer: self.halo_buffer(field, slot), moment })
    }

    fn put_back(&self, index: usize) -> PutBack {
        match self.halo_loads() {
            _ if self.has_lines() && self.last_user(index).is_some() => PutBack::Deferred,
            _ if self.has_lines() => PutBack::Lines,
            HaloLoads::RowAhead => PutBack::Selected,
            HaloLoads::WhenNeeded | HaloLoads::StagesAhead | HaloLoads::WithStep => PutBack::Tested,
        }
    }

    /// The stages with a halo that the text under construction does something about, by index.
    pub(super) fn with_halos(&self) -> Vec<(usize, StageHalo)> {
        let halos = self.halos.iter().enumerate();
        halos.filter_map(|(index, halo)| Some((index, (*halo)?))).collect()
    }

    /// The stages whose halos are loaded at a moment, and the buffers.
    pub(super) fn loaded_at(&self, moment: Moment) -> Vec<(usize, ArgumentKind)> {
        let loads = self.with_halos().into_iter().filter_map(|(index, halo)| Some((index, halo.load?)));
        loads.filter(|(_, load)| load.moment == moment).map(|(index, load)| (index, load.buffer)).collect()
    }

    /// If a stage's halo may be deferred, the last stage that in a step needs what it computes in the same one: itself if
    /// no other does.
    fn last_user(&self, index: usize) -> Option<usize> {
        let stages = &self.pipeline.stages;
        let halo = stages[index].halo?;
        let window = stages[index].window();
        let sweep = |stage: usize| self.tile.stages[stage].sweep;
        let is_now = |tap: &Tap| tap.window == window && tap.age == 0;
        let uses = |reader, tap: &Tap| tap.offset.iter().any(|offset| *offset != 0) || sweep(reader) != sweep(index);
        let is_source = |halo: Option<HaloSource>| halo == Some(HaloSource::Window { window, age: 0 });
        let readers: Vec<(usize, &Tap)> = self.taps().filter(|(_, tap)| is_now(tap)).collect();
        let last = readers.iter().map(|(reader, _)| *reader).max().unwrap_or(index).max(index);
        let is_there = !matches!(halo, HaloSource::Window { age: 0, .. });
        let is_used = readers.into_iter().any(|(reader, tap)| uses(reader, tap));
        (is_there && !is_used && !stages.iter().any(|piped| is_source(piped.halo))).then_some(last)
    }

    /// The stage after which a deferred halo is loaded right into the stage's window, if later ones hide the load. What no window
    /// holds of others is loaded when a step begins.
    fn stage_before_deferred_load(&self, index: usize) -> Option<usize> {
        let last = if self.has_lines() { self.last_user(index) } else { None };
        last.filter(|last| last + 1 < self.pipeline.stages.len())
    }

    /// Stages, by index, and what they read.
    fn taps(&self) -> impl Iterator<Item = (usize, &Tap)> {
        let stages = self.pipeline.stages.iter().enumerate();
        stages.flat_map(|(index, piped)| {
            piped.parts.iter().flat_map(move |part| part.reads.values().map(move |t| (index, t)))
        })
    }
}
