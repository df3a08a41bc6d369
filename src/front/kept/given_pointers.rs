//! Pointers that a function leaves as they are although something has their addresses.
//!
//! Example: where `setup(&cells, &old);` has run, a store to what some pointer leads to may be one to `cells`, as far as its address
//! tells. But C lets an object that is a pointer be changed only by code that names it as one: not by `old[i].speed = 0.5f`.

use tree_sitter::Node;

use crate::front::calls::is_known_to_nests;
use crate::front::declarations::Scope;
use crate::front::tree::{Unit, ancestors, assigned, children, defined_name, nodes_in};
use crate::front::types::CType;

/// Whether code, which names no such pointer, leaves all pointers as they are whose addresses others have: it stores numbers that are no
/// characters, and calls no functions but those that are known to compute numbers.
pub fn leaves_pointers(unit: &Unit, root: Node, code: Node) -> bool {
    let is_it = |it: Node, name: &str| it.kind() == "function_definition" && defined_name(unit, it) == Some(name);
    let is_own = |name: &str| children(root).into_iter().any(|it| is_it(it, name));
    nodes_in(code).all(|node| match node.kind() {
        "call_expression" => node.child_by_field_name("function").is_some_and(|function| {
            function.kind() == "identifier" && is_known_to_nests(unit.text(function)) && !is_own(unit.text(function))
        }),
        _ => assigned(node).is_none_or(|place| place.kind() == "identifier" || is_number(unit, root, place)),
    })
}

/// Whether a place holds a number that is no character.
fn is_number(unit: &Unit, root: Node, place: Node) -> bool {
    let scope = Scope::at(unit, &ancestors(root, place), place.start_byte());
    matches!(scope.type_of(unit, place), Some(CType::Scalar(ty)) if ty.size() > 1)
}
