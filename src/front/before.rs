//! What a variable is known to hold where the nest begins.

use tree_sitter::Node;

use super::reader::Reader;
use super::tree::{Unit, children, fields, nodes_in, strip_parentheses};
use super::types::{CType, declared};
use crate::ir::{Expr, Handle, HostValue, ScalarType};

impl<'t> Reader<'_, '_, 't> {
    /// The constant, as a value of type `ty`, that the statements in front of the nest leave in a variable of the function that
    /// nothing else can reach.
    pub fn constant_before(&mut self, variable: Handle<HostValue>, ty: ScalarType) -> Option<Handle<Expr>> {
        let value = self.value_before(variable).filter(|value| self.means_the_same(*value))?;
        let constant = self.scope.typed_constant(self.unit, value)?.converted(ty)?;
        let span = self.span(value);
        self.constant_expr(constant, span)
    }

    /// The same of a constant that need not be an integer, as it is spelled.
    pub fn number_before(&mut self, variable: Handle<HostValue>, ty: ScalarType) -> Option<Handle<Expr>> {
        let value = self.value_before(variable).filter(|value| self.means_the_same(*value))?;
        self.scope.typed_constant(self.unit, value)?;
        let number = self.scalar(value).ok()?;
        Some(self.convert(number, ty))
    }

    /// The expression whose value a variable of the function gets last before the nest, if that is plain to see: nothing that
    /// stands between the two assigns it or can be jumped to.
    pub fn value_before(&self, variable: Handle<HostValue>) -> Option<Node<'t>> {
        let name = self.name(variable);
        self.is_own_local(variable).then(|| value_before(self.unit, self.node, name))?
    }

    /// Whether the names in an expression in front of the nest stand for the same at the nest.
    fn means_the_same(&self, value: Node<'t>) -> bool {
        nodes_in(value).all(|node| {
            let name = self.text(node);
            let is_earlier = || self.scope.variable(name).is_some_and(|it| it.declared_at < value.start_byte());
            node.kind() != "identifier" || is_earlier()
        })
    }

    /// Whether a variable lives in the function alone, for one call of it, and no pointer leads to it.
    pub fn is_own_local(&self, variable: Handle<HostValue>) -> bool {
        let qualifiers = self.qualifiers(variable);
        let is_local = self.declaration_of(variable).is_some_and(|it| !it.is_static && !it.is_volatile);
        is_local && !qualifiers.is_volatile && !self.may_be_pointed_to(variable)
    }
}

/// The expression whose value the variable `name` gets last before the statement `at`, if that is plain to see: nothing that stands
/// between the two assigns it or can be jumped to. No pointer leads to it.
pub fn value_before<'t>(unit: &Unit, mut at: Node<'t>, name: &str) -> Option<Node<'t>> {
    loop {
        let around = at.parent()?;
        let parts = match around.kind() {
            "compound_statement" => std::iter::successors(at.prev_named_sibling(), Node::prev_named_sibling).collect(),
            "if_statement" => vec![around.child_by_field_name("condition")?],
            "else_clause" => Vec::new(),
            _ => return None,
        };
        for part in parts {
            if let Some(value) = value_given(unit, part, name) {
                return Some(value);
            }
            if !passes(unit, part, name) {
                return None;
            }
        }
        at = around;
    }
}

/// The value of an expression of small numbers, whatever their type; a variable has the value that `held` tells. `None` if it, or a part
/// of it, is no number that all types of integers can hold.
pub fn small_value(unit: &Unit, expression: Node, held: &impl Fn(&str) -> Option<i8>) -> Option<i8> {
    let part = |field| expression.child_by_field_name(field);
    let operator = || part("operator").map_or("", |it| unit.text(it));
    let value = |field| small_value(unit, part(field)?, held);
    let found = match expression.kind() {
        // Not `010`, which is another number in C.
        "number_literal" => {
            unit.text(expression).parse().ok().filter(|it: &i8| it.to_string() == unit.text(expression))
        }
        "identifier" => held(unit.text(expression)),
        "parenthesized_expression" => small_value(unit, strip_parentheses(expression), held),
        "unary_expression" if operator() == "!" => value("argument").map(|it| i8::from(it == 0)),
        "binary_expression" => {
            let (left, right) = (value("left")?, value("right")?);
            match operator() {
                "+" => left.checked_add(right),
                "-" => left.checked_sub(right),
                "%" => left.checked_rem(right),
                "^" => Some(left ^ right),
                _ => None,
            }
        }
        _ => None,
    };
    found.filter(|it| *it >= 0)
}

/// The value that the statement gives to the variable `name` at its end, if it is a plain assignment or a declaration.
fn value_given<'t>(unit: &Unit, statement: Node<'t>, name: &str) -> Option<Node<'t>> {
    match statement.kind() {
        "declaration" => {
            let declarators = fields(statement, "declarator").into_iter();
            let is_it = |it: &Node<'t>| declared(unit, *it, CType::Other(String::new())).0 == name;
            declarators.rev().find(is_it)?.child_by_field_name("value")
        }
        "expression_statement" => {
            let assignment = strip_parentheses(*children(statement).first()?);
            let target = strip_parentheses(assignment.child_by_field_name("left")?);
            let is_plain = unit.text(assignment.child_by_field_name("operator")?) == "=";
            let is_it = is_plain && target.kind() == "identifier" && unit.text(target) == name;
            assignment.child_by_field_name("right").filter(|_| is_it)
        }
        _ => None,
    }
}

/// Whether a variable `name` holds after a statement what it held before, and no jump leads into it.
fn passes(unit: &Unit, statement: Node, name: &str) -> bool {
    nodes_in(statement).all(|node| {
        let target = node.child_by_field_name("left").or_else(|| node.child_by_field_name("argument"));
        let is_it = target.map(strip_parentheses).is_some_and(|target| unit.text(target) == name);
        let is_declaration = node.kind() == "declaration"
            && fields(node, "declarator")
                .into_iter()
                .any(|it| declared(unit, it, CType::Other(String::new())).0 == name);
        match node.kind() {
            "assignment_expression" | "update_expression" | "pointer_expression" => !is_it,
            "labeled_statement" | "case_statement" | "gnu_asm_expression" => false,
            _ => !is_declaration,
        }
    })
}
