//! What a device can do at most, as the tool measures it.

use std::io::Write;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::device::list;
use super::measure::Bench;
use super::program::{Element, FpMode};
use super::suite::Stencil;

/// Rates that no program of an element type exceeds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Roofs {
    /// The element type.
    pub element: Element,
    /// Bytes a second to and from device memory.
    pub bytes_per_second: f64,
    /// Operations a second; where they may be fused, a fused pair counts two.
    pub flops_per_second: f64,
    /// The command that repeats the measurement.
    pub commands: Vec<String>,
}

/// What the roofs allow to one stencil, in 10^9 cells and (half) sweeps a second.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Attainable {
    /// By memory: each time tile reads and writes every element once.
    pub memory: f64,
    /// By arithmetic: no cell is computed twice.
    pub arithmetic: f64,
}

impl Attainable {
    /// The roof that bounds first, and its name.
    pub fn least(&self) -> (f64, &'static str) {
        if self.memory < self.arithmetic { (self.memory, "memory") } else { (self.arithmetic, "arithmetic") }
    }
}

impl Roofs {
    /// One for each element type, with the highest rates; bytes are bytes, whatever their type.
    pub fn highest<'a>(all: impl Iterator<Item = &'a Self>) -> Vec<Self> {
        let mut highest: Vec<Self> = Vec::new();
        let mut bytes_per_second = 0.0;
        for roofs in all {
            bytes_per_second = roofs.bytes_per_second.max(bytes_per_second);
            match highest.iter_mut().find(|other| other.element == roofs.element) {
                None => highest.push(roofs.clone()),
                Some(other) if other.flops_per_second < roofs.flops_per_second => *other = roofs.clone(),
                Some(_) => {}
            }
        }
        highest.iter_mut().for_each(|roofs| roofs.bytes_per_second = bytes_per_second);
        highest
    }

    /// For time tiles of so many (half) sweeps.
    pub fn attainable(&self, stencil: &Stencil, sweeps: u32) -> Attainable {
        let bytes = f64::from(stencil.transfers) * self.element.bytes();
        Attainable {
            memory: 1e-9 * self.bytes_per_second * f64::from(sweeps) / bytes,
            arithmetic: 1e-9 * self.flops_per_second / f64::from(stencil.flops),
        }
    }
}

/// What `stencil-rewrite devices --measure` says of a device's rates.
#[derive(Deserialize)]
struct Measured {
    index: u32,
    gbytes_per_second: f64,
    single_gflops: f64,
    double_gflops: Option<f64>,
}

impl Bench<'_> {
    /// The roofs of all element types that are asked for.
    ///
    /// # Errors
    /// The tool cannot measure the device.
    pub fn measure_roofs(&self, output: &mut dyn Write) -> Result<Vec<Roofs>> {
        let (all, command) = list::<Measured>(&self.tool, &["--measure"])?;
        let measured = all.into_iter().find(|measured| measured.index == self.device.index);
        let measured = measured.context("the tool tells no rates of the device")?;
        // Products and sums are one instruction only where they may be fused.
        let part = if self.options.fp == FpMode::Strict { 0.5 } else { 1.0 };
        let mut roofs = Vec::new();
        for element in self.element_types() {
            let gflops = match element {
                Element::Single => measured.single_gflops,
                Element::Double => measured.double_gflops.context("no rate of double precision")?,
            };
            let (bytes, flops) = (measured.gbytes_per_second, part * gflops);
            writeln!(output, "roofs in {} precision: {bytes:.1} GB/s, {flops:.1} GFLOP/s", element.name())?;
            let commands = vec![command.clone()];
            roofs.push(Roofs { element, bytes_per_second: 1e9 * bytes, flops_per_second: 1e9 * flops, commands });
        }
        Ok(roofs)
    }
}
