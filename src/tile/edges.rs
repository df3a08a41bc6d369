//! Rows that the sub-groups of a work-group exchange through local memory.

use std::collections::BTreeSet;

use super::{BlockCell, Blocks, LANES, StreamShape};

/// The rows of a window that the sub-groups of a work-group give to those above and below them.
pub struct Edges {
    /// Age of the rows.
    pub age: i64,
    /// Cells of other sub-groups that a work-item takes.
    pub taken: Vec<BlockCell>,
    /// Own rows that others take.
    pub given: BTreeSet<i64>,
}

impl Edges {
    /// What is exchanged of a window, if anything is.
    pub fn new(blocks: &Blocks, window: usize, shape: &StreamShape) -> Option<Self> {
        let (age, taken) = blocks.from_other_rows(window).filter(|_| shape.sub_groups > 1)?;
        let given = taken.iter().map(|(row, _)| row.rem_euclid(blocks.rows)).collect();
        Some(Self { age, taken, given })
    }
}

/// Where exchanged rows are in local memory, those of all windows with elements of one type.
///
/// What a sub-group gives lies together, and sub-groups follow each other, so that a work-item finds all that it gives, and
/// all that it takes from a neighbour, at constant distances from one place. The first and the last one also give what
/// nobody takes: room costs less than conditions.
pub struct EdgeRows {
    /// Window and own row of all that a sub-group gives.
    rows: Vec<(usize, i64)>,
    elements_of_row: i64,
    sub_groups: i64,
}

impl EdgeRows {
    /// For the edges of these windows.
    pub fn new<'a>(edges: impl Iterator<Item = (usize, &'a Edges)>, shape: &StreamShape) -> Self {
        let given = |(window, edges): (usize, &'a Edges)| edges.given.iter().map(move |row| (window, *row));
        Self {
            rows: edges.flat_map(given).collect(),
            elements_of_row: shape.columns * LANES,
            sub_groups: shape.sub_groups,
        }
    }

    /// Elements between what a sub-group gives and what the next one gives.
    pub fn stride(&self) -> i64 {
        self.rows.len() as i64 * self.elements_of_row
    }

    /// Elements that all sub-groups give.
    pub fn elements(&self) -> i64 {
        self.sub_groups * self.stride()
    }

    /// The place of the first lane's cell of a window among what a sub-group gives.
    pub fn place(&self, window: usize, (row, column): BlockCell) -> i64 {
        let row = self.rows.iter().position(|given| *given == (window, row)).expect("a row that is given") as i64;
        row * self.elements_of_row + column * LANES
    }
}

/// Bytes of all rows that the sub-groups of a work-group exchange in a step.
pub fn exchanged_bytes(blocks: &Blocks, shape: &StreamShape) -> i64 {
    let bytes = |window: usize| {
        let edges = Edges::new(blocks, window, shape)?;
        Some(EdgeRows::new([(window, &edges)].into_iter(), shape).elements() * blocks.sizes[window])
    };
    (0..blocks.sizes.len()).filter_map(bytes).sum()
}
