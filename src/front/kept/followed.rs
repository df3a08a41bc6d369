//! Addresses that the host gives to functions of the program: `show(&grid, t);`

use tree_sitter::Node;

use super::program::Program;
use crate::front::tree::{children, declared_identifier, nodes_in, parameter_list};

/// Whether an address goes to a function of the program that only follows it to members, as `p->n` does: what it changes there
/// has names in its text.
pub fn is_only_followed(program: &Program, address: Node) -> bool {
    let call = address.parent().filter(|list| list.kind() == "argument_list").and_then(|list| list.parent());
    let Some(call) = call.filter(|call| call.kind() == "call_expression") else { return false };
    let position = call.child_by_field_name("arguments").map(children).unwrap_or_default();
    let position = position.into_iter().position(|it| it == address);
    let definition = program.called(call).and_then(|name| program.definition(name));
    let Some((position, definition)) = position.zip(definition) else { return false };
    let parameters = definition.child_by_field_name("declarator").and_then(parameter_list).map(children);
    let parameter = parameters.unwrap_or_default().into_iter().nth(position);
    let name = parameter.and_then(|it| declared_identifier(it.child_by_field_name("declarator")?));
    let Some((name, body)) = name.zip(definition.child_by_field_name("body")) else { return false };
    let name = program.text(name);
    let mut uses = nodes_in(body).filter(|node| node.kind() == "identifier" && program.text(*node) == name);
    uses.all(|used| leads_to_member(program, used))
}

/// Whether a name is the pointer of a member: `p` of `p->n`.
fn leads_to_member(program: &Program, name: Node) -> bool {
    name.parent().is_some_and(|member| {
        let operator = member.child_by_field_name("operator").map(|it| program.text(it));
        member.kind() == "field_expression" && operator == Some("->")
    })
}
