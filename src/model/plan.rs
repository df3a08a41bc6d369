//! How a nest runs on a kind of device.

use std::collections::BTreeMap;

use super::profile::Profile;
use crate::options::StrategyName;
use crate::tile::{Leaves, Reaches, StreamShape, Tile};

/// Where a tile keeps the values that go from level to level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TileStorage {
    /// All cells of a level in local memory.
    Local,
    /// The last rows of each level in registers.
    Registers(StreamShape),
    /// The last rows of each level in local memory.
    RowWindows,
}

impl TileStorage {
    /// The strategy that asks for it.
    pub fn strategy(&self) -> StrategyName {
        match self {
            Self::Local => StrategyName::Local,
            Self::Registers(_) => StrategyName::Stream,
            Self::RowWindows => StrategyName::Rows,
        }
    }
}

/// How the kernels for one kind of device are to be built.
#[derive(Clone, Debug)]
pub struct KernelPlan {
    /// Name of the device kind, `gpu` or `cpu`; `tuned_3` for the third plan of a tuning file.
    pub name: String,
    /// What it was chosen for.
    pub profile: Profile,
    /// Part of the names of the devices that it is for; `None`: all of the kind.
    pub device: Option<String>,
    /// Values of integer parameters that it is for.
    pub sizes: BTreeMap<String, i64>,
    /// Time tiles of decreasing depth, of the same depth the one that leaves results last; empty for the strategy `direct`.
    pub tiles: Vec<Tile>,
    /// The time tile that folds what each of its steps gives, if there is one.
    pub folding_tile: Option<Tile>,
    /// Where tiles keep their values.
    pub storage: TileStorage,
    /// Whether single sweeps are kernels of their own.
    pub has_sweep_kernels: bool,
    /// Work-group of tile kernels, fastest dimension first.
    pub tile_work_group: [u32; 3],
    /// Work-group of sweep kernels, fastest dimension first.
    pub sweep_work_group: [u32; 3],
}

impl KernelPlan {
    /// The name of its strategy: that of its tiles, or that of single sweeps.
    pub fn strategy_name(&self) -> StrategyName {
        if self.tiles.is_empty() { StrategyName::Direct } else { self.storage.strategy() }
    }

    /// Whether both make the same kernels for the same kind of device, but for their names.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let are_like = |(one, other): (&Tile, &Tile)| one.levels == other.levels && one.core == other.core;
        self.profile.is_gpu == other.profile.is_gpu
            && self.storage == other.storage
            && self.has_sweep_kernels == other.has_sweep_kernels
            && self.tile_work_group == other.tile_work_group
            && self.sweep_work_group == other.sweep_work_group
            && self.tiles.len() == other.tiles.len()
            && self.tiles.iter().zip(&other.tiles).all(are_like)
            && self.folding_tile.is_some() == other.folding_tile.is_some()
    }
}

/// The deepest tile; the same that leaves results, unless the deepest does, for the last launch of several steps; then such
/// tiles of the `shorter` depths, for the last steps. What `tile` does not make is left out.
pub(super) fn with_last(deepest: Tile, shorter: Vec<usize>, tile: impl Fn(usize, Leaves) -> Option<Tile>) -> Vec<Tile> {
    let same = tile(deepest.levels, Leaves::Results).filter(|same| same.leaves != deepest.leaves);
    let shorter = shorter.into_iter().filter_map(|levels| tile(levels, Leaves::Results));
    let last: Vec<Tile> = same.into_iter().chain(shorter).collect();
    [vec![deepest], last].concat()
}

/// Half a depth, a quarter, and so on.
pub(super) fn halved(levels: usize) -> Vec<usize> {
    std::iter::successors(Some(levels / 2), |levels| Some(levels / 2)).take_while(|levels| *levels > 1).collect()
}

/// As [`with_last`], all of one core and none of more local memory than the deepest.
pub(super) fn with_last_of_core(
    reaches: &Reaches<'_>,
    deepest: Tile,
    shorter: Vec<usize>,
    bytes: impl Fn(&Tile) -> i64,
) -> Vec<Tile> {
    let (core, most) = (deepest.core.clone(), bytes(&deepest));
    with_last(deepest, shorter, |levels, leaves| {
        Some(Tile::new(reaches, &core, levels, leaves)).filter(|tile| bytes(tile) <= most)
    })
}

/// The core of a tile as flags give it, fastest dimension first.
pub(super) fn extents(tile: &Tile) -> Vec<u32> {
    tile.core.iter().rev().copied().map(flag_of).collect()
}

/// A count as flags give it.
pub(super) fn flag_of(count: i64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// `4 x 8`
pub(super) fn by(extents: &[u32]) -> String {
    extents.iter().map(u32::to_string).collect::<Vec<_>>().join(" x ")
}
