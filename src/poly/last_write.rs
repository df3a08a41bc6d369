//! Whether a read in new storage finds its value, where that is seen without solving for the last write before it.
//!
//! A sweep writes the same cells in every step, those of step `t` to slot `(t + shift) mod slots`. If a value is written a
//! constant number of steps before it is read, the writes that come between and fill the same slot are thus a matter of few
//! numbers, and whether one of them fills the same cell is one of two sets of cells. Example: with two slots a read of step
//! `t - 1` in step `t` meets nothing that step `t` writes, and of step `t - 1` only sweeps behind the one that wrote it. What
//! this leaves open isl's dataflow decides.

use isl_bindings::{DimKind, Map, Set};

use super::class::{Class, ClassStorage};
use super::field::{ResultSlot, StencilResult};
use super::needed::Needed;
use super::sweep::{Origin, Reading, distance_in_time};
use super::{Result, SlotChoice, are_in_other_planes};
use crate::ir::{Array, Handle};

/// Values that are older are left to isl.
const OLDEST: i64 = 64;

/// A read of slot `(t + shift) mod slots` in step `t`.
struct Look<'a> {
    field: usize,
    shift: i64,
    /// The place of its sweep in a step; `None` if it comes before all sweeps, as what is read behind the last step does.
    order: Option<usize>,
    /// The slot, if that is the same for all of the read.
    slot: Option<usize>,
    /// The elements, `[p] -> { K0[t, x, y, o] -> A0[b, x', y'] }`.
    touched: &'a Map,
    /// For a relation of the read, `[p] -> { K0[t, x, y, o] -> B[z] }`, its part from a step on.
    since: &'a dyn Fn(&Map, i64) -> Result<Map>,
}

/// A value that a read should find.
struct Value<'a> {
    origin: Origin,
    /// `[p] -> { K0[t, x, y, o] -> K1[t', x', y'] }`, or `[p] -> { K0[t, x, y, o] -> A0[b, x', y'] }`.
    relation: &'a Map,
    /// `t - t'`
    distance: Option<i64>,
    /// Whether it is known to be of the very cell that is touched.
    is_of_cell: bool,
    /// Of initial memory, what reads of several sweeps may need.
    needed: Option<&'a Needed>,
}

impl Value<'_> {
    /// Whether each pair of the relation is of the cell that is touched.
    fn is_at_cell_of(&self, look: &Look<'_>) -> Result<bool> {
        Ok(self.is_of_cell || is_at_same_cell(self.relation, look.touched)?)
    }
}

