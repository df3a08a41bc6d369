//! Registers of streamed tiles, and how many work-groups they leave room for.

use super::work::constant_bytes;
use crate::ir::Nest;
use crate::poly::Recurrences;
use crate::tile::{Blocks, HaloSource, LANES, Pipeline, Producer, StreamShape, Tile, Window, streamed_dimensions};

/// Registers for addresses, bounds and intermediate results.
const OTHER_REGISTERS: i64 = 48;

/// Those of each level besides, by rank: in three dimensions rows and columns each have a mask of what lies outside. As
/// NVIDIA's compiler took for `j3d7pt`.
const REGISTERS_OF_LEVEL: [i64; 4] = [0, 0, 0, 9];

/// 32-bit registers of a multiprocessor of NVIDIA's GPUs, and the most that a work-item can have.
const REGISTER_FILE: i64 = 65_536;
const MOST_OF_AN_ITEM: i64 = 255;

/// Up to so many registers the compiler gets by with those that are needed.
const EASY_REGISTERS: i64 = 104;

/// What a work-item of a streamed tile carries from step to step, or in one dimension from stage to stage.
pub struct Carried {
    /// Its blocks.
    pub blocks: Blocks,
    /// 32-bit registers that they take, together with the rows of one field that are loaded ahead.
    pub registers: i64,
    stages: i64,
}

impl Carried {
    /// Looks at the windows of a tile.
    pub fn new(nest: &Nest, recurrences: &Recurrences, tile: &Tile, shape: &StreamShape) -> Self {
        let pipeline = Pipeline::smallest(nest, recurrences, tile, shape);
        let blocks = Blocks::new(&pipeline, shape);
        let (rank, levels) = (tile.core.len(), tile.levels as i64);
        // NVIDIA's compiler loads at the beginning of a row half of what all levels read of constants, but not so in planes.
        let constants = if rank == 2 { levels * shape.columns * constant_bytes(recurrences) / 2 } else { 0 };
        let bytes = match streamed_dimensions(rank) {
            0 => shape.columns * waiting_bytes(&pipeline),
            _ => blocks.carried_bytes() + shape.ahead * shape.columns * shape.rows * largest_element(recurrences),
        };
        let masked = if pipeline.stages.iter().any(|piped| piped.halo.is_some()) { levels } else { 0 };
        let registers = (bytes + constants) / 4 + OTHER_REGISTERS + REGISTERS_OF_LEVEL[rank] * masked;
        Self { blocks, registers, stages: tile.stages.len() as i64 }
    }

    /// Work-groups of the given number of work-items that run on a multiprocessor at once, at least 1.
    ///
    /// The compiler takes more registers than are carried, the more of them and the more stages there are: fitted to what
    /// NVIDIA's took for the stencils of EBISU in two dimensions at depths of 3 to 10 steps.
    pub fn resident_groups(&self, work_items: i64) -> i64 {
        let excess = (self.registers - EASY_REGISTERS).max(0);
        let compiled = (self.registers + excess * self.stages * 11 / 100).min(MOST_OF_AN_ITEM);
        // Registers are handed out by eights.
        (REGISTER_FILE / ((compiled + 7) / 8 * 8 * work_items)).max(1)
    }
}

/// Bytes of all values of a cell that are there while a stage computes, at most: those that it or a later one reads, and
/// its own.
fn waiting_bytes(pipeline: &Pipeline) -> i64 {
    let made_by = |window: &Window| match window.producer {
        Producer::Input { .. } => 0,
        Producer::Stage(stage) | Producer::Part(stage) => stage,
    };
    let mut last: Vec<usize> = pipeline.windows.iter().map(made_by).collect();
    for (stage, piped) in pipeline.stages.iter().enumerate() {
        let halo = piped.halo.iter().filter_map(|halo| match halo {
            HaloSource::Window { window, .. } => Some(*window),
            _ => None,
        });
        let taps = piped.parts.iter().flat_map(|part| part.reads.values()).map(|tap| tap.window);
        halo.chain(taps).for_each(|window| last[window] = last[window].max(stage));
    }
    // By stage, the bytes that come before it less those that went after the one before.
    let mut changes = vec![0; pipeline.stages.len() + 1];
    for (window, last) in pipeline.windows.iter().zip(last) {
        changes[made_by(window)] += window.element.size() as i64;
        changes[last + 1] -= window.element.size() as i64;
    }
    let waiting = changes.iter().scan(0, |bytes, change| {
        *bytes += change;
        Some(*bytes)
    });
    waiting.max().unwrap_or(0)
}

/// Bytes of the largest element that a sweep writes.
pub fn largest_element(recurrences: &Recurrences) -> i64 {
    let fields = recurrences.storage.fields.iter().filter(|field| field.is_written);
    fields.map(|field| field.element.size() as i64).max().unwrap_or(8)
}

/// Work-items of a work-group.
pub fn work_items(shape: &StreamShape) -> i64 {
    LANES * shape.sub_groups
}

/// Cells of a work-group in a row or plane of the stream, ghost zones included.
pub fn held_cells(shape: &StreamShape) -> i64 {
    work_items(shape) * shape.columns * shape.rows
}
