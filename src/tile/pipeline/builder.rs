//! The pipeline of a tile, stage by stage.

use std::collections::BTreeMap;

use super::{HaloSource, Pipeline, PipelineRules, PipelineStage, Producer, Tap, ValuePart, Window};
use crate::ir::{Access, Expr, Handle, Nest};
use crate::poly::{Origin, Recurrences};
use crate::tile::{Stage, Tile, parts, slot_at, streamed_dimensions};

impl Pipeline {
    /// The pipeline of a tile; the recurrences must have no [`stream_obstacle`](super::stream_obstacle).
    pub fn new(nest: &Nest, recurrences: &Recurrences, tile: &Tile, rules: PipelineRules) -> Self {
        let mut builder = Builder { nest, recurrences, tile, rules, windows: Vec::new(), stages: Vec::new() };
        for stage in &tile.stages {
            builder.add_stage(stage);
        }
        for index in 0..tile.stages.len() {
            builder.stages[index].halo = builder.find_halo(index);
        }
        let in_place = tile.slots.keys().copied().filter(|slot| builder.is_in_place(*slot)).collect();
        Self { windows: builder.windows, stages: builder.stages, in_place }
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
    /// See [`Pipeline::is_in_place`].
    fn is_in_place(&self, (field, slot): (usize, usize)) -> bool {
        let (tile, recurrences) = (self.tile, self.recurrences);
        let has_halo = tile.slots.get(&(field, slot)).is_some_and(|used| used.has_halo);
        let is_loaded = self.windows.iter().any(|window| window.producer == Producer::Input { field, slot });
        let mut stored = tile.stages.iter().filter(|s| s.is_output && s.slot(recurrences) == (field, slot)).peekable();
        has_halo && !is_loaded && stored.peek().is_some() && stored.all(|s| tile.is_for_results_alone(recurrences, s))
    }

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
