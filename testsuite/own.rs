//! Tests of the suite itself.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail, ensure};
use libtest_mimic::Trial;

use crate::accept::{self, Variant, is_whole, program_of};
use crate::case::{Case, project, read_cases, suite};
use crate::command::{clean, run};
use crate::faults::bench::shim;
use crate::program::Runtime;
use crate::trials_of;

pub fn trials() -> Vec<Trial> {
    trials_of(
        "own",
        &[
            ("times_are_told", check_times),
            ("plans_follow_from_names", check_plans),
            ("one_runtime_for_the_same_flags", check_runtime),
            ("what_users_preload_does_not_reach_sanitizers", check_preloaded),
            ("mistakes_can_be_put_back", check_mutations),
        ],
    )
}

/// The suite, to be run once more.
fn again() -> Result<Command> {
    let tests = std::env::current_exe()?;
    Ok(clean(&tests, tests.parent().unwrap_or(Path::new("."))))
}

fn check_times() -> Result<()> {
    let outcome = run(again()?.arg("stages::heat_1d_swap::"))?.succeeded()?;
    let said = String::from_utf8(outcome.stdout)?;
    let (_, slowest) = said.split_once("the slowest tests:\n").unwrap_or_default();
    let (slowest, groups) = slowest.split_once("\n\n").unwrap_or_default();
    let count = slowest.lines().filter(|line| line.contains(" s  stages::heat_1d_swap::")).count();
    ensure!(count == 4 && groups.contains(" s  stages (4 tests)\n"), "four times expected\n{said}");
    Ok(())
}

/// Plans of these names are written down; all plans have their share of the cases.
fn check_plans() -> Result<()> {
    if is_whole() {
        return Ok(());
    }
    let plans = |name: &str| accept::variants_of(name).iter().map(|plan| plan.name).collect::<Vec<_>>();
    for (name, expected) in [("accept::swap_first", &["default", "local-1"][..]), ("accept::heat", &["default"])] {
        ensure!(plans(name) == expected, "{name} has the plans {:?}", plans(name));
    }
    let cases: Vec<_> = read_cases(&suite("accept")).iter().map(|case| format!("accept::{}", case.name())).collect();
    let share = |is_such: fn(&Variant) -> bool| {
        cases.iter().filter(|name| accept::variants_of(name).iter().any(is_such)).count() * 20 / cases.len()
    };
    let forced: [fn(&Variant) -> bool; 5] = [
        |plan| plan.name == "direct",
        |plan| plan.name == "local-1",
        |plan| plan.name == "local-3",
        |plan| plan.name == "stream",
        |plan| plan.name == "rows",
    ];
    ensure!(forced.into_iter().all(|is_such| share(is_such) > 0), "a plan has less than a twentieth of the cases");
    ensure!(share(|plan| plan.is_optimised) > 1, "less than a tenth of the cases is optimised");
    Ok(())
}

fn check_runtime() -> Result<()> {
    let case = Case::read(suite("accept/single_sweep.c"));
    let folder = tempfile::tempdir()?;
    let (files, _) = program_of(&case, &[]).rewrite_with(Runtime::Apart, &[], folder.path())?;
    let objects = [["-O0"], ["-O0"], ["-O1"]].map(|flags| files.runtime_object("clang", &flags));
    let [Some(first), Some(second), Some(other)] = &objects.into_iter().collect::<Result<Vec<_>>>()?[..] else {
        bail!("the runtime is in the driver")
    };
    ensure!(first == second && first != other, "{} {} {}", first.display(), second.display(), other.display());
    let driver = fs::read_to_string(files.driver())?;
    ensure!(!driver.contains("clCreateBuffer("), "the driver has a runtime, too");
    Ok(())
}

/// A library is preloaded into a run of the tests, as some tools do around commands.
fn check_preloaded() -> Result<()> {
    let name = "host::the_address_sanitizer_reports_a_small_table";
    let outcome = run(again()?.args(["--exact", name]).env("LD_PRELOAD", shim()?))?.succeeded()?;
    ensure!(String::from_utf8_lossy(&outcome.stdout).contains("1 passed"), "no test ran\n{}", outcome.describe());
    Ok(())
}

/// The patches of `scripts/check-mutations` fit the source as it is.
fn check_mutations() -> Result<()> {
    let mut count = 0;
    for entry in fs::read_dir(suite("mutations"))? {
        let patch = entry?.path();
        let text = fs::read_to_string(&patch)?;
        let sentence = text.split_once("\n\ndiff ").map_or("", |(sentence, _)| sentence);
        ensure!(sentence.ends_with('.'), "{} does not begin with a sentence", patch.display());
        run(clean("git", project()).args(["apply", "--check"]).arg(&patch))?.succeeded()?;
        count += 1;
    }
    ensure!(count > 9, "{count} patches");
    Ok(())
}
