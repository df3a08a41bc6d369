//! What the tool has put into a file that it has rewritten before.

use crate::source::{Span, Token, TokenKind, directive_words, lex_in_line, line_end, line_start};

/// The span and the call's name of `while (!NAME(...)) {` or `while (NAME(...), 0) {` at the end of `tokens`.
pub fn guard<'t>(text: &'t [u8], tokens: &[Token]) -> Option<(Span, &'t [u8])> {
    let word = |index: usize| tokens.get(index).map(|token| &text[token.span.start..token.span.end]);
    let brace = tokens.len().checked_sub(1).filter(|brace| word(*brace) == Some(b"{"))?;
    let open = opening(text, tokens, brace.checked_sub(1)?)?;
    let is_negated = word(open + 1) == Some(b"!");
    let name = open + 1 + usize::from(is_negated);
    let end = brace.checked_sub(if is_negated { 2 } else { 4 })?;
    let is_call = tokens.get(name).is_some_and(|token| token.kind == TokenKind::Word)
        && opening(text, tokens, end) == Some(name + 1);
    let is_dropped = word(end + 1) == Some(b",") && word(end + 2) == Some(b"0");
    let keyword = open.checked_sub(1).filter(|keyword| word(*keyword) == Some(b"while"))?;
    (is_call && is_negated != is_dropped).then_some((tokens[keyword].span.to(tokens[brace].span), word(name)?))
}

/// The index of the parenthesis that the one at `closing` closes.
fn opening(text: &[u8], tokens: &[Token], closing: usize) -> Option<usize> {
    let mut depth = 0;
    for index in (0..=closing).rev() {
        match text[tokens[index].span.start] {
            b')' => depth += 1,
            b'(' if depth == 1 => return Some(index),
            b'(' => depth -= 1,
            _ if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// The `} /* NAME */` behind a nest, with the line that it has for itself.
pub fn closing(text: &[u8], tokens: &[Token], name: &[u8]) -> Option<Span> {
    let (brace, comment) = find_closing(text, tokens, name)?;
    let line = from_line_start(text, brace.start);
    let before = &text[..line];
    let start = match before.strip_suffix(b"\n") {
        Some(line_before) => line_before.strip_suffix(b"\r").unwrap_or(line_before).len(),
        None => before.strip_suffix(b" ").unwrap_or(before).len(),
    };
    Some(Span::new(start, comment.end))
}

/// The brace that closes the one before `tokens`, if the comment behind it is the name; where braces do not match, because
/// macros and conditionals hide some, the only one with such a comment.
fn find_closing(text: &[u8], tokens: &[Token], name: &[u8]) -> Option<(Span, Span)> {
    let mut depth = 1;
    let mut found = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let brace = token.span;
        depth += i32::from(text[brace.start] == b'{') - i32::from(text[brace.start] == b'}');
        let Some(comment) = tokens.get(index + 1) else { continue };
        if text[brace.start] == b'}' && named(text, *comment) == Some(name) {
            found.push((brace, comment.span));
            if depth == 0 {
                return found.pop();
            }
        }
    }
    if found.len() == 1 { found.pop() } else { None }
}

/// What a comment holds.
pub fn named(text: &[u8], comment: Token) -> Option<&[u8]> {
    let inner = text[comment.span.start..comment.span.end].strip_prefix(b"/*")?.strip_suffix(b"*/")?;
    Some(inner.trim_ascii())
}

/// The first byte of the line if nothing but blanks is before `offset`.
pub fn from_line_start(text: &[u8], offset: usize) -> usize {
    let start = line_start(text, offset);
    if text[start..offset].iter().all(u8::is_ascii_whitespace) { start } else { offset }
}

/// From where to where a guard reaches between lines of its own, with the ends of conditionals above it that have its name, and
/// the directives below it that lead into them again.
pub fn with_conditionals(text: &[u8], tokens: &[Token], name: &[u8], from: usize, below: usize) -> (usize, usize) {
    let above = &tokens[..tokens.partition_point(|token| token.span.start < from)];
    let is_ours = |token: &&Token| {
        let behind = Span::new(token.span.end, line_end(text, token.span.end));
        let words: Vec<&[u8]> = directive_words(text, token.span).collect();
        let comment = lex_in_line(text, behind).next();
        words == [b"endif"] && comment.is_some_and(|comment| named(text, comment) == Some(name))
    };
    let ends = above.iter().rev().take_while(|token| token.kind == TokenKind::Directive);
    let Some(first) = ends.take_while(is_ours).last() else { return (from, below) };
    let inside = tokens.iter().filter(|token| token.span.start >= below && token.kind == TokenKind::Directive);
    let is_pragma = |directive: &Span| directive_words(text, *directive).next() == Some(b"pragma");
    let pragma = inside.map(|token| token.span).find(is_pragma).map_or(below, |found| line_start(text, found.start));
    (from_line_start(text, first.span.start), pragma)
}
