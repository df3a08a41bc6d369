//! Sweeps that differ by their planes alone, as those of `g[0][y][x] = ...` and `g[1][y][x] = ...` in one loop body.
//!
//! They evaluate the same reads at the same points. So what one of them reads, and where that comes from, is moved to the
//! others: a coordinate of their cells gets another value.

use isl_bindings::{DimKind, Map};

use super::sweep::{Dependence, Reading, Sweep};
use super::{Memory, Result};

/// What reads of a sweep touch, or where that comes from, without the coordinates that all of the sweep's cells share,
/// `[p] -> { K[t, x, o] -> B[z] }`.
pub struct InPlane(Map);

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

    /// A relation of the sweep's cells, `[p] -> { K0[t, 0, x, o] -> B[z] }`, whichever the plane.
    pub fn of_any(&self, relation: &Map) -> Result<InPlane> {
        let mut within = relation.clone();
        for (d, _) in self.coordinates.iter().rev() {
            within = within.project_out(DimKind::In, d + 1, 1)?;
        }
        Ok(InPlane(within))
    }

    /// What the sweep of `plane` reads, for a reading of this one's in which something is read.
    pub fn moved_reading(&self, reading: &Reading, touched: &InPlane, plane: &Self) -> Result<Reading> {
        Ok(Reading {
            sweep: plane.sweep,
            group: reading.group.clone(),
            touched: plane.placed(touched)?,
            offsets: reading.offsets.iter().map(|offset| self.moved_offset(offset, plane)).collect(),
            sources: 0..0,
            like: reading.like,
        })
    }

    /// Where that comes from, `reading` being the moved one.
    pub fn moved_dependence(
        &self,
        dependence: &Dependence,
        of_each: &InPlane,
        reading: &Reading,
        plane: &Self,
    ) -> Result<Dependence> {
        let of_each = plane.placed(of_each)?;
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

    /// The relation in this plane, `[p] -> { K1[t, 1, x, o] -> B[z] }`.
    fn placed(&self, InPlane(relation): &InPlane) -> Result<Map> {
        let mut placed = relation.clone();
        for (d, value) in &self.coordinates {
            placed = placed.insert_dims(DimKind::In, d + 1, 1)?.fix_si(DimKind::In, d + 1, *value)?;
        }
        Ok(placed.set_tuple_name(DimKind::In, &format!("K{}", self.sweep))?)
    }

    fn moved_offset(&self, offset: &Option<Vec<i64>>, plane: &Self) -> Option<Vec<i64>> {
        let mut offset = offset.clone()?;
        for ((d, from), (_, to)) in self.coordinates.iter().zip(&plane.coordinates) {
            offset[*d] += from - to;
        }
        Some(offset)
    }
}
