//! Of which of its steps a launch stores what.

use std::collections::BTreeSet;

use crate::poly::{Origin, Recurrences, SlotChoice};

/// Which values a launch stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaves {
    /// Those that the next steps read.
    Inputs,
    /// Those that the nest's results are made of too: the last launch of several steps must.
    Results,
    /// Those that the next steps read, and of each step what its [`Folded`](super::Folded) values come to.
    Folds,
}

/// The largest distance in time at which any dependence reads the sweep's values; 0 if only its own step does.
pub fn longest_distance(recurrences: &Recurrences, sweep: usize) -> i64 {
    let dependences = recurrences.sweeps.dependences.iter();
    dependences.filter(|d| d.origin == Origin::Sweep(sweep)).filter_map(|d| d.distance).max().unwrap_or(0)
}

/// Number of single steps that must follow launches that leave [`Leaves::Inputs`] so that every slot with a result holds its
/// final version.
pub fn last_single_steps(recurrences: &Recurrences) -> usize {
    let missing = |sweep| kept(recurrences, sweep, Leaves::Results) - kept(recurrences, sweep, Leaves::Inputs);
    (0..recurrences.storage.writes.len()).map(missing).max().unwrap_or(0)
}

/// The fields and slots that hold, behind any launch of several steps, what the next step reads; slot `r` is `(t + r) mod slots`
/// where `t` steps are complete by then.
pub fn slots_kept(recurrences: &Recurrences) -> BTreeSet<(usize, usize)> {
    let storage = &recurrences.storage;
    let mut found = BTreeSet::new();
    for (field, ring) in &storage.writes {
        let writers = (0..storage.writes.len()).filter(|sweep| storage.writes[*sweep].0 == *field);
        let versions = writers.map(|sweep| longest_distance(recurrences, sweep)).min().unwrap_or(0);
        let slots = storage.fields[*field].slots;
        found.extend((1..=versions).map(|ago| match ring {
            SlotChoice::Rotating(shift) => (*field, (shift - ago).rem_euclid(slots as i64) as usize),
            SlotChoice::Fixed(slot) => (*field, *slot),
        }));
    }
    found
}

/// More steps than any launch has.
const EVERY_STEP: usize = 1 << 30;

/// Rows of histories that a kernel may store, and about as many that it may read: each is an argument, and every device takes
/// 128 pointers. Deeper tiles hardly move less, as each level stores its rows.
const MOST_ROWS: usize = 16;

/// The most levels that a tile may have: each stores a row of each history.
pub fn most_levels(recurrences: &Recurrences) -> usize {
    let histories = recurrences.storage.fields.iter().filter(|field| field.is_history()).count();
    MOST_ROWS.checked_div(histories).unwrap_or(usize::MAX)
}

/// Of how many of the last steps of a launch a sweep's values are stored.
fn kept(recurrences: &Recurrences, sweep: usize, leaves: Leaves) -> usize {
    let read = longest_distance(recurrences, sweep).max(0) as usize;
    let (field, _) = recurrences.storage.writes[sweep];
    if recurrences.storage.fields[field].is_history() {
        return EVERY_STEP;
    }
    match leaves {
        Leaves::Inputs | Leaves::Folds => read,
        Leaves::Results => read.max(result_versions(recurrences, sweep)),
    }
}

/// Versions of the field that a sweep writes among the results.
fn result_versions(recurrences: &Recurrences, sweep: usize) -> usize {
    let storage = &recurrences.storage;
    let (field, _) = storage.writes[sweep];
    let results = storage.results.iter().filter(|result| result.field == field);
    results.map(|result| format!("{:?}", result.slot)).collect::<std::collections::BTreeSet<_>>().len()
}

/// Whether a launch of so many levels stores what a sweep computes in one of them; in a single step anybody may want it.
pub fn is_output(recurrences: &Recurrences, level: usize, sweep: usize, levels: usize, leaves: Leaves) -> bool {
    let kept = kept(recurrences, sweep, leaves);
    level + if levels == 1 { kept.max(1) } else { kept } >= levels
}
