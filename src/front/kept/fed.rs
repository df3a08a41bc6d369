//! What stands between the sweeps of a step and makes numbers for those behind it of what those before it fold: `w = 1 / (1 + change);`
//!
//! No device has what a step folds before the step is over. The host can make the numbers, and the calls for the sweeps behind bring
//! them.

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::names;
use super::program::Program;
use crate::front::tree::{assigned_element, children, declared_identifier, fields, is_loop, nodes_in};

/// The statements in the loop `outer` that make numbers for sweeps behind them of what loops before them have changed.
pub fn fed<'t>(program: &Program<'_, '_, 't>, outer: Node<'t>) -> Vec<Node<'t>> {
    let Some(body) = outer.child_by_field_name("body") else { return Vec::new() };
    let statements = if body.kind() == "compound_statement" { children(body) } else { vec![body] };
    let computes = |it: &Node<'t>| program.sweeps(*it) || program.loops(*it);
    match statements.iter().copied().filter(computes).collect::<Vec<_>>()[..] {
        [inner] if is_loop(inner) => return fed(program, inner),
        _ => {}
    }
    let last = statements.iter().rposition(|it| program.sweeps(*it)).unwrap_or_default();
    let (mut made, mut found) = (BTreeSet::new(), Vec::new());
    for (place, statement) in statements[..last].iter().enumerate() {
        let is_plain = !computes(statement) && !nodes_in(*statement).any(|it| assigned_element(it).is_some());
        let has_made = || nodes_in(*statement).any(|it| it.kind() == "identifier" && made.contains(program.text(it)));
        if is_plain && !has_made() {
            continue;
        }
        let changed = changed(program, *statement);
        let is_needed =
            |name: &String| statements[place + 1..=last].iter().any(|it| names::has(program.unit, *it, name));
        if is_plain && changed.iter().any(is_needed) {
            found.push(*statement);
        }
        made.extend(changed);
    }
    match steps_within(program, &statements) {
        Some(inner) if found.is_empty() => fed(program, inner),
        _ => found,
    }
}

/// The only loop among the statements of another one in which the sweeps of all are, as where that is for frames of several steps.
pub fn steps_within<'t>(program: &Program<'_, '_, 't>, statements: &[Node<'t>]) -> Option<Node<'t>> {
    match statements.iter().copied().filter(|it| program.sweeps(*it)).collect::<Vec<_>>()[..] {
        [inner] if program.repeats(inner) => Some(inner),
        _ => None,
    }
}

/// The names of variables and members that a statement declares or changes, itself or in functions that it calls.
pub fn changed<'t>(program: &Program<'_, '_, 't>, statement: Node<'t>) -> BTreeSet<String> {
    let is_declaration = statement.kind() == "declaration";
    let declared =
        fields(statement, "declarator").into_iter().filter(|_| is_declaration).filter_map(declared_identifier);
    let declared = declared.map(|name| program.text(name).to_owned());
    let bodies = program.bodies_of(vec![statement], |_| true);
    let changed = bodies.flat_map(|body| names::changed(program.unit, body, true)).filter(|it| !it.is_element);
    declared.chain(changed.map(|it| it.name)).collect()
}
