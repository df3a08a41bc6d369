//! The cells of a stream's row that one work-item owns and those around them that it reads.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use super::{Pipeline, PipelineRules, StreamShape, Tile};
use crate::ir::Nest;
use crate::poly::Recurrences;

/// A cell of a work-item's block, or beside it: row and column relative to its first own cell.
pub type BlockCell = (i64, i64);

/// The blocks that work-items keep of the windows of a pipeline.
///
/// A work-item owns `rows` x `columns` cells of every row of the stream, and keeps copies of cells beside them from the
/// youngest age at which one is read to the oldest.
pub struct Blocks {
    /// Own rows.
    pub rows: i64,
    /// Own columns.
    pub columns: i64,
    /// For each window the age of its oldest row.
    oldest: Vec<i64>,
    /// For each window the size of a value in bytes.
    pub sizes: Vec<i64>,
    /// For each window the cells beside the own ones, with their youngest and oldest age.
    beside: Vec<BTreeMap<BlockCell, (i64, i64)>>,
}

impl Blocks {
    /// Blocks of the given shape.
    pub fn new(pipeline: &Pipeline, shape: &StreamShape) -> Self {
        let mut this = Self {
            rows: shape.rows,
            columns: shape.columns,
            oldest: pipeline.windows.iter().map(|window| window.depth - 1).collect(),
            sizes: pipeline.windows.iter().map(|window| window.element.size() as i64).collect(),
            beside: Vec::new(),
        };
        for window in &pipeline.windows {
            let mut beside: BTreeMap<BlockCell, (i64, i64)> = BTreeMap::new();
            for (age, offsets) in &window.taps {
                let cells = offsets.iter().flat_map(|offset| this.own().map(move |cell| moved(cell, offset)));
                for cell in cells.filter(|cell| !this.is_own(*cell)) {
                    let ages = beside.entry(cell).or_insert((*age, *age));
                    *ages = (ages.0.min(*age), ages.1.max(*age));
                }
            }
            share_youngest(&mut beside, this.rows);
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

    /// All cells kept of a window with the ages at which they are.
    pub fn lifetimes(&self, window: usize) -> impl Iterator<Item = (BlockCell, RangeInclusive<i64>)> {
        let oldest = self.oldest[window];
        let own = self.own().map(move |cell| (cell, 0..=oldest));
        own.chain(self.beside[window].iter().map(|(cell, (from, to))| (*cell, *from..=*to)))
    }

    /// Cells of the own rows that other work-items of the sub-group own, with the age at which they come.
    pub fn from_other_lanes(&self, window: usize) -> impl Iterator<Item = (BlockCell, i64)> {
        let is_in_row = |(row, _): BlockCell| (0..self.rows).contains(&row);
        self.beside[window].iter().filter(move |(cell, _)| is_in_row(**cell)).map(|(cell, (age, _))| (*cell, *age))
    }

    /// Cells of other sub-groups' rows that a window needs, and the age at which they come.
    pub fn from_other_rows(&self, window: usize) -> Option<(i64, Vec<BlockCell>)> {
        let cells: Vec<_> = self.beside[window].iter().filter(|((row, _), _)| !(0..self.rows).contains(row)).collect();
        let (_, (age, _)) = cells.first()?;
        Some((*age, cells.into_iter().map(|(cell, _)| *cell).collect()))
    }

    /// Bytes that a work-item carries from one step of the stream to the next.
    pub fn carried_bytes(&self) -> i64 {
        let values = |window: usize| self.lifetimes(window).map(|(_, ages)| ages.end() - ages.start()).sum::<i64>();
        (0..self.sizes.len()).map(|window| values(window) * self.sizes[window]).sum()
    }
}

impl Pipeline {
    /// The pipeline that carries less from step to step: values whole, or evaluated in parts.
    pub fn smallest(nest: &Nest, recurrences: &Recurrences, tile: &Tile, shape: &StreamShape) -> Self {
        let pipeline = |has_parts| {
            let rules = PipelineRules { age_of_columns: shape.age_of_columns, age_of_rows: 1, has_parts };
            Self::new(nest, recurrences, tile, rules)
        };
        let (whole, in_parts) = (pipeline(false), pipeline(true));
        let carried = |pipeline: &Self| Blocks::new(pipeline, shape).carried_bytes();
        if carried(&in_parts) < carried(&whole) { in_parts } else { whole }
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

/// A cell moved by an offset of the row, which has one dimension or two.
pub fn moved((row, column): BlockCell, offset: &[i64]) -> BlockCell {
    match offset {
        [column_offset] => (row, column + column_offset),
        [row_offset, column_offset] => (row + row_offset, column + column_offset),
        _ => unreachable!("streams have at most three dimensions"),
    }
}
