//! What can be tried: for each strategy a grid of choices.

use crate::model::Estimate;
use crate::options::{StrategyName, Tuning};
use crate::settings::Setting;

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
    choices: Vec<u32>,
}

impl Axis {
    /// What a plan has of the value; 1 if it says nothing.
    fn of(&self, tuning: &Tuning) -> u32 {
        let choice = match self.value {
            Value::TimeTile => tuning.time_tile,
            Value::PerItem => tuning.per_item,
            Value::Tile(d) => tuning.tile.get(d).copied(),
            Value::WorkGroup(d) => tuning.work_group.get(d).copied(),
        };
        choice.unwrap_or(1)
    }
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
        let grid =
            |(strategy, axes): &(StrategyName, Axes)| Some(Grid { strategy: *strategy, axes: axes(rank, is_gpu)? });
        Self { grids: STRATEGIES.iter().filter_map(grid).collect() }
    }

    /// Leaves out time tiles of more steps than the nest takes.
    pub fn limit_depth(&mut self, steps: i64) {
        let time_tiles =
            self.grids.iter_mut().flat_map(|grid| &mut grid.axes).filter(|axis| axis.value == Value::TimeTile);
        for axis in time_tiles {
            let fitting = axis.choices.partition_point(|levels| i64::from(*levels) <= steps);
            axis.choices.truncate(fitting.max(1));
        }
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

    /// Adds the choices of a plan, between the others or beyond them.
    pub fn include(&mut self, tuning: &Tuning) {
        for grid in self.grids.iter_mut().filter(|grid| Some(grid.strategy) == tuning.strategy) {
            for axis in &mut grid.axes {
                let choice = axis.of(tuning);
                if let Err(place) = axis.choices.binary_search(&choice) {
                    axis.choices.insert(place, choice);
                }
            }
        }
    }

    /// The place of a plan whose choices the space includes; `None` if it lacks any of them.
    pub fn find(&self, tuning: &Tuning) -> Option<Point> {
        let grid = self.grids.iter().position(|grid| Some(grid.strategy) == tuning.strategy)?;
        let axes = self.grids[grid].axes.iter();
        let at = axes.map(|axis| axis.choices.binary_search(&axis.of(tuning)).ok()).collect::<Option<_>>()?;
        Some(Point { grid, at })
    }
}

/// The axes of a strategy for grids of a rank on GPUs or on CPUs; `None` where it is not tried.
type Axes = fn(usize, bool) -> Option<Vec<Axis>>;

/// What is tried of each strategy, the more promising ones first.
const STRATEGIES: [(StrategyName, Axes); 3] =
    [(StrategyName::Stream, stream), (StrategyName::Rows, rows), (StrategyName::Local, local)];

/// 32-bit registers above which a stream is not tried: a work-item has 255, and the estimate is a rough one.
const MOST_REGISTERS: i64 = 320;

/// Computed cells for each useful one above which a plan is not tried.
const MOST_REDUNDANT: f64 = 4.0;

/// Why a plan is not worth a run, by what the model says of it.
pub fn ruled_out(tuning: &Tuning, estimate: &Estimate) -> Option<&'static str> {
    let is_other = |strategy| estimate.strategy.is_some_and(|other| other != strategy);
    if tuning.strategy.is_some_and(is_other) {
        Some("it cannot be streamed like that")
    } else if tuning.time_tile.is_some_and(|steps| steps as usize != estimate.levels) {
        Some("it cannot have such a time tile")
    } else if estimate.local_bytes > estimate.local_maximum {
        Some("too much local memory")
    } else if estimate.registers.is_some_and(|registers| registers > MOST_REGISTERS) {
        Some("too many registers")
    } else {
        (estimate.redundancy > MOST_REDUNDANT).then_some("too many redundant cells")
    }
}

/// `stream, time_tile 8, tile 1 x 128, per_item 2, work_group 32 x 4`
pub fn describe(tuning: &Tuning) -> String {
    let part = |setting: Setting| {
        let value = tuning.asked(setting)?.separated_by(" x ");
        Some(if setting == Setting::Strategy { value } else { format!("{} {value}", setting.key()) })
    };
    Tuning::PLAN.into_iter().filter_map(part).collect::<Vec<_>>().join(", ")
}

fn put(extents: &mut Vec<u32>, d: usize, choice: u32) {
    if extents.len() <= d {
        extents.resize(d + 1, 1);
    }
    extents[d] = choice;
}

/// `choices` in ascending order.
fn axis(value: Value, choices: &[u32]) -> Axis {
    Axis { value, choices: choices.to_vec() }
}

/// Streams: the last extent of the tile is how far a tile streams, the work-group has sub-groups of 32.
fn stream(rank: usize, is_gpu: bool) -> Option<Vec<Axis>> {
    if !is_gpu || !(1..=3).contains(&rank) {
        return None;
    }
    let sub_group = axis(Value::WorkGroup(0), &[32]);
    Some(match rank {
        1 => vec![
            axis(Value::TimeTile, &[4, 8, 12, 16, 20, 24, 32, 40]),
            axis(Value::PerItem, &[1, 2, 4, 8]),
            axis(Value::WorkGroup(0), &[32, 64, 128, 256, 512]),
        ],
        2 => vec![
            axis(Value::TimeTile, &[2, 3, 4, 5, 6, 7, 8, 10, 12]),
            axis(Value::PerItem, &[1, 2, 4, 8]),
            axis(Value::Tile(1), &[32, 64, 100, 128, 150, 256, 512]),
            sub_group,
            axis(Value::WorkGroup(1), &[1, 2, 4, 8]),
        ],
        _ => vec![
            axis(Value::TimeTile, &[2, 3, 4, 5, 6, 8]),
            axis(Value::PerItem, &[1, 2, 4]),
            // How many tiles cover the grid matters more than round numbers.
            axis(Value::Tile(1), &[8, 16, 24, 32, 36, 40, 44, 45, 48, 55, 60, 64]),
            axis(Value::Tile(2), &[32, 64, 96, 104, 112, 128, 256]),
            sub_group,
            axis(Value::WorkGroup(1), &[2, 4, 8, 10, 11, 12, 15, 16]),
        ],
    })
}

