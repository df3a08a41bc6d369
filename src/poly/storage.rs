//! Fields and their slots: where every value lives on the device.
//!
//! Two ways to store the arrays of a nest are tried. *As written*: an array of one buffer is a field of one slot, `m`
//! rotating buffers are a ring of `m` slots. *Renamed*: arrays that copies join become one field whose version of step
//! `t` is in slot `(t + shift) mod slots`; this removes copy-back loops and gives in-place updates the second buffer that
//! a parallel sweep needs. The dataflow of the new program, sweeps in order and all reads of a sweep before its writes,
//! must equal the nest's own dataflow, or the storage is not used.

use std::collections::{BTreeMap, BTreeSet};

use isl_bindings::{AccessInfo, DimKind, Map, Set, UnionMap};

use super::flow::{self, Flow};
use super::ring::buffer_choice;
use super::sweep::{Dependence, Origin, Sweeps};
use super::{Memory, Result, Ring};
use crate::ir::{Access, Array, Handle, ScalarType};

/// A ring of device copies of one or more arrays of the user.
#[derive(Clone, Debug)]
pub struct Field {
    /// The arrays' names joined.
    pub name: String,
    /// The arrays whose values it holds.
    pub arrays: Vec<Handle<Array>>,
    /// Type of a cell.
    pub element: ScalarType,
    /// Number of space dimensions.
    pub rank: usize,
    /// Number of slots.
    pub slots: usize,
    /// Whether a sweep writes it.
    pub is_written: bool,
    /// For each slot the array and its buffer whose contents it starts with, if they matter.
    pub initial: Vec<Option<(Handle<Array>, usize)>>,
}

/// How a sweep reads a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldRead {
    /// Index of the field.
    pub field: usize,
    /// The slot.
    pub slot: Ring,
    /// Cell read minus cell computed, if constant and of equal rank; otherwise the access's own subscripts say which.
    pub offset: Option<Vec<i64>>,
}

/// The slot that holds an array's final contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultSlot {
    /// Always this one.
    Fixed(usize),
    /// `(time_steps + shift) mod slots`.
    AfterSteps(i64),
}

/// Where the final contents of one buffer of an array are.
#[derive(Clone, Debug)]
pub struct StencilResult {
    /// The array.
    pub array: Handle<Array>,
    /// Its buffer.
    pub buffer: usize,
    /// The field.
    pub field: usize,
    /// The field's slot.
    pub slot: ResultSlot,
    /// The elements that the nest writes, `[p] -> { [x, y] }`.
    pub elements: Set,
}

/// Places for all values of a nest.
#[derive(Default)]
pub struct Storage {
    /// The fields.
    pub fields: Vec<Field>,
    /// For each sweep the field and slot that it writes.
    pub writes: Vec<(usize, Ring)>,
    /// For each sweep and read the field, slot and cell.
    pub reads: BTreeMap<(usize, Handle<Access>), FieldRead>,
    /// Final contents of the written arrays.
    pub results: Vec<StencilResult>,
}

/// The recurrences of a nest and their storage.
pub struct Recurrences {
    /// Sweeps and dependences.
    pub sweeps: Sweeps,
    /// The sweeps in the order in which a time step executes them.
    pub order: Vec<usize>,
    /// Where the values live.
    pub storage: Storage,
    /// The statements whose copies the storage makes unnecessary.
    pub eliminated: Vec<usize>,
}

impl Storage {
    /// Storage for all arrays, or the array for which none works.
    pub fn new(
        memory: &Memory<'_>,
        sweeps: &Sweeps,
        order: &[usize],
        eliminated: &[usize],
    ) -> Result<std::result::Result<Self, Handle<Array>>> {
        let mut storage = Self { writes: vec![(usize::MAX, Ring::Fixed(0)); sweeps.sweeps.len()], ..Self::default() };
        for arrays in classes(memory, eliminated) {
            let class = Class::new(memory, sweeps, order, arrays)?;
            let Some(mut plan) = class.plan()? else { return Ok(Err(class.arrays[0])) };
            storage.add(&mut plan);
        }
        Ok(Ok(storage))
    }

