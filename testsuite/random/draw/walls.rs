//! Subscripts that stop at a wall or go round, in loops over all points.

use super::super::model::{Item, Reference, Statement, Sweep, Wall};
use super::super::ways::WallWay;
use super::Draft;
use super::idioms::IDIOMS;

pub fn walls(draft: &mut Draft) {
    beside_walls(draft, Wall::Stop);
}

pub fn going_round(draft: &mut Draft) {
    beside_walls(draft, Wall::Around);
}

/// All of one array from the neighbours in another, which then holds the new step.
fn beside_walls(draft: &mut Draft, wall: Wall) {
    if !draft.program.setting.index.is_signed() {
        // Unsigned differences are never below zero.
        return (draft.random.pick(&IDIOMS[..4]).add)(draft);
    }
    draft.note(match draft.program.setting.wall_way {
        WallWay::Direct => "walls in place",
        WallWay::Macro => "walls by macros",
        WallWay::Temporary => "walls in variables",
        WallWay::Table => "walls in arrays of subscripts",
    });
    let (a, b) = draft.add_pointer_pair();
    let there = draft.update_beside_walls(b, a, wall);
    draft.push_item(there);
    match draft.random.within(0, 2) {
        0 => {
            let loops = draft.everywhere();
            draft.copy(loops, a, b);
        }
        1 => draft.push_item(Item::Rotate(vec![a, b])),
        _ => {
            let back = draft.update_beside_walls(a, b, wall);
            draft.push_item(back);
        }
    }
}

impl Draft<'_> {
    fn update_beside_walls(&mut self, target: usize, source: usize, wall: Wall) -> Item {
        let count = self.random.within(1, 5);
        let reads: Vec<Reference> = (0..count).map(|_| self.beside_wall(source, wall)).collect();
        let target = self.here(target);
        let statement = self.statement_without_reach(target, reads);
        Item::Sweep(Sweep::new(self.everywhere(), vec![statement]))
    }

    fn beside_wall(&mut self, field: usize, wall: Wall) -> Reference {
        let mut read = self.neighbour(field);
        // Each wall is a piece of its own, and corners of many walls are too many.
        let axis = self.random.within(0, self.program.rank as i64 - 1) as usize;
        if self.program.rank > 2 {
            read.subscripts.iter_mut().filter(|subscript| subscript.axis != axis).for_each(|it| it.offset = 0);
        }
        read.subscripts.iter_mut().filter(|subscript| subscript.offset != 0).for_each(|it| it.wall = wall);
        read
    }

    /// A statement whose coefficients are those of the point itself, as the loops have no neighbours beyond the walls.
    fn statement_without_reach(&mut self, target: Reference, reads: Vec<Reference>) -> Statement {
        let reach = std::mem::take(&mut self.reach);
        self.reach = vec![(0, 0); reach.len()];
        let statement = self.statement(target, reads);
        self.reach = reach;
        statement
    }
}
