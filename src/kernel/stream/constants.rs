//! Fields that no sweep writes, and that stages read where they are: in device memory.
//!
//! What the cells of a row read of such a field at their own columns lies side by side, and one vector brings it. Cell by
//! cell, the work-items of a sub-group would each time read elements as far apart as a work-item has columns.

use std::collections::BTreeMap;

use super::memory::Position;
use super::{ArgumentKind, Builder, Index, Part, Statement, slot_at};
use crate::ir::{Access, ExprKind, Handle};

/// Elements that a row of own cells reads.
#[derive(Default)]
pub(super) struct Constants {
    /// Declares and loads them.
    pub(super) loads: Vec<Statement>,
    /// For each read the register of every column.
    pub(super) registers: BTreeMap<Handle<Access>, Vec<String>>,
}

impl Builder<'_> {
    /// What row `i` of the own cells reads at its own columns for a part of a stage; nothing where a work-item has a single
    /// column.
    pub(super) fn constants(&mut self, stage: usize, part: &Part, i: i64) -> Constants {
        let mut constants = Constants::default();
        if self.shape.columns == 1 {
            return constants;
        }
        let (subject, tile) = (self.subject, self.tile);
        let (storage, stage) = (&subject.recurrences.storage, &tile.stages[stage]);
        let layouts = self.layouts();
        let mut loaded: BTreeMap<(usize, usize, &[i64]), Vec<String>> = BTreeMap::new();
        for read in self.reads_of(part) {
            let Some(place) = storage.reads.get(&(stage.sweep, read)) else { continue };
            let (field, Some(offset)) = (&storage.fields[place.field], place.offset.as_deref()) else { continue };
            let is_in_own_column = offset.len() == self.rank() && offset.last() == Some(&0);
            if field.is_written || !is_in_own_column || !layouts.contains(&subject.layouts[place.field]) {
                continue;
            }
            let slot = slot_at(place.slot, stage.level, field.slots);
            let key = (place.field, slot, offset);
            if !loaded.contains_key(&key) {
                let (element, number) = (field.element, loaded.len());
                let names: Vec<String> = (0..self.shape.columns).map(|j| format!("constant{number}_{j}")).collect();
                let kind = ArgumentKind::Input { field: place.field, slot };
                let row = Index::Const(offset[0] - part.lag);
                let above = if self.rank() == 3 { offset[1] } else { 0 };
                let from = self.element(kind, Position::Here, row, (i + above, 0));
                constants.loads.push(Statement::Registers { element, names: names.clone() });
                constants.loads.push(Statement::LoadVector { element, to: names.clone(), from });
                loaded.insert(key, names);
            }
            constants.registers.insert(read, loaded[&key].clone());
        }
        constants
    }

    /// The reads that a part evaluates itself, in their order.
    fn reads_of(&self, part: &Part) -> Vec<Handle<Access>> {
        let nest = self.subject.memory.nest;
        let before = part.before.map(|(value, ..)| value);
        let read = |expr| match nest.exprs[expr].kind {
            ExprKind::Read(access) => Some(access),
            _ => None,
        };
        nest.reachable_without([part.value], before).into_iter().filter_map(read).collect()
    }
}
