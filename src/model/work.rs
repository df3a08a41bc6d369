//! What a step of a nest costs: bytes that move, operations.

use std::collections::{BTreeSet, HashSet};

use super::profile::{InstructionRates, Profile, RowRates};
use crate::ir::{BinaryOp, Expr, ExprKind, Handle, Nest, ScalarType};
use crate::poly::Recurrences;
use crate::tile::{CellBox, Tile};

/// What a launch costs, per step and cell of the grid.
pub struct Work {
    /// Sizes in bytes of all slots that one step of single sweeps moves to or from memory.
    direct_bytes: f64,
    /// Bytes that each stage moves between local memory and registers, per cell.
    local_bytes: f64,
    /// Bytes of fields that no sweep writes, read by every stage.
    constant_bytes: f64,
    /// Arithmetic operations a step, per cell.
    operations: f64,
}

impl Work {
    /// Adds up the sweeps of a step.
    pub fn new(nest: &Nest, recurrences: &Recurrences) -> Self {
        let storage = &recurrences.storage;
        let size = |field: usize| storage.fields[field].element.size() as f64;
        let mut work = Self { direct_bytes: 0.0, local_bytes: 0.0, constant_bytes: 0.0, operations: 0.0 };
        for (index, sweep) in recurrences.sweeps.sweeps.iter().enumerate() {
            let mut slots = BTreeSet::new();
            for read in &sweep.reads {
                let place = &storage.reads[&(index, *read)];
                let is_new = slots.insert((place.field, place.slot));
                if storage.fields[place.field].is_written {
                    work.local_bytes += size(place.field);
                } else if is_new {
                    work.constant_bytes += size(place.field);
                }
            }
            let written = storage.writes[index].0;
            work.direct_bytes += slots.iter().map(|(field, _)| size(*field)).sum::<f64>() + size(written);
            work.local_bytes += size(written);
            work.operations += operations(nest, nest.step.statements[sweep.statement].value) as f64;
        }
        work
    }

    /// Steps of cells a second with single sweeps.
    pub fn direct_rate(&self, profile: &Profile) -> f64 {
        let memory = profile.direct_efficiency * profile.memory_bandwidth / self.direct_bytes;
        memory.min(profile.operations / self.operations.max(1.0))
    }

    /// Seconds for a cell in a step by loops that take so long for an operation and for a byte.
    pub fn host_seconds(&self, operation: f64, byte: f64) -> f64 {
        (self.operations * operation).max(self.direct_bytes * byte)
    }

    /// Seconds for so many cells of each sweep in so many rows.
    pub fn row_seconds(&self, cells: f64, rows: f64, rates: &RowRates) -> f64 {
        let (cache, arithmetic) = (self.local_bytes / rates.bandwidth, self.operations / rates.operations);
        cells * cache.max(arithmetic) + rows * rates.seconds
    }

    /// Steps of cells a second with a tile.
    pub fn tile_rate(&self, recurrences: &Recurrences, tile: &Tile, profile: &Profile, work_group: [u32; 3]) -> f64 {
        let lanes = |region: &CellBox| lanes(region, work_group);
        let core = tile.core.iter().product::<i64>() as f64;
        let (loaded, stored) = transfers(recurrences, tile);
        let sweeps = recurrences.sweeps.sweeps.len() as f64;
        let computed: f64 = tile.stages.iter().map(|stage| lanes(&stage.region)).sum::<f64>() / sweeps;
        let constants = self.constant_bytes * computed;
        let memory = (loaded + stored + constants) / profile.memory_bandwidth;
        let local = (self.local_bytes * computed + loaded) / profile.local_bandwidth;
        let arithmetic = self.operations.max(1.0) * computed / profile.operations;
        let items = f64::from(work_group.iter().product::<u32>());
        let barriers = tile.stages.len() as f64 * profile.barrier_seconds * items;
        // Barriers keep the phases apart: loading hardly overlaps with computing.
        core * tile.levels as f64 / (memory + local.max(arithmetic) + barriers)
    }
}

/// Bytes that a tile loads of what earlier launches computed, and bytes that it stores for later ones.
pub fn transfers(recurrences: &Recurrences, tile: &Tile) -> (f64, f64) {
    let storage = &recurrences.storage;
    let size = |field: usize| storage.fields[field].element.size() as f64;
    let inputs = tile.slots.iter().filter(|(_, slot)| slot.has_input);
    let loaded = inputs.map(|((field, _), slot)| slot.region.volume() as f64 * size(*field)).sum();
    let core = tile.core.iter().product::<i64>() as f64;
    let outputs = tile.stages.iter().filter(|stage| stage.is_output);
    (loaded, outputs.map(|stage| core * size(storage.writes[stage.sweep].0)).sum())
}

/// Fields that no sweep writes, and how far away a cell reads them, as far as that is the same everywhere.
pub fn constant_offsets(recurrences: &Recurrences) -> impl Iterator<Item = (usize, &[i64])> {
    let storage = &recurrences.storage;
    let constants = storage.reads.values().filter(|read| !storage.fields[read.field].is_written);
    constants.filter_map(|read| Some((read.field, read.offset.as_deref()?)))
}

