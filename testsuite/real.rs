//! `scripts/check-real` on programs of the suite: each of its results must be told from the others.

use std::ffi::OsStr;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use libtest_mimic::Trial;

use crate::case::{project, suite};
use crate::command::{Outcome, clean, run, tool};
use crate::trials_of;

pub fn trials() -> Vec<Trial> {
    trials_of(
        "real",
        &[
            ("results_are_told_apart", check_results),
            ("edits_reach_both_programs", check_edits),
            ("surveys_run_nothing", check_survey),
            ("unknown_keys_end_the_script", check_unknown_key),
        ],
    )
}

/// What the script says of `programs/real`, given the tool under test.
fn check_real(folder: &Path, options: &[&str]) -> Result<Outcome> {
    let binary = tool(folder).get_program().to_os_string();
    let mut script = clean(project().join("scripts/check-real"), project());
    script.args([OsStr::new("--tool"), &binary]).arg(folder).args(options);
    run(&mut script)
}

fn check_results() -> Result<()> {
    let outcome = check_real(&suite("programs/real"), &[])?.succeeded()?;
    let said = String::from_utf8(outcome.stdout)?;
    for (program, result, details) in [
        ("accepted", "identical", ""),
        ("refused (host)", "refused in part", "`gauss-seidel`, line 16: this assignment uses values of `a`"),
        ("different", "different", "1 argument: "),
        ("varying", "original differs from run to run", ""),
        ("fallen", "fell back", "arrays from and to overlap"),
        ("broken", "original does not build", "fallen.c:15:12: error: "),
        ("moved", "recipe", "0 lines of accepted.c match"),
        ("elsewhere", "no checkout", ""),
    ] {
        let line = said.lines().find(|line| line.starts_with(&format!("own/{program}: ")));
        let line = line.with_context(|| format!("nothing is said of {program}\n{said}"))?;
        let is_right = line.contains(&format!(": {result}; ")) && line.contains(&format!("s; {details}"));
        ensure!(is_right, "{result} and `{details}` expected\n{line}");
    }
    ensure!(said.ends_with("1 no checkout\n"), "the last line counts results\n{said}");
    Ok(())
}

/// The recipe shortens the time loop; a rewritten program with all steps would print another number of them.
fn check_edits() -> Result<()> {
    let kept = tempfile::tempdir()?;
    let keep = kept.path().to_string_lossy();
    let outcome = check_real(&suite("programs/real"), &["own/accepted", "--keep", &*keep])?.succeeded()?;
    ensure!(String::from_utf8_lossy(&outcome.stdout).contains("own/accepted: identical"), "{}", outcome.describe());
    for program in ["original", "rewritten-files/rewritten"] {
        let ran = run(&mut clean(kept.path().join("own-accepted").join(program), kept.path()))?.succeeded()?;
        ensure!(String::from_utf8_lossy(&ran.stdout).contains("7 steps\n"), "{}", ran.describe());
    }
    Ok(())
}

fn check_survey() -> Result<()> {
    let outcome = check_real(&suite("programs/real"), &["--survey"])?.succeeded()?;
    let said = String::from_utf8(outcome.stdout)?;
    for line in ["own/accepted: accepted; ", "own/different: accepted; ", "own/fallen: accepted; "] {
        ensure!(said.contains(line), "`{line}` is missing\n{said}");
    }
    Ok(())
}

fn check_unknown_key() -> Result<()> {
    let folder = tempfile::tempdir()?;
    std::fs::create_dir(folder.path().join("recipes"))?;
    let recipe = "checkout = 'x'\n[[program]]\nname = 'a'\nsources = ['a.c']\npragma = []\nonly_rewritten = 1\n";
    std::fs::write(folder.path().join("recipes/x.toml"), recipe)?;
    check_real(folder.path(), &[])?.failed()?.check_says("x/a has unknown keys: only_rewritten")
}
