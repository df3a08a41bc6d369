//! Levels of a tile that do what the level before does, a little later and on a smaller region.
//!
//! Example, a star of radius 1 in eight steps: level `l` has lag `1 + l` and computes the core and `7 - l` cells around it, and
//! all but the first find what they read in the rows of the level before. A text of three levels is enough for it: the first,
//! which reads what was there before the launch; one in a loop; the last, which stores. Where the loop starts later, and the
//! first level moves with it, the same text advances fewer steps.

use super::{Pipeline, Producer, Stage, Tap, Tile};
use crate::poly::{Recurrences, SlotChoice};

/// How the levels of a tile but the last follow from each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Steady {
    /// Stages of each of these levels.
    pub width: usize,
    /// First levels, which read what was there before the launch.
    pub first: usize,
    /// By how much the lag grows from level to level.
    pub lag: i64,
    /// By how much the first cells of the regions grow.
    pub lo: Vec<i64>,
    /// By how much the last cells of the regions grow.
    pub hi: Vec<i64>,
    /// After so many levels all fields are back in the same slots.
    period: usize,
    /// So many of the last levels store.
    stored: usize,
    levels: usize,
}

impl Steady {
    /// Looks at a tile and its pipeline of whole rows; `None` if its levels differ.
    pub fn of(recurrences: &Recurrences, tile: &Tile, pipeline: &Pipeline) -> Option<Self> {
        let width = tile.stages.iter().filter(|stage| stage.level == 0).count();
        let first = first_levels(tile, pipeline);
        let has_history = recurrences.storage.fields.iter().any(|field| field.is_history());
        if width == 0 || first >= tile.levels || has_history || reads_constant_rings(recurrences) {
            return None;
        }
        let mut steady = Self {
            width,
            first,
            lag: 0,
            lo: vec![0; tile.core.len()],
            hi: vec![0; tile.core.len()],
            period: period(recurrences),
            stored: stored_levels(tile),
            levels: tile.levels,
        };
        if tile.levels > 2 {
            let (one, other) = (tile.stages.first()?, tile.stages.get(width)?);
            let distance = |one: &[i64], other: &[i64]| one.iter().zip(other).map(|(one, other)| other - one).collect();
            steady.lag = pipeline.stages[width].lag() - pipeline.stages[0].lag();
            steady.lo = distance(&one.region.lo, &other.region.lo);
            steady.hi = distance(&one.region.hi, &other.region.hi);
        }
        (steady.is_kept(tile, pipeline) && steady.starts_later(tile, pipeline)).then_some(steady)
    }

    /// Depths less than the tile's for which its text is good, in falling order: about halves, and the least ones, so that
    /// few launches make up any remainder. No level that stores may be left out: its slot would be taken for written.
    pub fn shorter(&self) -> Vec<usize> {
        let is_same = |levels: &usize| *levels < self.levels && (self.levels - levels).is_multiple_of(self.period);
        let least = (self.first.max(1) + 1).max(self.stored);
        let rounded = |levels: usize| (least..=levels).rev().find(is_same);
        let halves = std::iter::successors(rounded(self.levels / 2), |levels| rounded(levels / 2));
        let mut depths: Vec<usize> = halves.chain([least, least + 1].into_iter().filter(is_same)).collect();
        depths.sort_unstable_by(|a, b| b.cmp(a));
        depths.dedup();
        depths
    }

    /// Whether the text of the tile is good for so many levels.
    pub fn is_for(&self, levels: usize) -> bool {
        levels == self.levels || self.shorter().contains(&levels)
    }

    /// Whether `skipped` levels may be left out so that a later one falls into the same slots.
    pub fn is_same_slot(&self, skipped: usize) -> bool {
        skipped.is_multiple_of(self.period)
    }

    /// By how many rows later a tile may start for each level that it leaves out.
    pub fn rows_later(&self) -> i64 {
        self.lo[0] + self.lag
    }

