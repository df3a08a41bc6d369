//! Builds typed expressions with C's conversions made explicit and integer constants folded.

use super::literals::float_value;
use super::numbers::Constant;
use super::reader::Reader;
use crate::ir::{BinaryOp, Expr, ExprKind, Handle, ScalarType, UnaryOp};
use crate::source::Span;

impl Reader<'_, '_, '_> {
    /// Adds an expression.
    pub fn expr(&mut self, ty: ScalarType, kind: ExprKind, span: Span) -> Handle<Expr> {
        let facts = self.facts_of(ty, &kind);
        self.most_operands = self.most_operands.max(facts.operands);
        self.facts.push(facts);
        self.nest.exprs.push(Expr { ty, kind }, span)
    }

    /// An integer constant.
    pub fn int(&mut self, ty: ScalarType, value: i64, span: Span) -> Handle<Expr> {
        self.expr(ty, ExprKind::Int(value), span)
    }

    /// The value of an integer constant; `None` if it needs 64 bits without a sign.
    pub fn constant(&self, expr: Handle<Expr>) -> Option<i64> {
        self.typed_constant(expr)?.as_i64()
    }

    /// The integer constant that `expr` is.
    pub fn typed_constant(&self, expr: Handle<Expr>) -> Option<Constant> {
        match self.kind(expr) {
            ExprKind::Int(bits) => Some(Constant::from_bits(self.ty(expr), *bits)),
            _ => None,
        }
    }

    /// What `expr` is as a constant, floating ones as they are spelled included.
    pub fn literal(&self, expr: Handle<Expr>) -> Option<Constant> {
        match self.kind(expr) {
            ExprKind::Float(digits) => float_value(digits, self.ty(expr)),
            _ => self.typed_constant(expr),
        }
    }

    /// An expression for an integer constant.
    pub fn constant_expr(&mut self, constant: Constant, span: Span) -> Option<Handle<Expr>> {
        let bits = constant.bits()?;
        Some(self.int(constant.ty, bits, span))
    }

    /// `expr` as a value of type `ty`.
    pub fn convert(&mut self, expr: Handle<Expr>, ty: ScalarType) -> Handle<Expr> {
        let span = self.nest.exprs.span(expr);
        if self.ty(expr) == ty {
            return expr;
        }
        if let Some(sum) = self.whole_sum(expr, ty) {
            return sum;
        }
        let folded = self.literal(expr).filter(|_| ty.is_integer()).and_then(|constant| constant.converted(ty));
        folded
            .and_then(|constant| self.constant_expr(constant, span))
            .unwrap_or_else(|| self.expr(ty, ExprKind::Convert(expr), span))
    }

    /// A binary operation after the usual arithmetic conversions.
    pub fn binary(&mut self, op: BinaryOp, left: Handle<Expr>, right: Handle<Expr>, span: Span) -> Handle<Expr> {
        let (left_type, right_type) = (self.ty(left), self.ty(right));
        if matches!(op, BinaryOp::And | BinaryOp::Or) {
            return self.folded(ScalarType::I32, op, left, right, span);
        }
        if matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight) {
            let (left, right) = (self.convert(left, left_type.promoted()), self.convert(right, right_type.promoted()));
            return self.folded(left_type.promoted(), op, left, right, span);
        }
        if op.is_comparison()
            && let Some(condition) = self.verdict(op, left, right, span)
        {
            return condition;
        }
        if let (true, Some(left), Some(right)) = (op.is_comparison(), self.whole_double(left), self.whole_double(right))
        {
            let [left, right] = [left, right].map(|value| self.int(ScalarType::I64, value, span));
            return self.folded(ScalarType::I32, op, left, right, span);
        }
        let common = left_type.common(right_type);
        let (left, right) = (self.convert(left, common), self.convert(right, common));
        let result = if op.is_logical() { ScalarType::I32 } else { common };
        self.folded(result, op, left, right, span)
    }

    fn folded(
        &mut self,
        ty: ScalarType,
        op: BinaryOp,
        left: Handle<Expr>,
        right: Handle<Expr>,
        span: Span,
    ) -> Handle<Expr> {
        if let (Some(a), Some(b)) = (self.typed_constant(left), self.typed_constant(right))
            && let Some(folded) = a.binary(op, b).and_then(|constant| self.constant_expr(constant, span))
        {
            return folded;
        }
        // Macros often add zero to an index.
        if ty.is_integer() && self.constant(right) == Some(0) && matches!(op, BinaryOp::Add | BinaryOp::Sub) {
            return left;
        }
        if ty.is_integer() && self.constant(left) == Some(0) && op == BinaryOp::Add {
            return right;
        }
        if let Some(digits) = self.of_digits(op, ty, (left, right), span) {
            return digits;
        }
        self.expr(ty, ExprKind::Binary(op, left, right), span)
    }

    /// A unary operation after integer promotion.
    pub fn unary(&mut self, op: UnaryOp, operand: Handle<Expr>, span: Span) -> Handle<Expr> {
        let ty = if op == UnaryOp::Not { ScalarType::I32 } else { self.ty(operand).promoted() };
        let operand = if op == UnaryOp::Not { operand } else { self.convert(operand, ty) };
        let folded = self.typed_constant(operand).and_then(|constant| constant.unary(op));
        folded
            .and_then(|constant| self.constant_expr(constant, span))
            .unwrap_or_else(|| self.expr(ty, ExprKind::Unary(op, operand), span))
    }

    /// `left + right` over the integers, in 64 bits.
    pub fn index_sum(&mut self, left: Handle<Expr>, right: Handle<Expr>, span: Span) -> Handle<Expr> {
        if self.constant(left) == Some(0) {
            return right;
        }
        if self.constant(right) == Some(0) {
            return left;
        }
        let (left, right) = (self.convert(left, ScalarType::I64), self.convert(right, ScalarType::I64));
        self.binary(BinaryOp::Add, left, right, span)
    }

    /// `expr` as a truth value: itself if it is 0 or 1 already, else a comparison with zero.
    pub fn truth(&mut self, expr: Handle<Expr>) -> Handle<Expr> {
        let span = self.nest.exprs.span(expr);
        match self.kind(expr) {
            ExprKind::Binary(op, ..) if op.is_logical() => expr,
            ExprKind::Unary(UnaryOp::Not, _) => expr,
            _ => {
                let zero = self.int(ScalarType::I32, 0, span);
                self.binary(BinaryOp::NotEqual, expr, zero, span)
            }
        }
    }

    /// Calls `visit` for `expr` and everything it is made of, but does not look through parameters and locals.
    pub fn any(&self, expr: Handle<Expr>, test: &impl Fn(&Expr) -> bool) -> bool {
        let here = &self.nest.exprs[expr];
        test(here) || here.kind.operands().into_iter().any(|operand| self.any(operand, test))
    }
}
