//! The main form: C files in; rewritten files, a diff, or one stage out.

use anstream::{AutoStream, ColorChoice};
use anyhow::{Context, Result};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::args::RewriteArguments;
use super::copies::{FileCopy, lend_variables};
use super::dependencies::dependency_file;
use super::exit::Exit;
use super::failure::{FileError, is_broken_pipe};
use super::files::{NewFile, write_all};
use super::language::refuse_foreign;
use super::outputs::FileTask;
use super::overwriting::check_headers;
use super::task::{Action, Task};
use crate::back;
use crate::options::Options;
use crate::pipeline::{self, OutputStyle, Rewritten};
use crate::report::{Dump, Manner, write_diagnostics};
use crate::rewrite::{TextStyle, write_diff};
use crate::source::{Diagnostic, Files, SourceFile};
use crate::tune::{Tuned, read_tuning_file};

/// Runs the main form.
///
/// # Errors
/// When the command line makes no sense or a file cannot be read or written.
pub fn run(arguments: RewriteArguments) -> Result<Exit> {
    let task = Task::new(arguments, std::env::var_os("CC"))?;
    match task.action {
        Action::Dump(stage) => dump_units(&task, stage),
        Action::Diff | Action::Write => rewrite_units(&task),
    }
}

/// Reads a source for which an error message is still to be made.
pub fn read_source(path: &Path) -> Result<SourceFile> {
    SourceFile::read(path).with_context(|| FileError::read(path))
}

fn read_unit(unit: &FileTask) -> Result<SourceFile> {
    if unit.is_standard_input {
        SourceFile::read_standard_input().with_context(|| FileError::read(&unit.input))
    } else {
        read_source(&unit.input)
    }
}

/// Prints diagnostics on standard error. Where nobody reads them any more, the exit code still tells.
pub fn report(manner: Manner, source: &SourceFile, diagnostics: &[Diagnostic]) -> Result<()> {
    let has_colours = AutoStream::choice(&io::stderr()) != ColorChoice::Never;
    match write_diagnostics(manner, &Files::new(source), diagnostics, has_colours, &mut io::stderr().lock()) {
        Err(error) if !is_broken_pipe(&error) => Err(error.into()),
        _ => Ok(()),
    }
}

fn rewrite_units(task: &Task) -> Result<Exit> {
    let mut results = Vec::new();
    for unit in &task.units {
        let source = read_unit(unit)?;
        let target = OutputStyle { stem: unit.stem.clone(), text: TextStyle::Readable };
        let Some(options) = with_tuning(&task.options, unit.tuning.as_deref(), task.manner)? else { continue };
        let options = Options { beside: beside(task, unit), ..options };
        let rewritten = match refuse_foreign(&source) {
            Some(error) => Err(vec![error]),
            None => pipeline::rewrite_source(&options, &source, &target),
        };
        match rewritten {
            Ok(rewritten) => {
                report(task.manner, &source, &rewritten.notes)?;
                results.push((unit, source, rewritten));
            }
            Err(diagnostics) => report(task.manner, &source, &diagnostics)?,
        }
    }
    if results.len() < task.units.len() {
        return Ok(Exit::Failure);
    }
    let copies = lend_variables(task, &mut results)?;
    if task.action == Action::Diff {
        print_diffs(&results, &copies)?
    } else {
        write_results(task, results, copies)?
    }
    Ok(Exit::Success)
}

/// The options with the plans of a tuning file; `None`: the file is bad, and the user has been told.
///
/// # Errors
/// When the file cannot be read.
pub fn with_tuning(options: &Options, path: Option<&Path>, manner: Manner) -> Result<Option<Options>> {
    let Some(path) = path else { return Ok(Some(options.clone())) };
    let file = read_tuning_file(path).with_context(|| FileError::read(path))?;
    match file.content {
        Ok(Tuned { plans, devices }) => Ok(Some(Options { tuned: plans, measured: devices, ..options.clone() })),
        Err(diagnostics) => {
            report(manner, &file.source, &diagnostics)?;
            Ok(None)
        }
    }
}

/// The files whose functions the nests of `unit` may call: those of the flags and of the other units.
fn beside(task: &Task, unit: &FileTask) -> Vec<PathBuf> {
    let others = task.units.iter().filter(|other| !other.is_standard_input && other.input != unit.input);
    task.options.beside.iter().cloned().chain(others.map(|other| other.input.clone())).collect()
}

fn print_diffs(results: &[(&FileTask, SourceFile, Rewritten)], copies: &[FileCopy]) -> Result<()> {
    let mut output = io::BufWriter::new(io::stdout().lock());
    for (unit, source, rewritten) in results {
        write_diff(source.bytes(), &rewritten.host_source, &unit.input, &mut output)?;
    }
    for copy in copies {
        write_diff(copy.source.bytes(), &copy.content, copy.source.path(), &mut output)?;
    }
    Ok(output.flush()?)
}

fn write_results(task: &Task, results: Vec<(&FileTask, SourceFile, Rewritten)>, copies: Vec<FileCopy>) -> Result<()> {
    let mut files: Vec<NewFile> = task.runtime.iter().filter_map(|path| runtime_file(path)).collect();
    files.extend(copies.into_iter().map(|it| NewFile { path: it.output, content: it.content }));
    for (unit, source, rewritten) in results {
        check_headers(unit, &rewritten.headers)?;
        if let Some(dependencies) = &task.dependencies {
            let beside = beside(task, unit);
            files.push(dependency_file(dependencies, &task.options.preprocessor, unit, &source, &beside)?);
        }
        let contents = [
            rewritten.kernels.into_bytes(),
            rewritten.header.into_bytes(),
            rewritten.driver.into_bytes(),
            rewritten.host_source,
        ];
        let pairs = unit.outputs().into_iter().zip(contents);
        files.extend(pairs.map(|(path, content)| NewFile { path: path.to_owned(), content }));
    }
    write_all(&files)
}

/// The runtime, unless it is there already: several runs of the tool write the same, and `make` is to compile it once.
fn runtime_file(path: &Path) -> Option<NewFile> {
    let content = back::write_runtime().into_bytes();
    let is_there = std::fs::read(path).is_ok_and(|present| present == content);
    (!is_there).then(|| NewFile { path: path.to_owned(), content })
}

fn dump_units(task: &Task, stage: Dump) -> Result<Exit> {
    let mut exit = Exit::Success;
    for unit in &task.units {
        let source = read_unit(unit)?;
        let text = match with_tuning(&task.options, unit.tuning.as_deref(), task.manner)? {
            None => Err(Vec::new()),
            Some(_) if refuse_foreign(&source).is_some() => Err(refuse_foreign(&source).into_iter().collect()),
            Some(options) => {
                pipeline::dump_source(&Options { beside: beside(task, unit), ..options }, &source, &unit.stem, stage)
            }
        };
        match text {
            Ok(text) => io::stdout().lock().write_all(text.as_bytes())?,
            Err(diagnostics) => {
                report(task.manner, &source, &diagnostics)?;
                exit = Exit::Failure;
            }
        }
    }
    Ok(exit)
}
