//! Arrays that the driver has beside the program's, and places in the step for the statements that need them.

use crate::ir::{Array, Expr, ExprKind, Handle, Nest, ScalarType, Variable};

/// Makes room behind all places of the step, so that there are `places` for each that there was.
pub fn spread_positions(nest: &mut Nest, places: u32) {
    for access in nest.accesses.handles() {
        nest.accesses[access].position.iter_mut().for_each(|place| *place *= places);
    }
    nest.step.gaps.iter_mut().for_each(|gap| gap.place *= places);
}

/// An array of the driver's with elements like those of `like`, in so many dimensions more.
pub fn add_array(nest: &mut Nest, name: &str, like: Handle<Array>, more: usize) -> Handle<Array> {
    let span = nest.arrays.span(like);
    let Array { element, strides, extents, .. } = nest.arrays[like].clone();
    // On the device it is a box, whatever these are.
    let zero = Expr { ty: ScalarType::I64, kind: ExprKind::Int(0) };
    let outer: Vec<_> = (0..more).map(|_| nest.exprs.push(zero.clone(), span)).collect();
    let strides = outer.into_iter().chain(strides).collect();
    let name = nest.values.free_name(name);
    // No declaration of the user's stands at the pragma.
    let variable = Variable { file: nest.pragma.file, declared_at: nest.pragma.start, name: name.clone() };
    let variable = nest.values.variable(variable);
    let extents = vec![None; more].into_iter().chain(extents).collect();
    let own = Array { extents, ..Array::of_driver(name, element, variable, strides) };
    let array = nest.arrays.push(own, span);
    nest.step.staged.push(array);
    array
}
