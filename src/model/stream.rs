//! Shapes of streamed tiles.
//!
//! The deeper a tile, the fewer transfers a step, until its registers leave too few sub-groups on a multiprocessor to
//! hide the latencies of the others (EBISU, ICS 2023, section 5). The shapes and bounds below are fitted to kernel times
//! of the nine stencils of EBISU on an NVIDIA H200.

use super::profile;
use crate::ir::Nest;
use crate::options::Tuning;
use crate::poly::Recurrences;
use crate::tile::{Blocks, LANES, MOST_NEIGHBOURS, Pipeline, Reaches, StreamShape, Tile, stream_obstacle};

/// Depths to try by rank, deepest first.
const DEPTHS: [&[usize]; 4] = [&[], &[], &[12, 10, 8, 7, 6, 5, 4, 3, 2], &[6, 5, 4, 3, 2]];

/// A work-group and what its work-items may hold.
struct Shape {
    columns: i64,
    rows: i64,
    sub_groups: i64,
    /// 32-bit registers of a work-item, as [`registers_of`] counts them.
    registers: i64,
}

const fn shape_of(columns: i64, rows: i64, sub_groups: i64, registers: i64) -> Shape {
    Shape { columns, rows, sub_groups, registers }
}

/// Shapes to try, best first, where the largest element has eight bytes, by rank.
const SHAPES_OF_DOUBLE: [&[Shape]; 4] =
    [&[], &[], &[shape_of(4, 1, 4, 208)], &[shape_of(2, 4, 8, 200), shape_of(2, 3, 8, 200)]];

/// Shapes to try where it has fewer.
const SHAPES_OF_FLOAT: [&[Shape]; 4] = [&[], &[], &[shape_of(4, 1, 4, 144)], &[shape_of(2, 4, 12, 144)]];

/// Rows that a work-group streams, by rank: fewer are computed twice in a long part, more work-groups run in short ones.
const CHUNKS: [i64; 4] = [0, 0, 128, 96];

/// Registers for addresses, bounds and intermediate results.
const OTHER_REGISTERS: i64 = 48;

/// The shape and the tiles of a stream, deepest first, as far as the user's choices leave them open; `None` if the nest
/// cannot be streamed or a stream would not pay.
pub fn choose(
    nest: &Nest,
    reaches: &Reaches<'_>,
    recurrences: &Recurrences,
    tuning: &Tuning,
    rank: usize,
) -> Option<(StreamShape, Vec<Tile>)> {
    if !(2..=3).contains(&rank) || stream_obstacle(nest, recurrences).is_some() {
        return None;
    }
    let shapes = if largest_element(recurrences) == 8 { SHAPES_OF_DOUBLE[rank] } else { SHAPES_OF_FLOAT[rank] };
    shapes.iter().find_map(|wanted| {
        let shape = shape(tuning, recurrences, rank, wanted);
        if shape.rows * shape.columns > MOST_CELLS {
            return None;
        }
        let tile = |levels: usize| shape.tile(reaches, rank, levels);
        let blocks = |tile: &Tile| blocks_of(nest, recurrences, tile, &shape);
        let pays = |tile: &Tile| {
            let blocks = blocks(tile);
            tile.stages.len() as i64 * shape.rows * shape.columns <= MOST_COMPUTED
                && registers(&blocks, &shape, recurrences) <= wanted.registers
                && blocks.exchanged_bytes(&shape) <= profile::GPU.local_limit
                && tile.redundancy() < MOST_REDUNDANT
        };
        let deepest = match tuning.time_tile {
            Some(levels) => {
                tile(levels as usize).filter(|tile| registers(&blocks(tile), &shape, recurrences) <= MOST_REGISTERS)?
            }
            None => DEPTHS[rank].iter().filter_map(|levels| tile(*levels)).find(pays)?,
        };
        let edge_sets = if 2 * blocks(&deepest).exchanged_bytes(&shape) <= MOST_OF_TWO_SETS { 2 } else { 1 };
        let is_paired = pairs_pay(shape.sub_groups, deepest.levels);
        let mut tiles = vec![deepest];
        while let levels @ 2.. = tiles[tiles.len() - 1].levels / 2 {
            tiles.push(tile(levels)?);
        }
        Some((StreamShape { edge_sets, is_paired, ..shape }, tiles))
    })
}

/// Cells of a work-item: a mask has a bit for each.
const MOST_CELLS: i64 = 32;

/// Values that a work-item computes in a step: each is a line of the kernel, several times over, and the device's compiler
/// has to get through them.
const MOST_COMPUTED: i64 = 200;

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

fn blocks_of(nest: &Nest, recurrences: &Recurrences, tile: &Tile, shape: &StreamShape) -> Blocks {
    Blocks::new(&Pipeline::smallest(nest, recurrences, tile, shape), shape)
}

/// 32-bit registers that a work-item of a streamed tile needs.
pub fn registers_of(nest: &Nest, recurrences: &Recurrences, tile: &Tile, shape: &StreamShape) -> i64 {
    registers(&blocks_of(nest, recurrences, tile, shape), shape, recurrences)
}

/// Registers that a work-item needs.
fn registers(blocks: &Blocks, shape: &StreamShape, recurrences: &Recurrences) -> i64 {
    let ahead = shape.ahead * shape.columns * shape.rows * largest_element(recurrences);
    (blocks.carried_bytes() + ahead) / 4 + OTHER_REGISTERS
}

/// The user's choices, and the wanted ones where there are none.
fn shape(tuning: &Tuning, recurrences: &Recurrences, rank: usize, wanted: &Shape) -> StreamShape {
    let columns = tuning.per_item.map_or(wanted.columns, |points| i64::from(points.next_power_of_two().min(8)));
    let chunk = tuning.tile.get(rank - 1).map_or(CHUNKS[rank], |extent| i64::from((*extent).max(1)));
    let group = tuning.work_group.get(1);
    let sub_groups = group.map_or(wanted.sub_groups, |extent| i64::from(*extent).clamp(1, LANES));
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
    if rank == 2 {
        return independent;
    }
    let rows = tuning.tile.get(1).map_or(wanted.rows, |extent| (i64::from(*extent) + sub_groups - 1) / sub_groups);
    let rows = rows.min(MOST_CELLS / columns).max(widest_row_offset(recurrences));
    StreamShape { rows, ahead: 1, prefetched: 2, age_of_columns: 0, ..independent }
}

/// How far apart the rows of one plane are that a sweep reads: a sub-group sees no further than its neighbour's.
fn widest_row_offset(recurrences: &Recurrences) -> i64 {
    let offsets = recurrences.storage.reads.values().filter_map(|read| read.offset.as_ref());
    offsets.filter(|offset| offset.len() == 3).map(|offset| offset[1].abs()).max().unwrap_or(1)
}

/// Bytes of the largest element that a sweep writes.
fn largest_element(recurrences: &Recurrences) -> i64 {
    let fields = recurrences.storage.fields.iter().filter(|field| field.is_written);
    fields.map(|field| field.element.size() as i64).max().unwrap_or(8)
}
