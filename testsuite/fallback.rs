//! Rewritten programs where the device cannot be used, and the variables that steer them at run time.

use std::time::Duration;

use anyhow::{Result, ensure};
use libtest_mimic::Trial;

use crate::case::suite;
use crate::command::{Outcome, clean, run, run_within};
use crate::compare::check_same_bytes;
use crate::program::{Translated, on_device_unoptimised};
use crate::trials_of;

/// What a program says on stderr, once per region and reason, when it does not use the device.
const FALLBACK: &str = "running the original loops";

/// How a generator may spell the constant 0.3.
const THREE_TENTHS: [&str; 3] = ["0.3", "0.29999999999999999", "0x1.3333333333333p-2"];

pub fn trials() -> Vec<Trial> {
    trials_of(
        "fallback",
        &[
            ("no_device_runs_the_original_loops", check_no_device),
            ("quiet_silences_it", check_quiet),
            ("strict_makes_it_an_error", check_strict),
            ("damaged_kernels_run_the_original_loops", check_damaged_kernels),
            ("overlapping_arrays_run_the_original_loops", check_overlap),
            ("overlapping_rows_run_the_original_loops", check_overlapping_rows),
            ("one_array_that_is_read_behind_its_writes", check_one_array),
            ("no_fallback_makes_a_missing_device_fatal", check_no_fallback),
            ("no_fallback_runs_on_the_device", check_no_fallback_runs),
            ("the_device_does_the_work", check_device_works),
            ("verbose_names_the_device_once", check_verbose),
            ("a_program_ends_with_its_last_thread", check_last_thread),
            ("an_unknown_device_is_no_device", check_unknown_device),
            ("the_last_launch_leaves_both_buffers", check_launches),
            ("only_kernels_of_the_schedule_are_compiled", check_lazy_compilation),
        ],
    )
}

/// A program of the folder `programs`, built as it is and rewritten.
struct Bench(Translated);

impl Bench {
    fn new(name: &str, options: &[&str]) -> Result<Self> {
        Translated::new(&format!("programs/{name}"), options).map(Self)
    }

    fn run(&self, environment: &[(&str, &str)]) -> Result<Outcome> {
        self.run_with(&[], environment)
    }

    fn run_with(&self, arguments: &[&str], environment: &[(&str, &str)]) -> Result<Outcome> {
        run(on_device_unoptimised(&self.0.build()?).args(arguments).envs(environment.iter().copied()))
    }

    /// Runs the program; it must end well and print what the original prints.
    fn run_right(&self, environment: &[(&str, &str)]) -> Result<Outcome> {
        let outcome = self.run(environment)?.succeeded()?;
        check_same_bytes("stdout", &self.0.expected, &outcome.stdout)?;
        Ok(outcome)
    }
}

fn check_no_device() -> Result<()> {
    let outcome = Bench::new("two_regions.c", &[])?.run_right(&[("STENCIL_DEVICE", "none")])?;
    check_one_line_per_region(&outcome, 2)
}

fn check_one_line_per_region(outcome: &Outcome, regions: usize) -> Result<()> {
    let lines = outcome.stderr.lines().count();
    let all_say_why = outcome.count_lines_with(FALLBACK) == lines;
    ensure!(lines == regions && all_say_why, "{regions} lines on stderr expected\n{}", outcome.describe());
    Ok(())
}

fn check_quiet() -> Result<()> {
    let bench = Bench::new("two_regions.c", &[])?;
    let outcome = bench.run_right(&[("STENCIL_DEVICE", "none"), ("STENCIL_QUIET", "1")])?;
    ensure!(outcome.stderr.is_empty(), "silence expected\n{}", outcome.describe());
    Ok(())
}

fn check_strict() -> Result<()> {
    let bench = Bench::new("two_regions.c", &[])?;
    let outcome = bench.run(&[("STENCIL_DEVICE", "none"), ("STENCIL_STRICT", "1")])?.failed()?;
    outcome.check_says("two_regions.c")
}

fn check_damaged_kernels() -> Result<()> {
    let bench = Bench::new("two_regions.c", &[])?;
    bench.0.damage_kernels(&["__kernel"], "__kernel_broken")?;
    let outcome = bench.run_right(&[])?;
    ensure!(outcome.count_lines_with(FALLBACK) == 2, "one line a region expected\n{}", outcome.describe());
    bench.run(&[("STENCIL_STRICT", "1")])?.failed()?;
    Ok(())
}

fn check_overlap() -> Result<()> {
    let bench = Bench::new("overlap.c", &[])?;
    let outcome = bench.run_right(&[])?;
    check_one_line_per_region(&outcome, 1)?;
    outcome.check_says("overlap")?;
    bench.run(&[("STENCIL_STRICT", "1")])?.failed()?;
    Ok(())
}

/// Rows that are found through tables; a call whose rows are apart where it matters is no exception.
fn check_overlapping_rows() -> Result<()> {
    let outcome = Bench::new("overlapping_rows.c", &[])?.run_right(&[])?;
    for reason in ["rows of array b overlap", "arrays a and b overlap", "arrays b and weight overlap"] {
        ensure!(outcome.count_lines_with(reason) == 1, "{reason}, and one such line\n{}", outcome.describe());
    }
    ensure!(outcome.count_lines_with(FALLBACK) == 3, "the last call runs on the device\n{}", outcome.describe());
    Ok(())
}

