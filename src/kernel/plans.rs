//! From a plan to its kernels.

use std::collections::BTreeMap;

use super::direct::direct_kernels;
use super::strategies::tile_kernels;
use super::{Kernel, Subject};
use crate::model::{KernelPlan, TileStorage};
use crate::tile::{Leaves, Tile};

/// The kernels for one kind of device.
pub struct PlanKernels {
    /// `gpu`, `cpu`, or `tuned_3`.
    pub name: String,
    /// Whether it is meant for GPUs.
    pub is_gpu: bool,
    /// Where its tiles keep their values.
    pub storage: TileStorage,
    /// Part of the names of the devices that it is for.
    pub device: Option<String>,
    /// Values of integer parameters that it is for.
    pub sizes: BTreeMap<String, i64>,
    /// Tile kernels of decreasing depth, the one that folds last, then one kernel a sweep. Neighbours of the same name have one text.
    pub kernels: Vec<Kernel>,
    /// Cells before each tile that kernels may load, outermost dimension first.
    pub margin_lo: Vec<i64>,
    /// Cells behind it.
    pub margin_hi: Vec<i64>,
}

impl PlanKernels {
    /// Builds the kernels of a plan of the nest called `name`.
    pub fn new(subject: &Subject<'_>, name: &str, plan: &KernelPlan) -> Self {
        let prefix = format!("{name}_{}", plan.name);
        let tiles: Vec<Tile> = plan.tiles.iter().chain(&plan.folding_tile).cloned().collect();
        let names = tile_names(&prefix, &tiles);
        let mut kernels = tile_kernels(subject, &plan.storage, &names, &tiles, plan.tile_work_group);
        let around = kernels.iter().fold(subject.early_reach(), |around, kernel| around.hull(&kernel.reach));
        if plan.has_sweep_kernels {
            kernels.extend(direct_kernels(subject, &prefix, plan.sweep_work_group));
        }
        Self {
            name: plan.name.clone(),
            is_gpu: plan.profile.is_gpu,
            storage: plan.storage,
            device: plan.device.clone(),
            sizes: plan.sizes.clone(),
            kernels,
            margin_lo: around.lo.iter().map(|lo| -lo).collect(),
            margin_hi: around.hi,
        }
    }

    /// The kernels, those of one text together.
    pub fn texts(&self) -> impl Iterator<Item = &[Kernel]> {
        self.kernels.chunk_by(|one, other| one.name == other.name)
    }
}

/// Names of the tile kernels: `steps8`, `last8` for the other one of as many levels, `folds8` for the one that folds.
fn tile_names(prefix: &str, tiles: &[Tile]) -> Vec<String> {
    let name = |(index, tile): (usize, &Tile)| {
        let is_twin = tiles[..index].iter().any(|other| other.levels == tile.levels);
        let what = if is_twin { "last" } else { "steps" };
        format!("{prefix}_{}{}", if tile.leaves == Leaves::Folds { "folds" } else { what }, tile.levels)
    };
    tiles.iter().enumerate().map(name).collect()
}
