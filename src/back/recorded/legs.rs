//! The functions for the legs of a step behind the first one.

use super::arguments::is_passed;
use super::follows::is_taken_over;
use super::leave::{write_left_by_leg, write_settle};
use crate::back::nest::NestToWrite;
use crate::back::signature::{parameter_names_of_leg, prototype_of_leg};
use crate::ir::{Handle, Param};
use crate::text::Writer;

/// Writes them.
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
    let known = |it: &Handle<Param>| is_taken_over(nest, *it) && is_passed(plan, *it);
    let may_differ = |it: Handle<Param>| nest.step.is_later_than(it, leg - 1) || nest.step.is_gone_before(it, leg);
    let known = nest.params.handles().filter(|it| known(it) && !may_differ(*it)).map(|it| names.param(it));
    let others = known.map(|it| format!("memcmp(&now.{it}, &{name}_first.{it}, sizeof now.{it}) != 0"));
    let turned = if leg > nest.step.turning_leg { " + 1" } else { "" };
    let follows = format!("!{name}_follows(&now, {name}_recording.leg_step, {name}_recording.leg_step{turned})");
    let goes_on = format!("!stencil_goes_on(&{name}_recording, {leg})");
    let goes_through = nest.step.folds.goes_through;
    let others: Vec<String> = match goes_through {
        true => vec![goes_on],
        false => [goes_on, follows].into_iter().chain(others).collect(),
    };
    if goes_through {
        writer.line("(void)now; /* the first leg's call has taken the step */");
    }
    writer.block(format_args!("if ({})", others.join(" || ")), |writer| {
        write_given_to_loops(writer, plan, leg);
        let hands_on = i32::from(nest.step.gaps[leg - 1].hands_on);
        let call = format!("stencil_give_leg(&{name}_nest, &{name}_recording, {}, {hands_on})", leg + 1);
        writer.line(format_args!("return {call};"));
    });
    if !goes_through {
        writer.line(format_args!("{name}_adopt(&now, {name}_recording.leg_step);"));
    }
    write_left_by_leg(writer, plan, leg);
    writer.line(format_args!("stencil_note_leg(&{name}_recording, {});", leg + 1));
    if leg == nest.step.gaps.len() && !nest.step.folds.tells_early {
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
