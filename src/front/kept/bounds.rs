//! Sums and maxima of real numbers of which the host needs no more than bounds between its steps, as all that it does with them
//! there is to compare them: `while (err > tol)`.
//!
//! A device sums in an order of its own, and knows how far that may be from the sum in the original order; it finds the upper half
//! of a maximum's bits sooner than all. If all comparisons come out alike for all numbers so far away, they come out as the
//! original's, and no step's values have to come to the host. Where the host does anything else with such a scalar behind the
//! loop, or with a sum now and then within, it asks for the original's.

use std::ops::Range;

use super::comparisons::{Number, Operation, escapes_in_each_step};
use super::kept_loop::{Asks, Bounded, Bounds, Place};
use super::values::{Around, Look, looks, starts_anew};
use crate::front::MarkedNest;
use crate::ir::{
    BinaryOp, Combination, Comparison, Expr, ExprKind, Fold, Folds, Function, Handle, HostValue, Looks, Nest, Param,
    ParamValue, PointValues, ScalarType, UnaryOp, Update, Variable,
};

/// What a device's bounds could be enough for; `known` are the places without looks at scalars, `usual` is when the host looks.
pub fn bounds(around: &Around, nest: &Nest, known: &[Place], usual: &Option<Vec<Look>>) -> Option<Bounds> {
    let is_told = around.step.gaps.is_empty() || nest.step.folds.tells_at_once();
    if !is_told || !all_start_anew(nest) {
        return None;
    }
    let mut found = Bounds { places: known.to_vec(), ..Bounds::default() };
    let mut compared: Vec<Range<usize>> = Vec::new();
    let mut names = Vec::new();
    for bounded in candidates(nest) {
        let accumulators = &nest.step.folds.accumulators;
        let seen: Vec<usize> = bounded.scalars().filter(|it| accumulators[*it].is_left).collect();
        let own: Vec<&str> = seen.iter().map(|it| nest.values.text(accumulators[*it].variable)).collect();
        let comparisons = seen.iter().zip(&own).flat_map(|(number, name)| {
            let found = around.comparisons(name, accumulators[*number].ty).into_iter();
            found.map(move |(range, written)| (range, (*number, written)))
        });
        let (ranges, written): (Vec<_>, Vec<_>) = comparisons.unzip();
        let is_compared = !written.is_empty() || !bounded.decisions.is_empty();
        let has_bounds = match bounded.combination {
            Combination::Sum => !is_compared || nest.step.folds.values[bounded.values].is_never_negative,
            // What nobody compares is the maximum itself.
            _ => is_compared,
        };
        if !has_bounds || own.iter().any(|name| escapes_in_each_step(around, name, &ranges)) {
            continue;
        }
        // In the head of a loop nothing can be put before a use.
        let others = looks(around, nest, &own, &ranges);
        // A maximum itself takes little longer than its bounds, and far less than a step that is computed again.
        if others.is_some_and(|it| it.is_empty() || bounded.combination == Combination::Sum) {
            compared.extend(ranges);
            names.extend(own);
            found.comparisons.extend(written);
            found.bounded.push(bounded);
        }
    }
    let exact = looks(around, nest, &names, &compared).filter(|_| !found.bounded.is_empty())?;
    // Of all else that is folded the host has the values then, too.
    usual.iter().flatten().for_each(|look| add(&mut found.places, Place::of_comparisons(*look)));
    exact.into_iter().for_each(|look| add(&mut found.places, Place::of_values(look)));
    let is_of_use = usual.is_none() || found.places.iter().any(|place| place.asks == Asks::Comparisons);
    is_of_use.then_some(found)
}

/// Whether the host may ask in each step, behind it or where it may leave it, for what that folds in the order of its points: then
/// the device cannot run ahead of it.
pub fn waits_for_order(marked: &MarkedNest) -> bool {
    let (nest, folds) = (&marked.nest, &marked.nest.step.folds);
    let bounds = marked.kept.as_ref().and_then(|it| it.bounds.as_ref());
    let is_bounded = |number: usize| bounds.is_some_and(|it| it.bounded.iter().any(|it| it.values == number));
    let has_order = |(number, values): (usize, &PointValues)| match values.combination {
        Combination::InOrder => true,
        Combination::Sum => nest.gives_real(values) && !is_bounded(number),
        _ => false,
    };
    let asks = if folds.tells_early { !folds.goes_through } else { folds.looks != Looks::Behind };
    asks && folds.values.iter().enumerate().any(has_order)
}

