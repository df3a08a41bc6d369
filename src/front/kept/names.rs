//! Names that code changes or has. A member counts by its own name, whatever structure it is in; so may others of that name.

use std::collections::BTreeSet;

use tree_sitter::Node;

use crate::front::declarations::{Scope, has_word as has_specifier};
use crate::front::tree::{
    Unit, address_of, ancestors, assigned, children, declared_identifier, fields, named, nodes_in, parameter_list,
    strip_parentheses,
};
use crate::front::types::CType;
use crate::ir::{HostValue, Selector};

/// The last name of a value: that of the member, or of the variable.
pub fn last(value: &HostValue) -> &str {
    let member = value.path.iter().rev().find_map(|selector| match selector {
        Selector::Member(name) => Some(name.as_str()),
        _ => None,
    });
    member.unwrap_or(&value.variable.name)
}

/// A variable or a member, by its last name, or elements of what that leads to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Changed {
    /// The name.
    pub name: String,
    /// Whether it is an element.
    pub is_element: bool,
}

impl Changed {
    /// A variable or a member.
    pub fn named(name: &str) -> Self {
        Self { name: name.to_owned(), is_element: false }
    }

    /// What is changed where a value is: of `*p` an element.
    pub fn of(value: &HostValue) -> Self {
        let is_plain = |selector: &Selector| matches!(selector, Selector::Member(_) | Selector::Address);
        let is_element = value.path.last().is_some_and(|selector| !is_plain(selector));
        Self { name: last(value).to_owned(), is_element }
    }
}

/// What code assigns, counts or takes the address of, but for variables that it declares itself; with what a declaration itself
/// declares if that is wanted.
pub fn changed(unit: &Unit, code: Node, with_declared: bool) -> BTreeSet<Changed> {
    changed_but(unit, code, with_declared, &|_| false)
}

/// The same, but for what is said of addresses to leave what they lead to as it is, or to tell by names what they change.
pub fn changed_but(
    unit: &Unit,
    code: Node,
    with_declared: bool,
    is_harmless: &dyn Fn(Node) -> bool,
) -> BTreeSet<Changed> {
    let mut found = BTreeSet::new();
    if with_declared && code.kind() == "declaration" {
        found.extend(declared(unit, code).iter().map(|name| Changed::named(name)));
    }
    let mut hidden = parameters(unit, code);
    collect(unit, code, is_harmless, &mut hidden, &mut found);
    found
}

/// The parameters of the function that `code` is the body of.
fn parameters(unit: &Unit, code: Node) -> Vec<String> {
    let function = code.parent().filter(|around| around.kind() == "function_definition");
    let declarator = function.and_then(|function| function.child_by_field_name("declarator"));
    let list = declarator.and_then(parameter_list).map(children).unwrap_or_default();
    list.into_iter().flat_map(|parameter| declared(unit, parameter)).collect()
}

/// Whether a statement declares a name for those behind it.
pub fn declares(unit: &Unit, statement: Node, name: &str) -> bool {
    statement.kind() == "declaration" && declared(unit, statement).iter().any(|it| it == name)
}

/// Whether a name stands in `node` for a variable that is assigned there, or a member of which is, or whose address is taken, as that
/// of a member that is an array is where it has not all of its subscripts.
pub fn is_touched<'t>(unit: &Unit, scope: &Scope<'t>, node: Node<'t>, name: &str) -> bool {
    named(unit, node, name).any(|it| {
        let (mut place, mut is_member) = (it, false);
        while let Some(parent) = place.parent() {
            let is_part = match parent.kind() {
                "parenthesized_expression" => true,
                "field_expression" => parent.child_by_field_name("operator").is_some_and(|it| unit.text(it) == "."),
                "subscript_expression" => {
                    let is_followed = || matches!(scope.type_of(unit, place), Some(CType::Pointer(..)));
                    is_member && parent.child_by_field_name("argument") == Some(place) && !is_followed()
                }
                _ => false,
            };
            if !is_part {
                break;
            }
            is_member |= parent.kind() == "field_expression";
            place = parent;
        }
        let parent = place.parent();
        let is_changed = parent.and_then(assigned).is_some_and(|changed| changed == strip_parentheses(place));
        let is_taken = parent.is_some_and(|it| it.kind() == "pointer_expression" && unit.text(it).starts_with('&'));
        let may_be_array = || scope.type_of(unit, place).is_none_or(|ty| matches!(ty, CType::Array(..)));
        is_changed || is_taken || is_member && may_be_array()
    })
}

