//! Tests of the tool as its users meet it: whole programs rewritten, built, run and compared.
//!
//! One file is one test: a C file dropped into `accept`, `reject` or `stages` is found here. What a file cannot say
//! stands in the other modules; `checkers` runs the same programs under tools that watch them. `README.md` explains the
//! directives and goldens.

mod accept;
mod bench;
#[expect(dead_code, reason = "its function main")]
#[path = "../examples/bench/main.rs"]
mod bench_program;
mod builds;
mod case;
mod checkers;
mod command;
mod command_line;
mod compare;
mod conventions;
#[cfg(feature = "device")]
mod devices;
mod examples;
mod explain;
mod fallback;
mod faults;
mod files;
mod forms;
#[path = "fuzz/src/case.rs"]
mod fuzz_case;
mod generated;
mod golden;
mod json;
mod kernel_cache;
mod linking;
mod literals;
mod modules;
mod names;
mod own;
mod patches;
mod program;
mod random;
mod real;
mod reject;
mod remedy;
mod replay;
mod runtime;
mod shared;
mod small_calls;
mod sources;
mod stages;
mod steps;
mod sub_groups;
mod timing;
mod tuning;
mod verify;
mod wide;
mod wrapper;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};

fn main() -> ExitCode {
    let code = run();
    shared::remove();
    code
}

fn run() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let Some(("soak", rest)) = words.split_first().map(|(first, rest)| (first.as_str(), rest)) {
        return random::soak(rest);
    }
    if let Some(("soak-c", rest)) = words.split_first().map(|(first, rest)| (first.as_str(), rest)) {
        return random::dialect::soak(rest);
    }
    if words.first().is_some_and(|first| first == bench::WORD) {
        return bench_program::run_program(std::env::args_os().skip(1));
    }
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    // The slowest tests are here; last ones of a run, they would leave all cores but one idle.
    trials.extend(random::trials());
    trials.extend(verify::trials());
    trials.extend(runtime::trials());
    trials.extend(accept::trials());
    trials.extend(examples::trials());
    trials.extend(reject::trials());
    trials.extend(replay::trials());
    trials.extend(stages::trials());
    trials.extend(steps::trials());
    trials.extend(sub_groups::trials());
    trials.extend(fallback::trials());
    trials.extend(faults::trials());
    trials.extend(bench::trials());
    trials.extend(wide::trials());
    trials.extend(small_calls::trials());
    trials.extend(command_line::trials());
    trials.extend(conventions::trials());
    trials.extend(explain::trials());
    trials.extend(json::trials());
    trials.extend(wrapper::trials());
    trials.extend(linking::trials());
    trials.extend(builds::trials());
    trials.extend(kernel_cache::trials());
    trials.extend(files::trials());
    trials.extend(forms::trials());
    trials.extend(generated::trials());
    trials.extend(modules::trials());
    trials.extend(names::trials());
    trials.extend(own::trials());
    trials.extend(patches::trials());
    trials.extend(sources::trials());
    trials.extend(tuning::trials());
    trials.extend(real::trials());
    #[cfg(feature = "device")]
    trials.extend(devices::trials());
    trials.extend(checkers::trials());
    let conclusion = libtest_mimic::run(&arguments, trials);
    checkers::print_counts();
    timing::print_times();
    conclusion.exit_code()
}

/// A test whose failure is told with all its causes.
fn trial(name: String, check: impl FnOnce() -> anyhow::Result<()> + Send + 'static) -> Trial {
    Trial::test(name.clone(), move || timing::timed(name, check).map_err(|error| Failed::from(format!("{error:#}"))))
}

/// A test that needs nothing from outside.
type Check = fn() -> anyhow::Result<()>;

/// Tests written as functions, named `group::name`.
fn trials_of(group: &str, checks: &[(&str, Check)]) -> Vec<Trial> {
    checks.iter().map(|(name, check)| trial(format!("{group}::{name}"), *check)).collect()
}
