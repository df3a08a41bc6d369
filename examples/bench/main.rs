//! Rewrites, builds, checks and times the programs of `examples/ebisu`, `examples/holewinski` and `examples/awp`.
//!
//! `README.md` beside this file says what is timed. The way of the data: [`options`] → [`device`] and [`suite`] →
//! [`program`] and [`measure`], which run the commands of [`command`] and read them with [`verbose`] → [`report`] →
//! [`table`] and [`plots`]. [`roof`] measures what the device can do at most.

mod command;
mod device;
mod measure;
mod options;
mod plots;
mod program;
mod report;
mod roof;
pub mod suite;
mod table;
pub mod verbose;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;

use device::Device;
use measure::{Bench, Job, Series};
use options::Options;
use report::Report;

fn main() -> ExitCode {
    run_program(std::env::args_os())
}

/// The bench as a program with these arguments, its name first.
pub fn run_program(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    match run(arguments, &mut io::stdout()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            let _ = writeln!(io::stderr(), "stencils: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The whole bench; says on `output` what it does and finds. Whether every benchmark was measured.
///
/// # Errors
/// Wrong arguments, no device, no tool, files that cannot be written.
fn run(arguments: impl Iterator<Item = OsString>, output: &mut dyn Write) -> Result<bool> {
    let options = match Options::try_parse_from(arguments) {
        Ok(options) => options,
        Err(error) if !error.use_stderr() => {
            write!(output, "{error}")?;
            return Ok(true);
        }
        Err(error) => return Err(error.into()),
    };
    let report = if options.read.is_empty() { measure_all(&options, output)? } else { Report::read(&options.read)? };
    table::write_text(&report, output)?;
    if let Some(file) = options.json.as_ref().filter(|_| !options.read.is_empty()) {
        report.write(file)?;
    }
    if let Some(file) = &options.markdown {
        table::write_page(&report, file)?;
    }
    if let Some(folder) = &options.plots {
        plots::write_all(&report, folder)?;
    }
    Ok(report.failures.is_empty())
}

fn measure_all(options: &Options, output: &mut dyn Write) -> Result<Report> {
    let device = Device::choose(&options.tool()?, options.device.as_deref())?;
    let bench = Bench::new(options, &device)?;
    writeln!(output, "{}, driver {}", device.name, device.driver)?;
    let jobs = bench.jobs(options)?;
    let mut report = Report::new(&device, bench.measure_roofs(output)?);
    for (number, job) in jobs.iter().enumerate() {
        write!(output, "[{}/{}] {job}", number + 1, jobs.len())?;
        output.flush()?;
        match bench.measure(job, report.roof_of(job.element)) {
            Ok(line) => {
                writeln!(output, ": {:.3} GCells/s", line.gcells_per_second)?;
                report.lines.push(line);
            }
            // Plans that do not exist are part of a search, not failures.
            Err(error) if job.series == Series::Explored => writeln!(output, ": none, {error:#}")?,
            Err(error) => {
                writeln!(output, ": FAILED\n{error:#}")?;
                report.failures.push(report::Failure::new(job, &error));
            }
        }
        if let Some(file) = &options.json {
            report.write(file)?;
        }
    }
    Ok(report)
}

impl Bench<'_> {
    /// Everything that the options ask for, in the order of the suite.
    fn jobs(&self, options: &Options) -> Result<Vec<Job>> {
        let mut jobs = Vec::new();
        for stencil in options.stencils()? {
            for element in options.elements(stencil, self.device.has_double) {
                jobs.push(self.job(stencil, element, Series::Default, options.plan.clone()));
                if options.own {
                    jobs.extend(self.own_choice(stencil, element));
                }
                if options.plots.is_some() {
                    jobs.push(self.job(
                        stencil,
                        element,
                        Series::Direct,
                        ["--strategy", "direct"].map(String::from).into(),
                    ));
                }
                if options.plots.is_some() && options.explore.as_deref() == Some(stencil.name) {
                    jobs.extend(self.exploration(stencil, element, options));
                }
            }
        }
        Ok(jobs)
    }
}
