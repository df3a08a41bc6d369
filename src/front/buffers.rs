//! Leading subscripts and exchanged pointers as choices among buffers.

use std::cell::Cell;

use super::layout::ArrayLayout;
use super::polynomial::{Indeterminate, Polynomial, Ranges};
use super::ranges::Interval;
use super::reader::Reader;
use super::rotation::Group;
use crate::ir::{Access, BinaryOp, Buffer, Expr, ExprKind, Handle, HostValue, Loop, ScalarType};
use crate::source::Span;

/// Leading subscripts choose among at most this many buffers.
const MAX_BUFFERS: i64 = 8;

/// `(sign * t + shift) mod count`.
struct Turn {
    sign: i64,
    shift: i64,
}

/// A leading dimension that chooses among buffers.
pub struct Leading<'a> {
    pub variable: Handle<HostValue>,
    pub count: i64,
    /// Elements from one buffer to the next.
    pub stride: &'a Polynomial,
    pub accesses: &'a [Handle<Access>],
    /// Those of the accesses.
    pub subscripts: &'a [Handle<Expr>],
    pub span: Span,
}

impl Reader<'_, '_, '_> {
    /// Number of buffers if every access's leading subscript depends only on the time loop and constants.
    pub fn leading_buffers(
        &self,
        layout: &ArrayLayout,
        accesses: &[Handle<Access>],
        time: Option<Handle<Loop>>,
    ) -> Option<i64> {
        // C ignores the outermost size of an array parameter; the remainder tells how many buffers there are.
        let count = match layout.extents.first()? {
            Some(extent) => extent.as_constant()?,
            None => self.largest_remainder(accesses)?,
        };
        if !(1..=MAX_BUFFERS).contains(&count) {
            return None;
        }
        let is_allowed = |part: &Expr| match part.kind {
            ExprKind::Index(this) | ExprKind::Iteration(this) => Some(this) == time,
            ExprKind::Int(_) | ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::Convert(_) => true,
            _ => self.is_start(part),
        };
        let qualifies = |access: &Handle<Access>| {
            let leading = self.nest.accesses[*access].subscripts[0];
            !self.any(leading, &|part| !is_allowed(part))
                && self.constant(leading).is_none_or(|value| (0..count).contains(&value))
        };
        let selects = |access: &Handle<Access>| {
            let leading = self.nest.accesses[*access].subscripts[0];
            self.constant(leading).is_some()
                || self
                    .any(leading, &|part| matches!(part.kind, ExprKind::Binary(BinaryOp::Rem | BinaryOp::BitAnd, ..)))
        };
        let is_split = layout.strides.len() > 1 && accesses.iter().all(|it| qualifies(it) && selects(it));
        let leading = accesses.iter().map(|access| self.nest.accesses[*access].subscripts[0]);
        (is_split && self.may_start(&leading.collect::<Vec<_>>(), count)).then_some(count)
    }

    /// The largest constant `m` of a leading subscript with `% m`.
    fn largest_remainder(&self, accesses: &[Handle<Access>]) -> Option<i64> {
        let largest = Cell::new(None);
        for access in accesses {
            self.any(self.nest.accesses[*access].subscripts[0], &|part| {
                if let ExprKind::Binary(BinaryOp::Rem, _, modulus) = part.kind {
                    largest.set(largest.get().max(self.constant(modulus)));
                }
                false
            });
        }
        largest.get()
    }

    /// Makes the leading dimension a choice of buffer.
    pub fn split_leading(
        &mut self,
        variable: Handle<HostValue>,
        count: i64,
        layout: &mut ArrayLayout,
        accesses: &[Handle<Access>],
        span: Span,
    ) -> Vec<Buffer> {
        let stride = layout.strides.remove(0);
        layout.extents.remove(0);
        layout.leave_leading_pointers();
        layout.length = None;
        let leading: Vec<_> = accesses.iter().map(|access| self.nest.accesses[*access].subscripts.remove(0)).collect();
        let this = Leading { variable, count, stride: &stride, accesses, subscripts: &leading, span };
        if let Some(buffers) = self.started_buffers(&this).or_else(|| self.turned_buffers(&this)) {
            return buffers;
        }
        for (access, leading) in accesses.iter().zip(leading) {
            let leading = self.masks_as_remainders(leading);
            self.nest.accesses[*access].buffer = (count > 1).then_some(leading);
        }
        let offset = |reader: &mut Self, buffer: i64| {
            let offset = stride.times(&Polynomial::constant(buffer))?;
            (buffer > 0).then(|| reader.polynomial_expr(&offset, span))
        };
        (0..count).map(|buffer| Buffer { variable, offset: offset(self, buffer) }).collect()
    }

    /// Buffers for a time loop that starts anywhere: as seen from its first step, the one that a subscript with the
    /// remainder of `t - first` chooses is `first % count` further on.
    ///
    /// Example: in `for (t = steps; t > 0; t--) a[(t + 1) % 2][i] = a[t % 2][i]` step `s` reads buffer `-s % 2` and writes
    /// buffer `(1 - s) % 2`, counted from `steps % 2`.
    fn turned_buffers(&mut self, leading: &Leading<'_>) -> Option<Vec<Buffer>> {
        let &Leading { count, accesses, subscripts, span, .. } = leading;
        let time = self.nest.loops.handles().next()?;
        let Loop { first, step, .. } = self.nest.loops[time];
        if count < 2 || self.constant(first).is_some() {
            return None;
        }
        let turns: Vec<Turn> = subscripts.iter().map(|it| self.turn(*it, time, count)).collect::<Option<_>>()?;
        let sign = turns.first()?.sign;
        if turns.iter().any(|turn| turn.sign != sign) {
            return None;
        }
        for (access, leading) in accesses.iter().zip(subscripts) {
            self.require_natural_remainders(*access, *leading)?;
        }
        for (access, turn) in accesses.iter().zip(&turns) {
            let iteration = self.expr(ScalarType::I64, ExprKind::Iteration(time), span);
            let factor = self.int(ScalarType::I64, (sign * step).rem_euclid(count), span);
            let turned = self.binary(BinaryOp::Mul, factor, iteration, span);
            self.choose_in_turn(*access, turned, (turn.shift, count), span);
        }
        Some((0..count).map(|buffer| self.turned_buffer(leading, sign, first, buffer)).collect())
    }

    /// The buffer that is `buffer` after the one that the time loop's first value chooses.
    fn turned_buffer(&mut self, leading: &Leading<'_>, sign: i64, first: Handle<Expr>, buffer: i64) -> Buffer {
        let &Leading { count, span, .. } = leading;
        let first = self.long(first);
        let (factor, modulus) = (self.int(ScalarType::I64, sign, span), self.int(ScalarType::I64, count, span));
        let first = self.binary(BinaryOp::Rem, first, modulus, span);
        let first = self.binary(BinaryOp::Mul, factor, first, span);
        // A remainder may be negative in C.
        let natural = self.int(ScalarType::I64, count + buffer, span);
        let sum = self.binary(BinaryOp::Add, first, natural, span);
        let place = self.binary(BinaryOp::Rem, sum, modulus, span);
        self.buffer_at(leading, place)
    }

    /// The buffer at such a place among all.
    pub fn buffer_at(&mut self, leading: &Leading<'_>, place: Handle<Expr>) -> Buffer {
        let stride = self.polynomial_expr(leading.stride, leading.span);
        let (place, stride) = (self.long(place), self.long(stride));
        let offset = self.binary(BinaryOp::Mul, place, stride, leading.span);
        Buffer { variable: leading.variable, offset: Some(offset) }
    }

    /// How a leading subscript chooses among `count` buffers by the time loop's variable `t`, if it is
    /// `(sign * t + shift) mod count`; its values are looked at, so any spelling will do.
    fn turn(&self, leading: Handle<Expr>, time: Handle<Loop>, count: i64) -> Option<Turn> {
        let at = |t: i64| self.value_at(leading, time, t);
        // Far enough from zero for the constants that are subtracted.
        let far = 100 * count;
        let shift = at(far)?;
        [1, -1].into_iter().map(|sign| Turn { sign, shift }).find(|turn| {
            let is_turn = |t: i64| at(t) == Some((turn.sign * t + turn.shift).rem_euclid(count));
            (far..far + 4 * count).all(is_turn)
        })
    }

    /// Leaves it to the driver to check that no operand of `%` is negative, where C's remainder would be negative too.
    fn require_natural_remainders(&mut self, access: Handle<Access>, leading: Handle<Expr>) -> Option<()> {
        let place = self.place_of(access);
        for part in self.nest.reachable([leading]) {
            if let ExprKind::Binary(BinaryOp::Rem, operand, _) = *self.kind(part) {
                let natural = Interval::of_type(ScalarType::I64).natural();
                self.require_within(operand, operand, natural, place.clone()).ok()?;
            }
        }
        Some(())
    }

    /// The value of an expression of constants and the time loop's variable, where that is `t`.
    fn value_at(&self, expr: Handle<Expr>, time: Handle<Loop>, t: i64) -> Option<i64> {
        match self.kind(expr) {
            ExprKind::Int(value) => Some(*value),
            ExprKind::Index(this) if *this == time => Some(t),
            ExprKind::Convert(inner) => self.value_at(*inner, time, t),
            ExprKind::Unary(crate::ir::UnaryOp::Negate, inner) => self.value_at(*inner, time, t)?.checked_neg(),
            ExprKind::Binary(op, left, right) => {
                let (a, b) = (self.value_at(*left, time, t)?, self.value_at(*right, time, t)?);
                match op {
                    BinaryOp::Add => a.checked_add(b),
                    BinaryOp::Sub => a.checked_sub(b),
                    BinaryOp::Mul => a.checked_mul(b),
                    BinaryOp::Rem => a.checked_rem(b).filter(|_| a >= 0),
                    BinaryOp::BitAnd => Some(a & b),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Writes `t & 1` as `t % 2`, which is the same for a counter that does not go below zero.
    pub fn masks_as_remainders(&mut self, expr: Handle<Expr>) -> Handle<Expr> {
        let Expr { ty, kind } = self.nest.exprs[expr].clone();
        let span = self.nest.exprs.span(expr);
        match kind {
            ExprKind::Binary(op, left, right) => {
                let is_mask = op == BinaryOp::BitAnd && self.constant(right) == Some(1) && self.counts_up(left);
                let left = self.masks_as_remainders(left);
                let (op, right) = if is_mask { (BinaryOp::Rem, self.int(ty, 2, span)) } else { (op, right) };
                let right = self.masks_as_remainders(right);
                self.expr(ty, ExprKind::Binary(op, left, right), span)
            }
            _ => expr,
        }
    }

    /// Whether `expr` is a sum of constants and an index that starts at a constant and rises, never negative.
    fn counts_up(&self, expr: Handle<Expr>) -> bool {
        match self.kind(expr) {
            ExprKind::Index(this) => {
                let this = &self.nest.loops[*this];
                this.step > 0 && self.constant(this.first).is_some_and(|first| first >= 0)
            }
            ExprKind::Int(value) => *value >= 0,
            ExprKind::Binary(BinaryOp::Add, left, right) => self.counts_up(*left) && self.counts_up(*right),
            _ => false,
        }
    }

    /// Lets an access choose buffer `(turned + shift) % count`.
    pub fn choose_in_turn(
        &mut self,
        access: Handle<Access>,
        turned: Handle<Expr>,
        (shift, count): (i64, i64),
        span: Span,
    ) {
        self.nest.accesses[access].buffer = Some(self.remainder(turned, shift, count, span));
    }

    /// `(value + shift) % count`, in 64 bits.
    pub fn remainder(&mut self, value: Handle<Expr>, shift: i64, count: i64, span: Span) -> Handle<Expr> {
        let (shift, modulus) = (self.int(ScalarType::I64, shift, span), self.int(ScalarType::I64, count, span));
        let sum = self.index_sum(value, shift, span);
        self.binary(BinaryOp::Rem, sum, modulus, span)
    }

    /// `(iterations + place) % buffers` for each access of a rotated pointer.
    pub fn set_rotating_buffers(
        &mut self,
        group: &Group,
        accesses: &[Handle<Access>],
        time: Option<Handle<Loop>>,
        span: Span,
    ) {
        let Some(time) = time else { return };
        let count = group.roots.len() as i64;
        for (place, root) in group.roots.iter().enumerate() {
            let array = self.root_array(*root);
            for access in accesses
                .iter()
                .filter(|access| self.nest.accesses[**access].array == array)
                .copied()
                .collect::<Vec<_>>()
            {
                let iteration = self.expr(ScalarType::I64, ExprKind::Iteration(time), span);
                self.choose_in_turn(access, iteration, (place as i64, count), span);
            }
        }
    }
}

/// Number of buffers if the leading subscripts are made of time terms and constants, at least one of them a time term.
pub fn count_buffers(leading: &[&Polynomial], ranges: &Ranges) -> Option<i64> {
    let mut count = 0;
    let mut has_time = false;
    for subscript in leading {
        let (terms, _) = subscript.by_index()?;
        has_time |= !terms.is_empty();
        let mut bounds = (subscript.coefficient(&Vec::new()), subscript.coefficient(&Vec::new()));
        for (symbol, factor) in terms {
            let (last, factor) = (ranges.get(&symbol)?.1.as_constant()?, factor.as_constant()?);
            let Indeterminate::Time(_) = symbol else { return None };
            bounds = (bounds.0 + (factor * last).min(0), bounds.1 + (factor * last).max(0));
        }
        let is_constant_otherwise = subscript.terms().all(|(monomial, _)| monomial.iter().all(is_time));
        if bounds.0 < 0 || bounds.1 >= MAX_BUFFERS || !is_constant_otherwise {
            return None;
        }
        count = count.max(bounds.1 + 1);
    }
    has_time.then_some(count)
}

fn is_time(symbol: &Indeterminate) -> bool {
    matches!(symbol, Indeterminate::Time(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remainders_of_the_step_choose_buffers_from_the_first_on() {
        let ranges = Ranges::from([(Indeterminate::Time(0), (Polynomial::constant(0), Polynomial::constant(2)))]);
        let time = |factor| Polynomial::term(vec![Indeterminate::Time(0)], factor);
        let and = |time: Polynomial, constant| time.plus(&Polynomial::constant(constant), 1).expect("it is small");
        assert_eq!(count_buffers(&[&time(1)], &ranges), Some(3));
        assert_eq!(count_buffers(&[&and(time(-1), 2), &Polynomial::constant(3)], &ranges), Some(4));
        assert_eq!(count_buffers(&[&and(time(-1), 1)], &ranges), None);
        assert_eq!(count_buffers(&[&time(-1)], &ranges), None);
        assert_eq!(count_buffers(&[&and(time(1), MAX_BUFFERS - 3)], &ranges), Some(MAX_BUFFERS));
        assert_eq!(count_buffers(&[&and(time(1), MAX_BUFFERS - 2)], &ranges), None);
        assert_eq!(count_buffers(&[&Polynomial::constant(1)], &ranges), None);
    }
}
