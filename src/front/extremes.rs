//! The smaller or the larger of two sums, where the loops around tell which that is: `0 < n - 1 ? 0 : n - 1` is 0 within a loop over
//! `n` points.

use super::integers::is_invariant;
use super::reader::Reader;
use crate::ir::{BinaryOp, Expr, ExprKind, Handle};
use crate::source::Span;

impl Reader<'_, '_, '_> {
    /// `condition ? then : otherwise` of two values of one type, or the one that it is known to be.
    pub fn chosen_value(
        &mut self,
        condition: Handle<Expr>,
        [then, otherwise]: [Handle<Expr>; 2],
        span: Span,
    ) -> Handle<Expr> {
        self.known_extreme(condition, [then, otherwise])
            .unwrap_or_else(|| self.expr(self.ty(then), ExprKind::Select(condition, then, otherwise), span))
    }

    /// The value of such a choice that is the smaller or the larger of two sums of parameters, if the ranges of loops decide it.
    fn known_extreme(&mut self, condition: Handle<Expr>, values: [Handle<Expr>; 2]) -> Option<Handle<Expr>> {
        if self.loops.is_empty() || values.iter().any(|value| !is_invariant(self, *value)) {
            return None;
        }
        let condition = self.integral_condition(condition, self.here()).ok()?;
        let ExprKind::Binary(relation, left, right) = *self.kind(condition) else { return None };
        let is_smaller = match relation {
            BinaryOp::Less | BinaryOp::LessEqual => true,
            BinaryOp::Greater | BinaryOp::GreaterEqual => false,
            _ => return None,
        };
        let [left, right] = [self.polynomial(left)?, self.polynomial(right)?];
        let sums = [self.plain_polynomial(values[0])?, self.plain_polynomial(values[1])?];
        let is_then_left = match sums {
            [then, otherwise] if then == left && otherwise == right => true,
            [then, otherwise] if then == right && otherwise == left => false,
            _ => return None,
        };
        let is_left_least = if self.is_at_least(0, &right.plus(&left, -1)?)? {
            true
        } else if self.is_at_least(0, &left.plus(&right, -1)?)? {
            false
        } else {
            return None;
        };
        let is_minimum = is_smaller == is_then_left;
        let is_left = is_left_least == is_minimum;
        Some(values[usize::from(is_left != is_then_left)])
    }
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read};

    /// What `b[i] = value` reads in `first <= i < n`.
    fn text(first: &str, value: &str) -> String {
        let body = format!("#pragma stencil\nfor (int i = {first}; i < n; i++) b[i] = {value};");
        read(&function("int n, int m, const double *a, double *b", &body)).to_string().replace("(long long)", "")
    }

    #[test]
    fn loops_tell_which_sum_is_the_smaller() {
        let ways =
            ["0 < n - 1 ? 0 : n - 1", "n - 1 <= 0 ? n - 1 : 0", "n - 1 > 0 ? 0 : n - 1", "0 >= n - 1 ? n - 1 : 0"];
        for smaller in ways {
            assert!(text("0", &format!("a[{smaller}]")).contains("= a[0]\n"), "{smaller}: {}", text("0", smaller));
        }
        for larger in ["0 < n - 1 ? n - 1 : 0", "n - 1 < 0 ? 0 : n - 1"] {
            assert!(text("0", &format!("a[{larger}]")).contains("= a[(n - 1)]\n"), "{larger}: {}", text("0", larger));
        }
    }

    #[test]
    fn what_they_do_not_tell_is_a_value() {
        for (first, unknown) in
            [("0", "0 < n - 2 ? 0 : n - 2"), ("0", "m < n ? m : n"), ("-3", "0 < n - 1 ? 0 : n - 1")]
        {
            assert!(text(first, &format!("a[{unknown}]")).contains("a[value_"), "{}", text(first, unknown));
        }
        let other = text("0", "a[0 < n - 1 ? 1 : n - 1]");
        assert!(other.contains("a[value_"), "these are not the sums that are compared: {other}");
    }
}