fn check_one_array() -> Result<()> {
    let outcome = Bench::new("one_array.c", &[])?.run_right(&[])?;
    check_one_line_per_region(&outcome, 7)?;
    ensure!(outcome.count_lines_with("arrays a and o overlap") == 7, "all for one reason\n{}", outcome.describe());
    Ok(())
}

fn check_no_fallback() -> Result<()> {
    let bench = Bench::new("two_regions.c", &["--no-fallback"])?;
    ensure!(holds_three_tenths(&Bench::new("two_regions.c", &[])?)?, "the constant is spelled otherwise");
    ensure!(!holds_three_tenths(&bench)?, "the original nest is still there");
    let outcome = bench.run(&[("STENCIL_DEVICE", "none")])?.failed()?;
    outcome.check_says("two_regions.c")?;
    outcome.check_says("device")
}

/// Whether the compiler makes anything of the first nest of that program; half of the constant's bits tell.
fn holds_three_tenths(bench: &Bench) -> Result<bool> {
    let include = format!("-I{}", suite("accept/include").display());
    let mut gcc = clean("gcc", bench.0.folder.path());
    gcc.args(["-O0", &include, "-S", "-o", "-"]).arg(bench.0.files.host());
    let assembly = run(&mut gcc)?.succeeded()?.stdout;
    Ok(String::from_utf8_lossy(&assembly).contains(&0x3333_3333.to_string()))
}

fn check_no_fallback_runs() -> Result<()> {
    Bench::new("two_regions.c", &["--no-fallback"])?.run_right(&[])?;
    Ok(())
}

/// Another constant in the kernels alone changes the results: they do come from the device.
fn check_device_works() -> Result<()> {
    let bench = Bench::new("two_regions.c", &[])?;
    bench.0.damage_kernels(&THREE_TENTHS, "0.7")?;
    let outcome = bench.run(&[("STENCIL_STRICT", "1")])?.succeeded()?;
    ensure!(outcome.stdout != bench.0.expected, "the kernels were changed, the results were not");
    Ok(())
}

/// The threads of the OpenCL implementation go on for ever.
fn check_last_thread() -> Result<()> {
    let mut bench = Bench::new("pthread_exit.c", &[])?;
    bench.0.program.cflags = vec!["-pthread".into()];
    let (executable, original) = (bench.0.build()?, bench.0.folder.path().join("original"));
    for way in ["0", "1", "2"] {
        let expected = run(clean(&original, bench.0.folder.path()).arg(way))?.succeeded()?.stdout;
        let mut command = on_device_unoptimised(&executable);
        let outcome = run_within(command.arg(way).env("STENCIL_STRICT", "1"), Duration::from_secs(60))?.succeeded()?;
        check_same_bytes("stdout", &expected, &outcome.stdout)?;
    }
    Ok(())
}

fn check_verbose() -> Result<()> {
    let outcome = Bench::new("two_regions.c", &[])?.run_right(&[("STENCIL_VERBOSE", "1")])?;
    ensure!(outcome.count_lines_with("stencil: device") == 1, "one line expected\n{}", outcome.describe());
    Ok(())
}

/// Two buffers that change places in 7, 8 and 9 steps: nothing is left for single steps but an odd one.
fn check_launches() -> Result<()> {
    let bench = Bench::new("two_regions.c", &["--strategy", "local", "--time-tile", "4"])?;
    let outcome = bench.run_right(&[("STENCIL_VERBOSE", "1"), ("STENCIL_STRICT", "1")])?;
    let launches = ["7 steps in 3 launches", "8 steps in 2 launches", "9 steps in 3 launches"];
    launches.into_iter().try_for_each(|launches| {
        let line = format!("two_regions_stencil_2: plan cpu, {launches}");
        ensure!(outcome.count_lines_with(&line) == 1, "{line}\n{}", outcome.describe());
        Ok(())
    })
}

/// The first of three calls takes 8 steps, two launches of 4, the second one step more. What has failed to compile once is
/// not tried again.
fn check_lazy_compilation() -> Result<()> {
    let bench = Bench::new("two_regions.c", &["--strategy", "local", "--time-tile", "4"])?;
    bench.0.damage_kernels(&["two_regions_stencil_2_cpu_sweep0("], "is no kernel (")?;
    let outcome = bench.run_with(&["101", "8"], &[("STENCIL_VERBOSE", "1")])?.succeeded()?;
    let line = "two_regions_stencil_2: plan cpu, 8 steps in 2 launches";
    ensure!(outcome.count_lines_with(line) == 1, "{line}\n{}", outcome.describe());
    ensure!(outcome.count_lines_with(FALLBACK) == 1, "one fall-back expected\n{}", outcome.describe());
    Ok(())
}

fn check_unknown_device() -> Result<()> {
    let bench = Bench::new("two_regions.c", &[])?;
    let outcome = bench.run_right(&[("STENCIL_DEVICE", "no device has this name")])?;
    check_one_line_per_region(&outcome, 2)
}
