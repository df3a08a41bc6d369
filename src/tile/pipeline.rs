//! A tile as a pipeline along its outermost dimension, the *stream* (N.5D blocking).
//!
//! At step `z` of the stream the inputs deliver row `z` (a plane in three dimensions), and the stage of lag `l` computes
//! row `z - l`. A *window* keeps as many of a producer's rows as its consumers still read; a row's *age* counts the steps
//! since it was delivered. Example, a star of radius 1 in two steps: the first stage has lag 1 and reads rows of ages 0,
//! 1 and 2 of the input; the second has lag 2 and reads the same ages of the first. Cells outside a sweep's domain keep
//! what their slot held: a stage finds them in the window of the stage that wrote the same slot before.
//!
//! In one dimension there is a single row, and no lag: the stages follow each other in one step.

use std::collections::{BTreeMap, BTreeSet};

use super::{CellBox, Stage, Tile, parts, slot_at, streamed_dimensions};
use crate::ir::{Access, BinaryOp, Expr, ExprKind, Handle, Nest, ScalarType};
use crate::poly::{Origin, Recurrences};

/// Where the rows of a window come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Producer {
    /// A slot of a field as it is before the launch.
    Input {
        /// The field.
        field: usize,
        /// The relative slot.
        slot: usize,
    },
    /// A stage of the tile, by index.
    Stage(usize),
    /// A part of a stage's value.
    Part(usize),
}

/// The latest rows of a producer.
#[derive(Clone, Debug)]
pub struct Window {
    /// What delivers the rows.
    pub producer: Producer,
    /// The field whose cells they are, or are part of.
    pub field: usize,
    /// Type of the values.
    pub element: ScalarType,
    /// At step `z` row `z - lag` is delivered.
    pub lag: i64,
    /// Number of rows kept.
    pub depth: i64,
    /// What is read of a row at an age: offsets within the row, outermost dimension first.
    pub taps: BTreeMap<i64, BTreeSet<Vec<i64>>>,
}

/// A value in a window, relative to the cell that is computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tap {
    /// Index of the window.
    pub window: usize,
    /// Age of the row.
    pub age: i64,
    /// Offset within the row.
    pub offset: Vec<i64>,
}

/// Where a stage finds the cells that its sweep does not write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HaloSource {
    /// In the same place of an older row.
    Window {
        /// Index of the window.
        window: usize,
        /// Age of the row.
        age: i64,
    },
    /// In device memory.
    Buffer {
        /// The field.
        field: usize,
        /// The relative slot.
        slot: usize,
    },
}

/// A value that is evaluated in one step; see `parts.rs`.
#[derive(Clone, Debug)]
pub struct ValuePart {
    /// The expression.
    pub value: Handle<Expr>,
    /// The window that it fills.
    pub window: usize,
    /// At step `z` it is evaluated for row `z - lag`.
    pub lag: i64,
    /// Where each read of a written field finds its value.
    pub reads: BTreeMap<Handle<Access>, Tap>,
    /// Its other reads, of fields that no sweep writes.
    pub constants: Vec<Handle<Access>>,
    /// The part before it, that part's window and the age of its value there.
    pub before: Option<(Handle<Expr>, usize, i64)>,
}

/// A stage's place in the pipeline.
#[derive(Clone, Debug)]
pub struct PipelineStage {
    /// Parts of its value in order of evaluation; the last is the value.
    pub parts: Vec<ValuePart>,
    /// Cells outside the sweep's domain, if anything reads them.
    pub halo: Option<HaloSource>,
}

impl PipelineStage {
    /// The value.
    pub fn last(&self) -> &ValuePart {
        self.parts.last().expect("a stage has a value")
    }

    /// The window that the stage fills.
    pub fn window(&self) -> usize {
        self.last().window
    }

    /// At step `z` the stage completes row `z - lag`.
    pub fn lag(&self) -> i64 {
        self.last().lag
    }
}

