//! Nodes of syntax trees.

use std::iter;
use std::ops::Range;

use tree_sitter::{Node, TreeCursor};

/// The named children of `node` without comments.
pub fn children<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|child| child.kind() != "comment").collect()
}

/// The child of `node` that is around a place.
pub fn child_around(node: Node, place: usize) -> Option<Node> {
    node.first_child_for_byte(place).filter(|child| child.byte_range().contains(&place))
}

/// Those of them that lie in `range`.
pub fn children_within<'t>(node: Node<'t>, range: Range<usize>) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    let mut found = Vec::new();
    let mut goes_on = cursor.goto_first_child_for_byte(range.start).is_some();
    while goes_on {
        let child = cursor.node();
        if child.start_byte() >= range.end {
            break;
        }
        let is_within = range.start <= child.start_byte() && child.end_byte() <= range.end;
        if is_within && child.is_named() && child.kind() != "comment" {
            found.push(child);
        }
        goes_on = cursor.goto_next_sibling();
    }
    found
}

/// The children of `node` in the field `name`.
pub fn fields<'t>(node: Node<'t>, name: &str) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.children_by_field_name(name, &mut cursor).collect()
}

/// The function declarator next to the name that `declarator` declares: `f(void)` of `int (*f(void))(int)`.
pub fn innermost_function(declarator: Node) -> Option<Node> {
    let mut found = None;
    let mut here = Some(declarator);
    while let Some(node) = here {
        if node.kind() == "function_declarator" {
            found = Some(node);
        }
        here = inner_declarator(node);
    }
    found
}

/// The identifier that `declarator` declares.
pub fn declared_identifier(declarator: Node) -> Option<Node> {
    let mut here = declarator;
    while let Some(inner) = inner_declarator(here) {
        here = inner;
    }
    matches!(here.kind(), "identifier" | "type_identifier").then_some(here)
}

/// The declarator within another.
fn inner_declarator(node: Node) -> Option<Node> {
    let is_around = matches!(node.kind(), "parenthesized_declarator" | "attributed_declarator");
    let first = || children(node).into_iter().find(|child| child.kind() != "ms_call_modifier");
    node.child_by_field_name("declarator").or_else(|| is_around.then(first)?)
}

/// `node` without parentheses around it.
pub fn strip_parentheses(mut node: Node) -> Node {
    while node.kind() == "parenthesized_expression" {
        match node.named_child(0) {
            Some(inner) => node = inner,
            None => return node,
        }
    }
    node
}

/// The expression without parentheses and casts around it.
pub fn without_casts(value: Node) -> Node {
    let mut value = strip_parentheses(value);
    while value.kind() == "cast_expression"
        && let Some(inner) = value.child_by_field_name("value")
    {
        value = strip_parentheses(inner);
    }
    value
}

/// What an expression assigns or counts.
pub fn assigned(expression: Node) -> Option<Node> {
    let place = match expression.kind() {
        "assignment_expression" => expression.child_by_field_name("left"),
        "update_expression" => expression.child_by_field_name("argument"),
        _ => None,
    };
    place.map(strip_parentheses)
}

/// Whether the expression around a place assigns or counts it.
pub fn is_assigned(place: Node) -> bool {
    place.parent().and_then(assigned) == Some(place)
}

/// The element that an expression assigns or counts, or a member of which it does.
pub fn assigned_element(expression: Node) -> Option<Node> {
    let mut place = assigned(expression)?;
    while place.kind() == "field_expression" {
        place = strip_parentheses(place.child_by_field_name("argument")?);
    }
    matches!(place.kind(), "subscript_expression" | "pointer_expression").then_some(place)
}

/// The element of the array that an identifier names, with all its subscripts, as `w[i][j]` for `w` there; the identifier if it has none.
pub fn subscripted<'t>(identifier: Node<'t>) -> Node<'t> {
    let has_subscript = |inner: &Node<'t>, outer: &Node<'t>| {
        outer.kind() == "subscript_expression" && outer.child_by_field_name("argument") == Some(*inner)
    };
    let outer = |inner: &Node<'t>| inner.parent().filter(|outer| has_subscript(inner, outer));
    std::iter::successors(Some(identifier), outer).last().unwrap_or(identifier)
}

