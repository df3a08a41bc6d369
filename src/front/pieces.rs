//! Where a subscript that chooses takes which of its values.
//!
//! A remainder is a sum in each period: `(i + n - 1) % n` with `0 <= i < n` is `i - 1 + n` for `i < 1` and `i - 1` elsewhere. A
//! subscript that is held at an edge is a constant distance away at each point there: `max(i - 2, 0)` is 0 at `i == 0`, 0 at
//! `i == 1`, and `i - 2` elsewhere.

use super::integral::Trust;
use super::polynomial::{Indeterminate, Polynomial, Ranges};
use super::ranges::Interval;
use super::reader::Reader;
use super::splits::ends;
use crate::ir::{BinaryOp, Expr, ExprKind, Handle, Loop, RangeCheck, ScalarType};
use crate::source::Span;

/// A remainder that takes more periods than this is left alone.
const MAX_PERIODS: i64 = 4;

/// So many points at an edge are told apart.
const MAX_EDGE: i64 = 8;

/// A comparison of a loop's index with what does not change in the loop.
struct IndexTest {
    this: Handle<Loop>,
    relation: BinaryOp,
    bound: Polynomial,
}

impl IndexTest {
    /// `sum relation 0`, if one index is in it, with a factor of 1 or -1.
    fn of(sum: &Polynomial, relation: BinaryOp) -> Option<Self> {
        let (coefficients, rest) = sum.by_index()?;
        let (Indeterminate::Index(this), factor) =
            coefficients.first_key_value().filter(|_| coefficients.len() == 1)?
        else {
            return None;
        };
        let (relation, sign) = match factor.as_constant()? {
            1 => (relation, -1),
            -1 => (relation.turned(), 1),
            _ => return None,
        };
        Some(Self { this: *this, relation, bound: Polynomial::default().plus(&rest, sign)? })
    }

    /// The first and the last index for which it holds, `first` and `last` being those of the loop.
    fn ends(&self, (first, last): &(Polynomial, Polynomial)) -> Option<(Polynomial, Polynomial)> {
        let moved = |by| self.bound.plus(&Polynomial::constant(by), 1);
        Some(match self.relation {
            BinaryOp::Less => (first.clone(), moved(-1)?),
            BinaryOp::LessEqual => (first.clone(), self.bound.clone()),
            BinaryOp::Greater => (moved(1)?, last.clone()),
            BinaryOp::GreaterEqual => (self.bound.clone(), last.clone()),
            _ => return None,
        })
    }

    fn is_at_begin(&self) -> bool {
        matches!(self.relation, BinaryOp::Less | BinaryOp::LessEqual)
    }
}

