//! Rows that the sub-groups of a work-group exchange through local memory.

use std::collections::BTreeSet;

use super::{BlockCell, Blocks, LANES, StreamShape};

/// The rows of a window that the sub-groups of a work-group give to those above and below them.
///
/// In local memory those of a sub-group follow each other, and sub-groups follow each other. Rows that only a sub-group
/// above the first or below the last would take are not there.
pub struct Edges {
    /// Age of the rows.
    pub age: i64,
    /// Cells of other sub-groups that a work-item takes.
    pub taken: Vec<BlockCell>,
    /// Own rows that the sub-group above takes.
    upward: BTreeSet<i64>,
    /// Own rows that the sub-group below takes.
    downward: BTreeSet<i64>,
    columns: i64,
    sub_groups: i64,
}

impl Edges {
    /// What is exchanged of a window, if anything is.
    pub fn new(blocks: &Blocks, window: usize, shape: &StreamShape) -> Option<Self> {
        let (age, taken) = blocks.from_other_rows(window).filter(|_| shape.sub_groups > 1)?;
        let (below, above): (BTreeSet<i64>, BTreeSet<i64>) =
            taken.iter().map(|(row, _)| *row).partition(|row| *row > 0);
        let own = |row: i64| row.rem_euclid(blocks.rows);
        let (upward, downward) = (below.into_iter().map(own).collect(), above.into_iter().map(own).collect());
        Some(Self { age, taken, upward, downward, columns: blocks.columns, sub_groups: shape.sub_groups })
    }

    /// Rows that every sub-group gives but the first.
    pub fn only_upward(&self) -> BTreeSet<i64> {
        &self.upward - &self.downward
    }

    /// Rows that every sub-group gives but the last.
    pub fn only_downward(&self) -> BTreeSet<i64> {
        &self.downward - &self.upward
    }

    /// Rows that every sub-group gives.
    pub fn both_ways(&self) -> BTreeSet<i64> {
        &self.upward & &self.downward
    }

    /// Rows that a sub-group gives.
    fn given(&self) -> BTreeSet<i64> {
        &self.upward | &self.downward
    }

    fn elements_of_row(&self) -> i64 {
        self.columns * LANES
    }

    /// Elements between what a sub-group gives and what the next one gives.
    pub fn stride(&self) -> i64 {
        self.given().len() as i64 * self.elements_of_row()
    }

    /// Elements that all sub-groups give.
    pub fn elements(&self) -> i64 {
        let unused = self.only_upward().len() + self.only_downward().len();
        self.sub_groups * self.stride() - unused as i64 * self.elements_of_row()
    }

    /// The place of the first lane's cell among what the first sub-group gives. Rows that it does not give have negative
    /// places.
    pub fn place(&self, (row, column): BlockCell) -> i64 {
        let row = self.given().iter().position(|given| *given == row).expect("a row that is given") as i64;
        (row - self.only_upward().len() as i64) * self.elements_of_row() + column * LANES
    }
}
