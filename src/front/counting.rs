//! How often a loop runs, from its header as C evaluates it.
//!
//! A loop tests `side relation bound`, where `side` is its variable, converted and with something added. Over the integers
//! that is `variable relation bound - offset`, if C computes each of these without wrapping around, for all values that are
//! tested: the first one, those of the iterations, and the one that ends the loop. Example: `for (i = -1; i < n; i++)`
//! with an unsigned `n` tests `UINT_MAX < n` first, so its integers are not C's.

use tree_sitter::Node;

use super::Failable;
use super::integral::{NotIntegral, Place, Trust};
use super::ranges::Interval;
use super::reader::Reader;
use crate::ir::{BinaryOp, Expr, ExprKind, Handle, Loop, ScalarType};
use crate::source::Span;

/// The condition of a loop.
#[derive(Clone, Copy, Debug)]
pub struct Test {
    /// The side with the loop's variable, of the type of the comparison.
    pub side: Handle<Expr>,
    /// `Less`, `LessEqual`, `Greater`, `GreaterEqual` or `NotEqual`.
    pub relation: BinaryOp,
    /// The other side, of the same type.
    pub bound: Handle<Expr>,
}

/// A loop's header over the integers: the variable runs over `first`, `first + step`, ... while `variable relation bound`.
pub struct Counted {
    /// First value.
    pub first: Handle<Expr>,
    /// The comparison.
    pub relation: BinaryOp,
    /// What the variable is compared with.
    pub bound: Handle<Expr>,
}

/// What C computes on the way from the variable to the tested side: a value of a type, which is the variable and an offset.
struct Converted {
    ty: ScalarType,
    offset: Option<Handle<Expr>>,
    /// Whether C replaces a value that the type cannot hold by another one, instead of leaving it undefined.
    may_wrap: bool,
}

impl<'t> Reader<'_, '_, 't> {
    /// The header of `this` over the integers.
    pub fn counted(
        &mut self,
        node: Node<'t>,
        first: Handle<Expr>,
        test: Test,
        this: Handle<Loop>,
        step: i64,
    ) -> Failable<Counted> {
        // The variable is counted in at least `int` and converted back.
        let ty = self.ty(first);
        let mut levels = vec![Converted { ty, offset: None, may_wrap: ty.is_unsigned() || ty.promoted() != ty }];
        if !self.collect_levels(test.side, this, &mut levels)? {
            let help = "write the condition as `i < bound` or `i + 1 < bound`";
            return self.refuse(node, "loop-form", "the condition of this loop is not a bound of its variable", help);
        }
        if let Some(counted) = self.counted_down_through_zero(first, test, &levels, step)? {
            return Ok(counted);
        }
        self.check_end(node, test.relation, step)?;
        let place = self.here();
        let first = self.header_integer(first, &place)?;
        let mut bound = self.header_integer(test.bound, &place)?;
        let span = self.nest.exprs.span(test.bound);
        if let Some(offset) = levels.last().and_then(|level| level.offset) {
            bound = self.difference(bound, offset, span);
        }
        let bound = self.normalised(bound);
        let counted = Counted { first, relation: test.relation, bound };
        levels.retain(|level| level.may_wrap);
        for level in &levels {
            self.require_level(&counted, test.side, level, step)?;
        }
        if counted.relation == BinaryOp::NotEqual && !levels.is_empty() {
            self.require_order(&counted, test.side, step)?;
        }
        Ok(counted)
    }

    /// Whether the loop comes to its end by counting.
    fn check_end(&self, node: Node<'t>, relation: BinaryOp, step: i64) -> Failable<()> {
        let is_upward = matches!(relation, BinaryOp::Less | BinaryOp::LessEqual);
        let is_downward = matches!(relation, BinaryOp::Greater | BinaryOp::GreaterEqual);
        let is_endless = step == 0 || is_upward && step < 0 || is_downward && step > 0;
        if is_endless || relation == BinaryOp::NotEqual && step.abs() != 1 {
            let help = "make the step run towards the bound";
            return self.refuse(node, "loop-form", "this loop may never reach its bound", help);
        }
        Ok(())
    }

    /// An integer of the header over the integers. What has no such form is left to the analysis, which refuses it by name.
    fn header_integer(&mut self, expr: Handle<Expr>, place: &Place) -> Failable<Handle<Expr>> {
        match self.integral(expr, place.clone(), Trust::Checks) {
            Ok(value) => Ok(self.normalised(value)),
            // The driver counts the iterations of the outermost loop, which no analysis looks at.
            Err(NotIntegral::NotAffine) if self.loops.is_empty() || self.is_beyond_integers(expr) => {
                Err(self.wraps_around(expr))
            }
            Err(NotIntegral::NotAffine) => Ok(self.normalised(expr)),
            Err(NotIntegral::Wraps(part)) => Err(self.wraps_around(part)),
        }
    }

    /// Whether `expr` has a constant of more than 63 bits, which no expression over the integers may have.
    fn is_beyond_integers(&self, expr: Handle<Expr>) -> bool {
        self.any(expr, &|part| matches!(part.kind, ExprKind::Int(value) if value < 0) && part.ty == ScalarType::U64)
    }

