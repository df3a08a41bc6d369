//! Loops that only keep some values of each step: `for (r = 0; r < receivers; r++) trace[r][t] = a[place[r]];`
//!
//! They store elements that the step chooses, as loops over space do. What the host reads there is little beside the sweeps,
//! so it runs such a loop itself.

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::counter::{counter, has_plain_subscript, runs_over_space};
use super::names::{self, Changed};
use super::program::Program;
use crate::front::tree::{
    address_of, assigned, children, declared_identifier, first_identifier, is_loop, mentions, nodes_in,
};

/// Functions look into functions so deep.
const MAX_DEPTH: usize = 12;

/// The statements in the loop `outer` that keep values of each step, where others in it sweep over more dimensions.
pub fn records<'t>(program: &Program<'_, '_, 't>, outer: Node<'t>) -> Vec<Node<'t>> {
    let Some(body) = outer.child_by_field_name("body") else { return Vec::new() };
    let statements = if body.kind() == "compound_statement" { children(body) } else { vec![body] };
    let sweeping: Vec<Node> = statements.into_iter().filter(|it| program.sweeps(*it)).collect();
    let Some(counter) = counter(program, outer, body) else {
        return match sweeping[..] {
            [inner] if is_loop(inner) => records(program, inner),
            _ => Vec::new(),
        };
    };
    let (keeping, others): (Vec<Node>, Vec<Node>) =
        sweeping.into_iter().partition(|it| keeps(program, *it, &counter.name));
    let deepest = others.iter().map(|it| loops_within(program, *it, 0)).max().unwrap_or_default();
    match others[..] {
        [inner] if keeping.is_empty() && is_loop(inner) => records(program, inner),
        _ => keeping.into_iter().filter(|it| loops_within(program, *it, 0) < deepest).collect(),
    }
}

/// The statements in the loop `outer` that store in an array of their own what others have folded, as `sums[t] = sqrt(sum / n);`.
pub fn kept_values<'t>(program: &Program<'_, '_, 't>, outer: Node<'t>) -> Vec<Node<'t>> {
    let Some(body) = outer.child_by_field_name("body") else { return Vec::new() };
    let statements = if body.kind() == "compound_statement" { children(body) } else { vec![body] };
    let looping: Vec<Node> = statements.iter().copied().filter(|it| program.loops(*it)).collect();
    let is_element = |node: Node| matches!(node.kind(), "subscript_expression" | "pointer_expression");
    let made = made_of_folded(program, &statements);
    let is_one = |statement: &Node<'t>| {
        let expression = statement.named_child(0).filter(|_| statement.kind() == "expression_statement");
        let expression = expression.filter(|it| it.kind() == "assignment_expression");
        let sides = expression.and_then(|it| Some((it.child_by_field_name("left")?, it.child_by_field_name("right")?)));
        let others: Vec<Node> = looping.iter().copied().filter(|other| other != statement).collect();
        let is_folded = |name: Node| name.kind() == "identifier" && made.contains(program.text(name));
        sides.is_some_and(|(place, value)| {
            is_element(place) && !nodes_in(value).any(is_element) && nodes_in(value).any(is_folded)
        }) && !others.is_empty()
            && is_apart(program, *statement, &others)
    };
    match looping[..] {
        [inner] if is_loop(inner) && !statements.iter().any(&is_one) => kept_values(program, inner),
        _ => statements.iter().copied().filter(is_one).collect(),
    }
}

/// The variables to which loops in these statements, or functions that they call, give values, and those that others make of such.
fn made_of_folded<'p, 't>(program: &Program<'p, '_, 't>, statements: &[Node<'t>]) -> BTreeSet<&'p str> {
    let mut made = BTreeSet::new();
    for statement in statements {
        let is_made = |made: &BTreeSet<&str>| {
            nodes_in(*statement).any(|it| it.kind() == "identifier" && made.contains(program.text(it)))
        };
        if program.loops(*statement) || is_made(&made) {
            let initialised = nodes_in(*statement).filter(|it| it.kind() == "init_declarator");
            let initialised = initialised.filter_map(declared_identifier);
            let places = nodes_in(*statement).filter_map(|it| assigned(it).or_else(|| address_of(program.unit, it)));
            let places = initialised.chain(places.filter(|it| it.kind() == "identifier"));
            made.extend(places.map(|it| program.text(it)));
        }
    }
    made
}

/// Whether a statement stores elements that the variable `name` chooses.
fn keeps<'t>(program: &Program<'_, '_, 't>, statement: Node<'t>, name: &str) -> bool {
    let mut copied = program.copied(statement);
    runs_over_space(program, &[statement], name) || copied.any(|to| has_plain_subscript(program, to, name))
}

