//! What is said of a file's nests: how many are refused, where the host takes their steps, and where something might be written out.

use super::input::LEFT;
use crate::front::TAKEN_BY_HOST;
use crate::source::{Diagnostic, Severity, SourceFile, Span};

/// What may be refused because the host would have to do something of what a function does, or cannot name what that does.
const CODES: [&str; 9] = [
    "scalar-carried",
    "kept-step",
    "unsupported-call",
    "unsupported-statement",
    "unknown-function",
    "loop-form",
    "loop-bound",
    "sweeps-depend-on-each-other",
    "undeclared",
];

/// At how many places the host needs arrays after each step, or takes it.
pub fn count_interruptions(told: &[Diagnostic]) -> usize {
    let interrupts = |it: &&Diagnostic| it.code == "kept-each-step" || it.message == TAKEN_BY_HOST;
    told.iter().filter(|it| it.severity == Severity::Note).filter(interrupts).count()
}

/// How many nests are refused.
pub fn count_refusals(told: &[Diagnostic]) -> usize {
    told.iter().filter(|it| it.severity == Severity::Error || it.help.iter().any(|help| help == LEFT)).count()
}

/// Where something is refused that the host might do, and where it takes each step.
pub fn places(told: &[Diagnostic], source: &SourceFile) -> Vec<Span> {
    let is_refusal = |it: &Diagnostic| it.severity == Severity::Error || it.help.iter().any(|help| help == LEFT);
    let is_such = |it: &&Diagnostic| is_refusal(it) && CODES.contains(&it.code) || it.message == TAKEN_BY_HOST;
    let refusals = told.iter().filter(is_such);
    refusals.map(|it| it.primary.span).filter(|span| span.file == source.id() && *span != Span::default()).collect()
}
