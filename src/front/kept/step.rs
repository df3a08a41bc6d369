//! The statements of a loop that are one step of it.

use std::collections::BTreeSet;
use std::ops::Range;

use tree_sitter::Node;

use super::counter::{
    Counter, counter, has_plain_subscript, is_in_subscripts, keeps_points, makes_rows, runs_over_space,
};
use super::declared::{Declared, Lasting, declared_before};
use super::exchanges::{
    begins_with_one_of, declares_walked, holds_buffer, is_plain_dereference, is_pointer_element, is_real,
    may_be_pointer, rotates, stores_numbers, stores_reals,
};
use super::legs::{Beside, Leg, find_legs};
use super::names::{self, Changed};
use super::program::Program;
use crate::front::Failable;
use crate::front::headers::assignments;
use crate::front::tree::{
    Unit, assigned, children, declared_identifier, fields, first_identifier, mentions, nodes_in, plain_assignment,
    stores, strip_parentheses, walk,
};
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
    /// What its loop declares that is to stand before that.
    pub lasting: Vec<Lasting>,
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
            lasting: Vec::new(),
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

    /// The loop around it.
    pub fn outer(&self) -> Node<'t> {
        self.origin.0
    }

    /// What stands in the loop around it before the step, and behind it.
    pub fn beside(&self) -> (Vec<Node<'t>>, Vec<Node<'t>>) {
        let body = self.outer().child_by_field_name("body").filter(|body| body.kind() == "compound_statement");
        let (mut before, mut behind) = (body.map(children).unwrap_or_default(), Vec::new());
        before.retain(|it| it.start_byte() < self.start() || it.start_byte() >= self.end());
        if let Some(first) = before.iter().position(|it| it.start_byte() >= self.end()) {
            behind = before.split_off(first);
        }
        (before, behind)
    }

    /// What the loop around it does before it goes on.
    pub fn update(&self) -> Option<Node<'t>> {
        self.outer().child_by_field_name("update")
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
        self.outer() == node
    }

    /// Whether a subscript in it has the variable of the loop around it.
    pub fn moves(&self, program: &Program<'_, '_, 't>) -> bool {
        let names = self.variables_of_loop(program);
        self.statements.iter().flat_map(|statement| nodes_in(*statement)).any(|node| {
            let is_element = matches!(node.kind(), "subscript_expression" | "pointer_expression");
            is_element && names.iter().any(|name| has_plain_subscript(program, node, name))
        })
    }

    /// What the loop around it counts, and what else it changes that its condition is about.
    fn variables_of_loop(&self, program: &Program<'_, '_, 't>) -> Vec<String> {
        let condition = self.outer().child_by_field_name("condition");
        let is_tested = |name: &str| condition.is_some_and(|it| mentions(program.unit, it, name));
        let changed = self.changed_around(program).into_iter().map(|it| it.name).filter(|name| is_tested(name));
        self.counter.iter().map(|it| it.name.clone()).chain(changed).collect()
    }

    /// The same step with the statements beside it that store single elements of its arrays, such as sources, if a device may be
    /// able to compute some.
    pub fn with_points(&self, program: &Program<'_, '_, 't>) -> Option<Self> {
        let (outer, extent) = self.origin;
        let wider = step_of(program, outer, extent, Points::Wide).ok()??;
        (wider.statements.len() > self.statements.len()).then_some(wider)
    }

    /// The same step without functions behind its sweeps that store single elements, or that store numbers of any kind, without what
    /// changes a scalar between these by what it holds, as `time += dt;` does, and without `now = next;`: the host may do any of it.
    pub fn with_less<'a, 'p, 's>(
        &self,
        program: &'a Program<'p, 's, 't>,
    ) -> impl Iterator<Item = Self> + use<'a, 'p, 's, 't> {
        let (outer, extent) = self.origin;
        let mut length = self.statements.len();
        [Points::OfHost, Points::AllOfHost].into_iter().filter_map(move |points| {
            let shorter = step_of(program, outer, extent, points).ok()??;
            let is_shorter = shorter.statements.len() < length;
            length = length.min(shorter.statements.len());
            is_shorter.then_some(shorter)
        })
    }

    /// The same step whose calls bring what the loop around it counts.
    pub fn without_counter(self) -> Self {
        Self { counter: None, ..self }
    }

    /// The same, if a subscript has what the loop counts.
    pub fn of_rows(self, program: &Program<'_, '_, 't>) -> Option<Self> {
        let counter = self.counter.as_ref()?;
        is_in_subscripts(program, &self.statements, &counter.name).then(|| self.without_counter())
    }

    /// What the loop around it changes, itself or in functions that it calls.
    pub fn changed_around(&self, program: &Program<'_, '_, 't>) -> BTreeSet<Changed> {
        let bodies = program.bodies_of(vec![self.outer()], |_| true);
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

/// Which single elements that are stored beside sweeps belong to a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Points {
    /// All, as far as a device may be able to compute them.
    Wide,
    /// Those that functions behind the sweeps store.
    Called,
    /// None, and no scalars that change by what they hold.
    OfHost,
    /// The same, and nothing else that functions behind the sweeps store but pointers.
    AllOfHost,
}

