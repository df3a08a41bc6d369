//! Exchange of rows between the sub-groups of a work-group, through local memory.

use std::collections::BTreeSet;

use super::{Builder, register};
use crate::ir::ScalarType;
use crate::kernel::{Index, LocalArray, Place, Statement};
use crate::tile::{BlockCell, EdgeRows, Edges, LANES};

/// Tells which of two sets of edges a step uses: the one that the step before did not use.
const SET: &str = "set";

/// A window's edges, and the type of their elements, of which each has one local array.
pub(super) struct Exchange {
    edges: Edges,
    element: ScalarType,
}

impl Builder<'_> {
    /// A local array for the rows that other sub-groups need of all windows with elements of the same type.
    pub(super) fn declare_edges(&mut self) {
        for window in 0..self.pipeline.windows.len() {
            let element = self.pipeline.windows[window].element;
            self.edges.push(Edges::new(self.blocks, window, self.shape).map(|edges| Exchange { edges, element }));
        }
        let elements: BTreeSet<ScalarType> = self.edges.iter().flatten().map(|exchange| exchange.element).collect();
        for (array, element) in elements.into_iter().enumerate() {
            let windows = self.edges.iter().enumerate();
            let windows = windows.filter_map(|(window, exchange)| Some((window, exchange.as_ref()?)));
            let windows = windows.filter(|(_, exchange)| exchange.element == element);
            let rows = EdgeRows::new(windows.map(|(window, exchange)| (window, &exchange.edges)), self.shape);
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
            body.push(Statement::Int { name: SET.into(), value: Index::name("row & 1") });
        }
        for (window, exchange) in self.edges.iter().enumerate() {
            let Some(Exchange { edges, .. }) = exchange else { continue };
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
        let Some(Exchange { edges, .. }) = &self.edges[window] else { return Vec::new() };
        let take = |cell: &BlockCell| Statement::Copy {
            to: register(window, edges.age, *cell),
            from: self.edge(window, *cell),
        };
        edges.taken.iter().map(take).collect()
    }

    /// Where a cell of a sub-group's row is in local memory. Neighbouring work-items are neighbours there too.
    fn edge(&self, window: usize, (row, column): BlockCell) -> Place {
        let element = self.pipeline.windows[window].element;
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
            _ => Index::name(format!("(lane + {} & {})", lanes + LANES, LANES - 1)),
        };
        let set = match self.shape.edge_sets {
            1 => Index::Const(0),
            _ => Index::name(SET).times(rows.elements()),
        };
        let place = rows.place(window, (row.rem_euclid(self.shape.rows), column));
        Place::Element { array, at: set.sum(member.times(rows.stride())).sum(lane).plus(place) }
    }
}
