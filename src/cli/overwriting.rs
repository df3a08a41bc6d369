//! What must not be overwritten. Files are compared rather than names: a link to an input is that input.

use anyhow::{Context, Result};
use std::collections::HashSet;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::exit::UsageError;
use super::failure::FileError;
use super::files::resolve;
use super::outputs::{DependencyRequest, FileTask};

/// Checks that no two results would be written to one file, and none over an input.
///
/// # Errors
/// A [`UsageError`] that names the file; an error of the system for an input that is not there.
pub fn check_outputs(
    units: &[FileTask],
    dependencies: Option<&DependencyRequest>,
    runtime: Option<&Path>,
) -> Result<()> {
    let read_identity = |unit: &FileTask| identity(&unit.input).with_context(|| FileError::read(&unit.input));
    let files = units.iter().filter(|unit| !unit.is_standard_input);
    let mut inputs: HashSet<Identity> = files.map(read_identity).collect::<Result<_>>()?;
    inputs.extend(units.iter().filter_map(|unit| identity(unit.tuning.as_ref()?).ok()));
    let mut places = HashSet::new();
    let mut check = |output: &Path| -> Result<()> {
        if is_one_of(output, &inputs) {
            return Err(overwritten(output));
        }
        if !places.insert(resolve(output).unwrap_or_else(|_| output.to_owned())) {
            return Err(written_twice(output));
        }
        Ok(())
    };
    for unit in units {
        let dependency_file = dependencies.map(|dependencies| dependencies.file_of(unit));
        unit.outputs().into_iter().chain(dependency_file.as_deref()).try_for_each(&mut check)?;
    }
    runtime.map_or(Ok(()), check)
}

/// Checks that no result would be written over a file that `unit`'s input includes.
///
/// # Errors
/// A [`UsageError`] that names the file.
pub fn check_headers(unit: &FileTask, headers: &[impl AsRef<Path>]) -> Result<()> {
    let headers = headers.iter().filter_map(|header| identity(header.as_ref()).ok()).collect();
    match unit.outputs().into_iter().find(|output| is_one_of(output, &headers)) {
        Some(output) => Err(overwritten(output)),
        None => Ok(()),
    }
}

/// Checks that a compiler would not write `output`, if there is one, over one of its sources.
///
/// # Errors
/// A [`UsageError`] that names the file.
pub fn check_output(output: Option<&Path>, sources: &[impl AsRef<Path>]) -> Result<()> {
    let sources = sources.iter().filter_map(|source| identity(source.as_ref()).ok()).collect();
    match output.filter(|output| is_one_of(output, &sources)) {
        Some(output) => Err(overwritten(output)),
        None => Ok(()),
    }
}

/// A file system and a file in it.
type Identity = (u64, u64);

fn identity(path: &Path) -> io::Result<Identity> {
    fs::metadata(path).map(|file| (file.dev(), file.ino()))
}

fn is_one_of(path: &Path, files: &HashSet<Identity>) -> bool {
    identity(path).is_ok_and(|identity| files.contains(&identity))
}

/// What is said of a file that would get two results.
pub fn written_twice(output: &Path) -> anyhow::Error {
    UsageError(format!("two results would be written to {}", output.display())).into()
}

fn overwritten(output: &Path) -> anyhow::Error {
    UsageError(format!("{} is an input; it would be overwritten", output.display())).into()
}
