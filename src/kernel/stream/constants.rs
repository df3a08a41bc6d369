//! Fields that no sweep writes, and that stages read where they are: in device memory.
//!
//! They are counted from the position of the step, as loads of windows are. What the cells of a row read of such a field at
//! their own columns lies side by side, and one vector brings it. Cell by cell, the work-items of a sub-group would each time
//! read elements as far apart as a work-item has columns.

use std::collections::BTreeMap;

use super::memory::Position;
use super::{ArgumentKind, Builder, Index, Part, Place, Statement, slot_at};
use crate::ir::{Access, Handle};

/// Elements that a row of own cells reads.
#[derive(Default)]
pub(super) struct Constants {
    /// Declares and loads those that come as vectors.
    pub(super) loads: Vec<Statement>,
    /// For each read the element of every column.
    pub(super) places: BTreeMap<Handle<Access>, Vec<Place>>,
}

impl Builder<'_> {
    /// What row `i` of the own cells reads for a part of a stage, as far as it lies at a constant offset in a layout of
    /// windows.
    pub(super) fn constants(&mut self, stage: usize, part: &Part, i: i64) -> Constants {
        let (subject, tile, columns) = (self.subject, self.tile, self.shape.columns);
        let (storage, stage) = (&subject.recurrences.storage, &tile.stages[stage]);
        let layouts = self.layouts();
        let mut constants = Constants::default();
        let mut found: BTreeMap<(usize, usize, &[i64]), Vec<Place>> = BTreeMap::new();
        for &read in &part.constants {
            let place = &storage.reads[&(stage.sweep, read)];
            let (field, Some(offset)) = (&storage.fields[place.field], place.offset.as_deref()) else { continue };
            let &[.., along] = offset else { continue };
            if offset.len() != self.rank() || !layouts.contains(&subject.layouts[place.field]) {
                continue;
            }
            let slot = slot_at(place.slot, stage.level, field.slots);
            let key = (place.field, slot, offset);
            if !found.contains_key(&key) {
                let kind = ArgumentKind::Input { field: place.field, slot };
                let row = Index::Const(offset[0] - part.lag);
                let above = if self.rank() == 3 { offset[1] } else { 0 };
                let mut element = |j| self.element(kind, Position::Here, row.clone(), (i + above, j));
                let places = if along == 0 && columns > 1 {
                    let number = found.len();
                    let names: Vec<String> = (0..columns).map(|j| format!("constant{number}_{j}")).collect();
                    constants.loads.push(Statement::Registers { element: field.element, names: names.clone() });
                    let (to, from) = (names.clone(), element(0));
                    constants.loads.push(Statement::LoadVector { element: field.element, to, from });
                    names.into_iter().map(Place::Register).collect()
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
