//! Arrays of structures, and others whose elements have parts.

use super::super::model::{Item, Program};
use super::super::ways::{Packing, Parts};
use super::Draft;

impl Draft<'_> {
    /// Makes fields parts of the elements of larger arrays.
    pub fn draw_packing(&mut self) {
        let fields = (0..self.program.fields.len()).filter(|field| !is_copied(&self.program, *field));
        let fields: Vec<usize> = fields.collect();
        if fields.is_empty() || !self.random.chance(25) {
            return;
        }
        let field = self.random.pick(&fields);
        let rotated = rotated_with(&self.program, field);
        let kind = self.random.pick(&[Parts::Last, Parts::Members, Parts::Members, Parts::Listed]);
        self.note(match kind {
            Parts::Last => "parts by a last subscript",
            Parts::Members => "array of structures",
            Parts::Listed => "array of structures of arrays",
        });
        let alike: Vec<usize> = fields.into_iter().filter(|other| self.may_be_side_by_side(field, *other)).collect();
        if rotated.len() == 1 && alike.len() > 1 && self.random.chance(70) {
            self.note("fields side by side");
            return self.pack_together(&alike, kind);
        }
        let parts = self.random.within(1, 4) as usize;
        let part = self.random.within(0, parts as i64 - 1) as usize;
        for (group, field) in rotated.into_iter().enumerate() {
            self.program.fields[field].packing = Some(Packing { group, part, parts, kind });
        }
    }

    fn may_be_side_by_side(&self, field: usize, other: usize) -> bool {
        let shape = |field: usize| {
            let field = &self.program.fields[field];
            (field.element, field.dims.clone(), field.slots)
        };
        shape(field) == shape(other) && rotated_with(&self.program, other).len() == 1
    }

    fn pack_together(&mut self, fields: &[usize], kind: Parts) {
        let form = self.program.fields[fields[0]].form;
        let first = self.random.within(0, 1) as usize;
        let parts = fields.len() + first + self.random.within(0, 1) as usize;
        for (place, field) in fields.iter().enumerate() {
            self.program.fields[*field].form = form;
            self.program.fields[*field].packing = Some(Packing { group: 0, part: first + place, parts, kind });
        }
    }
}

/// Whether all of the field is copied at once.
fn is_copied(program: &Program, field: usize) -> bool {
    program.items.iter().any(|item| matches!(item, Item::Copy { to, from } if [*to, *from].contains(&field)))
}

/// The fields whose pointers take each other's places, this one included.
fn rotated_with(program: &Program, field: usize) -> Vec<usize> {
    let mut found = vec![field];
    for item in program.items.iter().chain(&program.items) {
        if let Item::Rotate(fields) = item
            && fields.iter().any(|field| found.contains(field))
        {
            found.extend(fields);
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
