//! Names of variables and members whose values may be more than numbers and pointers of the host's.

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::tree::{
    Unit, address_of, children, defined_name, fields, function_definitions, nodes_in, strip_parentheses, without_casts,
};
use super::types::{CType, declared, words};

/// Such names, wherever they are declared.
#[derive(Default)]
pub struct ValueNames {
    /// What may be a structure or a union, and not a pointer to one.
    pub wholes: BTreeSet<String>,
    /// What is atomic, or an array of such, or leads to it.
    pub atomics: BTreeSet<String>,
    /// Variables that a pointer may lead to where a loop is marked,
    pub variables: BTreeSet<String>,
    /// and members.
    pub members: BTreeSet<String>,
}

impl ValueNames {
    /// Those in a text.
    pub fn new(unit: &Unit, root: Node) -> Self {
        let mut found = Self::default();
        found.add_declared(unit, root);
        found.add_given(unit, root);
        found
    }

    fn add_declared(&mut self, unit: &Unit, root: Node) {
        let mut atomic_types = BTreeSet::new();
        for node in nodes_in(root) {
            let Some(ty) = node.child_by_field_name("type") else { continue };
            let is_atomic = is_atomic(unit, node, ty, &atomic_types);
            let named = |it: Node| declared(unit, it, CType::Other(String::new())).0;
            let declarators = || fields(node, "declarator").into_iter();
            match node.kind() {
                "type_definition" if is_atomic => {
                    let types = declarators().flat_map(nodes_in).filter(|it| it.kind() == "type_identifier");
                    atomic_types.extend(types.map(|it| unit.text(it).to_owned()));
                }
                "declaration" | "parameter_declaration" | "field_declaration" => {
                    if is_atomic {
                        self.atomics.extend(declarators().map(named));
                    }
                    if !matches!(ty.kind(), "primitive_type" | "sized_type_specifier" | "enum_specifier") {
                        self.wholes.extend(declarators().filter(|it| is_plain(*it)).map(named));
                    }
                }
                _ => {}
            }
        }
    }

    /// What `&` stands before, but for arguments of functions that lead to no marked loop.
    fn add_given(&mut self, unit: &Unit, root: Node) {
        let leading = leading_functions(unit, root);
        let mut harmless = BTreeSet::new();
        for call in nodes_in(root).filter(|it| it.kind() == "call_expression") {
            let arguments = call.child_by_field_name("arguments").map(children).unwrap_or_default();
            let function = call.child_by_field_name("function").filter(|it| it.kind() == "identifier");
            let names = arguments.iter().chain(&function).filter(|it| it.kind() == "identifier");
            if function.is_some() && !names.into_iter().any(|it| leading.contains(unit.text(*it))) {
                harmless.extend(arguments.into_iter().map(|it| without_casts(it).id()));
            }
        }
        for node in nodes_in(root).filter(|node| !harmless.contains(&node.id())) {
            let Some(place) = address_of(unit, node).map(strip_parentheses) else { continue };
            match (place.kind(), place.child_by_field_name("field")) {
                ("identifier", _) => self.variables.insert(unit.text(place).to_owned()),
                (_, Some(member)) => self.members.insert(unit.text(member).to_owned()),
                _ => false,
            };
        }
    }
}

/// The functions that have marked loops, and those that call them.
fn leading_functions<'u>(unit: &'u Unit, root: Node) -> BTreeSet<&'u str> {
    let mut found = BTreeSet::new();
    let functions = function_definitions(root);
    loop {
        let leads = |function: &Node| {
            let range = function.byte_range();
            let mut names = nodes_in(*function).filter(|it| it.kind() == "identifier");
            unit.pragmas.iter().any(|(place, _)| range.contains(place))
                || names.any(|it| found.contains(&unit.text[it.byte_range()]))
        };
        let leading: BTreeSet<_> =
            functions.iter().filter(|it| leads(it)).filter_map(|it| defined_name(unit, *it)).collect();
        if leading.len() == found.len() {
            return found;
        }
        found = leading;
    }
}

/// Whether a declaration with this specifier gives an atomic type.
fn is_atomic(unit: &Unit, declaration: Node, ty: Node, atomic_types: &BTreeSet<String>) -> bool {
    let says = |text: &str| words(text).any(|it| it == "_Atomic");
    let end = declaration.child_by_field_name("declarator").map_or(ty.end_byte(), |it| it.end_byte());
    says(&unit.text[declaration.start_byte()..ty.start_byte()])
        || ty.child_by_field_name("body").is_none() && says(&unit.text[ty.start_byte()..end])
        || atomic_types.contains(unit.text(ty))
}

/// Whether a declarator declares what the specifier says, and no pointer to it and no array of it.
fn is_plain(declarator: Node) -> bool {
    match declarator.kind() {
        "identifier" | "field_identifier" => true,
        "init_declarator" => declarator.child_by_field_name("declarator").is_some_and(is_plain),
        "parenthesized_declarator" => children(declarator).into_iter().any(is_plain),
        _ => false,
    }
}
