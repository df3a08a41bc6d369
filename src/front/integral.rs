//! From integers as C computes them to integers: the only way into integer sets.
//!
//! What enters isl (bounds, conditions, subscripts, strides, remainders) is an expression *over the integers*: its value,
//! computed without any limit, is what C computes with conversions, promotions and wrap-around, in every iteration in
//! question. Three ways lead there, in this order:
//! 1. types and ranges prove it ([`Ranges`]);
//! 2. a [`RangeCheck`] says what must hold, and the driver looks before it starts;
//! 3. neither: the expression is none over the integers. A condition is evaluated on the device as C says, a value that no
//!    iteration changes is computed by the host as C says ([`ParamValue::Expression`]), all else is refused.
//!
//! Two facts carry this. Signed arithmetic that overflows is undefined, so what a program executes does not. Unsigned
//! arithmetic is exact modulo 2^w, so sums and products need no check of their own, only the value that leaves them does:
//! `i - 1u + n` may wrap in between. An unsigned parameter stands in such sums for its *signed representative*, the number
//! that is congruent to it and fits the signed type of its width: `z[q + m]` with `m = -1u` is `z[q - 1]`.

use super::Failable;
use super::integers::{is_affine_in_params, is_condition_on_indices, is_invariant};
use super::polynomial::Polynomial;
use super::ranges::{Interval, Ranges};
use super::reader::Reader;
use crate::ir::{Access, BinaryOp, Expr, ExprKind, Handle, Loop, RangeCheck, ScalarType, UnaryOp, is_low_bits};
use crate::source::Diagnostic;

/// Where an expression is evaluated.
#[derive(Clone, Debug, Default)]
pub struct Place {
    /// The loops around it, outermost first.
    pub loops: Vec<Handle<Loop>>,
    /// Conditions over the integers that hold there.
    pub guards: Vec<Handle<Expr>>,
}

/// What may be left to the driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// Anything that may hold.
    Checks,
    /// What depends on parameters alone; all else must be proved.
    Proofs,
}

/// Why an expression is none over the integers.
#[derive(Clone, Copy, Debug)]
pub enum NotIntegral {
    /// It holds something that has no affine form.
    NotAffine,
    /// C computes another value, or may do so where that matters: the part that wraps around.
    Wraps(Handle<Expr>),
}

type Integral = Result<Handle<Expr>, NotIntegral>;

/// One expression on its way.
struct Walk {
    place: Place,
    trust: Trust,
}

