//! The control-flow graph of the function around a nest, with what each place does to local variables.
//!
//! Example: `if (c) s = 0; use(s);` gives the points read `c` -> kill `s` -> join -> read `s`, and an edge from read `c`
//! to the join. The nest is a part of the graph like any other statement; the point behind it is known.
//!
//! Variables are told apart by their declarations, not by their spelling. Where the function does what the graph cannot
//! show (inline assembly, `setjmp`, computed jumps, statements that are not understood), it says so instead.

mod expressions;
mod names;
mod statements;

use std::collections::{BTreeMap, BTreeSet};

use tree_sitter::Node;

use super::qualifiers::Qualifiers;
use super::tree::Unit;
use names::{Names, Variable};

/// A place in the function, an index of [`ControlFlow::points`].
type PointId = usize;

/// What happens to a variable at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    /// Its value may be read.
    Read(Variable),
    /// It gets a new value, or one that no program may read.
    Kill(Variable),
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Point {
    event: Option<Event>,
    next: Vec<PointId>,
}

/// The paths through a function.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ControlFlow {
    points: Vec<Point>,
    /// Where the nest is over; `None` where it was not met.
    behind_nest: Option<PointId>,
    /// What the host does within a step of the nest, if that is a loop's that it keeps.
    gaps: Vec<Passage>,
    /// Variables whose address is taken, or that a nested function names.
    exposed: BTreeSet<Variable>,
    /// What the declarations of the function's variables say.
    qualifiers: BTreeMap<Variable, Qualifiers>,
    /// What the function does that the graph does not show.
    hides: Option<&'static str>,
}

/// Where control goes through statements that follow one another.
#[derive(Clone, Debug, Default, PartialEq)]
struct Passage {
    before: PointId,
    /// `None` where it was not met.
    behind: Option<PointId>,
    /// The names in scope before it.
    names: Names,
}

impl ControlFlow {
    /// The graph of the function among `ancestors`, innermost first, of the nest at `nest`.
    pub fn around(unit: &Unit, ancestors: &[Node], nest: Node) -> Self {
        let Some(function) = ancestors.iter().find(|node| node.kind() == "function_definition") else {
            return Self { hides: Some("the nest stands in no function"), ..Self::default() };
        };
        let mut builder = Builder::new(unit, nest);
        builder.function(*function);
        builder.graph
    }

