//! Integer expressions in the form that affine analysis takes.

use super::reader::Reader;
use crate::ir::{BinaryOp, Expr, ExprKind, Handle, Param, ParamValue, UnaryOp, display};

/// Whether `expr`, a condition over the integers, compares quasi-affine expressions of indices and parameters.
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
    let is_constant = |expr| reader.constant(expr).is_some();
    match reader.kind(expr) {
        ExprKind::Int(_) | ExprKind::Param(_) | ExprKind::Index(_) | ExprKind::Iteration(_) => true,
        ExprKind::Convert(operand) | ExprKind::Unary(UnaryOp::Negate, operand) => is_quasi_affine(reader, *operand),
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, left, right) => {
            is_quasi_affine(reader, *left) && is_quasi_affine(reader, *right)
        }
        ExprKind::Binary(BinaryOp::Mul, left, right) => {
            (is_constant(*left) || is_constant(*right))
                && is_quasi_affine(reader, *left)
                && is_quasi_affine(reader, *right)
        }
        ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem | BinaryOp::BitAnd, left, right) => {
            is_constant(*right) && is_quasi_affine(reader, *left)
        }
        _ => false,
    }
}

/// Whether `expr` is an integer made of parameters and constants alone.
pub fn is_invariant(reader: &Reader, expr: Handle<Expr>) -> bool {
    reader.facts[expr.index()].is_invariant
}

/// Whether `expr`, which is invariant, is an affine expression of parameters.
pub fn is_affine_in_params(reader: &Reader, expr: Handle<Expr>) -> bool {
    match reader.kind(expr) {
        _ if reader.ty(expr).is_float() => false,
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

    /// The parameter that stands for `expr`, converted if that is wider; one for each text.
    pub fn expression_param(&mut self, expr: Handle<Expr>) -> Handle<Expr> {
        let (ty, span) = (self.ty(expr), self.nest.exprs.span(expr));
        if let ExprKind::Convert(inner) = *self.kind(expr)
            && self.ty(inner).is_within(ty)
        {
            let param = self.expression_param(inner);
            return self.expr(ty, ExprKind::Convert(param), span);
        }
        let text = display::expression(&self.nest, expr);
        let known = self.nest.params.iter().find(|(_, param)| match param.value {
            ParamValue::Expression { value, .. } => {
                self.ty(value) == ty && display::expression(&self.nest, value) == text
            }
            ParamValue::Variable(_) | ParamValue::IsSet { .. } => false,
        });
        let handle = match known.map(|(handle, _)| handle) {
            Some(handle) => handle,
            None => {
                let name = self.unused_name(&text);
                self.nest.params.push(Param { ty, value: ParamValue::Expression { name, value: expr } }, span)
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
            let is_loop = self.nest.loops.iter().any(|(_, this)| self.name(this.variable) == name);
            let is_param = self.nest.params.handles().any(|param| self.nest.param_name(param) == name);
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
