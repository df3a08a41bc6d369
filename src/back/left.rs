//! What the host function leaves in variables of the caller: the last iteration of each loop, once more.

use super::expr::{Scope, write_expr};
use super::host::{HostScope, iterations, write_math};
use super::nest::NestToWrite;
use super::signature::{base_name, left_name, left_variables};
use crate::ir::{
    Access, Expr, ExprKind, Function, Handle, HostValue, LeftPointer, LeftScalar, Local, Loop, Nest, Param, Replay,
    ScalarType, Setting,
};
use crate::text::Writer;

/// Fills the call's table of variables that the original nest leaves changed: pointers and scalars.
pub fn write_left_variables(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let step = &plan.nest().step;
    // Variables are left when a nest begins; later those of a recording need not exist any more.
    let when = match plan.is_recorded() {
        true => "if (recording->request == STENCIL_BEGIN || recording->request == STENCIL_RUN)",
        false => "",
    };
    write_left_when(writer, plan, &step.replay, &step.left_pointers, when);
}

/// The same for some of them; the others keep their values.
pub fn write_left_among(writer: &mut Writer, plan: &NestToWrite<'_>, replay: &[Replay], pointers: &[LeftPointer]) {
    write_left_when(writer, plan, replay, pointers, "");
}

fn write_left_when(
    writer: &mut Writer,
    plan: &NestToWrite<'_>,
    replay: &[Replay],
    pointers: &[LeftPointer],
    when: &str,
) {
    let nest = plan.nest();
    if replay.is_empty() {
        return;
    }
    let variables = left_variables(nest).len();
    if variables > 0 {
        writer.line(format_args!("stencil_left left[{variables}];"));
        writer.line("call.left = left;");
    }
    writer.block(when, |writer| {
        write_kept_variables(writer, plan);
        for (handle, _) in nest.loops.iter() {
            writer.line(format_args!("long long {} = 0;", plan.names().loop_variable(handle)));
            writer.line(format_args!("(void){};", plan.names().loop_variable(handle)));
        }
        write_replay(writer, plan, replay, pointers);
    });
}

/// Replays loops and assignments; `pointers` are left by the first loop.
fn write_replay(writer: &mut Writer, plan: &NestToWrite<'_>, replay: &[Replay], pointers: &[LeftPointer]) {
    for action in replay {
        match action {
            Replay::Loop(this, inner) => write_loop_end(writer, plan, *this, inner, pointers),
            Replay::Scalar(LeftScalar { variable, value }) => {
                let scope = LeftScope::new(plan);
                let value_text = write_expr(plan.nest(), &scope, *value);
                write_left(writer, plan, *variable, plan.nest().exprs[*value].ty, &value_text);
            }
            // Should the original loop run after all, it does the same.
            Replay::Setting(Setting { function, value }) => {
                let value = write_expr(plan.nest(), &LeftScope::new(plan), *value);
                writer.line(format_args!("{function}({value});"));
            }
        }
    }
}

/// A value that a scalar of the caller gets.
fn write_left(writer: &mut Writer, plan: &NestToWrite<'_>, variable: Handle<HostValue>, ty: ScalarType, value: &str) {
    writer.block("", |writer| {
        writer.line(format_args!("const {} left_0 = {value};", ty.c_name()));
        write_leave(writer, plan, kind(ty), variable);
    });
}

/// First all variables are to keep their values, as they do where no iteration assigns them.
fn write_kept_variables(writer: &mut Writer, plan: &NestToWrite<'_>) {
    for pointer in &plan.nest().step.left_pointers {
        let left = left_name(plan.names(), pointer.variable);
        write_row(writer, plan, "POINTER", pointer.variable, &left, "sizeof(void *)");
    }
    for (variable, ty) in plan.nest().left_scalars() {
        let left = left_name(plan.names(), variable);
        write_row(writer, plan, kind(ty), variable, &left, &format!("sizeof({})", ty.c_name()));
    }
}

/// How the runtime compares and prints values of a type.
pub fn kind(ty: ScalarType) -> &'static str {
    if ty.is_float() { "REAL" } else { "INTEGER" }
}

/// The row of a variable that gets what is in `left_0`.
fn write_leave(writer: &mut Writer, plan: &NestToWrite<'_>, kind: &str, variable: Handle<HostValue>) {
    write_row(writer, plan, kind, variable, "&left_0", "sizeof left_0");
}

/// One row of the table; it replaces the row that the variable may have. `value` is an address.
fn write_row(
    writer: &mut Writer,
    plan: &NestToWrite<'_>,
    kind: &str,
    variable: Handle<HostValue>,
    value: &str,
    size: &str,
) {
    let (text, left) = (plan.nest().values.text(variable), left_name(plan.names(), variable));
    writer.line(format_args!("stencil_leave(&call, STENCIL_{kind}, \"{text}\", {left}, {value}, {size});"));
}

