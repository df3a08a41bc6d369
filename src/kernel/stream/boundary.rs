//! What a text does at the boundaries of its tiles: decided here, once for a text, and only carried out elsewhere.

use std::collections::BTreeSet;

use super::halo_loads::{HaloLoad, HaloLoads, Moment};
use super::text::{Ends, Places, Text};
use crate::kernel::ArgumentKind;
use crate::kernel::emitter;
use crate::tile::{HaloSource, StreamStage};

/// What a text does at the boundaries of its tiles.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Boundary<'a> {
    /// Whether a stage's row may be outside the domain of its sweep.
    pub tests_rows: bool,
    /// Whether steps of the stream are written out one after the other, as many as the deepest window has rows.
    pub is_unrolled: bool,
    /// What masks of halos have a bit for when these are loaded, or put back cell by cell.
    pub places: Places,
    /// What is put back as whole lines, if anything is.
    pub lines: &'static [Places],
    /// Masks of sweeps that hold for every row.
    pub masks: Vec<(usize, Mask)>,
    /// What is done about each stage.
    pub stages: Vec<StageBoundary<'a>>,
}

/// A mask of a block; but for the core, of a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mask {
    /// The cells that the work-group owns.
    Core,
    /// Those that the sweep writes.
    Domain,
    /// Those of both.
    Owned,
    /// Of both the first ones of rows of the block that are stored whole.
    Vectors,
    /// Those that are stored one by one.
    Singles,
    /// The places of the sweep's halo.
    Halo(Places),
    /// Whether the work-item prefetches any of it.
    PrefetchedHalo,
}

/// What a text does at the boundary of a stage.
pub(super) type StageBoundary<'a> = emitter::StageBoundary<StreamStage<'a>, StageHalo, StageStore>;

/// A store of a stage, or a fold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StageStore {
    /// Where to; `None` for what is folded.
    pub buffer: Option<ArgumentKind>,
    /// Which cells.
    pub masks: &'static [Mask],
}

/// What a text does about the halo of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StageHalo {
    /// Where its cells are.
    pub source: HaloSource,
    /// When they are loaded, if no window holds them.
    pub load: Option<HaloLoad>,
    /// How they take the place of what the stage computes there.
    pub put_back: PutBack,
}

/// How a halo takes the place of what its stage computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PutBack {
    /// Behind the stage: cells behind one test.
    Tested,
    /// Behind the stage: cells behind the test that was made to load them.
    TestedBefore,
    /// Behind the stage: cells that are chosen without a branch.
    Selected,
    /// Behind the stage: whole rows and columns.
    Lines,
    /// The same when the step ends, for all stages together.
    Deferred,
    /// Its load does it.
    Loaded,
}

impl<'a> Boundary<'a> {
    /// What a text does.
    pub fn new(text: &Text<'a>) -> Self {
        let stages: Vec<_> = text.stream.stages().map(|at| text.stage(at)).collect();
        let lines = text.lines();
        Self {
            tests_rows: text.ends == Ends::All,
            is_unrolled: match text.ends {
                Ends::None => true,
                Ends::All => false,
                _ => text.halo_loads() != HaloLoads::RowAhead,
            },
            places: if let [places] = lines { *places } else { Places::Cells },
            lines,
            masks: masks(&stages, lines),
            stages,
        }
    }

    /// Whether a block has no column inside a domain if it has one outside; then what it holds beside these is of no use.
    pub fn has_whole_columns(&self) -> bool {
        self.lines == [Places::Columns]
    }

    /// The stages with a halo that the text does something about.
    pub fn halos(&self) -> Vec<(StreamStage<'a>, StageHalo)> {
        self.stages.iter().filter_map(|stage| Some((stage.at, stage.halo?))).collect()
    }

    /// The stages whose halos are loaded at a moment.
    pub fn loaded_at(&self, moment: Moment) -> Vec<(StreamStage<'a>, HaloLoad)> {
        let loads = self.halos().into_iter().filter_map(|(at, halo)| Some((at, halo.load?)));
        loads.filter(|(_, load)| load.moment == moment).collect()
    }
}

impl<'a> Text<'a> {
    fn stage(&self, at: StreamStage<'a>) -> StageBoundary<'a> {
        let source = at.piped.halo.filter(|_| self.ends != Ends::None);
        let halo = source.map(|source| {
            let load = self.halo_load(at, source);
            StageHalo { source, load, put_back: self.put_back(at, load) }
        });
        let stage = at.stage;
        let store = StageStore { buffer: Some(self.stream.result(stage)), masks: self.stored() };
        let fold =
            StageStore { buffer: None, masks: if self.ends == Ends::None { &[Mask::Core] } else { &[Mask::Owned] } };
        let stores = stage.is_output.then_some(store).into_iter().chain(stage.is_folded.then_some(fold));
        StageBoundary { at, halo, stores: stores.collect() }
    }

    fn stored(&self) -> &'static [Mask] {
        match self.ends {
            Ends::None => &[Mask::Core],
            Ends::Planes => &[Mask::Vectors],
            _ if self.shape.columns == 1 || self.lines() == [Places::Columns] => &[Mask::Vectors],
            _ => &[Mask::Vectors, Mask::Singles],
        }
    }

    fn put_back(&self, at: StreamStage<'_>, load: Option<HaloLoad>) -> PutBack {
        match load.map(|load| load.moment) {
            Some(Moment::After(_)) => PutBack::Loaded,
            _ if self.last_user(at).is_some() => PutBack::Deferred,
            _ if !self.lines().is_empty() => PutBack::Lines,
            _ if self.halo_loads() == HaloLoads::RowAhead => PutBack::Selected,
            Some(Moment::StepBegin | Moment::Before(_)) => PutBack::TestedBefore,
            _ => PutBack::Tested,
        }
    }
}

/// The masks that stages take, sweep by sweep: what a sweep computes is stored or folded, and in all levels with the same masks.
fn masks(stages: &[StageBoundary<'_>], lines: &[Places]) -> Vec<(usize, Mask)> {
    let sweeps: BTreeSet<usize> = stages.iter().map(|stage| stage.at.stage.sweep).collect();
    let mut masks = Vec::new();
    for sweep in sweeps {
        let of_sweep: Vec<_> = stages.iter().filter(|stage| stage.at.stage.sweep == sweep).collect();
        let stored = of_sweep.iter().find_map(|stage| stage.stores.first()).map_or(&[][..], |store| store.masks);
        let mut taken: Vec<Mask> = stored.iter().copied().filter(|mask| *mask != Mask::Core).collect();
        if of_sweep.iter().any(|stage| stage.halo.is_some()) {
            let cells = Some(Places::Cells).filter(|_| lines.len() != 1);
            taken.extend(cells.into_iter().chain(lines.iter().copied()).map(Mask::Halo));
        }
        let is_prefetched = |stage: &&StageBoundary<'_>| stage.halo.and_then(|halo| halo.load?.prefetch).is_some();
        taken.extend(of_sweep.iter().any(is_prefetched).then_some(Mask::PrefetchedHalo));
        let domain = Some(Mask::Domain).filter(|_| !taken.is_empty());
        masks.extend(domain.into_iter().chain(taken).map(|mask| (sweep, mask)));
    }
    masks
}
