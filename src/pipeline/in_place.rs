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

#[cfg(test)]
mod tests {
    use super::super::tests::{options, rewrite};

    /// Whether a step function of another file can be written out that prints, with these declarations before it and before the function
    /// with the loop, and this code in both.
    fn is_written_out((other, here): (&str, &str), (in_other, in_loop): (&str, &str)) -> bool {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("other.c");
        let sweeps =
            "for (int i = 1; i < n - 1; i++) v[i] = k * u[i - 1];\n    for (int i = 1; i < n - 1; i++) u[i] = v[i];";
        let step = "void step(int n, float *u, float *v, int t)";
        let function = format!("{step}\n{{\n    {in_other}\n    printf(\"%d\\n\", t);\n    {sweeps}\n}}\n");
        std::fs::write(&path, format!("#include <stdio.h>\n{other}\n{function}")).expect("a written file");
        let main = format!(
            "#include <stdio.h>\n{here}\n{step};\nvoid f(int n, float *u, float *v)\n{{\n#pragma stencil\n    \
             for (int t = 0; t < n; t++) {{\n        step(n, u, v, t);\n        {in_loop}\n    }}\n}}\n"
        );
        let options = crate::options::Options { beside: vec![path], ..options(false) };
        rewrite(&main, &options).is_ok()
    }

    #[test]
    fn what_is_the_same_in_both_files_is_written_out() {
        for (other, here, in_other) in [
            ("float k = 0.5f;", "", ""),
            ("float k = 0.5f;", "extern float k;", ""),
            ("#define K 0.5f", "", "float k = K;"),
            ("#define K 0.5f", "#define K 3", "float k = K;"),
            ("typedef float real;", "", "real k = 0.5f;"),
            ("typedef float real;", "typedef float real;", "real k = 0.5f;"),
            ("enum { HALF = 2 };", "", "float k = 1.0f / HALF;"),
            ("struct pair { float a, b; }; struct pair p;", "", "float k = p.a;"),
            ("static const float k = 0.5f;", "", ""),
            ("static float half(void) { return 0.5f; }", "", "float k = half();"),
            ("#include <time.h>", "", "float k = (float)(time(NULL) % 2);"),
        ] {
            assert!(is_written_out((other, here), (in_other, "")), "{other}");
        }
    }

    #[test]
    fn what_is_another_thing_here_is_not() {
        for (other, here, in_other, in_loop) in [
            ("static float k = 0.5f;", "", "k += 0.125f;", ""),
            ("static float k = 0.5f;", "static float k = 2;", "", ""),
            ("float k = 0.5f;", "static float k = 2;", "", ""),
            ("float k = 0.5f;", "", "", "float k = 3; printf(\"%g\\n\", k);"),
            ("typedef float real;", "typedef double real;", "real k = 0.5f;", ""),
            ("enum { HALF = 2 };", "enum { HALF = 3 };", "float k = 1.0f / HALF;", ""),
            (
                "static float half(void) { return 0.5f; }",
                "static float half(void) { return 2; }",
                "float k = half();",
                "",
            ),
            ("static float half(void) { static int c; return c++; }", "", "float k = half();", ""),
            ("static int g; float k;", "", "k = g; { float g = k; k = g; }", ""),
        ] {
            assert!(!is_written_out((other, here), (in_other, in_loop)), "{other} {here}");
        }
    }
}
