//! How much an iteration of a loop adds to a variable, by its text: constants, sums and products of what does not change in the loop, and
//! what loops in it add in all their iterations.
//!
//! Example: an iteration of the outer loop of `for (i = 1; i < n - 1; i++) { for (j = 1; j < m - 1; j++) a[k++] = b[i][j]; k += 2; }`
//! adds `(m - 1 - 1) * 1 + 2` to `k`. The text only guesses: what the iteration leaves must be that, see [`super::counters`].

use tree_sitter::Node;

use super::headers::{comma_parts, has_jump, places_of_assignments};
use super::loops::Amount;
use super::reader::Reader;
use super::tree::{children, nodes_in, strip_parentheses, target};
use crate::ir::{BinaryOp, Expr, Handle, ScalarType};

/// What an iteration adds.
#[derive(Clone, Debug, Default)]
pub struct Growth<'t> {
    constant: i64,
    /// What is added or taken away besides.
    amounts: Vec<(Node<'t>, bool)>,
    /// Loops, with what each of their iterations adds.
    loops: Vec<(Node<'t>, Growth<'t>)>,
    /// How many assignments do so.
    assignments: usize,
}

/// What an assignment adds.
enum Added<'t> {
    Constant(i64),
    /// An expression, and whether it is added or taken away.
    Amount(Node<'t>, bool),
}

impl<'t> Growth<'t> {
    /// What is added, if that is a constant.
    pub fn as_constant(&self) -> Option<i64> {
        (self.loops.is_empty() && self.amounts.is_empty()).then_some(self.constant)
    }

    /// One assignment.
    fn of(amount: Added<'t>) -> Self {
        match amount {
            Added::Constant(constant) => Self { constant, assignments: 1, ..Self::default() },
            Added::Amount(node, is_added) => {
                Self { amounts: vec![(node, is_added)], assignments: 1, ..Self::default() }
            }
        }
    }

    fn and(mut self, other: Self) -> Option<Self> {
        self.constant = self.constant.checked_add(other.constant)?;
        self.loops.extend(other.loops);
        self.amounts.extend(other.amounts);
        self.assignments += other.assignments;
        Some(self)
    }
}

/// Whether one of the places is in a statement.
fn has_one_of(statement: Node, places: &[usize]) -> bool {
    places.iter().any(|place| statement.byte_range().contains(place))
}

