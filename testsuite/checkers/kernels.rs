//! Every kernel runs on Oclgrind, which interprets it and reports data races, accesses out of bounds, diverging
//! barriers, and results of uninitialised memory.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use libtest_mimic::Trial;

use super::subject::{Prepared, Subject, VARIANTS, count_launches, part, trials_of_subjects};
use super::tally;
use crate::accept::LOCAL_THREE;
use crate::command::{Outcome, clean, run_within};
use crate::compare::check_same_bytes;
use crate::trials_of;

/// What every test run checks: one case for each form of a kernel.
const FEW: [&str; 7] = [
    "boundary_corners",
    "coefficients_lower_rank",
    "fdtd_2d",
    "in_place_right",
    "modulo_three",
    "red_black_stride",
    "type_short",
];

/// Kernels for both kinds of device are in every program.
const PLANS: [&str; 2] = ["gpu", "cpu"];

/// The local memory is PoCL's, so that no plan falls back to single sweeps. Without optimisation every access is checked
/// as the kernel has it, and there is no LLVM instruction that Oclgrind's check of uninitialised values does not know.
const OPTIONS: &str = "--data-races --uninitialized --check-api --max-errors 1000 --local-mem-size 2097152 \
                       --build-options -cl-opt-disable";

/// Interpreting the largest kernels, of thousands of lines, takes a quarter of an hour.
const TIME_LIMIT: Duration = Duration::from_secs(3600);

/// See `oclgrind.c`.
const WRAPPED: &str = "-Wl,--wrap=clGetDeviceInfo,--wrap=clReleaseMemObject,--wrap=clEnqueueFillBuffer,\
                       --wrap=clEnqueueCopyBuffer,--wrap=clEnqueueCopyBufferRect,\
                       --wrap=clEnqueueNDRangeKernel";

/// What a watched program says before each launch, and then the kernel's name.
const LAUNCH: &str = "launch of ";

pub fn trials() -> Vec<Trial> {
    let mut trials = trials_of_subjects("kernels", &FEW, check);
    trials.extend(trials_of(
        "kernels",
        &[
            ("a_missing_barrier_is_reported", check_missing_barrier),
            ("a_diverging_barrier_is_reported", check_diverging_barrier),
            ("a_store_out_of_bounds_is_reported", check_store_out_of_bounds),
            ("a_missing_load_is_reported", check_missing_load),
        ],
    ));
    trials
}

fn check(subject: &Subject) -> Result<()> {
    let mut runs = subject.short_runs();
    runs.extend(subject.deep_run());
    let expected = subject.expected(&runs)?;
    for variant in &VARIANTS {
        let prepared = subject.prepare(variant)?;
        let executable = build(&prepared)?;
        let mut launches = 0;
        for plan in PLANS {
            let what = format!("variant {}, plan {plan}", variant.name);
            launches += check_plan(&prepared, &executable, plan, &runs, &expected).context(what)?;
        }
        tally::KERNELS.add(PLANS.len() * expected.len(), launches);
    }
    Ok(())
}

/// All runs under one plan; returns the number of kernel launches.
fn check_plan(
    prepared: &Prepared,
    executable: &Path,
    plan: &str,
    runs: &[Vec<String>],
    expected: &[Vec<u8>],
) -> Result<usize> {
    let (mut launches, mut run_kernels) = (0, BTreeSet::new());
    for (arguments, expected) in runs.iter().zip(expected) {
        let (outcome, log) = run_watched(executable, plan, arguments)?;
        ensure!(log.is_empty(), "arguments {arguments:?}: Oclgrind reports\n{}", first_lines(&log));
        check_same_bytes(&format!("stdout with arguments {arguments:?}"), expected, &outcome.stdout)?;
        launches += count_launches(&outcome, Some(plan))?;
        run_kernels.extend(outcome.stderr.lines().filter_map(|line| line.strip_prefix(LAUNCH)).map(str::to_string));
    }
    ensure!(launches > 0 && !run_kernels.is_empty(), "no kernel ran");
    let kernels = fs::read_to_string(prepared.files.kernels())?;
    let is_of_plan = |line: &&str| line.starts_with("void ") && line.contains(&format!("_{plan}_"));
    tally::KERNELS.add_kernels(run_kernels.len(), kernels.lines().filter(is_of_plan).count());
    Ok(launches)
}

fn build(prepared: &Prepared) -> Result<PathBuf> {
    prepared.build(&[], &[part("oclgrind.c"), WRAPPED.into()])
}

/// What the program prints on the simulated device, and what Oclgrind reports.
fn run_watched(executable: &Path, plan: &str, arguments: &[String]) -> Result<(Outcome, String)> {
    let log = executable.with_extension("log");
    let mut command = clean("oclgrind", executable.parent().unwrap_or(Path::new(".")));
    command.args(OPTIONS.split_whitespace()).arg("--log").arg(&log).arg(executable).args(arguments);
    command.env("STENCIL_DEVICE", "Oclgrind").env("STENCIL_PLAN", plan);
    let command = command.env("STENCIL_STRICT", "1").env("STENCIL_VERBOSE", "1");
    let outcome = run_within(command, TIME_LIMIT)?.succeeded()?;
    Ok((outcome, fs::read_to_string(&log).unwrap_or_default()))
}

/// Enough of a report to see what is wrong.
fn first_lines(log: &str) -> String {
    log.lines().take(40).collect::<Vec<_>>().join("\n")
}

/// Replaces `from` by `to` in every kernel of a program with tiles in local memory: Oclgrind must report `fault`.
fn check_reported(from: &str, to: &str, fault: &str) -> Result<()> {
    let prepared = Subject::case("copy_back_interior").prepare(&LOCAL_THREE)?;
    prepared.damage(from, to)?;
    let arguments = ["17", "9", "5"].map(str::to_string);
    let (_, log) = run_watched(&build(&prepared)?, "gpu", &arguments)?;
    ensure!(log.contains(fault), "Oclgrind does not report `{fault}` but\n{}", first_lines(&log));
    Ok(())
}

fn check_missing_barrier() -> Result<()> {
    check_reported("barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);", "", "data race")
}

fn check_diverging_barrier() -> Result<()> {
    check_reported("    barrier(", "    if (get_local_id(0) == 0) barrier(", "divergence")
}

fn check_store_out_of_bounds() -> Result<()> {
    check_reported("out[origin0", "out[1000000 + origin0", "Invalid write")
}

/// The load begins some rows too late.
fn check_missing_load() -> Result<()> {
    check_reported("for (int x0 = o0 - 6", "for (int x0 = o0 - 1", "Uninitialized value")
}
