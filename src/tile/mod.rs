//! Overlapped time tiles as integer sets (Holewinski et al., ICS 2012, Algorithm 2).
//!
//! A work-group owns the cells of a *core* box and advances it by several time steps, the *levels*, in one launch. From
//! the core at the last level the instances needed at every level are found backwards, sweep by sweep, as preimages
//! under the flow dependences; each region is the rectangular hull of what is needed. isl gives the hull of the cells
//! that one cell needs; the preimage of a box is that box dilated by it. Example, 1D three-point Jacobi,
//! core `[o, o + 63]`, two levels: level 1 computes `[o, o + 63]`, level 0 `[o - 1, o + 64]`, the input is
//! `[o - 2, o + 65]`.

mod block;
mod edges;
mod folded;
mod parts;
mod pipeline;
mod row_window;
mod shape;
mod steady;
#[cfg(test)]
mod stream_tests;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use isl_bindings::{DimKind, Map, Set};

use crate::ir::{Access, Handle, Nest};
use crate::options::Order;
use crate::poly::{self, Dependence, Origin, Recurrences, SlotChoice, are_in_other_planes};
pub use block::{BlockCell, Blocks, moved};
pub use edges::{EdgeRows, Edges, exchanged_bytes};
pub use folded::{Folded, combination};
pub use pipeline::{
    HaloSource, Pipeline, PipelineRules, PipelineStage, Producer, Tap, ValuePart, Window, stream_obstacle,
};
pub use row_window::RowWindow;
pub use shape::{LANES, MOST_NEIGHBOURS, StreamShape, streamed_dimensions};
pub use steady::Steady;

/// The farthest cell that a sweep in a tile may need: a ghost zone as wide would leave no room for a core.
const MAX_REACH: u64 = 1 << 20;

/// A box of cells relative to the tile's origin, inclusive, outermost dimension first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellBox {
    /// First cell.
    pub lo: Vec<i64>,
    /// Last cell.
    pub hi: Vec<i64>,
}

impl CellBox {
    /// A cell.
    pub fn cell(rank: usize) -> Self {
        Self { lo: vec![0; rank], hi: vec![0; rank] }
    }

    /// Number of cells in each dimension.
    pub fn extents(&self) -> Vec<i64> {
        self.lo.iter().zip(&self.hi).map(|(lo, hi)| hi - lo + 1).collect()
    }

    /// Number of cells; the largest number if there are more.
    pub fn volume(&self) -> i64 {
        self.extents().into_iter().fold(1, i64::saturating_mul)
    }

    /// Every cell of this box moved by every offset of the other one.
    pub fn dilated(&self, offsets: &Self) -> Self {
        let sum = |a: &[i64], b: &[i64]| a.iter().zip(b).map(|(a, b)| a + b).collect();
        Self { lo: sum(&self.lo, &offsets.lo), hi: sum(&self.hi, &offsets.hi) }
    }

    /// The smallest box around both.
    pub fn hull(&self, other: &Self) -> Self {
        Self {
            lo: self.lo.iter().zip(&other.lo).map(|(a, b)| *a.min(b)).collect(),
            hi: self.hi.iter().zip(&other.hi).map(|(a, b)| *a.max(b)).collect(),
        }
    }
}

/// One sweep at one level of a tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// Steps that the tile has completed before: 0 for the first level.
    pub level: usize,
    /// The sweep.
    pub sweep: usize,
    /// Cells to compute, before they are cut to the sweep's domain.
    pub region: CellBox,
    /// Whether its core cells are results of the launch.
    pub is_output: bool,
    /// Whether they are folded: nothing else is wanted of them.
    pub is_folded: bool,
}

impl Stage {
    /// The field and the relative slot that it writes.
    pub fn slot(&self, recurrences: &Recurrences) -> (usize, usize) {
        let storage = &recurrences.storage;
        let (field, ring) = storage.writes[self.sweep];
        (field, slot_at(ring, self.level, storage.fields[field].slots))
    }
}

/// What a slot of a field is needed for within a tile. Slots are relative: slot `r` is `(t + r) mod slots` for a launch
/// that starts with step `t`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotUse {
    /// Cells that are read or computed.
    pub region: CellBox,
    /// Whether values of earlier launches are read.
    pub has_input: bool,
    /// Whether cells are read that no sweep writes (the halo).
    pub has_halo: bool,
}

