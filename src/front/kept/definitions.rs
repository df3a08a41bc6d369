//! The functions that a program defines.
//!
//! Each file of the program has its own copy of a function in a header, `static inline double at(struct grid *g, int i)`. They are one
//! function, if none of the names in it is that of a variable of which each file has its own.

use std::collections::{BTreeMap, BTreeSet};

use tree_sitter::Node;

use crate::front::declarations::has_word;
use crate::front::tree::{Unit, children, declared_identifier, defined_name, fields, function_definitions, nodes_in};

/// Those below `root` by their names, copies once.
pub fn definitions<'t>(unit: &Unit, root: Node<'t>) -> BTreeMap<String, Vec<Node<'t>>> {
    let own = variables_of_files(unit, root);
    let mut found: BTreeMap<String, Vec<Node>> = BTreeMap::new();
    for definition in function_definitions(root) {
        let Some(name) = defined_name(unit, definition) else { continue };
        let same_name = found.entry(name.to_owned()).or_default();
        if !same_name.iter().any(|other| is_copy(unit, definition, *other, &own)) {
            same_name.push(definition);
        }
    }
    found
}

/// Whether a definition does the same as another one, in whatever file.
fn is_copy(unit: &Unit, definition: Node, other: Node, own: &BTreeSet<&str>) -> bool {
    let is_own = |node: Node| node.kind() == "identifier" && own.contains(unit.text(node));
    let words = |it: Node| unit.text[it.byte_range()].split_whitespace();
    words(definition).eq(words(other)) && !nodes_in(definition).any(is_own)
}

/// The variables that change and that each file has for itself.
fn variables_of_files<'p>(unit: &'p Unit, root: Node) -> BTreeSet<&'p str> {
    let is_static = |node: &Node| has_word(unit, *node, "storage_class_specifier", "static");
    let declarations = children(root).into_iter().filter(|node| node.kind() == "declaration" && is_static(node));
    let declarators = declarations.flat_map(|node| {
        let is_const = has_word(unit, node, "type_qualifier", "const");
        fields(node, "declarator").into_iter().filter(move |it| !is_const || nodes_in(*it).any(is_pointer))
    });
    declarators.filter_map(declared_identifier).map(|name| &unit.text[name.byte_range()]).collect()
}

fn is_pointer(node: Node) -> bool {
    node.kind() == "pointer_declarator"
}
