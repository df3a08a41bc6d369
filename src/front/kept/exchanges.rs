//! What exchanges buffers: pointers, elements of arrays of pointers, functions that only do this.

use tree_sitter::Node;

use super::program::Program;
use crate::front::headers::{assignments, comma_parts};
use crate::front::tree::{
    Unit, address_of, assigned, assigned_element, children, declared_identifier, fields, first_identifier, mentions,
    nodes_in, strip_parentheses, without_casts,
};
use crate::front::types::CType;

/// Whether a statement behind the sweeps only exchanges pointers or indices that these use, or goes on with what those `between`
/// have begun.
pub fn rotates(program: &Program, statement: Node, sweeps: &[Node], between: &[Node]) -> bool {
    match statement.kind() {
        "declaration" => fields(statement, "declarator").into_iter().all(|declarator| {
            let value = declarator.child_by_field_name("value");
            let begins = |value: Node| begins_with_one_of(program, without_casts(value), sweeps);
            declares_pointer(declarator) && value.is_some_and(|value| is_name(program, value) && begins(value))
        }),
        "expression_statement" => children(statement).first().is_some_and(|expression| {
            let parts = comma_parts(*expression);
            let exchanges = |count: usize| {
                let between = [between, &parts[..count]].concat();
                exchanges(program, parts[count], sweeps, &between)
            };
            (0..parts.len()).all(exchanges)
        }),
        _ => false,
    }
}

/// Whether an expression only exchanges pointers or indices in this way.
fn exchanges(program: &Program, expression: Node, sweeps: &[Node], between: &[Node]) -> bool {
    let is_used = |place: Node| begins_with_one_of(program, place, sweeps);
    match expression.kind() {
        "assignment_expression" => {
            let sides = ["left", "right"].map(|side| expression.child_by_field_name(side));
            let is_plain = expression.child_by_field_name("operator").is_some_and(|it| program.text(it) == "=");
            let names = is_plain && sides.iter().flatten().filter(|side| is_name(program, **side)).count() == 2;
            let is_moved = |place: Node| begins_with_one_of(program, place, between);
            let [left, _] = sides;
            let is_used = |side: &Node| is_used(without_casts(*side));
            names && (sides.iter().flatten().any(is_used) || left.is_some_and(is_moved))
        }
        "call_expression" => {
            let arguments = expression.child_by_field_name("arguments").map(children).unwrap_or_default();
            let is_own = program.called(expression).is_some_and(|name| program.defines(name));
            let leads = |argument: Node| is_used(pointed_to(program.unit, argument));
            is_own && program.computes(expression) && arguments.into_iter().all(leads)
        }
        _ => false,
    }
}

/// Whether a place is a variable, a member, or an element of an array of pointers, behind casts or not.
fn is_name(program: &Program, node: Node) -> bool {
    let node = without_casts(node);
    node.kind() == "identifier" || is_fixed_member(node) || is_pointer_element(program, node)
}

/// Whether functions that a statement calls store elements that are real numbers.
pub fn stores_reals<'t>(program: &Program<'_, '_, 't>, statement: Node<'t>) -> bool {
    let mut stored = program.bodies_of(vec![statement], |_| true).flat_map(nodes_in).filter_map(assigned_element);
    stored.any(|place| is_real(program, place))
}

/// Whether functions that a statement calls store numbers behind pointers.
pub fn stores_numbers<'t>(program: &Program<'_, '_, 't>, statement: Node<'t>) -> bool {
    let mut stored = program.bodies_of(vec![statement], |_| true).flat_map(nodes_in).filter_map(assigned);
    stored.any(|place| place.kind() != "identifier" && matches!(type_of(program, place), Some(CType::Scalar(_))))
}

