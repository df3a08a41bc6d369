//! Builds typed expressions with C's conversions made explicit and integer constants folded.

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

    /// The value of an integer constant.
    pub fn constant(&self, expr: Handle<Expr>) -> Option<i64> {
        match self.kind(expr) {
            ExprKind::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// `expr` as a value of type `ty`.
    pub fn convert(&mut self, expr: Handle<Expr>, ty: ScalarType) -> Handle<Expr> {
        let span = self.nest.exprs.span(expr);
        if self.ty(expr) == ty {
            return expr;
        }
        match self.constant(expr) {
            Some(value) if ty.is_integer() => self.int(ty, wrapped(value, ty), span),
            _ => self.expr(ty, ExprKind::Convert(expr), span),
        }
    }

    /// A binary operation after the usual arithmetic conversions.
    pub fn binary(&mut self, op: BinaryOp, left: Handle<Expr>, right: Handle<Expr>, span: Span) -> Handle<Expr> {
        let (left_type, right_type) = (self.ty(left), self.ty(right));
        if matches!(op, BinaryOp::And | BinaryOp::Or) {
            return self.expr(ScalarType::I32, ExprKind::Binary(op, left, right), span);
        }
        if matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight) {
            let (left, right) = (self.convert(left, left_type.promoted()), self.convert(right, right_type.promoted()));
            return self.folded(left_type.promoted(), op, left, right, span);
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
        if let (Some(a), Some(b)) = (self.constant(left), self.constant(right))
            && let Some(value) = fold(op, self.ty(left), a, b)
        {
            return self.int(ty, value, span);
        }
        // Macros often add zero to an index.
        if ty.is_integer() && self.constant(right) == Some(0) && matches!(op, BinaryOp::Add | BinaryOp::Sub) {
            return left;
        }
        if ty.is_integer() && self.constant(left) == Some(0) && op == BinaryOp::Add {
            return right;
        }
        self.expr(ty, ExprKind::Binary(op, left, right), span)
    }

    /// A unary operation after integer promotion.
    pub fn unary(&mut self, op: UnaryOp, operand: Handle<Expr>, span: Span) -> Handle<Expr> {
        let ty = if op == UnaryOp::Not { ScalarType::I32 } else { self.ty(operand).promoted() };
        let operand = if op == UnaryOp::Not { operand } else { self.convert(operand, ty) };
        if let Some(value) = self.constant(operand) {
            let result = match op {
                UnaryOp::Negate => value.wrapping_neg(),
                UnaryOp::Complement => !value,
                UnaryOp::Not => i64::from(value == 0),
            };
            return self.int(ty, wrapped(result, ty), span);
        }
        self.expr(ty, ExprKind::Unary(op, operand), span)
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

    /// Calls `visit` for `expr` and everything it is made of, through parameters and locals not.
    pub fn any(&self, expr: Handle<Expr>, test: &impl Fn(&Expr) -> bool) -> bool {
        let here = &self.nest.exprs[expr];
        test(here) || here.kind.operands().into_iter().any(|operand| self.any(operand, test))
    }
}

/// `value` as the type `ty` holds it; unsigned 64-bit values keep their bits.
pub fn wrapped(value: i64, ty: ScalarType) -> i64 {
    match ty {
        ScalarType::I8 => i64::from(value as i8),
        ScalarType::U8 => i64::from(value as u8),
        ScalarType::I16 => i64::from(value as i16),
        ScalarType::U16 => i64::from(value as u16),
        ScalarType::I32 => i64::from(value as i32),
        ScalarType::U32 => i64::from(value as u32),
        _ => value,
    }
}

/// The value of `a op b` in type `ty`; `None` where C leaves it undefined or where folding has no use.
fn fold(op: BinaryOp, ty: ScalarType, a: i64, b: i64) -> Option<i64> {
    let value = match op {
        BinaryOp::Add => a.checked_add(b)?,
        BinaryOp::Sub => a.checked_sub(b)?,
        BinaryOp::Mul => a.checked_mul(b)?,
        BinaryOp::Div if a >= 0 && b > 0 || !ty.is_unsigned() => a.checked_div(b)?,
        BinaryOp::Rem if a >= 0 && b > 0 || !ty.is_unsigned() => a.checked_rem(b)?,
        BinaryOp::ShiftLeft if (0..31).contains(&b) && a >= 0 => a.checked_mul(1 << b)?,
        BinaryOp::ShiftRight if (0..31).contains(&b) && a >= 0 => a >> b,
        BinaryOp::Equal => i64::from(a == b),
        BinaryOp::NotEqual => i64::from(a != b),
        BinaryOp::Less if ty != ScalarType::U64 => i64::from(a < b),
        BinaryOp::LessEqual if ty != ScalarType::U64 => i64::from(a <= b),
        BinaryOp::Greater if ty != ScalarType::U64 => i64::from(a > b),
        BinaryOp::GreaterEqual if ty != ScalarType::U64 => i64::from(a >= b),
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitOr => a | b,
        BinaryOp::BitXor => a ^ b,
        _ => return None,
    };
    let fits = wrapped(value, ty) == value || op.is_logical();
    (fits || ty.is_unsigned()).then(|| if op.is_logical() { value } else { wrapped(value, ty) })
}
