//! The example programs pass the same check as the accept cases.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use libtest_mimic::Trial;

use crate::accept;
use crate::case::{Case, find_c_files, project};
use crate::command::{run, tool};
use crate::trial;

/// What rewriting one example may take in an optimised build.
const REWRITING_LIMIT: Duration = Duration::from_millis(200);

pub fn trials() -> Vec<Trial> {
    let examples = find_examples();
    let mut trials = vec![trial("examples::are_found".to_string(), check_found)];
    if !cfg!(debug_assertions) {
        trials.push(trial("examples::are_rewritten_fast".to_string(), check_fast));
    }
    trials.extend(examples.into_iter().map(|case| {
        let folder = case.folder().file_name().unwrap_or_default().to_string_lossy().into_owned();
        let name = format!("examples::{folder}::{}", case.name());
        let variants = accept::variants_of(&name);
        trial(name, move || accept::check(&case, &[&root()], variants))
    }));
    trials
}

/// The folder of the examples, which has a header of theirs.
pub fn root() -> PathBuf {
    project().join("examples")
}

/// Every single-file program with a marked nest; folders with a makefile are programs of several files.
pub fn find_examples() -> Vec<Case> {
    let folders = fs::read_dir(root()).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut folders: Vec<PathBuf> = folders.filter(|path| path.is_dir() && !path.join("Makefile").exists()).collect();
    folders.sort();
    let files = folders.iter().flat_map(|folder| find_c_files(folder));
    files.filter(|path| is_marked(path)).map(Case::read).collect()
}

fn is_marked(path: &Path) -> bool {
    fs::read(path).is_ok_and(|text| String::from_utf8_lossy(&text).contains("#pragma stencil"))
}

/// Without this, a moved folder would make all their tests vanish unnoticed.
fn check_found() -> Result<()> {
    let found = find_examples().len();
    ensure!(found >= 20, "only {found} examples with a marked nest under {}", root().display());
    Ok(())
}

fn check_fast() -> Result<()> {
    for case in find_examples() {
        let times = (0..3).map(|_| time_rewriting(&case)).collect::<Result<Vec<_>>>()?;
        let best = times.into_iter().min().unwrap_or_default();
        ensure!(best < REWRITING_LIMIT, "{} took {} ms", case.name(), best.as_millis());
    }
    Ok(())
}

fn time_rewriting(case: &Case) -> Result<Duration> {
    let output = tempfile::tempdir()?;
    let mut command = tool(case.folder());
    command.args(["-I", "..", "-d"]).arg(output.path()).arg(&case.path);
    let start = Instant::now();
    run(&mut command)?.succeeded()?;
    Ok(start.elapsed())
}
