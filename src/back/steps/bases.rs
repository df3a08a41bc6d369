//! The addresses that the function gets.

use crate::back::host::write_math;
use crate::back::nest::NestToWrite;
use crate::back::signature::{base_name, base_variables};
use crate::ir::{Handle, HostValue, Nest};
use crate::text::Writer;

/// The variables whose addresses the function that takes steps gets, in order: those of the user's that lead to arrays, then the
/// bases of the arrays that the driver fills, those of wheels, and of those of values that the host folds.
pub fn step_bases(nest: &Nest) -> Vec<Handle<HostValue>> {
    let rules = nest.step.rules.iter().map(|rule| rule.values);
    let listed = nest.step.listed.iter().map(|listed| listed.values);
    let given = nest.step.given.iter().map(|given| given.values);
    base_variables(nest).into_iter().chain(rules).chain(listed).chain(given).chain(folded(nest)).collect()
}

/// The bases of the arrays of values that the host folds.
fn folded(nest: &Nest) -> impl Iterator<Item = Handle<HostValue>> {
    nest.step.folds.values.iter().map(|it| nest.arrays[nest.accesses[it.write].array].buffers[0].variable)
}

/// The number of the grid of the step's that a variable is the base of.
pub fn find_grid(nest: &Nest, base: Handle<HostValue>) -> Option<usize> {
    nest.step.grids.iter().position(|grid| nest.arrays[grid.array].buffers[0].variable == base)
}

/// What memory for that grid is called.
pub fn grid_name(number: usize) -> String {
    format!("grid_{number}")
}

/// Gives the grids that a step declares memory.
pub fn write_grids(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let nest = plan.program;
    for (number, grid) in nest.step.grids.iter().enumerate() {
        let sizes = grid.sizes.iter().map(|size| write_math(nest, plan.names(), *size, "scalars->"));
        let sizes: Vec<String> = sizes.map(|size| format!("(size_t)({size})")).collect();
        let name = grid_name(number);
        writer.line(format_args!("void *const {name} = malloc({} + 1);", sizes.join(" * ")));
        writer.block(format_args!("if (!{name})"), |writer| {
            writer.line(format_args!("fputs(\"{}: no memory for a step on the host\\n\", stderr);", plan.place.name));
            writer.line("abort();");
        });
    }
}

/// Gives that memory back.
pub fn write_end_of_grids(writer: &mut Writer, nest: &Nest) {
    (0..nest.step.grids.len()).for_each(|number| writer.line(format_args!("free({});", grid_name(number))));
}

/// Declares the table of these addresses where they are variables, or in the call's tables.
pub fn write_bases(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let nest = plan.nest();
    let in_tables: Vec<_> = nest.step.given.iter().map(|given| given.values).chain(folded(nest)).collect();
    let bases =
        step_bases(nest).into_iter().map(|base| match nest.array_of(base).filter(|_| in_tables.contains(&base)) {
            Some(array) => plan.base_in_tables(array),
            None => format!("(void *)(size_t){}", base_name(plan.names(), base)),
        });
    writer.line(format_args!("void *const bases[] = {{ {} }};", bases.collect::<Vec<_>>().join(", ")));
}
