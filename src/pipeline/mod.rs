//! From a source file to its rewritten form: the whole translation on one page.

mod apart;
mod chains;
mod foresight;
mod in_place;
mod input;
mod output_style;
mod places;
mod preprocessing;
mod told;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::back::{self, Banner, NestPlace, NestText, NestToWrite};
use crate::bounded::run_bounded;
use crate::front::{KeptLoop, MarkedNest, tuned_name};
use crate::ir::Lent;
use crate::kernel::{PlanKernels, Subject};
use crate::model::Plans;
use crate::options::Options;
use crate::poly::{self, Analysis};
use crate::report::{Dump, write_dump, write_nest};
use crate::rewrite::{Original, Replacement, TextStyle, compute_host_edits, drop_words, hide, name_member_macros};
use crate::source::{Diagnostic, Preprocessed, Severity, SourceFile, Span, count_pragmas};
use crate::tune::{MeasuredNest, Values};
use crate::{tile, valid};
use chains::{chain_place, drop_chains, note_resident};
use foresight::{choose, with_reading};
use in_place::with_changes;
use input::{Input, LEFT, bound_folds, note_inactive, read_nests};
pub use output_style::OutputStyle;
use places::{check_call_place, edits_of_step, place};

/// The results for one file.
#[derive(Clone, Debug)]
pub struct Rewritten {
    /// The user's file with its nests behind calls.
    pub host_source: Vec<u8>,
    /// The host driver, in C.
    pub driver: String,
    /// Declarations of the driver's functions; it includes nothing.
    pub header: String,
    /// The kernels, in OpenCL C.
    pub kernels: String,
    /// Number of nests that were rewritten.
    pub nest_count: usize,
    /// Variables that other files lend to the nests.
    pub lent: BTreeSet<Lent>,
    /// Notes and warnings.
    pub notes: Vec<Diagnostic>,
    /// The files that the user's file includes, as the preprocessor names them.
    pub headers: Vec<PathBuf>,
}

/// Rewrites the marked nests of `source`. A file that people read, if it has been rewritten before, is rewritten anew; what a
/// compiler gets is taken as it is.
///
/// # Errors
/// All diagnostics, at least one of them an error: the preprocessor refuses the file, no nest is marked, or a nest
/// cannot be rewritten and [`Options::keep_unsupported`] does not allow to leave it.
pub fn rewrite_source(
    options: &Options,
    source: &SourceFile,
    unit: &OutputStyle,
) -> Result<Rewritten, Vec<Diagnostic>> {
    let make = |source: &SourceFile, input| rewrite_input(options, source, input, unit);
    let rewrite = |source: &SourceFile| with_changes(options, (source, unit), make, |rewritten| &mut rewritten.notes);
    if unit.text != TextStyle::Readable {
        return rewrite(source);
    }
    let original = Original::of(source).map_err(|error| vec![*error])?;
    match rewrite(original.source()) {
        Ok(rewritten) => Ok(Rewritten { notes: original.in_given_file(rewritten.notes), ..rewritten }),
        Err(diagnostics) => Err(original.in_given_file(diagnostics)),
    }
}

/// As [`rewrite_source`] for a file that somebody has preprocessed already; no other program is run.
///
/// # Errors
/// As [`rewrite_source`].
pub fn rewrite_preprocessed(
    options: &Options,
    source: &SourceFile,
    preprocessed: Preprocessed,
    unit: &OutputStyle,
) -> Result<Rewritten, Vec<Diagnostic>> {
    rewrite_input(options, source, Input::new(preprocessed), unit)
}

fn rewrite_input(
    options: &Options,
    source: &SourceFile,
    input: Input,
    unit: &OutputStyle,
) -> Result<Rewritten, Vec<Diagnostic>> {
    let (options, source, unit) = (options.clone(), source.clone(), unit.clone());
    run_bounded(count_pragmas(&input.preprocessed), move || translate(&options, &source, &input, &unit, true))
}

/// What becomes of a file: the texts of its nests, and what takes their places.
#[derive(Default)]
struct Translation {
    texts: Vec<NestText>,
    replacements: Vec<Replacement>,
    dropped_words: Vec<Span>,
    hidden: BTreeSet<Span>,
    /// As tuning files call the nests.
    names: Vec<String>,
    notes: Vec<Diagnostic>,
}

