//! Files in whose marked loops calls are written out because something is refused otherwise, or because the host takes each step.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::apart::with_steps_apart;
use super::input::Input;
use super::output_style::OutputStyle;
use super::preprocessing::Preprocessing;
use super::told::{count_refusals, places};
use crate::bounded::run_bounded;
use crate::front::{CallInPlace, TAKEN_BY_HOST, reads_as_expected};
use crate::options::Options;
use crate::rewrite::{Changed, TextStyle, hand_over, write_out};
use crate::source::{Diagnostic, SourceFile, Span};

/// So many calls are written out at most.
const MOST_CALLS: usize = 6;

/// What is made of a file with its steps apart, and with calls written out where that refuses less, or leaves more to the device. `notes` are those of a result.
///
/// # Errors
/// Those of `make`.
pub fn with_changes<T>(
    options: &Options,
    (source, unit): (&SourceFile, &OutputStyle),
    make: impl Fn(&SourceFile, Input) -> Result<T, Vec<Diagnostic>>,
    notes: impl Fn(&mut T) -> &mut Vec<Diagnostic>,
) -> Result<T, Vec<Diagnostic>> {
    let preprocessing = Preprocessing::new(options);
    let tried = Tried::default();
    let make_of = |source: &SourceFile, input| {
        or_written_out((&preprocessing, &tried), (source, unit), input, (&make, &notes), MOST_CALLS)
    };
    with_steps_apart(&preprocessing, (source, unit), make_of, &notes)
}

fn or_written_out<T>(
    (preprocessing, tried): (&Preprocessing, &Tried),
    (source, unit): (&SourceFile, &OutputStyle),
    input: Input,
    (make, notes): (&impl Make<T>, &impl Notes<T>),
    calls_left: usize,
) -> Result<T, Vec<Diagnostic>> {
    if calls_left == 0 {
        return make(source, input);
    }
    let (input, told) = input.read_ahead(source, &unit.stem)?;
    let mut given = Given { read: Some(input), told, made: None, make: |input| make(source, input), notes };
    if places(&given.told, source).is_empty() && places(given.told_when_made(), source).is_empty() {
        return given.into_made();
    }
    let better = |(changed, input): (Changed, Input), given: &mut Given<_, _, _>| {
        let key = (changed.source.bytes().to_vec(), calls_left);
        let known = tried.left.borrow().get(&key).copied();
        if known.is_some_and(|left| !given.leaves_more_than(left)) {
            return None;
        }
        let (of_other, calls_left) = ((&changed.source, unit), calls_left - 1);
        let mut other = or_written_out((preprocessing, tried), of_other, input, (make, notes), calls_left);
        let told = other.as_mut().map_or_else(|errors| errors, notes);
        let left = count_left(told);
        tried.left.borrow_mut().insert(key, left);
        *told = changed.in_given_file(std::mem::take(told));
        given.leaves_more_than(left).then_some(other)
    };
    let handed_over = handed_over(preprocessing, source, &unit.text);
    if let Some(other) = handed_over.and_then(|way| better(way, &mut given)) {
        return other;
    }
    loop {
        let known = places(&given.told, source);
        let written_out = written_out(preprocessing, source, &unit.text, known.clone());
        if let Some(other) = written_out.and_then(|way| better(way, &mut given)) {
            return other;
        }
        let places = places(given.told_when_made(), source);
        if places.is_empty() || places == known {
            return given.into_made();
        }
    }
}

/// What the forms of a file leave to the host, or refused, by their texts and by how many calls were left to write out.
#[derive(Default)]
struct Tried {
    left: RefCell<BTreeMap<Form, (usize, usize)>>,
}

/// The text of a form, and how many calls were left to write out.
type Form = (Vec<u8>, usize);

/// Makes something of a file.
trait Make<T>: Fn(&SourceFile, Input) -> Result<T, Vec<Diagnostic>> {}

impl<T, M: Fn(&SourceFile, Input) -> Result<T, Vec<Diagnostic>>> Make<T> for M {}

/// The notes of a result.
trait Notes<T>: Fn(&mut T) -> &mut Vec<Diagnostic> {}

impl<T, N: Fn(&mut T) -> &mut Vec<Diagnostic>> Notes<T> for N {}

/// A file that has been read, of which something is made as soon as that matters: with calls written out there may be something better.
struct Given<'n, T, M, N> {
    /// What has been read, until something is made of it.
    read: Option<Input>,
    /// What is said of that, or of what is made of it.
    told: Vec<Diagnostic>,
    made: Option<Result<T, Vec<Diagnostic>>>,
    make: M,
    notes: &'n N,
}

impl<T, M: Fn(Input) -> Result<T, Vec<Diagnostic>>, N: Notes<T>> Given<'_, T, M, N> {
    fn told_when_made(&mut self) -> &[Diagnostic] {
        if let Some(input) = self.read.take() {
            let mut made = (self.make)(input);
            self.told = made.as_mut().map_or_else(|errors| errors, self.notes).clone();
            self.made = Some(made);
        }
        &self.told
    }

    /// Whether more is refused or left to the host here. What is read of a file with places for calls leaves something.
    fn leaves_more_than(&mut self, left: (usize, usize)) -> bool {
        left == (0, 0) && self.read.is_some() || left < count_left(self.told_when_made())
    }

    fn into_made(mut self) -> Result<T, Vec<Diagnostic>> {
        self.told_when_made();
        self.made.expect("something is made of what has been read")
    }
}

/// How many nests are refused, and at how many places the host takes each step.
fn count_left(told: &[Diagnostic]) -> (usize, usize) {
    (count_refusals(told), told.iter().filter(|it| it.message == TAKEN_BY_HOST).count())
}

/// A file in which the host hands on what sweeps need, if there is something to hand on.
fn handed_over(preprocessing: &Preprocessing, source: &SourceFile, style: &TextStyle) -> Option<(Changed, Input)> {
    let input = preprocessing.input(source).ok()?;
    let given = source.clone();
    let handovers = run_bounded(1, move || Ok(input.handovers(&given))).ok().filter(|it| !it.is_empty())?;
    let changed = hand_over(source, &handovers, style);
    let input = preprocessing.input(&changed.source).ok()?;
    Some((changed, input))
}

/// A file with one more call written out, if the preprocessor makes of it what it should.
fn written_out(
    preprocessing: &Preprocessing,
    source: &SourceFile,
    style: &TextStyle,
    places: Vec<Span>,
) -> Option<(Changed, Input)> {
    let input = preprocessing.input(source).ok()?;
    let given = source.clone();
    let find = move || Ok(input.call_in_place(&given, &places));
    let ways: Vec<CallInPlace> = run_bounded(1, find).ok()?;
    // The line of what follows is the same.
    let same_lines = TextStyle::SameLines { original: Vec::new() };
    let reads_well = |call: &CallInPlace| {
        let tried = write_out(source, call, &same_lines);
        preprocessing.run(&tried.source).is_ok_and(|it| reads_as_expected(&tried.source, &it, call))
    };
    let call = ways.into_iter().find(reads_well)?;
    let changed = write_out(source, &call, style);
    let input = preprocessing.input(&changed.source).ok()?;
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
