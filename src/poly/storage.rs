//! Fields and their slots: where every value lives on the device.
//!
//! Two ways to store the arrays of a nest are tried. *As written*: an array of one buffer is a field of one slot, `m`
//! rotating buffers are a ring of `m` slots. *Renamed*: arrays that copies join become one field whose version of step
//! `t` is in slot `(t + shift) mod slots`; this removes copy-back loops and gives in-place updates the second buffer that
//! a parallel sweep needs. The dataflow of the new program, sweeps in order and all reads of a sweep before its writes,
//! must equal the nest's own dataflow, or the storage is not used.

use std::collections::BTreeMap;

use isl_bindings::Set;

use super::class::{Class, ClassPlan};
use super::flow::{self, Flow};
use super::order::order_sweeps;
use super::sweep::Sweeps;
use super::{Memory, Refusal, Result, Ring};
use crate::ir::{Access, Array, Handle, ScalarType};

/// A buffer of an array, by number.
pub type BufferOf = (Handle<Array>, usize);

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
    pub initial: Vec<Option<BufferOf>>,
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
            let class = Class::new(memory, sweeps, order, arrays);
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

/// The recurrences of a nest: flow, sweeps, and the first storage that works.
impl Recurrences {
    /// Tries to look through all copies, then through none.
    ///
    /// # Errors
    /// Why a sweep is not parallel, and what isl reports.
    pub fn new(memory: &Memory<'_>) -> Result<Self> {
        let as_written = Flow::compute(memory)?;
        let copies = flow::copies(memory)?;
        if !copies.is_empty()
            && copies.len() < memory.nest.statements.len()
            && let Some(flow) = as_written.through_copies(memory, &copies)?
        {
            let sweeps = Sweeps::new(memory, &flow, &copies)?;
            if let Ok(order) = order_sweeps(memory.nest, &sweeps)
                && let Ok(storage) = Storage::new(memory, &sweeps, &order, &copies)?
            {
                return Ok(Self { sweeps, order, storage, eliminated: copies });
            }
        }
        let sweeps = Sweeps::new(memory, &as_written, &[])?;
        let order = order_sweeps(memory.nest, &sweeps)?;
        let storage = Storage::new(memory, &sweeps, &order, &[])?.map_err(Refusal::NoStorage)?;
        Ok(Self { sweeps, order, storage, eliminated: vec![] })
    }
}
