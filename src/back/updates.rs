//! How many cells a call computes in all steps, about: an expression so cheap that small calls cost no more than it.

use crate::ir::{BinaryOp, Expr, ExprKind, Handle, Loop, Nest, Param, ParamValue, Statement, UnaryOp};
use crate::poly::Names;

/// The iterations of the statement that has most, in `double`, from the host function's parameters; `None` where bounds need
/// more than these.
pub fn updates(nest: &Nest, names: &Names) -> Option<String> {
    let mut products: Vec<String> = Vec::new();
    for statement in nest.step.statements.iter() {
        let product = iterations(nest, names, statement)?;
        if !products.contains(&product) {
            products.push(product);
        }
    }
    products.into_iter().reduce(|most, other| format!("stencil_larger({most}, {other})"))
}

fn iterations(nest: &Nest, names: &Names, statement: &Statement) -> Option<String> {
    let loops = nest.accesses[statement.write].loops.iter();
    let counts: Option<Vec<String>> = loops.map(|handle| count(nest, names, &nest.loops[*handle])).collect();
    counts.filter(|counts| !counts.is_empty()).map(|counts| counts.join(" * "))
}

fn count(nest: &Nest, names: &Names, this: &Loop) -> Option<String> {
    let (first, bound) = (write_real(nest, names, this.first)?, write_real(nest, names, this.bound)?);
    let (from, to) = if this.step > 0 { (first, bound) } else { (bound, first) };
    let inclusive = i32::from(matches!(this.relation, BinaryOp::LessEqual | BinaryOp::GreaterEqual));
    Some(format!("stencil_count({from}, {to}, {}, {inclusive})", this.step.unsigned_abs()))
}

/// An integer expression in `double`, where nothing overflows; a quotient is not rounded.
fn write_real(nest: &Nest, names: &Names, expr: Handle<Expr>) -> Option<String> {
    let real = |inner: Handle<Expr>| write_real(nest, names, inner);
    match &nest.exprs[expr].kind {
        ExprKind::Int(value) => Some(format!("{value}.0")),
        ExprKind::Param(param) => write_param(nest, names, *param),
        ExprKind::Local(local) => real(nest.locals[*local].value),
        ExprKind::Convert(inner) => real(*inner),
        ExprKind::Unary(UnaryOp::Negate, inner) => Some(format!("(-{})", real(*inner)?)),
        ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), left, right) => {
            Some(format!("({} {} {})", real(*left)?, op.symbol(), real(*right)?))
        }
        ExprKind::Binary(BinaryOp::Div, left, right) => match nest.exprs[*right].kind {
            ExprKind::Int(divisor) if divisor > 0 => Some(format!("({} / {divisor})", real(*left)?)),
            _ => None,
        },
        _ => None,
    }
}

fn write_param(nest: &Nest, names: &Names, handle: Handle<Param>) -> Option<String> {
    let param = &nest.params[handle];
    match &param.value {
        ParamValue::Variable(_) | ParamValue::IsSet { .. } => {
            param.ty.is_integer().then(|| format!("(double){}", names.param(handle)))
        }
        ParamValue::Expression { value, .. } => write_real(nest, names, *value),
    }
}
