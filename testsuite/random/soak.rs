//! Checks new seeds on all cores until the time is over; keeps what fails, in its smallest form.

use std::collections::BTreeMap;
use std::fs;
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Duration;

use anyhow::Result;

use super::check::{Failure, Kind, Optimises};
use super::draw::Further;
use super::experiment::{Experiment, Outcome, Stream};
use super::model::Follows;
use super::workers::{self, Soak, exit_code, say};

/// What the command line of a soak says.
struct Plan {
    soak: Soak,
    words: Words,
}

/// Which programs there are, and what becomes of them.
#[derive(Clone, Copy)]
struct Words {
    /// Programs are rewritten only, nothing is run.
    is_survey: bool,
    /// The host keeps the loops of all programs.
    is_kept: bool,
    /// All programs fold scalars.
    has_folds: bool,
    /// In all programs another nest follows.
    has_followers: bool,
    /// All programs have such forms.
    further: Further,
    /// No kernel is optimised, so that there are several times as many programs.
    is_quick: bool,
}

/// `soak MINUTES [FIRST-SEED [FOLDER [WORDS]]]`, which fails if any program does, or `soak show SEED [WORDS]`; words, with commas
/// between them, are `survey`, `kept`, `folds`, `follows`, `bounded`, `told`, `fed`,
/// `leaning` and `quick`.
pub fn soak(arguments: &[String]) -> ExitCode {
    match arguments {
        [word, seed] if word == "show" => show(seed, ""),
        [word, seed, words] if word == "show" => show(seed, words),
        _ => exit_code("soak", soak_as_told(arguments)),
    }
}

/// Prints the program of a seed and its plans.
fn show(seed: &str, words: &str) -> ExitCode {
    let words = Words::read(words);
    let Some(experiment) = seed.parse().ok().and_then(|seed| words.experiment(seed)) else { return ExitCode::FAILURE };
    say(&experiment.show("As it is drawn"));
    ExitCode::SUCCESS
}

/// True if nothing failed.
fn soak_as_told(arguments: &[String]) -> Result<bool> {
    let soak = Soak::new("soak", 1, arguments, "usage: soak MINUTES [FIRST-SEED [FOLDER [WORDS]]]")?;
    let plan = Plan { soak, words: Words::read(arguments.get(3).map_or("", String::as_str)) };
    plan.soak.run(u64::MAX, |seed, tally| work_on(seed, &plan, tally))
}

impl Words {
    fn read(words: &str) -> Self {
        let has = |word: &str| words.split(',').any(|it| it == word);
        Self {
            is_survey: has("survey"),
            is_kept: has("kept"),
            has_folds: has("folds"),
            has_followers: has("follows"),
            further: Further {
                has_measured_loops: has("bounded"),
                tells: has("told"),
                feeds: has("fed"),
                leans: has("leaning"),
            },
            is_quick: has("quick"),
        }
    }

    /// The program of a seed, if it is one of those.
    fn experiment(self, seed: u64) -> Option<Experiment> {
        let further = self.further;
        let is_chosen = self.is_kept || self.has_folds || self.has_followers || further != Further::default();
        let experiment = match self {
            Self { is_survey: true, .. } => Experiment::to_accept(seed, further)?,
            Self { is_kept: true, .. } => Experiment::new(Stream::Kept, seed, further)?,
            _ => Experiment::of_seed(seed, further)?,
        };
        let experiment = experiment.that_optimises(match self.is_quick {
            true => Optimises::Nothing,
            false if is_chosen => Optimises::Short,
            false => Optimises::All,
        });
        let follows = experiment.program.setting.follows != Follows::Nothing;
        let is_one = (!self.has_folds || !experiment.program.folds.is_empty()) && (!self.has_followers || follows);
        is_one.then_some(experiment)
    }
}

/// Checks one program; a failure is told at once, made smaller and kept.
fn work_on(seed: u64, plan: &Plan, tally: &Mutex<Tally>) {
    let Some(experiment) = plan.words.experiment(seed) else { return };
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
