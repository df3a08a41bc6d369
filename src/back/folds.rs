//! What the host folds over the points of a step: the program's own loops over what the sweeps have stored for it.

use std::collections::BTreeSet;

use super::expr::{Scope, locals_of, write_expr};
use super::host::declare_integers;
use super::initializer::write_table;
use super::left::kind;
use super::nest::NestToWrite;
use super::signature::left_name;
use super::steps::{self, StepScope};
use crate::ir::{
    Access, Accumulator, Combination, Comparison, Expr, ExprKind, Fold, Function, Handle, Local, Loop, Param,
    ScalarType, Update,
};
use crate::text::{Writer, quote};
use crate::tile::combination;

/// Writes the function that folds the values of the last step, if steps fold any. What bounds were enough for is folded `again` when
/// the host asks for it: the other scalars it has already, and may have changed.
pub fn write_fold(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let folds = &plan.nest().step.folds;
    if folds.accumulators.is_empty() {
        return;
    }
    let name = &plan.place.name;
    writer.line("/* Folds what the points of the last step give, in the order of the loops. */");
    let head = format!(
        "static {}void {name}_fold(const struct {name}_scalars *restrict scalars, const stencil_array *arrays, \
         const stencil_room *rooms, void *const *left{}{})",
        steps::attribute(plan),
        if folds.tells_each_leg { ", int leg" } else { "" },
        if folds.are_some_folded_again() { ", int again" } else { "" }
    );
    writer.block(head, |writer| {
        steps::write_pragma(writer, plan);
        declare_integers(writer, plan);
        let scope = FoldScope { plan, step: StepScope::new(plan.nest(), plan.names()), place: Place::Each };
        writer.line("(void)arrays;");
        writer.line("(void)rooms;");
        scope.write_arrays(writer);
        scope.declare_last_step(writer);
        if !folds.tells_each_leg {
            return scope.write_fold_of(writer, |_| true);
        }
        for leg in folds.telling_legs() {
            writer.block(format_args!("if (leg == {leg})"), |writer| {
                scope.write_fold_of(writer, |number| folds.accumulators[number].leg == Some(leg));
            });
        }
    });
    writer.line("");
}

/// Calls it where a call's tables are there, with the addresses in `given`.
pub fn write_call_of_fold(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let left = plan.nest().step.folds.left().map(|it| left_name(plan.names(), it.variable));
    let left = format!("(void *const[]){{ {} }}", left.collect::<Vec<_>>().join(", "));
    let folds = &plan.nest().step.folds;
    let leg = if folds.tells_each_leg { ", recording->folded_leg" } else { "" };
    let again = if folds.are_some_folded_again() { ", recording->folds_again" } else { "" };
    writer.line(format_args!("{}_fold(&scalars, arrays, recording->rooms, {left}{leg}{again});", plan.place.name));
}

/// Calls it for copies of the scalars, if they are to be compared with those that the program's own loops leave.
pub fn write_trial_of_fold(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let (nest, name) = (plan.nest(), &plan.place.name);
    let count = nest.step.folds.left().count();
    // A step with legs is never run by itself.
    if count == 0 || nest.step.folds.tells_each_leg {
        return;
    }
    writer.block("if (recording->request == STENCIL_RUN && !answer)", |writer| {
        let rows = nest.step.folds.left().map(|Accumulator { variable, ty, .. }| {
            let text = quote(nest.values.text(*variable));
            let (left, ty, kind) = (left_name(plan.names(), *variable), ty.c_name(), kind(*ty));
            format!("{{ {text}, {left}, sizeof({ty}), STENCIL_{kind}, {{ 0 }} }}")
        });
        write_table(writer, "const stencil_left folds[]", &rows.collect::<Vec<_>>());
        writer.line(format_args!("void *addresses[{count}];"));
        writer.line(format_args!("if (stencil_keep_folds(&{name}_turn, &call, folds, {count}, addresses))"));
        let again = if nest.step.folds.are_some_folded_again() { ", 0" } else { "" };
        writer.line(format_args!("    {name}_fold(&scalars, arrays, recording->rooms, addresses{again});"));
    });
}

