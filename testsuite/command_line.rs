//! What the tool writes and says, option by option.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use libtest_mimic::Trial;
use tempfile::TempDir;

use crate::case::{find_c_files, suite};
use crate::command::{clean, run, tool};
use crate::compare::check_same_bytes;
use crate::program::{Program, on_device};
use crate::trials_of;

pub fn trials() -> Vec<Trial> {
    trials_of(
        "command_line",
        &[
            ("writes_beside_the_source", check_beside_source),
            ("writes_into_a_folder", check_folder),
            ("writes_to_a_named_file", check_named_output),
            ("writes_the_same_bytes_twice", check_deterministic),
            ("diff_writes_nothing", check_diff_writes_nothing),
            ("a_refusal_leaves_earlier_output", check_refusal_leaves_output),
            ("keep_unsupported_rewrites_the_others", check_keep_unsupported),
            ("diagnostics_as_json", check_json),
            ("dependency_file", check_dependencies),
            ("a_missing_file_is_named", check_missing_file),
            ("a_file_without_pragma_is_refused", check_no_pragma),
            ("fp_modes_build_and_run", check_fp_modes),
        ],
    )
}

/// A new folder that holds a copy of one of the programs and the header they include.
fn copy_program(name: &str) -> Result<TempDir> {
    let folder = tempfile::tempdir()?;
    fs::copy(suite("programs").join(name), folder.path().join(name))?;
    fs::copy(suite("accept/include/dump.h"), folder.path().join("dump.h"))?;
    Ok(folder)
}

/// File names of `folder` with their bytes.
fn read_folder(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
    let entries = fs::read_dir(folder)?.map(|entry| {
        let entry = entry?;
        Ok((entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path())?))
    });
    entries.collect()
}

fn names(files: &BTreeMap<String, Vec<u8>>) -> Vec<&str> {
    files.keys().map(String::as_str).collect()
}

/// Builds and runs the C files of a folder; what the program prints.
fn build_and_run(folder: &Path, sources: &[&str]) -> Result<Vec<u8>> {
    let executable = folder.join("program");
    let mut gcc = clean("gcc", folder);
    gcc.args(["-O2", "-ffp-contract=off", "-I."]).args(sources).arg("-o").arg(&executable);
    run(gcc.args(["-lOpenCL", "-lm"]))?.succeeded()?;
    Ok(run(on_device(&executable).env("STENCIL_STRICT", "1"))?.succeeded()?.stdout)
}

fn check_beside_source() -> Result<()> {
    let folder = copy_program("two_regions.c")?;
    let source = fs::read(folder.path().join("two_regions.c"))?;
    run(tool(folder.path()).arg("two_regions.c"))?.succeeded()?;
    let files = read_folder(folder.path())?;
    let expected = [
        "dump.h",
        "two_regions.c",
        "two_regions.ocl.c",
        "two_regions.stencil.c",
        "two_regions.stencil.cl",
        "two_regions.stencil.h",
    ];
    ensure!(names(&files) == expected, "there are {:?}", names(&files));
    check_same_bytes("the source", &source, &files["two_regions.c"])
}

fn check_folder() -> Result<()> {
    let folder = copy_program("two_regions.c")?;
    fs::create_dir(folder.path().join("out"))?;
    run(tool(folder.path()).args(["two_regions.c", "-d", "out"]))?.succeeded()?;
    ensure!(read_folder(&folder.path().join("out"))?.len() == 4, "four files expected in the folder");
    ensure!(!folder.path().join("two_regions.ocl.c").exists(), "a file was written beside the source");
    Ok(())
}

fn check_named_output() -> Result<()> {
    let folder = copy_program("two_regions.c")?;
    let expected = build_and_run(folder.path(), &["two_regions.c"])?;
    let out = folder.path().join("out");
    fs::create_dir(&out)?;
    run(tool(folder.path()).args(["two_regions.c", "-o", "out/accelerated.c"]))?.succeeded()?;
    ensure!(out.join("accelerated.c").exists(), "there are {:?}", names(&read_folder(&out)?));
    let files = read_folder(&out)?;
    let sources: Vec<_> = files.keys().filter(|name| name.ends_with(".c")).map(|name| format!("out/{name}")).collect();
    let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
    check_same_bytes("stdout", &expected, &build_and_run(folder.path(), &sources)?)
}

fn check_deterministic() -> Result<()> {
    for path in [suite("programs/two_regions.c"), suite("accept/fdtd_3d.c"), suite("accept/boundary_corners.c")] {
        let include = format!("-I{}", suite("accept/include").display());
        let program = Program { source: path, flags: vec![include], cflags: Vec::new() };
        let (first, second) = (tempfile::tempdir()?, tempfile::tempdir()?);
        program.rewrite(&[], first.path())?;
        program.rewrite(&[], second.path())?;
        let (first, second) = (read_folder(first.path())?, read_folder(second.path())?);
        ensure!(names(&first) == names(&second) && first.len() == 4, "{:?} and {:?}", names(&first), names(&second));
        for (name, bytes) in &first {
            check_same_bytes(name, bytes, &second[name])?;
        }
    }
    Ok(())
}

