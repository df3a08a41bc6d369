//! Shapes of streamed tiles.
//!
//! The deeper a tile, the fewer transfers a step, until its registers leave too few sub-groups on a multiprocessor to
//! hide the latencies of the others (EBISU, ICS 2023, section 5). The bounds below are fitted to kernel times on an
//! NVIDIA H200.

use crate::ir::Nest;
use crate::options::Tuning;
use crate::poly::Recurrences;
use crate::tile::{Blocks, LANES, Pipeline, Reaches, StreamShape, Tile, stream_obstacle};

/// Depths to try by rank, deepest first.
const DEPTHS: [&[usize]; 4] = [&[], &[], &[12, 10, 8, 7, 6, 5, 4, 3, 2], &[4, 3, 2]];

/// 32-bit registers of a work-item by rank: 16 sub-groups fit a multiprocessor in two dimensions, 8 in three.
const REGISTERS: [i64; 4] = [0, 0, 128, 255];

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
    let shape = shape(tuning, recurrences, rank, widest_row_offset(recurrences));
    if shape.rows * shape.columns > MOST_CELLS {
        return None;
    }
    let tile = |levels: usize| shape.tile(reaches, rank, levels);
    let registers = |tile: &Tile| registers_of(nest, recurrences, tile, &shape);
    let pays = |tile: &Tile| registers(tile) <= REGISTERS[rank] && tile.redundancy() < MOST_REDUNDANT;
    let deepest = match tuning.time_tile {
        Some(levels) => tile(levels as usize).filter(|tile| registers(tile) <= MOST_REGISTERS)?,
        None => DEPTHS[rank].iter().filter_map(|levels| tile(*levels)).find(pays)?,
    };
    let mut tiles = vec![deepest];
    while let levels @ 2.. = tiles[tiles.len() - 1].levels / 2 {
        tiles.push(tile(levels)?);
    }
    Some((shape, tiles))
}

/// Cells of a work-item: a mask has a bit for each.
const MOST_CELLS: i64 = 32;

/// Registers that nobody can want, not even spilled to memory.
const MOST_REGISTERS: i64 = 1024;

/// Computed cells for each useful one, ghost columns aside.
const MOST_REDUNDANT: f64 = 2.0;

/// 32-bit registers that a work-item of a streamed tile needs.
pub fn registers_of(nest: &Nest, recurrences: &Recurrences, tile: &Tile, shape: &StreamShape) -> i64 {
    registers(&Pipeline::smallest(nest, recurrences, tile, shape), shape, recurrences)
}

/// Registers that a work-item needs.
fn registers(pipeline: &Pipeline, shape: &StreamShape, recurrences: &Recurrences) -> i64 {
    let ahead = shape.ahead * shape.columns * shape.rows * largest_element(recurrences);
    (Blocks::new(pipeline, shape).carried_bytes() + ahead) / 4 + OTHER_REGISTERS
}

fn shape(tuning: &Tuning, recurrences: &Recurrences, rank: usize, row_offset: i64) -> StreamShape {
    let by_default = if largest_element(recurrences) == 8 || rank == 3 { 2 } else { 4 };
    let columns = tuning.per_item.map_or(by_default, |points| i64::from(points.next_power_of_two().min(8)));
    let chunk = tuning.tile.get(rank - 1).map_or(128, |extent| i64::from((*extent).max(1)));
    let group = |default| tuning.work_group.get(1).map_or(default, |extent| i64::from(*extent).clamp(1, LANES));
    if rank == 2 {
        return StreamShape {
            columns,
            rows: 1,
            sub_groups: group(4),
            chunk,
            ahead: 2,
            prefetched: 6,
            age_of_columns: 1,
        };
    }
    let sub_groups = group(8);
    let rows = tuning.tile.get(1).map_or(4, |extent| (i64::from(*extent) + sub_groups - 1) / sub_groups);
    let rows = rows.min(MOST_CELLS / columns).max(row_offset);
    StreamShape { columns, rows, sub_groups, chunk, ahead: 1, prefetched: 2, age_of_columns: 0 }
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
