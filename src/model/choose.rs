//! The plans of a nest for all devices that somebody wants.

use std::collections::BTreeMap;

use super::granted::note_ungranted;
use super::limits::{check_count, check_sizes, check_tile, check_tuning};
use super::plan::{KernelPlan, TileStorage};
use super::profile::Profile;
use super::strategies::{propose, strategy, strategy_of};
use super::strategy::Request;
use crate::ir::{Nest, ScalarType};
use crate::options::{Clauses, DeviceKindName, MeasuredDevice, Options, TunedPlan, Tuning};
use crate::poly::Recurrences;
use crate::source::Diagnostic;
use crate::tile::Reaches;

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
    /// Plans for the devices for which the options want kernels; `clauses` are what the nest's pragma asks for.
    ///
    /// # Errors
    /// Tuning values out of all bounds, sizes of what is no parameter.
    pub fn new(
        nest: &Nest,
        clauses: &Clauses,
        recurrences: &Recurrences,
        reaches: Option<&Reaches<'_>>,
        options: &Options,
    ) -> Result<Self, Box<Diagnostic>> {
        let tuning = options.tuning_for(clauses);
        let tuned = options.tuned_for(clauses, nest.element());
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
pub(super) fn choose(
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
        let bytes = |tile| strategy_of(&plan).local_bytes(nest, recurrences, tile);
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
        self.tuning.strategy.is_none_or(|asked| strategy(asked).has_tiles())
    }
}

fn choose_for(reaches: Option<&Reaches<'_>>, nest: &Nest, recurrences: &Recurrences, wish: &Wish<'_>) -> KernelPlan {
    let (tuning, profile) = (wish.tuning, &wish.profile);
    let (rank, last_places) = (recurrences.rank(), recurrences.last_places());
    let plan = KernelPlan {
        name: wish.name.clone(),
        profile: profile.clone(),
        device: wish.device.clone(),
        sizes: wish.sizes.clone(),
        tiles: Vec::new(),
        folding_tile: None,
        storage: TileStorage::Local,
        has_sweep_kernels: true,
        tile_work_group: work_group(tuning, default_shape(&profile.tile_work_groups, rank, last_places), rank),
        sweep_work_group: work_group(tuning, default_shape(&profile.sweep_work_groups, rank, last_places), rank),
    };
    let Some(reaches) = reaches else { return plan };
    let request = Request { nest, recurrences, reaches, tuning, profile, rank, last_places };
    propose(&request, &plan).unwrap_or(plan)
}

/// The shape of work-groups of cells of some rank; where these have few places in their last dimension, work-items beside each
/// other are of the one before.
fn default_shape(shapes: &[[u32; 3]; 5], rank: usize, last_places: Option<i64>) -> [u32; 3] {
    match last_places {
        Some(_) => {
            let [x, y, _] = shapes[rank.min(4) - 1];
            [1, x, y]
        }
        None => shapes[rank.min(4)],
    }
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
