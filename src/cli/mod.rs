//! From the command line to files: what was typed (`args.rs`), what it means (`task.rs`), and one module per form of the
//! command.

mod about;
mod args;
mod cc;
mod copies;
mod dependencies;
mod devices;
mod exit;
mod failure;
mod files;
mod language;
mod outputs;
mod overwriting;
mod task;
mod rewrite;
mod spelling;
mod tune;

pub use args::{Arguments, Command};
pub use cc::CommandLine;
pub use exit::{Exit, UsageError};
pub use outputs::FileTask;
pub use task::{Action, Task};

use anstream::ColorChoice;
use anyhow::Result;
use clap::Parser;
use std::ffi::OsString;

/// Reads the given command line, the program's name included.
///
/// # Errors
/// What is wrong with it, or the text of `--help` and `--version`; clap knows where each is to be printed.
pub fn parse(command_line: impl Iterator<Item = OsString>) -> Result<Arguments, clap::Error> {
    Arguments::try_parse_from(spelling::to_long_options(command_line))
}

/// Runs the tool with the given command line, the program's name included.
pub fn run(command_line: impl Iterator<Item = OsString>) -> Exit {
    let words: Vec<OsString> = command_line.collect();
    let arguments = match parse(words.iter().cloned()) {
        Ok(arguments) => arguments,
        Err(error) => return failure::tell_unparsed(&words, &error),
    };
    ColorChoice::write_global(arguments.color.into());
    let format = arguments.message_format();
    run_form(arguments).unwrap_or_else(|error| failure::tell(format, &error))
}

fn run_form(arguments: Arguments) -> Result<Exit> {
    match (arguments.command, arguments.explain, arguments.generate) {
        (Some(Command::Cc(wrapper)), ..) => cc::run(wrapper),
        (Some(Command::Devices(listing)), ..) => devices::run(listing),
        (Some(Command::Tune(search)), ..) => tune::run(search),
        (None, Some(code), _) => about::explain(&code),
        (None, None, Some(kind)) => about::print(kind),
        (None, None, None) => rewrite::run(arguments.rewrite),
    }
}
