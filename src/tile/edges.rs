//! Rows that the sub-groups of a work-group exchange through local memory.

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
    /// Own rows that the sub-group above takes, in order.
    upward: Vec<i64>,
    /// Own rows that the sub-group below takes, in order.
    downward: Vec<i64>,
    rows: i64,
    columns: i64,
    sub_groups: i64,
}

impl Edges {
    /// What is exchanged of a window, if anything is.
    pub fn new(blocks: &Blocks, window: usize, shape: &StreamShape) -> Option<Self> {
        let (age, taken) = blocks.from_other_rows(window).filter(|_| shape.sub_groups > 1)?;
        let own_rows_of = |is_taken: fn(i64, i64) -> bool| {
            let taken = taken.iter().filter(|(row, _)| is_taken(*row, blocks.rows));
            let mut rows: Vec<i64> = taken.map(|(row, _)| row.rem_euclid(blocks.rows)).collect();
            rows.sort_unstable();
            rows.dedup();
            rows
        };
        let upward = own_rows_of(|row, rows| row >= rows);
        let downward = own_rows_of(|row, _| row < 0);
        let (rows, columns, sub_groups) = (blocks.rows, blocks.columns, shape.sub_groups);
        Some(Self { age, taken, upward, downward, rows, columns, sub_groups })
    }

    /// Rows that a sub-group gives, in order.
    fn given(&self) -> Vec<i64> {
        (0..self.rows).filter(|row| self.upward.contains(row) || self.downward.contains(row)).collect()
    }

    /// Rows that every sub-group gives but the first.
    pub fn only_upward(&self) -> Vec<i64> {
        self.upward.iter().copied().filter(|row| !self.downward.contains(row)).collect()
    }

    /// Rows that every sub-group gives but the last.
    pub fn only_downward(&self) -> Vec<i64> {
        self.downward.iter().copied().filter(|row| !self.upward.contains(row)).collect()
    }

    /// Rows that every sub-group gives.
    pub fn both_ways(&self) -> Vec<i64> {
        self.upward.iter().copied().filter(|row| self.downward.contains(row)).collect()
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
