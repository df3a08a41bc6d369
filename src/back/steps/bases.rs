//! The addresses that the function gets.

use crate::back::signature::base_variables;
use crate::ir::{Handle, HostValue, Nest};

/// The variables whose addresses the function that takes steps gets, in order: those of the user's that lead to arrays, then the
/// bases of the arrays that the driver fills.
pub fn step_bases(nest: &Nest) -> Vec<Handle<HostValue>> {
    let rules = nest.step.rules.iter().map(|rule| rule.values);
    let listed = nest.step.listed.iter().map(|listed| listed.values);
    base_variables(nest).into_iter().chain(rules).chain(listed).collect()
}
