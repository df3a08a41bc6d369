//! Integer expressions of a nest as quasi-affine expressions and conditions in isl's notation.

use super::Names;
use crate::ir::{BinaryOp, Expr, ExprKind, Handle, Nest, Nonlinear, ScalarType, UnaryOp, is_low_bits};
use crate::source::Span;

/// Why an expression is not quasi-affine, and where.
#[derive(Clone, Debug)]
pub struct NonAffine {
    /// The offending part.
    pub span: Span,
    /// What it is.
    pub part: Nonlinear,
}

/// Translates integer expressions of one nest.
#[derive(Clone, Copy)]
pub struct Affine<'a> {
    /// The nest.
    pub nest: &'a Nest,
    /// Its names.
    pub names: &'a Names,
}

impl Affine<'_> {
    /// The expression in isl's notation, e.g. `((2 * i + n) - 1)`.
    ///
    /// The time loop's variable is `first + step * t`, where the set dimension `t` counts complete steps. `/` and `%`
    /// become `floor` and `mod`, which agree with C for operands that are not negative; see
    /// [`nonnegative_operands`](Self::nonnegative_operands).
    pub fn expression(&self, expr: Handle<Expr>) -> Result<String, NonAffine> {
        let fail = |part| Err(NonAffine { span: self.nest.exprs.span(expr), part });
        match &self.nest.exprs[expr].kind {
            _ if self.nest.exprs[expr].ty.is_float() => fail(Nonlinear::FloatingPoint),
            ExprKind::Int(value) if self.nest.exprs[expr].ty == ScalarType::U64 && *value < 0 => {
                fail(Nonlinear::HugeNumber)
            }
            ExprKind::Int(value) => Ok(value.to_string()),
            ExprKind::Index(l) if self.nest.clock.counts(*l) => {
                let time = &self.nest.loops[*l];
                let first = self.expression(time.first)?;
                Ok(format!("({first} + {} * {})", time.step, self.names.loop_variable(*l)))
            }
            ExprKind::Index(l) => Ok(self.names.loop_variable(*l).to_string()),
            ExprKind::Iteration(l) if self.nest.clock.counts(*l) => Ok(self.names.loop_variable(*l).to_string()),
            ExprKind::Iteration(_) => fail(Nonlinear::Iterations),
            ExprKind::Param(param) => Ok(self.names.param(*param).to_string()),
            ExprKind::Local(local) => self.expression(self.nest.locals[*local].value),
            ExprKind::Convert(inner) if self.nest.exprs[*inner].ty.is_integer() && !self.is_kept(expr, *inner) => {
                fail(Nonlinear::Conversion)
            }
            ExprKind::Convert(inner) => self.expression(*inner),
            ExprKind::Unary(..) | ExprKind::Binary(..) if self.nest.exprs[expr].ty.is_unsigned() => {
                fail(Nonlinear::Wrapping)
            }
            ExprKind::Unary(UnaryOp::Negate, inner) => Ok(format!("(-{})", self.expression(*inner)?)),
            ExprKind::Binary(op, left, right) => self.arithmetic(expr, *op, *left, *right),
            ExprKind::Read(_) | ExprKind::Accumulator(_) => fail(Nonlinear::Element),
            ExprKind::Select(..) => fail(Nonlinear::Choice),
            ExprKind::Call(..) => fail(Nonlinear::Call),
            ExprKind::Float(_) | ExprKind::Unary(..) => fail(Nonlinear::Operator),
        }
    }

    /// Whether an expression's value is what its operands' values give over the integers, by its own operation alone.
    pub(super) fn is_over_integers(&self, expr: Handle<Expr>) -> bool {
        let ty = self.nest.exprs[expr].ty;
        match self.nest.exprs[expr].kind {
            ExprKind::Convert(inner) => {
                ty.is_integer() && self.nest.exprs[inner].ty.is_integer() && self.is_kept(expr, inner)
            }
            ExprKind::Unary(..) | ExprKind::Binary(..) => ty.is_integer() && !ty.is_unsigned(),
            _ => ty.is_integer(),
        }
    }

    /// Whether a conversion keeps every value of an expression over the integers: those fit 64 bits, and an unsigned
    /// parameter stands for its signed representative.
    fn is_kept(&self, whole: Handle<Expr>, inner: Handle<Expr>) -> bool {
        let (to, from) = (self.nest.exprs[whole].ty, self.nest.exprs[inner].ty);
        let is_param = matches!(self.nest.exprs[inner].kind, ExprKind::Param(_));
        to.size() == 8 || from.is_within(to) || to == from || is_param && from.representative() == to
    }

    fn arithmetic(
        &self,
        whole: Handle<Expr>,
        op: BinaryOp,
        left: Handle<Expr>,
        right: Handle<Expr>,
    ) -> Result<String, NonAffine> {
        let fail = |part| Err(NonAffine { span: self.nest.exprs.span(whole), part });
        let (a, b) = (self.expression(left)?, self.expression(right)?);
        match op {
            BinaryOp::Add => Ok(format!("({a} + {b})")),
            BinaryOp::Sub => Ok(format!("({a} - {b})")),
            BinaryOp::Mul => match (self.constant(left), self.constant(right)) {
                (Some(factor), _) => Ok(format!("({factor} * {b})")),
                (_, Some(factor)) => Ok(format!("({factor} * {a})")),
                _ => fail(Nonlinear::Product),
            },
            // In two's complement `x & (2^k - 1)` is `x mod 2^k`, negative x included.
            BinaryOp::BitAnd => match self.constant(right) {
                Some(mask) if is_low_bits(mask) => Ok(format!("({a} mod {})", mask + 1)),
                _ => fail(Nonlinear::Operator),
            },
            BinaryOp::Div | BinaryOp::Rem => match self.constant(right) {
                Some(divisor) if divisor > 0 && op == BinaryOp::Div => Ok(format!("floor({a} / {divisor})")),
                Some(divisor) if divisor > 0 => Ok(format!("({a} mod {divisor})")),
                _ => fail(Nonlinear::Division),
            },
            _ => fail(Nonlinear::Operator),
        }
    }

    /// The value of a constant; the front end has folded what is made of several.
    pub fn constant(&self, expr: Handle<Expr>) -> Option<i64> {
        match &self.nest.exprs[expr].kind {
            ExprKind::Int(value) => (self.nest.exprs[expr].ty != ScalarType::U64 || *value >= 0).then_some(*value),
            ExprKind::Convert(inner) if self.nest.exprs[expr].ty.is_integer() => self.constant(*inner),
            _ => None,
        }
    }

    /// A condition in isl's notation, e.g. `(i >= 1 and not (j = n))`.
    pub fn condition(&self, expr: Handle<Expr>) -> Result<String, NonAffine> {
        match &self.nest.exprs[expr].kind {
            ExprKind::Unary(UnaryOp::Not, inner) => Ok(format!("not ({})", self.condition(*inner)?)),
            ExprKind::Binary(op, left, right) if op.is_logical() => {
                let relation = match op {
                    BinaryOp::And | BinaryOp::Or => {
                        let (a, b) = (self.condition(*left)?, self.condition(*right)?);
                        let word = if *op == BinaryOp::And { "and" } else { "or" };
                        return Ok(format!("(({a}) {word} ({b}))"));
                    }
                    BinaryOp::Equal => "=",
                    other => other.symbol(),
                };
                Ok(format!("{} {relation} {}", self.expression(*left)?, self.expression(*right)?))
            }
            _ => Ok(format!("{} != 0", self.expression(expr)?)),
        }
    }

    /// Whether C computes the expression as integers are, `/` and `%` of negative operands aside: in signed types that are
    /// not narrowed.
    pub fn is_signed(&self, expr: Handle<Expr>) -> bool {
        let nest = self.nest;
        nest.reachable([expr]).into_iter().all(|part| {
            let ty = nest.exprs[part].ty;
            let is_narrowed = match &nest.exprs[part].kind {
                ExprKind::Convert(inner) => ty.size() < nest.exprs[*inner].ty.size(),
                _ => false,
            };
            !is_narrowed && ty.is_integer() && !ty.is_unsigned()
        })
    }

    /// Operands of `/` and `%` within `expr`: where one is negative, C rounds differently from isl.
    pub fn nonnegative_operands(&self, expr: Handle<Expr>, found: &mut Vec<Handle<Expr>>) {
        match &self.nest.exprs[expr].kind {
            ExprKind::Binary(op, left, right) => {
                if matches!(op, BinaryOp::Div | BinaryOp::Rem) {
                    found.push(*left);
                }
                self.nonnegative_operands(*left, found);
                self.nonnegative_operands(*right, found);
            }
            ExprKind::Unary(_, inner) | ExprKind::Convert(inner) => self.nonnegative_operands(*inner, found),
            _ => {}
        }
    }
}
