//! `isnan`, `isinf` and `isfinite`.

use tree_sitter::Node;

use super::Failable;
use super::reader::Reader;
use crate::ir::{BinaryOp, Expr, ExprKind, Handle, ScalarType, UnaryOp};

/// What a number may be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Class {
    Nan,
    /// The sign of an infinity, or 0.
    Infinite,
    Finite,
}

impl Class {
    /// What the built-in function behind a macro of math.h tells; compilers know it by that name alone.
    pub fn of(name: &str) -> Option<Self> {
        match name {
            "__builtin_isnan" => Some(Self::Nan),
            "__builtin_isinf_sign" => Some(Self::Infinite),
            "__builtin_isfinite" => Some(Self::Finite),
            _ => None,
        }
    }
}

impl<'t> Reader<'_, '_, 't> {
    /// What a macro of math.h tells of a number, in arithmetic that is exact on every device.
    pub fn is_of_class(&mut self, argument: Node<'t>, class: Class) -> Failable<Handle<Expr>> {
        let span = self.span(argument);
        let value = self.scalar(argument)?;
        let ty = self.ty(value);
        if !ty.is_float() {
            return self.refuse(
                argument,
                "syntax",
                "this is no floating-point number",
                "ask it of numbers of such a type",
            );
        }
        let value = self.local("number", value, span);
        if class == Class::Nan {
            return Ok(self.binary(BinaryOp::NotEqual, value, value, span));
        }
        let largest = if ty == ScalarType::F32 { "3.40282346638528859812e+38" } else { "1.79769313486231570815e+308" };
        let largest = self.expr(ty, ExprKind::Float(largest.into()), span);
        let least = self.unary(UnaryOp::Negate, largest, span);
        let [above, below] = [(BinaryOp::Greater, largest), (BinaryOp::Less, least)]
            .map(|(relation, end)| self.binary(relation, value, end, span));
        if class == Class::Infinite {
            let [minus, none, one] = [-1, 0, 1].map(|sign| self.int(ScalarType::I32, sign, span));
            let negative = self.expr(ScalarType::I32, ExprKind::Select(below, minus, none), span);
            return Ok(self.expr(ScalarType::I32, ExprKind::Select(above, one, negative), span));
        }
        let is_number = self.binary(BinaryOp::Equal, value, value, span);
        let [inside, right] = [below, above].map(|is_outside| self.unary(UnaryOp::Not, is_outside, span));
        let inside = self.binary(BinaryOp::And, inside, right, span);
        Ok(self.binary(BinaryOp::And, is_number, inside, span))
    }
}
