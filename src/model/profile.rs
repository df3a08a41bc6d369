//! What the model knows about a kind of device.

use crate::ir::ScalarType;
use crate::options::{DeviceKindName, MeasuredDevice, Rates};

/// Rates and limits of a kind of device; the ratios matter more than the values.
#[derive(Clone, Debug)]
pub struct Profile {
    /// `gpu` or `cpu`.
    pub name: &'static str,
    /// Whether it describes a GPU.
    pub is_gpu: bool,
    /// Bytes a second between device memory and the processors.
    pub memory_bandwidth: f64,
    /// Bytes a second between local memory and registers.
    pub local_bandwidth: f64,
    /// Arithmetic operations a second.
    pub operations: f64,
    /// What the arithmetic units finish.
    pub instructions: InstructionRates,
    /// What `devices --measure` says of the device that the rates are fitted to.
    pub measured: Rates,
    /// Part of the memory bandwidth that single sweeps reach.
    pub direct_efficiency: f64,
    /// Cost of a barrier, spread over the whole device, per work-item.
    pub barrier_seconds: f64,
    /// Whole rows that are computed one after the other.
    pub rows: RowRates,
    /// Bytes of local memory a work-group may use so that several fit a multiprocessor: less than all that it can have.
    pub local_limit: i64,
    /// Bytes of local memory a work-group can use at all.
    pub local_maximum: i64,
    /// Work-group of tile kernels by rank, fastest dimension first.
    pub tile_work_groups: [[u32; 3]; 5],
    /// Work-group of sweep kernels by rank, fastest dimension first.
    pub sweep_work_groups: [[u32; 3]; 5],
    fastest: [&'static [i64]; 5],
    slower: [&'static [i64]; 5],
}

/// How fast rows of cells are computed from rows in the cache.
#[derive(Clone, Debug)]
pub struct RowRates {
    /// Bytes a second between the cache and registers.
    pub bandwidth: f64,
    /// Arithmetic operations a second.
    pub operations: f64,
    /// What a row costs beside its cells, spread over the whole device.
    pub seconds: f64,
    /// Bytes of cache that the windows of a work-item may take.
    pub window_limit: i64,
}

/// What the units of a device do a second: instructions, each of one cell, and bytes.
#[derive(Clone, Debug)]
pub struct InstructionRates {
    /// On values of at most four bytes.
    pub single: f64,
    /// On values of eight bytes.
    pub double: f64,
    /// Between `float` and `double`.
    pub conversion: f64,
    /// Bytes that loads bring from the nearest cache.
    pub cached: f64,
}

impl Profile {
    /// That of devices of a kind of which no more is known.
    pub fn of(kind: DeviceKindName) -> &'static Self {
        match kind {
            DeviceKindName::Gpu => &GPU,
            DeviceKindName::Cpu => &CPU,
        }
    }

    /// That of a device that was measured, for elements of a type.
    pub fn of_measured(device: &MeasuredDevice, element: Option<ScalarType>) -> Self {
        Self::of(device.kind).scaled(&device.rates, element)
    }

    /// That of a device with these rates, for elements of a type. Caches, local memory and barriers go with arithmetic: the
    /// same clock, lanes and compute units set their pace.
    pub fn scaled(&self, rates: &Rates, element: Option<ScalarType>) -> Self {
        let memory = rates.memory / self.measured.memory;
        let single = rates.single / self.measured.single;
        let double = rates.double.zip(self.measured.double).map_or(single, |(rate, fitted)| rate / fitted);
        let arithmetic = if element == Some(ScalarType::F64) { double } else { single };
        let InstructionRates { single: of_single, double: of_double, conversion, cached } = self.instructions;
        Self {
            memory_bandwidth: self.memory_bandwidth * memory,
            local_bandwidth: self.local_bandwidth * arithmetic,
            operations: self.operations * arithmetic,
            instructions: InstructionRates {
                single: of_single * single,
                double: of_double * double,
                conversion: conversion * double,
                cached: cached * arithmetic,
            },
            barrier_seconds: self.barrier_seconds / arithmetic,
            rows: RowRates {
                bandwidth: self.rows.bandwidth * arithmetic,
                operations: self.rows.operations * arithmetic,
                seconds: self.rows.seconds / arithmetic,
                ..self.rows
            },
            ..self.clone()
        }
    }

    /// Extents of the core to try in dimension `d`, counted from the fastest, for a grid of this rank.
    pub fn extents(&self, rank: usize, d: usize) -> &'static [i64] {
        if d == 0 { self.fastest[rank] } else { self.slower[rank] }
    }
}