/// Bytes of what a cell reads in a step of fields that no sweep writes.
pub fn constant_bytes(recurrences: &Recurrences) -> i64 {
    let distinct: BTreeSet<_> = constant_offsets(recurrences).collect();
    distinct.into_iter().map(|(field, _)| recurrences.storage.fields[field].element.size() as i64).sum()
}

/// Bytes of a cell of all fields that no sweep writes.
pub fn constant_field_bytes(recurrences: &Recurrences) -> f64 {
    let fields: BTreeSet<usize> = constant_offsets(recurrences).map(|(field, _)| field).collect();
    fields.into_iter().map(|field| recurrences.storage.fields[field].element.size() as f64).sum()
}

/// Work-items that a box of cells keeps busy, idle ones at its faces included.
fn lanes(region: &CellBox, work_group: [u32; 3]) -> f64 {
    let rounded = region.extents().into_iter().rev().enumerate().map(|(d, extent)| {
        let items = work_group.get(d).map_or(1, |items| i64::from(*items));
        (extent + items - 1) / items * items
    });
    rounded.map(|extent| extent as f64).product()
}

/// Number of arithmetic operations in an expression; shared parts count once.
fn operations(nest: &Nest, root: Handle<Expr>) -> usize {
    nest.reachable([root]).into_iter().map(|expr| simple_operations(&nest.exprs[expr].kind)).sum()
}

/// Simple operations that take about as long as one of this kind.
fn simple_operations(kind: &ExprKind) -> usize {
    match kind {
        ExprKind::Binary(BinaryOp::Div, ..) | ExprKind::Call(..) => 8,
        ExprKind::Binary(..) | ExprKind::Unary(..) | ExprKind::Select(..) => 1,
        _ => 0,
    }
}

/// Seconds that the arithmetic of a cell and step takes: those of the busiest kind of units. What does not depend on the cell
/// counts nothing, and a sum with a product is one instruction where it may be fused.
pub fn arithmetic_seconds(nest: &Nest, recurrences: &Recurrences, rates: &InstructionRates, may_fuse: bool) -> f64 {
    let (mut single, mut double, mut conversion) = (0, 0, 0);
    for sweep in &recurrences.sweeps.sweeps {
        for expr in of_cell(nest, nest.step.statements[sweep.statement].value) {
            let Expr { ty, kind } = &nest.exprs[expr];
            match kind {
                ExprKind::Convert(from) if is_between_floats(*ty, nest.exprs[*from].ty) => conversion += 1,
                ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b)
                    if may_fuse && ty.is_float() && [a, b].into_iter().any(|part| is_product(nest, *part)) => {}
                _ if ty.size() > 4 => double += simple_operations(kind),
                _ => single += simple_operations(kind),
            }
        }
    }
    let seconds = |instructions: usize, rate: f64| instructions as f64 / rate;
    seconds(single, rates.single).max(seconds(double, rates.double)).max(seconds(conversion, rates.conversion))
}

fn is_product(nest: &Nest, expr: Handle<Expr>) -> bool {
    matches!(nest.exprs[expr].kind, ExprKind::Binary(BinaryOp::Mul, ..))
}

fn is_between_floats(one: ScalarType, other: ScalarType) -> bool {
    one != other && one.is_float() && other.is_float()
}

/// Divisions and functions of a step, all sweeps together, that take a device some dozens of instructions and a branch, over
/// which its compiler moves nothing. What does not depend on the cell it computes once.
pub fn slow_operations(nest: &Nest, recurrences: &Recurrences) -> usize {
    let is_slow = |kind: &ExprKind| match kind {
        ExprKind::Binary(BinaryOp::Div, _, divisor) => !is_power_of_two(nest, *divisor),
        ExprKind::Binary(BinaryOp::Rem, ..) => true,
        ExprKind::Call(function, _) => !function.is_instruction(),
        _ => false,
    };
    let count = |root| of_cell(nest, root).into_iter().filter(|expr| is_slow(&nest.exprs[*expr].kind)).count();
    recurrences.sweeps.sweeps.iter().map(|sweep| count(nest.step.statements[sweep.statement].value)).sum()
}

/// What `root` needs that depends on the cell, each once.
fn of_cell(nest: &Nest, root: Handle<Expr>) -> HashSet<Handle<Expr>> {
    let mut found = HashSet::new();
    // An expression is made after those that it needs.
    let mut needed = nest.reachable([root]);
    needed.sort();
    for expr in needed {
        let depends = match &nest.exprs[expr].kind {
            ExprKind::Read(_) | ExprKind::Index(_) => true,
            ExprKind::Local(local) => found.contains(&nest.locals[*local].value),
            kind => kind.operands().iter().any(|part| found.contains(part)),
        };
        if depends {
            found.insert(expr);
        }
    }
    found
}

/// Whether a divisor is a constant by whose reciprocal compilers multiply, since no bit changes.
fn is_power_of_two(nest: &Nest, divisor: Handle<Expr>) -> bool {
    let value = match &nest.exprs[divisor].kind {
        ExprKind::Convert(inner) => return is_power_of_two(nest, *inner),
        ExprKind::Int(value) => *value as f64,
        ExprKind::Float(text) => text.parse().unwrap_or(0.0),
        _ => return false,
    };
    value.is_normal() && value.to_bits().trailing_zeros() >= f64::MANTISSA_DIGITS - 1
}
