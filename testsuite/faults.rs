//! Rewritten programs whose calls of OpenCL go wrong: they still print what the original prints, or end with a message.
//!
//! `faults/shim.c` stands in front of libOpenCL and lets one call fail. Every test run tries each function's first and last call, of
//! every second program one call, the errors taking turns; with `TESTSUITE_FAULTS=all` in the environment each call fails with
//! each error, and the programs are built with sanitizers. `plain`, `strict`, `verify` or `apart` instead of `all` is one part of
//! that.

pub mod bench;
mod errors;
#[cfg(feature = "device")]
mod tool;
mod wishes;

use std::fs;

use anyhow::{Context, Result, ensure};
use libtest_mimic::Trial;

use crate::accept::STREAM;
use crate::case::{find_c_files, project};
use crate::command::Outcome;
use crate::compare::check_same_bytes;
use crate::{trial, trials_of};
use bench::{Bench, Report};
use errors::Function;
use wishes::{Extent, Mode, Wish, wishes};

/// What a program says on stderr, once per region and reason, when it does not use the device.
const FALLBACK: &str = "running the original loops";

/// They end the program at the first misuse of memory or undefined operation.
const SANITIZERS: &[&str] = &["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

/// Programs that together use all that a driver can do.
const PROGRAMS: &[(&str, &[&str])] = &[
    ("several_regions", &["accept/nests_in_one_file.c"]),
    ("memcpy", &["accept/memcpy_flat.c"]),
    ("partial_arrays", &["programs/untouched.c"]),
    ("in_place", &["accept/in_place_right.c"]),
    ("rotation", &["accept/rotate_three.c"]),
    ("steps_of_a_kept_loop", &["accept/kept_output.c"]),
    ("values_of_a_kept_loop", &["accept/kept_convergence.c"]),
    ("steps_ahead_of_the_host", &["accept/kept_several_ahead.c"]),
    ("two_files", &["programs/pair/heat.c", "programs/pair/wave.c", "programs/pair/main.c"]),
    ("rows_exchanged", &["accept/rows_swapped.c"]),
    ("rows_of_pairs", &["accept/rows_of_later_steps.c"]),
    ("rows_of_many_lengths", &["accept/rows_jagged.c"]),
    ("frames_of_a_kept_loop", &["accept/kept_frames.c"]),
    ("parts_of_a_kept_loop", &["accept/kept_parts.c"]),
    ("stores_of_the_host", &["accept/kept_stores.c"]),
    ("stores_behind_pointers", &["accept/kept_rows_in_loops.c"]),
    ("stores_between_given_steps", &["accept/kept_stores_given.c"]),
    ("stores_in_copies", &["accept/kept_stores_copies.c"]),
    ("wheels_of_a_kept_loop", &["accept/kept_each_step.c"]),
    ("integers_on_wheels", &["accept/kept_integers_by_steps.c"]),
    ("integers_between_legs", &["accept/kept_integers_between_sweeps.c"]),
    ("functions_of_the_library", &["accept/kept_sines_of_places.c"]),
    ("legs_of_a_step", &["accept/kept_legs.c"]),
    ("legs_that_are_left", &["accept/kept_legs_swap.c"]),
    ("legs_that_fold", &["accept/kept_legs_folds.c"]),
    ("nests_that_follow", &["accept/chain_two_loops.c"]),
    ("nests_that_take_turns", &["accept/chain_in_loops.c"]),
    ("loops_that_follow", &["accept/chain_kept.c"]),
    ("loops_that_follow_in_frames", &["accept/chain_kept_looks.c"]),
    ("exits_between_nests", &["accept/chain_exit.c"]),
    ("previews", &["programs/previews.c"]),
    ("sums_that_bounds_are_enough_for", &["accept/folded_bounds.c"]),
    ("maxima_that_bounds_are_enough_for", &["accept/folded_maxima.c"]),
    ("values_behind_a_sync", &["accept/folded_behind_sync.c"]),
    ("records_of_each_step", &["accept/kept_records.c"]),
    ("sums_that_nobody_compares", &["accept/kept_unasked.c"]),
    ("counts_beside_sums_that_are_told", &["accept/kept_told_with_counts.c"]),
    ("legs_that_are_told", &["accept/kept_told.c"]),
    ("legs_that_are_told_with_bounds", &["accept/kept_told_sums.c"]),
    ("legs_each_of_which_is_told", &["accept/kept_told_in_each_leg.c"]),
    ("functions_each_of_which_is_told", &["accept/kept_told_by_functions.c"]),
    ("legs_between_which_is_stored", &["accept/kept_told_noted.c"]),
];

/// What the tool is asked for, for a program.
const OPTIONS: &[(&str, &[&str])] = &[
    ("steps_ahead_of_the_host", STREAM.options),
    ("sums_that_bounds_are_enough_for", STREAM.options),
    ("maxima_that_bounds_are_enough_for", STREAM.options),
    ("legs_that_are_told", STREAM.options),
    ("counts_beside_sums_that_are_told", STREAM.options),
    ("legs_that_are_told_with_bounds", STREAM.options),
];

pub fn trials() -> Vec<Trial> {
    let mut trials = trials_of(
        "faults",
        &[
            ("the_shim_knows_every_function", check_functions),
            ("devices_that_are_too_small", check_small_devices),
            ("build_logs_are_shown", check_build_log),
            ("compilers_that_confuse_branches", check_confused_branches),
            ("no_fallback_ends_with_a_message", check_no_fallback),
            ("nothing_is_transferred_between_loops_that_follow", check_transfers),
            #[cfg(feature = "device")]
            ("the_tool_lists_devices", tool::check_tool),
        ],
    );
    for (index, (name, sources)) in PROGRAMS.iter().enumerate() {
        // Calls of one program go wrong as those of another do.
        let of_plain = if index % 2 == 0 { Extent::Several } else { Extent::Few };
        let other = [Setting::Strict, Setting::Verify, Setting::Apart][index % 3];
        let settings = [(Setting::Plain, of_plain), (other, Extent::Few)];
        trials.push(trial(format!("faults::{name}"), move || check_program(name, sources, &settings)));
    }
    trials
}

/// How the user wants the program to run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Setting {
    Plain,
    Strict,
    /// With `STENCIL_VERIFY` and `STENCIL_VERBOSE`.
    Verify,
    /// On a device that has a memory of its own.
    Apart,
}

