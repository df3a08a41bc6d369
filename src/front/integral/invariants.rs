//! What the host computes of an expression that no iteration changes.

use crate::front::integers::{is_affine_in_params, is_invariant};
use crate::front::ranges::Interval;
use crate::front::reader::Reader;
use crate::ir::{BinaryOp, Expr, ExprKind, Handle, UnaryOp};

impl Reader<'_, '_, '_> {
    /// Whether the host computes an invariant as a whole. Sums with products stay, so that rows and columns can be told in
    /// `n / 2 * m + m / 2`; their other parts are the host's.
    pub fn is_for_host(&self, expr: Handle<Expr>) -> bool {
        is_invariant(self, expr) && !self.is_sum_of_products(expr) && !self.has_product(expr)
    }

    /// Whether a term of `expr` is a product with a value that is no constant.
    fn has_product(&self, expr: Handle<Expr>) -> bool {
        match *self.kind(expr) {
            ExprKind::Binary(BinaryOp::Mul, left, right) => {
                [left, right].iter().any(|factor| self.constant(*factor).is_none())
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
            _ if self.ty(expr).is_float() => false,
            ExprKind::Int(_) | ExprKind::Param(_) | ExprKind::Convert(_) | ExprKind::Unary(UnaryOp::Negate, _) => true,
            ExprKind::Binary(op, ..) => matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul),
            _ => false,
        };
        is_one && self.kind(expr).operands().into_iter().all(|operand| self.is_sum_of_products(operand))
    }

    /// Whether an invariant is a sum of parameters in signed arithmetic alone: as it stands it is one over the integers.
    pub fn is_plain(&self, expr: Handle<Expr>) -> bool {
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
