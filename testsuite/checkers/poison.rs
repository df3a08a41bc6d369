//! Device memory that no array fills holds a pattern instead of zero, and every result must still be the original's;
//! the runtime then checks that kernels have written nothing but cells of sweeps (`src/back/runtime/poison.c`).

use anyhow::{Context, Result, ensure};
use libtest_mimic::Trial;

use super::subject::{Prepared, Subject, VARIANTS, count_launches, trials_of_subjects};
use super::tally;
use crate::accept::{DIRECT, LOCAL_THREE};
use crate::command::{Outcome, run};
use crate::compare::check_same_bytes;
use crate::trials_of;

/// In both precisions a NaN, which arithmetic keeps, and a large negative number, which comparisons see.
const PATTERNS: [&str; 2] = ["-DSTENCIL_POISON=0x7ff4dead7fb4deadu", "-DSTENCIL_POISON=0xff7ffffbff7ffffbu"];

/// What a poisoned program says under `STENCIL_VERBOSE=1`, once a call or, where the host is told what steps fold, more often.
const CHECKED: &str = "poison: only cells of sweeps have changed";

/// What every test run checks.
const FEW: [&str; 6] = ["boundary_before", "conditions_wrap", "fields_coupled", "if_affine", "rank_three", "type_char"];

pub fn trials() -> Vec<Trial> {
    let mut trials = trials_of_subjects("poison", &FEW, check);
    trials.extend(trials_of(
        "poison",
        &[
            ("a_store_beside_the_domain_is_reported", check_store_beside),
            ("a_used_margin_changes_the_result", check_used_margin),
        ],
    ));
    trials
}

fn check(subject: &Subject) -> Result<()> {
    let runs = subject.runs();
    let expected = subject.expected(&runs)?;
    for variant in &VARIANTS {
        let prepared = subject.prepare(variant)?;
        for pattern in PATTERNS {
            let what = format!("variant {}, {pattern}", variant.name);
            let outcomes = run_poisoned(&prepared, pattern, &runs).context(what.clone())?;
            let mut launches = 0;
            for (outcome, expected) in outcomes.into_iter().zip(&expected) {
                let outcome = outcome.succeeded().context(what.clone())?;
                check_same_bytes(&what, expected, &outcome.stdout)?;
                let calls = outcome.count_lines_with(" launches, kernels ");
                ensure!(outcome.count_lines_with(CHECKED) >= calls, "{what}: not checked\n{}", outcome.describe());
                launches += count_launches(&outcome, None)?;
            }
            ensure!(launches > 0, "{what}: no kernel ran");
            tally::POISON.add(expected.len(), launches);
        }
    }
    Ok(())
}

fn run_poisoned(prepared: &Prepared, pattern: &str, runs: &[Vec<String>]) -> Result<Vec<Outcome>> {
    let executable = prepared.build(&[pattern], &[])?;
    let outcomes = runs.iter().map(|arguments| {
        let mut command = prepared.variant.on_device(&prepared.files, &executable)?;
        run(command.args(arguments).env("STENCIL_STRICT", "1").env("STENCIL_VERBOSE", "1"))
    });
    outcomes.collect()
}

/// Replaces `from` by `to` in every kernel of a program, and runs it with and without poison.
fn run_damaged(prepared: &Prepared, from: &str, to: &str) -> Result<[Outcome; 2]> {
    prepared.damage(from, to)?;
    let run = |pattern| Ok(run_poisoned(prepared, pattern, &[Vec::new()])?.remove(0)) as Result<Outcome>;
    Ok([run("-DSTENCIL_POISON=0")?, run(PATTERNS[0])?])
}

/// A row too many is stored where no sweep computes; without poison nobody would notice.
fn check_store_beside() -> Result<()> {
    let prepared = Subject::case("copy_back_interior").prepare(&DIRECT)?;
    let [clean, poisoned] = run_damaged(&prepared, "x0 <= hi0_0", "x0 <= hi0_0 + 1")?;
    clean.succeeded()?;
    poisoned.failed()?.check_says("which no sweep computes")
}

/// The first cell of a tile's local memory is a margin in tiles at the border.
fn check_used_margin() -> Result<()> {
    let subject = Subject::case("copy_back_interior");
    let expected = subject.expected(&[Vec::new()])?;
    let prepared = subject.prepare(&LOCAL_THREE)?;
    let [clean, poisoned] = run_damaged(&prepared, "0.25 * (local0_0", "0.25 * (0 * local0_0[0] + local0_0")?;
    check_same_bytes("without poison", &expected[0], &clean.succeeded()?.stdout)?;
    ensure!(poisoned.succeeded()?.stdout != expected[0], "a margin does not matter");
    Ok(())
}