    fn add(&mut self, plan: &mut ClassPlan) {
        let base = self.fields.len();
        self.fields.append(&mut plan.fields);
        for (sweep, (field, slot)) in &plan.writes {
            self.writes[*sweep] = (base + field, *slot);
        }
        for (key, read) in &plan.reads {
            self.reads.insert(*key, FieldRead { field: base + read.field, ..read.clone() });
        }
        for result in plan.results.drain(..) {
            self.results.push(StencilResult { field: base + result.field, ..result });
        }
    }
}

/// Arrays that eliminated copies join; every other array is alone.
fn classes(memory: &Memory<'_>, eliminated: &[usize]) -> Vec<Vec<Handle<Array>>> {
    let nest = memory.nest;
    let mut class: Vec<usize> = (0..nest.arrays.len()).collect();
    for &copy in eliminated {
        let to = nest.accesses[nest.statements[copy].write].array.index();
        let from = nest.accesses[memory.reads_of[copy][0]].array.index();
        let (keep, drop) = (class[to].min(class[from]), class[to].max(class[from]));
        class.iter_mut().filter(|c| **c == drop).for_each(|c| *c = keep);
    }
    let mut members: BTreeMap<usize, Vec<Handle<Array>>> = BTreeMap::new();
    for array in nest.arrays.handles() {
        members.entry(class[array.index()]).or_default().push(array);
    }
    members.into_values().collect()
}

/// The arrays to be stored together and everything that touches them.
struct Class<'a> {
    memory: &'a Memory<'a>,
    sweeps: &'a Sweeps,
    order: &'a [usize],
    arrays: Vec<Handle<Array>>,
    /// Sweeps that write one of the arrays.
    writers: Vec<usize>,
    /// Reads of the arrays: sweep, access, and `[p] -> { K0[t, x, y] -> A0[b, x', y'] }`.
    reads: Vec<(usize, Handle<Access>, Map)>,
}

#[derive(Clone, Default)]
struct ClassPlan {
    fields: Vec<Field>,
    writes: BTreeMap<usize, (usize, Ring)>,
    reads: BTreeMap<(usize, Handle<Access>), FieldRead>,
    results: Vec<StencilResult>,
}

impl<'a> Class<'a> {
    fn new(memory: &'a Memory<'a>, sweeps: &'a Sweeps, order: &'a [usize], arrays: Vec<Handle<Array>>) -> Result<Self> {
        let mut writers = Vec::new();
        let mut reads = Vec::new();
        for (index, sweep) in sweeps.sweeps.iter().enumerate() {
            if arrays.contains(&sweep.array) {
                writers.push(index);
            }
            let back = sweep.instances.reverse()?;
            for &read in &sweep.reads {
                if arrays.contains(&memory.nest.accesses[read].array) {
                    let map = match &memory.reads[read.index()] {
                        Some(map) => map.clone(),
                        None => memory.access_map(&format!("R{}", read.index()), read)?,
                    };
                    let touched = back.apply_range(&memory.evaluation(sweep.statement, read)?)?.apply_range(&map)?;
                    reads.push((index, read, touched));
                }
            }
        }
        Ok(Self { memory, sweeps, order, arrays, writers, reads })
    }

    /// The first storage that keeps the dataflow and lets every sweep run in parallel.
    fn plan(&self) -> Result<Option<ClassPlan>> {
        if self.arrays.len() == 1
            && let Some(plan) = self.as_written()?
            && (self.writers.is_empty() || self.is_right(&plan)?)
        {
            return Ok(Some(plan));
        }
        if self.writers.is_empty() {
            return Ok(None);
        }
        for slots in 1..=4 {
            if let Some(plan) = self.renamed(slots)?
                && self.is_right(&plan)?
            {
                return Ok(Some(plan));
            }
        }
        Ok(None)
    }