/// Whether a declarator with a value declares a pointer, to rows or not: `double (*spare)[m] = a`.
pub fn declares_pointer(declarator: Node) -> bool {
    let declared = declarator.child_by_field_name("declarator");
    let rows =
        declared.filter(|it| it.kind() == "array_declarator").and_then(|it| it.child_by_field_name("declarator"));
    let inner = rows.filter(|it| it.kind() == "parenthesized_declarator").and_then(|it| it.named_child(0));
    inner.or(declared).is_some_and(|it| it.kind() == "pointer_declarator")
}

/// Whether a place is a member to which no subscript leads but numbers.
fn is_fixed_member(place: Node) -> bool {
    let is_chosen = |node: Node| {
        let index = node.child_by_field_name("index").filter(|_| node.kind() == "subscript_expression");
        index.is_some_and(|index| index.kind() != "number_literal")
    };
    place.kind() == "field_expression" && !nodes_in(place).any(is_chosen)
}

/// Whether a statement before the sweeps declares nothing but pointers that hold buffers of theirs: `double *spare = last;`
pub fn holds_buffer(program: &Program, statement: Node, sweeps: &[Node]) -> bool {
    let is_declaration = statement.kind() == "declaration" && !fields(statement, "declarator").is_empty();
    is_declaration && rotates(program, statement, sweeps, &[])
}

/// Whether a statement before the sweeps declares pointers with values, one of which these move on: `double *p = u;` where each row
/// ends with `p += m`.
pub fn declares_walked(program: &Program, statement: Node, sweeps: &[Node]) -> bool {
    let declarators = fields(statement, "declarator");
    let is_walked = |declarator: &Node| {
        let name = declared_identifier(*declarator).map(|it| program.text(it));
        name.is_some_and(|name| sweeps.iter().any(|it| assignments(program.unit, *it, name, None) > 0))
    };
    let is_set = |declarator: &Node| declares_pointer(*declarator) && declarator.child_by_field_name("value").is_some();
    let is_static = || children(statement).iter().any(|it| it.kind() == "storage_class_specifier");
    statement.kind() == "declaration"
        && !is_static()
        && declarators.iter().all(is_set)
        && declarators.iter().any(is_walked)
}

/// Whether a place is a pointer with a number in an array of pointers, such as `buf[0]`.
pub fn is_pointer_element(program: &Program, place: Node) -> bool {
    let place = strip_parentheses(place);
    let has_number = place.child_by_field_name("index").is_some_and(|it| it.kind() == "number_literal");
    let is_element = place.kind() == "subscript_expression" && has_number;
    is_element && matches!(type_of(program, place), Some(CType::Pointer(_)))
}

/// Whether what is stored in a place may be a pointer.
pub fn may_be_pointer(program: &Program, place: Node) -> bool {
    !matches!(type_of(program, place), Some(CType::Scalar(_)))
}

/// Whether what is stored in a place is a real number.
pub fn is_real(program: &Program, place: Node) -> bool {
    matches!(type_of(program, place), Some(CType::Scalar(ty)) if ty.is_float())
}

fn type_of<'t>(program: &Program<'_, '_, 't>, place: Node<'t>) -> Option<CType<'t>> {
    program.scope_at(place).type_of(program.unit, place)
}

/// Whether the variable in a place that leads to all of it is named in one of these statements.
pub fn begins_with_one_of(program: &Program, place: Node, statements: &[Node]) -> bool {
    let name = first_identifier(place).map(|it| program.text(it));
    name.is_some_and(|name| statements.iter().any(|it| mentions(program.unit, *it, name)))
}

/// The place whose address an argument is, or the argument; of `(double **)&a` it is `a`.
fn pointed_to<'t>(unit: &Unit, argument: Node<'t>) -> Node<'t> {
    let value = argument.child_by_field_name("value").filter(|_| argument.kind() == "cast_expression");
    let argument = value.map_or(argument, strip_parentheses);
    address_of(unit, argument).unwrap_or(argument)
}

/// Whether a place is `*p`.
pub fn is_plain_dereference(place: Node) -> bool {
    let argument = place.child_by_field_name("argument").map(strip_parentheses);
    place.kind() == "pointer_expression" && argument.is_some_and(|it| it.kind() == "identifier")
}
