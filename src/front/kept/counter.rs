//! What the variable of a loop that the host keeps counts: steps, or places in space.

use tree_sitter::Node;

use super::exchanges::is_real;
use super::program::Program;
use crate::front::headers::assignments;
use crate::front::tree::{
    assigned, assigned_element, declared_identifier, first_identifier, mentions, nodes_in, stores, strip_parentheses,
    target, walk,
};

/// How a loop counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    /// Its variable.
    pub name: String,
    /// What counts it, as it is written.
    pub update: String,
    /// Whether it counts down.
    pub is_down: bool,
}

/// How a `for` loop counts that has an integer for it, a variable or a member, which nothing in its body changes.
pub fn counter(program: &Program, outer: Node, body: Node) -> Option<Counter> {
    let update = outer.child_by_field_name("update").filter(|_| outer.kind() == "for_statement")?;
    let update = strip_parentheses(update);
    let place = target(update).filter(|place| matches!(place.kind(), "identifier" | "field_expression"))?;
    let name = program.text(place);
    let operator = update.child_by_field_name("operator").map(|operator| program.text(operator))?;
    let is_down = matches!(operator, "--" | "-=");
    let is_plain = matches!(operator, "++" | "--" | "+=" | "-=");
    let is_changed = assignments(program.unit, body, name, None) > 0;
    let update = program.text(update).to_owned();
    (is_plain && !is_changed && !is_real(program, place)).then(|| Counter { name: name.to_owned(), update, is_down })
}

/// Whether elements are stored where the variable `name` counts, by their subscripts or through a pointer that is set there.
pub fn runs_over_space(program: &Program, statements: &[Node], name: &str) -> bool {
    program.known_over_space(statements, name, || {
        let is_stored = |pointer: &str| statements.iter().any(|it| stores_through(program, *it, pointer));
        statements.iter().any(|it| stores_at(program, *it, name))
            || statements.iter().flat_map(|it| pointers_made_of(program, *it, name)).any(is_stored)
    })
}

/// Whether a row is stored where the variable `name` counts, and another of the same array is used, as in
/// `u[t + 1][i] = u[t][i]`: each step makes a row of those before.
pub fn makes_rows(program: &Program, statements: &[Node], name: &str) -> bool {
    let nodes = || statements.iter().flat_map(|it| nodes_in(*it));
    let row = |node: Node| {
        let index = node.child_by_field_name("index").filter(|_| node.kind() == "subscript_expression")?;
        let array = first_identifier(node)?;
        has_plain_subscript(program, index, name).then(|| (program.text(array), program.text(index)))
    };
    let stored: Vec<_> = nodes().filter_map(assigned_element).flat_map(nodes_in).filter_map(row).collect();
    nodes().filter_map(row).any(|used| stored.iter().any(|stored| stored.0 == used.0 && stored.1 != used.1))
}

/// Whether all that is stored where the variable `name` counts is one element in each iteration, as `alphas[t] = alpha;` in a loop
/// beside sweeps, which store elsewhere.
pub fn keeps_points(program: &Program, statements: &[Node], name: &str) -> bool {
    let stored = statements.iter().flat_map(|it| nodes_in(*it)).filter_map(assigned_element);
    let mut kept = stored.filter(|place| has_plain_subscript(program, *place, name));
    let is_in_step = |node: &Node| statements.iter().any(|it| it.byte_range().contains(&node.start_byte()));
    let is_one = |place: Node| {
        let around = std::iter::successors(place.parent(), Node::parent).take_while(is_in_step);
        let loops = around.filter_map(|it| counter(program, it, it.child_by_field_name("body")?));
        let subscripts = std::iter::successors(Some(place), |it| it.child_by_field_name("argument"));
        let subscripts = subscripts.take_while(|it| it.kind() == "subscript_expression");
        let indices: Vec<Node> = subscripts.filter_map(|it| it.child_by_field_name("index")).collect();
        loops.map(|it| it.name).all(|inner| !indices.iter().any(|index| mentions(program.unit, *index, &inner)))
    };
    let mut bodies = program.bodies_of(statements.to_vec(), |_| true);
    kept.all(is_one) && bodies.any(|body| stores(body, |place| !has_plain_subscript(program, place, name)))
}

/// Whether the variable `name` is in a subscript of a step, but for its remainders.
pub fn is_in_subscripts(program: &Program, statements: &[Node], name: &str) -> bool {
    let mut indices = statements.iter().flat_map(|it| nodes_in(*it)).filter_map(|it| it.child_by_field_name("index"));
    indices.any(|index| has_plain_subscript(program, index, name))
}

/// The variables that are given a value with the variable `name` in it.
fn pointers_made_of<'p>(program: &Program<'p, '_, '_>, statement: Node, name: &str) -> Vec<&'p str> {
    let mut found = Vec::new();
    for node in nodes_in(statement) {
        let (place, value) = match node.kind() {
            "init_declarator" => (declared_identifier(node), node.child_by_field_name("value")),
            _ => (assigned(node).filter(|it| it.kind() == "identifier"), node.child_by_field_name("right")),
        };
        if let (Some(place), Some(value)) = (place, value)
            && mentions(program.unit, value, name)
        {
            found.push(program.text(place));
        }
    }
    found
}

/// Whether an element is stored to which the variable `pointer` leads.
fn stores_through(program: &Program, statement: Node, pointer: &str) -> bool {
    stores(statement, |place| {
        let base = place.child_by_field_name("argument");
        base.is_some_and(|base| program.text(strip_parentheses(base)) == pointer)
    })
}

/// Whether a subscript of a stored element has the variable `name`.
fn stores_at(program: &Program, statement: Node, name: &str) -> bool {
    stores(statement, |place| has_plain_subscript(program, place, name))
}

/// Whether a subscript is the variable, with something added or not: remainders of it choose buffers.
pub fn has_plain_subscript(program: &Program, place: Node, name: &str) -> bool {
    let mut found = false;
    walk(place, &mut |node| {
        let is_remainder = node.kind() == "binary_expression"
            && node.child_by_field_name("operator").is_some_and(|operator| matches!(program.text(operator), "%" | "&"));
        found |= node.kind() == "identifier" && program.text(node) == name;
        !found && !is_remainder
    });
    found
}
