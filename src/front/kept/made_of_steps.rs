//! Statements that make something of what a step returns: `changes[t] = sweep(u, v);`, `err = sqrt(sweep(u, v) / n);`,
//! `printf("%g\n", sweep(u, v));`.
//!
//! C does not say whether the function is called before what else the statement looks at. So that must be the same before and behind the
//! call, and the step can stand before the statement.

use tree_sitter::Node;

use super::conditions::{Condition, Finder, NextStep, StepInCondition};
use super::names;
use crate::front::calls::is_known_to_nests;
use crate::front::declarations::has_word;
use crate::front::tree::{
    address_of, assigned, children, fields, mentions, nodes_in, plain_assignment, strip_parentheses,
};
use crate::front::types::CType;
use crate::source::Span;

impl<'a, 't> Finder<'a, '_, '_, 't> {
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

    /// The folds of whose values a statement makes one, as `along = product(r, r) / product(p, q);`: none changes anything, so that it
    /// does not matter when they are computed.
    pub fn folds_of(&self, statement: Node<'t>, is_alone: bool) -> Option<StepInCondition> {
        let is_declaration = statement.kind() == "declaration";
        let expression = if is_declaration { statement } else { statement.named_child(0)? };
        let (place, value) = match expression.kind() {
            "declaration" => (None, self.declared_value(expression)?),
            _ => plain_assignment(self.program.unit, expression).map(|(place, value)| (Some(place), value))?,
        };
        let is_plain = place.is_none_or(|place| place.kind() == "identifier");
        let mut calls = Vec::new();
        let all_fold = self.folds && is_plain && self.find_folds(value, &mut calls);
        let [(first, ty), ref others @ ..] = calls[..] else { return None };
        if !all_fold || others.is_empty() {
            return None;
        }
        let stands = Condition::Statement { whole: self.span(statement), is_alone };
        let mut found = self.found_at((expression, first), Err(ty.to_owned()), stands)?;
        for ((before, _), (call, ty)) in calls.iter().zip(others) {
            let between = self.between(*before, *call)?;
            found.more.push(NextStep { before: between, step: self.span(*call), ty: (*ty).to_owned() });
        }
        Some(found)
    }

    /// Finds the calls in a value that fold and change nothing; false if it has others, or computes some under conditions.
    fn find_folds(&self, value: Node<'t>, found: &mut Vec<(Node<'t>, &'a str)>) -> bool {
        if value.kind() == "call_expression" && self.computes(value) {
            let definition = self.program.called(value).and_then(|name| self.program.definition(name));
            let ty = definition.and_then(|it| it.child_by_field_name("type")).map(|it| self.program.text(it));
            let arguments = value.child_by_field_name("arguments").map(children).unwrap_or_default();
            let is_good = self.changes_nothing(value) && !arguments.iter().any(|it| has_effects(*it));
            found.extend(ty.map(|ty| (value, ty)));
            return is_good && ty.is_some();
        }
        let is_conditional = value.kind() == "conditional_expression"
            || value
                .child_by_field_name("operator")
                .is_some_and(|it| matches!(self.program.text(it), "&&" | "||" | ","));
        let is_known = value.kind() != "call_expression" || self.program.called(value).is_some_and(is_known_to_nests);
        !is_conditional
            && is_known
            && assigned(value).is_none()
            && children(value).into_iter().all(|it| self.find_folds(it, found))
    }

    /// Whether a call changes nothing but variables of the functions that it runs.
    fn changes_nothing(&self, call: Node<'t>) -> bool {
        let is_place = |node: Node<'t>| assigned(node).is_none_or(|place| place.kind() == "identifier");
        let is_seen = |node: Node<'t>| {
            let name = (node.kind() == "call_expression").then(|| self.program.called(node));
            name.is_none_or(|name| name.is_some_and(|it| self.program.body(it).is_some() || is_known_to_nests(it)))
        };
        let is_lasting = |node: Node| {
            let has = |word| has_word(self.program.unit, node, "storage_class_specifier", word);
            node.kind() == "declaration" && (has("static") || has("extern"))
        };
        !self.program.sweeps(call)
            && self.run(call).all(|body| {
                names::changed(self.program.unit, body, false).is_empty()
                    && nodes_in(body).all(|it| is_place(it) && is_seen(it) && !is_lasting(it))
            })
    }

    /// What is between two calls, if the user's file has it as it is read.
    fn between(&self, before: Node<'t>, call: Node<'t>) -> Option<Span> {
        let unit = self.program.unit;
        let span = self.span(before).at(self.span(before).end, self.span(call).start.max(self.span(before).end));
        let text = |span: Span| unit.source.bytes().get(span.start..span.end);
        let read = &unit.text.as_bytes()[before.end_byte()..call.start_byte()];
        let between = text(span)?;
        let is_alike = between == read && !between.contains(&b'\n') && !between.windows(2).any(|two| two == b"*/");
        (is_alike && text(self.span(call))?.ends_with(b")")).then_some(span)
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
                let is_touched = |at: usize| self.program.unit.takes_address_of(self.root, name, at);
                scope.variable(name).is_some_and(|it| {
                    let is_untouched = || !it.is_static && !is_touched(it.declared_at);
                    !it.is_volatile && (matches!(it.ty, CType::Array(..)) || is_untouched())
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
            _ => !self.program.unit.takes_address_of(self.root, text, variable.declared_at) && !changes(),
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

fn has_effects(node: Node) -> bool {
    nodes_in(node).any(|it| it.kind() == "call_expression" || assigned(it).is_some())
}