    /// One slot a buffer, as the user's memory is.
    fn as_written(&self) -> Result<Option<ClassPlan>> {
        let array = self.arrays[0];
        let buffers = self.memory.nest.arrays[array].buffers.len();
        for sign in [1, -1] {
            let mut choices = Vec::new();
            for (_, _, touched) in &self.reads {
                choices.push(buffer_choice(self.memory, touched, buffers, sign)?);
            }
            for &writer in &self.writers {
                choices.push(buffer_choice(self.memory, &self.sweeps.sweeps[writer].write, buffers, sign)?);
            }
            let Some(choices) = choices.into_iter().collect::<Option<Vec<Ring>>>() else { continue };
            let is_fixed = |choice: &Ring| matches!(choice, Ring::Fixed(_));
            if choices.iter().all(is_fixed) {
                return self.separate_buffers(&choices).map(Some);
            }
            if !choices.iter().any(is_fixed) {
                return self.ring_of_buffers(&choices, buffers, sign).map(Some);
            }
        }
        Ok(None)
    }

    /// Whether some read gets its value from before the nest.
    fn reads_initial(&self) -> bool {
        let is_initial = |d: &Dependence| matches!(d.origin, Origin::Initial(array) if self.arrays.contains(&array));
        self.writers.is_empty() || self.sweeps.dependences.iter().any(is_initial)
    }

    /// A field of one slot for each buffer that constant indices choose.
    fn separate_buffers(&self, choices: &[Ring]) -> Result<ClassPlan> {
        let array = self.arrays[0];
        let mut plan = ClassPlan::default();
        let mut field_of = BTreeMap::new();
        for choice in choices {
            if let Ring::Fixed(buffer) = *choice {
                field_of.entry(buffer).or_insert_with(|| {
                    let initial = vec![self.reads_initial().then_some((array, buffer))];
                    plan.fields.push(Field { initial, ..self.field(1) });
                    plan.fields.len() - 1
                });
            }
        }
        let fields = |choice: &Ring| match choice {
            Ring::Fixed(buffer) => (field_of[buffer], Ring::Rotating(0)),
            Ring::Rotating(_) => unreachable!("all choices are constant"),
        };
        for ((sweep, read, touched), choice) in self.reads.iter().zip(choices) {
            let (field, slot) = fields(choice);
            plan.reads.insert((*sweep, *read), FieldRead { field, slot, offset: offset(touched)? });
        }
        for (&writer, choice) in self.writers.iter().zip(&choices[self.reads.len()..]) {
            let (field, slot) = fields(choice);
            plan.writes.insert(writer, (field, slot));
            plan.fields[field].is_written = true;
        }
        for (&buffer, &field) in &field_of {
            if plan.fields[field].is_written {
                self.add_result(&mut plan, array, buffer, field, ResultSlot::Fixed(0))?;
            }
        }
        Ok(plan)
    }

    /// One field whose slots are the buffers, in the direction of rotation.
    fn ring_of_buffers(&self, choices: &[Ring], buffers: usize, sign: i64) -> Result<ClassPlan> {
        let array = self.arrays[0];
        let buffer_of = |slot: usize| (sign * slot as i64).rem_euclid(buffers as i64) as usize;
        let mut plan = ClassPlan::default();
        let initial = (0..buffers).map(|slot| self.reads_initial().then(|| (array, buffer_of(slot)))).collect();
        plan.fields.push(Field { initial, is_written: !self.writers.is_empty(), ..self.field(buffers) });
        for ((sweep, read, touched), slot) in self.reads.iter().zip(choices) {
            plan.reads.insert((*sweep, *read), FieldRead { field: 0, slot: *slot, offset: offset(touched)? });
        }
        for (&writer, slot) in self.writers.iter().zip(&choices[self.reads.len()..]) {
            plan.writes.insert(writer, (0, *slot));
        }
        if !self.writers.is_empty() {
            for slot in 0..buffers {
                self.add_result(&mut plan, array, buffer_of(slot), 0, ResultSlot::Fixed(slot))?;
            }
        }
        Ok(plan)
    }

