//! A host function that takes all steps on the host, so that tests can compare what they leave.

use super::actions::can_take_steps;
use super::bases::write_bases;
use crate::back::nest::NestToWrite;
use crate::back::rules::write_drops;
use crate::ir::Clock;
use crate::text::Writer;

/// Takes the steps in two portions, leaves the variables and returns, if that is asked for and possible.
pub fn write_whole(writer: &mut Writer, plan: &NestToWrite<'_>) {
    if !plan.takes_steps || can_take_steps(plan.program, plan.names()).is_some() {
        return;
    }
    let (name, steps) = (&plan.place.name, format!("scalars.{}", plan.names().steps()));
    writer.block("", |writer| {
        write_bases(writer, plan);
        let legs = plan.nest().step.gaps.len();
        let legs = if legs == 0 { String::new() } else { format!(", 0, {legs}") };
        let half = if plan.nest().clock == Clock::Once { "0".to_owned() } else { format!("{steps} / 2") };
        if half != "0" {
            writer.line(format_args!("{name}_take_steps(&scalars, bases, 0, {half}{legs});"));
        }
        writer.line(format_args!("{name}_take_steps(&scalars, bases, {half}, {steps} - {half}{legs});"));
        writer.line("stencil_leave_variables(&call);");
        write_drops(writer, plan);
        writer.line("return 1;");
    });
}
