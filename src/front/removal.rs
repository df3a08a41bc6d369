//! Accesses that a nest does without: they leave its arena, and arrays with them that nothing else reads or writes. Scalars that it
//! need not fold.

use std::collections::{BTreeMap, BTreeSet};

use super::unused::roots_of_sweeps;
use crate::ir::{Access, Arena, Array, Expr, ExprKind, Fold, Handle, HostValue, Nest};

/// Removes accesses that nothing needs any more.
pub fn remove_accesses(nest: &mut Nest, gone: &BTreeSet<Handle<Access>>) {
    let is_used = |array: Handle<Array>| nest.accesses.iter().any(|(it, a)| a.array == array && !gone.contains(&it));
    let kept: Vec<_> = nest.arrays.handles().filter(|it| is_used(*it)).collect();
    let mut arrays = Arena::default();
    let new_arrays: BTreeMap<_, _> =
        kept.into_iter().map(|it| (it, arrays.push(nest.arrays[it].clone(), nest.arrays.span(it)))).collect();
    let mut accesses = Arena::default();
    let new_accesses: BTreeMap<_, _> = nest
        .accesses
        .iter()
        .filter(|(it, _)| !gone.contains(it))
        .map(|(it, access)| {
            let access = Access { array: new_arrays[&access.array], ..access.clone() };
            (it, accesses.push(access, nest.accesses.span(it)))
        })
        .collect();
    (nest.arrays, nest.accesses) = (arrays, accesses);
    for expr in nest.exprs.handles() {
        if let ExprKind::Read(read) = nest.exprs[expr].kind {
            // An expression that nothing uses may read what is gone.
            nest.exprs[expr].kind = new_accesses.get(&read).map_or(ExprKind::Int(0), |it| ExprKind::Read(*it));
        }
    }
    for statement in &mut nest.step.statements {
        (statement.write, statement.first) = (new_accesses[&statement.write], new_accesses[&statement.first]);
    }
    nest.step.listed.iter_mut().for_each(|listed| listed.read = new_accesses[&listed.read]);
    nest.step.folds.values.iter_mut().for_each(|it| it.write = new_accesses[&it.write]);
    nest.index_arrays.iter_mut().for_each(|index| index.read = new_accesses[&index.read]);
    nest.step.grids.retain(|grid| new_arrays.contains_key(&grid.array));
    nest.step.grids.iter_mut().for_each(|grid| grid.array = new_arrays[&grid.array]);
}

/// Removes the accumulators that are such and that nothing reads, with their updates.
pub fn remove_accumulators(nest: &mut Nest, is_such: impl Fn(&HostValue) -> bool) {
    let folds = &nest.step.folds;
    let compared = folds.comparisons.iter().flat_map(|it| [it.left, it.right]);
    let values = folds.updates().into_iter().map(|update| update.value);
    let parts = nest.reachable(roots_of_sweeps(nest).into_iter().chain(values).chain(compared));
    let number = |part: &Handle<Expr>| match nest.exprs[*part].kind {
        ExprKind::Accumulator(number) => Some(number),
        _ => None,
    };
    let read: BTreeSet<usize> = parts.iter().filter_map(number).collect();
    let all = nest.step.folds.accumulators.iter().enumerate();
    let removed = all.filter(|(number, it)| !read.contains(number) && is_such(&nest.values[it.variable]));
    let removed: BTreeSet<usize> = removed.map(|(number, _)| number).collect();
    let renumbered = |number: usize| number - removed.range(..number).count();
    for expr in nest.exprs.handles() {
        if let ExprKind::Accumulator(number) = nest.exprs[expr].kind {
            // An expression that nothing uses may name one that is gone.
            let is_gone = removed.contains(&number);
            nest.exprs[expr].kind = if is_gone { ExprKind::Int(0) } else { ExprKind::Accumulator(renumbered(number)) };
        }
    }
    let folds = &mut nest.step.folds;
    let all = std::mem::take(&mut folds.accumulators).into_iter().enumerate();
    folds.accumulators = all.filter(|(number, _)| !removed.contains(number)).map(|(_, it)| it).collect();
    folds.comparisons.iter_mut().for_each(|it| it.accumulator = renumbered(it.accumulator));
    folds.actions.retain_mut(|action| keep_updates(action, &removed, &renumbered));
}

/// Whether something is left of an action without updates of these numbers; those that stay get their new ones.
fn keep_updates(action: &mut Fold, removed: &BTreeSet<usize>, renumbered: &impl Fn(usize) -> usize) -> bool {
    match action {
        Fold::Loop(_, inner) => {
            inner.retain_mut(|it| keep_updates(it, removed, renumbered));
            !inner.is_empty()
        }
        Fold::Set(updates) => {
            updates.retain(|it| !removed.contains(&it.accumulator));
            updates.iter_mut().for_each(|it| it.accumulator = renumbered(it.accumulator));
            !updates.is_empty()
        }
    }
}
