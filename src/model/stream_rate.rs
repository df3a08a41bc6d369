//! Rates of streamed tiles on GPUs.

use super::profile::Profile;
use super::registers::{held_cells, largest_element};
use super::work::{constant_bytes, constant_field_bytes, transfers};
use crate::poly::Recurrences;
use crate::tile::{StreamShape, Tile};

/// A tile of a stream, and the device that runs it.
pub struct Streamed<'a> {
    /// The recurrences.
    pub recurrences: &'a Recurrences,
    /// The tile.
    pub tile: &'a Tile,
    /// How work-groups hold it.
    pub shape: &'a StreamShape,
    /// The device.
    pub profile: &'a Profile,
    /// Seconds of arithmetic for a cell and step.
    pub arithmetic: f64,
}

impl Streamed<'_> {
    /// Cells times steps a second, where no division or function sets the pace.
    pub fn rate(&self) -> f64 {
        if self.tile.core.len() == 1 { self.line_rate() } else { self.row_rate() }
    }

    /// Cells times steps a second of a tile of one dimension.
    ///
    /// Nothing waits for another row there: the transfers of some sub-groups overlap with the arithmetic of others, best
    /// where one takes much longer.
    fn line_rate(&self) -> f64 {
        let (loaded, stored) = transfers(self.recurrences, self.tile);
        let memory = (loaded + stored) / self.profile.memory_bandwidth;
        let arithmetic = (held_cells(self.shape) * self.tile.levels as i64) as f64 * self.arithmetic;
        self.useful() / (memory.powi(4) + arithmetic.powi(4)).powf(0.25)
    }

    /// Cells times steps a second of a tile of two or three dimensions: all work-items load and compute in every row or
    /// plane of the stream, whether or not the core has their cells.
    fn row_rate(&self) -> f64 {
        let tile = self.tile;
        let weights = weights(tile.core.len(), largest_element(self.recurrences));
        let held = held_cells(self.shape) as f64;
        let wanted = tile.region().extents()[1..].iter().product::<i64>() as f64;
        let (loaded, stored) = transfers(self.recurrences, tile);
        let constants = constant_field_bytes(self.recurrences) * tile.core[0] as f64 * held;
        let memory = (loaded * held / wanted + constants + stored) / self.profile.memory_bandwidth;
        let rows: i64 = tile.stages.iter().map(|stage| stage.region.extents()[0]).sum();
        let computed = held * rows as f64 / self.recurrences.sweeps.sweeps.len() as f64;
        let arithmetic = computed * self.arithmetic;
        self.useful() / (weights.memory * memory + weights.arithmetic * arithmetic + computed * self.constant_seconds())
    }

    /// Seconds that a cell and step takes to read the fields that no sweep writes, which the cache holds for all steps but
    /// the first. Work-items that read more than a vector of the hardware each leave gaps.
    fn constant_seconds(&self) -> f64 {
        let bytes = constant_bytes(self.recurrences) as f64;
        let of_item = (self.shape.columns * largest_element(self.recurrences)) as f64;
        bytes * (of_item / HARDWARE_VECTOR).max(1.0) / self.profile.instructions.cached
    }

    /// The share of its rate that a tile reaches with so many sub-groups on a multiprocessor at once: too few transfers
    /// in flight leave memory idle.
    pub fn share_in_flight(&self, sub_groups: i64) -> f64 {
        let fields = &self.recurrences.storage.fields;
        let inputs = self.tile.slots.iter().filter(|(_, slot)| slot.has_input);
        let of_cell: usize = inputs.map(|((field, _), _)| fields[*field].element.size()).sum();
        let in_flight = (sub_groups * self.shape.columns) as f64 * of_cell as f64;
        (in_flight / ENOUGH_IN_FLIGHT).min(1.0).cbrt()
    }

    /// Cells of the core in all steps.
    fn useful(&self) -> f64 {
        self.tile.core.iter().product::<i64>() as f64 * self.tile.levels as f64
    }
}

/// Bytes in flight, for each lane of all sub-groups on a multiprocessor, that keep memory busy.
const ENOUGH_IN_FLIGHT: f64 = 256.0;

/// Bytes that a work-item loads at once.
const HARDWARE_VECTOR: f64 = 16.0;

/// How much of the time of a stream of two or three dimensions its transfers and its arithmetic take, in units of what they
/// would take alone at the profile's rates. They overlap in part, less where few sub-groups run at once; what sub-groups
/// exchange goes with the arithmetic.
struct Weights {
    memory: f64,
    arithmetic: f64,
}

/// Fitted to the weighted sums of EBISU. Where registers spill a stream may have half of the rate that this gives.
fn weights(rank: usize, element_bytes: i64) -> Weights {
    match (rank, element_bytes) {
        (2, 8) => Weights { memory: 0.70, arithmetic: 0.46 },
        (2, _) => Weights { memory: 0.65, arithmetic: 0.72 },
        (_, 8) => Weights { memory: 0.75, arithmetic: 0.82 },
        _ => Weights { memory: 0.84, arithmetic: 0.92 },
    }
}
