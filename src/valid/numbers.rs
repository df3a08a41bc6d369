//! Which numbers the device may compute differently.

use std::collections::BTreeMap;

use crate::ir::{Combination, ExprKind, Function, Nest, RangeCheck, display};
use crate::options::{Clauses, FpMode};
use crate::source::{Diagnostic, Span};

/// One note for each function whose last bits depend on the library, in strict mode.
///
/// The bound is the one of OpenCL 1.2, table 7.1, for single and double precision.
pub fn note_inexact_functions(nest: &Nest, fp: FpMode) -> Vec<Diagnostic> {
    if fp != FpMode::Strict {
        return Vec::new();
    }
    let mut first_use: BTreeMap<Function, Span> = BTreeMap::new();
    let mut on_device = nest.reachable(nest.step.statements.iter().map(|statement| statement.value));
    on_device.sort();
    for part in on_device {
        if let ExprKind::Call(function, _) = &nest.exprs[part].kind
            && !function.is_exact()
        {
            first_use.entry(*function).or_insert_with(|| nest.exprs.span(part));
        }
    }
    first_use.into_iter().map(|(function, span)| inexact(function, span)).collect()
}

/// A warning where a clause gives up the order of sums, and there are none.
pub fn note_order_of_nothing(nest: &Nest, clauses: &Clauses) -> Option<Diagnostic> {
    let mut values = nest.step.folds.values.iter();
    let has_sums = values.any(|it| it.combination == Combination::Sum && nest.gives_real(it));
    let order = clauses.reduction.filter(|_| !has_sums)?;
    let message = format!("`reduction({})` changes nothing here", order.name());
    let warning = Diagnostic::warning("no-sum", message, nest.pragma);
    let reason = "no real numbers are summed over the points of this nest, one value a point, whose sum somebody reads";
    Some(warning.because(reason).with_help("take the clause out"))
}

/// Which sizes are taken to be equal.
pub fn note_equal_sizes(nest: &Nest) -> Option<Diagnostic> {
    let equal = |(one, other): &(_, _)| format!("{} == {}", nest.values.text(*one), nest.values.text(*other));
    let all: Vec<String> = nest.equal.iter().map(equal).collect();
    let (one, other) = nest.equal.first().map(|(one, other)| (nest.values.text(*one), nest.values.text(*other)))?;
    let message = format!("the device runs this nest only where `{}`", all.join(" && "));
    let reason = "rows have either length here, and elsewhere points of two rows would be one";
    let help = format!("if that is right, write `{one}` in all subscripts instead of `{other}`");
    Some(Diagnostic::note("held-value", message, nest.pragma).because(reason).with_help(help))
}

/// Which sizes are taken to be whole multiples.
pub fn note_tiled_sizes(nest: &Nest) -> Option<Diagnostic> {
    let whole = |(size, length): &(_, i64)| format!("{} % {length} == 0", nest.values.text(*size));
    let all: Vec<String> = nest.tiled.iter().map(whole).collect();
    if all.is_empty() {
        return None;
    }
    let message = format!("the device runs this nest only where `{}`", all.join(" && "));
    let reason = "a loop counts through tiles by one number, and only whole tiles are the whole grid";
    let help = "two loops over the points, without tiles, run with any size";
    Some(Diagnostic::note("held-value", message, nest.pragma).because(reason).with_help(help))
}

/// What integers are taken to hold because the program begins with it.
pub fn note_held(nest: &Nest) -> Option<Diagnostic> {
    let held = |(variable, value): &(_, i64)| format!("{} == {value}", nest.values.text(*variable));
    let all: Vec<String> = nest.held.iter().map(held).collect();
    let (variable, value) = nest.held.first()?;
    let message = format!("the device runs this nest only where `{}`", all.join(" && "));
    let note = Diagnostic::note("held-value", message, nest.pragma);
    if nest.held.iter().any(|(variable, _)| !nest.values[*variable].path.is_empty()) {
        let reason = "a loop runs over structures that hold pointers, and with one of them these are known";
        return Some(note.because(reason).with_help("if there are more, mark the loops for one of them instead"));
    }
    let help = format!(
        "if that is right, or another value is, say so by a clause: `value({} = {value})`",
        nest.values.text(*variable)
    );
    let reason = "that is what the program begins with, and which elements a point uses depends on it";
    Some(note.because(reason).with_help(help))
}

/// How long loops may be at a point.
pub fn note_bounded(nest: &Nest) -> Option<Diagnostic> {
    let ends = |it: &RangeCheck| {
        let value = display::expression(nest, it.value).replace("(long long)", "");
        match (it.least, it.greatest) {
            (i64::MIN, greatest) => format!("{value} <= {greatest}"),
            (least, _) => format!("{value} >= {least}"),
        }
    };
    let all: Vec<String> = nest.lengths().map(ends).collect();
    if all.is_empty() {
        return None;
    }
    let message = format!("the device runs this nest only where `{}`", all.join(" && "));
    let reason =
        "kernels have so many iterations of a loop at each point written out, each with a test whether the loop has it";
    let help =
        "if the length is always the same, give it as a constant or by a clause, as in `value(r = 3)`: that is faster";
    Some(Diagnostic::note("held-value", message, nest.pragma).because(reason).with_help(help))
}

fn inexact(function: Function, span: Span) -> Diagnostic {
    let name = function.name();
    let ulps = opencl_error_bound(function);
    Diagnostic::note("inexact-function", format!("`{name}` may differ in the last bits"), span)
        .because(format!("the device's library computes it, within {ulps} units in the last place"))
        .with_help("all other operations of the nest are bit-identical to the original")
}

/// Largest error in units in the last place that OpenCL 1.2 (section 7.4) allows.
fn opencl_error_bound(function: Function) -> u32 {
    match function {
        Function::Cbrt => 2,
        Function::Exp | Function::Exp2 | Function::Expm1 => 3,
        Function::Log | Function::Log2 | Function::Log10 => 3,
        Function::Log1p => 2,
        Function::Hypot => 4,
        Function::Sin | Function::Cos | Function::Asin | Function::Acos => 4,
        Function::Sinh | Function::Cosh => 4,
        Function::Tan | Function::Atan | Function::Tanh => 5,
        Function::Atan2 => 6,
        Function::Erf | Function::Erfc | Function::Pow => 16,
        _ => 0,
    }
}