impl Reader<'_, '_, '_> {
    /// `remainder`, which is `value % modulus`, as a choice between sums; `None` if it is not known how often the modulus fits.
    /// What is not proved of that the driver checks.
    pub fn remainder_by_periods(
        &mut self,
        remainder: Handle<Expr>,
        value: Handle<Expr>,
        modulus: Handle<Expr>,
    ) -> Option<Handle<Expr>> {
        let since = self.nest.range_checks.len();
        let choice = self.sums(value, modulus).and_then(|sums| self.choice_of_sums(remainder, sums, false));
        self.drop_known_checks(since);
        choice
    }

    /// The same for `(value % modulus + modulus) % modulus` and for `value & (modulus - 1)`, which are never negative: that of the
    /// value some periods later.
    pub fn wrapped_by_periods(&mut self, wrapped: Handle<Expr>) -> Option<Handle<Expr>> {
        let since = self.nest.range_checks.len();
        let sums = match self.wrapped_value(wrapped) {
            Some((value, modulus)) => self.sums(value, modulus),
            None => self.masked_sums(wrapped),
        };
        let choice = sums.and_then(|(value, modulus)| {
            let (first, _) = self.periods(&value, &modulus)?;
            let is_early = !self.is_at_least(0, &value).unwrap_or(false);
            let later = value.plus(&modulus, i64::from(is_early) - first.min(0))?;
            self.require_at_least(0, &later, wrapped)?;
            self.choice_of_sums(wrapped, (later, modulus), true)
        });
        if choice.is_some() {
            self.check_mask(wrapped);
        }
        self.drop_known_checks(since);
        choice
    }

    /// `value` and `modulus` of `(value % modulus + modulus) % modulus`.
    fn wrapped_value(&self, wrapped: Handle<Expr>) -> Option<(Handle<Expr>, Handle<Expr>)> {
        let ExprKind::Binary(BinaryOp::Rem, sum, modulus) = *self.kind(wrapped) else { return None };
        let ExprKind::Binary(BinaryOp::Add, left, right) = *self.kind(sum) else { return None };
        let (inner, added) = if self.is_same(right, modulus) { (left, right) } else { (right, left) };
        let ExprKind::Binary(BinaryOp::Rem, value, other) = *self.kind(inner) else { return None };
        let is_wrapped =
            !self.ty(wrapped).is_unsigned() && self.is_same(added, modulus) && self.is_same(other, modulus);
        is_wrapped.then_some((value, modulus))
    }

    /// Takes back the checks from `since` on that earlier ones include: a subscript is looked at again in each of its pieces.
    fn drop_known_checks(&mut self, since: usize) {
        for check in self.nest.range_checks.split_off(since) {
            let includes = |known: &RangeCheck| {
                (known.least, known.greatest, &known.loops) == (check.least, check.greatest, &check.loops)
                    && known.guards.iter().all(|guard| check.guards.contains(guard))
                    && self.is_same(known.value, check.value)
            };
            if !self.nest.range_checks.iter().any(includes) {
                self.nest.range_checks.push(check);
            }
        }
    }

    /// A value and its modulus, which no loop moves.
    fn sums(&mut self, value: Handle<Expr>, modulus: Handle<Expr>) -> Option<(Polynomial, Polynomial)> {
        let here = self.here();
        let integral = [value, modulus].map(|it| self.integral(it, here.clone(), Trust::Checks));
        let (value, modulus) = (self.polynomial(integral[0].ok()?)?, self.polynomial(integral[1].ok()?)?);
        modulus.by_index()?.0.is_empty().then_some((value, modulus))
    }

    /// The choice for a value that is not negative if `is_natural`.
    fn choice_of_sums(
        &mut self,
        remainder: Handle<Expr>,
        (value, modulus): (Polynomial, Polynomial),
        is_natural: bool,
    ) -> Option<Handle<Expr>> {
        let (first, last) = self.periods(&value, &modulus)?;
        let least = if first > 0 { first } else { first - 1 };
        let beyond = if last >= 0 { last + 1 } else { last };
        let (above, below) = (value.plus(&modulus, -least)?, modulus.times(&Polynomial::constant(beyond))?);
        let below = below.plus(&value, -1)?;
        if first != 0 || !is_natural && !self.is_at_least(0, &value).unwrap_or(false) {
            self.require_at_least(i64::from(first <= 0), &above, remainder)?;
        }
        self.require_at_least(i64::from(last >= 0), &below, remainder)?;
        self.choice_of_periods(remainder, &value, &modulus, (first, last))
    }

    fn choice_of_periods(
        &mut self,
        remainder: Handle<Expr>,
        value: &Polynomial,
        modulus: &Polynomial,
        (first, last): (i64, i64),
    ) -> Option<Handle<Expr>> {
        let (ty, span) = (self.ty(remainder), self.nest.exprs.span(remainder));
        let mut chosen = None;
        for period in (first..=last).rev() {
            let rest = self.polynomial_expr(&value.plus(modulus, -period)?, span);
            let rest = if ty.is_unsigned() { self.convert(rest, ty) } else { rest };
            chosen = Some(match chosen {
                None => rest,
                Some(later) => {
                    // C's remainders have the sign of the value: -n itself is in the period before.
                    let (end, relation) =
                        if period >= 0 { (period + 1, BinaryOp::Less) } else { (period, BinaryOp::LessEqual) };
                    let condition = self.sum_test(&value.plus(modulus, -end)?, relation, span);
                    let ty = self.ty(rest);
                    self.expr(ty, ExprKind::Select(condition, rest, later), span)
                }
            });
        }
        chosen
    }

    /// How often a modulus fits the least and the greatest of a value, rounded toward zero; a guess where the loops do not tell.
    fn periods(&self, value: &Polynomial, modulus: &Polynomial) -> Option<(i64, i64)> {
        let known = ends(value, &self.ranges_here())
            .and_then(|(least, greatest)| Some((quotient(&least, modulus)?, quotient(&greatest, modulus)?)));
        let outermost = self.nest.loops.handles().next().map(Indeterminate::Index);
        let may_run_over_time = outermost.is_some_and(|time| value.terms().any(|(factors, _)| factors.contains(&time)));
        let (first, last) = known.or((!may_run_over_time || self.loops.len() == 1).then_some((0, 1)))?;
        (first <= last && last - first < MAX_PERIODS).then_some((first, last))
    }

    /// Sees that a sum is at least `least` at the present place: by the ranges of loops, or by a check of the driver's.
    fn require_at_least(&mut self, least: i64, sum: &Polynomial, original: Handle<Expr>) -> Option<()> {
        if self.is_at_least(least, sum).unwrap_or(false) {
            return Some(());
        }
        let value = self.polynomial_expr(sum, self.nest.exprs.span(original));
        let within = Interval { lo: i128::from(least), hi: Interval::of_type(ScalarType::I64).hi };
        self.require_within(value, original, within, self.here()).ok()
    }

    /// Whether a sum is at least `least` whenever the loops around have an iteration.
    pub fn is_at_least(&self, least: i64, sum: &Polynomial) -> Option<bool> {
        let ranges = self.ranges_here();
        let (smallest, _) = ends(sum, &ranges)?;
        let widths = ranges.values().filter_map(|(first, last)| last.plus(first, -1));
        let mut rests = widths.flat_map(|width| (0..MAX_PERIODS).map(move |times| (width.clone(), times)));
        let rest = |(width, times): (Polynomial, i64)| smallest.plus(&width, -times)?.as_constant();
        Some(rests.any(|it| rest(it).is_some_and(|rest| rest >= least)))
    }

    /// First and last index of the loops around the present place, as the conditions there narrow them.
    pub fn ranges_here(&self) -> Ranges {
        let all = self.index_ranges();
        let around =
            all.into_iter().filter(|(index, _)| self.loops.iter().any(|it| *index == Indeterminate::Index(*it)));
        self.narrowed(&around.collect(), &self.guards)
    }

    /// Ranges of indices where `guards` hold, as far as they are surely narrower.
    pub fn narrowed(&self, ranges: &Ranges, guards: &[Handle<Expr>]) -> Ranges {
        let mut narrowed = ranges.clone();
        for (this, relation, bound) in guards.iter().flat_map(|guard| self.nest.index_relations(*guard, true)) {
            let index = Indeterminate::Index(this);
            let bound =
                self.polynomial(bound).filter(|it| it.by_index().is_some_and(|(indices, _)| indices.is_empty()));
            if let (Some(range), Some(bound)) = (narrowed.get(&index).cloned(), bound)
                && let Some(range) = narrowed_range(&range, &IndexTest { this, relation, bound })
            {
                narrowed.insert(index, range);
            }
        }
        narrowed
    }

    /// The same with the ends that comparisons of sums with an index tell, narrower or not.
    pub fn told(&self, ranges: &Ranges, guards: &[Handle<Expr>]) -> Ranges {
        let mut told = ranges.clone();
        for (left, relation, right) in guards.iter().flat_map(|guard| self.nest.relations(*guard, true)) {
            let difference = || self.polynomial(left)?.plus(&self.polynomial(right)?, -1);
            let Some(test) = difference().and_then(|sum| IndexTest::of(&sum, relation)) else { continue };
            let index = Indeterminate::Index(test.this);
            let range = told.get(&index).and_then(|range| test.ends(range).or_else(|| narrowed_range(range, &test)));
            told.extend(range.map(|range| (index, range)));
        }
        told
    }

    /// A choice one side of which stands still while the index in its condition moves, as a choice for each point where it
    /// does; any other choice as it is.
    pub fn with_constant_offsets(&mut self, choice: Handle<Expr>) -> Handle<Expr> {
        self.choice_at_edge(choice).unwrap_or(choice)
    }

    fn choice_at_edge(&mut self, choice: Handle<Expr>) -> Option<Handle<Expr>> {
        let ExprKind::Select(condition, then, otherwise) = *self.kind(choice) else { return None };
        let condition = self.integral_condition(condition, self.here()).ok()?;
        let ExprKind::Binary(relation, left, right) = *self.kind(condition) else { return None };
        let sum = self.polynomial(left)?.plus(&self.polynomial(right)?, -1)?;
        let values = [self.plain_polynomial(then)?, self.plain_polynomial(otherwise)?];
        let this = IndexTest::of(&sum, relation)?.this;
        let moves = |value: &Polynomial| Some(value.by_index()?.0.contains_key(&Indeterminate::Index(this)));
        let (relation, still, moving) = match (moves(&values[0])?, moves(&values[1])?) {
            (false, true) => (relation, then, otherwise),
            (true, false) => (relation.opposite(), otherwise, then),
            _ => return None,
        };
        let test = IndexTest::of(&sum, relation).filter(|_| relation.is_comparison())?;
        let difference = values[0].plus(&values[1], -1)?;
        self.points_at_edge(&test, &difference, still, moving, self.nest.exprs.span(choice))
    }

    /// `test ? still : moving`, point by point where `test` holds.
    fn points_at_edge(
        &mut self,
        test: &IndexTest,
        difference: &Polynomial,
        still: Handle<Expr>,
        moving: Handle<Expr>,
        span: Span,
    ) -> Option<Handle<Expr>> {
        let index = Indeterminate::Index(test.this);
        let (mut first, mut last) = test.ends(self.ranges_here().get(&index)?)?;
        // Where both sides are equal the moving one does.
        let (end, step) = if test.is_at_begin() { (&mut last, -1) } else { (&mut first, 1) };
        let other = |it| (it == index).then(|| end.clone());
        if difference.substituted(&other)?.is_zero() {
            *end = end.plus(&Polynomial::constant(step), 1)?;
        }
        let count = last.plus(&first, -1)?.as_constant()?;
        if !(0..MAX_EDGE).contains(&count) {
            return (count < 0).then_some(moving);
        }
        let common = self.ty(still).common(self.ty(moving));
        let (mut chosen, moving) = (self.convert(still, common), self.convert(moving, common));
        let still = chosen;
        for point in 0..count {
            let point = first.plus(&Polynomial::constant(point), 1)?;
            let condition = self.index_test(test.this, BinaryOp::Equal, &point, span);
            chosen = self.expr(common, ExprKind::Select(condition, still, chosen), span);
        }
        let (relation, bound) =
            if test.is_at_begin() { (BinaryOp::LessEqual, last) } else { (BinaryOp::GreaterEqual, first) };
        let condition = self.index_test(test.this, relation, &bound, span);
        Some(self.expr(common, ExprKind::Select(condition, chosen, moving), span))
    }

    /// The polynomial of an expression that integer sets have as it stands, without a check.
    pub fn plain_polynomial(&mut self, expr: Handle<Expr>) -> Option<Polynomial> {
        let integral = self.integral(expr, self.here(), Trust::Proofs).ok()?;
        self.polynomial(integral)
    }

    /// `sum relation 0`, of an index alone where that is possible.
    fn sum_test(&mut self, sum: &Polynomial, relation: BinaryOp, span: Span) -> Handle<Expr> {
        if let Some(test) = IndexTest::of(sum, relation) {
            return self.index_test(test.this, test.relation, &test.bound, span);
        }
        let (sum, zero) = (self.polynomial_expr(sum, span), self.int(ScalarType::I64, 0, span));
        self.binary(relation, sum, zero, span)
    }

    fn index_test(&mut self, this: Handle<Loop>, relation: BinaryOp, bound: &Polynomial, span: Span) -> Handle<Expr> {
        let index = self.expr(self.nest.loops[this].ty, ExprKind::Index(this), span);
        let (index, bound) = (self.long(index), self.polynomial_expr(bound, span));
        self.binary(relation, index, bound, span)
    }
}