impl Reader<'_, '_, '_> {
    /// The present place.
    pub fn here(&self) -> Place {
        Place { loops: self.loops.clone(), guards: self.guards.clone() }
    }

    /// Where an access is evaluated.
    pub fn place_of(&self, access: Handle<Access>) -> Place {
        let Access { loops, guards, .. } = &self.nest.accesses[access];
        Place { loops: loops.clone(), guards: guards.clone() }
    }

    /// The expression over the integers that has the value of `expr`, an integer, wherever it is evaluated at `place`.
    ///
    /// # Errors
    /// There is none. No check is left behind then.
    pub fn integral(&mut self, expr: Handle<Expr>, place: Place, trust: Trust) -> Integral {
        self.attempt(|reader| reader.exact(expr, &Walk { place, trust }))
    }

    /// As [`integral`](Self::integral) for a value that matters modulo the width of its type alone, such as what a loop
    /// leaves in its variable.
    pub fn congruent(&mut self, expr: Handle<Expr>, place: Place) -> Integral {
        self.attempt(|reader| reader.ring(expr, &Walk { place, trust: Trust::Checks }))
    }

    /// The condition over the integers that holds where `condition` does, if there is one that needs no check of indices.
    pub fn integral_condition(&mut self, condition: Handle<Expr>, place: Place) -> Integral {
        self.attempt(|reader| {
            let condition = reader.condition_over(condition, &Walk { place, trust: Trust::Proofs })?;
            let condition = reader.normalised(condition);
            if is_condition_on_indices(reader, condition) { Ok(condition) } else { Err(NotIntegral::NotAffine) }
        })
    }

    /// What is known of indices at `place`.
    fn ranges_at(&self, place: &Place) -> Ranges<'_> {
        Ranges::new(&self.nest, &self.naturals, &place.loops, &place.guards)
    }

    fn attempt(&mut self, read: impl FnOnce(&mut Self) -> Integral) -> Integral {
        let (checks, naturals) = (self.nest.range_checks.len(), self.naturals.clone());
        let result = read(self);
        if result.is_err() {
            self.nest.range_checks.truncate(checks);
            self.naturals = naturals;
        }
        result
    }

    /// The subscripts of an access over the integers; what has no such form stays, for the analysis to refuse it by name.
    pub fn integral_subscripts(&mut self, access: Handle<Access>) -> Failable<()> {
        let place = self.place_of(access);
        for level in 0..self.nest.accesses[access].subscripts.len() {
            let subscript = self.nest.accesses[access].subscripts[level];
            self.fix_elements(subscript);
            // Addresses are computed modulo 2^64.
            let subscript = if self.ty(subscript) == ScalarType::U64 { self.long(subscript) } else { subscript };
            let integral = match self.integral(subscript, place.clone(), Trust::Checks) {
                Ok(integral) => integral,
                Err(NotIntegral::NotAffine) => continue,
                Err(NotIntegral::Wraps(part)) => return Err(self.wraps_around(part)),
            };
            self.nest.accesses[access].subscripts[level] = integral;
        }
        Ok(())
    }

    /// The polynomial that an integer outside of all loops is over the integers, if it is one.
    pub fn fixed_polynomial(&mut self, expr: Handle<Expr>) -> Option<Polynomial> {
        let value = self.integral(expr, Place::default(), Trust::Checks).ok()?;
        self.polynomial(value)
    }

    /// The refusal of an expression that wraps around.
    pub fn wraps_around(&self, part: Handle<Expr>) -> Box<Diagnostic> {
        let ty = self.ty(part).c_name();
        let message = "this integer wraps around, or may do so";
        let reason = format!("C computes it as `{ty}`, which does not hold the value that the arithmetic gives here");
        Box::new(
            Diagnostic::error("wraps-around", message, self.nest.exprs.span(part))
                .because(reason)
                .with_help("use signed integers that are wide enough for bounds, subscripts and conditions")
                .with_help("or write the remainder that is meant, as in `(i + 3) % 256`"),
        )
    }

    /// An expression over the integers with the value of `expr`.
    fn exact(&mut self, expr: Handle<Expr>, walk: &Walk) -> Integral {
        let Expr { ty, kind } = self.nest.exprs[expr].clone();
        if ty.is_float() {
            return Err(NotIntegral::NotAffine);
        }
        if self.is_for_host(expr) {
            return self.exact_invariant(expr, walk);
        }
        match kind {
            ExprKind::Int(value) if ty == ScalarType::U64 && value < 0 => Err(NotIntegral::NotAffine),
            ExprKind::Int(_) | ExprKind::Index(_) | ExprKind::Iteration(_) => Ok(expr),
            ExprKind::Param(param) if ty.representative() != ty => {
                if !self.naturals.contains(&param) {
                    let representative = self.representative(expr);
                    let natural = Interval { lo: 0, hi: Interval::of_type(ty.representative()).hi };
                    self.check(representative, natural, &Place::default());
                    self.naturals.insert(param);
                }
                Ok(expr)
            }
            ExprKind::Param(_) => Ok(expr),
            ExprKind::Convert(inner) => self.exact_conversion(expr, inner, walk),
            ExprKind::Unary(UnaryOp::Not, inner) => self.exact_not(expr, inner, walk),
            ExprKind::Unary(UnaryOp::Negate, _)
            | ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, ..)
                if ty.is_unsigned() =>
            {
                let value = self.ring(expr, walk)?;
                self.require(value, expr, Interval::of_type(ty), walk)
            }
            ExprKind::Unary(UnaryOp::Negate, inner) => {
                let value = self.exact(inner, walk)?;
                Ok(self.with_operands(expr, &[value]))
            }
            ExprKind::Binary(op, left, right) => self.exact_binary(expr, op, left, right, walk),
            ExprKind::Select(condition, then, otherwise) => self.exact_choice(expr, condition, then, otherwise, walk),
            _ => Err(NotIntegral::NotAffine),
        }
    }

    /// The host computes what no iteration changes as C says.
    fn exact_invariant(&mut self, expr: Handle<Expr>, walk: &Walk) -> Integral {
        // All values of `unsigned` fit `long`.
        let value = if self.ty(expr) == ScalarType::U32 { self.convert(expr, ScalarType::I64) } else { expr };
        let param = self.expression_param(value);
        self.exact(param, walk)
    }

    fn exact_conversion(&mut self, expr: Handle<Expr>, inner: Handle<Expr>, walk: &Walk) -> Integral {
        let (to, from) = (Interval::of_type(self.ty(expr)), Interval::of_type(self.ty(inner)));
        if self.ty(inner).is_float() {
            return Err(NotIntegral::NotAffine);
        }
        if to.contains(from) {
            let value = self.exact(inner, walk)?;
            return Ok(if value == inner { expr } else { self.long(value) });
        }
        // Nobody counts cells beyond the range of `int`, so that the driver looks instead of leaving a condition to the device.
        let is_cell = matches!(self.kind(inner), ExprKind::Index(_)) && self.ty(expr) == ScalarType::I32;
        let trust = if is_cell { Trust::Checks } else { walk.trust };
        let value = self.ring(expr, walk)?;
        self.require(value, expr, to, &Walk { place: walk.place.clone(), trust })
    }

    /// `!x` and `x ^ 1` of a truth value are `1 - x`.
    fn exact_not(&mut self, expr: Handle<Expr>, inner: Handle<Expr>, walk: &Walk) -> Integral {
        let value = self.truth_value(inner, walk)?;
        let span = self.nest.exprs.span(expr);
        let one = self.int(ScalarType::I64, 1, span);
        let value = self.long(value);
        Ok(self.binary(BinaryOp::Sub, one, value, span))
    }

    /// `expr` over the integers if it is surely 0 or 1.
    fn truth_value(&mut self, expr: Handle<Expr>, walk: &Walk) -> Integral {
        let value = match *self.kind(expr) {
            ExprKind::Binary(op @ (BinaryOp::Equal | BinaryOp::NotEqual), left, right) => {
                let Some(other @ (0 | 1)) = self.constant(right) else { return Err(NotIntegral::NotAffine) };
                if (op == BinaryOp::Equal) == (other == 0) {
                    return self.exact_not(expr, left, walk);
                }
                self.truth_value(left, walk)?
            }
            _ => self.exact(expr, walk)?,
        };
        let range = self.ranges_at(&walk.place);
        if range.of(value).is_surely_in(Interval { lo: 0, hi: 1 }) { Ok(value) } else { Err(NotIntegral::NotAffine) }
    }

    /// `c ? a : b` with constants is `b + (a - b) * c`.
    fn exact_choice(
        &mut self,
        expr: Handle<Expr>,
        condition: Handle<Expr>,
        then: Handle<Expr>,
        otherwise: Handle<Expr>,
        walk: &Walk,
    ) -> Integral {
        let (Some(then), Some(otherwise)) = (self.constant(then), self.constant(otherwise)) else {
            return Err(NotIntegral::NotAffine);
        };
        let Some(difference) = then.checked_sub(otherwise) else { return Err(NotIntegral::NotAffine) };
        let condition = self.truth_value(condition, walk)?;
        let span = self.nest.exprs.span(expr);
        let (factor, base) = (self.int(ScalarType::I64, difference, span), self.int(ScalarType::I64, otherwise, span));
        let condition = self.long(condition);
        let product = self.binary(BinaryOp::Mul, factor, condition, span);
        Ok(self.binary(BinaryOp::Add, base, product, span))
    }

    fn exact_binary(
        &mut self,
        expr: Handle<Expr>,
        op: BinaryOp,
        left: Handle<Expr>,
        right: Handle<Expr>,
        walk: &Walk,
    ) -> Integral {
        let span = self.nest.exprs.span(expr);
        match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => {
                let (a, b) = (self.exact(left, walk)?, self.exact(right, walk)?);
                Ok(self.with_operands(expr, &[a, b]))
            }
            BinaryOp::ShiftLeft => {
                let value = self.ring(expr, walk)?;
                let ty = self.ty(expr);
                if ty.is_unsigned() { self.require(value, expr, Interval::of_type(ty), walk) } else { Ok(value) }
            }
            BinaryOp::Div | BinaryOp::Rem if self.constant(right).is_some_and(|divisor| divisor > 0) => {
                let (a, b) = (self.exact(left, walk)?, self.exact(right, walk)?);
                // C rounds toward zero, integer sets downward.
                let natural = Interval::of_type(ScalarType::I64).natural();
                self.require(a, left, natural, walk).map_err(|_| NotIntegral::NotAffine)?;
                Ok(self.with_operands(expr, &[a, b]))
            }
            // In two's complement the low bits are a remainder, and wrapping around does not change them.
            BinaryOp::BitAnd => {
                let (value, mask) = if self.constant(right).is_some() { (left, right) } else { (right, left) };
                let Some(mask) = self.constant(mask).filter(|mask| is_low_bits(*mask)) else {
                    return Err(NotIntegral::NotAffine);
                };
                let low = self.low_bits(value, mask, walk)?;
                if (low, self.ty(expr).is_unsigned()) == (left, false) {
                    return Ok(expr);
                }
                let (low, mask) = (self.long(low), self.int(ScalarType::I64, mask, span));
                Ok(self.expr(ScalarType::I64, ExprKind::Binary(BinaryOp::BitAnd, low, mask), span))
            }
            BinaryOp::Equal | BinaryOp::NotEqual => self.truth_value(expr, walk),
            BinaryOp::BitXor if self.constant(right) == Some(1) => self.exact_not(expr, left, walk),
            _ => Err(NotIntegral::NotAffine),
        }
    }

    /// What has the low bits of `expr` that `mask` keeps.
    fn low_bits(&mut self, expr: Handle<Expr>, mask: i64, walk: &Walk) -> Integral {
        if let ExprKind::Binary(BinaryOp::BitXor, left, right) = *self.kind(expr)
            && mask == 1
            && self.constant(right).is_some()
        {
            // The lowest bit of an exclusive or is that of the sum.
            let span = self.nest.exprs.span(expr);
            let (a, b) = (self.ring(left, walk)?, self.ring(right, walk)?);
            let (a, b) = (self.long(a), self.long(b));
            return Ok(self.binary(BinaryOp::Add, a, b, span));
        }
        if self.ty(expr).is_unsigned() { self.ring(expr, walk) } else { self.exact(expr, walk) }
    }

    /// An expression over the integers that is congruent to `expr` modulo 2^w, w being the width of its type.
    fn ring(&mut self, expr: Handle<Expr>, walk: &Walk) -> Integral {
        let Expr { ty, kind } = self.nest.exprs[expr].clone();
        let span = self.nest.exprs.span(expr);
        if self.is_for_host(expr) {
            let param = self.expression_param(expr);
            return Ok(self.representative(param));
        }
        match kind {
            ExprKind::Int(value) if ty == ScalarType::U32 => {
                Ok(self.int(ScalarType::I64, i64::from(value as i32), span))
            }
            ExprKind::Int(value) => Ok(self.int(ScalarType::I64, value, span)),
            ExprKind::Param(_) => Ok(self.representative(expr)),
            ExprKind::Convert(inner) if self.ty(inner).is_integer() && self.ty(inner).size() >= ty.size() => {
                let value = self.ring(inner, walk)?;
                Ok(self.long(value))
            }
            ExprKind::Convert(inner) => {
                let value = self.exact(inner, walk)?;
                Ok(self.long(value))
            }
            ExprKind::Unary(UnaryOp::Negate, inner) => {
                let value = self.ring(inner, walk)?;
                Ok(self.over_integers(expr, &[value]))
            }
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, left, right) => {
                let (a, b) = (self.ring(left, walk)?, self.ring(right, walk)?);
                Ok(self.over_integers(expr, &[a, b]))
            }
            ExprKind::Binary(BinaryOp::ShiftLeft, left, right) => {
                let width = 8 * ty.size() as i64;
                let Some(shift) = self.constant(right).filter(|shift| (0..width.min(62)).contains(shift)) else {
                    return Err(NotIntegral::NotAffine);
                };
                let value = self.ring(left, walk)?;
                let (value, factor) = (self.long(value), self.int(ScalarType::I64, 1 << shift, span));
                Ok(self.binary(BinaryOp::Mul, value, factor, span))
            }
            _ => self.exact(expr, walk),
        }
    }

    /// The signed representative of an unsigned parameter, the value of any other.
    fn representative(&mut self, param: Handle<Expr>) -> Handle<Expr> {
        let ty = self.ty(param).representative();
        let value = self.convert(param, ty);
        self.long(value)
    }

    /// An expression over the integers as `long`.
    pub fn long(&mut self, expr: Handle<Expr>) -> Handle<Expr> {
        self.convert(expr, ScalarType::I64)
    }

    /// `expr`, which is exact in its own type, with these operands.
    fn with_operands(&mut self, expr: Handle<Expr>, operands: &[Handle<Expr>]) -> Handle<Expr> {
        if self.kind(expr).operands() == operands { expr } else { self.over_integers(expr, operands) }
    }

    /// The sum, difference, product or negative that `expr` is, of other operands and over the integers.
    fn over_integers(&mut self, expr: Handle<Expr>, operands: &[Handle<Expr>]) -> Handle<Expr> {
        let span = self.nest.exprs.span(expr);
        let long: Vec<_> = operands.iter().map(|operand| self.long(*operand)).collect();
        match (self.kind(expr).clone(), long.as_slice()) {
            (ExprKind::Binary(op, ..), [a, b]) => self.binary(op, *a, *b, span),
            (ExprKind::Unary(op, _), [a]) => self.unary(op, *a, span),
            _ => expr,
        }
    }

    /// `value`, which must be in `within` wherever `original` is evaluated.
    fn require(&mut self, value: Handle<Expr>, original: Handle<Expr>, within: Interval, walk: &Walk) -> Integral {
        let ranges = self.ranges_at(&walk.place);
        let range = ranges.of(value);
        if range.is_surely_in(within) {
            return Ok(value);
        }
        let is_open = walk.trust == Trust::Proofs && !is_invariant(self, value);
        if is_open || range.is_surely_outside(within) {
            return Err(NotIntegral::Wraps(original));
        }
        self.check(value, within, &walk.place);
        Ok(value)
    }

    /// As `require` for a value that is known to be over the integers.
    ///
    /// # Errors
    /// It is surely outside.
    pub fn require_within(
        &mut self,
        value: Handle<Expr>,
        original: Handle<Expr>,
        within: Interval,
        place: Place,
    ) -> Result<(), NotIntegral> {
        self.require(value, original, within, &Walk { place, trust: Trust::Checks }).map(|_| ())
    }

    /// Leaves it to the driver to check that `value` is in `within` at `place`.
    fn check(&mut self, value: Handle<Expr>, within: Interval, place: &Place) {
        let cut = |end: i128| end.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64;
        let is_fixed = is_invariant(self, value);
        let check = RangeCheck {
            value,
            least: cut(within.lo),
            greatest: cut(within.hi),
            loops: if is_fixed { Vec::new() } else { place.loops.clone() },
            guards: if is_fixed { Vec::new() } else { place.guards.clone() },
        };
        self.nest.range_checks.push(check);
    }

    fn condition_over(&mut self, condition: Handle<Expr>, walk: &Walk) -> Integral {
        let span = self.nest.exprs.span(condition);
        if self.ty(condition).is_float() {
            return Err(NotIntegral::NotAffine);
        }
        match *self.kind(condition) {
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

    fn comparison(
        &mut self,
        condition: Handle<Expr>,
        op: BinaryOp,
        left: Handle<Expr>,
        right: Handle<Expr>,
        walk: &Walk,
    ) -> Integral {
        let span = self.nest.exprs.span(condition);
        let (a, b) = (self.exact(left, walk)?, self.exact(right, walk)?);
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

    fn is_truth(&self, expr: Handle<Expr>) -> bool {
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

    /// Whether the host computes an invariant as a whole. Sums with products stay, so that rows and columns can be told in
    /// `n / 2 * m + m / 2`; their other parts are the host's.
    fn is_for_host(&self, expr: Handle<Expr>) -> bool {
        is_invariant(self, expr) && !self.is_sum_of_products(expr) && !self.has_product(expr)
    }

    /// Whether a term of `expr` is a product of values that are no constants.
    fn has_product(&self, expr: Handle<Expr>) -> bool {
        match *self.kind(expr) {
            ExprKind::Binary(BinaryOp::Mul, left, right) => {
                [left, right].iter().all(|factor| self.constant(*factor).is_none())
            }
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, left, right) => {
                self.has_product(left) || self.has_product(right)
            }
            ExprKind::Unary(UnaryOp::Negate, inner) => self.has_product(inner),
            ExprKind::Convert(inner) => {
                let [to, from] = [expr, inner].map(|it| self.ty(it));
                from.is_integer() && to.size() >= from.size() && self.has_product(inner)
            }
            _ => false,
        }
    }

    /// Whether `expr` is made of parameters and constants by sums, products and conversions between integers.
    fn is_sum_of_products(&self, expr: Handle<Expr>) -> bool {
        let is_one = match self.kind(expr) {
            ExprKind::Int(_) | ExprKind::Param(_) | ExprKind::Convert(_) | ExprKind::Unary(UnaryOp::Negate, _) => true,
            ExprKind::Binary(op, ..) => matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul),
            _ => false,
        };
        is_one && self.kind(expr).operands().into_iter().all(|operand| self.is_sum_of_products(operand))
    }

    /// Whether an invariant is a sum of parameters in signed arithmetic alone: as it stands it is one over the integers.
    fn is_plain(&self, expr: Handle<Expr>) -> bool {
        let Expr { ty, kind } = &self.nest.exprs[expr];
        let is_kept = match kind {
            ExprKind::Convert(inner) => Interval::of_type(*ty).contains(Interval::of_type(self.ty(*inner))),
            ExprKind::Param(param) => self.nest.params[*param].value.is_passed(),
            _ => true,
        };
        !ty.is_unsigned()
            && is_kept
            && is_affine_in_params(self, expr)
            && kind.operands().into_iter().all(|operand| self.is_plain(operand))
    }
}
