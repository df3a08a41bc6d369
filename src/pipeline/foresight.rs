//! Nests that foresee what the host does around their steps: they do without where that is more than can be analysed. A loop
//! over frames of several steps each may be read as one whose step is a frame, or as one that has a loop over steps in it.

use crate::front::MarkedNest;
use crate::ir::Nest;
use crate::{poly, valid};

/// Chooses how nests are read; chains whose nests are others now are none.
pub fn choose_readings<E>(nests: &mut [Result<MarkedNest, E>]) {
    let refused = |marked: &&mut MarkedNest| marked.plain.is_some() && !can_be_analysed(&marked.nest);
    let mut broken: Vec<usize> = nests.iter_mut().flatten().filter(refused).filter_map(foresee_nothing).collect();
    broken.extend(nests.iter_mut().flatten().filter(has_steps_within).filter_map(step_within));
    let is_broken = |marked: &MarkedNest| marked.chain.as_ref().is_some_and(|it| broken.contains(&it.first));
    nests.iter_mut().flatten().filter(|marked| is_broken(marked)).for_each(|marked| marked.chain = None);
}

/// The first nest of the chain that it was in.
fn foresee_nothing(marked: &mut MarkedNest) -> Option<usize> {
    let chain = marked.chain.take();
    marked.foresee_nothing();
    chain.map(|chain| chain.first)
}

/// Whether a step of a loop within is a nest, and the step that was read is none.
fn has_steps_within(marked: &&mut MarkedNest) -> bool {
    marked.within.as_ref().is_some_and(|within| !can_be_analysed(&marked.nest) && can_be_analysed(&within.nest))
}

/// The first nest of the chain that it was in.
fn step_within(marked: &mut MarkedNest) -> Option<usize> {
    let chain = marked.chain.take();
    marked.step_within();
    chain.map(|chain| chain.first)
}

fn can_be_analysed(nest: &Nest) -> bool {
    poly::analyse(nest, |analysis| valid::check_recorded(analysis).is_ok()).unwrap_or(false)
}
