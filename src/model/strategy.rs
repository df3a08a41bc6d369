//! What the model must know of a strategy.

use super::plan::{KernelPlan, TileStorage};
use super::profile::Profile;
use crate::ir::Nest;
use crate::options::{FpMode, StrategyName, Tuning};
use crate::poly::Recurrences;
use crate::tile::{Reaches, Tile};

/// What a plan is wanted for.
#[derive(Clone, Copy)]
pub(super) struct Request<'a> {
    pub nest: &'a Nest,
    pub recurrences: &'a Recurrences,
    pub reaches: &'a Reaches<'a>,
    pub tuning: &'a Tuning,
    pub profile: &'a Profile,
    /// Rank of the grid.
    pub rank: usize,
    /// How many places there are in the last dimension, if that is known.
    pub last_places: Option<i64>,
}

/// What is expected of a plan.
#[derive(Default)]
pub(super) struct Expected {
    /// Cells times steps a second, where the model tells.
    pub rate: Option<f64>,
    /// 32-bit registers of a work-item, where they bound what fits.
    pub registers: Option<i64>,
}

/// What the model must know of a strategy.
pub(super) trait Strategy: Sync {
    /// Its name.
    fn name(&self) -> StrategyName;

    /// Whether it has time tiles.
    fn has_tiles(&self) -> bool {
        true
    }

    /// Whether it is asked for a plan.
    fn is_tried(&self, asked: Option<StrategyName>, profile: &Profile) -> bool;

    /// Why a nest cannot have it, beside what keeps a nest from time tiles of any kind.
    fn obstacle(&self, _: &Nest, _: &Recurrences) -> Option<String> {
        None
    }

    /// Whether it is any good where there are few places in the last dimension, which others run along.
    fn takes_few_places(&self) -> bool {
        true
    }

    /// The plan, made from one without tiles, as far as the user's choices leave it open; `None` if it would not pay.
    fn propose(&self, request: &Request<'_>, plan: &KernelPlan) -> Option<KernelPlan>;

    /// Bytes of local memory that a tile needs, but for what the sub-groups of a stream exchange.
    fn local_bytes(&self, _: &Nest, _: &Recurrences, _: &Tile) -> i64 {
        0
    }

    /// What is expected of the deepest tile of a plan.
    fn expected(&self, plan: &KernelPlan, nest: &Nest, recurrences: &Recurrences, fp: FpMode) -> Expected;

    /// The words that ask for a tile, but for the strategy and the depth.
    fn flags(&self, plan: &KernelPlan, tile: &Tile) -> Tuning;

    /// Points of a work-item along a row of so many columns, for so many work-items.
    fn per_item(&self, _: &TileStorage, columns: i64, items: i64) -> i64 {
        (columns + items - 1) / items
    }

    /// Why these may be others than asked for.
    fn why_per_item(&self) -> &'static str {
        "the tile and the work-group say otherwise"
    }

    /// The work-group, and why it is not free, where it is not.
    fn fixed_work_group(&self, _: &TileStorage, _: usize) -> Option<([u32; 3], &'static str)> {
        None
    }

    /// Whether the width of a tile follows from all else; it has to be given to give what comes behind it.
    fn has_open_width(&self) -> bool {
        false
    }
}
