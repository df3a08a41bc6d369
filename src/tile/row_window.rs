//! The rows that a streamed tile keeps where whole rows are computed one after the other.

use super::{CellBox, StreamStage, StreamTile};
use crate::ir::ScalarType;

/// The windows of a sweep at all levels: row `x` takes the place of the one that is as many rows older as a window has. All
/// levels have room for the largest, so that a level is found by its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowWindow {
    /// The sweep.
    pub sweep: usize,
    /// Type of the values.
    pub element: ScalarType,
    /// Number of levels.
    pub levels: usize,
    /// First cell relative to the tile's origin, outermost first.
    pub lo: Vec<i64>,
    /// Number of rows of a level, then the cells of a row in its dimensions.
    pub extents: Vec<i64>,
}

impl RowWindow {
    /// Those of a tile: one for each sweep that others read. The pipeline is one of whole rows.
    pub fn all(stream: StreamTile<'_>) -> Vec<Self> {
        (0..stream.recurrences.storage.writes.len()).filter_map(|sweep| Self::of(stream, sweep)).collect()
    }

    fn of(stream: StreamTile<'_>, sweep: usize) -> Option<Self> {
        let (mut levels, mut depth, mut hull) = (0, 1, None::<CellBox>);
        for at in stream.stages().filter(|at| at.stage.sweep == sweep && at.is_read()) {
            let StreamStage { stage, window, .. } = at;
            levels = stage.level + 1;
            depth = depth.max(window.depth);
            hull = Some(hull.map_or_else(|| stage.region.clone(), |hull| hull.hull(&stage.region)));
        }
        let hull = hull?;
        let mut extents = hull.extents();
        extents[0] = depth;
        let (field, _) = stream.recurrences.storage.writes[sweep];
        let element = stream.recurrences.storage.fields[field].element;
        Some(Self { sweep, element, levels, lo: hull.lo, extents })
    }

    /// Size in bytes; the largest number if it is larger.
    pub fn bytes(&self) -> i64 {
        let cell = self.element.size() as i64 * self.levels as i64;
        self.extents.iter().fold(cell, |bytes, extent| bytes.saturating_mul(*extent))
    }
}
