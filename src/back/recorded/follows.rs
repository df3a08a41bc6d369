//! Whether a call is for the next step of a recording, and what changes if it is.

use std::collections::BTreeSet;

use super::arguments::is_passed;
use crate::back::left::place_in_turn;
use crate::back::nest::NestToWrite;
use crate::back::signature::{
    base_name, base_variables, left_name, left_variables, left_variables_of_leg, parameter_names,
};
use crate::ir::{Expr, ExprKind, Handle, LeftPointer, Loop, Nest, Param, ParamValue, ScalarType, Turned};
use crate::text::Writer;

/// Writes the function that tells whether a call is for the step that comes behind so many, when the step has exchanged its own
/// pointers so often: once more than there were steps behind the leg that does so.
pub fn write_follows(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let (nest, names, name) = (plan.nest(), plan.names(), &plan.place.name);
    let head =
        format!("static int {name}_follows(const struct {name}_arguments *now, long long steps, long long turns)");
    writer.block(head, |writer| {
        writer.line(format_args!("const struct {name}_arguments *const first = &{name}_first;"));
        writer.line("(void)steps;");
        writer.line("(void)turns;");
        let scalars = || nest.params.iter().filter(|(handle, _)| is_passed(plan, *handle));
        let of_listed = params_of_listed(nest);
        for (handle, _) in scalars().filter(|(handle, param)| param.ty.is_float() && of_listed.contains(handle)) {
            let name = names.param(handle);
            writer.line(format_args!("if (memcmp(&now->{name}, &first->{name}, sizeof now->{name}) != 0)"));
            writer.line("    return 0;");
        }
        for (handle, _) in scalars().filter(|(handle, _)| !is_taken_over(nest, *handle)) {
            match expected(plan, handle) {
                Expected::Anything => {}
                Expected::Value(expected) => write_comparison(writer, names.param(handle), &expected),
                Expected::Unknown => {
                    writer.line("if (steps != 0)");
                    writer.line("    return 0;");
                }
            }
        }
        let bases: Vec<_> = base_variables(nest);
        for base in &bases {
            let by_step = nest.step.left_pointers.iter().map(|it| (it, "turns"));
            let by_host = nest.step.foreseen_pointers.iter().map(|it| (it, "steps"));
            let held = by_step.chain(by_host).find(|(pointer, _)| pointer.variable == *base);
            let base = base_name(names, *base);
            match held {
                Some((pointer, turns)) => write_turn(writer, plan, &base, pointer, turns),
                None => write_comparison(writer, &base, &format!("first->{base}")),
            }
        }
        let known = scalars().map(|(handle, _)| names.param(handle).to_string());
        let known: Vec<String> = known.chain(bases.iter().map(|base| base_name(names, *base))).collect();
        for rest in parameter_names(nest, names).iter().filter(|it| !known.contains(it)) {
            write_comparison(writer, rest, &format!("first->{rest}"));
        }
        writer.line("return 1;");
    });
    writer.line("");
}

/// Whether a scalar may have another value in a later step, which is taken over then: real numbers, and integers that the host gives
/// their values within steps.
pub fn is_taken_over(nest: &Nest, param: Handle<Param>) -> bool {
    nest.params[param].ty.is_float() || nest.step.is_late(param)
}

/// The parameters that listed values are made of, which are the same for all steps of a recording.
fn params_of_listed(nest: &Nest) -> BTreeSet<Handle<Param>> {
    nest.step.listed.iter().flat_map(|listed| nest.params_of_listed(listed)).collect()
}

/// A call that brings another value does not follow.
fn write_comparison(writer: &mut Writer, name: &str, expected: &str) {
    writer.line(format_args!("if (now->{name} != {expected})"));
    writer.line("    return 0;");
}

/// What an integer must be for a step behind the first one.
enum Expected {
    /// A counter may be anything, and so may what the driver puts into wheels.
    Anything,
    Value(String),
    /// Steps change it in a way that nothing here tells.
    Unknown,
}

fn expected(plan: &NestToWrite<'_>, handle: Handle<Param>) -> Expected {
    let (nest, name) = (plan.nest(), plan.names().param(handle));
    let Param { ty, value, .. } = &nest.params[handle];
    if nest.step.varying.contains(&handle) {
        return Expected::Anything;
    }
    if let Some((_, step)) = counter(nest).filter(|(counter, _)| *counter == handle) {
        let wide = if *ty == ScalarType::U64 { "unsigned long long" } else { "long long" };
        let value = format!("({wide})first->{name} + steps * ({step})");
        return if may_restart(nest, handle) { Expected::Anything } else { Expected::Value(value) };
    }
    let is_left = nest.left_scalars().into_iter().any(|(variable, _)| *value == ParamValue::Variable(variable));
    match nest.step.turns.iter().find(|turn| *value == ParamValue::Variable(turn.variable)) {
        Some(turn) => Expected::Value(turned(turn, name, *ty)),
        None if is_left => Expected::Unknown,
        None => Expected::Value(format!("first->{name}")),
    }
}

