//! Results, in memory and as JSON.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::device::Device;
use super::measure::{Job, Series};
use super::program::{Element, FpMode};
use super::roof::{Attainable, Roofs};
use super::suite::STENCILS;
use super::verbose::{Registers, Run};

/// All that one run of the bench found.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    /// Version of the project that the bench was built with.
    pub version: String,
    /// The device.
    pub device: Device,
    /// Its roofs, one an element type.
    pub roofs: Vec<Roofs>,
    /// What was measured.
    pub lines: Vec<Line>,
    /// What could not be measured.
    pub failures: Vec<Failure>,
}

/// One benchmark.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Line {
    /// The program.
    pub stencil: String,
    /// Type of its elements.
    pub element: Element,
    /// Floating-point mode.
    pub fp: FpMode,
    /// What it is for.
    pub series: Series,
    /// Flags of the tool that chose the plan.
    pub plan_flags: Vec<String>,
    /// The program's sizes.
    pub extents: Vec<u32>,
    /// Its steps, or half sweeps.
    pub steps: u32,
    /// Cells that each of these computes.
    pub cells: f64,
    /// Operations of a cell.
    pub flops_per_cell: u32,
    /// What to type in a folder that holds nothing but `examples`.
    pub commands: Vec<String>,
    /// The plan, as the tool tells it.
    pub plan: Value,
    /// Kernel launches of a run.
    pub launches: u64,
    /// Time of all kernels, a number a run.
    pub kernel_seconds: Vec<f64>,
    /// The same if every tile were one without boundaries; empty where that was not measured.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unbounded_kernel_seconds: Vec<f64>,
    /// Time of transfers to the device, a number a run.
    pub upload_seconds: Vec<f64>,
    /// Time of transfers back.
    pub download_seconds: Vec<f64>,
    /// 10^9 cells and steps a second, of the fastest run.
    pub gcells_per_second: f64,
    /// 10^9 operations a second, redundant ones not counted.
    pub gflops_per_second: f64,
    /// What the roofs allow, in 10^9 cells and steps a second.
    pub attainable: Option<Attainable>,
    /// 32-bit registers of a work-item of the deepest kernel.
    pub registers: Option<u32>,
    /// Bytes that it spills.
    pub spilled_bytes: Option<u32>,
}

/// A benchmark without result.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Failure {
    /// The program, the type of its elements, its plan.
    pub job: String,
    /// Why.
    pub reason: String,
}

impl Failure {
    /// An error that came instead of a line.
    pub fn new(job: &Job, error: &anyhow::Error) -> Self {
        Self { job: job.to_string(), reason: format!("{error:#}") }
    }
}

impl Line {
    /// Turns seconds into rates.
    pub fn new(
        job: &Job,
        commands: Vec<String>,
        runs: Vec<Run>,
        plan: Value,
        registers: Option<Registers>,
        roofs: Option<&Roofs>,
    ) -> Self {
        let cells = job.stencil.cells(&job.size);
        let sweeps = job.size.steps.next_multiple_of(job.stencil.half_sweeps);
        let kernel_seconds: Vec<f64> = runs.iter().map(|run| run.kernel_seconds).collect();
        let gcells_per_second = 1e-9 * cells * f64::from(sweeps) / shortest(&kernel_seconds);
        let depth = plan["kernels"][0]["time_tile"].as_u64().unwrap_or(0) as u32;
        let fused = (depth * job.stencil.half_sweeps).max(1);
        let each = |seconds: fn(&Run) -> f64| runs.iter().map(seconds).collect();
        Self {
            stencil: job.stencil.name.to_owned(),
            element: job.element,
            fp: job.fp,
            series: job.series,
            plan_flags: job.plan.clone(),
            extents: job.size.extents.clone(),
            steps: job.size.steps,
            cells,
            flops_per_cell: job.stencil.flops,
            commands,
            plan,
            launches: runs[0].launches,
            kernel_seconds,
            unbounded_kernel_seconds: Vec::new(),
            upload_seconds: each(|run| run.upload_seconds),
            download_seconds: each(|run| run.download_seconds),
            gcells_per_second,
            gflops_per_second: gcells_per_second * f64::from(job.stencil.flops),
            attainable: roofs.map(|roofs| roofs.attainable(job.stencil, fused)),
            registers: registers.map(|registers| registers.count),
            spilled_bytes: registers.map(|registers| registers.spilled_bytes),
        }
    }

