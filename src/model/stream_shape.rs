//! Shapes of streamed tiles: work-groups, and what their work-items hold. They are fitted to kernel times, see
//! `examples/bench/README.md`.

use super::plan::{extents, flag_of};
use super::registers::largest_element;
use super::work::constant_offsets;
use crate::options::Tuning;
use crate::poly::Recurrences;
use crate::tile::{LANES, StreamShape, Tile};

/// What, beside its fields, decides which shapes suit a nest.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Character {
    /// Transfers and arithmetic set the pace.
    Usual,
    /// In one or two dimensions: so many slow operations of a step do, whose latencies take many sub-groups to hide.
    Slow(usize),
    /// In three dimensions: no step reads what another cell held before it.
    Pointwise,
}

/// A work-group and what its work-items may hold.
#[derive(Clone, Copy)]
pub struct Preset {
    columns: i64,
    rows: i64,
    sub_groups: i64,
    /// 32-bit registers of a work-item, as [`Carried`](super::registers::Carried) counts them.
    pub registers: i64,
}

const fn shape_of(columns: i64, rows: i64, sub_groups: i64, registers: i64) -> Preset {
    Preset { columns, rows, sub_groups, registers }
}

/// Shapes to try where the largest element has eight bytes, by rank.
const SHAPES_OF_DOUBLE: [&[Preset]; 4] = [
    &[],
    &[shape_of(8, 1, 4, 208), shape_of(4, 1, 4, 208)],
    &[shape_of(4, 1, 4, 208), shape_of(2, 1, 4, 208)],
    &[shape_of(2, 4, 8, 230), shape_of(2, 3, 8, 230)],
];

/// Shapes to try where it has fewer. Twelve sub-groups leave 168 registers to each of their work-items. In two dimensions
/// sub-groups work alone, and one that meets a boundary keeps no other one waiting if it is a work-group.
const SHAPES_OF_FLOAT: [&[Preset]; 4] = [
    &[],
    &[shape_of(16, 1, 4, 144), shape_of(8, 1, 4, 144), shape_of(4, 1, 4, 144)],
    &[shape_of(4, 1, 1, 160), shape_of(2, 1, 4, 160)],
    &[shape_of(2, 4, 12, 168)],
];

/// Shapes to try where slow operations set the pace: two columns as long as they leave four work-groups to a multiprocessor.
const SHAPES_OF_SLOW: &[Preset] = &[shape_of(2, 1, 4, 104), shape_of(1, 1, 4, 144)];

/// Shapes to try where a step reads no neighbour's value. There is nothing that few large work-groups would compute once
/// instead of twice.
const SHAPES_OF_POINTWISE: &[Preset] = &[shape_of(2, 2, 16, 128)];

/// Rows that a work-group streams, by rank: fewer are computed twice in a long part, more work-groups run in short ones.
const CHUNKS: [i64; 4] = [0, 0, 150, 96];

/// Shapes to try, best first.
pub fn shapes(recurrences: &Recurrences, rank: usize, character: Character) -> Vec<Preset> {
    let shapes = match character {
        Character::Pointwise => SHAPES_OF_POINTWISE,
        Character::Slow(_) => SHAPES_OF_SLOW,
        Character::Usual if largest_element(recurrences) == 8 => SHAPES_OF_DOUBLE[rank],
        Character::Usual => SHAPES_OF_FLOAT[rank],
    };
    // Neighbours of constants are read from memory for every column, elements apart that should lie side by side.
    let reads_beside = constant_offsets(recurrences).any(|(_, offset)| offset.last().is_some_and(|along| *along != 0));
    let most_columns = if rank == 3 && reads_beside { 1 } else { i64::MAX };
    let narrowed = |preset: &Preset| Preset { columns: preset.columns.min(most_columns), ..*preset };
    shapes.iter().map(narrowed).collect()
}

/// Bytes that the rows of a buffer are aligned to, and the most that a work-item loads at once.
const ROW_ALIGNMENT: i64 = 64;

/// Elements of OpenCL's longest vectors.
const MOST_OF_VECTOR: i64 = 16;

/// Cells of a work-item: a mask has a bit for each.
pub const MOST_CELLS: i64 = 32;

/// The user's choices, and the preset's where there are none; see [`flags`].
pub fn shape(tuning: &Tuning, recurrences: &Recurrences, rank: usize, preset: &Preset) -> StreamShape {
    let columns = tuning.per_item.map_or(preset.columns, |points| i64::from(points.next_power_of_two()));
    let columns = columns.min(most_columns(recurrences));
    let chunk = tuning.tile.get(rank - 1).map_or(CHUNKS[rank], |extent| i64::from((*extent).max(1)));
    let sub_groups = match rank {
        1 => tuning.work_group.first().map(|items| i64::from(*items) / LANES),
        _ => tuning.work_group.get(1).map(|extent| i64::from(*extent)),
    };
    let sub_groups = sub_groups.map_or(preset.sub_groups, |count| count.clamp(1, LANES));
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
    let rows = tuning.tile.get(1).map_or(preset.rows, |extent| (i64::from(*extent) + sub_groups - 1) / sub_groups);
    let rows = rows.min(MOST_CELLS / columns).max(widest_row_offset(recurrences));
    StreamShape { rows, ahead: 1, prefetched: 2, age_of_columns: 0, ..independent }
}

/// The choices that make [`shape`] give this shape again, for a tile of it.
pub fn flags(shape: &StreamShape, tile: &Tile) -> Tuning {
    let rank = tile.core.len();
    let mut tile = extents(tile);
    if let [_, rows, _] = &mut tile[..] {
        *rows = flag_of(shape.rows * shape.sub_groups);
    }
    Tuning {
        tile,
        per_item: Some(flag_of(shape.columns)),
        work_group: shape.work_group(rank)[..rank].to_vec(),
        ..Tuning::default()
    }
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