/// Writes the function that tells how comparisons of sums come out, if bounds may be enough for some.
pub fn write_outcomes(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let comparisons = &plan.nest().step.folds.comparisons;
    if comparisons.is_empty() {
        return;
    }
    let name = &plan.place.name;
    writer.line("/* How the host's comparisons come out if sums are at one of their ends; 0 if that is not known. */");
    let head = format!(
        "static {}int {name}_outcomes(const struct {name}_scalars *restrict scalars, const stencil_room *rooms, int one_end, \
         int *outcomes)",
        steps::attribute(plan)
    );
    writer.block(head, |writer| {
        steps::write_pragma(writer, plan);
        declare_integers(writer, plan);
        let scope = FoldScope { plan, step: StepScope::new(plan.nest(), plan.names()), place: Place::End };
        scope.write_ends(writer);
        for (number, Comparison { left, op, right, .. }) in comparisons.iter().enumerate() {
            let locals = locals_of(plan.nest(), &[*left, *right], None);
            let (compared, right) = (write_expr(plan.nest(), &scope, *left), write_expr(plan.nest(), &scope, *right));
            writer.block("", |writer| {
                scope.write_locals(writer, &locals);
                writer.line(format_args!("const double left = {compared};"));
                writer.line("if (!stencil_is_number(left))");
                writer.line("    return 0;");
                writer.line(format_args!("outcomes[{number}] = left {} ({right});", op.symbol()));
            });
        }
        writer.line("return 1;");
    });
    writer.line("");
}

/// Answers whether they come out alike at both ends.
pub fn write_call_of_outcomes(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let (name, count) = (&plan.place.name, plan.nest().step.folds.comparisons.len());
    if count == 0 {
        return;
    }
    writer.block("if (recording->request == STENCIL_COMPARE)", |writer| {
        writer.line(format_args!("int lowest[{count}], highest[{count}];"));
        writer.line("return stencil_find_ends(recording, &call) &&");
        let outcomes = |end, outcomes| format!("{name}_outcomes(&scalars, recording->rooms, {end}, {outcomes})");
        writer.line(format_args!("    {} && {} &&", outcomes(0, "lowest"), outcomes(1, "highest")));
        writer.line("    memcmp(lowest, highest, sizeof lowest) == 0;");
    });
}

/// Names in that function.
struct FoldScope<'a> {
    plan: &'a NestToWrite<'a>,
    step: StepScope<'a>,
    place: Place,
}

/// Where what points give is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// In arrays, point by point.
    Each,
    /// One value has taken the place of all.
    Combined,
    /// The same, at one of the ends between which it is.
    End,
}

/// Of loops around one new value that the device may have combined: the number of what the points give, and the new value.
pub fn combined(plan: &NestToWrite<'_>, action: &Fold) -> Option<(usize, Update)> {
    let found = plan.nest().folded_alone(action)?;
    let values = &plan.nest().step.folds.values[found.0];
    (combination(plan.nest(), values, plan.order) != Combination::InOrder).then_some(found)
}

