//! Random programs: drawn from seeds, rewritten under random plans, compared with the original.
//!
//! | module | what it does |
//! |---|---|
//! | [`model`] | what a program is |
//! | [`ways`] | how it is written where C has several ways |
//! | [`carried`] | scalars that a loop carries from point to point |
//! | [`folds`] | scalars that it folds over points |
//! | [`needs`] | a part of a program → what it names |
//! | [`draw`] | a seed → a program |
//! | [`mutate`] | a legal program → one that may not be |
//! | [`trace`] | a program → whether it is valid and legal |
//! | [`write`] | a program → C |
//! | [`plan`] | a seed → the options of some plans |
//! | [`check`] | builds, rewrites, runs, compares |
//! | [`experiment`] | a seed → a program, what is expected of it, what happened |
//! | [`limits`] | legal programs that the tool is known to refuse |
//! | [`visit`], [`shrink`] | a failing program → the smallest that fails in the same way |
//! | [`soak`] | as many seeds as fit into a time |
//! | [`dialect`] | another stream: C's whole language around small nests |
//!
//! A new form of programs joins by an entry in a table: a storage idiom in `draw::idioms::IDIOMS`, a shape of values in
//! `draw::values::SHAPES`, an element type in `model::Element::ALL`, a strategy in `plan::STRATEGIES`, a disguise of
//! dependences in `mutate::MUTATIONS`, a way to simplify it in `shrink::REDUCTIONS`.

mod carried;
mod check;
pub mod dialect;
mod draw;
mod experiment;
mod folds;
mod limits;
mod model;
mod mutate;
mod needs;
mod plan;
mod shrink;
mod soak;
mod trace;
mod visit;
mod ways;
mod workers;
mod write;

use anyhow::{Context, Result, bail};
use libtest_mimic::Trial;

use check::Optimises;
use draw::Further;
use experiment::{Experiment, Outcome, Stream};
pub use soak::soak;

use crate::accept::is_whole;

const PLAIN: Further = Further { has_measured_loops: false, tells: false, feeds: false, leans: false };
const BOUNDED: Further = Further { has_measured_loops: true, ..PLAIN };
const TOLD: Further = Further { tells: true, ..PLAIN };
const LEANING: Further = Further { leans: true, ..PLAIN };

/// Seeds of every run of the tests: legal programs, illegal ones, those that may be either, those whose loop the host keeps, and
/// those with forms that are drawn only where they are asked for.
const SEEDS: [(&str, Stream, Further, u64); 7] = [
    ("legal", Stream::Legal, PLAIN, 24),
    ("illegal", Stream::Illegal, PLAIN, 40),
    ("unsure", Stream::Unsure, PLAIN, 4),
    ("kept", Stream::Kept, PLAIN, 12),
    ("bounded", Stream::Legal, BOUNDED, 6),
    ("told", Stream::Kept, TOLD, 8),
    ("leaning", Stream::Legal, LEANING, 6),
];

pub fn trials() -> Vec<Trial> {
    let trials = |(name, stream, further, count): (&str, Stream, Further, u64)| -> Vec<Trial> {
        let name = |seed: u64| format!("random::{name}_{seed:03}");
        (0..count).map(|seed| crate::trial(name(seed), move || check_seed(stream, further, seed))).collect()
    };
    SEEDS.into_iter().flat_map(trials).chain(dialect::trials()).collect()
}

fn check_seed(stream: Stream, further: Further, seed: u64) -> Result<()> {
    let experiment = Experiment::new(stream, seed, further).context("no such program was drawn")?;
    let experiment = if is_whole() { experiment } else { experiment.that_optimises(Optimises::Short) };
    if let Outcome::Failed(failure) = experiment.check() {
        let small = experiment.shrink(&failure);
        bail!("{:?}: {}\n{}", failure.kind, failure.message, small.show(&failure.describe()));
    }
    Ok(())
}
