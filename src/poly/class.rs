//! Plans for arrays that are stored together: as the user wrote them, or renamed by version.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use isl_bindings::{DimKind, Map, Set};

use super::field::{BufferOf, Field, FieldRead, ResultSlot, Rows, StencilResult};
use super::flow;
use super::ring::{ONE_A_ROW, buffer_choice, row_choice};
use super::sweep::{Dependence, Origin, Reading, steps_before};
use super::{Memory, Result, SlotChoice, Sweeps};
use crate::ir::{Access, Array, Handle, History};

/// The arrays to be stored together and everything that touches them.
pub struct Class<'a> {
    pub memory: &'a Memory<'a>,
    pub sweeps: &'a Sweeps,
    pub order: &'a [usize],
    pub arrays: Vec<Handle<Array>>,
    /// Sweeps that write one of the arrays.
    pub writers: Vec<usize>,
    /// Reads of the arrays.
    pub reads: Vec<&'a Reading>,
    /// The cells of elements that reads need.
    pub needed: RefCell<NeededCells>,
    /// Which sweeps write such elements.
    pub written: RefCell<Written>,
}

/// The cells of elements that reads need, `[p] -> { [x, y] }`, by their number and the first step that counts.
pub type NeededCells = BTreeMap<(usize, Option<i64>), Set>;

/// Whether a sweep writes elements that reads need, by their number, the sweep, and the first step that counts.
pub type Written = BTreeMap<(usize, usize, Option<i64>), bool>;

/// A storage for the arrays of a class; fields are numbered within it.
#[derive(Clone, Default)]
pub struct ClassStorage {
    pub fields: Vec<Field>,
    /// By sweep.
    pub writes: BTreeMap<usize, (usize, SlotChoice)>,
    /// By sweep and access.
    pub reads: BTreeMap<(usize, Handle<Access>), FieldRead>,
    pub results: Vec<StencilResult>,
}

impl<'a> Class<'a> {
    /// Collects what touches `arrays`.
    pub fn new(memory: &'a Memory<'a>, sweeps: &'a Sweeps, order: &'a [usize], arrays: Vec<Handle<Array>>) -> Self {
        let numbered = sweeps.sweeps.iter().enumerate();
        let writers = numbered.filter(|(_, sweep)| arrays.contains(&sweep.array)).map(|(index, _)| index).collect();
        let is_ours = |read: &&Reading| arrays.contains(&memory.nest.accesses[read.group.first()].array);
        let reads = sweeps.readings.iter().filter(is_ours).collect();
        Self { memory, sweeps, order, arrays, writers, reads, needed: RefCell::default(), written: RefCell::default() }
    }

    /// The first storage that keeps the dataflow and lets every sweep run in parallel.
    pub fn plan(&self) -> Result<Option<ClassStorage>> {
        if self.arrays.len() == 1
            && let Some(plan) = self.as_written()?
            && (self.writers.is_empty() || self.is_right_as_written(&plan)?)
        {
            return Ok(Some(plan));
        }
        let is_history = |array: &Handle<Array>| self.memory.nest.arrays[*array].history.is_some();
        if self.writers.is_empty() || self.arrays.iter().any(is_history) {
            return Ok(None);
        }
        for slots in 1..=4 {
            if let Some(plan) = self.renamed(slots)?
                && self.has_same_flow(&plan)?
            {
                return Ok(Some(plan));
            }
        }
        Ok(None)
    }

    /// One slot a buffer, as the user's memory is.
    fn as_written(&self) -> Result<Option<ClassStorage>> {
        let array = self.arrays[0];
        if let Some(History { span, .. }) = self.memory.nest.arrays[array].history {
            return self.slot_of_each_row(span as usize);
        }
        let buffers = self.memory.nest.arrays[array].buffers.len();
        for sign in [1, -1] {
            let Some(choices) = self.buffer_choices(buffers, sign)? else { continue };
            let is_fixed = |choice: &SlotChoice| matches!(choice, SlotChoice::Fixed(_));
            if choices.iter().all(is_fixed) {
                return self.separate_buffers(&choices).map(Some);
            }
            if !choices.iter().any(is_fixed) {
                return self.ring_of_buffers(&choices, buffers, sign).map(Some);
            }
        }
        Ok(None)
    }

    /// The buffer that each read and each writer uses, in their order; an access that no iteration executes goes along
    /// with the others.
    fn buffer_choices(&self, buffers: usize, sign: i64) -> Result<Option<Vec<SlotChoice>>> {
        let read = self.reads.iter().map(|reading| (Some(reading.like), &reading.touched));
        let written = self.writers.iter().map(|&writer| (None, &self.sweeps.sweeps[writer].write));
        let (mut choices, mut known) = (Vec::new(), BTreeMap::new());
        for (like, access) in read.chain(written) {
            let choice = match like.and_then(|like| known.get(&like)) {
                Some(choice) => *choice,
                None if access.is_empty()? => None,
                None => {
                    let Some(choice) = buffer_choice(self.memory, access, buffers, sign)? else { return Ok(None) };
                    Some(choice)
                }
            };
            known.extend(like.map(|like| (like, choice)));
            choices.push(choice);
        }
        let any = choices.iter().flatten().next().copied().unwrap_or(SlotChoice::Fixed(0));
        Ok(Some(choices.into_iter().map(|choice| choice.unwrap_or(any)).collect()))
    }