/// Translates a file; nests are in chains if they `may_be_chained`.
fn translate(
    options: &Options,
    source: &SourceFile,
    input: &Input,
    unit: &OutputStyle,
    may_be_chained: bool,
) -> Result<Rewritten, Vec<Diagnostic>> {
    let preprocessed = &input.preprocessed;
    let mut nests = read_nests(options, source, input, &unit.stem)?;
    drop_chains(&mut nests, options, may_be_chained);
    let called: Vec<String> =
        nests.iter().map(|nest| nest.as_ref().map_or_else(|_| String::new(), |it| it.name.clone())).collect();
    let mut file = Translation::default();
    for (index, nest) in nests.into_iter().enumerate() {
        let is_chained = nest.as_ref().is_ok_and(|marked| marked.chain.is_some());
        let translated = nest.and_then(|marked| file.add_nest(options, (source, input), marked, (index, &called)));
        match translated {
            Ok(()) => {}
            // The others of its chain must do without it.
            Err(_) if is_chained && options.keep_unsupported => {
                return translate(options, source, input, unit, false);
            }
            Err(diagnostics) => file.notes.extend(kept(options, diagnostics)),
        }
    }
    if file.notes.iter().any(|note| note.severity == Severity::Error) {
        return Err(file.notes);
    }
    file.notes.extend(note_inactive(source, preprocessed));
    file.notes.extend(note_unused(options, &file.names));
    Ok(file.finish(options, source, preprocessed, unit))
}

impl Translation {
    /// Adds the text of a nest.
    fn add_nest(
        &mut self,
        options: &Options,
        (source, input): (&SourceFile, &Input),
        marked: MarkedNest,
        (index, called): (usize, &[String]),
    ) -> Result<(), Vec<Diagnostic>> {
        let number = index + 1;
        let name = tuned_name(source, &marked.clauses, number);
        let options = options.for_nest(&name);
        self.names.push(name);
        self.notes.extend(marked.chain.iter().filter_map(|chain| note_resident(chain, &marked)));
        let (marked, (text, notes)) = with_reading(marked, within(&options, source, input, index), |marked| {
            check_call_place(source, &input.preprocessed, marked)?;
            let place = NestPlace { chain: chain_place(marked, called), ..place(source, marked, number) };
            with_kernels(marked, place, &options, |plan, plan_notes| {
                valid::check_replay(plan.nest(), back::why_no_replay(plan))?;
                Ok::<_, Vec<Diagnostic>>((back::write_nest(plan), notes_of_nest(marked, plan, plan_notes)))
            })?
        })?;
        self.notes.extend(notes);
        let kept = edits_of_step(&marked, &text.calls);
        self.hidden.extend(marked.hidden);
        let nest = marked.nest;
        self.dropped_words.extend(&nest.dropped_words);
        self.replacements.push(Replacement { pragma: nest.pragma, nest: nest.span, call: text.calls[0].clone(), kept });
        self.texts.push(text);
        Ok(())
    }

    /// The files.
    fn finish(
        self,
        options: &Options,
        source: &SourceFile,
        preprocessed: &Preprocessed,
        unit: &OutputStyle,
    ) -> Rewritten {
        let header = format!("{}.stencil.h", unit.stem);
        let text = source.bytes();
        let mut edits = compute_host_edits(text, &self.replacements, &header, options.no_fallback, &unit.text);
        drop_words(&mut edits, text, self.dropped_words, &unit.text);
        hide(&mut edits, text, self.hidden, &unit.text);
        let headers = preprocessed.headers().iter().filter(|header| !header.is_system);
        let headers: Vec<_> = headers.filter_map(|header| SourceFile::read(&header.path).ok()).collect();
        let headers: Vec<_> = headers.iter().map(|header| header.bytes().to_vec()).collect();
        name_member_macros(&mut edits, text, &headers);
        let banner = Banner::new(&source.path().file_name().unwrap_or_default().to_string_lossy(), options);
        Rewritten {
            host_source: edits.apply(text),
            driver: back::write_driver(&banner, &unit.stem, &self.texts, options.has_runtime_apart),
            header: back::write_header(&banner, &unit.stem, &self.texts),
            kernels: back::write_kernels(&banner, &unit.stem, &self.texts),
            nest_count: self.texts.len(),
            lent: self.texts.iter().flat_map(|nest| nest.lent.iter().cloned()).collect(),
            notes: self.notes,
            headers: preprocessed.headers().iter().map(|header| header.path.clone()).collect(),
        }
    }
}