    /// The values that C computes from the variable up to `side`, innermost first; false if `side` is not the variable
    /// plus something.
    fn collect_levels(
        &mut self,
        side: Handle<Expr>,
        this: Handle<Loop>,
        levels: &mut Vec<Converted>,
    ) -> Failable<bool> {
        let ty = self.ty(side);
        let is_index = |part: &Expr| matches!(part.kind, ExprKind::Index(it) if it == this);
        match *self.kind(side) {
            ExprKind::Index(_) => return Ok(true),
            ExprKind::Convert(inner) if ty.is_integer() => {
                if !self.collect_levels(inner, this, levels)? {
                    return Ok(false);
                }
                let offset = levels.last().and_then(|level| level.offset);
                let may_wrap = !Interval::of_type(ty).contains(Interval::of_type(self.ty(inner)));
                levels.push(Converted { ty, offset, may_wrap });
            }
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), left, right) => {
                let (inner, term) = if self.any(left, &is_index) { (left, right) } else { (right, left) };
                let is_turned = op == BinaryOp::Sub && inner == right;
                if is_turned || self.any(term, &is_index) || !self.collect_levels(inner, this, levels)? {
                    return Ok(false);
                }
                let Some(term) = self.term(term)? else { return Ok(false) };
                let span = self.nest.exprs.span(side);
                let before = levels.last().and_then(|level| level.offset);
                let before = before.unwrap_or_else(|| self.int(ScalarType::I64, 0, span));
                let offset = self.binary(op, before, term, span);
                levels.push(Converted { ty, offset: Some(offset), may_wrap: ty.is_unsigned() });
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// What is added to the variable: exact in signed arithmetic, a representative in unsigned.
    fn term(&mut self, term: Handle<Expr>) -> Failable<Option<Handle<Expr>>> {
        let place = self.here();
        let value = if self.ty(term).is_unsigned() {
            self.congruent(term, place)
        } else {
            self.integral(term, place, Trust::Checks)
        };
        match value {
            Ok(value) => Ok(Some(self.long(value))),
            Err(NotIntegral::NotAffine) => Ok(None),
            Err(NotIntegral::Wraps(part)) => Err(self.wraps_around(part)),
        }
    }

    fn difference(&mut self, left: Handle<Expr>, right: Handle<Expr>, span: Span) -> Handle<Expr> {
        let (left, right) = (self.long(left), self.long(right));
        self.binary(BinaryOp::Sub, left, right, span)
    }

    /// Leaves it to the driver to check that a value on the way to the tested `side` is in `within`.
    fn require_tested(&mut self, value: Handle<Expr>, side: Handle<Expr>, within: Interval) -> Failable<()> {
        let place = self.here();
        self.require_within(value, side, within, place).map_err(|_| self.wraps_around(side))
    }

    /// All tested values, plus the level's offset, must fit its type, unless overflow is undefined there.
    fn require_level(&mut self, counted: &Counted, side: Handle<Expr>, level: &Converted, step: i64) -> Failable<()> {
        let fits = Interval::of_type(level.ty);
        let span = self.nest.exprs.span(side);
        // The value that ends the loop is at most this far beyond the bound.
        let past = match counted.relation {
            BinaryOp::LessEqual | BinaryOp::GreaterEqual => step,
            BinaryOp::NotEqual => 0,
            _ => step - step.signum(),
        };
        let past = self.int(ScalarType::I64, past, span);
        let end = self.index_sum(counted.bound, past, span);
        let toward = if step > 0 { fits.below() } else { fits.above() };
        for (value, within) in [(counted.first, fits), (end, toward)] {
            let value = level.offset.map_or(value, |offset| self.index_sum(value, offset, span));
            self.require_tested(value, side, within)?;
        }
        Ok(())
    }

    /// A `do` loop whose condition does not hold before its first iteration runs once all the same, as no loop over integers does:
    /// the driver sees that it is no such one.
    pub fn require_iteration(&mut self, node: Node<'t>, counted: &Counted, step: i64) -> Failable<()> {
        let span = self.span(node);
        let (from, to) = if step > 0 { (counted.first, counted.bound) } else { (counted.bound, counted.first) };
        let distance = self.difference(to, from, span);
        let is_closed = matches!(counted.relation, BinaryOp::LessEqual | BinaryOp::GreaterEqual);
        let least = Interval { lo: i128::from(!is_closed), hi: i128::from(i64::MAX) };
        match self.require_within(distance, counted.bound, least, self.here()) {
            Ok(()) => Ok(()),
            Err(_) => {
                self.refuse(node, "loop-form", "this loop runs once whatever its condition says", "leave the loop out")
            }
        }
    }

    /// A loop that runs until `!=` must not begin beyond its end: if it may wrap around, it would get there all the same.
    fn require_order(&mut self, counted: &Counted, side: Handle<Expr>, step: i64) -> Failable<()> {
        let span = self.nest.exprs.span(side);
        let (from, to) = if step > 0 { (counted.first, counted.bound) } else { (counted.bound, counted.first) };
        let distance = self.difference(to, from, span);
        self.require_tested(distance, side, Interval::of_type(ScalarType::I64).natural())
    }

    /// What the variable of a loop that is over holds: behind `for (i = 1; i < n; i++)` it is `n`, if the loop was not empty, and
    /// the driver makes sure of that. `None` where it depends on how often the loop runs.
    pub fn value_behind(&mut self, this: Handle<Loop>, span: Span) -> Option<Handle<Expr>> {
        let last = self.end_of_counting(this, ScalarType::I64, span)?;
        Some(self.convert(last, self.nest.loops[this].ty))
    }

    /// The same as an integer of type `width`, which is wide enough.
    pub fn end_of_counting(&mut self, this: Handle<Loop>, width: ScalarType, span: Span) -> Option<Handle<Expr>> {
        let Loop { ty, first, relation, bound, step, .. } = self.nest.loops[this].clone();
        let past = match relation {
            BinaryOp::NotEqual => 0,
            BinaryOp::Less | BinaryOp::Greater if step.abs() == 1 => 0,
            BinaryOp::LessEqual | BinaryOp::GreaterEqual if step.abs() == 1 && !ty.is_unsigned() => step,
            _ => return None,
        };
        let past = self.int(width, past, span);
        let bound = match *self.kind(bound) {
            ExprKind::Convert(inner) if self.ty(inner) == width => inner,
            _ => self.convert(bound, width),
        };
        let last = self.binary(BinaryOp::Add, bound, past, span);
        let (from, to) = if step > 0 { (first, last) } else { (last, first) };
        let distance = self.difference(to, from, span);
        let place = self.here();
        self.require_within(distance, bound, Interval::of_type(ScalarType::I64).natural(), place).ok()?;
        Some(last)
    }

    /// `for (i = n - 1; i < n; i--)` with an unsigned `i`: the loop ends when its variable wraps around below 0.
    fn counted_down_through_zero(
        &mut self,
        first: Handle<Expr>,
        test: Test,
        levels: &[Converted],
        step: i64,
    ) -> Failable<Option<Counted>> {
        let ty = self.ty(test.side);
        let is_bare = levels.iter().all(|level| level.ty == ty && level.offset.is_none());
        let is_below = matches!(test.relation, BinaryOp::Less | BinaryOp::LessEqual);
        if step != -1 || !is_below || !ty.is_unsigned() || !is_bare {
            return Ok(None);
        }
        let place = self.here();
        let bound = self.header_integer(test.bound, &place)?;
        let Ok(first) = self.congruent(first, place) else { return Ok(None) };
        let span = self.nest.exprs.span(test.bound);
        let distance = self.difference(bound, first, span);
        let least = i128::from(test.relation == BinaryOp::Less);
        let far = Interval::of_type(ScalarType::I64).hi;
        for (value, within) in [(first, Interval { lo: -1, hi: far }), (distance, Interval { lo: least, hi: far })] {
            self.require_tested(value, test.side, within)?;
        }
        let bound = self.int(ScalarType::I64, 0, span);
        Ok(Some(Counted { first: self.normalised(first), relation: BinaryOp::GreaterEqual, bound }))
    }
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read, refusal};

