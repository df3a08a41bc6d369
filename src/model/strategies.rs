//! The table of strategies.
//!
//! A new strategy is a file with an implementation of [`Strategy`] and a line here. Two other rooms have a line for it too,
//! since this one must not depend on them: `kernel::tile_kernels` makes its kernels, `tune::space` its plans to try.

use super::direct::Direct;
use super::local::Local;
use super::plan::{KernelPlan, TileStorage};
use super::rows::RowWise;
use super::strategy::{Request, Strategy};
use super::stream::Streaming;
use crate::options::StrategyName;

/// All strategies, in the order in which they are asked for a plan.
const STRATEGIES: [&dyn Strategy; 4] = [&Streaming, &RowWise, &Local, &Direct];

/// The strategy of a name.
pub(super) fn strategy(name: StrategyName) -> &'static dyn Strategy {
    let found = STRATEGIES.into_iter().find(|strategy| strategy.name() == name);
    found.expect("the table has all strategies")
}

/// The first plan that a strategy proposes, of those that a wish leaves.
pub(super) fn propose(request: &Request<'_>, plan: &KernelPlan) -> Option<KernelPlan> {
    let asked = request.tuning.strategy;
    let tried = STRATEGIES.into_iter().filter(|strategy| strategy.is_tried(asked, request.profile));
    let is_able = |it: &&dyn Strategy| asked.is_some() || request.last_places.is_none() || it.takes_few_places();
    let mut able =
        tried.filter(is_able).filter(|strategy| strategy.obstacle(request.nest, request.recurrences).is_none());
    able.find_map(|strategy| strategy.propose(request, plan))
}

/// The strategy of a plan.
pub(super) fn strategy_of(plan: &KernelPlan) -> &'static dyn Strategy {
    strategy(plan.strategy_name())
}

/// Points of a work-item along a row of so many columns, for so many work-items.
pub fn points_per_item(storage: &TileStorage, columns: i64, items: i64) -> i64 {
    strategy(storage.strategy()).per_item(storage, columns, items)
}
