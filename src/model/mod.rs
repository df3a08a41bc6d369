//! Choice of strategy, time tile, tile and work-group without running anything.
//!
//! A tile's time is that of its transfers plus the larger of its local memory and arithmetic times, which grow with
//! redundant cells and idle work-items (EBISU, ICS 2023, section 5; Holewinski et al., ICS 2012, section 5.2).

mod cost;
mod estimate;
mod granted;
mod limits;
mod profile;
mod registers;
mod rows;
mod stream;
mod stream_rate;
mod stream_shape;
#[cfg(test)]
mod tests;
mod work;

pub use cost::{CallCost, Pace};
pub use estimate::Estimate;
pub use limits::size_parameters;
pub use profile::Profile;

use std::collections::BTreeMap;

use granted::note_ungranted;
use limits::{check_count, check_sizes, check_tile, check_tuning};
use work::Work;

use crate::ir::{Nest, ScalarType, StrategyName};
use crate::options::{DeviceKindName, MeasuredDevice, Options, TunedPlan, Tuning};
use crate::poly::Recurrences;
use crate::source::Diagnostic;
use crate::tile::{Leaves, Reaches, StreamShape, Tile};

/// Where a tile keeps the values that go from level to level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TileStorage {
    /// All cells of a level in local memory.
    Local,
    /// The last rows of each level in registers.
    Registers(StreamShape),
    /// The last rows of each level in local memory.
    Rings,
}

impl TileStorage {
    /// The strategy that asks for it.
    pub fn strategy(&self) -> StrategyName {
        match self {
            Self::Local => StrategyName::Local,
            Self::Registers(_) => StrategyName::Stream,
            Self::Rings => StrategyName::Rows,
        }
    }

    /// Bytes of local memory that a tile needs, but for what the sub-groups of a stream exchange.
    pub fn local_bytes(&self, nest: &Nest, recurrences: &Recurrences, tile: &Tile) -> i64 {
        match self {
            Self::Local => local_bytes(recurrences, tile),
            Self::Registers(_) => 0,
            Self::Rings => rows::Rows::new(nest, recurrences, tile).ring_bytes,
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
    /// Where tiles keep their values.
    pub storage: TileStorage,
    /// Whether single sweeps are kernels of their own.
    pub has_sweep_kernels: bool,
    /// Work-group of tile kernels, fastest dimension first.
    pub tile_work_group: [u32; 3],
    /// Work-group of sweep kernels, fastest dimension first.
    pub sweep_work_group: [u32; 3],
}

/// Deepest time tile that the model looks at, by rank of the grid.
const DEEPEST: [&[usize]; 5] = [&[], &[32, 16, 8, 4, 2], &[12, 8, 6, 4, 3, 2], &[4, 3, 2], &[2]];

/// What one plan is to be like.
struct Wish<'a> {
    name: String,
    device: Option<String>,
    sizes: BTreeMap<String, i64>,
    tuning: &'a Tuning,
    profile: Profile,
    /// Who asks for it, as a sentence.
    origin: String,
}

/// How a nest runs on devices.
#[derive(Clone, Debug)]
pub struct Plans {
    /// The plans, in order of preference.
    pub plans: Vec<KernelPlan>,
    /// What was asked for and cannot be had.
    pub notes: Vec<Diagnostic>,
}

impl Plans {
    /// Plans for the devices for which the options want kernels.
    ///
    /// # Errors
    /// Tuning values out of all bounds, sizes of what is no parameter.
    pub fn new(
        nest: &Nest,
        recurrences: &Recurrences,
        reaches: Option<&Reaches<'_>>,
        options: &Options,
    ) -> Result<Self, Box<Diagnostic>> {
        let tuning = options.tuning_for(&nest.clauses);
        let tuned = options.tuned_for(nest);
        let mut plans = choose(nest, recurrences, reaches, &tuning, &tuned, &options.measured)?;
        let notes = note_ungranted(nest, recurrences, reaches, &tuning, &tuned, &plans);
        let is_wanted = |is_gpu| options.kernels_for.is_none_or(|kind| (kind == DeviceKindName::Gpu) == is_gpu);
        plans.retain(|plan| is_wanted(plan.profile.is_gpu));
        Ok(Self { plans, notes })
    }
}

/// The tuned plans in their order, then one for each measured device for which the model chooses another than for its kind,
/// then one for all GPUs and one for all CPUs.
///
/// # Errors
/// Tuning values out of all bounds, sizes of what is no parameter.
fn choose(
    nest: &Nest,
    recurrences: &Recurrences,
    reaches: Option<&Reaches<'_>>,
    tuning: &Tuning,
    tuned: &[TunedPlan],
    measured: &[MeasuredDevice],
) -> Result<Vec<KernelPlan>, Box<Diagnostic>> {
    check_count(nest, tuned)?;
    for plan in tuned {
        check_sizes(nest, plan)?;
    }
    let element = nest.element();
    let of_tuned = tuned.iter().map(|plan| Wish::of_tuned(plan, measured, element));
    let of_measured = (1..).zip(measured).map(|(number, device)| Wish::of_measured(tuning, device, number, element));
    let of_kinds = [DeviceKindName::Gpu, DeviceKindName::Cpu].map(|kind| Wish::of_kind(tuning, kind));
    let wishes: Vec<Wish<'_>> = of_tuned.chain(of_measured).chain(of_kinds).collect();
    for wish in &wishes {
        check_tuning(nest, recurrences, wish.tuning, &wish.origin)?;
    }
    let mut plans = Vec::new();
    for wish in &wishes {
        let plan = choose_for(reaches.filter(|_| wish.may_be_tiled()), nest, recurrences, wish);
        let bytes = |tile| plan.storage.local_bytes(nest, recurrences, tile);
        plan.tiles.iter().try_for_each(|tile| check_tile(nest, bytes(tile), &wish.origin))?;
        plans.push(plan);
    }
    let of_kinds = plans.split_off(tuned.len() + measured.len());
    let of_measured = plans.split_off(tuned.len());
    let differs = |plan: &KernelPlan| !of_kinds.iter().any(|of_kind| plan.is_like(of_kind));
    plans.extend(of_measured.into_iter().filter(differs));
    plans.extend(of_kinds);
    Ok(plans)
}

impl KernelPlan {
    /// Whether both make the same kernels for the same kind of device, but for their names.
    fn is_like(&self, other: &Self) -> bool {
        let are_like = |(one, other): (&Tile, &Tile)| one.levels == other.levels && one.core == other.core;
        self.profile.is_gpu == other.profile.is_gpu
            && self.storage == other.storage
            && self.has_sweep_kernels == other.has_sweep_kernels
            && self.tile_work_group == other.tile_work_group
            && self.sweep_work_group == other.sweep_work_group
            && self.tiles.len() == other.tiles.len()
            && self.tiles.iter().zip(&other.tiles).all(are_like)
    }
}

impl<'a> Wish<'a> {
    fn of_kind(tuning: &'a Tuning, kind: DeviceKindName) -> Self {
        let profile = Profile::of(kind).clone();
        let origin = "the flags and clauses of this nest ask for it".to_owned();
        Self { name: profile.name.into(), device: None, sizes: BTreeMap::new(), tuning, profile, origin }
    }

