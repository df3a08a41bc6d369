//! Variables that still hold what they held at an earlier place of the function.

use tree_sitter::Node;

use super::reader::Reader;
use super::tree::{address_of, ancestors, assigned, children, defined_name, nodes_in, strip_parentheses};

impl<'t> Reader<'_, '_, 't> {
    /// Whether `expression` is plain arithmetic of variables that have not changed since the place `since`.
    pub fn is_plain_and_fixed(&self, nest: Node<'t>, expression: Node<'t>, since: usize) -> bool {
        nodes_in(expression).all(|node| match node.kind() {
            "identifier" => {
                let name = self.text(node);
                let is_earlier = self.scope.variable(name).is_none_or(|variable| variable.declared_at < since);
                is_earlier && !self.is_other_since(nest, name, since)
            }
            "call_expression" | "subscript_expression" | "pointer_expression" | "field_expression" => false,
            "assignment_expression" | "update_expression" => false,
            _ => true,
        })
    }

    /// Whether `name` may hold another value at the nest than at the place `since`: it is assigned between the two, or
    /// code that can reach it runs there.
    pub fn is_other_since(&self, nest: Node<'t>, name: &str, since: usize) -> bool {
        self.has_changed_since(nest, name, since) || self.is_reached_since(nest, name, since)
    }

    /// Whether a pointer, or a function that is called between `since` and the nest, may assign `name`.
    fn is_reached_since(&self, nest: Node<'t>, name: &str, since: usize) -> bool {
        let Some(function) = self.enclosing_function() else { return false };
        let is_static = self.scope.variable(name).is_some_and(|variable| variable.is_static);
        keeps_address(self, function, name) || is_static && self.is_assigned_by_calls(function, nest, name, since)
    }

    /// Whether a function of the file that runs between `since` and the nest assigns `name` or takes its address.
    fn is_assigned_by_calls(&self, function: Node<'t>, nest: Node<'t>, name: &str, since: usize) -> bool {
        let Some(file) = self.ancestors.last() else { return false };
        let definitions: Vec<_> = children(*file).into_iter().filter(|it| it.kind() == "function_definition").collect();
        let is_loop = |node: &&Node| node.kind() != "function_definition" && node.start_byte() > since;
        let end = self.ancestors.iter().rfind(is_loop).map_or(nest.end_byte(), |around| around.end_byte());
        let mut called = called_in(self, function, since, end);
        let mut next = 0;
        while let Some(callee) = called.get(next).copied() {
            next += 1;
            for definition in definitions.iter().filter(|it| defined_name(self.unit, **it) == Some(callee)) {
                if assigns(self, *definition, name) {
                    return true;
                }
                let inner = called_in(self, *definition, definition.start_byte(), definition.end_byte());
                let new: Vec<_> = inner.into_iter().filter(|callee| !called.contains(callee)).collect();
                called.extend(new);
            }
        }
        false
    }
}

/// The names of the functions that are called within `function` between two places.
fn called_in<'u, 't>(reader: &Reader<'u, '_, 't>, function: Node<'t>, since: usize, end: usize) -> Vec<&'u str> {
    let is_between = |node: &Node| node.start_byte() > since && node.start_byte() < end;
    let calls = nodes_in(function).filter(is_between).filter(|node| node.kind() == "call_expression");
    let callees = calls.filter_map(|call| call.child_by_field_name("function"));
    let mut called: Vec<_> = callees.map(|callee| reader.text(callee)).collect();
    called.sort_unstable();
    called.dedup();
    called
}

/// Whether `function` assigns `name` or takes its address.
fn assigns<'t>(reader: &Reader<'_, '_, 't>, function: Node<'t>, name: &str) -> bool {
    nodes_in(function).any(|node| target_of(node).is_some_and(|target| reader.text(target) == name))
}

/// Whether the address of `name` goes anywhere but into a call, which is taken to forget it.
fn keeps_address<'t>(reader: &Reader<'_, '_, 't>, function: Node<'t>, name: &str) -> bool {
    let is_address = |node: &Node| address_of(reader.unit, *node).is_some_and(|place| reader.text(place) == name);
    let is_argument = |node: Node<'t>| ancestors(function, node).first().is_some_and(|it| it.kind() == "argument_list");
    nodes_in(function).filter(is_address).any(|address| !is_argument(address))
}

/// The variable that an expression assigns or takes the address of.
pub fn target_of(node: Node) -> Option<Node> {
    let target = match node.kind() {
        "pointer_expression" => node.child_by_field_name("argument").map(strip_parentheses),
        _ => assigned(node),
    };
    target.filter(|target| target.kind() == "identifier")
}
