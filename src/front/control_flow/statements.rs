//! The ways through statements.

use tree_sitter::Node;

use super::{Builder, Label, PointId, Switch};
use crate::front::literals::integer_literal;
use crate::front::numbers::Constant;
use crate::front::tree::{children, strip_parentheses};

const LOST_JUMP: &str = "the function has a jump that leads nowhere";

impl<'t> Builder<'_, '_, 't> {
    /// The whole function.
    pub(super) fn function(&mut self, node: Node<'t>) {
        let start = self.place();
        self.parameters(node);
        if node.has_error() {
            self.hide("the function has a part that is not understood");
        }
        if self.may_clean_up(node) {
            self.hide("the function may run code when a variable's scope ends");
        }
        match node.child_by_field_name("body") {
            Some(body) => _ = self.statement(body, start),
            None => self.hide("the function has no body"),
        }
        if self.labels.values().any(|label| !label.is_set) {
            self.hide(LOST_JUMP);
        }
    }

    /// Whether an attribute may name a function that reads a variable; attributes are blanked in the parsed text.
    fn may_clean_up(&self, function: Node<'t>) -> bool {
        let range = self.unit.original(function.start_byte())..self.unit.original(function.end_byte());
        let text = self.unit.preprocessed.text().get(range).unwrap_or("__attribute__ cleanup");
        text.contains("cleanup") && (text.contains("__attribute") || text.contains("[["))
    }

    /// Follows one statement; where OpenMP gives each thread variables of its own within it, these are others.
    pub(super) fn statement(&mut self, node: Node<'t>, at: PointId) -> PointId {
        let own = self.unit.own_of_threads(node);
        if own.is_empty() {
            return self.statement_itself(node, at);
        }
        let mark = self.names.enter();
        let at = own.into_iter().fold(at, |at, own| self.declare_own(own, at));
        let end = self.statement_itself(node, at);
        self.names.leave(mark);
        end
    }

    fn statement_itself(&mut self, node: Node<'t>, at: PointId) -> PointId {
        let at = self.enter_gap(node, at);
        let end = match node.kind() {
            "compound_statement" => self.block(node, at),
            "expression_statement" | "else_clause" => self.inner(node, at),
            "declaration" => self.declaration(node, at),
            "if_statement" => self.if_statement(node, at),
            "for_statement" => self.for_statement(node, at),
            "while_statement" => self.while_statement(node, at),
            "do_statement" => self.do_statement(node, at),
            "switch_statement" => self.switch_statement(node, at),
            "case_statement" => self.case_statement(node, at),
            "labeled_statement" => self.labeled_statement(node, at),
            "goto_statement" => self.goto_statement(node, at),
            "break_statement" => self.jump(at, self.breaks.last().copied()),
            "continue_statement" => self.jump(at, self.continues.last().copied()),
            "return_statement" => {
                self.inner(node, at);
                self.place()
            }
            "type_definition" | "struct_specifier" | "union_specifier" | "enum_specifier" => self.expression(node, at),
            "attributed_statement" => self.attributed_statement(node, at),
            "function_definition" => {
                self.nested_function(node);
                at
            }
            "attribute_declaration" => at,
            // The condition of `if` and the like may be an expression without parentheses in broken code.
            _ if node.kind().ends_with("_expression") || node.kind() == "identifier" => self.expression(node, at),
            _ => self.give_up("the function has a statement that is not understood", at),
        };
        let end = self.leave_gap(node, end);
        if node == self.nest { self.note_nest(end) } else { end }
    }

    fn enter_gap(&mut self, node: Node<'t>, at: PointId) -> PointId {
        let Some(gap) = self.gaps.iter().position(|(first, _)| *first == node) else { return at };
        let before = self.place();
        self.join(at, before);
        (self.graph.gaps[gap].before, self.graph.gaps[gap].names) = (before, self.names.clone());
        before
    }

    fn leave_gap(&mut self, node: Node<'t>, at: PointId) -> PointId {
        let Some(gap) = self.gaps.iter().position(|(_, last)| *last == node) else { return at };
        let behind = self.place();
        self.join(at, behind);
        self.graph.gaps[gap].behind = Some(behind);
        behind
    }

    fn note_nest(&mut self, at: PointId) -> PointId {
        let end = self.place();
        self.join(at, end);
        self.graph.behind_nest = Some(end);
        end
    }

    /// The parts of a statement, each an expression or a statement.
    fn inner(&mut self, node: Node<'t>, at: PointId) -> PointId {
        let is_statement = |part: Node| part.kind().ends_with("_statement") && part.kind() != "compound_statement";
        children(node).into_iter().fold(at, |at, part| {
            if is_statement(part) || node.kind() == "else_clause" {
                self.statement(part, at)
            } else {
                self.expression(part, at)
            }
        })
    }

    fn block(&mut self, node: Node<'t>, at: PointId) -> PointId {
        let mark = self.names.enter();
        let end = children(node).into_iter().fold(at, |at, child| self.statement(child, at));
        self.names.leave(mark);
        end
    }

    fn jump(&mut self, at: PointId, to: Option<PointId>) -> PointId {
        match to {
            Some(to) => self.join(at, to),
            None => self.hide(LOST_JUMP),
        }
        self.place()
    }

    fn field(&mut self, node: Node<'t>, name: &str, at: PointId) -> PointId {
        node.child_by_field_name(name).map_or(at, |part| self.expression(part, at))
    }