/// Adds a place, or what it needs to one that is there.
pub fn add(places: &mut Vec<Place>, place: Place) {
    match places.iter_mut().find(|it| it.span == place.span) {
        Some(known) => known.asks = known.asks.max(place.asks),
        None => places.push(place),
    }
}

fn all_start_anew(nest: &Nest) -> bool {
    let folds = &nest.step.folds;
    (0..folds.accumulators.len()).filter(|it| folds.accumulators[*it].is_left).all(|it| starts_anew(nest, folds, it))
}

/// The scalars whose bounds can be told, and sums that the host does not compare.
fn candidates(nest: &Nest) -> Vec<Bounded> {
    let folds = &nest.step.folds;
    let all = |bounded: &Bounded| bounded.scalars().chain(bounded.decided.iter().copied()).collect::<Vec<_>>();
    let is_seen = |bounded: &Bounded| all(bounded).into_iter().any(|it| folds.accumulators[it].is_left);
    let is_alone = |bounded: &Bounded| {
        let users = folds.actions.iter().filter(|it| nest.folded_alone(it).is_some_and(|it| it.0 == bounded.values));
        let is_given = |number: usize| {
            let variable = folds.accumulators[number].variable;
            nest.params.iter().any(|(_, it)| matches!(it.value, ParamValue::Variable(it) if it == variable))
        };
        users.count() == 1 && !all(bounded).into_iter().any(is_given)
    };
    let numbers = 0..folds.accumulators.len();
    let found = numbers.filter_map(|accumulator| candidate(nest, folds, accumulator));
    found.filter(|bounded| is_seen(bounded) && is_alone(bounded)).collect()
}

/// A scalar that sums values from zero on, or is the largest of some, and from then on grows or falls with that, as do those that are
/// made of it.
fn candidate(nest: &Nest, folds: &Folds, accumulator: usize) -> Option<Bounded> {
    let (mut found, mut first): (Option<Bounded>, _) = (None, None);
    let is_one = |part: Handle<Expr>, numbers: &[usize]| matches!(nest.exprs[part].kind, ExprKind::Accumulator(it) if numbers.contains(&it));
    for action in &folds.actions {
        let updates = action.updates();
        let mut derived = found.as_ref().map(|it| it.derived.clone()).unwrap_or_default();
        let (mut decided, mut decisions) = (Vec::new(), Vec::new());
        let known: Vec<usize> = [accumulator].into_iter().chain(derived.iter().copied()).collect();
        let sets_itself = updates.iter().any(|it| it.accumulator == accumulator);
        for update in updates.iter().filter(|it| it.accumulator != accumulator) {
            let is_made = nest.reachable([update.value]).into_iter().any(|part| is_one(part, &known));
            let is_known = known.contains(&update.accumulator);
            let is_new =
                !is_known && folds.updates().iter().filter(|it| it.accumulator == update.accumulator).count() == 1;
            let is_ordered = || known.iter().any(|it| keeps_order(nest, update.value, *it));
            match action {
                _ if !is_made && !is_known => {}
                Fold::Set(_) if !sets_itself && found.is_some() && is_new && is_ordered() => {
                    derived.push(update.accumulator)
                }
                Fold::Set(_)
                    if !sets_itself
                        && found.is_some()
                        && is_new
                        && are_decided(nest, update.value, &known, &mut decisions) =>
                {
                    decided.push(update.accumulator)
                }
                _ => return None,
            }
        }
        if let Some(found) = &mut found {
            found.derived = derived;
            found.decided.extend(decided);
            found.decisions.extend(decisions);
        }
        let Some(update) = updates.iter().find(|it| it.accumulator == accumulator) else { continue };
        match (action, &found, first) {
            (Fold::Set(_), None, None) if is_number(nest, update.value) => first = Some(update.value),
            (Fold::Loop(..), None, Some(first)) => found = Some(bounded(nest, folds, action, accumulator, first)?),
            (Fold::Set(_), Some(_), _) if keeps_order(nest, update.value, accumulator) => {}
            _ => return None,
        }
    }
    found
}

/// What an action makes of a scalar and the values that it folds one by one.
fn bounded(nest: &Nest, folds: &Folds, action: &Fold, accumulator: usize, first: Handle<Expr>) -> Option<Bounded> {
    let (values, Update { value, .. }) = nest.folded_alone(action)?;
    let combination = folds.values[values].combination;
    let has_bounds = match combination {
        Combination::Sum => is_plain_zero(nest, first) && sums(nest, &folds.values[values], value, accumulator),
        Combination::Maximum => has_halves(nest, &folds.values[values]),
        _ => false,
    };
    let (derived, decided, decisions) = Default::default();
    has_bounds.then_some(Bounded { accumulator, derived, decided, decisions, values, combination })
}