impl Class<'_> {
    /// Whether a group of reads finds its values; `None` if that is not seen here.
    pub fn finds_values(&self, plan: &ClassStorage, reading: &Reading) -> Result<Option<bool>> {
        let place = plan.place(reading);
        let SlotChoice::Rotating(shift) = place.slot else { return Ok(None) };
        let since = |relation: &Map, step: i64| Ok(relation.lower_bound_si(DimKind::In, 0, step)?);
        let order = Some(self.place_in_step(reading.sweep));
        let look = Look { field: place.field, shift, order, slot: None, touched: &reading.touched, since: &since };
        let mut values = Vec::new();
        for dependence in self.dependences(reading) {
            let distance = match (dependence.origin, dependence.distance) {
                (Origin::Sweep(_), None) => distance_in_time(self.memory, &dependence.of_each)?,
                (_, distance) => distance,
            };
            values.push(Value {
                origin: dependence.origin,
                relation: &dependence.of_each,
                distance,
                is_of_cell: dependence
                    .reads
                    .iter()
                    .all(|(read, offset)| offset.is_some() && reading.offset(*read) == *offset),
                needed: dependence.needed.as_ref(),
            });
        }
        self.finds_all(plan, &look, values.into_iter())
    }

    /// Whether what is read behind the last step is what `array` then holds; `None` if that is not seen here.
    pub fn finds_finals(&self, plan: &ClassStorage, array: Handle<Array>) -> Result<Option<bool>> {
        let results: Vec<_> = plan.results.iter().filter(|result| result.array == array).collect();
        if let Some((field, shift)) = result_slot(plan, &results) {
            return self.finds_final_values(plan, array, (field, shift, None), |relation| Ok(relation.clone()));
        }
        for result in &results {
            let found = self.finds_finals_of(plan, result)?;
            if found != Some(true) {
                return Ok(found);
            }
        }
        Ok((!results.is_empty()).then_some(true))
    }

    /// The same for a result in a slot of its own: how many steps ago that was filled follows from the number of steps, in each
    /// case of its remainder.
    fn finds_finals_of(&self, plan: &ClassStorage, result: &StencilResult) -> Result<Option<bool>> {
        let ResultSlot::Fixed(slot) = result.slot else { return Ok(None) };
        let (steps, slots) = (self.memory.names.steps(), plan.fields[result.field].slots);
        for rest in 0..slots {
            let such_steps = format!("[{steps}] -> {{ : {steps} mod {slots} = {rest} }}");
            let such_steps = self.memory.texts.set(&such_steps)?;
            let part = |relation: &Map| {
                Ok(relation.fix_si(DimKind::In, 0, result.buffer as i64)?.intersect_params(&such_steps)?)
            };
            let place = (result.field, slot as i64 - rest as i64, Some(slot));
            let found = self.finds_final_values(plan, result.array, place, part)?;
            if found != Some(true) {
                return Ok(found);
            }
        }
        Ok(Some(true))
    }

    /// Whether what is read in a field behind the last step, in a slot with that shift, is what `array` then holds, as far as
    /// `part` says.
    fn finds_final_values(
        &self,
        plan: &ClassStorage,
        array: Handle<Array>,
        (field, shift, slot): (usize, i64, Option<usize>),
        part: impl Fn(&Map) -> Result<Map>,
    ) -> Result<Option<bool>> {
        let steps = self.memory.names.steps();
        let since = |relation: &Map, step: i64| {
            let enough = self.memory.texts.set(&format!("[{steps}] -> {{ : {steps} >= {step} }}"))?;
            Ok(relation.intersect_params(&enough)?)
        };
        let cells: String = (0..plan.fields[field].rank).map(|d| format!(", c{d}")).collect();
        let text = format!("{{ Z{0}[b{cells}] -> A{0}[b{cells}] }}", array.index());
        let touched = self.memory.texts.map(&text)?;
        let look = Look { field, shift, order: None, slot, touched: &touched, since: &since };
        let finals = self.sweeps.finals.iter().filter(|(other, _)| *other == array).flat_map(|(_, pieces)| pieces);
        let mut parts = Vec::new();
        for (origin, relation) in finals {
            let relation = part(relation)?;
            if !relation.is_empty()? {
                let distance = match origin {
                    Origin::Sweep(_) => self.final_distance(&relation)?.map(|steps| steps + 1),
                    Origin::Initial(_) => None,
                };
                parts.push((*origin, relation, distance));
            }
        }
        let values = parts.iter().map(|(origin, relation, distance)| {
            let (origin, distance) = (*origin, *distance);
            Value { origin, relation, distance, is_of_cell: false, needed: None }
        });
        self.finds_all(plan, &look, values)
    }

    fn finds_all<'v>(
        &self,
        plan: &ClassStorage,
        look: &Look<'_>,
        values: impl Iterator<Item = Value<'v>>,
    ) -> Result<Option<bool>> {
        for value in values {
            let found = match value.origin {
                Origin::Sweep(writer) => self.finds_written(plan, look, &value, writer)?,
                Origin::Initial(array) => self.finds_initial(plan, look, &value, array)?,
            };
            if found != Some(true) {
                return Ok(found);
            }
        }
        Ok(Some(true))
    }

    /// Whether a read finds what `writer` wrote.
    fn finds_written(
        &self,
        plan: &ClassStorage,
        look: &Look<'_>,
        value: &Value<'_>,
        writer: usize,
    ) -> Result<Option<bool>> {
        let Some(distance @ 0..=OLDEST) = value.distance else { return Ok(None) };
        let Some(meets) = self.meetings(plan, look) else { return Ok(None) };
        let written = |steps: i64, sweep: usize| (steps, std::cmp::Reverse(self.place_in_step(sweep)));
        if !meets(writer, distance) || !value.is_at_cell_of(look)? {
            return Ok(Some(false));
        }
        let cells = cells(value.relation)?;
        for &other in &self.writers {
            let is_later = |steps: &i64| written(*steps, other) < written(distance, writer);
            let overwrites = (0..=distance).filter(is_later).any(|steps| meets(other, steps));
            if overwrites && self.writes_any(other, &cells)? {
                return Ok(Some(false));
            }
        }
        Ok(Some(true))
    }

    /// Whether a read finds what `array` held before the nest.
    fn finds_initial(
        &self,
        plan: &ClassStorage,
        look: &Look<'_>,
        value: &Value<'_>,
        array: Handle<Array>,
    ) -> Result<Option<bool>> {
        let Some(meets) = self.meetings(plan, look) else { return Ok(None) };
        if !self.holds_initial(plan, look, value, array)? {
            // Behind the last step nothing but the number of steps says which slot is read.
            let contents = &plan.fields[look.field].initial;
            let is_told = !is_alike(contents) || contents[0].is_none();
            let is_certain = look.order.is_none() && look.slot.is_none() && is_told;
            return Ok(is_certain.then_some(false));
        }
        if !value.is_at_cell_of(look)? {
            return Ok(Some(false));
        }
        for &other in &self.writers {
            // Longer ago no sweep has written this row of a history.
            let slots = (plan.fields[look.field].slots as i64).min(OLDEST);
            let Some(first) = (0..=slots).find(|steps| meets(other, *steps)) else { continue };
            if self.writes_needed(look, value, other, None)? && self.writes_needed(look, value, other, Some(first))? {
                return Ok(Some(false));
            }
        }
        Ok(Some(true))
    }

    /// Whether the slots that a read looks into hold the buffers of `array` at first that its value is in.
    fn holds_initial(
        &self,
        plan: &ClassStorage,
        look: &Look<'_>,
        value: &Value<'_>,
        array: Handle<Array>,
    ) -> Result<bool> {
        let contents = &plan.fields[look.field].initial;
        let of_slot = look.slot.or(is_alike(contents).then_some(0)).map(|slot| contents[slot]);
        if let Some(content) = of_slot {
            let buffer = value.relation.plain_fixed_value(DimKind::Out, 0)?;
            return Ok(buffer.is_some_and(|buffer| content == Some((array, buffer as usize))));
        }
        let (ins, outs) = (value.relation.dim(DimKind::In)?, value.relation.dim(DimKind::Out)?);
        let in_steps = value.relation.project_out(DimKind::In, 1, ins - 1)?.project_out(DimKind::Out, 1, outs - 1)?;
        let steps = self.memory.names.steps();
        let time = if look.order.is_some() { "t" } else { steps };
        let slot = SlotChoice::Rotating(look.shift).expression(time, contents.len());
        let there = contents.iter().enumerate().filter_map(|(place, content)| match content {
            Some((other, buffer)) if *other == array => Some(format!("[t] -> [{buffer}] : {slot} = {place}")),
            _ => None,
        });
        let there: Vec<String> = there.collect();
        let text = format!("[{steps}] -> {{ {} }}", there.join("; "));
        Ok(!there.is_empty() && in_steps.is_subset(&self.memory.texts.map(&text)?)?)
    }

    /// Whether a sweep writes one of the initial elements that a read needs, from a step on if one is given.
    fn writes_needed(&self, look: &Look<'_>, value: &Value<'_>, sweep: usize, first: Option<i64>) -> Result<bool> {
        let key = value.needed.map(|needed| (needed.number, sweep, first));
        if let Some(known) = key.and_then(|key| self.written.borrow().get(&key).copied()) {
            return Ok(known);
        }
        let is_written = self.writes_any(sweep, &self.needed_cells(look, value, first)?)?;
        if let Some(key) = key {
            self.written.borrow_mut().insert(key, is_written);
        }
        Ok(is_written)
    }

    /// The cells of the initial elements that a read needs, from a step on if one is given.
    fn needed_cells(&self, look: &Look<'_>, value: &Value<'_>, first: Option<i64>) -> Result<Set> {
        let key = value.needed.map(|needed| (needed.number, first));
        if let Some(known) = key.and_then(|key| self.needed.borrow().get(&key).cloned()) {
            return Ok(known);
        }
        let relation = value.needed.map_or(value.relation, |needed| &needed.in_steps);
        let cells = match first {
            Some(first) => cells(&(look.since)(relation, first)?)?,
            None => cells(relation)?,
        };
        if let Some(key) = key {
            self.needed.borrow_mut().insert(key, cells.clone());
        }
        Ok(cells)
    }

    /// Whether what a sweep writes so many steps before a read comes before it and fills the slot that it reads; `None` if
    /// some slot does not rotate.
    fn meetings(&self, plan: &ClassStorage, look: &Look<'_>) -> Option<impl Fn(usize, i64) -> bool> {
        let rotates = |sweep: &usize| matches!(plan.writes[sweep].1, SlotChoice::Rotating(_));
        let (field, shift, order) = (look.field, look.shift, look.order);
        let slots = plan.fields[field].slots;
        self.writers.iter().all(rotates).then_some(move |sweep: usize, steps: i64| {
            let (written, SlotChoice::Rotating(of_sweep)) = plan.writes[&sweep] else { return false };
            let is_before = steps > 0 || order.is_some_and(|order| self.place_in_step(sweep) < order);
            let is_same_slot = (of_sweep - steps - shift).rem_euclid(slots as i64) == 0;
            written == field && is_before && is_same_slot
        })
    }

    /// Whether a sweep writes one of these cells, `[p] -> { [x, y] }`.
    fn writes_any(&self, sweep: usize, cells: &Set) -> Result<bool> {
        let domain = &self.sweeps.sweeps[sweep].domain;
        Ok(!are_in_other_planes(domain, cells)? && !cells.is_disjoint(domain)?)
    }

    /// The number of a sweep among those of a step.
    pub fn place_in_step(&self, sweep: usize) -> usize {
        self.order.iter().position(|other| *other == sweep).expect("every sweep has its place in a step")
    }
}