    /// A nest of rows that does `inner` in each.
    fn rows(inner: &str) -> String {
        let body = format!("#pragma stencil\nfor (int i = 0; i < n; i++) {{ int j; {inner} }}");
        function("int n, int m, int k, double (*a)[m], double (*b)[m]", &body)
    }

    #[test]
    fn the_variable_of_a_loop_holds_the_bound_behind_it() {
        for (header, left) in [
            ("j = 1; j < m - 1; j++", "(m - 1)"),
            ("j = 1; j <= m - 2; j++", "((m - 2) + 1)"),
            ("j = m - 2; j > 0; j--", "0"),
            ("j = m - 2; j >= 1; j--", "0"),
        ] {
            let nest = read(&rows(&format!("for ({header}) b[i][j] = a[i][j]; b[i][j] = 7;")));
            let text = nest.to_string().replace("(long long)", "");
            assert!(text.contains(&format!("b[i][{left}] = ")), "{header}: {text}");
            assert!(nest.range_checks.iter().any(|check| check.least == 0), "{header}: it may be empty: {text}");
        }
    }

    #[test]
    fn what_depends_on_how_often_a_loop_runs_is_unknown() {
        for inner in [
            "for (j = 1; j < m - 1; j += 2) b[i][j] = a[i][j]; b[i][j] = 7;",
            "if (k > 3) for (j = 1; j < m - 1; j++) b[i][j] = a[i][j]; else for (j = 1; j < k; j++) b[i][j] = a[i][j]; b[i][j] = 7;",
            "if (k > 3) for (j = 1; j < m - 1; j++) b[i][j] = a[i][j]; b[i][j] = 7;",
        ] {
            let error = refusal(&rows(inner));
            assert_eq!(error.code, "scalar-carried", "{inner}: {}", error.message);
        }
    }
}