/// What an expression is without names, and without conversions that change nothing.
fn bare(nest: &Nest, expr: Handle<Expr>) -> Handle<Expr> {
    match nest.exprs[expr].kind {
        ExprKind::Local(local) => bare(nest, nest.locals[local].value),
        ExprKind::Convert(inner) if nest.exprs[inner].ty == nest.exprs[expr].ty => bare(nest, inner),
        _ => expr,
    }
}

fn is_plain_zero(nest: &Nest, value: Handle<Expr>) -> bool {
    match &nest.exprs[bare(nest, value)].kind {
        ExprKind::Int(0) => true,
        ExprKind::Float(digits) => digits.bytes().all(|it| it == b'0' || it == b'.') && digits.contains('0'),
        ExprKind::Convert(inner) => is_plain_zero(nest, *inner),
        _ => false,
    }
}

/// Whether a new value of a scalar is its sum with one of `values`.
fn sums(nest: &Nest, values: &PointValues, value: Handle<Expr>, accumulator: usize) -> bool {
    let is_held = |it: Handle<Expr>| matches!(nest.exprs[it].kind, ExprKind::Accumulator(it) if it == accumulator);
    let is_given = |it: Handle<Expr>| matches!(nest.exprs[it].kind, ExprKind::Read(it) if it == values.write);
    let ExprKind::Binary(BinaryOp::Add, one, other) = nest.exprs[bare(nest, value)].kind else { return false };
    let (one, other) = (bare(nest, one), bare(nest, other));
    let is_sum = is_held(one) && is_given(other) || is_given(one) && is_held(other);
    is_sum && nest.gives_real(values)
}

/// Whether the upper halves of values have their order.
fn has_halves(nest: &Nest, values: &PointValues) -> bool {
    let statement = nest.step.statements.iter().find(|it| it.write == values.write);
    let element = nest.arrays[nest.accesses[values.write].array].element;
    element == ScalarType::F64 && statement.is_some_and(|it| nest.has_no_sign(it.value))
}

/// Whether a value is made of numbers that do not change in a step.
fn is_number(nest: &Nest, value: Handle<Expr>) -> bool {
    nest.reachable([value]).into_iter().all(|part| match &nest.exprs[part].kind {
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Param(_)
        | ExprKind::Local(_)
        | ExprKind::Convert(_)
        | ExprKind::Unary(UnaryOp::Negate, _) => true,
        ExprKind::Binary(op, ..) => matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul),
        _ => false,
    })
}

/// Whether all that a value takes from the folded scalars is how comparisons of the `known` ones with numbers come out; adds these.
fn are_decided(nest: &Nest, value: Handle<Expr>, known: &[usize], decisions: &mut Vec<Comparison>) -> bool {
    let value = bare(nest, value);
    let ordered = |part: Handle<Expr>| known.iter().copied().find(|it| keeps_order(nest, part, *it));
    match &nest.exprs[value].kind {
        ExprKind::Accumulator(_) => false,
        ExprKind::Binary(op, one, other) if op.is_comparison() && nest.exprs[bare(nest, *one)].ty.is_float() => {
            let is_order = !matches!(op, BinaryOp::Equal | BinaryOp::NotEqual);
            let found = match (ordered(*one), ordered(*other)) {
                (Some(accumulator), _) if is_number(nest, *other) => Some((accumulator, *one, *op, *other)),
                (_, Some(accumulator)) if is_number(nest, *one) => Some((accumulator, *other, op.turned(), *one)),
                _ => None,
            };
            let found = found.filter(|_| is_order);
            decisions.extend(found.map(|(accumulator, left, op, right)| Comparison { accumulator, left, op, right }));
            found.is_some() || !has_accumulator(nest, value)
        }
        kind => kind.operands().into_iter().all(|part| are_decided(nest, part, known, decisions)),
    }
}

fn has_accumulator(nest: &Nest, value: Handle<Expr>) -> bool {
    nest.reachable([value]).into_iter().any(|part| matches!(nest.exprs[part].kind, ExprKind::Accumulator(_)))
}