/// The step of the loop `outer`, or of a loop within it, if it has one.
///
/// # Errors
/// What is declared between its sweeps is needed behind them.
pub fn find_step<'t>(program: &Program<'_, '_, 't>, outer: Node<'t>, extent: Extent) -> Failable<Option<Step<'t>>> {
    step_of(program, outer, extent, Points::Called)
}

/// The same, with these points that are stored beside the sweeps.
fn step_of<'t>(
    program: &Program<'_, '_, 't>,
    outer: Node<'t>,
    extent: Extent,
    points: Points,
) -> Failable<Option<Step<'t>>> {
    let folds = extent == Extent::Folds;
    let Some(body) = outer.child_by_field_name("body") else { return Ok(None) };
    let statements = if body.kind() == "compound_statement" { children(body) } else { vec![body] };
    let is_sweep = |it: &Node| program.computes(*it) && program.sweeps(*it);
    let is_fold = |it: &Node| folds && program.computes(*it) && program.loops(*it);
    let Some(first) = statements.iter().position(is_sweep) else {
        let loops = statements.iter().filter(|it| program.repeats(**it));
        for inner in loops {
            if let Some(step) = step_of(program, *inner, extent, points)? {
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
    let range = first..last + 1;
    let range = if points == Points::Wide { with_points(program, &statements, range) } else { range };
    let stores_data = |it: Node| stores(it, |place| !is_pointer_element(program, place));
    let is_core = |it: &Node| is_sweep(it) || is_fold(it) || stores_data(*it);
    let cut = |declares| cut(program, &statements, range.clone(), is_core, (folds, points, declares));
    // What a step declares for statements behind it can stand before its first leg only.
    let plain = cut(false);
    let is_in_first = |legs: &Vec<Leg>| legs.get(1..).is_none_or(|others| plain.ends_with(others));
    let legs = Some(cut(true)).filter(is_in_first).unwrap_or(plain);
    let mut declared = Vec::new();
    for (number, Leg { start, end }) in legs.iter().enumerate() {
        declared.extend(declared_for(program, &statements[*start..*end], &statements[*end..], number == 0)?);
    }
    let (statements, gaps) = join_legs(&statements, &legs);
    let counter = counter(program, outer, body);
    let (foresees, lasting) = (Foresight::Nothing, Vec::new());
    let step = Step { statements, gaps, declared, counter, foresees, lasting, origin: (outer, extent) };
    match &step.counter {
        Some(Counter { name, .. }) if runs_over_space(program, &step.statements, name) => {
            let has_others =
                makes_rows(program, &step.statements, name) || keeps_points(program, &step.statements, name);
            Ok(has_others.then(|| step.without_counter()))
        }
        _ => Ok(Some(step)),
    }
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

/// The legs of a step whose first and last core is in `range`.
fn cut<'t>(
    program: &Program,
    statements: &[Node<'t>],
    range: Range<usize>,
    is_core: impl Fn(&Node<'t>) -> bool,
    (folds, points, declares): (bool, Points, bool),
) -> Vec<Leg> {
    // A pointer that a leg moves on begins in it, and so does what is declared between: the host keeps its own as it was.
    let is_walk = |it: &Node<'t>, cores: &[Node<'t>]| {
        let mut until = statements.iter().take_while(|other| other.start_byte() <= it.start_byte());
        it.kind() == "declaration" && program.computes(*it) && until.any(|it| declares_walked(program, *it, cores))
    };
    let is_without = matches!(points, Points::OfHost | Points::AllOfHost);
    let joins = &|it: &Node<'t>, cores: &[Node<'t>], beside: Beside<'_, 't>| {
        let belongs = match beside {
            Beside::First { joined, others } => {
                let is_of_leg = !declares_for(program, *it, others);
                let is_needed = || declares_for(program, *it, joined) || declares_for(program, *it, cores);
                is_of_leg
                    && (holds_buffer(program, *it, cores) && is_needed()
                        || is_walk(it, cores)
                        || declares_variables(*it) && declares_for(program, *it, cores))
            }
            Beside::Before(behind) => is_for_one_leg(program, *it, behind),
            Beside::Behind(_) if points == Points::OfHost && stores_reals(program, *it) => false,
            Beside::Behind(_) if is_without && turns_numbers(program, *it) => false,
            Beside::Behind(_) if points == Points::AllOfHost && stores_numbers(program, *it) => false,
            Beside::Behind(between) => rotates(program, *it, cores, between),
        };
        let is_derived = || match beside {
            Beside::Behind(between) => program.joins_derived && sets_derived(program, *it, (cores, between)),
            _ => false,
        };
        let is_fold = || sets_folded(program, *it, cores) || declares && declares_folded(program, *it, cores);
        belongs || folds && (is_fold() || is_derived())
    };
    // Where the host does something anyway, it counts, too; and so it may for sources, and for sweeps that need what it counts.
    let counts =
        !folds && (points != Points::Called || statements[range.clone()].iter().any(|it| !program.computes(*it)));
    let behind = &statements[range.end..];
    let between = &statements[range.clone()];
    let is_folded = |it: &Node<'t>| {
        let before = between.iter().take_while(|other| other.start_byte() < it.start_byte()).copied();
        let may_stand_before = || declared_before(program, *it, &before.collect::<Vec<_>>()).is_some();
        folds && declares && declares_folded(program, *it, between) && may_stand_before()
    };
    // What a step declares between its sweeps and the host makes something of, is the host's.
    let is_made_of = |it: &Node<'t>| {
        let is_behind_core = between.iter().any(|other| other.start_byte() < it.start_byte() && is_core(other));
        let of_host = || between.iter().filter(|other| !program.computes(**other)).copied().collect::<Vec<_>>();
        folds && is_behind_core && it.kind() == "declaration" && declares_for(program, *it, &of_host())
    };
    let is_of_host = |it: &Node<'t>| {
        declares_for(program, *it, behind) && !is_folded(it)
            || is_made_of(it)
            || counts && (carries(program, *it) || sets_for_host(program, *it, between))
    };
    let computes = &|it: &Node<'t>| program.computes(*it) && (is_core(it) || !is_of_host(it));
    let legs = find_legs(statements, range.clone(), computes, &is_core, joins);
    // What the host begins before the step or needs within it, it hands on itself behind it.
    let gaps = legs.windows(2).flat_map(|pair| &statements[pair[0].end..pair[1].start]);
    let before = &statements[..legs.first().map_or(0, |leg| leg.start)];
    let of_host: Vec<Node> = before.iter().chain(gaps).copied().collect();
    let joins_but_copies = |it: &Node<'t>, cores: &[Node<'t>], beside: Beside<'_, 't>| {
        let is_copy = matches!(beside, Beside::Behind(_)) && copies_one_of(program, *it, &of_host);
        !is_copy && joins(it, cores, beside)
    };
    if folds && !of_host.is_empty() { find_legs(statements, range, computes, &is_core, joins_but_copies) } else { legs }
}

