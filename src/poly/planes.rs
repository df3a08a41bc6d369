//! Sweeps that differ by their planes alone, as those of `g[0][y][x] = ...` and `g[1][y][x] = ...` in one loop body.
//!
//! They evaluate the same reads at the same points. So what one of them reads, and where that comes from, is moved to the
//! others: a coordinate of their cells gets another value.

use isl_bindings::{DimKind, Map};

use super::sweep::{Dependence, Reading, Sweep};
use super::{Memory, Result};

/// The cells of a sweep within their plane, and the plane.
pub struct Plane {
    /// The sweep's index.
    pub sweep: usize,
    /// The coordinates that all cells share, by dimension.
    coordinates: Vec<(usize, i64)>,
    /// Which instances compute the cells, without these, `[p] -> { [t, x] -> [t, i, j] }`.
    instances: Map,
    /// The loops around the instances, by name.
    loops: Vec<String>,
}

impl Plane {
    /// The plane of the sweep of that index, `back` being `[p] -> { K0[t, x, y] -> S3[t, i, j] }`.
    pub fn of(memory: &Memory<'_>, index: usize, sweep: &Sweep, back: &Map) -> Result<Self> {
        let mut coordinates = Vec::new();
        for d in 0..sweep.domain.dim(DimKind::SET)? {
            coordinates.extend(sweep.domain.plain_fixed_value(DimKind::SET, d)?.map(|value| (d, value)));
        }
        let mut instances = back.set_tuple_name(DimKind::Out, "S")?;
        for (d, _) in coordinates.iter().rev() {
            instances = instances.project_out(DimKind::In, d + 1, 1)?;
        }
        let write = memory.nest.step.statements[sweep.statement].write;
        let instances = instances.set_tuple_name(DimKind::In, "K")?;
        Ok(Self { sweep: index, coordinates, instances, loops: memory.instance(write) })
    }

    /// Whether two sweeps differ by their planes alone.
    pub fn is_like(&self, other: &Self) -> Result<bool> {
        let dimensions = |plane: &Self| plane.coordinates.iter().map(|(d, _)| *d).collect::<Vec<_>>();
        Ok(self.loops == other.loops
            && dimensions(self) == dimensions(other)
            && self.instances.plain_is_equal(&other.instances)?)
    }

    /// What the sweep of `plane` reads, for a reading of this one's in which something is read.
    pub fn moved_reading(&self, reading: &Reading, plane: &Self) -> Result<Reading> {
        Ok(Reading {
            sweep: plane.sweep,
            group: reading.group.clone(),
            touched: self.moved(&reading.touched, plane)?,
            offsets: reading.offsets.iter().map(|offset| self.moved_offset(offset, plane)).collect(),
            sources: 0..0,
            like: reading.like,
        })
    }

    /// Where that comes from, `reading` being the moved one.
    pub fn moved_dependence(&self, dependence: &Dependence, reading: &Reading, plane: &Self) -> Result<Dependence> {
        let of_each = self.moved(&dependence.of_each, plane)?;
        Ok(Dependence {
            sweep: plane.sweep,
            read: dependence.read,
            reads: dependence.reads.iter().map(|(read, offset)| (*read, self.moved_offset(offset, plane))).collect(),
            origin: dependence.origin,
            relation: reading.group.joined(&of_each)?,
            of_each,
            distance: dependence.distance,
            needed: dependence.needed.clone(),
        })
    }

    /// `[p] -> { K0[t, 0, x, o] -> B[z] }` as `[p] -> { K1[t, 1, x, o] -> B[z] }`.
    fn moved(&self, relation: &Map, plane: &Self) -> Result<Map> {
        let mut moved = relation.clone();
        for ((d, from), (_, to)) in self.coordinates.iter().zip(&plane.coordinates) {
            if from != to {
                moved = moved.project_out(DimKind::In, d + 1, 1)?.insert_dims(DimKind::In, d + 1, 1)?;
                moved = moved.fix_si(DimKind::In, d + 1, *to)?;
            }
        }
        Ok(moved.set_tuple_name(DimKind::In, &format!("K{}", plane.sweep))?)
    }

    fn moved_offset(&self, offset: &Option<Vec<i64>>, plane: &Self) -> Option<Vec<i64>> {
        let mut offset = offset.clone()?;
        for ((d, from), (_, to)) in self.coordinates.iter().zip(&plane.coordinates) {
            offset[*d] += from - to;
        }
        Some(offset)
    }
}
