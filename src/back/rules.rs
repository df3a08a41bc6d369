//! The driver takes the steps of scalars that follow rules before the device starts, and fills arrays with what they hold.

use std::collections::BTreeMap;

use super::expr::{Scope, write_expr};
use super::host::{HostScope, write_math};
use super::nest::NestToWrite;
use super::signature::base_name;
use crate::ir::{Access, BinaryOp, Expr, ExprKind, Function, Handle, Local, Loop, Nest, Param, Rule, ScalarType};
use crate::text::Writer;

/// Writes the functions that give and take the memory; a user's variable may have the name of a function of the library.
pub fn write_memory(writer: &mut Writer, plan: &NestToWrite<'_>) {
    if plan.nest().step.rules.is_empty() {
        return;
    }
    let name = &plan.place.name;
    writer.line("#include <stdlib.h>");
    writer.line("");
    writer.block(format_args!("static void *{name}_new_values(long long steps, size_t size)"), |writer| {
        writer.line("return malloc(((size_t)steps + 1) * size);");
    });
    writer.line("");
    writer.block(format_args!("static void {name}_drop_values(void *values)"), |writer| {
        writer.line("free(values);");
    });
    writer.line("");
}

/// Declares the arrays and fills them; where there is no memory for them the host function is left.
pub fn write_values(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let (nest, names) = (plan.nest(), plan.names());
    let Some(time) = nest.clock.time().filter(|_| !nest.step.rules.is_empty()) else { return };
    writer.line("/* What scalars hold before each step, and after the last one. */");
    for rule in &nest.step.rules {
        let (ty, base) = (rule.ty.c_name(), base_name(names, rule.values));
        let memory = format!("{}_new_values(scalars.{}, sizeof({ty}))", plan.place.name, names.steps());
        writer.line(format_args!("{ty} *const {base} = {memory};"));
    }
    write_without_memory(writer, plan);
    let host = HostScope { nest, names, scalars: "scalars." };
    let mut scope = StepScope { host, products: BTreeMap::new() };
    let firsts = nest.step.rules.iter().map(|rule| (rule, rule.first));
    scope.write_elements(writer, "0", firsts);
    let head = format!("for (long long {DONE} = 0; {DONE} < scalars.{}; {DONE}++)", names.steps());
    writer.block(head, |writer| write_step(writer, plan, time, &mut scope));
}

/// One step of all rules: the elements of the steps that are done are known, those behind them are computed.
fn write_step(writer: &mut Writer, plan: &NestToWrite<'_>, time: Handle<Loop>, scope: &mut StepScope<'_>) {
    let nest = plan.nest();
    let Loop { first, step, ty, .. } = &nest.loops[time];
    let first = write_math(nest, plan.names(), *first, "scalars.");
    let name = plan.names().loop_variable(time);
    writer.line(format_args!("const {} {name} = ({})({first} + {DONE} * ({step}));", ty.c_name(), ty.c_name()));
    writer.line(format_args!("(void){name};"));
    let nexts = nest.step.rules.iter().map(|rule| (rule, rule.next));
    scope.write_elements(writer, &format!("{DONE} + 1"), nexts);
}

/// Without memory the number of steps is too large for the driver.
fn write_without_memory(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let bases: Vec<_> = plan.nest().step.rules.iter().map(|rule| base_name(plan.names(), rule.values)).collect();
    let missing = bases.iter().map(|base| format!("!{base}")).collect::<Vec<_>>().join(" || ");
    writer.block(format_args!("if ({missing})"), |writer| {
        writer.line("const long long count_too_large = LLONG_MAX;");
        writer.line("call.integer_count = 1;");
        writer.line("call.integers = &count_too_large;");
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
    writer.line(format_args!("const int count_runs = {run};"));
    for rule in rules {
        writer.line(format_args!("{}_drop_values({});", plan.place.name, base_name(plan.names(), rule.values)));
    }
    writer.line("return count_runs;");
}

/// How many steps are done; no name of the user's begins so.
const DONE: &str = "count_done";

/// Names while the driver takes a step.
struct StepScope<'a> {
    host: HostScope<'a>,
    /// Floating-point products that are in variables: compilers must not round them and a sum at once.
    products: BTreeMap<usize, String>,
}

impl StepScope<'_> {
    /// Sets the elements at `place` of the arrays of rules, each to a value.
    fn write_elements<'r>(
        &mut self,
        writer: &mut Writer,
        place: &str,
        values: impl Iterator<Item = (&'r Rule, Handle<Expr>)> + Clone,
    ) {
        self.products.clear();
        values.clone().for_each(|(_, value)| self.write_products(writer, value));
        for (rule, value) in values {
            let value = write_expr(self.host.nest, self, value);
            writer.line(format_args!("{}[{place}] = {value};", base_name(self.host.names, rule.values)));
        }
    }

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
            let name = format!("v{}", self.products.len());
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
        DONE.to_owned()
    }

    fn local(&self, local: Handle<Local>) -> String {
        format!("({})", write_expr(self.host.nest, self, self.host.nest.locals[local].value))
    }

    fn read(&self, access: Handle<Access>) -> String {
        let array = &self.host.nest.arrays[self.host.nest.accesses[access].array];
        format!("{}[{DONE}]", base_name(self.host.names, array.buffers[0].variable))
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
