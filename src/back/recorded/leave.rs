//! What steps and legs leave in the user's variables.

use super::arguments::{constant, write_end_of_time};
use crate::back::call::write_scalar_values;
use crate::back::host::write_steps;
use crate::back::left::write_left_among;
use crate::back::nest::NestToWrite;
use crate::back::signature::{Parameter, parameter_names_of_leg, parameters};
use crate::ir::{LeftPointer, Looks, Replay};
use crate::text::Writer;

/// Brings what steps fold where the host looks at it after each of them.
pub fn write_settle(writer: &mut Writer, plan: &NestToWrite<'_>) {
    if plan.nest().clock.end().is_some() && plan.nest().step.folds.looks == Looks::AfterEach {
        writer.line(format_args!("stencil_settle_comparisons(&{}_recording);", plan.place.name));
    }
}

/// What one leg of a step leaves: pointers where they are exchanged, scalars at the end.
pub fn write_left_by_leg(writer: &mut Writer, plan: &NestToWrite<'_>, leg: usize) {
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
            writer.line(format_args!("(void){name};"));
        }
        write_left_by_step(writer, plan, &replay, pointers);
    });
}

/// What one step leaves in the user's variables.
pub fn write_left_by_step(writer: &mut Writer, plan: &NestToWrite<'_>, replay: &[Replay], pointers: &[LeftPointer]) {
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
