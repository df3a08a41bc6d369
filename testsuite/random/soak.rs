//! Checks new seeds on all cores until the time is over; keeps what fails, in its smallest form.

use std::collections::BTreeMap;
use std::fs;
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Duration;

use anyhow::Result;

use super::check::{Failure, Kind};
use super::experiment::{Experiment, Outcome, Stream};
use super::model::Follows;
use super::workers::{self, Soak, exit_code, say};

/// What the command line of a soak says.
struct Plan {
    soak: Soak,
    /// Programs are rewritten only, nothing is run.
    is_survey: bool,
    /// The host keeps the loops of all programs.
    is_kept: bool,
    /// All programs fold scalars.
    has_folds: bool,
    /// In all programs another nest follows.
    has_followers: bool,
}

/// `soak MINUTES [FIRST-SEED [FOLDER [survey | kept | folds | follows]]]`, which fails if any program does, or `soak show SEED`.
pub fn soak(arguments: &[String]) -> ExitCode {
    if let [word, seed] = arguments
        && word == "show"
    {
        return show(seed);
    }
    exit_code("soak", soak_as_told(arguments))
}

/// Prints the program of a seed and its plans.
fn show(seed: &str) -> ExitCode {
    let Some(experiment) = seed.parse().ok().and_then(Experiment::of_seed) else { return ExitCode::FAILURE };
    say(&experiment.show("As it is drawn"));
    ExitCode::SUCCESS
}

/// True if nothing failed.
fn soak_as_told(arguments: &[String]) -> Result<bool> {
    let plan = read_arguments(arguments)?;
    plan.soak.run(u64::MAX, |seed, tally| work_on(seed, &plan, tally))
}

fn read_arguments(arguments: &[String]) -> Result<Plan> {
    let soak = Soak::new("soak", 1, arguments, "usage: soak MINUTES [FIRST-SEED [FOLDER [WORDS]]]")?;
    let is_word = |word: &str| arguments.get(3).is_some_and(|given| given.split(',').any(|it| it == word));
    Ok(Plan {
        soak,
        is_survey: is_word("survey"),
        is_kept: is_word("kept"),
        has_folds: is_word("folds"),
        has_followers: is_word("follows"),
    })
}

/// Checks one program; a failure is told at once, made smaller and kept.
fn work_on(seed: u64, plan: &Plan, tally: &Mutex<Tally>) {
    let experiment = match plan {
        Plan { is_survey: true, .. } => Experiment::to_accept(seed),
        Plan { is_kept: true, .. } => Experiment::new(Stream::Kept, seed).map(Experiment::sparing_time),
        Plan { has_folds: true, .. } | Plan { has_followers: true, .. } => {
            Experiment::of_seed(seed).map(Experiment::sparing_time)
        }
        _ => Experiment::of_seed(seed),
    };
    let is_wanted = |it: &Experiment| {
        let follows = it.program.setting.follows != Follows::Nothing;
        (!plan.has_folds || !it.program.folds.is_empty()) && (!plan.has_followers || follows)
    };
    let Some(experiment) = experiment.filter(is_wanted) else { return };
    let outcome = experiment.check();
    tally.lock().expect("no worker panicked").count(&experiment, &outcome);
    let Outcome::Failed(failure) = outcome else { return };
    if let Kind::Refused(rule) = &failure.kind {
        return keep_refusal(&experiment, rule, &failure, plan, tally);
    }
    let kind = format!("{:?}", failure.kind);
    say(&format!("seed {seed}: {kind}: {}", failure.message.lines().next().unwrap_or_default()));
    let path = plan.soak.folder.join(format!("seed_{seed}.c"));
    // What is left of it may fail in another way.
    let _ = experiment.keep(&failure, &plan.soak.folder.join(format!("seed_{seed}_drawn.c")));
    let small = experiment.shrink(&failure);
    if let Err(error) = small.keep(&failure, &path) {
        say(&format!("seed {seed}: cannot write {}: {error}", path.display()));
    }
    let _ = fs::write(path.with_extension("txt"), format!("{kind}\n{}\n", failure.message));
}

