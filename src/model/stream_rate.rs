//! Rates of streamed tiles on GPUs.

use super::profile::Profile;
use super::registers::{largest_element, work_items};
use super::stream::work_columns;
use super::work::{arithmetic_seconds, slow_operations, transfers};
use crate::ir::Nest;
use crate::poly::Recurrences;
use crate::tile::{StreamShape, Tile};

/// Cells times steps a second; `None` where divisions and functions set a pace that is not known.
pub fn stream_rate(
    nest: &Nest,
    recurrences: &Recurrences,
    tile: &Tile,
    shape: &StreamShape,
    profile: &Profile,
    may_fuse: bool,
) -> Option<f64> {
    let rate = if tile.core.len() == 1 { line_rate } else { row_rate };
    (slow_operations(nest, recurrences) == 0).then(|| rate(nest, recurrences, tile, shape, profile, may_fuse))
}

/// Cells times steps a second of a tile of one dimension.
///
/// Nothing waits for another row there: the transfers of some sub-groups overlap with the arithmetic of others, best where
/// one takes much longer. On an NVIDIA H200 `jacobi-1d` of three, five and seven points came to 0.8 to 1.1 times this rate.
pub fn line_rate(
    nest: &Nest,
    recurrences: &Recurrences,
    tile: &Tile,
    shape: &StreamShape,
    profile: &Profile,
    may_fuse: bool,
) -> f64 {
    let (loaded, stored) = transfers(recurrences, tile);
    let memory = (loaded + stored) / profile.memory_bandwidth;
    let computed = (work_columns(shape) * tile.levels as i64) as f64;
    let arithmetic = computed * arithmetic_seconds(nest, recurrences, &profile.instructions, may_fuse);
    tile.core[0] as f64 * tile.levels as f64 / (memory.powi(4) + arithmetic.powi(4)).powf(0.25)
}

/// How much of the time of a stream of two or three dimensions its transfers and its arithmetic take, in units of what they
/// would take alone at the profile's rates. They overlap in part, less where few sub-groups run at once; what sub-groups
/// exchange goes with the arithmetic.
struct Weights {
    memory: f64,
    arithmetic: f64,
}

/// Fitted to the weighted sums of EBISU on an NVIDIA H200, which come to within a tenth of the rates that this gives, the
/// one with two sweeps a step to four fifths. Where registers spill it may be three fifths.
fn weights(rank: usize, element_bytes: i64) -> Weights {
    match (rank, element_bytes) {
        (2, 8) => Weights { memory: 0.80, arithmetic: 0.55 },
        (2, _) => Weights { memory: 0.71, arithmetic: 0.83 },
        (_, 8) => Weights { memory: 1.0, arithmetic: 0.49 },
        _ => Weights { memory: 1.28, arithmetic: 0.81 },
    }
}

/// Cells times steps a second of a tile of two or three dimensions: all work-items load and compute in every row or plane of
/// the stream, whether or not the core has their cells.
fn row_rate(
    nest: &Nest,
    recurrences: &Recurrences,
    tile: &Tile,
    shape: &StreamShape,
    profile: &Profile,
    may_fuse: bool,
) -> f64 {
    let weights = weights(tile.core.len(), largest_element(recurrences));
    let held = match tile.core.len() {
        2 => work_columns(shape),
        _ => work_items(shape) * shape.columns * shape.rows,
    } as f64;
    let wanted = tile.region().extents()[1..].iter().product::<i64>() as f64;
    let (loaded, stored) = transfers(recurrences, tile);
    let memory = (loaded * held / wanted + stored) / profile.memory_bandwidth;
    let rows: i64 = tile.stages.iter().map(|stage| stage.region.extents()[0]).sum();
    let sweeps = recurrences.sweeps.sweeps.len() as f64;
    let seconds = arithmetic_seconds(nest, recurrences, &profile.instructions, may_fuse);
    let arithmetic = held * rows as f64 / sweeps * seconds;
    let useful = tile.core.iter().product::<i64>() as f64 * tile.levels as f64;
    useful / (weights.memory * memory + weights.arithmetic * arithmetic)
}
