//! The statements of a loop that are one step of it.

use std::collections::BTreeSet;
use std::ops::Range;

use tree_sitter::Node;

use super::declared::{Declared, declared_before};
use super::legs::{Beside, Leg, find_legs};
use super::names::{self, Changed};
use super::program::Program;
use crate::front::Failable;
use crate::front::declarations::Scope;
use crate::front::headers::assignments;
use crate::front::tree::{
    Unit, address_of, assigned, children, declared_identifier, fields, first_identifier, mentions, nodes_in, stores,
    strip_parentheses, target, walk,
};
use crate::front::types::CType;
use crate::source::{Diagnostic, Span};

/// One step: the statements that compute, in a row or in several with statements of the host's between them.
#[derive(Clone)]
pub struct Step<'t> {
    /// The statements, at least one.
    pub statements: Vec<Node<'t>>,
    /// What the host does within the step, in order.
    pub gaps: Vec<Gap<'t>>,
    /// What it declares for the statements behind it.
    pub declared: Vec<Declared>,
    /// How the loop directly around them counts.
    pub counter: Option<Counter>,
    /// What it is read with of what the host does around it.
    pub foresees: Foresight,
    /// That loop, and what was looked for in it.
    origin: (Node<'t>, Extent),
}

/// What is foreseen of what the host does around a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Foresight {
    /// Nothing.
    Nothing,
    /// What stands directly before it, which the host does for sure.
    Certain,
    /// More: the host may do something else in between.
    Likely,
}

