//! What the tool's exit codes mean.

use std::process::ExitCode;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// 0: all was done.
    Success,
    /// 1: the input was refused, a file could not be read or written, or there is no device.
    Failure,
    /// 2: the command line makes no sense.
    Usage,
    /// The compiler's own exit code, from the compiler wrapper.
    Compiler(u8),
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Success => 0,
            Exit::Failure => 1,
            Exit::Usage => 2,
            Exit::Compiler(code) => code,
        })
    }
}

/// A command line that parses but cannot be meant.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct UsageError(pub String);

impl Exit {
    /// The exit code of an error that was printed.
    pub fn of_error(error: &anyhow::Error) -> Self {
        if error.is::<UsageError>() { Self::Usage } else { Self::Failure }
    }
}
