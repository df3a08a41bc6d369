//! Fields that no sweep writes, and that stages read where they are: in device memory.
//!
//! They are counted from the position of the step, as loads of windows are. What the cells of a row read of such a field at
//! their own columns lies side by side, and one vector brings it. Cell by cell, the work-items of a sub-group would each time
//! read elements as far apart as a work-item has columns.

use std::collections::{BTreeMap, BTreeSet};

use super::memory::Position;
use super::{ArgumentKind, Builder, Index, Location, Statement};
use crate::ir::{Access, Handle};
use crate::tile::{Stage, StreamStage, ValuePart};

/// Elements that a row of own cells reads.
#[derive(Default)]
pub(super) struct Constants {
    /// Declares and loads those that come as vectors.
    pub(super) loads: Vec<Statement>,
    /// For each read the element of every column.
    pub(super) places: BTreeMap<Handle<Access>, Vec<Location>>,
}

impl<'a> Builder<'a> {
    /// Fields that are read in layouts of windows, and the first row that a step reads of each, counted from its own.
    pub(super) fn constant_fronts(&self) -> BTreeMap<ArgumentKind, i64> {
        let (layouts, mut fronts) = (self.layouts(), BTreeMap::new());
        for StreamStage { stage, piped, .. } in self.stream.stages() {
            for part in &piped.parts {
                for read in &part.constants {
                    let Some((field, slot, offset)) = self.constant(stage, *read, &layouts) else { continue };
                    let (kind, front) = (ArgumentKind::Input { field, slot }, offset[0] - part.lag);
                    fronts.entry(kind).and_modify(|known| *known = front.max(*known)).or_insert(front);
                }
            }
        }
        fronts
    }

    /// The field and slot that a stage reads, and how far from its own cell, if that is the same everywhere and in a layout
    /// of windows.
    fn constant(
        &self,
        stage: &Stage,
        read: Handle<Access>,
        layouts: &BTreeSet<usize>,
    ) -> Option<(usize, usize, &'a [i64])> {
        let subject = self.subject;
        let (field, slot) = subject.slot_read(stage.sweep, read, stage.level);
        let offset = subject.recurrences().storage.reads[&(stage.sweep, read)].offset.as_deref()?;
        (offset.len() == self.rank() && layouts.contains(&subject.layouts[field])).then_some((field, slot, offset))
    }

    /// What row `i` of the own cells reads for a part of a stage, as far as it lies at a constant offset in a layout of
    /// windows.
    pub(super) fn constants(&mut self, stage: &Stage, part: &ValuePart, i: i64) -> Constants {
        let (fields, columns) = (&self.subject.recurrences().storage.fields, self.shape.columns);
        let layouts = self.layouts();
        let mut constants = Constants::default();
        let mut found: BTreeMap<(usize, usize, &[i64]), Vec<Location>> = BTreeMap::new();
        for &read in &part.constants {
            let Some(key @ (field, slot, offset)) = self.constant(stage, read, &layouts) else { continue };
            if !found.contains_key(&key) {
                let (kind, element_type) = (ArgumentKind::Input { field, slot }, fields[field].element);
                let along = offset[offset.len() - 1];
                let row = Index::Const(offset[0] - part.lag);
                let above = if self.rank() == 3 { offset[1] } else { 0 };
                let mut element = |j| self.element(kind, Position::Here, row.clone(), (i + above, j));
                let places = if along == 0 && columns > 1 {
                    let number = found.len();
                    let names: Vec<String> = (0..columns).map(|j| format!("constant{number}_{j}")).collect();
                    constants.loads.push(Statement::Registers { element: element_type, names: names.clone() });
                    let (to, from) = (names.clone(), element(0));
                    constants.loads.push(Statement::LoadVector { element: element_type, to, from });
                    names.into_iter().map(Location::Register).collect()
                } else {
                    (0..columns).map(|j| element(j + along)).collect()
                };
                found.insert(key, places);
            }
            constants.places.insert(read, found[&key].clone());
        }
        constants
    }
}
