//! The host function's parameters, and the call in the user's file.

use crate::ir::{Array, Handle, Nest, ParamValue};
use crate::poly::Names;

/// A C parameter of the host function and the argument at the call.
struct Parameter {
    ty: String,
    name: String,
    argument: String,
}

/// `int heat_stencil_1(int n, const void *u, ...)`
pub fn prototype(nest: &Nest, names: &Names) -> String {
    let parameters: Vec<String> = parameters(nest, names).into_iter().map(|p| p.ty + &p.name).collect();
    let list = if parameters.is_empty() { "void".to_string() } else { parameters.join(", ") };
    format!("int {}({list})", nest.name)
}

/// `heat_stencil_1(n, u, &t)`
pub fn call(nest: &Nest, names: &Names) -> String {
    let arguments: Vec<String> = parameters(nest, names).into_iter().map(|p| p.argument).collect();
    format!("{}({})", nest.name, arguments.join(", "))
}

/// `n, array_u, left_t`
pub fn parameter_names(nest: &Nest, names: &Names) -> Vec<String> {
    parameters(nest, names).into_iter().map(|p| p.name).collect()
}

/// Scalars, then arrays, then addresses of what the nest leaves changed.
fn parameters(nest: &Nest, names: &Names) -> Vec<Parameter> {
    let mut all = Vec::new();
    for (handle, param) in nest.params.iter() {
        let argument = match &param.value {
            ParamValue::Variable => param.name.clone(),
            ParamValue::IsSet(pointer) => format!("{pointer} != 0"),
            ParamValue::Expression(_) => continue,
        };
        all.push(Parameter { ty: format!("{} ", param.ty.c_name()), name: names.param(handle).to_string(), argument });
    }
    for variable in base_variables(nest) {
        let qualifier = if is_written_base(nest, &variable) { "" } else { "const " };
        all.push(Parameter { ty: format!("{qualifier}void *"), name: base_name(&variable), argument: variable });
    }
    for variable in left_variables(nest) {
        let name = left_name(&variable);
        all.push(Parameter { ty: "void *".to_owned(), name, argument: address(nest, &variable) });
    }
    for variable in watched_only(nest) {
        let name = watched_name(nest, &variable);
        all.push(Parameter { ty: "const void *".to_owned(), name, argument: address(nest, &variable) });
    }
    all
}

/// The address of a user's variable as a `void *`.
fn address(nest: &Nest, variable: &str) -> String {
    let cast = if nest.address_casts.iter().any(|other| other == variable) { "(void *)" } else { "" };
    format!("{cast}&{variable}")
}

/// The user's variables that the nest leaves changed: pointers, then scalars.
pub fn left_variables(nest: &Nest) -> Vec<String> {
    let pointers = nest.left_pointers.iter().map(|pointer| pointer.variable.clone());
    pointers.chain(nest.left_scalars().into_iter().map(|(name, _)| name)).collect()
}

/// The watched variables that the nest does not leave changed.
pub fn watched_only(nest: &Nest) -> Vec<String> {
    let left = left_variables(nest);
    nest.watched.iter().map(|(name, _)| name.clone()).filter(|name| !left.contains(name)).collect()
}

/// The user's variables that lead to arrays, each once.
pub fn base_variables(nest: &Nest) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for (_, array) in nest.arrays.iter() {
        for buffer in &array.buffers {
            if !found.contains(&buffer.variable) {
                found.push(buffer.variable.clone());
            }
        }
    }
    for held in nest.left_pointers.iter().flat_map(|pointer| &pointer.held) {
        if !found.contains(held) {
            found.push(held.clone());
        }
    }
    found
}

fn is_written_base(nest: &Nest, variable: &str) -> bool {
    let written = |array: Handle<Array>| nest.statements.iter().any(|s| nest.accesses[s.write].array == array);
    nest.arrays
        .iter()
        .any(|(handle, array)| written(handle) && array.buffers.iter().any(|buffer| buffer.variable == variable))
}

/// The host function's parameter for an array variable.
pub fn base_name(variable: &str) -> String {
    format!("array_{variable}")
}

/// The host function's parameter for a variable that it leaves changed.
pub fn left_name(variable: &str) -> String {
    format!("left_{variable}")
}

/// The host function's parameter with the address of a watched variable.
pub fn watched_name(nest: &Nest, variable: &str) -> String {
    let is_left = left_variables(nest).iter().any(|left| left == variable);
    if is_left { left_name(variable) } else { format!("at_{variable}") }
}
