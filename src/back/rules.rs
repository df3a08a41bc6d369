//! The driver takes the steps of scalars that follow rules before the device starts, and fills arrays with what they hold, and
//! with what functions of the library give.

use std::collections::BTreeMap;

use super::expr::{Scope, write_expr};
use super::host::{HostScope, iterations, write_math};
use super::nest::NestToWrite;
use super::signature::base_name;
use crate::ir::{
    Access, BinaryOp, Expr, ExprKind, Function, Handle, Local, Loop, Nest, Param, Rule, ScalarType, Until,
};
use crate::text::Writer;

/// An array that the driver fills.
struct Filled {
    ty: ScalarType,
    base: String,
    /// The iterations of the loops that its elements are for; there is one element more.
    count: String,
}

/// All arrays that the driver fills: those of rules, then those of listed values.
fn filled(plan: &NestToWrite<'_>) -> Vec<Filled> {
    let (nest, names) = (plan.nest(), plan.names());
    let steps = format!("scalars.{}", names.steps());
    let rules = nest.step.rules.iter().map(|it| (it.ty, it.values, steps.clone()));
    let count = |over: Handle<Loop>| match nest.clock.counts(over) {
        true => steps.clone(),
        false => iterations(nest, names, over, "scalars."),
    };
    let elements = |over: &[Handle<Loop>]| {
        let counts = over.iter().map(|this| count(*this)).rev();
        counts.reduce(|others, count| format!("stencil_elements({count}, {others})")).unwrap_or_default()
    };
    let listed = nest.step.listed.iter().map(|it| (nest.exprs[it.value].ty, it.values, elements(&it.over)));
    rules.chain(listed).map(|(ty, values, count)| Filled { ty, base: base_name(names, values), count }).collect()
}

/// Writes the functions that give and take the memory; a user's variable may have the name of a function of the library.
pub fn write_memory(writer: &mut Writer, plan: &NestToWrite<'_>) {
    if filled(plan).is_empty() {
        return;
    }
    let name = &plan.place.name;
    writer.line("#include <stdlib.h>");
    writer.line("");
    writer.block(format_args!("static void *{name}_new_values(long long count, size_t size)"), |writer| {
        writer.line("const size_t most = (size_t)-1 / size;");
        writer.line("");
        writer.line("return (unsigned long long)count < most ? malloc(((size_t)count + 1) * size) : NULL;");
    });
    writer.line("");
    writer.block(format_args!("static void {name}_drop_values(void *values)"), |writer| {
        writer.line("free(values);");
    });
    writer.line("");
}

/// Declares the arrays and fills them; where there is no memory for them the host function is left. In a loop that the host keeps
/// the recording has them until it ends.
pub fn write_values(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let (nest, filled) = (plan.nest(), filled(plan));
    if filled.is_empty() {
        return;
    }
    if nest.step.until.is_some() {
        writer.block(format_args!("if (scalars.{} == {})", plan.names().steps(), Until::MAX_STEPS), |writer| {
            write_too_many(writer);
            writer.line(format_args!("return {};", run(plan)));
        });
    }
    let is_kept = nest.clock.end().is_some();
    if is_kept {
        writer.line(format_args!("const int {IS_NEW} = !recording->listed[0];"));
    }
    for (index, Filled { ty, base, count }) in filled.iter().enumerate() {
        if index == 0 && !nest.step.rules.is_empty() {
            writer.line("/* What scalars hold before each step, and after the last one. */");
        } else if index == nest.step.rules.len() {
            writer.line("/* What functions of the library give in each iteration of a loop. */");
        }
        let ty = ty.c_name();
        let memory = format!("{}_new_values({count}, sizeof({ty}))", plan.place.name);
        match is_kept {
            true => writer.line(format_args!("{ty} *const {base} = {IS_NEW} ? {memory} : recording->listed[{index}];")),
            false => writer.line(format_args!("{ty} *const {base} = {memory};")),
        }
    }
    write_without_memory(writer, plan, &filled);
    if !is_kept {
        write_steps(writer, plan);
        return write_listed_over_space(writer, plan, &filled);
    }
    writer.block(format_args!("if ({IS_NEW})"), |writer| {
        for (index, Filled { base, .. }) in filled.iter().enumerate() {
            writer.line(format_args!("recording->listed[{index}] = {base};"));
        }
        write_listed_over_space(writer, plan, &filled);
    });
}

