//! Value-based dataflow of arrays of which every step writes the same cells, seen step by step.
//!
//! If each writing statement computes its cells in every step, once each, and those of step `t` are in buffer
//! `(t + shift) mod buffers`, the last write before a read is a matter of few numbers and of sets of cells: the statement whose
//! writes of the fewest steps ago fill the buffer that is read, and of several the last one of that step. Example: of two
//! rotating buffers a read of `u[i - 1]` from the one that step `t - 1` filled finds the value there where that step writes cell
//! `i - 1`, if `t > 0`, and elsewhere what was there before the nest. isl's dataflow finds the same, but solves for the last
//! instance. What is not of this kind is left to it.

use std::cmp::Reverse;

use isl_bindings::{DimKind, Map, Set};

use super::dataflow::Sources;
use super::ring::buffer_choice;
use super::{Memory, Result, SlotChoice, are_in_other_planes};
use crate::ir::{Access, Array, Handle};

/// An array, and what the nest writes there.
pub struct StepFlow<'m> {
    memory: &'m Memory<'m>,
    array: Handle<Array>,
    buffers: usize,
    /// The direction in which buffers rotate.
    sign: i64,
    /// In the order of a step's statements.
    writers: Vec<Writer>,
}

/// A statement that writes the array.
struct Writer {
    access: Handle<Access>,
    buffer: SlotChoice,
    /// The cells that it writes in every step, `[p] -> { [x, y] }`.
    cells: Set,
    /// Which instance writes a cell, `[p] -> { [t, x, y] -> S3[t, i, j] }`.
    instance: Map,
}

impl<'m> StepFlow<'m> {
    /// What the nest writes to `array`; `None` if that is not the same in every step, or not each cell once.
    pub fn new(memory: &'m Memory<'m>, array: Handle<Array>) -> Result<Option<Self>> {
        let nest = memory.nest;
        let buffers = nest.arrays[array].buffers.len();
        if nest.arrays[array].history.is_some() {
            return Ok(None);
        }
        for sign in [1, -1].into_iter().take(buffers) {
            let mut found = Self { memory, array, buffers, sign, writers: Vec::new() };
            if found.add_writers()? {
                return Ok(found.is_in_order()?.then_some(found));
            }
        }
        Ok(None)
    }

    fn add_writers(&mut self) -> Result<bool> {
        let nest = self.memory.nest;
        for (statement, write) in nest.step.statements.iter().zip(&self.memory.writes) {
            if nest.accesses[statement.write].array != self.array || write.is_empty()? {
                continue;
            }
            let Some(writer) = self.writer(statement.write, write)? else { return Ok(false) };
            self.writers.push(writer);
        }
        self.writers.sort_by_key(|writer| &nest.accesses[writer.access].position);
        Ok(true)
    }

    fn writer(&self, access: Handle<Access>, write: &Map) -> Result<Option<Writer>> {
        let Some(buffer) = self.buffer_of(write)? else { return Ok(None) };
        let cells = cells_of(write)?;
        let computed = time_of(self.memory, write, "t")?.flat_range_product(&cells)?;
        if !computed.is_injective()? {
            return Ok(None);
        }
        let (all, cells) = (computed.range()?, cells.range()?.coalesce()?);
        let steps = self.memory.names.steps();
        let text = format!("[{steps}] -> {{ [t__] : 0 <= t__ < {steps} }}");
        let every_step = self.memory.texts.set(&text)?.flat_product(&cells)?;
        let writer = Writer { access, buffer, cells, instance: computed.reverse()? };
        Ok(all.is_equal(&every_step)?.then_some(writer))
    }

    fn buffer_of(&self, access: &Map) -> Result<Option<SlotChoice>> {
        match self.buffers {
            1 => Ok(Some(SlotChoice::Fixed(0))),
            buffers => buffer_choice(self.memory, access, buffers, self.sign),
        }
    }

