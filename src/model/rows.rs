//! Tiles that stream through the cache of a CPU, a row at a time.

use super::limits::possible_depths;
use super::plan::{KernelPlan, TileStorage, extents, halved, with_last_of_core};
use super::profile::Profile;
use super::strategy::{Expected, Request, Strategy};
use super::work::{Work, transfers};
use crate::ir::Nest;
use crate::options::{FpMode, StrategyName, Tuning};
use crate::poly::Recurrences;
use crate::tile::{Leaves, Pipeline, PipelineRules, Reaches, RowWindow, Steady, StreamTile, Tile, stream_obstacle};

/// Depths to try by rank.
const DEPTHS: [&[usize]; 5] = [&[], &[], &[24, 16, 12, 8, 6, 4, 3, 2], &[8, 6, 4, 3, 2], &[4, 3, 2]];

/// Cells of a row to try, and of the dimensions between the row and the stream.
const COLUMNS: &[i64] = &[128, 256, 512, 1024, 2048];
const LINES: &[i64] = &[4, 8, 16, 32, 64];

/// Rows that a tile streams, by rank; the host shortens tiles that would leave processors without work.
const CHUNKS: [i64; 5] = [0, 0, 512, 128, 64];

/// What a tile of rows costs.
struct RowsTile {
    /// Bytes of its windows.
    window_bytes: i64,
    /// Bytes that it moves to and from memory.
    memory_bytes: f64,
    /// Cells that it computes, on average of the sweeps.
    computed: f64,
    /// Rows of cells that it computes, of all stages.
    rows: f64,
    /// Cells of the core times steps.
    useful: f64,
}

/// Strategy `rows`.
pub(super) struct RowWise;

impl Strategy for RowWise {
    fn name(&self) -> StrategyName {
        StrategyName::Rows
    }

    fn is_tried(&self, asked: Option<StrategyName>, profile: &Profile) -> bool {
        asked.map_or(!profile.is_gpu, |asked| asked == self.name())
    }

    fn obstacle(&self, nest: &Nest, recurrences: &Recurrences) -> Option<String> {
        match recurrences.rank() {
            0 | 1 => Some("tiles of rows have at least two dimensions".into()),
            _ => stream_obstacle(nest, recurrences),
        }
    }

    fn takes_few_places(&self) -> bool {
        false
    }

    fn propose(&self, request: &Request<'_>, plan: &KernelPlan) -> Option<KernelPlan> {
        let tiles = tiles(request)?;
        Some(KernelPlan { storage: TileStorage::RowWindows, tile_work_group: [1; 3], tiles, ..plan.clone() })
    }

    fn local_bytes(&self, nest: &Nest, recurrences: &Recurrences, tile: &Tile) -> i64 {
        RowsTile::new(nest, recurrences, tile).window_bytes
    }

    fn expected(&self, plan: &KernelPlan, nest: &Nest, recurrences: &Recurrences, _: FpMode) -> Expected {
        let work = Work::new(nest, recurrences);
        let rows = plan.tiles.first().map(|tile| RowsTile::new(nest, recurrences, tile));
        Expected { rate: rows.map(|rows| rows.rate(&work, &plan.profile)), registers: None }
    }

    fn flags(&self, _: &KernelPlan, tile: &Tile) -> Tuning {
        Tuning { tile: extents(tile), ..Tuning::default() }
    }

    fn fixed_work_group(&self, _: &TileStorage, _: usize) -> Option<([u32; 3], &'static str)> {
        Some(([1; 3], "a tile of rows is one work-item"))
    }
}

/// The tiles, deepest first, as far as the user's choices leave them open; `None` if they would not pay.
fn tiles(request: &Request<'_>) -> Option<Vec<Tile>> {
    let &Request { nest, recurrences, reaches, tuning, profile, rank, .. } = request;
    let work = Work::new(nest, recurrences);
    let asked = tuning.time_tile.map(|levels| [levels as usize]);
    let depths = asked.as_ref().map_or_else(|| possible_depths(DEPTHS[rank], recurrences), |levels| levels.as_slice());
    let is_forced = tuning.strategy.is_some() || asked.is_some();
    let mut best = if is_forced { None } else { Some((work.direct_rate(profile), None)) };
    let mut smallest: Option<(i64, Tile)> = None;
    for &levels in depths {
        let unit = Tile::new(reaches, &vec![1; rank], levels, Leaves::Inputs);
        let pipeline = Pipeline::new(nest, recurrences, &unit, PipelineRules::WHOLE_ROWS);
        for core in cores(tuning, rank) {
            let tile = unit.with_core(&core);
            let rows = RowsTile::of(recurrences, &tile, &pipeline);
            if smallest.as_ref().is_none_or(|(bytes, _)| rows.window_bytes < *bytes) {
                smallest = Some((rows.window_bytes, tile.clone()));
            }
            let rate = rows.rate(&work, profile);
            if rows.window_bytes <= profile.rows.window_limit && best.as_ref().is_none_or(|(other, _)| rate > *other) {
                best = Some((rate, Some(tile)));
            }
        }
    }
    let deepest = match best {
        Some((_, tile)) => tile?,
        // What was asked for does not fit the cache: the smallest does best.
        None => smallest?.1,
    };
    let shorter = shorter(nest, reaches, recurrences, &deepest);
    Some(with_last_of_core(reaches, deepest, shorter, |tile| RowsTile::new(nest, recurrences, tile).window_bytes))
}

