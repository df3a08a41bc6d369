//! The search for one nest.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::run::{Run, direct_tuning};
use crate::cli::args::Budget;
use crate::cli::files::change_text;
use crate::model::Estimate;
use crate::options::{DeviceKindName, FpMode, MeasuredDevice, TunedPlan, Tuning};
use crate::source::Diagnostic;
use crate::text::Fnv;
use crate::tune::journal::{Journal, Outcome};
use crate::tune::measure::Measurement;
use crate::tune::pace::{Pace, roughly};
use crate::tune::rate::Rate;
use crate::tune::save::{BestPlan, with_plan};
use crate::tune::search::search;
use crate::tune::space::{Point, Space, describe, ruled_out};
use crate::tune::{ExpectedPlan, MeasuredNest};

/// Sum of all results below which they count as lost.
const VANISHING: f64 = 1e-30;

/// The search for one nest.
struct Trials<'a> {
    run: &'a Run,
    nest: MeasuredNest,
    /// The device, if it was measured before.
    device: Option<MeasuredDevice>,
    space: Space,
    /// The tool's own plan, where the search begins, and its rate.
    own: Option<(Point, Option<f64>)>,
    journal: Journal,
    direct: Measurement,
    best: Rate,
    best_plan: Option<Tuning>,
    /// Whether the best plan is the one that the tuning file had before.
    is_present: bool,
    runs: u64,
    pace: Pace,
    skipped: BTreeMap<String, usize>,
    start: Instant,
    bar: ProgressBar,
}

/// Searches a plan for a nest and keeps it.
pub fn tune_nest(run: &Run, nest: MeasuredNest) -> Result<()> {
    let measured = run.runner.measure(&nest.text, None);
    let direct = measured.map_err(anyhow::Error::msg).with_context(|| format!("{} cannot be measured", nest.name))?;
    let is_gpu = !direct.is_cpu;
    let device = run.devices.iter().find(|device| device.is(kind_of(&direct), &direct.device)).cloned();
    say(format_args!("{} on {}", nest.name, direct.device))?;
    if let Some(note) = note_on_values(&nest, &run.values, direct.magnitude) {
        say(note)?;
    }
    let path = Journal::path_for(&run.tuning);
    let journal = Journal::open(&path, subject(&nest, &direct.device));
    let mut space = Space::new(nest.rank, is_gpu);
    if let Some(steps) = nest.steps {
        space.limit_depth(steps);
    }
    let mut trials = Trials {
        space,
        own: None,
        journal: journal.with_context(|| format!("cannot write {}", path.display()))?,
        best: direct.rate,
        best_plan: Some(direct_tuning()),
        is_present: false,
        runs: 0,
        pace: Pace::default(),
        skipped: BTreeMap::new(),
        start: Instant::now(),
        bar: progress_bar(run.budget),
        run,
        nest,
        device,
        direct,
    };
    trials.tell_direct()?;
    trials.try_own_plan()?;
    trials.try_present_plan()?;
    let space = trials.space.clone();
    let start = trials.own.as_ref().map(|(point, _)| point.clone());
    let mut failure = None;
    search(run.method, &space, start, run.seed, &mut |point| match trials.evaluate(point) {
        Ok(flow) => flow,
        Err(error) => {
            failure = Some(error);
            ControlFlow::Break(())
        }
    });
    failure.map_or(Ok(()), Err)?;
    trials.conclude()
}

/// Numbers that no longer have all their digits may take a device another time than those of real runs.
fn note_on_values(nest: &MeasuredNest, given: &BTreeMap<String, String>, magnitude: f64) -> Option<String> {
    let made_up = |name: &&String| !given.contains_key(*name) && !nest.sizes.contains_key(*name);
    let names: Vec<&str> = nest.parameters.iter().filter(made_up).map(String::as_str).collect();
    let what = match magnitude {
        _ if names.is_empty() => return None,
        tiny if tiny < VANISHING => "vanish",
        finite if finite.is_finite() => return None,
        _ => "overflow",
    };
    let flags: Vec<String> = names.iter().map(|name| format!("--size {name}=0.5")).collect();
    Some(format!(
        "results {what} with the numbers made up for {}: give better ones, as in {}",
        names.join(", "),
        flags.join(" ")
    ))
}

/// What is measured: another program, size, mode, device or version of the tool is another subject.
fn subject(nest: &MeasuredNest, device: &str) -> String {
    let mut hash = Fnv::new();
    hash.write(nest.text.as_bytes());
    hash.write(device.as_bytes());
    format!("{}-{:08x}", nest.name, hash.folded())
}

