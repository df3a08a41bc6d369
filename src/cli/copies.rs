//! Copies of files that lend their variables to nests of others.

use anyhow::{Context, Result, anyhow};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::exit::UsageError;
use super::failure::FileError;
use super::outputs::FileTask;
use super::overwriting::{check_output, written_twice};
use super::task::Task;
use crate::ir::Lent;
use crate::pipeline::Rewritten;
use crate::rewrite::{Original, lend};
use crate::source::{SourceFile, pragmas_of};

/// A file of the program that has no nest, and what becomes of it.
pub struct FileCopy {
    /// The file, as it is given.
    pub source: SourceFile,
    /// Where the copy stands.
    pub output: PathBuf,
    /// The copy.
    pub content: Vec<u8>,
}

/// Lets files lend what the nests of `results` need: those with nests of their own in what becomes of them, the others in copies.
///
/// # Errors
/// When a file cannot be read, or a copy would be written over another file.
pub fn lend_variables(task: &Task, results: &mut [(&FileTask, SourceFile, Rewritten)]) -> Result<Vec<FileCopy>> {
    let mut files: BTreeMap<PathBuf, BTreeSet<Lent>> = BTreeMap::new();
    for lent in results.iter().flat_map(|(_, _, rewritten)| &rewritten.lent) {
        files.entry(lent.file.clone()).or_default().insert(lent.clone());
    }
    let mut copies = Vec::new();
    for (file, lent) in files {
        match results.iter_mut().find(|(unit, ..)| unit.input == file) {
            Some((.., rewritten)) => rewritten.host_source = lend(&rewritten.host_source, &lent),
            None => copies.push(copy(task, &file, &lent)?),
        }
    }
    Ok(copies)
}

fn copy(task: &Task, file: &Path, lent: &BTreeSet<Lent>) -> Result<FileCopy> {
    let source = SourceFile::read(file.to_owned()).with_context(|| FileError::read(file))?;
    let beside_file = Lent::copy_of(file);
    let output = match &task.folder {
        Some(folder) => folder.join(beside_file.file_name().unwrap_or_default()),
        None => beside_file,
    };
    let inputs: Vec<&Path> = task.units.iter().map(|unit| unit.input.as_path()).collect();
    let beside = task.options.beside.iter().map(PathBuf::as_path);
    check_output(Some(&output), &inputs.iter().copied().chain(beside).collect::<Vec<_>>())?;
    if task.units.iter().any(|unit| unit.outputs().contains(&output.as_path())) {
        return Err(written_twice(&output));
    }
    if !pragmas_of(&source).is_empty() {
        let problem = format!(
            "{} has marked nests and lends variables to those of another file; give both files at once, without --with",
            file.display()
        );
        return Err(UsageError(problem).into());
    }
    let original = Original::of(&source).map_err(|error| anyhow!(error.message))?;
    let content = lend(original.source().bytes(), lent);
    Ok(FileCopy { source, output, content })
}