    /// Whether all levels but the last are the first one moved.
    fn is_kept(&self, tile: &Tile, pipeline: &Pipeline) -> bool {
        let steady = (self.levels - 1) * self.width;
        tile.stages.len() > steady
            && tile.stages[steady].level == self.levels - 1
            && (0..steady).all(|index| {
                let (stage, of_first) = (&tile.stages[index], index % self.width);
                let level = index / self.width;
                stage.level == level
                    && self.is_moved(tile, pipeline, of_first, index)
                    && (level < self.first || {
                        let base = self.first * self.width + of_first;
                        taps(tile, pipeline, base) == taps(tile, pipeline, index)
                    })
            })
    }

    /// Whether a stage is that of the first level moved.
    fn is_moved(&self, tile: &Tile, pipeline: &Pipeline, of_first: usize, index: usize) -> bool {
        let (one, other) = (&tile.stages[of_first], &tile.stages[index]);
        let by = other.level as i64;
        let is_at = |one: &[i64], other: &[i64], step: &[i64]| {
            one.iter().zip(other).zip(step).all(|((one, other), step)| *other == one + by * step)
        };
        let (piped, moved) = (&pipeline.stages[of_first], &pipeline.stages[index]);
        let is_read = |piped: &super::PipelineStage| !pipeline.windows[piped.window()].taps.is_empty();
        one.sweep == other.sweep
            && is_at(&one.region.lo, &other.region.lo, &self.lo)
            && is_at(&one.region.hi, &other.region.hi, &self.hi)
            && moved.lag() == piped.lag() + by * self.lag
            && moved.halo.is_some() == piped.halo.is_some()
            && is_read(moved)
    }

    /// Whether levels that are left out are those that start first.
    fn starts_later(&self, tile: &Tile, pipeline: &Pipeline) -> bool {
        let begin = |index: usize| tile.stages[index].region.lo[0] + pipeline.stages[index].lag();
        let first = (0..self.width).map(begin).min().unwrap_or(0);
        let by = self.rows_later();
        let is_later = |index: usize| begin(index) >= first + tile.stages[index].level as i64 * by;
        by >= 0 && (0..tile.stages.len()).all(is_later)
    }
}

/// How many levels there are from the first that stores to the last.
fn stored_levels(tile: &Tile) -> usize {
    let first = tile.stages.iter().filter(|stage| stage.is_output).map(|stage| stage.level).min();
    first.map_or(0, |first| tile.levels - first)
}

/// Number of levels that read what was there before the launch.
fn first_levels(tile: &Tile, pipeline: &Pipeline) -> usize {
    let is_input = |tap: &Tap| matches!(pipeline.windows[tap.window].producer, Producer::Input { .. });
    let stages = tile.stages.iter().zip(&pipeline.stages);
    let reading = stages.filter(|(_, piped)| piped.last().reads.values().any(is_input));
    reading.map(|(stage, _)| stage.level + 1).max().unwrap_or(0)
}

/// Whether what no sweep writes is read from another slot in each step.
fn reads_constant_rings(recurrences: &Recurrences) -> bool {
    let storage = &recurrences.storage;
    storage.reads.values().any(|read| {
        let field = &storage.fields[read.field];
        !field.is_written && field.slots > 1 && matches!(read.slot, SlotChoice::Rotating(_))
    })
}

/// The least common multiple of the rings' slots.
fn period(recurrences: &Recurrences) -> usize {
    let storage = &recurrences.storage;
    let slots = storage.writes.iter().filter(|(_, ring)| matches!(ring, SlotChoice::Rotating(_)));
    slots.map(|(field, _)| storage.fields[*field].slots).fold(1, |period, slots| {
        (1..=slots).map(|times| period * times).find(|multiple| multiple.is_multiple_of(slots)).unwrap_or(period)
    })
}

/// What a stage reads, seen from its level: sweeps, how many levels before, ages, offsets.
type Taps<'a> = Vec<(usize, Option<usize>, i64, &'a [i64])>;

fn taps<'a>(tile: &'a Tile, pipeline: &'a Pipeline, index: usize) -> Taps<'a> {
    let stage = &tile.stages[index];
    let seen = |tap: &'a Tap| match pipeline.windows[tap.window].producer {
        Producer::Stage(source) => {
            let Stage { sweep, level, .. } = tile.stages[source];
            (sweep, Some(stage.level - level), tap.age, tap.offset.as_slice())
        }
        _ => (0, None, tap.age, tap.offset.as_slice()),
    };
    pipeline.stages[index].last().reads.values().map(seen).collect()
}
