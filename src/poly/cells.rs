//! Sets of cells as expressions, for those who compute and copy them.

use std::collections::BTreeMap;

use isl_bindings::{AstBuild, DimKind, Set};

use super::{CellBounds, Memory, Recurrences, Result, StencilResult, Sweep, bounding_box, values};
use crate::index::{Condition, Index};
use crate::ir::{ExprKind, Handle, Loop};

/// Operations that simplifying one condition may take.
const SIMPLIFICATION_LIMIT: u64 = 20_000;

/// How far beside a cell margins are made for reads that kernels make where the program may not: each row of each buffer gets them.
const FARTHEST: i64 = 8;

/// What a sweep computes, in terms of cell coordinates and parameters.
#[derive(Clone, Debug)]
pub struct SweepCells {
    /// The box around its domain.
    pub bounds: CellBounds,
    /// Whether a cell of the box belongs to the domain; `None` if all do.
    pub membership: Option<Condition>,
    /// The values of the loop variables that the value needs, and the subscripts of reads with no constant offset, and the conditions
    /// of reads that find nothing in a margin.
    pub loops: BTreeMap<Handle<Loop>, Index>,
}

/// What is copied back to a buffer of the program.
#[derive(Clone, Debug)]
pub struct ResultCells {
    /// Where it is, and the elements.
    pub result: StencilResult,
    /// The box around the elements.
    pub bounds: CellBounds,
    /// Whether an element of the box is one of them, in terms of its position; `None` if all are.
    pub membership: Option<Condition>,
}

impl SweepCells {
    /// The cells of the sweep of that index.
    pub(super) fn new(memory: &Memory<'_>, recurrences: &Recurrences, index: usize) -> Result<Self> {
        let sweep = &recurrences.sweeps.sweeps[index];
        let membership = if sweep.is_box { None } else { Some(membership(memory, &sweep.domain)?) };
        let mut loops = BTreeMap::new();
        for this in loops_needed(memory, recurrences, index) {
            if let Some(value) = loop_value(memory, sweep, this)? {
                loops.insert(this, value);
            }
        }
        Ok(Self { bounds: memory.known.bounds(&sweep.domain)?, membership, loops })
    }
}

impl ResultCells {
    /// The elements of a result.
    pub(super) fn new(memory: &Memory<'_>, result: StencilResult) -> Result<Self> {
        let elements = &result.elements;
        let membership = if memory.known.is_box(elements)? { None } else { Some(membership(memory, elements)?) };
        Ok(Self { bounds: memory.known.bounds(elements)?, membership, result })
    }
}

/// Whether margins have what such a read finds, in buffers of `rank` dimensions.
pub fn is_in_margin(offset: Option<&[i64]>, rank: usize) -> bool {
    offset.is_some_and(|offset| offset.len() == rank && offset.iter().all(|cells| cells.abs() <= FARTHEST))
}

/// The loops over space whose variables a sweep's value needs, or one of its reads that has no constant offset, or the conditions of
/// one that finds nothing in a margin.
fn loops_needed(memory: &Memory<'_>, recurrences: &Recurrences, index: usize) -> Vec<Handle<Loop>> {
    let nest = memory.nest;
    let sweep = &recurrences.sweeps.sweeps[index];
    let has_own_subscripts = |read: &&_| recurrences.storage.reads[&(index, **read)].offset.is_none();
    let general = sweep.reads.iter().filter(has_own_subscripts);
    let subscripts = general.flat_map(|read| nest.accesses[*read].subscripts.iter().copied());
    let is_far =
        |read: &&_| !is_in_margin(recurrences.storage.reads[&(index, **read)].offset.as_deref(), recurrences.rank());
    let conditions = sweep.reads.iter().filter(is_far).flat_map(|read| &nest.accesses[*read].guards).copied();
    let roots = [nest.step.statements[sweep.statement].value].into_iter().chain(subscripts).chain(conditions);
    let loops = nest.reachable(roots).into_iter().filter_map(|expr| match nest.exprs[expr].kind {
        ExprKind::Index(this) | ExprKind::Iteration(this) if !nest.clock.counts(this) => Some(this),
        _ => None,
    });
    loops.collect()
}

/// The value of a loop variable in terms of the cell coordinates and parameters; `None` if the loop is not around the
/// statement.
fn loop_value(memory: &Memory<'_>, sweep: &Sweep, this: Handle<Loop>) -> Result<Option<Index>> {
    let nest = memory.nest;
    let around = &nest.accesses[nest.step.statements[sweep.statement].write].loops;
    let Some(position) = nest.clock.space(around).position(|it| it == this) else { return Ok(None) };
    let rank = nest.arrays[sweep.array].rank();
    // { K[t, x, y] -> S[t, i, j] } with the cell turned into parameters.
    let back = sweep.instances.reverse()?;
    let mut value = back.project_out(DimKind::In, 0, 1)?;
    for (d, name) in memory.names.cells(rank).iter().enumerate() {
        value = value.set_dim_name(DimKind::In, d, name)?;
    }
    let params = value.dim(DimKind::Param)?;
    let value = value.move_dims((DimKind::Param, params), (DimKind::In, 0), rank)?;
    let set = value.range()?;
    let build = AstBuild::from_context(&set.params()?)?;
    Ok(Some(values::index(&build.expr_from_pw_aff(&set.dim_min(position + 1)?.coalesce()?)?)?))
}

/// Whether a cell of its bounding box belongs to `set`, `[p] -> { [x, y] }`, in terms of the cell coordinates and
/// parameters, given that there is at least one time step.
fn membership(memory: &Memory<'_>, set: &Set) -> Result<Condition> {
    let rank = set.dim(DimKind::SET)?;
    let steps = memory.names.steps();
    let some_steps = memory.texts.set(&format!("[{steps}] -> {{ : {steps} >= 1 }}"))?;
    let set = set.gist_params(&some_steps)?;
    let known = bounding_box(&set)?;
    // Simplifying may take far longer than all the rest; the condition holds without it too.
    let simplified = memory.context.with_operation_limit(SIMPLIFICATION_LIMIT, || set.gist(&known)?.coalesce());
    let mut named = simplified.unwrap_or(set);
    for (d, name) in memory.names.cells(rank).iter().enumerate() {
        named = named.set_dim_name(DimKind::SET, d, name)?;
    }
    let params = named.dim(DimKind::Param)?;
    let condition = named.move_dims((DimKind::Param, params), (DimKind::SET, 0), rank)?.params()?;
    let universe = Set::parse(&memory.context, "{ : }")?;
    Ok(values::condition(&AstBuild::from_context(&universe)?.expr_from_set(&condition)?)?)
}
