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
            ("a_runtime_apart_serves_all_drivers", check_runtime_apart),
            ("a_runtime_that_does_not_fit_does_not_link", check_other_runtime),
            ("a_runtime_overwrites_no_input", check_runtime_over_input),
            ("kernels_for_one_kind_of_device", check_kernels_for),
            ("files_name_their_maker", check_banner),
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

/// Builds and runs the C files of a folder; what the program prints. Drivers are large, and their speed is not looked at.
fn build_and_run(folder: &Path, sources: &[&str]) -> Result<Vec<u8>> {
    let executable = folder.join("program");
    let mut gcc = clean("gcc", folder);
    gcc.args(["-O0", "-ffp-contract=off", "-I."]).args(sources).arg("-o").arg(&executable);
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
        let program = Program { source: path, flags: vec![include], cflags: Vec::new(), with: Vec::new() };
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

/// The sources of the program of three files that have nests, and the flags that it needs.
const PAIR: [&str; 2] = ["heat.c", "wave.c"];
const PAIR_FLAGS: [&str; 2] = ["-DWEIGHT=0.2", "-I."];

fn copy_pair() -> Result<TempDir> {
    let folder = tempfile::tempdir()?;
    for name in ["main.c", "heat.c", "wave.c", "fields.h"] {
        fs::copy(suite("programs/pair").join(name), folder.path().join(name))?;
    }
    Ok(folder)
}

fn rewrite_in(folder: &Path, arguments: &[&str]) -> Result<()> {
    run(tool(folder).args(["--fp", "strict"]).args(PAIR_FLAGS).args(arguments))?.succeeded()?;
    Ok(())
}

/// Compiles as users would that want to hear of everything.
fn compile(folder: &Path, sources: &[&str], program: &str) -> Result<()> {
    let mut gcc = clean("gcc", folder);
    gcc.args(["-std=gnu99", "-O1", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas"]);
    gcc.args(PAIR_FLAGS).args(sources).args(["-o", program, "-lOpenCL", "-lm"]);
    run(&mut gcc)?.succeeded()?;
    Ok(())
}

fn check_runtime_apart() -> Result<()> {
    let folder = copy_pair()?;
    let folder = folder.path();
    compile(folder, &["main.c", "heat.c", "wave.c"], "plain")?;
    let expected = run(&mut clean(folder.join("plain"), folder))?.succeeded()?.stdout;
    rewrite_in(folder, &["--runtime", "runtime.c", PAIR[0], PAIR[1]])?;
    let driver = fs::read_to_string(folder.join("heat.stencil.c"))?;
    ensure!(!driver.contains("clBuildProgram("), "the driver has the runtime in it");
    let written = fs::metadata(folder.join("runtime.c"))?.modified()?;
    let all = ["main.c", "heat.ocl.c", "heat.stencil.c", "wave.ocl.c", "wave.stencil.c", "runtime.c"];
    compile(folder, &all, "apart")?;
    rewrite_in(folder, &["--runtime", "runtime.c", PAIR[0]])?;
    ensure!(fs::metadata(folder.join("runtime.c"))?.modified()? == written, "the same runtime was written again");
    // One driver with the runtime in it, one without.
    rewrite_in(folder, &[PAIR[1]])?;
    compile(folder, &all, "mixed")?;
    for program in ["apart", "mixed"] {
        let mut command = on_device(&folder.join(program));
        let outcome = run(command.env("STENCIL_STRICT", "1").env("STENCIL_VERBOSE", "1"))?.succeeded()?;
        check_same_bytes(program, &expected, &outcome.stdout)?;
        ensure!(outcome.count_lines_with("stencil: device") == 1, "{program} opens the device twice");
    }
    Ok(())
}

fn check_other_runtime() -> Result<()> {
    let folder = copy_pair()?;
    let folder = folder.path();
    rewrite_in(folder, &["--runtime", "runtime.c", PAIR[0], PAIR[1]])?;
    let other =
        fs::read_to_string(folder.join("runtime.c"))?.replace("STENCIL_SHARED int stencil_run_", "int stencil_run_of_");
    fs::write(folder.join("runtime.c"), other)?;
    let all = ["main.c", "heat.ocl.c", "heat.stencil.c", "wave.ocl.c", "wave.stencil.c", "runtime.c"];
    let error = compile(folder, &all, "other").err().context("a runtime of another kind was linked")?;
    ensure!(format!("{error:#}").contains("undefined reference to `stencil_run_"), "{error:#}");
    Ok(())
}

fn check_runtime_over_input() -> Result<()> {
    let folder = copy_pair()?;
    for (name, message) in [("heat.c", "would be overwritten"), ("heat.stencil.c", "two results would be written")] {
        let outcome = run(tool(folder.path()).args(PAIR_FLAGS).args(["--runtime", name, "heat.c"]))?.exited_with(2)?;
        outcome.check_says(message)?;
    }
    Ok(())
}

fn check_kernels_for() -> Result<()> {
    let folder = copy_program("two_regions.c")?;
    let folder = folder.path();
    let tool_for = |kind: &str| run(tool(folder).args(["--kernels-for", kind, "two_regions.c"]))?.succeeded();
    let kernels = || fs::read_to_string(folder.join("two_regions.stencil.cl"));
    tool_for("gpu")?;
    ensure!(kernels()?.contains("_gpu_sweep0(") && !kernels()?.contains("_cpu_"), "kernels for CPUs are there");
    let sources = ["two_regions.ocl.c", "two_regions.stencil.c"];
    compile(folder, &["two_regions.c"], "plain")?;
    let expected = run(&mut clean(folder.join("plain"), folder))?.succeeded()?.stdout;
    compile(folder, &sources, "for_gpus")?;
    let outcome = run(clean(folder.join("for_gpus"), folder).env("STENCIL_DEVICE", "cpu"))?.succeeded()?;
    check_same_bytes("stdout", &expected, &outcome.stdout)?;
    outcome.check_says("running the original loops: the program was rewritten with --kernels-for gpu, and device")?;
    tool_for("cpu")?;
    ensure!(kernels()?.contains("_cpu_sweep0(") && !kernels()?.contains("_gpu_"), "kernels for GPUs are there");
    compile(folder, &sources, "for_cpus")?;
    let mut command = clean(folder.join("for_cpus"), folder);
    let outcome = run(command.envs([("STENCIL_DEVICE", "cpu"), ("STENCIL_STRICT", "1")]))?.succeeded()?;
    check_same_bytes("stdout", &expected, &outcome.stdout)
}

fn check_banner() -> Result<()> {
    let folder = copy_program("two_regions.c")?;
    let path = folder.path().join("two_regions.c");
    let mut command = tool(folder.path());
    command.args(["--strategy", "direct", "-D", "X=*/", "-I", "/"]).arg(&path).args(["--runtime", "runtime.c"]);
    run(&mut command)?.succeeded()?;
    let options = "from two_regions.c, options: --strategy direct -DX=__; do not edit.";
    let version = env!("CARGO_PKG_VERSION");
    for (file, says) in
        [("stencil.c", options), ("stencil.h", options), ("stencil.cl", options), ("runtime.c", "; do not edit.")]
    {
        let name = if file == "runtime.c" { file.to_owned() } else { format!("two_regions.{file}") };
        let text = fs::read_to_string(folder.path().join(name))?;
        let first = text.lines().next().unwrap_or_default();
        ensure!(
            first.starts_with(&format!("/* Made by stencil-rewrite {version}")) && first.ends_with(says),
            "{first}"
        );
        ensure!(!text.contains(&*folder.path().to_string_lossy()), "{file} has the name of a folder");
    }
    Ok(())
}