/// What the host does between two legs of a step.
#[derive(Clone)]
pub struct Gap<'t> {
    /// The number of the statements of the step that stand before it.
    pub behind: usize,
    /// The host's statements, at least one.
    pub statements: Vec<Node<'t>>,
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
    /// The step without gaps of the loop `outer` whose statements are in this part of the text.
    pub fn again(outer: Node<'t>, range: &Range<usize>) -> Self {
        let mut statements = Vec::new();
        walk(outer, &mut |node| {
            let is_in = range.start <= node.start_byte() && node.end_byte() <= range.end;
            statements.extend(Some(node).filter(|_| is_in));
            !is_in
        });
        Self {
            statements,
            gaps: Vec::new(),
            declared: Vec::new(),
            counter: None,
            foresees: Foresight::Nothing,
            origin: (outer, Extent::Sweeps),
        }
    }

    /// Where the first statement begins.
    pub fn start(&self) -> usize {
        self.statements.first().map_or(0, Node::start_byte)
    }

    /// Where the last statement ends.
    pub fn end(&self) -> usize {
        self.statements.last().map_or(0, Node::end_byte)
    }

    /// The legs: what stands before, between and behind gaps.
    pub fn legs(&self) -> Vec<&[Node<'t>]> {
        let starts = std::iter::once(0).chain(self.gaps.iter().map(|gap| gap.behind));
        let ends = self.gaps.iter().map(|gap| gap.behind).chain([self.statements.len()]);
        starts.zip(ends).map(|(start, end)| &self.statements[start..end]).collect()
    }

    /// The legs in the user's file.
    pub fn spans(&self, unit: &Unit) -> Vec<Span> {
        let span = |leg: &[Node]| unit.statement_span(leg[0].start_byte(), leg[leg.len() - 1].end_byte());
        self.legs().into_iter().map(span).collect()
    }

    /// Whether a statement is the host's and stands between two legs.
    pub fn is_behind_leg(&self, statement: Node) -> bool {
        let offset = statement.start_byte();
        !self.gaps.is_empty() && self.start() <= offset && offset < self.end()
    }

    /// Whether a place in the user's file is between its legs.
    pub fn is_around(&self, unit: &Unit, place: Span) -> bool {
        let whole = unit.statement_span(self.start(), self.end());
        !self.gaps.is_empty() && whole.start <= place.start && place.start < whole.end
    }

    /// What stands in the loop around it before the step, and behind it.
    pub fn beside(&self) -> (Vec<Node<'t>>, Vec<Node<'t>>) {
        let body = self.origin.0.child_by_field_name("body").filter(|body| body.kind() == "compound_statement");
        let (mut before, mut behind) = (body.map(children).unwrap_or_default(), Vec::new());
        before.retain(|it| it.start_byte() < self.start() || it.start_byte() >= self.end());
        if let Some(first) = before.iter().position(|it| it.start_byte() >= self.end()) {
            behind = before.split_off(first);
        }
        (before, behind)
    }

    /// Whether it changes one of these, itself or in functions that it calls.
    pub fn changes_one_of(&self, program: &Program<'_, '_, 't>, changed: &BTreeSet<Changed>) -> bool {
        let mut bodies = program.bodies_of(self.statements.clone(), |_| true);
        bodies.any(|body| !names::changed(program.unit, body, true).is_disjoint(changed))
    }

    /// Whether the step, or a part of it, is in `node`.
    pub fn is_in(&self, node: Node) -> bool {
        node.start_byte() <= self.start() && self.end() <= node.end_byte()
    }

    /// Whether this loop is directly around it.
    pub fn is_directly_in(&self, node: Node) -> bool {
        self.origin.0 == node
    }

    /// Whether a subscript in it has the variable of the loop around it.
    pub fn moves(&self, program: &Program) -> bool {
        let Some(Counter { name, .. }) = &self.counter else { return false };
        self.statements.iter().flat_map(|statement| nodes_in(*statement)).any(|node| {
            let is_element = matches!(node.kind(), "subscript_expression" | "pointer_expression");
            is_element && has_plain_subscript(program, node, name)
        })
    }

    /// The same step with the statements beside it that store single elements of its arrays, such as sources, if a device may be
    /// able to compute some.
    pub fn with_points(&self, program: &Program<'_, '_, 't>) -> Option<Self> {
        let (outer, extent) = self.origin;
        let wider = step_of(program, outer, extent, true).ok()??;
        (wider.statements.len() > self.statements.len()).then_some(wider)
    }

    /// What the loop around it changes, itself or in functions that it calls.
    pub fn changed_around(&self, program: &Program<'_, '_, 't>) -> BTreeSet<Changed> {
        let bodies = program.bodies_of(vec![self.origin.0], |_| true);
        bodies.flat_map(|body| names::changed(program.unit, body, true)).collect()
    }

    /// Whether it declares a variable that can outlive it.
    pub fn declares(&self, name: &str) -> bool {
        self.declared.iter().flat_map(|it| &it.outliving).any(|it| it == name)
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
/// What is declared between its sweeps is needed behind them.
pub fn find_step<'t>(program: &Program<'_, '_, 't>, outer: Node<'t>, extent: Extent) -> Failable<Option<Step<'t>>> {
    step_of(program, outer, extent, false)
}

/// The same, with points that are stored beside the sweeps or without.
fn step_of<'t>(
    program: &Program<'_, '_, 't>,
    outer: Node<'t>,
    extent: Extent,
    has_points: bool,
) -> Failable<Option<Step<'t>>> {
    let folds = extent == Extent::Folds;
    let Some(body) = outer.child_by_field_name("body") else { return Ok(None) };
    let statements = if body.kind() == "compound_statement" { children(body) } else { vec![body] };
    let is_sweep = |it: &Node| program.computes(*it) && program.sweeps(*it);
    let is_fold = |it: &Node| folds && program.computes(*it) && program.loops(*it);
    let Some(first) = statements.iter().position(is_sweep) else {
        let loops =
            statements.iter().filter(|it| matches!(it.kind(), "for_statement" | "while_statement" | "do_statement"));
        for inner in loops {
            if let Some(step) = step_of(program, *inner, extent, has_points)? {
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
    let range = if has_points { with_points(program, &statements, first..last + 1) } else { first..last + 1 };
    let stores_data = |it: Node| stores(it, |place| !is_pointer_element(program, place));
    let is_core = |it: &Node| is_sweep(it) || is_fold(it) || stores_data(*it);
    let cut = |declares| cut(program, &statements, range.clone(), is_core, (folds, has_points, declares));
    // What a step declares for statements behind it can stand before a step of one leg only.
    let legs = Some(cut(true)).filter(|legs| legs.len() == 1).unwrap_or_else(|| cut(false));
    let mut declared = Vec::new();
    for Leg { start, end } in &legs {
        declared.extend(declared_for(program, &statements[*start..*end], &statements[*end..], legs.len() == 1)?);
    }
    let (statements, gaps) = join_legs(&statements, &legs);
    let counter = counter(program, outer, body);
    let step = Step { statements, gaps, declared, counter, foresees: Foresight::Nothing, origin: (outer, extent) };
    if step.counter.as_ref().is_some_and(|counter| runs_over_space(program, &step.statements, &counter.name)) {
        return Ok(None);
    }
    Ok(Some(step))
}

/// The range of statements with those around it that store elements of what it uses.
fn with_points(program: &Program, statements: &[Node], range: Range<usize>) -> Range<usize> {
    let sweeps = &statements[range.clone()];
    let is_point = |it: &Node| program.computes(*it) && stores_into(program, *it, sweeps);
    let first = statements.iter().position(is_point).map_or(range.start, |first| first.min(range.start));
    let last = statements.iter().rposition(is_point).map_or(range.end, |last| (last + 1).max(range.end));
    first..last
}

/// Whether a statement stores elements of what the sweeps use; what `*p` is may be a scalar.
fn stores_into(program: &Program, statement: Node, sweeps: &[Node]) -> bool {
    let is_used = |array: Node| sweeps.iter().any(|sweep| mentions(program.unit, *sweep, program.text(array)));
    stores(statement, |place| !is_plain_dereference(place) && first_identifier(place).is_some_and(is_used))
}

/// Whether a place is `*p`.
pub fn is_plain_dereference(place: Node) -> bool {
    let argument = place.child_by_field_name("argument").map(strip_parentheses);
    place.kind() == "pointer_expression" && argument.is_some_and(|it| it.kind() == "identifier")
}

/// The legs of a step whose first and last core is in `range`.
fn cut<'t>(
    program: &Program,
    statements: &[Node<'t>],
    range: Range<usize>,
    is_core: impl Fn(&Node<'t>) -> bool,
    (folds, has_points, declares): (bool, bool, bool),
) -> Vec<Leg> {
    let joins = |it: &Node<'t>, cores: &[Node<'t>], beside: Beside<'_, 't>| {
        let belongs = match beside {
            Beside::First => false,
            Beside::Before(behind) => is_for_one_leg(program, *it, behind),
            Beside::Behind(between) => rotates(program, *it, cores, between),
        };
        belongs || folds && (sets_folded(program, *it, cores) || declares && declares_folded(program, *it, cores))
    };
    // Where the host does something anyway, it counts, too; and so it may for sources.
    let counts = !folds && (has_points || statements[range.clone()].iter().any(|it| !program.computes(*it)));
    let behind = &statements[range.end..];
    let between = &statements[range.clone()];
    let is_of_host = |it: &Node<'t>| {
        declares_for(program, *it, behind) || counts && (carries(program, *it) || sets_for_host(program, *it, between))
    };
    let computes = |it: &Node<'t>| program.computes(*it) && (is_core(it) || !is_of_host(it));
    find_legs(statements, range, computes, &is_core, joins)
}

/// The statements of legs, and the gaps between these.
fn join_legs<'t>(statements: &[Node<'t>], legs: &[Leg]) -> (Vec<Node<'t>>, Vec<Gap<'t>>) {
    let (mut joined, mut gaps) = (Vec::new(), Vec::new());
    for (index, Leg { start, end }) in legs.iter().enumerate() {
        if index > 0 {
            let between = statements[legs[index - 1].end..*start].to_vec();
            gaps.push(Gap { behind: joined.len(), statements: between });
        }
        joined.extend(&statements[*start..*end]);
    }
    (joined, gaps)
}

