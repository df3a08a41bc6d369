//! Exchange of rows between the sub-groups of a work-group, through local memory.

use std::collections::BTreeSet;

use super::{Builder, register};
use crate::kernel::{Condition, Index, LocalArray, Place, Statement};
use crate::tile::{BlockCell, Edges, LANES};

/// Tells which of two sets of edges a step uses: the one that the step before did not use.
const SET: &str = "set";

/// A window's edges and the local array that holds them.
pub(super) struct Exchange {
    edges: Edges,
    array: usize,
}

impl Builder<'_> {
    /// A local array for every window with rows that other sub-groups need.
    pub(super) fn declare_edges(&mut self) {
        for window in 0..self.pipeline.windows.len() {
            let edges = Edges::new(self.blocks, window, self.shape);
            let exchange = edges.map(|edges| {
                self.local_arrays.push(LocalArray {
                    name: format!("edges{window}"),
                    element: self.pipeline.windows[window].element,
                    lo: vec![0],
                    extents: vec![self.shape.edge_sets * edges.elements()],
                });
                Exchange { edges, array: self.local_arrays.len() - 1 }
            });
            self.edges.push(exchange);
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
            let Some(exchange) = exchange else { continue };
            let edges = &exchange.edges;
            body.extend(self.give(window, exchange, edges.both_ways()));
            let has_above = Condition::LessEqual(Index::Const(1), self.member());
            let has_below = Condition::Less(self.member(), Index::Const(self.shape.sub_groups - 1));
            for (condition, rows) in [(has_above, edges.only_upward()), (has_below, edges.only_downward())] {
                if !rows.is_empty() {
                    body.push(Statement::If { condition, body: self.give(window, exchange, rows) });
                }
            }
        }
        body.push(self.meeting());
        body
    }

    /// Waits for those who give or take the same rows; these are next to each other.
    fn meeting(&self) -> Statement {
        if self.shape.is_paired { Statement::NeighbourBarrier(self.member()) } else { Statement::Barrier }
    }

    fn give(&self, window: usize, Exchange { edges, array }: &Exchange, rows: BTreeSet<i64>) -> Vec<Statement> {
        let cells = rows.into_iter().flat_map(|row| (0..self.shape.columns).map(move |column| (row, column)));
        let give = |cell: BlockCell| {
            let to = Place::Element { array: *array, at: self.edge_position(edges, cell) };
            Statement::Copy { to, from: register(window, edges.age, cell) }
        };
        cells.map(give).collect()
    }

    /// Takes what other sub-groups have given.
    pub(super) fn take_rows(&self, window: usize) -> Vec<Statement> {
        let Some(Exchange { edges, array }) = &self.edges[window] else { return Vec::new() };
        let take = |cell: &BlockCell| {
            let from = Place::Element { array: *array, at: self.edge_position(edges, *cell) };
            Statement::Copy { to: register(window, edges.age, *cell), from }
        };
        edges.taken.iter().map(take).collect()
    }

    /// Where a cell of a sub-group's row is in the local array. Neighbouring work-items are neighbours there too.
    fn edge_position(&self, edges: &Edges, (row, column): BlockCell) -> Index {
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
            _ => Index::name(SET).times(edges.elements()),
        };
        let place = edges.place((row.rem_euclid(self.shape.rows), column));
        set.sum(member.times(edges.stride())).sum(lane).plus(place)
    }
}