/// Rows that stream through the cache of a CPU, where a work-item is a tile.
fn rows(rank: usize, is_gpu: bool) -> Option<Vec<Axis>> {
    if is_gpu || !(2..=3).contains(&rank) {
        return None;
    }
    let depths: &[u32] = if rank == 2 { &[2, 4, 6, 8, 12, 16, 24, 32] } else { &[2, 3, 4, 6, 8] };
    let mut axes = vec![axis(Value::TimeTile, depths), axis(Value::Tile(0), &[64, 128, 256, 512, 1024, 2048])];
    axes.extend((1..rank - 1).map(|d| axis(Value::Tile(d), &[4, 8, 16, 32, 64, 128])));
    axes.push(axis(Value::Tile(rank - 1), &[32, 64, 128, 256, 512]));
    Some(axes)
}

/// Tiles in local memory; on a CPU a work-item is a tile.
fn local(rank: usize, is_gpu: bool) -> Option<Vec<Axis>> {
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
    Some(axes)
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
        let stream = Space::new(2, true).tuning(&Point { grid: 0, at: vec![6, 1, 3, 0, 2] });
        assert_eq!((stream.strategy, stream.time_tile), (Some(StrategyName::Stream), Some(8)));
        assert_eq!((stream.tile, stream.per_item, stream.work_group), (vec![1, 128], Some(2), vec![32, 4]));
    }

    #[test]
    fn a_plan_that_is_included_is_found_between_its_neighbours() {
        let own = Tuning {
            strategy: Some(StrategyName::Stream),
            time_tile: Some(16),
            per_item: Some(4),
            tile: vec![448, 110],
            work_group: vec![32, 4],
            ..Tuning::default()
        };
        let space = Space::new(2, true);
        assert_eq!(space.find(&own), None);
        let mut wider = space.clone();
        wider.include(&own);
        let point = wider.find(&own).expect("it was included");
        assert_eq!(wider.tuning(&point), Tuning { tile: vec![1, 110], ..own.clone() });
        let mut before = point;
        before.at[..3].iter_mut().for_each(|at| *at -= 1);
        let before = wider.tuning(&before);
        assert_eq!(before, Tuning { time_tile: Some(12), per_item: Some(2), tile: vec![1, 100], ..own.clone() });
        let size = wider.size();
        let direct = Tuning { strategy: Some(StrategyName::Direct), ..Tuning::default() };
        for known in [&own, &direct] {
            wider.include(known);
            assert_eq!(wider.size(), size);
        }
        assert_eq!(wider.find(&direct), None);
    }

    #[test]
    fn no_time_tile_has_more_steps_than_the_nest() {
        let deepest = |steps: i64| {
            let mut space = Space::new(2, false);
            space.limit_depth(steps);
            let depths = |grid: usize| {
                let last = Point { grid, at: space.extents(grid).iter().map(|extent| extent - 1).collect() };
                space.tuning(&last).time_tile
            };
            (0..space.grid_count()).filter_map(depths).max()
        };
        assert_eq!((deepest(20), deepest(1000), deepest(1)), (Some(16), Some(32), Some(2)));
    }

    #[test]
    fn all_choices_ascend() {
        for (rank, is_gpu) in [1, 2, 3, 4].into_iter().flat_map(|rank| [(rank, true), (rank, false)]) {
            let mut axes = Space::new(rank, is_gpu).grids.into_iter().flat_map(|grid| grid.axes);
            assert!(axes.all(|axis| axis.choices.is_sorted_by(|a, b| a < b)), "rank {rank}");
        }
    }

    #[test]
    fn the_model_rules_out_what_cannot_pay() {
        let local = Tuning { strategy: Some(StrategyName::Local), time_tile: Some(4), ..Tuning::default() };
        let good = Estimate { levels: 4, local_bytes: 100, local_maximum: 100, redundancy: 1.5, ..Estimate::default() };
        assert_eq!(ruled_out(&local, &good), None);
        let reason = |estimate: Estimate| ruled_out(&local, &estimate);
        assert_eq!(reason(Estimate { levels: 2, ..good.clone() }), Some("it cannot have such a time tile"));
        assert_eq!(reason(Estimate { local_bytes: 101, ..good.clone() }), Some("too much local memory"));
        assert_eq!(reason(Estimate { redundancy: 4.5, ..good.clone() }), Some("too many redundant cells"));
        assert_eq!(reason(Estimate { registers: Some(400), ..good.clone() }), Some("too many registers"));
        assert_eq!(
            reason(Estimate { strategy: Some(StrategyName::Stream), ..good }),
            Some("it cannot be streamed like that")
        );
        assert_eq!(describe(&local), "local, time_tile 4");
    }
}