/// Which values a launch stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaves {
    /// Those that the next steps read.
    Inputs,
    /// Those that the nest's results are made of too: the last launch of several steps must.
    Results,
    /// Those that the next steps read, and of each step what its [`Folded`] values come to.
    Folds,
}

/// The regions of an overlapped time tile.
#[derive(Clone, Debug)]
pub struct Tile {
    /// Time steps.
    pub levels: usize,
    /// Which values it stores; [`Leaves::Results`] wherever these are all.
    pub leaves: Leaves,
    /// Extents of the core, outermost first.
    pub core: Vec<i64>,
    /// The sweeps of all levels in order of execution; those that nothing needs are left out.
    pub stages: Vec<Stage>,
    /// The slots of written fields that are read within the tile, by field and relative slot.
    pub slots: BTreeMap<(usize, usize), SlotUse>,
    /// What it folds of each step, if it leaves [`Leaves::Folds`].
    pub folded: Option<Folded>,
}

impl Tile {
    /// The tile of the given core and number of levels. One of too few levels cannot leave results: the launch before it need
    /// not have left those versions that it does not compute.
    pub fn new(reaches: &Reaches<'_>, core: &[i64], levels: usize, leaves: Leaves) -> Self {
        let leaves = match last_single_steps(reaches.recurrences) {
            _ if leaves == Leaves::Folds => leaves,
            0 => Leaves::Results,
            steps if levels < steps => Leaves::Inputs,
            _ => leaves,
        };
        Builder::new(reaches, core, levels, leaves).build()
    }

    /// Whether no later launch reads what a stage stores.
    pub fn is_for_results_alone(&self, recurrences: &Recurrences, stage: &Stage) -> bool {
        stage.is_output && !is_output(recurrences, stage.level, stage.sweep, self.levels, Leaves::Inputs)
    }

    /// The box around everything that is computed or loaded, per field.
    pub fn field_region(&self, field: usize) -> Option<CellBox> {
        let uses = self.slots.iter().filter(|((f, _), _)| *f == field).map(|(_, slot)| slot.region.clone());
        uses.reduce(|a, b| a.hull(&b))
    }

    /// The box around everything.
    pub fn region(&self) -> CellBox {
        let core = CellBox { lo: vec![0; self.core.len()], hi: self.core.iter().map(|extent| extent - 1).collect() };
        let stages = self.stages.iter().map(|stage| &stage.region);
        stages.chain(self.slots.values().map(|slot| &slot.region)).fold(core, |hull, region| hull.hull(region))
    }

    /// The same with its last cells counted from the core's last one.
    pub fn region_around_core(&self) -> CellBox {
        let mut region = self.region();
        region.hi.iter_mut().zip(&self.core).for_each(|(hi, extent)| *hi -= extent - 1);
        region
    }

    /// Cells computed for each cell of the core and step: 1 without redundancy.
    pub fn redundancy(&self) -> f64 {
        let computed: f64 = self.stages.iter().map(|stage| stage.region.volume() as f64).sum();
        let core: i64 = self.core.iter().product();
        let sweeps = self.stages.iter().map(|stage| stage.sweep).collect::<std::collections::BTreeSet<_>>().len();
        computed / (core * (self.levels * sweeps.max(1)) as i64) as f64
    }
}

/// Why a system of recurrences cannot be advanced tile by tile.
pub struct Obstacle {
    /// A sentence for people.
    pub reason: String,
    /// The read that is in the way, if it is one.
    pub read: Option<Handle<Access>>,
}

/// What keeps a system of recurrences from time tiles.
pub fn obstacle(recurrences: &Recurrences) -> Option<Obstacle> {
    let storage = &recurrences.storage;
    let ranks: Vec<usize> = storage.writes.iter().map(|(field, _)| storage.fields[*field].rank).collect();
    if ranks.iter().any(|rank| *rank != ranks[0]) {
        return Some(Obstacle { reason: "it writes arrays of different rank".into(), read: None });
    }
    // A launch hands a slot that it reads on in another buffer, and so must write all of its cells that change.
    for (field, ring) in &storage.writes {
        if storage.writes.iter().any(|(other, another)| other == field && another != ring) {
            let name = &storage.fields[*field].name;
            let reason = format!("statements write `{name}` for different steps at a time");
            return Some(Obstacle { reason, read: None });
        }
    }
    if most_levels(recurrences) < 2 {
        return Some(Obstacle { reason: "it keeps rows of too many arrays in each step".into(), read: None });
    }
    for dependence in &recurrences.sweeps.dependences {
        let Some(read) = storage.reads.get(&(dependence.sweep, dependence.read)) else { continue };
        let field = &storage.fields[read.field];
        let is_uniform =
            read.offset.is_some() && (dependence.distance.is_some() || matches!(dependence.origin, Origin::Initial(_)));
        if !is_uniform {
            let reason = format!("the distance of a dependence through `{}` is not constant", field.name);
            return Some(Obstacle { reason, read: Some(dependence.read) });
        }
    }
    None
}

