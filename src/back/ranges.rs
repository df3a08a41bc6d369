//! The checks of a call's integers, as tables for the runtime.

use std::collections::BTreeMap;

use super::host::write_integer;
use super::initializer::{initializer, write_table};
use super::nest::NestToWrite;
use crate::ir::{BinaryOp, Expr, ExprKind, Handle, Loop, Nest, Param, RangeCheck, RangeFact, UnaryOp};
use crate::text::Writer;

/// Lists the integers with which the driver and integer sets compute; leaves the host function if one is too large.
pub fn write_integers(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let integers = integers(plan.nest());
    if integers.is_empty() {
        return;
    }
    let values: Vec<_> =
        integers.iter().map(|param| write_integer(plan.nest(), plan.names(), *param, "scalars.")).collect();
    writer.line(format_args!("const long long integers[] = {{ {} }};", values.join(", ")));
    writer.line(format_args!("call.integer_count = {};", integers.len()));
    writer.line("call.integers = integers;");
    writer.line("if (!stencil_is_moderate(&call))");
    write_refused_call(writer, plan);
}

/// The call of a runtime that will refuse it.
pub fn write_refused_call(writer: &mut Writer, plan: &NestToWrite<'_>) {
    writer.line(format_args!("    return stencil_run(&{0}_nest, &call, &{0}_turn);", plan.place.name));
}

/// The integer parameters of bounds, subscripts, conditions, strides and sizes.
fn integers(nest: &Nest) -> Vec<Handle<Param>> {
    let loops = nest.loops.iter().flat_map(|(_, this)| [this.first, this.bound]);
    let accesses = nest.accesses.iter();
    let accesses = accesses.flat_map(|(_, it)| it.subscripts.iter().chain(&it.buffer).chain(&it.guards).copied());
    let arrays = nest.arrays.iter().flat_map(|(_, array)| array.exprs());
    let checks = nest.range_checks.iter().flat_map(|check| check.guards.iter().copied().chain([check.value]));
    let covers = nest.covers.iter().flat_map(|cover| cover.guards.iter().copied().chain([cover.taken]));
    let rules = nest.index_arrays.iter().map(|index| index.rule);
    let mut found = Vec::new();
    for expr in nest.reachable(loops.chain(accesses).chain(arrays).chain(checks).chain(covers).chain(rules)) {
        if let ExprKind::Param(param) = nest.exprs[expr].kind
            && nest.params[param].ty.is_integer()
            && !found.contains(&param)
        {
            found.push(param);
        }
    }
    found.sort();
    found
}

/// Fills the call's table of checks.
pub fn write_range_checks(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let checks = &plan.nest().range_checks;
    if checks.is_empty() {
        return;
    }
    let mut rows = Vec::new();
    for (index, check) in checks.iter().enumerate() {
        let mut steps = Steps::new(plan);
        steps.add_check(check);
        write_table(writer, format_args!("const stencil_range_step range{index}[]"), &steps.rows);
        let count = steps.rows.len();
        writer.line(format_args!("stencil_interval range{index}_values[{count}];"));
        rows.push(initializer(
            "stencil_range_check",
            &[
                ("least", &least(check.least)),
                ("greatest", &format!("{}LL", check.greatest)),
                ("is_source", &i64::from(check.says == RangeFact::Source)),
                ("is_length", &i64::from(check.says == RangeFact::Length)),
                ("step_count", &count),
                ("steps", &format!("range{index}")),
                ("values", &format!("range{index}_values")),
            ],
        ));
    }
    write_table(writer, "const stencil_range_check range_checks[]", &rows);
    writer.line(format_args!("call.range_check_count = {};", rows.len()));
    writer.line("call.range_checks = range_checks;");
    // The runtime looks at those of recorded steps, which the host must be able to take whatever they are.
    if !plan.is_recorded() {
        writer.line("if (!stencil_ranges_are_right(&call))");
        write_refused_call(writer, plan);
    }
}

/// A lower limit; the least `long long` has no literal.
fn least(value: i64) -> String {
    if value == i64::MIN { "LLONG_MIN".into() } else { format!("{value}LL") }
}

/// The steps of one check.
struct Steps<'a> {
    plan: &'a NestToWrite<'a>,
    rows: Vec<String>,
    indices: BTreeMap<Handle<Loop>, usize>,
}

impl<'a> Steps<'a> {
    fn new(plan: &'a NestToWrite<'a>) -> Self {
        Self { plan, rows: Vec::new(), indices: BTreeMap::new() }
    }

    fn add_check(&mut self, check: &RangeCheck) {
        for this in &check.loops {
            self.add_loop(*this);
        }
        for guard in &check.guards {
            for (this, op, other) in self.plan.nest().index_relations(*guard, true) {
                self.narrow(this, op, other);
            }
            self.suppose(*guard);
        }
        let value = self.add(check.value);
        // The last step is what is checked.
        self.push("FROM", "0", value, value);
    }

    fn push(&mut self, kind: &str, value: &str, a: usize, b: usize) -> usize {
        let kind = format!("STENCIL_RANGE_{kind}");
        self.rows.push(initializer("stencil_range_step", &[("kind", &kind), ("value", &value), ("a", &a), ("b", &b)]));
        self.rows.len() - 1
    }