/// How a pipeline is to be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PipelineRules {
    /// Age of a row at which neighbours in the fastest dimension can be read, 0 or 1.
    pub age_of_columns: i64,
    /// Age of a plane at which neighbours in its other dimensions can be read, 0 or 1.
    pub age_of_rows: i64,
    /// Whether values are evaluated in parts.
    pub has_parts: bool,
}

impl PipelineRules {
    /// Whole rows are delivered before anything reads them.
    pub const WHOLE_ROWS: Self = Self { age_of_columns: 0, age_of_rows: 0, has_parts: false };
}

/// All stages of a tile with their lags and windows.
#[derive(Clone, Debug)]
pub struct Pipeline {
    /// Windows of inputs and stages.
    pub windows: Vec<Window>,
    /// For each stage of the tile its place.
    pub stages: Vec<PipelineStage>,
}

/// Why recurrences cannot be streamed though they can be tiled in time.
pub fn stream_obstacle(nest: &Nest, recurrences: &Recurrences) -> Option<String> {
    let storage = &recurrences.storage;
    for (sweep, (field, _)) in storage.writes.iter().enumerate() {
        let name = &storage.fields[*field].name;
        if storage.writes.iter().filter(|(other, _)| other == field).count() > 1 {
            return Some(format!("several statements write `{name}`"));
        }
        if !recurrences.sweeps.sweeps[sweep].is_box {
            return Some(format!("the elements written of `{name}` are no box"));
        }
    }
    if divides_integers(nest) {
        return Some("an integer division might divide by a value that is never used".into());
    }
    for (key, read) in &storage.reads {
        let origins =
            recurrences.sweeps.dependences.iter().filter(|d| d.sweep == key.0 && d.reads.contains_key(&key.1));
        let writers = origins.filter(|d| matches!(d.origin, Origin::Sweep(_))).count();
        let is_written = storage.fields[read.field].is_written;
        let varies = read.offset.is_none() && (is_written || !is_the_same_everywhere(nest, key.1));
        if writers > 1 || varies {
            return Some(format!("`{}` is read at varying distances", storage.fields[read.field].name));
        }
    }
    None
}

/// Rows behind the boundary are computed too, from whatever is there.
fn divides_integers(nest: &Nest) -> bool {
    let is_division =
        |expr: &Expr| !expr.ty.is_float() && matches!(expr.kind, ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, ..));
    let values = nest.reachable(nest.step.statements.iter().map(|statement| statement.value));
    values.into_iter().any(|expr| is_division(&nest.exprs[expr]))
}

/// Whether a read touches one element for all cells.
fn is_the_same_everywhere(nest: &Nest, read: Handle<Access>) -> bool {
    let subscripts = nest.reachable(nest.accesses[read].subscripts.iter().copied());
    let depends =
        |expr| matches!(nest.exprs[expr].kind, ExprKind::Index(l) | ExprKind::Iteration(l) if !nest.clock.counts(l));
    !subscripts.into_iter().any(depends)
}

impl Pipeline {
    /// The pipeline of a tile; the recurrences must have no [`stream_obstacle`].
    pub fn new(nest: &Nest, recurrences: &Recurrences, tile: &Tile, rules: PipelineRules) -> Self {
        let mut builder = Builder { nest, recurrences, tile, rules, windows: Vec::new(), stages: Vec::new() };
        for stage in &tile.stages {
            builder.add_stage(stage);
        }
        for index in 0..tile.stages.len() {
            builder.stages[index].halo = builder.find_halo(index);
        }
        Self { windows: builder.windows, stages: builder.stages }
    }

    /// How far beside, before and behind a cell the stages read a window: offsets of whole cells, outermost dimension
    /// first, and the cell itself. For grids of two dimensions or more.
    pub fn reach(&self, window: usize, rank: usize) -> CellBox {
        let cell = CellBox::cell(rank);
        let parts = self.stages.iter().flat_map(|piped| &piped.parts);
        let taps = parts.flat_map(|part| part.reads.values().map(|tap| (part.lag, tap)));
        taps.filter(|(_, tap)| tap.window == window).fold(cell, |reach, (lag, tap)| {
            let ahead = lag - self.windows[window].lag - tap.age;
            let offset: Vec<i64> = std::iter::once(ahead).chain(tap.offset.iter().copied()).collect();
            reach.hull(&CellBox { lo: offset.clone(), hi: offset })
        })
    }

