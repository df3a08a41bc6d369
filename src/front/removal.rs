//! Accesses that a nest does without: they leave its arena, and arrays with them that nothing else reads or writes.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{Access, Arena, Array, ExprKind, Handle, Nest};

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
