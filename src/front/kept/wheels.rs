//! Wheels: what the host gives each step, for kernels of several steps.
//!
//! A scalar that changes from step to step would be right for one step at a time. So the driver keeps what calls bring in an array of
//! its own, see [`Given`], whose element for the present step is read as those of any array:
//!
//! ```c
//! for (...) { time = t * dt; for (i..) b[i] = a[i] + amp; b[s] += sin(w * time); ... print(t); }
//! ```
//!
//! has wheels of `amp` and of `sin(w * time)`, which the driver computes from each call's `time`.

use std::collections::{BTreeMap, BTreeSet};

use crate::front::substitution::Substitution;
use crate::front::unused::roots_of_places;
use crate::ir::{
    Access, Array, BinaryOp, Expr, ExprKind, Given, Handle, HostValue, Loop, Nest, Param, ParamValue, ScalarType,
    Variable,
};
use crate::source::Span;

/// Lets accesses read the elements of wheels for the present step.
pub fn make_wheels(nest: &mut Nest, time: Handle<Loop>, on_wheels: &BTreeMap<Handle<Access>, Handle<Param>>) {
    let mut wheels = BTreeMap::new();
    for (read, param) in on_wheels {
        let wheel = *wheels.entry(*param).or_insert_with(|| add_wheel(nest, *param));
        let position = nest.accesses[*read].position[..2].to_vec();
        nest.accesses[*read] = access_of_step(nest, time, (wheel, position), nest.params.span(*param));
    }
    nest.step.varying.extend(wheels.into_keys());
}

/// The wheel of a scalar.
fn add_wheel(nest: &mut Nest, param: Handle<Param>) -> Handle<Array> {
    let (ty, span) = (nest.params[param].ty, nest.params.span(param));
    let name = format!("each_{}", nest.param_name(param));
    let variable = Variable { file: span.file, declared_at: param.index(), name: name.clone() };
    let values = nest.values.variable(variable);
    let one = nest.exprs.push(Expr { ty: ScalarType::I64, kind: ExprKind::Int(1) }, span);
    nest.step.given.push(Given { values, param });
    let wheel = Array::of_driver(name, ty, values, vec![one]);
    nest.arrays.push(wheel, span)
}

/// A read of the element for the present step, `#t % WHEEL`, at a place in the loop over time.
fn access_of_step(
    nest: &mut Nest,
    time: Handle<Loop>,
    (array, position): (Handle<Array>, Vec<u32>),
    span: Span,
) -> Access {
    let mut integer = |kind| nest.exprs.push(Expr { ty: ScalarType::I64, kind }, span);
    let (step, wheel) = (integer(ExprKind::Iteration(time)), integer(ExprKind::Int(Given::WHEEL)));
    let element = integer(ExprKind::Binary(BinaryOp::Rem, step, wheel));
    Access::unconditional(array, vec![element], vec![time], position)
}

/// Puts scalars on wheels that the host changes from step to step, and what is made of them.
pub fn put_on_wheels(nest: &mut Nest, time: Handle<Loop>, is_changed: &impl Fn(&HostValue) -> bool) {
    let varying = varying(nest, is_changed);
    let roots: Vec<_> = roots_of_values(nest).collect();
    let is_needed = |param: &Handle<Param>| nest.params_in(roots.iter().copied()).contains(param);
    let needed: Vec<_> = varying.iter().copied().filter(is_needed).collect();
    let wheels: BTreeMap<_, _> = needed.into_iter().map(|param| (param, read_wheel(nest, time, param))).collect();
    nest.step.varying.extend(varying);
    if wheels.is_empty() {
        return;
    }
    let mut wheels = Substitution::new(nest, |part| match part {
        ExprKind::Param(param) => wheels.get(param).copied(),
        _ => None,
    });
    let changed: BTreeMap<_, _> = roots.into_iter().map(|root| (root, wheels.apply(root))).collect();
    nest.step.statements.iter_mut().for_each(|statement| statement.value = changed[&statement.value]);
    for access in nest.accesses.handles() {
        nest.accesses[access].conditions.iter_mut().for_each(|it| *it = changed[it]);
    }
}

/// What sweeps store, and under which conditions on data they read.
fn roots_of_values(nest: &Nest) -> impl Iterator<Item = Handle<Expr>> {
    let conditions = nest.accesses.iter().flat_map(|(_, access)| access.conditions.iter().copied());
    nest.step.statements.iter().map(|statement| statement.value).chain(conditions)
}

/// The scalars that may have another value in each step and go into values alone, in order; none that the host folds with, which does
/// so with what is there, and none of which a closed form tells what each step finds.
fn varying(nest: &Nest, is_changed: &impl Fn(&HostValue) -> bool) -> BTreeSet<Handle<Param>> {
    let mut found = BTreeSet::new();
    let of_integers = nest.params.iter().filter_map(|(_, param)| match param.value {
        ParamValue::Expression { value, .. } if param.ty.is_integer() => Some(value),
        _ => None,
    });
    let mut fixed = nest.params_in(roots_of_places(nest).into_iter().chain(of_integers));
    fixed.extend(folded_with(nest));
    for (handle, param) in nest.params.iter().filter(|(it, _)| !fixed.contains(it)) {
        let varies = match param.value {
            ParamValue::Variable(variable) => {
                let is_folded = nest.step.folds.accumulators.iter().any(|it| it.variable == variable);
                !is_folded && !nest.step.is_turned(variable) && is_changed(&nest.values[variable])
            }
            ParamValue::Expression { value, .. } => !nest.params_in([value]).is_disjoint(&found),
            ParamValue::IsSet { .. } => false,
        };
        if varies {
            found.insert(handle);
        }
    }
    found
}

/// What the host folds with, and compares what it has folded with, and what that is made of.
fn folded_with(nest: &Nest) -> BTreeSet<Handle<Param>> {
    let folds = &nest.step.folds;
    let compared = folds.comparisons.iter().flat_map(|it| [it.left, it.right]);
    let mut found = nest.params_in(folds.updates().into_iter().map(|update| update.value).chain(compared));
    for (handle, param) in nest.params.iter().collect::<Vec<_>>().into_iter().rev() {
        if let ParamValue::Expression { value, .. } = param.value
            && found.contains(&handle)
        {
            found.extend(nest.params_in([value]));
        }
    }
    found
}

/// Reads the wheel of a scalar in front of all sweeps.
fn read_wheel(nest: &mut Nest, time: Handle<Loop>, param: Handle<Param>) -> Handle<Expr> {
    let places = nest.step.statements.iter().map(|statement| &nest.accesses[statement.write].position);
    let position = places.map(|it| it[..2].to_vec()).min().unwrap_or_default();
    let (wheel, span) = (add_wheel(nest, param), nest.params.span(param));
    let access = access_of_step(nest, time, (wheel, position), span);
    let read = nest.accesses.push(access, span);
    nest.exprs.push(Expr { ty: nest.params[param].ty, kind: ExprKind::Read(read) }, span)
}
