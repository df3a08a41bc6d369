//! One run of the tool in process, from the command line to the contents of the files, with what must hold of every
//! result.

use std::ffi::OsString;
use std::path::Path;
use std::sync::OnceLock;

use stencil_rewrite::cli::{self, Action, FileTask, Task};
use stencil_rewrite::pipeline::{OutputStyle, Rewritten, dump_preprocessed, rewrite_preprocessed};
use stencil_rewrite::report::{Format, Manner, write_diagnostics};
use stencil_rewrite::rewrite::{Original, TextStyle, write_diff};
use stencil_rewrite::source::{Diagnostic, Preprocessed, Severity, SourceFile};
use tempfile::TempDir;

use crate::case::{Case, FILE};

/// Changes to a new folder that holds nothing but an empty `case.c`, so that command lines find it and nothing else.
pub fn enter_empty_folder() {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| tempfile::tempdir().expect("a temporary folder"));
    std::env::set_current_dir(folder.path()).expect("the folder is there");
    std::fs::write(FILE, "").expect("the folder can be written to");
}

/// Translates the case as its flags say; panics if the tool does, or if a result is not what it promises.
pub fn translate(case: &Case) {
    let command_line = std::iter::once(OsString::from("stencil-rewrite")).chain(case.flags.iter().cloned());
    let Ok(arguments) = cli::parse(command_line.chain([OsString::from(FILE)])) else { return };
    if arguments.command.is_some() {
        return;
    }
    let Ok(task) = Task::new(arguments.rewrite, None) else { return };
    let source = SourceFile::new(FILE, case.source.to_vec());
    check_original(&source);
    let preprocessed = Preprocessed::new(case.preprocessed.clone());
    if let Some(unit) = task.units.first() {
        let result = match task.action {
            Action::Dump(stage) => dump_preprocessed(&task.options, &source, preprocessed, &unit.stem, stage).map(drop),
            Action::Diff | Action::Write => rewrite(&task, &source, preprocessed, unit),
        };
        if let Err(diagnostics) = result {
            check_refusal(&diagnostics);
            check_diagnostics(&source, &diagnostics);
        }
    }
}

fn rewrite(
    task: &Task,
    source: &SourceFile,
    preprocessed: Preprocessed,
    unit: &FileTask,
) -> Result<(), Vec<Diagnostic>> {
    let target = OutputStyle { stem: unit.stem.clone(), text: TextStyle::Readable };
    let rewritten = rewrite_preprocessed(&task.options, source, preprocessed, &target)?;
    check_diagnostics(source, &rewritten.notes);
    check_diff(source, &rewritten);
    check_original(&SourceFile::new(FILE, rewritten.host_source));
    Ok(())
}

/// Any text has an original, or is refused with places in it.
fn check_original(file: &SourceFile) {
    match Original::of(file) {
        Ok(original) => assert!(original.source().bytes().len() <= file.bytes().len(), "the original is longer"),
        Err(error) => check_diagnostics(file, &[*error]),
    }
}

/// A refusal says at least one error, and how to mend it.
fn check_refusal(diagnostics: &[Diagnostic]) {
    assert!(diagnostics.iter().any(|it| it.severity == Severity::Error), "a refusal without an error");
    for diagnostic in diagnostics.iter().filter(|it| it.severity == Severity::Error) {
        assert!(!diagnostic.help.is_empty(), "no remedy: {diagnostic:?}");
    }
}

/// Diagnostics stand within the file and can be printed in both forms.
fn check_diagnostics(source: &SourceFile, diagnostics: &[Diagnostic]) {
    let length = source.bytes().len();
    for label in diagnostics.iter().flat_map(|it| std::iter::once(&it.primary).chain(&it.secondary)) {
        assert!(label.span.start <= label.span.end && label.span.end <= length, "{label:?} is outside the file");
    }
    for format in [Format::Human, Format::Json] {
        let mut text = Vec::new();
        write_diagnostics(Manner { format, is_quiet: false }, source, diagnostics, false, &mut text)
            .expect("a vector can be written to");
        assert_eq!(text.is_empty(), diagnostics.is_empty(), "{format:?} says nothing");
    }
}

/// The file changes exactly if a nest of it was rewritten.
fn check_diff(source: &SourceFile, rewritten: &Rewritten) {
    let mut diff = Vec::new();
    write_diff(source.bytes(), &rewritten.host_source, Path::new(FILE), &mut diff).expect("a vector can be written to");
    assert_eq!(diff.is_empty(), rewritten.nest_count == 0, "{} nests", rewritten.nest_count);
}
