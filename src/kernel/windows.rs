//! What stages read, whatever a strategy keeps the windows of its pipeline in.
//!
//! `stream` and `rows` have the pipeline in common and this. Each has a record of what a stage does at its boundary and writes
//! it in its own way. `stream` asks a mask over a block of registers: `if (stored3 & 5) store two columns`, once for each row
//! of the block, with the mask made of core, domain and row before. `rows` asks nothing, but runs a loop from one bound to the
//! other, the larger of core's and domain's first columns to the smaller of their last ones. Of a store both have where it goes
//! ([`ArgumentKind::result`]) and that its row is one of the core's; an emitter for both storages would be a trait of as many
//! methods as there are statements here.

use super::inputs::Arguments;
use super::{ArgumentKind, Compute, Index, Location, Statement, Subject};
use crate::ir::{Access, Handle};
use crate::tile::{Stage, Tap, ValuePart};

/// Where a strategy keeps the windows of a pipeline, seen from the cell at hand.
pub trait WindowStorage {
    /// What a tap reads; `None` if no window keeps it, but device memory.
    fn value(&self, tap: &Tap) -> Option<Location>;

    /// What a read of a field finds that no sweep writes, if that is kept too.
    fn constant(&self, read: Handle<Access>) -> Option<Location>;
}

impl Subject<'_> {
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
        let kind = ArgumentKind::source(field, slot, in_place == Some((field, slot)));
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
