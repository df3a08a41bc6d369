//! Calls that the device cannot win stay with their loops, unless somebody names a device; and what `STENCIL_VERBOSE` says of
//! many calls.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use libtest_mimic::Trial;

use crate::case::suite;
use crate::command::{Outcome, clean, run};
use crate::compare::check_same_bytes;
use crate::faults::bench::{Bench, Environment, Report};
use crate::program::Translated;
use crate::trials_of;

const PROGRAM: &str = "programs/small_calls.c";

/// Nobody names a device.
const UNNAMED: (&str, &str) = ("STENCIL_DEVICE", "");

pub fn trials() -> Vec<Trial> {
    trials_of(
        "small_calls",
        &[
            ("do_not_open_the_device", check_not_opened),
            ("take_no_longer_than_the_original", check_time),
            ("leave_functions_short_enough_for_clang", check_short_function),
            ("of_many_threads", check_threads),
            ("go_to_a_device_that_is_named", check_named),
            ("go_to_the_device_if_they_are_verified", check_verified),
            ("a_large_nest_goes_to_the_device_at_once", check_large),
            ("what_ran_before_starts_sooner", check_started_before),
            ("verbose_tells_of_some_and_sums_up", check_verbose),
            ("verbose_tells_of_loops", check_verbose_loops),
        ],
    )
}

/// Runs the rewritten program, which must print what the original prints and leave no object.
fn run_same(bench: &Bench, arguments: &[&str], environment: Environment) -> Result<(Outcome, Report)> {
    let expected = bench.run_original(arguments, &[])?;
    let (outcome, report) = bench.run_with(arguments, "", environment)?;
    let outcome = outcome.succeeded()?;
    check_same_bytes("stdout", &expected, &outcome.stdout).with_context(|| outcome.describe())?;
    report.check_nothing_lives()?;
    Ok((outcome, report))
}

/// The loops of all calls run, in silence.
fn check_on_host(bench: &Bench, arguments: &[&str], environment: Environment) -> Result<()> {
    let (outcome, report) = run_same(bench, arguments, environment)?;
    ensure!(outcome.stderr.is_empty(), "silence expected\n{}", outcome.describe());
    ensure!(report.calls.is_empty(), "OpenCL was called: {:?}", report.calls);
    Ok(())
}

fn check_not_opened() -> Result<()> {
    let bench = Bench::new(&[PROGRAM])?;
    for arguments in [["10", "100000"], ["64", "10000"], ["2", "10"], ["300", "20"]] {
        check_on_host(&bench, &arguments, &[UNNAMED]).with_context(|| format!("{arguments:?}"))?;
        check_on_host(&bench, &arguments, &[UNNAMED, ("STENCIL_STRICT", "1")])?;
    }
    Ok(())
}

/// Each call on the device takes hundreds of times as long as these loops.
fn check_time() -> Result<()> {
    let bench = Bench::build(&[PROGRAM], &[], &["-O2"])?;
    let arguments = ["10", "300000"];
    let least = |run: &dyn Fn() -> Result<()>| -> Result<Duration> {
        let times = (0..5).map(|_| {
            let start = Instant::now();
            run().map(|()| start.elapsed())
        });
        Ok(times.collect::<Result<Vec<_>>>()?.into_iter().min().unwrap_or_default())
    };
    let original = least(&|| bench.run_original(&arguments, &[]).map(drop))?;
    let rewritten = least(&|| bench.run_with(&arguments, "", &[UNNAMED])?.0.succeeded().map(drop))?;
    ensure!(rewritten < 2 * original + Duration::from_millis(50), "{rewritten:?} instead of {original:?}");
    Ok(())
}

/// Clang puts the function around the nest in place of its calls, as it does with the original.
fn check_short_function() -> Result<()> {
    let translated = Translated::new("programs/short_function.c", &[])?;
    for source in [&translated.program.source, &translated.files.host()] {
        let object = translated.folder.path().join("short.o");
        let mut clang = clean("clang", &suite("programs"));
        clang.args(["-O2", "-Wno-unknown-pragmas", "-c"]).args(&translated.program.flags).arg(source);
        run(clang.arg("-o").arg(&object))?.succeeded()?;
        let symbols = run(clean("nm", translated.folder.path()).arg(&object))?.succeeded()?.stdout;
        let symbols = String::from_utf8(symbols)?;
        ensure!(symbols.contains(" main"), "{symbols}");
        ensure!(!symbols.contains(" blur"), "{} has `blur` as a function of its own\n{symbols}", source.display());
    }
    Ok(())
}

fn check_threads() -> Result<()> {
    let bench = Bench::new(&[PROGRAM])?;
    check_on_host(&bench, &["12", "20000", "8"], &[UNNAMED])?;
    let (_, report) = run_same(&bench, &["12", "20", "4"], &[("STENCIL_STRICT", "1")])?;
    ensure!(report.count("clCreateBuffer") >= 80, "80 calls on the device expected");
    Ok(())
}

