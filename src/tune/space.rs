//! What can be tried: for each strategy a grid of choices.

use crate::ir::StrategyName;
use crate::options::Tuning;

/// One of the values that a plan consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    TimeTile,
    PerItem,
    /// Cells of the tile in a dimension, counted from the fastest.
    Tile(usize),
    /// Work-items of the work-group in a dimension.
    WorkGroup(usize),
}

/// A value and its choices, in their order.
#[derive(Clone, Debug)]
struct Axis {
    value: Value,
    choices: &'static [u32],
}

/// The choices of one strategy; values that no axis names are 1.
#[derive(Clone, Debug)]
struct Grid {
    strategy: StrategyName,
    axes: Vec<Axis>,
}

/// All plans that may be tried.
#[derive(Clone, Debug)]
pub struct Space {
    grids: Vec<Grid>,
}

/// A plan: the grid and the position on each of its axes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point {
    /// The grid.
    pub grid: usize,
    /// Position on each axis.
    pub at: Vec<usize>,
}

impl Space {
    /// The plans for grids of this rank on GPUs or on CPUs.
    pub fn new(rank: usize, is_gpu: bool) -> Self {
        let mut grids = vec![local(rank, is_gpu)];
        if (2..=3).contains(&rank) && is_gpu {
            grids.insert(0, stream(rank));
        }
        Self { grids }
    }

    /// Number of plans.
    pub fn size(&self) -> usize {
        self.grids.iter().map(|grid| grid.axes.iter().map(|axis| axis.choices.len()).product::<usize>()).sum()
    }

    /// Number of grids.
    pub fn grid_count(&self) -> usize {
        self.grids.len()
    }

    /// Number of choices on each axis of a grid.
    pub fn extents(&self, grid: usize) -> Vec<usize> {
        self.grids[grid].axes.iter().map(|axis| axis.choices.len()).collect()
    }

    /// The plan in words that clauses and tuning files use.
    pub fn tuning(&self, point: &Point) -> Tuning {
        let grid = &self.grids[point.grid];
        let mut tuning = Tuning { strategy: Some(grid.strategy), ..Tuning::default() };
        for (axis, at) in grid.axes.iter().zip(&point.at) {
            let choice = axis.choices[*at];
            match axis.value {
                Value::TimeTile => tuning.time_tile = Some(choice),
                Value::PerItem => tuning.per_item = Some(choice),
                Value::Tile(d) => put(&mut tuning.tile, d, choice),
                Value::WorkGroup(d) => put(&mut tuning.work_group, d, choice),
            }
        }
        tuning
    }
}

fn put(extents: &mut Vec<u32>, d: usize, choice: u32) {
    if extents.len() <= d {
        extents.resize(d + 1, 1);
    }
    extents[d] = choice;
}

fn axis(value: Value, choices: &'static [u32]) -> Axis {
    Axis { value, choices }
}

/// Streams: the last extent of the tile is how far a tile streams, the work-group has sub-groups of 32.
fn stream(rank: usize) -> Grid {
    let sub_group = axis(Value::WorkGroup(0), &[32]);
    let axes = if rank == 2 {
        vec![
            axis(Value::TimeTile, &[2, 3, 4, 5, 6, 7, 8, 10, 12]),
            axis(Value::PerItem, &[1, 2, 4, 8]),
            axis(Value::Tile(1), &[32, 64, 128, 256, 512]),
            sub_group,
            axis(Value::WorkGroup(1), &[1, 2, 4, 8]),
        ]
    } else {
        vec![
            axis(Value::TimeTile, &[2, 3, 4]),
            axis(Value::PerItem, &[1, 2, 4]),
            axis(Value::Tile(1), &[8, 16, 32, 64]),
            axis(Value::Tile(2), &[32, 64, 128, 256]),
            sub_group,
            axis(Value::WorkGroup(1), &[2, 4, 8, 16]),
        ]
    };
    Grid { strategy: StrategyName::Stream, axes }
}

/// Tiles in local memory; on a CPU a work-item is a tile.
fn local(rank: usize, is_gpu: bool) -> Grid {
    let fastest: &[u32] = match (rank, is_gpu) {
        (1, true) => &[256, 512, 1024, 2048],
        (1, false) => &[512, 1024, 2048, 4096, 8192],
        (_, true) => &[16, 32, 64, 128],
        (_, false) => &[32, 64, 128, 256, 512],
    };
    let slower: &[u32] = match (rank, is_gpu) {
        (2, true) => &[8, 16, 24, 32, 48],
        (2, false) => &[8, 16, 32, 64, 128],
        _ => &[2, 4, 8, 12, 16],
    };
    let depths: &[u32] = match rank {
        1 => &[2, 4, 8, 16, 32, 64],
        2 => &[1, 2, 3, 4, 6, 8, 12, 16],
        _ => &[1, 2, 3, 4],
    };
    let mut axes = vec![axis(Value::TimeTile, depths), axis(Value::Tile(0), fastest)];
    axes.extend((1..rank).map(|d| axis(Value::Tile(d), slower)));
    if is_gpu {
        let first: &[u32] = if rank == 1 { &[64, 128, 256, 512] } else { &[16, 32, 64] };
        axes.push(axis(Value::WorkGroup(0), first));
        axes.extend(
            (1..rank.min(3)).map(|d| axis(Value::WorkGroup(d), if d == 1 { &[2, 4, 8, 16] } else { &[1, 2, 4] })),
        );
    } else {
        axes.push(axis(Value::WorkGroup(0), &[1]));
    }
    Grid { strategy: StrategyName::Local, axes }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rank_has_plans_with_an_extent_a_dimension() {
        for (rank, is_gpu) in [(1, true), (2, true), (3, true), (4, true), (1, false), (2, false), (3, false)] {
            let space = Space::new(rank, is_gpu);
            assert!(space.size() > 20, "rank {rank}: {}", space.size());
            let local = space.grid_count() - 1;
            let last = Point { grid: local, at: space.extents(local).iter().map(|extent| extent - 1).collect() };
            assert_eq!(space.tuning(&last).tile.len(), rank);
        }
        let stream = Space::new(2, true).tuning(&Point { grid: 0, at: vec![6, 1, 2, 0, 2] });
        assert_eq!((stream.strategy, stream.time_tile), (Some(StrategyName::Stream), Some(8)));
        assert_eq!((stream.tile, stream.per_item, stream.work_group), (vec![1, 128], Some(2), vec![32, 4]));
    }
}