fn progress_bar(budget: Budget) -> ProgressBar {
    let (Budget::Count(length) | Budget::Seconds(length)) = budget;
    let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr());
    match ProgressStyle::with_template("{wide_bar} {pos}/{len}, {msg}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

impl Trials<'_> {
    fn tell_direct(&self) -> Result<()> {
        let program = self.program(&direct_tuning()).ok();
        let expected = program.and_then(|program| self.expected(&program).estimate.rate);
        say_rate("strategy direct", &self.direct.rate, expected)
    }

    /// The program that measures the nest with a plan.
    fn program(&self, tuning: &Tuning) -> Result<MeasuredNest, Vec<Diagnostic>> {
        let mut programs = self.run.programs(tuning, Some(&self.nest.name), self.device.as_ref())?;
        Ok(programs.swap_remove(0))
    }

    /// The plan that the device takes.
    fn expected<'b>(&self, program: &'b MeasuredNest) -> &'b ExpectedPlan {
        &program.expected[usize::from(self.direct.is_cpu)]
    }

    /// The plan that the tool chooses is the one to beat, and the search begins with it. It makes way for single sweeps only
    /// where these are faster by more than the noise.
    fn try_own_plan(&mut self) -> Result<()> {
        let (outcome, estimate) = self.measure("own plan", &Tuning::default())?;
        let mut measured = None;
        if let Outcome::Measured(rate) = outcome {
            say_rate("the tool's own plan", &rate, estimate.rate)?;
            if !self.best.is_clearly_above(&rate) {
                (self.best, self.best_plan) = (rate, None);
            }
            measured = Some(rate.median);
        }
        let is_too_deep = self.nest.steps.is_some_and(|steps| estimate.levels as i64 > steps);
        if !is_too_deep {
            self.space.include(&estimate.tuning);
        }
        self.own = self.space.find(&estimate.tuning).map(|point| (point, measured));
        Ok(())
    }

    /// The plan that the tuning file has for these sizes stays, unless another is faster by more than the noise.
    fn try_present_plan(&mut self) -> Result<()> {
        let Some(tuning) = self.present_plan() else { return Ok(()) };
        let (outcome, estimate) = if tuning == direct_tuning() {
            (Outcome::Measured(self.direct.rate), Estimate::default())
        } else {
            self.measure(&describe(&tuning), &tuning)?
        };
        if let Outcome::Measured(rate) = outcome {
            say_rate("the plan of the tuning file", &rate, estimate.rate)?;
            if !self.best.is_clearly_above(&rate) {
                (self.best, self.best_plan, self.is_present) = (rate, Some(tuning), true);
                return Ok(());
            }
        }
        // The file's plan would go on to win over the tool's own.
        if self.best_plan.is_none() {
            let own = self.program(&Tuning::default()).ok();
            self.best_plan = own.map(|program| self.expected(&program).estimate.tuning.clone());
        }
        Ok(())
    }

    fn present_plan(&self) -> Option<Tuning> {
        let is_of_kind = |plan: &TunedPlan| plan.device.kind == kind_of(&self.direct);
        let is_for_this = |plan: &&TunedPlan| {
            plan.nest == self.nest.name
                && (plan.device.is_named(&self.direct.device) || (plan.device.name_part.is_none() && is_of_kind(plan)))
                && plan.fp.is_none_or(|mode| mode == self.nest.fp)
                && plan.element.is_none_or(|element| Some(element) == self.nest.element)
                && plan.sizes == self.nest.sizes
        };
        self.run.present.iter().find(is_for_this).map(|plan| plan.tuning.clone())
    }

    fn evaluate(&mut self, point: &Point) -> Result<ControlFlow<(), Option<f64>>> {
        if let Some((own, rate)) = &self.own
            && own == point
        {
            return Ok(ControlFlow::Continue(*rate));
        }
        let is_over = match self.run.budget {
            Budget::Count(count) => self.runs >= count,
            Budget::Seconds(seconds) => self.start.elapsed().as_secs() >= seconds,
        };
        if is_over {
            return Ok(ControlFlow::Break(()));
        }
        let tuning = self.space.tuning(point);
        let plan = describe(&tuning);
        let (outcome, estimate) = self.measure(&plan, &tuning)?;
        let rate = match outcome {
            Outcome::Skipped(reason) => {
                *self.skipped.entry(reason).or_default() += 1;
                return Ok(ControlFlow::Continue(None));
            }
            Outcome::Measured(rate) => rate,
        };
        self.runs += 1;
        if rate.is_clearly_above(&self.best) {
            (self.best, self.best_plan, self.is_present) = (rate, Some(tuning), false);
            self.save()?;
        }
        self.show(&plan, &rate, estimate.rate)?;
        Ok(ControlFlow::Continue(Some(rate.median)))
    }

    /// Measures a plan unless the model rules it out or the journal knows it.
    fn measure(&mut self, plan: &str, tuning: &Tuning) -> Result<(Outcome, Estimate)> {
        let program = match self.program(tuning) {
            Ok(program) => program,
            Err(errors) => return Ok((Outcome::Skipped(first_message(&errors)), Estimate::default())),
        };
        let ExpectedPlan { name, estimate } = self.expected(&program).clone();
        if let Some(reason) = ruled_out(tuning, &estimate) {
            return Ok((Outcome::Skipped(format!("{reason} (by the model, not run)")), estimate));
        }
        // Measured devices may have other plans of their own the next time.
        let is_changing = tuning == &Tuning::default() && self.device.is_some();
        let plan = &if is_changing { format!("{plan}, {}", describe(&estimate.tuning)) } else { plan.to_owned() };
        if let Some(known) = self.journal.find(plan) {
            return Ok((known.clone(), estimate));
        }
        let start = Instant::now();
        let measurement = self.run.runner.measure(&program.text, Some(&name));
        self.pace.add(start.elapsed());
        let outcome = match measurement {
            Err(reason) => Outcome::Skipped(reason),
            // The tool's own plan is the one to beat, whatever its registers.
            Ok(measured) if measured.has_spills && tuning.strategy.is_some() => {
                Outcome::Skipped("registers spill to memory".into())
            }
            Ok(measured) if !self.direct.agrees(&measured, self.nest.fp == FpMode::Strict) => {
                Outcome::Skipped("results differ from those of the strategy direct".into())
            }
            Ok(measured) => Outcome::Measured(measured.rate),
        };
        self.journal.add(plan, &outcome).context("cannot write the journal of the search")?;
        Ok((outcome, estimate))
    }

    fn show(&self, plan: &str, rate: &Rate, expected: Option<f64>) -> Result<()> {
        let position = match self.run.budget {
            Budget::Count(_) => self.runs,
            Budget::Seconds(_) => self.start.elapsed().as_secs(),
        };
        let left = self.time_left().map_or_else(String::new, |left| format!("{} left, ", roughly(left)));
        self.bar.set_message(format!("{left}best {}", self.best));
        self.bar.set_position(position);
        if io::stderr().is_terminal() { Ok(()) } else { say_rate(plan, rate, expected) }
    }

    fn time_left(&self) -> Option<Duration> {
        match self.run.budget {
            Budget::Count(count) => self.pace.left(count.saturating_sub(self.runs)),
            Budget::Seconds(seconds) => Some(Duration::from_secs(seconds).saturating_sub(self.start.elapsed())),
        }
    }

    fn save(&self) -> Result<()> {
        let Some(tuning) = &self.best_plan else { return Ok(()) };
        let best = BestPlan {
            nest: self.nest.name.clone(),
            device: self.direct.device.clone(),
            is_cpu: self.direct.is_cpu,
            fp: self.nest.fp,
            element: self.nest.element,
            sizes: self.nest.sizes.clone(),
            tuning: tuning.clone(),
            gcells_per_second: self.best.median,
        };
        change_text(&self.run.tuning, |text| with_plan(text, &best))
    }

    fn conclude(&self) -> Result<()> {
        self.bar.finish_and_clear();
        say(format_args!("{} of {} plans ran", self.runs, self.space.size()))?;
        for (reason, count) in &self.skipped {
            say(format_args!("{count} left out: {reason}"))?;
        }
        match &self.best_plan {
            None => say(format_args!("nothing is clearly better than the tool's own plan, {}", self.best)),
            Some(tuning) if self.is_present => say(format_args!(
                "nothing is clearly better than the plan of the tuning file: {}, {}",
                describe(tuning),
                self.best
            )),
            Some(tuning) => {
                self.save()?;
                let (plan, path) = (describe(tuning), self.run.tuning.display());
                say(format_args!("best: {plan}, {}, kept in {path}", self.best))?;
                if self.nest.has_tuning_clauses {
                    say("its pragma has tuning clauses, which win over the file: take them off")?;
                }
                Ok(())
            }
        }
    }
}

fn kind_of(measurement: &Measurement) -> DeviceKindName {
    if measurement.is_cpu { DeviceKindName::Cpu } else { DeviceKindName::Gpu }
}

fn first_message(errors: &[Diagnostic]) -> String {
    errors.first().map_or_else(|| "it is refused".to_owned(), |error| error.message.clone())
}

fn say_rate(plan: &str, rate: &Rate, expected: Option<f64>) -> Result<()> {
    match expected {
        Some(expected) => say(format_args!("{plan}: {rate}, model {:.3}", expected * 1e-9)),
        None => say(format_args!("{plan}: {rate}")),
    }
}

fn say(line: impl std::fmt::Display) -> Result<()> {
    let mut output = io::stdout().lock();
    writeln!(output, "{line}")?;
    Ok(output.flush()?)
}
