//! Exchange of rows between the sub-groups of a work-group, through local memory.

use std::collections::BTreeMap;

use super::{Builder, register};
use crate::ir::ScalarType;
use crate::kernel::{Index, LocalArray, Location, Statement};
use crate::tile::{BlockCell, EdgeRows, Edges, LANES};

/// Tells which of two sets of edges a step uses: the one that the step before did not use.
const SET: &str = "set";

impl Builder<'_> {
    /// A local array for the rows that other sub-groups need of all windows with elements of the same type.
    pub(super) fn declare_edges(&mut self) {
        let windows = 0..self.stream.pipeline.windows.len();
        self.edges = windows.map(|window| Edges::new(self.blocks, window, self.shape)).collect();
        let mut by_element: BTreeMap<ScalarType, Vec<(usize, &Edges)>> = BTreeMap::new();
        for (index, edges) in self.edges.iter().enumerate() {
            if let Some(edges) = edges {
                by_element.entry(self.stream.pipeline.windows[index].element).or_default().push((index, edges));
            }
        }
        for (array, (element, edges)) in by_element.into_iter().enumerate() {
            let rows = EdgeRows::new(edges.into_iter(), self.shape);
            let extents = vec![self.shape.edge_sets * rows.elements()];
            self.local_arrays.push(LocalArray { name: format!("edges{array}"), element, lo: vec![0], extents });
            self.edge_rows.push(rows);
        }
    }

    /// Gives rows to other sub-groups: all windows store what others need. Where these may still be reading what was there
    /// before, they are waited for.
    pub(super) fn give_rows(&self) -> Vec<Statement> {
        let mut body = Vec::new();
        if self.edges.iter().all(Option::is_none) {
            return body;
        }
        if self.shape.edge_sets == 1 {
            body.push(self.meeting());
        } else {
            body.push(Statement::Int { name: SET.into(), value: Index::name("row").masked(1) });
        }
        for (window, edges) in self.edges.iter().enumerate() {
            let Some(edges) = edges else { continue };
            let cells = edges.given.iter().flat_map(|row| (0..self.shape.columns).map(move |column| (*row, column)));
            body.extend(
                cells.map(|cell| Statement::Copy {
                    to: self.edge(window, cell),
                    from: register(window, edges.age, cell),
                }),
            );
        }
        body.push(self.meeting());
        body
    }

    /// Waits for those who give or take the same rows; these are next to each other.
    fn meeting(&self) -> Statement {
        if self.shape.is_paired { Statement::NeighbourBarrier(self.member()) } else { Statement::Barrier }
    }

    /// Takes what other sub-groups have given.
    pub(super) fn take_rows(&self, window: usize) -> Vec<Statement> {
        let Some(edges) = &self.edges[window] else { return Vec::new() };
        let take = |cell: &BlockCell| Statement::Copy {
            to: register(window, edges.age, *cell),
            from: self.edge(window, *cell),
        };
        edges.taken.iter().map(take).collect()
    }

    /// Where a cell of a sub-group's row is in local memory. Neighbouring work-items are neighbours there too.
    fn edge(&self, window: usize, (row, column): BlockCell) -> Location {
        let element = self.stream.pipeline.windows[window].element;
        let array = self.local_arrays.iter().position(|array| array.element == element).expect("an array of this type");
        let rows = &self.edge_rows[array];
        let member = match row.div_euclid(self.shape.rows) {
            0 => self.member(),
            ..0 => Index::name("above"),
            _ => Index::name("below"),
        };
        let (column, lanes) = (column.rem_euclid(self.shape.columns), column.div_euclid(self.shape.columns));
        // The outermost lanes have no neighbour there; what they take instead is never used.
        let lane = match lanes {
            0 => Index::name("lane"),
            _ => Index::name("lane").plus(lanes + LANES).masked(LANES - 1),
        };
        let set = match self.shape.edge_sets {
            1 => Index::Const(0),
            _ => Index::name(SET).times(rows.elements()),
        };
        let place = rows.place(window, (row.rem_euclid(self.shape.rows), column));
        Location::Element { array, at: set.sum(member.times(rows.stride())).sum(lane).plus(place) }
    }
}
