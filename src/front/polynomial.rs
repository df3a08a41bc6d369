//! Polynomials with integer coefficients in loop indices and parameters.

use std::collections::{BTreeMap, BTreeSet};

use super::ranges::Interval;
use super::reader::Reader;
use crate::ir::{BinaryOp, Expr, ExprKind, Handle, HostValue, Loop, Param, ParamValue, ScalarType, UnaryOp};
use crate::source::Span;

/// An indeterminate of a polynomial.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Indeterminate {
    /// A parameter.
    Param(Handle<Param>),
    /// The index of a loop.
    Index(Handle<Loop>),
    /// A remainder of the outermost loop's index, such as `t % 2`: a place in [`Reader::time_terms`].
    Time(usize),
    /// Whether another loop's index, or a sum of it and constants, is odd, as in `row - col % 2`: a place in the same list.
    Parity(usize),
}

/// More terms than this are as unusable as an overflow.
const MAX_TERMS: usize = 500;

/// More factors in a term than this are as unusable as an overflow.
const MAX_DEGREE: usize = 20;

/// A product of symbols, sorted; empty for 1.
pub type Monomial = Vec<Indeterminate>;

/// A sum of monomials with coefficients other than 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Polynomial {
    terms: BTreeMap<Monomial, i64>,
}

/// First and last value of a loop's index, a time term or a quotient of parameters, where they are polynomials of parameters.
pub type Ranges = BTreeMap<Indeterminate, (Polynomial, Polynomial)>;

/// The sizes that an `extent` clause gives to an array.
pub type Sizes = (Handle<HostValue>, Vec<Polynomial>);

impl Polynomial {
    /// A constant.
    pub fn constant(value: i64) -> Self {
        Self::term(Vec::new(), value)
    }

    /// `coefficient * monomial`.
    pub fn term(mut monomial: Monomial, coefficient: i64) -> Self {
        monomial.sort();
        let terms = if coefficient == 0 { BTreeMap::new() } else { BTreeMap::from([(monomial, coefficient)]) };
        Self { terms }
    }

    /// The monomials with their coefficients.
    pub fn terms(&self) -> impl DoubleEndedIterator<Item = (&Monomial, i64)> {
        self.terms.iter().map(|(monomial, coefficient)| (monomial, *coefficient))
    }

    /// The coefficient of `monomial`.
    pub fn coefficient(&self, monomial: &Monomial) -> i64 {
        self.terms.get(monomial).copied().unwrap_or(0)
    }

    /// Whether it is 0.
    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// Its value if it is a constant.
    pub fn as_constant(&self) -> Option<i64> {
        match self.terms.len() {
            0 => Some(0),
            1 => self.terms.get(&Vec::new()).copied(),
            _ => None,
        }
    }

    /// The highest number of factors in a monomial.
    pub fn degree(&self) -> usize {
        self.terms.keys().map(Vec::len).max().unwrap_or(0)
    }

    /// `self + factor * other`; `None` on overflow or if it has too many terms.
    pub fn plus(&self, other: &Self, factor: i64) -> Option<Self> {
        let mut sum = self.clone();
        for (monomial, coefficient) in other.terms() {
            let entry = sum.terms.entry(monomial.clone()).or_insert(0);
            *entry = entry.checked_add(coefficient.checked_mul(factor)?)?;
        }
        sum.terms.retain(|_, coefficient| *coefficient != 0);
        (sum.terms.len() <= MAX_TERMS).then_some(sum)
    }

    /// `self * other`; `None` on overflow or if it has too many terms or factors.
    pub fn times(&self, other: &Self) -> Option<Self> {
        if self.degree() + other.degree() > MAX_DEGREE {
            return None;
        }
        let mut product = Self::default();
        for (left, a) in self.terms() {
            for (right, b) in other.terms() {
                let monomial = left.iter().chain(right).copied().collect();
                product = product.plus(&Self::term(monomial, a.checked_mul(b)?), 1)?;
            }
        }
        Some(product)
    }

    /// The term that division looks at first: highest degree, then highest symbols.
    fn leading(&self) -> Option<(&Monomial, i64)> {
        self.terms().max_by_key(|(monomial, _)| (monomial.len(), (*monomial).clone()))
    }

