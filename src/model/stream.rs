//! Shapes of streamed tiles.
//!
//! The deeper a tile, the fewer transfers a step, until its registers leave too few sub-groups on a multiprocessor to
//! hide the latencies of the others (EBISU, ICS 2023, section 5). The shapes and bounds below are fitted to kernel times
//! of the nine stencils of EBISU on an NVIDIA H200.

use super::profile::{self, Profile};
use super::registers::{Carried, largest_element, work_items};
use super::stream_rate::Streamed;
use super::with_last;
use super::work::{arithmetic_seconds, slow_operations};
use crate::ir::Nest;
use crate::options::Tuning;
use crate::poly::Recurrences;
use crate::tile::{LANES, Leaves, MOST_NEIGHBOURS, Reaches, StreamShape, Tile, stream_obstacle};

/// Depths to try by rank, deepest first.
const DEPTHS: [&[usize]; 4] =
    [&[], &[32, 24, 20, 16, 12, 10, 8, 6, 5, 4, 3, 2], &[12, 10, 8, 7, 6, 5, 4, 3, 2], &[6, 5, 4, 3, 2]];

/// A work-group and what its work-items may hold.
struct Shape {
    columns: i64,
    rows: i64,
    sub_groups: i64,
    /// 32-bit registers of a work-item, as [`Carried`] counts them.
    registers: i64,
}

const fn shape_of(columns: i64, rows: i64, sub_groups: i64, registers: i64) -> Shape {
    Shape { columns, rows, sub_groups, registers }
}

/// Shapes to try, best first, where the largest element has eight bytes, by rank.
const SHAPES_OF_DOUBLE: [&[Shape]; 4] = [
    &[],
    &[shape_of(8, 1, 4, 208), shape_of(4, 1, 4, 208)],
    &[shape_of(4, 1, 4, 208)],
    &[shape_of(2, 4, 8, 200), shape_of(2, 3, 8, 200)],
];

/// Shapes to try where it has fewer.
const SHAPES_OF_FLOAT: [&[Shape]; 4] = [
    &[],
    &[shape_of(16, 1, 4, 144), shape_of(8, 1, 4, 144), shape_of(4, 1, 4, 144)],
    &[shape_of(4, 1, 4, 144)],
    &[shape_of(2, 4, 12, 144)],
];

/// Shapes to try in one or two dimensions where a step has slow operations.
const SHAPES_OF_SLOW: &[Shape] = &[shape_of(2, 1, 4, 144)];

/// Slow operations that a tile of one or two dimensions may have above each other, unless it is of two steps. With more,
/// tiles of two dimensions and 3 to 10 steps came to 40 to 80 % of the speed of shallower ones on an NVIDIA H200.
const MOST_SLOW: usize = 6;

/// Rows that a work-group streams, by rank: fewer are computed twice in a long part, more work-groups run in short ones.
const CHUNKS: [i64; 4] = [0, 0, 128, 96];

/// The shape and the tiles of a stream, deepest first, as far as the user's choices leave them open; `None` if the nest
/// cannot be streamed or a stream would not pay.
pub fn choose(
    nest: &Nest,
    reaches: &Reaches<'_>,
    recurrences: &Recurrences,
    tuning: &Tuning,
    profile: &Profile,
    rank: usize,
) -> Option<(StreamShape, Vec<Tile>)> {
    // Streams are made for GPUs; a CPU that is to run one gets theirs.
    let profile = if profile.is_gpu { profile } else { &profile::GPU };
    if !(1..=3).contains(&rank) || stream_obstacle(nest, recurrences).is_some() {
        return None;
    }
    let slow = if rank == 3 { 0 } else { slow_operations(nest, recurrences) };
    let shapes = match largest_element(recurrences) {
        _ if slow > 0 => SHAPES_OF_SLOW,
        8 => SHAPES_OF_DOUBLE[rank],
        _ => SHAPES_OF_FLOAT[rank],
    };
    shapes.iter().find_map(|wanted| {
        let shape = shape(tuning, recurrences, rank, wanted);
        if shape.rows * shape.columns > MOST_CELLS {
            return None;
        }
        let tile = |levels: usize| shape.tile(reaches, rank, levels, Leaves::Inputs);
        let carried = |tile: &Tile| Carried::new(nest, recurrences, tile, &shape);
        let pays = |tile: &Tile, carried: &Carried| {
            tile.stages.len() as i64 * shape.rows * shape.columns <= MOST_COMPUTED[rank]
                && (tile.levels == 2 || tile.levels * slow <= MOST_SLOW)
                && carried.registers <= wanted.registers
                && carried.blocks.exchanged_bytes(&shape) <= profile.local_limit
                && tile.redundancy() < MOST_REDUNDANT
        };
        let with_carried = |tile: Tile| (carried(&tile), tile);
        let (carried, deepest) = match tuning.time_tile {
            Some(levels) => {
                tile(levels as usize).map(with_carried).filter(|(carried, _)| carried.registers <= MOST_REGISTERS)?
            }
            None => {
                let tiles = DEPTHS[rank].iter().filter_map(|levels| tile(*levels)).map(with_carried);
                let mut tiles = tiles.filter(|(carried, tile)| pays(tile, carried));
                match rank {
                    1 => {
                        let memory_bandwidth = profile.memory_bandwidth;
                        let arithmetic = arithmetic_seconds(nest, recurrences, &profile.instructions, false);
                        best(tiles, |_, tile| {
                            Streamed { recurrences, tile, shape: &shape, memory_bandwidth, arithmetic }.rate()
                        })
                    }
                    2 => best(tiles, |carried, tile| plane_promise(carried, tile, &shape)),
                    // One or two work-groups fill a multiprocessor, and the deepest tile is the best.
                    _ => tiles.next(),
                }?
            }
        };
        let edge_sets = if 2 * carried.blocks.exchanged_bytes(&shape) <= MOST_OF_TWO_SETS { 2 } else { 1 };
        let is_paired = pairs_pay(shape.sub_groups, deepest.levels);
        let tiles = with_last(deepest, |levels, leaves| shape.tile(reaches, rank, levels, leaves));
        Some((StreamShape { edge_sets, is_paired, ..shape }, tiles))
    })
}

