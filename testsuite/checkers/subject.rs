//! Programs to be watched, and what watching them has in common.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use libtest_mimic::Trial;
use tempfile::TempDir;

use crate::accept::{DEFAULT, DIRECT, LOCAL_THREE, ROWS, STREAM, Variant, is_whole, program_of, run_original};
use crate::case::{Case, read_cases, suite};
use crate::command::Outcome;
use crate::examples;
use crate::program::{Program, Rewritten, Runtime};
use crate::trial;

/// The plans under which each program is watched.
pub const VARIANTS: [Variant; 5] = [DEFAULT, DIRECT, LOCAL_THREE, STREAM, ROWS];

/// One program of the suite.
#[derive(Clone)]
pub struct Subject {
    case: Case,
    includes: Vec<PathBuf>,
    /// Whether the runtime, which is the same in all drivers, is watched as users get it, in the driver.
    is_whole: bool,
}

/// A program that the tool has rewritten, in a folder of its own.
pub struct Prepared {
    pub variant: Variant,
    pub folder: TempDir,
    pub program: Program,
    pub files: Rewritten,
}

impl Subject {
    /// A case of `accept`.
    pub fn case(name: &str) -> Self {
        Self { case: Case::read(suite("accept").join(name).with_extension("c")), includes: Vec::new(), is_whole: true }
    }

    /// `swap_macro`, or `examples::ebisu::j2d5pt`.
    pub fn name(&self) -> String {
        if self.includes.is_empty() {
            return self.case.name();
        }
        let folder = self.case.folder().file_name().unwrap_or_default().to_string_lossy();
        format!("examples::{folder}::{}", self.case.name())
    }

    /// The command lines to run it with.
    pub fn runs(&self) -> Vec<Vec<String>> {
        let mut runs = self.case.runs();
        runs.truncate(if is_whole() { runs.len() } else { 1 });
        runs
    }

    /// The same, short enough for tools that take their time. Examples take sizes and then steps.
    pub fn short_runs(&self) -> Vec<Vec<String>> {
        if self.includes.is_empty() {
            return self.runs();
        }
        let short = match self.source().matches("argument(argc, argv, ").count() {
            2 if self.name().contains("-1d") => "23 63",
            2 => "9 15",
            3 => "13 17 23",
            _ => "5 6 7 6",
        };
        vec![short.split(' ').map(str::to_string).collect()]
    }

    /// The first run of a case with as many steps as reach every depth of time tile, if all programs are watched and
    /// the steps are the last argument. Time tiles are deeper where there are fewer sizes.
    pub fn deep_run(&self) -> Option<Vec<String>> {
        let run = self.runs().remove(0);
        let (_, sizes) = run.split_last()?;
        let steps = match sizes.len() {
            0 | 1 => "63",
            2 => "23",
            _ => "7",
        };
        let takes_steps_last = self.source().contains(&format!("steps = argument(argc, argv, {},", run.len()));
        (is_whole() && takes_steps_last).then(|| sizes.iter().cloned().chain([steps.to_string()]).collect())
    }

    fn source(&self) -> String {
        String::from_utf8_lossy(&fs::read(&self.case.path).unwrap_or_default()).into_owned()
    }

    pub fn program(&self) -> Program {
        let includes: Vec<&Path> = self.includes.iter().map(PathBuf::as_path).collect();
        program_of(&self.case, &includes)
    }

    /// Rewrites it.
    pub fn prepare(&self, variant: &Variant) -> Result<Prepared> {
        let folder = tempfile::tempdir()?;
        let program = self.program();
        let runtime = if self.is_whole { variant.runtime() } else { Runtime::Apart };
        let (files, _) = program.rewrite_with(runtime, variant.options, &folder.path().join("rewritten"))?;
        Ok(Prepared { variant: *variant, folder, program, files })
    }

    /// What the original prints, run by run.
    pub fn expected(&self, runs: &[Vec<String>]) -> Result<Vec<Vec<u8>>> {
        let folder = tempfile::tempdir()?;
        run_original(&self.program(), folder.path(), runs)
    }
}

impl Prepared {
    /// Replaces `from` by `to` in its driver and the kernels that the driver holds.
    pub fn damage(&self, from: &str, to: &str) -> Result<()> {
        let driver = fs::read_to_string(self.files.driver())?;
        ensure!(driver.contains(from), "no part of the driver is `{from}`");
        Ok(fs::write(self.files.driver(), driver.replace(from, to))?)
    }

    /// Builds it, watched; see [`Program::build_watched`].
    pub fn build(&self, flags: &[&str], inputs: &[PathBuf]) -> Result<PathBuf> {
        let executable = self.folder.path().join("program");
        self.program.build_watched(&self.files, flags, inputs, &executable)?;
        Ok(executable)
    }
}

/// One test for each program: all if the whole suite is asked for, otherwise the cases in `few`, of which only the first one
/// has the runtime in its driver.
///
/// Programs that may run their original loops are left out.
pub fn trials_of_subjects(group: &str, few: &[&str], check: fn(&Subject) -> Result<()>) -> Vec<Trial> {
    let subjects = if is_whole() { all() } else { few_cases(few) };
    let on_device = subjects.into_iter().filter(|subject| subject.case.directive("fallback").is_none());
    on_device.map(|subject| trial(format!("{group}::{}", subject.name()), move || check(&subject))).collect()
}

fn few_cases(names: &[&str]) -> Vec<Subject> {
    let cases = names.iter().enumerate();
    cases.map(|(index, name)| Subject { is_whole: index == 0, ..Subject::case(name) }).collect()
}

/// A file of this folder.
pub fn part(name: &str) -> PathBuf {
    suite("checkers").join(name)
}

/// Kernel launches that a program under `STENCIL_VERBOSE=1` reports for a plan; fails if it ran under another one.
pub fn count_launches(outcome: &Outcome, plan: Option<&str>) -> Result<usize> {
    let mut launches = 0;
    for line in outcome.stderr.lines().filter(|line| line.contains(" launches, kernels ")) {
        let is_asked = plan.is_none_or(|plan| line.contains(&format!(": plan {plan}, ")));
        ensure!(is_asked, "plan {plan:?} expected: {line}");
        let before = line.split(" launches, ").next().unwrap_or_default();
        let count = before.rsplit(' ').next().unwrap_or_default();
        launches += count.parse::<usize>().with_context(|| format!("no number of launches in `{line}`"))?;
    }
    Ok(launches)
}

fn all() -> Vec<Subject> {
    let cases =
        read_cases(&suite("accept")).into_iter().map(|case| Subject { case, includes: Vec::new(), is_whole: true });
    let examples = examples::find_examples().into_iter();
    cases.chain(examples.map(|case| Subject { case, includes: vec![examples::root()], is_whole: true })).collect()
}
