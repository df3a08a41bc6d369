//! What is no C.

use tree_sitter::Node;

use super::failable::{Failable, TWO_ARRAYS};
use super::tree::Unit;
use crate::source::Diagnostic;

pub fn check_syntax(unit: &Unit, node: Node) -> Failable<()> {
    let Some(wrong) = first_error(node) else { return Ok(()) };
    let start = unit.text[..wrong.start_byte()].rfind([';', '{', '}']).unwrap_or(0);
    let end = unit.text[wrong.start_byte()..].find(';').map_or(wrong.end_byte(), |at| wrong.start_byte() + at);
    let statement = &unit.text[start..end];
    let (code, message, help) = if wrong.is_missing() {
        ("syntax", format!("a `{}` is missing", wrong.kind()), "check that the compiler accepts the file")
    } else if statement.contains("1.0iF") || statement.contains("_Complex_I") {
        ("unsupported-type", "complex numbers are not supported in a nest".to_owned(), TWO_ARRAYS)
    } else {
        let help = "check that the compiler accepts the file; extensions of C are not supported in a nest";
        ("syntax", "this is not understood as C".to_owned(), help)
    };
    // The parser notices a missing token at the next one.
    let span = if wrong.is_missing() {
        let end = unit.text[..wrong.start_byte()].trim_end().len();
        unit.span_between(end.saturating_sub(1), end)
    } else {
        unit.span(wrong)
    };
    Err(Box::new(Diagnostic::error(code, message, span).with_help(help)))
}

/// The first place in or below `node` that is no C, tokens included.
fn first_error(node: Node) -> Option<Node> {
    if node.is_error() || node.is_missing() {
        return Some(node);
    }
    let mut cursor = node.walk();
    let wrong = node.children(&mut cursor).find(|child| child.has_error() || child.is_missing());
    wrong.and_then(first_error)
}
