//! Levels of a tile that do what the level before does, a little later and on a smaller region.
//!
//! Example, a star of radius 1 in eight steps: level `l` has lag `1 + l` and computes the core and `7 - l` cells around it, and
//! all but the first find what they read in the rows of the level before. A text of three levels is enough for it: the first,
//! which reads what was there before the launch; one in a loop; the last, which stores. Where the loop starts later, and the
//! first level moves with it, the same text advances fewer steps.

use super::{Producer, Stage, StreamStage, StreamTile, Tap, Tile};
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
    /// The last level reads no level more than so many before it, which may be more than those before it do.
    reach: usize,
    levels: usize,
}

impl Steady {
    /// Looks at a tile whose pipeline is one of whole rows; `None` if its levels differ.
    pub fn of(stream: StreamTile<'_>) -> Option<Self> {
        let StreamTile { recurrences, tile, .. } = stream;
        let width = tile.stages.iter().filter(|stage| stage.level == 0).count();
        let first = first_levels(stream);
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
            reach: reach_of_last(stream),
            levels: tile.levels,
        };
        if tile.levels > 2 {
            let (one, other) = (stream.stages().next()?, stream.stages().nth(width)?);
            let distance = |one: &[i64], other: &[i64]| one.iter().zip(other).map(|(one, other)| other - one).collect();
            steady.lag = other.piped.lag() - one.piped.lag();
            steady.lo = distance(&one.stage.region.lo, &other.stage.region.lo);
            steady.hi = distance(&one.stage.region.hi, &other.stage.region.hi);
        }
        (steady.is_kept(stream) && steady.starts_later(stream)).then_some(steady)
    }

    /// Depths less than the tile's for which its text is good, in falling order: about halves, and the least ones, so that
    /// few launches make up any remainder. No level that stores may be left out, as its slot would be taken for written, nor one that
    /// the last level reads.
    pub fn shorter(&self) -> Vec<usize> {
        let is_same = |levels: &usize| *levels < self.levels && (self.levels - levels).is_multiple_of(self.period);
        let least = (self.first.max(self.reach).max(1) + 1).max(self.stored);
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
    fn is_kept(&self, stream: StreamTile<'_>) -> bool {
        let (steady, stages) = ((self.levels - 1) * self.width, &stream.tile.stages);
        stages.len() > steady
            && stages[steady].level == self.levels - 1
            && stream.stages().take(steady).all(|at| {
                let (level, of_first) = (at.index / self.width, at.index % self.width);
                let base = self.first * self.width + of_first;
                at.stage.level == level
                    && self.is_moved(stream.stage(of_first), at)
                    && (level < self.first || taps(stream, stream.stage(base)) == taps(stream, at))
            })
    }

    /// Whether a stage is that of the first level moved.
    fn is_moved(&self, of_first: StreamStage<'_>, at: StreamStage<'_>) -> bool {
        let (one, other) = (of_first.stage, at.stage);
        let by = other.level as i64;
        let is_at = |one: &[i64], other: &[i64], step: &[i64]| {
            one.iter().zip(other).zip(step).all(|((one, other), step)| *other == one + by * step)
        };
        one.sweep == other.sweep
            && is_at(&one.region.lo, &other.region.lo, &self.lo)
            && is_at(&one.region.hi, &other.region.hi, &self.hi)
            && at.piped.lag() == of_first.piped.lag() + by * self.lag
            && at.piped.halo.is_some() == of_first.piped.halo.is_some()
            && at.is_read()
    }

    /// Whether levels that are left out are those that start first.
    fn starts_later(&self, stream: StreamTile<'_>) -> bool {
        let begin = |at: StreamStage<'_>| at.stage.region.lo[0] + at.piped.lag();
        let first = stream.stages().take(self.width).map(begin).min().unwrap_or(0);
        let by = self.rows_later();
        by >= 0 && stream.stages().all(|at| begin(at) >= first + at.stage.level as i64 * by)
    }
}

/// How many levels there are from the first that stores to the last.
fn stored_levels(tile: &Tile) -> usize {
    let first = tile.stages.iter().filter(|stage| stage.is_output).map(|stage| stage.level).min();
    first.map_or(0, |first| tile.levels - first)
}

/// Number of levels that read what was there before the launch.
fn first_levels(stream: StreamTile<'_>) -> usize {
    let is_input = |tap: &Tap| matches!(stream.pipeline.windows[tap.window].producer, Producer::Input { .. });
    let reading = stream.stages().filter(|at| at.piped.last().reads.values().any(is_input));
    reading.map(|at| at.stage.level + 1).max().unwrap_or(0)
}

/// How many levels before it the last level reads.
fn reach_of_last(stream: StreamTile<'_>) -> usize {
    let last = stream.stages().filter(|at| at.stage.level + 1 == stream.tile.levels);
    let levels = last.flat_map(|at| taps(stream, at)).filter_map(|(_, before, ..)| before);
    levels.max().unwrap_or(0)
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

fn taps<'a>(stream: StreamTile<'a>, at: StreamStage<'a>) -> Taps<'a> {
    let seen = |tap: &'a Tap| match stream.pipeline.windows[tap.window].producer {
        Producer::Stage(source) => {
            let Stage { sweep, level, .. } = stream.tile.stages[source];
            (sweep, Some(at.stage.level - level), tap.age, tap.offset.as_slice())
        }
        _ => (0, None, tap.age, tap.offset.as_slice()),
    };
    at.piped.last().reads.values().map(seen).collect()
}