const ALL_SETTINGS: [Setting; 4] = [Setting::Plain, Setting::Strict, Setting::Verify, Setting::Apart];

/// Small arrays are pinned and moved in pieces as large ones are.
const SMALL_SLABS: &[&str] = &["-DSTENCIL_PINNED_BYTES=1", "-DSTENCIL_SLAB_BYTES=200", "-DSTENCIL_STAGE_BYTES=200"];

impl Setting {
    fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Strict => "strict",
            Self::Verify => "verify",
            Self::Apart => "apart",
        }
    }

    fn environment(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Plain => &[],
            Self::Strict => &[("STENCIL_STRICT", "1")],
            Self::Verify => &[("STENCIL_VERIFY", "1"), ("STENCIL_VERBOSE", "1")],
            Self::Apart => &[("FAULTS_DEVICE", "unified=0")],
        }
    }

    /// How many faults a test that is complete tries.
    fn complete(self) -> (Self, Extent) {
        (self, if self == Self::Plain { Extent::All } else { Extent::AllCalls })
    }
}

/// Runs the program once per fault. The settings are for a test that is not complete.
fn check_program(name: &str, sources: &[&str], settings: &[(Setting, Extent)]) -> Result<()> {
    let wanted = std::env::var("TESTSUITE_FAULTS").ok();
    let is_complete = wanted.is_some();
    let cflags = [SMALL_SLABS, if is_complete { SANITIZERS } else { &[] }].concat();
    let options = OPTIONS.iter().find(|(program, _)| *program == name).map_or(&[][..], |(_, options)| options);
    let bench = Bench::build(sources, options, &cflags)?;
    let complete = ALL_SETTINGS.map(Setting::complete);
    for &(setting, extent) in if is_complete { &complete } else { settings } {
        if wanted.as_ref().is_none_or(|wanted| wanted == "all" || wanted == setting.name()) {
            let runs = check_setting(&bench, setting, extent)?;
            bench::record(&format!("{name} {}", setting.name()), runs)?;
        }
    }
    Ok(())
}

/// The number of runs.
fn check_setting(bench: &Bench, setting: Setting, extent: Extent) -> Result<usize> {
    let (outcome, report) = bench.run("", setting.environment())?;
    check_right(bench, &outcome.succeeded()?)?;
    report.check_nothing_lives()?;
    let wishes = wishes(&report.calls, extent);
    for wish in &wishes {
        check_wish(bench, setting, wish).with_context(|| format!("FAULTS={wish} {setting:?}"))?;
    }
    Ok(wishes.len())
}

fn check_wish(bench: &Bench, setting: Setting, wish: &Wish) -> Result<()> {
    let (outcome, report) = bench.run(&wish.to_string(), setting.environment())?;
    ensure!(report.has_struck, "the fault did not strike\n{}", outcome.describe());
    check_lives(wish, &report)?;
    match setting {
        Setting::Plain => check_fallback(bench, wish, &outcome.succeeded()?),
        Setting::Strict => check_strict(bench, wish, outcome),
        Setting::Verify => check_right(bench, &outcome.succeeded()?),
        Setting::Apart => check_apart(bench, wish, outcome),
    }
}