/// The tile that promises most.
fn best(
    tiles: impl Iterator<Item = (Carried, Tile)>,
    promise: impl Fn(&Carried, &Tile) -> f64,
) -> Option<(Carried, Tile)> {
    let promised = tiles.map(|(carried, tile)| (promise(&carried, &tile), (carried, tile)));
    promised.max_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, best)| best)
}

/// What goes with the speed of a tile of two dimensions.
///
/// A step takes a sub-group about the same time whatever the depth, since transfers wait for the values and values for
/// transfers. So a tile's speed goes with its steps, its useful cells and the sub-groups that run at once, of which more are
/// worth a little less each: on an NVIDIA H200 their number to the power of 0.6 to 0.8.
fn plane_promise(carried: &Carried, tile: &Tile, shape: &StreamShape) -> f64 {
    let useful = tile.core[1] as f64 / held_cells(shape) as f64;
    useful / tile.redundancy() * tile.levels as f64 * (carried.resident_groups(work_items(shape)) as f64).powf(0.7)
}

/// Cells of a work-group in a row or plane of the stream, ghost zones included.
pub fn held_cells(shape: &StreamShape) -> i64 {
    work_items(shape) * shape.columns * shape.rows
}

/// Bytes that the rows of a buffer are aligned to. With twice as many for each work-item, streams of one dimension came to
/// half of the memory bandwidth of an NVIDIA H200.
const ROW_ALIGNMENT: i64 = 64;

/// Elements of OpenCL's longest vectors.
const MOST_OF_VECTOR: i64 = 16;

/// Cells of a work-item: a mask has a bit for each.
const MOST_CELLS: i64 = 32;

/// Values that a work-item computes in a step: each is a line of the kernel, several times over, and the device's compiler
/// has to get through them. In one dimension they stand there once for full and once for partial tiles.
const MOST_COMPUTED: [i64; 4] = [0, 512, 200, 200];

/// Bytes of local memory up to which two sets of exchanged rows pay: they cost addresses, and cache.
const MOST_OF_TWO_SETS: i64 = 32 * 1024;

/// Whether sub-groups gain when they wait for their neighbours alone: two short waits in a row take the place of one, but
/// they need not all be at the same place. On an NVIDIA H200 that gave 2 to 7 % for tiles of two and three steps, and took
/// 2 % for deeper ones of at most 12 sub-groups.
fn pairs_pay(sub_groups: i64, levels: usize) -> bool {
    sub_groups <= MOST_NEIGHBOURS && (levels <= 3 || sub_groups > 12)
}

/// Registers that nobody can want, not even spilled to memory.
const MOST_REGISTERS: i64 = 1024;

/// Computed cells for each useful one, ghost columns aside.
const MOST_REDUNDANT: f64 = 2.0;

/// The user's choices, and the wanted ones where there are none.
fn shape(tuning: &Tuning, recurrences: &Recurrences, rank: usize, wanted: &Shape) -> StreamShape {
    let columns = tuning.per_item.map_or(wanted.columns, |points| i64::from(points.next_power_of_two()));
    let columns = columns.min(most_columns(recurrences));
    let chunk = tuning.tile.get(rank - 1).map_or(CHUNKS[rank], |extent| i64::from((*extent).max(1)));
    let sub_groups = match rank {
        1 => tuning.work_group.first().map(|items| i64::from(*items) / LANES),
        _ => tuning.work_group.get(1).map(|extent| i64::from(*extent)),
    };
    let sub_groups = sub_groups.map_or(wanted.sub_groups, |count| count.clamp(1, LANES));
    let independent = StreamShape {
        columns,
        rows: 1,
        sub_groups,
        chunk,
        ahead: 2,
        prefetched: 6,
        age_of_columns: 1,
        edge_sets: 1,
        is_paired: false,
    };
    match rank {
        1 => return StreamShape { ahead: 0, prefetched: 0, age_of_columns: 0, ..independent },
        2 => return independent,
        _ => {}
    }
    let rows = tuning.tile.get(1).map_or(wanted.rows, |extent| (i64::from(*extent) + sub_groups - 1) / sub_groups);
    let rows = rows.min(MOST_CELLS / columns).max(widest_row_offset(recurrences));
    StreamShape { rows, ahead: 1, prefetched: 2, age_of_columns: 0, ..independent }
}

/// Columns that a work-item can load and store at once, of every field.
fn most_columns(recurrences: &Recurrences) -> i64 {
    let largest = recurrences.storage.fields.iter().map(|field| field.element.size() as i64).max().unwrap_or(8);
    (ROW_ALIGNMENT / largest).min(MOST_OF_VECTOR)
}

/// How far apart the rows of one plane are that a sweep reads: a sub-group sees no further than its neighbour's.
fn widest_row_offset(recurrences: &Recurrences) -> i64 {
    let offsets = recurrences.storage.reads.values().filter_map(|read| read.offset.as_ref());
    offsets.filter(|offset| offset.len() == 3).map(|offset| offset[1].abs()).max().unwrap_or(1)
}