/// What may be refused because a nest has several steps.
const OF_SEVERAL_STEPS: [&str; 3] = ["cells-change-with-time", "no-parallel-storage", "outer-loop-carries"];

/// Reads a nest with this number as a loop over steps within it, too, or step by step if that may help.
fn within(
    options: &Options,
    source: &SourceFile,
    input: &Input,
    index: usize,
) -> impl FnOnce(&mut MarkedNest, &[Diagnostic]) {
    move |marked, refusals| {
        input.read_within(source, marked, index);
        let has_several_steps = refusals.iter().any(|it| OF_SEVERAL_STEPS.contains(&it.code));
        if marked.within.is_none() && has_several_steps && !marked.nest.reads_rows_ahead() {
            input.read_each_step(source, marked, index);
        }
        bound_folds(options, marked);
    }
}

/// What the user should know of a nest that is rewritten.
fn notes_of_nest(marked: &MarkedNest, plan: &NestToWrite<'_>, of_plans: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let nest = plan.nest();
    let mut notes = valid::note_never_executed(nest, &plan.recurrences().sweeps.never_executed);
    notes.extend(valid::note_held(nest));
    notes.extend(valid::note_bounded(nest));
    notes.extend(valid::note_equal_sizes(nest));
    notes.extend(valid::note_tiled_sizes(nest));
    notes.extend(valid::note_lent(nest));
    notes.extend(valid::note_inexact_functions(nest, plan.fp));
    notes.extend(valid::note_order_of_nothing(nest, plan.clauses));
    notes.extend(of_plans);
    notes.extend(marked.kept.iter().flat_map(KeptLoop::notes));
    notes
}

/// The diagnostics of a nest that is left as it is, if the user agreed to that.
fn kept(options: &Options, mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    if options.keep_unsupported {
        for diagnostic in diagnostics.iter_mut().filter(|diagnostic| diagnostic.severity == Severity::Error) {
            diagnostic.severity = Severity::Warning;
            diagnostic.help.push(LEFT.into());
        }
    }
    diagnostics
}

/// Tuned plans for nests that are not rewritten, or not there any more; those here have these names.
fn note_unused(options: &Options, names: &[String]) -> impl Iterator<Item = Diagnostic> {
    options.tuned.iter().filter(|plan| !names.contains(&plan.nest)).map(|plan| {
        let message = format!("{} is for the nest `{}`, which is not rewritten here", plan.place, plan.nest);
        Diagnostic::warning("tuning-unused", message, Default::default())
            .with_help(format!("the nests here: {}; correct the plan or remove it", names.join(", ")))
    })
}

/// Analyses a nest, plans how devices run it, builds the kernels, and hands all that to `finish` with what the user should know
/// of the plans.
fn with_kernels<T>(
    MarkedNest { nest: program, clauses, .. }: &MarkedNest,
    place: NestPlace,
    options: &Options,
    finish: impl FnOnce(&NestToWrite<'_>, Vec<Diagnostic>) -> T,
) -> Result<T, Vec<Diagnostic>> {
    let finish = |analysis: &Analysis<'_>| {
        valid::check_recorded(analysis).map_err(|error| vec![*error])?;
        let Analysis { nest, recurrences, .. } = analysis;
        let reaches = tile::compute_reaches(nest, recurrences, options.order_for(clauses))
            .map_err(|refusal| vec![valid::explain(nest, &refusal)])?;
        let Plans { plans, notes } =
            Plans::new(nest, clauses, recurrences, reaches.as_ref(), options).map_err(|error| vec![*error])?;
        let subject = Subject::new(analysis);
        let kernels = plans.iter().map(|plan| PlanKernels::new(&subject, &place.name, plan)).collect();
        Ok(finish(&NestToWrite::new(&subject, program, &plans, kernels, place, clauses, options), notes))
    };
    poly::analyse(program, finish).map_err(|refusal| vec![valid::explain(program, &refusal)])?
}