/// What was made is given back, unless the fault is in giving back or loses what was made.
fn check_lives(wish: &Wish, report: &Report) -> Result<()> {
    let gives_back = Function::find(&wish.function).is_some_and(Function::is_release);
    if gives_back || matches!(wish.mode, Mode::After | Mode::Lost) {
        return Ok(());
    }
    report.check_nothing_lives()
}

fn check_right(bench: &Bench, outcome: &Outcome) -> Result<()> {
    check_same_bytes("stdout", &bench.expected, &outcome.stdout).with_context(|| outcome.describe())
}

/// The results are right, and stderr says for each region and reason once why the original loops ran.
fn check_fallback(bench: &Bench, wish: &Wish, outcome: &Outcome) -> Result<()> {
    check_right(bench, outcome)?;
    let mut lines: Vec<_> = outcome.stderr.lines().collect();
    ensure!(lines.iter().all(|line| line.contains(FALLBACK)), "stray lines\n{}", outcome.describe());
    let count = lines.len();
    lines.sort_unstable();
    lines.dedup();
    ensure!(lines.len() == count, "the same line twice\n{}", outcome.describe());
    ensure!(count > 0 || !wish.must_be_told(), "a failure in silence\n{}", outcome.describe());
    ensure!(count == 0 || !wish.mode.is_mere_delay(), "waiting would have been enough\n{}", outcome.describe());
    Ok(())
}

/// What goes wrong while results arrive is tried again, and ends the program if the device has failed for good. Whatever
/// goes wrong before is as elsewhere, but for what only makes transfers faster.
fn check_apart(bench: &Bench, wish: &Wish, outcome: Outcome) -> Result<()> {
    if outcome.code == Some(1) && matches!(wish.mode, Mode::Lost | Mode::Event | Mode::Sticky) {
        ensure!(outcome.stderr.lines().count() == 1, "one line expected\n{}", outcome.describe());
        return outcome.exited_with(1)?.check_says("the device failed while its results were copied");
    }
    let outcome = outcome.succeeded()?;
    if outcome.stderr.is_empty() && RETRIED.contains(&wish.function.as_str()) {
        return check_right(bench, &outcome);
    }
    check_fallback(bench, wish, &outcome)
}

/// Functions of [`Setting::Apart`] that also pin, or bring results that can be brought another way.
const RETRIED: [&str; 4] = ["clCreateBuffer", "clWaitForEvents", "clGetEventInfo", "clEnqueueReadBufferRect"];

/// The program ends with a message and unchanged arrays, or runs on as if nothing had been.
fn check_strict(bench: &Bench, wish: &Wish, outcome: Outcome) -> Result<()> {
    if outcome.code == Some(0) {
        ensure!(!wish.must_be_told(), "a failure in silence\n{}", outcome.describe());
        ensure!(outcome.stderr.is_empty(), "silence expected\n{}", outcome.describe());
        return check_right(bench, &outcome);
    }
    let outcome = outcome.exited_with(1)?;
    outcome.check_says("STENCIL_STRICT forbids the original loops")?;
    // `programs/untouched.c` looks itself.
    let says_touched = String::from_utf8_lossy(&outcome.stdout).contains("TOUCHED");
    ensure!(!says_touched, "arrays have changed\n{}", outcome.describe());
    ensure!(outcome.stderr.lines().count() == 1, "one line expected\n{}", outcome.describe());
    Ok(())
}

/// What the device pretends not to have, and what the programs say about it; nothing, where other kernels will do.
const SMALL_DEVICES: &[(&str, &str)] = &[
    ("global=1000", "the device has too little memory"),
    ("global=0", "the device has too little memory"),
    ("buffer=500", "an array is larger than any buffer of the device"),
    ("double=0", "has no double precision"),
    ("group=1", "the work-groups are too large for device"),
    ("items=0", "the work-groups are too large for device"),
    ("kernel_group=0", "the work-groups are too large for device"),
    ("kernel_group=1,kernel_compiled=0", "the work-groups are too large for device"),
    ("kernel_group=1", ""),
    ("kernel_local=1000000000", "the work-groups are too large for device"),
    ("local=0", ""),
    ("single=0", ""),
];

fn check_small_devices() -> Result<()> {
    let bench = Bench::new(&["accept/live_out_partial.c"])?;
    for (limits, reason) in SMALL_DEVICES {
        let check = || {
            let (outcome, _) = bench.run("", &[("FAULTS_DEVICE", limits)])?;
            let outcome = outcome.succeeded()?;
            check_right(&bench, &outcome)?;
            let lines = usize::from(!reason.is_empty());
            let told = outcome.count_lines_with(reason);
            ensure!(told == lines && outcome.stderr.lines().count() == lines, "{lines} lines\n{}", outcome.describe());
            Ok(())
        };
        check().with_context(|| format!("FAULTS_DEVICE={limits}"))?;
    }
    Ok(())
}

