//! Tiles in local memory.

use super::limits::possible_depths;
use super::plan::{KernelPlan, TileStorage, extents, halved, with_last_of_core};
use super::profile::Profile;
use super::strategy::{Expected, Request, Strategy};
use super::work::Work;
use crate::ir::Nest;
use crate::options::{FpMode, StrategyName, Tuning};
use crate::poly::Recurrences;
use crate::tile::{Leaves, Tile};

/// Deepest time tile that the model looks at, by rank of the grid.
const DEEPEST: [&[usize]; 5] = [&[], &[32, 16, 8, 4, 2], &[12, 8, 6, 4, 3, 2], &[4, 3, 2], &[2]];

/// Strategy `local`.
pub(super) struct Local;

impl Strategy for Local {
    fn name(&self) -> StrategyName {
        StrategyName::Local
    }

    /// It takes what the others cannot.
    fn is_tried(&self, asked: Option<StrategyName>, _: &Profile) -> bool {
        asked != Some(StrategyName::Direct)
    }

    fn propose(&self, request: &Request<'_>, plan: &KernelPlan) -> Option<KernelPlan> {
        let deepest = best_tile(request, plan.tile_work_group)?;
        let has_sweep_kernels = deepest.levels > 1;
        let tiles = match has_sweep_kernels {
            false => vec![deepest],
            true => {
                let shorter = halved(deepest.levels);
                let bytes = |tile: &Tile| local_bytes(request.recurrences, tile);
                with_last_of_core(request.reaches, deepest, shorter, bytes)
            }
        };
        Some(KernelPlan { storage: TileStorage::Local, tiles, has_sweep_kernels, ..plan.clone() })
    }

    fn local_bytes(&self, _: &Nest, recurrences: &Recurrences, tile: &Tile) -> i64 {
        local_bytes(recurrences, tile)
    }

    fn expected(&self, plan: &KernelPlan, nest: &Nest, recurrences: &Recurrences, _: FpMode) -> Expected {
        let work = Work::new(nest, recurrences);
        let rate =
            plan.tiles.first().map(|tile| work.tile_rate(recurrences, tile, &plan.profile, plan.tile_work_group));
        Expected { rate, registers: None }
    }

    fn flags(&self, plan: &KernelPlan, tile: &Tile) -> Tuning {
        let work_group = plan.tile_work_group[..tile.core.len().min(3)].to_vec();
        Tuning { tile: extents(tile), work_group, ..Tuning::default() }
    }
}

/// The tile with the best attainable performance; `None` if single sweeps are at least as good.
fn best_tile(request: &Request<'_>, work_group: [u32; 3]) -> Option<Tile> {
    let &Request { nest, recurrences, reaches, tuning, profile, rank, .. } = request;
    let work = Work::new(nest, recurrences);
    let forced = tuning.strategy == Some(StrategyName::Local) || tuning.time_tile.is_some();
    let mut best = if forced { None } else { Some((work.direct_rate(profile), None)) };
    let asked;
    let depths: &[usize] = match tuning.time_tile {
        Some(levels) => {
            asked = [levels as usize];
            &asked
        }
        None => possible_depths(DEEPEST[rank], recurrences),
    };
    for &levels in depths {
        let unit = Tile::new(reaches, &vec![1; rank], levels, Leaves::Inputs);
        for core in cores(request, work_group) {
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
        let core = cores(request, work_group).into_iter().min_by_key(|core| core.iter().product::<i64>());
        return core.map(|core| Tile::new(reaches, &core, levels, Leaves::Inputs));
    }
    best.and_then(|(_, tile)| tile)
}

/// Candidate cores, outermost dimension first.
fn cores(request: &Request<'_>, work_group: [u32; 3]) -> Vec<Vec<i64>> {
    let &Request { tuning, profile, rank, last_places, .. } = request;
    let free = |d: usize| match last_places {
        Some(places) if d == 0 => vec![places],
        Some(_) => [profile.extents(rank - 1, d - 1), profile.extents(rank, d)].concat(),
        None => profile.extents(rank, d).to_vec(),
    };
    let per_item = tuning.per_item.map(|points| i64::from(points) * i64::from(work_group[0]));
    let asked = |d: usize| tuning.tile.get(d).map(|extent| i64::from((*extent).max(1)));
    let choices: Vec<Vec<i64>> = (0..rank)
        .map(|d| match asked(d).or(if d == 0 { per_item } else { None }) {
            Some(extent) => vec![extent],
            None => free(d),
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
