//! A program built with the shim in front of libOpenCL.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use anyhow::{Context, Result, ensure};
use tempfile::TempDir;

use crate::case::{Case, suite};
use crate::command::{Outcome, clean, run};
use crate::program::{Program, Runtime, on_device};

/// A program of one or several files, as it is and rewritten.
pub struct Bench {
    folder: TempDir,
    original: PathBuf,
    executable: PathBuf,
    /// What the original prints when it gets no arguments.
    pub expected: Vec<u8>,
}

/// Names and values of variables.
pub type Environment<'a> = &'a [(&'a str, &'a str)];

/// What the shim saw in one run.
pub struct Report {
    /// Functions in the order of their first calls, with the number of calls.
    pub calls: Vec<(String, usize)>,
    /// Kinds of objects, with the number of those that were made and not given back.
    living: Vec<(String, i64)>,
    pub has_struck: bool,
    /// The options of the last program that was built.
    pub build_options: String,
}

impl Bench {
    /// Builds the files, whose paths start in the test suite's folder.
    pub fn new(sources: &[&str]) -> Result<Self> {
        Self::build(sources, &[], &[])
    }

    /// The same with options for the tool and for the compiler of the rewritten program.
    pub fn build(sources: &[&str], options: &[&str], cflags: &[&str]) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let programs: Vec<_> = sources.iter().map(|source| program(&suite(source))).collect();
        let original = folder.path().join("original");
        let mut gcc = gcc(folder.path(), &programs);
        gcc.arg("-Wno-unknown-pragmas").args(programs.iter().map(|program| &program.source));
        run(gcc.arg("-o").arg(&original).arg("-lm"))?.succeeded()?;
        let executable = folder.path().join("program");
        build_rewritten(&programs, options, cflags, folder.path(), &executable)?;
        let mut bench = Self { folder, original, executable, expected: Vec::new() };
        bench.expected = bench.run_original(&[], &[])?;
        Ok(bench)
    }

    /// What the original prints.
    pub fn run_original(&self, arguments: &[&str], environment: Environment) -> Result<Vec<u8>> {
        let mut command = clean(&self.original, self.folder.path());
        Ok(run(command.args(arguments).envs(environment.iter().copied()))?.succeeded()?.stdout)
    }

    /// Runs the rewritten program with a fault and further variables.
    pub fn run(&self, wish: &str, environment: Environment) -> Result<(Outcome, Report)> {
        self.run_with(&[], wish, environment)
    }

    /// The same with arguments.
    pub fn run_with(&self, arguments: &[&str], wish: &str, environment: Environment) -> Result<(Outcome, Report)> {
        let counts = self.folder.path().join("counts");
        let mut command = on_device(&self.executable);
        command.env("FAULTS", wish).env("FAULTS_COUNTS", &counts).envs(environment.iter().copied());
        // What OpenCL keeps until the end of the program is no leak of ours.
        command.env("ASAN_OPTIONS", "detect_leaks=0");
        let outcome = run(command.args(arguments))?;
        let text = fs::read_to_string(&counts).with_context(|| outcome.describe())?;
        fs::remove_file(&counts)?;
        Ok((outcome, Report::read(&text)?))
    }
}

impl Report {
    /// Reads the file that `FAULTS_COUNTS` names.
    pub fn read(text: &str) -> Result<Self> {
        let mut report =
            Self { calls: Vec::new(), living: Vec::new(), has_struck: false, build_options: String::new() };
        for line in text.lines() {
            if let Some(options) = line.strip_prefix("options ") {
                report.build_options = options.to_owned();
                continue;
            }
            let words: Vec<_> = line.split(' ').collect();
            match words[..] {
                ["calls", name, count] => report.calls.push((name.to_string(), count.parse()?)),
                ["living", kind, count] => report.living.push((kind.to_string(), count.parse()?)),
                ["struck", _, count] => report.has_struck = count == "1",
                _ => anyhow::bail!("the shim wrote `{line}`"),
            }
        }
        Ok(report)
    }

    /// How often the function was called.
    pub fn count(&self, function: &str) -> usize {
        self.calls.iter().find(|(name, _)| name == function).map_or(0, |(_, count)| *count)
    }