/// Whether a statement changes a scalar by what it holds.
fn carries(program: &Program, statement: Node) -> bool {
    let expression = children(statement).first().copied().map(strip_parentheses);
    let expression = expression.filter(|_| statement.kind() == "expression_statement");
    expression.is_some_and(|expression| {
        let is_plain = expression.child_by_field_name("operator").is_some_and(|it| program.text(it) == "=");
        let needs = |place: Node| {
            let value = expression.child_by_field_name("right").filter(|_| is_plain);
            value.is_none_or(|value| program.text(value).contains(program.text(place)))
        };
        assigned(expression).is_some_and(|place| place.kind() != "subscript_expression" && needs(place))
    })
}

/// Whether a statement gives a value to a scalar that the host names behind it, before the last of `statements`.
fn sets_for_host(program: &Program, statement: Node, statements: &[Node]) -> bool {
    let expression = children(statement).first().copied().map(strip_parentheses);
    let place = expression.filter(|_| statement.kind() == "expression_statement").and_then(assigned);
    let Some(place) = place.filter(|place| place.kind() == "identifier") else { return false };
    let is_of_host = |it: &Node| it.start_byte() > statement.start_byte() && !program.computes(*it);
    statements.iter().filter(|it| is_of_host(it)).any(|it| mentions(program.unit, *it, program.text(place)))
}

