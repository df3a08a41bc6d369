//! What the host folds over the points of a step: the program's own loops over what the sweeps have stored for it.

use super::expr::{Scope, locals_of, write_expr};
use super::host::declare_integers;
use super::nest::NestToWrite;
use super::signature::left_name;
use super::steps::{self, StepScope};
use crate::ir::{Access, Fold, Function, Handle, Local, Loop, Param, ScalarType, Update};
use crate::text::Writer;

/// Writes the function that folds the values of the last step, if steps fold any.
pub fn write_fold(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let folds = &plan.nest().step.folds;
    if folds.accumulators.is_empty() {
        return;
    }
    let name = &plan.place.name;
    writer.line("/* Folds what the points of the last step give, in the order of the loops. */");
    let head = format!(
        "static {}void {name}_fold(const struct {name}_scalars *restrict scalars, const stencil_array *arrays, void *const *left)",
        steps::attribute(plan)
    );
    writer.block(head, |writer| {
        steps::write_pragma(writer, plan);
        declare_integers(writer, plan);
        let scope = FoldScope { plan, step: StepScope::new(plan.nest(), plan.names()) };
        scope.write_arrays(writer);
        let places = || {
            folds.accumulators.iter().enumerate().scan(0, |left, (number, it)| {
                *left += usize::from(it.is_left);
                Some((number, it.ty.c_name(), it.is_left.then(|| *left - 1)))
            })
        };
        for (number, ty, place) in places() {
            let first = place.map_or("0".to_owned(), |place| format!("*({ty} *)left[{place}]"));
            writer.line(format_args!("{ty} {} = {first};", scope.accumulator(number)));
        }
        folds.actions.iter().for_each(|action| scope.write_action(writer, action));
        for (number, ty, place) in places() {
            if let Some(place) = place {
                writer.line(format_args!("*({ty} *)left[{place}] = {};", scope.accumulator(number)));
            }
        }
    });
    writer.line("");
}

/// Calls it where a call's tables are there, with the addresses in `given`.
pub fn write_call_of_fold(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let left = plan.nest().step.folds.left().map(|it| left_name(plan.names(), it.variable));
    writer.line(format_args!("void *const left[] = {{ {} }};", left.collect::<Vec<_>>().join(", ")));
    writer.line(format_args!("{}_fold(&scalars, arrays, left);", plan.place.name));
}

/// Names in that function.
struct FoldScope<'a> {
    plan: &'a NestToWrite<'a>,
    step: StepScope<'a>,
}

impl FoldScope<'_> {
    /// Declares pointers to what the points give.
    fn write_arrays(&self, writer: &mut Writer) {
        for (number, write) in self.step.nest.step.folds.values.iter().enumerate() {
            let array = self.step.nest.accesses[*write].array;
            let ty = self.step.nest.arrays[array].element.c_name();
            let base = match self.plan.find_array_index(array, 0) {
                Some(place) => format!("arrays[{place}].base"),
                None => "NULL".to_owned(),
            };
            writer.line(format_args!("const {ty} *const g{number} = {base};"));
        }
    }

    fn write_action(&self, writer: &mut Writer, action: &Fold) {
        match action {
            Fold::Loop(this, inner) => writer.block(self.step.loop_head(*this), |writer| {
                inner.iter().for_each(|action| self.write_action(writer, action));
            }),
            Fold::Set(updates) => self.write_updates(writer, updates),
        }
    }

    /// New values are there before one of them takes the place of an old one.
    fn write_updates(&self, writer: &mut Writer, updates: &[Update]) {
        let values: Vec<_> = updates.iter().map(|update| update.value).collect();
        let locals = locals_of(self.step.nest, &values, None);
        let lines = |writer: &mut Writer| {
            for local in locals.iter().copied() {
                let Local { ty, value, .. } = &self.step.nest.locals[local];
                let value = write_expr(self.step.nest, self, *value);
                writer.line(format_args!("const {} {} = {value};", ty.c_name(), self.local(local)));
            }
            if let [Update { accumulator, value }] = updates {
                let value = write_expr(self.step.nest, self, *value);
                return writer.line(format_args!("{} = {value};", self.accumulator(*accumulator)));
            }
            for Update { accumulator, value } in updates {
                let ty = self.step.nest.step.folds.accumulators[*accumulator].ty.c_name();
                let value = write_expr(self.step.nest, self, *value);
                writer.line(format_args!("const {ty} next{accumulator} = {value};"));
            }
            for Update { accumulator, .. } in updates {
                writer.line(format_args!("{} = next{accumulator};", self.accumulator(*accumulator)));
            }
        };
        if locals.is_empty() && updates.len() == 1 { lines(writer) } else { writer.block("", lines) }
    }
}

impl Scope for FoldScope<'_> {
    fn param(&self, param: Handle<Param>) -> String {
        self.step.param(param)
    }

    fn index(&self, l: Handle<Loop>) -> String {
        self.step.index(l)
    }

    fn iteration(&self, l: Handle<Loop>) -> String {
        self.step.iteration(l)
    }

    fn local(&self, local: Handle<Local>) -> String {
        self.step.local(local)
    }

    fn read(&self, access: Handle<Access>) -> String {
        let nest = self.step.nest;
        let number = nest.step.folds.values.iter().position(|it| *it == access).expect("points give what is folded");
        let Access { array, subscripts, .. } = &nest.accesses[access];
        let strides = &nest.arrays[*array].strides;
        let terms = subscripts
            .iter()
            .zip(strides)
            .map(|(subscript, stride)| format!("{} * ({})", self.step.integer(*subscript), self.step.integer(*stride)));
        format!("g{number}[{}]", terms.collect::<Vec<_>>().join(" + "))
    }

    fn accumulator(&self, number: usize) -> String {
        format!("held{number}")
    }

    fn type_name(&self, ty: ScalarType) -> &'static str {
        ty.c_name()
    }

    fn call(&self, function: Function, ty: ScalarType, arguments: &[String]) -> String {
        self.step.call(function, ty, arguments)
    }
}