/// The largest distance in time at which any dependence reads the sweep's values; 0 if only its own step does.
pub fn longest_distance(recurrences: &Recurrences, sweep: usize) -> i64 {
    let dependences = recurrences.sweeps.dependences.iter();
    dependences.filter(|d| d.origin == Origin::Sweep(sweep)).filter_map(|d| d.distance).max().unwrap_or(0)
}

/// The relative slot that a rotation reaches at a level.
pub fn slot_at(ring: SlotChoice, level: usize, slots: usize) -> usize {
    match ring {
        SlotChoice::Rotating(shift) => (level as i64 + shift).rem_euclid(slots as i64) as usize,
        SlotChoice::Fixed(slot) => slot,
    }
}

/// Number of single steps that must follow launches that leave [`Leaves::Inputs`] so that every slot with a result holds its
/// final version.
pub fn last_single_steps(recurrences: &Recurrences) -> usize {
    let missing = |sweep| kept(recurrences, sweep, Leaves::Results) - kept(recurrences, sweep, Leaves::Inputs);
    (0..recurrences.storage.writes.len()).map(missing).max().unwrap_or(0)
}

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

/// More steps than any launch has.
const EVERY_STEP: usize = 1 << 30;

/// Rows of histories that a kernel may store, and about as many that it may read: each is an argument, and every device takes
/// 128 pointers. Deeper tiles hardly move less, as each level stores its rows.
const MOST_ROWS: usize = 16;

/// The most levels that a tile may have: each stores a row of each history.
pub fn most_levels(recurrences: &Recurrences) -> usize {
    let histories = recurrences.storage.fields.iter().filter(|field| field.is_history()).count();
    MOST_ROWS.checked_div(histories).unwrap_or(usize::MAX)
}

/// Of how many of the last steps of a launch a sweep's values are stored.
fn kept(recurrences: &Recurrences, sweep: usize, leaves: Leaves) -> usize {
    let read = longest_distance(recurrences, sweep).max(0) as usize;
    let (field, _) = recurrences.storage.writes[sweep];
    if recurrences.storage.fields[field].is_history() {
        return EVERY_STEP;
    }
    match leaves {
        Leaves::Inputs | Leaves::Folds => read,
        Leaves::Results => read.max(result_versions(recurrences, sweep)),
    }
}

/// Versions of the field that a sweep writes among the results.
fn result_versions(recurrences: &Recurrences, sweep: usize) -> usize {
    let storage = &recurrences.storage;
    let (field, _) = storage.writes[sweep];
    let results = storage.results.iter().filter(|result| result.field == field);
    results.map(|result| format!("{:?}", result.slot)).collect::<std::collections::BTreeSet<_>>().len()
}

/// Whether a launch of so many levels stores what a sweep computes in one of them; in a single step anybody may want it.
fn is_output(recurrences: &Recurrences, level: usize, sweep: usize, levels: usize, leaves: Leaves) -> bool {
    let kept = kept(recurrences, sweep, leaves);
    level + if levels == 1 { kept.max(1) } else { kept } >= levels
}

/// How far each sweep reads, gathered from its dependences.
pub struct Reaches<'a> {
    recurrences: &'a Recurrences,
    reaches: Vec<Reach>,
    folded: Option<Folded>,
}

/// The reads of a sweep that share field, slot and source.
struct Reach {
    sweep: usize,
    field: usize,
    slot: SlotChoice,
    source: ReachOrigin,
    /// The cells that a cell needs, relative to it.
    cells: CellBox,
}

/// What wrote the cells that a sweep reads.
#[derive(Clone, Copy, PartialEq)]
enum ReachOrigin {
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

    /// What tiles that leave [`Leaves::Folds`] fold; without it there are none.
    pub fn folded(&self) -> Option<&Folded> {
        self.folded.as_ref()
    }

