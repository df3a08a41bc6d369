//! Checks new seeds on all cores until the time is over; keeps what fails, in its smallest form.

use std::collections::BTreeMap;
use std::fs;
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Duration;

use anyhow::{Context, Result};

use super::check::{Verdict, check};
use super::model::Unit;
use super::program::{Program, UNITS};
use super::shrink::shrink;
use super::{is_sanitized, keep, title};
use crate::random::workers::{self, Soak, exit_code, say};

const USAGE: &str = "usage: soak-c MINUTES [FIRST-SEED [FOLDER [SECONDS-TO-SHRINK [PROGRAMS]]]], or soak-c show SEED";

/// What the command line of a soak says.
struct Plan {
    soak: Soak,
    shrinking: Duration,
    /// No more than these.
    programs: u64,
}

/// Fails if any program does.
pub fn soak(arguments: &[String]) -> ExitCode {
    if let Some((word, [seed, rest @ ..])) = arguments.split_first()
        && word == "show"
    {
        return show(seed, !rest.is_empty());
    }
    exit_code("soak-c", soak_as_told(arguments))
}

/// Prints the unit of a seed, or its whole program, with what it is compiled and run with.
fn show(seed: &str, is_whole: bool) -> ExitCode {
    let Ok(seed) = seed.parse::<u64>() else { return ExitCode::from(2) };
    let program = Program::draw(seed / UNITS * UNITS);
    match program.units.iter().find(|unit| unit.seed == seed) {
        Some(unit) => {
            let alone = if is_whole { program.clone() } else { program.with_unit(unit) };
            say(&alone.write(&title(&alone, "as it is drawn")).0);
            ExitCode::SUCCESS
        }
        None => ExitCode::FAILURE,
    }
}

/// True if nothing failed.
fn soak_as_told(arguments: &[String]) -> Result<bool> {
    let plan = read_arguments(arguments)?;
    plan.soak.run(plan.programs, |seed, tally| work_on(seed, &plan, tally))
}

fn read_arguments(arguments: &[String]) -> Result<Plan> {
    let number = |index: usize, otherwise: u64| -> Result<u64> {
        arguments.get(index).map_or(Ok(otherwise), |word| word.parse()).with_context(|| format!("no number; {USAGE}"))
    };
    Ok(Plan {
        soak: Soak::new("soak-c", UNITS, arguments, USAGE)?,
        shrinking: Duration::from_secs(number(3, 30)?),
        programs: number(4, u64::from(u32::MAX))?,
    })
}

fn work_on(seed: u64, plan: &Plan, tally: &Mutex<Tally>) {
    let program = Program::draw(seed);
    let verdicts = check(&program, is_sanitized(seed));
    {
        let mut tally = tally.lock().expect("no worker panicked");
        program.units.iter().zip(&verdicts).for_each(|(unit, verdict)| tally.count(&program, unit, verdict));
    }
    for (unit, verdict) in program.units.iter().zip(&verdicts) {
        if let Verdict::Failed(kind, message) = verdict {
            say(&format!("seed {}: {kind:?}: {}", unit.seed, unit.features.join(", ")));
            let drawn = plan.soak.folder.join(format!("seed_{}.drawn.c", unit.seed));
            keep(&drawn, &program.with_unit(unit), verdict);
            let small = shrink(&program, unit, *kind, plan.shrinking);
            keep(&plan.soak.folder.join(format!("seed_{}.c", unit.seed)), &small, verdict);
            let _ =
                fs::write(plan.soak.folder.join(format!("seed_{}.txt", unit.seed)), format!("{kind:?}\n{message}\n"));
        }
    }
}

/// Outcomes of one feature: same, refused, fell back, failed.
type Counts = [usize; 4];

const OUTCOMES: [&str; 4] = ["same", "refused", "fell back", "failed"];

/// Counts of what was done.
#[derive(Default)]
struct Tally {
    programs: usize,
    failures: usize,
    outcomes: BTreeMap<String, usize>,
    features: BTreeMap<String, Counts>,
}

impl Tally {
    fn count(&mut self, program: &Program, unit: &Unit, verdict: &Verdict) {
        self.programs += 1;
        let (outcome, name) = match verdict {
            Verdict::Same => (0, "rewritten, results identical".to_string()),
            Verdict::Refused(rule) => (1, format!("refused: {rule}")),
            Verdict::FellBack(reason) => (2, format!("fell back: {}", without_names(reason))),
            Verdict::Failed(kind, _) => (3, format!("FAILED: {kind:?}")),
        };
        self.failures += usize::from(outcome == 3);
        *self.outcomes.entry(name).or_default() += 1;
        let setting = &program.setting;
        let of_program = [
            "all".to_string(),
            format!("plan: {}", program.describe_plan().split(" --t").next().unwrap_or_default()),
            format!("{} -std={}", setting.compiler, setting.standard),
        ];
        for feature in unit.features.iter().map(ToString::to_string).chain(of_program) {
            self.features.entry(feature).or_default()[outcome] += 1;
        }
    }
}

impl workers::Tally for Tally {
    fn has_failures(&self) -> bool {
        self.failures > 0
    }

    fn describe(&self, time: Duration) -> String {
        let per_minute = self.programs as f64 * 60.0 / time.as_secs_f64();
        let mut lines = vec![format!(
            "soak-c: {} programs in {:.0} s, {per_minute:.0} a minute, {} failures",
            self.programs,
            time.as_secs_f64(),
            self.failures
        )];
        lines.push("outcomes:".to_string());
        lines.extend(self.outcomes.iter().map(|(name, count)| format!("{count:8} {name}")));
        lines.push(format!("features: {}", OUTCOMES.join(", ")));
        lines.extend(
            self.features
                .iter()
                .map(|(name, [same, refused, back, failed])| format!("{same:8}{refused:8}{back:8}{failed:8} {name}")),
        );
        lines.join("\n")
    }
}

/// Reasons name arrays and numbers.
fn without_names(reason: &str) -> String {
    reason.split_whitespace().take(4).collect::<Vec<_>>().join(" ")
}