    /// As [`around`](Self::around) a step that ends with the statement `last`; of each gap in it the first and the last
    /// statement.
    pub fn around_gaps<'t>(unit: &Unit, ancestors: &[Node<'t>], last: Node<'t>, gaps: &[(Node<'t>, Node<'t>)]) -> Self {
        let Some(function) = ancestors.iter().find(|node| node.kind() == "function_definition") else {
            return Self { hides: Some("the nest stands in no function"), ..Self::default() };
        };
        let mut builder = Builder { gaps: gaps.to_vec(), ..Builder::new(unit, last) };
        builder.graph.gaps = vec![Passage::default(); gaps.len()];
        builder.function(*function);
        if builder.graph.gaps.iter().any(|gap| gap.behind.is_none()) {
            builder.hide("the way through a step is not understood");
        }
        builder.graph
    }

    /// The variable of the function that a name means in a gap, if it is one and the function is known.
    pub fn local_in_gap(&self, gap: usize, name: &str) -> Option<Variable> {
        self.gaps.get(gap)?.names.get(name)
    }

    /// Whether what `variable` holds behind a gap may be read later.
    pub fn is_read_behind_gap(&self, gap: usize, variable: Variable) -> bool {
        self.gaps[gap].behind.is_some_and(|behind| self.is_read_from(behind, None, variable))
    }

    /// Whether `variable` may be read in a gap, or on a way out of the step from there, before it gets a new value.
    pub fn is_read_in_gap(&self, gap: usize, variable: Variable) -> bool {
        self.is_read_from(self.gaps[gap].before, self.gaps[gap].behind, variable)
    }

    /// The variable of the function whose declarator is at that offset; `None` if it is declared outside.
    pub fn local(&self, declared_at: usize) -> Option<Variable> {
        self.qualifiers.contains_key(&declared_at).then_some(declared_at)
    }

    /// What the declaration of a variable says.
    pub fn qualifiers(&self, variable: Variable) -> Qualifiers {
        self.qualifiers.get(&variable).cloned().unwrap_or_default()
    }

    /// Whether the function takes the variable's address, or a nested function names it.
    pub fn is_exposed(&self, variable: Variable) -> bool {
        self.exposed.contains(&variable)
    }

    /// Why nothing can be told of any variable, if that is so.
    pub fn hidden(&self) -> Option<&'static str> {
        self.hides
            .or(self.behind_nest.is_none().then_some("the way from the nest through the function is not understood"))
    }

    /// Whether a path leads from the nest, or from a gap in it, to a read of `variable` without giving it a new value first.
    pub fn is_read_behind_nest(&self, variable: Variable) -> bool {
        self.behind_nest.is_some_and(|start| self.is_read_from(start, None, variable))
            || (0..self.gaps.len()).any(|gap| self.is_read_in_gap(gap, variable))
    }

    /// Whether a path from `start` that does not go through `end` leads to such a read.
    fn is_read_from(&self, start: PointId, end: Option<PointId>, variable: Variable) -> bool {
        let mut pending: Vec<PointId> = vec![start];
        let mut is_seen = vec![false; self.points.len()];
        while let Some(place) = pending.pop() {
            if Some(place) == end || std::mem::replace(&mut is_seen[place], true) {
                continue;
            }
            match self.points[place].event {
                Some(Event::Read(it)) if it == variable => return true,
                Some(Event::Kill(it)) if it == variable => {}
                _ => pending.extend(&self.points[place].next),
            }
        }
        false
    }
}

/// A `switch` that is being read.
struct Switch {
    /// Where its value is known.
    entry: PointId,
    has_default: bool,
}

/// Where jumps to a label lead.
struct Label {
    place: PointId,
    /// Whether the label itself was met.
    is_set: bool,
}

/// A graph under construction. Its methods take the place before a piece of code and return the one behind it; a place
/// without a way to it stands behind a jump.
struct Builder<'u, 's, 't> {
    unit: &'u Unit<'s>,
    nest: Node<'t>,
    /// The first and the last statement of each gap.
    gaps: Vec<(Node<'t>, Node<'t>)>,
    graph: ControlFlow,
    names: Names,
    breaks: Vec<PointId>,
    continues: Vec<PointId>,
    switches: Vec<Switch>,
    labels: BTreeMap<String, Label>,
    /// How many operators around the present place do not fix the order of their operands.
    unordered: usize,
}

impl<'u, 's, 't> Builder<'u, 's, 't> {
    fn new(unit: &'u Unit<'s>, nest: Node<'t>) -> Self {
        Self {
            unit,
            nest,
            gaps: Vec::new(),
            graph: ControlFlow::default(),
            names: Names::default(),
            breaks: Vec::new(),
            continues: Vec::new(),
            switches: Vec::new(),
            labels: BTreeMap::new(),
            unordered: 0,
        }
    }

    fn text(&self, node: Node) -> &'u str {
        let unit: &'u Unit<'s> = self.unit;
        &unit.text[node.byte_range()]
    }

    /// A place without a way to it yet.
    fn place(&mut self) -> PointId {
        self.graph.points.push(Point::default());
        self.graph.points.len() - 1
    }

    fn join(&mut self, from: PointId, to: PointId) {
        self.graph.points[from].next.push(to);
    }

    /// A place behind `at` where `event` happens.
    fn event(&mut self, at: PointId, event: Event) -> PointId {
        let place = self.place();
        self.graph.points[place].event = Some(event);
        self.join(at, place);
        place
    }

    /// Gives up: the function does what no graph shows.
    fn hide(&mut self, what: &'static str) {
        self.graph.hides.get_or_insert(what);
    }
}