/// Whether a value grows or falls with a scalar.
fn keeps_order(nest: &Nest, value: Handle<Expr>, accumulator: usize) -> bool {
    let value = bare(nest, value);
    let Expr { ty, kind } = &nest.exprs[value];
    let is_ordered = |it: &Handle<Expr>| keeps_order(nest, *it, accumulator);
    ty.is_float()
        && match kind {
            ExprKind::Accumulator(it) => *it == accumulator,
            ExprKind::Convert(inner) => is_ordered(inner),
            ExprKind::Call(Function::Sqrt, arguments) => arguments.iter().all(is_ordered),
            ExprKind::Binary(BinaryOp::Div, one, other) => is_ordered(one) && is_number(nest, *other),
            ExprKind::Binary(BinaryOp::Mul, one, other) => {
                is_ordered(one) && is_number(nest, *other) || is_number(nest, *one) && is_ordered(other)
            }
            _ => false,
        }
}

impl Bounds {
    /// Lets a nest know of them.
    pub fn apply(&self, nest: &mut Nest) {
        for bounded in &self.bounded {
            let values = &mut nest.step.folds.values[bounded.values];
            values.is_bounded = true;
            let is_written = self.comparisons.iter().any(|(it, _)| bounded.scalars().any(|one| one == *it));
            values.is_compared = is_written || !bounded.decisions.is_empty();
            bounded.scalars().for_each(|it| nest.step.folds.accumulators[it].is_bounded = true);
        }
        let mut numbers = Numbers { nest, known: Vec::new() };
        for (accumulator, written) in &self.comparisons {
            let left = numbers.left(*accumulator, &written.operations);
            let right = numbers.expr(&written.with);
            let comparison = Comparison { accumulator: *accumulator, left, op: written.op, right };
            numbers.nest.step.folds.comparisons.push(comparison);
        }
        for bounded in &self.bounded {
            nest.step.folds.comparisons.extend(bounded.decisions.iter().cloned());
        }
        // What is near enough to be compared is not what others may need.
        debug_assert!(nest.step.folds.looks != Looks::Behind);
    }
}

/// Numbers that calls bring.
struct Numbers<'n> {
    nest: &'n mut Nest,
    known: Vec<(String, Handle<Param>)>,
}

