//! A tile as a pipeline along its outermost dimension, the *stream* (N.5D blocking).
//!
//! At step `z` of the stream the inputs deliver row `z` (a plane in three dimensions), and the stage of lag `l` computes
//! row `z - l`. A *window* keeps as many of a producer's rows as its consumers still read; a row's *age* counts the steps
//! since it was delivered. Example, a star of radius 1 in two steps: the first stage has lag 1 and reads rows of ages 0,
//! 1 and 2 of the input; the second has lag 2 and reads the same ages of the first. Cells outside a sweep's domain keep
//! what their slot held: a stage finds them in the window of the stage that wrote the same slot before.

use std::collections::{BTreeMap, BTreeSet};

use super::{SlotUse, Stage, Tile, slot_at};
use crate::ir::{Access, Handle};
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
}

/// The latest rows of a producer.
#[derive(Clone, Debug)]
pub struct Window {
    /// What delivers the rows.
    pub producer: Producer,
    /// The field whose cells they are.
    pub field: usize,
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halo {
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

/// A stage's place in the pipeline.
#[derive(Clone, Debug)]
pub struct Flow {
    /// The window that it fills.
    pub window: usize,
    /// At step `z` it computes row `z - lag`.
    pub lag: i64,
    /// Where each read of a written field finds its value.
    pub reads: BTreeMap<Handle<Access>, Tap>,
    /// Cells outside the sweep's domain, if anything reads them.
    pub halo: Option<Halo>,
}

/// All stages of a tile with their lags and windows.
#[derive(Clone, Debug)]
pub struct Pipeline {
    /// Windows of inputs and stages.
    pub windows: Vec<Window>,
    /// For each stage of the tile its place.
    pub flows: Vec<Flow>,
}

/// Why recurrences cannot be streamed though they can be tiled in time.
pub fn stream_obstacle(recurrences: &Recurrences) -> Option<String> {
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
    for (key, read) in &storage.reads {
        let origins = recurrences.sweeps.dependences.iter().filter(|d| (d.sweep, d.read) == *key);
        let writers = origins.filter(|d| matches!(d.origin, Origin::Sweep(_))).count();
        if writers > 1 || (!storage.fields[read.field].is_written && read.offset.is_none()) {
            return Some(format!("`{}` is read at varying distances", storage.fields[read.field].name));
        }
    }
    None
}

impl Pipeline {
    /// The pipeline of a tile; the recurrences must have no [`stream_obstacle`]. Where a stage reads
    /// beside itself in the middle one of three dimensions, rows are at least `slack` steps old.
    pub fn new(recurrences: &Recurrences, tile: &Tile, slack: i64) -> Self {
        let mut builder = Builder { recurrences, tile, slack, windows: Vec::new(), flows: Vec::new() };
        for stage in &tile.stages {
            builder.add_stage(stage);
        }
        for index in 0..tile.stages.len() {
            builder.flows[index].halo = builder.find_halo(index);
        }
        Self { windows: builder.windows, flows: builder.flows }
    }

    /// The largest lag.
    pub fn longest_lag(&self) -> i64 {
        self.flows.iter().map(|flow| flow.lag).max().unwrap_or(0)
    }

    /// Rows in the deepest window.
    pub fn deepest_window(&self) -> i64 {
        self.windows.iter().map(|window| window.depth).max().unwrap_or(1)
    }
}

struct Builder<'a> {
    recurrences: &'a Recurrences,
    tile: &'a Tile,
    slack: i64,
    windows: Vec<Window>,
    flows: Vec<Flow>,
}

impl Builder<'_> {
    /// A stage runs as soon as the last row that it reads is there.
    fn add_stage(&mut self, stage: &Stage) {
        let storage = &self.recurrences.storage;
        let mut sources = Vec::new();
        for &read in &self.recurrences.sweeps.sweeps[stage.sweep].reads {
            let place = &storage.reads[&(stage.sweep, read)];
            if storage.fields[place.field].is_written {
                let offset = place.offset.clone().expect("time tiles need constant offsets");
                sources.push((read, self.window_of(stage, read), offset));
            }
        }
        let latest = |(_, window, offset): &(_, usize, Vec<i64>)| {
            let other_rows = offset.len() > 2 && offset[1..offset.len() - 1].iter().any(|o| *o != 0);
            let wait = if other_rows { self.slack } else { 0 };
            self.windows[*window].lag + (offset[0] + wait).max(0)
        };
        let lag = sources.iter().map(latest).max().unwrap_or(0);
        let mut reads = BTreeMap::new();
        for (read, window, offset) in sources {
            let (ahead, offset) = (offset[0], offset[1..].to_vec());
            let age = lag - self.windows[window].lag - ahead;
            self.keep(window, age, Some(&offset));
            reads.insert(read, Tap { window, age, offset });
        }
        let (field, _) = storage.writes[stage.sweep];
        let window = self.windows.len();
        let producer = Producer::Stage(self.flows.len());
        self.windows.push(Window { producer, field, lag, depth: 1, taps: BTreeMap::new() });
        self.flows.push(Flow { window, lag, reads, halo: None });
    }

