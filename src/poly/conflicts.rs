//! Reads that need what an element holds before a sweep stores it anew in the same step.
//!
//! Example: in `if (a[i] + b[i] > 0) { a[i] = f(b[i]); b[i] = g(a_before); }` either sweep must read before the other one stores.

use std::collections::{BTreeMap, BTreeSet};

use isl_bindings::{DimKind, Map};

use super::order::{OrderedBy, place, within_one_step};
use super::sweep::{Dependence, Origin, Reading, Sweep};
use super::{Memory, Result, Sweeps};
use crate::ir::{Access, Array, Handle, Nest};

/// For each sweep that stores elements of one array the sweeps that must be done before.
pub struct Conflicts {
    before: BTreeMap<usize, BTreeSet<usize>>,
}

impl Conflicts {
    /// Those of `array`, where an element has one place.
    pub fn new(memory: &Memory<'_>, sweeps: &Sweeps, array: Handle<Array>) -> Result<Self> {
        let nest = memory.nest;
        let numbered = || sweeps.sweeps.iter().enumerate();
        let mut before = BTreeMap::new();
        for (writer, sweep) in numbered().filter(|(_, sweep)| sweep.array == array) {
            let leg = nest.step.leg_of(place(nest, sweep));
            let is_of_leg = |it: &usize| nest.step.leg_of(place(nest, &sweeps.sweeps[*it])) == leg;
            let mut earlier = BTreeSet::new();
            for reading in sweeps.readings.iter().filter(|it| it.sweep != writer && is_of_leg(&it.sweep)) {
                let is_of_array = nest.accesses[reading.group.first()].array == array;
                if is_of_array && reads_before(memory, sweeps, reading, writer)? {
                    earlier.insert(reading.sweep);
                }
            }
            let is_stored_before = |other: &usize| place(nest, &sweeps.sweeps[*other]) < place(nest, sweep);
            for (other, _) in numbered().filter(|(_, other)| other.array == array) {
                if is_stored_before(&other) && !sweeps.sweeps[other].domain.is_disjoint(&sweep.domain)? {
                    earlier.insert(other);
                }
            }
            before.insert(writer, earlier);
        }
        Ok(Self { before })
    }

    /// What the order of a step follows besides the values that sweeps need of each other.
    pub fn order(&self) -> OrderedBy {
        self.before.iter().flat_map(|(after, before)| before.iter().map(|before| (*before, *after))).collect()
    }

    /// The statements whose stores must wait although others wait for their values, as `needs`, pairs of a sweep and one that
    /// needs it, and these conflicts together go in circles; the last store of several can stay, but where another one waits
    /// already.
    pub fn in_circles(&self, memory: &Memory<'_>, sweeps: &Sweeps, needs: &OrderedBy) -> Vec<usize> {
        let all: OrderedBy = needs.union(&self.order()).copied().collect();
        let mut found: Vec<usize> = self.before.keys().copied().filter(|it| reaches(&all, *it, *it)).collect();
        found.sort_by_key(|it| place(memory.nest, &sweeps.sweeps[*it]));
        let may_wait = |it: &usize| may_wait(memory.nest, sweeps.sweeps[*it].statement);
        if found.len() > 1 && found.iter().all(may_wait) {
            found.pop();
        }
        found.into_iter().filter(may_wait).map(|it| sweeps.sweeps[it].statement).collect()
    }
}

/// Whether what a statement stores may wait in an array of the driver's, and does not do so already.
fn may_wait(nest: &Nest, statement: usize) -> bool {
    let write = &nest.accesses[nest.step.statements[statement].write];
    let copied = nest.copied_read(statement).map(|read| nest.accesses[read].array);
    let waits_already = copied.is_some_and(|array| nest.step.staged.contains(&array));
    let is_declared = nest.step.grids.iter().any(|it| it.array == write.array && !it.is_trail);
    let is_of_program = || nest.arrays[write.array].buffers.iter().all(|it| !nest.is_of_driver(it.variable));
    !waits_already && (is_declared || is_of_program())
}

