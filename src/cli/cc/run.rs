//! Runs compilers.

use anyhow::{Context, Result};
use std::ffi::OsString;
use std::fs::File;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitStatus};

use crate::cli::exit::Exit;

/// The process for a command line; an empty one asks for the program with the empty name, which no system has.
pub fn process(command: &[OsString]) -> Command {
    let (program, arguments) = command.split_first().map_or((Default::default(), &[][..]), |(p, a)| (p.clone(), a));
    let mut process = Command::new(program);
    process.args(arguments);
    process
}

/// Becomes the compiler, which reads `input` if there is one; returns only when that fails.
pub fn replace_process(command: &[OsString], input: Option<File>) -> Result<Exit> {
    let mut process = process(command);
    input.map(|input| process.stdin(input));
    Err(process.exec()).with_context(|| cannot_run(command))
}

/// Runs the compiler and gives its exit code as a shell would.
pub fn exit_code_of(command: &[OsString]) -> Result<Exit> {
    exit_code_with(command, None)
}

/// As [`exit_code_of`] for a compiler that reads `input` if there is one.
pub fn exit_code_with(command: &[OsString], input: Option<File>) -> Result<Exit> {
    let mut process = process(command);
    input.map(|input| process.stdin(input));
    let status = process.status().with_context(|| cannot_run(command))?;
    Ok(exit_of(status))
}

/// What the compiler prints on standard output; `None` if it fails.
pub fn output_of(command: &[OsString]) -> Result<Option<Vec<u8>>> {
    let output = process(command).output().with_context(|| cannot_run(command))?;
    Ok(output.status.success().then_some(output.stdout))
}

fn exit_of(status: ExitStatus) -> Exit {
    match status.code() {
        Some(0) => Exit::Success,
        Some(code) => Exit::Compiler(u8::try_from(code).unwrap_or(1)),
        None => Exit::Compiler(u8::try_from(128 + status.signal().unwrap_or(0)).unwrap_or(1)),
    }
}

fn cannot_run(command: &[OsString]) -> String {
    format!("cannot run {}", command.first().map_or(Default::default(), |program| program.to_string_lossy()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exit_of_script(script: &str) -> Exit {
        exit_code_of(&["sh".into(), "-c".into(), script.into()]).expect("a shell")
    }

    #[test]
    fn the_compilers_exit_code_is_kept() {
        assert_eq!(exit_of_script("exit 0"), Exit::Success);
        assert_eq!(exit_of_script("exit 4"), Exit::Compiler(4));
        assert_eq!(exit_of_script("kill -9 $$"), Exit::Compiler(137));
        assert!(exit_code_of(&["/missing/compiler".into()]).is_err());
    }
}
