//! Sizes that the program tells before the nest: what is refused for any sizes may be right for these. In
//!
//! ```c
//! int n = 81; ... for (i = 1; i < n; i++) for (j = 1; j < n; j++) { u[i][j] = ...; u[80][j] = 1; u[i][80] = 2; }
//! ```
//!
//! which of two stores is the last one in a corner depends on `n`. The driver sees before the nest whether the variables hold that.

use std::collections::BTreeMap;

use crate::ir::{Expr, ExprKind, Handle, Nest, Param, ParamValue, RangeCheck};

/// The nest for the sizes that the program begins with; `None` if it tells none.
pub fn with_known_sizes(nest: &Nest) -> Option<Nest> {
    let known = known_sizes(nest);
    if known.is_empty() {
        return None;
    }
    let mut nest = nest.clone();
    for expr in nest.exprs.handles().collect::<Vec<_>>() {
        if let ExprKind::Param(param) = nest.exprs[expr].kind
            && let Some(value) = known.get(&param)
        {
            nest.exprs[expr].kind = ExprKind::Int(*value);
        }
    }
    known.into_iter().for_each(|(param, value)| hold(&mut nest, param, value));
    Some(nest)
}

/// The parameters that sizes of arrays and bounds of loops over space are made of, as far as they begin with constants and no step
/// changes them.
fn known_sizes(nest: &Nest) -> BTreeMap<Handle<Param>, i64> {
    let time = nest.clock.time();
    let bounds =
        nest.loops.iter().filter(|(this, _)| Some(*this) != time).flat_map(|(_, this)| [this.first, this.bound]);
    let roots = bounds.chain(nest.arrays.iter().flat_map(|(_, array)| array.exprs()));
    let is_changed = |variable| {
        let left = nest.left_scalars().into_iter().any(|(left, _)| left == variable);
        left || nest.step.is_turned(variable)
    };
    let known = |expr: Handle<Expr>| {
        let ExprKind::Param(param) = nest.exprs[expr].kind else { return None };
        let ParamValue::Variable(variable) = nest.params[param].value else { return None };
        let sum = nest.initial_values.get(&variable).filter(|_| !is_changed(variable))?;
        let is_constant = nest.params[param].ty.is_integer() && sum.iter().all(|(_, factors)| factors.is_empty());
        is_constant.then(|| (param, sum.iter().map(|(factor, _)| factor).sum()))
    };
    nest.reachable(roots).into_iter().filter_map(known).collect()
}

/// Lets the driver see whether a parameter has the value.
fn hold(nest: &mut Nest, param: Handle<Param>, value: i64) {
    let (ty, span) = (nest.params[param].ty, nest.params.span(param));
    let held = nest.exprs.push(Expr { ty, kind: ExprKind::Param(param) }, span);
    nest.range_checks.push(RangeCheck::exactly(held, value));
    if let ParamValue::Variable(variable) = nest.params[param].value {
        nest.held.push((variable, value));
    }
}