    fn of_measured(tuning: &'a Tuning, device: &MeasuredDevice, number: usize, element: Option<ScalarType>) -> Self {
        Self {
            name: format!("measured_{number}"),
            device: Some(device.name.clone()),
            profile: Profile::of_measured(device, element),
            ..Self::of_kind(tuning, device.kind)
        }
    }

    fn of_tuned(plan: &'a TunedPlan, measured: &[MeasuredDevice], element: Option<ScalarType>) -> Self {
        let profile = Profile::of(plan.device.kind);
        let device = measured.iter().find(|device| plan.device.is_named(&device.name));
        Self {
            name: format!("tuned_{}", plan.number),
            device: plan.device.name_part.clone(),
            sizes: plan.sizes.clone(),
            tuning: &plan.tuning,
            profile: device.map_or_else(|| profile.clone(), |device| profile.scaled(&device.rates, element)),
            origin: format!("{} asks for it", plan.place),
        }
    }

    fn may_be_tiled(&self) -> bool {
        self.tuning.strategy != Some(StrategyName::Direct)
    }
}

fn choose_for(reaches: Option<&Reaches<'_>>, nest: &Nest, recurrences: &Recurrences, wish: &Wish<'_>) -> KernelPlan {
    let (tuning, profile) = (wish.tuning, &wish.profile);
    let storage = &recurrences.storage;
    let rank = storage.writes.first().map_or(1, |(field, _)| storage.fields[*field].rank);
    let mut plan = KernelPlan {
        name: wish.name.clone(),
        profile: profile.clone(),
        device: wish.device.clone(),
        sizes: wish.sizes.clone(),
        tiles: Vec::new(),
        storage: TileStorage::Local,
        has_sweep_kernels: true,
        tile_work_group: work_group(tuning, profile.tile_work_groups[rank.min(4)], rank),
        sweep_work_group: work_group(tuning, profile.sweep_work_groups[rank.min(4)], rank),
    };
    let Some(reaches) = reaches else { return plan };
    if (tuning.strategy == Some(StrategyName::Stream) || (profile.is_gpu && tuning.strategy.is_none()))
        && let Some((shape, tiles)) = stream::choose(nest, reaches, recurrences, tuning, profile, rank)
    {
        plan.storage = TileStorage::Registers(shape);
        plan.tiles = tiles;
        return plan;
    }
    if (tuning.strategy == Some(StrategyName::Rows) || (!profile.is_gpu && tuning.strategy.is_none()))
        && let Some(tiles) = rows::choose(nest, reaches, recurrences, tuning, profile)
    {
        plan.storage = TileStorage::Rings;
        plan.tile_work_group = [1; 3];
        plan.tiles = tiles;
        return plan;
    }
    let best = best_tile(reaches, nest, recurrences, tuning, profile, rank, plan.tile_work_group);
    let Some(deepest) = best else { return plan };
    if deepest.levels == 1 {
        plan.has_sweep_kernels = false;
        plan.tiles = vec![deepest];
        return plan;
    }
    let shorter = halved(deepest.levels);
    plan.tiles = with_last_of_core(reaches, deepest, shorter, |tile| local_bytes(recurrences, tile));
    plan
}

/// The deepest tile; the same that leaves results, unless the deepest does, for the last launch of several steps; then such
/// tiles of the `shorter` depths, for the last steps. What `tile` does not make is left out.
fn with_last(deepest: Tile, shorter: Vec<usize>, tile: impl Fn(usize, Leaves) -> Option<Tile>) -> Vec<Tile> {
    let same = tile(deepest.levels, Leaves::Results).filter(|same| same.leaves != deepest.leaves);
    let shorter = shorter.into_iter().filter_map(|levels| tile(levels, Leaves::Results));
    let last: Vec<Tile> = same.into_iter().chain(shorter).collect();
    [vec![deepest], last].concat()
}

/// Half a depth, a quarter, and so on.
fn halved(levels: usize) -> Vec<usize> {
    std::iter::successors(Some(levels / 2), |levels| Some(levels / 2)).take_while(|levels| *levels > 1).collect()
}

/// As [`with_last`], all of one core and none of more local memory than the deepest.
fn with_last_of_core(
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

/// The tile with the best attainable performance; `None` if single sweeps are at least as good.
fn best_tile(
    reaches: &Reaches<'_>,
    nest: &Nest,
    recurrences: &Recurrences,
    tuning: &Tuning,
    profile: &Profile,
    rank: usize,
    work_group: [u32; 3],
) -> Option<Tile> {
    let work = Work::new(nest, recurrences);
    let forced = tuning.strategy == Some(StrategyName::Local) || tuning.time_tile.is_some();
    let mut best = if forced { None } else { Some((work.direct_rate(profile), None)) };
    let asked;
    let depths: &[usize] = match tuning.time_tile {
        Some(levels) => {
            asked = [levels as usize];
            &asked
        }
        None => DEEPEST[rank],
    };
    for &levels in depths {
        let unit = Tile::new(reaches, &vec![1; rank], levels, Leaves::Inputs);
        for core in cores(tuning, profile, rank, work_group) {
            let tile = unit.with_core(&core);
            let is_fixed = !tuning.tile.is_empty() || depths.len() == 1;
            let bytes = local_bytes(recurrences, &tile);
            if bytes > profile.local_limit && !(is_fixed && bytes <= profile.local_maximum) {
                continue;
            }
            let rate = work.tile_rate(recurrences, &tile, profile, work_group);
            if best.as_ref().is_none_or(|(other, _)| rate > *other) {
                best = Some((rate, Some(tile)));
            }
        }
    }
    if forced && best.is_none() {
        // Nothing that was asked for fits the local memory: the smallest core does, or the device will refuse.
        let levels = depths[depths.len() - 1];
        let core = cores(tuning, profile, rank, work_group).into_iter().min_by_key(|core| core.iter().product::<i64>());
        return core.map(|core| Tile::new(reaches, &core, levels, Leaves::Inputs));
    }
    best.and_then(|(_, tile)| tile)
}

fn work_group(tuning: &Tuning, default: [u32; 3], rank: usize) -> [u32; 3] {
    if tuning.work_group.is_empty() {
        return default;
    }
    let mut shape = [1; 3];
    for (d, extent) in tuning.work_group.iter().take(rank.min(3)).enumerate() {
        shape[d] = (*extent).max(1);
    }
    shape
}

/// Candidate cores, outermost dimension first.
fn cores(tuning: &Tuning, profile: &Profile, rank: usize, work_group: [u32; 3]) -> Vec<Vec<i64>> {
    let per_item = tuning.per_item.map(|points| i64::from(points) * i64::from(work_group[0]));
    let asked = |d: usize| tuning.tile.get(d).map(|extent| i64::from((*extent).max(1)));
    let choices: Vec<Vec<i64>> = (0..rank)
        .map(|d| match asked(d).or(if d == 0 { per_item } else { None }) {
            Some(extent) => vec![extent],
            None => profile.extents(rank, d).to_vec(),
        })
        .collect();
    let mut all: Vec<Vec<i64>> = vec![Vec::new()];
    for choice in choices {
        all = all
            .into_iter()
            .flat_map(|core| choice.iter().map(move |extent| [vec![*extent], core.clone()].concat()))
            .collect();
    }
    all
}

/// Bytes of local memory that a tile needs.
fn local_bytes(recurrences: &Recurrences, tile: &Tile) -> i64 {
    let size = |field: usize| recurrences.storage.fields[field].element.size() as i64;
    let bytes = |field: usize| Some(tile.field_region(field)?.volume().saturating_mul(size(field)));
    tile.slots.keys().filter_map(|(field, _)| bytes(*field)).fold(0, i64::saturating_add)
}

/// The core of a tile as flags give it, fastest dimension first.
fn extents(tile: &Tile) -> Vec<u32> {
    tile.core.iter().rev().copied().map(flag_of).collect()
}

/// A count as flags give it.
fn flag_of(count: i64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