/// Depths of the tiles for the last steps: those that need no text of their own, if levels of the deepest one repeat.
fn shorter(nest: &Nest, reaches: &Reaches<'_>, recurrences: &Recurrences, deepest: &Tile) -> Vec<usize> {
    let tile = Tile::new(reaches, &deepest.core, deepest.levels, Leaves::Results);
    let pipeline = Pipeline::new(nest, recurrences, &tile, PipelineRules::WHOLE_ROWS);
    Steady::of(StreamTile { recurrences, tile: &tile, pipeline: &pipeline })
        .map_or_else(|| halved(tile.levels), |steady| steady.shorter())
}

/// Candidate cores, outermost dimension first.
fn cores(tuning: &Tuning, rank: usize) -> Vec<Vec<i64>> {
    let asked = |d: usize| {
        let extent = tuning.tile.get(d).copied();
        let extent = if d == 0 { extent.or(tuning.per_item) } else { extent };
        extent.map(|extent| vec![i64::from(extent.max(1))])
    };
    let usual = |d: usize| match d {
        0 => COLUMNS.to_vec(),
        _ if d == rank - 1 => vec![CHUNKS[rank]],
        _ => LINES.to_vec(),
    };
    (0..rank).fold(vec![Vec::new()], |cores, d| {
        let extents = asked(d).unwrap_or_else(|| usual(d));
        let extend = |core: Vec<i64>| {
            extents.iter().map(move |extent| [vec![*extent], core.clone()].concat()).collect::<Vec<_>>()
        };
        cores.into_iter().flat_map(extend).collect()
    })
}

impl RowsTile {
    /// Looks at the rows of a tile.
    fn new(nest: &Nest, recurrences: &Recurrences, tile: &Tile) -> Self {
        Self::of(recurrences, tile, &Pipeline::new(nest, recurrences, tile, PipelineRules::WHOLE_ROWS))
    }

    /// The same with the tile's pipeline, which those that differ in their cores alone share.
    fn of(recurrences: &Recurrences, tile: &Tile, pipeline: &Pipeline) -> Self {
        let windows = RowWindow::all(StreamTile { recurrences, tile, pipeline });
        let storage = &recurrences.storage;
        let size = |field: usize| storage.fields[field].element.size() as f64;
        let core = tile.core.iter().product::<i64>() as f64;
        let region = tile.region();
        let is_read = |field: usize| storage.reads.values().any(|read| read.field == field);
        let constants = (0..storage.fields.len()).filter(|field| !storage.fields[*field].is_written && is_read(*field));
        let constants: f64 = constants.map(|field| region.volume() as f64 * size(field)).sum();
        let (loaded, stored) = transfers(recurrences, tile);
        let volumes = tile.stages.iter().map(|stage| stage.region.volume() as f64);
        let columns = |extents: Vec<i64>| *extents.last().expect("a grid has a dimension") as f64;
        let rows = tile.stages.iter().map(|stage| stage.region.volume() as f64 / columns(stage.region.extents()));
        Self {
            window_bytes: windows.iter().map(RowWindow::bytes).fold(0, i64::saturating_add),
            memory_bytes: loaded + stored + constants,
            computed: volumes.sum::<f64>() / recurrences.sweeps.sweeps.len() as f64,
            rows: rows.sum(),
            useful: core * tile.levels as f64,
        }
    }

    /// Steps of cells a second.
    fn rate(&self, work: &Work, profile: &Profile) -> f64 {
        let memory = self.memory_bytes / profile.memory_bandwidth;
        self.useful / (memory + work.row_seconds(self.computed, self.rows, &profile.rows))
    }
}
