//! Back from the rewritten form of a loop that the host keeps.

use super::kept::variables;
use super::marks::{closing, from_line_start, guard, named, with_conditionals};
use super::words::around;
use crate::source::{Span, Token, TokenKind, next_line};

/// The name of the nest whose pragma stands in the comment before `tokens`, if the loop behind it is the host's: it follows
/// in a comment of its own.
pub fn kept_name<'t>(text: &'t [u8], tokens: &[Token]) -> Option<&'t [u8]> {
    let token = tokens.first().filter(|token| token.kind == TokenKind::Comment)?;
    named(text, *token).filter(|name| name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_'))
}

/// What was put in around the loop and in it; `tokens` begin with the comment that has the name. `None` if the step's guard or
/// its end is missing.
pub fn find_kept(text: &[u8], tokens: &[Token], name: &[u8]) -> Option<Vec<Span>> {
    let word = |token: &Token| &text[token.span.start..token.span.end];
    let mut found = vec![with_space_before(text, tokens[0].span)];
    found.extend(find_declared(text, tokens, name));
    for leg in 0.. {
        let called = if leg == 0 { name.to_vec() } else { [name, format!("_leg_{}", leg + 1).as_bytes()].concat() };
        let is_head = |end: usize| guard(text, &tokens[..=end]).filter(|(_, it)| *it == called);
        let mut braces = (0..tokens.len()).filter(|index| word(&tokens[*index]) == b"{");
        let Some((end, head)) = braces.find_map(|end| Some((end, is_head(end)?.0))) else { break };
        let head = inserted(text, head);
        let (from, below) = with_conditionals(text, tokens, name, head.start, head.end);
        found.extend([Span::new(from, below), closing(text, &tokens[end + 1..], &called)?]);
    }
    if found.len() == 1 {
        return None;
    }
    let mut index = 0;
    while index < tokens.len() {
        if let Some((calls, close)) = operand_at(text, tokens, index, name) {
            found.extend([inserted(text, calls), tokens[close].span]);
            index += 1;
            continue;
        }
        let Some((end, closed)) = calls_at(text, tokens, index, name) else {
            index += 1;
            continue;
        };
        let statements = tokens[index].span.to(tokens[end].span);
        let behind = tokens.get(end + 1);
        let is_last = behind.is_some_and(|it| named(text, *it) == Some(name))
            || behind.is_some_and(|it| word(it) == b"}")
                && tokens.get(end + 2).is_some_and(|it| named(text, *it) == Some(name));
        if is_last {
            let comment = tokens[end + 1..].iter().find(|it| it.kind == TokenKind::Comment)?;
            found.push(with_break_before(text, statements.to(comment.span)));
            index = end + 1;
            continue;
        }
        match index.checked_sub(1).map(|before| &tokens[before]).filter(|before| word(before) == b"{") {
            Some(brace) if is_put_in(text, (*brace, statements), &tokens[end + 1..], (name, &closed)) => {
                found.push(inserted(text, brace.span.to(statements)));
                found.push(closing(text, &tokens[end + 1..], &closed)?);
            }
            _ => found.push(inserted(text, statements)),
        }
        index = end + 1;
    }
    let alone = tokens.windows(2).find(|pair| word(&pair[0]) == b"{" && named(text, pair[1]) == Some(name));
    found.extend(alone.map(|pair| with_space_behind(text, pair[0].span.to(pair[1].span))));
    Some(found)
}

/// The function that gives zeros to what is declared before a step.
const GIVES_ZEROS: &str = "__builtin_memset";

/// The declarations before the step, what gives them zeros, and what makes comments of their words in it.
fn find_declared(text: &[u8], tokens: &[Token], name: &[u8]) -> Vec<Span> {
    let variables = variables(&String::from_utf8_lossy(name));
    let is_one = |index: &usize| named(text, tokens[*index]) == Some(variables.as_bytes());
    let comments: Vec<usize> = (0..tokens.len()).filter(is_one).collect();
    let statements: Vec<Span> = comments.iter().map(|it| declaration_before(text, tokens, *it)).collect();
    let gives_zeros = |it: &Span| text[it.start..it.end].starts_with(GIVES_ZEROS.as_bytes());
    let declarations = statements.iter().filter(|it| !gives_zeros(it)).count();
    let step = comments.last().map_or(tokens.len(), |last| last + 1);
    let words = tokens[step..].iter().filter_map(|token| around(text, *token, is_left_out)).take(declarations);
    let words: Vec<Span> = words.flatten().collect();
    statements.into_iter().map(|it| inserted(text, it)).chain(words).collect()
}

