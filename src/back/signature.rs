//! The host function's parameters, and the call in the user's file.

use super::nest::NestToWrite;
use crate::ir::{Array, Handle, HostValue, Nest, Param, ParamValue};
use crate::poly::Names;

/// A C parameter of the host function and the argument at the call.
pub struct Parameter {
    /// Its type, so that a name may follow.
    pub ty: String,
    /// Its name.
    pub name: String,
    argument: String,
}

/// `int heat_stencil_1(int n, const void *u, ...)`
pub fn prototype(plan: &NestToWrite<'_>) -> String {
    prototype_of_leg(plan.nest(), plan.names(), &plan.place.name, 0)
}

/// The same of the function for a leg of a step, counted from 0.
pub fn prototype_of_leg(nest: &Nest, names: &Names, name: &str, leg: usize) -> String {
    let parameters: Vec<String> = parameters_of_leg(nest, names, leg).into_iter().map(|p| p.ty + &p.name).collect();
    let list = if parameters.is_empty() { "void".to_string() } else { parameters.join(", ") };
    format!("int {}({list})", name_of_leg(name, leg))
}

/// `heat_stencil_1(n, u, &t)`, or the calls for all legs of a step.
pub fn calls(plan: &NestToWrite<'_>) -> Vec<String> {
    let (nest, names) = (plan.nest(), plan.names());
    let arguments = |leg| parameters_of_leg(nest, names, leg).into_iter().map(|p| p.argument).collect::<Vec<_>>();
    let call = |leg| format!("{}({})", name_of_leg(&plan.place.name, leg), arguments(leg).join(", "));
    (0..=nest.step.gaps.len()).map(call).collect()
}

/// `heat_stencil_1`, `heat_stencil_1_leg_2`
pub fn name_of_leg(name: &str, leg: usize) -> String {
    if leg == 0 { name.to_owned() } else { format!("{name}_leg_{}", leg + 1) }
}

/// `n, array_u, left_t`
pub fn parameter_names(nest: &Nest, names: &Names) -> Vec<String> {
    parameter_names_of_leg(nest, names, 0)
}

/// The same of the function for a leg of a step.
pub fn parameter_names_of_leg(nest: &Nest, names: &Names, leg: usize) -> Vec<String> {
    parameters_of_leg(nest, names, leg).into_iter().map(|p| p.name).collect()
}

/// All that the calls for a step bring.
pub fn parameters(nest: &Nest, names: &Names) -> Vec<Parameter> {
    parameters_with(nest, names, |_| true, None)
}

/// What the call for a leg brings: nothing that only later legs have, and nothing that only those before it had.
fn parameters_of_leg(nest: &Nest, names: &Names, leg: usize) -> Vec<Parameter> {
    let is_there = |it| !nest.step.is_later_than(it, leg) && !nest.step.is_gone_before(it, leg);
    parameters_with(nest, names, is_there, Some(leg))
}

/// Scalars that are there, then arrays, then addresses of what the nest leaves changed.
fn parameters_with(
    nest: &Nest,
    names: &Names,
    is_there: impl Fn(Handle<Param>) -> bool,
    leg: Option<usize>,
) -> Vec<Parameter> {
    let mut all = Vec::new();
    let is_passed = |it: Handle<Param>| nest.clock.end() != Some(it) && is_there(it);
    for (handle, param) in nest.params.iter().filter(|(handle, _)| is_passed(*handle)) {
        let argument = match &param.value {
            ParamValue::Variable(variable) => nest.values.to_c(*variable),
            ParamValue::IsSet { pointer, .. } => format!("{} != 0", nest.values.to_c(*pointer)),
            ParamValue::Expression { .. } => continue,
        };
        all.push(Parameter { ty: format!("{} ", param.ty.c_name()), name: names.param(handle).to_string(), argument });
    }
    for variable in base_variables(nest) {
        let qualifier = if is_written_base(nest, variable) { "" } else { "const " };
        let (ty, argument) = (format!("{qualifier}void *"), nest.values.to_c(variable));
        all.push(Parameter { ty, name: base_name(names, variable), argument });
    }
    for variable in leg.map_or_else(|| left_variables(nest), |leg| left_variables_of_leg(nest, leg)) {
        let name = left_name(names, variable);
        all.push(Parameter { ty: "void *".to_owned(), name, argument: address(nest, variable) });
    }
    let is_absent = |variable: Handle<HostValue>| {
        let is_it = |param: &Param| matches!(param.value, ParamValue::Variable(it) if it == variable);
        nest.params.iter().any(|(handle, param)| is_it(param) && !is_there(handle))
    };
    for variable in watched_only(nest).into_iter().filter(|it| !is_absent(*it)) {
        let name = watched_name(nest, names, variable);
        all.push(Parameter { ty: "const void *".to_owned(), name, argument: address(nest, variable) });
    }
    all
}