/// The statements whose sweeps read elements of `array` that other points of theirs store in the same step: `a[i] = a[i + 1];`.
pub fn with_themselves(memory: &Memory<'_>, sweeps: &Sweeps, array: Handle<Array>) -> Result<Vec<usize>> {
    let mut found = BTreeSet::new();
    for reading in &sweeps.readings {
        let sweep = &sweeps.sweeps[reading.sweep];
        if sweep.array != array || memory.nest.accesses[reading.group.first()].array != array {
            continue;
        }
        let meetings = meetings(reading, sweep)?;
        let mut dims = 0..meetings.dim(DimKind::In)?;
        let of_one_point = dims.try_fold(meetings.clone(), |same, d| same.equate(DimKind::In, d, DimKind::Out, d))?;
        if !meetings.is_subset(&of_one_point)? {
            found.insert(sweep.statement);
        }
    }
    Ok(found.into_iter().filter(|it| may_wait(memory.nest, *it)).collect())
}

/// Where a reading touches what a sweep stores in the same step, `[p] -> { K0[t, x, y] -> K1[t, x', y'] }`.
fn meetings(reading: &Reading, sweep: &Sweep) -> Result<Map> {
    let touched = reading.group.joined(&reading.touched)?;
    Ok(touched.apply_range(&sweep.write.reverse()?)?.equate(DimKind::In, 0, DimKind::Out, 0)?)
}

/// The reads that get what `waiting` store in the same step, and nothing else.
pub fn reads_of_step(memory: &Memory<'_>, sweeps: &Sweeps, waiting: &[usize]) -> BTreeSet<Handle<Access>> {
    let is_of_step = |it: &Dependence| match it.origin {
        Origin::Sweep(origin) => it.distance == Some(0) && waiting.contains(&sweeps.sweeps[origin].statement),
        Origin::Initial(_) => false,
    };
    let (of_step, others): (Vec<_>, Vec<_>) = sweeps.dependences.iter().partition(|it| is_of_step(it));
    let reads = |from: &[&Dependence]| from.iter().flat_map(|it| it.reads.keys().copied()).collect::<BTreeSet<_>>();
    let is_found_at_places = |read: &Handle<Access>| !memory.nest.accesses[*read].is_speculative;
    reads(&of_step).difference(&reads(&others)).copied().filter(is_found_at_places).collect()
}

/// Whether pairs lead from one sweep to another.
fn reaches(pairs: &OrderedBy, from: usize, to: usize) -> bool {
    let (mut seen, mut pending) = (BTreeSet::new(), vec![from]);
    while let Some(next) = pending.pop() {
        for (_, after) in pairs.range((next, 0)..=(next, usize::MAX)) {
            if *after == to {
                return true;
            }
            if seen.insert(*after) {
                pending.push(*after);
            }
        }
    }
    false
}

/// Whether a reading needs what elements hold before the sweep `writer` stores them in the same step.
fn reads_before(memory: &Memory<'_>, sweeps: &Sweeps, reading: &Reading, writer: usize) -> Result<bool> {
    let sweep = &sweeps.sweeps[writer];
    let mut pairs = meetings(reading, sweep)?;
    for source in &sweeps.dependences[reading.sources.clone()] {
        let Origin::Sweep(origin) = source.origin else { continue };
        let is_behind = place(memory.nest, &sweeps.sweeps[origin]) > place(memory.nest, sweep);
        let Some(within) = within_one_step(source)? else { continue };
        if origin == writer {
            pairs = pairs.subtract(&within)?;
        } else if is_behind && reading.group.members.len() == 1 {
            // What it reads was stored again since.
            pairs = pairs.subtract(&pairs.intersect_domain(&within.domain()?)?)?;
        }
    }
    Ok(!pairs.is_empty()?)
}
