//! Which integers an expression may be, from types, the headers of loops and the conditions around it.
//!
//! An expression has a least and a greatest value over all iterations, and each of the two depends on parameters. So a
//! [`Range`] is two intervals over all parameters: in `for (i = 1; i < n; i++)` with a signed `n`, `i - 1` has the least
//! value 0 whatever `n` is, and a greatest one between `INT_MIN - 2` and `INT_MAX - 2`.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{BinaryOp, Expr, ExprKind, Handle, Loop, MODERATE, Nest, Param, ScalarType, UnaryOp};

/// Numbers are cut off here: products of a few of them still fit.
const FAR: i128 = 1 << 100;

/// The integers from `lo` to `hi`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The first one.
    pub lo: i128,
    /// The last one.
    pub hi: i128,
}

impl Interval {
    /// The values of an integer type; nothing is known of floating-point values.
    pub fn of_type(ty: ScalarType) -> Self {
        let bits = 8 * ty.size() as u32;
        match ty {
            ScalarType::F32 | ScalarType::F64 => Self { lo: -FAR, hi: FAR },
            _ if ty.is_unsigned() => Self { lo: 0, hi: (1 << bits) - 1 },
            _ => Self { lo: -(1 << (bits - 1)), hi: (1 << (bits - 1)) - 1 },
        }
    }

    fn at(value: i128) -> Self {
        Self { lo: value, hi: value }
    }

    /// Whether all of `other` lies in it.
    pub fn contains(self, other: Self) -> bool {
        self.lo <= other.lo && other.hi <= self.hi
    }

    /// All numbers that are not above it.
    pub fn below(self) -> Self {
        Self { lo: -FAR, hi: self.hi }
    }

    /// All numbers that are not below it.
    pub fn above(self) -> Self {
        Self { lo: self.lo, hi: FAR }
    }

    /// Its numbers from 0 on.
    pub fn natural(self) -> Self {
        Self { lo: self.lo.max(0), hi: self.hi }
    }

    fn map(self, other: Self, f: impl Fn(i128, i128) -> i128) -> Self {
        let ends = [f(self.lo, other.lo), f(self.lo, other.hi), f(self.hi, other.lo), f(self.hi, other.hi)];
        let cut = |value: i128| value.clamp(-FAR, FAR);
        Self { lo: cut(ends.into_iter().min().unwrap_or(-FAR)), hi: cut(ends.into_iter().max().unwrap_or(FAR)) }
    }

    fn plus(self, other: Self) -> Self {
        self.map(other, |a, b| a + b)
    }

    fn minus(self, other: Self) -> Self {
        self.map(other, |a, b| a - b)
    }

    /// Where the smaller of two numbers is.
    fn smaller(self, other: Self) -> Self {
        Self { lo: self.lo.min(other.lo), hi: self.hi.min(other.hi) }
    }

    /// Where the larger of two numbers is.
    fn larger(self, other: Self) -> Self {
        Self { lo: self.lo.max(other.lo), hi: self.hi.max(other.hi) }
    }
}

/// Where the least and the greatest value of an expression are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The least value, over all parameters.
    pub least: Interval,
    /// The greatest value, over all parameters.
    pub greatest: Interval,
}

impl Range {
    fn anywhere(within: Interval) -> Self {
        Self { least: within, greatest: within }
    }

    /// Whether every value is in `within`, whatever the parameters are.
    pub fn is_surely_in(&self, within: Interval) -> bool {
        within.lo <= self.least.lo && self.greatest.hi <= within.hi
    }

    /// Whether some value is outside of `within`, whatever the parameters are.
    pub fn is_surely_outside(&self, within: Interval) -> bool {
        self.least.hi < within.lo || self.greatest.lo > within.hi
    }

    fn plus(self, other: Self) -> Self {
        Self { least: self.least.plus(other.least), greatest: self.greatest.plus(other.greatest) }
    }

    fn minus(self, other: Self) -> Self {
        Self { least: self.least.minus(other.greatest), greatest: self.greatest.minus(other.least) }
    }

    /// All values for all parameters.
    fn hull(self) -> Interval {
        Interval { lo: self.least.lo, hi: self.greatest.hi }
    }

    fn times(self, other: Self) -> Self {
        let is_natural = |range: &Self| range.least.lo >= 0;
        if is_natural(&self) && is_natural(&other) {
            let product = |a: Interval, b: Interval| a.map(b, multiplied);
            return Self { least: product(self.least, other.least), greatest: product(self.greatest, other.greatest) };
        }
        for (factor, range) in [(self, other), (other, self)] {
            if factor.hull().lo == factor.hull().hi {
                let scaled = |end: Interval| end.map(Interval::at(factor.hull().lo), multiplied);
                let (least, greatest) = (scaled(range.least), scaled(range.greatest));
                let is_turned = factor.hull().lo < 0;
                return if is_turned { Self { least: greatest, greatest: least } } else { Self { least, greatest } };
            }
        }
        Self::anywhere(self.hull().map(other.hull(), multiplied))
    }
}

fn multiplied(a: i128, b: i128) -> i128 {
    a.saturating_mul(b)
}

/// What is known of the indices at one place.
pub struct Ranges<'n> {
    nest: &'n Nest,
    naturals: &'n BTreeSet<Handle<Param>>,
    indices: BTreeMap<Handle<Loop>, Range>,
}

