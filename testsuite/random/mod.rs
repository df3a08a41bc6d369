//! Random programs: drawn from seeds, rewritten under random plans, compared with the original.
//!
//! | module | what it does |
//! |---|---|
//! | [`model`] | what a program is |
//! | [`draw`] | a seed → a program |
//! | [`trace`] | a program → whether it is valid and legal |
//! | [`write`] | a program → C |
//! | [`plan`] | a seed → the options of some plans |
//! | [`check`] | builds, rewrites, runs, compares |
//! | [`shrink`] | a failing program → the smallest that fails in the same way |
//! | [`limits`] | legal programs that the tool is known to refuse |
//! | [`soak`] | as many seeds as fit into a time |

mod check;
mod draw;
mod model;
mod plan;
mod trace;
mod visit;
mod write;

use anyhow::{Context, Result, bail};
use libtest_mimic::Trial;

use check::Sandbox;
use draw::Random;

/// Seeds of legal programs in every run of the tests.
const LEGAL: u64 = 30;

pub fn trials() -> Vec<Trial> {
    (0..LEGAL).map(|seed| crate::trial(format!("random::legal_{seed:03}"), move || check_legal(seed))).collect()
}

fn check_legal(seed: u64) -> Result<()> {
    let program = draw::draw_legal(seed).context("no legal program was drawn")?;
    let plans = plan::draw_plans(&mut Random::new(seed), program.rank, 2);
    let sandbox = Sandbox::new(&program, "random")?;
    if let Err(failure) = sandbox.check_plans(&plans) {
        bail!("{:?}: {}\n{}", failure.kind, failure.message, write::write_program(&program, "random"));
    }
    Ok(())
}
