//! What a stream's tiles and work-groups are made of.

use super::{CellBox, Leaves, Reaches, Tile};

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
