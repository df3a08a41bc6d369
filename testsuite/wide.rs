//! Rewritten programs in unusual surroundings: very many calls, many threads, forked children, before and after `main`,
//! addresses beyond 32 bits, loops that never run, arrays that overlap. `TESTSUITE_WIDE=all` in the environment adds an
//! array of more than 2^31 elements.

use anyhow::{Context, Result, bail, ensure};
use libtest_mimic::Trial;

use crate::command::Outcome;
use crate::compare::check_same_bytes;
use crate::faults::bench::{Bench, Environment, Report};
use crate::trials_of;

const STRICT: Environment = &[("STENCIL_STRICT", "1")];

pub fn trials() -> Vec<Trial> {
    let mut trials = trials_of(
        "wide",
        &[
            ("ten_thousand_calls_without_growth", check_many_calls),
            ("failing_calls_without_growth", check_failing_calls),
            ("many_threads_at_once", check_threads),
            ("forked_children", check_forks),
            ("forks_while_a_thread_is_inside", check_forks_inside),
            ("before_and_after_main", check_life),
            ("addresses_beyond_32_bits", check_far),
            ("loops_that_never_run", check_bounds),
            ("arrays_that_overlap", check_aliases),
            ("the_device_changes_nothing_else", check_devices),
        ],
    );
    if std::env::var("TESTSUITE_WIDE").is_ok_and(|value| value == "all") {
        trials.extend(trials_of("wide", &[("more_than_2_to_the_31_elements", check_large)]));
    }
    trials
}

/// Runs a program on its own and rewritten; both must print the same, and the rewritten one must leave no object.
fn run_same(bench: &Bench, arguments: &[&str], wish: &str, environment: Environment) -> Result<(Outcome, Report)> {
    let expected = bench.run_original(arguments, environment)?;
    let (outcome, report) = bench.run_with(arguments, wish, environment)?;
    let outcome = outcome.succeeded()?;
    check_same_bytes("stdout", &expected, &outcome.stdout).with_context(|| outcome.describe())?;
    Ok((outcome, report))
}

/// Runs it and expects it on the device throughout.
fn run_on_device(name: &str, arguments: &[&str]) -> Result<(Outcome, Report)> {
    let (outcome, report) = run_same(&Bench::new(&[name])?, arguments, "", STRICT)?;
    report.check_nothing_lives()?;
    ensure!(report.count("clEnqueueNDRangeKernel") > 0, "no kernel was launched");
    Ok((outcome, report))
}

/// The program's own lines about its growth in two parts of its calls. What calls leave behind grows in both: the smallest
/// piece of memory that each of 1200 left would be 38 kB. What the device's compiler keeps of a kernel that is first needed
/// late, by a program whose calls fail now and then, grows in one.
fn check_growth(outcome: &Outcome) -> Result<()> {
    let lines: Vec<_> = outcome.stderr.lines().filter_map(|line| line.strip_prefix("growth: ")).collect();
    ensure!(lines.len() == 2, "two lines about growth are expected\n{}", outcome.describe());
    let parts: Vec<[i64; 3]> = lines.into_iter().map(growth).collect::<Result<_>>()?;
    let least = |what: usize| parts.iter().map(|part| part[what]).min().unwrap_or(0);
    ensure!(least(0) < 20 && least(1) < 500, "memory grows\n{}", outcome.describe());
    ensure!(least(2) <= 0, "open files become more\n{}", outcome.describe());
    Ok(())
}

/// Growth of the heap and of resident memory, in kB, and of the number of open files.
fn growth(line: &str) -> Result<[i64; 3]> {
    let words: Vec<_> = line.split(' ').collect();
    let [heap, "kB", "of", "heap,", resident, "kB", "resident,", descriptors, "descriptors"] = words[..] else {
        bail!("unexpected: {line}")
    };
    Ok([heap.parse()?, resident.parse()?, descriptors.parse()?])
}

fn check_many_calls() -> Result<()> {
    let (outcome, report) = run_on_device("programs/many_calls.c", &["10000"])?;
    ensure!(report.count("clCreateBuffer") >= 10000, "the calls made too few buffers");
    check_growth(&outcome)
}

/// Every so many calls of a function fail; each function gets its turn.
fn check_failing_calls() -> Result<()> {
    let bench = Bench::new(&["programs/many_calls.c"])?;
    for wish in [
        "clCreateBuffer:3+:instead:-4",
        "clEnqueueMapBuffer:3+:instead:-12",
        "clEnqueueCopyBuffer:2+:instead:-5",
        "clSetKernelArg:17+:instead:-5",
        "clEnqueueNDRangeKernel:3+:instead:-5",
        "clWaitForEvents:5+:instead:-14",
        "clGetEventInfo:5+:instead:-5",
        "clFinish:3+:instead:-36",
        "malloc:11+:instead:0",
    ] {
        let check = || {
            let (outcome, report) = run_same(&bench, &["3000"], wish, &[])?;
            report.check_nothing_lives()?;
            check_growth(&outcome)
        };
        check().with_context(|| format!("FAULTS={wish}"))?;
    }
    Ok(())
}

