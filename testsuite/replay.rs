//! What fuzzing found and learned, replayed through the tool itself under limits on time and memory.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use libtest_mimic::Trial;

use crate::case::suite;
use crate::command::{Outcome, clean, run};
use crate::fuzz_case::{Case, FILE};
use crate::trial;

/// Seconds of processor time: refusals for their complexity take three.
const SECONDS: u32 = 8;

/// Kilobytes of address space: 1 GiB beside what is reserved for stacks and the program itself.
const KILOBYTES: u32 = 1_500_000;

pub fn trials() -> Vec<Trial> {
    let folders = ["corpus", "findings"].map(|name| suite("fuzz").join(name));
    let files = folders.iter().flat_map(|folder| fs::read_dir(folder).into_iter().flatten().flatten());
    let mut files: Vec<PathBuf> = files.map(|entry| entry.path()).collect();
    files.sort();
    files.into_iter().map(|file| trial(name(&file), move || check(&file))).collect()
}

/// E.g. `replay::findings/deep_parentheses.c`.
fn name(file: &Path) -> String {
    let parts: Vec<_> = file.iter().rev().take(2).map(|part| part.to_string_lossy()).collect();
    format!("replay::{}/{}", parts[1], parts[0])
}

/// Exit code 0, or 1 or 2 with a reason and nothing written; never a panic, a signal or a limit exceeded.
fn check(file: &Path) -> Result<()> {
    let data = fs::read(file)?;
    let case = Case::read(&data);
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join(FILE), case.source)?;
    fs::write(folder.path().join("preprocessed"), &case.preprocessed)?;
    // The command stands for a compiler: whatever its arguments are, it prints the preprocessed form.
    fs::write(folder.path().join("compiler"), "cat preprocessed\n")?;
    let before = list(folder.path())?;
    let outcome = run_limited(folder.path(), &case)?;
    match outcome.code {
        Some(0) => {}
        Some(1 | 2) => {
            ensure!(!outcome.stderr.is_empty(), "no reason is given\n{}", outcome.describe());
            ensure!(list(folder.path())? == before, "files were written\n{}", outcome.describe());
        }
        _ => return outcome.succeeded().map(drop),
    }
    ensure!(!outcome.stderr.contains("panicked"), "a panic\n{}", outcome.describe());
    Ok(())
}

fn run_limited(folder: &Path, case: &Case) -> Result<Outcome> {
    let limited = format!("ulimit -t {SECONDS} -v {KILOBYTES} && exec \"$@\"");
    let mut command = clean("bash", folder);
    command.args(["-c", &limited, "limited", env!("CARGO_BIN_EXE_stencil-rewrite"), "--cc=bash compiler"]);
    run(command.args(&case.flags).arg(FILE))
}

fn list(folder: &Path) -> Result<BTreeSet<PathBuf>> {
    fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect()
}