/// Fills the arrays of values that are listed over loops over space.
fn write_listed_over_space(writer: &mut Writer, plan: &NestToWrite<'_>, filled: &[Filled]) {
    let nest = plan.nest();
    for (listed, Filled { base, .. }) in nest.step.listed.iter().zip(&filled[nest.step.rules.len()..]) {
        if !listed.over.iter().any(|this| nest.clock.counts(*this)) {
            let mut scope = StepScope::new(plan);
            write_grid(writer, plan, &listed.over, &mut scope, &|writer, scope| {
                let element = format!("{base}[{}]", scope.place(&listed.over));
                scope.set(writer, &element, listed.value);
            });
        }
    }
}

/// Goes through the iterations of loops over space.
fn write_grid(
    writer: &mut Writer,
    plan: &NestToWrite<'_>,
    over: &[Handle<Loop>],
    scope: &mut StepScope<'_>,
    body: &dyn Fn(&mut Writer, &mut StepScope<'_>),
) {
    let Some((this, inner)) = over.split_first() else { return body(writer, scope) };
    let done = match scope.counters.len() {
        0 => DONE.to_owned(),
        depth => format!("{DONE}_{depth}"),
    };
    let count = iterations(plan.nest(), plan.names(), *this, "scalars.");
    writer.block(format!("for (long long {done} = 0; {done} < {count}; {done}++)"), |writer| {
        write_index(writer, plan, *this, &format!("{} + {done}", lowest(plan, *this)));
        scope.counters.push((*this, done.clone()));
        write_grid(writer, plan, inner, scope, body);
    });
}

/// Counts the steps of a loop that has no bound but a condition, by taking the steps of all rules with one value of each.
pub fn write_counted_steps(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let (nest, steps) = (plan.nest(), format!("scalars.{}", plan.names().steps()));
    let (Some(Until { condition }), Some(time)) = (nest.step.until, nest.clock.time()) else { return };
    writer.block("", |writer| {
        for Filled { ty, base, .. } in filled(plan).into_iter().filter(|it| it.count == steps) {
            writer.line(format_args!("{} {base}[2];", ty.c_name()));
            writer.line(format_args!("(void){base};"));
        }
        let mut scope = StepScope::new(plan);
        scope.write_elements(writer, "0", nest.step.rules.iter().map(|rule| (rule, rule.first)));
        writer.line(format_args!("long long {DONE} = 0;"));
        writer.block(format_args!("for (; {DONE} < {}; {DONE}++)", Until::MAX_STEPS), |writer| {
            write_index(writer, plan, time, &index_of_step(plan, time));
            scope.present = "0";
            scope.products.clear();
            scope.write_products(writer, condition);
            let condition = write_expr(nest, &scope, condition);
            writer.line(format_args!("if (!({condition}))"));
            writer.line("    break;");
            scope.write_needed(writer, time);
            let nexts = nest.step.rules.iter().map(|rule| (rule, rule.next));
            writer.block("", |writer| scope.write_elements(writer, "1", nexts));
            for rule in &nest.step.rules {
                let base = base_name(plan.names(), rule.values);
                writer.line(format_args!("{base}[0] = {base}[1];"));
            }
        });
        writer.line(format_args!("{steps} = {DONE};"));
    });
}

/// Takes all steps, with what rules and functions of the library give in each.
fn write_steps(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let (nest, names) = (plan.nest(), plan.names());
    let is_of_steps = |time: &Handle<Loop>| {
        !nest.step.rules.is_empty() || nest.step.listed.iter().any(|listed| listed.over.contains(time))
    };
    let Some(time) = nest.clock.time().filter(is_of_steps) else { return };
    let mut scope = StepScope::new(plan);
    let firsts = nest.step.rules.iter().map(|rule| (rule, rule.first));
    scope.write_elements(writer, "0", firsts);
    let head = format!("for (long long {DONE} = 0; {DONE} < scalars.{}; {DONE}++)", names.steps());
    writer.block(head, |writer| {
        write_index(writer, plan, time, &index_of_step(plan, time));
        scope.write_listed(writer, time);
        let nexts = nest.step.rules.iter().map(|rule| (rule, rule.next));
        scope.write_elements(writer, &format!("{DONE} + 1"), nexts);
    });
}

/// Sets `target` to a value that is made of parameters by floating-point arithmetic.
pub fn write_real(writer: &mut Writer, plan: &NestToWrite<'_>, target: &str, value: Handle<Expr>) {
    StepScope::new(plan).set(writer, target, value);
}

/// Declares the index of a loop.
fn write_index(writer: &mut Writer, plan: &NestToWrite<'_>, this: Handle<Loop>, index: &str) {
    let (ty, name) = (plan.nest().loops[this].ty.c_name(), plan.names().loop_variable(this));
    writer.line(format_args!("const {ty} {name} = ({ty})({index});"));
    writer.line(format_args!("(void){name};"));
}

/// The index of a loop over time behind the steps that are done.
fn index_of_step(plan: &NestToWrite<'_>, time: Handle<Loop>) -> String {
    let Loop { first, step, .. } = plan.nest().loops[time];
    format!("{} + {DONE} * ({step})", write_math(plan.nest(), plan.names(), first, "scalars."))
}

/// The lowest index of a loop over space whose values are listed.
fn lowest(plan: &NestToWrite<'_>, this: Handle<Loop>) -> String {
    let (end, more) = plan.nest().loops[this].lowest().expect("only loops that count by one are listed");
    format!("{} + {more}", write_math(plan.nest(), plan.names(), end, "scalars."))
}

/// Without memory the number of steps is too large for the driver.
fn write_without_memory(writer: &mut Writer, plan: &NestToWrite<'_>, filled: &[Filled]) {
    let missing = filled.iter().map(|it| format!("!{}", it.base)).collect::<Vec<_>>().join(" || ");
    writer.block(format_args!("if ({missing})"), |writer| {
        write_too_many(writer);
        write_end(writer, plan);
    });
}

fn write_too_many(writer: &mut Writer) {
    writer.line("const long long count_too_large = LLONG_MAX;");
    writer.line("call.integer_count = 1;");
    writer.line("call.integers = &count_too_large;");
}

fn run(plan: &NestToWrite<'_>) -> String {
    format!("stencil_run(&{0}_nest, &call, &{0}_turn)", plan.place.name)
}

/// The end of the host function: the runtime's answer, without the arrays.
pub fn write_end(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let run = run(plan);
    if filled(plan).is_empty() {
        writer.line(format_args!("return {run};"));
        return;
    }
    writer.line(format_args!("const int count_runs = {run};"));
    write_drops(writer, plan);
    writer.line("return count_runs;");
}

/// Gives back the memory of the arrays.
pub fn write_drops(writer: &mut Writer, plan: &NestToWrite<'_>) {
    for Filled { base, .. } in filled(plan) {
        writer.line(format_args!("{}_drop_values({base});", plan.place.name));
    }
}

/// How many steps are done; no name of the user's begins so.
const DONE: &str = "count_done";

/// Whether the arrays of a recording are not filled yet.
const IS_NEW: &str = "count_is_new";

/// Names while the driver takes a step.
struct StepScope<'a> {
    host: HostScope<'a>,
    /// Floating-point products that are in variables: compilers must not round them and a sum at once.
    products: BTreeMap<usize, String>,
    /// The number of the present step's elements in the arrays of rules.
    present: &'a str,
    /// The loops over space that are gone through, with what counts their iterations.
    counters: Vec<(Handle<Loop>, String)>,
}