    /// One field for the whole class; version `t` of a cell is in slot `(t + shift) mod slots`.
    fn renamed(&self, slots: usize) -> Result<Option<ClassPlan>> {
        let Some(shifts) = self.write_shifts() else { return Ok(None) };
        let mut plan = ClassPlan::default();
        plan.fields.push(Field { is_written: true, ..self.field(slots) });
        for (&writer, &shift) in &shifts {
            plan.writes.insert(writer, (0, Ring::Rotating(shift)));
        }
        for (sweep, read, touched) in &self.reads {
            let shift = self.read_shift(&shifts, *sweep, *read).unwrap_or(-1);
            let slot = Ring::Rotating(shift);
            plan.reads.insert((*sweep, *read), FieldRead { field: 0, slot, offset: offset(touched)? });
        }
        let Some(initial) = self.initial_contents(&plan, slots)? else { return Ok(None) };
        plan.fields[0].initial = initial;
        for (array, pieces) in &self.sweeps.finals {
            if !self.arrays.contains(array) {
                continue;
            }
            let Some(slot) = self.final_shift(&shifts, pieces)? else { return Ok(None) };
            for buffer in 0..self.memory.nest.arrays[*array].buffers.len() {
                self.add_result(&mut plan, *array, buffer, 0, ResultSlot::AfterSteps(slot))?;
            }
        }
        Ok(Some(plan))
    }

    /// Shifts of the writing sweeps such that every read finds all its sources in one version.
    fn write_shifts(&self) -> Option<BTreeMap<usize, i64>> {
        let mut shifts = BTreeMap::new();
        for &seed in &self.writers {
            if shifts.contains_key(&seed) {
                continue;
            }
            shifts.insert(seed, 0);
            let mut changed = true;
            while changed {
                changed = false;
                for (sweep, read, _) in &self.reads {
                    let Some(version) = self.read_shift(&shifts, *sweep, *read) else { continue };
                    for (origin, distance) in self.sources(*sweep, *read) {
                        changed |= shifts.insert(origin, version + distance?).is_none();
                    }
                }
            }
        }
        Some(shifts)
    }

    /// The version relative to its own step that a read needs, from its first source whose shift is known.
    fn read_shift(&self, shifts: &BTreeMap<usize, i64>, sweep: usize, read: Handle<Access>) -> Option<i64> {
        self.sources(sweep, read).find_map(|(origin, distance)| Some(shifts.get(&origin)? - distance?))
    }

    fn sources(&self, sweep: usize, read: Handle<Access>) -> impl Iterator<Item = (usize, Option<i64>)> {
        self.dependences(sweep, read).filter_map(|dependence| match dependence.origin {
            Origin::Sweep(origin) => Some((origin, dependence.distance)),
            Origin::Initial(_) => None,
        })
    }

    fn dependences(&self, sweep: usize, read: Handle<Access>) -> impl Iterator<Item = &Dependence> {
        self.sweeps.dependences.iter().filter(move |d| d.sweep == sweep && d.read == read)
    }

    /// For each slot the buffer that reads of initial memory expect there; `None` if they expect different ones.
    fn initial_contents(&self, plan: &ClassPlan, slots: usize) -> Result<Option<Vec<Option<(Handle<Array>, usize)>>>> {
        let mut expected: Vec<BTreeSet<(Handle<Array>, usize)>> = vec![BTreeSet::new(); slots];
        for (sweep, read, _) in &self.reads {
            let Ring::Rotating(shift) = plan.reads[&(*sweep, *read)].slot else { continue };
            for dependence in self.dependences(*sweep, *read) {
                let Origin::Initial(array) = dependence.origin else { continue };
                for (slot, expected) in expected.iter_mut().enumerate() {
                    for buffer in 0..self.memory.nest.arrays[array].buffers.len() {
                        if self.meets(&dependence.relation, shift, slot, slots, buffer)? {
                            expected.insert((array, buffer));
                        }
                    }
                }
            }
        }
        if expected.iter().any(|buffers| buffers.len() > 1) {
            return Ok(None);
        }
        Ok(Some(expected.into_iter().map(|buffers| buffers.into_iter().next()).collect()))
    }

