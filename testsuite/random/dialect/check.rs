//! A program on its way through the tool: built, rewritten, run and compared, unit by unit.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use tempfile::TempDir;

use super::program::Program;
use crate::command::{Outcome, clean, run, run_within, tool};
use crate::program::{INEXACT, is_device_chosen, leave_unoptimised, on_device};

const TIME_LIMIT: Duration = Duration::from_secs(120);

/// What the tool says of a nest that it does not rewrite.
const LEFT: &str = "the nest is left as it is";

/// Warnings that come from what an optimiser can prove, right or wrong, and change with any line around.
const GUESSES: [&str; 4] = ["array-bounds", "maybe-uninitialized", "stringop-overflow", "stringop-overread"];

/// How the tool took a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Same,
    /// By this rule.
    Refused(String),
    /// The original loops ran, and the program said so; memory is right.
    FellBack(String),
    Failed(Kind, String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The program itself is not what the generator promises.
    Invalid,
    /// The tool ends in another way than it should.
    Broken,
    /// The original compiles, what the tool wrote does not.
    Unbuildable,
    /// The rewritten program dies or does not end.
    Stopped,
    /// The rewritten program leaves something else in memory.
    Different,
}

impl Verdict {
    pub fn failure(&self) -> Option<Kind> {
        match self {
            Self::Failed(kind, _) => Some(*kind),
            _ => None,
        }
    }

    fn failed(kind: Kind, error: &anyhow::Error) -> Self {
        Self::Failed(kind, format!("{error:#}"))
    }
}

/// Checks a program; one verdict a unit. What fails for the program as a whole is tried again without the units that the message
/// names, which are tried alone.
pub fn check(program: &Program, is_sanitized: bool) -> Vec<Verdict> {
    let together = match check_together(program, is_sanitized) {
        Ok(verdicts) => return verdicts,
        Err(verdict) if program.units.len() == 1 => return vec![verdict],
        Err(verdict) => verdict,
    };
    let named = named_units(&together, program.units.len());
    let alone = |unit: usize| check(&program.with_unit(&program.units[unit]), is_sanitized).remove(0);
    let rest = check(&program.without_units(&named), is_sanitized);
    let mut rest = rest.into_iter();
    let mut verdicts: Vec<Verdict> = (0..program.units.len())
        .map(|unit| if named.contains(&unit) { alone(unit) } else { rest.next().expect("a verdict a unit") })
        .collect();
    // Nothing may be lost because it needs company.
    if together.failure().is_some() && verdicts.iter().all(|verdict| verdict.failure().is_none()) {
        verdicts[named[0]] = together;
    }
    verdicts
}

/// The units whose functions or kernels a message names; without such names the first half of them.
fn named_units(verdict: &Verdict, count: usize) -> Vec<usize> {
    let message = match verdict {
        Verdict::Failed(_, message) => message.as_str(),
        _ => "",
    };
    let number = |rest: &str| rest.chars().take_while(char::is_ascii_digit).collect::<String>().parse::<usize>().ok();
    let mut named: Vec<usize> =
        message.split("unit_").skip(1).filter_map(number).filter(|unit| *unit < count).collect();
    named.sort_unstable();
    named.dedup();
    if named.is_empty() || named.len() == count { (0..count.div_ceil(2)).collect() } else { named }
}

/// The error is one that no unit can be blamed for.
fn check_together(program: &Program, is_sanitized: bool) -> Result<Vec<Verdict>, Verdict> {
    let invalid = |error: anyhow::Error| Verdict::failed(Kind::Invalid, &error);
    let sandbox = Sandbox::new(program).map_err(invalid)?;
    let (original, warnings) = sandbox.build_original().map_err(invalid)?;
    if is_sanitized {
        sandbox.check_sanitized().map_err(invalid)?;
    }
    let expected = sandbox.run_units(&original, false).map_err(invalid)?;
    ensure_all_ended(&expected).map_err(invalid)?;
    let refused = sandbox.rewrite()?;
    if refused.len() == program.units.len() {
        return Ok((0..refused.len()).map(|unit| Verdict::Refused(refused[&unit].clone())).collect());
    }
    let executable = sandbox.build_rewritten(&warnings).map_err(|error| Verdict::failed(Kind::Unbuildable, &error))?;
    let actual = sandbox.run_units(&executable, true).map_err(|error| Verdict::failed(Kind::Stopped, &error))?;
    Ok((0..program.units.len())
        .map(|unit| match (refused.get(&unit), expected[unit].judge(&actual[unit])) {
            (_, failed @ Verdict::Failed(..)) => failed,
            (Some(rule), _) => Verdict::Refused(rule.clone()),
            (None, verdict) => verdict,
        })
        .collect())
}

