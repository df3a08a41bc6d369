//! What runs on the host: original programs and rewritten ones under the address and undefined behaviour sanitizers, host
//! drivers under memcheck and under the compilers' warnings.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use libtest_mimic::Trial;

use super::subject::{Prepared, Subject, VARIANTS, count_launches, part, trials_of_subjects};
use super::tally;
use crate::accept::{DEFAULT, is_whole};
use crate::command::{Outcome, clean, run, run_within};
use crate::compare::check_same_bytes;
use crate::program::{on_device, on_device_unoptimised};
use crate::trials_of;

/// What every test run checks.
const FEW: [&str; 5] =
    ["nests_in_one_file", "red_black_guard", "rotate_three", "single_sweep_coarsen", "kept_memory_of_each_step"];

const SANITIZERS: [&str; 3] = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

/// Programs of the suite keep their arrays to the end, and so does an OpenCL implementation: memcheck looks for leaks.
const ASAN_OPTIONS: &str = "detect_leaks=0:detect_stack_use_after_return=1:strict_string_checks=1";

const MEMCHECK: [&str; 4] =
    ["-q", "--error-exitcode=9", "--leak-check=full", "--errors-for-leak-kinds=definite,indirect,possible"];

/// Beyond what `accept` asks of the driver.
const WARNINGS: &str = "-std=c99 -fsyntax-only -Wall -Wextra -pedantic -Wshadow -Wconversion -Wstrict-prototypes \
                        -Wmissing-prototypes -Wundef -Werror";

/// clang follows the paths through the runtime.
const ANALYZER_LIMIT: Duration = Duration::from_secs(900);

pub fn trials() -> Vec<Trial> {
    let mut trials = trials_of_subjects("host", &FEW, check);
    trials.extend(trials_of(
        "host",
        &[
            ("memcheck_reports_a_leak", check_leak),
            ("memcheck_reports_device_memory_without_contents", check_no_contents),
            ("memcheck_reports_a_buffer_that_is_kept", check_kept_buffer),
            ("the_address_sanitizer_reports_a_small_table", check_small_table),
        ],
    ));
    if is_whole() {
        trials.extend(trials_of("host", &[("a_driver_passes_clang_analyzer", check_analyzer)]));
    }
    trials
}

fn check(subject: &Subject) -> Result<()> {
    let runs = subject.short_runs();
    let expected = subject.expected(&runs)?;
    check_original(subject, &runs, &expected).context("the original under sanitizers")?;
    for variant in &VARIANTS {
        let check = || -> Result<()> {
            let prepared = subject.prepare(variant)?;
            check_warnings(&prepared)?;
            check_memcheck(&prepared, &runs).context("under memcheck")?;
            let launches = check_sanitized(&prepared, &runs, &expected).context("under sanitizers")?;
            tally::HOST.add(expected.len(), launches);
            Ok(())
        };
        check().with_context(|| format!("variant {}", variant.name))?;
    }
    Ok(())
}

/// The program that is rewritten must itself be valid C.
fn check_original(subject: &Subject, runs: &[Vec<String>], expected: &[Vec<u8>]) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let executable = folder.path().join("original");
    subject.program().build_original_with(&[&["-O0"], SANITIZERS.as_slice()].concat(), &executable)?;
    for (arguments, expected) in runs.iter().zip(expected) {
        let mut command = clean(&executable, folder.path());
        let outcome = run(command.args(arguments).env("ASAN_OPTIONS", ASAN_OPTIONS))?.succeeded()?;
        check_same_bytes("stdout", expected, &outcome.stdout)?;
    }
    Ok(())
}

fn check_warnings(prepared: &Prepared) -> Result<()> {
    for compiler in ["gcc", "clang"] {
        let mut command = clean(compiler, prepared.folder.path());
        run(command.args(WARNINGS.split_whitespace()).arg(prepared.files.driver()))?.succeeded()?;
    }
    if !prepared.variant.is_default() {
        return Ok(());
    }
    // What is known only of values takes gcc's optimisation.
    let mut gcc = clean("gcc", prepared.folder.path());
    gcc.args(["-std=c99", "-O2", "-Wall", "-Wextra", "-Werror", "-c", "-o", "/dev/null"]);
    run(gcc.arg(prepared.files.driver()))?.succeeded().map(drop)
}