    /// The part of its kernels' time that boundaries cost, if it was measured; below 0 where the other kernels are slower.
    pub fn boundary_share(&self) -> Option<f64> {
        let is_measured = !self.unbounded_kernel_seconds.is_empty();
        is_measured.then(|| 1.0 - shortest(&self.unbounded_kernel_seconds) / shortest(&self.kernel_seconds))
    }

    /// A number of the deepest kernel's description in the plan.
    pub fn kernel_number(&self, what: &str) -> u64 {
        self.plan["kernels"][0][what].as_u64().unwrap_or(0)
    }
}

impl Report {
    /// A report without lines.
    pub fn new(device: &Device, roofs: Vec<Roofs>) -> Self {
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Self { version, device: device.clone(), roofs, lines: Vec::new(), failures: Vec::new() }
    }

    /// The roofs of an element type.
    pub fn roof_of(&self, element: Element) -> Option<&Roofs> {
        self.roofs.iter().find(|roofs| roofs.element == element)
    }

    /// Puts other roofs in place of its own.
    fn raise_roofs(&mut self, highest: &[Roofs]) {
        let own = std::mem::replace(&mut self.roofs, highest.to_vec());
        for line in &mut self.lines {
            let of_line = |roofs: &&Roofs| roofs.element == line.element;
            let pair = own.iter().find(of_line).zip(highest.iter().find(of_line));
            if let (Some(attainable), Some((own, highest))) = (&mut line.attainable, pair) {
                attainable.memory *= highest.bytes_per_second / own.bytes_per_second;
                attainable.arithmetic *= highest.flops_per_second / own.flops_per_second;
            }
        }
    }

    /// The lines of one purpose.
    pub fn series(&self, series: Series) -> impl Iterator<Item = &Line> {
        self.lines.iter().filter(move |line| line.series == series)
    }

    /// The line of the same program and mode with the tool's own choice.
    pub fn own_choice(&self, line: &Line) -> Option<&Line> {
        let key = |line: &Line| (line.element, line.fp, line.extents.clone(), line.steps);
        self.series(Series::Own).find(|own| own.stencil == line.stencil && key(own) == key(line))
    }

    /// Writes it as JSON.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, file: &Path) -> Result<()> {
        let text = serde_json::to_string_pretty(self)? + "\n";
        fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
    }

    /// Joins reports of one device that were written before, in the order of the suite. Nothing exceeds a roof, so the
    /// highest of each kind counts.
    ///
    /// # Errors
    /// A file cannot be read, or they are of different devices.
    pub fn read(files: &[PathBuf]) -> Result<Self> {
        let mut reports: Vec<Self> = Vec::new();
        for file in files {
            let name = || file.display().to_string();
            let report: Self =
                serde_json::from_str(&fs::read_to_string(file).with_context(name)?).with_context(name)?;
            let first = reports.first().unwrap_or(&report);
            ensure!(first.device == report.device, "{} is of another device, {}", name(), report.device.name);
            reports.push(report);
        }
        let highest = Roofs::highest(reports.iter().flat_map(|report| &report.roofs));
        reports.iter_mut().for_each(|report| report.raise_roofs(&highest));
        let joined = reports.into_iter().reduce(|mut joined, report| {
            joined.lines.extend(report.lines);
            joined.failures.extend(report.failures);
            joined
        });
        let mut joined = joined.context("no file is given")?;
        joined.lines.sort_by_key(|line| (position(&line.stencil), line.element));
        Ok(joined)
    }
}

/// The shortest of some times.
fn shortest(seconds: &[f64]) -> f64 {
    seconds.iter().copied().fold(f64::INFINITY, f64::min)
}

/// Place of a stencil in the suite; behind all if it is no longer there.
fn position(name: &str) -> usize {
    STENCILS.iter().position(|stencil| stencil.name == name).unwrap_or(STENCILS.len())
}
