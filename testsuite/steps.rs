//! The steps of nests on the host: the drivers' own text of them, in place of the device.
//!
//! Programs are those of `accept` and of the examples; each is rewritten so that its host functions take all steps themselves,
//! in two portions.

use std::path::PathBuf;

use anyhow::{Context, Result};
use libtest_mimic::Trial;
use stencil_rewrite::text::Fnv;

use crate::accept::{is_whole, program_of, run_original};
use crate::case::{Case, read_cases, suite};
use crate::command::{clean, run};
use crate::compare::check_same_bytes;
use crate::examples;
use crate::program::{Program, Rewritten, Runtime};
use crate::trial;

/// To save time, one of so many programs is tried, by its name; a run over all programs spares none.
const SHARE: u32 = 6;

/// Programs that are tried in every run.
const ALWAYS: [&str; 2] = ["values_under_conditions", "with_point_function"];

/// Cases of other names with nests that are recorded.
const RECORDED: [&str; 12] = [
    "borders_by_number",
    "folds_behind_pointers",
    "generic_selections",
    "grids_of_a_step",
    "guarded_errors",
    "memory_of_a_step",
    "pointers_in_table",
    "radius_of_run_time",
    "sines_of_points",
    "stores_that_wait",
    "with_lent_variables",
    "with_variables_of_files",
];

/// No kernels but the simplest: they are not run.
const OPTIONS: [&str; 3] = ["--take-steps", "--strategy", "direct"];

pub fn trials() -> Vec<Trial> {
    let cases = read_cases(&suite("accept")).into_iter().chain(examples::find_examples());
    // What runs the original loops takes no steps.
    let cases = cases.filter(|case| case.directive("fallback").is_none());
    // Those that are recorded are taken when the device fails, `faults::steps_of_a_kept_loop`.
    let is_recorded = |name: &str| name.starts_with("kept_") || name.starts_with("folded_") || RECORDED.contains(&name);
    let is_kept = |case: &Case| case.folder().ends_with("examples/kept");
    let cases = cases.filter(|case| !is_recorded(&case.name()) && !is_kept(case));
    let is_tried = |case: &Case| {
        is_whole() || ALWAYS.contains(&case.name().as_str()) || hash(&name_of(case)).is_multiple_of(SHARE)
    };
    cases.filter(is_tried).map(|case| trial_of(name_of(&case), case)).collect()
}

fn name_of(case: &Case) -> String {
    format!("steps::{}", case.name())
}

fn trial_of(name: String, case: Case) -> Trial {
    let compiler = if hash(&name) % 4 < 3 { "gcc" } else { "clang" };
    trial(name, move || check(&case, compiler))
}

fn hash(name: &str) -> u32 {
    let mut hash = Fnv::new();
    hash.write(name.as_bytes());
    hash.folded()
}

fn check(case: &Case, compiler: &str) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let program = program_of(case, &[&examples::root()]);
    let expected = run_original(&program, folder.path(), &case.runs())?;
    let (files, _) = program.rewrite_with(Runtime::Apart, &OPTIONS, &folder.path().join("rewritten"))?;
    let executable = build(&program, &files, compiler)?;
    for (arguments, expected) in case.runs().iter().zip(expected) {
        let mut command = clean(&executable, folder.path());
        // Whatever asks for a device ends the program.
        command.envs([("STENCIL_STRICT", "1"), ("STENCIL_DEVICE", "no device at all")]).args(arguments);
        let outcome = run(&mut command)?.succeeded()?;
        check_same_bytes(&format!("stdout with arguments {arguments:?}"), &expected, &outcome.stdout)?;
    }
    Ok(())
}

/// Builds the rewritten program; its driver for this machine, in a dialect of C in which GCC fuses operations unless it is told
/// not to.
fn build(program: &Program, files: &Rewritten, compiler: &str) -> Result<PathBuf> {
    let (object, executable) = (files.folder.join("driver.o"), files.folder.join("program"));
    let mut driver = clean(compiler, &files.folder);
    driver.args(["-O3", "-march=native", "-std=gnu99", "-Wall", "-Wextra", "-Werror", "-c"]).arg(files.driver());
    run(driver.arg("-o").arg(&object))?.succeeded().context("the driver")?;
    let runtime = files.runtime_object("clang", &["-O0", "-std=c99"])?;
    program.link_rewritten(files, [object].into_iter().chain(runtime), &executable)?;
    Ok(executable)
}
