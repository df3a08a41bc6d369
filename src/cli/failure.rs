//! Errors that are not about a place in a text, on their way to the user.

use std::ffi::OsString;
use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;

use super::exit::{Exit, UsageError};
use crate::device::DeviceError;
use crate::report::{Format, json};

/// The context of an error of the operating system: what was to be done with which file.
#[derive(Debug)]
pub struct FileError {
    action: &'static str,
    path: PathBuf,
}

impl FileError {
    /// `cannot read PATH`
    pub fn read(path: impl Into<PathBuf>) -> Self {
        Self { action: "read", path: path.into() }
    }

    /// `cannot write PATH`
    pub fn write(path: impl Into<PathBuf>) -> Self {
        Self { action: "write", path: path.into() }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "cannot {} {}", self.action, self.path.display())
    }
}

/// Tells the error in the wanted form. Nobody is left to hear it when the reader of a pipe has gone, as in
/// `--dump kernel FILE.c | head`: he has read what he wanted.
pub fn tell(format: Format, error: &anyhow::Error) -> Exit {
    if error.chain().any(|cause| cause.downcast_ref().is_some_and(is_broken_pipe)) {
        return Exit::Success;
    }
    let exit = Exit::of_error(error);
    let mut output = io::stderr().lock();
    // Nothing can be said to anybody when standard error is closed; the exit code still tells.
    let _ = match format {
        Format::Human => writeln!(output, "stencil-rewrite: {error:#}"),
        Format::Json => {
            let path = error.downcast_ref::<FileError>().map(|context| context.path.as_path());
            json::write_failure(code_of(error), &format!("{error:#}"), path, &[], &mut output)
        }
    };
    exit
}

/// Codes of what no rule of the analysis refuses.
const USAGE_CODE: &str = "usage";
const DEVICE_CODE: &str = "device";
const FILE_CODE: &str = "file";

/// The code whose page explains the error.
fn code_of(error: &anyhow::Error) -> &'static str {
    if error.is::<UsageError>() {
        USAGE_CODE
    } else if error.chain().any(|cause| cause.is::<DeviceError>()) {
        DEVICE_CODE
    } else {
        FILE_CODE
    }
}

/// Tells why a command line is none, or what `--help` and `--version` ask for.
pub fn tell_unparsed(words: &[OsString], error: &clap::Error) -> Exit {
    // Help and version are "errors" that belong on standard output; clap knows which.
    let is_failure = error.use_stderr();
    let told = if is_failure && wants_json(words) { write_unparsed(error) } else { error.print() };
    match told {
        Ok(()) if !is_failure => Exit::Success,
        Err(error) if !is_failure && is_broken_pipe(&error) => Exit::Success,
        _ => Exit::Usage,
    }
}

/// The paragraphs of clap's message become message and help.
fn write_unparsed(error: &clap::Error) -> io::Result<()> {
    let text = error.render().to_string();
    let mut paragraphs = text.split("\n\n").map(|part| part.split_whitespace().collect::<Vec<_>>().join(" "));
    let message = paragraphs.next().unwrap_or_default();
    let help: Vec<String> = paragraphs.filter(|part| !part.is_empty()).collect();
    json::write_failure(USAGE_CODE, message.trim_start_matches("error: "), None, &help, &mut io::stderr().lock())
}

/// What a command line that cannot be parsed seems to want. In that of a wrapped compiler the words are not ours.
fn wants_json(words: &[OsString]) -> bool {
    let is_wrapper = words.get(1).is_some_and(|word| word == "cc");
    let joined = words.iter().any(|word| word == "--message-format=json");
    !is_wrapper && (joined || words.windows(2).any(|pair| pair[0] == "--message-format" && pair[1] == "json"))
}

/// Whether the reader of a pipe has gone.
pub fn is_broken_pipe(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::BrokenPipe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_who_has_gone_hears_nothing_of_it() {
        let gone = || anyhow::Error::from(io::Error::from(io::ErrorKind::BrokenPipe)).context("cannot print");
        assert_eq!(tell(Format::Human, &gone()), Exit::Success);
        assert_eq!(tell(Format::Human, &io::Error::from(io::ErrorKind::StorageFull).into()), Exit::Failure);
    }

    #[test]
    fn a_bad_command_line_may_still_say_that_it_wants_json() {
        let wants = |line: &str| wants_json(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert!(wants("s --nonsense --message-format json") && wants("s --message-format=json --nonsense"));
        assert!(!wants("s --nonsense json") && !wants("s cc --message-format json"));
    }
}