fn ensure_all_ended(runs: &[UnitRun]) -> Result<()> {
    for (number, run) in runs.iter().enumerate() {
        ensure!(run.has_ended, "unit {number} of the original did not end well: {}", run.said);
    }
    Ok(())
}

/// What a unit printed.
#[derive(Default)]
struct UnitRun {
    stdout: String,
    /// Lines of stderr that are about it, or how it ended.
    said: String,
    has_ended: bool,
}

impl UnitRun {
    fn judge(&self, rewritten: &Self) -> Verdict {
        if !rewritten.has_ended {
            return Verdict::Failed(Kind::Stopped, rewritten.said.clone());
        }
        if self.stdout != rewritten.stdout {
            return Verdict::Failed(Kind::Different, describe_difference(&self.stdout, &rewritten.stdout));
        }
        match rewritten.said.split_once("running the original loops: ") {
            // A device that somebody chose may be unable to compute what the program computes, and say so.
            Some((_, reason)) if is_device_chosen() && reason.contains(INEXACT) => Verdict::Same,
            Some((_, reason)) => Verdict::FellBack(reason.lines().next().unwrap_or_default().to_string()),
            None => Verdict::Same,
        }
    }
}

/// The lines that differ.
fn describe_difference(expected: &str, actual: &str) -> String {
    let pairs = expected.lines().zip(actual.lines()).filter(|(expected, actual)| expected != actual);
    let lines: Vec<String> = pairs.map(|(expected, actual)| first_words(expected, actual)).collect();
    if lines.is_empty() { format!("- {expected}\n+ {actual}") } else { lines.join("\n") }
}

/// The first elements that differ, as `name: [place] expected | actual`.
fn first_words(expected: &str, actual: &str) -> String {
    let words = expected.split_whitespace().zip(actual.split_whitespace()).enumerate().skip(1);
    let pairs = words.filter(|(_, (expected, actual))| expected != actual).take(4);
    let pairs = pairs.map(|(place, (expected, actual))| format!(" [{}] {expected} | {actual}", place - 1));
    format!("{}{}", expected.split_whitespace().next().unwrap_or_default(), pairs.collect::<String>())
}

/// A program written to a folder of its own.
struct Sandbox<'p> {
    program: &'p Program,
    folder: TempDir,
    lines: Vec<Range<usize>>,
}

