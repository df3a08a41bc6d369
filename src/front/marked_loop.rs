//! The loops behind pragmas, and where both stand in the user's file.

use tree_sitter::Node;

use super::failable::Failable;
use super::headers::is_counting_while;
use super::marked::MarkedNest;
use super::syntax::check_syntax;
use super::tree::{Unit, node_at};
use crate::source::{Diagnostic, Pragma, Span, nest_span};

/// The pragma of the user's file that the preprocessed one at `offset` was made from.
pub fn pragma_at<'u>(unit: &'u Unit, offset: usize) -> Failable<&'u Pragma> {
    if let Some(found) = unit.marks.iter().find(|mark| mark.is_at(unit.source, unit.preprocessed, offset)) {
        return Ok(found);
    }
    let Some(line) = unit.preprocessed.map().original_line(offset) else {
        return Err(pragma_in_header(unit, offset));
    };
    let span = unit.source.line_span(line);
    let is_operator = unit.source.text(span).contains("_Pragma");
    let message = if is_operator { "the pragma is written as `_Pragma`" } else { "the pragma comes out of a macro" };
    let help = "write `#pragma stencil` on the line above the loop";
    Err(Box::new(Diagnostic::error("pragma-place", message, span).with_help(help)))
}

/// The `for` statement directly behind the pragma, or a `while` that counts like one.
pub fn marked_loop<'t>(unit: &Unit, root: Node<'t>, index: usize, pragma: Span) -> Failable<Node<'t>> {
    let next = unit.start_behind_pragma(index);
    let found = node_at(root, next, |node| node.kind() == "for_statement" || is_counting_while(unit, node));
    let has_next_pragma_first = unit.pragmas.get(index + 1).is_some_and(|(other, _)| *other < next);
    match found.filter(|_| !has_next_pragma_first) {
        Some(node) => Ok(node),
        None => {
            let is_while = ["while", "do"].iter().any(|word| starts_with_word(&unit.text[next..], word));
            let error = |message| Diagnostic::error("pragma-place", message, pragma);
            Err(Box::new(if is_while {
                error("the loop behind this pragma is a `while` loop, whose steps are not known before it starts")
                    .with_help("write it as `for (t = first; t < bound; t++)` if the number of its steps is known before")
                    .with_help(
                        "or mark the `for` loops inside it; a maximum or sum over points that ends the loop needs a `for` \
                         loop of its own that is not marked",
                    )
            } else {
                error("there is no `for` loop behind this pragma")
                    .with_help("put the pragma directly above the outermost `for` of the nest")
            }))
        }
    }
}

fn starts_with_word(text: &str, word: &str) -> bool {
    text.strip_prefix(word).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
}

fn pragma_in_header(unit: &Unit, offset: usize) -> Box<Diagnostic> {
    let place = unit.preprocessed.map().header_place(unit.preprocessed.text(), offset);
    let (message, span) = match place {
        Some(place) => {
            let message =
                format!("{}:{} has a stencil pragma, and headers are not rewritten", place.header, place.line);
            (message, unit.source.line_span(place.include))
        }
        None => ("a header that this file includes has a stencil pragma".to_owned(), unit.source.span(0, 0)),
    };
    let help = "move the marked nest into a .c file, or take the pragma out of the header";
    Box::new(Diagnostic::error(IN_HEADER_CODE, message, span).with_help(help))
}

/// Leaves one diagnostic for all the nests that one `#include` brings.
pub fn fold_headers(nests: &mut [Result<MarkedNest, Vec<Diagnostic>>]) {
    let mut lines: Vec<(Span, usize, usize)> = Vec::new();
    for (index, nest) in nests.iter_mut().enumerate() {
        let Err(diagnostics) = nest else { continue };
        let Some(first) = diagnostics.first().filter(|first| first.code == IN_HEADER_CODE) else { continue };
        match lines.iter_mut().find(|(span, ..)| *span == first.primary.span) {
            Some((_, _, more)) => {
                *more += 1;
                diagnostics.clear();
            }
            None => lines.push((first.primary.span, index, 0)),
        }
    }
    for (_, index, more) in lines.into_iter().filter(|(_, _, more)| *more > 0) {
        let Err(diagnostics) = &mut nests[index] else { continue };
        diagnostics[0].primary.message = format!("this line brings {more} more of them");
    }
}

const IN_HEADER_CODE: &str = "pragma-in-header";

/// The nest in the user's file.
pub fn extent(unit: &Unit, ancestors: &[Node], node: Node, pragma: Span) -> Failable<Span> {
    if !unit.inserted.is_empty() {
        return Ok(unit.span(node));
    }
    if let Some(span) = nest_span(unit.source, unit.preprocessed, pragma, node.end_byte()) {
        return Ok(span);
    }
    // Unbalanced brackets are the likely reason, and the parser may have put the error beside the loop.
    if let [within @ .., root] = ancestors {
        check_syntax(unit, *within.last().unwrap_or(&node))?;
        check_syntax(unit, *root)?;
    }
    Err(Box::new(
        Diagnostic::error("nest-extent", "it cannot be told where this nest ends in the file", pragma)
            .with_help("put the nest on lines of its own, with nothing behind its last brace or semicolon"),
    ))
}