    /// Quotient and remainder: every term that the divisor's leading term divides goes into the quotient.
    pub fn divided(&self, divisor: &Self) -> Option<(Self, Self)> {
        let (lead, lead_coefficient) = divisor.leading()?;
        let (mut quotient, mut rest, mut remainder) = (Self::default(), self.clone(), Self::default());
        while let Some((monomial, coefficient)) = rest.leading().map(|(m, c)| (m.clone(), c)) {
            let whole = coefficient.checked_div(lead_coefficient)?;
            match divided_monomial(&monomial, lead) {
                Some(factor) if whole != 0 => {
                    let part = Self::term(factor, whole);
                    rest = rest.plus(&part.times(divisor)?, -1)?;
                    quotient = quotient.plus(&part, 1)?;
                    let left = rest.terms.remove(&monomial).unwrap_or(0);
                    remainder = remainder.plus(&Self::term(monomial, left), 1)?;
                }
                _ => {
                    rest.terms.remove(&monomial);
                    remainder = remainder.plus(&Self::term(monomial, coefficient), 1)?;
                }
            }
        }
        Some((quotient, remainder))
    }

    /// `self / divisor` if nothing remains.
    pub fn exactly_divided(&self, divisor: &Self) -> Option<Self> {
        self.divided(divisor).filter(|(_, remainder)| remainder.is_zero()).map(|(quotient, _)| quotient)
    }

    /// Splits into the factors of each index or time term, and the terms without one; `None` if one occurs
    /// twice in a monomial or beside another.
    pub fn by_index(&self) -> Option<(BTreeMap<Indeterminate, Self>, Self)> {
        let (mut coefficients, mut rest) = (BTreeMap::<_, Self>::new(), Self::default());
        for (monomial, coefficient) in self.terms() {
            let is_index = |indeterminate: &Indeterminate| !matches!(indeterminate, Indeterminate::Param(_));
            let params = Self::term(
                monomial.iter().copied().filter(|indeterminate| !is_index(indeterminate)).collect(),
                coefficient,
            );
            let indices: Vec<_> = monomial.iter().filter(|indeterminate| is_index(indeterminate)).collect();
            match indices.as_slice() {
                [] => rest = rest.plus(&params, 1)?,
                [this] => {
                    let entry = coefficients.entry(**this).or_default();
                    *entry = entry.plus(&params, 1)?;
                }
                _ => return None,
            }
        }
        Some((coefficients, rest))
    }

    /// The sum with `values` instead of indices; `None` if an index has no value.
    pub fn substituted(&self, values: &impl Fn(Indeterminate) -> Option<Self>) -> Option<Self> {
        let mut sum = Self::default();
        for (monomial, coefficient) in self.terms() {
            let mut product = Self::constant(coefficient);
            for indeterminate in monomial {
                let factor = match indeterminate {
                    Indeterminate::Param(_) => Self::term(vec![*indeterminate], 1),
                    varying => values(*varying)?,
                };
                product = product.times(&factor)?;
            }
            sum = sum.plus(&product, 1)?;
        }
        Some(sum)
    }

    /// Whether it is at least 0 for all parameters of at least 1.
    pub fn is_surely_nonnegative(&self) -> bool {
        self.is_nonnegative_from(1)
    }

    /// Whether it is at least 0 for all parameters of at least `least`: no coefficient is negative after writing every
    /// parameter as that plus something.
    pub fn is_nonnegative_from(&self, least: i64) -> bool {
        let mut shifted = Self::default();
        for (monomial, coefficient) in self.terms() {
            let mut product = Self::constant(coefficient);
            for indeterminate in monomial {
                let factor = Self::term(vec![*indeterminate], 1).plus(&Self::constant(least), 1);
                let Some(next) = factor.and_then(|factor| product.times(&factor)) else { return false };
                product = next;
            }
            let Some(next) = shifted.plus(&product, 1) else { return false };
            shifted = next;
        }
        shifted.terms.values().all(|coefficient| *coefficient >= 0)
    }
}

