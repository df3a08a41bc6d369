//! Nests whose reads lean to one side, and outputs of older levels: what the last steps of a time tile need may reach further back
//! than what the others need.

use super::super::model::{Item, Statement, Sweep};
use super::Draft;

impl Draft<'_> {
    /// Reads of one axis, mostly the outermost one, go to one side only.
    pub fn lean(&mut self) {
        let axis =
            if self.random.chance(80) { 0 } else { self.random.within(0, self.program.rank as i64 - 1) as usize };
        let far = self.random.within(1, if self.program.rank == 1 { 4 } else { 2 });
        self.reach[axis] = if self.random.chance(50) { (far, 0) } else { (0, far) };
        self.note("leaning");
    }

    /// Fields that no step reads, which get what others are or were: an output may stand anywhere in a step.
    pub fn draw_outputs(&mut self) {
        for _ in 0..self.random.pick(&[1, 1, 2]) {
            let is_source = |field: &usize| self.program.is_written(*field) && self.program.fields[*field].slots == 1;
            let sources: Vec<usize> = (0..self.program.fields.len()).filter(is_source).collect();
            if sources.is_empty() {
                return;
            }
            self.note("output of a level");
            let source = self.random.pick(&sources);
            let element = self.draw_field_element();
            let output = self.add_field(element);
            let mut reads: Vec<_> = (0..self.random.within(1, 3)).map(|_| self.neighbour(source)).collect();
            if self.random.chance(30) {
                let other = self.random.pick(&sources);
                reads.push(self.neighbour(other));
            }
            let target = self.here(output);
            let statement = self.statement(target, reads);
            self.place_output(statement);
        }
    }

    /// In a sweep of its own or at the end of another one.
    fn place_output(&mut self, statement: Statement) {
        let place = self.random.within(0, self.program.items.len() as i64) as usize;
        let is_beside = self.random.chance(30);
        match self.program.items.get_mut(place) {
            Some(Item::Sweep(sweep)) if is_beside && sweep.loops.len() == self.program.rank => {
                sweep.statements.push(statement);
            }
            _ => {
                let loops = self.interior();
                self.program.items.insert(place, Item::Sweep(Sweep::new(loops, vec![statement])));
            }
        }
    }
}