/// Keeps the shortest program of a refusal, as it was drawn: it is no wrong result, and there are many.
fn keep_refusal(experiment: &Experiment, rule: &str, failure: &Failure, plan: &Plan, tally: &Mutex<Tally>) {
    let mut tally = tally.lock().expect("no worker panicked");
    let shortest = tally.refusals.entry(rule.to_string()).or_insert(usize::MAX);
    let length = experiment.show(&failure.describe()).len();
    if length >= *shortest {
        return;
    }
    *shortest = length;
    let path = plan.soak.folder.join(format!("refused_{rule}.c"));
    if let Err(error) = experiment.keep(failure, &path) {
        say(&format!("refusal by {rule}: cannot write {}: {error}", path.display()));
    }
    let _ = fs::write(path.with_extension("txt"), format!("{}\n", failure.message));
}

/// Counts of what was done.
#[derive(Default)]
struct Tally {
    programs: usize,
    failures: usize,
    /// For each rule that refused a legal program the length of the shortest one.
    refusals: BTreeMap<String, usize>,
    outcomes: BTreeMap<String, usize>,
    features: BTreeMap<&'static str, usize>,
    options: BTreeMap<String, usize>,
}

impl Tally {
    fn count(&mut self, experiment: &Experiment, outcome: &Outcome) {
        self.programs += 1;
        let name = match outcome {
            Outcome::Same => format!("{}, rewritten, results identical", experiment.stream()),
            Outcome::Refused(rule) => format!("{}, refused: {rule}", experiment.stream()),
            Outcome::Harmless => "illegal by the trace, accepted, results identical".to_string(),
            Outcome::Limit(reason) => format!("legal, refused, known limit: {reason}"),
            Outcome::Failed(Failure { kind: Kind::Refused(rule), .. }) => format!("legal, refused: {rule}"),
            Outcome::Failed(failure) => {
                self.failures += 1;
                format!("FAILED: {:?}", failure.kind)
            }
        };
        *self.outcomes.entry(name).or_default() += 1;
        for feature in &experiment.program.features {
            *self.features.entry(feature).or_default() += 1;
        }
        // Illegal programs are run only if the tool accepts them.
        let plans: &[_] = if experiment.is(Stream::Illegal) { &[] } else { &experiment.plans };
        for plan in plans {
            *self.options.entry(describe_plan(plan)).or_default() += 1;
        }
    }
}

impl workers::Tally for Tally {
    fn has_failures(&self) -> bool {
        self.failures > 0
    }

    fn describe(&self, time: Duration) -> String {
        let mut lines = vec![format!(
            "soak: {} programs in {:.0} s, {} failures",
            self.programs,
            time.as_secs_f64(),
            self.failures
        )];
        let mut section = |title: &str, counts: Vec<(String, usize)>| {
            lines.push(format!("{title}:"));
            lines.extend(counts.into_iter().map(|(name, count)| format!("{count:8} {name}")));
        };
        section("outcomes", self.outcomes.iter().map(|(name, count)| (name.clone(), *count)).collect());
        section("plans", self.options.iter().map(|(name, count)| (name.clone(), *count)).collect());
        section("features", self.features.iter().map(|(name, count)| (name.to_string(), *count)).collect());
        lines.join("\n")
    }
}

/// The strategy and depth of a plan.
fn describe_plan(options: &[String]) -> String {
    let value = |name: &str| options.iter().position(|option| option == name).map(|at| options[at + 1].as_str());
    match (value("--strategy"), value("--time-tile")) {
        (Some(strategy), Some(depth)) => format!("{strategy}, time tile {depth}"),
        (Some(strategy), None) => strategy.to_string(),
        _ => "default".to_string(),
    }
}
