//! Streams that exchange registers by the shuffles of `cl_khr_subgroup_shuffle`, on a device that has them.
//!
//! `scripts/setup-sub-groups` installs Intel's runtime for CPUs; without it the tests are ignored. It does not round
//! divisions of single precision correctly, so strict programs with these refuse it.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use libtest_mimic::Trial;

use crate::accept::{DEFAULT, STREAM, Variant, is_whole, program_of, run_original};
use crate::case::{Case, read_cases, suite};
use crate::command::{Outcome, run};
use crate::compare::check_same_bytes;
use crate::program::{INEXACT, Runtime, Translated, on_device};
use crate::trial;

/// Cases that every run of the tests takes; one that spares no time takes all.
const CASES: &[&str] = &[
    "boundary_corners",
    "coefficients_transposed",
    "conditions_wrap",
    "domain_of_two_pieces",
    "fdtd_2d",
    "fdtd_3d",
    "names_in_streams",
    "names_reserved",
    "radius_three",
    "rank_one_long",
    "rank_three",
    "rank_two_large",
    "rotate_four",
    "stream_one_set",
    "stream_shallow_stream",
    "type_char",
    "type_long",
    "type_short",
    "type_unsigned",
];

/// How kernels exchange a value of double precision there.
const SHUFFLE: &str = "return sub_group_shuffle(value, ";

pub fn trials() -> Vec<Trial> {
    let cases = if is_whole() { read_cases(&suite("accept")) } else { CASES.iter().map(accept_case).collect() };
    let mut trials: Vec<Trial> = cases
        .into_iter()
        .map(|case| trial(format!("sub_groups::{}", case.name()), move || check_case(&case)))
        .collect();
    trials.push(trial("sub_groups::shuffles_do_the_exchange".into(), check_shuffles_are_used));
    trials.push(trial("sub_groups::local_memory_is_the_way_out".into(), check_way_out));
    let is_missing = !runtime().join("vendors").exists();
    trials.into_iter().map(|trial| trial.with_ignored_flag(is_missing)).collect()
}

/// The case of that name, which must exist.
fn accept_case(name: &&str) -> Case {
    Case::read(suite("accept").join(name).with_extension("c"))
}

/// Where the script puts the runtime.
fn runtime() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("intel-opencl")
}

/// A program on the device with sub-groups.
fn on_sub_groups(executable: &Path) -> Command {
    let mut command = on_device(executable);
    command.env("OCL_ICD_VENDORS", runtime().join("vendors")).env("LD_LIBRARY_PATH", runtime().join("lib"));
    command.envs([("STENCIL_DEVICE", "0"), ("STENCIL_STRICT", "1")]);
    command
}

fn check_case(case: &Case) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let program = program_of(case, &[]);
    let expected = run_original(&program, folder.path(), &case.runs())?;
    let variants: &[Variant] = if is_whole() { &[STREAM, DEFAULT] } else { &[STREAM] };
    for variant in variants {
        let output = folder.path().join(variant.name);
        let (files, _) = program.rewrite_with(Runtime::Apart, variant.options, &output)?;
        let executable = output.join("program");
        program.build_rewritten(&files, false, &executable)?;
        for (arguments, expected) in case.runs().iter().zip(&expected) {
            let outcome = run(on_sub_groups(&executable).args(arguments))?;
            if outcome.stderr.contains(INEXACT) || case.directive("fallback").is_some() {
                ensure!(is_whole(), "such a case tells nothing\n{}", outcome.describe());
                continue;
            }
            let outcome = outcome.succeeded()?;
            check_same_bytes(&format!("stdout with arguments {arguments:?}"), expected, &outcome.stdout)
                .with_context(|| format!("variant {}", variant.name))?;
        }
    }
    Ok(())
}

/// A program in three dimensions.
fn translate() -> Result<Translated> {
    Translated::new("accept/rank_three.c", STREAM.options)
}

fn run_there(translated: &Translated) -> Result<Outcome> {
    run(on_sub_groups(&translated.build()?).env("STENCIL_VERBOSE", "1"))?.succeeded()
}

/// A shuffle that adds one changes the results.
fn check_shuffles_are_used() -> Result<()> {
    let translated = translate()?;
    check_same_bytes("stdout", &translated.expected, &run_there(&translated)?.stdout)?;
    translated.damage_kernels(&[SHUFFLE], "return 1 + sub_group_shuffle(value, ")?;
    ensure!(run_there(&translated)?.stdout != translated.expected, "the shuffles do nothing");
    Ok(())
}

/// Where a compiler refuses the kernels with sub-groups, they exchange through local memory.
fn check_way_out() -> Result<()> {
    let translated = translate()?;
    translated.damage_kernels(&[SHUFFLE], "return no_such_function(value, ")?;
    let outcome = run_there(&translated)?;
    check_same_bytes("stdout", &translated.expected, &outcome.stdout)?;
    outcome.check_says("no_such_function")
}
