//! From the command line to files: what was typed (`args.rs`), what it means (`plan.rs`), and one module per form of the
//! command.

mod args;
mod cc;
mod dependencies;
mod devices;
mod exit;
mod files;
mod language;
mod overwriting;
mod plan;
mod rewrite;
mod spelling;
mod tune;

pub use args::{Arguments, Command};
pub use cc::CommandLine;
pub use exit::{Exit, UsageError};
pub use plan::{Action, Plan, UnitPlan};

use clap::Parser;
use std::ffi::OsString;
use std::io::Write;

/// Reads the given command line, the program's name included.
///
/// # Errors
/// What is wrong with it, or the text of `--help` and `--version`; clap knows where each is to be printed.
pub fn parse(command_line: impl Iterator<Item = OsString>) -> Result<Arguments, clap::Error> {
    Arguments::try_parse_from(spelling::to_long_options(command_line))
}

/// Runs the tool with the given command line, the program's name included.
pub fn run(command_line: impl Iterator<Item = OsString>) -> Exit {
    let arguments = match parse(command_line) {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version are "errors" that belong on standard output; clap knows which.
            let is_failure = error.use_stderr();
            return if error.print().is_err() || is_failure { Exit::Usage } else { Exit::Success };
        }
    };
    let outcome = match arguments.command {
        Some(Command::Cc(wrapper)) => cc::run(wrapper),
        Some(Command::Devices(listing)) => devices::run(listing),
        Some(Command::Tune(search)) => tune::run(search),
        None => rewrite::run(arguments.rewrite),
    };
    outcome.unwrap_or_else(|error| {
        // Nothing can be said to anybody when standard error is closed; the exit code still tells.
        let _ = writeln!(std::io::stderr(), "stencil-rewrite: {error:#}");
        Exit::of_error(&error)
    })
}