    /// Whether some step `t` with `(t + shift) mod slots = slot` uses initial elements of `buffer`.
    fn meets(&self, relation: &Map, shift: i64, slot: usize, slots: usize, buffer: usize) -> Result<bool> {
        let dims = relation.dim(DimKind::In)?;
        let times = relation.fix_si(DimKind::Out, 0, buffer as i64)?.domain()?;
        let times = times.reset_tuple_id()?.project_out(DimKind::SET, 1, dims - 1)?;
        let in_slot = Ring::Rotating(shift).expression("t", slots);
        let moments = Set::parse(&self.memory.context, &format!("{{ [t] : {in_slot} = {slot} }}"))?;
        Ok(!times.is_disjoint(&moments)?)
    }

    /// `s` such that slot `(time_steps + s) mod slots` holds what is described by `pieces`.
    fn final_shift(&self, shifts: &BTreeMap<usize, i64>, pieces: &[(Origin, Map)]) -> Result<Option<i64>> {
        let mut found = None;
        for (origin, relation) in pieces {
            let Origin::Sweep(sweep) = origin else { continue };
            let Some(distance) = self.final_distance(relation)? else { return Ok(None) };
            let shift = shifts[sweep] - 1 - distance;
            if found.is_some_and(|other| other != shift) {
                return Ok(None);
            }
            found = Some(shift);
        }
        Ok(found)
    }

    /// `d` such that all final values are computed in step `time_steps - 1 - d`.
    fn final_distance(&self, relation: &Map) -> Result<Option<i64>> {
        let dims = relation.dim(DimKind::Out)?;
        let times = relation.range()?.reset_tuple_id()?.project_out(DimKind::SET, 1, dims - 1)?;
        for distance in 0..4 {
            let steps = self.memory.names.steps();
            let text = format!("[{steps}] -> {{ [t] : t = {steps} - 1 - {distance} }}");
            if times.is_subset(&Set::parse(&self.memory.context, &text)?)? {
                return Ok(Some(distance));
            }
        }
        Ok(None)
    }

    fn add_result(
        &self,
        plan: &mut ClassPlan,
        array: Handle<Array>,
        buffer: usize,
        field: usize,
        slot: ResultSlot,
    ) -> Result<()> {
        let elements = flow::written_elements(self.memory, array)?.fix_si(DimKind::SET, 0, buffer as i64)?;
        let elements = elements.reset_tuple_id()?.project_out(DimKind::SET, 0, 1)?.coalesce()?;
        if !elements.is_empty()? {
            plan.results.push(StencilResult { array, buffer, field, slot, elements });
        }
        Ok(())
    }

    fn field(&self, slots: usize) -> Field {
        let arrays = &self.memory.nest.arrays;
        let first = &arrays[self.arrays[0]];
        let names: Vec<&str> = self.arrays.iter().map(|array| arrays[*array].name.as_str()).collect();
        Field {
            name: names.join("/"),
            arrays: self.arrays.clone(),
            element: first.element,
            rank: first.rank(),
            slots,
            is_written: false,
            initial: vec![None; slots],
        }
    }

    /// Whether the plan's dataflow is the nest's, and no sweep reads a cell that another work-item of it writes.
    fn is_right(&self, plan: &ClassPlan) -> Result<bool> {
        Ok(self.is_parallel(plan)? && self.has_same_flow(plan)?)
    }

