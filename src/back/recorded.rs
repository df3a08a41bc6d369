//! The host function of a loop that the host keeps: each call asks for one step.
//!
//! What a call is given is kept as a structure, `NAME_arguments`; that of the first step stands for the whole recording. From it
//! and a number of steps `NAME_act` makes the tables of a call of so many steps, whenever the runtime needs them (`record.c`).
//! A call that is not for the next of those steps, because other sizes or other pointers are passed, begins anew.
//!
//! Where the host does something within a step there is a call for each leg, the first of which is `NAME`. The last one makes a step
//! of them; before that the host can take them itself, from what the recording holds (`legs.c`).

use std::collections::BTreeSet;

use super::call::{write_has_run, write_scalar_values, write_scalars_of, write_tables_of_call};
use super::folds::{
    write_call_of_fold, write_call_of_outcomes, write_fold, write_outcomes, write_rooms, write_trial_of_fold,
};
use super::host::{write_math, write_steps};
use super::initializer::initializer;
use super::left::{place_in_turn, write_left_among};
use super::nest::{ChainPlace, NestToWrite};
use super::signature::{
    Parameter, base_name, base_variables, parameter_names, parameter_names_of_leg, parameters, prototype_of_leg,
};
use super::steps;
use super::touched::part_functions;
use crate::ir::{
    Expr, ExprKind, Given, Handle, HostValue, LeftPointer, Looks, Loop, Nest, Param, ParamValue, Replay, ScalarType,
    Turned,
};
use crate::text::Writer;

/// Declarations of the functions by which the host gets its arrays back, and leaves.
pub fn prototypes(plan: &NestToWrite<'_>) -> Vec<String> {
    let (nest, name) = (plan.nest(), &plan.place.name);
    let mut all: Vec<String> = ends(nest).iter().map(|(end, _)| format!("void {name}_{end}(void)")).collect();
    all.extend(part_functions(nest).iter().map(|part| part.prototype(name)));
    if plan.is_whole_in_chain() && plan.place.chain.as_ref().is_some_and(|chain| chain.is_last) {
        all.push(format!("void {name}_end(void)"));
    }
    all.extend((1..=nest.step.gaps.len()).map(|leg| prototype_of_leg(nest, plan.names(), name, leg)));
    all
}

/// Writes what the host function calls, and what brings the arrays back.
pub fn write_recorded(writer: &mut Writer, plan: &NestToWrite<'_>) {
    write_arguments(writer, plan);
    write_fold(writer, plan);
    write_outcomes(writer, plan);
    write_act(writer, plan);
    if plan.nest().clock.end().is_some() {
        write_follows(writer, plan);
        write_adopt(writer, plan);
    }
    match &plan.place.chain {
        Some(chain) if plan.is_whole_in_chain() => write_end_of_chain(writer, plan, chain),
        _ => write_ends(writer, plan),
    }
}

/// What ends a chain of which a whole nest is the last.
fn write_end_of_chain(writer: &mut Writer, plan: &NestToWrite<'_>, chain: &ChainPlace) {
    let name = &plan.place.name;
    write_at_exit(writer, plan);
    if !chain.is_last {
        return;
    }
    writer.block(format_args!("void {name}_end(void)"), |writer| {
        write_chain(writer, plan);
        writer.line(format_args!("stencil_finish(&{name}_recording);"));
    });
    writer.line("");
}

/// Tells the recording which chain it is of, whether the nest has been called or not.
fn write_chain(writer: &mut Writer, plan: &NestToWrite<'_>) {
    if let Some(chain) = &plan.place.chain {
        writer.line(format_args!("{}_recording.chain = &{};", plan.place.name, chain.name));
    }
}

/// What is done where the host ends the program while something is recorded.
fn write_at_exit(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let name = &plan.place.name;
    if plan.nest().step.may_exit {
        writer.block(format_args!("static void {name}_at_exit(void)"), |writer| {
            writer.line(format_args!("stencil_finish_at_exit(&{name}_recording);"));
        });
        writer.line("");
    }
}