/// How often a modulus that is larger than the constants around it fits a value, rounded toward zero.
fn quotient(value: &Polynomial, modulus: &Polynomial) -> Option<i64> {
    let (quotient, rest) = value.divided(modulus)?;
    let (quotient, rest) = (quotient.as_constant()?, rest.as_constant()?);
    let below = if rest < 0 { quotient - 1 } else { quotient };
    Some(if below < 0 && rest != 0 { below + 1 } else { below })
}

/// A range where a test of its index holds; the bound that is surely narrower is taken.
fn narrowed_range(range: &(Polynomial, Polynomial), test: &IndexTest) -> Option<(Polynomial, Polynomial)> {
    if test.relation == BinaryOp::Equal {
        return Some((test.bound.clone(), test.bound.clone()));
    }
    let (first, last) = range;
    let one = Polynomial::constant(1);
    if test.relation == BinaryOp::NotEqual {
        return if test.bound == *first {
            Some((first.plus(&one, 1)?, last.clone()))
        } else {
            (test.bound == *last).then_some((first.clone(), last.plus(&one, -1)?))
        };
    }
    let (from, to) = test.ends(range)?;
    let is_narrower = from.plus(first, -1)?.is_surely_nonnegative() && last.plus(&to, -1)?.is_surely_nonnegative();
    is_narrower.then_some((from, to))
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read, read_all};
    use crate::ir::Nest;

    /// A nest over `first <= i < n` that reads `a[subscript]`.
    fn nest(first: &str, subscript: &str) -> Nest {
        let body = format!("#pragma stencil\nfor (int i = {first}; i < n; i++) b[i] = a[{subscript}];");
        read(&function("int n, int m, const double *a, double *b", &body))
    }

    fn text(first: &str, subscript: &str) -> String {
        nest(first, subscript).to_string().replace("(long long)", "")
    }

    #[test]
    fn remainders_that_the_loops_bound_need_no_check() {
        let periodic = nest("0", "(i + n - 1) % n");
        assert!(periodic.range_checks.is_empty(), "{:?}", periodic.range_checks);
        let text = periodic.to_string().replace("(long long)", "");
        assert!(text.contains("((i < 1) ? a[((i + n) - 1)] : a[(i - 1)])"), "{text}");
        assert!(self::text("0", "((i - 1) % n + n) % n").contains("((i < 1) ? a[((i + n) - 1)] : a[(i - 1)])"));
        assert!(self::text("1", "(i + n - 1) % n").contains("= a[(i - 1)]"));
    }

    #[test]
    fn the_driver_checks_what_the_loops_do_not_tell() {
        let other = nest("0", "(i + 1) % m");
        assert_eq!(other.range_checks.len(), 1, "{:?}", other.range_checks);
        assert!(
            other.to_string().replace("(long long)", "").contains("((i < (m - 1)) ? a[(i + 1)] : a[((i - m) + 1)])")
        );
        let negative = nest("0", "((i - 2) % n + n) % n");
        assert_eq!(negative.range_checks.len(), 1, "-2 goes round twice where n is 1: {:?}", negative.range_checks);
    }

    #[test]
    fn values_that_go_round_often_are_left_alone() {
        let is_accepted = |subscript: &str| {
            let body =
                format!("#pragma stencil\nfor (int i = 0; i < n; i++) {{ b[i] = c[i]; c[{subscript}] = a[i]; }}");
            read_all(&function("int n, int m, const double *a, double *b, double *c", &body)).remove(0).is_ok()
        };
        assert!(is_accepted("(i + 1) % n") && !is_accepted("(5 * i) % n") && !is_accepted("(i * i) % n"));
    }

    #[test]
    fn points_at_an_edge_are_constant_distances_away() {
        let lower = text("0", "i - 2 > 0 ? i - 2 : 0");
        assert!(lower.contains("((i <= 1) ? ((i == 0) ? a[0] : a[0]) : a[(i - 2)])"), "{lower}");
        let upper = text("0", "i + 1 < n - 1 ? i + 1 : n - 1");
        assert!(upper.contains("((i >= (n - 1)) ? a[(n - 1)] : a[(i + 1)])"), "{upper}");
        assert!(text("1", "i - 1 < 0 ? 0 : i - 1").contains("= a[(i - 1)]"), "the edge is outside of the loop");
    }

    #[test]
    fn conditions_around_narrow_what_a_flat_subscript_may_be() {
        let body = "#pragma stencil
            for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) {
                int k = i * m + j, w = j == 0 ? k + m - 1 : k - 1; b[k] = a[w]; }";
        let text =
            read(&function("int n, int m, const double *a, double *b", body)).to_string().replace("(long long)", "");
        assert!(text.contains("a[i][((j + m) - 1)]") && text.contains("a[i][(j - 1)]"), "{text}");
    }
}
