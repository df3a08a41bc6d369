//! All that is known of a nest once its sets have been solved.

use std::collections::BTreeSet;

use isl_bindings::Context;

use super::alias::compute_aliases;
use super::cells::{ResultCells, SweepCells};
use super::covers::check_covers;
use super::divisors::check_divisors;
use super::extents::check_extents;
use super::footprint::{Footprint, changed_elements, footprints};
use super::memory::has_read_groups;
use super::{Memory, Names, Reads, Recurrences, Refusal, Result, StencilResult};
use crate::ir::{Handle, Nest};

/// Operations that isl may spend on one nest, and so many more for each access, up to a limit. They are counted, not timed, so that
/// the same nests are refused on every machine, small ones within about a second. The nests of the examples and tests take a half
/// of them at most.
const OPERATION_LIMIT: u64 = 2_500_000;
const OPERATIONS_AN_ACCESS: u64 = 250_000;
const MOST_OPERATIONS: u64 = 16_000_000;

/// How much is tried for a nest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// What is enough for most nests, where there is something else to try.
    Short,
    /// All.
    Whole,
}

/// The recurrences of a nest and the cells and elements that they touch. Whoever has it needs no integer set any more but to
/// derive tiles, and meets no nest that cannot be rewritten.
pub struct Analysis<'a> {
    /// The nest.
    pub nest: &'a Nest,
    /// Names in its sets and in what is written for it.
    pub names: &'a Names,
    /// Sweeps and storage.
    pub recurrences: Recurrences,
    /// For each sweep its cells.
    pub cells: Vec<SweepCells>,
    /// Elements that the nest touches of arrays that the host has, by buffer.
    pub footprints: Vec<Footprint>,
    /// Pairs of footprints of arrays that may be the same memory without a difference.
    pub aliases: Vec<(usize, usize)>,
    /// The elements that the nest changes.
    pub results: Vec<ResultCells>,
}

/// Operations that the analysis of a nest, with its tiles, may take.
pub fn operation_limit(nest: &Nest) -> u64 {
    MOST_OPERATIONS.min(OPERATION_LIMIT + OPERATIONS_AN_ACCESS * nest.accesses.len() as u64)
}

impl<'a> Analysis<'a> {
    /// Analyses `nest`.
    ///
    /// # Errors
    /// Why the nest cannot be rewritten.
    pub fn new(nest: &'a Nest, names: &'a Names, effort: Effort) -> Result<Self> {
        // Together reads are analysed faster, and apart what is wrong with one of them shows.
        match Self::with_last_writes(nest, names, Reads::Grouped) {
            Err(Refusal::TooComplex) => Err(Refusal::TooComplex),
            Err(_) if effort == Effort::Whole && has_read_groups(nest, names) => {
                Self::with_last_writes(nest, names, Reads::Apart)
            }
            together => together,
        }
    }

    /// Analyses `nest`; of statements that store an element in several iterations of a step, the last one counts.
    fn with_last_writes(nest: &'a Nest, names: &'a Names, reads: Reads) -> Result<Self> {
        let (mut overwriting, mut first) = (BTreeSet::new(), None);
        loop {
            match Self::with_reads(nest, names, reads, &overwriting) {
                Err(Refusal::WrittenTwice(statement)) if overwriting.insert(statement) => {
                    first.get_or_insert(statement)
                }
                Err(Refusal::TooComplex) if let Some(statement) = first => {
                    return Err(Refusal::WrittenTwice(statement));
                }
                found => return found,
            };
        }
    }

    /// Analyses `nest`, groups of its reads together or each read alone, and of some statements the last stores of each step.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub(super) fn with_reads(
        nest: &'a Nest,
        names: &'a Names,
        reads: Reads,
        overwriting: &BTreeSet<usize>,
    ) -> Result<Self> {
        let context = Context::with_limit(operation_limit(nest))?;
        let mut memory = Memory::new(&context, nest, names, reads)?;
        memory.leave_last_writes(overwriting)?;
        check_divisors(&memory)?;
        check_covers(&memory)?;
        check_extents(&memory)?;
        let recurrences = Recurrences::new(&memory)?;
        let mut footprints = footprints(&memory)?;
        footprints.retain(|footprint| !nest.is_on_device_alone(footprint.array));
        let place = |array: Handle<_>| footprints.iter().position(|footprint| footprint.array == array);
        let aliases = compute_aliases(&memory, |array| place(array).is_some()).into_iter();
        Ok(Self {
            nest,
            names,
            cells: sweep_cells(&memory, &recurrences)?,
            results: result_cells(&memory, &recurrences)?,
            aliases: aliases.filter_map(|(one, other)| Some((place(one)?, place(other)?))).collect(),
            footprints,
            recurrences,
        })
    }
}

fn sweep_cells(memory: &Memory<'_>, recurrences: &Recurrences) -> Result<Vec<SweepCells>> {
    (0..recurrences.sweeps.sweeps.len()).map(|index| SweepCells::new(memory, recurrences, index)).collect()
}

/// The results with those of their elements that the program changes.
fn result_cells(memory: &Memory<'_>, recurrences: &Recurrences) -> Result<Vec<ResultCells>> {
    let mut found = Vec::new();
    let results = recurrences.storage.results.iter();
    for result in results.filter(|result| !memory.nest.is_on_device_alone(result.array)) {
        let changed = changed_elements(memory, result.array, result.buffer)?;
        if let Some(elements) = changed.filter(|elements| !elements.is_empty().unwrap_or(false)) {
            found.push(ResultCells::new(memory, StencilResult { elements, ..result.clone() })?);
        }
    }
    Ok(found)
}
