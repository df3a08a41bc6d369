//! The statements of a loop that are one step of it.

use tree_sitter::Node;

use super::program::Program;
use crate::front::Failable;
use crate::front::headers::assignments;
use crate::front::tree::{
    Unit, address_of, assigned, assigned_element, children, declared_identifier, fields, mentions, strip_parentheses,
    target, walk,
};
use crate::source::{Diagnostic, Span};

/// One step: the statements that compute, in a row.
#[derive(Clone)]
pub struct Step<'t> {
    /// The statements, at least one.
    pub statements: Vec<Node<'t>>,
    /// How the loop directly around them counts.
    pub counter: Option<Counter>,
}

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

impl<'t> Step<'t> {
    /// Where the first statement begins.
    pub fn start(&self) -> usize {
        self.statements.first().map_or(0, Node::start_byte)
    }

    /// Where the last statement ends.
    pub fn end(&self) -> usize {
        self.statements.last().map_or(0, Node::end_byte)
    }

    /// The statements in the user's file.
    pub fn span(&self, unit: &Unit) -> Span {
        unit.statement_span(self.start(), self.end())
    }

    /// Whether the step, or a part of it, is in `node`.
    pub fn is_in(&self, node: Node) -> bool {
        node.start_byte() <= self.start() && self.end() <= node.end_byte()
    }

    /// Whether a subscript in it has the variable of the loop around it.
    pub fn moves(&self, program: &Program) -> bool {
        let Some(Counter { name, .. }) = &self.counter else { return false };
        let mut found = false;
        self.statements.iter().for_each(|statement| {
            walk(*statement, &mut |node| {
                let is_element = matches!(node.kind(), "subscript_expression" | "pointer_expression");
                found |= is_element && has_plain_subscript(program, node, name);
                !found
            });
        });
        found
    }

    /// The same step with the statements around it up to those that store single elements of its arrays, such as sources, if there
    /// are any that a device may be able to compute.
    pub fn with_points(&self, program: &Program<'_, '_, 't>) -> Option<Self> {
        let (first, last) = (self.statements.first()?, self.statements.last()?);
        let before = points(program, &self.statements, *first, Node::prev_named_sibling);
        let behind = points(program, &self.statements, *last, Node::next_named_sibling);
        if before.is_empty() && behind.is_empty() {
            return None;
        }
        let statements = before.into_iter().rev().chain(self.statements.iter().copied()).chain(behind).collect();
        let counter = self.counter.clone();
        let wider = Self { statements, counter };
        let rest = successors(*wider.statements.last()?, Node::next_named_sibling);
        check_declarations(program, &wider.statements, &rest.collect::<Vec<_>>()).ok().map(|()| wider)
    }

    /// Whether `node` is one of its statements.
    pub fn has(&self, node: Node) -> bool {
        self.statements.contains(&node)
    }
}

/// What a step is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Sweeps, in a loop in which the host does something else.
    Sweeps,
    /// Sweeps, whatever else is in the loop.
    SweepsAlone,
    /// Sweeps, loops that fold scalars over points, and what these scalars begin and end with.
    Folds,
}

/// The step of the loop `outer`, or of a loop within it, if it has one.
///
/// # Errors
/// The host does something between two sweeps.
pub fn find_step<'t>(program: &Program<'_, '_, 't>, outer: Node<'t>, extent: Extent) -> Failable<Option<Step<'t>>> {
    let folds = extent == Extent::Folds;
    let Some(body) = outer.child_by_field_name("body") else { return Ok(None) };
    let statements = if body.kind() == "compound_statement" { children(body) } else { vec![body] };
    let is_sweep = |it: &Node| program.computes(*it) && program.sweeps(*it);
    let is_fold = |it: &Node| folds && program.computes(*it) && program.loops(*it);
    let Some(first) = statements.iter().position(is_sweep) else {
        let loops =
            statements.iter().filter(|it| matches!(it.kind(), "for_statement" | "while_statement" | "do_statement"));
        for inner in loops {
            if let Some(step) = find_step(program, *inner, extent)? {
                return Ok(Some(step));
            }
        }
        return Ok(None);
    };
    let is_counted = outer.kind() == "for_statement" && statements.iter().all(|it| program.computes(*it));
    if extent == Extent::Sweeps && is_counted {
        return Ok(None);
    }
    let last = statements.iter().rposition(|it| is_sweep(it) || is_fold(it)).unwrap_or(first);
    let first = statements.iter().position(is_fold).map_or(first, |fold| fold.min(first));
    if let Some(between) = statements[first..=last].iter().find(|it| !program.computes(**it)) {
        return Err(between_sweeps(program.unit, *between));
    }
    let sweeps = &statements[first..=last];
    let is_part = |it: &&Node<'t>| rotates(program, **it, sweeps) || folds && sets_folded(program, **it, sweeps);
    let end = last + 1 + statements[last + 1..].iter().take_while(is_part).count();
    let starts = statements[..first].iter().rev().take_while(|it| folds && sets_folded(program, **it, sweeps)).count();
    let first = first - starts;
    check_declarations(program, &statements[first..end], &statements[end..])?;
    let step = Step { statements: statements[first..end].to_vec(), counter: None };
    let counter = counter(program, outer, body);
    if counter.as_ref().is_some_and(|counter| runs_over_space(program, &step.statements, &counter.name)) {
        return Ok(None);
    }
    Ok(Some(Step { counter, ..step }))
}