/// Prints one stage of each marked nest of `source`.
///
/// # Errors
/// As [`rewrite_source`].
pub fn dump_source(options: &Options, source: &SourceFile, stem: &str, asked: Dump) -> Result<String, Vec<Diagnostic>> {
    let original = Original::of(source).map_err(|error| vec![*error])?;
    let dump = |source: &SourceFile, input| dump_input(options, source, input, stem, asked);
    let unit = OutputStyle { stem: stem.to_owned(), text: TextStyle::Readable };
    let dumped = with_changes(options, (original.source(), &unit), dump, |(_, notes)| notes);
    dumped.map(|(text, _)| text).map_err(|diagnostics| original.in_given_file(diagnostics))
}

/// As [`dump_source`] for a file that somebody has preprocessed already.
///
/// # Errors
/// As [`rewrite_source`].
pub fn dump_preprocessed(
    options: &Options,
    source: &SourceFile,
    preprocessed: Preprocessed,
    stem: &str,
    asked: Dump,
) -> Result<String, Vec<Diagnostic>> {
    dump_input(options, source, Input::new(preprocessed), stem, asked).map(|(text, _)| text)
}

fn dump_input(
    options: &Options,
    source: &SourceFile,
    input: Input,
    stem: &str,
    asked: Dump,
) -> Result<(String, Vec<Diagnostic>), Vec<Diagnostic>> {
    let (options, source, stem) = (options.clone(), source.clone(), stem.to_owned());
    run_bounded(count_pragmas(&input.preprocessed), move || dump(&options, &source, &input, &stem, asked))
}

fn dump(
    options: &Options,
    source: &SourceFile,
    input: &Input,
    stem: &str,
    asked: Dump,
) -> Result<(String, Vec<Diagnostic>), Vec<Diagnostic>> {
    let (mut text, mut notes) = (String::new(), Vec::new());
    for (index, nest) in read_nests(options, source, input, stem)?.into_iter().enumerate() {
        let mut marked = nest?;
        let options = options.for_nest(&tuned_name(source, &marked.clauses, index + 1));
        text += &match asked {
            // What was read can be seen even if it is refused then.
            Dump::Nest => {
                if marked.chain.is_none() {
                    input.read_within(source, &mut marked, index);
                    choose(&mut marked);
                }
                write_nest(&marked.name, &marked.nest)
            }
            dump => {
                let read_within = within(&options, source, input, index);
                let (_, (written, said)) = with_reading(marked, read_within, |marked| {
                    with_kernels(marked, place(source, marked, index + 1), &options, |plan, plan_notes| {
                        valid::check_replay(plan.nest(), back::why_no_replay(plan))?;
                        Ok::<_, Vec<Diagnostic>>((write_dump(plan, dump), notes_of_nest(marked, plan, plan_notes)))
                    })?
                })?;
                notes.extend(said);
                written
            }
        };
    }
    Ok((text, notes))
}

/// What nests without a name are called after in programs that measure them.
const MEASURED: &str = "measured";

/// Programs that measure the marked nests of `source`, or the one that is called `only` in tuning files; `values` are
/// those of the nests' parameters.
///
/// # Errors
/// As [`rewrite_source`]; an integer parameter without value.
pub fn write_measured(
    options: &Options,
    source: &SourceFile,
    only: Option<&str>,
    values: &BTreeMap<String, String>,
) -> Result<Vec<MeasuredNest>, Vec<Diagnostic>> {
    let original = Original::of(source).map_err(|error| vec![*error])?;
    let measure = |source: &SourceFile, input| {
        let measured = measure(options, source, input, only, values)?;
        Ok((measured, Vec::new()))
    };
    let unit = OutputStyle { stem: MEASURED.to_owned(), text: TextStyle::Readable };
    let measured = with_changes(options, (original.source(), &unit), measure, |(_, notes)| notes);
    measured.map(|(measured, _)| measured).map_err(|diagnostics| original.in_given_file(diagnostics))
}

