//! Loops over the neighbours of a point that are there: `for (k = max(i - 1, 0); k <= min(i + 1, n - 1); k++)`.
//!
//! Where such a loop begins and ends is the greater or the lesser of several values, or one that a condition chooses. It has no
//! iterations but those between the values that are nearest to the point: what a loop from `i - 1` to `i + 1` has, each if the loop
//! as it is written has it.

use super::loops::Start;
use super::polynomial::Polynomial;
use super::reader::Reader;
use super::tree::nodes_in;
use crate::ir::{BinaryOp, Expr, ExprKind, Handle, UnaryOp};
use crate::source::Span;

/// An end of a loop relative to what it moves with.
pub struct Near {
    /// What both ends move with, such as `i`.
    pub moving: Polynomial,
    /// Between which constants added to it the variable is.
    pub ends: [i64; 2],
}

/// On which side of a value bounds are looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// The value is that or more.
    Least,
    /// The value is that or less.
    Greatest,
}

/// A polynomial with the least and the greatest value that a condition leaves it.
type Ranged = (Polynomial, Option<i64>, Option<i64>);

impl<'t> Reader<'_, '_, 't> {
    /// Between which values near the point a loop counts upwards, if its header alone tells.
    pub fn near_ends(&mut self, start: &Start<'t>) -> Option<Near> {
        if !self.has_choice(start) {
            return None;
        }
        let (condition, next) = self.first_test(start)?;
        let ExprKind::Binary(op, left, bound) = *self.kind(condition) else { return None };
        let begin = self.polynomial(next)?.plus(&Polynomial::constant(1), -1)?;
        let beyond = match op {
            BinaryOp::Less => -1,
            BinaryOp::LessEqual => 0,
            _ => return None,
        };
        let is_own = self.polynomial(left)? == begin && !self.ty(left).is_unsigned();
        let lows = self.bounds_of(start.first, Side::Least);
        let highs = self.bounds_of(bound, Side::Greatest);
        let pairs = lows.iter().flat_map(|low| highs.iter().map(move |high| (low, high)));
        let near = |(low, high): (&Polynomial, &Polynomial)| {
            let [least, greatest] = [low, high].map(|it| it.by_index().and_then(|(_, rest)| rest.as_constant()));
            let (least, greatest) = (least?, greatest?);
            let moving = low.plus(&Polynomial::constant(least), -1)?;
            let same = moving == high.plus(&Polynomial::constant(greatest), -1)? && !moving.is_zero();
            same.then_some(Near { moving, ends: [least, greatest.checked_add(beyond)?] })
        };
        pairs.filter_map(near).next().filter(|_| is_own)
    }

    /// Whether a loop begins with a value that is chosen, or its condition chooses.
    fn has_choice(&self, start: &Start<'t>) -> bool {
        let chooses = |it: &Handle<Expr>| matches!(self.kind(*it), ExprKind::Select(..));
        nodes_in(start.condition).any(|it| it.kind() == "conditional_expression")
            || self.nest.reachable([start.first]).iter().any(chooses)
    }

    /// A comparison with what is chosen as comparisons with what it is chosen of: with both if it is the greater or the lesser of
    /// them.
    pub fn compared_with_chosen(&mut self, condition: Handle<Expr>, span: Span) -> Vec<Handle<Expr>> {
        let ExprKind::Binary(op, value, bound) = *self.kind(condition) else { return vec![condition] };
        let side = match op {
            BinaryOp::GreaterEqual | BinaryOp::Greater => Side::Least,
            BinaryOp::LessEqual | BinaryOp::Less => Side::Greatest,
            _ => return vec![condition],
        };
        let ExprKind::Select(chooses, then, otherwise) = *self.kind(bound) else { return vec![condition] };
        let bounds = self.bounds_of(bound, side);
        let is_both = [then, otherwise].iter().all(|it| self.polynomial(*it).is_some_and(|it| bounds.contains(&it)));
        let [with_then, with_otherwise] = [then, otherwise].map(|it| self.binary(op, value, it, span));
        let [with_then, with_otherwise] = [with_then, with_otherwise].map(|it| self.compared_with_chosen(it, span));
        if is_both {
            return [with_then, with_otherwise].concat();
        }
        let opposite = self.unary(UnaryOp::Not, chooses, span);
        let [first, second] = [(chooses, with_then), (opposite, with_otherwise)]
            .map(|(case, parts)| parts.into_iter().fold(case, |all, part| self.binary(BinaryOp::And, all, part, span)));
        vec![self.binary(BinaryOp::Or, first, second, span)]
    }

    /// The condition of a loop for a variable that stands for itself, and what that is counted to.
    fn first_test(&mut self, start: &Start<'t>) -> Option<(Handle<Expr>, Handle<Expr>)> {
        // Any number that nothing else holds would do: the variable must be one side of the comparison.
        let own = self.int(start.ty, STAND_IN, self.span(start.update));
        let look = |reader: &mut Self| (reader.scalar(start.condition).ok(), reader.next_value(start).ok().flatten());
        let (condition, next) = self.with_variable(start, own, look);
        let is_counted =
            |next: &Handle<Expr>| self.polynomial(*next).and_then(|it| it.as_constant()) == Some(STAND_IN + 1);
        Some((condition?, next.filter(is_counted)?))
    }

