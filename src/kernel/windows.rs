//! What stages read, whatever a strategy keeps the windows of its pipeline in.
//!
//! `stream` and `rows` have the pipeline in common and this. What a stage does at its boundary each of them writes in its own
//! way from a record of its own: `stream` by masks over a block of registers, which vectors, selects and branches of
//! a sub-group take, `rows` by the bounds of loops. One text for both would be a list of calls that each of them fills in.

use super::inputs::Arguments;
use super::{ArgumentKind, Compute, Index, Location, Statement, Subject};
use crate::ir::{Access, Handle};
use crate::tile::{Stage, Tap, ValuePart, slot_at};

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
        let mut compute = self.compute(stage.sweep, step);
        self.declare_needs(stage.sweep, arguments);
        compute.value = part.value;
        let taps = part.reads.iter().map(|(read, tap)| (*read, windows.value(tap)));
        let constants = part.constants.iter().map(|read| (*read, windows.constant(*read)));
        for (read, place) in taps.chain(constants) {
            match place {
                Some(place) => _ = compute.reads.insert(read, place),
                None => self.add_input(&mut compute, stage, read, arguments),
            }
        }
        compute
    }

    /// Lets a stage read what was there before the launch from device memory.
    pub fn add_input(&self, compute: &mut Compute, stage: &Stage, read: Handle<Access>, arguments: &mut Arguments) {
        let storage = &self.recurrences.storage;
        let place = &storage.reads[&(stage.sweep, read)];
        let slot = slot_at(place.slot, stage.level, storage.fields[place.field].slots);
        let kind = ArgumentKind::Input { field: place.field, slot };
        self.add_read(compute, read, kind, self.touched(stage.sweep, read), arguments);
    }

    /// A remark with the level of a stage and the field that it writes.
    pub fn remark(&self, stage: &Stage, level: &str) -> Statement {
        let storage = &self.recurrences.storage;
        let (field, _) = storage.writes[stage.sweep];
        Statement::Comment(format!("{level}: `{}`", storage.fields[field].name))
    }
}