    /// Fails if a call left a buffer, a mapping or an event behind, or gave the program's own memory to a kernel. The rest
    /// lives as long as the program.
    pub fn check_nothing_lives(&self) -> Result<()> {
        for (kind, count) in &self.living {
            let belongs_to_call = ["buffer", "mapping", "event", "lent_argument"].contains(&kind.as_str());
            ensure!(!belongs_to_call || *count == 0, "{count} objects of kind {kind} were not given back");
        }
        Ok(())
    }
}

/// The shim, built once per test run and kept for its length.
pub fn shim() -> Result<&'static Path> {
    static SHIM: OnceLock<Result<(TempDir, PathBuf), String>> = OnceLock::new();
    let built = SHIM.get_or_init(|| build_shim().map_err(|error| format!("{error:#}")));
    built.as_ref().map(|(_, path)| path.as_path()).map_err(|error| anyhow::anyhow!("{error}"))
}

fn build_shim() -> Result<(TempDir, PathBuf)> {
    let folder = tempfile::tempdir()?;
    let library = folder.path().join("libfaults.so");
    let mut gcc = clean("gcc", &suite("faults"));
    gcc.args(["-std=c99", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "verdict.c", "shim.c", "-o"]);
    // The programs call libOpenCL through the shim alone, so that it must not be left out.
    run(gcc.arg(&library).args(["-pthread", "-Wl,--no-as-needed", "-lOpenCL", "-ldl"]))?.succeeded()?;
    Ok((folder, library))
}

/// Adds a line to what `scripts/check-faults` shows at its end.
pub fn record(name: &str, runs: usize) -> Result<()> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("faults");
    fs::create_dir_all(&folder)?;
    Ok(fs::write(folder.join(name), format!("{runs} {name}\n"))?)
}

fn program(source: &Path) -> Program {
    let include = format!("-I{}", suite("accept/include").display());
    let cflags = Case::read(source.to_path_buf()).words("cflags");
    Program { source: source.to_path_buf(), flags: vec![include], cflags, with: Vec::new() }
}

const OPTIMISED: [&str; 2] = ["-O1", "-ffp-contract=off"];

/// A compiler for parts of these programs.
fn gcc(folder: &Path, programs: &[Program]) -> Command {
    let mut gcc = clean("gcc", folder);
    gcc.args(OPTIMISED);
    for program in programs {
        gcc.args(&program.flags).args(&program.cflags);
        gcc.arg(format!("-I{}", program.source.parent().unwrap_or(folder).display()));
    }
    gcc
}

/// Rewrites the files with marked nests and links all with the shim, which also gives drivers their memory.
fn build_rewritten(
    programs: &[Program],
    options: &[&str],
    cflags: &[&str],
    folder: &Path,
    executable: &Path,
) -> Result<()> {
    let flags = [&OPTIMISED[..], cflags, &["-Dmalloc=faulty_malloc", "-Dcalloc=faulty_calloc"]].concat();
    // Where there are several drivers, each has a state of its own by default.
    let runtime = if programs.len() > 1 { Runtime::InDriver } else { Runtime::Apart };
    let mut link = gcc(folder, programs);
    link.args(cflags);
    for (index, program) in programs.iter().enumerate() {
        if !fs::read_to_string(&program.source)?.contains("#pragma stencil") {
            link.arg(&program.source);
            continue;
        }
        let (files, _) = program.rewrite_with(runtime, options, &folder.join("rewritten"))?;
        let driver = folder.join(format!("driver{index}.o"));
        run(clean("gcc", folder).args(&flags).arg("-c").arg(files.driver()).arg("-o").arg(&driver))?.succeeded()?;
        link.arg(files.host()).arg(driver).args(files.runtime_object("gcc", &flags)?);
    }
    let shim = shim()?;
    let library_folder = shim.parent().unwrap_or(folder).display();
    link.arg("-o").arg(executable).arg(shim).arg(format!("-Wl,-rpath,{library_folder}"));
    run(link.args(["-lOpenCL", "-lm"]))?.succeeded()?;
    Ok(())
}