/// The statements in the loop `outer` that a step may be without: under a condition they store in what no other statement that
/// sweeps uses, as where a frame is kept now and then: `if (t % 10 == 0) memcpy(frames[kept++], u, size);`
pub fn snapshots<'t>(program: &Program<'_, '_, 't>, outer: Node<'t>) -> Vec<Node<'t>> {
    let Some(body) = outer.child_by_field_name("body") else { return Vec::new() };
    let statements = if body.kind() == "compound_statement" { children(body) } else { vec![body] };
    let sweeping: Vec<Node> = statements.into_iter().filter(|it| program.sweeps(*it)).collect();
    let is_one = |it: &Node<'t>| {
        let others: Vec<Node> = sweeping.iter().copied().filter(|other| other != it).collect();
        it.kind() == "if_statement" && !others.is_empty() && is_apart(program, *it, &others)
    };
    match sweeping[..] {
        [inner] if is_loop(inner) => snapshots(program, inner),
        _ => sweeping.iter().copied().filter(is_one).collect(),
    }
}

/// The statements in the loop `outer` that sweep in some steps only, before all that sweep in each step or behind them, as where a
/// state is put back once.
pub fn rare_sweeps<'t>(program: &Program<'_, '_, 't>, outer: Node<'t>) -> Vec<Node<'t>> {
    let statements = outer.child_by_field_name("body").map(children).unwrap_or_default();
    let sweeping: Vec<Node> = statements.into_iter().filter(|it| program.sweeps(*it)).collect();
    let parts = ["update", "body"].into_iter().filter_map(|part| outer.child_by_field_name(part));
    let changed = parts.flat_map(|part| names::changed(program.unit, part, false)).collect();
    let is_rare = |it: &Node| is_rare(program, *it, &changed);
    let (Some(first), Some(last)) =
        (sweeping.iter().position(|it| !is_rare(it)), sweeping.iter().rposition(|it| !is_rare(it)))
    else {
        return match sweeping[..] {
            [inner] if is_loop(inner) => rare_sweeps(program, inner),
            _ => Vec::new(),
        };
    };
    [&sweeping[..first], &sweeping[last + 1..]].concat()
}

/// Whether a statement is an `if` without `else` on scalars, one of which changes in the loop.
fn is_rare(program: &Program, statement: Node, changed: &BTreeSet<Changed>) -> bool {
    let has_other = statement.child_by_field_name("alternative").is_some();
    let condition =
        statement.child_by_field_name("condition").filter(|_| statement.kind() == "if_statement" && !has_other);
    condition.is_some_and(|condition| {
        let is_scalar =
            |node: Node| !matches!(node.kind(), "subscript_expression" | "pointer_expression" | "call_expression");
        nodes_in(condition).all(is_scalar) && changed.iter().any(|it| names::has(program.unit, condition, &it.name))
    })
}

/// Whether the others use none of the names of which what a statement stores is made.
fn is_apart<'t>(program: &Program<'_, '_, 't>, statement: Node<'t>, others: &[Node<'t>]) -> bool {
    let stored: Vec<&str> = program.stored(statement).into_iter().filter_map(|it| first_name(program, it)).collect();
    others.iter().all(|other| !stored.iter().any(|name| mentions(program.unit, *other, name)))
}

fn first_name<'p>(program: &Program<'p, '_, '_>, place: Node) -> Option<&'p str> {
    first_identifier(place).map(|name| program.text(name))
}

/// How many loops are within each other in a statement, and in the functions that it calls.
fn loops_within<'t>(program: &Program<'_, '_, 't>, node: Node<'t>, depth: usize) -> usize {
    let body = (node.kind() == "call_expression").then(|| program.called(node)).flatten();
    let body = body.and_then(|name| program.body(name)).filter(|_| depth < MAX_DEPTH);
    let called = body.map_or(0, |body| loops_within(program, body, depth + 1));
    let inner = children(node).into_iter().map(|it| loops_within(program, it, depth)).max().unwrap_or_default();
    usize::from(is_loop(node)) + called.max(inner)
}

#[cfg(test)]
mod tests {
    use crate::front::Need;
    use crate::front::tests::{function, needs, read_marked};

    /// A kept loop with `keep` behind a sweep over two dimensions.
    fn kept(keep: &str) -> String {
        let sweep = "for (int i = 1; i < 99; i++) for (int j = 1; j < 99; j++) b[i][j] = a[i - 1][j] + a[i][j + 1];";
        let swap = "double (*c)[100] = a; a = b; b = c; putchar('.');";
        let body = format!("#pragma stencil\nfor (int t = 0; t < steps; t++) {{\n{sweep}\n{keep}\n{swap}\n}}");
        function("int n, int steps, double (*a)[100], double (*b)[100], double *trace, double *all", &body)
    }

    #[test]
    fn values_of_each_step_are_kept_by_the_host() {
        for keep in [
            "for (int r = 0; r < n; r++) trace[r * steps + t] = b[r][7];",
            "for (int r = 0; r < 3; r++) { double *to = trace + t * 3; to[r] = b[5][r]; }",
        ] {
            assert_eq!(needs(&kept(keep)), [Need::Store], "{keep}");
        }
    }

    #[test]
    fn whole_arrays_of_each_step_are_not() {
        let keep =
            "for (int i = 0; i < 100; i++) for (int j = 0; j < 100; j++) all[(t * 100 + i) * 100 + j] = b[i][j];";
        assert!(read_marked(&kept(&format!("{keep} print(t);")), &[]).remove(0).is_err());
    }
}
