//! Conditions over the integers.

use super::{Integral, NotIntegral, Place, Trust, Walk};
use crate::front::integers::{is_condition_on_indices, is_invariant};
use crate::front::ranges::Interval;
use crate::front::reader::Reader;
use crate::ir::{BinaryOp, Expr, ExprKind, Handle, ScalarType, UnaryOp};
use crate::source::Span;

/// A comparison of values with more choices in them is evaluated as it stands.
const MAX_CHOICES: usize = 3;

impl Reader<'_, '_, '_> {
    /// The condition over the integers that holds where `condition` does, if there is one that needs no check of indices.
    pub fn integral_condition(&mut self, condition: Handle<Expr>, place: Place) -> Integral {
        self.attempt(|reader| {
            let condition = reader.condition_over(condition, &Walk { place, trust: Trust::Proofs })?;
            let condition = reader.normalised(condition);
            if is_condition_on_indices(reader, condition) { Ok(condition) } else { Err(NotIntegral::NotAffine) }
        })
    }

    fn condition_over(&mut self, condition: Handle<Expr>, walk: &Walk) -> Integral {
        let span = self.nest.exprs.span(condition);
        if self.ty(condition).is_float() {
            return Err(NotIntegral::NotAffine);
        }
        match *self.kind(condition) {
            ExprKind::Local(local) => self.condition_over(self.nest.locals[local].value, walk),
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                let a = self.condition_over(left, walk)?;
                let known = if op == BinaryOp::And { a } else { self.unary(UnaryOp::Not, a, span) };
                let mut place = walk.place.clone();
                place.guards.push(known);
                let b = self.condition_over(right, &Walk { place, trust: walk.trust })?;
                Ok(if (a, b) == (left, right) { condition } else { self.binary(op, a, b, span) })
            }
            ExprKind::Unary(UnaryOp::Not, inner) => {
                let value = self.condition_over(inner, walk)?;
                Ok(if value == inner { condition } else { self.unary(UnaryOp::Not, value, span) })
            }
            ExprKind::Convert(inner) if self.is_truth(inner) => self.condition_over(inner, walk),
            ExprKind::Binary(op, left, right) if op.is_logical() => {
                let is_plain = self.is_plain(left) && self.is_plain(right);
                if is_invariant(self, condition) && !is_plain {
                    return Ok(self.fixed_truth(condition));
                }
                if let Some(cases) = self.compared_in_cases(op, (left, right), span) {
                    return self.condition_over(cases, walk);
                }
                match self.comparison(condition, op, left, right, walk) {
                    Err(NotIntegral::Wraps(part)) => {
                        let unsigned = self
                            .range_check(op, left, right, walk)
                            .or_else(|_| self.range_check(op.turned(), right, left, walk));
                        unsigned.map_err(|_| NotIntegral::Wraps(part))
                    }
                    other => other,
                }
            }
            _ => {
                let value = self.exact(condition, walk)?;
                Ok(self.truth(value))
            }
        }
    }

    /// A comparison with what is chosen as comparisons with what it is chosen of: `(c ? a : b) < n` is `c && a < n || !c && b < n`.
    fn compared_in_cases(
        &mut self,
        op: BinaryOp,
        (left, right): (Handle<Expr>, Handle<Expr>),
        span: Span,
    ) -> Option<Handle<Expr>> {
        let chosen = [left, right].map(|side| self.choice_in(side));
        let (chooses, [then, otherwise], is_left) = match chosen {
            [Some((chooses, values)), _] => (chooses, values, true),
            [None, Some((chooses, values))] => (chooses, values, false),
            [None, None] => return None,
        };
        let mut left_over = MAX_CHOICES;
        if ![left, right].into_iter().all(|side| self.has_few_choices(side, &mut left_over)) {
            return None;
        }
        let opposite = self.unary(UnaryOp::Not, chooses, span);
        let cases = [(chooses, then), (opposite, otherwise)].map(|(case, value)| {
            let value = self.convert(value, self.ty(if is_left { left } else { right }));
            let (left, right) = if is_left { (value, right) } else { (left, value) };
            let compared = self.compared_over_integers(op, left, right, span);
            self.binary(BinaryOp::And, case, compared, span)
        });
        Some(self.binary(BinaryOp::Or, cases[0], cases[1], span))
    }

    /// A comparison, decided if the sides are a fixed distance apart.
    fn compared_over_integers(
        &mut self,
        op: BinaryOp,
        left: Handle<Expr>,
        right: Handle<Expr>,
        span: Span,
    ) -> Handle<Expr> {
        let sides = self.polynomial(left).zip(self.polynomial(right));
        let distance = sides.and_then(|(left, right)| left.plus(&right, -1)).and_then(|it| it.as_constant());
        let Some(distance) = distance else { return self.binary(op, left, right, span) };
        let [distance, none] = [distance, 0].map(|value| self.int(ScalarType::I64, value, span));
        self.binary(op, distance, none, span)
    }

    /// What chooses a value that is no constant, and what it chooses.
    fn choice_in(&self, value: Handle<Expr>) -> Option<(Handle<Expr>, [Handle<Expr>; 2])> {
        match *self.kind(value) {
            ExprKind::Local(local) => self.choice_in(self.nest.locals[local].value),
            ExprKind::Convert(inner) if self.ty(inner).is_within(self.ty(value)) => self.choice_in(inner),
            ExprKind::Select(chooses, then, otherwise) if self.ty(value).is_integer() => {
                let values = [then, otherwise];
                let is_constant = values.iter().all(|value| self.constant(*value).is_some());
                (!is_constant).then_some((chooses, values))
            }
            _ => None,
        }
    }

    /// Whether there are no more choices in a value than are left over, from which they are taken.
    fn has_few_choices(&self, value: Handle<Expr>, left_over: &mut usize) -> bool {
        match *self.kind(value) {
            ExprKind::Local(local) => self.has_few_choices(self.nest.locals[local].value, left_over),
            ExprKind::Convert(inner) => self.has_few_choices(inner, left_over),
            ExprKind::Select(_, then, otherwise) => {
                let Some(fewer) = left_over.checked_sub(1) else { return false };
                *left_over = fewer;
                self.has_few_choices(then, left_over) && self.has_few_choices(otherwise, left_over)
            }
            _ => true,
        }
    }

    fn comparison(
        &mut self,
        condition: Handle<Expr>,
        op: BinaryOp,
        left: Handle<Expr>,
        right: Handle<Expr>,
        walk: &Walk,
    ) -> Integral {
        let span = self.nest.exprs.span(condition);
        let (a, b) = if self.ty(left).is_float() {
            let integers = (self.integer_in(left, walk), self.integer_in(right, walk));
            (integers.0.ok_or(NotIntegral::NotAffine)?, integers.1.ok_or(NotIntegral::NotAffine)?)
        } else {
            (self.exact(left, walk)?, self.exact(right, walk)?)
        };
        if (a, b) == (left, right) {
            return Ok(condition);
        }
        let (a, b) = (self.long(a), self.long(b));
        Ok(self.expr(ScalarType::I32, ExprKind::Binary(op, a, b), span))
    }

    /// The range check `(unsigned)(i - first) < count`, in any of its forms: a difference `d` that is negative becomes a
    /// number in the upper half of the type, so the check is `0 <= d && d < count` for a count in the lower half.
    fn range_check(&mut self, op: BinaryOp, left: Handle<Expr>, right: Handle<Expr>, walk: &Walk) -> Integral {
        let ty = self.ty(left);
        let signed = Interval::of_type(ty.representative());
        let difference = self.ring(left, walk)?;
        let count = self.exact(right, walk)?;
        let ranges = self.ranges_at(&walk.place);
        let fits = ranges.of(difference).is_surely_in(signed) && ranges.of(count).is_surely_in(signed.natural());
        if !ty.is_unsigned() || !fits {
            return Err(NotIntegral::Wraps(left));
        }
        let span = self.nest.exprs.span(left);
        let (difference, count) = (self.long(difference), self.long(count));
        let zero = self.int(ScalarType::I64, 0, span);
        let compared = self.expr(ScalarType::I32, ExprKind::Binary(op, difference, count), span);
        let (sign, word) = match op {
            BinaryOp::Less | BinaryOp::LessEqual => (BinaryOp::GreaterEqual, BinaryOp::And),
            BinaryOp::Greater | BinaryOp::GreaterEqual => (BinaryOp::Less, BinaryOp::Or),
            _ => return Ok(compared),
        };
        let sign = self.expr(ScalarType::I32, ExprKind::Binary(sign, difference, zero), span);
        Ok(self.binary(word, sign, compared, span))
    }

    /// Whether a value is 0 or 1 of type `int`, as its form tells.
    pub fn is_truth(&self, expr: Handle<Expr>) -> bool {
        matches!(self.kind(expr), ExprKind::Binary(op, ..) if op.is_logical())
            || matches!(self.kind(expr), ExprKind::Unary(UnaryOp::Not, _))
    }

    /// A condition that the host evaluates as C says.
    fn fixed_truth(&mut self, condition: Handle<Expr>) -> Handle<Expr> {
        let param = self.expression_param(condition);
        let span = self.nest.exprs.span(condition);
        let zero = self.int(ScalarType::I32, 0, span);
        self.binary(BinaryOp::NotEqual, param, zero, span)
    }
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read};

    fn guarded(test: &str) -> String {
        let body = format!("int end = i + 4 > n ? n : i + 4; if ({test}) a[i] = b[i];");
        let nest = format!("#pragma stencil\nfor (int i = 0; i < n; i++) {{ {body} }}");
        read(&function("int n, double *a, const double *b", &nest)).to_string()
    }

    #[test]
    fn comparisons_with_what_is_chosen_are_conditions() {
        for test in ["end == n", "n == end", "end >= n", "end - 0 < n", "(long)end != n"] {
            let text = guarded(test);
            assert!(!text.contains('?'), "{test}: {text}");
        }
        assert!(guarded("end * end < n").contains('?'));
    }

    #[test]
    fn nothing_is_compared_with_itself() {
        let text = guarded("end == n");
        assert!(!text.contains("n == n") && text.contains("(i + 4) == n"), "{text}");
    }
}