    fn constant(&mut self, value: i64) -> usize {
        self.push("VALUE", &format!("{value}LL"), 0, 0)
    }

    fn add_loop(&mut self, this: Handle<Loop>) {
        let Loop { first, bound, relation, step, .. } = &self.plan.nest().loops[this];
        let (first, mut bound) = (self.add(*first), self.add(*bound));
        if !matches!(relation, BinaryOp::LessEqual | BinaryOp::GreaterEqual) {
            let one = self.constant(step.signum());
            bound = self.push("DIFFERENCE", "0", bound, one);
        }
        let index = if *step > 0 { self.push("FROM", "0", first, bound) } else { self.push("FROM", "0", bound, first) };
        self.indices.insert(this, index);
    }

    fn narrow(&mut self, this: Handle<Loop>, op: BinaryOp, other: Handle<Expr>) {
        let Some(&index) = self.indices.get(&this) else { return };
        let other = self.add(other);
        let index = self.limited(index, op, other);
        self.indices.insert(this, index);
    }

    /// Where what a condition says of the call's numbers alone is false, an interval without values makes the check hold.
    fn suppose(&mut self, guard: Handle<Expr>) {
        let nest = self.plan.nest();
        let is_of_call = |side: Handle<Expr>| {
            nest.reachable([side]).iter().all(|part| match nest.exprs[*part].kind {
                ExprKind::Int(_) | ExprKind::Param(_) | ExprKind::Convert(_) => true,
                ExprKind::Binary(op, ..) => matches!(op, BinaryOp::Add | BinaryOp::Sub),
                _ => false,
            })
        };
        for (left, op, right) in nest.relations(guard, true) {
            if is_of_call(left) && is_of_call(right) {
                let (left, right) = (self.add(left), self.add(right));
                self.limited(left, op, right);
            }
        }
    }

    /// Those of the values of one step that are related so to some of another's.
    fn limited(&mut self, index: usize, op: BinaryOp, other: usize) -> usize {
        let one = self.constant(1);
        match op {
            BinaryOp::Less => {
                let last = self.push("DIFFERENCE", "0", other, one);
                self.push("AT_MOST", "0", index, last)
            }
            BinaryOp::Greater => {
                let first = self.push("SUM", "0", other, one);
                self.push("AT_LEAST", "0", index, first)
            }
            BinaryOp::LessEqual => self.push("AT_MOST", "0", index, other),
            BinaryOp::GreaterEqual => self.push("AT_LEAST", "0", index, other),
            BinaryOp::Equal => {
                let least = self.push("AT_LEAST", "0", index, other);
                self.push("AT_MOST", "0", least, other)
            }
            BinaryOp::NotEqual => self.push("WITHOUT", "0", index, other),
            _ => index,
        }
    }

    /// The step with the values of `expr`.
    fn add(&mut self, expr: Handle<Expr>) -> usize {
        let (nest, names) = (self.plan.nest(), self.plan.names());
        match &nest.exprs[expr].kind {
            ExprKind::Int(value) => self.constant(*value),
            ExprKind::Param(param) => {
                let value = write_integer(nest, names, *param, "scalars.");
                self.push("VALUE", &value, 0, 0)
            }
            ExprKind::Index(this) if self.indices.contains_key(this) => self.indices[this],
            ExprKind::Iteration(_) => {
                let none = self.constant(0);
                let last = self.push("VALUE", &format!("scalars.{} - 1", names.steps()), 0, 0);
                self.push("FROM", "0", none, last)
            }
            ExprKind::Convert(inner) => self.add(*inner),
            ExprKind::Unary(UnaryOp::Negate, inner) => {
                let (none, inner) = (self.constant(0), self.add(*inner));
                self.push("DIFFERENCE", "0", none, inner)
            }
            ExprKind::Binary(op, left, right) if !op.is_logical() => self.add_binary(*op, *left, *right),
            // A truth value.
            _ => {
                let (none, one) = (self.constant(0), self.constant(1));
                self.push("FROM", "0", none, one)
            }
        }
    }

    fn add_binary(&mut self, op: BinaryOp, left: Handle<Expr>, right: Handle<Expr>) -> usize {
        let constant = match self.plan.nest().exprs[right].kind {
            ExprKind::Int(value) => value,
            _ => 0,
        };
        let a = self.add(left);
        match op {
            BinaryOp::Div => self.push("QUOTIENT", &format!("{constant}LL"), a, a),
            BinaryOp::Rem => self.push("REMAINDER", &format!("{constant}LL"), a, a),
            BinaryOp::BitAnd => {
                let (none, mask) = (self.constant(0), self.constant(constant));
                self.push("FROM", "0", none, mask)
            }
            _ => {
                let kind = match op {
                    BinaryOp::Add => "SUM",
                    BinaryOp::Sub => "DIFFERENCE",
                    _ => "PRODUCT",
                };
                let b = self.add(right);
                self.push(kind, "0", a, b)
            }
        }
    }
}
