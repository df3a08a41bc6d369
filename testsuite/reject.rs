//! Sources that the tool must refuse, with what it says and what helps.

use std::fs;
use std::path::Path;

use anyhow::{Result, ensure};
use libtest_mimic::Trial;
use tempfile::TempDir;

use crate::case::{Case, read_cases, suite};
use crate::command::{run, tool};
use crate::golden::{check_golden, check_no_orphans};
use crate::remedy::check_remedies;
use crate::trial;

pub fn trials() -> Vec<Trial> {
    let cases = read_cases(&suite("reject"));
    let goldens: Vec<String> = cases.iter().map(|case| format!("{}.stderr", case.name())).collect();
    let orphans =
        trial("reject::has_no_orphans".to_string(), move || check_no_orphans(&suite("reject"), ".stderr", &goldens));
    let checks = cases.into_iter().map(|case| trial(format!("reject::{}", case.name()), move || check(&case)));
    checks.chain([orphans]).collect()
}

/// Exit code 1, the golden's words, no file written, none touched.
fn check(case: &Case) -> Result<()> {
    case.check_directives(&["flags", "remedy"])?;
    let folder = prepare(case)?;
    let name = case.path.file_name().unwrap_or_default();
    let source = fs::read(&case.path)?;
    let before = list(folder.path())?;
    // The name is relative, so that the messages are the same wherever the project lies.
    let outcome = run(tool(folder.path()).args(case.words("flags")).arg(name))?.exited_with(1)?;
    ensure!(outcome.stdout.is_empty(), "stdout is for results\n{}", outcome.describe());
    ensure!(list(folder.path())? == before, "files were written\n{}", outcome.describe());
    ensure!(fs::read(folder.path().join(name))? == source, "the source was changed");
    check_golden(&case.path.with_extension("stderr"), &outcome.stderr)?;
    check_remedies(case, folder.path(), &outcome.stderr)
}

/// A new folder with copies of the case, of the headers, and of its tuning file if it has one.
pub fn prepare(case: &Case) -> Result<TempDir> {
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join(case.path.file_name().unwrap_or_default()), fs::read(&case.path)?)?;
    let tuning = case.path.with_extension("stencil.toml");
    if tuning.exists() {
        fs::copy(&tuning, folder.path().join(tuning.file_name().unwrap_or_default()))?;
    }
    copy_headers(&case.folder().join("include"), &folder.path().join("include"))?;
    Ok(folder)
}

fn copy_headers(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        fs::copy(entry.path(), to.join(entry.file_name()))?;
    }
    Ok(())
}

fn list(folder: &Path) -> Result<Vec<String>> {
    let names = fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    let mut names = names.collect::<Result<Vec<_>>>()?;
    names.sort();
    Ok(names)
}
