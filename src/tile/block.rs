//! The cells of a stream's row that one work-item owns and those around them that it reads.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use super::{CellBox, EdgeRows, Edges, Leaves, Pipeline, Reaches, Tile};

/// Work-items of a sub-group.
pub const LANES: i64 = 32;

/// Dimensions along which tiles stream: the outermost one, or none in one dimension, where a tile is a single row.
pub fn streamed_dimensions(rank: usize) -> usize {
    usize::from(rank > 1)
}

/// What a work-item, a work-group and a tile of a stream are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamShape {
    /// Columns of a work-item, neighbours in the fastest dimension; a power of two.
    pub columns: i64,
    /// Rows of a work-item in the middle one of three dimensions; 1 in fewer.
    pub rows: i64,
    /// Sub-groups of a work-group: above each other in three dimensions, independent neighbours in fewer.
    pub sub_groups: i64,
    /// Cells of the core along the stream.
    pub chunk: i64,
    /// Rows that are loaded before they are needed, at least 1; 0 in one dimension, where no row follows.
    pub ahead: i64,
    /// Rows behind those that are brought near the processors before they are loaded, 0 for none.
    pub prefetched: i64,
    /// Age of a row at which neighbours in the fastest dimension are exchanged, 0 or 1; 0 in one dimension.
    pub age_of_columns: i64,
    /// Sets of the rows that sub-groups exchange, 1 or 2: with two, which take turns, a step has one barrier instead of two.
    pub edge_sets: i64,
    /// Whether sub-groups that exchange rows wait for their neighbours alone; at most [`MOST_NEIGHBOURS`] may.
    pub is_paired: bool,
}

/// Sub-groups of a work-group that can wait for their neighbours alone: as many barriers as NVIDIA's hardware numbers.
pub const MOST_NEIGHBOURS: i64 = 16;

impl StreamShape {
    /// The tile of this shape; `None` if the ghost zone leaves nothing of a sub-group's columns or rows.
    pub fn tile(&self, reaches: &Reaches<'_>, rank: usize, levels: usize, leaves: Leaves) -> Option<Tile> {
        let unit = Tile::new(reaches, &vec![1; rank], levels, leaves);
        let core = self.core(&unit.region());
        core.iter().all(|extent| *extent > 0).then(|| unit.with_core(&core))
    }

    /// The core of a tile, outermost dimension first, given the region of the tile of one cell.
    fn core(&self, unit: &CellBox) -> Vec<i64> {
        let columns = self.strips(unit.lo.len()) * self.strip(unit);
        match unit.lo.len() {
            3 => vec![self.chunk, self.sub_groups * self.rows + unit.lo[1] - unit.hi[1], columns],
            1 => vec![columns],
            _ => vec![self.chunk, columns],
        }
    }

    /// Sub-groups beside each other in the fastest dimension.
    pub fn strips(&self, rank: usize) -> i64 {
        if rank == 3 { 1 } else { self.sub_groups }
    }

    /// Work-items of a work-group, fastest dimension first: a sub-group beside the other in one dimension, which device and
    /// host count in the same way; in more a sub-group is a row.
    pub fn work_group(&self, rank: usize) -> [u32; 3] {
        let [lanes, sub_groups] = [LANES, self.sub_groups].map(|count| u32::try_from(count).unwrap_or(u32::MAX));
        if rank == 1 { [lanes * sub_groups, 1, 1] } else { [lanes, sub_groups, 1] }
    }

    fn strip(&self, unit: &CellBox) -> i64 {
        let last = unit.lo.len() - 1;
        LANES * self.columns - self.round_up(-unit.lo[last]) - self.round_up(unit.hi[last])
    }

    /// Columns that a sub-group computes before those of the core, in whole work-items.
    pub fn columns_before(&self, tile: &Tile) -> i64 {
        let region = tile.region();
        self.round_up(-region.lo[region.lo.len() - 1])
    }

    fn round_up(&self, cells: i64) -> i64 {
        (cells + self.columns - 1) / self.columns * self.columns
    }
}

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
    sizes: Vec<i64>,
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

    /// Bytes of all rows that the sub-groups of a work-group exchange in a step.
    pub fn exchanged_bytes(&self, shape: &StreamShape) -> i64 {
        let bytes = |window: usize| {
            let edges = Edges::new(self, window, shape)?;
            Some(EdgeRows::new([(window, &edges)].into_iter(), shape).elements() * self.sizes[window])
        };
        (0..self.sizes.len()).filter_map(bytes).sum()
    }

    /// Bytes that a work-item carries from one step of the stream to the next.
    pub fn carried_bytes(&self) -> i64 {
        let values = |window: usize| self.lifetimes(window).map(|(_, ages)| ages.end() - ages.start()).sum::<i64>();
        (0..self.sizes.len()).map(|window| values(window) * self.sizes[window]).sum()
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
