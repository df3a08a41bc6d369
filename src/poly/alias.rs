//! Arrays that may be the same memory, as in `for (i) o[i] = a[i] + 1` called with `o == a`.
//!
//! If two arrays are one, a read of the one may see what was written to the other, and both leave their elements in one
//! place. The nest does what it does with two arrays apart if no read follows a write of its element to the other array,
//! and no element is written to both: all reads and all elements left then have the same source. What holds for each pair
//! of several arrays holds for all of them together, as the last write is the last one of every pair.

use isl_bindings::{DimKind, Map, Set};

use super::dataflow::{Instances, see_writes};
use super::{Memory, Result};
use crate::ir::{Access, Array, ExprKind, Handle};

/// Nests with more pairs of arrays are not examined: nobody calls them with equal ones, and proofs take time.
const MAX_PAIRS: usize = 64;

/// What the proofs of a nest may take, in isl's operations; without proof arrays must be apart.
const LIMIT: u64 = 1_000_000;

/// The pairs of arrays, of those that the caller asks for, that may be the same memory, element by element, without a
/// difference; the first one is before the second.
pub fn compute_aliases(
    memory: &Memory<'_>,
    is_asked: impl Fn(Handle<Array>) -> bool,
) -> Vec<(Handle<Array>, Handle<Array>)> {
    let mut candidates = candidates(memory);
    candidates.retain(|(one, other)| is_asked(*one) && is_asked(*other));
    let mut found = Vec::new();
    if candidates.len() <= MAX_PAIRS {
        let _ = memory.context.with_operation_limit(LIMIT, || {
            let is_proved = |(one, other): &(_, _)| may_be_same(memory, *one, *other).unwrap_or(false);
            found.extend(candidates.into_iter().filter(is_proved));
            Ok(())
        });
    }
    found
}

/// Pairs of arrays of one shape of which the nest writes at least one, if the order of all points is known.
fn candidates(memory: &Memory<'_>) -> Vec<(Handle<Array>, Handle<Array>)> {
    if memory.nest.step.has_strips {
        return Vec::new();
    }
    let arrays = &memory.nest.arrays;
    let excluded = excluded(memory);
    let handles: Vec<_> = arrays.handles().filter(|array| !excluded.contains(array)).collect();
    let mut pairs = Vec::new();
    for (index, &one) in handles.iter().enumerate() {
        for &other in &handles[index + 1..] {
            let has_same_shape =
                arrays[one].element == arrays[other].element && arrays[one].rank() == arrays[other].rank();
            if has_same_shape && (memory.written.contains(&one) || memory.written.contains(&other)) {
                pairs.push((one, other));
            }
        }
    }
    pairs
}

/// Arrays that are never taken to be another one: those of several buffers, histories, and those that the host reads once more for
/// what the nest leaves in variables.
fn excluded(memory: &Memory<'_>) -> Vec<Handle<Array>> {
    let nest = memory.nest;
    let is_several = |array: &Array| array.buffers.len() > 1 || array.history.is_some();
    let mut excluded: Vec<_> = nest.arrays.iter().filter(|(_, it)| is_several(it)).map(|(array, _)| array).collect();
    excluded.extend(nest.reachable(nest.step.replayed_values()).into_iter().filter_map(|expr| {
        match nest.exprs[expr].kind {
            ExprKind::Read(access) => Some(nest.accesses[access].array),
            _ => None,
        }
    }));
    excluded
}

fn may_be_same(memory: &Memory<'_>, one: Handle<Array>, other: Handle<Array>) -> Result<bool> {
    Ok(write_apart(memory, one, other)? && !sees_writes(memory, one, other)? && !sees_writes(memory, other, one)?)
}

/// Whether no index vector is one of elements written to both arrays.
fn write_apart(memory: &Memory<'_>, one: Handle<Array>, other: Handle<Array>) -> Result<bool> {
    for (_, first) in writes_of(memory, one) {
        for (_, second) in writes_of(memory, other) {
            let (first, second) = (first.range()?.reset_tuple_id()?, second.range()?.reset_tuple_id()?);
            if !first.is_disjoint(&second)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Whether a read of `reader` would come behind a write of its element to `writer`.
fn sees_writes(memory: &Memory<'_>, reader: Handle<Array>, writer: Handle<Array>) -> Result<bool> {
    let tuple = format!("A{}", reader.index());
    let mut writes = Vec::new();
    for (statement, write) in writes_of(memory, writer) {
        // Stores that the statement replaces come before it and are seen by others too.
        let first = memory.nest.step.statements[statement].first;
        let schedule = memory.schedule(&format!("S{statement}"), first)?;
        writes.push(Instances { touched: write.set_tuple_name(DimKind::Out, &tuple)?, schedule });
    }
    if writes.is_empty() {
        return Ok(false);
    }
    let steps = steps(memory)?;
    for (access, read) in reads_of(memory, reader) {
        let touched = read.intersect_params(&steps)?;
        if sees_earlier_steps(memory, &touched, &writes)? {
            return Ok(true);
        }
        let schedule = memory.schedule(&format!("R{}", access.index()), access)?;
        let read = Instances { touched, schedule };
        if see_writes(&memory.context, &[&read], &writes.iter().collect::<Vec<_>>())? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a read, `[p] -> { R5[t, i] -> A0[b, x, y] }`, sees what an earlier step writes to its element.
fn sees_earlier_steps(memory: &Memory<'_>, read: &Map, writes: &[Instances]) -> Result<bool> {
    let time = |access: &Map| access.project_out(DimKind::In, 1, access.dim(DimKind::In)? - 1);
    let earlier = Map::parse(&memory.context, "{ [t] -> [u] : u < t }")?;
    let read = time(read)?;
    for write in writes {
        if !read.apply_range(&time(&write.touched)?.reverse()?)?.is_disjoint(&earlier)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The numbers of steps that the nest may have, `[p] -> { : }`.
fn steps(memory: &Memory<'_>) -> Result<Set> {
    let steps = memory.names.steps();
    let condition = if memory.nest.clock.has_steps() { String::new() } else { format!("{steps} = 1") };
    Ok(Set::parse(&memory.context, &format!("[{steps}] -> {{ : {condition} }}"))?)
}

/// The statements that write `array`, and what they write, `[p] -> { S3[t, i, j] -> A0[b, x, y] }`.
fn writes_of<'m>(memory: &'m Memory<'_>, array: Handle<Array>) -> impl Iterator<Item = (usize, &'m Map)> {
    let writes = memory.nest.step.statements.iter().map(move |statement| memory.nest.accesses[statement.write].array);
    writes
        .zip(&memory.writes)
        .enumerate()
        .filter(move |(_, (it, _))| *it == array)
        .map(|(index, (_, map))| (index, map))
}

/// The reads of `array`, and what they read, `[p] -> { R5[t, i] -> A0[b, x, y] }`.
fn reads_of<'m>(memory: &'m Memory<'_>, array: Handle<Array>) -> impl Iterator<Item = (Handle<Access>, &'m Map)> {
    let reads = memory.reads.iter().map(|(access, map)| (*access, map));
    reads.filter(move |(access, _)| memory.nest.accesses[*access].array == array)
}
