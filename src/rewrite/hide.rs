//! Definitions that are hidden from the libraries of a program.

use super::edit::Edits;
use super::layout::TextStyle;
use crate::source::{Span, Token, line_ending, line_start};

/// What stands before such a definition.
const ATTRIBUTE: &[u8] = b"__attribute__((visibility(\"hidden\")))";
/// Says why, and what put it there.
const REASON: &[u8] = b"/* not for OpenCL's libraries */";

/// Hides the definitions of `text` that begin at `places` from all libraries; other files of the program see them as before. People
/// find it on a line of its own, compilers on the definition's.
pub fn hide(edits: &mut Edits, text: &[u8], places: impl IntoIterator<Item = Span>, style: &TextStyle) {
    for place in places {
        let is_alone = *style == TextStyle::Readable && line_start(text, place.start) == place.start;
        let between = if is_alone { line_ending(text) } else { " " };
        edits.push(place, [ATTRIBUTE, b" ", REASON, between.as_bytes()].concat());
    }
}

/// What [`hide`] has put into a file.
pub fn find_hiding(text: &[u8], tokens: &[Token]) -> Vec<Span> {
    let comments = tokens.iter().map(|token| token.span).filter(|it| text[it.start..it.end] == *REASON);
    let with_attribute = comments.filter_map(|comment| {
        let before = text[..comment.start].strip_suffix(b" ")?.strip_suffix(ATTRIBUTE)?;
        let behind = &text[comment.end..];
        let between = [&b"\r\n"[..], b"\n", b" "].into_iter().find(|between| behind.starts_with(between))?;
        Some(Span::new(before.len(), comment.end + between.len()))
    });
    with_attribute.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::lex;

    #[test]
    fn what_hides_is_found_again() {
        let cases: [(&[u8], usize); 3] =
            [(b"int x;\nvoid write(void)\n{\n}\n", 7), (b"int x; int send;", 7), (b"int x;\r\nint send;\r\n", 8)];
        for (text, at) in cases {
            for style in [TextStyle::Readable, TextStyle::SameLines { original: b"a.c".to_vec() }] {
                let mut edits = Edits::default();
                hide(&mut edits, text, [Span::new(at, at)], &style);
                let hidden = edits.apply(text);
                let tokens: Vec<Token> = lex(&hidden, Span::new(0, hidden.len())).collect();
                let [found] = find_hiding(&hidden, &tokens)[..] else { panic!("one place") };
                assert_eq!([&hidden[..found.start], &hidden[found.end..]].concat(), text);
            }
        }
    }
}
