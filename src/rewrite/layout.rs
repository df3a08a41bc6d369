//! How what is put into the user's file is laid out.

use super::edit::Edits;
use super::omp::{LoopPragmas, begins_conditional, line_number};
use crate::source::{Span, TokenKind, lex, lex_directive, line_end, line_ending};
use crate::text::{WIDTH as LINE_WIDTH, wrap};

/// How the rewritten text is laid out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextStyle {
    /// For people: an include line among the others, braces on lines of their own.
    Readable,
    /// For a compiler that is to report positions in the original: every line keeps its number, and a `#line` directive
    /// gives the original's name.
    SameLines {
        /// What `__FILE__` is to be.
        original: Vec<u8>,
    },
}

/// For people, a comment that tells what ends or begins.
pub fn name_comment(name: &str, style: &TextStyle) -> String {
    if *style == TextStyle::Readable { format!(" /* {name} */") } else { String::new() }
}

/// Puts `closing` behind a statement, for people on a line of its own with the name of what ends there.
pub fn close(
    edits: &mut Edits,
    text: &[u8],
    statement: Span,
    (indent, closing, name): (&[u8], &str, &str),
    style: &TextStyle,
) {
    let name = name_comment(name, style);
    let (place, is_alone) = closing_place(text, statement);
    if is_alone && *style == TextStyle::Readable {
        edits.insert(place, [line_ending(text).as_bytes(), indent, closing.as_bytes(), name.as_bytes()].concat());
    } else {
        edits.insert(statement.end, format!(" {closing}{name}"));
    }
}

/// The pragma in a comment; the comments that it holds follow.
pub fn in_comment(text: &[u8], pragma: Span) -> Vec<u8> {
    let mut result = b" /* ".to_vec();
    let mut comments = Vec::new();
    let mut start = pragma.start;
    for comment in lex_directive(text, pragma).filter(|token| token.kind == TokenKind::Comment).map(|token| token.span)
    {
        result.extend_from_slice(&text[start..comment.start]);
        result.push(b' ');
        comments.push(b' ');
        comments.extend_from_slice(&text[comment.start..comment.end]);
        start = comment.end;
    }
    result.extend_from_slice(&text[start..pragma.end]);
    [&result, &b" */"[..], &comments].concat()
}

/// A line with that indentation, for people in several if it is too long for one.
pub fn statement(text: &[u8], indent: &[u8], line: &str, style: &TextStyle) -> Vec<u8> {
    let line = String::from_utf8_lossy(indent) + line;
    match style {
        TextStyle::Readable => wrap(&line, LINE_WIDTH).trim_end().replace('\n', line_ending(text)).into_bytes(),
        TextStyle::SameLines { .. } => line.into_owned().into_bytes(),
    }
}

/// Where the closing brace goes, and whether it may stand on a line of its own there.
fn closing_place(text: &[u8], nest: Span) -> (usize, bool) {
    let end = line_end(text, nest.end);
    let rest = &text[nest.end..end];
    let comment = lex(text, Span::new(nest.end, text.len())).next().map(|token| token.span);
    let ends_with_comment = comment
        .is_some_and(|span| span.start < end && text[span.start..].starts_with(b"//") && span.end.abs_diff(end) <= 1);
    if is_blank(rest) {
        (nest.end, true)
    } else if ends_with_comment {
        (end, true)
    } else {
        (nest.end, false)
    }
}

pub fn newlines_in(text: &[u8], span: Span) -> Vec<u8> {
    let count = text[span.start..span.end].iter().filter(|byte| **byte == b'\n').count();
    line_ending(text).repeat(count).into_bytes()
}

pub fn is_blank(text: &[u8]) -> bool {
    text.iter().all(u8::is_ascii_whitespace)
}

/// The head on lines of its own before the pragmas, whose lines keep their numbers, outside of the conditionals around them.
pub fn lines_above(text: &[u8], head: Vec<u8>, pragmas: &LoopPragmas, name: &str, style: &TextStyle) -> Vec<u8> {
    let opened = pragmas.conditionals.iter().filter(|directive| begins_conditional(text, **directive));
    let mut lines: Vec<Vec<u8>> = opened.map(|_| format!("#endif /* {name} */").into_bytes()).collect();
    lines.push(head);
    lines.extend(pragmas.conditionals.iter().map(|directive| text[directive.start..directive.end].to_vec()));
    if *style != TextStyle::Readable {
        lines.push(format!("#line {}", line_number(text, pragmas.start)).into_bytes());
    }
    let newline = line_ending(text).as_bytes();
    lines.into_iter().flat_map(|line| [&line, newline].concat()).collect()
}
