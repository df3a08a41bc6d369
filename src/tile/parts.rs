//! Evaluation of a value in parts, each as soon as the rows that it reads are there.
//!
//! Operands of an expression are evaluated from left to right, so the left operands of operands, the expression's
//! *spine*, are values that can be kept instead of the rows they were made from. Example: in
//! `a * u[i - 1] + b * u[i] + c * u[i + 1]` the first product needs no more than row `i - 1`, the sum of the first two
//! row `i`. No operation changes, so no result does.

use crate::ir::{Access, Expr, ExprKind, Handle, Nest};

/// The values on the spine of `root` that can be complete before the next one outward, innermost first, each with
/// the step at which it can be; `root` is the last. `ready` tells when a read's value is there, if it is no constant.
pub fn parts(
    nest: &Nest,
    root: Handle<Expr>,
    ready: impl Fn(Handle<Access>) -> Option<i64>,
) -> Vec<(Handle<Expr>, Option<i64>)> {
    let mut completions = Vec::new();
    let (mut is_seen, mut complete) = (vec![false; nest.exprs.len()], None);
    for node in spine(nest, root).into_iter().rev() {
        let added = nest.reachable_beside([node], &mut is_seen);
        complete = added.into_iter().filter_map(|expr| ready(read(nest, expr)?)).max().max(complete);
        completions.push((node, complete));
    }
    let mut parts: Vec<(Handle<Expr>, Option<i64>)> = Vec::new();
    for (node, complete) in completions.into_iter().rev() {
        let is_earlier = parts.last().is_none_or(|(_, outer)| complete < *outer);
        if is_earlier && (complete.is_some() || parts.is_empty()) {
            parts.push((node, complete));
        }
    }
    parts.reverse();
    parts
}

/// The reads that an expression needs when `known` is known.
pub fn reads(nest: &Nest, root: Handle<Expr>, known: Option<Handle<Expr>>) -> Vec<Handle<Access>> {
    nest.reachable_without([root], known).into_iter().filter_map(|expr| read(nest, expr)).collect()
}

fn read(nest: &Nest, expr: Handle<Expr>) -> Option<Handle<Access>> {
    match nest.exprs[expr].kind {
        ExprKind::Read(access) => Some(access),
        _ => None,
    }
}

/// An expression, its left operand, that one's left operand and so on.
fn spine(nest: &Nest, root: Handle<Expr>) -> Vec<Handle<Expr>> {
    let next = |expr: &Handle<Expr>| match nest.exprs[*expr].kind {
        ExprKind::Binary(_, inner, _) | ExprKind::Unary(_, inner) | ExprKind::Convert(inner) => Some(inner),
        ExprKind::Local(local) => Some(nest.locals[local].value),
        _ => None,
    };
    std::iter::successors(Some(root), next).collect()
}
