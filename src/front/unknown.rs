//! Why a variable has no value that a nest could use, in the user's terms.

use tree_sitter::Node;

use super::reader::{Reader, Unknown};
use super::tree::{assigned, nodes_in};
use super::types::CType;
use super::unroll::MAX_ITERATIONS;
use crate::ir::{Handle, HostValue};
use crate::source::{Diagnostic, Span};

/// How an earlier iteration's value gets into a later one.
enum Carrier {
    /// The loop over time assigns it once a step.
    Step,
    /// It accumulates values over an inner loop that is not unrolled.
    InnerLoop,
    /// It is a sum, a maximum or the like over points.
    Reduction,
    /// One point leaves it to the next.
    Point,
}

/// What all points have a part in cannot be read at any of them.
pub fn reduction(what: &str, span: Span) -> Diagnostic {
    let message = format!("{what} is a sum, maximum or other reduction over points, which the nest itself needs");
    let error = Diagnostic::error("scalar-carried", message, span);
    error.with_help("compute it in a loop of its own that is not marked")
}

impl<'t> Reader<'_, '_, 't> {
    /// The refusal of a variable at `node` whose value is not known; `assigned` is where it got it.
    pub fn unknown_value(
        &self,
        node: Node<'t>,
        value: Handle<HostValue>,
        why: Unknown,
        assigned: Span,
    ) -> Box<Diagnostic> {
        let (name, is_inside) = (self.name(value), !self.is_from_outside(value));
        let error = |code, message: String, help: &str| {
            Box::new(Diagnostic::error(code, message, self.span(node)).with_help(help))
        };
        let (diagnostic, label) = match why {
            Unknown::Uninitialised => {
                let message = format!("`{name}` is read before it has a value");
                (error("uninitialised", message, "give it a value first"), "declared here")
            }
            Unknown::Skipped => {
                let code = if is_inside { "uninitialised" } else { "scalar-carried" };
                let message =
                    format!("`{name}` gets no new value in this iteration if no condition holds that assigns it");
                let help = "give it a value in every case: before the `if`, or in a last `else`";
                (error(code, message, help), "where this does not hold, it is not assigned")
            }
            Unknown::Carried => (Box::new(self.carried(node, name)), "assigned here"),
            Unknown::LeftByLoop(_) | Unknown::Counted(_) | Unknown::OnTrail(_) => {
                let message = format!("`{name}` is read after the loop that assigns it");
                let help = "assign it again after the loop, or move what reads it into the loop";
                (error("scalar-carried", message, help), "assigned here")
            }
            Unknown::Uncopied => {
                let message = format!("`{name}` is of a type that a nest cannot use");
                let help = "use numbers, and pointers to arrays of numbers";
                (error("unsupported-type", message, help), "its structure is assigned here")
            }
            Unknown::Branch => {
                let message = format!("what `{name}` points to depends on a condition");
                let help = "write the two cases as two statements, or swap pointers at the end of the time loop";
                (error("pointer-branch", message, help), "assigned here")
            }
        };
        let is_elsewhere = assigned != self.span(node);
        if is_elsewhere { Box::new(diagnostic.with_label(assigned, label)) } else { diagnostic }
    }

    fn carried(&self, node: Node<'t>, name: &str) -> Diagnostic {
        let (message, help) = match self.carrier(node, name) {
            Carrier::Step => (
                format!("`{name}` carries a value from one time step to the next"),
                vec![
                    self.value_of_each_step(name),
                    "or let the host count the steps: mark the loops inside this loop, not this loop".into(),
                ],
            ),
            Carrier::InnerLoop => (
                format!("`{name}` accumulates values over an inner loop that cannot be unrolled"),
                self.lengths_known(),
            ),
            Carrier::Reduction => return reduction(&format!("`{name}`"), self.span(node)),
            Carrier::Point => (
                format!("`{name}` carries a value from one iteration to the next"),
                vec!["write what it holds in terms of the loop's variables and of elements, as in `b[i - 1]`".into()],
            ),
        };
        let error = Diagnostic::error("scalar-carried", message, self.span(node));
        help.into_iter().fold(error, Diagnostic::with_help)
    }

