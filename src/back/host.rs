//! Host-side values: scalars, integer expressions, the number of steps.

use super::c::Arithmetic;
use super::expr::{Scope, write_expr};
use super::nest::NestToWrite;
use crate::ir::{
    Access, BinaryOp, Clock, Expr, ExprKind, Function, Handle, Local, Loop, Nest, Param, ScalarType, UnaryOp,
};
use crate::poly::Names;
use crate::text::Writer;

/// Indices and conditions in host code.
pub const HOST: Arithmetic =
    Arithmetic { type_name: ScalarType::c_name, work_item: |_, _| unreachable!("the host is no work-item") };

/// Names in host code where scalars stand in a struct.
pub struct HostScope<'a> {
    /// The nest.
    pub nest: &'a Nest,
    /// Its names.
    pub names: &'a Names,
    /// How to reach a scalar, e.g. `scalars.`.
    pub scalars: &'a str,
}

impl Scope for HostScope<'_> {
    fn param(&self, param: Handle<Param>) -> String {
        format!("{}{}", self.scalars, self.names.param(param))
    }

    fn index(&self, l: Handle<Loop>) -> String {
        self.names.loop_variable(l).to_string()
    }

    fn iteration(&self, l: Handle<Loop>) -> String {
        self.names.loop_variable(l).to_string()
    }

    fn local(&self, local: Handle<Local>) -> String {
        format!("({})", write_expr(self.nest, self, self.nest.locals[local].value))
    }

    fn read(&self, access: Handle<Access>) -> String {
        format!("r{}", access.index())
    }

    fn type_name(&self, ty: ScalarType) -> &'static str {
        ty.c_name()
    }

    fn call(&self, function: Function, ty: ScalarType, arguments: &[String]) -> String {
        let arguments = arguments.join(", ");
        match ty {
            ScalarType::F32 => format!("{}f({arguments})", function.name()),
            ScalarType::I64 => format!("ll{}({arguments})", function.name()),
            _ => format!("{}({arguments})", function.name()),
        }
    }
}

/// An integer expression as the integer it means, in `long long`, without C's conversions and wrap-around.
pub fn write_math(nest: &Nest, names: &Names, expr: Handle<Expr>, scalars: &str) -> String {
    let math = |inner: Handle<Expr>| write_math(nest, names, inner, scalars);
    match &nest.exprs[expr].kind {
        ExprKind::Int(value) => format!("{value}LL"),
        ExprKind::Param(param) => write_integer(nest, names, *param, scalars),
        ExprKind::Index(l) | ExprKind::Iteration(l) => names.loop_variable(*l).to_string(),
        ExprKind::Local(local) => math(nest.locals[*local].value),
        ExprKind::Convert(inner) => math(*inner),
        ExprKind::Unary(op, inner) => {
            let symbol = match op {
                UnaryOp::Negate => "-",
                UnaryOp::Not => "!",
                UnaryOp::Complement => "~",
            };
            format!("({symbol}({}))", math(*inner))
        }
        ExprKind::Binary(op, left, right) => format!("({} {} {})", math(*left), op.symbol(), math(*right)),
        _ => unreachable!("bounds and subscripts are affine"),
    }
}

/// The integer that stands for a parameter, in `long long`.
pub fn write_integer(nest: &Nest, names: &Names, param: Handle<Param>, scalars: &str) -> String {
    let ty = nest.params[param].ty;
    let representative =
        if ty.representative() == ty { String::new() } else { format!("({})", ty.representative().c_name()) };
    format!("(long long){representative}{scalars}{}", names.param(param))
}

/// How often a loop runs.
pub fn iterations(nest: &Nest, names: &Names, this: Handle<Loop>, scalars: &str) -> String {
    if nest.step.until.is_some() && nest.clock.counts(this) {
        return format!("{scalars}{}", names.steps());
    }
    let Loop { first, relation, bound, step, .. } = &nest.loops[this];
    let (first, bound) = (write_math(nest, names, *first, scalars), write_math(nest, names, *bound, scalars));
    let (from, to) = if *step > 0 { (first, bound) } else { (bound, first) };
    let inclusive = i32::from(matches!(relation, BinaryOp::LessEqual | BinaryOp::GreaterEqual));
    format!("stencil_iterations({from}, {to}, {}, {inclusive})", step.abs())
}

/// Sets `scalars.time_steps` to the number of iterations of the time loop, if that has a bound; 1 without one.
pub fn write_steps(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let nest = plan.nest();
    let target = format!("scalars.{}", plan.names().steps());
    match nest.clock {
        Clock::Once => writer.line(format_args!("{target} = 1;")),
        Clock::Counted { .. } if nest.step.until.is_some() => {}
        Clock::Counted { time } | Clock::Recorded { time, .. } => {
            let count = iterations(nest, plan.names(), time, "scalars.");
            writer.line(format_args!("{target} = {count};"));
        }
    }
}

/// The integer parameters under the names that integer sets use.
pub fn declare_integers(writer: &mut Writer, plan: &NestToWrite<'_>) {
    for (handle, param) in plan.nest().params.iter() {
        if param.ty.is_integer() {
            let name = plan.names().param(handle);
            let value = write_integer(plan.nest(), plan.names(), handle, "scalars->");
            writer.line(format_args!("const long long {name} = {value};"));
            writer.line(format_args!("(void){name};"));
        }
    }
    let steps = plan.names().steps();
    writer.line(format_args!("const long long {steps} = scalars->{steps};"));
    writer.line(format_args!("(void){steps};"));
}
