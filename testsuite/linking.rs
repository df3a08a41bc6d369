//! Programs of objects that the compiler wrapper has made, one by one: they have the runtime once, whoever links them.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use libtest_mimic::Trial;

use crate::command::{clean, run, tool, with_quick_gcc};
use crate::trials_of;
use crate::wrapper::{check_runs, copy_pair, expected_output};

pub fn trials() -> Vec<Trial> {
    trials_of(
        "linking",
        &[
            ("programs_have_the_runtime_once", check_once),
            ("shared_libraries_have_a_runtime_each", check_shared_libraries),
            ("flags_that_change_no_code_share_the_runtime", check_same_code),
            ("code_for_two_machines_keeps_apart", check_two_machines),
        ],
    )
}

/// Static functions and data from all over the runtime, which no compiler makes a part of others.
const OF_RUNTIME: [&str; 4] = ["stencil_fail", "stencil_run_beside", "stencil_close_session", "stencil_cpu_price"];

/// How often the runtime is in an object or program.
fn runtimes(folder: &Path, file: &str) -> Result<usize> {
    let symbols = run(clean("nm", folder).arg(file))?.succeeded()?.stdout;
    let symbols = String::from_utf8(symbols)?;
    let count = |name: &str| symbols.lines().filter(|line| line.split(' ').next_back() == Some(name)).count();
    let counts = OF_RUNTIME.map(count);
    ensure!(counts.iter().all(|count| *count == counts[0]), "{file} has {counts:?} of {OF_RUNTIME:?}");
    Ok(counts[0])
}

fn check_runtimes(folder: &Path, file: &str, expected: usize) -> Result<()> {
    let there = runtimes(folder, file)?;
    ensure!(there == expected, "{file} has {there} copies of the runtime instead of {expected}");
    Ok(())
}

/// `stencil-rewrite cc` with words that follow.
fn wrap(folder: &Path, words: &[&str]) -> Result<()> {
    let common = ["-ffp-contract=off", "-DWEIGHT=0.2"];
    run(with_quick_gcc(tool(folder).arg("cc").args(words).args(common)))?.succeeded()?;
    Ok(())
}

fn gcc(folder: &Path, words: &str) -> Result<()> {
    run(clean("gcc", folder).args(words.split(' ')))?.succeeded().with_context(|| words.to_owned())?;
    Ok(())
}

/// Objects of `heat.c` and `wave.c`, compiled by these words, and that of `main.c`.
fn compile(folder: &Path, heat: &str, wave: &str) -> Result<()> {
    gcc(folder, "-c main.c")?;
    for (words, source) in [(heat, "heat.c"), (wave, "wave.c")] {
        let words: Vec<&str> = words.split(' ').chain(["-c", source]).collect();
        wrap(folder, &words)?;
    }
    check_runtimes(folder, "heat.o", 1)?;
    check_runtimes(folder, "wave.o", 1)
}

/// The linkers of this machine, each as gcc is told of it.
fn linkers() -> impl Iterator<Item = &'static str> {
    let has = |linker: &&str| run(clean(format!("ld.{linker}"), Path::new(".")).arg("--version")).is_ok();
    ["bfd", "gold", "lld"].into_iter().filter(has)
}

fn check_once() -> Result<()> {
    let folder = copy_pair()?;
    let folder = folder.path();
    let expected = expected_output(folder)?;
    compile(folder, "gcc", "gcc")?;
    run(clean("ar", folder).args(["rc", "libnests.a", "heat.o", "wave.o"]))?.succeeded()?;
    for linker in linkers() {
        gcc(folder, &format!("-fuse-ld={linker} main.o heat.o wave.o -o by_{linker} -lOpenCL -lm"))?;
        check_runtimes(folder, &format!("by_{linker}"), 1)?;
        check_runs(folder, &format!("by_{linker}"), &expected)?;
    }
    gcc(folder, "main.o -L. -lnests -o of_archive -lOpenCL -lm")?;
    gcc(folder, "-r -nostdlib heat.o wave.o -o both.o")?;
    gcc(folder, "main.o both.o -o of_partial_link -lOpenCL -lm")?;
    wrap(folder, &["gcc", "main.o", "heat.o", "wave.o", "-o", "by_wrapper"])?;
    wrap(folder, &["gcc", "main.c", "heat.o", "wave.c", "-o", "at_once"])?;
    for program in ["of_archive", "both.o", "of_partial_link", "by_wrapper", "at_once"] {
        check_runtimes(folder, program, 1)?;
    }
    check_runs(folder, "of_partial_link", &expected)?;
    check_runs(folder, "at_once", &expected)?;
    Ok(())
}

/// A library that is loaded and its program may come from different versions of the tool. They share the device.
fn check_shared_libraries() -> Result<()> {
    let folder = copy_pair()?;
    let folder = folder.path();
    let expected = expected_output(folder)?;
    compile(folder, "gcc -fPIC", "gcc -fPIC")?;
    gcc(folder, "-shared heat.o wave.o -o libboth.so -lOpenCL -lm")?;
    gcc(folder, "-shared wave.o -o libwave.so -lOpenCL -lm")?;
    check_runtimes(folder, "libboth.so", 1)?;
    for (inputs, count) in [("-lboth", 0), ("heat.o -lwave", 1)] {
        gcc(folder, &format!("main.o {inputs} -L. -Wl,-rpath,{} -o program -lOpenCL -lm", folder.display()))?;
        check_runtimes(folder, "program", count)?;
        let outcome = check_runs(folder, "program", &expected)?;
        ensure!(outcome.count_lines_with("stencil: device") == 1, "two devices\n{}", outcome.describe());
    }
    Ok(())
}

fn check_same_code() -> Result<()> {
    let folder = copy_pair()?;
    let folder = folder.path();
    let expected = expected_output(folder)?;
    compile(folder, "clang -O0 -g", "gcc -O3 -std=c99 -Wall")?;
    gcc(folder, "main.o heat.o wave.o -o program -lOpenCL -lm")?;
    check_runtimes(folder, "program", 1)?;
    check_runs(folder, "program", &expected)?;
    Ok(())
}

/// A program that asks the processor what it can do must not meet what it cannot in a runtime that all share.
fn check_two_machines() -> Result<()> {
    let folder = copy_pair()?;
    let folder = folder.path();
    let expected = expected_output(folder)?;
    for flag in ["-march=native", "-fsanitize=undefined"] {
        compile(folder, "gcc", &format!("gcc {flag}"))?;
        gcc(folder, &format!("{flag} main.o heat.o wave.o -o program -lOpenCL -lm"))?;
        check_runtimes(folder, "program", 2)?;
        check_runs(folder, "program", &expected)?;
    }
    Ok(())
}
