//! What a device can do at most, measured with programs that take the same way as the stencils.

use std::io::Write;

use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::measure::Bench;
use super::program::Element;
use super::suite::{Scale, Stencil};

/// Rates that no program of an element type exceeds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Roofs {
    /// The element type.
    pub element: Element,
    /// Bytes a second to and from device memory.
    pub bytes_per_second: f64,
    /// Operations a second; where they may be fused, a fused pair counts two.
    pub flops_per_second: f64,
    /// The commands that repeat the measurement.
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

/// Elements that `roof-memory.c` moves for each point.
const MOVED_ELEMENTS: f64 = 2.0;

/// Operations of a point of `roof-arithmetic.c`.
const CHAINED_FLOPS: f64 = 519.0;

impl Bench<'_> {
    /// The roofs of all element types that are asked for.
    ///
    /// # Errors
    /// A program cannot be built or run.
    pub fn measure_roofs(&self, output: &mut dyn Write) -> Result<Vec<Roofs>> {
        let mut roofs = Vec::new();
        for element in self.element_types() {
            let roof = self.measure_roof(element)?;
            let (bytes, flops) = (1e-9 * roof.bytes_per_second, 1e-9 * roof.flops_per_second);
            writeln!(output, "roofs in {} precision: {bytes:.1} GB/s, {flops:.1} GFLOP/s", element.name())?;
            roofs.push(roof);
        }
        Ok(Roofs::highest(roofs.iter()))
    }

    fn measure_roof(&self, element: Element) -> Result<Roofs> {
        let (points, steps) = match self.scale {
            Scale::Gpu => (67_108_864, 20),
            Scale::Cpu | Scale::Check => (8_388_608, 8),
            Scale::Quick => (65_536, 2),
        };
        let updates = f64::from(points) * f64::from(steps);
        let (copying, mut commands) = self.time_roof("roof-memory", element, &[points, steps])?;
        let (chains, more) = self.time_roof("roof-arithmetic", element, &[points / 4, steps])?;
        commands.extend(more);
        Ok(Roofs {
            element,
            bytes_per_second: MOVED_ELEMENTS * element.bytes() * updates / copying,
            flops_per_second: CHAINED_FLOPS * updates / 4.0 / chains,
            commands,
        })
    }
}
