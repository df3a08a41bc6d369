//! A seed's program, what is expected of it, and what happened.

use std::fs;
use std::path::Path;

use anyhow::Result;

use super::check::{Failure, Kind, Optimises, Sandbox, write_others};
use super::draw::{self, Further, Random, classify};
use super::limits::find_limit;
use super::model::Program;
use super::plan::draw_plans;
use super::shrink::shrink;
use super::trace::Verdict;
use super::write::{Source, write_program};

/// What the tool must do with a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Rewrite it.
    Legal,
    /// Refuse it.
    Illegal,
    /// Either; what it rewrites must be right.
    Unsure,
    /// The same: the host does something between the steps.
    Kept,
}

/// A program and the plans to try it under.
#[derive(Clone)]
pub struct Experiment {
    pub program: Program,
    /// None: the program is rewritten, but not run.
    pub plans: Vec<Vec<String>>,
    stream: Stream,
    seed: u64,
    is_sanitized: bool,
    optimises: Optimises,
}

/// How the tool took it.
pub enum Outcome {
    /// All plans gave what the original gives.
    Same,
    /// It was refused, by this rule, as it should or may be.
    Refused(String),
    /// The trace calls it illegal, but the tool accepts it and all plans gave what the original gives.
    Harmless,
    /// It was refused for a known reason.
    Limit(&'static str),
    Failed(Failure),
}

/// The plans under which an illegal program runs that the tool accepts.
fn second_look() -> Vec<Vec<String>> {
    let local = "--strategy local --time-tile 3".split(' ').map(str::to_string);
    vec![Vec::new(), local.collect()]
}

impl Experiment {
    /// Of ten seeds six are legal programs, one is legal and the host keeps its loop, two are illegal, and one is not sure.
    pub fn of_seed(seed: u64, further: Further) -> Option<Self> {
        let stream = match seed % 10 {
            0..=5 => Stream::Legal,
            6 => Stream::Kept,
            7 | 8 => Stream::Illegal,
            _ => Stream::Unsure,
        };
        Self::new(if further.is_kept() { Stream::Kept } else { stream }, seed, further)
    }

    /// `None` if the seed leads to no such program. The host keeps the loops of programs whose steps are told.
    pub fn new(stream: Stream, seed: u64, further: Further) -> Option<Self> {
        let mut random = Random::new(seed);
        let program = draw::draw(&mut random, stream, further)?;
        let count = if random.chance(60) { 1 } else { 2 };
        let plans =
            if stream == Stream::Illegal { second_look() } else { draw_plans(&mut random, program.rank, count) };
        Some(Self { program, plans, stream, seed, is_sanitized: random.chance(10), optimises: Optimises::All })
    }

    /// The same with that choice of kernels optimised.
    pub fn that_optimises(self, optimises: Optimises) -> Self {
        Self { optimises, ..self }
    }

    /// A legal program that is rewritten but not run.
    pub fn to_accept(seed: u64, further: Further) -> Option<Self> {
        let stream = if further.is_kept() { Stream::Kept } else { Stream::Legal };
        Some(Self { plans: Vec::new(), is_sanitized: false, ..Self::new(stream, seed, further)? })
    }

    pub fn is(&self, stream: Stream) -> bool {
        self.stream == stream
    }

    pub fn stream(&self) -> &'static str {
        match self.stream {
            Stream::Legal => "legal",
            Stream::Illegal => "illegal",
            Stream::Unsure => "unsure",
            Stream::Kept => "kept",
        }
    }

    pub fn check(&self) -> Outcome {
        match self.check_all() {
            Ok(outcome) => outcome,
            Err(failure) => self.judge(failure),
        }
    }

    fn check_all(&self) -> Result<Outcome, Failure> {
        let sandbox = Sandbox::new(&self.program, &self.title(), self.optimises)
            .map_err(|error| Failure { kind: Kind::Invalid, message: format!("{error:#}") })?;
        if self.is_sanitized {
            sandbox.check_validity()?;
        }
        if self.stream == Stream::Illegal {
            return Ok(sandbox
                .that_may_fall_back()
                .check_refused(&self.plans)?
                .map_or(Outcome::Harmless, Outcome::Refused));
        }
        if self.plans.is_empty() {
            return sandbox.check_accepted().map(|()| Outcome::Same);
        }
        sandbox.check_plans(&self.plans).map(|()| Outcome::Same)
    }

    /// Whether a failure is one.
    fn judge(&self, failure: Failure) -> Outcome {
        let Kind::Refused(rule) = &failure.kind else { return Outcome::Failed(failure) };
        if matches!(self.stream, Stream::Unsure | Stream::Kept) {
            return Outcome::Refused(rule.clone());
        }
        match find_limit(&self.program, rule) {
            Some(limit) => Outcome::Limit(limit.reason),
            None => Outcome::Failed(failure),
        }
    }

    /// The smallest program that fails like this one. It is valid whenever this one is.
    pub fn shrink(&self, failure: &Failure) -> Self {
        let verdict = classify(&self.program);
        let is_alike = |program: &Program| match (self.stream, classify(program)) {
            (_, Verdict::Invalid(_)) => false,
            (Stream::Unsure, _) => true,
            (_, other) => other == verdict,
        };
        let with = |program: &Program| Self { program: program.clone(), is_sanitized: false, ..self.clone() };
        let program = shrink(&self.program, |program| {
            is_alike(program) && matches!(with(program).check(), Outcome::Failed(other) if other.kind == failure.kind)
        });
        let small = Self { is_sanitized: failure.kind != Kind::Invalid, ..with(&program) };
        // A report must not be about a program without meaning.
        if matches!(small.check(), Outcome::Failed(other) if other.kind == failure.kind) { small } else { self.clone() }
    }

    fn title(&self) -> String {
        format!("Random program {}, {}: {}.", self.seed, self.stream(), self.program.features.join(", "))
    }

    /// The program as a case of the test suite, and its other files in a folder `stem`; `what` happens to it.
    fn write(&self, what: &str, stem: &str) -> (String, Vec<Source>) {
        let plans: Vec<String> = self.plans.iter().map(|plan| format!("`{}`", plan.join(" "))).collect();
        let title = format!("Random program {} ({}): {what} under {}.", self.seed, self.stream(), plans.join(", "));
        write_program(&self.program, &title, stem)
    }

    /// All of the program in one text, for people.
    pub fn show(&self, what: &str) -> String {
        let (text, others) = self.write(what, "random");
        let others = others.iter().map(|other| format!("\n---- {}\n{}", other.path, other.text));
        text + &others.collect::<String>()
    }

    /// Writes the program to `path` and its other files beside it.
    pub fn keep(&self, failure: &Failure, path: &Path) -> Result<()> {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let (text, others) = self.write(&failure.describe(), &stem);
        fs::write(path, text)?;
        write_others(path.parent().unwrap_or(Path::new(".")), &others)
    }
}
