//! From the preprocessed text to nests: syntax tree, names and types, symbolic execution, storage.
//!
//! The text is parsed once. For each pragma a [`reader::Reader`] executes the `for` statement behind it symbolically:
//! scalars become immutable locals, pointers become a variable and subscripts, assignments to elements become
//! statements. Then storage is resolved: rotated pointers and leading time subscripts become buffers, flat subscripts
//! become dimensions.

mod arrays;
mod body;
mod build;
mod declarations;
mod delinearize;
mod expressions;
mod integers;
mod literals;
mod loops;
mod polynomial;
mod pragma;
mod reader;
mod rotation;
mod storage;
#[cfg(test)]
mod tests;
mod tree;
mod types;
mod unroll;

use tree_sitter::Node;

use crate::ir::Nest;
use crate::source::{Diagnostic, Preprocessed, SourceFile, Span, nest_span};

use pragma::read_clauses;
use reader::Reader;
use tree::{Unit, walk};

/// What can be refused.
type Failable<T> = Result<T, Box<Diagnostic>>;

/// Reads every marked nest of `source`, one result per `#pragma stencil` in textual order; a nest that is refused does
/// not stop the others. A file without the pragma gives an empty list.
pub fn read_nests(source: &SourceFile, preprocessed: &Preprocessed) -> Vec<Result<Nest, Vec<Diagnostic>>> {
    let unit = Unit::new(source, preprocessed);
    if unit.pragmas.is_empty() {
        return Vec::new();
    }
    let Some(tree) = unit.parse() else {
        return vec![Err(vec![Diagnostic::error("syntax", "the file cannot be parsed as C", Span::default())])];
    };
    let read = |index: usize| read_nest(&unit, tree.root_node(), index).map_err(|error| vec![*error]);
    (0..unit.pragmas.len()).map(read).collect()
}

fn read_nest(unit: &Unit, root: Node, index: usize) -> Failable<Nest> {
    let (offset, words) = &unit.pragmas[index];
    let pragma = pragma_span(unit, *offset)?;
    let (clauses, _extents) = read_clauses(words, pragma)?;
    let node = marked_loop(unit, root, index, pragma)?;
    let mut reader = Reader::new(unit, node);
    reader.nest.pragma = pragma;
    reader.nest.span = nest_span(unit.source, unit.preprocessed, pragma, node.end_byte()).ok_or_else(|| {
        Box::new(
            Diagnostic::error("nest-extent", "it cannot be told where this nest ends in the file", pragma)
                .with_help("put the nest on lines of its own, with nothing behind its last brace or semicolon"),
        )
    })?;
    reader.nest.name = clauses.name.clone().unwrap_or_else(|| default_name(unit.source, index + 1));
    reader.nest.clauses = clauses;
    reader.for_statement(node)?;
    reader.nest.loop_order = std::mem::take(&mut reader.loop_order);
    if reader.nest.statements.is_empty() {
        let help = "mark the loop that updates the arrays";
        return reader.refuse(node, "no-statement", "this nest assigns no array element", help);
    }
    reader.resolve_storage(&[])?;
    Ok(reader.nest)
}

/// The line of the pragma in the user's file.
fn pragma_span(unit: &Unit, offset: usize) -> Failable<Span> {
    let Some(line) = unit.preprocessed.map().original_line(offset) else {
        let message = "a header that this file includes has a stencil pragma";
        let help = "move the marked nest into a .c file";
        return Err(Box::new(Diagnostic::error("pragma-in-header", message, Span::default()).with_help(help)));
    };
    let span = unit.source.line_span(line);
    if tree::stencil_pragma(&unit.source.text(span)).is_some() {
        return Ok(span);
    }
    let help = "write `#pragma stencil` on the line above the loop";
    Err(Box::new(Diagnostic::error("pragma-place", "the pragma comes out of a macro", span).with_help(help)))
}

/// The `for` statement directly behind the pragma.
fn marked_loop<'t>(unit: &Unit, root: Node<'t>, index: usize, pragma: Span) -> Failable<Node<'t>> {
    let offset = unit.pragmas[index].0;
    let next = offset + unit.text[offset..].len() - unit.text[offset..].trim_start().len();
    let mut found = None;
    walk(root, &mut |node| {
        if node.start_byte() == next && node.kind() == "for_statement" {
            found = found.or(Some(node));
        }
        node.end_byte() > next && node.start_byte() <= next && found.is_none()
    });
    let has_next_pragma_first = unit.pragmas.get(index + 1).is_some_and(|(other, _)| *other < next);
    match found.filter(|_| !has_next_pragma_first) {
        Some(node) => Ok(node),
        None => {
            let help = "put the pragma directly above the outermost `for` of the nest";
            let message = "there is no `for` loop behind this pragma";
            Err(Box::new(Diagnostic::error("pragma-place", message, pragma).with_help(help)))
        }
    }
}

/// `<file stem>_stencil_<number>` as an identifier.
fn default_name(source: &SourceFile, number: usize) -> String {
    let stem = source.path().file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let mut name: String = stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        name.insert_str(0, "file_");
    }
    format!("{name}_stencil_{number}")
}
