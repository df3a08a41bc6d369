//! The rewritten programs of the suite under tools that watch them run.
//!
//! Every test run checks a few programs, each with its first command line. `TESTSUITE_WHOLE=1` checks all programs with
//! all command lines; the scripts `check-kernels`, `check-host` and `check-poison` set it.

mod host;
mod kernels;
mod poison;
mod subject;
mod tally;

use libtest_mimic::Trial;

pub use tally::print_counts;

pub fn trials() -> Vec<Trial> {
    let mut trials = kernels::trials();
    trials.extend(host::trials());
    trials.extend(poison::trials());
    trials
}
