//! Definitions of a program that the OpenCL library would take for those of the C library.

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::declarations::has_word;
use super::tree::{Unit, ancestors, children, fields};
use crate::source::{Diagnostic, Span};

/// What OpenCL libraries take from the C library, a name a line, in order; `scripts/list-library-names` makes it.
const LIBRARY_NAMES: &str = include_str!("library_names.txt");

/// Those of them that drivers take, or allocators of memory, which work only for all of a program or for nothing.
const DRIVER_NAMES: &str = include_str!("driver_names.txt");

/// Definitions by names of the C library.
#[derive(Default)]
pub struct Clashes {
    /// Where definitions begin that other libraries must not see: it is enough to hide them, as the driver needs none of these
    /// names.
    pub hidden: Vec<Span>,
    /// One for each that cannot be hidden.
    pub errors: Vec<Diagnostic>,
}

/// What becomes of each function or variable with external linkage that has such a name.
///
/// The linker lets a program's definition win over the C library's, for all libraries. Where a system header declares the
/// name, the compiler has seen to it that both are of one type: such a definition is meant to replace the library's.
pub fn find_clashes(unit: &Unit, root: Node) -> Clashes {
    let taken: BTreeSet<&str> = LIBRARY_NAMES.lines().collect();
    let mut declared = BTreeSet::new();
    let mut found = Clashes::default();
    let own = unit.section(0);
    for node in children(root).into_iter().filter(|node| own.contains(&node.start_byte())) {
        for name in names(node).into_iter().filter(|name| taken.contains(unit.text(*name))) {
            if is_in_system_header(unit, node) {
                declared.insert(unit.text(name));
            } else if is_external_definition(unit, node, name) && !declared.contains(unit.text(name)) {
                match beginning(unit, node).filter(|_| !is_of_driver(unit.text(name))) {
                    Some(span) => found.hidden.push(span),
                    None => found.errors.push(clash(unit, name)),
                }
            }
        }
    }
    found
}

fn is_of_driver(name: &str) -> bool {
    DRIVER_NAMES.lines().any(|taken| taken == name)
}

/// The empty span before a definition, if its first word stands in the user's file.
fn beginning(unit: &Unit, definition: Node) -> Option<Span> {
    let mut first = definition;
    while let Some(child) = first.child(0) {
        first = child;
    }
    let span = unit.span(first);
    let is_word = unit.text(first).starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    (is_word && unit.source.text(span) == unit.text(first)).then(|| span.at(span.start, span.start))
}

fn clash(unit: &Unit, name: Node) -> Diagnostic {
    let text = unit.text(name);
    Diagnostic::error("library-name", format!("the C library has a `{text}` of its own"), unit.span(name))
        .because("the OpenCL library and its drivers would call this one instead, and fail")
        .with_help(format!("make `{text}` static, or give it another name"))
}

/// The identifiers that a function definition or a declaration at file scope declares.
fn names<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    match node.kind() {
        "function_definition" | "declaration" => {
            fields(node, "declarator").into_iter().filter_map(identifier).collect()
        }
        _ => Vec::new(),
    }
}

fn identifier(declarator: Node) -> Option<Node> {
    let mut node = declarator;
    while node.kind() != "identifier" {
        node = match node.kind() {
            "parenthesized_declarator" => *children(node).first()?,
            _ => node.child_by_field_name("declarator")?,
        };
    }
    Some(node)
}

/// Whether other files see what this defines. A function that is only `inline` has no definition that they could see.
fn is_external_definition(unit: &Unit, node: Node, name: Node) -> bool {
    let has = |word| has_word(unit, node, "storage_class_specifier", word);
    if has("static") {
        return false;
    }
    if node.kind() == "function_definition" {
        return !has("inline") || has("extern");
    }
    let around = ancestors(node, name);
    let is_function = around.first().is_some_and(|declarator| declarator.kind() == "function_declarator");
    let has_value = around.iter().any(|declarator| declarator.kind() == "init_declarator");
    !is_function && (!has("extern") || has_value)
}

fn is_in_system_header(unit: &Unit, node: Node) -> bool {
    let map = unit.preprocessed.map();
    let place = map.header_place(unit.preprocessed.text(), node.start_byte());
    place.is_some_and(|place| {
        let is_it = |path: &std::path::Path| path.to_string_lossy() == place.header;
        unit.preprocessed.headers().iter().any(|header| header.is_system && is_it(&header.path))
    })
}