impl Numbers<'_> {
    fn push(&mut self, ty: ScalarType, kind: ExprKind) -> Handle<Expr> {
        let span = self.nest.span;
        self.nest.exprs.push(Expr { ty, kind }, span)
    }

    fn left(&mut self, accumulator: usize, operations: &[Operation]) -> Handle<Expr> {
        let mut ty = self.nest.step.folds.accumulators[accumulator].ty;
        let mut value = self.push(ty, ExprKind::Accumulator(accumulator));
        for operation in operations {
            let kind = match operation {
                Operation::Widened => {
                    ty = ScalarType::F64;
                    ExprKind::Convert(value)
                }
                Operation::Root => ExprKind::Call(Function::Sqrt, vec![value]),
                Operation::Times(number) => ExprKind::Binary(BinaryOp::Mul, value, self.expr(number)),
                Operation::Over(number) => ExprKind::Binary(BinaryOp::Div, value, self.expr(number)),
            };
            value = self.push(ty, kind);
        }
        value
    }

    fn expr(&mut self, number: &Number) -> Handle<Expr> {
        let text = match number {
            Number::Digits(digits) => return self.push(ScalarType::F64, ExprKind::Float(digits.clone())),
            Number::Text(text) => text,
        };
        let param = self.given(text).unwrap_or_else(|| self.param(text));
        let ty = self.nest.params[param].ty;
        let value = self.push(ty, ExprKind::Param(param));
        if ty == ScalarType::F64 { value } else { self.push(ScalarType::F64, ExprKind::Convert(value)) }
    }

    /// The parameter of the nest that a variable is.
    fn given(&self, name: &str) -> Option<Handle<Param>> {
        let is_it = |it: &ParamValue| matches!(it, ParamValue::Variable(it) if self.nest.values.text(*it) == name);
        self.nest.params.iter().find(|(_, it)| is_it(&it.value)).map(|(param, _)| param)
    }

    /// The parameter that brings what an expression of the host's comes to.
    fn param(&mut self, text: &str) -> Handle<Param> {
        if let Some((_, known)) = self.known.iter().find(|(other, _)| other == text) {
            return *known;
        }
        let span = self.nest.span;
        let variable = Variable { file: span.file, declared_at: span.start, name: text.to_owned() };
        let word: String =
            text.chars().skip_while(|it| !it.is_alphabetic()).take_while(|it| it.is_alphanumeric()).collect();
        let value: Handle<HostValue> = self.nest.values.expression(variable, format!("limit_{word}"));
        let param = self.nest.params.push(Param { ty: ScalarType::F64, value: ParamValue::Variable(value) }, span);
        self.known.push((text.to_owned(), param));
        param
    }
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read_marked};
    use crate::front::{Asks, MarkedNest};

    /// A loop whose step begins with `first`, does `body` at each point and `last` at its end, and whose host does `code`.
    fn kept(first: &str, body: &str, last: &str, code: &str) -> MarkedNest {
        let text = format!(
            "double s = 9, other = 0; int k = 0;\n#pragma stencil\nwhile (k < n) {{ k++; {first}
            for (int i = 1; i < n; i++) {{ b[i] = a[i - 1]; {body} }}
            {last}
            for (int i = 1; i < n; i++) a[i] = b[i];
            {code} }}\nprintf(\"%g %g\", s, other);"
        );
        let text = format!("#include <stdio.h>\n{}", function("int n, double *a, double *b", &text));
        let mut marked = read_marked(&text, &[]).remove(0).expect("it is accepted");
        marked.bound_folds();
        marked
    }

    fn is_bounded(first: &str, body: &str, last: &str) -> bool {
        let folds = kept(first, body, last, "if (s < 0.1) break;").nest.step.folds;
        assert_eq!(folds.values.iter().any(|it| it.is_bounded), !folds.comparisons.is_empty());
        !folds.comparisons.is_empty()
    }

    #[test]
    fn sums_of_what_is_never_negative_have_bounds() {
        for (body, last) in [
            ("s += b[i] * b[i];", ""),
            ("double d = b[i] - a[i]; s = d * d / 2 + s;", "s = sqrt(s / n);"),
            ("s += fabs(a[i]) * 0.5 + sqrt(b[i]);", "s *= 3 * n;"),
            ("s += b[i] * b[i];", "other = sqrt(s);"),
        ] {
            assert!(is_bounded("s = 0;", body, last), "{body} {last}");
        }
    }

    #[test]
    fn other_sums_have_none() {
        for (first, body, last) in [
            ("s = 0;", "s += b[i];", ""),
            ("s = 0;", "s += b[i] * a[i];", ""),
            ("s = 1;", "s += b[i] * b[i];", ""),
            ("s = 0;", "s -= b[i] * b[i];", ""),
            ("", "s += b[i] * b[i];", ""),
            ("s = 0;", "s += b[i] * b[i];", "s = 1 / s;"),
            ("s = 0;", "s += b[i] * b[i];", "s = s * s;"),
            ("s = 0; other = 0;", "s += b[i] * b[i]; other += b[i] * b[i];", ""),
            ("s = 0;", "s += b[i] * b[i];", "other = 1 / s;"),
            ("s = 0; other = s;", "s = s > b[i] ? s : b[i] * b[i];", ""),
        ] {
            assert!(!is_bounded(first, body, last), "{first} {body} {last}");
        }
    }

    #[test]
    fn maxima_without_signs_have_bounds_where_nothing_else_looks_at_them() {
        let most = "s = fmax(s, fabs(b[i] - a[i]));";
        for (first, body, last) in
            [("s = 0;", most, ""), ("s = -1;", "double d = fabs(b[i] - a[i]); if (d > s) s = d;", "s = sqrt(s) * 2;")]
        {
            assert!(is_bounded(first, body, last), "{first} {body} {last}");
        }
        for (first, body, last) in [
            ("", most, ""),
            ("s = 0;", "s = fmax(s, b[i] - a[i]);", ""),
            ("s = 0;", "s = fmax(s, sqrt(b[i]));", ""),
            ("s = 0;", "s = fmin(s, fabs(b[i]));", ""),
            ("s = 0;", most, "other = 1 / s;"),
        ] {
            assert!(!is_bounded(first, body, last), "{first} {body} {last}");
        }
        let marked = kept("s = 0;", most, "", "if (s < 0.1) break; if (k % 9 == 0) printf(\"%g\", s);");
        assert!(marked.nest.step.folds.comparisons.is_empty());
    }

    #[test]
    fn other_uses_get_the_sum_itself() {
        let code = "if (k % 9 == 0) printf(\"%g\", s); if (s < 0.1) { printf(\"%g\", s); break; } if (s > 7) k++;";
        let places = kept("s = 0;", "s += b[i] * b[i];", "", code).kept.expect("the host keeps the loop").places;
        let asks: Vec<Asks> = places.iter().map(|place| place.asks).collect();
        assert_eq!(asks.iter().filter(|it| **it == Asks::Values).count(), 2, "{asks:?}");
        assert_eq!(asks.iter().filter(|it| **it == Asks::Comparisons).count(), 1, "{asks:?}");
    }
}
