//! Integer expressions in the form that affine analysis takes.

use super::reader::Reader;
use crate::ir::{BinaryOp, Expr, ExprKind, Handle, Param, ParamValue, UnaryOp, display};

/// Whether `expr` is a truth value of comparisons of quasi-affine expressions of indices and parameters.
pub fn is_condition_on_indices(reader: &Reader, expr: Handle<Expr>) -> bool {
    match reader.kind(expr) {
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
            is_condition_on_indices(reader, *left) && is_condition_on_indices(reader, *right)
        }
        ExprKind::Unary(UnaryOp::Not, operand) => is_condition_on_indices(reader, *operand),
        ExprKind::Binary(op, left, right) if op.is_logical() => {
            is_quasi_affine(reader, *left) && is_quasi_affine(reader, *right)
        }
        _ => is_quasi_affine(reader, expr),
    }
}

fn is_quasi_affine(reader: &Reader, expr: Handle<Expr>) -> bool {
    if reader.ty(expr).is_float() {
        return false;
    }
    if is_invariant(reader, expr) {
        return true;
    }
    let is_positive = |expr| reader.constant(expr).is_some_and(|value| value > 0);
    match reader.kind(expr) {
        ExprKind::Index(_) | ExprKind::Iteration(_) => true,
        ExprKind::Convert(_) | ExprKind::Unary(UnaryOp::Negate, _) | ExprKind::Binary(BinaryOp::Sub, ..)
            if may_wrap(reader, expr) =>
        {
            false
        }
        ExprKind::Convert(operand) | ExprKind::Unary(UnaryOp::Negate, operand) => is_quasi_affine(reader, *operand),
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, left, right) => {
            is_quasi_affine(reader, *left) && is_quasi_affine(reader, *right)
        }
        ExprKind::Binary(BinaryOp::Mul, left, right) => {
            reader.constant(*left).is_some() && is_quasi_affine(reader, *right)
                || reader.constant(*right).is_some() && is_quasi_affine(reader, *left)
        }
        ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, left, right) => {
            is_positive(*right) && is_quasi_affine(reader, *left)
        }
        _ => false,
    }
}

/// Whether the type may not hold the value of `expr`: a narrow type, or an unsigned one for what may be negative, as in
/// the range check `(unsigned)(i - 1) < n`.
fn may_wrap(reader: &Reader, expr: Handle<Expr>) -> bool {
    let ty = reader.ty(expr);
    let is_narrowed = match reader.kind(expr) {
        ExprKind::Convert(operand) => ty.size() < 4 && ty.size() < reader.ty(*operand).size(),
        _ => false,
    };
    is_narrowed || ty.is_unsigned() && lower_bound(reader, expr).is_none_or(|least| least < 0)
}

/// A number that `expr` is never below over the integers, where the loops' headers tell one.
fn lower_bound(reader: &Reader, expr: Handle<Expr>) -> Option<i64> {
    match reader.kind(expr) {
        ExprKind::Int(value) => Some(*value),
        ExprKind::Iteration(_) => Some(0),
        ExprKind::Param(_) => reader.ty(expr).is_unsigned().then_some(0),
        ExprKind::Index(this) => {
            let this = &reader.nest.loops[*this];
            match this.relation {
                _ if this.step > 0 => lower_bound(reader, this.first),
                BinaryOp::Greater => reader.constant(this.bound)?.checked_add(1),
                BinaryOp::GreaterEqual => reader.constant(this.bound),
                _ => None,
            }
        }
        ExprKind::Convert(operand) if is_invariant(reader, *operand) => Some(0),
        ExprKind::Convert(operand) => lower_bound(reader, *operand),
        ExprKind::Binary(BinaryOp::Add, left, right) => {
            lower_bound(reader, *left)?.checked_add(lower_bound(reader, *right)?)
        }
        ExprKind::Binary(BinaryOp::Sub, left, right) => {
            lower_bound(reader, *left)?.checked_sub(reader.constant(*right)?)
        }
        ExprKind::Binary(BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem, left, right) => {
            let is_positive = lower_bound(reader, *left)? >= 0 && lower_bound(reader, *right)? >= 0;
            is_positive.then_some(0)
        }
        _ => None,
    }
}