/// What a scalar that steps turn is `steps` steps behind the first one.
fn turned(turn: &Turned, name: &str, ty: ScalarType) -> String {
    let Turned { by, period, .. } = turn;
    match period {
        Some(period) => format!("(first->{name} + steps % {period} * {by}) % {period}"),
        None => format!("({})(first->{name} + steps * ({by}))", ty.c_name()),
    }
}

/// Compares a pointer with what it holds when it has been exchanged so often.
fn write_turn(writer: &mut Writer, plan: &NestToWrite<'_>, base: &str, pointer: &LeftPointer, turns: &str) {
    let held = pointer.held.iter().map(|variable| format!("first->{}", base_name(plan.names(), *variable)));
    let (turn, place) = (held.collect::<Vec<_>>(), place_in_turn(pointer, &format!("({turns} - 1)")));
    writer.block("", |writer| {
        writer.line(format_args!("const void *const turn[] = {{{}}};", turn.join(", ")));
        write_comparison(writer, base, &format!("({turns} == 0 ? first->{base} : turn[{place}])"));
    });
}

/// Whether the counter of steps, which begins with `param`, may begin anew while steps are recorded: no buffer is chosen by it,
/// nothing else is made of its first value, and what it would have been at the first step fits its type.
fn may_restart(nest: &Nest, param: Handle<Param>) -> bool {
    let has = |it: Handle<Expr>| match nest.exprs[it].kind {
        ExprKind::Index(this) => nest.clock.counts(this),
        ExprKind::Param(it) => it == param,
        _ => false,
    };
    let buffers = nest.accesses.iter().filter_map(|(_, access)| access.buffer);
    let arrays = nest.arrays.iter().flat_map(|(_, array)| array.exprs().collect::<Vec<_>>());
    let values = nest.params.iter().filter_map(|(_, it)| match it.value {
        ParamValue::Expression { value, .. } => Some(value),
        ParamValue::Variable(_) | ParamValue::IsSet { .. } => None,
    });
    let roots: Vec<_> = buffers.chain(arrays).chain(values).collect();
    !nest.params[param].ty.is_unsigned()
        && !params_of_listed(nest).contains(&param)
        && !nest.reachable(roots).into_iter().any(has)
}

/// The parameter that the loop over time begins with, if it does with one, and how it counts.
fn counter(nest: &Nest) -> Option<(Handle<Param>, i64)> {
    let Loop { mut first, step, .. } = nest.loops[nest.clock.time()?];
    while let ExprKind::Convert(inner) = nest.exprs[first].kind {
        first = inner;
    }
    match nest.exprs[first].kind {
        ExprKind::Param(param) => Some((param, step)),
        _ => None,
    }
}

/// Writes the function that takes over scalars that have changed: what was recorded with the old ones runs before.
pub fn write_adopt(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let (nest, names, name) = (plan.nest(), plan.names(), &plan.place.name);
    let is_scalar = |it: Handle<Param>| is_passed(plan, it) && !nest.step.varying.contains(&it);
    let taken_over = nest.params.iter().filter(|(handle, _)| is_scalar(*handle) && is_taken_over(nest, *handle));
    let taken_over: Vec<String> = taken_over.map(|(handle, _)| names.param(handle).to_string()).collect();
    let restarting: Vec<_> = counter(nest)
        .into_iter()
        .filter(|(param, _)| may_restart(nest, *param))
        .map(|(param, step)| (names.param(param).to_owned(), nest.params[param].ty.c_name(), step))
        .collect();
    let head = format!("static void {name}_adopt(const struct {name}_arguments *now, long long steps)");
    writer.block(head, |writer| {
        writer.line(format_args!("struct {name}_arguments *const first = &{name}_first;"));
        writer.line("(void)now;");
        writer.line("(void)first;");
        writer.line("(void)steps;");
        let told = left_variables(nest).into_iter().filter(|it| !left_variables_of_leg(nest, 0).contains(it));
        told.map(|it| left_name(names, it)).for_each(|it| writer.line(format_args!("first->{it} = now->{it};")));
        if taken_over.is_empty() && restarting.is_empty() {
            return;
        }
        let same = taken_over.iter().map(|it| format!("memcmp(&now->{it}, &first->{it}, sizeof now->{it}) == 0"));
        let counts = restarting.iter().map(|(it, ty, step)| (it, format!("({ty})(now->{it} - steps * ({step}))")));
        let counts: Vec<_> = counts.collect();
        let same = same.chain(counts.iter().map(|(it, first)| format!("first->{it} == {first}")));
        writer.line(format_args!("if ({})", same.collect::<Vec<_>>().join(" && ")));
        writer.line("    return;");
        writer.line(format_args!("stencil_adopt(&{name}_recording);"));
        taken_over.iter().for_each(|it| writer.line(format_args!("first->{it} = now->{it};")));
        counts.iter().for_each(|(it, first)| writer.line(format_args!("first->{it} = {first};")));
    });
    writer.line("");
}