/// Whether code needs what is called `name` where it begins: it names that, and not only what it declares itself.
pub fn needs(unit: &Unit, code: Node, name: &str) -> bool {
    named(unit, code, name).any(|place| !is_own(unit, code, place))
}

/// Whether an identifier in `code` is what a declaration in `code` declares.
fn is_own(unit: &Unit, code: Node, place: Node) -> bool {
    let is_of = |declaration: &Node| {
        let names = fields(*declaration, "declarator").into_iter().filter_map(declared_identifier);
        let mut before = names.filter(|name| name.start_byte() <= place.start_byte());
        !own(unit, *declaration).is_empty() && before.any(|name| unit.text(name) == unit.text(place))
    };
    let mut blocks = ancestors(code, place).into_iter();
    blocks.any(|it| matches!(it.kind(), "compound_statement" | "for_statement") && children(it).iter().any(is_of))
}

/// The variables that a node declares as the block's own: `extern` names those of the file.
fn own(unit: &Unit, node: Node) -> Vec<String> {
    let is_own = node.kind() == "declaration" && !has_specifier(unit, node, "storage_class_specifier", "extern");
    if is_own { declared(unit, node) } else { Vec::new() }
}

/// The declarators of the declarations in a node.
pub fn declared_in(node: Node) -> impl Iterator<Item = Node> {
    nodes_in(node).filter(|it| it.kind() == "declaration").flat_map(|it| fields(it, "declarator"))
}

fn declared(unit: &Unit, declaration: Node) -> Vec<String> {
    let names = fields(declaration, "declarator").into_iter().filter_map(declared_identifier);
    names.map(|name| unit.text(name).to_owned()).collect()
}

fn collect(
    unit: &Unit,
    node: Node,
    is_harmless: &dyn Fn(Node) -> bool,
    hidden: &mut Vec<String>,
    found: &mut BTreeSet<Changed>,
) {
    let mark = hidden.len();
    let place = assigned(node).or_else(|| address_of(unit, node).filter(|_| !is_harmless(node)));
    found.extend(place.and_then(|place| change_of(unit, place, hidden)));
    for child in children(node) {
        collect(unit, child, is_harmless, hidden, found);
        hidden.extend(own(unit, child));
    }
    hidden.truncate(mark);
}

/// What a place is, unless its name is hidden.
fn change_of(unit: &Unit, place: Node, hidden: &[String]) -> Option<Changed> {
    let place = strip_parentheses(place);
    match place.kind() {
        "identifier" => Some(Changed::named(unit.text(place))).filter(|it| !hidden.contains(&it.name)),
        "field_expression" => place.child_by_field_name("field").map(|field| Changed::named(unit.text(field))),
        _ => {
            let inner = change_of(unit, place.child_by_field_name("argument")?, hidden)?;
            Some(Changed { is_element: true, ..inner })
        }
    }
}

/// Whether code has a variable or a member of that name, but for variables that it declares itself.
pub fn has(unit: &Unit, code: Node, name: &str) -> bool {
    let is_parameter = parameters(unit, code).iter().any(|it| it == name);
    has_unhidden(unit, code, name, is_parameter)
}

fn has_unhidden(unit: &Unit, node: Node, name: &str, is_hidden: bool) -> bool {
    let declares = |names: Vec<String>| names.iter().any(|it| it == name);
    let declares_own = declares(own(unit, node));
    let mut is_hidden = is_hidden;
    match node.kind() {
        "identifier" => !is_hidden && unit.text(node) == name,
        "field_identifier" => unit.text(node) == name,
        _ => children(node).into_iter().any(|child| {
            is_hidden |= declares_own && declared_identifier(child).is_some_and(|it| unit.text(it) == name);
            let has = has_unhidden(unit, child, name, is_hidden);
            is_hidden |= declares(own(unit, child));
            has
        }),
    }
}

/// Whether code follows pointers.
pub fn follow(bodies: &[Node]) -> bool {
    let follows =
        |node: Node| matches!(node.kind(), "pointer_expression" | "subscript_expression" | "field_expression");
    bodies.iter().any(|body| nodes_in(*body).any(follows))
}

/// Whether a C expression has a word.
pub fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|it| it == word)
}
