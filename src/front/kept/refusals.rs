//! Why loops are not kept, and how they would be.

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::counter::counter;
use super::program::{Program, Trust};
use crate::front::Failable;
use crate::front::file_tree::FileTree;
use crate::front::headers::has_break;
use crate::front::marked::MarkedNest;
use crate::front::tree::{Unit, assigned, children, is_loop, loop_at, mentions, nodes_in};
use crate::source::{Diagnostic, Span};

/// The function that sweeps and is called in the condition of an `if`.
fn sweeping_condition<'p>(program: &Program<'p, '_, '_>, statement: Node) -> Option<(&'p str, Span)> {
    if statement.kind() == "if_statement" { sweeping_head(program, statement) } else { None }
}

/// The function that sweeps and is called in the head of a loop, or in a condition, where nothing can be put around it.
fn sweeping_head<'p>(program: &Program<'p, '_, '_>, outer: Node) -> Option<(&'p str, Span)> {
    let head = outer.child_by_field_name("condition").filter(|head| program.sweeps(*head))?;
    let mut calls = nodes_in(head).filter(|node| node.kind() == "call_expression" && program.sweeps(*node));
    Some((calls.find_map(|call| program.called(call))?, program.unit.span(head)))
}

/// Of a loop without a step: where what is refused is the host's own, what stands in the way of the sweeps is told instead.
pub fn none_but_host(program: &Program, outer: Node, refusal: &Diagnostic) -> Failable<Option<MarkedNest>> {
    if let Some((name, span)) = sweeping_head(program, outer) {
        let error = Diagnostic::error("kept-step", format!("the head of this loop computes, in `{name}`"), span);
        let help = format!(
            "call `{name}` in a statement of its own: `for (;;) {{ result = {name}(...); if (...) break; ... }}`"
        );
        return Err(Box::new(error.with_help(help)));
    }
    let body = outer.child_by_field_name("body");
    let statements = body.map(|it| if it.kind() == "compound_statement" { children(it) } else { vec![it] });
    let sweeping: Vec<Node> = statements.unwrap_or_default().into_iter().filter(|it| program.sweeps(*it)).collect();
    if let Some((name, span)) = sweeping.iter().find_map(|it| sweeping_condition(program, *it)) {
        let error = Diagnostic::error("kept-step", format!("the condition of this `if` computes, in `{name}`"), span);
        return Err(Box::new(error.with_help(format!(
            "call `{name}` in a statement of its own before it: `result = {name}(...); if (...)`, and test what stands before `||` or \
             `&&` in an `if` of its own before that"
        ))));
    }
    let places = || std::iter::once(&refusal.primary).chain(&refusal.secondary).map(|label| label.span);
    let is_in = |it: &Node| {
        let span = program.unit.span(*it);
        places().any(|place| span.start <= place.start && place.end <= span.end)
    };
    let obstacle = sweeping.first().and_then(|it| Some((*it, program.obstacle(*it)?)));
    let Some((statement, (called, function))) = obstacle.filter(|_| !sweeping.iter().any(is_in)) else {
        return Ok(None);
    };
    let by = function.map(|function| format!(", which `{function}` calls")).unwrap_or_default();
    let message = format!("the host keeps this loop, and no device has `{called}`{by}, for this part of its step");
    let span = program.unit.statement_span(statement.start_byte(), statement.end_byte());
    let error = Diagnostic::error("kept-step", message, span);
    Err(Box::new(
        error.with_help(format!("take `{called}` out of what computes: call it before the loop, or between the steps")),
    ))
}

/// The refusal of a scalar with how to have its value folded where the loop stores at once what a function returns that sweeps,
/// `sums[t] = step(u, v);`, and that of a loop which folds into elements, `sums[t] += u[i];`, with the same.
pub fn with_value_apart(unit: &Unit, file: &FileTree, index: usize, refusal: Box<Diagnostic>) -> Box<Diagnostic> {
    let Some(outer) = loop_at(file.root, unit.start_behind_pragma(index)) else { return refusal };
    let program = Program::new(unit, file, Trust::Sound);
    if let Some(place) = folded_element(&program, outer) {
        let written = program.text(place);
        let apart = format!("`double value = 0; ... value += ...; ... {written} = value;`");
        if ["scalar-carried", "unsupported-statement", "loop-bound"].contains(&refusal.code) {
            let message =
                format!("the points of each step are folded into `{written}`, and a nest folds into variables alone");
            let error = Diagnostic::error("scalar-carried", message, unit.span(place));
            return Box::new(
                error.with_help(format!("fold into a variable, and store that behind the loops: {apart}")),
            );
        }
        return Box::new(
            refusal.with_help(format!("or fold into a variable, and store that behind the loops: {apart}")),
        );
    }
    if refusal.code != "scalar-carried" {
        return refusal;
    }
    let statements = outer.child_by_field_name("body").map(children).unwrap_or_default();
    let found = statements.into_iter().filter(|it| program.sweeps(*it)).find_map(|it| stored_value(&program, it));
    let Some((place, ty, name)) = found else { return refusal };
    let apart = format!("`{ty} value = {name}(...); {place} = value;`");
    Box::new(refusal.with_help(format!("or let a variable get what `{name}` returns, and store that: {apart}")))
}