/// The address of a user's variable as a `void *`.
fn address(nest: &Nest, variable: Handle<HostValue>) -> String {
    let cast = if nest.address_casts.contains(&variable) { "(void *)" } else { "" };
    format!("{cast}&{}", nest.values.to_c(variable))
}

/// What the nest leaves in variables whatever the host folds: pointers, then scalars, with their types, so that a name may follow.
pub fn left_types(nest: &Nest) -> Vec<(Handle<HostValue>, String)> {
    let pointers = nest.step.left_pointers.iter().map(|pointer| (pointer.variable, "void *".to_owned()));
    let scalars = nest.left_scalars().into_iter().map(|(variable, ty)| (variable, format!("{} ", ty.c_name())));
    pointers.chain(scalars).collect()
}

/// The user's variables that the nest leaves changed: pointers, then scalars, those that the host folds last.
pub fn left_variables(nest: &Nest) -> Vec<Handle<HostValue>> {
    let unfolded = left_types(nest).into_iter().map(|(variable, _)| variable);
    unfolded.chain(nest.step.folds.left().map(|it| it.variable)).collect()
}

/// The same without what the call for that leg, counted from 0, does not tell of what is folded.
pub fn left_variables_of_leg(nest: &Nest, leg: usize) -> Vec<Handle<HostValue>> {
    let folds = &nest.step.folds;
    let is_told = |variable| folds.left().all(|it| it.variable != variable || folds.is_told_by(it, leg));
    left_variables(nest).into_iter().filter(|it| is_told(*it)).collect()
}

/// The watched variables that the nest does not leave changed.
pub fn watched_only(nest: &Nest) -> Vec<Handle<HostValue>> {
    let left = left_variables(nest);
    nest.watched.iter().map(|(variable, _)| *variable).filter(|variable| !left.contains(variable)).collect()
}

/// The user's variables that lead to arrays, each once.
pub fn base_variables(nest: &Nest) -> Vec<Handle<HostValue>> {
    let buffers = nest.buffers().map(|buffer| buffer.variable);
    let held = nest.step.exchanged_pointers().flat_map(|pointer| pointer.held.iter().copied());
    let mut found = Vec::new();
    for variable in buffers.chain(held) {
        if !found.contains(&variable) && !nest.is_of_driver(variable) {
            found.push(variable);
        }
    }
    found
}

/// Whether stores go to where the variable leads, and not to rows whose pointers it leads to.
fn is_written_base(nest: &Nest, variable: Handle<HostValue>) -> bool {
    let written = |array: Handle<Array>| nest.step.statements.iter().any(|s| nest.accesses[s.write].array == array);
    nest.arrays.iter().any(|(handle, array)| {
        written(handle) && !array.has_row_tables() && array.buffers.iter().any(|buffer| buffer.variable == variable)
    })
}

/// The host function's parameter for an array variable.
pub fn base_name(names: &Names, variable: Handle<HostValue>) -> String {
    format!("array_{}", names.value(variable))
}

/// The host function's parameter for a variable that it leaves changed.
pub fn left_name(names: &Names, variable: Handle<HostValue>) -> String {
    format!("left_{}", names.value(variable))
}

/// The host function's parameter with the address of a watched variable.
pub fn watched_name(nest: &Nest, names: &Names, variable: Handle<HostValue>) -> String {
    let is_left = left_variables(nest).contains(&variable);
    if is_left { left_name(names, variable) } else { format!("at_{}", names.value(variable)) }
}
