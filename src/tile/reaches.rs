//! How far sweeps read: the cells that a cell needs, from the flow dependences.

use std::collections::BTreeMap;

use isl_bindings::{DimKind, Map, Set};

use super::{CellBox, Folded, obstacle};
use crate::ir::Nest;
use crate::options::Order;
use crate::poly::{self, Dependence, Origin, Recurrences, SlotChoice, are_in_other_planes};

/// The farthest cell that a sweep in a tile may need: a ghost zone as wide would leave no room for a core.
const MAX_REACH: u64 = 1 << 20;

/// How many cells around its own a sweep reads at most, by dimension, of what sweeps write; `None` where no constant says it.
pub fn farthest_reads(recurrences: &Recurrences) -> Option<Vec<i64>> {
    let storage = &recurrences.storage;
    if obstacle(recurrences).is_some() || storage.fields.iter().any(|field| field.is_history()) {
        return None;
    }
    let (first, _) = storage.writes.first()?;
    let mut farthest = vec![0; storage.fields[*first].rank];
    for read in storage.reads.values().filter(|read| storage.fields[read.field].is_written) {
        let offset = read.offset.as_ref()?;
        farthest.iter_mut().zip(offset).for_each(|(most, cells)| *most = i64::max(*most, cells.saturating_abs()));
    }
    farthest.iter().all(|cells| cells.unsigned_abs() <= MAX_REACH).then_some(farthest)
}

/// How far each sweep reads, gathered from its dependences.
pub struct Reaches<'a> {
    pub(super) recurrences: &'a Recurrences,
    pub(super) reaches: Vec<Reach>,
    folded: Option<Folded>,
}

/// The reads of a sweep that share field, slot and source.
pub(super) struct Reach {
    pub(super) sweep: usize,
    pub(super) field: usize,
    pub(super) slot: SlotChoice,
    pub(super) source: ReachOrigin,
    /// The cells that a cell needs, relative to it.
    pub(super) cells: CellBox,
}

/// What wrote the cells that a sweep reads.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum ReachOrigin {
    /// A sweep, `distance` steps before.
    Sweep { sweep: usize, distance: i64 },
    /// Nothing but what filled the arrays before the nest; no step behind the last one reads such cells. Those beside the
    /// domains of all sweeps that write the field hold it for ever, also where a stage fills the slot again. The others hold
    /// it until a sweep first writes them, and a tile finds it with what earlier launches left.
    Initial { is_beside: bool, last_step: Option<i64> },
}

impl<'a> Reaches<'a> {
    /// Gathers the dependences; the recurrences must have no [`obstacle`]. `None` if a sweep reads too far away.
    ///
    /// # Errors
    /// isl's errors.
    pub fn new(recurrences: &'a Recurrences) -> isl_bindings::Result<Option<Self>> {
        let mut this = Self { recurrences, reaches: Vec::new(), folded: None };
        let mut written = Elements { recurrences, of_sweeps: BTreeMap::new(), known: BTreeMap::new() };
        for dependence in &recurrences.sweeps.dependences {
            for (source, relation) in written.sources(dependence)? {
                let Some(cells) = cells_of_reads(dependence, source, &relation)? else { return Ok(None) };
                this.add(dependence, source, cells);
            }
        }
        Ok(Some(this))
    }

    /// What tiles that leave [`Leaves::Folds`](super::Leaves::Folds) fold; without it there are none.
    pub fn folded(&self) -> Option<&Folded> {
        self.folded.as_ref()
    }

    pub(super) fn folds(&self, sweep: usize) -> bool {
        self.folded.as_ref().is_some_and(|folded| folded.value_of(sweep).is_some())
    }

    fn add(&mut self, dependence: &Dependence, source: ReachOrigin, cells: CellBox) {
        let read = &self.recurrences.storage.reads[&(dependence.sweep, dependence.read)];
        let (sweep, field, slot) = (dependence.sweep, read.field, read.slot);
        let is_same =
            |other: &&mut Reach| (other.sweep, other.field, other.slot, other.source) == (sweep, field, slot, source);
        match self.reaches.iter_mut().find(is_same) {
            Some(other) => other.cells = other.cells.hull(&cells),
            None => self.reaches.push(Reach { sweep, field, slot, source, cells }),
        }
    }
}

/// How far the sweeps of a nest read that may have time tiles; `None` if it may not.
///
/// # Errors
/// isl's errors.
pub fn compute_reaches<'a>(
    nest: &Nest,
    recurrences: &'a Recurrences,
    order: Order,
) -> poly::Result<Option<Reaches<'a>>> {
    let may_be_tiled = nest.clock.has_steps()
        && obstacle(recurrences).is_none()
        && recurrences.storage.fields.iter().all(|field| !field.is_written || field.rank <= 4);
    let reaches = if may_be_tiled { Reaches::new(recurrences)? } else { None };
    Ok(reaches.map(|reaches| Reaches { folded: Folded::new(nest, recurrences, order), ..reaches }))
}

/// The elements of arrays that sweeps write, by array; each is asked for by many dependences.
struct Elements<'a> {
    recurrences: &'a Recurrences,
    of_sweeps: BTreeMap<(usize, Option<String>), Set>,
    /// What writes the elements that reads need of initial memory, by field and by the number of what is needed.
    known: BTreeMap<(usize, usize), Vec<(ReachOrigin, Map)>>,
}