    /// Polynomials that a value is surely not beyond.
    fn bounds_of(&self, value: Handle<Expr>, side: Side) -> Vec<Polynomial> {
        if let Some(exact) = self.polynomial(value) {
            return vec![exact];
        }
        match *self.kind(value) {
            ExprKind::Convert(inner) if self.keeps_values(inner, value) => self.bounds_of(inner, side),
            ExprKind::Select(condition, then, otherwise) => {
                let [of_then, of_otherwise] = [then, otherwise].map(|it| self.bounds_of(it, side));
                let holds = |bound: &&Polynomial, others: &[Polynomial], when: bool| {
                    let known = self.ranged(condition, when);
                    others.iter().any(|other| is_beyond(other, bound, side, known.as_ref()))
                };
                let first = of_then.iter().filter(|it| holds(it, &of_otherwise, false));
                let second = of_otherwise.iter().filter(|it| holds(it, &of_then, true));
                first.chain(second).cloned().collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether a conversion changes no value.
    fn keeps_values(&self, inner: Handle<Expr>, converted: Handle<Expr>) -> bool {
        let [from, to] = [self.ty(inner), self.ty(converted)];
        from.is_integer() && to.is_integer() && !from.is_unsigned() && !to.is_unsigned() && from.size() <= to.size()
    }

    /// What a condition says of the difference of the sides that it compares, if it holds or if it does not.
    fn ranged(&self, condition: Handle<Expr>, holds: bool) -> Option<Ranged> {
        match *self.kind(condition) {
            ExprKind::Unary(UnaryOp::Not, inner) => self.ranged(inner, !holds),
            ExprKind::Binary(op, left, right) => {
                let are_signed =
                    [left, right].iter().all(|it| self.ty(*it).is_integer() && !self.ty(*it).is_unsigned());
                let difference = self.polynomial(left)?.plus(&self.polynomial(right)?, -1)?;
                let (least, greatest) = match (op, holds) {
                    (BinaryOp::Less, true) | (BinaryOp::GreaterEqual, false) => (None, Some(-1)),
                    (BinaryOp::LessEqual, true) | (BinaryOp::Greater, false) => (None, Some(0)),
                    (BinaryOp::Greater, true) | (BinaryOp::LessEqual, false) => (Some(1), None),
                    (BinaryOp::GreaterEqual, true) | (BinaryOp::Less, false) => (Some(0), None),
                    (BinaryOp::Equal, true) | (BinaryOp::NotEqual, false) => (Some(0), Some(0)),
                    _ => return None,
                };
                are_signed.then_some((difference, least, greatest))
            }
            _ => None,
        }
    }
}

/// What the variable of a loop holds while its header is looked at.
const STAND_IN: i64 = 1_640_531_527;

/// Whether `value` is surely not nearer than `bound`, where `known` holds.
fn is_beyond(value: &Polynomial, bound: &Polynomial, side: Side, known: Option<&Ranged>) -> bool {
    let distance = match side {
        Side::Least => value.plus(bound, -1),
        Side::Greatest => bound.plus(value, -1),
    };
    let Some(distance) = distance else { return false };
    let least = |known: &Ranged| {
        let (difference, least, greatest) = known;
        let above = distance.plus(difference, -1).and_then(|it| it.as_constant()).zip(*least);
        let below = distance.plus(difference, 1).and_then(|it| it.as_constant()).zip(*greatest);
        let above = above.and_then(|(constant, least)| constant.checked_add(least));
        above.or_else(|| below.and_then(|(constant, greatest)| constant.checked_sub(greatest)))
    };
    distance.as_constant().or_else(|| known.and_then(least)).is_some_and(|least| least >= 0)
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read, refusal};

    /// A nest over `i` that sums up what a loop with that header finds.
    fn point(before: &str, header: &str) -> String {
        let body = format!(
            "int k;\n#pragma stencil\nfor (int i = 0; i < n; i++) {{ double s = 0; {before} for ({header}) s += a[k]; b[i] = s; }}"
        );
        function("int n, const double *a, double *b", &body)
    }

    #[test]
    fn clamped_loops_run_over_neighbours() {
        for (before, header, reads) in [
            ("", "k = i > 0 ? i - 1 : 0; k <= (i < n - 1 ? i + 1 : n - 1); k++", 3),
            ("", "k = (i - 1 > 0 ? i - 1 : 0); k < (i + 2 < n ? i + 2 : n); k++", 3),
            ("", "k = (0 > i - 2 ? 0 : i - 2); k <= (n - 1 < i + 2 ? n - 1 : i + 2); k += 1", 5),
            ("", "k = i == 0 ? 0 : i - 1; k <= (i == n - 1 ? i : i + 1); k++", 3),
            ("", "k = (i - 1 < 0 ? 0 : i - 1); k <= i; k++", 2),
            ("int l = i - 1, h = i + 1; if (l < 0) l = 0; if (h >= n) h = n - 1;", "k = l; k <= h; k++", 3),
        ] {
            let nest = read(&point(before, header));
            assert_eq!(
                (nest.loops.len(), nest.accesses.len() - nest.step.statements.len()),
                (1, reads),
                "{header}: {nest}"
            );
        }
    }

    #[test]
    fn what_is_chosen_otherwise_is_no_neighbourhood() {
        for header in [
            "k = i > 3 ? i - 1 : 0; k <= (i < n - 1 ? i + 1 : n - 1); k++",
            "k = i > 0 ? i - 1 : 0; k <= (i > n - 1 ? i + 1 : n - 1); k++",
            "k = i > 0 ? i - 1 : 0; k < n; k++",
            "k = i > 0 ? i - 1 : 0; k <= (i < n - 1 ? i + 1 : n - 1); k += 2",
            "k = i > 0 ? i - 90 : 0; k <= (i < n - 1 ? i + 1 : n - 1); k++",
        ] {
            assert_eq!(refusal(&point("", header)).code, "scalar-carried", "{header}");
        }
    }
}