/// The stub's results are wrong, which is what verifying them must find; one plan's are verified.
fn check_memcheck(prepared: &Prepared, runs: &[Vec<String>]) -> Result<()> {
    let executable = prepared.build(&SMALL_SLABS, &[part("stub.c")])?;
    let memory: &[_] = if prepared.variant.is_default() { SHARED } else { &[] };
    for arguments in runs {
        run_memcheck(&executable, arguments, memory)?.succeeded()?;
    }
    if !prepared.variant.is_default() {
        return Ok(());
    }
    // A run that takes no steps has nothing to verify.
    for arguments in runs {
        if run_memcheck(&executable, arguments, &[("STENCIL_VERIFY", "1")])?.succeeded()?.check_says("verif").is_ok() {
            return Ok(());
        }
    }
    bail!("no run verifies its results")
}

/// The stub's device has a memory of its own unless this is set.
const SHARED: &[(&str, &str)] = &[("STUB_SHARES_MEMORY", "1")];

/// Small arrays are pinned and moved in pieces as large ones are.
const SMALL_SLABS: [&str; 2] = ["-DSTENCIL_PINNED_BYTES=1", "-DSTENCIL_SLAB_BYTES=200"];

fn run_memcheck(executable: &Path, arguments: &[String], environment: &[(&str, &str)]) -> Result<Outcome> {
    let mut command = clean("valgrind", executable.parent().unwrap_or(Path::new(".")));
    command.args(MEMCHECK).arg(format!("--suppressions={}", part("memcheck.supp").display()));
    command.arg(executable).args(arguments).env("STENCIL_DEVICE", "0").env("STENCIL_VERBOSE", "1");
    run(command.envs(environment.iter().copied()))
}

/// On the device; returns the number of kernel launches.
fn check_sanitized(prepared: &Prepared, runs: &[Vec<String>], expected: &[Vec<u8>]) -> Result<usize> {
    let executable = prepared.build(&SANITIZERS, &[])?;
    let mut launches = 0;
    for (arguments, expected) in runs.iter().zip(expected) {
        let mut command = on_device_unoptimised(&executable);
        command.args(arguments).env("STENCIL_STRICT", "1").env("STENCIL_VERBOSE", "1");
        let outcome = run(command.env("ASAN_OPTIONS", ASAN_OPTIONS))?.succeeded()?;
        check_same_bytes("stdout", expected, &outcome.stdout)?;
        launches += count_launches(&outcome, None)?;
    }
    ensure!(launches > 0, "no kernel ran");
    Ok(launches)
}

/// The runtime is the same in all drivers.
fn check_analyzer() -> Result<()> {
    let prepared = Subject::case("nests_in_one_file").prepare(&DEFAULT)?;
    let mut clang = clean("clang", prepared.folder.path());
    clang.args(["--analyze", "-std=c99", "-Xclang", "-analyzer-werror"]).arg(prepared.files.driver());
    run_within(clang.args(["-o", "/dev/null"]), ANALYZER_LIMIT)?.succeeded().map(drop)
}

/// A damaged driver that runs on the stub must be reported.
fn check_memcheck_reports(from: &str, to: &str, fault: &str) -> Result<()> {
    let prepared = Subject::case("copy_back_interior").prepare(&DEFAULT)?;
    prepared.damage(from, to)?;
    let executable = prepared.build(&[], &[part("stub.c")])?;
    run_memcheck(&executable, &[], SHARED)?.failed()?.check_says(fault)
}

fn check_leak() -> Result<()> {
    check_memcheck_reports("    free(session->phases);\n", "", "definitely lost")
}

fn check_no_contents() -> Result<()> {
    check_memcheck_reports("memset(buffer + first, 0, end - first);", "(void)buffer;", "uninitialised")
}

fn check_kept_buffer() -> Result<()> {
    check_memcheck_reports("clReleaseMemObject(session->slots[i].other)", "(void)0", "were not released")
}

fn check_small_table() -> Result<()> {
    let prepared = Subject::case("copy_back_interior").prepare(&DEFAULT)?;
    prepared.damage("calloc((size_t)stencil_count_slots(call, call->field_count) + 1,", "calloc(1,")?;
    let executable = prepared.build(&SANITIZERS, &[])?;
    run(on_device(&executable).env("ASAN_OPTIONS", ASAN_OPTIONS))?.failed()?.check_says("heap-buffer-overflow")
}