/// Whether words are left out for a declaration before: those for a type, or one of arrays. What stands around a step that is set
/// apart begins or ends with an operator or a blank.
fn is_left_out(words: &[u8]) -> bool {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let is_declaration = || {
        let ends = words.last().is_some_and(|last| is_word(last) || b"]}".contains(last));
        words.contains(&b'[') && words.first().is_some_and(u8::is_ascii_alphabetic) && ends
    };
    words.iter().all(|byte| is_word(byte) || *byte == b' ') || is_declaration()
}

/// The declaration that a comment stands behind, with the comment: from what ends a statement on, or another comment. Braces in it are
/// around values.
fn declaration_before(text: &[u8], tokens: &[Token], comment: usize) -> Span {
    let word = |index: usize| &text[tokens[index].span.start..tokens[index].span.end];
    let ends_value = |index: usize| word(index) == b"}" && [&b","[..], b";", b"}"].contains(&word(index + 1));
    let (mut first, mut depth) = (comment, 0);
    for index in (0..comment.saturating_sub(1)).rev() {
        let is_of_value = depth > 0 || ends_value(index);
        depth += i32::from(word(index) == b"}" && is_of_value) - i32::from(word(index) == b"{" && is_of_value);
        let is_end = [&b";"[..], b"{", b"}"].contains(&word(index)) || tokens[index].kind == TokenKind::Comment;
        if is_end && !is_of_value {
            break;
        }
        first = index;
    }
    tokens[first].span.to(tokens[comment].span)
}

/// Whether a brace and the calls behind it, which `tokens` follow, were put in together: a comment that names them is behind the
/// brace's end or, if they share a line, anywhere but at another such brace's end, as macros may hide braces.
fn is_put_in(text: &[u8], (brace, calls): (Token, Span), tokens: &[Token], (nest, name): (&[u8], &[u8])) -> bool {
    let mut depth = 0;
    let is_end = |token: &Token| {
        let word = &text[token.span.start..token.span.end];
        depth += i32::from(word == b"{") - i32::from(word == b"}");
        depth < 0
    };
    let end = tokens.iter().position(is_end);
    let is_closed = end.and_then(|end| tokens.get(end + 1)).is_some_and(|behind| named(text, *behind) == Some(name));
    let is_free = || closing(text, tokens, name).is_some_and(|closing| !is_of_other(text, tokens, closing, nest));
    is_closed || !text[brace.span.end..calls.start].contains(&b'\n') && is_free()
}

/// Whether the brace that ends at `closing` is opened before calls of this nest among these tokens.
fn is_of_other(text: &[u8], tokens: &[Token], closing: Span, nest: &[u8]) -> bool {
    let word = |index: usize| tokens.get(index).map(|token| &text[token.span.start..token.span.end]);
    let Some(comment) = tokens.iter().position(|token| token.span.end == closing.end) else { return false };
    let mut depth = 0;
    let opening = (0..comment).rev().find(|index| {
        depth += i32::from(word(*index) == Some(b"}")) - i32::from(word(*index) == Some(b"{"));
        depth == 0 && word(*index) == Some(b"{")
    });
    opening.is_some_and(|opening| function_at(text, tokens, opening + 1, nest).is_some())
}

/// Behind the names of nests, the functions for parts of arrays.
const PARTS: &[&str] =
    &["_sync_part", "_sync_rows", "_sync_behind", "_store", "_store_too", "_store_behind", "_store_behind_too"];

fn is_of_part(suffix: &[u8]) -> bool {
    PARTS.iter().any(|it| it.as_bytes() == suffix)
}

