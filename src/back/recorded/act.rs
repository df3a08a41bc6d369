//! The function that makes the tables of a call of so many steps.

use super::arguments::{constant, write_end_of_time};
use crate::back::call::write_tables_of_call;
use crate::back::folds::{write_call_of_fold, write_call_of_outcomes, write_trial_of_fold};
use crate::back::nest::NestToWrite;
use crate::back::signature::parameters;
use crate::back::steps;
use crate::text::Writer;

/// Writes it.
pub fn write_act(writer: &mut Writer, plan: &NestToWrite<'_>) {
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
        let answer = format!("stencil_act(&{name}_nest, &call, &{name}_turn, recording);");
        if nest.step.folds.accumulators.is_empty() {
            return writer.line(format_args!("return {answer}"));
        }
        writer.line(format_args!("const int answer = {answer}"));
        write_trial_of_fold(writer, plan);
        writer.line("return answer;");
    });
    writer.line("");
}