fn write_arguments(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let name = &plan.place.name;
    writer.line("/* What a call is given. */");
    writer.block_with_end(format_args!("struct {name}_arguments"), "};", |writer| {
        for parameter in parameters(plan.nest(), plan.names()) {
            writer.line(format_args!("{}{};", parameter.ty, parameter.name));
        }
    });
    writer.line("");
    writer.line(format_args!("static STENCIL_THREAD struct {name}_arguments {name}_first;"));
    writer.line(format_args!("static STENCIL_THREAD stencil_recording {name}_recording;"));
    if let Some(chain) = plan.place.chain.as_ref().filter(|chain| chain.is_first) {
        writer.line(format_args!(
            "static STENCIL_THREAD stencil_chain {} = {{ {}, 0, NULL, 0, NULL, NULL }};",
            chain.name, chain.expected
        ));
    }
    write_rooms(writer, plan);
    write_wheels(writer, plan);
    writer.line("");
    write_give(writer, plan);
}

/// Declares the wheels of what steps are given.
fn write_wheels(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let (nest, fields) = (plan.nest(), &plan.recurrences().storage.fields);
    let rows = nest.step.given.iter().map(|given| {
        let array = nest.array_of(given.values);
        let place = array.and_then(|array| plan.find_array_index(array, 0));
        let field = array.and_then(|array| fields.iter().position(|field| field.arrays.contains(&array)));
        // What is read under conditions without a solution is not on the device.
        let (array, field) = place.zip(field).map_or((-1, -1), |(array, field)| (array as i64, field as i64));
        let size = nest.params[given.param].ty.size();
        let members: [(&str, &dyn std::fmt::Display); 4] =
            [("size", &size), ("array", &array), ("field", &field), ("values", &"NULL")];
        initializer("stencil_given", &members)
    });
    let rows: Vec<String> = rows.collect();
    if !rows.is_empty() {
        let (name, count) = (&plan.place.name, rows.len());
        writer.line(format_args!("static STENCIL_THREAD stencil_given {name}_given[{count}] = {{"));
        rows.iter().for_each(|row| writer.line(format_args!("    {row},")));
        writer.line("};");
    }
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
        let needed = needed_for_wheels(nest);
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

/// The scalars on wheels, and those that they are made of.
fn needed_for_wheels(nest: &Nest) -> BTreeSet<Handle<Param>> {
    let mut needed: BTreeSet<_> = nest.step.given.iter().map(|given| given.param).collect();
    for (handle, param) in nest.params.iter().collect::<Vec<_>>().into_iter().rev() {
        if let ParamValue::Expression { value, .. } = param.value
            && needed.contains(&handle)
        {
            let parts = nest.reachable([value]).into_iter();
            needed.extend(parts.filter_map(|part| match nest.exprs[part].kind {
                ExprKind::Param(param) => Some(param),
                _ => None,
            }));
        }
    }
    needed
}

/// The function that makes the tables.
fn write_act(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let (nest, names, name) = (plan.nest(), plan.names(), &plan.place.name);
    let head =
        format!("static int {name}_act(stencil_recording *recording, const void *arguments, long long all_steps)");
    writer.block(head, |writer| {
        writer.line(format_args!("const struct {name}_arguments *const given = arguments;"));
        for parameter in parameters(nest, names) {
            writer.line(format_args!(
                "{}const {} = given->{};",
                constant(&parameter.ty),
                parameter.name,
                parameter.name
            ));
        }
        write_end_of_time(writer, plan, "all_steps");
        if plan.is_whole_in_chain() {
            writer.line("(void)all_steps; /* the nest's own */");
        }
        writer.line(format_args!("struct {name}_scalars scalars;"));
        writer.line(format_args!("struct {name}_geometry geometry;"));
        writer.line("stencil_call call;");
        writer.line("");
        write_tables_of_call(writer, plan);
        writer.block("if (recording->request == STENCIL_REPLAY)", |writer| {
            steps::write_bases(writer, plan);
            let legs = if nest.step.gaps.is_empty() { "" } else { ", recording->first_leg, recording->last_leg" };
            let steps = match plan.is_whole_in_chain() {
                true => "0, call.steps",
                false => "recording->first_step, all_steps - recording->first_step",
            };
            writer.line(format_args!("{name}_take_steps(&scalars, bases, {steps}{legs});"));
            writer.line("return 1;");
        });
        write_call_of_outcomes(writer, plan);
        if !nest.step.folds.accumulators.is_empty() {
            writer.block("if (recording->request == STENCIL_FOLD)", |writer| {
                write_call_of_fold(writer, plan);
                writer.line("return 1;");
            });
        }
        let answer = format!("stencil_act(&{name}_region, &call, &{name}_turn, recording);");
        if nest.step.folds.accumulators.is_empty() {
            return writer.line(format_args!("return {answer}"));
        }
        writer.line(format_args!("const int answer = {answer}"));
        write_trial_of_fold(writer, plan);
        writer.line("return answer;");
    });
    writer.line("");
}

/// `void *` and `int ` as they stand before `const`.
fn constant(ty: &str) -> String {
    if ty.ends_with(' ') { ty.to_owned() } else { format!("{ty} ").replace("* ", "*") }
}

/// Declares what the loop over time counts up to in so many steps.
fn write_end_of_time(writer: &mut Writer, plan: &NestToWrite<'_>, steps: &str) {
    let (nest, names) = (plan.nest(), plan.names());
    let (Some(time), Some(end)) = (nest.clock.time(), nest.clock.end()) else { return };
    let Loop { first, step, .. } = &nest.loops[time];
    let first = write_math(nest, names, *first, "");
    writer.line(format_args!("const long long {} = {first} + {steps} * ({step});", names.param(end)));
}

/// The function that tells whether a call is for the step that comes behind so many, when pointers have been exchanged so often.
fn write_follows(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let (nest, names, name) = (plan.nest(), plan.names(), &plan.place.name);
    let head =
        format!("static int {name}_follows(const struct {name}_arguments *now, long long steps, long long turns)");
    writer.block(head, |writer| {
        writer.line(format_args!("const struct {name}_arguments *const first = &{name}_first;"));
        writer.line("(void)steps;");
        writer.line("(void)turns;");
        let counter = counter(nest);
        for (handle, param) in nest.params.iter().filter(|(handle, _)| is_passed(plan, *handle)) {
            if param.ty.is_float() {
                continue;
            }
            let name = names.param(handle);
            let expected = match counter.filter(|(counter, _)| *counter == handle) {
                Some(_) if may_restart(nest, handle) => continue,
                Some((_, step)) => format!("(long long)first->{name} + steps * ({step})"),
                None => match nest.step.turns.iter().find(|turn| is_variable(param, turn.variable)) {
                    Some(turn) => turned(turn, name, param.ty),
                    None => format!("first->{name}"),
                },
            };
            writer.line(format_args!("if (now->{name} != {expected})"));
            writer.line("    return 0;");
        }
        let bases: Vec<_> = base_variables(nest);
        for base in &bases {
            let held = nest.step.left_pointers.iter().find(|pointer| pointer.variable == *base);
            let base = base_name(names, *base);
            match held {
                Some(pointer) => write_turn(writer, plan, &base, pointer),
                None => {
                    writer.line(format_args!("if (now->{base} != first->{base})"));
                    writer.line("    return 0;");
                }
            }
        }
        let scalars = nest.params.iter().filter(|(handle, _)| is_passed(plan, *handle));
        let known = scalars.map(|(handle, _)| names.param(handle).to_string());
        let known: Vec<String> = known.chain(bases.iter().map(|base| base_name(names, *base))).collect();
        for rest in parameter_names(nest, names).iter().filter(|it| !known.contains(it)) {
            writer.line(format_args!("if (now->{rest} != first->{rest})"));
            writer.line("    return 0;");
        }
        writer.line("return 1;");
    });
    writer.line("");
}

fn is_variable(param: &Param, variable: Handle<HostValue>) -> bool {
    param.value == ParamValue::Variable(variable)
}

/// What a scalar that steps turn is `steps` steps behind the first one.
fn turned(turn: &Turned, name: &str, ty: ScalarType) -> String {
    let Turned { by, period, .. } = turn;
    match period {
        Some(period) => format!("(first->{name} + steps % {period} * {by}) % {period}"),
        None => format!("({})(first->{name} + steps * ({by}))", ty.c_name()),
    }
}

fn is_passed(plan: &NestToWrite<'_>, param: Handle<Param>) -> bool {
    plan.nest().params[param].value.is_passed() && plan.nest().clock.end() != Some(param)
}

/// Compares a pointer with what the steps before have left in it.
fn write_turn(writer: &mut Writer, plan: &NestToWrite<'_>, base: &str, pointer: &LeftPointer) {
    let held = pointer.held.iter().map(|variable| format!("first->{}", base_name(plan.names(), *variable)));
    let (turn, place) = (held.collect::<Vec<_>>(), place_in_turn(pointer, "(turns - 1)"));
    writer.block("", |writer| {
        writer.line(format_args!("const void *const turn[] = {{{}}};", turn.join(", ")));
        writer.line(format_args!("if (now->{base} != (turns == 0 ? first->{base} : turn[{place}]))"));
        writer.line("    return 0;");
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
    !nest.params[param].ty.is_unsigned() && !nest.reachable(roots).into_iter().any(has)
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

/// The function that takes over scalars that have changed: what was recorded with the old ones runs before.
fn write_adopt(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let (nest, names, name) = (plan.nest(), plan.names(), &plan.place.name);
    let is_scalar = |it: Handle<Param>| is_passed(plan, it) && !nest.step.varying.contains(&it);
    let reals = nest.params.iter().filter(|(handle, param)| is_scalar(*handle) && param.ty.is_float());
    let reals: Vec<String> = reals.map(|(handle, _)| names.param(handle).to_string()).collect();
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
        if reals.is_empty() && restarting.is_empty() {
            return;
        }
        let same = reals.iter().map(|it| format!("memcmp(&now->{it}, &first->{it}, sizeof now->{it}) == 0"));
        let counts = restarting.iter().map(|(it, ty, step)| (it, format!("({ty})(now->{it} - steps * ({step}))")));
        let counts: Vec<_> = counts.collect();
        let same = same.chain(counts.iter().map(|(it, first)| format!("first->{it} == {first}")));
        writer.line(format_args!("if ({})", same.collect::<Vec<_>>().join(" && ")));
        writer.line("    return;");
        writer.line(format_args!("stencil_flush(&{name}_recording);"));
        reals.iter().for_each(|it| writer.line(format_args!("first->{it} = now->{it};")));
        counts.iter().for_each(|(it, first)| writer.line(format_args!("first->{it} = {first};")));
    });
    writer.line("");
}

/// Writes what the host function does: it asks for one step, or for the whole nest.
pub fn write_step(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let name = &plan.place.name;
    let chain = plan.place.chain.as_ref();
    writer.line(format_args!("struct {name}_arguments now;"));
    write_has_run(writer, plan);
    writer.line("memset(&now, 0, sizeof now);");
    for parameter in parameter_names(plan.nest(), plan.names()) {
        writer.line(format_args!("now.{parameter} = {parameter};"));
    }
    let nest = plan.nest();
    let is_kept = nest.clock.end().is_some();
    let legs = plan.nest().step.gaps.len() + 1;
    if nest.step.host_stores {
        writer.line(format_args!("stencil_take_stored(&{name}_recording);"));
    }
    if legs > 1 {
        write_late(writer, plan);
        writer.line(format_args!("stencil_leave_step(&{name}_recording, {legs});"));
    }
    if is_kept {
        let steps = format!("{name}_recording.taken + {name}_recording.pending");
        let follows = format!("{name}_follows(&now, {steps}, {steps})");
        match chain {
            Some(chain) => {
                writer.line(format_args!("if (!{name}_recording.is_open || !{follows})"));
                writer.line(format_args!("    stencil_retire(&{});", chain.name));
            }
            None => {
                writer.line(format_args!("if ({name}_recording.is_open && !{follows})"));
                writer.line(format_args!("    stencil_finish(&{name}_recording);"));
            }
        }
        writer.line(format_args!("if ({name}_recording.is_open)"));
        writer.line(format_args!("    {name}_adopt(&now, {steps});"));
    }
    if let Some(chain) = chain.filter(|_| !is_kept) {
        writer.line(format_args!("stencil_retire(&{});", chain.name));
    }
    if !nest.step.given.is_empty() {
        writer.line(format_args!("if ({name}_recording.is_open)"));
        writer.line(format_args!("    {name}_give(&now, {name}_recording.taken + {name}_recording.pending);"));
    }
    writer.block(format_args!("if (!{name}_recording.is_open)"), |writer| {
        writer.line("int answer;");
        write_chain(writer, plan);
        if plan.is_whole_in_chain() {
            writer.line(format_args!("{name}_recording.is_whole = 1;"));
        }
        writer.line(format_args!("{name}_recording.act = {name}_act;"));
        writer.line(format_args!("{name}_recording.arguments = &{name}_first;"));
        writer.line(format_args!("{name}_recording.size = sizeof {name}_first;"));
        if nest.step.may_exit {
            writer.line(format_args!("{name}_recording.at_exit = {name}_at_exit;"));
        }
        let folds = &plan.nest().step.folds;
        if !folds.accumulators.is_empty() {
            writer.line(format_args!("{name}_recording.has_folds = 1;"));
        }
        if !nest.step.given.is_empty() {
            writer.line(format_args!("{name}_recording.given_count = {};", nest.step.given.len()));
            writer.line(format_args!("{name}_recording.given = {name}_given;"));
            writer.line(format_args!("{name}_recording.wheel = {};", Given::WHEEL));
            writer.line(format_args!("stencil_make_wheels(&{name}_recording);"));
            writer.line(format_args!("{name}_give(&now, 0);"));
        }
        let rooms = folds.values.len();
        if rooms > 0 {
            writer.line(format_args!("{name}_recording.room_count = {rooms};"));
            writer.line(format_args!("{name}_recording.rooms = {name}_rooms;"));
        }
        writer.line(format_args!("{name}_first = now;"));
        writer.line(format_args!("answer = stencil_begin(&{name}_recording);"));
        if legs > 1 {
            writer.line(format_args!("{name}_recording.is_of_loops = answer == 0;"));
            writer.line("if (answer == 0)");
            writer.line("    return 0;");
        } else {
            writer.line("if (answer != 1)");
            writer.line("    return answer != 0;");
        }
    });
    if legs > 1 {
        writer.line(format_args!("{name}_recording.leg_step = {name}_recording.taken + {name}_recording.pending;"));
        write_left_by_leg(writer, plan, 0);
        writer.line(format_args!("stencil_note_leg(&{name}_recording, 1);"));
        return writer.line("return 1;");
    }
    if !plan.is_whole_in_chain() {
        write_left_by_step(writer, plan, &nest.step.replay, &nest.step.left_pointers);
    }
    writer.line(format_args!("stencil_note_step(&{name}_recording);"));
    if !is_kept && chain.is_none() {
        writer.line(format_args!("stencil_finish(&{name}_recording);"));
    }
    write_settle(writer, plan);
    writer.line("return 1;");
}

/// Brings what steps fold where the host looks at it after each of them.
fn write_settle(writer: &mut Writer, plan: &NestToWrite<'_>) {
    if plan.nest().clock.end().is_some() && plan.nest().step.folds.looks == Looks::AfterEach {
        writer.line(format_args!("stencil_settle_comparisons(&{}_recording);", plan.place.name));
    }
}

/// What later legs bring stays as it was.
fn write_late(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let (nest, names) = (plan.nest(), plan.names());
    let known = parameter_names(nest, names);
    for parameter in parameters(nest, names).into_iter().filter(|it| !known.contains(&it.name)) {
        writer.line(format_args!("now.{0} = {1}_first.{0};", parameter.name, plan.place.name));
    }
}

/// Writes the functions for the legs of a step behind the first one.
pub fn write_legs(writer: &mut Writer, plan: &NestToWrite<'_>) {
    for leg in 1..=plan.nest().step.gaps.len() {
        let head = prototype_of_leg(plan.nest(), plan.names(), &plan.place.name, leg);
        writer.block(head, |writer| write_leg(writer, plan, leg));
        writer.line("");
    }
}

fn write_leg(writer: &mut Writer, plan: &NestToWrite<'_>, leg: usize) {
    let (nest, names, name) = (plan.nest(), plan.names(), &plan.place.name);
    writer.line(format_args!("struct {name}_arguments now = {name}_first;"));
    parameter_names_of_leg(nest, names, leg).iter().for_each(|it| writer.line(format_args!("now.{it} = {it};")));
    let known = |it: &Handle<Param>| nest.params[*it].ty.is_float() && is_passed(plan, *it);
    let is_new = |it: Handle<Param>| nest.step.is_later_than(it, leg - 1);
    let known = nest.params.handles().filter(|it| known(it) && !is_new(*it)).map(|it| names.param(it));
    let others = known.map(|it| format!("memcmp(&now.{it}, &{name}_first.{it}, sizeof now.{it}) != 0"));
    let turned = if leg > nest.step.turning_leg { " + 1" } else { "" };
    let follows = format!("!{name}_follows(&now, {name}_recording.leg_step, {name}_recording.leg_step{turned})");
    let goes_on = format!("!stencil_goes_on(&{name}_recording, {leg})");
    let others: Vec<String> = [goes_on, follows].into_iter().chain(others).collect();
    writer.block(format_args!("if ({})", others.join(" || ")), |writer| {
        write_given_to_loops(writer, plan, leg);
        writer.line(format_args!("return stencil_give_leg(&{name}_region, &{name}_recording, {});", leg + 1));
    });
    writer.line(format_args!("{name}_adopt(&now, {name}_recording.leg_step);"));
    write_left_by_leg(writer, plan, leg);
    writer.line(format_args!("stencil_note_leg(&{name}_recording, {});", leg + 1));
    if leg == nest.step.gaps.len() {
        write_settle(writer, plan);
    }
    writer.line("return 1;");
}

/// Where the program's loops take a step to be compared, the device takes the step with what the host has made within it, too.
fn write_given_to_loops(writer: &mut Writer, plan: &NestToWrite<'_>, leg: usize) {
    let (nest, names, name) = (plan.nest(), plan.names(), &plan.place.name);
    let late: Vec<_> = nest.step.gaps[leg - 1].late.iter().map(|it| names.param(*it)).collect();
    if !late.is_empty() {
        writer.block(format_args!("if ({name}_recording.is_verified)"), |writer| {
            late.iter().for_each(|it| writer.line(format_args!("{name}_first.{it} = {it};")));
        });
    }
}

/// What one leg of a step leaves: pointers where they are exchanged, scalars at the end.
fn write_left_by_leg(writer: &mut Writer, plan: &NestToWrite<'_>, leg: usize) {
    let (nest, names, step) = (plan.nest(), plan.names(), &plan.nest().step);
    let pointers: &[LeftPointer] = if leg == step.turning_leg { &step.left_pointers } else { &[] };
    let turn = nest.clock.time().filter(|_| !pointers.is_empty()).map(|time| Replay::Loop(time, Vec::new()));
    let leaves_nothing =
        |it: &Replay| matches!(it, Replay::Loop(this, inner) if inner.is_empty() && !nest.loops[*this].outlives);
    let is_wanted = |it: &&Replay| !pointers.is_empty() || !leaves_nothing(it);
    let at_end = || step.replay.iter().filter(is_wanted).cloned().collect();
    let replay: Vec<_> = if leg == step.gaps.len() { at_end() } else { turn.into_iter().collect() };
    if replay.is_empty() {
        return;
    }
    writer.block("", |writer| {
        let known = parameter_names_of_leg(nest, names, leg);
        for Parameter { ty, name, .. } in parameters(nest, names).iter().filter(|it| !known.contains(&it.name)) {
            writer.line(format_args!("{}const {name} = now.{name};", constant(ty)));
        }
        write_left_by_step(writer, plan, &replay, pointers);
    });
}

/// What one step leaves in the user's variables.
fn write_left_by_step(writer: &mut Writer, plan: &NestToWrite<'_>, replay: &[Replay], pointers: &[LeftPointer]) {
    if replay.is_empty() {
        return;
    }
    writer.block("", |writer| {
        write_end_of_time(writer, plan, "1");
        writer.line(format_args!("struct {}_scalars scalars;", plan.place.name));
        writer.line("stencil_call call;");
        writer.line("memset(&call, 0, sizeof call);");
        write_scalar_values(writer, plan);
        write_steps(writer, plan);
        write_left_among(writer, plan, replay, pointers);
        writer.line("stencil_leave_variables(&call);");
    });
}

/// These functions, with the runtime's for them.
fn ends(nest: &Nest) -> Vec<(&'static str, &'static str)> {
    if nest.clock.end().is_none() {
        return Vec::new();
    }
    let mut all = vec![("sync", "stencil_sync"), ("end", "stencil_finish")];
    let folds = &nest.step.folds;
    if folds.are_settled_late() {
        all.insert(1, ("values", "stencil_settle_values"));
    }
    if !folds.comparisons.is_empty() && folds.looks != Looks::AfterEach {
        all.insert(1, ("compare", "stencil_settle_comparisons"));
    }
    all
}

/// The functions that bring the arrays, or scalars that are folded, back to the host.
fn write_ends(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let name = &plan.place.name;
    for (end, runtime) in ends(plan.nest()) {
        writer.block(format_args!("void {name}_{end}(void)"), |writer| {
            write_chain(writer, plan);
            writer.line(format_args!("{runtime}(&{name}_recording);"));
        });
        writer.line("");
    }
    write_at_exit(writer, plan);
    for part in part_functions(plan.nest()) {
        writer.block(part.prototype(name), |writer| {
            write_chain(writer, plan);
            writer.line(format_args!("stencil_{}(&{name}_recording, {});", part.function, part.arguments()));
        });
        writer.line("");
    }
}