impl FoldScope<'_> {
    /// Folds the scalars of these numbers, from what they hold.
    fn write_fold_of(&self, writer: &mut Writer, is_wanted: impl Fn(usize) -> bool) {
        let folds = &self.step.nest.step.folds;
        let places = folds.accumulators.iter().enumerate().scan(0, |left, (number, it)| {
            *left += usize::from(it.is_left);
            Some((number, it, it.is_left.then(|| *left - 1)))
        });
        let places: Vec<_> = places.filter(|(number, ..)| is_wanted(*number)).collect();
        for (number, accumulator, place) in &places {
            let ty = accumulator.ty.c_name();
            let first = place.map_or("0".to_owned(), |place| format!("*({ty} *)left[{place}]"));
            writer.line(format_args!("{ty} {} = {first};", self.accumulator(*number)));
        }
        let is_of_it = |action: &&Fold| action.updates().iter().any(|update| is_wanted(update.accumulator));
        folds.actions.iter().filter(is_of_it).for_each(|action| self.write_step_action(writer, action));
        for (number, accumulator, place) in &places {
            let Some(place) = place else { continue };
            let is_first = if folds.are_some_folded_again() && !accumulator.is_bounded { "if (!again) " } else { "" };
            let (ty, value) = (accumulator.ty.c_name(), self.accumulator(*number));
            writer.line(format_args!("{is_first}*({ty} *)left[{place}] = {value};"));
        }
    }

    /// Declares the variable of the loop over time, if new values are made of it.
    fn declare_last_step(&self, writer: &mut Writer) {
        let nest = self.step.nest;
        let Some(time) = nest.clock.time() else { return };
        let values: Vec<_> = nest.step.folds.updates().iter().map(|update| update.value).collect();
        let is_time = |part: Handle<Expr>| match nest.exprs[part].kind {
            ExprKind::Index(this) | ExprKind::Iteration(this) => this == time,
            _ => false,
        };
        if nest.reachable(values).into_iter().any(is_time) {
            writer.line(format_args!("const long long {} = {} - 1;", steps::DONE, self.step.names.steps()));
            steps::declare_time(&self.step, writer, time);
        }
    }

    /// Declares pointers to what the points give.
    fn write_arrays(&self, writer: &mut Writer) {
        for (number, values) in self.step.nest.step.folds.values.iter().enumerate() {
            let array = self.step.nest.accesses[values.write].array;
            let ty = self.step.nest.arrays[array].element.c_name();
            let base = self.plan.base_in_tables(array);
            writer.line(format_args!("const {ty} *const g{number} = {base};"));
        }
    }

    /// Declares the scalars that are compared, and those that they are made of, at one end.
    fn write_ends(&self, writer: &mut Writer) {
        let (nest, folds) = (self.step.nest, &self.step.nest.step.folds);
        let mut compared: BTreeSet<usize> = folds.comparisons.iter().map(|it| it.accumulator).collect();
        for update in folds.updates().into_iter().rev() {
            if compared.contains(&update.accumulator) {
                let parts = nest.reachable([update.value]).into_iter().map(|part| &nest.exprs[part].kind);
                compared.extend(parts.filter_map(|kind| match kind {
                    ExprKind::Accumulator(number) => Some(*number),
                    _ => None,
                }));
            }
        }
        for number in &compared {
            let ty = folds.accumulators[*number].ty.c_name();
            writer.line(format_args!("{ty} {} = 0;", self.accumulator(*number)));
        }
        for action in &folds.actions {
            let updates: Vec<Update> =
                action.updates().into_iter().filter(|it| compared.contains(&it.accumulator)).collect();
            match action {
                _ if updates.is_empty() => {}
                Fold::Set(_) => self.write_updates(writer, &updates),
                Fold::Loop(..) => updates.iter().for_each(|update| self.write_updates(writer, &[*update])),
            }
        }
    }

    /// Writes an action, or what is done in its place if the device has combined the values.
    fn write_step_action(&self, writer: &mut Writer, action: &Fold) {
        let Some((number, update)) = combined(self.plan, action) else {
            return self.write_action(writer, action);
        };
        writer.block(format_args!("if (rooms[{number}].combined.is_known && rooms[{number}].has_points)"), |writer| {
            let step = StepScope::new(self.step.nest, self.step.names);
            FoldScope { plan: self.plan, step, place: Place::Combined }.write_updates(writer, &[update]);
        });
        writer
            .block(format_args!("if (!rooms[{number}].combined.is_known)"), |writer| self.write_action(writer, action));
    }

    fn write_action(&self, writer: &mut Writer, action: &Fold) {
        match action {
            Fold::Loop(this, inner) => writer.block(self.step.loop_head(*this), |writer| {
                inner.iter().for_each(|action| self.write_action(writer, action));
            }),
            Fold::Set(updates) => self.write_updates(writer, updates),
        }
    }

    fn write_locals(&self, writer: &mut Writer, locals: &[Handle<Local>]) {
        for local in locals.iter().copied() {
            let Local { ty, value, .. } = &self.step.nest.locals[local];
            let value = write_expr(self.step.nest, self, *value);
            writer.line(format_args!("const {} {} = {value};", ty.c_name(), self.local(local)));
        }
    }

    /// New values are there before one of them takes the place of an old one.
    fn write_updates(&self, writer: &mut Writer, updates: &[Update]) {
        let values: Vec<_> = updates.iter().map(|update| update.value).collect();
        let locals = locals_of(self.step.nest, &values, None);
        let lines = |writer: &mut Writer| {
            self.write_locals(writer, &locals);
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
        let number = nest.step.folds.values.iter().position(|it| it.write == access);
        let number = number.expect("points give what is folded");
        let Access { array, subscripts, .. } = &nest.accesses[access];
        let element = nest.arrays[*array].element;
        let member = match self.place {
            Place::Each => None,
            Place::Combined => Some(if element.is_float() { "combined.real" } else { "combined.integer" }),
            Place::End => Some("ends[one_end]"),
        };
        if let Some(member) = member {
            return format!("({})rooms[{number}].{member}", element.c_name());
        }
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
