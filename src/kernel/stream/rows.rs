//! Exchange of rows between the sub-groups of a work-group, through local memory.

use super::{Builder, register};
use crate::kernel::{Index, LocalArray, Place, Statement};
use crate::tile::{BlockCell, LANES};

impl Builder<'_> {
    /// A local array for every window with rows that other sub-groups need.
    pub(super) fn declare_edges(&mut self) {
        for window in 0..self.pipeline.windows.len() {
            let shared = self.blocks.shared_rows(window).len() as i64;
            if shared == 0 {
                self.edges.push(None);
                continue;
            }
            let field = self.pipeline.windows[window].field;
            let extent = self.shape.sub_groups * shared * LANES * self.shape.columns;
            self.edges.push(Some(self.local_arrays.len()));
            self.local_arrays.push(LocalArray {
                name: format!("edges{window}"),
                element: self.subject.recurrences.storage.fields[field].element,
                lo: vec![0],
                extents: vec![extent],
            });
        }
    }

    /// Gives rows to other sub-groups: all windows store what others need once these have read what was there before.
    pub(super) fn give_rows(&self) -> Vec<Statement> {
        let mut copies = Vec::new();
        for (window, array) in self.edges.iter().enumerate() {
            let (Some(array), Some((age, _))) = (array, self.blocks.from_other_rows(window)) else { continue };
            for row in self.blocks.shared_rows(window) {
                for j in 0..self.shape.columns {
                    let to = Place::Element { array: *array, at: self.edge_position(window, (row, j)) };
                    copies.push(Statement::Copy { to, from: register(window, age, (row, j)) });
                }
            }
        }
        if copies.is_empty() {
            return copies;
        }
        [vec![Statement::Barrier], copies, vec![Statement::Barrier]].concat()
    }

    /// Takes what other sub-groups have given.
    pub(super) fn take_rows(&self, window: usize) -> Vec<Statement> {
        let (Some(array), Some((age, cells))) = (self.edges[window], self.blocks.from_other_rows(window)) else {
            return Vec::new();
        };
        let take = |cell: BlockCell| {
            let from = Place::Element { array, at: self.edge_position(window, cell) };
            Statement::Copy { to: register(window, age, cell), from }
        };
        cells.into_iter().map(take).collect()
    }

    /// Where a cell of a sub-group's row is in the local array. Neighbouring work-items are neighbours there too.
    fn edge_position(&self, window: usize, (row, column): BlockCell) -> Index {
        let shared = self.blocks.shared_rows(window);
        let member = match row.div_euclid(self.shape.rows) {
            0 => self.member(),
            ..0 => Index::name("above"),
            _ => Index::name("below"),
        };
        let row = row.rem_euclid(self.shape.rows);
        let place = shared.iter().position(|r| *r == row).expect("shared rows are complete") as i64;
        let (column, lanes) = (column.rem_euclid(self.shape.columns), column.div_euclid(self.shape.columns));
        // The outermost lanes have no neighbour there; what they take instead is never used.
        let lane = match lanes {
            0 => Index::name("lane"),
            _ => Index::name(format!("(lane + {} & {})", lanes + LANES, LANES - 1)),
        };
        let sub_group = shared.len() as i64 * self.shape.columns * LANES;
        let offset = (place * self.shape.columns + column) * LANES;
        member.times(sub_group).sum(lane).plus(offset)
    }
}