impl<'a> StepScope<'a> {
    fn new(plan: &'a NestToWrite<'_>) -> Self {
        let host = HostScope { nest: plan.nest(), names: plan.names(), scalars: "scalars." };
        Self { host, products: BTreeMap::new(), present: DONE, counters: Vec::new() }
    }

    /// The number of the present iteration's element in an array of values that are listed over loops.
    fn place(&self, over: &[Handle<Loop>]) -> String {
        let number = |this: &Handle<Loop>| self.counters.iter().find(|(other, _)| other == this).map(|(_, done)| done);
        let Some(numbers) = over.iter().map(number).collect::<Option<Vec<_>>>() else { return self.present.to_owned() };
        let mut place = String::new();
        for (this, number) in over.iter().zip(numbers) {
            place = match place.as_str() {
                "" => number.clone(),
                outer => {
                    let count = iterations(self.host.nest, self.host.names, *this, self.host.scalars);
                    format!("({outer}) * {count} + {number}")
                }
            };
        }
        place
    }

    /// Sets `target` to a value, in braces if that takes several lines.
    fn set(&mut self, writer: &mut Writer, target: &str, value: Handle<Expr>) {
        self.products.clear();
        let is_simple = products_in(self.host.nest, value).is_empty();
        let mut lines = |writer: &mut Writer| {
            self.write_products(writer, value);
            writer.line(format_args!("{target} = {};", write_expr(self.host.nest, self, value)));
        };
        if is_simple { lines(writer) } else { writer.block("", lines) }
    }

