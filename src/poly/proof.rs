//! The check that a storage keeps the dataflow of the nest.
//!
//! The program in the new storage has the sweeps in order, all reads of a sweep before its writes. Its dataflow must be
//! the nest's own, and no sweep may read a cell that another work-item of the same sweep writes. Each source that the nest's
//! dataflow has must be the last write before the read; where `last_write` does not see that, isl computes the dataflow.

use std::collections::BTreeMap;

use isl_bindings::{DimKind, Map, UnionMap};

use super::class::{Class, ClassStorage};
use super::dataflow::{Instances, compute_sources};
use super::field::{FieldRead, ResultSlot, StencilResult};
use super::{Result, SlotChoice};
use crate::ir::{Array, Handle};

impl Class<'_> {
    /// Whether the plan's dataflow is the nest's, and no sweep reads a cell that another work-item of it writes.
    pub fn is_right(&self, plan: &ClassStorage) -> Result<bool> {
        Ok(self.is_parallel(plan)? && self.has_same_flow(plan)?)
    }

    /// As [`is_right`](Self::is_right) for the user's own storage.
    ///
    /// With a single sweep a step, the new program only runs a step's instances in another order, and a read that no
    /// other instance of the step interferes with gets its value from an earlier step either way.
    pub fn is_right_as_written(&self, plan: &ClassStorage) -> Result<bool> {
        if self.sweeps.sweeps.len() == 1 { self.is_parallel(plan) } else { self.is_right(plan) }
    }

    /// Whether no work-item of a sweep reads a cell that another one writes.
    pub fn is_parallel(&self, plan: &ClassStorage) -> Result<bool> {
        for reading in &self.reads {
            let (Some((field, slot)), place) = (plan.writes.get(&reading.sweep), plan.place(reading)) else {
                continue;
            };
            if *field != place.field {
                continue;
            }
            let slots = plan.fields[*field].slots;
            if slot.is_never(place.slot, slots) {
                continue;
            }
            let touched = reading.group.joined(&reading.touched)?;
            let reads = self.in_slots(&touched, place.field, place.slot, slots)?;
            let writes = self.in_slots(&self.sweeps.sweeps[reading.sweep].write, *field, *slot, slots)?;
            let conflicts = reads.apply_range(&writes.reverse()?)?.equate(DimKind::In, 0, DimKind::Out, 0)?;
            let itself = conflicts.domain()?.identity()?;
            if !conflicts.is_subset(&itself)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// `{ K0[t, x, y] -> A0[b, x', y'] }` as `{ K0[t, x, y] -> F0[q, x', y'] }`.
    fn in_slots(&self, touched: &Map, field: usize, slot: SlotChoice, slots: usize) -> Result<Map> {
        let dims = touched.dim(DimKind::In)?;
        let tuple = touched.tuple_name(DimKind::In)?.unwrap_or_default();
        let rest: Vec<String> = (1..dims).map(|d| format!("c{d}")).collect();
        let text = format!("{{ {tuple}[{}] -> [{}] }}", [vec!["t".to_string()], rest].concat().join(", "), {
            slot.expression("t", slots)
        });
        let cells = touched.project_out(DimKind::Out, 0, 1)?;
        let in_slot = self.memory.texts.map(&text)?.flat_range_product(&cells)?;
        Ok(in_slot.set_tuple_name(DimKind::Out, &format!("F{field}"))?)
    }

    /// Whether every read gets its value from where the nest gets it.
    pub fn has_same_flow(&self, plan: &ClassStorage) -> Result<bool> {
        let is_same = self.has_seen_flow(plan)?;
        if cfg!(test) {
            let all = self.has_computed_flow(plan, (0..self.reads.len()).collect(), &self.arrays)?;
            assert_eq!(is_same, all, "what is seen of a storage is what isl computes");
        }
        Ok(is_same)
    }

    /// The same, by isl only where that is not seen otherwise.
    fn has_seen_flow(&self, plan: &ClassStorage) -> Result<bool> {
        let (mut reads, mut results) = (Vec::new(), Vec::new());
        for kind in self.kinds_of_reads(plan) {
            let mut deciding = vec![kind[0], kind[kind.len() - 1]];
            deciding.dedup();
            let mut is_open = false;
            for index in deciding {
                match self.finds_values(plan, self.reads[index])? {
                    Some(false) => return Ok(false),
                    seen => is_open |= seen.is_none(),
                }
            }
            if is_open {
                reads.extend(kind);
            }
        }
        for &array in &self.arrays {
            match self.finds_finals(plan, array)? {
                Some(false) => return Ok(false),
                Some(true) => {}
                None => results.push(array),
            }
        }
        Ok(reads.is_empty() && results.is_empty() || self.has_computed_flow(plan, reads, &results)?)
    }

    /// Readings that differ by their sweeps' planes alone and find their values in one place, as indices of [`Class::reads`] in
    /// the order of a step; see [`Self::deciding_reads`].
    fn kinds_of_reads(&self, plan: &ClassStorage) -> Vec<Vec<usize>> {
        let mut kinds: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for (index, reading) in self.reads.iter().enumerate() {
            let FieldRead { field, slot, .. } = plan.place(reading);
            kinds.entry((reading.like, *field, *slot)).or_default().push(index);
        }
        let mut kinds: Vec<_> = kinds.into_values().collect();
        kinds.iter_mut().for_each(|kind| kind.sort_by_key(|index| self.place_in_step(self.reads[*index].sweep)));
        kinds
    }

    /// Whether isl finds that these reads, and those of these results, get their values from where the nest gets them.
    fn has_computed_flow(&self, plan: &ClassStorage, reads: Vec<usize>, results: &[Handle<Array>]) -> Result<bool> {
        let context = &self.memory.context;
        let (mut readers, mut writes) = (Vec::new(), Vec::new());
        let mut expected = UnionMap::empty(context)?;
        for &sweep in &self.writers {
            let (field, slot) = plan.writes[&sweep];
            let write = &self.sweeps.sweeps[sweep].write;
            let touched = self.in_slots(write, field, slot, plan.fields[field].slots)?;
            let schedule = self.schedule(&format!("K{sweep}"), sweep, 1, write.dim(DimKind::In)?)?;
            writes.push(Instances { touched, schedule });
        }
        for index in self.deciding_reads(plan, reads)? {
            let reading = self.reads[index];
            let (place, touched) = (plan.place(reading), &reading.touched);
            let name = format!("Q{index}");
            let slots = plan.fields[place.field].slots;
            let cell = self.in_slots(touched, place.field, place.slot, slots)?.set_tuple_name(DimKind::In, &name)?;
            let schedule = self.schedule(&name, reading.sweep, 0, touched.dim(DimKind::In)?)?;
            readers.push(Instances { touched: cell, schedule });
            for dependence in self.dependences(reading) {
                expected = expected.union(&dependence.of_each.set_tuple_name(DimKind::In, &name)?.to_union()?)?;
            }
        }
        for (array, pieces) in &self.sweeps.finals {
            for (_, relation) in pieces.iter().filter(|_| results.contains(array)) {
                expected = expected.union(&relation.to_union()?)?;
            }
        }
        for result in plan.results.iter().filter(|result| results.contains(&result.array)) {
            let name = format!("Z{}", result.array.index());
            let touched = self.final_cells(plan, result, &name)?;
            readers.push(Instances { touched, schedule: self.schedule_after(&name, result)? });
        }
        let sources = compute_sources(context, &readers, &writes)?;
        let initial = sources.initial.apply_range(&self.initial_elements(plan)?)?;
        // A read has one source in either program, so it is enough that no expected one is missing; a slot without initial
        // contents that is read all the same is found that way too.
        Ok(expected.is_subset(&sources.writes.union(&initial)?)?)
    }

    /// Those of `reads` on whose sources those of all others depend, as indices of [`Class::reads`].
    ///
    /// Several sweeps may evaluate one access at the same cells and should get the same values. What is the last write before
    /// the first of them in a step and before the last one is that for all in between as well.
    fn deciding_reads(&self, plan: &ClassStorage, mut reads: Vec<usize>) -> Result<Vec<usize>> {
        // Of each kind of reads the first and the last.
        let mut kinds: Vec<(usize, usize)> = Vec::new();
        reads.sort_by_key(|index| self.place_in_step(self.reads[*index].sweep));
        for index in reads {
            let mut known = None;
            for kind in &mut kinds {
                if self.is_same_read(plan, kind.0, index)? {
                    known = Some(kind);
                    break;
                }
            }
            match known {
                Some(kind) => kind.1 = index,
                None => kinds.push((index, index)),
            }
        }
        let mut deciding: Vec<usize> = kinds.into_iter().flat_map(|(first, last)| [first, last]).collect();
        deciding.sort_unstable();
        deciding.dedup();
        Ok(deciding)
    }

    /// Whether two reads touch the same cells at the same places, and should get the same values.
    fn is_same_read(&self, plan: &ClassStorage, one: usize, other: usize) -> Result<bool> {
        let (one, other) = (self.reads[one], self.reads[other]);
        let (place, other_place) = (plan.place(one), plan.place(other));
        if one.group.first() != other.group.first()
            || (place.field, place.slot) != (other_place.field, other_place.slot)
        {
            return Ok(false);
        }
        if one.like == other.like {
            return Ok(true);
        }
        let is_equal = |one: &Map, other: &Map| -> Result<bool> { Ok(from_plane(one)?.is_equal(&from_plane(other)?)?) };
        let values: Vec<_> = self.dependences(one).collect();
        let other_values: Vec<_> = self.dependences(other).collect();
        if values.len() != other_values.len() || !is_equal(&one.touched, &other.touched)? {
            return Ok(false);
        }
        for (value, other) in values.iter().zip(other_values) {
            if value.origin != other.origin || !is_equal(&value.of_each, &other.of_each)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// `{ tuple[t, x, y] -> [t, order, phase] }`.
    fn schedule(&self, tuple: &str, sweep: usize, phase: usize, dims: usize) -> Result<UnionMap> {
        let order = self.place_in_step(sweep);
        let rest: String = (1..dims).map(|d| format!(", c{d}")).collect();
        let text = format!("{{ {tuple}[t{rest}] -> [t, {order}, {phase}] }}");
        Ok(UnionMap::parse(&self.memory.context, &text)?)
    }

    fn schedule_after(&self, tuple: &str, result: &StencilResult) -> Result<UnionMap> {
        let rest: String = (0..self.memory.nest.arrays[result.array].rank()).map(|d| format!(", c{d}")).collect();
        let steps = self.memory.names.steps();
        let text = format!("[{steps}] -> {{ {tuple}[b{rest}] -> [{steps}, 0, 0] }}");
        Ok(UnionMap::parse(&self.memory.context, &text)?)
    }

    /// `{ Z0[b, x, y] -> F0[q, x, y] }` for the elements of a result.
    fn final_cells(&self, plan: &ClassStorage, result: &StencilResult, tuple: &str) -> Result<Map> {
        let slots = plan.fields[result.field].slots;
        let steps = self.memory.names.steps();
        let slot = match result.slot {
            ResultSlot::Fixed(slot) => slot.to_string(),
            ResultSlot::AfterSteps(shift) => SlotChoice::Rotating(shift).expression(steps, slots),
            ResultSlot::EveryStep(_) => "b".to_owned(),
        };
        let cells: String = (0..plan.fields[result.field].rank).map(|d| format!(", c{d}")).collect();
        let (buffer, field) = (result.buffer, result.field);
        let is_one =
            if matches!(result.slot, ResultSlot::EveryStep(_)) { String::new() } else { format!(": b = {buffer}") };
        let text = format!("[{steps}] -> {{ {tuple}[b{cells}] -> F{field}[{slot}{cells}] {is_one} }}");
        let domain = result.elements.insert_dims(DimKind::SET, 0, 1)?.set_tuple_name(tuple)?;
        Ok(Map::parse(&self.memory.context, &text)?.intersect_domain(&domain)?)
    }

    /// `{ F0[q, x, y] -> A0[b, x, y] }`: what the slots hold at first.
    fn initial_elements(&self, plan: &ClassStorage) -> Result<UnionMap> {
        let mut elements = UnionMap::empty(&self.memory.context)?;
        for (index, field) in plan.fields.iter().enumerate() {
            let cells: String = (0..field.rank).map(|d| format!(", c{d}")).collect();
            for (slot, initial) in field.initial.iter().enumerate() {
                let Some((array, buffer)) = initial else { continue };
                let text = match field.is_history() {
                    true => format!("{{ F{index}[q{cells}] -> A{}[q{cells}] }}", array.index()),
                    false => format!("{{ F{index}[q{cells}] -> A{}[{buffer}{cells}] : q = {slot} }}", array.index()),
                };
                elements = elements.union(&UnionMap::parse(&self.memory.context, &text)?)?;
            }
        }
        Ok(elements)
    }
}

/// `{ K3[t, x, y] -> ... }` without the name and without the coordinates that all cells share, as `x` if it is always 4: the
/// sweeps of `f[0][i]`, `f[1][i]`, ... run over planes of one array.
fn from_plane(relation: &Map) -> Result<Map> {
    let mut from = relation.set_tuple_name(DimKind::In, "K")?;
    let cells = relation.domain()?;
    for d in (1..cells.dim(DimKind::SET)?).rev() {
        if cells.plain_fixed_value(DimKind::SET, d)?.is_some() {
            from = from.project_out(DimKind::In, d, 1)?.set_tuple_name(DimKind::In, &format!("K{d}"))?;
        }
    }
    Ok(from)
}