impl<'p> Sandbox<'p> {
    fn new(program: &'p Program) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("stencil-dialect-").tempdir()?;
        let (text, lines) = program.write(&[]);
        fs::write(folder.path().join("random.c"), text)?;
        fs::create_dir(folder.path().join("out"))?;
        Ok(Self { program, folder, lines })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn compiler(&self, name: &str, optimisation: &str) -> Command {
        let mut compiler = clean(name, self.folder.path());
        compiler.args([optimisation, "-ffp-contract=off", "-fsigned-char", "-Wno-unknown-pragmas"]);
        compiler.args(["-Wall", "-Wextra"]).arg(format!("-std={}", self.program.setting.standard));
        compiler
    }

    /// Also the groups of warnings that the original gives cause for, for which rewritten files are not blamed.
    fn build_original(&self) -> Result<(PathBuf, Vec<String>)> {
        let executable = self.path("original");
        let mut compiler = self.compiler(self.program.setting.compiler, "-O2");
        let outcome = run(compiler.args(["random.c", "-o", "original"]))?.succeeded().context("the original")?;
        Ok((executable, warning_groups(&outcome.stderr)))
    }

    /// All units must be C with one meaning.
    fn check_sanitized(&self) -> Result<()> {
        let mut gcc = self.compiler("gcc", "-O1");
        gcc.args(["-g", "-fsanitize=address,undefined,float-cast-overflow", "-fno-sanitize-recover=all"]);
        run(gcc.args(["random.c", "-o", "sanitized"]))?.succeeded().context("the sanitized original")?;
        ensure_all_ended(&self.run_units(&self.path("sanitized"), false)?)
    }

    /// Rules by which units are refused.
    fn rewrite(&self) -> Result<BTreeMap<usize, String>, Verdict> {
        let broken = |error: &anyhow::Error| Verdict::failed(Kind::Broken, error);
        let mut command = tool(self.folder.path());
        command.args(["--fp", "strict", "--keep-unsupported", "--message-format", "json", "--no-tuning"]);
        command.arg(format!("-std={}", self.program.setting.standard)).args(&self.program.plan.options);
        command.args(["-d", "out", "random.c"]);
        let outcome = run_within(&mut command, TIME_LIMIT).map_err(|error| broken(&error))?;
        let messages: Vec<Value> =
            outcome.stderr.lines().chain(text(&outcome.stdout).lines()).filter_map(parse).collect();
        if outcome.code == Some(1)
            && let Some(error) = messages.iter().find(|message| message["severity"] == "error")
        {
            return Err(Verdict::Refused(error["code"].as_str().unwrap_or("without code").to_string()));
        }
        let outcome = outcome.succeeded().map_err(|error| broken(&error))?;
        let refused = self.refusals(&messages);
        let is_written = self.path("out/random.stencil.c").exists();
        if !is_written && refused.len() < self.lines.len() {
            return Err(Verdict::Failed(Kind::Broken, format!("no driver was written\n{}", outcome.describe())));
        }
        Ok(refused)
    }

    fn refusals(&self, messages: &[Value]) -> BTreeMap<usize, String> {
        let is_left = |message: &&Value| message["help"].to_string().contains(LEFT);
        let rule = |message: &Value| message["code"].as_str().unwrap_or("without code").to_string();
        let unit = |message: &Value| self.unit_at(message["line"].as_u64()? as usize);
        messages.iter().filter(is_left).filter_map(|message| Some((unit(message)?, rule(message)))).collect()
    }

    fn unit_at(&self, line: usize) -> Option<usize> {
        self.lines.iter().position(|lines| lines.contains(&line))
    }

    fn build_rewritten(&self, warnings: &[String]) -> Result<PathBuf> {
        let setting = &self.program.setting;
        let mut driver = self.compiler(setting.driver_compiler, "-O0");
        driver.args(["-Werror", "-c", "out/random.stencil.c", "-o", "driver.o"]);
        run(&mut driver)?.succeeded().context("the driver")?;
        let mut host = self.compiler(setting.compiler, "-O2");
        let groups =
            warnings.iter().map(String::as_str).chain(GUESSES.into_iter().filter(|_| setting.compiler == "gcc"));
        host.arg("-Werror").args(groups.map(|group| format!("-Wno-error={group}")));
        host.args(["out/random.ocl.c", "driver.o", "-o", "rewritten", "-lOpenCL", "-lm"]);
        run(&mut host)?.succeeded().context("the rewritten source")?;
        Ok(self.path("rewritten"))
    }

    /// Runs all units; after one that dies, those behind it.
    fn run_units(&self, executable: &Path, is_rewritten: bool) -> Result<Vec<UnitRun>> {
        let count = self.program.units.len();
        let mut runs: Vec<UnitRun> = (0..count).map(|_| UnitRun::default()).collect();
        let mut next = 0;
        while next < count {
            let outcome = self.run_from(executable, next, is_rewritten)?;
            let output = text(&outcome.stdout);
            let mut last = next;
            for part in output.split("== ").skip(1) {
                let (number, shown) = part.split_once('\n').context("a unit without a line")?;
                last = number.parse().context("a unit without a number")?;
                runs[last] = UnitRun { stdout: shown.to_string(), said: String::new(), has_ended: true };
            }
            next = if outcome.code == Some(0) { count } else { last + 1 };
            if outcome.code != Some(0) {
                let said = outcome.describe();
                runs[last] = UnitRun { said, has_ended: false, ..UnitRun::default() };
            }
            self.note_fallbacks(&outcome.stderr, &mut runs);
        }
        Ok(runs)
    }

    fn run_from(&self, executable: &Path, first: usize, is_rewritten: bool) -> Result<Outcome> {
        let mut command = if is_rewritten { on_device(executable) } else { clean(executable, self.folder.path()) };
        if first > 0 {
            command.args((first..self.program.units.len()).map(|unit| unit.to_string()));
        }
        command.env("POCL_CACHE_DIR", self.path("pocl")).env("ASAN_OPTIONS", "detect_leaks=0");
        leave_unoptimised(&mut command);
        if let Some(profile) = self.program.plan.profile {
            command.env("STENCIL_PLAN", profile);
        }
        run_within(&mut command, TIME_LIMIT)
    }

    /// `random.c:123: name: running the original loops: reason`
    fn note_fallbacks(&self, stderr: &str, runs: &mut [UnitRun]) {
        for line in stderr.lines().filter(|line| line.contains("running the original loops")) {
            let number = line.split(':').nth(1).and_then(|number| number.trim().parse().ok());
            if let Some(unit) = number.and_then(|number| self.unit_at(number))
                && runs[unit].said.is_empty()
            {
                runs[unit].said = line.to_string();
            }
        }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn parse(line: &str) -> Option<Value> {
    serde_json::from_str(line).ok()
}

/// `sign-compare` of `[-Wsign-compare]`, for each warning.
fn warning_groups(stderr: &str) -> Vec<String> {
    let ends = stderr.split("[-W").skip(1).filter_map(|rest| rest.split_once(']'));
    let mut groups: Vec<String> = ends.map(|(group, _)| group.trim_end_matches('=').to_string()).collect();
    groups.sort_unstable();
    groups.dedup();
    groups
}
