//! The rows that a streamed tile keeps where whole rows are computed one after the other.

use super::{Pipeline, Tile};
use crate::ir::ScalarType;
use crate::poly::Recurrences;

/// The last rows of a stage: row `x` takes the place of the one that is as many rows older as there are in the ring.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowRing {
    /// The stage.
    pub stage: usize,
    /// The window that it fills.
    pub window: usize,
    /// Type of the values.
    pub element: ScalarType,
    /// First cell relative to the tile's origin, outermost first.
    pub lo: Vec<i64>,
    /// Number of rows, then the cells of a row in its dimensions.
    pub extents: Vec<i64>,
}

impl RowRing {
    /// The rings of a tile: one for each stage that others read. The pipeline is one of whole rows.
    pub fn all(recurrences: &Recurrences, tile: &Tile, pipeline: &Pipeline) -> Vec<Self> {
        let mut rings = Vec::new();
        for (stage, flow) in pipeline.flows.iter().enumerate() {
            let window = &pipeline.windows[flow.window()];
            if window.taps.is_empty() {
                continue;
            }
            let region = &tile.stages[stage].region;
            let (field, _) = recurrences.storage.writes[tile.stages[stage].sweep];
            let mut extents = region.extents();
            extents[0] = window.depth;
            let element = recurrences.storage.fields[field].element;
            rings.push(Self { stage, window: flow.window(), element, lo: region.lo.clone(), extents });
        }
        rings
    }

    /// Size in bytes; the largest number if it is larger.
    pub fn bytes(&self) -> i64 {
        self.extents.iter().fold(self.element.size() as i64, |bytes, extent| bytes.saturating_mul(*extent))
    }
}
