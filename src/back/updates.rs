//! How many cells a call computes in all steps, about: an expression so cheap that small calls cost no more than it.

use crate::ir::{BinaryOp, Expr, ExprKind, Handle, Loop, Nest, Param, ParamValue, Statement, UnaryOp};
use crate::poly::Names;

/// How many cells a call computes.
pub struct Updates {
    /// The iterations of the statement that has most, in `double`.
    pub text: String,
    /// The host function's parameters in it, each once.
    pub sizes: Vec<Handle<Param>>,
}

impl Updates {
    /// What the host function's parameters say; `None` where bounds need more than these.
    pub fn new(nest: &Nest, names: &Names) -> Option<Self> {
        let mut writer = BoundWriter { nest, names, sizes: Vec::new() };
        let mut products: Vec<String> = Vec::new();
        for statement in nest.step.statements.iter() {
            let product = writer.iterations(statement)?;
            if !products.contains(&product) {
                products.push(product);
            }
        }
        let text = products.into_iter().rev().reduce(|most, other| format!("stencil_larger({other}, {most})"))?;
        Some(Self { text, sizes: writer.sizes })
    }
}

/// Writes bounds and notes the parameters in them.
struct BoundWriter<'a> {
    nest: &'a Nest,
    names: &'a Names,
    sizes: Vec<Handle<Param>>,
}

impl BoundWriter<'_> {
    fn iterations(&mut self, statement: &Statement) -> Option<String> {
        let nest = self.nest;
        // The host asks for one step of a loop that it keeps.
        let is_counted = |handle: &&Handle<Loop>| nest.clock.end().is_none() || !nest.clock.counts(**handle);
        let loops = nest.accesses[statement.write].loops.iter().filter(is_counted);
        let is_known = |handle: &Handle<Loop>| nest.step.until.is_none() || !nest.clock.counts(*handle);
        let counts: Option<Vec<String>> =
            loops.map(|handle| self.count(&nest.loops[*handle]).filter(|_| is_known(handle))).collect();
        counts.filter(|counts| !counts.is_empty()).map(|counts| counts.join(" * "))
    }

    fn count(&mut self, this: &Loop) -> Option<String> {
        let (first, bound) = (self.real(this.first)?, self.real(this.bound)?);
        let (from, to) = if this.step > 0 { (first, bound) } else { (bound, first) };
        let inclusive = i32::from(matches!(this.relation, BinaryOp::LessEqual | BinaryOp::GreaterEqual));
        Some(format!("stencil_count({from}, {to}, {}, {inclusive})", this.step.unsigned_abs()))
    }

    /// An integer expression in `double`, where nothing overflows; a quotient is not rounded.
    fn real(&mut self, expr: Handle<Expr>) -> Option<String> {
        let nest = self.nest;
        match &nest.exprs[expr].kind {
            ExprKind::Int(value) => Some(format!("{value}.0")),
            ExprKind::Param(param) => self.param(*param),
            ExprKind::Local(local) => self.real(nest.locals[*local].value),
            ExprKind::Convert(inner) => self.real(*inner),
            ExprKind::Unary(UnaryOp::Negate, inner) => Some(format!("(-{})", self.real(*inner)?)),
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), left, right) => {
                Some(format!("({} {} {})", self.real(*left)?, op.symbol(), self.real(*right)?))
            }
            ExprKind::Binary(BinaryOp::Div, left, right) => match nest.exprs[*right].kind {
                ExprKind::Int(divisor) if divisor > 0 => Some(format!("({} / {divisor})", self.real(*left)?)),
                _ => None,
            },
            _ => None,
        }
    }

    fn param(&mut self, handle: Handle<Param>) -> Option<String> {
        let param = &self.nest.params[handle];
        match &param.value {
            ParamValue::Variable(_) | ParamValue::IsSet { .. } if param.ty.is_integer() => {
                if !self.sizes.contains(&handle) {
                    self.sizes.push(handle);
                }
                Some(format!("(double){}", self.names.param(handle)))
            }
            ParamValue::Variable(_) | ParamValue::IsSet { .. } => None,
            ParamValue::Expression { value, .. } => self.real(*value),
        }
    }
}
