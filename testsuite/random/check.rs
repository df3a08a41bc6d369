//! A program on its way through the tool: built, rewritten, run and compared.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use tempfile::TempDir;

use super::model::Program;
use super::write::{Source, write_program};
use crate::case::Case;
use crate::command::{Outcome, clean, run};
use crate::program::{self, INEXACT, Rewritten, Runtime, is_device_chosen, on_device, on_device_unoptimised};

/// Why a driver leaves a call to the original loops.
const OUTSIDE: &str = "an element that steps store alone is none that the loop before it stores";

/// PoCL takes minutes to optimise the longest kernels, so where time matters longer files, in bytes, are not optimised.
const LONG: u64 = 10_000;

/// Lets drivers combine few values on the device, too.
const COMBINES: &str = "-DSTENCIL_COMBINED_VALUES=2";

/// What went wrong.
#[derive(Debug)]
pub struct Failure {
    pub kind: Kind,
    pub message: String,
}

/// Kinds of failure; a smaller program shows the same one only if its kind is the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The program itself is not what the generator promises.
    Invalid,
    /// The tool refuses a legal program, with this rule.
    Refused(String),
    /// The tool ends in another way than it should.
    Broken,
    /// What it wrote does not compile without warnings.
    Unbuildable,
    /// The rewritten program fails or falls back.
    Stopped,
    /// The rewritten program leaves something else in memory.
    Different,
    /// The tool accepts an illegal program, and what it makes of it leaves something else in memory.
    Accepted,
}

/// Which kernels PoCL optimises. That takes most of the time of a program.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Optimises {
    All,
    /// Those that are not long.
    Short,
    Nothing,
}

impl Optimises {
    /// With kernels in a file of `size` bytes.
    fn holds(self, size: u64) -> bool {
        match self {
            Self::All => true,
            Self::Short => size <= LONG,
            Self::Nothing => false,
        }
    }
}

/// A program written to a folder of its own.
pub struct Sandbox {
    folder: TempDir,
    program: program::Program,
    runs: Vec<Vec<String>>,
    optimises: Optimises,
    may_fall_back: bool,
    /// The device combines what is folded, however few values there are.
    combines: bool,
}

