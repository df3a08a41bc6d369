//! One benchmark: a program rewritten, built, checked and timed.

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::command::Step;
use super::device::Device;
use super::options::Options;
use super::program::{Built, Element, FpMode, Program};
use super::report::Line;
use super::roof::Roofs;
use super::suite::{Scale, Size, Stencil};
use super::verbose::{Registers, Run};

/// Why something is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Series {
    /// With the plan of the tuning file, of the model, or that of the command line.
    Default,
    /// With the plan of the model where there is a tuning file.
    Own,
    /// Without time tiles, to compare with.
    Direct,
    /// To see what time tile and points per work-item do.
    Explored,
}

/// What is to be measured.
pub struct Job {
    /// The program.
    pub stencil: &'static Stencil,
    /// Type of its elements.
    pub element: Element,
    /// Floating-point mode of what is timed.
    pub fp: FpMode,
    /// Its arguments.
    pub size: Size,
    /// What it is for.
    pub series: Series,
    /// Flags of the tool that choose a plan.
    pub plan: Vec<String>,
}

impl fmt::Display for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.stencil.name, self.element.name())?;
        self.plan.iter().try_for_each(|flag| write!(f, " {flag}"))
    }
}

/// Where and how programs run.
pub struct Bench<'a> {
    /// The device.
    pub device: &'a Device,
    /// How large the grids are.
    pub scale: Scale,
    pub(super) tool: PathBuf,
    examples: PathBuf,
    pub(super) options: &'a Options,
}

impl<'a> Bench<'a> {
    /// # Errors
    /// Tool or examples are missing.
    pub fn new(options: &'a Options, device: &'a Device) -> Result<Self> {
        let scale = match device.is_gpu() {
            _ if options.quick => Scale::Quick,
            true => Scale::Gpu,
            false => Scale::Cpu,
        };
        Ok(Self { device, scale, tool: options.tool()?, examples: options.examples()?, options })
    }

    /// The element types that anything is measured with.
    pub fn element_types(&self) -> Vec<Element> {
        let possible = [(Element::Double, self.device.has_double), (Element::Single, true)];
        let possible = possible.into_iter().filter_map(|(element, is_possible)| is_possible.then_some(element));
        possible.filter(|element| self.options.element.is_none_or(|asked| asked == *element)).collect()
    }

    /// A benchmark at this bench's scale.
    pub fn job(&self, stencil: &'static Stencil, element: Element, series: Series, plan: Vec<String>) -> Job {
        Job { stencil, element, fp: self.options.fp, size: stencil.size(self.scale), series, plan }
    }

    /// With the tool's own choice, if a tuning file has another one.
    pub fn own_choice(&self, stencil: &'static Stencil, element: Element) -> Option<Job> {
        let source = self.source(stencil);
        let is_tuned = source.with_extension("stencil.toml").exists();
        is_tuned.then(|| self.job(stencil, element, Series::Own, vec!["--no-tuning".to_owned()]))
    }

    fn source(&self, stencil: &Stencil) -> PathBuf {
        self.examples.join(stencil.folder).join(format!("{}.c", stencil.name))
    }

    /// One for each time tile and number of points per work-item.
    pub fn exploration(&self, stencil: &'static Stencil, element: Element, options: &Options) -> Vec<Job> {
        let usual: &[u32] = if self.device.is_gpu() { &[1, 2, 4] } else { &[64, 128, 256] };
        let items = if options.items.is_empty() { usual } else { &options.items };
        let strategy =
            if self.device.is_gpu() && stencil.size(self.scale).extents.len() > 1 { "stream" } else { "local" };
        let plan = |points: &u32, depth: &u32| {
            let flags =
                [("strategy", strategy.to_owned()), ("time-tile", depth.to_string()), ("per-item", points.to_string())];
            flags.map(|(flag, value)| format!("--{flag}={value}")).into()
        };
        let job = |(points, depth)| self.job(stencil, element, Series::Explored, plan(points, depth));
        items.iter().flat_map(|points| options.depths.iter().map(move |depth| (points, depth))).map(job).collect()
    }

