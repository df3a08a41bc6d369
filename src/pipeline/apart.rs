//! Files whose conditions compute steps, or whose statements make more of their values: steps become statements of their own before the
//! file is translated.

use super::input::Input;
use super::output_style::OutputStyle;
use super::preprocessing::Preprocessing;
use super::told::{count_interruptions, count_refusals, places};
use crate::bounded::run_bounded;
use crate::front::{OWN_NAMES, StepInCondition};
use crate::rewrite::steps_apart;
use crate::source::{Diagnostic, SourceFile, count_pragmas};

/// What is made of a file with its steps apart, or as it is if that refuses less, or in words of the file; functions that only fold
/// stand apart where that refuses less, or saves the host from coming by after each step. `notes` are those of a result.
///
/// # Errors
/// Those of `make`.
pub fn with_steps_apart<T>(
    preprocessing: &Preprocessing,
    (source, unit): (&SourceFile, &OutputStyle),
    make: impl Fn(&SourceFile, Input) -> Result<T, Vec<Diagnostic>>,
    notes: impl Fn(&mut T) -> &mut Vec<Diagnostic>,
) -> Result<T, Vec<Diagnostic>> {
    let (steps, input) = find_steps(source, preprocessing.input(source)?)?;
    if steps.is_empty() {
        return make(source, input);
    }
    let make_apart = |steps: &[StepInCondition]| {
        let apart = steps_apart(source, steps, &unit.text);
        let mut found = preprocessing.input(&apart.source).and_then(|it| make(&apart.source, it));
        let told = found.as_mut().map_or_else(|errors| errors, &notes);
        *told = apart.in_given_file(std::mem::take(told));
        let names_own = told.iter().any(|it| it.message.contains(OWN_NAMES));
        (found, names_own)
    };
    let told_of = |found: &mut Result<T, Vec<Diagnostic>>| {
        let told = found.as_mut().map_or_else(|errors| errors, &notes);
        (count_refusals(told), count_interruptions(told))
    };
    let some = |is_one: &dyn Fn(&StepInCondition) -> bool| steps.iter().filter(|it| is_one(it)).cloned().collect();
    let in_conditions: Vec<StepInCondition> = some(&|it| !it.only_folds && !it.is_in_statement());
    let (mut given, mut folds_apart) = (input, None);
    if steps.iter().all(|it| it.only_folds) {
        let (read, told) = given.read_ahead(source, &unit.stem)?;
        given = read;
        // Functions that only fold had better stand apart.
        if is_only_interrupted(&told, source) {
            let (mut found, names_own) = make_apart(&steps);
            if told_of(&mut found) == (0, 0) {
                return found;
            }
            folds_apart = Some((found, names_own));
        }
    }
    let mut given = Some(given);
    let mut make_given = || make(source, given.take().expect("as it is, a file is taken once"));
    let mut taken = in_conditions.clone();
    let (mut found, mut names_own) = if taken.is_empty() { (make_given(), false) } else { make_apart(&taken) };
    let (mut refused, mut interrupted) = told_of(&mut found);
    for only_folds in [false, true] {
        let more: Vec<StepInCondition> = some(&|it| taken.contains(it) || it.only_folds == only_folds);
        if more.len() == taken.len() || refused == 0 && (!only_folds || interrupted == 0) {
            continue;
        }
        let (mut other, own_of_other) = folds_apart.take().unwrap_or_else(|| make_apart(&more));
        let (less, fewer) = told_of(&mut other);
        let is_better = less < refused || only_folds && less == refused && fewer < interrupted;
        if is_better && (other.is_ok() || !own_of_other) {
            (found, names_own, refused, interrupted, taken) = (other, own_of_other, less, fewer, more);
        }
    }
    if refused == 0 || in_conditions.is_empty() {
        return found;
    }
    let mut plain = make_given();
    let is_better = plain.as_mut().is_ok_and(|plain| count_refusals(notes(plain)) < refused);
    if is_better || names_own { plain } else { found }
}

/// Whether all that is said of what is read, where calls might be written out for nothing, is that the host is interrupted.
fn is_only_interrupted(told: &[Diagnostic], source: &SourceFile) -> bool {
    count_refusals(told) == 0 && count_interruptions(told) > 0 && places(told, source).is_empty()
}

/// The steps in conditions, and what they were looked for in.
fn find_steps(source: &SourceFile, input: Input) -> Result<(Vec<StepInCondition>, Input), Vec<Diagnostic>> {
    let source = source.clone();
    run_bounded(count_pragmas(&input.preprocessed), move || Ok((input.steps_in_conditions(&source), input)))
}
