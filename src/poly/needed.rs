//! Which elements of initial memory reads need, and which reads of several sweeps need the same.
//!
//! Sweeps whose statements compute with the same reads, as the populations of a lattice Boltzmann cell do, need the same
//! elements in the same steps. What is asked about these is computed once for all.

use std::collections::BTreeMap;

use isl_bindings::{DimKind, Map};

use super::Result;
use crate::ir::{Access, Handle};

/// The elements of initial memory that a read needs.
#[derive(Clone, Debug)]
pub struct Needed {
    /// In which steps, `[p] -> { [t] -> A0[b, x', y'] }`.
    pub in_steps: Map,
    /// The same number for all reads that need the same elements in the same steps.
    pub number: usize,
}

/// Numbers what reads need.
#[derive(Debug, Default)]
pub struct Needs {
    /// By read.
    known: BTreeMap<Handle<Access>, Vec<Needed>>,
    count: usize,
}

impl Needs {
    /// What a dependence of `read`, `[p] -> { K0[t, x, y] -> A0[b, x', y'] }`, needs.
    ///
    /// # Errors
    /// isl's errors.
    pub fn add(&mut self, read: Handle<Access>, relation: &Map) -> Result<Needed> {
        let in_steps = relation.project_out(DimKind::In, 1, relation.dim(DimKind::In)? - 1)?;
        let known = self.known.entry(read).or_default();
        for needed in known.iter() {
            if needed.in_steps.plain_is_equal(&in_steps)? {
                return Ok(needed.clone());
            }
        }
        let needed = Needed { in_steps, number: self.count };
        self.count += 1;
        known.push(needed.clone());
        Ok(needed)
    }
}
