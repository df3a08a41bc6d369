//! From the nest as written to a system of recurrences, by integer sets alone.
//!
//! 1. `memory`: which element every read and write touches, and when; reads that differ by constants are one relation with
//!    their offsets as dimensions (`read_groups`).
//! 2. `flow`: value-based dataflow (Feautrier 1991) finds for every read the write whose value it gets, or initial memory;
//!    `step_flow` sees it where every step writes the same cells, else isl computes it. Pure copies are composed away.
//! 3. `sweep`: every remaining statement becomes a sweep over the cells that it writes; the dependences become
//!    distances in time and offsets in space.
//! 4. `storage`: fields, each a ring of slots, get a place for every value; each source in the original's dataflow must be
//!    the last write before its read in that storage too, which `last_write` sees or isl computes, so a wrong storage cannot
//!    pass. Where no storage passes, sweeps that store wait for those that read what was there before (`conflicts`), with an array
//!    of the driver's between the two if they wait for each other (`staging`). Where iterations share elements in which each reads
//!    but what it has stored itself, they get such an array with elements for each (`expansion`).
//!
//! Statement instances have the time step `t` (complete steps, 0, 1, ...) as first dimension; a nest without time loop
//! has one step. Spaces: `S3[t, i, j]` is an instance of the fourth statement, `R5[t, i]` an evaluation of access 5,
//! `A0[b, x, y]` an element of buffer `b` of array 0, `K2[t, x, y]` the computation of cell `x, y` by sweep 2, and
//! `F1[q, x, y]` a cell of slot `q` of field 1.

mod names;
mod needed;
mod reserved;
mod affine;
mod read_groups;
mod memory;
mod dataflow;
mod step_flow;
mod flow;
mod sweep;
mod planes;
mod readings;
mod sweeps;
mod values;
mod ring;
mod row_bounds;
mod field;
mod class;
mod last_write;
mod proof;
mod refusal;
mod order;
mod overwritten;
mod conflicts;
mod driver_arrays;
mod expansion;
mod staging;
mod known_sizes;
mod storage;
mod analysis;
mod bounds;
mod cells;
mod alias;
mod covers;
mod divisors;
mod extents;
mod performed;
mod footprint;
mod known;
mod texts;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use isl_bindings::{DimKind, Map, Set, UnionMap};

pub use affine::{Affine, NonAffine};
pub use analysis::{Analysis, Effort, operation_limit};
pub use bounds::CellBounds;
pub use cells::{ResultCells, SweepCells, is_in_margin};
pub use field::{Field, FieldRead, ResultSlot, Rows, StencilResult, Storage};
pub use flow::{Dataflow, Source};
pub use footprint::Footprint;
pub use memory::Memory;
pub use names::Names;
pub use read_groups::{ReadGroup, Reads};
pub use refusal::{AffineRole, Refusal};
pub use reserved::is_reserved;
pub use ring::{ONE_A_ROW, SlotChoice};
pub use staging::analyse;
pub use storage::Recurrences;
pub use sweep::{Dependence, Origin, Sweep};
pub use sweeps::Sweeps;

/// Result of an analysis step.
pub type Result<T> = std::result::Result<T, Refusal>;

/// Whether a set over cells, `[p] -> { [x, y] }`, is a box: the product of an interval in each dimension.
pub fn is_box(set: &Set) -> isl_bindings::Result<bool> {
    bounding_box(set)?.is_equal(set)
}

/// The smallest box around a set, the product of an interval in each dimension; the tuple keeps its name.
pub fn bounding_box(set: &Set) -> isl_bindings::Result<Set> {
    let mut product = side(set, 0)?;
    for d in 1..set.dim(DimKind::SET)? {
        product = product.flat_product(&side(set, d)?)?;
    }
    match set.tuple_name()? {
        Some(name) => product.set_tuple_name(&name),
        None => Ok(product),
    }
}

/// The interval that dimension `d` spans, `[p] -> { [x] }`.
fn side(set: &Set, d: usize) -> isl_bindings::Result<Set> {
    let unnamed = if set.tuple_name()?.is_some() { set.reset_tuple_id()? } else { set.clone() };
    let values = bounds::coordinates(&unnamed, d)?;
    let not_below = values.apply(&Map::parse(set.context(), "{ [x] -> [y] : y >= x }")?)?;
    let not_above = values.apply(&Map::parse(set.context(), "{ [x] -> [y] : y <= x }")?)?;
    not_below.intersect(&not_above)?.coalesce()
}

/// Whether two sets of one space differ in a coordinate that all elements of each share, which isl sees at once: the planes
/// `f[0][i]` and `f[1][i]` of an array do.
pub fn are_in_other_planes(one: &Set, other: &Set) -> isl_bindings::Result<bool> {
    for d in 0..one.dim(DimKind::SET)? {
        let (one, other) = (one.plain_fixed_value(DimKind::SET, d)?, other.plain_fixed_value(DimKind::SET, d)?);
        if one.zip(other).is_some_and(|(one, other)| one != other) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The maps of a union by the names of their input tuples.
pub(crate) fn maps_by_name(union: &UnionMap) -> isl_bindings::Result<BTreeMap<String, Vec<Map>>> {
    let mut found: BTreeMap<String, Vec<Map>> = BTreeMap::new();
    for map in union.maps()? {
        found.entry(map.tuple_name(DimKind::In)?.unwrap_or_default()).or_default().push(map);
    }
    Ok(found)
}