    /// How an inner loop can be one that is unrolled.
    fn lengths_known(&self) -> Vec<String> {
        let constant =
            format!("give that loop constant bounds (a macro or an `enum`) and at most {MAX_ITERATIONS} iterations");
        let stated = self.open_lengths.first().map(|name| {
            format!("or, if `{name}` holds the same small number whenever it matters, say which by a clause: `value({name} = 3)`")
        });
        let apart =
            "or compute what is a sum, maximum or other reduction over points in a loop of its own that is not marked";
        [Some(constant), stated, Some(apart.to_owned())].into_iter().flatten().collect()
    }

    /// How to compute a scalar that each step changes without the step before.
    fn value_of_each_step(&self, name: &str) -> String {
        let ty = self.scope.variable(name).map(|variable| &variable.ty);
        let time = self.nest.loops.iter().next().map_or("t", |(_, this)| self.name(this.variable));
        match ty {
            Some(CType::Scalar(ty)) if ty.is_integer() => {
                format!("compute it from `{time}`, as in `{name} = {time} % 2`")
            }
            _ => format!(
                "fill an array with its value for each step before the nest, and read the element of `{time}` here"
            ),
        }
    }

    fn carrier(&self, node: Node<'t>, name: &str) -> Carrier {
        let Some(carrier) = self.loops_around(node).into_iter().find(|it| !self.assignments_in(*it, name).is_empty())
        else {
            return Carrier::Point;
        };
        let assignments = self.assignments_in(self.node, name);
        let within = |it: &Node<'t>| self.loops_around(*it).contains(&carrier);
        let is_declared_inside = self.scope.variable(name).is_some_and(|variable| variable.is_inside);
        if carrier == self.node && assignments.iter().all(|it| self.is_once_a_step(*it)) {
            Carrier::Step
        } else if carrier != self.node && (is_declared_inside || !assignments.iter().all(within)) {
            Carrier::InnerLoop
        } else if assignments.iter().any(|it| self.accumulates_in(*it, node, name)) {
            Carrier::Reduction
        } else {
            Carrier::Point
        }
    }

    /// Whether `node` stands in the outermost loop, beside loops over space.
    pub fn is_once_a_step(&self, node: Node<'t>) -> bool {
        self.loops_around(node) == [self.node] && has_inner_loop(self.node)
    }

    /// The loops of the nest around `node`, innermost first.
    fn loops_around(&self, node: Node<'t>) -> Vec<Node<'t>> {
        let within = std::iter::successors(node.parent(), Node::parent);
        let within = within.take_while(|outer| outer.start_byte() >= self.node.start_byte());
        within.filter(|outer| matches!(outer.kind(), "for_statement" | "while_statement")).collect()
    }

    fn assignments_in(&self, node: Node<'t>, name: &str) -> Vec<Node<'t>> {
        let is_it = |inner: &Node| assigned(*inner).is_some_and(|place| self.text(place) == name);
        nodes_in(node).filter(is_it).collect()
    }

    /// Whether `reader`, where `name` is read, is part of `assignment` or decides whether it is made.
    fn accumulates_in(&self, assignment: Node<'t>, reader: Node<'t>, name: &str) -> bool {
        let decides = |outer: Node<'t>| {
            outer.kind() == "if_statement"
                && outer.child_by_field_name("condition").is_some_and(|condition| self.mentions(condition, name))
        };
        let holds =
            |outer: Node<'t>| outer.start_byte() <= reader.start_byte() && reader.end_byte() <= outer.end_byte();
        holds(assignment)
            || std::iter::successors(assignment.parent(), Node::parent)
                .take_while(|outer| outer.start_byte() >= self.node.start_byte())
                .any(|outer| decides(outer) && holds(outer))
    }
}

fn has_inner_loop(carrier: Node) -> bool {
    nodes_in(carrier).any(|inner| inner != carrier && inner.kind() == "for_statement")
}