/// The first name in an expression.
pub fn first_identifier(node: Node) -> Option<Node> {
    if node.kind() == "identifier" { Some(node) } else { children(node).into_iter().find_map(first_identifier) }
}

/// Whether code stores such an element.
pub fn stores<'t>(code: Node<'t>, is_such: impl Fn(Node<'t>) -> bool) -> bool {
    nodes_in(code).any(|node| assigned_element(node).is_some_and(&is_such))
}

/// The variable that an expression assigns or counts.
pub fn target(expression: Node) -> Option<Node> {
    assigned(expression).filter(|place| place.kind() == "identifier")
}

/// The parameters in the declarator of a function.
pub fn parameter_list(declarator: Node) -> Option<Node> {
    innermost_function(declarator)?.child_by_field_name("parameters")
}

/// The variable whose address `&place` leads to: `s` for a place `s.m.n`.
pub fn addressed(place: Node) -> Node {
    let mut here = strip_parentheses(place);
    while here.kind() == "field_expression"
        && let Some(inner) = here.child_by_field_name("argument")
    {
        here = strip_parentheses(inner);
    }
    here
}

/// The nodes around one, innermost first. Nodes do not know their parents: each search for one begins at the root.
pub fn ancestors<'t>(root: Node<'t>, node: Node<'t>) -> Vec<Node<'t>> {
    let step = |here: &Node<'t>| here.child_with_descendant(node).filter(|below| *below != node);
    let mut ancestors: Vec<_> = std::iter::successors(Some(root).filter(|root| *root != node), step).collect();
    ancestors.reverse();
    ancestors
}

/// The first node from `root` down that begins at `start` and is what is looked for.
pub fn node_at<'t>(root: Node<'t>, start: usize, is_it: impl Fn(Node<'t>) -> bool) -> Option<Node<'t>> {
    let below = |node: &Node<'t>| node.first_named_child_for_byte(start).filter(|it| it.start_byte() <= start);
    std::iter::successors(Some(root), below).find(|node| node.start_byte() == start && is_it(*node))
}

/// The loop that begins at `start`.
pub fn loop_at(root: Node, start: usize) -> Option<Node> {
    node_at(root, start, is_loop)
}

/// Whether a statement is a loop.
pub fn is_loop(statement: Node) -> bool {
    matches!(statement.kind(), "for_statement" | "while_statement" | "do_statement")
}

/// The definitions of functions below `root`, those within functions left out.
pub fn function_definitions(root: Node) -> Vec<Node> {
    let mut found = Vec::new();
    walk(root, &mut |node| {
        if node.kind() == "function_definition" {
            found.push(node);
        }
        matches!(node.kind(), "translation_unit" | "linkage_specification" | "declaration_list")
    });
    found
}

/// `node` and all named nodes below it but comments, parents first.
pub fn nodes_in<'t>(node: Node<'t>) -> impl Iterator<Item = Node<'t>> {
    let (mut cursor, mut next) = (node.walk(), Some(node));
    iter::from_fn(move || {
        let here = next?;
        next = advance(&mut cursor, true);
        Some(here)
    })
}

/// Calls `visit` for the same nodes, but for those below one for which it returns false.
pub fn walk<'t>(node: Node<'t>, visit: &mut impl FnMut(Node<'t>) -> bool) {
    let (mut cursor, mut next) = (node.walk(), Some(node));
    while let Some(here) = next {
        next = advance(&mut cursor, visit(here));
    }
}

/// Goes on to the next named node that is no comment: below the last one, if it is to descend, or behind it.
fn advance<'t>(cursor: &mut TreeCursor<'t>, mut descends: bool) -> Option<Node<'t>> {
    loop {
        if !(descends && cursor.goto_first_child()) {
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return None;
                }
            }
        }
        let here = cursor.node();
        descends = here.is_named() && here.kind() != "comment";
        if descends {
            return Some(here);
        }
    }
}
