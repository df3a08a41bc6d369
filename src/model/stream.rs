//! Shapes of streamed tiles.

use crate::ir::Nest;
use crate::kernel::{StreamShape, stream_core};
use crate::options::Tuning;
use crate::poly::Recurrences;
use crate::tile::{Reaches, Tile, stream_obstacle};

/// The tiles of a stream, deepest first, as far as the user's choices say how; `None` if the nest cannot be streamed.
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
    let deepest = tuning.time_tile.map_or(if rank == 2 { 8 } else { 3 }, |levels| levels as usize);
    let shape = shape(tuning, rank, &Tile::new(reaches, &vec![1; rank], deepest));
    let mut tiles = Vec::new();
    let mut levels = deepest;
    while levels > 0 {
        let unit = Tile::new(reaches, &vec![1; rank], levels);
        if let Some(core) = stream_core(&shape, &unit.region()) {
            tiles.push(unit.with_core(&core));
        }
        levels /= 2;
    }
    tiles.retain(|tile| tile.levels > 1 || deepest == 1);
    (!tiles.is_empty()).then_some((shape, tiles))
}

fn shape(tuning: &Tuning, rank: usize, unit: &Tile) -> StreamShape {
    let columns = tuning.per_item.map_or(if rank == 2 { 4 } else { 2 }, |points| points.next_power_of_two().min(8));
    let chunk = tuning.tile.get(rank - 1).map_or(if rank == 2 { 256 } else { 128 }, |extent| i64::from(*extent));
    let ahead = std::env::var("AHEAD").ok().and_then(|a| a.parse().ok()).unwrap_or(1);
    let age_of_columns = std::env::var("AGE").ok().and_then(|a| a.parse().ok()).unwrap_or(0);
    if rank == 2 {
        return StreamShape { columns: i64::from(columns), rows: 1, sub_groups: tuning.work_group.get(1).map_or(1, |extent| i64::from(*extent)), chunk, ahead, age_of_columns };
    }
    let sub_groups = tuning.work_group.get(1).map_or(8, |extent| i64::from(*extent));
    let ghost = unit.region().hi[1] - unit.region().lo[1];
    let rows = tuning.tile.get(1).map_or(4, |extent| (i64::from(*extent) + ghost + sub_groups - 1) / sub_groups);
    StreamShape { columns: i64::from(columns), rows, sub_groups, chunk, ahead, age_of_columns }
}
