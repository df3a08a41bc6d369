//! Loops that count: the values of their variables.

use tree_sitter::Node;

use super::{Frame, Meaning, Parts};
use crate::front::declarations::Scope;
use crate::front::headers::assignments;
use crate::front::kept::corners::{Code, Corners};
use crate::front::literals::integer_literal;
use crate::front::tree::{declared_identifier, fields, mentions, nodes_in, strip_parentheses, target};
use crate::front::types::CType;
use crate::ir::ScalarType;

impl<'p, 't> Parts<'_, 'p, '_, 't> {
    pub(super) fn visit_for(&mut self, node: Node<'t>, frame: &mut Frame<'t>) -> Option<()> {
        let mut inside = frame.clone();
        for field in ["initializer", "condition", "update"] {
            self.visit_all(node.child_by_field_name(field).into_iter().collect(), &mut inside)?;
        }
        if let Some((name, corners, naturals)) = self.counted(node, frame) {
            inside.meanings.insert(name.to_owned(), Meaning::Integer(corners));
            inside.naturals.extend(naturals);
        }
        self.visit_all(node.child_by_field_name("body").into_iter().collect(), &mut inside)
    }

    /// The variable of a counted loop, its values, and what is not negative within it.
    fn counted(&self, node: Node<'t>, frame: &Frame<'t>) -> Option<(&'p str, Corners, Vec<String>)> {
        let update = strip_parentheses(node.child_by_field_name("update")?);
        let name = self.text(target(update)?);
        let first = self.first_value(node, name, frame)?;
        let condition = strip_parentheses(node.child_by_field_name("condition")?);
        let [left, right] = ["left", "right"].map(|side| condition.child_by_field_name(side).map(strip_parentheses));
        let (left, right) = (left?, right?);
        let is_left = left.kind() == "identifier" && self.text(left) == name;
        let other = if is_left { right } else { left };
        let is_other = right.kind() == "identifier" && self.text(right) == name;
        if condition.kind() != "binary_expression" || is_left == is_other || mentions(self.unit(), other, name) {
            return None;
        }
        let bound = self.integer(other, frame)?;
        bound.ty.zip(first.ty)?;
        let own = self.type_of_counter(node, name, frame)?;
        let (bound, first) = (bound.in_loop_of(own), first.in_loop_of(own));
        let relation = self.text(condition.child_by_field_name("operator")?);
        let is_down = self.counts_down(update)?;
        let is_below = matches!(relation, "<" | "<=") == is_left;
        if !matches!(relation, "<" | "<=" | ">" | ">=") || is_below == is_down {
            return None;
        }
        let is_inclusive = relation.ends_with('=');
        let (start, limit) = if is_down { (other, self.first_of(node)?) } else { (self.first_of(node)?, other) };
        let is_natural = self.integer(start, frame)?.doubts.iter().all(|it| frame.naturals.contains(it));
        let naturals = if is_natural { self.naturals_of(limit, frame) } else { Vec::new() };
        if is_down {
            let one = Corners::steady(Code::primary("1"), Some(ScalarType::I32));
            let low = if is_inclusive { bound } else { bound.plus(&one) };
            return Some((name, Corners::counted(&low, &first, true), naturals));
        }
        let corners = Corners::counted(&first, &bound, is_inclusive);
        Some((name, corners, naturals))
    }

    /// What is not negative if a bound is above zero or is zero: it, and what a number is taken from in it.
    fn naturals_of(&self, bound: Node<'t>, frame: &Frame<'t>) -> Vec<String> {
        let bound = strip_parentheses(bound);
        let operator = bound.child_by_field_name("operator").filter(|_| bound.kind() == "binary_expression");
        let inner = bound.child_by_field_name("left").filter(|_| {
            operator.is_some_and(|it| self.text(it) == "-")
                && bound.child_by_field_name("right").is_some_and(|it| it.kind() == "number_literal")
        });
        let steady = self.integer(bound, frame).filter(Corners::is_steady).map(|it| it.low.text);
        steady.into_iter().chain(inner.map(|it| self.naturals_of(it, frame)).unwrap_or_default()).collect()
    }

    /// Whether a loop counts down, by a number.
    fn counts_down(&self, update: Node<'t>) -> Option<bool> {
        let operator = self.text(update.child_by_field_name("operator")?);
        let by = update.child_by_field_name("right");
        let is_number = by.is_none_or(|by| by.kind() == "number_literal" && integer_literal(self.text(by)).is_some());
        match operator {
            "++" | "+=" if is_number => Some(false),
            "--" | "-=" if is_number => Some(true),
            _ => None,
        }
    }

    /// The type of a loop's variable.
    fn type_of_counter(&self, node: Node<'t>, name: &str, frame: &Frame<'t>) -> Option<ScalarType> {
        let initializer = node.child_by_field_name("initializer").filter(|it| it.kind() == "declaration");
        let ty = match initializer.or_else(|| self.declaration_of(frame.body, name)) {
            Some(declaration) => {
                let mut scope = Scope::clone(&frame.scope);
                scope.declare(self.unit(), declaration, false, false);
                scope.variable(name)?.ty.clone()
            }
            None if frame.depth == 0 => self.outer.variable(name)?.ty.clone(),
            None => return None,
        };
        if let CType::Scalar(ty) = ty { Some(ty).filter(|ty| ty.is_integer()) } else { None }
    }

    pub(super) fn declaration_of(&self, body: Node<'t>, name: &str) -> Option<Node<'t>> {
        let is_it = |it: Node| declared_identifier(it).is_some_and(|it| self.text(it) == name);
        let mut declarations = nodes_in(body).filter(|inner| inner.kind() == "declaration");
        declarations.find(|declaration| fields(*declaration, "declarator").into_iter().any(is_it))
    }

    /// What a loop's variable is set to at first.
    fn first_of(&self, node: Node<'t>) -> Option<Node<'t>> {
        let initializer = strip_parentheses(node.child_by_field_name("initializer")?);
        match initializer.kind() {
            "declaration" => fields(initializer, "declarator").first()?.child_by_field_name("value"),
            _ => initializer.child_by_field_name("right"),
        }
    }

    /// What a loop begins with, if nothing in it but its head changes its variable.
    fn first_value(&self, node: Node<'t>, name: &str, frame: &Frame<'t>) -> Option<Corners> {
        let initializer = strip_parentheses(node.child_by_field_name("initializer")?);
        let changes = assignments(self.unit(), node, name, None);
        if initializer.kind() == "declaration" {
            let declarators = fields(initializer, "declarator");
            let declarator = declarators.first().filter(|_| declarators.len() == 1)?;
            let is_it = declared_identifier(*declarator).is_some_and(|it| self.text(it) == name);
            let is_alone = self.count_declarations(node, name) == 1 && changes == 1;
            return self.integer(self.first_of(node).filter(|_| is_it && is_alone)?, frame);
        }
        let is_plain = initializer.kind() == "assignment_expression"
            && initializer.child_by_field_name("operator").is_some_and(|it| self.text(it) == "=")
            && target(initializer).is_some_and(|it| self.text(it) == name);
        let is_own = match frame.depth {
            0 => self.outer.variable(name).is_some_and(|variable| !variable.is_static),
            _ => self.declares(frame.body, name),
        };
        let is_alone = self.count_declarations(node, name) == 0 && changes == 2;
        self.integer(self.first_of(node).filter(|_| is_plain && is_own && is_alone)?, frame)
    }
}
