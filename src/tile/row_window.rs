//! The rows that a streamed tile keeps where whole rows are computed one after the other.

use super::{CellBox, Pipeline, Tile};
use crate::ir::ScalarType;
use crate::poly::Recurrences;

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
    pub fn all(recurrences: &Recurrences, tile: &Tile, pipeline: &Pipeline) -> Vec<Self> {
        let sweeps = 0..recurrences.storage.writes.len();
        sweeps.filter_map(|sweep| Self::of(recurrences, tile, pipeline, sweep)).collect()
    }

    fn of(recurrences: &Recurrences, tile: &Tile, pipeline: &Pipeline, sweep: usize) -> Option<Self> {
        let stages = tile.stages.iter().zip(&pipeline.stages).filter(|(stage, _)| stage.sweep == sweep);
        let read = stages.filter(|(_, piped)| !pipeline.windows[piped.window()].taps.is_empty());
        let (mut levels, mut depth, mut hull) = (0, 1, None::<CellBox>);
        for (stage, piped) in read {
            levels = stage.level + 1;
            depth = depth.max(pipeline.windows[piped.window()].depth);
            hull = Some(hull.map_or_else(|| stage.region.clone(), |hull| hull.hull(&stage.region)));
        }
        let hull = hull?;
        let mut extents = hull.extents();
        extents[0] = depth;
        let (field, _) = recurrences.storage.writes[sweep];
        let element = recurrences.storage.fields[field].element;
        Some(Self { sweep, element, levels, lo: hull.lo, extents })
    }

    /// Size in bytes; the largest number if it is larger.
    pub fn bytes(&self) -> i64 {
        let cell = self.element.size() as i64 * self.levels as i64;
        self.extents.iter().fold(cell, |bytes, extent| bytes.saturating_mul(*extent))
    }
}
