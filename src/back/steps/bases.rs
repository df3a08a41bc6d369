//! The addresses that the function gets.

use crate::back::nest::NestToWrite;
use crate::back::signature::{base_name, base_variables};
use crate::ir::{Handle, HostValue, Nest};
use crate::text::Writer;

/// The variables whose addresses the function that takes steps gets, in order: those of the user's that lead to arrays, then the
/// bases of the arrays that the driver fills.
pub fn step_bases(nest: &Nest) -> Vec<Handle<HostValue>> {
    let rules = nest.step.rules.iter().map(|rule| rule.values);
    let listed = nest.step.listed.iter().map(|listed| listed.values);
    base_variables(nest).into_iter().chain(rules).chain(listed).collect()
}

/// Declares the table of these addresses where they are variables.
pub fn write_bases(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let bases = step_bases(plan.nest()).into_iter();
    let bases = bases.map(|base| format!("(void *)(size_t){}", base_name(plan.names(), base)));
    writer.line(format_args!("void *const bases[] = {{ {} }};", bases.collect::<Vec<_>>().join(", ")));
}