/// `STENCIL_VERBOSE` shows what the device's compiler said if it failed, and 2 in any case; no more than what it said.
fn check_build_log() -> Result<()> {
    let bench = Bench::new(&["accept/in_place_right.c"])?;
    let log = "the registers do not suffice";
    for (variable, count) in [("STENCIL_VERBOSE", 1), ("STENCIL_QUIET", 0)] {
        let (outcome, _) = bench.run("clBuildProgram:1:instead:-11", &[(variable, "1")])?;
        check_right(&bench, &outcome)?;
        ensure!(outcome.count_lines_with(log) == count, "{count} lines expected\n{}", outcome.describe());
    }
    for (verbosity, count) in [("1", 0), ("2", 1)] {
        let (outcome, _) = bench.run("", &[("FAULTS_LOG", "1"), ("STENCIL_VERBOSE", verbosity)])?;
        let outcome = outcome.succeeded()?;
        check_right(&bench, &outcome)?;
        ensure!(outcome.count_lines_with(log) == count, "{count} lines expected\n{}", outcome.describe());
    }
    Ok(())
}

/// Newer versions of PoCL get kernels without texts to choose from, in which work-items wait.
fn check_confused_branches() -> Result<()> {
    let bench = Bench::build(&["accept/kept_ends_stored.c"], STREAM.options, &[])?;
    for (version, may_choose) in [('3', true), ('5', false)] {
        let driver = format!("driver={}", u32::from(version));
        let (outcome, report) = bench.run("", &[("FAULTS_DEVICE", &driver), ("STENCIL_STRICT", "1")])?;
        check_right(&bench, &outcome.succeeded()?)?;
        let options = report.build_options;
        ensure!(options.contains("STENCIL_MAY_CHOOSE=0") != may_choose, "PoCL {version}: {options}");
    }
    Ok(())
}

/// Without original loops a fault ends the program with one line, or does no harm.
fn check_no_fallback() -> Result<()> {
    let bench = Bench::build(&["programs/two_regions.c"], &["--no-fallback"], &[])?;
    let (_, report) = bench.run("", &[])?;
    for wish in wishes(&report.calls, Extent::Few) {
        let check = || {
            let (outcome, _) = bench.run(&wish.to_string(), &[])?;
            if outcome.code == Some(0) {
                ensure!(!wish.must_be_told(), "a failure in silence\n{}", outcome.describe());
                return check_right(&bench, &outcome);
            }
            let outcome = outcome.exited_with(1)?;
            ensure!(outcome.stderr.lines().count() == 1, "one line expected\n{}", outcome.describe());
            outcome.check_says("the program has no original loops to run instead")
        };
        check().with_context(|| format!("FAULTS={wish}"))?;
    }
    Ok(())
}

/// From one loop that the host keeps to the next, and to a nest, arrays are copied on the device alone: three come to a device that
/// has a memory of its own, and three go back, each in two pieces, beside what is folded in each step of the first loop.
fn check_transfers() -> Result<()> {
    let bench = Bench::new(&["accept/chain_kept.c"])?;
    for (arguments, folds) in [(["33", "30", "20"], true), (["17", "9", "40"], true), (["17", "0", "40"], false)] {
        let expected = bench.run_original(&arguments, &[])?;
        let (outcome, report) = bench.run_with(&arguments, "", &[("FAULTS_DEVICE", "unified=0")])?;
        let outcome = outcome.succeeded()?;
        check_same_bytes("stdout", &expected, &outcome.stdout).with_context(|| outcome.describe())?;
        let [up, down] = ["clEnqueueWriteBufferRect", "clEnqueueReadBufferRect"].map(|it| report.count(it));
        ensure!(up == 3 && (folds || down == 6), "3 arrays each way expected: {:?}", report.calls);
    }
    Ok(())
}

/// A call that the shim does not know could not be made to fail.
fn check_functions() -> Result<()> {
    for file in find_c_files(&project().join("src/back/runtime")) {
        let text = fs::read_to_string(&file)?;
        for call in opencl_calls(&text) {
            ensure!(Function::find(call).is_some(), "`{call}` is not listed in faults/errors.rs");
        }
    }
    let shim = include_str!("faults/shim.c");
    for function in errors::FUNCTIONS.iter().filter(|function| function.is_opencl()) {
        ensure!(shim.contains(function.name), "faults/shim.c has no {}", function.name);
    }
    Ok(())
}

/// Names that look like calls of OpenCL functions.
fn opencl_calls(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '('));
    let names = words.flat_map(|word| word.split('(').rev().skip(1));
    names.filter(|name| name.strip_prefix("cl").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase())))
}
