//! The driver takes the steps of scalars that follow rules before the device starts, and fills arrays with what they hold.

use std::collections::BTreeMap;

use super::expr::{Scope, write_expr};
use super::host::{HostScope, write_math};
use super::nest::NestToWrite;
use super::signature::base_name;
use crate::ir::{
    Access, BinaryOp, Clock, Expr, ExprKind, Function, Handle, Local, Loop, Nest, Param, Rule, ScalarType,
};
use crate::text::Writer;

/// Declares the arrays and fills them; where there is no memory for them the host function is left.
pub fn write_values(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let rules = &plan.nest().step.rules;
    let Clock::Counted { time } = plan.nest().clock else { return };
    if rules.is_empty() {
        return;
    }
    writer.line("/* What scalars hold before each step, and after the last one. */");
    for rule in rules {
        let (ty, base) = (rule.ty.c_name(), base_name(plan.names(), rule.values));
        let bytes = format!("((size_t)scalars.{} + 1) * sizeof({ty})", plan.names().steps());
        writer.line(format_args!("{ty} *const {base} = malloc({bytes});"));
    }
    write_without_memory(writer, plan);
    for rule in rules {
        let first = write_expr(plan.nest(), &HostScope { nest: plan.nest(), names: plan.names(), scalars: "scalars." }, rule.first);
        writer.line(format_args!("{}[0] = {first};", base_name(plan.names(), rule.values)));
    }
    let head = format!("for (long long done = 0; done < scalars.{}; done++)", plan.names().steps());
    writer.block(head, |writer| write_step(writer, plan, time, rules));
}

/// One step of all rules: elements `done` are known, those behind them are computed.
fn write_step(writer: &mut Writer, plan: &NestToWrite<'_>, time: Handle<Loop>, rules: &[Rule]) {
    let nest = plan.nest();
    let Loop { first, step, ty, .. } = &nest.loops[time];
    let first = write_math(nest, plan.names(), *first, "scalars.");
    let name = plan.names().loop_variable(time);
    writer.line(format_args!("const {} {name} = ({})({first} + done * ({step}));", ty.c_name(), ty.c_name()));
    writer.line(format_args!("(void){name};"));
    let mut scope = StepScope { host: HostScope { nest, names: plan.names(), scalars: "scalars." }, products: BTreeMap::new() };
    for rule in rules {
        scope.write_products(writer, rule.next);
    }
    for rule in rules {
        let next = write_expr(nest, &scope, rule.next);
        writer.line(format_args!("{}[done + 1] = {next};", base_name(plan.names(), rule.values)));
    }
}

/// Without memory the number of steps is too large for the driver.
fn write_without_memory(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let bases: Vec<_> = plan.nest().step.rules.iter().map(|rule| base_name(plan.names(), rule.values)).collect();
    let missing = bases.iter().map(|base| format!("!{base}")).collect::<Vec<_>>().join(" || ");
    writer.block(format_args!("if ({missing})"), |writer| {
        writer.line("const long long too_large = LLONG_MAX;");
        writer.line("call.integer_count = 1;");
        writer.line("call.integers = &too_large;");
        write_end(writer, plan);
    });
}

/// The end of the host function: the runtime's answer, without the arrays.
pub fn write_end(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let run = format!("stencil_run(&{0}_region, &call, &{0}_turn)", plan.place.name);
    let rules = &plan.nest().step.rules;
    if rules.is_empty() {
        writer.line(format_args!("return {run};"));
        return;
    }
    writer.line(format_args!("const int has_run = {run};"));
    for rule in rules {
        writer.line(format_args!("free({});", base_name(plan.names(), rule.values)));
    }
    writer.line("return has_run;");
}

/// Names while the driver takes a step.
struct StepScope<'a> {
    host: HostScope<'a>,
    /// Floating-point products that are in variables: compilers must not round them and a sum at once.
    products: BTreeMap<usize, String>,
}

impl StepScope<'_> {
    /// Declares the floating-point products in `value`, those within others first.
    fn write_products(&mut self, writer: &mut Writer, value: Handle<Expr>) {
        let nest: &Nest = self.host.nest;
        // Operands are made before what they are operands of.
        let mut parts = nest.reachable([value]);
        parts.sort_by_key(|part| part.index());
        for part in parts {
            let expr = &nest.exprs[part];
            let is_product = matches!(expr.kind, ExprKind::Binary(BinaryOp::Mul, ..)) && expr.ty.is_float();
            if !is_product || self.products.contains_key(&part.index()) {
                continue;
            }
            let name = format!("product_{}", self.products.len());
            writer.line(format_args!("const volatile {} {name} = {};", expr.ty.c_name(), write_expr(nest, self, part)));
            self.products.insert(part.index(), name);
        }
    }
}

impl Scope for StepScope<'_> {
    fn param(&self, param: Handle<Param>) -> String {
        self.host.param(param)
    }

    fn index(&self, l: Handle<Loop>) -> String {
        self.host.index(l)
    }

    fn iteration(&self, _: Handle<Loop>) -> String {
        "done".to_owned()
    }

    fn local(&self, local: Handle<Local>) -> String {
        format!("({})", write_expr(self.host.nest, self, self.host.nest.locals[local].value))
    }

    fn read(&self, access: Handle<Access>) -> String {
        let array = &self.host.nest.arrays[self.host.nest.accesses[access].array];
        format!("{}[done]", base_name(self.host.names, array.buffers[0].variable))
    }

    fn type_name(&self, ty: ScalarType) -> &'static str {
        ty.c_name()
    }

    fn known(&self, expr: Handle<Expr>) -> Option<String> {
        self.products.get(&expr.index()).cloned()
    }

    fn call(&self, function: Function, ty: ScalarType, arguments: &[String]) -> String {
        self.host.call(function, ty, arguments)
    }
}
