//! Files in whose marked loops calls are written out because something is refused otherwise, or because the host takes each step.

use std::iter;

use super::apart::{count_refusals, with_steps_apart};
use super::input::{Input, LEFT};
use super::preprocessing::Preprocessing;
use crate::bounded::run_bounded;
use crate::front::{CallInPlace, TAKEN_BY_HOST, reads_as_expected};
use crate::options::Options;
use crate::rewrite::{Changed, TextStyle, hand_over, write_out};
use crate::source::{Diagnostic, Severity, SourceFile, Span};

/// So many calls are written out at most.
const MOST_CALLS: usize = 6;

/// What may be refused because the host would have to do something of what a function does.
const CODES: [&str; 8] = [
    "scalar-carried",
    "kept-step",
    "unsupported-call",
    "unsupported-statement",
    "unknown-function",
    "loop-form",
    "loop-bound",
    "sweeps-depend-on-each-other",
];

/// What is made of a file with its steps apart, and with calls written out where that refuses less, or leaves more to the device. `notes` are those of a result.
///
/// # Errors
/// Those of `make`.
pub fn with_changes<T>(
    options: &Options,
    (source, style): (&SourceFile, &TextStyle),
    make: impl Fn(&SourceFile, Input) -> Result<T, Vec<Diagnostic>>,
    notes: impl Fn(&mut T) -> &mut Vec<Diagnostic>,
) -> Result<T, Vec<Diagnostic>> {
    let preprocessing = Preprocessing::new(options);
    let make_of = |source: &SourceFile, input| {
        let found = make(source, input);
        or_written_out(&preprocessing, (source, style), found, &make, &notes, MOST_CALLS)
    };
    with_steps_apart(&preprocessing, (source, style), make_of, &notes)
}

fn or_written_out<T>(
    preprocessing: &Preprocessing,
    (source, style): (&SourceFile, &TextStyle),
    mut found: Result<T, Vec<Diagnostic>>,
    make: &impl Fn(&SourceFile, Input) -> Result<T, Vec<Diagnostic>>,
    notes: &impl Fn(&mut T) -> &mut Vec<Diagnostic>,
    calls_left: usize,
) -> Result<T, Vec<Diagnostic>> {
    let told = found.as_mut().map_or_else(|errors| errors, notes);
    let (before, places) = (count_left(told), places(told, source));
    if places.is_empty() || calls_left == 0 {
        return found;
    }
    let handed_over = iter::once_with(|| handed_over(preprocessing, source, style));
    let ways = handed_over.chain(iter::once_with(|| written_out(preprocessing, source, style, places)));
    for (changed, input) in ways.flatten() {
        let other = make(&changed.source, input);
        let mut other = or_written_out(preprocessing, (&changed.source, style), other, make, notes, calls_left - 1);
        let told = other.as_mut().map_or_else(|errors| errors, notes);
        let is_better = count_left(told) < before;
        *told = changed.in_given_file(std::mem::take(told));
        if is_better {
            return other;
        }
    }
    found
}

/// How many nests are refused, and at how many places the host takes each step.
fn count_left(told: &[Diagnostic]) -> (usize, usize) {
    (count_refusals(told), told.iter().filter(|it| it.message == TAKEN_BY_HOST).count())
}

/// Where something is refused that the host might do, and where it takes each step.
fn places(told: &[Diagnostic], source: &SourceFile) -> Vec<Span> {
    let is_refusal = |it: &Diagnostic| it.severity == Severity::Error || it.help.iter().any(|help| help == LEFT);
    let is_such = |it: &&Diagnostic| is_refusal(it) && CODES.contains(&it.code) || it.message == TAKEN_BY_HOST;
    let refusals = told.iter().filter(is_such);
    refusals.map(|it| it.primary.span).filter(|span| span.file == source.id() && *span != Span::default()).collect()
}

/// A file in which the host hands on what sweeps need, if there is something to hand on.
fn handed_over(preprocessing: &Preprocessing, source: &SourceFile, style: &TextStyle) -> Option<(Changed, Input)> {
    let input = Input::new(preprocessing.run(source).ok()?);
    let given = source.clone();
    let handovers = run_bounded(1, move || Ok(input.handovers(&given))).ok().filter(|it| !it.is_empty())?;
    let changed = hand_over(source, &handovers, style);
    let input = Input::new(preprocessing.run(&changed.source).ok()?);
    Some((changed, input))
}

/// A file with one more call written out, if the preprocessor makes of it what it should.
fn written_out(
    preprocessing: &Preprocessing,
    source: &SourceFile,
    style: &TextStyle,
    places: Vec<Span>,
) -> Option<(Changed, Input)> {
    let input = Input::new(preprocessing.run(source).ok()?);
    let given = source.clone();
    let find = move || Ok(input.call_in_place(&given, &places));
    let mut ways: Vec<CallInPlace> = run_bounded(1, find).ok()?;
    // The line of what follows is the same.
    let same_lines = TextStyle::SameLines { original: Vec::new() };
    let reads_well = |call: &CallInPlace| {
        let tried = write_out(source, call, &same_lines);
        preprocessing.run(&tried.source).is_ok_and(|it| reads_as_expected(&tried.source, &it, call))
    };
    ways.retain(reads_well);
    let changed = write_out(source, ways.first()?, style);
    let input = Input::new(preprocessing.run(&changed.source).ok()?);
    Some((changed, input))
}
