//! Where every value comes from.

use std::collections::{BTreeMap, BTreeSet};

use isl_bindings::{DimKind, Map, Set};

use super::dataflow::{Instances, Sources, compute_sources};
use super::step_flow::StepFlow;
use super::{Memory, Refusal, Result, maps_by_name};
use crate::ir::{Access, Array, Handle};

/// What gives a read its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// The statement of that index.
    Statement(usize),
    /// What the array held before the nest.
    Initial(Handle<Array>),
}

/// The sources of one read; their domains are disjoint and together the read's domain.
pub type Pieces = Vec<(Source, Map)>;

/// The value-based flow dependences of a nest.
#[derive(Clone)]
pub struct Dataflow {
    /// For each read of an array that the nest writes: to the writing instance, `[p] -> { R5[t, i] -> S3[t, i, j] }`,
    /// or to the initial element, `[p] -> { R5[t, i] -> A0[b, x, y] }`.
    pub reads: BTreeMap<Handle<Access>, Pieces>,
    /// For each written array, for the elements it writes, what they hold after the nest,
    /// `[p] -> { Z0[b, x, y] -> S3[t, i, j] }`.
    pub finals: BTreeMap<Handle<Array>, Pieces>,
}

impl Dataflow {
    /// The dataflow of the nest as written.
    pub fn compute(memory: &Memory<'_>) -> Result<Self> {
        let sources = sources(memory)?;
        let all = maps_by_name(&sources.writes.union(&sources.initial)?)?;
        let pieces_of = |reader: String| pieces(memory, all.get(&reader).map_or(&[], Vec::as_slice));
        let mut reads = BTreeMap::new();
        for (access, _) in memory.reads_of_written() {
            reads.insert(access, pieces_of(format!("R{}", access.index()))?);
        }
        let mut finals = BTreeMap::new();
        for &array in &memory.written {
            finals.insert(array, pieces_of(format!("Z{}", array.index()))?);
        }
        Ok(Self { reads, finals })
    }

    /// What is on the device alone holds nothing when a step begins.
    ///
    /// # Errors
    /// A read of something else than what the same step has stored.
    pub fn check_grids(&self, memory: &Memory<'_>) -> Result<()> {
        for (read, pieces) in &self.reads {
            if !memory.nest.is_on_device_alone(memory.nest.accesses[*read].array) {
                continue;
            }
            for (source, map) in pieces {
                let is_of_step = matches!(source, Source::Statement(_))
                    && map.is_subset(&map.equate(DimKind::In, 0, DimKind::Out, 0)?)?;
                if !is_of_step {
                    return Err(Refusal::NotStored(*read));
                }
            }
        }
        Ok(())
    }

    /// The dataflow after looking through the given copy statements: who read a copy reads what was copied.
    ///
    /// `None` if a value passes through copies without end, as one that two arrays hand to each other in every step.
    pub fn through_copies(&self, memory: &Memory<'_>, copies: &[usize]) -> Result<Option<Self>> {
        let mut through = BTreeMap::new();
        for &copy in copies {
            let Some(read) = memory.nest.copied_read(copy) else { return Ok(None) };
            let Some(origin) = self.reads.get(&read) else { return Ok(None) };
            let evaluation = memory.evaluation(copy, read);
            let mut behind = Pieces::new();
            for (source, map) in origin {
                behind.push((*source, evaluation.apply_range(map)?));
            }
            through.insert(copy, behind);
        }
        let mut result = self.clone();
        for pieces in result.reads.values_mut().chain(result.finals.values_mut()) {
            let Some(composed) = compose(pieces, &through)? else { return Ok(None) };
            *pieces = composed;
        }
        Ok(Some(result))
    }
}

/// The sources of all reads of arrays that the nest writes, and of all elements behind the last step.
fn sources(memory: &Memory<'_>) -> Result<Sources> {
    let mut seen = Sources::none(&memory.context)?;
    let (mut reads, mut finals, mut open) = (Vec::new(), Vec::new(), BTreeSet::new());
    for &array in &memory.written {
        let flow = StepFlow::new(memory, array)?;
        for (access, read) in memory.reads_of_written().filter(|(read, _)| memory.nest.accesses[*read].array == array) {
            let is_seen = flow.as_ref().map_or(Ok(false), |flow| flow.add_read(access, read, &mut seen))?;
            if !is_seen {
                reads.push((access, read));
                open.insert(array);
            }
        }
        let elements = final_elements(memory, array)?;
        match flow {
            Some(flow) => flow.add_final(&elements, &mut seen)?,
            None => {
                finals.push(elements);
                open.insert(array);
            }
        }
    }
    let all = if open.is_empty() { seen } else { seen.union(&compute_open(memory, &reads, finals, &open)?)? };
    if cfg!(test) {
        check_sources(memory, &all)?;
    }
    Ok(all)
}

/// Checks that these sources are those that isl finds.
fn check_sources(memory: &Memory<'_>, sources: &Sources) -> Result<()> {
    let reads: Vec<_> = memory.reads_of_written().collect();
    let finals = memory.written.iter().map(|array| final_elements(memory, *array)).collect::<Result<_>>()?;
    let computed = compute_open(memory, &reads, finals, &memory.written.iter().copied().collect())?;
    assert!(computed.writes.is_equal(&sources.writes)?, "what is seen of sources is what isl computes");
    assert!(computed.initial.is_equal(&sources.initial)?, "what is seen of initial values is what isl computes");
    Ok(())
}

