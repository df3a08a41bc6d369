//! `stencil-rewrite tune`: searches good plans on a device and keeps them in the tuning file.

mod run;
mod trials;

use anyhow::{Context, Result};
use std::fs;

use super::args::TuneArguments;
use super::exit::Exit;
use super::rewrite::{report, with_tuning};
use crate::report::Manner;
use crate::tune::journal::Journal;
use run::{Run, direct_tuning};
use trials::tune_nest;

/// Runs the search.
///
/// # Errors
/// When a file cannot be read or written, or a nest cannot be measured at all.
pub fn run(arguments: TuneArguments) -> Result<Exit> {
    let mut run = Run::new(&arguments)?;
    if run.tuning.exists() {
        let Some(tuned) = with_tuning(&run.options, Some(&run.tuning), Manner::default())? else {
            return Ok(Exit::Failure);
        };
        (run.devices, run.present) = (tuned.measured, tuned.tuned);
    }
    let nests = match run.programs(&direct_tuning(), arguments.nest.as_deref(), None) {
        Ok(nests) => nests,
        Err(diagnostics) => {
            report(Manner::default(), &run.source, &diagnostics)?;
            return Ok(Exit::Failure);
        }
    };
    run.check_names(&nests, arguments.nest.as_deref())?;
    let journal = Journal::path_for(&run.tuning);
    if arguments.restart && journal.exists() {
        fs::remove_file(&journal).with_context(|| format!("cannot remove {}", journal.display()))?;
    }
    nests.into_iter().try_for_each(|nest| tune_nest(&run, nest))?;
    Ok(Exit::Success)
}
