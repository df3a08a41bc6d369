//! OpenMP's pragmas above a nest: C wants them directly before its `for`, so the nest's call stands above them.

use crate::source::{Span, TokenKind, directive_words, directives, lex, line_start, next_line};

/// What a directive above a nest is.
enum Above {
    /// An OpenMP pragma of the loop below it.
    OfLoop,
    /// A pragma of others.
    OfOthers,
    /// The beginning, an alternative and the end of a conditional.
    If,
    Else,
    Endif,
    Other,
}

/// Where the line begins of the first OpenMP pragma that stands directly above `place`, among others and the conditionals
/// around them, and belongs to the loop below.
pub fn start_of_loop_pragmas(text: &[u8], place: usize) -> Option<usize> {
    let tokens: Vec<_> = lex(text, Span::new(0, place)).collect();
    let (mut found, mut is_new, mut depth) = (None, false, 0);
    for token in tokens.iter().rev().filter(|token| token.kind != TokenKind::Comment) {
        let line = line_start(text, token.span.start);
        if token.kind != TokenKind::Directive || !text[line..token.span.start].iter().all(u8::is_ascii_whitespace) {
            break;
        }
        match above(text, token.span) {
            Above::OfLoop => is_new = true,
            Above::Endif => depth += 1,
            Above::If if depth > 0 => depth -= 1,
            Above::Else if depth > 0 => {}
            Above::OfOthers => {}
            _ => break,
        }
        if is_new && depth == 0 {
            (found, is_new) = (Some(line), false);
        }
    }
    found
}

fn above(text: &[u8], directive: Span) -> Above {
    let words: Vec<&[u8]> = directive_words(text, directive).collect();
    match words.as_slice() {
        [b"pragma", b"omp", construct @ ..] if is_of_loop(construct) => Above::OfLoop,
        [b"pragma", other, ..] if !matches!(*other, b"omp" | b"stencil") => Above::OfOthers,
        [b"if" | b"ifdef" | b"ifndef", ..] => Above::If,
        [b"else" | b"elif", ..] => Above::Else,
        [b"endif", ..] => Above::Endif,
        _ => Above::Other,
    }
}

/// Whether a construct has a loop, or is one around it that every thread would enter.
fn is_of_loop(construct: &[&[u8]]) -> bool {
    match construct {
        [b"declare" | b"ordered" | b"end" | b"begin", ..] => false,
        [b"parallel" | b"teams", ..] => true,
        [b"target", next, ..] if matches!(*next, b"data" | b"enter" | b"exit" | b"update") => false,
        [b"target", ..] => true,
        _ => construct.iter().take_while(|word| **word != b"(").any(|word| {
            matches!(*word, b"for" | b"simd" | b"loop" | b"distribute" | b"taskloop" | b"tile" | b"unroll")
        }),
    }
}

/// The number that C gives to the line that begins at `start`.
pub fn line_number(text: &[u8], start: usize) -> usize {
    let given = directives(&text[..start]).filter_map(|directive| {
        let words: Vec<&[u8]> = directive_words(text, directive).collect();
        let [b"line", number, ..] = words[..] else { return None };
        Some((next_line(text, directive.end), std::str::from_utf8(number).ok()?.parse().ok()?))
    });
    let (from, number): (usize, usize) = given.last().unwrap_or((0, 1));
    number + text[from..start].iter().filter(|byte| **byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines above `place` that belong to the loop.
    fn lines(text: &str) -> Option<&str> {
        start_of_loop_pragmas(text.as_bytes(), text.len()).map(|start| &text[start..])
    }

    #[test]
    fn pragmas_of_the_loop_are_found_with_the_conditionals_around_them() {
        for text in [
            "#pragma omp parallel for private(j) \\\n  schedule(static)\n",
            "  # pragma omp simd // why\n",
            "#ifdef _OPENMP\n#pragma omp parallel for\n#else\n#pragma GCC ivdep\n#endif\n/* c */\n",
            "#pragma omp simd\n#pragma unroll\n",
            "#pragma omp target teams\n\n#pragma omp distribute\n",
        ] {
            assert_eq!(lines(&format!("x;\n#pragma scop\n{text}")), Some(text));
        }
    }

    #[test]
    fn what_stands_for_itself_or_is_another_block_stays_above() {
        let alone = ["barrier", "single", "critical", "target update to(a)", "declare simd", "task shared(simd)"];
        for construct in alone {
            assert_eq!(lines(&format!("#pragma omp {construct}\n")), None, "{construct}");
        }
        assert_eq!(lines("#ifdef X\n#pragma omp for\n"), Some("#pragma omp for\n"));
        assert_eq!(lines("#pragma omp for\nx;\n"), None);
        assert_eq!(lines("#pragma omp single\n#pragma omp simd\n"), Some("#pragma omp simd\n"));
        assert_eq!(lines("#if X\n#endif\n#pragma omp for\n"), Some("#pragma omp for\n"));
    }

    #[test]
    fn lines_are_numbered_as_the_file_says() {
        assert_eq!(line_number(b"a\nb\n", 4), 3);
        assert_eq!(line_number(b"a\n#line 90 \"x.y\"\nb\nc\n", 21), 92);
    }
}