impl<'t> Reader<'_, '_, 't> {
    /// What each iteration of the loop `node` adds to the variable `name`, if that is all that it does to it.
    pub fn growth(&self, node: Node<'t>, name: &str) -> Option<Growth<'t>> {
        let all = places_of_assignments(self.unit, node, name, node.child_by_field_name("initializer"));
        let growth = self.growth_of_loop(node, name, &all).filter(|_| !all.is_empty())?;
        (all.len() == growth.assignments).then_some(growth)
    }

    /// The same of a loop within that loop, or of itself; `all` are the places of assignments.
    fn growth_of_loop(&self, node: Node<'t>, name: &str, all: &[usize]) -> Option<Growth<'t>> {
        let body = node.child_by_field_name("body")?;
        let header = node.child_by_field_name("update").map(comma_parts).unwrap_or_default();
        let in_header = header.into_iter().filter(|it| target(*it).is_some_and(|target| self.text(target) == name));
        let amounts = in_header.map(|update| self.amount_added(update, name).map(Growth::of));
        let of_header = amounts.reduce(|all, one| all?.and(one?)).unwrap_or_else(|| Some(Growth::default()))?;
        if !has_one_of(body, all) {
            return Some(of_header);
        }
        self.growth_of_statement(body, name, all).filter(|_| !has_jump(body))?.and(of_header)
    }

    fn growth_of_statement(&self, statement: Node<'t>, name: &str, all: &[usize]) -> Option<Growth<'t>> {
        if !has_one_of(statement, all) {
            return Some(Growth::default());
        }
        match statement.kind() {
            "compound_statement" => {
                let inner = children(statement).into_iter().filter(|it| has_one_of(*it, all));
                let mut inner = inner.map(|it| self.growth_of_statement(it, name, all));
                inner.try_fold(Growth::default(), |all, one| all.and(one?))
            }
            "for_statement" => {
                let growth = self.growth_of_loop(statement, name, all)?;
                let assignments = growth.assignments;
                Some(Growth { loops: vec![(statement, growth)], assignments, ..Growth::default() })
            }
            "expression_statement" | "declaration" => {
                self.amount_added(self.update_of(statement, name)?, name).map(Growth::of)
            }
            _ => None,
        }
    }

    /// The expression in a statement that changes a variable, always.
    fn update_of(&self, statement: Node<'t>, name: &str) -> Option<Node<'t>> {
        let is_it = |it: &Node<'t>| target(*it).is_some_and(|target| self.text(target) == name);
        let whole = children(statement).first().copied().filter(|_| statement.kind() == "expression_statement");
        let part = whole.and_then(|whole| comma_parts(whole).into_iter().find(is_it));
        part.or_else(|| self.updates_within(statement).into_iter().find(is_it))
    }

    /// What an assignment adds to the variable.
    fn amount_added(&self, update: Node<'t>, name: &str) -> Option<Added<'t>> {
        let (amount, is_added) = match self.counted_amount(update, name)? {
            Amount::One { is_added } => return Some(Added::Constant(if is_added { 1 } else { -1 })),
            Amount::Of { amount, is_added } => (amount, is_added),
        };
        let Some(constant) = self.scope.typed_constant(self.unit, amount) else {
            return Some(Added::Amount(amount, is_added));
        };
        let constant = constant.as_i64().filter(|_| constant.ty.is_integer())?;
        let constant = i32::try_from(constant).ok().filter(|constant| *constant > i32::MIN)?;
        Some(Added::Constant(i64::from(if is_added { constant } else { -constant })))
    }

    /// What is added, as an expression of type `ty` before the loop is entered.
    pub fn grown(&mut self, growth: &Growth<'t>, ty: ScalarType) -> Option<Handle<Expr>> {
        let span = self.nest.pragma;
        let mut sum = self.int(ty, growth.constant, span);
        for (amount, is_added) in &growth.amounts {
            let amount = self.plain_integer(*amount, ty)?;
            sum = self.binary(if *is_added { BinaryOp::Add } else { BinaryOp::Sub }, sum, amount, span);
        }
        for (node, each) in &growth.loops {
            let (count, each) = (self.iterations_of(*node, ty)?, self.grown(each, ty)?);
            let product =
                if self.constant(each) == Some(1) { count } else { self.binary(BinaryOp::Mul, count, each, span) };
            sum = if self.constant(sum) == Some(0) { product } else { self.binary(BinaryOp::Add, product, sum, span) };
        }
        Some(sum)
    }

    /// How often a loop runs by its text, if it runs at all.
    fn iterations_of(&mut self, node: Node<'t>, ty: ScalarType) -> Option<Handle<Expr>> {
        let (span, part) = (self.span(node), |name| node.child_by_field_name(name).map(strip_parentheses));
        let initialiser = part("initializer")?;
        let first = match initialiser.kind() {
            "declaration" => initialiser.child_by_field_name("declarator")?.child_by_field_name("value")?,
            _ => initialiser.child_by_field_name("right")?,
        };
        let (condition, update) = (part("condition")?, part("update")?);
        let name = self.text(target(comma_parts(update).first().copied()?)?).to_owned();
        let Added::Constant(step @ (1 | -1)) = self.amount_added(comma_parts(update)[0], &name)? else { return None };
        let bound = condition.child_by_field_name("right")?;
        let more = match (self.text(condition.child_by_field_name("operator")?), step) {
            ("<", 1) | (">", -1) | ("!=", _) => 0,
            ("<=", 1) | (">=", -1) => 1,
            _ => return None,
        };
        let is_of_variable = self.text(condition.child_by_field_name("left")?) == name;
        let (first, bound) = (self.plain_integer(first, ty)?, self.plain_integer(bound, ty)?);
        let (from, to) = if step > 0 { (first, bound) } else { (bound, first) };
        let distance = self.binary(BinaryOp::Sub, to, from, span);
        let more = self.int(ty, more, span);
        let count = self.binary(BinaryOp::Add, distance, more, span);
        is_of_variable.then(|| self.normalised(count))
    }

    /// An integer that is plain arithmetic of variables.
    pub fn plain_integer(&mut self, node: Node<'t>, ty: ScalarType) -> Option<Handle<Expr>> {
        const PLAIN: [&str; 5] =
            ["identifier", "number_literal", "unary_expression", "binary_expression", "parenthesized_expression"];
        let is_plain = nodes_in(node).all(|inner| PLAIN.contains(&inner.kind()));
        let value = if is_plain { self.scalar(node).ok()? } else { return None };
        let value = self.convert(value, ty);
        self.polynomial(value).map(|_| value)
    }

    /// Whether the code of a loop chooses elements by a variable.
    pub fn chooses_by(&self, node: Node<'t>, name: &str) -> bool {
        nodes_in(node).any(|inner| {
            let index = inner.child_by_field_name("index").filter(|_| inner.kind() == "subscript_expression");
            index.is_some_and(|index| self.mentions(index, name))
        })
    }
}
