//! Programs in C's whole language around small nests: integers, names and control flow are wild, storage is simple.
//!
//! The other streams of [`crate::random`] draw stencils and print them in the C that the front end was built for. Here it is the
//! other way round. A *unit* is a function with one marked nest whose arrays are copied, updated or exchanged in a simple
//! way, and whose bounds, conditions, subscripts, values, declarations and surroundings are C at large.
//!
//! | module | what it does |
//! |---|---|
//! | [`types`] | C's arithmetic types, their conversions and their arithmetic |
//! | [`model`] | what a unit is: a small tree of C |
//! | [`draw`] | a seed → a unit, from tables |
//! | [`interpret`] | a unit → whether it has a meaning and does something |
//! | [`write`] | a unit → C |
//! | [`program`] | seeds → a file of several units, the flags of its compilers, the plan of its nests |
//! | [`check`] | builds, rewrites, runs, compares, unit by unit |
//! | [`visit`], [`shrink`] | a failing unit → the smallest that fails in the same way |
//! | [`soak`] | as many seeds as fit into a time |
//!
//! # Invariants
//! - A seed gives the same unit on every machine: everything is drawn from it, and nothing of the machine is looked at.
//! - A unit is free of undefined behaviour, because the interpreter has run it: no signed overflow, no bad shift, no division
//!   by zero, no element that does not exist, no uninitialised value, no conversion out of range. Sanitizers confirm a sample.
//! - No unit is expected to be accepted. What the tool rewrites must leave the memory of the compiled original, scalars and pointers
//!   included; a refusal and a loud fall-back are counted only.
//! - What the tool writes compiles with the compiler, the standard and the warnings of the original.

mod check;
mod draw;
mod interpret;
mod model;
mod program;
mod shrink;
mod soak;
mod types;
mod visit;
mod write;

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Result, bail};
use libtest_mimic::Trial;

use check::{Verdict, check};
use program::{Program, UNITS};
pub use soak::soak;

/// Programs of every run of the tests.
const PROGRAMS: u64 = 12;

pub fn trials() -> Vec<Trial> {
    let trial = |program: u64| crate::trial(format!("random::c_{program:03}"), move || check_program(program * UNITS));
    (0..PROGRAMS).map(trial).collect()
}

fn check_program(seed: u64) -> Result<()> {
    let program = Program::draw(seed);
    let verdicts = check(&program, is_sanitized(seed));
    let failed = program.units.iter().zip(&verdicts).find(|(_, verdict)| verdict.failure().is_some());
    if let Some((unit, Verdict::Failed(kind, message))) = failed {
        let small = shrink::shrink(&program, unit, *kind, Duration::from_secs(30));
        bail!("{kind:?}: {message}\n{}", small.write(&title(&small, &format!("{kind:?}"))).0);
    }
    Ok(())
}

/// One program in ten is run with sanitizers.
fn is_sanitized(seed: u64) -> bool {
    (seed / UNITS).is_multiple_of(10)
}

/// The first comment of a program that is kept, with the directives of `accept`.
fn title(program: &Program, what: &str) -> Vec<String> {
    let setting = &program.setting;
    vec![
        format!("Random unit {}, {what}, under {}, with {}.", program.seed, program.describe_plan(), setting.compiler),
        format!("cflags: -std={} -fsigned-char -Wno-error", setting.standard),
    ]
}

fn keep(path: &Path, program: &Program, verdict: &Verdict) {
    let what = verdict.failure().map_or(String::new(), |kind| format!("{kind:?}"));
    // A file that cannot be written is no reason to stop a soak, which names the seed.
    let _ = fs::write(path, program.write(&title(program, &what)).0);
}