/// The statements next to one, in a direction, up to the last that stores elements of what the sweeps use.
fn points<'t>(
    program: &Program<'_, '_, 't>,
    sweeps: &[Node<'t>],
    from: Node<'t>,
    next: fn(&Node<'t>) -> Option<Node<'t>>,
) -> Vec<Node<'t>> {
    let near: Vec<Node> = successors(from, next).take_while(|it| program.computes(*it)).collect();
    let count = near.iter().rposition(|it| stores_element(program, *it, sweeps)).map_or(0, |last| last + 1);
    near[..count].iter().copied().filter(|it| it.kind() != "comment").collect()
}

/// The nodes next to one, in a direction.
fn successors<'t>(from: Node<'t>, next: fn(&Node<'t>) -> Option<Node<'t>>) -> impl Iterator<Item = Node<'t>> {
    std::iter::successors(next(&from), move |node| next(node))
}

/// Whether a statement stores elements of what the sweeps use.
fn stores_element(program: &Program, statement: Node, sweeps: &[Node]) -> bool {
    let mut found = false;
    walk(statement, &mut |node| {
        let place = assigned(node).map(strip_parentheses);
        let place = place.filter(|it| matches!(it.kind(), "subscript_expression" | "pointer_expression"));
        found |= place
            .and_then(first_identifier)
            .is_some_and(|array| sweeps.iter().any(|sweep| mentions(program.unit, *sweep, program.text(array))));
        !found
    });
    found
}

/// The first name in an expression.
fn first_identifier(node: Node) -> Option<Node> {
    if node.kind() == "identifier" { Some(node) } else { children(node).into_iter().find_map(first_identifier) }
}

fn between_sweeps(unit: &Unit, statement: Node) -> Box<Diagnostic> {
    let message = "the host does something between the sweeps of a step";
    let error = Diagnostic::error("kept-step", message, unit.span(statement));
    let reason = "between the first and the last sweep of a step there may only be what a device can compute";
    Box::new(error.because(reason).with_help("move this statement before the first sweep or behind the last one"))
}

/// Whether a statement behind the sweeps only exchanges pointers or indices that these use.
fn rotates(program: &Program, statement: Node, sweeps: &[Node]) -> bool {
    let is_used = |name: &str| sweeps.iter().any(|sweep| mentions(program.unit, *sweep, name));
    let is_name = |node: Node| matches!(strip_parentheses(node).kind(), "identifier" | "field_expression");
    match statement.kind() {
        "declaration" => fields(statement, "declarator").into_iter().all(|declarator| {
            let value = declarator.child_by_field_name("value");
            let is_pointer =
                declarator.child_by_field_name("declarator").is_some_and(|it| it.kind() == "pointer_declarator");
            is_pointer && value.is_some_and(|value| is_name(value) && is_used(program.text(value)))
        }),
        "expression_statement" => children(statement).first().is_some_and(|expression| {
            let expression = strip_parentheses(*expression);
            match expression.kind() {
                "assignment_expression" => {
                    let sides = ["left", "right"].map(|side| expression.child_by_field_name(side));
                    let is_plain = expression.child_by_field_name("operator").is_some_and(|it| program.text(it) == "=");
                    let names = is_plain && sides.iter().flatten().filter(|side| is_name(**side)).count() == 2;
                    names && sides.iter().flatten().any(|side| is_used(program.text(*side)))
                }
                "call_expression" => {
                    let arguments = expression.child_by_field_name("arguments").map(children).unwrap_or_default();
                    let is_own = program.called(expression).is_some_and(|name| program.defines(name));
                    is_own
                        && program.computes(expression)
                        && arguments
                            .iter()
                            .all(|it| is_used(program.text(address_of(program.unit, *it).unwrap_or(*it))))
                }
                _ => false,
            }
        }),
        _ => false,
    }
}

