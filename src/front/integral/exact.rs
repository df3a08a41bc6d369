//! Integers as C computes them, as expressions over the integers: of the same value, or congruent to it.

use super::{Integral, NotIntegral, Place, Trust, Walk};
use crate::front::ranges::Interval;
use crate::front::reader::Reader;
use crate::ir::{BinaryOp, Expr, ExprKind, Handle, ScalarType, UnaryOp, is_low_bits};

impl Reader<'_, '_, '_> {
    /// An expression over the integers with the value of `expr`.
    pub(super) fn exact(&mut self, expr: Handle<Expr>, walk: &Walk) -> Integral {
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
    pub(super) fn ring(&mut self, expr: Handle<Expr>, walk: &Walk) -> Integral {
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
}
