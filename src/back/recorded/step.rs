//! What the host function does: it asks for one step, or for the whole nest.

use super::ends::write_chain;
use super::leave::{write_left_by_leg, write_left_by_step, write_settle};
use crate::back::call::write_has_run;
use crate::back::nest::NestToWrite;
use crate::back::signature::{parameter_names, parameters};
use crate::ir::Given;
use crate::text::Writer;

/// Writes it.
pub fn write_step(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let (name, has_legs) = (&plan.place.name, !plan.nest().step.gaps.is_empty());
    writer.line(format_args!("struct {name}_arguments now;"));
    write_has_run(writer, plan);
    writer.line("memset(&now, 0, sizeof now);");
    for parameter in parameter_names(plan.nest(), plan.names()) {
        writer.line(format_args!("now.{parameter} = {parameter};"));
    }
    write_continuation(writer, plan);
    writer.block(format_args!("if (!{name}_recording.is_open)"), |writer| {
        write_beginning(writer, plan);
        if has_legs {
            writer.line(format_args!("{name}_recording.is_of_loops = answer == 0;"));
            writer.line("if (answer == 0)");
            writer.line("    return 0;");
        } else {
            writer.line("if (answer != 1)");
            writer.line("    return answer != 0;");
        }
    });
    if has_legs {
        write_first_leg(writer, plan)
    } else {
        write_whole_step(writer, plan)
    }
    writer.line("return 1;");
}

/// What becomes of the recording so far.
fn write_continuation(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let (name, nest, chain) = (&plan.place.name, plan.nest(), plan.place.chain.as_ref());
    let steps = format!("{name}_recording.taken + {name}_recording.pending");
    if nest.step.host_stores {
        writer.line(format_args!("stencil_take_stored(&{name}_recording);"));
    }
    if !nest.step.gaps.is_empty() {
        write_late(writer, plan);
        writer.line(format_args!("stencil_leave_step(&{name}_recording, {});", nest.step.gaps.len() + 1));
    }
    if nest.clock.end().is_some() {
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
    if let Some(chain) = chain.filter(|_| nest.clock.end().is_none()) {
        writer.line(format_args!("stencil_retire(&{});", chain.name));
    }
    if !nest.step.given.is_empty() {
        writer.line(format_args!("if ({name}_recording.is_open)"));
        writer.line(format_args!("    {name}_give(&now, {steps});"));
    }
}

/// Begins a recording with this step.
fn write_beginning(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let (name, step) = (&plan.place.name, &plan.nest().step);
    let set = |writer: &mut Writer, member: &str, value: String| {
        writer.line(format_args!("{name}_recording.{member} = {value};"));
    };
    writer.line("int answer;");
    write_chain(writer, plan);
    if plan.is_whole_in_chain() {
        set(writer, "is_whole", "1".into());
    }
    set(writer, "act", format!("{name}_act"));
    set(writer, "arguments", format!("&{name}_first"));
    set(writer, "size", format!("sizeof {name}_first"));
    if step.may_exit {
        set(writer, "at_exit", format!("{name}_at_exit"));
    }
    if !step.folds.accumulators.is_empty() {
        set(writer, "has_folds", "1".into());
    }
    if step.folds.tells_early {
        set(writer, "tells_early", "1".into());
    }
    let telling: u32 = step.folds.telling_legs().into_iter().map(|leg| 1 << leg).sum();
    if telling != 0 {
        set(writer, "telling_legs", format!("0x{telling:x}"));
    }
    if step.folds.goes_through {
        set(writer, "goes_through", "1".into());
    }
    if !step.given.is_empty() {
        set(writer, "given_count", step.given.len().to_string());
        set(writer, "given", format!("{name}_given"));
        set(writer, "wheel", Given::WHEEL.to_string());
        writer.line(format_args!("stencil_make_wheels(&{name}_recording);"));
        writer.line(format_args!("{name}_give(&now, 0);"));
    }
    if !step.listed.is_empty() {
        set(writer, "listed_count", step.listed.len().to_string());
        set(writer, "listed", format!("{name}_listed"));
    }
    if !step.folds.values.is_empty() {
        set(writer, "room_count", step.folds.values.len().to_string());
        set(writer, "rooms", format!("{name}_rooms"));
    }
    writer.line(format_args!("{name}_first = now;"));
    writer.line(format_args!("answer = stencil_begin(&{name}_recording);"));
}

fn write_first_leg(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let name = &plan.place.name;
    writer.line(format_args!("{name}_recording.leg_step = {name}_recording.taken + {name}_recording.pending;"));
    write_left_by_leg(writer, plan, 0);
    writer.line(format_args!("stencil_note_leg(&{name}_recording, 1);"));
}

fn write_whole_step(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let (name, nest) = (&plan.place.name, plan.nest());
    if !plan.is_whole_in_chain() {
        write_left_by_step(writer, plan, &nest.step.replay, &nest.step.left_pointers);
    }
    writer.line(format_args!("stencil_note_step(&{name}_recording);"));
    if nest.clock.end().is_none() && plan.place.chain.is_none() {
        writer.line(format_args!("stencil_finish(&{name}_recording);"));
    }
    write_settle(writer, plan);
}

/// What later legs bring stays as it was.
fn write_late(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let (nest, names) = (plan.nest(), plan.names());
    let known = parameter_names(nest, names);
    for parameter in parameters(nest, names).into_iter().filter(|it| !known.contains(&it.name)) {
        writer.line(format_args!("now.{0} = {1}_first.{0};", parameter.name, plan.place.name));
    }
}