/// Whether a statement before sweeps declares what nothing behind their leg needs.
fn is_for_one_leg(program: &Program, statement: Node, behind: &[Node]) -> bool {
    statement.kind() == "declaration" && !declares_for(program, statement, behind)
}

/// Whether a declaration is one of what statements behind it need.
fn declares_for(program: &Program, statement: Node, behind: &[Node]) -> bool {
    let names = fields(statement, "declarator").into_iter().filter_map(declared_identifier);
    let mut is_needed = names.map(|name| behind.iter().any(|it| mentions(program.unit, *it, program.text(name))));
    statement.kind() == "declaration" && is_needed.any(|it| it)
}

/// Whether a statement behind the sweeps only exchanges pointers or indices that these use, or goes on with what those `between`
/// have begun.
pub fn rotates(program: &Program, statement: Node, sweeps: &[Node], between: &[Node]) -> bool {
    let is_used = |place: Node| begins_with_one_of(program, place, sweeps);
    let is_moved = |place: Node| begins_with_one_of(program, place, between);
    let is_name = |node: Node| {
        let node = strip_parentheses(node);
        matches!(node.kind(), "identifier" | "field_expression") || is_pointer_element(program, node)
    };
    match statement.kind() {
        "declaration" => fields(statement, "declarator").into_iter().all(|declarator| {
            let value = declarator.child_by_field_name("value");
            let is_pointer =
                declarator.child_by_field_name("declarator").is_some_and(|it| it.kind() == "pointer_declarator");
            is_pointer && value.is_some_and(|value| is_name(value) && is_used(value))
        }),
        "expression_statement" => children(statement).first().is_some_and(|expression| {
            let expression = strip_parentheses(*expression);
            match expression.kind() {
                "assignment_expression" => {
                    let sides = ["left", "right"].map(|side| expression.child_by_field_name(side));
                    let is_plain = expression.child_by_field_name("operator").is_some_and(|it| program.text(it) == "=");
                    let names = is_plain && sides.iter().flatten().filter(|side| is_name(**side)).count() == 2;
                    let [left, _] = sides;
                    names && (sides.iter().flatten().any(|side| is_used(*side)) || left.is_some_and(is_moved))
                }
                "call_expression" => {
                    let arguments = expression.child_by_field_name("arguments").map(children).unwrap_or_default();
                    let is_own = program.called(expression).is_some_and(|name| program.defines(name));
                    is_own
                        && program.computes(expression)
                        && arguments.iter().all(|it| is_used(pointed_to(program.unit, *it)))
                }
                _ => false,
            }
        }),
        _ => false,
    }
}

