//! Other programs, run with a time limit and in an environment that does not depend on the user's.

use std::ffi::OsStr;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use wait_timeout::ChildExt;

use crate::accept::is_whole;
use crate::case::suite;
use crate::program::is_device_chosen;
use crate::timing::CommandTimer;

/// PoCL takes a minute for some kernels while nothing else runs, and a busy machine many times as long.
const TIME_LIMIT: Duration = Duration::from_secs(1800);

/// What a program left when it ended.
pub struct Outcome {
    /// `None` when a signal ended it.
    pub code: Option<i32>,
    pub stdout: Vec<u8>,
    pub stderr: String,
    /// The command line, for messages.
    line: String,
}

impl Outcome {
    /// Itself if the exit code is 0, else an error that shows what the program said.
    pub fn succeeded(self) -> Result<Self> {
        self.exited_with(0)
    }

    pub fn exited_with(self, code: i32) -> Result<Self> {
        ensure!(self.code == Some(code), "exit code {code} expected\n{}", self.describe());
        Ok(self)
    }

    /// Itself if the program ended by an error of its own, not by a signal and not well.
    pub fn failed(self) -> Result<Self> {
        ensure!(self.code.is_some_and(|code| code != 0), "a failure expected\n{}", self.describe());
        Ok(self)
    }

    /// Lines of stderr that hold `text`.
    pub fn count_lines_with(&self, text: &str) -> usize {
        self.stderr.lines().filter(|line| line.contains(text)).count()
    }

    /// Fails unless stderr holds `text`.
    pub fn check_says(&self, text: &str) -> Result<()> {
        ensure!(self.stderr.contains(text), "stderr does not say `{text}`\n{}", self.describe());
        Ok(())
    }

    /// The command, how it ended, and what it wrote.
    pub fn describe(&self) -> String {
        let ended = self.code.map_or("a signal".to_string(), |code| format!("exit code {code}"));
        let stdout = String::from_utf8_lossy(&self.stdout);
        format!("$ {}\nended by {ended}\n--- stdout\n{stdout}--- stderr\n{}", self.line, self.stderr)
    }
}

/// The tool under test, run in `folder`; `TESTSUITE_TOOL` names another one.
pub fn tool(folder: &Path) -> Command {
    let tool = std::env::var_os("TESTSUITE_TOOL").unwrap_or_else(|| env!("CARGO_BIN_EXE_stencil-rewrite").into());
    clean(tool, folder)
}

/// Any other program, run in `folder`.
pub fn clean(program: impl AsRef<OsStr>, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder).stdin(Stdio::null()).env("LC_ALL", "C");
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("STENCIL_") {
            command.env_remove(name);
        }
    }
    command.env_remove("MAKEFLAGS");
    // The address sanitizer ends a program in which another library is loaded before it.
    command.env_remove("LD_PRELOAD");
    // Grids here are too small for some kernels to be worth compiling.
    command.env("STENCIL_COMPILE_ALL", "1");
    // Kernels that did not change since the last run need not be compiled again.
    command.env("POCL_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/pocl"));
    command.env("XDG_CACHE_HOME", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"));
    if let Some(pocl) = small_pocl() {
        command.env("OCL_ICD_VENDORS", pocl.join("vendors"));
    }
    command
}

/// PoCL as `scripts/setup-pocl` leaves it, which compiles small kernels in a fifth of the time, unless another device is asked for.
fn small_pocl() -> Option<PathBuf> {
    let is_chosen = is_device_chosen() || std::env::var_os("OCL_ICD_VENDORS").is_some();
    let pocl = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("pocl");
    (!is_chosen && !is_whole() && pocl.join("vendors").exists()).then_some(pocl)
}

/// Lets PoCL link kernels without libraries. For programs that start no compiler of their own.
pub fn with_quick_linker(command: &mut Command) -> &mut Command {
    match small_pocl() {
        Some(pocl) => with_programs_of(pocl.join("bin"), command),
        None => command,
    }
}

/// Lets the `gcc` that `command` starts leave everything unoptimised. The compiler wrapper optimises all drivers, which takes
/// seconds for each.
pub fn with_quick_gcc(command: &mut Command) -> &mut Command {
    with_programs_of(suite("bin"), command)
}

/// Looks for programs in `folder` first.
fn with_programs_of(folder: PathBuf, command: &mut Command) -> &mut Command {
    let rest = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(folder).chain(std::env::split_paths(&rest));
    command.env("PATH", std::env::join_paths(folders).expect("a folder without colons"))
}

/// Runs `command` to its end; fails when it cannot start or takes longer than the limit.
pub fn run(command: &mut Command) -> Result<Outcome> {
    run_within(command, TIME_LIMIT)
}

/// As [`run`] with a limit of its own.
pub fn run_within(command: &mut Command, limit: Duration) -> Result<Outcome> {
    let line = describe_command(command);
    let _timer = CommandTimer::new(Path::new(command.get_program()));
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start `{line}`"))?;
    let stdout = read_all(child.stdout.take());
    let stderr = read_all(child.stderr.take());
    let Some(status) = wait(&mut child, limit)? else {
        bail!("`{line}` did not end within {} s", limit.as_secs());
    };
    let stdout = stdout.join().expect("reading does not panic");
    let stderr = stderr.join().expect("reading does not panic");
    let stderr = String::from_utf8_lossy(&stderr).into_owned();
    Ok(Outcome { code: status.code(), stdout, stderr, line })
}

fn describe_command(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

/// Reads on a thread of its own, so that a program that writes much to both streams cannot block.
fn read_all(stream: Option<impl Read + Send + 'static>) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            // What was read before an error still helps to see what went wrong.
            let _ = stream.read_to_end(&mut bytes);
        }
        bytes
    })
}

/// How the child ended, or `None` after it had to be killed.
fn wait(child: &mut Child, limit: Duration) -> Result<Option<ExitStatus>> {
    let status = child.wait_timeout(limit)?;
    if status.is_none() {
        child.kill()?;
        child.wait()?;
    }
    Ok(status)
}