    /// Whether a launch writes a slot in place: it reads cells of it, but none that it writes, and no later launch reads what
    /// it stores there. Such launches are few, and worth no second buffer; kernels are up to a twentieth faster with one.
    pub fn is_in_place(&self, recurrences: &Recurrences, tile: &Tile, (field, slot): (usize, usize)) -> bool {
        let has_halo = tile.slots.get(&(field, slot)).is_some_and(|used| used.has_halo);
        let is_loaded = self.windows.iter().any(|window| window.producer == Producer::Input { field, slot });
        let mut stored = tile.stages.iter().filter(|s| s.is_output && s.slot(recurrences) == (field, slot)).peekable();
        has_halo && !is_loaded && stored.peek().is_some() && stored.all(|s| tile.is_for_results_alone(recurrences, s))
    }

    /// Cells of its block that a tile at a face of the tiled box may own beside its core: no block needs more than the cells
    /// beyond the face that sweeps read. Only whole rows count: in the middle one of three dimensions.
    pub fn rim(&self, recurrences: &Recurrences, tile: &Tile) -> CellBox {
        let rank = tile.core.len();
        let mut rim = CellBox::cell(rank);
        if rank < 3 {
            return rim;
        }
        let (storage, region) = (&recurrences.storage, tile.region_around_core());
        let offsets = storage.reads.values().filter(|read| storage.fields[read.field].is_written);
        let offsets = offsets.filter_map(|read| read.offset.as_ref()).map(|offset| offset[1]);
        let (least, most) = offsets.fold((0, 0), |(least, most), offset| (offset.min(least), offset.max(most)));
        // The first and the last tile must reach out of every sweep's domain where they replace halos.
        let stages =
            tile.stages.iter().zip(&self.stages).filter(|(stage, piped)| stage.is_output || piped.halo.is_some());
        let regions = || stages.clone().map(|(stage, _)| &stage.region);
        let first = regions().map(|region| region.lo[1]).min().unwrap_or(0);
        let last = regions().map(|region| region.hi[1] - (tile.core[1] - 1)).max().unwrap_or(0);
        rim.lo[1] = (region.lo[1] - least).max(first).min(0);
        rim.hi[1] = (region.hi[1] - most).min(last).max(0);
        rim
    }

    /// The largest lag.
    pub fn longest_lag(&self) -> i64 {
        self.stages.iter().map(PipelineStage::lag).max().unwrap_or(0)
    }

    /// The smallest lag of any part; parts may run ahead of the rows that arrive.
    pub fn shortest_lag(&self) -> i64 {
        self.stages.iter().flat_map(|piped| &piped.parts).map(|part| part.lag).min().unwrap_or(0)
    }

    /// Rows in the deepest window.
    pub fn deepest_window(&self) -> i64 {
        self.windows.iter().map(|window| window.depth).max().unwrap_or(1)
    }
}

/// Where a read finds its values.
struct ReadPlace {
    window: usize,
    /// The row, counted from that of the cell that is computed.
    ahead: i64,
    /// Offset within the row.
    offset: Vec<i64>,
    /// The lag with which the value is there.
    ready: i64,
}

struct Builder<'a> {
    nest: &'a Nest,
    recurrences: &'a Recurrences,
    tile: &'a Tile,
    rules: PipelineRules,
    windows: Vec<Window>,
    stages: Vec<PipelineStage>,
}

