//! Files whose conditions compute steps, or whose statements make more of their values: steps become statements of their own before the
//! file is translated.

use super::input::{Input, LEFT, preprocess};
use crate::bounded::run_bounded;
use crate::front::{OWN_NAMES, StepInCondition};
use crate::options::Options;
use crate::rewrite::{TextStyle, steps_apart};
use crate::source::{Diagnostic, Preprocessed, Severity, SourceFile, count_pragmas};

/// What is made of a file with its steps apart, or as it is if that refuses less, or in words of the file. `notes` are those of
/// a result.
///
/// # Errors
/// Those of `make`.
pub fn with_steps_apart<T>(
    options: &Options,
    (source, style): (&SourceFile, &TextStyle),
    make: impl Fn(&SourceFile, Input) -> Result<T, Vec<Diagnostic>>,
    notes: impl Fn(&mut T) -> &mut Vec<Diagnostic>,
) -> Result<T, Vec<Diagnostic>> {
    let (steps, input) = find_steps(source, preprocess(options, source)?)?;
    if steps.is_empty() {
        return make(source, input);
    }
    let make = |source: &SourceFile| make(source, Input::new(preprocess(options, source)?));
    let make_apart = |steps: &[StepInCondition]| {
        let apart = steps_apart(source, steps, style);
        let mut found = make(&apart.source);
        let told = found.as_mut().map_or_else(|errors| errors, &notes);
        *told = apart.in_given_file(std::mem::take(told));
        let names_own = told.iter().any(|it| it.message.contains(OWN_NAMES));
        (found, names_own)
    };
    let refusals =
        |found: &mut Result<T, Vec<Diagnostic>>| count_refusals(found.as_mut().map_or_else(|errors| errors, &notes));
    let in_conditions: Vec<StepInCondition> = steps.iter().filter(|it| !it.is_in_statement()).cloned().collect();
    let (mut found, mut names_own) =
        if in_conditions.is_empty() { (make(source), false) } else { make_apart(&in_conditions) };
    let mut refused = refusals(&mut found);
    if refused > 0 && in_conditions.len() < steps.len() {
        let (mut with_statements, own_of_statements) = make_apart(&steps);
        let less = refusals(&mut with_statements);
        if less < refused && (with_statements.is_ok() || !own_of_statements) {
            (found, names_own, refused) = (with_statements, own_of_statements, less);
        }
    }
    if refused == 0 || in_conditions.is_empty() {
        return found;
    }
    let mut plain = make(source);
    let is_better = plain.as_mut().is_ok_and(|plain| count_refusals(notes(plain)) < refused);
    if is_better || names_own { plain } else { found }
}

/// How many nests are refused.
pub fn count_refusals(told: &[Diagnostic]) -> usize {
    told.iter().filter(|it| it.severity == Severity::Error || it.help.iter().any(|help| help == LEFT)).count()
}

/// The steps in conditions, and what they were looked for in.
fn find_steps(
    source: &SourceFile,
    preprocessed: Preprocessed,
) -> Result<(Vec<StepInCondition>, Input), Vec<Diagnostic>> {
    let source = source.clone();
    run_bounded(count_pragmas(&preprocessed), move || {
        let input = Input::new(preprocessed);
        Ok((input.steps_in_conditions(&source), input))
    })
}