impl Elements<'_> {
    /// What writes the cells of a dependence, and its parts by that.
    fn sources(&mut self, dependence: &Dependence) -> isl_bindings::Result<Vec<(ReachOrigin, Map)>> {
        if let Origin::Sweep(sweep) = dependence.origin {
            let distance = dependence.distance.expect("time tiles need constant distances");
            return Ok(vec![(ReachOrigin::Sweep { sweep, distance }, dependence.relation.clone())]);
        }
        let field = self.recurrences.storage.reads[&(dependence.sweep, dependence.read)].field;
        let Some(needed) = &dependence.needed else { return self.initial_sources(field, &dependence.relation) };
        let key = (field, needed.number);
        if !self.known.contains_key(&key) {
            let sources = self.initial_sources(field, &needed.in_steps)?;
            self.known.insert(key, sources);
        }
        Ok(self.known[&key].clone())
    }

    /// The parts of a relation, `[p] -> { [t, ..] -> A0[b, x, y] }`, that sweeps which write a field write and do not.
    fn initial_sources(&mut self, field: usize, relation: &Map) -> isl_bindings::Result<Vec<(ReachOrigin, Map)>> {
        let storage = &self.recurrences.storage;
        let (mut beside, mut within) = (relation.clone(), Vec::new());
        let elements = beside.range()?;
        for (sweep, _) in storage.writes.iter().enumerate().filter(|(_, (written, _))| *written == field) {
            let computed = self.of_sweep(sweep, &beside)?;
            if are_in_other_planes(&elements, computed)? {
                continue;
            }
            let part = beside.intersect_range(computed)?;
            beside = beside.subtract(&part)?;
            within.push((false, part));
        }
        let mut found = Vec::new();
        for (is_beside, relation) in within.into_iter().chain([(true, beside)]) {
            if !relation.is_empty()? {
                found.push((ReachOrigin::Initial { is_beside, last_step: last_step(&relation)? }, relation));
            }
        }
        Ok(found)
    }

    /// The cells of a sweep's domain as elements of all buffers, in the space of a relation's range
    /// `[p] -> { A0[b, x, y] }`.
    fn of_sweep(&mut self, sweep: usize, relation: &Map) -> isl_bindings::Result<&Set> {
        let name = relation.tuple_name(DimKind::Out)?;
        let key = (sweep, name.clone());
        if !self.of_sweeps.contains_key(&key) {
            let domain = &self.recurrences.sweeps.sweeps[sweep].domain;
            let elements = domain.reset_tuple_id()?.insert_dims(DimKind::SET, 0, 1)?;
            let elements = name.map_or(Ok(elements.clone()), |name| elements.set_tuple_name(&name))?;
            self.of_sweeps.insert(key.clone(), elements);
        }
        Ok(&self.of_sweeps[&key])
    }
}

/// The last step in which a dependence `[p] -> { K0[t, x, y] -> ... }` exists, if that is the same for all parameters.
fn last_step(relation: &Map) -> isl_bindings::Result<Option<i64>> {
    let points = relation.domain()?;
    let rank = points.dim(DimKind::SET)? - 1;
    let steps = points.project_out(DimKind::SET, 1, rank)?.project_out_all_params()?;
    let Some(hull) = steps.simple_fixed_box_hull()? else { return Ok(None) };
    Ok(hull.offsets[0].constant_si()?.map(|first| first + hull.sizes[0] - 1))
}

/// The rectangular hull of the cells that a cell needs for the part of a dependence with that source; `None` if one is beyond
/// all tiles. A constant offset of a read is all that it needs; some reads of several may have no part in initial memory.
fn cells_of_reads(
    dependence: &Dependence,
    source: ReachOrigin,
    relation: &Map,
) -> isl_bindings::Result<Option<CellBox>> {
    let offsets: Option<Vec<_>> = dependence.reads.values().cloned().collect();
    match offsets {
        Some(offsets) if offsets.len() == 1 || matches!(source, ReachOrigin::Sweep { .. }) => {
            let cells = offsets.into_iter().map(|offset| CellBox { lo: offset.clone(), hi: offset });
            Ok(cells.reduce(|hull, cell| hull.hull(&cell)).filter(is_near))
        }
        _ => needed_cells(relation),
    }
}

/// Whether a tile may need such cells.
fn is_near(cells: &CellBox) -> bool {
    let distances = cells.lo.iter().copied().chain(cells.extents());
    distances.into_iter().all(|distance| distance.unsigned_abs() <= MAX_REACH)
}

/// The rectangular hull of the cells that a cell needs, relative to it: the differences of a dependence
/// `[p] -> { K0[t, x, y] -> K1[t', x', y'] }` (or to an initial element) in space; `None` if one is beyond all tiles.
fn needed_cells(relation: &Map) -> isl_bindings::Result<Option<CellBox>> {
    let space = relation.project_out(DimKind::In, 0, 1)?.project_out(DimKind::Out, 0, 1)?;
    let differences = space.deltas()?.project_out_all_params()?.coalesce()?;
    let hull = differences.simple_fixed_box_hull()?.expect("constant differences have a hull");
    let mut lo = Vec::new();
    for offset in &hull.offsets {
        lo.push(offset.constant_si()?.expect("differences are integers"));
    }
    let hi = lo.iter().zip(&hull.sizes).map(|(lo, size)| lo.saturating_add(size - 1)).collect();
    Ok(Some(CellBox { lo, hi }).filter(is_near))
}