    fn if_statement(&mut self, node: Node<'t>, at: PointId) -> PointId {
        let from = self.field(node, "condition", at);
        let end = self.place();
        for branch in ["consequence", "alternative"] {
            let to = node.child_by_field_name(branch).map_or(from, |branch| self.statement(branch, from));
            self.join(to, end);
        }
        end
    }

    /// The body of a loop, from which `break` leads to `end` and `continue` to `next`.
    fn body(&mut self, node: Node<'t>, at: PointId, end: PointId, next: PointId) {
        self.breaks.push(end);
        self.continues.push(next);
        let to = node.child_by_field_name("body").map_or(at, |body| self.statement(body, at));
        self.breaks.pop();
        self.continues.pop();
        self.join(to, next);
    }

    fn for_statement(&mut self, node: Node<'t>, at: PointId) -> PointId {
        let mark = self.names.enter();
        let at = match node.child_by_field_name("initializer") {
            Some(initialiser) => self.statement(initialiser, at),
            None => at,
        };
        let (head, next, end) = (self.place(), self.place(), self.place());
        self.join(at, head);
        let tested = self.field(node, "condition", head);
        self.leave_if(node, tested, end, true);
        self.body(node, tested, end, next);
        let again = self.field(node, "update", next);
        self.join(again, head);
        self.names.leave(mark);
        end
    }

    fn while_statement(&mut self, node: Node<'t>, at: PointId) -> PointId {
        let (head, end) = (self.place(), self.place());
        self.join(at, head);
        let tested = self.field(node, "condition", head);
        self.leave_if(node, tested, end, false);
        self.body(node, tested, end, head);
        end
    }

    fn do_statement(&mut self, node: Node<'t>, at: PointId) -> PointId {
        let (head, next, end) = (self.place(), self.place(), self.place());
        self.join(at, head);
        self.body(node, head, end, next);
        let tested = self.field(node, "condition", next);
        self.leave_if(node, tested, end, false);
        if self.condition_value(node) != Some(false) {
            self.join(tested, head);
        }
        end
    }

    /// The way out of a loop, unless its condition always holds; a missing one does.
    fn leave_if(&mut self, node: Node<'t>, tested: PointId, end: PointId, may_miss: bool) {
        let is_endless = match node.child_by_field_name("condition") {
            Some(_) => self.condition_value(node) == Some(true),
            None => may_miss,
        };
        if !is_endless {
            self.join(tested, end);
        }
    }

    /// The truth of a condition that is a literal.
    fn condition_value(&self, node: Node<'t>) -> Option<bool> {
        let condition = strip_parentheses(node.child_by_field_name("condition")?);
        match condition.kind() {
            "true" => Some(true),
            "false" => Some(false),
            "number_literal" => integer_literal(self.text(condition)).map(Constant::is_true),
            _ => None,
        }
    }

    fn switch_statement(&mut self, node: Node<'t>, at: PointId) -> PointId {
        let entry = self.field(node, "condition", at);
        let (before_cases, end) = (self.place(), self.place());
        self.switches.push(Switch { entry, has_default: false });
        self.breaks.push(end);
        let to = node.child_by_field_name("body").map_or(before_cases, |body| self.statement(body, before_cases));
        self.breaks.pop();
        let has_default = self.switches.pop().is_some_and(|switch| switch.has_default);
        self.join(to, end);
        if !has_default {
            self.join(entry, end);
        }
        end
    }

    /// A case is reached from the `switch` and from the statement before it.
    fn case_statement(&mut self, node: Node<'t>, at: PointId) -> PointId {
        let value = node.child_by_field_name("value");
        let here = self.place();
        self.join(at, here);
        match self.switches.last_mut() {
            Some(switch) => {
                switch.has_default |= value.is_none();
                let entry = switch.entry;
                self.join(entry, here);
            }
            None => self.hide(LOST_JUMP),
        }
        let parts = children(node).into_iter().filter(|part| Some(*part) != value);
        parts.fold(here, |at, part| self.statement(part, at))
    }

    fn label(&mut self, name: &str) -> &mut Label {
        if !self.labels.contains_key(name) {
            let place = self.place();
            self.labels.insert(name.to_owned(), Label { place, is_set: false });
        }
        self.labels.get_mut(name).expect("it was put there")
    }

    fn labeled_statement(&mut self, node: Node<'t>, at: PointId) -> PointId {
        let Some(name) = node.child_by_field_name("label") else {
            return self.give_up("the function has a label that is not understood", at);
        };
        let label = self.label(self.text(name));
        label.is_set = true;
        let here = label.place;
        self.join(at, here);
        let parts = children(node).into_iter().filter(|part| *part != name);
        parts.fold(here, |at, part| self.statement(part, at))
    }

    fn goto_statement(&mut self, node: Node<'t>, at: PointId) -> PointId {
        match node.child_by_field_name("label").filter(|label| label.kind() == "statement_identifier") {
            Some(label) => {
                let to = self.label(self.text(label)).place;
                self.jump(at, Some(to))
            }
            None => self.give_up("the function has a computed jump", at),
        }
    }

    fn attributed_statement(&mut self, node: Node<'t>, at: PointId) -> PointId {
        let parts = children(node).into_iter().filter(|part| part.kind() != "attribute_declaration");
        parts.fold(at, |at, part| self.statement(part, at))
    }
}
