//! A tile and its pipeline, side by side.

use super::{CellBox, Pipeline, PipelineStage, Producer, Stage, Tap, Tile, Window};
use crate::poly::Recurrences;

/// A tile that streams, with its pipeline; those that differ in their cores alone may share one.
#[derive(Clone, Copy)]
pub struct StreamTile<'a> {
    /// Sweeps and storage.
    pub recurrences: &'a Recurrences,
    /// The regions.
    pub tile: &'a Tile,
    /// How they follow each other.
    pub pipeline: &'a Pipeline,
}

/// A stage of such a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamStage<'a> {
    /// Its number.
    pub index: usize,
    /// What it computes.
    pub stage: &'a Stage,
    /// And when.
    pub piped: &'a PipelineStage,
    /// The window that it fills.
    pub window: &'a Window,
}

impl StreamStage<'_> {
    /// Whether any stage reads what it computes.
    pub fn is_read(&self) -> bool {
        !self.window.taps.is_empty()
    }
}

impl<'a> StreamTile<'a> {
    /// All stages in order.
    pub fn stages(self) -> impl Iterator<Item = StreamStage<'a>> {
        (0..self.tile.stages.len()).map(move |index| self.stage(index))
    }

    /// A stage by its number.
    pub fn stage(self, index: usize) -> StreamStage<'a> {
        let piped = &self.pipeline.stages[index];
        StreamStage { index, stage: &self.tile.stages[index], piped, window: &self.pipeline.windows[piped.window()] }
    }

    /// Stages and what they read.
    pub fn taps(self) -> impl Iterator<Item = (StreamStage<'a>, &'a Tap)> {
        self.stages()
            .flat_map(|at| at.piped.parts.iter().flat_map(move |part| part.reads.values().map(move |tap| (at, tap))))
    }

    /// The windows that hold rows of device memory, with field and slot.
    pub fn inputs(self) -> impl Iterator<Item = (usize, (usize, usize))> {
        let windows = self.pipeline.windows.iter().enumerate();
        windows.filter_map(|(index, window)| match window.producer {
            Producer::Input { field, slot } => Some((index, (field, slot))),
            _ => None,
        })
    }

    /// The stages for which boundaries matter.
    pub fn bounded_stages(self) -> impl Iterator<Item = &'a Stage> {
        self.stages().filter(|at| at.stage.is_output || at.piped.halo.is_some()).map(|at| at.stage)
    }

    /// Cells of its block that a tile at a face of the tiled box may own beside its core: no block needs more than the cells
    /// beyond the face that sweeps read. Only whole rows count: in the middle one of three dimensions.
    pub fn rim(self) -> CellBox {
        let Self { recurrences, tile, .. } = self;
        let rank = tile.core.len();
        let mut rim = CellBox::cell(rank);
        if rank < 3 {
            return rim;
        }
        let (storage, region) = (&recurrences.storage, tile.region_around_core());
        let offsets = storage.reads.values().filter(|read| storage.fields[read.field].is_written);
        let offsets = offsets.filter_map(|read| read.offset.as_ref()).map(|offset| offset[1]);
        let (least, most) = offsets.fold((0, 0), |(least, most), offset| (offset.min(least), offset.max(most)));
        // The first and the last tile must reach out of every sweep's domain where they replace halos.
        let regions = || self.bounded_stages().map(|stage| &stage.region);
        let first = regions().map(|region| region.lo[1]).min().unwrap_or(0);
        let last = regions().map(|region| region.hi[1] - (tile.core[1] - 1)).max().unwrap_or(0);
        rim.lo[1] = (region.lo[1] - least).max(first).min(0);
        rim.hi[1] = (region.hi[1] - most).min(last).max(0);
        rim
    }
}
