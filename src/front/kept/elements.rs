//! Pointers to elements of arrays that code stores behind: `struct cell *c = &grid[i][j]; c->u = 0;`

use tree_sitter::Node;

use crate::front::tree::{
    Unit, assigned, children, declared_identifier, fields, nodes_in, parameter_list, strip_parentheses,
};

/// Whether code within a loop declares such a pointer in `declaration`, and stores members behind it.
pub fn stores_behind_declared(unit: &Unit, declaration: Node) -> bool {
    if declaration.kind() != "declaration" {
        return false;
    }
    let leads = |declarator: &Node| declarator.child_by_field_name("value").is_some_and(leads_to_element);
    let names = fields(declaration, "declarator").into_iter().filter(leads).filter_map(declared_identifier);
    // What is around a node is looked for from the root of the tree.
    names.into_iter().any(|name| declaration.parent().is_some_and(|block| stores_members(unit, block, unit.text(name))))
}

/// Whether a function with this definition stores members behind such a pointer that `call` gives it.
pub fn stores_behind_given(unit: &Unit, call: Node, definition: Node) -> bool {
    let lists =
        [definition.child_by_field_name("declarator").and_then(parameter_list), call.child_by_field_name("arguments")];
    let [parameters, arguments] = lists.map(|list| list.map(children).unwrap_or_default());
    let given = parameters.into_iter().zip(arguments).filter(|(_, argument)| leads_to_element(*argument));
    let names = given.filter_map(|(parameter, _)| declared_identifier(parameter.child_by_field_name("declarator")?));
    let body = definition.child_by_field_name("body");
    names.into_iter().any(|name| body.is_some_and(|body| stores_members(unit, body, unit.text(name))))
}

/// Whether an expression is the address of an element, or a sum of a pointer and something.
fn leads_to_element(expression: Node) -> bool {
    let expression = strip_parentheses(expression);
    match expression.kind() {
        "pointer_expression" => nodes_in(expression).any(|node| node.kind() == "subscript_expression"),
        kind => kind == "binary_expression",
    }
}

/// Whether code assigns members of what `name` leads to.
fn stores_members(unit: &Unit, code: Node, name: &str) -> bool {
    nodes_in(code).filter_map(assigned).any(|place| is_member_behind(unit, place, name))
}

fn is_member_behind(unit: &Unit, place: Node, name: &str) -> bool {
    let place = strip_parentheses(place);
    let Some(whole) = place.child_by_field_name("argument").filter(|_| place.kind() == "field_expression") else {
        return false;
    };
    let is_arrow = place.child_by_field_name("operator").is_some_and(|it| unit.text(it) == "->");
    is_arrow && unit.text(strip_parentheses(whole)) == name || is_member_behind(unit, whole, name)
}
