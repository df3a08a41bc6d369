//! Host-side values: the number of steps, and what the nest leaves in variables.

use super::driver::{base_name, left_name, outliving_loops};
use super::expr::{Scope, write_expr};
use super::plan::RegionPlan;
use super::writer::Writer;
use crate::ir::{Access, BinaryOp, Expr, ExprKind, Function, Handle, Local, Loop, Nest, Param, ScalarType, UnaryOp};
use crate::poly::Names;

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
        ExprKind::Param(param) => format!("(long long){scalars}{}", names.param(*param)),
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

/// Sets `scalars.time_steps` to the number of iterations of the time loop; 1 without one.
pub fn write_steps(writer: &mut Writer, plan: &RegionPlan<'_>) {
    let nest = plan.nest();
    let target = format!("scalars.{}", plan.names().steps());
    match nest.time {
        None => writer.line(format_args!("{target} = 1;")),
        Some(time) => {
            let Loop { first, relation, bound, step, .. } = &nest.loops[time];
            let math = |expr| write_math(nest, plan.names(), expr, "scalars.");
            let is_inclusive = matches!(relation, BinaryOp::LessEqual | BinaryOp::GreaterEqual);
            let (from, to) = if *step > 0 { (math(*first), math(*bound)) } else { (math(*bound), math(*first)) };
            let inclusive = i32::from(is_inclusive);
            writer.line(format_args!("{target} = stencil_iterations({from}, {to}, {}, {inclusive});", step.abs()));
        }
    }
}

/// Leaves pointers and loop variables as the original nest does.
pub fn write_left_variables(writer: &mut Writer, plan: &RegionPlan<'_>) {
    let nest = plan.nest();
    let steps = format!("scalars.{}", plan.names().steps());
    for pointer in nest.rotated_pointers.iter().filter(|pointer| pointer.outlives) {
        let buffers = &nest.arrays[pointer.array].buffers;
        let bases: Vec<String> = buffers.iter().map(|buffer| base_name(&buffer.variable)).collect();
        let left = left_name(&pointer.variable);
        // A helper pointer keeps its old value if no step runs.
        writer.block(format_args!("if ({steps} > 0)"), |writer| {
            writer.line(format_args!("void *const turn[] = {{ {} }};", bases.join(", ")));
            writer.line(format_args!(
                "memcpy({left}, &turn[({steps} + {}) % {}], sizeof(void *));",
                pointer.start,
                buffers.len()
            ));
        });
    }
    if outliving_loops(nest).is_empty() {
        return;
    }
    writer.block("", |writer| {
        for (handle, _) in nest.loops.iter() {
            writer.line(format_args!("long long {} = 0;", plan.names().loop_variable(handle)));
            writer.line(format_args!("(void){};", plan.names().loop_variable(handle)));
        }
        for outer in &nest.loop_order {
            write_loop_end(writer, plan, outer);
        }
    });
}

/// Replays the last iteration of a loop and of those inside it.
fn write_loop_end(writer: &mut Writer, plan: &RegionPlan<'_>, order: &crate::ir::LoopOrder) {
    let nest = plan.nest();
    let this = &nest.loops[order.this];
    let name = plan.names().loop_variable(order.this);
    let math = |expr| write_math(nest, plan.names(), expr, "scalars.");
    let inclusive = i32::from(matches!(this.relation, BinaryOp::LessEqual | BinaryOp::GreaterEqual));
    let (from, to) =
        if this.step > 0 { (math(this.first), math(this.bound)) } else { (math(this.bound), math(this.first)) };
    let count = format!("stencil_iterations({from}, {to}, {}, {inclusive})", this.step.abs());
    writer.block("", |writer| {
        writer.line(format_args!("const long long count_{name} = {count};"));
        if !order.inner.is_empty() {
            writer.block(format_args!("if (count_{name} > 0)"), |writer| {
                writer.line(format_args!("{name} = {} + (count_{name} - 1) * ({});", math(this.first), this.step));
                order.inner.iter().for_each(|inner| write_loop_end(writer, plan, inner));
            });
        }
        writer.line(format_args!("{name} = {} + count_{name} * ({});", math(this.first), this.step));
        if this.outlives {
            let ty = this.ty.c_name();
            writer.block("", |writer| {
                writer.line(format_args!("const {ty} last = ({ty}){name};"));
                writer.line(format_args!("memcpy({}, &last, sizeof last);", left_name(&this.variable)));
            });
        }
    });
}