/// Whether a statement gives a variable the real number that another one holds, which these statements name.
fn copies_one_of(program: &Program, statement: Node, naming: &[Node]) -> bool {
    let expression = children(statement).first().copied().filter(|_| statement.kind() == "expression_statement");
    let plain = expression.and_then(|it| plain_assignment(program.unit, strip_parentheses(it)));
    plain.is_some_and(|(place, value)| {
        let value = strip_parentheses(value);
        let are_names = place.kind() == "identifier" && value.kind() == "identifier";
        are_names && is_real(program, place) && begins_with_one_of(program, value, naming)
    })
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
        let plain = plain_assignment(program.unit, expression);
        let needs = |place: Node| plain.is_none_or(|(_, value)| program.text(value).contains(program.text(place)));
        assigned(expression).is_some_and(|place| place.kind() != "subscript_expression" && needs(place))
    })
}

/// Whether a statement gives a variable the number that another one holds, as `now = next;` does with numbers of buffers.
fn turns_numbers(program: &Program, statement: Node) -> bool {
    let expression = children(statement).first().copied().filter(|_| statement.kind() == "expression_statement");
    let place = expression.map(strip_parentheses).and_then(assigned).filter(|place| place.kind() == "identifier");
    place.is_some_and(|place| !may_be_pointer(program, place))
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
pub fn declares_for(program: &Program, statement: Node, behind: &[Node]) -> bool {
    let names = fields(statement, "declarator").into_iter().filter_map(declared_identifier);
    let mut is_needed = names.map(|name| behind.iter().any(|it| names::needs(program.unit, *it, program.text(name))));
    statement.kind() == "declaration" && is_needed.any(|it| it)
}

/// Whether a statement declares variables without values, and no arrays, that end with their block.
fn declares_variables(statement: Node) -> bool {
    let declarators = fields(statement, "declarator");
    let has_class = children(statement).iter().any(|it| it.kind() == "storage_class_specifier");
    statement.kind() == "declaration" && !has_class && declarators.iter().all(|it| it.kind() == "identifier")
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

/// Whether a statement behind the sweeps gives a scalar that they do not name a value made of one that they fold, or of one that a
/// statement between makes of that: `err = sqrt(sum / n);`.
fn sets_derived(program: &Program, statement: Node, (sweeps, between): (&[Node], &[Node])) -> bool {
    let is_set = |name: &str| {
        let is_folded = sweeps.iter().any(|it| assignments(program.unit, *it, name, None) > 0);
        is_folded || between.iter().any(|it| derived(program, *it).is_some_and(|(other, _)| other == name))
    };
    derived(program, statement).is_some_and(|(name, value)| {
        let is_made = nodes_in(value).any(|it| it.kind() == "identifier" && is_set(program.text(it)));
        is_made && program.computes(statement) && !sweeps.iter().any(|it| mentions(program.unit, *it, name))
    })
}

/// The scalar that a statement alone gives a value, and that.
fn derived<'p, 't>(program: &Program<'p, '_, 't>, statement: Node<'t>) -> Option<(&'p str, Node<'t>)> {
    let (name, value) = match statement.kind() {
        "declaration" => {
            let [declarator] = fields(statement, "declarator")[..] else { return None };
            (declarator.child_by_field_name("declarator")?, declarator.child_by_field_name("value")?)
        }
        _ => {
            let expression =
                children(statement).first().copied().filter(|_| statement.kind() == "expression_statement");
            plain_assignment(program.unit, strip_parentheses(expression?))?
        }
    };
    (name.kind() == "identifier").then(|| (program.text(name), value))
}

/// What the step declares for statements behind it, where it is no longer in scope.
fn declared_for(program: &Program, step: &[Node], behind: &[Node], is_first: bool) -> Failable<Vec<Declared>> {
    let mut found = Vec::new();
    for (index, declaration) in step.iter().enumerate().filter(|(_, it)| it.kind() == "declaration") {
        let names = fields(*declaration, "declarator").into_iter().filter_map(declared_identifier);
        let mut names = names.map(|name| program.text(name));
        if let Some(name) = names.find(|name| behind.iter().any(|it| names::needs(program.unit, *it, name))) {
            let outlives = |it: &Declared| is_first || !it.outliving.is_empty();
            match declared_before(program, *declaration, &step[..index]).filter(outlives) {
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