    /// Whether of two writers of a cell in one step it is the later statement that writes last.
    fn is_in_order(&self) -> Result<bool> {
        for (index, later) in self.writers.iter().enumerate() {
            for earlier in &self.writers[..index] {
                if are_in_other_planes(&earlier.cells, &later.cells)? {
                    continue;
                }
                let meeting = earlier.instance.reverse()?.apply_range(&later.instance)?;
                if self.precedes(earlier.access, later.access, &meeting)? != Some(true) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Whether the instances of one access come before those of another one that they meet in a step, `[p] -> { S1[t, i] ->
    /// S2[t, i] }`; `None` if that varies, or is not seen.
    fn precedes(&self, one: Handle<Access>, other: Handle<Access>, meeting: &Map) -> Result<Option<bool>> {
        let nest = self.memory.nest;
        let (one, other) = (&nest.accesses[one], &nest.accesses[other]);
        let shared = one.position.iter().zip(&other.position).take_while(|(one, other)| one == other).count();
        let is_shared = shared < one.position.len().min(other.position.len())
            && one.loops.get(..shared).is_some_and(|loops| other.loops.get(..shared) == Some(loops))
            && nest.clock.time().is_none_or(|time| one.loops[..shared].contains(&time));
        if !is_shared {
            return Ok(None);
        }
        for d in 1..=nest.clock.space(&one.loops[..shared]).count() {
            if !meeting.is_subset(&meeting.equate(DimKind::In, d, DimKind::Out, d)?)? {
                return Ok(if meeting.is_empty()? { Some(true) } else { None });
            }
        }
        Ok(Some(one.position[shared] < other.position[shared]))
    }

    /// Adds the sources of a read, `[p] -> { R5[t, i] -> A0[b, x, y] }`; false if they are not seen.
    pub fn add_read(&self, access: Handle<Access>, read: &Map, sources: &mut Sources) -> Result<bool> {
        if read.is_empty()? {
            return Ok(true);
        }
        let Some(buffer) = self.buffer_of(read)? else { return Ok(false) };
        let cells = cells_of(read)?;
        let Some(writers) = self.writers_before(access, read, buffer)? else { return Ok(false) };
        let mut rest = read.domain()?;
        for (steps, writer) in writers {
            let then = time_of(self.memory, read, &format!("t - {steps}"))?;
            let reached = cells.intersect_domain(&rest)?.intersect_range(&writer.cells)?;
            sources.take(&then.flat_range_product(&reached)?.apply_range(&writer.instance)?, &mut rest)?;
        }
        sources.initial = sources.initial.union(&read.intersect_domain(&rest)?.to_union()?)?;
        Ok(true)
    }

    /// The writers that fill the buffer of a read, the last one first, with the least number of steps ago that they do it before
    /// the read; `None` if that varies.
    fn writers_before(
        &self,
        access: Handle<Access>,
        read: &Map,
        buffer: SlotChoice,
    ) -> Result<Option<Vec<(i64, &Writer)>>> {
        let cells = cells_of(read)?;
        let (now, elements) = (time_of(self.memory, read, "t")?.flat_range_product(&cells)?, cells.range()?);
        let mut found = Vec::new();
        for (index, writer) in self.writers.iter().enumerate() {
            if are_in_other_planes(&elements, &writer.cells)? {
                continue;
            }
            let mut steps = match (buffer, writer.buffer) {
                (SlotChoice::Fixed(read), SlotChoice::Fixed(written)) if read == written => 0,
                (SlotChoice::Fixed(_), SlotChoice::Fixed(_)) => continue,
                (SlotChoice::Rotating(read), SlotChoice::Rotating(written)) => {
                    (written - read).rem_euclid(self.buffers as i64)
                }
                _ => return Ok(None),
            };
            if steps == 0 {
                let meeting = now.apply_range(&writer.instance)?;
                let Some(is_read_first) = self.precedes(access, writer.access, &meeting)? else { return Ok(None) };
                steps = if is_read_first { self.period(writer.buffer) } else { 0 };
            }
            found.push((steps, Reverse(index)));
        }
        found.sort_unstable();
        Ok(Some(found.into_iter().map(|(steps, Reverse(index))| (steps, &self.writers[index])).collect()))
    }

    /// After how many steps a writer fills a buffer again.
    fn period(&self, written: SlotChoice) -> i64 {
        match written {
            SlotChoice::Fixed(_) => 1,
            SlotChoice::Rotating(_) => self.buffers as i64,
        }
    }

    /// Adds the sources of what is in elements behind the last step, `[p] -> { Z0[b, x, y] -> A0[b, x, y] }`.
    pub fn add_final(&self, elements: &Map, sources: &mut Sources) -> Result<()> {
        let steps = self.memory.names.steps();
        let rank = elements.dim(DimKind::In)? - 1;
        let tuple = elements.tuple_name(DimKind::In)?.unwrap_or_default();
        let cell: String = (0..rank).map(|d| format!(", c{d}")).collect();
        let mut rest = elements.domain()?;
        for ago in 1..=self.buffers as i64 {
            for writer in self.writers.iter().rev().filter(|writer| ago <= self.period(writer.buffer)) {
                let buffer = match writer.buffer {
                    SlotChoice::Fixed(buffer) => buffer.to_string(),
                    SlotChoice::Rotating(shift) => {
                        format!("({} * ({steps} - {ago} + {shift})) mod {}", self.sign, self.buffers)
                    }
                };
                let (from, to) = (format!("{tuple}[b__{cell}]"), format!("[t__{cell}]"));
                let text = format!("[{steps}] -> {{ {from} -> {to} : t__ = {steps} - {ago} and b__ = {buffer} }}");
                let written = self.memory.texts.map(&text)?.intersect_domain(&rest)?;
                sources.take(&written.apply_range(&writer.instance)?, &mut rest)?;
            }
        }
        sources.initial = sources.initial.union(&elements.intersect_domain(&rest)?.to_union()?)?;
        Ok(())
    }
}

impl Sources {
    /// Adds the sources of some of the instances in `rest`, `[p] -> { R5[t, i] }`, and takes these out there.
    fn take(&mut self, found: &Map, rest: &mut Set) -> Result<()> {
        if !found.is_empty()? {
            *rest = rest.subtract(&found.domain()?)?.coalesce()?;
            self.writes = self.writes.union(&found.to_union()?)?;
        }
        Ok(())
    }
}

/// `[p] -> { R5[t, i] -> [x, y] }` of an access, `[p] -> { R5[t, i] -> A0[b, x, y] }`.
fn cells_of(access: &Map) -> Result<Map> {
    Ok(access.project_out(DimKind::Out, 0, 1)?)
}

/// `{ R5[t, i] -> [time] }` for the instances of an access, `time` being in terms of their step `t`.
fn time_of(memory: &Memory<'_>, access: &Map, time: &str) -> Result<Map> {
    let tuple = access.tuple_name(DimKind::In)?.unwrap_or_default();
    let rest: String = (1..access.dim(DimKind::In)?).map(|d| format!(", c{d}")).collect();
    memory.texts.map(&format!("{{ {tuple}[t{rest}] -> [{time}] }}"))
}