impl Builder<'_> {
    /// Every part of a stage runs as soon as the last row that it reads is there.
    fn add_stage(&mut self, stage: &Stage) {
        let sources = self.sources(stage);
        let sweep = &self.recurrences.sweeps.sweeps[stage.sweep];
        let root = self.nest.step.statements[sweep.statement].value;
        let ready = |read| sources.get(&read).map(|source: &ReadPlace| source.ready);
        let mut values = parts::parts(self.nest, root, ready);
        if !self.rules.has_parts {
            values.drain(..values.len() - 1);
        }
        let mut piped = PipelineStage { parts: Vec::new(), halo: None };
        for (value, lag) in values {
            let is_last = value == root;
            let part = self.part(stage, value, lag.unwrap_or(0), is_last, piped.parts.last(), &sources);
            piped.parts.push(part);
        }
        self.stages.push(piped);
    }

    fn part(
        &mut self,
        stage: &Stage,
        value: Handle<Expr>,
        lag: i64,
        is_last: bool,
        before: Option<&ValuePart>,
        sources: &BTreeMap<Handle<Access>, ReadPlace>,
    ) -> ValuePart {
        let (mut reads, mut constants) = (BTreeMap::new(), Vec::new());
        for read in parts::reads(self.nest, value, before.map(|part| part.value)) {
            let Some(source) = sources.get(&read) else {
                constants.push(read);
                continue;
            };
            let offset = source.offset.clone();
            let age = lag - self.windows[source.window].lag - source.ahead;
            self.keep(source.window, age, Some(&offset));
            reads.insert(read, Tap { window: source.window, age, offset });
        }
        let before = before.map(|part| (part.value, part.window, lag - part.lag));
        if let Some((_, window, age)) = before {
            self.keep(window, age, None);
        }
        let storage = &self.recurrences.storage;
        let (field, _) = storage.writes[stage.sweep];
        let (producer, element) = match is_last {
            true => (Producer::Stage(self.stages.len()), storage.fields[field].element),
            false => (Producer::Part(self.stages.len()), self.nest.exprs[value].ty),
        };
        let window = self.windows.len();
        self.windows.push(Window { producer, field, element, lag, depth: 1, taps: BTreeMap::new() });
        ValuePart { value, window, lag, reads, constants, before }
    }

    /// Where the reads of a stage find their values, but for constants.
    fn sources(&mut self, stage: &Stage) -> BTreeMap<Handle<Access>, ReadPlace> {
        let storage = &self.recurrences.storage;
        let mut sources = BTreeMap::new();
        for &read in &self.recurrences.sweeps.sweeps[stage.sweep].reads {
            let place = &storage.reads[&(stage.sweep, read)];
            if !storage.fields[place.field].is_written {
                continue;
            }
            let offset = place.offset.as_ref().expect("time tiles need constant offsets");
            let (along, offset) = offset.split_at(streamed_dimensions(offset.len()));
            let ahead: i64 = along.iter().sum();
            let window = self.window_of(stage, read);
            let ready = self.windows[window].lag + (ahead + self.youngest_age(offset)).max(self.earliest());
            sources.insert(read, ReadPlace { window, ahead, offset: offset.to_vec(), ready });
        }
        sources
    }

    /// Parts may run ahead of their producer's row number; a whole value never does.
    fn earliest(&self) -> i64 {
        if self.rules.has_parts { i64::MIN / 2 } else { 0 }
    }

    /// The youngest age at which a row can be read with an offset within it.
    fn youngest_age(&self, offset: &[i64]) -> i64 {
        let last = offset.len() - 1;
        if offset[..last].iter().any(|o| *o != 0) {
            self.rules.age_of_rows
        } else if offset[last] != 0 {
            self.rules.age_of_columns
        } else {
            0
        }
    }

    /// The window in which a stage finds a read's values.
    fn window_of(&mut self, stage: &Stage, read: Handle<Access>) -> usize {
        let dependences = self.recurrences.sweeps.dependences.iter();
        let mut written =
            dependences.filter(|d| d.sweep == stage.sweep && d.reads.contains_key(&read)).filter_map(|d| {
                let Origin::Sweep(origin) = d.origin else { return None };
                Some((origin, stage.level as i64 - d.distance.expect("time tiles need constant distances")))
            });
        if let Some((origin, level @ 0..)) = written.next() {
            let stages = &self.tile.stages;
            let is_source = |other: &Stage| other.sweep == origin && other.level as i64 == level;
            let source = stages.iter().position(is_source).expect("a tile has all stages that it needs");
            return self.stages[source].window();
        }
        let storage = &self.recurrences.storage;
        let place = &storage.reads[&(stage.sweep, read)];
        let slot = slot_at(place.slot, stage.level, storage.fields[place.field].slots);
        self.input(place.field, slot)
    }

    fn input(&mut self, field: usize, slot: usize) -> usize {
        let producer = Producer::Input { field, slot };
        self.windows.iter().position(|window| window.producer == producer).unwrap_or_else(|| {
            let element = self.recurrences.storage.fields[field].element;
            self.windows.push(Window { producer, field, element, lag: 0, depth: 1, taps: BTreeMap::new() });
            self.windows.len() - 1
        })
    }

    fn keep(&mut self, window: usize, age: i64, offset: Option<&Vec<i64>>) {
        let window = &mut self.windows[window];
        window.depth = window.depth.max(age + 1);
        let taps = window.taps.entry(age).or_default();
        taps.extend(offset.cloned());
    }

    /// To be called for one stage after the other.
    fn find_halo(&self, index: usize) -> Option<HaloSource> {
        let stage = &self.tile.stages[index];
        let (field, slot) = stage.slot(self.recurrences);
        let is_read = !self.windows[self.stages[index].window()].taps.is_empty();
        if !is_read || !self.tile.slots.get(&(field, slot)).is_some_and(|used| used.has_halo) {
            return None;
        }
        let input = Producer::Input { field, slot };
        let windows = match self.earlier(stage, (field, slot)) {
            Some(earlier) => [Some(self.stages[earlier].window()), self.copy_of(earlier)],
            None => [self.windows.iter().position(|window| window.producer == input), None],
        };
        let age = |window: usize| self.stages[index].lag() - self.windows[window].lag;
        // Another row kept for the halo alone would cost more than loading the few cells where it is needed.
        let is_there = |window: &usize| (0..self.windows[*window].depth).contains(&age(*window));
        Some(match windows.into_iter().flatten().find(is_there) {
            Some(window) => HaloSource::Window { window, age: age(window) },
            None => HaloSource::Buffer { field, slot },
        })
    }

    /// The last stage before one that has the same halo.
    fn earlier(&self, stage: &Stage, slot: (usize, usize)) -> Option<usize> {
        let holds_halo = |(other, piped): (&Stage, &PipelineStage)| {
            let is_same_slot = other.sweep == stage.sweep && other.slot(self.recurrences) == slot;
            other.level < stage.level && is_same_slot && piped.halo.is_some()
        };
        self.tile.stages.iter().zip(&self.stages).rposition(holds_halo)
    }

    /// The window of a stage that copies all cells of another one that anything reads.
    fn copy_of(&self, copied: usize) -> Option<usize> {
        let Recurrences { storage, sweeps, .. } = self.recurrences;
        let (field, _) = storage.writes[self.tile.stages[copied].sweep];
        let is_copy = |(stage, piped): (&Stage, &PipelineStage)| {
            let read = self.nest.copied_read(sweeps.sweeps[stage.sweep].statement);
            let tap = read.and_then(|read| piped.last().reads.get(&read));
            let is_same_place = |offset: &Vec<i64>| offset.iter().all(|distance| *distance == 0);
            let reads_all = storage.reads.iter().all(|((reader, _), read)| {
                read.field != field || *reader == stage.sweep && read.offset.as_ref().is_some_and(is_same_place)
            });
            reads_all && tap.is_some_and(|tap| tap.window == self.stages[copied].window())
        };
        let copy = self.tile.stages.iter().zip(&self.stages).position(is_copy)?;
        Some(self.stages[copy].window())
    }
}
