//! Statements that make something of what a step returns: `changes[t] = sweep(u, v);`, `err = sqrt(sweep(u, v) / n);`,
//! `printf("%g\n", sweep(u, v));`.
//!
//! C does not say whether the function is called before what else the statement looks at. So that must be the same before and behind the
//! call, and the step can stand before the statement.

use tree_sitter::Node;

use super::conditions::{Condition, Finder, StepInCondition};
use crate::front::calls::is_known_to_nests;
use crate::front::tree::{
    address_of, assigned, children, fields, mentions, nodes_in, plain_assignment, strip_parentheses,
};
use crate::front::types::CType;

impl<'t> Finder<'_, '_, '_, 't> {
    /// The step of whose value a statement makes more than a variable gets.
    pub fn statement(&self, statement: Node<'t>, is_alone: bool) -> Option<StepInCondition> {
        let is_declaration = statement.kind() == "declaration";
        let expression = if is_declaration { statement } else { statement.named_child(0)? };
        let (place, value) = match expression.kind() {
            "declaration" => (None, self.declared_value(expression)?),
            "call_expression" => (None, expression),
            "assignment_expression" => {
                let [place, value] = ["left", "right"].map(|side| expression.child_by_field_name(side));
                let is_plain = plain_assignment(self.program.unit, expression).is_some();
                let place = place.filter(|it| is_plain || self.is_fixed(*it))?;
                (Some(strip_parentheses(place)), value?)
            }
            _ => return None,
        };
        let (step, value_of_step) = self.leading(value).filter(|(_, value)| value.is_err())?;
        let is_element = place.is_some_and(|it| it.kind() == "subscript_expression");
        let makes_more = is_element || strip_parentheses(value) != step;
        let is_same = place.is_none_or(|place| self.is_same_behind(place, step));
        let stands = Condition::Statement { whole: self.span(statement), is_alone };
        (makes_more && is_same).then(|| self.found_at((expression, step), value_of_step, stands)).flatten()
    }

    /// The value of the only variable that a statement declares.
    fn declared_value(&self, declaration: Node<'t>) -> Option<Node<'t>> {
        let [declarator] = fields(declaration, "declarator")[..] else { return None };
        let name = declarator.child_by_field_name("declarator").filter(|it| it.kind() == "identifier")?;
        let value = declarator.child_by_field_name("value")?;
        (!mentions(self.program.unit, value, self.program.text(name))).then_some(value)
    }

    /// Whether an operand is what it is, whatever a function does: made of numbers, texts, arrays, and variables of the function's own
    /// of which nobody takes the address.
    pub fn is_fixed(&self, operand: Node<'t>) -> bool {
        match operand.kind() {
            "number_literal" | "char_literal" | "string_literal" | "concatenated_string" => true,
            "parenthesized_expression" | "binary_expression" | "unary_expression" => {
                children(operand).into_iter().all(|it| self.is_fixed(it))
            }
            "cast_expression" => operand.child_by_field_name("value").is_some_and(|it| self.is_fixed(it)),
            "identifier" => {
                let name = self.program.text(operand);
                let scope = self.program.scope_at(operand);
                let is_untouched = |is_static: bool| !is_static && !self.program.unit.takes_address(self.root, name);
                scope.variable(name).is_some_and(|it| {
                    !it.is_volatile && (matches!(it.ty, CType::Array(..)) || is_untouched(it.is_static))
                })
            }
            _ => false,
        }
    }

    /// Whether a place is the same one whether it is looked for before or behind a call.
    fn is_same_behind(&self, place: Node<'t>, call: Node<'t>) -> bool {
        let has_effects = |it: Node| matches!(it.kind(), "call_expression" | "assignment_expression");
        let rows = self.rows_of_array(place);
        let is_found = |it: Node<'t>| match it.kind() {
            // What it holds before counts for nothing.
            "identifier" | "field_expression" | "pointer_expression" if it == place => true,
            "identifier" => self.is_left_alone(it, call),
            "field_expression" => self.is_member_left_alone(it, call),
            "update_expression" => it.child_by_field_name("argument").is_some_and(|it| self.is_unknown(it, call)),
            "pointer_expression" => false,
            // Other elements, and rows that a table holds, are memory that a call may change.
            "subscript_expression" => rows.contains(&it),
            _ => true,
        };
        !nodes_in(place).any(has_effects) && nodes_in(place).all(is_found)
    }

    /// An element, and the rows in which it is, as far as these are arrays themselves.
    fn rows_of_array(&self, place: Node<'t>) -> Vec<Node<'t>> {
        let inner = |it: &Node<'t>| Some(strip_parentheses(it.child_by_field_name("argument")?));
        let chain = || std::iter::successors(Some(place), inner).take_while(|it| it.kind() == "subscript_expression");
        let base = chain().last().and_then(|it| inner(&it)).unwrap_or(place);
        let scope = self.program.scope_at(base);
        let mut ty = scope.variable(self.program.text(base)).map(|it| &it.ty);
        let depth = std::iter::from_fn(|| {
            let (CType::Array(element, _) | CType::Pointer(element)) = ty? else { return None };
            ty = Some(element).filter(|it| matches!(***it, CType::Array(..))).map(|it| &**it);
            Some(())
        });
        let depth = depth.count();
        if chain().count() <= depth { chain().collect() } else { chain().take(1).collect() }
    }

    /// The bodies of the functions that a call runs.
    fn run(&self, call: Node<'t>) -> impl Iterator<Item = Node<'t>> {
        self.program.bodies_of(vec![call], |_| true)
    }

    /// Whether a name is that of an array, or of a variable that a call leaves as it is: no function that it runs assigns it, and none gets
    /// a pointer to it, which it may keep of a pointer alone.
    fn is_left_alone(&self, name: Node<'t>, call: Node<'t>) -> bool {
        let text = self.program.text(name);
        let scope = self.program.scope_at(name);
        let Some(variable) = scope.variable(text).filter(|it| !it.is_volatile) else { return false };
        let is_it = |node: Node| self.program.text(strip_parentheses(node)) == text;
        let leads_to =
            |node: Node| node.kind() == "pointer_expression" && node.child_by_field_name("argument").is_some_and(is_it);
        let mut run = self.run(call).flat_map(nodes_in);
        let mut changes =
            || run.any(|node| leads_to(node) || (variable.is_static && assigned(node).is_some_and(is_it)));
        match variable.ty {
            CType::Array(..) => true,
            CType::Pointer(..) => !changes(),
            // What it is part of is asked for each part.
            CType::Structure(_) => true,
            _ => !self.program.unit.takes_address(self.root, text) && !changes(),
        }
    }

    /// Whether a call leaves a member as it is: no function that it runs names one of that name, stores a whole structure, or is unseen;
    /// and nobody takes its address.
    fn is_member_left_alone(&self, member: Node<'t>, call: Node<'t>) -> bool {
        let Some(field) = member.child_by_field_name("field").map(|it| self.program.text(it)) else { return false };
        let is_it = |node: Node| node.kind() == "field_identifier" && self.program.text(node) == field;
        let is_addressed = |node: Node<'t>| {
            let place = address_of(self.program.unit, node);
            place.and_then(|place| place.child_by_field_name("field")).is_some_and(is_it)
        };
        let is_number_or_pointer = |place: Node<'t>| {
            let ty = self.program.scope_at(place).type_of(self.program.unit, place);
            ty.is_some_and(|ty| ty.number().is_some() || matches!(ty, CType::Pointer(_)))
        };
        let is_harmless = |node: Node<'t>| {
            let called = (node.kind() == "call_expression").then(|| self.program.called(node));
            let is_seen = called
                .is_none_or(|name| name.is_some_and(|it| self.program.body(it).is_some() || is_known_to_nests(it)));
            is_seen && !is_it(node) && assigned(node).is_none_or(is_number_or_pointer)
        };
        self.run(call).flat_map(nodes_in).all(is_harmless) && !nodes_in(self.root).any(is_addressed)
    }

    /// Whether no function that a call runs knows what a variable or a member holds.
    fn is_unknown(&self, place: Node<'t>, call: Node<'t>) -> bool {
        let place = strip_parentheses(place);
        let is_named = || self.run(call).any(|body| mentions(self.program.unit, body, self.program.text(place)));
        match place.kind() {
            "identifier" => self.is_fixed(place) || self.is_left_alone(place, call) && !is_named(),
            // As a member that is left alone is not named there at all.
            "field_expression" => true,
            _ => false,
        }
    }
}