/// `monomial / divisor`, if every factor of the divisor is there.
fn divided_monomial(monomial: &Monomial, divisor: &Monomial) -> Option<Monomial> {
    let mut rest = monomial.clone();
    for indeterminate in divisor {
        let at = rest.iter().position(|other| other == indeterminate)?;
        rest.remove(at);
    }
    Some(rest)
}

impl Reader<'_, '_, '_> {
    /// The polynomial of an expression over the integers; `None` if it is none.
    ///
    /// What C may compute differently is none: unsigned arithmetic, and conversions to types that do not hold all values.
    pub fn polynomial(&self, expr: Handle<Expr>) -> Option<Polynomial> {
        let ty = self.ty(expr);
        match self.kind(expr) {
            ExprKind::Int(value) if ty != ScalarType::U64 || *value >= 0 => Some(Polynomial::constant(*value)),
            ExprKind::Index(this) => Some(Polynomial::term(vec![Indeterminate::Index(*this)], 1)),
            ExprKind::Param(param) => self.param_polynomial(*param),
            ExprKind::Convert(operand) if self.keeps_integer(ty, *operand) => self.polynomial(*operand),
            _ if ty.is_unsigned() => None,
            ExprKind::Unary(UnaryOp::Negate, operand) => Polynomial::default().plus(&self.polynomial(*operand)?, -1),
            ExprKind::Binary(BinaryOp::Add, left, right) => self.polynomial(*left)?.plus(&self.polynomial(*right)?, 1),
            ExprKind::Binary(BinaryOp::Sub, left, right) => self.polynomial(*left)?.plus(&self.polynomial(*right)?, -1),
            ExprKind::Binary(BinaryOp::Mul, left, right) => self.polynomial(*left)?.times(&self.polynomial(*right)?),
            ExprKind::Binary(BinaryOp::Div, left, right) => {
                let divisor = self.constant(*right).filter(|divisor| *divisor > 0)?;
                self.polynomial(*left)?.exactly_divided(&Polynomial::constant(divisor))
            }
            ExprKind::Binary(op @ (BinaryOp::Rem | BinaryOp::BitAnd), left, right) => {
                let right = self.constant(*right).filter(|value| *value > 0)?;
                self.remainder_term(expr, *left, if *op == BinaryOp::Rem { right } else { right.checked_add(1)? })
            }
            _ => None,
        }
    }

    /// Whether `operand`, which is over the integers, keeps its value as `ty`: what fits 64 bits does, and so does the
    /// signed representative of an unsigned parameter.
    fn keeps_integer(&self, ty: ScalarType, operand: Handle<Expr>) -> bool {
        let from = self.ty(operand);
        let is_param = matches!(self.kind(operand), ExprKind::Param(_));
        from.is_integer()
            && (ty.size() == 8
                || is_param && from.representative() == ty
                || Interval::of_type(ty).contains(Interval::of_type(from)))
    }

    /// The indeterminate for `expr`, a remainder of `operand`, if that depends on the outermost loop and constants alone, or if it
    /// is the parity of what depends on one other loop.
    fn remainder_term(&self, expr: Handle<Expr>, operand: Handle<Expr>, modulus: i64) -> Option<Polynomial> {
        let parts = self.nest.reachable([operand]);
        let is_plain = |part: &Expr| match part.kind {
            ExprKind::Index(_) | ExprKind::Iteration(_) => true,
            ExprKind::Int(_) | ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::Convert(_) => !part.ty.is_float(),
            _ => false,
        };
        if !parts.iter().all(|part| is_plain(&self.nest.exprs[*part])) {
            return None;
        }
        let loops: BTreeSet<_> = parts.iter().filter_map(|part| self.loop_of(*part)).collect();
        let time = self.nest.loops.handles().next();
        let is_of_time = loops.iter().all(|this| Some(*this) == time);
        if !is_of_time && (modulus != 2 || loops.len() > 1) {
            return None;
        }
        let place = self.place_of_term(expr);
        let term = if is_of_time { Indeterminate::Time(place) } else { Indeterminate::Parity(place) };
        Some(Polynomial::term(vec![term], 1))
    }

    fn loop_of(&self, index: Handle<Expr>) -> Option<Handle<Loop>> {
        match self.kind(index) {
            ExprKind::Index(this) | ExprKind::Iteration(this) => Some(*this),
            _ => None,
        }
    }

    fn place_of_term(&self, expr: Handle<Expr>) -> usize {
        let mut terms = self.time_terms.borrow_mut();
        let known = terms.iter().position(|other| self.is_same(*other, expr));
        known.unwrap_or_else(|| {
            terms.push(expr);
            terms.len() - 1
        })
    }

    fn param_polynomial(&self, param: Handle<Param>) -> Option<Polynomial> {
        let known = match self.nest.params[param].value {
            ParamValue::Expression { value, .. } => self.polynomial(value),
            ParamValue::Variable(_) | ParamValue::IsSet { .. } => None,
        };
        let ty = self.nest.params[param].ty;
        ty.is_integer().then(|| known.unwrap_or_else(|| Polynomial::term(vec![Indeterminate::Param(param)], 1)))
    }

    /// An expression of type `long` that computes `polynomial`, its invariant products as parameters.
    pub fn polynomial_expr(&mut self, polynomial: &Polynomial, span: Span) -> Handle<Expr> {
        let sum = self.sum(polynomial, span, |_, product| product);
        self.normalised(sum)
    }

    /// The same with a parameter for each invariant product of several factors, and none for their sum.
    pub fn sum_of_products(&mut self, polynomial: &Polynomial, span: Span) -> Handle<Expr> {
        self.sum(polynomial, span, Self::normalised)
    }

    /// The sum of what `part` makes of the products, their coefficients apart.
    fn sum(
        &mut self,
        polynomial: &Polynomial,
        span: Span,
        part: impl Fn(&mut Self, Handle<Expr>) -> Handle<Expr>,
    ) -> Handle<Expr> {
        let mut sum = None;
        let mut terms: Vec<_> = polynomial.terms().map(|(m, c)| (m.clone(), c)).collect();
        terms.sort_by_key(|(monomial, coefficient)| {
            let is_constant = monomial.is_empty();
            (
                is_constant,
                *coefficient < 0,
                monomial.iter().all(|indeterminate| matches!(indeterminate, Indeterminate::Param(_))),
            )
        });
        for (monomial, coefficient) in terms {
            let is_subtracted = sum.is_some() && coefficient < 0 && coefficient > i64::MIN;
            let factor = if is_subtracted { -coefficient } else { coefficient };
            let product = self.product(&monomial, span).map(|product| part(self, product));
            let product = self.with_coefficient(product, factor, span);
            sum = Some(match sum {
                None => product,
                Some(sum) => {
                    let op = if is_subtracted { BinaryOp::Sub } else { BinaryOp::Add };
                    self.binary(op, sum, product, span)
                }
            });
        }
        sum.unwrap_or_else(|| self.int(ScalarType::I64, 0, span))
    }

    fn product(&mut self, monomial: &Monomial, span: Span) -> Option<Handle<Expr>> {
        let mut product = None;
        for indeterminate in monomial {
            let factor = match indeterminate {
                Indeterminate::Param(param) => {
                    let ty = self.nest.params[*param].ty;
                    let param = self.expr(ty, ExprKind::Param(*param), span);
                    self.convert(param, ty.representative())
                }
                Indeterminate::Index(this) => self.expr(self.nest.loops[*this].ty, ExprKind::Index(*this), span),
                Indeterminate::Time(place) | Indeterminate::Parity(place) => {
                    let term = self.time_terms.borrow()[*place];
                    self.masks_as_remainders(term)
                }
            };
            let factor = self.convert(factor, ScalarType::I64);
            product = Some(match product {
                None => factor,
                Some(product) => self.binary(BinaryOp::Mul, product, factor, span),
            });
        }
        product
    }

    /// A product with its coefficient; none stands for 1.
    fn with_coefficient(&mut self, product: Option<Handle<Expr>>, coefficient: i64, span: Span) -> Handle<Expr> {
        match product {
            Some(product) if coefficient == 1 => product,
            Some(product) => {
                let coefficient = self.int(ScalarType::I64, coefficient, span);
                self.binary(BinaryOp::Mul, coefficient, product, span)
            }
            None => self.int(ScalarType::I64, coefficient, span),
        }
    }
}