/// Whether `expr` is an integer made of parameters and constants alone.
pub fn is_invariant(reader: &Reader, expr: Handle<Expr>) -> bool {
    reader.facts[expr.index()].is_invariant
}

/// Whether `expr`, which is invariant, is an affine expression of parameters.
fn is_affine_in_params(reader: &Reader, expr: Handle<Expr>) -> bool {
    match reader.kind(expr) {
        ExprKind::Int(_) | ExprKind::Param(_) => true,
        ExprKind::Convert(operand) | ExprKind::Unary(UnaryOp::Negate, operand) => is_affine_in_params(reader, *operand),
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, left, right) => {
            is_affine_in_params(reader, *left) && is_affine_in_params(reader, *right)
        }
        ExprKind::Binary(BinaryOp::Mul, left, right) => {
            let has_constant = reader.constant(*left).is_some() || reader.constant(*right).is_some();
            has_constant && is_affine_in_params(reader, *left) && is_affine_in_params(reader, *right)
        }
        _ => false,
    }
}

impl Reader<'_, '_, '_> {
    /// `expr` with every largest part that is invariant but not affine replaced by a parameter for it.
    pub fn normalised(&mut self, expr: Handle<Expr>) -> Handle<Expr> {
        if self.ty(expr).is_float() || matches!(self.kind(expr), ExprKind::Int(_) | ExprKind::Param(_)) {
            return expr;
        }
        let is_logical = matches!(self.kind(expr), ExprKind::Binary(op, ..) if op.is_logical())
            || matches!(self.kind(expr), ExprKind::Unary(UnaryOp::Not, _));
        if !is_logical && is_invariant(self, expr) {
            return if is_affine_in_params(self, expr) { expr } else { self.expression_param(expr) };
        }
        let Expr { ty, kind } = self.nest.exprs[expr].clone();
        let old = kind.operands();
        let new: Vec<Handle<Expr>> = old.iter().map(|operand| self.normalised(*operand)).collect();
        if old == new {
            return expr;
        }
        let kind = match kind {
            ExprKind::Unary(op, _) => ExprKind::Unary(op, new[0]),
            ExprKind::Convert(_) => ExprKind::Convert(new[0]),
            ExprKind::Binary(op, ..) => ExprKind::Binary(op, new[0], new[1]),
            ExprKind::Select(..) => ExprKind::Select(new[0], new[1], new[2]),
            ExprKind::Call(function, _) => ExprKind::Call(function, new),
            leaf => leaf,
        };
        let span = self.nest.exprs.span(expr);
        self.expr(ty, kind, span)
    }

    /// The parameter that stands for `expr`; one for each text.
    fn expression_param(&mut self, expr: Handle<Expr>) -> Handle<Expr> {
        let (ty, span) = (self.ty(expr), self.nest.exprs.span(expr));
        let text = display::expression(&self.nest, expr);
        let known = self.nest.params.iter().find(|(_, param)| match param.value {
            ParamValue::Expression(value) => self.ty(value) == ty && display::expression(&self.nest, value) == text,
            ParamValue::Variable => false,
        });
        let handle = match known.map(|(handle, _)| handle) {
            Some(handle) => handle,
            None => {
                let name = self.unused_name(&text);
                self.nest.params.push(Param { name, ty, value: ParamValue::Expression(expr) }, span)
            }
        };
        self.expr(ty, ExprKind::Param(handle), span)
    }

    /// A C identifier made of `text` that is no name of the user's.
    pub fn unused_name(&self, text: &str) -> String {
        let words: Vec<String> = text
            .replace('*', " times ")
            .replace('/', " over ")
            .replace('-', " minus ")
            .replace('+', " plus ")
            .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .filter(|word| !word.is_empty() && !["long", "int", "unsigned"].contains(word))
            .map(str::to_owned)
            .collect();
        let mut name = format!("value_{}", words.join("_"));
        name.truncate(48);
        let is_taken = |name: &str| {
            let is_loop = self.nest.loops.iter().any(|(_, this)| this.variable == name);
            let is_param = self.nest.params.iter().any(|(_, param)| param.name == name);
            is_loop || is_param || self.scope.get(name).is_some()
        };
        let mut candidate = name.clone();
        let mut number = 2;
        while is_taken(&candidate) {
            candidate = format!("{name}_{number}");
            number += 1;
        }
        candidate
    }
}