fn measure(
    options: &Options,
    source: &SourceFile,
    input: Input,
    only: Option<&str>,
    values: &BTreeMap<String, String>,
) -> Result<Vec<MeasuredNest>, Vec<Diagnostic>> {
    let (options, source, values) = (options.clone(), source.clone(), values.clone());
    let only = only.map(str::to_owned);
    run_bounded(count_pragmas(&input.preprocessed), move || {
        let mut measured = Vec::new();
        for (index, nest) in read_nests(&options, &source, &input, MEASURED)?.into_iter().enumerate() {
            let Ok(marked) = nest else { continue };
            let name = tuned_name(&source, &marked.clauses, index + 1);
            if only.as_ref().is_none_or(|only| *only == name) {
                let (_, nest) = with_reading(marked, within(&options, &source, &input, index), |marked| {
                    let values = Values::new(&marked.nest, &values).map_err(|error| vec![*error])?;
                    let program = |plan: &NestToWrite<'_>, _| MeasuredNest::new(plan, &options, &values);
                    with_kernels(marked, place(&source, marked, 1), &options, program)
                })?;
                measured.push(MeasuredNest { name, ..nest });
            }
        }
        Ok(measured)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Preprocessor;

    pub fn options(keep_unsupported: bool) -> Options {
        Options {
            tuning: Default::default(),
            tuned: Vec::new(),
            measured: Vec::new(),
            default_fp: Default::default(),
            no_fallback: false,
            keep_unsupported,
            kernels_for: None,
            has_runtime_apart: false,
            takes_steps: false,
            copies_beside: false,
            beside: Vec::new(),
            preprocessor: Preprocessor { compiler: vec!["cc".into()], flags: Vec::new() },
        }
    }

    /// Rewrites a file of that text with the real preprocessor.
    pub fn rewrite(text: &str, options: &Options) -> Result<Rewritten, Vec<Diagnostic>> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("a.c");
        std::fs::write(&path, text).expect("a written file");
        let unit = OutputStyle { stem: "a".into(), text: TextStyle::Readable };
        rewrite_source(options, &SourceFile::read(path).expect("a file"), &unit)
    }

    #[test]
    fn a_file_without_pragma_is_refused() {
        let diagnostics = rewrite("int x;\n", &options(true)).expect_err("nothing is marked");
        assert_eq!(diagnostics[0].message, "no #pragma stencil in a.c");
    }

    #[test]
    fn plans_with_barriers_inside_loops_say_so() {
        let nested = [
            ("strategy(stream)", true),
            ("strategy(local) work_group(16,4)", false),
            ("strategy(rows)", false),
            ("strategy(direct)", false),
        ];
        for (clauses, is_nested) in nested {
            let text = format!(
                "void f(double a[2][90][90])\n{{\n#pragma stencil {clauses}\n    \
                 for (int t = 0; t < 9; t++)\n        for (int i = 1; i < 89; i++)\n            \
                 for (int j = 1; j < 89; j++)\n                \
                 a[(t + 1) % 2][i][j] = a[t % 2][i][j - 1] + a[t % 2][i - 1][j + 1];\n}}\n"
            );
            let rewritten = rewrite(&text, &options(false)).expect("it is a stencil");
            let (_, plan) = rewritten.driver.split_once("{ .name = \"cpu\"").expect("a plan for CPUs");
            let (plan, _) = plan.split_once(" },\n").expect("the end of its row");
            assert_eq!(plan.contains(".has_nested_barriers = 1"), is_nested, "{clauses}: {plan}");
        }
    }

    #[test]
    fn a_nest_that_cannot_be_rewritten_is_kept_only_on_request() {
        let text = "void f(double *a)\n{\n#pragma stencil\n    while (a[0] > 1)\n        a[0] /= 2;\n}\n";
        let diagnostics = rewrite(text, &options(false)).expect_err("a while loop is no nest");
        assert!(diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error));
        let rewritten = rewrite(text, &options(true)).expect("the nest is kept");
        assert_eq!(rewritten.nest_count, 0);
        assert_eq!(rewritten.host_source, text.as_bytes());
        assert!(!rewritten.notes.is_empty());
        assert!(rewritten.notes.iter().all(|note| note.severity == Severity::Warning));
    }
}
