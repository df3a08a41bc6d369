//! Tests of the tool as its users meet it: whole programs rewritten, built, run and compared.
//!
//! One file is one test: a C file dropped into `accept`, `reject` or `stages` is found here. What a file cannot say
//! stands in the modules `fallback`, `command_line`, `wrapper` and `devices`. `README.md` explains the directives and
//! goldens.

mod accept;
mod case;
mod command;
mod command_line;
mod compare;
#[cfg(feature = "device")]
mod devices;
mod examples;
mod fallback;
#[path = "fuzz/src/case.rs"]
mod fuzz_case;
mod golden;
mod literals;
mod program;
mod reject;
mod replay;
mod stages;
mod wrapper;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    trials.extend(accept::trials());
    trials.extend(examples::trials());
    trials.extend(reject::trials());
    trials.extend(replay::trials());
    trials.extend(stages::trials());
    trials.extend(fallback::trials());
    trials.extend(command_line::trials());
    trials.extend(wrapper::trials());
    #[cfg(feature = "device")]
    trials.extend(devices::trials());
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// A test whose failure is told with all its causes.
fn trial(name: String, check: impl FnOnce() -> anyhow::Result<()> + Send + 'static) -> Trial {
    Trial::test(name, move || check().map_err(|error| Failed::from(format!("{error:#}"))))
}

/// A test that needs nothing from outside.
type Check = fn() -> anyhow::Result<()>;

/// Tests written as functions, named `group::name`.
fn trials_of(group: &str, checks: &[(&str, Check)]) -> Vec<Trial> {
    checks.iter().map(|(name, check)| trial(format!("{group}::{name}"), *check)).collect()
}
