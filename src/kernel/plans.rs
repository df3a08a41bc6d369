//! From a plan to its kernels.

use std::collections::BTreeMap;

use super::{Kernel, Subject, direct_kernels, local_kernel, rows_kernels, stream_kernel};
use crate::model::{KernelPlan, TileStorage};
use crate::tile::{Region, Tile};

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
    /// Tile kernels of decreasing depth, then one kernel a sweep. Neighbours of the same name have one text.
    pub kernels: Vec<Kernel>,
    /// Cells before each tile that kernels may load, outermost dimension first.
    pub margin_lo: Vec<i64>,
    /// Cells behind it.
    pub margin_hi: Vec<i64>,
}

impl PlanKernels {
    /// Builds the kernels of a plan.
    pub fn new(subject: &Subject<'_>, plan: &KernelPlan) -> Self {
        let prefix = format!("{}_{}", subject.analysis.nest.name, plan.name);
        let names = tile_names(&prefix, plan);
        let named = || names.iter().zip(&plan.tiles);
        let mut kernels: Vec<Kernel> = match &plan.storage {
            TileStorage::Local => {
                named().map(|(name, tile)| local_kernel(subject, name, tile, plan.tile_work_group)).collect()
            }
            TileStorage::Registers(shape) => {
                named().map(|(name, tile)| stream_kernel(subject, name, tile, shape)).collect()
            }
            TileStorage::Rings => rows_kernels(subject, &names, &plan.tiles),
        };
        let around = Region::cell(subject.layout_ranks[0]);
        let around = kernels.iter().fold(around, |around, kernel| around.hull(&kernel.reach));
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

/// Names of the tile kernels: `steps8`, and `last8` for the other one of as many levels.
fn tile_names(prefix: &str, plan: &KernelPlan) -> Vec<String> {
    let name = |(index, tile): (usize, &Tile)| {
        let is_twin = plan.tiles[..index].iter().any(|other| other.levels == tile.levels);
        format!("{prefix}_{}{}", if is_twin { "last" } else { "steps" }, tile.levels)
    };
    plan.tiles.iter().enumerate().map(name).collect()
}
