//! Copies of pieces of C with new names, on lines of their own or on one line.

use std::collections::BTreeMap;

use crate::source::{Span, TokenKind, directive_words, lex};

/// Where a text is, and how it is laid out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// The user's, in lines.
    Lines,
    /// The user's, on one line.
    Line,
    /// The preprocessed one.
    Preprocessed,
}

/// How many braces open before the tokens that begin at these offsets, and close behind those that end there, and what stands in the
/// place of the tokens that begin at these.
#[derive(Default)]
pub struct Marks {
    pub before: BTreeMap<usize, usize>,
    pub behind: BTreeMap<usize, usize>,
    pub replaced: BTreeMap<usize, String>,
}

/// Copies a piece of text with new names and marks, in lines, whose indentation is changed from the first to the second one, or on one line
/// without comments; `None` if it has directives that count.
pub fn copied(
    text: &[u8],
    range: Span,
    (names, marks): (&BTreeMap<String, String>, &Marks),
    lines: Option<(&[u8], &[u8])>,
) -> Option<String> {
    let mut copy = Vec::new();
    let (mut at, mut before): (usize, &[u8]) = (range.start, b"");
    let mut is_joined = false;
    for token in lex(text, range) {
        let word = &text[token.span.start..token.span.end];
        put_gap(&mut copy, &text[at..token.span.start], lines.filter(|_| !is_joined));
        (at, is_joined) = (token.span.end, false);
        copy.extend(b"{ ".repeat(marks.before.get(&token.span.start).copied().unwrap_or_default()));
        match token.kind {
            TokenKind::Directive if is_hint(text, token.span) => continue,
            TokenKind::Directive if is_marker(text, token.span) => {
                is_joined = join_line(&mut copy);
                continue;
            }
            _ if marks.replaced.contains_key(&token.span.start) => {
                copy.extend(marks.replaced[&token.span.start].bytes())
            }
            TokenKind::Directive => return None,
            TokenKind::Comment if lines.is_some() => copy.extend(word),
            TokenKind::Comment => put_gap(&mut copy, b" ", None),
            TokenKind::Word if !matches!(before, b"." | b"->" | b"struct" | b"union" | b"enum") => {
                let new = names.get(std::str::from_utf8(word).ok()?);
                if new.is_some() && before == b"goto" {
                    return None;
                }
                copy.extend(new.map_or(word, |new| new.as_bytes()));
            }
            _ => copy.extend(word),
        }
        copy.extend(b" }".repeat(marks.behind.get(&token.span.end).copied().unwrap_or_default()));
        if token.kind != TokenKind::Comment {
            before = word;
        }
    }
    let ends_in_comment = lines.is_some()
        && copy.rsplit(|it| *it == b'\n').next().is_some_and(|it| it.windows(2).any(|two| two == b"//"));
    let copy = String::from_utf8(copy).ok()?;
    (!ends_in_comment).then(|| copy.trim().to_owned())
}

/// Takes back the end of the line before one of the preprocessor's markers, if that stands within a statement, and tells whether it does.
fn join_line(copy: &mut Vec<u8>) -> bool {
    let end = copy.iter().rposition(|it| !it.is_ascii_whitespace());
    let is_within = end.is_some_and(|end| !matches!(copy[end], b';' | b'{' | b'}'));
    if is_within {
        copy.truncate(end.map_or(0, |end| end + 1));
    }
    is_within
}

/// Puts what stands between two tokens: its lines, or one blank.
fn put_gap(copy: &mut Vec<u8>, gap: &[u8], lines: Option<(&[u8], &[u8])>) {
    match (gap.iter().rposition(|it| *it == b'\n'), lines) {
        (Some(last), Some((from, to))) => {
            while copy.last().is_some_and(|it| matches!(it, b' ' | b'\t')) {
                copy.pop();
            }
            let is_begun = copy.iter().any(|it| !it.is_ascii_whitespace());
            let breaks = gap.iter().filter(|it| **it == b'\n').count().min(2);
            copy.extend(std::iter::repeat_n(b'\n', if is_begun && copy.last() != Some(&b'\n') { breaks } else { 0 }));
            let blanks = &gap[last + 1..];
            copy.extend(to);
            copy.extend(blanks.strip_prefix(from).unwrap_or_default());
        }
        _ if !gap.is_empty() && copy.last().is_some_and(|it| !it.is_ascii_whitespace()) => copy.push(b' '),
        _ => {}
    }
}

/// Whether a directive says only how fast a loop may run.
fn is_hint(text: &[u8], directive: Span) -> bool {
    let words: Vec<&[u8]> = directive_words(text, directive).collect();
    matches!(
        words[..],
        [b"pragma", b"omp", b"parallel", b"for", ..]
            | [b"pragma", b"omp", b"simd", ..]
            | [b"pragma", b"acc" | b"ivdep" | b"unroll" | b"vector", ..]
            | [b"pragma", b"GCC", b"ivdep" | b"unroll", ..]
            | [b"pragma", b"clang", b"loop", ..]
    )
}

/// Whether a directive is the preprocessor's own, which says where the next line is from: `# 12 "step.c"`.
fn is_marker(text: &[u8], directive: Span) -> bool {
    directive_words(text, directive).next().is_some_and(|word| word.first().is_some_and(u8::is_ascii_digit))
}