fn check_threads() -> Result<()> {
    let (outcome, _) = run_on_device("programs/threads.c", &[])?;
    ensure!(outcome.stderr.is_empty(), "silence expected\n{}", outcome.describe());
    Ok(())
}

/// A child that was forked before the first call opens the device itself; later ones run the original loops.
fn check_forks() -> Result<()> {
    let bench = Bench::new(&["programs/life.c"])?;
    let forked = |moments, lines| check_moments(&bench, moments, lines, "this process was forked after its parent");
    forked("early-fork main parent", 0)?;
    forked("main late-fork parent", 1)?;
    forked("constructor early-fork main late-fork parent", 2)
}

/// A child must neither wait for a thread that it does not have nor use what that thread had in hand.
fn check_forks_inside() -> Result<()> {
    let (outcome, _) = run_same(&Bench::new(&["programs/forks.c"])?, &[], "", &[])?;
    let told = outcome.count_lines_with("this process was forked after its parent");
    ensure!(told == 12 && outcome.stderr.lines().count() == 12, "a line a child expected\n{}", outcome.describe());
    Ok(())
}

/// Before `main` and in handlers that were registered after the first call, the device works as ever; what comes later
/// still than OpenCL's own end runs the original loops.
fn check_life() -> Result<()> {
    let bench = Bench::new(&["programs/life.c"])?;
    let ending = |moments, lines| check_moments(&bench, moments, lines, "the program is ending");
    ending("constructor main", 0)?;
    ending("main handler-of-after", 0)?;
    ending("main handler-of-before", 1)?;
    ending("main destructor", 1)?;
    ending("handler-of-after handler-of-before destructor", 1)?;
    ending("destructor", 0)
}

/// Works at these moments of the program's life; so many lines on stderr, and no other, give the reason.
fn check_moments(bench: &Bench, moments: &str, lines: usize, reason: &str) -> Result<()> {
    let check = || {
        let (outcome, _) = run_same(bench, &[], "", &[("MOMENTS", moments)])?;
        let told = outcome.count_lines_with(reason);
        ensure!(told == lines && outcome.stderr.lines().count() == lines, "{lines} lines\n{}", outcome.describe());
        Ok(())
    };
    check().with_context(|| format!("MOMENTS={moments}"))
}

/// Rows far apart are no obstacle; indices that kernels cannot hold are.
fn check_far() -> Result<()> {
    let (outcome, report) = run_same(&Bench::new(&["programs/far.c"])?, &[], "", &[])?;
    ensure!(outcome.count_lines_with("an index does not fit into 32 bits") == 1, "{}", outcome.describe());
    ensure!(outcome.stderr.lines().count() == 1, "one line expected\n{}", outcome.describe());
    ensure!(report.count("clBuildProgram") == 2, "two regions on the device expected");
    Ok(())
}

/// Takes some GiB of memory, and so is no part of every test run.
fn check_large() -> Result<()> {
    run_on_device("programs/large.c", &[])?;
    Ok(())
}

fn check_bounds() -> Result<()> {
    run_on_device("programs/bounds.c", &[])?;
    Ok(())
}

/// Both overlapping and disjoint calls are among them: some launch kernels, and one line tells of the others.
fn check_aliases() -> Result<()> {
    let (outcome, report) = run_same(&Bench::new(&["programs/aliases.c"])?, &[], "", &[])?;
    ensure!(outcome.count_lines_with("arrays a and b overlap") == 1, "{}", outcome.describe());
    ensure!(outcome.stderr.lines().count() == 1, "one line expected\n{}", outcome.describe());
    ensure!(report.count("clEnqueueNDRangeKernel") > 0, "no kernel was launched");
    Ok(())
}

/// Whatever `STENCIL_DEVICE` says, the results are the same.
fn check_devices() -> Result<()> {
    let bench = Bench::new(&["programs/two_regions.c"])?;
    for device in ["cpu", "gpu", "none", "0", "99", "", "no such device", "-1", "0x0", "4294967296"] {
        run_same(&bench, &[], "", &[("STENCIL_DEVICE", device)]).with_context(|| format!("STENCIL_DEVICE={device}"))?;
    }
    Ok(())
}