fn check_named() -> Result<()> {
    let bench = Bench::new(&[PROGRAM])?;
    for (variable, value) in [("STENCIL_DEVICE", "0"), ("STENCIL_PLAN", "cpu")] {
        let (_, report) = run_same(&bench, &["10", "7"], &[UNNAMED, (variable, value)])?;
        ensure!(report.count("clEnqueueNDRangeKernel") >= 7, "{variable}: a launch a call expected");
    }
    let (outcome, _) = run_same(&bench, &["10", "7"], &[("STENCIL_DEVICE", "none")])?;
    ensure!(outcome.count_lines_with("running the original loops: STENCIL_DEVICE=none") == 1, "{}", outcome.describe());
    let bound = Bench::build(&[PROGRAM], &["--no-fallback"], &[])?;
    let (_, report) = run_same(&bound, &["10", "7"], &[UNNAMED])?;
    ensure!(report.count("clEnqueueNDRangeKernel") >= 7, "a launch a call expected where there are no loops");
    Ok(())
}

fn check_verified() -> Result<()> {
    let (outcome, _) = run_same(&Bench::new(&[PROGRAM])?, &["10", "7"], &[UNNAMED, ("STENCIL_VERIFY", "1")])?;
    ensure!(outcome.count_lines_with("verified: ") == 7, "{}", outcome.describe());
    Ok(())
}

/// Kernels that need no compiler, so that the nest need not take seconds.
const FAST_COMPILER: &[&str] = &["-DSTENCIL_COMPILE_SECONDS=0.001"];

fn check_large() -> Result<()> {
    let bench = Bench::build(&[PROGRAM], &[], FAST_COMPILER)?;
    let (outcome, report) = run_same(&bench, &["500", "1", "1", "2000"], &[UNNAMED, ("STENCIL_VERBOSE", "1")])?;
    ensure!(report.count("clEnqueueNDRangeKernel") > 0, "no kernel was launched\n{}", outcome.describe());
    outcome.check_says(", 2000 steps in ")
}

/// The cache tells that the compiler will have nothing to do.
fn check_started_before() -> Result<()> {
    let bench = Bench::new(&[PROGRAM])?;
    let cache = tempfile::tempdir()?;
    let cache = cache.path().join("cache");
    let cache = ("STENCIL_CACHE", cache.to_str().context("a path")?);
    let large = ["500", "1", "1", "2000"];
    check_on_host(&bench, &large, &[UNNAMED, cache])?;
    run_same(&bench, &["20", "1"], &[cache])?;
    let (_, report) = run_same(&bench, &large, &[UNNAMED, cache])?;
    ensure!(report.count("clEnqueueNDRangeKernel") > 0, "no kernel was launched");
    check_on_host(&bench, &large, &[UNNAMED, ("STENCIL_CACHE", "off")])
}

fn check_verbose() -> Result<()> {
    let bench = Bench::new(&[PROGRAM])?;
    for (verbosity, lines) in [("1", 10), ("2", 30)] {
        let (outcome, _) = run_same(&bench, &["10", "30"], &[("STENCIL_VERBOSE", verbosity)])?;
        let told = outcome.count_lines_with(": plan cpu, 1 steps in ");
        ensure!(told == lines, "{told} lines instead of {lines}\n{}", outcome.describe());
        let more = outcome.count_lines_with("STENCIL_VERBOSE=2 tells each");
        ensure!(more == usize::from(lines < 30), "{}", outcome.describe());
        ensure!(outcome.count_lines_with(": 30 calls, 30 on the device, device ") == 1, "{}", outcome.describe());
        check_sums(&outcome)?;
    }
    Ok(())
}

/// What has a name adds up to all.
fn check_sums(outcome: &Outcome) -> Result<()> {
    let summary = outcome.stderr.lines().find(|line| line.contains(" calls, ")).context("no summary")?;
    let number = |part: &str| part.rsplit(' ').nth(1).and_then(|number| number.parse::<f64>().ok());
    let (parts, all) = summary.rsplit_once(", ").context("no parts")?;
    let sum: f64 = parts.split(", ").skip(2).filter_map(number).sum();
    let all: f64 = all.split(' ').next().context("no sum")?.parse()?;
    ensure!(all > 0.0 && (sum - all).abs() < 0.02 + 0.01 * all, "{sum} is not {all}: {summary}");
    Ok(())
}

fn check_verbose_loops() -> Result<()> {
    let bench = Bench::new(&[PROGRAM])?;
    let (outcome, report) = run_same(&bench, &["10", "30"], &[UNNAMED, ("STENCIL_VERBOSE", "1")])?;
    ensure!(report.calls.is_empty(), "OpenCL was called: {:?}", report.calls);
    ensure!(outcome.count_lines_with("its original loops take less time") == 10, "{}", outcome.describe());
    outcome.check_says(": 30 calls, 0 on the device; 30 by the original loops, ")
}
