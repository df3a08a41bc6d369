//! What expressions read and assign, in the order of their evaluation where C fixes one.

use tree_sitter::Node;

use super::{Builder, Event, PointId};
use crate::front::tree::{addressed, children, strip_parentheses};

/// Functions that return once more after a jump back to them.
const RETURNING_TWICE: [&str; 6] = ["setjmp", "_setjmp", "__sigsetjmp", "sigsetjmp", "__builtin_setjmp", "getcontext"];

impl<'t> Builder<'_, '_, 't> {
    /// Reads `node` at `at`.
    pub(super) fn expression(&mut self, node: Node<'t>, at: PointId) -> PointId {
        match node.kind() {
            // What looks like a cast, `(s) - 1`, may be a sum.
            "identifier" | "type_identifier" => self.name(node, at),
            "assignment_expression" => self.assignment(node, at),
            "comma_expression" => self.parts(node, at),
            "parenthesized_expression" => self.parts(node, at),
            "conditional_expression" => self.choice(node, at),
            "binary_expression" if self.operator(node) == "&&" || self.operator(node) == "||" => {
                self.short_circuit(node, at)
            }
            "pointer_expression" if self.operator(node) == "&" => self.address(node, at),
            // GNU statement expressions.
            "compound_statement" => self.statement(node, at),
            "gnu_asm_expression" => self.give_up("the function has inline assembly", at),
            _ => self.operands(node, at),
        }
    }

    pub(super) fn give_up(&mut self, what: &'static str, at: PointId) -> PointId {
        self.hide(what);
        at
    }

    fn operator(&self, node: Node<'t>) -> &str {
        node.child_by_field_name("operator").map_or("", |operator| self.text(operator))
    }

    fn name(&mut self, node: Node<'t>, at: PointId) -> PointId {
        let name = self.text(node);
        if RETURNING_TWICE.contains(&name) {
            self.hide("the function may be entered again by a jump");
        }
        match self.names.get(name) {
            Some(variable) => self.event(at, Event::Read(variable)),
            None => at,
        }
    }

    /// Parts that are evaluated one after the other.
    fn parts(&mut self, node: Node<'t>, at: PointId) -> PointId {
        children(node).into_iter().fold(at, |at, part| self.expression(part, at))
    }

    /// Parts in an order that C leaves open: an assignment in one of them may follow a read in another.
    fn operands(&mut self, node: Node<'t>, at: PointId) -> PointId {
        let count = children(node).into_iter().filter(|part| !is_literal(*part)).count();
        let is_open = usize::from(count > 1);
        self.unordered += is_open;
        let at = self.parts(node, at);
        self.unordered -= is_open;
        at
    }

    fn assignment(&mut self, node: Node<'t>, at: PointId) -> PointId {
        let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right")) else {
            return self.operands(node, at);
        };
        let left = strip_parentheses(left);
        let target = if left.kind() == "identifier" { self.names.get(self.text(left)) } else { None };
        let Some(variable) = target.filter(|_| self.operator(node) == "=") else { return self.operands(node, at) };
        let at = self.expression(right, at);
        if self.unordered > 0 { at } else { self.event(at, Event::Kill(variable)) }
    }

    fn short_circuit(&mut self, node: Node<'t>, at: PointId) -> PointId {
        let (left, right) = (node.child_by_field_name("left"), node.child_by_field_name("right"));
        let from = left.map_or(at, |left| self.expression(left, at));
        let to = right.map_or(from, |right| self.expression(right, from));
        let end = self.place();
        self.join(from, end);
        self.join(to, end);
        end
    }

    /// `condition ? a : b`; in GNU's `condition ?: b` the middle is missing.
    fn choice(&mut self, node: Node<'t>, at: PointId) -> PointId {
        let from = node.child_by_field_name("condition").map_or(at, |condition| self.expression(condition, at));
        let end = self.place();
        for field in ["consequence", "alternative"] {
            let to = node.child_by_field_name(field).map_or(from, |part| self.expression(part, from));
            self.join(to, end);
        }
        end
    }

    fn address(&mut self, node: Node<'t>, at: PointId) -> PointId {
        let target = node.child_by_field_name("argument").map(addressed);
        if let Some(target) = target.filter(|target| target.kind() == "identifier") {
            self.graph.exposed.extend(self.names.get(self.text(target)));
        }
        self.operands(node, at)
    }
}

/// Whether the part neither reads nor assigns anything.
fn is_literal(node: Node) -> bool {
    let node = strip_parentheses(node);
    match node.kind() {
        "unary_expression" => node.child_by_field_name("argument").is_some_and(is_literal),
        kind => matches!(
            kind,
            "number_literal"
                | "char_literal"
                | "string_literal"
                | "concatenated_string"
                | "true"
                | "false"
                | "null"
                | "field_identifier"
                | "primitive_type"
        ),
    }
}