/// The last token of the calls that begin at `index`, and what the comment behind the brace around them has if they have one.
fn calls_at(text: &[u8], tokens: &[Token], index: usize, name: &[u8]) -> Option<(usize, Vec<u8>)> {
    let word = |index: usize| tokens.get(index).map(|token| &text[token.span.start..token.span.end]);
    let suffix = function_at(text, tokens, index, name)?;
    let store = [name, b"_store"].concat();
    let closed = match suffix {
        _ if suffix.starts_with(b"_sync") => [name, b"_sync"].concat(),
        _ if suffix.starts_with(b"_store") => store.clone(),
        _ => [name, suffix].concat(),
    };
    let end = arguments_end(text, tokens, index + 1).filter(|end| word(*end) == Some(b";"))?;
    let more = calls_at(text, tokens, end + 1, name)
        .filter(|(_, other)| suffix == b"_values" || is_of_part(suffix) && (*other == closed || *other == store));
    Some(more.unwrap_or((end, closed)))
}

/// Where calls stand before an operand, from a parenthesis at `index` to a comma, and the parenthesis behind the operand.
fn operand_at(text: &[u8], tokens: &[Token], index: usize, name: &[u8]) -> Option<(Span, usize)> {
    let word = |index: usize| tokens.get(index).map(|token| &text[token.span.start..token.span.end]);
    let mut last = index;
    while function_at(text, tokens, last + 1, name).is_some() {
        last = arguments_end(text, tokens, last + 2).filter(|end| word(*end) == Some(b","))?;
    }
    let is_one = word(index) == Some(b"(") && last > index;
    is_one.then_some((tokens[index].span.to(tokens[last].span), arguments_end(text, tokens, last + 1)?))
}

/// What the name of a function that is called at `index` has behind the nest's name.
fn function_at<'t>(text: &'t [u8], tokens: &[Token], index: usize, name: &[u8]) -> Option<&'t [u8]> {
    let token = tokens.get(index)?;
    let suffix = text[token.span.start..token.span.end].strip_prefix(name)?;
    (is_of_part(suffix) || [&b"_sync"[..], b"_values", b"_compare", b"_end"].contains(&suffix)).then_some(suffix)
}

/// From `index` on, the first comma, semicolon or closing parenthesis that is in no parentheses.
fn arguments_end(text: &[u8], tokens: &[Token], index: usize) -> Option<usize> {
    let mut depth = 0;
    (index..tokens.len()).find(|index| {
        let word = &text[tokens[*index].span.start..tokens[*index].span.end];
        let is_end = depth == 0 && [&b","[..], b";", b")"].contains(&word);
        depth += i32::from(word == b"(") - i32::from(word == b")");
        is_end
    })
}

/// A line that was put in, or code within a line and the space behind it, or what that line goes on with in the next one.
fn inserted(text: &[u8], code: Span) -> Span {
    let start = from_line_start(text, code.start);
    let next = next_line(text, code.end);
    let is_line = text[code.end..next].iter().all(u8::is_ascii_whitespace);
    let starts_line = start < code.start || start == 0 || text[start - 1] == b'\n';
    match (is_line, starts_line) {
        (true, true) => Span::new(start, next),
        (true, false) => {
            let blanks = text[next..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
            Span::new(code.start, next + blanks)
        }
        _ => with_space_behind(text, code),
    }
}

fn with_space_behind(text: &[u8], code: Span) -> Span {
    Span::new(code.start, code.end + usize::from(text.get(code.end) == Some(&b' ')))
}

fn with_space_before(text: &[u8], code: Span) -> Span {
    let has_space = code.start > 0 && text[code.start - 1] == b' ';
    Span::new(code.start - usize::from(has_space), code.end)
}

/// With the end of the line before, or the space.
fn with_break_before(text: &[u8], code: Span) -> Span {
    let start = from_line_start(text, code.start);
    let before = &text[..start];
    match before.strip_suffix(b"\n") {
        Some(line) => Span::new(line.strip_suffix(b"\r").unwrap_or(line).len(), code.end),
        None => with_space_before(text, code),
    }
}
