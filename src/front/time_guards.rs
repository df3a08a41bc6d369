//! Stores that only some time steps make.
//!
//! A sweep computes the same cells in every step. So a store under a condition on the time loop's variable becomes one
//! in every step that puts back the old value where the condition does not hold, as a store under a condition on data
//! does: `if (t % 2 == 0) b[i] = x` is `b[i] = t % 2 == 0 ? x : b[i]`.
//!
//! Reads under a condition on time alone are taken to happen in every step too, which keeps distances in time constant;
//! their values still are used only where the condition holds. Other reads keep their conditions. An array that only
//! such conditions reach need not exist where they never hold: accesses remember them as [`Access::steps`].

use super::reader::Reader;
use crate::ir::{Access, BinaryOp, Expr, ExprKind, Handle, Loop, ScalarType, Statement, UnaryOp};

impl Reader<'_, '_, '_> {
    /// Moves conditions on the variable of `time` from the writes into the values.
    pub fn store_in_every_step(&mut self, time: Handle<Loop>) {
        let writes: Vec<_> = self.nest.step.statements.iter().map(|statement| statement.write).collect();
        for read in self.nest.accesses.handles().filter(|access| !writes.contains(access)).collect::<Vec<_>>() {
            let steps = self.split_guards(read, |reader, guard| reader.is_on_time_alone(guard, time));
            self.nest.accesses[read].steps = steps;
        }
        for (index, write) in writes.into_iter().enumerate() {
            let moved = self.split_guards(write, |reader, guard| reader.mentions_time(guard, time));
            if !moved.is_empty() {
                self.store_under(index, &moved, time);
            }
        }
    }

    /// Takes the guards for which `is_taken` holds from an access.
    fn split_guards(
        &mut self,
        access: Handle<Access>,
        is_taken: impl Fn(&Self, Handle<Expr>) -> bool,
    ) -> Vec<Handle<Expr>> {
        let mut parts = Vec::new();
        for guard in std::mem::take(&mut self.nest.accesses[access].guards) {
            self.conjuncts(guard, &mut parts);
        }
        let (taken, kept) = parts.into_iter().partition(|guard| is_taken(self, *guard));
        self.nest.accesses[access].guards = kept;
        taken
    }

    /// Keeps the old value where one of `conditions` does not hold, in the statement of that index.
    fn store_under(&mut self, index: usize, conditions: &[Handle<Expr>], time: Handle<Loop>) {
        let Statement { write, value, span, .. } = self.nest.step.statements[index];
        let (steps, others): (Vec<_>, Vec<_>) =
            conditions.iter().partition(|guard| self.is_on_time_alone(**guard, time));
        self.nest.accesses[write].steps = steps;
        // A condition on space and time may keep the store inside the array.
        self.nest.accesses[write].is_speculative |= !others.is_empty();
        let ty = self.ty(value);
        let old = self.old_value(write, ty);
        let mut chosen = value;
        for condition in conditions.iter().rev() {
            chosen = self.expr(ty, ExprKind::Select(*condition, chosen, old), span);
        }
        self.nest.step.statements[index].value = chosen;
    }

    /// What is stored again where `write` stores nothing.
    fn old_value(&mut self, write: Handle<Access>, ty: ScalarType) -> Handle<Expr> {
        let place = self.nest.accesses.span(write);
        if self.is_trail(self.nest.accesses[write].array) {
            // Nobody reads it there.
            let zero = self.int(ScalarType::I32, 0, place);
            return self.convert(zero, ty);
        }
        let mut old = Access { is_speculative: true, is_kept_value: true, ..self.nest.accesses[write].clone() };
        // The place before a write is kept free for this.
        *old.position.last_mut().expect("every access has a position") -= 1;
        let old = self.nest.accesses.push(old, place);
        self.expr(ty, ExprKind::Read(old), place)
    }

    /// The conditions that all hold where `condition` does: the sides of `&&`.
    pub fn conjuncts(&mut self, condition: Handle<Expr>, parts: &mut Vec<Handle<Expr>>) {
        let span = self.nest.exprs.span(condition);
        match *self.kind(condition) {
            ExprKind::Binary(BinaryOp::And, left, right) => {
                self.conjuncts(left, parts);
                self.conjuncts(right, parts);
            }
            ExprKind::Unary(UnaryOp::Not, inner) => match *self.kind(inner) {
                ExprKind::Binary(BinaryOp::Or, left, right) => {
                    for side in [left, right] {
                        let opposite = self.unary(UnaryOp::Not, side, span);
                        self.conjuncts(opposite, parts);
                    }
                }
                _ => parts.push(condition),
            },
            _ => parts.push(condition),
        }
    }

    fn is_on_time_alone(&self, expr: Handle<Expr>, time: Handle<Loop>) -> bool {
        self.mentions_time(expr, time) && !self.mentions_space(expr, time)
    }

    fn mentions_time(&self, expr: Handle<Expr>, time: Handle<Loop>) -> bool {
        self.any(expr, &|part| matches!(part.kind, ExprKind::Index(this) | ExprKind::Iteration(this) if this == time))
    }

    fn mentions_space(&self, expr: Handle<Expr>, time: Handle<Loop>) -> bool {
        self.any(expr, &|part| matches!(part.kind, ExprKind::Index(this) if this != time))
    }
}