impl<'n> Ranges<'n> {
    /// The ranges within `loops`, outermost first, where all of `guards` hold; the parameters of `naturals` are known not
    /// to be negative.
    pub fn new(
        nest: &'n Nest,
        naturals: &'n BTreeSet<Handle<Param>>,
        loops: &[Handle<Loop>],
        guards: &[Handle<Expr>],
    ) -> Self {
        let mut ranges = Self { nest, naturals, indices: BTreeMap::new() };
        for this in loops {
            let range = ranges.of_loop(&nest.loops[*this]);
            ranges.indices.insert(*this, range);
        }
        for guard in guards {
            for (this, op, other) in nest.index_relations(*guard, true) {
                let other = ranges.of(other);
                ranges.narrow(this, op, other);
            }
        }
        ranges
    }

    fn of_loop(&self, this: &Loop) -> Range {
        let (first, bound) = (self.of(this.first), self.of(this.bound));
        let before = |end: Interval, by: i128| end.plus(Interval::at(by));
        let ty = Interval::of_type(this.ty);
        let range = match this.relation {
            BinaryOp::LessEqual => Range { least: first.least, greatest: bound.greatest },
            BinaryOp::GreaterEqual => Range { least: bound.least, greatest: first.greatest },
            _ if this.step > 0 => Range { least: first.least, greatest: before(bound.greatest, -1) },
            _ => Range { least: before(bound.least, 1), greatest: first.greatest },
        };
        // The variable holds what its type holds.
        Range { least: range.least.larger(Interval::at(ty.lo)), greatest: range.greatest.smaller(Interval::at(ty.hi)) }
    }

    fn narrow(&mut self, this: Handle<Loop>, op: BinaryOp, other: Range) {
        let Some(range) = self.indices.get_mut(&this) else { return };
        let by = |end: Interval, by: i128| end.plus(Interval::at(by));
        match op {
            BinaryOp::Less => range.greatest = range.greatest.smaller(by(other.greatest, -1)),
            BinaryOp::LessEqual => range.greatest = range.greatest.smaller(other.greatest),
            BinaryOp::Greater => range.least = range.least.larger(by(other.least, 1)),
            BinaryOp::GreaterEqual => range.least = range.least.larger(other.least),
            BinaryOp::Equal => {
                range.greatest = range.greatest.smaller(other.greatest);
                range.least = range.least.larger(other.least);
            }
            BinaryOp::NotEqual if other.hull() == range.least && range.least.lo == range.least.hi => {
                range.least = by(range.least, 1);
            }
            _ => {}
        }
    }

    /// The range of an expression over the integers.
    pub fn of(&self, expr: Handle<Expr>) -> Range {
        let Expr { ty, kind } = &self.nest.exprs[expr];
        match kind {
            ExprKind::Int(value) if *ty == ScalarType::U64 => Range::anywhere(Interval::at(i128::from(*value as u64))),
            ExprKind::Int(value) => Range::anywhere(Interval::at(i128::from(*value))),
            ExprKind::Index(this) => match self.indices.get(this) {
                Some(range) => *range,
                None => Range::anywhere(Interval::of_type(*ty)),
            },
            ExprKind::Iteration(_) => Range {
                least: Interval::at(0),
                greatest: Interval { lo: 0, hi: Interval::of_type(ScalarType::I64).hi },
            },
            ExprKind::Param(param) => Range::anywhere(self.of_param(*param)),
            ExprKind::Convert(inner) => self.of(*inner),
            ExprKind::Unary(UnaryOp::Negate, inner) => Range::anywhere(Interval::at(0)).minus(self.of(*inner)),
            ExprKind::Binary(op, left, right) => self.of_binary(*op, self.of(*left), self.of(*right)),
            ExprKind::Unary(UnaryOp::Not, _) => Range::anywhere(Interval { lo: 0, hi: 1 }),
            _ => Range::anywhere(Interval::of_type(*ty)),
        }
    }

    /// What stands for an unsigned parameter is its signed representative; the driver sees that none is larger than
    /// [`MODERATE`].
    fn of_param(&self, param: Handle<Param>) -> Interval {
        let Interval { lo, hi } = Interval::of_type(self.nest.params[param].ty.representative());
        let least = if self.naturals.contains(&param) { 0 } else { -i128::from(MODERATE) };
        Interval { lo: lo.max(least), hi: hi.min(i128::from(MODERATE)) }
    }

    fn of_binary(&self, op: BinaryOp, left: Range, right: Range) -> Range {
        let divisor = right.hull();
        match op {
            BinaryOp::Add => left.plus(right),
            BinaryOp::Sub => left.minus(right),
            BinaryOp::Mul => left.times(right),
            BinaryOp::BitAnd if divisor.lo >= 0 => {
                Range { least: Interval::at(0), greatest: Interval { lo: 0, hi: divisor.hi } }
            }
            BinaryOp::Rem if divisor.lo > 0 => {
                let lo = if left.least.lo < 0 { 1 - divisor.hi } else { 0 };
                Range { least: Interval { lo, hi: 0 }, greatest: Interval { lo, hi: divisor.hi - 1 } }
            }
            BinaryOp::Div if divisor.lo > 0 && divisor.lo == divisor.hi => {
                let divided = |end: Interval| Interval { lo: end.lo / divisor.lo, hi: end.hi / divisor.lo };
                Range { least: divided(left.least), greatest: divided(left.greatest) }
            }
            _ if op.is_logical() => Range::anywhere(Interval { lo: 0, hi: 1 }),
            _ => Range::anywhere(Interval { lo: -FAR, hi: FAR }),
        }
    }
}
