//! The order of the sweeps in a step.

use std::collections::BTreeSet;

use isl_bindings::{DimKind, Map};

use super::{Dependence, Origin, Refusal, Result, Sweep, Sweeps};
use crate::ir::{Handle, Loop, Nest};

/// Pairs of sweeps, the second of which comes after the first.
pub type OrderedBy = BTreeSet<(usize, usize)>;

/// Orders the sweeps of one step such that each comes after those whose values of the same step it uses, and otherwise as they
/// stand in the step.
///
/// # Errors
/// A sweep that needs its own values of the same step (as Gauss-Seidel does), or sweeps that need each other's.
pub fn order_sweeps(nest: &Nest, sweeps: &Sweeps) -> Result<Vec<usize>> {
    let needs = needs(nest, sweeps)?;
    let pairs = needs.iter().map(|(origin, dependence)| (*origin, dependence.sweep)).collect();
    order_by(nest, sweeps, &pairs).map_err(|order| {
        let is_open = |(origin, it): &&(usize, &Dependence)| !order.contains(origin) && !order.contains(&it.sweep);
        let (origin, dependence) = needs.iter().find(is_open).expect("a cycle");
        Refusal::NeedEachOther {
            statement: sweeps.sweeps[dependence.sweep].statement,
            origin: sweeps.sweeps[*origin].statement,
            read: dependence.read,
        }
    })
}

/// The sweeps that need values of others of the same step, with these and how.
///
/// # Errors
/// A sweep that needs its own.
fn needs<'s>(nest: &Nest, sweeps: &'s Sweeps) -> Result<Vec<(usize, &'s Dependence)>> {
    let mut needs = Vec::new();
    for dependence in &sweeps.dependences {
        if let Origin::Sweep(origin) = dependence.origin
            && within_one_step(dependence)?.is_some()
        {
            if origin == dependence.sweep {
                return Err(needs_itself(nest, sweeps, dependence)?);
            }
            needs.push((origin, dependence));
        }
    }
    Ok(needs)
}

/// The pairs of sweeps of which the second needs values of the first of the same step.
///
/// # Errors
/// A sweep that needs its own.
pub fn needed_pairs(nest: &Nest, sweeps: &Sweeps) -> Result<OrderedBy> {
    Ok(needs(nest, sweeps)?.into_iter().map(|(origin, dependence)| (origin, dependence.sweep)).collect())
}

/// Orders the sweeps by `pairs`, and otherwise as they stand in the step.
///
/// # Errors
/// The sweeps that come before any that go in a circle.
pub fn order_by(nest: &Nest, sweeps: &Sweeps, pairs: &OrderedBy) -> std::result::Result<Vec<usize>, Vec<usize>> {
    let mut order: Vec<usize> = Vec::new();
    while order.len() < sweeps.sweeps.len() {
        let is_ready = |sweep: usize| pairs.iter().all(|(before, it)| *it != sweep || order.contains(before));
        let ready = (0..sweeps.sweeps.len()).filter(|sweep| !order.contains(sweep) && is_ready(*sweep));
        let Some(next) = ready.min_by_key(|sweep| place(nest, &sweeps.sweeps[*sweep])) else { return Err(order) };
        order.push(next);
    }
    Ok(order)
}

/// Where a sweep stands in the step.
pub fn place<'n>(nest: &'n Nest, sweep: &Sweep) -> &'n [u32] {
    &nest.accesses[nest.step.statements[sweep.statement].write].position
}

/// The part of a dependence that stays in one time step, if any.
pub fn within_one_step(dependence: &Dependence) -> Result<Option<Map>> {
    if dependence.distance.is_some_and(|distance| distance != 0) {
        return Ok(None);
    }
    let within = dependence.relation.equate(DimKind::In, 0, DimKind::Out, 0)?;
    Ok(if within.is_empty()? { None } else { Some(within) })
}

fn needs_itself(nest: &Nest, sweeps: &Sweeps, dependence: &Dependence) -> Result<Refusal> {
    let (mut within_step, mut reads) = (Vec::new(), Vec::new());
    for other in &sweeps.dependences {
        let is_same = other.sweep == dependence.sweep && other.origin == dependence.origin;
        if is_same && let Some(within) = within_one_step(other)? {
            within_step.push(within);
            reads.push(other.reads.clone());
        }
    }
    let sweep = &sweeps.sweeps[dependence.sweep];
    let carrier = carrying_loop(nest, sweep, &within_step)?;
    Ok(Refusal::NeedsItself { statement: sweep.statement, carrier, reads })
}

/// The outermost loop over space, if it alone carries the dependences and has loops inside it.
fn carrying_loop(nest: &Nest, sweep: &Sweep, within_step: &[Map]) -> Result<Option<Handle<Loop>>> {
    let write = &nest.accesses[nest.step.statements[sweep.statement].write];
    let mut space = nest.clock.space(&write.loops);
    let (Some(outer), Some(_)) = (space.next(), space.next()) else { return Ok(None) };
    for within in within_step {
        // [p] -> { S3[t, i, j] -> S3[t', i', j'] }
        let instances = sweep.instances.apply_range(within)?.apply_range(&sweep.instances.reverse()?)?;
        if !instances.equate(DimKind::In, 1, DimKind::Out, 1)?.is_empty()? {
            return Ok(None);
        }
    }
    Ok(Some(outer))
}
