//! Reads that kernels make where the program may not.
//!
//! What a program computes into a scalar within `if (i > 0)` is a scalar of the cell, which kernels compute for all cells and
//! choose afterwards. A neighbour that it reads there need not exist: near ones are in the buffer's margin, other reads get the
//! program's conditions.

use std::collections::BTreeSet;

use crate::ir::{Access, Expr, ExprKind, Handle, Nest};
use crate::poly::{Analysis, Recurrences, is_in_margin};
use crate::tile::CellBox;

/// The reads, by sweep, that scalars of a cell need and that the program makes under conditions on loop variables, parameters or
/// steps which do not hold for all cells of the sweep.
pub fn early_reads(analysis: &Analysis<'_>) -> BTreeSet<(usize, Handle<Access>)> {
    let Analysis { nest, recurrences, .. } = analysis;
    let mut early = BTreeSet::new();
    for (index, sweep) in recurrences.sweeps.sweeps.iter().enumerate() {
        let value = nest.step.statements[sweep.statement].value;
        let locals = nest.reachable([value]).into_iter().filter_map(|expr| match nest.exprs[expr].kind {
            ExprKind::Local(local) => Some(nest.locals[local].value),
            _ => None,
        });
        for expr in nest.reachable(locals.collect::<Vec<_>>()) {
            if let ExprKind::Read(read) = nest.exprs[expr].kind
                && !conditions(nest, recurrences, index, read).is_empty()
            {
                early.insert((index, read));
            }
        }
    }
    early
}

/// The conditions under which the program makes a read and which its statement does not have.
pub fn conditions(nest: &Nest, recurrences: &Recurrences, sweep: usize, read: Handle<Access>) -> Vec<Handle<Expr>> {
    let write = &nest.accesses[nest.step.statements[recurrences.sweeps.sweeps[sweep].statement].write];
    let read = &nest.accesses[read];
    let is_of_statement =
        |condition: &&Handle<Expr>| write.guards.contains(condition) || write.steps.contains(condition);
    read.guards.iter().chain(&read.steps).filter(|condition| !is_of_statement(condition)).copied().collect()
}

/// How far from their cells those of such reads are in buffers of `rank` dimensions that margins have.
pub fn reach_of(early: &BTreeSet<(usize, Handle<Access>)>, recurrences: &Recurrences, rank: usize) -> CellBox {
    let offsets = early.iter().filter_map(|key| recurrences.storage.reads.get(key)?.offset.clone());
    let offsets = offsets.filter(|offset| is_in_margin(Some(offset), rank));
    offsets.fold(CellBox::cell(rank), |reach, offset| reach.hull(&CellBox { lo: offset.clone(), hi: offset }))
}
