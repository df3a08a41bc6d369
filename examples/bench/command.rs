//! Other programs, with what one must type to run them again.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// A command that is to be run.
pub struct Step {
    command: Command,
    environment: Vec<String>,
}

/// What a command left that ended well.
pub struct Outcome {
    /// The command line, as one would type it.
    pub line: String,
    /// What it printed.
    pub stdout: Vec<u8>,
    /// What it said besides.
    pub stderr: String,
}

impl Step {
    /// A program in a folder, without the variables that rewritten programs look at.
    pub fn new(program: impl AsRef<OsStr>, folder: &Path) -> Self {
        let mut command = Command::new(program);
        command.current_dir(folder).stdin(Stdio::null()).env("LC_ALL", "C");
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("STENCIL_") && name != "STENCIL_CACHE" {
                command.env_remove(name);
            }
        }
        Self { command, environment: Vec::new() }
    }

    /// The compiler: `CC` split at white space, `cc` if it is unset.
    pub fn compiler(folder: &Path) -> Self {
        let compiler = std::env::var("CC").unwrap_or_default();
        let mut words = compiler.split_whitespace();
        let step = Self::new(words.next().unwrap_or("cc"), folder);
        step.args(words)
    }

    /// Adds arguments.
    pub fn args(mut self, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Self {
        self.command.args(arguments);
        self
    }

    /// Adds an argument.
    pub fn arg(self, argument: impl AsRef<OsStr>) -> Self {
        self.args([argument])
    }

    /// Sets an environment variable.
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self.environment.push(format!("{name}={}", quoted(value)));
        self
    }

    /// What one would type in its folder, with the names alone of programs that are elsewhere.
    fn line(&self) -> String {
        let program = Path::new(self.command.get_program());
        let name = match (self.command.get_current_dir(), program.file_name()) {
            (Some(folder), Some(name)) if !program.starts_with(folder) => name,
            _ => program.as_os_str(),
        };
        let words = std::iter::once(name).chain(self.command.get_args());
        let words = words.map(|word| quoted(&word.to_string_lossy()));
        self.environment.iter().cloned().chain(words).collect::<Vec<_>>().join(" ")
    }

    /// Runs it to its end.
    ///
    /// # Errors
    /// It cannot start, or does not end with exit code 0.
    pub fn run(mut self) -> Result<Outcome> {
        let line = self.line();
        let output = self.command.output().with_context(|| format!("cannot start `{line}`"))?;
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        if !output.status.success() {
            bail!("`{line}`: {}\n{}", output.status, stderr.trim_end());
        }
        Ok(Outcome { line, stdout: output.stdout, stderr })
    }
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_=./,:+@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}