impl Sandbox {
    pub fn new(model: &Program, title: &str, optimises: Optimises) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("stencil-random-").tempdir()?;
        let include = folder.path().join("include");
        fs::create_dir(&include)?;
        fs::write(include.join("memory.h"), include_str!("../accept/include/memory.h"))?;
        fs::write(include.join("dump.h"), include_str!("../accept/include/dump.h"))?;
        let source = folder.path().join("random.c");
        let (text, others) = write_program(model, title, "random");
        fs::write(&source, text)?;
        write_others(folder.path(), &others)?;
        let case = Case::read(source.clone());
        let flags = vec![format!("-I{}", include.display()), format!("-I{}", folder.path().display())];
        let with = case.words("with").iter().map(|file| folder.path().join(file)).collect();
        let program = program::Program { source, flags, cflags: case.words("cflags"), with };
        Ok(Self { folder, program, runs: case.runs(), optimises, may_fall_back: false, combines: model.combines })
    }

    /// The same for a program that may run its original loops: where they need each other only the running program tells.
    pub fn that_may_fall_back(self) -> Self {
        Self { may_fall_back: true, ..self }
    }

    /// The kernel cache is the program's own and goes with it.
    fn run_all(&self, executable: &Path, is_optimised: bool) -> Result<Vec<Outcome>> {
        let cache = self.folder.path().join("pocl");
        fs::create_dir_all(&cache)?;
        let outcomes = self.runs.iter().map(|arguments| {
            let mut command = if is_optimised { on_device(executable) } else { on_device_unoptimised(executable) };
            let strict = if self.may_fall_back { "0" } else { "1" };
            command.args(arguments).env("STENCIL_STRICT", strict).env("POCL_CACHE_DIR", &cache);
            let mut outcome = run(&mut command)?;
            // Where a source is only the running program tells.
            if outcome.stderr.contains(OUTSIDE) {
                outcome = run(command.env("STENCIL_STRICT", "0"))?;
            }
            outcome.succeeded().with_context(|| format!("arguments {}", arguments.join(" ")))
        });
        outcomes.collect()
    }

    /// What the original prints, run by run.
    fn original(&self) -> Result<Vec<Outcome>, Failure> {
        let executable = self.folder.path().join("original");
        let build = || self.program.build_original(&executable).and_then(|()| self.run_all(&executable, true));
        build().map_err(|error| Failure::new(Kind::Invalid, &error))
    }

    /// Builds and runs the program with sanitizers: it must be C with one meaning.
    pub fn check_validity(&self) -> Result<(), Failure> {
        let executable = self.folder.path().join("sanitized");
        let build = || -> Result<()> {
            let mut gcc = clean("gcc", self.folder.path());
            gcc.args(["-O1", "-ffp-contract=off", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]);
            gcc.args(&self.program.flags)
                .arg(&self.program.source)
                .args(&self.program.with)
                .arg("-o")
                .arg(&executable)
                .arg("-lm");
            run(&mut gcc)?.succeeded()?;
            for arguments in &self.runs {
                // The programs never free what they allocate.
                run(clean(&executable, self.folder.path()).args(arguments).env("ASAN_OPTIONS", "detect_leaks=0"))?
                    .succeeded()?;
            }
            Ok(())
        };
        build().map_err(|error| Failure::new(Kind::Invalid, &error))
    }

    /// Rewrites, builds and runs the program once a plan; memory must be what the original leaves.
    pub fn check_plans(&self, plans: &[Vec<String>]) -> Result<(), Failure> {
        let expected = self.original()?;
        for (number, options) in plans.iter().enumerate() {
            self.check_plan(options, &expected, &format!("plan{number}")).map_err(|mut failure| {
                failure.message = format!("plan {:?}\n{}", options.join(" "), failure.message);
                failure
            })?;
        }
        Ok(())
    }

    fn check_plan(&self, options: &[String], expected: &[Outcome], name: &str) -> Result<(), Failure> {
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        let folder = self.folder.path().join(name);
        let files = self.rewrite(&options, &folder)?;
        let executable = folder.join("program");
        self.program
            .build_rewritten_with(&files, false, if self.combines { &[COMBINES] } else { &[] }, &executable)
            .map_err(|error| Failure::new(Kind::Unbuildable, &error))?;
        let size = files.kernel_size().map_err(|error| Failure::new(Kind::Broken, &error))?;
        let actual = match self.run_all(&executable, self.optimises.holds(size)) {
            Ok(actual) => actual,
            // A device that somebody chose may be unable to compute what the program computes, and say so.
            Err(error) if is_device_chosen() && format!("{error:#}").contains(INEXACT) => return Ok(()),
            Err(error) => return Err(Failure::new(Kind::Stopped, &error)),
        };
        for ((arguments, expected), actual) in self.runs.iter().zip(expected).zip(&actual) {
            let what = format!("stdout with arguments {}", arguments.join(" "));
            crate::compare::check_same_bytes(&what, &expected.stdout, &actual.stdout)
                .map_err(|error| Failure::new(Kind::Different, &error))?;
        }
        Ok(())
    }

    fn rewrite(&self, options: &[&str], folder: &Path) -> Result<Rewritten, Failure> {
        self.program.rewrite_with(Runtime::Apart, options, folder).map(|(files, _)| files).map_err(|error| {
            let message = format!("{error:#}");
            let is_refusal = message.contains("ended by exit code 1") && message.contains("error[");
            let kind = if is_refusal { Kind::Refused(rule_of(&message)) } else { Kind::Broken };
            Failure { kind, message }
        })
    }

    /// Rewrites the program, no more.
    pub fn check_accepted(&self) -> Result<(), Failure> {
        self.rewrite(&[], &self.folder.path().join("accepted")).map(drop)
    }

    /// The tool must refuse the program, and write nothing; or what it makes of it must be right under all plans.
    /// Returns the rule that it names, if it refuses.
    pub fn check_refused(&self, plans: &[Vec<String>]) -> Result<Option<String>, Failure> {
        let folder = self.folder.path().join("refused");
        match self.rewrite(&[], &folder) {
            Ok(_) => self.check_accepted_illegal(plans).map(|()| None),
            Err(Failure { kind: Kind::Refused(rule), .. }) => {
                check_empty(&folder).map_err(|error| Failure::new(Kind::Broken, &error))?;
                Ok(Some(rule))
            }
            Err(failure) => Err(failure),
        }
    }

    /// The trace may be too strict, a difference in memory is not.
    fn check_accepted_illegal(&self, plans: &[Vec<String>]) -> Result<(), Failure> {
        self.check_plans(plans).map_err(|failure| {
            let kind = if failure.kind == Kind::Different { Kind::Accepted } else { failure.kind };
            Failure { kind, ..failure }
        })
    }
}

impl Failure {
    /// What the first comment of a kept program says.
    pub fn describe(&self) -> String {
        format!("{:?}", self.kind)
    }

    fn new(kind: Kind, error: &anyhow::Error) -> Self {
        Self { kind, message: format!("{error:#}") }
    }
}

/// Writes further files of a program, whose paths count from `folder`.
pub fn write_others(folder: &Path, others: &[Source]) -> Result<()> {
    for other in others {
        let path = folder.join(&other.path);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        fs::write(path, &other.text)?;
    }
    Ok(())
}

/// The word in brackets of the first error.
fn rule_of(message: &str) -> String {
    let rule = message.split_once("error[").and_then(|(_, rest)| rest.split_once(']'));
    rule.map_or(String::new(), |(rule, _)| rule.to_string())
}

fn check_empty(folder: &Path) -> Result<()> {
    let files: Vec<PathBuf> = fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
    ensure!(files.is_empty(), "the tool refused the program and wrote {files:?}");
    Ok(())
}
