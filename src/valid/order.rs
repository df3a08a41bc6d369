//! Why a nest is no sequence of parallel sweeps.

use std::collections::BTreeMap;

use crate::ir::{Access, Array, Clock, Expr, ExprKind, Handle, HostValue, Loop, Nest, ParamValue, Statement};
use crate::source::Diagnostic;

/// For each dependence of a sweep on itself within a step the reads with their offsets, if constant.
type Reads = [BTreeMap<Handle<Access>, Option<Vec<i64>>>];

/// A sweep that needs its own values of a step; `carrier` is the loop that alone carries these dependences.
pub(super) fn needs_itself(nest: &Nest, statement: usize, carrier: Option<Handle<Loop>>, own: &Reads) -> Diagnostic {
    match carrier {
        Some(carrier) => carried_by_loop(nest, statement, carrier, own),
        None => gauss_seidel(nest, statement, own),
    }
}

fn carried_by_loop(nest: &Nest, statement: usize, carrier: Handle<Loop>, own: &Reads) -> Diagnostic {
    let array = written(nest, statement);
    let statement = &nest.step.statements[statement];
    let variable = nest.values.text(nest.loops[carrier].variable);
    let message =
        format!("each iteration of the loop over `{variable}` uses values of `{array}` from iterations before it");
    let error = Diagnostic::error("outer-loop-carries", message, statement.span)
        .because(format!("only the loops inside the loop over `{variable}` can run in parallel"))
        .with_label(nest.loops.span(carrier), "this loop cannot");
    with_reads(nest, error, own, "this element was computed in an earlier iteration")
        .with_help(format!("mark the loop inside the loop over `{variable}`, which the host then runs, instead"))
}

fn gauss_seidel(nest: &Nest, statement: usize, own: &Reads) -> Diagnostic {
    let array = written(nest, statement);
    let statement = &nest.step.statements[statement];
    let step = if nest.clock.has_steps() { "time step" } else { "sweep" };
    let message = format!("this assignment uses values of `{array}` that it computes in the same {step}");
    let error = Diagnostic::error("gauss-seidel", message, statement.span).because(distances(own, step));
    let error = match numbers_of_buffers(nest, statement, own) {
        Some([next, now]) => error.with_help(format!(
            "if `{next}` and `{now}` always differ, let each iteration end with what tells it, as `{next} = 1 - {now};`, and give both \
             their numbers where they are declared"
        )),
        None => error,
    };
    with_reads(nest, error, own, &format!("this element was updated earlier in the {step}"))
        .with_help(format!(
            "if the values of `{array}` before the {step} are meant, write to a second array, and copy it back or swap the \
             pointers after the loops"
        ))
        .with_help(new_values(step))
}

/// The variables of the host that alone tell in each recorded step which part of an array a statement writes and which it reads.
fn numbers_of_buffers<'n>(nest: &'n Nest, statement: &Statement, own: &Reads) -> Option<[&'n str; 2]> {
    let number = |access: Handle<Access>| {
        let params = nest.params_in(nest.accesses[access].subscripts.first().copied());
        let param = params.first().filter(|_| params.len() == 1)?;
        match nest.params[*param].value {
            ParamValue::Variable(variable) => Some(nest.values.text(variable)),
            _ => None,
        }
    };
    let next = number(statement.write)?;
    let mut reads = own.iter().flat_map(BTreeMap::keys).filter_map(|read| number(*read));
    let now = reads.find(|now| *now != next)?;
    matches!(nest.clock, Clock::Recorded { .. }).then_some([next, now])
}

fn new_values(step: &str) -> String {
    format!(
        "if the new values are meant, points of one {step} cannot be computed in parallel; a red-black order, which \
         gives other values, can be rewritten"
    )
}

/// The reads of `own`, each place once.
fn with_reads(nest: &Nest, mut error: Diagnostic, own: &Reads, text: &str) -> Diagnostic {
    for reads in own {
        let first = reads.keys().next().expect("a dependence has a read");
        let span = nest.accesses.span(*first);
        if error.secondary.iter().all(|label| label.span != span) {
            error = error.with_label(span, text);
        }
    }
    error
}