    fn folds(&self, sweep: usize) -> bool {
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

struct Builder<'a> {
    reaches: &'a Reaches<'a>,
    levels: usize,
    leaves: Leaves,
    core: CellBox,
    /// By level and sweep, the hull of what is needed.
    needed: BTreeMap<(usize, usize), CellBox>,
    slots: BTreeMap<(usize, usize), SlotUse>,
}

impl<'a> Builder<'a> {
    fn new(reaches: &'a Reaches<'a>, core: &[i64], levels: usize, leaves: Leaves) -> Self {
        let core = CellBox { lo: vec![0; core.len()], hi: core.iter().map(|extent| extent - 1).collect() };
        Self { reaches, levels, leaves, core, needed: BTreeMap::new(), slots: BTreeMap::new() }
    }

    fn build(mut self) -> Tile {
        let recurrences = self.reaches.recurrences;
        let mut stages = Vec::new();
        for level in (0..self.levels).rev() {
            for &sweep in recurrences.order.iter().rev() {
                let is_output = is_output(recurrences, level, sweep, self.levels, self.leaves);
                let is_folded = self.leaves == Leaves::Folds && self.reaches.folds(sweep);
                if is_output || is_folded {
                    self.need(level, sweep, self.core.clone());
                }
                let Some(region) = self.needed.get(&(level, sweep)).cloned() else { continue };
                self.trace_back(level, sweep, &region);
                stages.push(Stage { level, sweep, region, is_output, is_folded });
            }
        }
        stages.reverse();
        self.cover_computed(&stages);
        let (levels, leaves, core) = (self.levels, self.leaves, self.core.extents());
        let folded = self.reaches.folded.clone().filter(|_| leaves == Leaves::Folds);
        Tile { levels, leaves, core, stages, slots: self.slots, folded }
    }

    /// Adds to the needs of earlier sweeps and levels what this region reads.
    fn trace_back(&mut self, level: usize, sweep: usize, region: &CellBox) {
        let reaches = self.reaches;
        for reach in reaches.reaches.iter().filter(|reach| reach.sweep == sweep) {
            let touched = region.dilated(&reach.cells);
            let slots = reaches.recurrences.storage.fields[reach.field].slots;
            let key = (reach.field, slot_at(reach.slot, level, slots));
            let (has_input, has_halo) = match reach.source {
                ReachOrigin::Sweep { sweep, distance } => {
                    let written = level as i64 - distance;
                    if written >= 0 {
                        self.need(written as usize, sweep, touched.clone());
                    }
                    (written < 0, false)
                }
                // In later steps of the nest this level reads what sweeps have written, or nothing.
                ReachOrigin::Initial { last_step: Some(last), .. } if last < level as i64 => continue,
                ReachOrigin::Initial { is_beside, .. } => (!is_beside, is_beside),
            };
            self.use_slot(key, SlotUse { region: touched, has_input, has_halo });
        }
    }

    /// Makes room in local memory for cells that are computed beside those that are read.
    fn cover_computed(&mut self, stages: &[Stage]) {
        for stage in stages {
            let key = stage.slot(self.reaches.recurrences);
            if self.slots.contains_key(&key) {
                let region = stage.region.clone();
                self.use_slot(key, SlotUse { region, has_input: false, has_halo: false });
            }
        }
    }

    fn need(&mut self, level: usize, sweep: usize, cells: CellBox) {
        let hull = self.needed.get(&(level, sweep)).map_or(cells.clone(), |others| others.hull(&cells));
        self.needed.insert((level, sweep), hull);
    }

    fn use_slot(&mut self, key: (usize, usize), this: SlotUse) {
        let all = match self.slots.remove(&key) {
            Some(other) => SlotUse {
                region: other.region.hull(&this.region),
                has_input: other.has_input || this.has_input,
                has_halo: other.has_halo || this.has_halo,
            },
            None => this,
        };
        self.slots.insert(key, all);
    }
}

impl Tile {
    /// The same tile with another core: regions keep their distance from the core's faces.
    #[must_use]
    pub fn with_core(&self, core: &[i64]) -> Self {
        let grow = |region: &mut CellBox| {
            for (d, hi) in region.hi.iter_mut().enumerate() {
                *hi += core[d] - self.core[d];
            }
        };
        let mut tile = Self { core: core.to_vec(), ..self.clone() };
        tile.stages.iter_mut().for_each(|stage| grow(&mut stage.region));
        tile.slots.values_mut().for_each(|slot| grow(&mut slot.region));
        tile
    }
}
