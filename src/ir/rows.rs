//! Rows of arrays that iterations of the outermost loop store one after the other.

use super::{Access, BinaryOp, Expr, ExprKind, Handle, Loop, Nest, UnaryOp};

impl Nest {
    /// Whether an iteration of the outermost loop reads rows that only later ones store, as in `a[i][j] = a[i - 1][j] + a[i + 1][j]`:
    /// the loop is no loop over time, but one of a sweep that uses its own values.
    pub fn reads_rows_ahead(&self) -> bool {
        let writes: Vec<&Access> = self.step.statements.iter().map(|it| &self.accesses[it.write]).collect();
        let reads = self.accesses.iter().filter(|(read, _)| !self.step.statements.iter().any(|it| it.write == *read));
        let is_ahead = |read: &Access| {
            let stored: Vec<&Access> = writes.iter().copied().filter(|write| write.array == read.array).collect();
            let is_row_ahead = |row: usize| stored.iter().all(|write| self.is_row_ahead(write, read, row));
            !stored.is_empty() && (0..read.subscripts.len()).any(is_row_ahead)
        };
        reads.into_iter().any(|(_, read)| is_ahead(read))
    }

    /// Whether an iteration of the outermost loop reads a row, counted by this subscript, that later ones store there.
    fn is_row_ahead(&self, write: &Access, read: &Access, subscript: usize) -> bool {
        let Some(outermost) = write.loops.first().copied() else { return false };
        let row = |access: &Access| self.row(*access.subscripts.get(subscript)?, outermost);
        let forward = self.loops[outermost].step;
        row(write).zip(row(read)).is_some_and(|((factor, stored), (other, read))| {
            let ahead = if (factor > 0) == (forward > 0) { read > stored } else { read < stored };
            factor == other && factor != 0 && ahead
        })
    }

    /// The factor of the loop's variable in a subscript, and the constant that is added, if it has no other parts.
    fn row(&self, subscript: Handle<Expr>, counted: Handle<Loop>) -> Option<(i64, i64)> {
        match self.exprs[subscript].kind {
            ExprKind::Int(value) => Some((0, value)),
            ExprKind::Index(this) if this == counted => Some((1, 0)),
            ExprKind::Convert(inner) => self.row(inner, counted),
            ExprKind::Unary(UnaryOp::Negate, inner) => {
                let (factor, constant) = self.row(inner, counted)?;
                Some((factor.checked_neg()?, constant.checked_neg()?))
            }
            ExprKind::Binary(op, left, right) => {
                let ((a, b), (c, d)) = (self.row(left, counted)?, self.row(right, counted)?);
                match op {
                    BinaryOp::Add => Some((a.checked_add(c)?, b.checked_add(d)?)),
                    BinaryOp::Sub => Some((a.checked_sub(c)?, b.checked_sub(d)?)),
                    BinaryOp::Mul if a == 0 => Some((b.checked_mul(c)?, b.checked_mul(d)?)),
                    BinaryOp::Mul if c == 0 => Some((a.checked_mul(d)?, b.checked_mul(d)?)),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}