/// The refusal with which loop could be marked instead, where what is refused stands in one of a function that takes steps of its own
/// until something holds: `for (k = 0; k < most; k++) { ...; if (change < least) break; }`.
pub fn with_steps_of_function(unit: &Unit, file: &FileTree, index: usize, refusal: Box<Diagnostic>) -> Box<Diagnostic> {
    let Some(outer) = loop_at(file.root, unit.start_behind_pragma(index)) else { return refusal };
    let program = Program::new(unit, file, Trust::Sound);
    let place = refusal.primary.span;
    let has_place = |it: Node| {
        let span = unit.span(it);
        span.file == place.file && span.start <= place.start && place.end <= span.end
    };
    let all = loops_of_steps(&program, outer);
    let is_called_there = |name: &str| {
        let mut calls = nodes_in(outer).filter(|it| it.kind() == "call_expression");
        calls.any(|call| unit.span(call) == place && program.called(call) == Some(name))
    };
    let help = |name: &str| {
        format!("or mark the loop in `{name}` that takes steps itself, instead of the loop around the call")
    };
    if let Some((name, inner)) = all.iter().find(|(_, inner)| has_place(*inner)) {
        let body = inner.child_by_field_name("body").map_or(inner.end_byte(), |body| body.start_byte());
        let head = unit.text[inner.start_byte()..body].trim_end().len();
        let span = unit.span_between(inner.start_byte(), inner.start_byte() + head);
        return Box::new(refusal.with_label(span, "this loop takes steps").with_help(help(name)));
    }
    match all.iter().find(|(name, _)| is_called_there(name)) {
        Some((name, _)) => Box::new(refusal.with_help(help(name))),
        None => refusal,
    }
}

/// The loops that take steps in functions that are called in a loop, directly or not, with the names of these.
fn loops_of_steps<'p, 't>(program: &Program<'p, '_, 't>, outer: Node<'t>) -> Vec<(&'p str, Node<'t>)> {
    let bodies = program.bodies_of(vec![outer], |_| true);
    let names: BTreeSet<&str> = bodies.flat_map(|it| program.calls_in(it).collect::<Vec<_>>()).collect();
    let bodies = names.into_iter().filter_map(|name| Some((name, program.body(name)?)));
    let loops = bodies.flat_map(|(name, body)| nodes_in(body).map(move |it| (name, it)));
    loops.filter(|(_, it)| takes_steps(program, *it)).collect()
}

/// Whether a loop with sweeps goes on for so many iterations as nobody knows before.
fn takes_steps(program: &Program, inner: Node) -> bool {
    let Some(body) = inner.child_by_field_name("body").filter(|_| is_loop(inner)) else { return false };
    let is_open = inner.kind() != "for_statement" || has_break(body);
    is_open && children(body).into_iter().any(|it| program.sweeps(it))
}

/// The element of each step, such as `sums[t]`, into which loops within a step fold, beside others that sweep in it.
fn folded_element<'t>(program: &Program<'_, '_, 't>, outer: Node<'t>) -> Option<Node<'t>> {
    let body = outer.child_by_field_name("body")?;
    let own = counter(program, outer, body)?.name;
    let stored = || nodes_in(body).filter_map(|node| Some((node, assigned(node)?)));
    let stored = || stored().filter(|(_, place)| place.kind() == "subscript_expression");
    if stored().all(|(_, place)| mentions(program.unit, place, &own)) {
        return None;
    }
    stored().find_map(|(node, place)| {
        let value = node.child_by_field_name("right")?;
        let is_plain = node.child_by_field_name("operator").is_some_and(|it| program.text(it) == "=");
        let around = std::iter::successors(node.parent(), Node::parent).take_while(|it| *it != body);
        let mut loops = around.filter(|it| is_loop(*it)).peekable();
        let is_in_loop = loops.peek().is_some();
        let counts = |it: Node| counter(program, it, it.child_by_field_name("body")?);
        let is_moved = loops.filter_map(counts).any(|inner| mentions(program.unit, place, &inner.name));
        let text = program.text(place);
        let folds = !is_plain || program.text(value).contains(text);
        (is_in_loop && folds && !is_moved && mentions(program.unit, place, &own)).then_some(place)
    })
}

/// Of a statement that stores in an element what a function returns the element, and the function's type and name.
fn stored_value<'p>(program: &Program<'p, '_, '_>, statement: Node) -> Option<(&'p str, &'p str, &'p str)> {
    let assignment = statement.named_child(0).filter(|it| it.kind() == "assignment_expression")?;
    let (place, value) = (assignment.child_by_field_name("left")?, assignment.child_by_field_name("right")?);
    let name = program.called(value).filter(|_| place.kind() == "subscript_expression")?;
    let ty = program.definition(name)?.child_by_field_name("type")?;
    Some((program.text(place), program.text(ty), name))
}
