//! Where the one include line of a rewritten file goes.

use super::scan::{self, Token};
use crate::source::Span;

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
    for token in scan::tokens(text, 0).take_while(|token| token.span().end <= limit) {
        match token {
            Token::Directive(span) => {
                let words = scan::directive_words(text, span);
                match words.first().copied().unwrap_or_default() {
                    b"if" | b"ifdef" | b"ifndef" => conditionals += 1,
                    b"endif" => conditionals -= 1,
                    word if is_include(word) && conditionals == 0 && braces == 0 => {
                        found = Some(next_line(text, span));
                    }
                    _ => {}
                }
            }
            Token::Punctuation(span) => {
                let byte = text[span.start];
                // A brace after a parenthesis opens a function's body; those of types and initialisers do not.
                if byte == b'{' && braces == 0 && previous == b')' {
                    break;
                }
                braces += i32::from(byte == b'{') - i32::from(byte == b'}');
                previous = byte;
            }
            Token::Word(_) | Token::Quoted(_) => previous = b' ',
            Token::Comment(_) => {}
        }
    }
    found
}

fn is_include(word: &[u8]) -> bool {
    word.starts_with(b"include") && !word.starts_with(b"include_") || word == b"include_next" || word == b"import"
}

/// First byte of the line after a directive and the comments at its end.
fn next_line(text: &[u8], directive: Span) -> usize {
    let mut end = directive.end;
    for token in scan::tokens(text, directive.end) {
        let Token::Comment(span) = token else { break };
        if text[end..span.start].contains(&b'\n') {
            break;
        }
        end = span.end;
    }
    text[end..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |newline| end + newline + 1)
}

fn after_leading_comments(text: &[u8]) -> usize {
    let mut offset = scan::text_start(text);
    let mut comment_end = 0;
    for token in scan::tokens(text, 0) {
        let start = scan::line_start(text, token.span().start);
        // A line that a comment ends on belongs to the comment.
        if start >= comment_end {
            offset = offset.max(start);
        }
        let Token::Comment(span) = token else { break };
        comment_end = span.end;
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