    /// Checks and times a benchmark.
    ///
    /// # Errors
    /// A command fails, the checked program's results are not the original's, or the program ran otherwise than asked.
    pub fn measure(&self, job: &Job, roofs: Option<&Roofs>) -> Result<Line> {
        let folder = tempfile::tempdir()?;
        let mut program = self.program(job, &job.size, job.fp);
        program.is_optimised = self.scale != Scale::Quick;
        let (checked, built) = self.check(job, folder.path())?;
        let mut built = if program == checked { built } else { program.build_rewritten(folder.path())? };
        let arguments = job.size.arguments();
        let runs = self.time(&mut built, &arguments)?;
        check_run(job, &runs[0])?;
        let name = &runs[0].plan;
        let is_for_device = *name == self.device.plan || name.starts_with("tuned_");
        ensure!(is_for_device, "the program followed the plan `{name}`");
        let plan = program.plan(name)?;
        ensure!(is_as_asked(job, &plan), "the tool has no such plan for this nest");
        let registers = self.registers(&built, &plan, job)?;
        let mut line = Line::new(job, built.commands.clone(), runs, plan, registers, roofs);
        if self.options.boundaries && job.series == Series::Default && line.plan["strategy"] == "stream" {
            let mut unbounded = program.build_unbounded(&built)?;
            let runs = self.time(&mut unbounded, &arguments)?;
            line.unbounded_kernel_seconds = runs.iter().map(|run| run.kernel_seconds).collect();
            line.commands.extend(unbounded.commands);
        }
        Ok(line)
    }

    fn program(&self, job: &Job, size: &Size, fp: FpMode) -> Program<'_> {
        let source = self.source(job.stencil);
        let flags = job.stencil.flags(job.element, size);
        Program { tool: &self.tool, source, flags, plan: job.plan.clone(), fp, is_optimised: false }
    }

    /// Fails unless the program with this plan in strict mode prints what the original prints; gives that program.
    fn check(&self, job: &Job, folder: &Path) -> Result<(Program<'_>, Built)> {
        let size = job.stencil.size(Scale::Check);
        let program = self.program(job, &size, FpMode::Strict);
        let (original, rewritten) = (program.build_original(folder)?, program.build_rewritten(folder)?);
        let expected = original.step(&size.arguments()).run()?;
        let actual = self.on_device(rewritten.step(&size.arguments())).run()?;
        ensure!(
            actual.stdout == expected.stdout,
            "the results are not the original's:\n{}---\n{}",
            String::from_utf8_lossy(&actual.stdout),
            String::from_utf8_lossy(&expected.stdout)
        );
        Ok((program, rewritten))
    }

    /// Runs a program as often as asked.
    fn time(&self, built: &mut Built, arguments: &[u32]) -> Result<Vec<Run>> {
        let run = |_| Run::read(&built.run(self.on_device(built.step(arguments)))?.stderr);
        (0..self.options.repeat).map(run).collect()
    }

    fn on_device(&self, step: Step) -> Step {
        step.env("STENCIL_DEVICE", &self.device.index.to_string())
            .env("STENCIL_VERBOSE", "1")
            .env("STENCIL_STRICT", "1")
            .env("STENCIL_COMPILE_ALL", "1")
    }

    /// What the compiler tells of the deepest kernel, where it tells anything; no cache may keep it from compiling.
    fn registers(&self, built: &Built, plan: &Value, job: &Job) -> Result<Option<Registers>> {
        if !self.device.is_nvidia() {
            return Ok(None);
        }
        // Programs compile the kernels that their steps need.
        let mut size = job.stencil.size(Scale::Quick);
        let depth = plan["kernels"][0]["time_tile"].as_u64().unwrap_or(0) as u32;
        size.steps = size.steps.max(2 * depth * job.stencil.half_sweeps);
        let step = self.on_device(built.step(&size.arguments()));
        let step = step.env("STENCIL_VERBOSE", "2").env("STENCIL_CACHE", "off").env("CUDA_CACHE_DISABLE", "1");
        let log = step.run()?.stderr;
        Ok(Registers::find(&log, plan["kernels"][0]["name"].as_str().unwrap_or_default()))
    }
}

/// Fails unless the nest took the steps and the cells that the rate is computed from. The program rounds its rate to
/// 10^6 cells a second and its time to microseconds.
fn check_run(job: &Job, run: &Run) -> Result<()> {
    let steps = u64::from(job.size.steps.div_ceil(job.stencil.half_sweeps));
    ensure!(run.steps == steps, "{} steps where {steps} are expected", run.steps);
    ensure!(run.kernel_seconds > 0.0, "the program tells no kernel time");
    let cells = job.stencil.largest_sweep(&job.size) * steps as f64;
    let rounding = 0.001 + 0.5e6 * run.kernel_seconds / cells + 0.5e-6 * run.launches as f64 / run.kernel_seconds;
    ensure!((run.cells / cells - 1.0).abs() < rounding, "{:.4e} cells where {cells:.4e} are expected", run.cells);
    Ok(())
}

/// Whether the plan has the strategy that was asked for; the tool takes another where a nest does not allow it.
fn is_as_asked(job: &Job, plan: &Value) -> bool {
    let asked = job.plan.iter().find_map(|flag| flag.strip_prefix("--strategy="));
    asked.is_none_or(|strategy| plan["strategy"] == strategy)
}