    /// Sets the present step's elements of the arrays of values that are listed over `time`.
    fn write_listed(&mut self, writer: &mut Writer, time: Handle<Loop>) {
        let (nest, names, present) = (self.host.nest, self.host.names, self.present);
        for listed in nest.step.listed.iter().filter(|listed| listed.over == [time]) {
            self.set(writer, &format!("{}[{present}]", base_name(names, listed.values)), listed.value);
        }
    }

    /// As [`write_listed`](Self::write_listed), if rules need one of the values.
    fn write_needed(&mut self, writer: &mut Writer, time: Handle<Loop>) {
        let step = &self.host.nest.step;
        let parts = self.host.nest.reachable(step.rules.iter().map(|rule| rule.next));
        let is_read = |part: &Handle<Expr>| match self.host.nest.exprs[*part].kind {
            ExprKind::Read(read) => step.listed.iter().any(|listed| listed.read == read),
            _ => false,
        };
        if parts.iter().any(is_read) {
            self.write_listed(writer, time);
        }
    }

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
        for part in products_in(self.host.nest, value) {
            if self.products.contains_key(&part.index()) {
                continue;
            }
            let (name, ty) = (format!("v{}", self.products.len()), self.host.nest.exprs[part].ty.c_name());
            writer.line(format_args!("const volatile {ty} {name} = {};", write_expr(self.host.nest, self, part)));
            self.products.insert(part.index(), name);
        }
    }
}

/// The floating-point products in `value` that are no constants. Operands are made before what they are operands of.
fn products_in(nest: &Nest, value: Handle<Expr>) -> Vec<Handle<Expr>> {
    let is_product = |part: &Handle<Expr>| {
        let expr = &nest.exprs[*part];
        matches!(expr.kind, ExprKind::Binary(BinaryOp::Mul, ..)) && expr.ty.is_float() && !is_constant(nest, *part)
    };
    let mut products: Vec<_> = nest.reachable([value]).into_iter().filter(is_product).collect();
    products.sort_by_key(|part| part.index());
    products
}

/// Whether compilers know what a value is.
fn is_constant(nest: &Nest, value: Handle<Expr>) -> bool {
    use ExprKind::{Binary, Convert, Float, Int, Unary};
    let is_known = |part| matches!(nest.exprs[part].kind, Int(_) | Float(_) | Convert(_) | Unary(..) | Binary(..));
    nest.reachable([value]).into_iter().all(is_known)
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
        let nest = self.host.nest;
        let listed = nest.step.listed.iter().find(|listed| listed.read == access);
        let place = listed.map_or_else(|| self.present.to_owned(), |listed| self.place(&listed.over));
        let base = nest.arrays[nest.accesses[access].array].buffers[0].variable;
        format!("{}[{place}]", base_name(self.host.names, base))
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