/// Whether a statement beside the sweeps gives a value to a scalar that these assign.
fn sets_folded(program: &Program, statement: Node, sweeps: &[Node]) -> bool {
    let expression = children(statement).first().copied().filter(|_| statement.kind() == "expression_statement");
    let place = expression.map(strip_parentheses).and_then(assigned).filter(|place| place.kind() == "identifier");
    place.is_some_and(|place| {
        let name = program.text(place);
        program.computes(statement) && sweeps.iter().any(|sweep| assignments(program.unit, *sweep, name, None) > 0)
    })
}

/// What the step declares must not be used behind it, where it is no longer in scope.
fn check_declarations(program: &Program, step: &[Node], behind: &[Node]) -> Failable<()> {
    for declaration in step.iter().filter(|it| it.kind() == "declaration") {
        for name in fields(*declaration, "declarator").into_iter().filter_map(declared_identifier) {
            let name = program.text(name);
            if behind.iter().any(|it| mentions(program.unit, *it, name)) {
                let message = format!("`{name}` is declared between the sweeps of a step and used behind them");
                let error = Diagnostic::error("kept-step", message, program.unit.span(*declaration));
                return Err(Box::new(error.with_help(format!("declare `{name}` before the first sweep"))));
            }
        }
    }
    Ok(())
}

/// How a `for` loop counts whose variable nothing in its body changes.
fn counter(program: &Program, outer: Node, body: Node) -> Option<Counter> {
    let update = outer.child_by_field_name("update").filter(|_| outer.kind() == "for_statement")?;
    let update = strip_parentheses(update);
    let name = target(update).map(|place| program.text(place))?;
    let operator = update.child_by_field_name("operator").map(|operator| program.text(operator))?;
    let is_down = matches!(operator, "--" | "-=");
    let is_plain = matches!(operator, "++" | "--" | "+=" | "-=");
    let is_changed = assignments(program.unit, body, name, None) > 0;
    let update = program.text(update).to_owned();
    (is_plain && !is_changed).then(|| Counter { name: name.to_owned(), update, is_down })
}

/// Whether elements are stored where the variable `name` counts, by their subscripts or through a pointer that is set there.
fn runs_over_space(program: &Program, statements: &[Node], name: &str) -> bool {
    let pointers: Vec<&str> = statements.iter().flat_map(|it| pointers_made_of(program, *it, name)).collect();
    let is_stored = |pointer: &str| statements.iter().any(|it| stores_through(program, *it, pointer));
    statements.iter().any(|it| stores_at(program, *it, name)) || pointers.into_iter().any(is_stored)
}

/// The variables that are given a value with the variable `name` in it.
fn pointers_made_of<'p>(program: &Program<'p, '_, '_>, statement: Node, name: &str) -> Vec<&'p str> {
    let mut found = Vec::new();
    walk(statement, &mut |node| {
        let (place, value) = match node.kind() {
            "init_declarator" => (declared_identifier(node), node.child_by_field_name("value")),
            _ => (assigned(node).filter(|it| it.kind() == "identifier"), node.child_by_field_name("right")),
        };
        if let (Some(place), Some(value)) = (place, value)
            && mentions(program.unit, value, name)
        {
            found.push(program.text(place));
        }
        true
    });
    found
}

/// Whether an element is stored to which the variable `pointer` leads.
fn stores_through(program: &Program, statement: Node, pointer: &str) -> bool {
    let mut found = false;
    walk(statement, &mut |node| {
        let base = assigned_element(node).and_then(|place| place.child_by_field_name("argument"));
        found |= base.is_some_and(|base| program.text(strip_parentheses(base)) == pointer);
        !found
    });
    found
}

/// Whether a subscript of a stored element has the variable `name`.
fn stores_at(program: &Program, statement: Node, name: &str) -> bool {
    let mut found = false;
    walk(statement, &mut |node| {
        found |= assigned_element(node).is_some_and(|place| has_plain_subscript(program, place, name));
        !found
    });
    found
}

/// Whether a subscript is the variable, with something added or not: remainders of it choose buffers.
fn has_plain_subscript(program: &Program, place: Node, name: &str) -> bool {
    let mut found = false;
    walk(place, &mut |node| {
        let is_remainder = node.kind() == "binary_expression"
            && node.child_by_field_name("operator").is_some_and(|operator| matches!(program.text(operator), "%" | "&"));
        found |= node.kind() == "identifier" && program.text(node) == name;
        !found && !is_remainder
    });
    found
}