/// The sources of some reads and final elements, as isl finds them, all of arrays in `open`.
fn compute_open(
    memory: &Memory<'_>,
    reads: &[(Handle<Access>, &Map)],
    finals: Vec<Map>,
    open: &BTreeSet<Handle<Array>>,
) -> Result<Sources> {
    let (mut readers, mut writes) = (Vec::new(), Vec::new());
    for (index, write) in memory.writes.iter().enumerate() {
        let access = memory.nest.step.statements[index].write;
        if open.contains(&memory.nest.accesses[access].array) {
            writes.push(Instances { touched: write.clone(), schedule: memory.schedule(&format!("S{index}"), access)? });
        }
    }
    for &(access, read) in reads {
        let schedule = memory.schedule(&format!("R{}", access.index()), access)?;
        readers.push(Instances { touched: read.clone(), schedule });
    }
    for touched in finals {
        let name = touched.tuple_name(DimKind::In)?.unwrap_or_default();
        let schedule = memory.schedule_after(&name, touched.dim(DimKind::In)?)?;
        readers.push(Instances { touched, schedule });
    }
    compute_sources(&memory.context, &readers, &writes)
}

/// The elements of `array` that the nest writes, `[p] -> { Z0[b, x, y] -> A0[b, x, y] }`.
fn final_elements(memory: &Memory<'_>, array: Handle<Array>) -> Result<Map> {
    let elements = written_elements(memory, array)?;
    Ok(elements.identity()?.set_tuple_name(DimKind::In, &format!("Z{}", array.index()))?)
}

/// Statements that copy an element of one array to the same place of another, bit for bit.
pub fn copies(memory: &Memory<'_>) -> Result<Vec<usize>> {
    let mut found = Vec::new();
    for index in 0..memory.nest.step.statements.len() {
        let Some(read) = memory.nest.copied_read(index) else { continue };
        if !memory.written.contains(&memory.nest.accesses[read].array) {
            continue;
        }
        let read_map = &memory.reads[&read];
        let write = &memory.writes[index];
        let from = &memory.nest.accesses[read];
        let to = &memory.nest.accesses[memory.nest.step.statements[index].write];
        // A row of a history is no other array's slot, nor is a scalar, and what is staged waits for its copy.
        let is_of_its_own = |array: &Handle<Array>| {
            let nest = memory.nest;
            nest.arrays[*array].history.is_some() || nest.step.staged.contains(array) || nest.is_scalar(*array)
        };
        if [from, to].iter().any(|access| is_of_its_own(&access.array)) {
            continue;
        }
        if from.array == to.array || from.subscripts.len() != to.subscripts.len() {
            continue;
        }
        // The pairs (element written, element read) agree in all dimensions but the buffer's.
        let pairs = memory.evaluation(index, read).apply_range(read_map)?.apply_domain(write)?;
        let unnamed = pairs.set_tuple_name(DimKind::In, "E")?.set_tuple_name(DimKind::Out, "E")?;
        let deltas = unnamed.deltas()?;
        let rank = to.subscripts.len();
        let mut same_place = true;
        for d in 1..=rank {
            same_place &= deltas.plain_fixed_value(DimKind::SET, d)? == Some(0);
        }
        if same_place {
            found.push(index);
        }
    }
    Ok(found)
}

/// Replaces sources that are copies until none is left, or gives up after a few rounds.
fn compose(pieces: &Pieces, through: &BTreeMap<usize, Pieces>) -> Result<Option<Pieces>> {
    let mut done = Pieces::new();
    let mut pending = pieces.clone();
    for _ in 0..2 * through.len() + 2 {
        let mut next = Pieces::new();
        for (source, map) in pending {
            match source {
                Source::Statement(index) if through.contains_key(&index) => {
                    for (behind, copied) in &through[&index] {
                        let composed = map.apply_range(copied)?;
                        if !composed.is_empty()? {
                            next.push((*behind, composed));
                        }
                    }
                }
                _ => done.push((source, map)),
            }
        }
        if next.is_empty() {
            return merge(done).map(Some);
        }
        pending = next;
    }
    Ok(None)
}

/// One piece a source.
fn merge(pieces: Pieces) -> Result<Pieces> {
    let mut merged: BTreeMap<Source, Map> = BTreeMap::new();
    for (source, map) in pieces {
        let map = match merged.get(&source) {
            Some(other) => other.union(&map)?,
            None => map,
        };
        merged.insert(source, map);
    }
    merged.into_iter().map(|(source, map)| Ok((source, map.coalesce()?))).collect()
}

fn pieces(memory: &Memory<'_>, maps: &[Map]) -> Result<Pieces> {
    let mut found = Pieces::new();
    for map in maps {
        let name = map.tuple_name(DimKind::Out)?.unwrap_or_default();
        let index: usize = name[1..].parse().expect("tuples are called by a letter and a number");
        let source = match &name[..1] {
            "S" => Source::Statement(index),
            _ => Source::Initial(memory.nest.arrays.handles().nth(index).expect("arrays are numbered")),
        };
        if !map.is_empty()? {
            found.push((source, map.coalesce()?));
        }
    }
    Ok(found)
}

/// The elements of `array` that the nest writes, `[p] -> { A0[b, x, y] }`.
pub fn written_elements(memory: &Memory<'_>, array: Handle<Array>) -> Result<Set> {
    let mut elements: Option<Set> = None;
    for (index, write) in memory.writes.iter().enumerate() {
        if memory.nest.accesses[memory.nest.step.statements[index].write].array == array {
            let range = write.range()?;
            elements = Some(match elements {
                Some(others) => others.union(&range)?,
                None => range,
            });
        }
    }
    Ok(elements.expect("only asked for written arrays").coalesce()?)
}
