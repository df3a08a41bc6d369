//! The driver's own memory of a recording: rooms for what points give, wheels of what steps are given, and listed values.

use super::arguments::write_end_of_time;
use crate::back::call::write_scalars_of;
use crate::back::folds::combined;
use crate::back::initializer::{flag, initializer, write_table};
use crate::back::nest::NestToWrite;
use crate::back::opencl;
use crate::back::signature::{Parameter, parameters};
use crate::ir::{Combination, Given};
use crate::text::{Writer, quote};
use crate::tile::combination;

/// Declares rooms, wheels and where listed values are, and writes what puts values into wheels.
pub fn write_memory(writer: &mut Writer, plan: &NestToWrite<'_>) {
    write_all(writer, plan, "stencil_room", "rooms", &rooms(plan));
    write_all(writer, plan, "stencil_given", "given", &wheels(plan));
    let (name, listed) = (&plan.place.name, plan.nest().step.listed.len());
    if listed > 0 {
        writer.line(format_args!("static STENCIL_THREAD void *{name}_listed[{listed}];"));
    }
    writer.line("");
    write_give(writer, plan);
}

/// Declares as many as there are rows, if there are any.
fn write_all(writer: &mut Writer, plan: &NestToWrite<'_>, structure: &str, name: &str, rows: &[String]) {
    if !rows.is_empty() {
        let (nest, count) = (&plan.place.name, rows.len());
        write_table(writer, format_args!("static STENCIL_THREAD {structure} {nest}_{name}[{count}]"), rows);
    }
}

/// The rooms for what points give.
fn rooms(plan: &NestToWrite<'_>) -> Vec<String> {
    let nest = plan.nest();
    let folds = &nest.step.folds;
    let rows = folds.values.iter().enumerate().map(|(number, values)| {
        let is_combined = folds.actions.iter().any(|action| combined(plan, action).is_some_and(|it| it.0 == number));
        let fold = match combination(nest, values, plan.order) {
            _ if !is_combined => "STENCIL_IN_ORDER",
            Combination::InOrder => "STENCIL_IN_ORDER",
            Combination::Maximum => "STENCIL_MAXIMUM",
            Combination::Minimum => "STENCIL_MINIMUM",
            Combination::Sum => "STENCIL_SUM",
            Combination::Any => "STENCIL_ANY",
        };
        let write = &nest.accesses[values.write];
        let (ty, leg) = (nest.arrays[write.array].element, nest.step.leg_of(&write.position));
        let (is_bounded, is_compared) = (flag(values.is_bounded), flag(values.is_compared));
        let ty = quote(opencl::type_name(ty));
        format!(
            "{{ {fold}, {ty}, {is_bounded}, {is_compared}, NULL, 0, 0, {{ 0, 0, 0, 0 }}, NULL, {{ 0, 0 }}, {leg} }}"
        )
    });
    rows.collect()
}

/// The wheels of what steps are given.
fn wheels(plan: &NestToWrite<'_>) -> Vec<String> {
    let (nest, fields) = (plan.nest(), &plan.recurrences().storage.fields);
    let rows = nest.step.given.iter().map(|given| {
        let array = nest.array_of(given.values);
        let place = array.and_then(|array| plan.find_array_index(array, 0));
        let field = array.and_then(|array| fields.iter().position(|field| field.arrays.contains(&array)));
        // What is read under conditions without a solution is not on the device.
        let (array, field) = place.zip(field).map_or((-1, -1), |(array, field)| (array as i64, field as i64));
        let size = nest.params[given.param].ty.size();
        initializer("stencil_given", &[("size", &size), ("array", &array), ("field", &field), ("values", &"NULL")])
    });
    rows.collect()
}

/// The function that puts what a call brings for its step into the wheels.
fn write_give(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let (nest, names, name) = (plan.nest(), plan.names(), &plan.place.name);
    if nest.step.given.is_empty() {
        return;
    }
    let head = format!("static void {name}_give(const struct {name}_arguments *now, long long count_before)");
    writer.block(head, |writer| {
        for Parameter { ty, name, .. } in parameters(nest, names).into_iter().filter(|it| !it.ty.contains('*')) {
            writer.line(format_args!("const {ty}{name} = now->{name};"));
            writer.line(format_args!("(void){name};"));
        }
        let needed = nest.with_parts(nest.step.given.iter().map(|given| given.param).collect());
        if nest.clock.end().is_some_and(|end| needed.contains(&end)) {
            write_end_of_time(writer, plan, "1");
        }
        writer.line(format_args!("struct {name}_scalars scalars;"));
        write_scalars_of(writer, plan, |param| needed.contains(&param));
        for (number, Given { param, .. }) in nest.step.given.iter().enumerate() {
            let (ty, param) = (nest.params[*param].ty.c_name(), names.param(*param));
            writer.line(format_args!("if ({name}_given[{number}].values) /* else there was no memory */"));
            let element = format!("(({ty} *){name}_given[{number}].values)[count_before % {}]", Given::WHEEL);
            writer.line(format_args!("    {element} = scalars.{param};"));
        }
    });
    writer.line("");
}
