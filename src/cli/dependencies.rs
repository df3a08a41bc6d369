//! Dependency files for make, as the compiler itself writes them.

use anyhow::{Context, Result, anyhow, bail};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::files::NewFile;
use super::outputs::{DependencyRequest, FileTask};
use crate::rewrite::Original;
use crate::source::{Preprocessor, SourceFile, TemporaryCopy};

/// The dependency file of `unit`: its four files, or the targets that were asked for, depend on the input, on what it
/// includes, on the tuning file, and on the files that were read `beside` it.
///
/// # Errors
/// When the compiler cannot be run or refuses the input.
pub fn dependency_file(
    request: &DependencyRequest,
    preprocessor: &Preprocessor,
    unit: &FileTask,
    source: &SourceFile,
    beside: &[PathBuf],
) -> Result<NewFile> {
    let path = request.file_of(unit);
    let mut targets: Vec<OsString> = Vec::new();
    for target in &request.targets {
        targets.extend(["-MT".into(), target.clone()]);
    }
    if targets.is_empty() {
        targets = unit.outputs().iter().rev().flat_map(|output| ["-MQ".into(), output.into()]).collect();
    }
    // A file that has been rewritten before includes a header that it gets now.
    let original = Original::of(source).map_err(|error| anyhow!(error.message))?;
    let mut content = ask_compiler(preprocessor, original.source(), request, &targets)?;
    for path in unit.tuning.iter().chain(beside) {
        add_prerequisite(&mut content, path);
    }
    Ok(NewFile { path, content })
}

/// Adds a file to what the targets of the first rule depend on.
pub fn add_prerequisite(rules: &mut Vec<u8>, path: &Path) {
    let is_end = |pair: &[u8]| pair[0] == b':' && pair[1].is_ascii_whitespace();
    let Some(end) = rules.windows(2).position(is_end) else { return };
    let targets = rules[..=end].to_vec();
    rules.extend_from_slice(&targets);
    rules.push(b' ');
    rules.extend(escaped(path.as_os_str()));
    rules.push(b'\n');
}

/// A path as makefiles have it.
fn escaped(path: &OsStr) -> Vec<u8> {
    let mut result = Vec::new();
    for byte in path.as_bytes() {
        match byte {
            b'$' => result.push(b'$'),
            b' ' | b'\t' | b'#' => result.push(b'\\'),
            _ => {}
        }
        result.push(*byte);
    }
    result
}

fn ask_compiler(
    preprocessor: &Preprocessor,
    input: &SourceFile,
    request: &DependencyRequest,
    targets: &[OsString],
) -> Result<Vec<u8>> {
    let (program, arguments) = preprocessor.compiler.split_first().context("no compiler is given")?;
    let copy = TemporaryCopy::of(input).context("no temporary file can be written")?;
    let output = Command::new(program)
        .args(arguments)
        .args(copy.iter().flat_map(TemporaryCopy::flags))
        .args(&preprocessor.flags)
        .arg(if request.has_system_headers { "-M" } else { "-MM" })
        .args(request.has_phony_targets.then_some("-MP"))
        .args(targets)
        .arg(copy.as_ref().map_or(input.path(), TemporaryCopy::path))
        .output()
        .with_context(|| format!("cannot run {}", PathBuf::from(program).display()))?;
    if !output.status.success() {
        bail!("no dependencies of {}: {}", input.path().display(), String::from_utf8_lossy(&output.stderr).trim_end());
    }
    Ok(copy.map_or(output.stdout.clone(), |copy| copy.with_original_path(&output.stdout, escaped)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_depend_on_a_tuning_file_too() {
        let mut rules = b"a.o \\\n b.o: a.c \\\n a.h\na.h:\n".to_vec();
        add_prerequisite(&mut rules, Path::new("d 1/a$.toml"));
        let expected = "a.o \\\n b.o: a.c \\\n a.h\na.h:\na.o \\\n b.o: d\\ 1/a$$.toml\n";
        assert_eq!(String::from_utf8_lossy(&rules), expected);
    }
}
