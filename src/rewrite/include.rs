//! Where the one include line of a rewritten file goes.

use crate::source::{Span, TokenKind, comments_end, directive_words, lex, line_start, next_line, text_start};

/// Offset of a line's first byte at which an include line may be inserted.
///
/// It follows the last top-level `#include` before the first function and before `limit`; without one, the leading
/// comments. It is never inside a conditional, whatever the file looks like.
pub fn compute_include_offset(text: &[u8], limit: usize) -> usize {
    last_include(text, limit).unwrap_or_else(|| after_leading_comments(text))
}

fn last_include(text: &[u8], limit: usize) -> Option<usize> {
    let mut conditionals = 0;
    let mut braces = 0;
    let mut previous = b' ';
    let mut found = None;
    for token in lex(text, Span::new(0, text.len())).take_while(|token| token.span.end <= limit) {
        match token.kind {
            TokenKind::Directive => match directive_words(text, token.span).next().unwrap_or_default() {
                b"if" | b"ifdef" | b"ifndef" => conditionals += 1,
                b"endif" => conditionals -= 1,
                b"include" | b"include_next" | b"import" if conditionals == 0 && braces == 0 => {
                    found = Some(next_line(text, comments_end(text, token.span.end)));
                }
                _ => {}
            },
            TokenKind::Punctuation => {
                let byte = text[token.span.start];
                // A brace after a parenthesis opens a function's body; those of types and initialisers do not.
                if byte == b'{' && braces == 0 && previous == b')' {
                    break;
                }
                braces += i32::from(byte == b'{') - i32::from(byte == b'}');
                previous = byte;
            }
            TokenKind::Word | TokenKind::Number | TokenKind::Quoted => previous = b' ',
            TokenKind::Comment => {}
        }
    }
    found
}

fn after_leading_comments(text: &[u8]) -> usize {
    let mut offset = text_start(text);
    let mut comment_end = 0;
    for token in lex(text, Span::new(0, text.len())) {
        let start = line_start(text, token.span.start);
        // A line that a comment ends on belongs to the comment.
        if start >= comment_end {
            offset = offset.max(start);
        }
        if token.kind != TokenKind::Comment {
            break;
        }
        comment_end = token.span.end;
    }
    offset
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_mark(text: &str) -> String {
        let offset = compute_include_offset(text.as_bytes(), text.len());
        format!("{}@{}", &text[..offset], &text[offset..])
    }

    #[test]
    fn it_follows_the_last_include_before_the_first_function() {
        assert_eq!(
            with_mark(
                "#include <a.h>\nstruct s { int x; };\n# include \"b.h\" /* \n */ // c\nint f(void) {\n}\n#include <c.h>\n"
            ),
            "#include <a.h>\nstruct s { int x; };\n# include \"b.h\" /* \n */ // c\n@int f(void) {\n}\n#include <c.h>\n"
        );
    }

    #[test]
    fn includes_inside_conditionals_do_not_count() {
        assert_eq!(
            with_mark("#include <a.h>\n#ifdef X\n#include <b.h>\n#endif\nint x[] = {\n#include \"data\"\n};\n"),
            "#include <a.h>\n@#ifdef X\n#include <b.h>\n#endif\nint x[] = {\n#include \"data\"\n};\n"
        );
    }

    #[test]
    fn without_include_it_follows_the_leading_comments() {
        assert_eq!(
            with_mark("/* a\n   b */\n\n// c\n#ifndef X\n#include <b.h>\n#endif\n"),
            "/* a\n   b */\n\n// c\n@#ifndef X\n#include <b.h>\n#endif\n"
        );
        assert_eq!(with_mark("int x;\n"), "@int x;\n");
        assert_eq!(with_mark("/* c */ int x;\n"), "@/* c */ int x;\n");
        assert_eq!(with_mark("/* a\n*/ int x;\n"), "@/* a\n*/ int x;\n");
        assert_eq!(with_mark("\u{feff}int x;\n"), "\u{feff}@int x;\n");
        assert_eq!(with_mark("\u{feff}#include <a.h>\nint x;\n"), "\u{feff}#include <a.h>\n@int x;\n");
    }
}
