//! All sweeps of a nest.

use std::collections::BTreeMap;

use isl_bindings::Map;

use super::flow::Pieces;
use super::readings::Readings;
use super::sweep::{Dependence, Origin, Reading, Sweep};
use super::{Dataflow, Memory, Refusal, Result, Source};
use crate::ir::{Array, Handle};

/// Where final values come from, `[p] -> { Z0[b, x, y] -> K0[t, x, y] }` by origin.
pub type FinalValues = Vec<(Origin, Map)>;

/// All sweeps of a nest in textual order, and their dependences.
pub struct Sweeps {
    /// The sweeps.
    pub sweeps: Vec<Sweep>,
    /// What they read.
    pub readings: Vec<Reading>,
    /// Sources of all reads of arrays that the nest writes.
    pub dependences: Vec<Dependence>,
    /// Statements that no point of any step executes.
    pub never_executed: Vec<usize>,
    /// For each written array of the host's what its elements hold after the nest, `[p] -> { Z0[b, x, y] -> K0[t, x, y] }`.
    pub finals: Vec<(Handle<Array>, FinalValues)>,
}

impl Sweeps {
    /// Sweeps for all statements but those that are never executed, those whose values nobody gets, and those in `eliminated`, which
    /// `flow` already looks through.
    ///
    /// # Errors
    /// No statement that is ever executed; one that writes an element twice in a step, or other cells in some steps than in
    /// others.
    pub fn new(memory: &Memory<'_>, flow: &Dataflow, eliminated: &[usize]) -> Result<Self> {
        let (mut sweeps, mut never_executed) = (Vec::new(), Vec::new());
        let mut sweep_of = vec![None; memory.nest.step.statements.len()];
        for (statement, place) in sweep_of.iter_mut().enumerate() {
            if memory.writes[statement].is_empty()? {
                never_executed.push(statement);
            } else if !eliminated.contains(&statement) && is_needed(memory, flow, statement) {
                *place = Some(sweeps.len());
                sweeps.push(Sweep::new(memory, statement, sweeps.len())?);
            }
        }
        if let (true, Some(first)) = (sweeps.is_empty(), never_executed.first()) {
            return Err(Refusal::NeverExecuted(*first));
        }
        let mut origins = BTreeMap::new();
        for (read, pieces) in &flow.reads {
            origins.insert(*read, in_cells(&sweeps, &sweep_of, pieces)?);
        }
        let Readings { readings, dependences, .. } = Readings::new(memory, &sweeps, &origins)?;
        let mut finals = Vec::new();
        for (&array, pieces) in flow.finals.iter().filter(|(array, _)| !memory.nest.is_on_device_alone(**array)) {
            finals.push((array, in_cells(&sweeps, &sweep_of, pieces)?));
        }
        Ok(Self { sweeps, readings, dependences, never_executed, finals })
    }
}

/// Whether somebody may get what a statement stores: of an array that is on the device alone only the step's reads do.
fn is_needed(memory: &Memory<'_>, flow: &Dataflow, statement: usize) -> bool {
    let nest = memory.nest;
    let array = nest.accesses[nest.step.statements[statement].write].array;
    let is_source = |(source, _): &(Source, Map)| *source == Source::Statement(statement);
    !nest.is_on_device_alone(array) || flow.reads.values().flatten().any(is_source)
}

fn origin_of(sweep_of: &[Option<usize>], source: Source) -> Origin {
    match source {
        Source::Statement(statement) => {
            Origin::Sweep(sweep_of[statement].expect("eliminated statements are nobody's source"))
        }
        Source::Initial(array) => Origin::Initial(array),
    }
}

/// Sources as computed cells, `[p] -> { R5[t, i] -> K1[t, x, y] }`, or initial elements.
fn in_cells(sweeps: &[Sweep], sweep_of: &[Option<usize>], pieces: &Pieces) -> Result<Vec<(Origin, Map)>> {
    let mut found = Vec::new();
    for (source, map) in pieces {
        let origin = origin_of(sweep_of, *source);
        let relation = match origin {
            Origin::Sweep(index) => map.apply_range(&sweeps[index].instances)?,
            Origin::Initial(_) => map.clone(),
        };
        found.push((origin, relation));
    }
    Ok(found)
}