/// Whether all slots hold the same at first.
fn is_alike<T: PartialEq>(contents: &[T]) -> bool {
    contents.iter().all(|content| *content == contents[0])
}

/// The field and the shift of the slot in which all results of an array are, if there is one.
fn result_slot(plan: &ClassStorage, results: &[&StencilResult]) -> Option<(usize, i64)> {
    let mut found = None;
    for result in results {
        let shift = match result.slot {
            ResultSlot::AfterSteps(shift) => shift,
            ResultSlot::Fixed(_) if plan.fields[result.field].slots == 1 => 0,
            ResultSlot::Fixed(_) | ResultSlot::EveryStep(_) => return None,
        };
        if found.is_some_and(|other| other != (result.field, shift)) {
            return None;
        }
        found = Some((result.field, shift));
    }
    found
}

/// Whether each pair of a relation, `[p] -> { K0[t, x, y, o] -> B[z, x', y'] }`, is of the cell that is touched,
/// `[p] -> { K0[t, x, y, o] -> A0[b, x', y'] }`.
fn is_at_same_cell(relation: &Map, touched: &Map) -> Result<bool> {
    Ok(relation.project_out(DimKind::Out, 0, 1)?.is_subset(&touched.project_out(DimKind::Out, 0, 1)?)?)
}

/// The cells of a relation, `[p] -> { K0[t, x, y, o] -> B[z, x', y'] }`, as `[p] -> { [x', y'] }`.
fn cells(relation: &Map) -> Result<Set> {
    Ok(relation.range()?.reset_tuple_id()?.project_out(DimKind::SET, 0, 1)?)
}