/// How far reading points are from those that wrote, e.g. `(1, 0)`.
fn distances(own: &Reads, step: &str) -> String {
    let mut constant: Vec<String> = Vec::new();
    let offsets = || own.iter().flat_map(BTreeMap::values);
    for offset in offsets().flatten() {
        let distance: Vec<String> = offset.iter().map(|o| (-o).to_string()).collect();
        let distance = format!("({})", distance.join(", "));
        if !constant.contains(&distance) {
            constant.push(distance);
        }
    }
    let varies = offsets().any(Option::is_none);
    let and_others = if varies { " and others that differ from point to point" } else { "" };
    match constant.as_slice() {
        [] => format!("the dependence distances within one {step} differ from point to point"),
        [distance] if !varies => format!("the dependence distance is {distance} within one {step}"),
        all => format!("the dependence distances are {}{and_others} within one {step}", all.join(" and ")),
    }
}

/// Statements that need each other's values of one step: `statement` those of `origin`, through `read`.
pub(super) fn need_each_other(nest: &Nest, statement: usize, origin: usize, read: Handle<Access>) -> Diagnostic {
    if let Some(carrier) = [statement, origin].into_iter().find(|it| is_on_trail(nest, *it)) {
        return carried_by_scalar(nest, carrier, read);
    }
    Diagnostic::error(
        "sweeps-depend-on-each-other",
        "these assignments need each other's values of one step",
        nest.step.statements[statement].span,
    )
    .because("they are interleaved point by point and cannot be done one after the other")
    .with_label(nest.step.statements[origin].span, "it needs this one")
    .with_label(nest.accesses.span(read), "through this element")
    .with_help("split the loop so that each array is swept on its own, or write to a second array")
}

fn is_on_trail(nest: &Nest, statement: usize) -> bool {
    let array = nest.accesses[nest.step.statements[statement].write].array;
    nest.step.grids.iter().any(|grid| grid.array == array && grid.is_trail)
}

/// A scalar that carries from point to point what is computed in the same step.
fn carried_by_scalar(nest: &Nest, carrier: usize, read: Handle<Access>) -> Diagnostic {
    let (scalar, span) = (written(nest, carrier), nest.step.statements[carrier].span);
    let step = if nest.clock.has_steps() { "time step" } else { "sweep" };
    let message = format!("`{scalar}` carries what this {step} computes from one iteration to the next");
    let error = Diagnostic::error("gauss-seidel", message, span);
    let error = if nest.accesses.span(read) == span {
        error
    } else {
        error.with_label(nest.accesses.span(read), "which is needed here")
    };
    error
        .with_help(format!(
            "if the value before the {step} is meant, give it to `{scalar}` before the element is stored again"
        ))
        .with_help(new_values(step))
}

/// An array for which no storage keeps the dataflow.
pub(super) fn no_storage(nest: &Nest, array: Handle<Array>) -> Diagnostic {
    let name = &nest.arrays[array].name;
    let writes = || nest.step.statements.iter().filter(|s| nest.accesses[s.write].array == array);
    let (writers, writes) = (writes().count(), writes().next());
    let (why, help) = match writes {
        Some(_) => (
            "old and new values are mixed in a way that changes from step to step",
            "read values of the step before only: use two arrays, one for the old and one for the new step",
        ),
        None => (
            "one access chooses its part by the step, another by a constant",
            "give the part that does not change an array of its own",
        ),
    };
    let span = writes.map_or(nest.span, |statement| statement.span);
    let error = Diagnostic::error(
        "no-parallel-storage",
        format!("the values of `{name}` cannot be kept apart on the device"),
        span,
    );
    let error = error.because(why).with_help(help);
    match size(nest).filter(|_| writers > 1) {
        Some(size) => error.with_help(format!(
            "or say what sizes hold if it is always the same, with which more may be known, as in `value({size} = 100)`"
        )),
        None => error,
    }
}

/// An integer of the user's in a bound of a loop over space that the program does not tell, and that a clause can name.
fn size(nest: &Nest) -> Option<&str> {
    let is_of_space = |this: &Handle<Loop>| Some(*this) != nest.clock.time();
    let bounds = nest.loops.iter().filter(|(this, _)| is_of_space(this)).map(|(_, this)| this.bound);
    let variable = |expr: Handle<Expr>| match nest.exprs[expr].kind {
        ExprKind::Param(param) => match nest.params[param].value {
            ParamValue::Variable(variable) => Some(variable),
            _ => None,
        },
        _ => None,
    };
    let mut variables = nest.reachable(bounds).into_iter().filter_map(variable);
    let is_nameable = |it: &Handle<HostValue>| nest.values[*it].path.is_empty();
    variables.find(|it| is_nameable(it) && !nest.initial_values.contains_key(it)).map(|it| nest.values.text(it))
}

/// The array that a statement writes.
fn written(nest: &Nest, statement: usize) -> &str {
    &nest.arrays[nest.accesses[nest.step.statements[statement].write].array].name
}