/// Whether a place is a pointer with a number in an array of pointers, such as `buf[0]`.
pub fn is_pointer_element(program: &Program, place: Node) -> bool {
    let place = strip_parentheses(place);
    let has_number = place.child_by_field_name("index").is_some_and(|it| it.kind() == "number_literal");
    let is_element = place.kind() == "subscript_expression" && has_number;
    is_element && matches!(type_of(program, place), Some(CType::Pointer(_)))
}

/// Whether what is stored in a place may be a pointer.
pub fn may_be_pointer(program: &Program, place: Node) -> bool {
    !matches!(type_of(program, place), Some(CType::Scalar(_)))
}

fn type_of<'t>(program: &Program, place: Node<'t>) -> Option<CType<'t>> {
    let around: Vec<Node> = std::iter::successors(place.parent(), Node::parent).collect();
    Scope::at(program.unit, &around, place.start_byte()).type_of(program.unit, place)
}

/// Whether the variable in a place that leads to all of it is named in one of these statements.
pub fn begins_with_one_of(program: &Program, place: Node, statements: &[Node]) -> bool {
    let name = first_identifier(place).map(|it| program.text(it));
    name.is_some_and(|name| statements.iter().any(|it| mentions(program.unit, *it, name)))
}

/// The place whose address an argument is, or the argument; of `(double **)&a` it is `a`.
fn pointed_to<'t>(unit: &Unit, argument: Node<'t>) -> Node<'t> {
    let value = argument.child_by_field_name("value").filter(|_| argument.kind() == "cast_expression");
    let argument = value.map_or(argument, strip_parentheses);
    address_of(unit, argument).unwrap_or(argument)
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

/// Whether a statement beside the sweeps declares scalars with values, of which these assign one.
fn declares_folded(program: &Program, statement: Node, sweeps: &[Node]) -> bool {
    let names = fields(statement, "declarator").into_iter().filter_map(declared_identifier);
    let mut names = names.map(|name| program.text(name));
    let is_assigned = |name| sweeps.iter().any(|sweep| assignments(program.unit, *sweep, name, None) > 0);
    let is_plain = statement.kind() == "declaration" && program.computes(statement);
    is_plain && declared_before(program, statement, &[]).is_some() && names.any(is_assigned)
}

/// What the step declares for statements behind it, where it is no longer in scope.
fn declared_for(program: &Program, step: &[Node], behind: &[Node], is_whole: bool) -> Failable<Vec<Declared>> {
    let mut found = Vec::new();
    for (index, declaration) in step.iter().enumerate().filter(|(_, it)| it.kind() == "declaration") {
        let names = fields(*declaration, "declarator").into_iter().filter_map(declared_identifier);
        let mut names = names.map(|name| program.text(name));
        if let Some(name) = names.find(|name| behind.iter().any(|it| mentions(program.unit, *it, name))) {
            match declared_before(program, *declaration, &step[..index]).filter(|_| is_whole) {
                Some(declared) => found.push(declared),
                None => {
                    let message = format!("`{name}` is declared between the sweeps of a step and used behind them");
                    let error = Diagnostic::error("kept-step", message, program.unit.span(*declaration));
                    return Err(Box::new(error.with_help(format!("declare `{name}` before the first sweep"))));
                }
            }
        }
    }
    Ok(found)
}

/// How a `for` loop counts that has a variable or a member for it which nothing in its body changes.
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
    (is_plain && !is_changed).then(|| Counter { name: name.to_owned(), update, is_down })
}

/// Whether elements are stored where the variable `name` counts, by their subscripts or through a pointer that is set there.
pub fn runs_over_space(program: &Program, statements: &[Node], name: &str) -> bool {
    let pointers: Vec<&str> = statements.iter().flat_map(|it| pointers_made_of(program, *it, name)).collect();
    let is_stored = |pointer: &str| statements.iter().any(|it| stores_through(program, *it, pointer));
    statements.iter().any(|it| stores_at(program, *it, name)) || pointers.into_iter().any(is_stored)
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
