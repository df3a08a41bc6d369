//! Subscripts that cannot be seen through, and the part of them that is to blame.

use super::reader::Reader;
use crate::ir::{Access, BinaryOp, Expr, ExprKind, Handle, Nonlinear};
use crate::source::Diagnostic;

impl Reader<'_, '_, '_> {
    /// The refusal of `access`, whose subscript is no polynomial, to an array that `written` writes, perhaps under the name
    /// that it has after an exchange.
    pub fn opaque_subscript(&self, access: Handle<Access>, written: Handle<Access>) -> Diagnostic {
        let array_of = |access: Handle<Access>| self.nest.accesses[access].array;
        let [name, written_name] = [access, written].map(|it| &self.nest.arrays[array_of(it)].name);
        let why = if array_of(access) == array_of(written) {
            format!("the nest writes `{name}`, so it must see which elements are used")
        } else {
            format!(
                "the nest writes `{written_name}`, with which `{name}` is exchanged, so it must see which elements are used"
            )
        };
        let (part, what) = self.nonlinear_part(self.nest.accesses[access].subscripts[0]);
        let message = format!("which element of `{name}` this is cannot be told");
        let error = Diagnostic::error("subscript", message, self.nest.accesses.span(access)).because(why);
        let error = error.with_label(self.nest.exprs.span(part), what.what());
        let is_written = self.nest.step.statements.iter().any(|statement| statement.write == access);
        if is_written && what == Nonlinear::Element { error.without_remedy() } else { error.with_help(what.remedy()) }
    }

    /// The innermost part of `expr` that is no polynomial.
    fn nonlinear_part(&self, expr: Handle<Expr>) -> (Handle<Expr>, Nonlinear) {
        let inner = |operand: &Handle<Expr>| self.ty(*operand).is_integer() && self.polynomial(*operand).is_none();
        let what = match self.kind(expr) {
            _ if self.ty(expr).is_float() => Nonlinear::FloatingPoint,
            ExprKind::Local(local) => return self.nonlinear_part(self.nest.locals[*local].value),
            ExprKind::Convert(operand) if self.ty(*operand).is_float() => Nonlinear::FloatingPoint,
            kind @ (ExprKind::Convert(_) | ExprKind::Unary(..) | ExprKind::Binary(..)) => {
                match kind.operands().into_iter().find(inner) {
                    Some(operand) => return self.nonlinear_part(operand),
                    None => self.nonlinear_operation(expr),
                }
            }
            ExprKind::Read(_) => Nonlinear::Element,
            ExprKind::Select(..) => Nonlinear::Choice,
            ExprKind::Call(..) => Nonlinear::Call,
            ExprKind::Iteration(_) => Nonlinear::Iterations,
            _ => Nonlinear::HugeNumber,
        };
        (expr, what)
    }

    /// What keeps an operation on polynomials from being one.
    fn nonlinear_operation(&self, expr: Handle<Expr>) -> Nonlinear {
        match self.kind(expr) {
            ExprKind::Convert(_) => Nonlinear::Conversion,
            ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, ..) => Nonlinear::Quotient,
            _ if self.ty(expr).is_unsigned() => Nonlinear::Wrapping,
            _ => Nonlinear::Operator,
        }
    }
}
