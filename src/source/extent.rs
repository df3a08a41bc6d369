//! Where a marked nest ends in the original text.

use super::lexer::tokens;
use super::{Preprocessed, SourceFile, Span};

/// Finds the text in `source` that becomes the preprocessed bytes up to `nest_end`, from behind `pragma`'s line.
///
/// The end is looked for on the original lines of the nest's last token: a `;` or `}` outside all brackets, or the end
/// of a macro's use, such that what follows there is what follows the nest in the preprocessed text. `None` if there is
/// no such place.
pub fn nest_span(source: &SourceFile, preprocessed: &Preprocessed, pragma: Span, nest_end: usize) -> Option<Span> {
    let text = preprocessed.text();
    let (first_line, end_line) = preprocessed.map().original_lines(text, nest_end - 1)?;
    let limit = source.line_span(end_line - 1).end;
    let words = tokens(source.bytes(), source.span(pragma.end, limit));
    let word = |span: &Span| &source.bytes()[span.start..span.end];
    let follower = follower(preprocessed, nest_end);
    let mut depth = 0;
    for (index, span) in words.iter().enumerate() {
        match word(span) {
            b"(" | b"[" | b"{" => depth += 1,
            b")" | b"]" | b"}" => depth -= 1,
            _ => {}
        }
        let line = source.line_of(span.start);
        if depth > 0 || line < first_line {
            continue;
        }
        let next = words.get(index + 1).filter(|next| source.line_of(next.start) == line).map(word);
        let is_end = depth == 0 && is_end_of_text(word(span)) && next != Some(b"else");
        if is_end && next == follower {
            return Some(words[0].to(*span));
        }
        if depth < 0 {
            return None;
        }
    }
    None
}

/// A statement ends here, or a macro's use does.
fn is_end_of_text(word: &[u8]) -> bool {
    matches!(word, b";" | b"}" | b")") || word.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_')
}

/// The token behind the nest if it stands on the same line.
fn follower(preprocessed: &Preprocessed, nest_end: usize) -> Option<&[u8]> {
    let text = preprocessed.text().as_bytes();
    let line_end =
        text[nest_end..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |length| nest_end + length);
    let span = *tokens(text, Span::new(nest_end, line_end)).first()?;
    Some(&text[span.start..span.end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extent(original: &str, preprocessed: &str, nest: &str) -> Option<String> {
        let source = SourceFile::new("a.c", original.as_bytes().to_vec());
        let preprocessed = Preprocessed::new(preprocessed.as_bytes().to_vec());
        let end = preprocessed.text().find(nest).unwrap() + nest.len();
        let pragma = source.line_span(0);
        nest_span(&source, &preprocessed, pragma, end).map(|span| source.text(span).into_owned())
    }

    #[test]
    fn a_nest_ends_at_its_own_bracket_or_semicolon() {
        let nest = "for (;;) { if (a) b; else c; } ";
        let original = format!("#pragma\n{nest}// }}\n x; }}\n");
        assert_eq!(extent(&original, &format!("# 1 \"a.c\"\n\n{nest}\n x; }}\n"), "c; }").unwrap(), nest.trim_end());
        let nest = "for (;;) if (a) b; else c;";
        let original = format!("#pragma\n{nest} y;\n");
        assert_eq!(extent(&original, &format!("# 1 \"a.c\"\n\n{nest} y;\n"), nest).unwrap(), nest);
    }

    #[test]
    fn a_nest_from_a_macro_ends_with_the_macros_use() {
        let preprocessed = "# 1 \"a.c\"\n\n{ for (;;) { b; } };\nq;\n";
        assert_eq!(extent("#pragma\n{ F(b,\n 2) };\nq;\n", preprocessed, "{ b; }"), None);
        let preprocessed = "# 1 \"a.c\"\n\nfor (;;) { b; };\n\nq;\n";
        assert_eq!(extent("#pragma\nF(b,\n 2);\nq;\n", preprocessed, "{ b; }").unwrap(), "F(b,\n 2)");
        let preprocessed = "# 1 \"a.c\"\n\nfor (;;) { b; }\nq;\n";
        assert_eq!(extent("#pragma\nNEST\nq;\n", preprocessed, "{ b; }").unwrap(), "NEST");
    }
}