    /// Whether some read gets its value from before the nest.
    fn reads_initial(&self) -> bool {
        let is_initial = |d: &Dependence| matches!(d.origin, Origin::Initial(array) if self.arrays.contains(&array));
        self.writers.is_empty() || self.sweeps.dependences.iter().any(is_initial)
    }

    /// A field of one slot for each buffer that constant indices choose.
    fn separate_buffers(&self, choices: &[SlotChoice]) -> Result<ClassStorage> {
        let array = self.arrays[0];
        let mut plan = ClassStorage::default();
        let mut field_of = BTreeMap::new();
        for choice in choices {
            if let SlotChoice::Fixed(buffer) = *choice {
                field_of.entry(buffer).or_insert_with(|| {
                    let initial = vec![self.reads_initial().then_some((array, buffer))];
                    plan.fields.push(Field { initial, ..self.field(1) });
                    plan.fields.len() - 1
                });
            }
        }
        let fields = |choice: &SlotChoice| match choice {
            SlotChoice::Fixed(buffer) => (field_of[buffer], SlotChoice::Rotating(0)),
            SlotChoice::Rotating(_) => unreachable!("all choices are constant"),
        };
        for (reading, choice) in self.reads.iter().zip(choices) {
            let (field, slot) = fields(choice);
            plan.add_reads(reading, field, slot);
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
    fn ring_of_buffers(&self, choices: &[SlotChoice], buffers: usize, sign: i64) -> Result<ClassStorage> {
        let array = self.arrays[0];
        let buffer_of = |slot: usize| (sign * slot as i64).rem_euclid(buffers as i64) as usize;
        let mut plan = ClassStorage::default();
        let initial = (0..buffers).map(|slot| self.reads_initial().then(|| (array, buffer_of(slot)))).collect();
        plan.fields.push(Field { initial, is_written: !self.writers.is_empty(), ..self.field(buffers) });
        for (reading, slot) in self.reads.iter().zip(choices) {
            plan.add_reads(reading, 0, *slot);
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

    /// Whether a read gets from before the nest what is in a row of a history from number `first` on, which is written; and
    /// whether that is an element that is written.
    fn reads_initial_rows_from(&self, first: i64) -> Result<(bool, bool)> {
        let (mut any, mut written) = (false, false);
        for dependence in self.reads.iter().flat_map(|reading| self.dependences(reading)) {
            if !matches!(dependence.origin, Origin::Initial(_)) {
                continue;
            }
            let from_first = dependence.relation.range()?.lower_bound_si(DimKind::SET, 0, first)?;
            if from_first.is_empty()? {
                continue;
            }
            let cells = from_first.reset_tuple_id()?.project_out(DimKind::SET, 0, 1)?;
            any = true;
            for &writer in &self.writers {
                written |= !cells.is_disjoint(&self.sweeps.sweeps[writer].domain.reset_tuple_id()?)?;
            }
        }
        Ok((any, written))
    }

    /// A field whose slots are the rows of a history.
    fn slot_of_each_row(&self, span: usize) -> Result<Option<ClassStorage>> {
        let array = self.arrays[0];
        let initial = vec![self.reads_initial().then_some((array, 0))];
        let mut plan = ClassStorage::default();
        plan.fields.push(Field { initial, is_written: true, ..self.field(ONE_A_ROW) });
        let never = SlotChoice::Rotating(0);
        for reading in &self.reads {
            let row = if reading.touched.is_empty()? { Some(never) } else { row_choice(&reading.touched)? };
            let Some(row) = row else { return Ok(None) };
            plan.add_reads(reading, 0, row);
        }
        let mut written = None;
        for &writer in &self.writers {
            let Some(row) = row_choice(&self.sweeps.sweeps[writer].write)? else { return Ok(None) };
            plan.writes.insert(writer, (0, row));
            written = Some(row);
        }
        if let Some(SlotChoice::Rotating(shift)) = written {
            let (keeps_contents, is_updated) = self.reads_initial_rows_from(shift)?;
            plan.fields[0].rows = Some(Rows { span, keeps_contents, is_updated });
            self.add_result(&mut plan, array, 0, 0, ResultSlot::EveryStep(shift))?;
        }
        Ok(Some(plan))
    }

    /// One field for the whole class whose sweeps are parallel; version `t` of a cell is in slot `(t + shift) mod slots`.
    fn renamed(&self, slots: usize) -> Result<Option<ClassStorage>> {
        let Some(shifts) = self.write_shifts() else { return Ok(None) };
        let mut plan = ClassStorage::default();
        plan.fields.push(Field { is_written: true, ..self.field(slots) });
        for (&writer, &shift) in &shifts {
            plan.writes.insert(writer, (0, SlotChoice::Rotating(shift)));
        }
        for reading in &self.reads {
            let shift = self.read_shift(&shifts, reading).unwrap_or(-1);
            plan.add_reads(reading, 0, SlotChoice::Rotating(shift));
        }
        if !self.is_parallel(&plan)? {
            return Ok(None);
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
                for reading in &self.reads {
                    let Some(version) = self.read_shift(&shifts, reading) else { continue };
                    for (origin, distance) in self.sources(reading) {
                        changed |= shifts.insert(origin, version + distance?).is_none();
                    }
                }
            }
        }
        Some(shifts)
    }

    /// The version relative to its own step that a read needs, from its first source whose shift is known.
    fn read_shift(&self, shifts: &BTreeMap<usize, i64>, reading: &Reading) -> Option<i64> {
        self.sources(reading).find_map(|(origin, distance)| Some(shifts.get(&origin)? - distance?))
    }

    fn sources(&self, reading: &Reading) -> impl Iterator<Item = (usize, Option<i64>)> {
        self.dependences(reading).filter_map(|dependence| match dependence.origin {
            Origin::Sweep(origin) => Some((origin, dependence.distance)),
            Origin::Initial(_) => None,
        })
    }

    /// The sources of a group of reads.
    pub fn dependences(&self, reading: &Reading) -> impl Iterator<Item = &Dependence> {
        self.sweeps.dependences[reading.sources.clone()].iter()
    }

    /// For each slot the buffer that reads of initial memory expect there; `None` if they expect different ones.
    fn initial_contents(&self, plan: &ClassStorage, slots: usize) -> Result<Option<Vec<Option<BufferOf>>>> {
        let mut contents: Vec<Option<BufferOf>> = vec![None; slots];
        for ((shift, content), times) in self.initial_reads(plan)? {
            for (slot, known) in contents.iter_mut().enumerate() {
                let in_slot = SlotChoice::Rotating(shift).expression("t", slots);
                let moments = self.memory.texts.set(&format!("{{ [t] : {in_slot} = {slot} }}"))?;
                if times.is_disjoint(&moments)? {
                    continue;
                }
                if known.is_some_and(|other| other != content) {
                    return Ok(None);
                }
                *known = Some(content);
            }
        }
        Ok(Some(contents))
    }

    /// By shift of the slot and buffer, the time steps in which initial elements are read, `[p] -> { [t] }`.
    fn initial_reads(&self, plan: &ClassStorage) -> Result<BTreeMap<(i64, BufferOf), Set>> {
        let mut found: BTreeMap<(i64, BufferOf), Set> = BTreeMap::new();
        let mut seen = BTreeSet::new();
        for reading in &self.reads {
            let SlotChoice::Rotating(shift) = plan.place(reading).slot else { continue };
            if !seen.insert((reading.like, shift)) {
                continue;
            }
            for dependence in self.dependences(reading) {
                let Origin::Initial(array) = dependence.origin else { continue };
                for buffer in 0..self.memory.nest.arrays[array].buffers.len() {
                    let relation = dependence.needed.as_ref().map_or(&dependence.relation, |needed| &needed.in_steps);
                    let instances = relation.fix_si(DimKind::Out, 0, buffer as i64)?.domain()?;
                    let dims = instances.dim(DimKind::SET)?;
                    let times = instances.reset_tuple_id()?.project_out(DimKind::SET, 1, dims - 1)?;
                    let key = (shift, (array, buffer));
                    let times = match found.get(&key) {
                        Some(others) => others.union(&times)?.coalesce()?,
                        None => times,
                    };
                    found.insert(key, times);
                }
            }
        }
        Ok(found)
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
    pub fn final_distance(&self, relation: &Map) -> Result<Option<i64>> {
        let dims = relation.dim(DimKind::Out)?;
        let times = relation.range()?.reset_tuple_id()?.project_out(DimKind::SET, 1, dims - 1)?;
        steps_before(self.memory, &times, &format!("{} - 1", self.memory.names.steps()), 3)
    }

    fn add_result(
        &self,
        plan: &mut ClassStorage,
        array: Handle<Array>,
        buffer: usize,
        field: usize,
        slot: ResultSlot,
    ) -> Result<()> {
        let elements = flow::written_elements(self.memory, array)?;
        // Every step writes the same cells of its row.
        let elements = match slot {
            ResultSlot::EveryStep(_) => elements,
            _ => elements.fix_si(DimKind::SET, 0, buffer as i64)?,
        };
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
            initial: if slots == ONE_A_ROW { vec![None] } else { vec![None; slots] },
            rows: None,
        }
    }
}

impl ClassStorage {
    /// Where the first of a group of reads, and so all of them, finds its values.
    pub fn place(&self, reading: &Reading) -> &FieldRead {
        &self.reads[&(reading.sweep, reading.group.first())]
    }

    fn add_reads(&mut self, reading: &Reading, field: usize, slot: SlotChoice) {
        for ((read, _), offset) in reading.group.members.iter().zip(&reading.offsets) {
            self.reads.insert((reading.sweep, *read), FieldRead { field, slot, offset: offset.clone() });
        }
    }
}