fn check_diff_writes_nothing() -> Result<()> {
    let folder = copy_program("two_regions.c")?;
    let before = read_folder(folder.path())?;
    let outcome = run(tool(folder.path()).args(["--diff", "two_regions.c"]))?.succeeded()?;
    let diff = String::from_utf8(outcome.stdout)?;
    ensure!(diff.starts_with("--- ") && diff.contains("\n@@ "), "no unified diff:\n{diff}");
    ensure!(read_folder(folder.path())? == before, "files were written");
    Ok(())
}

fn check_refusal_leaves_output() -> Result<()> {
    let folder = copy_program("two_regions.c")?;
    run(tool(folder.path()).arg("two_regions.c"))?.succeeded()?;
    let source = fs::read_to_string(folder.path().join("two_regions.c"))?;
    fs::write(folder.path().join("two_regions.c"), source.replace("a[i] = b[i];", "a[i] = a[i - 1];"))?;
    let before = read_folder(folder.path())?;
    run(tool(folder.path()).arg("two_regions.c"))?.exited_with(1)?;
    ensure!(read_folder(folder.path())? == before, "a refused file changed earlier output");
    Ok(())
}

fn check_keep_unsupported() -> Result<()> {
    let folder = copy_program("mixed.c")?;
    let expected = build_and_run(folder.path(), &["mixed.c"])?;
    run(tool(folder.path()).arg("mixed.c"))?.exited_with(1)?;
    let outcome = run(tool(folder.path()).args(["--fp", "strict", "--keep-unsupported", "mixed.c"]))?.succeeded()?;
    outcome.check_says("warning")?;
    let host = fs::read_to_string(folder.path().join("mixed.ocl.c"))?;
    ensure!(host.matches("while (!").count() == 1, "one guarded nest expected:\n{host}");
    check_same_bytes("stdout", &expected, &build_and_run(folder.path(), &["mixed.ocl.c", "mixed.stencil.c"])?)
}

fn check_json() -> Result<()> {
    let folder = tempfile::tempdir()?;
    fs::copy(suite("reject/two_problems.c"), folder.path().join("two_problems.c"))?;
    let mut command = tool(folder.path());
    let outcome = run(command.args(["--message-format", "json", "two_problems.c"]))?.exited_with(1)?;
    let printed = format!("{}{}", String::from_utf8_lossy(&outcome.stdout), outcome.stderr);
    let mut count = 0;
    for line in printed.lines() {
        let value: serde_json::Value = serde_json::from_str(line).with_context(|| format!("no JSON: {line}"))?;
        ensure!(value.get("message").is_some(), "no message in {line}");
        ensure!(line.contains("two_problems.c"), "no file name in {line}");
        count += 1;
    }
    ensure!(count >= 2, "two diagnostics expected\n{}", outcome.describe());
    Ok(())
}

fn check_dependencies() -> Result<()> {
    let folder = copy_program("two_regions.c")?;
    run(tool(folder.path()).args(["-MD", "-MF", "rules.d", "two_regions.c"]))?.succeeded()?;
    let rules = fs::read_to_string(folder.path().join("rules.d"))?;
    let (targets, prerequisites) = rules.split_once(':').context("no rule in the dependency file")?;
    ensure!(targets.contains("two_regions.ocl.c"), "the target is not the output:\n{rules}");
    for name in ["two_regions.c", "dump.h", "stdio.h"] {
        ensure!(prerequisites.contains(name), "{name} is no prerequisite:\n{rules}");
    }
    // make itself must understand it: with everything up to date there is nothing to do.
    fs::write(folder.path().join("Makefile"), "two_regions.ocl.c:\ninclude rules.d\n")?;
    run(clean("make", folder.path()).args(["-q", "two_regions.ocl.c"]))?.succeeded()?;
    Ok(())
}

fn check_missing_file() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let outcome = run(tool(folder.path()).arg("nowhere.c"))?.failed()?;
    outcome.check_says("nowhere.c")?;
    ensure!(find_c_files(folder.path()).is_empty() && read_folder(folder.path())?.is_empty(), "files were written");
    Ok(())
}

fn check_no_pragma() -> Result<()> {
    let folder = copy_program("no_pragma.c")?;
    let before = read_folder(folder.path())?;
    let outcome = run(tool(folder.path()).arg("no_pragma.c"))?.exited_with(1)?;
    outcome.check_says("no #pragma stencil in no_pragma.c")?;
    ensure!(read_folder(folder.path())? == before, "files were written");
    Ok(())
}

/// The relaxed modes may change the last bits but neither the program's shape nor its exit code.
fn check_fp_modes() -> Result<()> {
    for mode in ["strict", "contract", "fast"] {
        let folder = copy_program("two_regions.c")?;
        let mut command: Command = tool(folder.path());
        run(command.args(["--fp", mode, "two_regions.c"]))?.succeeded()?;
        let printed = build_and_run(folder.path(), &["two_regions.ocl.c", "two_regions.stencil.c"])?;
        let lines = String::from_utf8(printed)?.lines().count();
        ensure!(lines == 8, "--fp {mode}: {lines} lines instead of 8");
    }
    Ok(())
}
