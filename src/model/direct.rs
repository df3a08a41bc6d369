//! Single sweeps, which any nest can have.

use super::plan::KernelPlan;
use super::profile::Profile;
use super::strategy::{Expected, Request, Strategy};
use super::work::Work;
use crate::ir::Nest;
use crate::options::{FpMode, StrategyName, Tuning};
use crate::poly::Recurrences;
use crate::tile::Tile;

/// Strategy `direct`.
pub(super) struct Direct;

impl Strategy for Direct {
    fn name(&self) -> StrategyName {
        StrategyName::Direct
    }

    fn has_tiles(&self) -> bool {
        false
    }

    fn is_tried(&self, _: Option<StrategyName>, _: &Profile) -> bool {
        true
    }

    fn propose(&self, _: &Request<'_>, plan: &KernelPlan) -> Option<KernelPlan> {
        Some(plan.clone())
    }

    fn expected(&self, plan: &KernelPlan, nest: &Nest, recurrences: &Recurrences, _: FpMode) -> Expected {
        Expected { rate: Some(Work::new(nest, recurrences).direct_rate(&plan.profile)), registers: None }
    }

    fn flags(&self, _: &KernelPlan, _: &Tile) -> Tuning {
        Tuning::default()
    }
}