    fn is_parallel(&self, plan: &ClassPlan) -> Result<bool> {
        for (sweep, read, touched) in &self.reads {
            let (Some((field, slot)), place) = (plan.writes.get(sweep), &plan.reads[&(*sweep, *read)]) else {
                continue;
            };
            if *field != place.field {
                continue;
            }
            let slots = plan.fields[*field].slots;
            let reads = self.in_slots(touched, place.field, place.slot, slots)?;
            let writes = self.in_slots(&self.sweeps.sweeps[*sweep].write, *field, *slot, slots)?;
            let conflicts = reads.apply_range(&writes.reverse()?)?.equate(DimKind::In, 0, DimKind::Out, 0)?;
            let itself = conflicts.domain()?.identity()?;
            if !conflicts.is_subset(&itself)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// `{ K0[t, x, y] -> A0[b, x', y'] }` as `{ K0[t, x, y] -> F0[q, x', y'] }`.
    fn in_slots(&self, touched: &Map, field: usize, slot: Ring, slots: usize) -> Result<Map> {
        let dims = touched.dim(DimKind::In)?;
        let tuple = touched.tuple_name(DimKind::In)?.unwrap_or_default();
        let rest: Vec<String> = (1..dims).map(|d| format!("c{d}")).collect();
        let text = format!("{{ {tuple}[{}] -> [{}] }}", [vec!["t".to_string()], rest].concat().join(", "), {
            slot.expression("t", slots)
        });
        let cells = touched.project_out(DimKind::Out, 0, 1)?;
        let in_slot = Map::parse(&self.memory.context, &text)?.flat_range_product(&cells)?;
        Ok(in_slot.set_tuple_name(DimKind::Out, &format!("F{field}"))?)
    }

    fn has_same_flow(&self, plan: &ClassPlan) -> Result<bool> {
        let context = &self.memory.context;
        let mut sink = UnionMap::empty(context)?;
        let mut sources = UnionMap::empty(context)?;
        let mut schedule = UnionMap::empty(context)?;
        let mut expected = UnionMap::empty(context)?;
        for &sweep in &self.writers {
            let (field, slot) = plan.writes[&sweep];
            let write = &self.sweeps.sweeps[sweep].write;
            sources = sources.union(&self.in_slots(write, field, slot, plan.fields[field].slots)?.to_union()?)?;
            schedule = schedule.union(&self.schedule(&format!("K{sweep}"), sweep, 1, write.dim(DimKind::In)?)?)?;
        }
        for (index, (sweep, read, touched)) in self.reads.iter().enumerate() {
            let place = &plan.reads[&(*sweep, *read)];
            let name = format!("Q{index}");
            let slots = plan.fields[place.field].slots;
            let cell = self.in_slots(touched, place.field, place.slot, slots)?.set_tuple_name(DimKind::In, &name)?;
            sink = sink.union(&cell.to_union()?)?;
            schedule = schedule.union(&self.schedule(&name, *sweep, 0, touched.dim(DimKind::In)?)?)?;
            for dependence in self.dependences(*sweep, *read) {
                expected = expected.union(&dependence.relation.set_tuple_name(DimKind::In, &name)?.to_union()?)?;
            }
        }
        for (array, pieces) in &self.sweeps.finals {
            for (_, relation) in pieces.iter().filter(|_| self.arrays.contains(array)) {
                expected = expected.union(&relation.to_union()?)?;
            }
        }
        for result in &plan.results {
            let name = format!("Z{}", result.array.index());
            sink = sink.union(&self.final_cells(plan, result, &name)?.to_union()?)?;
            schedule = schedule.union(&self.schedule_after(&name, result)?)?;
        }
        let flow = AccessInfo { sink, must_source: sources, may_source: None, schedule }.compute_flow()?;
        let initial = flow.must_no_source.apply_range(&self.initial_elements(plan)?)?;
        // A slot without initial contents that is read all the same loses its reads here, and so differs.
        Ok(flow.must_dependence.reverse()?.union(&initial)?.is_equal(&expected)?)
    }

    /// `{ tuple[t, x, y] -> [t, order, phase] }`.
    fn schedule(&self, tuple: &str, sweep: usize, phase: usize, dims: usize) -> Result<UnionMap> {
        let order = self.order.iter().position(|s| *s == sweep).expect("every sweep has its place in a step");
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
    fn final_cells(&self, plan: &ClassPlan, result: &StencilResult, tuple: &str) -> Result<Map> {
        let slots = plan.fields[result.field].slots;
        let steps = self.memory.names.steps();
        let slot = match result.slot {
            ResultSlot::Fixed(slot) => slot.to_string(),
            ResultSlot::AfterSteps(shift) => Ring::Rotating(shift).expression(steps, slots),
        };
        let cells: String = (0..plan.fields[result.field].rank).map(|d| format!(", c{d}")).collect();
        let (buffer, field) = (result.buffer, result.field);
        let text = format!("[{steps}] -> {{ {tuple}[b{cells}] -> F{field}[{slot}{cells}] : b = {buffer} }}");
        let domain = result.elements.insert_dims(DimKind::SET, 0, 1)?.set_tuple_name(tuple)?;
        Ok(Map::parse(&self.memory.context, &text)?.intersect_domain(&domain)?)
    }

    /// `{ F0[q, x, y] -> A0[b, x, y] }`: what the slots hold at first.
    fn initial_elements(&self, plan: &ClassPlan) -> Result<UnionMap> {
        let mut elements = UnionMap::empty(&self.memory.context)?;
        for (index, field) in plan.fields.iter().enumerate() {
            let cells: String = (0..field.rank).map(|d| format!(", c{d}")).collect();
            for (slot, initial) in field.initial.iter().enumerate() {
                let Some((array, buffer)) = initial else { continue };
                let text = format!("{{ F{index}[q{cells}] -> A{}[{buffer}{cells}] : q = {slot} }}", array.index());
                elements = elements.union(&UnionMap::parse(&self.memory.context, &text)?)?;
            }
        }
        Ok(elements)
    }
}

/// Element touched minus cell computed for `{ K0[t, x, y] -> A0[b, x', y'] }`, if constant and of equal rank.
fn offset(touched: &Map) -> Result<Option<Vec<i64>>> {
    if touched.dim(DimKind::In)? != touched.dim(DimKind::Out)? {
        return Ok(None);
    }
    let deltas = touched.set_tuple_name(DimKind::In, "D")?.set_tuple_name(DimKind::Out, "D")?.deltas()?.coalesce()?;
    (1..deltas.dim(DimKind::SET)?).map(|d| Ok(deltas.plain_fixed_value(DimKind::SET, d)?)).collect()
}

/// The recurrences of a nest: flow, sweeps, and the first storage that works.
impl Recurrences {
    /// Tries to look through all copies, then through none; `order` gives the order of the sweeps in a step or explains
    /// why there is none.
    pub fn new(
        memory: &Memory<'_>,
        order: impl Fn(&Sweeps) -> Result<Vec<usize>>,
    ) -> Result<std::result::Result<Self, Handle<Array>>> {
        let as_written = Flow::compute(memory)?;
        let copies = flow::copies(memory)?;
        if !copies.is_empty()
            && copies.len() < memory.nest.statements.len()
            && let Some(flow) = as_written.through_copies(memory, &copies)?
        {
            let sweeps = Sweeps::new(memory, &flow, &copies)?;
            if let Ok(order) = order(&sweeps)
                && let Ok(storage) = Storage::new(memory, &sweeps, &order, &copies)?
            {
                return Ok(Ok(Self { sweeps, order, storage, eliminated: copies }));
            }
        }
        let sweeps = Sweeps::new(memory, &as_written, &[])?;
        let order = order(&sweeps)?;
        Ok(Storage::new(memory, &sweeps, &order, &[])?.map(|storage| Self {
            sweeps,
            order,
            storage,
            eliminated: vec![],
        }))
    }
}
