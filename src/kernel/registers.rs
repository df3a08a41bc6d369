//! Registers of a pipeline: the cells that a work-item keeps of every window.
//!
//! A work-item owns `rows` x `columns` cells of every row of the stream (`rows` is 1 in two dimensions), and keeps copies
//! of cells around them that its stages read, from the youngest age at which one is read to the oldest.

use std::collections::BTreeMap;

use super::Shuffle;
use crate::tile::Pipeline;

/// A cell of a work-item's block, or beside it: row and column relative to its first own cell.
pub type BlockCell = (i64, i64);

/// Names and lifetimes of all registers.
pub struct Registers<'a> {
    pipeline: &'a Pipeline,
    /// Own rows.
    pub rows: i64,
    /// Own columns.
    pub columns: i64,
    /// For each window the cells beside the own ones, with their youngest and oldest age.
    beside: Vec<BTreeMap<BlockCell, (i64, i64)>>,
}

impl<'a> Registers<'a> {
    /// Registers for blocks of `rows` x `columns` cells.
    pub fn new(pipeline: &'a Pipeline, rows: i64, columns: i64) -> Self {
        let mut this = Self { pipeline, rows, columns, beside: Vec::new() };
        for window in &pipeline.windows {
            let mut beside: BTreeMap<BlockCell, (i64, i64)> = BTreeMap::new();
            for (age, offsets) in &window.taps {
                let cells = offsets.iter().flat_map(|offset| this.own().map(move |cell| moved(cell, offset)));
                for cell in cells.filter(|cell| !this.is_own(*cell)) {
                    let ages = beside.entry(cell).or_insert((*age, *age));
                    *ages = (ages.0.min(*age), ages.1.max(*age));
                }
            }
            share_youngest(&mut beside, rows);
            this.beside.push(beside);
        }
        this
    }

    /// The own cells, row by row.
    pub fn own(&self) -> impl Iterator<Item = BlockCell> + use<> {
        let columns = self.columns;
        (0..self.rows).flat_map(move |row| (0..columns).map(move |column| (row, column)))
    }

    fn is_own(&self, (row, column): BlockCell) -> bool {
        (0..self.rows).contains(&row) && (0..self.columns).contains(&column)
    }

    /// The register of a cell.
    pub fn name(window: usize, age: i64, (row, column): BlockCell) -> String {
        let text = |number: i64| if number < 0 { format!("m{}", -number) } else { number.to_string() };
        format!("win{window}_{age}_{}_{}", text(row), text(column))
    }

    /// All registers of a window.
    pub fn all(&self, window: usize) -> Vec<String> {
        self.lifetimes(window).flat_map(|(cell, ages)| ages.map(move |age| Self::name(window, age, cell))).collect()
    }

    /// Bytes that a work-item carries from one step of the stream to the next.
    pub fn carried_bytes(&self) -> i64 {
        let bytes = |index: usize| self.aging(index).len() as i64 * self.pipeline.windows[index].element.size() as i64;
        (0..self.pipeline.windows.len()).map(bytes).sum()
    }

    /// The moves that make every row of a window one step older, `(to, from)`.
    pub fn aging(&self, window: usize) -> Vec<(String, String)> {
        let mut moves = Vec::new();
        for (cell, ages) in self.lifetimes(window) {
            let (youngest, oldest) = (*ages.start(), *ages.end());
            let name = |age| Self::name(window, age, cell);
            moves.extend((youngest + 1..=oldest).rev().map(|age| (name(age), name(age - 1))));
        }
        moves
    }

    fn lifetimes(&self, window: usize) -> impl Iterator<Item = (BlockCell, std::ops::RangeInclusive<i64>)> {
        let oldest = self.pipeline.windows[window].depth - 1;
        let own = self.own().map(move |cell| (cell, 0..=oldest));
        own.chain(self.beside[window].iter().map(|(cell, (from, to))| (*cell, *from..=*to)))
    }

    /// The exchanges within a sub-group that a window needs in every step.
    pub fn shuffles(&self, window: usize) -> Vec<Shuffle> {
        let beside = self.beside[window].iter().filter(|((row, _), _)| (0..self.rows).contains(row));
        beside
            .map(|(&(row, column), &(age, _))| Shuffle {
                to: Self::name(window, age, (row, column)),
                from: Self::name(window, age, (row, column.rem_euclid(self.columns))),
                lanes: column.div_euclid(self.columns),
            })
            .collect()
    }

    /// The cells of other sub-groups' rows that a window needs, and the age at which they come.
    pub fn from_other_rows(&self, window: usize) -> Option<(i64, Vec<BlockCell>)> {
        let cells: Vec<_> = self.beside[window].iter().filter(|((row, _), _)| !(0..self.rows).contains(row)).collect();
        let (_, (age, _)) = cells.first()?;
        Some((*age, cells.into_iter().map(|(cell, _)| *cell).collect()))
    }

    /// Own rows that another sub-group needs.
    pub fn shared_rows(&self, window: usize) -> Vec<i64> {
        let cells = self.from_other_rows(window).map_or(Vec::new(), |(_, cells)| cells);
        let mut rows: Vec<i64> = cells.into_iter().map(|(row, _)| row.rem_euclid(self.rows)).collect();
        rows.sort_unstable();
        rows.dedup();
        rows
    }
}

/// Cells of other rows come in one exchange, at the youngest age of any.
fn share_youngest(beside: &mut BTreeMap<BlockCell, (i64, i64)>, rows: i64) {
    let is_other = |cell: &BlockCell| !(0..rows).contains(&cell.0);
    let youngest = beside.iter().filter(|(cell, _)| is_other(cell)).map(|(_, ages)| ages.0).min();
    for (_, ages) in beside.iter_mut().filter(|(cell, _)| is_other(cell)) {
        ages.0 = youngest.unwrap_or(ages.0);
    }
}

/// A cell moved by an offset of the row, whose rank is one or two.
pub fn moved((row, column): BlockCell, offset: &[i64]) -> BlockCell {
    match offset {
        [column_offset] => (row, column + column_offset),
        [row_offset, column_offset] => (row + row_offset, column + column_offset),
        _ => unreachable!("streams have two or three dimensions"),
    }
}