/// A current data-centre GPU, fitted to kernel times of five-point and nine-point stencils. Idle work-items count as work,
/// which is why local memory seems faster than it is.
pub const GPU: Profile = Profile {
    name: "gpu",
    is_gpu: true,
    memory_bandwidth: 3.1e12,
    local_bandwidth: 67.0e12,
    operations: 25.0e12,
    // 128, 64 and 16 a clock and multiprocessor, and 128 bytes.
    instructions: InstructionRates { single: 33.0e12, double: 16.5e12, conversion: 4.1e12, cached: 32.0e12 },
    measured: Rates { memory: 3764.0e9, single: 65.6e12, double: Some(33.3e12) },
    direct_efficiency: 0.85,
    barrier_seconds: 0.0,
    rows: RowRates { bandwidth: 67.0e12, operations: 25.0e12, seconds: 0.0, window_limit: 47 * 1024 },
    local_limit: 47 * 1024,
    local_maximum: 48 * 1024,
    tile_work_groups: [[1, 1, 1], [256, 1, 1], [32, 8, 1], [32, 4, 2], [16, 4, 4]],
    sweep_work_groups: [[1, 1, 1], [256, 1, 1], [32, 8, 1], [32, 4, 2], [16, 4, 4]],
    fastest: [&[], &[512, 1024], &[32, 64], &[32], &[16]],
    slower: [&[], &[], &[16, 24, 32, 48], &[4, 8, 12], &[2, 4]],
};

/// A multi-core CPU: a work-item is a tile, local memory is the cache. Fitted to stencils of two and three dimensions on
/// two cores with PoCL 3.1: rows are vectorised, and in order, as single sweeps and tiles in local memory are not.
pub const CPU: Profile = Profile {
    name: "cpu",
    is_gpu: false,
    memory_bandwidth: 18.0e9,
    local_bandwidth: 120.0e9,
    operations: 20.0e9,
    instructions: InstructionRates { single: 110.0e9, double: 56.0e9, conversion: 56.0e9, cached: 200.0e9 },
    measured: Rates { memory: 32.0e9, single: 220.0e9, double: Some(112.0e9) },
    direct_efficiency: 0.7,
    barrier_seconds: 2.0e-8,
    rows: RowRates { bandwidth: 200.0e9, operations: 45.0e9, seconds: 3.0e-8, window_limit: 512 * 1024 },
    local_limit: 256 * 1024,
    local_maximum: 1024 * 1024,
    tile_work_groups: [[1, 1, 1]; 5],
    sweep_work_groups: [[1, 1, 1], [256, 1, 1], [64, 4, 1], [64, 2, 2], [32, 2, 2]],
    fastest: [&[], &[1024, 4096], &[128, 256, 512], &[64, 128], &[32]],
    slower: [&[], &[], &[16, 32, 64], &[4, 8, 16], &[2, 4]],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_like_the_fitted_one_has_its_profile() {
        for profile in [&GPU, &CPU] {
            let same = profile.scaled(&profile.measured, Some(ScalarType::F64));
            assert_eq!(same.memory_bandwidth, profile.memory_bandwidth);
            assert_eq!(same.instructions.conversion, profile.instructions.conversion);
            assert_eq!(same.rows.seconds, profile.rows.seconds);
        }
    }

    /// As on GPUs for games: `double` has few units, `float` as many as ever.
    #[test]
    fn arithmetic_goes_with_the_elements() {
        let rates = Rates { double: Some(0.5e12), ..GPU.measured };
        let of = |element| GPU.scaled(&rates, Some(element)).operations;
        assert_eq!(of(ScalarType::F32), GPU.operations);
        assert!(of(ScalarType::F64) < GPU.operations / 60.0);
    }
}