    /// The window in which a stage finds a read's values.
    fn window_of(&mut self, stage: &Stage, read: Handle<Access>) -> usize {
        let dependences = self.recurrences.sweeps.dependences.iter();
        let mut written = dependences.filter(|d| d.sweep == stage.sweep && d.read == read).filter_map(|d| {
            let Origin::Sweep(origin) = d.origin else { return None };
            Some((origin, stage.level as i64 - d.distance.expect("time tiles need constant distances")))
        });
        if let Some((origin, level @ 0..)) = written.next() {
            let stages = &self.tile.stages;
            let is_source = |other: &Stage| other.sweep == origin && other.level as i64 == level;
            let source = stages.iter().position(is_source).expect("a tile has all stages that it needs");
            return self.flows[source].window;
        }
        let storage = &self.recurrences.storage;
        let place = &storage.reads[&(stage.sweep, read)];
        let slot = slot_at(place.slot, stage.level, storage.fields[place.field].slots);
        self.input(place.field, slot)
    }

    fn input(&mut self, field: usize, slot: usize) -> usize {
        let producer = Producer::Input { field, slot };
        self.windows.iter().position(|window| window.producer == producer).unwrap_or_else(|| {
            self.windows.push(Window { producer, field, lag: 0, depth: 1, taps: BTreeMap::new() });
            self.windows.len() - 1
        })
    }

    fn keep(&mut self, window: usize, age: i64, offset: Option<&Vec<i64>>) {
        let window = &mut self.windows[window];
        window.depth = window.depth.max(age + 1);
        let taps = window.taps.entry(age).or_default();
        taps.extend(offset.cloned());
    }

    fn find_halo(&mut self, index: usize) -> Option<Halo> {
        let storage = &self.recurrences.storage;
        let stage = &self.tile.stages[index];
        let (field, ring) = storage.writes[stage.sweep];
        let slots = storage.fields[field].slots;
        let slot = slot_at(ring, stage.level, slots);
        let is_read = |used: &SlotUse| used.has_halo;
        if !self.tile.slots.get(&(field, slot)).is_some_and(is_read) {
            return None;
        }
        let same_slot = |other: &Stage| {
            other.level < stage.level && other.sweep == stage.sweep && slot_at(ring, other.level, slots) == slot
        };
        let earlier = self.tile.stages.iter().rposition(same_slot).map(|earlier| self.flows[earlier].window);
        let input = Producer::Input { field, slot };
        let Some(window) = earlier.or_else(|| self.windows.iter().position(|w| w.producer == input)) else {
            return Some(Halo::Buffer { field, slot });
        };
        let age = self.flows[index].lag - self.windows[window].lag;
        self.keep(window, age, None);
        Some(Halo::Window { window, age })
    }
}
