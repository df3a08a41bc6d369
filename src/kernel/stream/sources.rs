//! Point sources: cells whose values are others than those that the rest of a row has.
//!
//! A value `i == s && j == k ? v + f : v` is `v` for all rows but one. So each row gets `v`, and behind that, if it is the one, what
//! the rest says: one comparison for a row instead of several for each cell.

use super::Builder;
use crate::index::{Condition, Index};
use crate::ir::{BinaryOp, Expr, ExprKind, Handle};
use crate::kernel::Compute;
use crate::tile::ValuePart;

/// Columns of a work-item from which on a branch in each row takes less time than a comparison in each cell; see
/// `examples/bench/README.md`.
const MANY_COLUMNS: i64 = 4;

/// A value that few rows have, and what the others have in its place.
pub(super) struct Exception {
    /// The value, wherever the cell is.
    pub(super) value: Handle<Expr>,
    /// What most cells have.
    pub(super) usual: Handle<Expr>,
    /// Of the outermost coordinate; it holds in all rows that have another value.
    pub(super) condition: Condition,
}

impl Builder<'_> {
    /// The value that most rows have, and those that take its place one after the other.
    pub(super) fn exceptions(&self, part: &ValuePart, compute: &Compute) -> (Handle<Expr>, Vec<Exception>) {
        let nest = self.subject.analysis.nest;
        let (mut usual, mut inside, mut found) = (part.value, Some(part.value), Vec::new());
        while let Some(exception) = inside.and_then(|value| self.exception(value, compute)) {
            usual = exception.usual;
            inside = match nest.exprs[usual].kind {
                ExprKind::Local(local) => Some(nest.locals[local].value),
                _ => None,
            };
            found.insert(0, exception);
        }
        let pays = self.rank() > 1 && self.shape.columns >= MANY_COLUMNS && part.before.is_none();
        if pays { (usual, found) } else { (part.value, Vec::new()) }
    }

    fn exception(&self, value: Handle<Expr>, compute: &Compute) -> Option<Exception> {
        let nest = self.subject.analysis.nest;
        let ExprKind::Select(condition, _, usual) = nest.exprs[value].kind else { return None };
        let is_local = matches!(nest.exprs[usual].kind, ExprKind::Local(_));
        let condition = self.row_condition(condition, compute).filter(|_| is_local)?;
        Some(Exception { value, usual, condition })
    }

    /// `x0 == s` of `i == s && j == k`, where `i` is the outermost coordinate.
    fn row_condition(&self, condition: Handle<Expr>, compute: &Compute) -> Option<Condition> {
        match self.subject.analysis.nest.exprs[condition].kind {
            ExprKind::Binary(BinaryOp::And, left, right) => {
                self.row_condition(left, compute).or_else(|| self.row_condition(right, compute))
            }
            ExprKind::Binary(BinaryOp::Equal, left, right) => {
                let (row, place) = (self.row(left, compute)?, self.place(right)?);
                Some(Condition::equal(row, place))
            }
            _ => None,
        }
    }

    /// The outermost coordinate, if an expression is that.
    fn row(&self, expr: Handle<Expr>, compute: &Compute) -> Option<Index> {
        let outermost = Index::name(self.subject.analysis.names.cells(self.rank())[0].clone());
        match self.subject.analysis.nest.exprs[expr].kind {
            ExprKind::Index(this) => compute.loops.get(&this).filter(|it| **it == outermost).cloned(),
            ExprKind::Convert(inner) => self.row(inner, compute),
            _ => None,
        }
    }

    /// A constant or a parameter, which the value needs, too.
    fn place(&self, expr: Handle<Expr>) -> Option<Index> {
        match self.subject.analysis.nest.exprs[expr].kind {
            ExprKind::Int(value) => Some(Index::Const(value)),
            ExprKind::Param(param) => Some(Index::name(self.subject.analysis.names.param(param))),
            ExprKind::Convert(inner) => self.place(inner),
            _ => None,
        }
    }
}
