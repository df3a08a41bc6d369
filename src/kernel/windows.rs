//! Tiles that stream, whatever a strategy keeps the windows of their pipelines in.
//!
//! `stream` and `rows` have these tiles in common: stages, where windows have what they read, buffers for what they load and store.

use super::inputs::Arguments;
use super::{ArgumentKind, Compute, Index, Location, Statement, Subject};
use crate::ir::{Access, Handle};
use crate::tile::{Pipeline, Stage, StreamTile, Tap, Tile, ValuePart};

impl StreamTile<'_> {
    /// The buffer with what a slot holds before the launch.
    pub fn source(self, slot: (usize, usize)) -> ArgumentKind {
        ArgumentKind::source(slot, self.pipeline.is_in_place(slot))
    }

    /// The buffer for what a stage stores.
    pub fn result(self, stage: &Stage) -> ArgumentKind {
        let slot = stage.slot(self.recurrences);
        ArgumentKind::result(slot, self.pipeline.is_in_place(slot))
    }
}

/// Where a strategy keeps the windows of a pipeline, seen from the cell at hand.
pub trait WindowStorage {
    /// What a tap reads; `None` if no window keeps it, but device memory.
    fn value(&self, tap: &Tap) -> Option<Location>;

    /// What a read of a field finds that no sweep writes, if that is kept too.
    fn constant(&self, _read: Handle<Access>) -> Option<Location> {
        None
    }
}

impl<'a> Subject<'a> {
    /// A tile that streams.
    pub fn stream<'b>(&self, tile: &'b Tile, pipeline: &'b Pipeline) -> StreamTile<'b>
    where
        'a: 'b,
    {
        StreamTile { recurrences: self.recurrences(), tile, pipeline }
    }

    /// The computation of a part of a stage's value, without destinations; `step` is the number of complete steps.
    pub fn compute_part(
        &self,
        stage: &Stage,
        part: &ValuePart,
        step: Index,
        windows: &impl WindowStorage,
        arguments: &mut Arguments,
    ) -> Compute {
        let mut compute = self.compute(stage.sweep, step, arguments);
        compute.value = part.value;
        let taps = part.reads.iter().map(|(read, tap)| (*read, windows.value(tap)));
        let constants = part.constants.iter().map(|read| (*read, windows.constant(*read)));
        for (read, place) in taps.chain(constants) {
            match place {
                Some(place) => _ = compute.reads.insert(read, place),
                None => self.add_input(&mut compute, stage.level, read, None, arguments),
            }
        }
        compute
    }

    /// Lets a computation of a level read device memory: what was there before the launch, but for a slot written in place.
    pub fn add_input(
        &self,
        compute: &mut Compute,
        level: usize,
        read: Handle<Access>,
        in_place: Option<(usize, usize)>,
        arguments: &mut Arguments,
    ) {
        let (field, slot) = self.slot_read(compute.sweep, read, level);
        let kind = ArgumentKind::source((field, slot), in_place == Some((field, slot)));
        let cell = self.touched(compute.sweep, read);
        self.add_read(compute, read, kind, cell, arguments);
    }

    /// A remark with the level of a stage and the field that it writes.
    pub fn remark(&self, stage: &Stage, level: &str) -> Statement {
        let storage = &self.recurrences().storage;
        let (field, _) = storage.writes[stage.sweep];
        Statement::Comment(format!("{level}: `{}`", storage.fields[field].name))
    }
}
