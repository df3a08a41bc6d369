//! Fields and their slots: where every value lives on the device.
//!
//! Two ways to store the arrays of a nest are tried. *As written*: an array of one buffer is a field of one slot, `m`
//! rotating buffers are a ring of `m` slots. *Renamed*: arrays that copies join become one field whose version of step
//! `t` is in slot `(t + shift) mod slots`; this removes copy-back loops and gives in-place updates the second buffer that
//! a parallel sweep needs. The dataflow of the new program, sweeps in order and all reads of a sweep before its writes,
//! must equal the nest's own dataflow, or the storage is not used.

use std::collections::{BTreeMap, BTreeSet};

use isl_bindings::DimKind;

use super::class::{Class, ClassStorage};
use super::conflicts::{self, Conflicts};
use super::field::{FieldRead, StencilResult, Storage};
use super::flow::{self, Dataflow};
use super::order::{needed_pairs, order_by, order_sweeps};
use super::sweep::Sweep;
use super::{Memory, Refusal, Result, SlotChoice, Sweeps};
use crate::ir::{Array, Handle};

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
        let mut storage =
            Self { writes: vec![(usize::MAX, SlotChoice::Fixed(0)); sweeps.sweeps.len()], ..Self::default() };
        for arrays in classes(memory, eliminated) {
            let class = Class::new(memory, sweeps, order, arrays);
            let Some(mut plan) = class.plan()? else { return Ok(Err(class.arrays[0])) };
            storage.add(&mut plan);
        }
        Ok(Ok(storage))
    }

    fn add(&mut self, plan: &mut ClassStorage) {
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
        let to = nest.accesses[nest.step.statements[copy].write].array.index();
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
        let as_written = Dataflow::compute(memory)?;
        as_written.check_grids(memory)?;
        let copies = flow::copies(memory)?;
        let mut computes = false;
        for (statement, write) in memory.writes.iter().enumerate() {
            computes |= !copies.contains(&statement) && !write.is_empty()?;
        }
        if !copies.is_empty()
            && computes
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
        match Storage::new(memory, &sweeps, &order, &[])? {
            Ok(storage) => Ok(Self { sweeps, order, storage, eliminated: vec![] }),
            Err(array) => Self::after_reads(memory, sweeps, array),
        }
    }

    /// The recurrences in an order in which elements of `array`, and of others for which that is not enough, are stored when what they
    /// held has been read.
    fn after_reads(memory: &Memory<'_>, sweeps: Sweeps, array: Handle<Array>) -> Result<Self> {
        let mut pairs = needed_pairs(memory.nest, &sweeps)?;
        let (mut array, mut seen) = (array, BTreeSet::new());
        while seen.insert(array) {
            let conflicts = Conflicts::new(memory, &sweeps, array)?;
            let all = pairs.union(&conflicts.order()).copied().collect();
            let Ok(order) = order_by(memory.nest, &sweeps, &all) else {
                let waiting = conflicts.in_circles(memory, &sweeps, &pairs);
                let of_step = conflicts::reads_of_step(memory, &sweeps, &waiting);
                return Err(Refusal::NoStorage { array, waiting, of_step });
            };
            array = match Storage::new(memory, &sweeps, &order, &[])? {
                Ok(storage) => return Ok(Self { sweeps, order, storage, eliminated: vec![] }),
                Err(array) => array,
            };
            pairs = all;
        }
        let waiting = conflicts::with_themselves(memory, &sweeps, array)?;
        Err(Refusal::NoStorage { array, waiting, of_step: BTreeSet::new() })
    }

    /// How many places there are in the last dimension of all cells, where these are known, as members of structures are.
    pub fn last_places(&self) -> Option<i64> {
        let last = self.rank().checked_sub(1).filter(|last| *last > 0)?;
        let place = |sweep: &Sweep| sweep.domain.plain_fixed_value(DimKind::SET, last).ok().flatten();
        let places: Vec<i64> = self.sweeps.sweeps.iter().map(place).collect::<Option<_>>()?;
        Some(places.iter().max()? - places.iter().min()? + 1)
    }

    /// Rank of the cells that the first sweep writes.
    pub fn rank(&self) -> usize {
        let storage = &self.storage;
        storage.writes.first().map_or(1, |(field, _)| storage.fields[*field].rank)
    }
}