/// Replays the last iteration of a loop and of those inside it.
fn write_loop_end(
    writer: &mut Writer,
    plan: &NestToWrite<'_>,
    this: Handle<Loop>,
    inner: &[Replay],
    pointers: &[LeftPointer],
) {
    let Loop { variable, ty, outlives, first, step, .. } = &plan.nest().loops[this];
    let name = plan.names().loop_variable(this);
    let first = write_math(plan.nest(), plan.names(), *first, "scalars.");
    let count = iterations(plan.nest(), plan.names(), this, "scalars.");
    writer.block("", |writer| {
        writer.line(format_args!("const long long count_{name} = {count};"));
        if !inner.is_empty() || !pointers.is_empty() {
            writer.block(format_args!("if (count_{name} > 0)"), |writer| {
                writer.line(format_args!("{name} = {first} + (count_{name} - 1) * ({step});"));
                write_replay(writer, plan, inner, &[]);
                pointers.iter().for_each(|pointer| write_pointer(writer, plan, name, pointer));
            });
        }
        if *outlives {
            writer.line(format_args!("{name} = {first} + count_{name} * ({step});"));
            write_left(writer, plan, *variable, *ty, &format!("({}){name}", ty.c_name()));
        }
    });
}

/// Where among what a pointer holds in turn is what it holds after an iteration, counted from 0.
pub fn place_in_turn(pointer: &LeftPointer, iteration: &str) -> String {
    match (pointer.held.len() - pointer.recurs_from, pointer.recurs_from) {
        (1, 0) => "0".to_owned(),
        (period, 0) => format!("{iteration} % {period}"),
        (period, first) => {
            format!("{iteration} < {first} ? {iteration} : {first} + ({iteration} - {first}) % {period}")
        }
    }
}

/// Stores what a pointer holds after the iterations of the loop called `name`.
fn write_pointer(writer: &mut Writer, plan: &NestToWrite<'_>, name: &str, pointer: &LeftPointer) {
    let LeftPointer { variable, held, element, offset, .. } = pointer;
    let bases: Vec<String> = held.iter().map(|variable| base_name(plan.names(), *variable)).collect();
    let place = place_in_turn(pointer, &format!("(count_{name} - 1)"));
    let offset = offset.map(|offset| {
        let offset = write_expr(plan.nest(), &LeftScope::new(plan), offset);
        format!(" + (long long)({offset}) * {}", element.size())
    });
    writer.block("", |writer| {
        writer.line(format_args!("const void *const turn[] = {{ {} }};", bases.join(", ")));
        let value = format!("turn[{place}]");
        let value = offset.map_or(value.clone(), |offset| format!("(const char *){value}{offset}"));
        writer.line(format_args!("const void *const left_0 = {value};"));
        write_leave(writer, plan, "POINTER", *variable);
    });
}

/// Names in the host function before the device starts: loops have their last indices, elements are the caller's.
pub struct LeftScope<'a> {
    host: HostScope<'a>,
}

impl<'a> LeftScope<'a> {
    /// The names for one nest.
    pub fn new(plan: &'a NestToWrite<'_>) -> Self {
        Self { host: HostScope { nest: plan.nest(), names: plan.names(), scalars: "scalars." } }
    }

    fn nest(&self) -> &'a Nest {
        self.host.nest
    }

    /// An element of the caller's.
    pub fn element(&self, access: Handle<Access>) -> String {
        let Access { array, buffer, subscripts, .. } = &self.nest().accesses[access];
        let array = &self.nest().arrays[*array];
        let buffer = buffer.map(|buffer| &self.nest().exprs[buffer].kind);
        let buffer = &array.buffers[if let Some(ExprKind::Int(buffer)) = buffer { *buffer as usize } else { 0 }];
        if let Some(wheel) = self.nest().step.wheel_of(buffer.variable) {
            return self.host.param(self.nest().step.given[wheel].param);
        }
        let mut base = base_name(self.host.names, buffer.variable);
        let mut terms: Vec<String> = buffer.offset.map(|offset| self.count(offset)).into_iter().collect();
        if array.is_behind_pointer {
            terms.push("0".into());
            base = format!("stencil_followed({base}, {})", std::mem::take(&mut terms).join(" + "));
        }
        for (d, (subscript, stride)) in subscripts.iter().zip(&array.strides).enumerate() {
            terms.push(format!("{} * {}", self.count(*subscript), self.count(*stride)));
            if array.pointers.get(d) == Some(&true) {
                base = format!("stencil_followed({base}, {})", terms.join(" + "));
                terms.clear();
            }
        }
        format!("((const {} *){base})[{}]", array.element.c_name(), terms.join(" + "))
    }

    /// An integer as it counts elements.
    fn count(&self, expr: Handle<Expr>) -> String {
        format!("(long long)({})", write_expr(self.nest(), self, expr))
    }
}

impl Scope for LeftScope<'_> {
    fn param(&self, param: Handle<Param>) -> String {
        self.host.param(param)
    }

    fn index(&self, l: Handle<Loop>) -> String {
        format!("({}){}", self.nest().loops[l].ty.c_name(), self.host.index(l))
    }

    fn iteration(&self, l: Handle<Loop>) -> String {
        format!("(count_{} - 1)", self.host.iteration(l))
    }

    fn local(&self, local: Handle<Local>) -> String {
        format!("({})", write_expr(self.nest(), self, self.nest().locals[local].value))
    }

    fn read(&self, access: Handle<Access>) -> String {
        self.element(access)
    }

    fn type_name(&self, ty: ScalarType) -> &'static str {
        ty.c_name()
    }

    fn call(&self, function: Function, ty: ScalarType, arguments: &[String]) -> String {
        self.host.call(function, ty, arguments)
    }
}
