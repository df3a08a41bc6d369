//! OpenMP's pragmas above a nest: C wants them directly before its `for`, so the nest's call stands above them.

use crate::source::{Span, Token, TokenKind, directive_words, directives, lex, line_start, next_line};

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

/// Constructs of the block below them.
const BLOCKS: [&[u8]; 9] =
    [b"critical", b"master", b"masked", b"ordered", b"scope", b"section", b"single", b"task", b"taskgroup"];

/// OpenMP's pragmas of the loop below them.
#[derive(Debug, PartialEq, Eq)]
pub struct LoopPragmas {
    /// Where the line of the first one begins, or that of the conditionals around it.
    pub start: usize,
    /// The directives that lead into conditionals which begin above with other code and end below the first pragma; what is
    /// put at `start` stands between an `#endif` of each `#if` here and these directives again.
    pub conditionals: Vec<Span>,
}

/// The OpenMP pragmas that stand directly above `place`, among others and the conditionals around them, and belong to the
/// loop below.
pub fn find_loop_pragmas(text: &[u8], place: usize) -> Option<LoopPragmas> {
    let tokens: Vec<_> = lex(text, Span::new(0, place)).collect();
    let (mut found, mut depth) = (None, 0);
    for token in tokens.iter().rev().filter(|token| token.kind != TokenKind::Comment) {
        let line = line_start(text, token.span.start);
        match directive_above(text, *token) {
            Some(Above::OfLoop) => found = Some((line, depth)),
            Some(Above::Endif) => depth += 1,
            Some(Above::If) if depth > 0 => depth -= 1,
            Some(Above::Else) if depth > 0 => {}
            Some(Above::OfOthers) => {}
            _ => break,
        }
        found = found.map(|(start, around)| if depth < around { (line, depth) } else { (start, around) });
    }
    found.map(|(start, depth)| LoopPragmas { start, conditionals: conditionals_around(text, &tokens, start, depth) })
}

/// The directives that lead from outside of `depth` conditionals to `place`.
fn conditionals_around(text: &[u8], tokens: &[Token], place: usize, mut depth: usize) -> Vec<Span> {
    let (mut inside, mut found) = (0, Vec::new());
    for token in tokens.iter().rev().filter(|token| token.span.start < place) {
        if depth == 0 {
            break;
        }
        match directive_above(text, *token) {
            Some(Above::Endif) => inside += 1,
            Some(Above::If) if inside > 0 => inside -= 1,
            Some(Above::If) => {
                depth -= 1;
                found.push(token.span);
            }
            Some(Above::Else) if inside == 0 => found.push(token.span),
            _ => {}
        }
    }
    found.reverse();
    found
}

/// Whether OpenMP's pragmas directly above `place` stand in conditionals that begin above them with other code.
pub fn has_shared_conditionals(text: &[u8], place: usize) -> bool {
    find_loop_pragmas(text, place).is_some_and(|pragmas| !pragmas.conditionals.is_empty())
}

/// A pragma of the loop below `place` at the end of a branch whose alternative, directly above `place`, ends with other code:
/// nothing can be put between that code and the loop which stands above the pragma, too.
pub fn pragma_beside_code(text: &[u8], place: usize) -> Option<Span> {
    let tokens: Vec<_> = lex(text, Span::new(0, place)).collect();
    let (mut depth, mut is_end, mut has_code) = (0, true, false);
    for token in tokens.iter().rev().filter(|token| token.kind != TokenKind::Comment) {
        match directive_above(text, *token) {
            Some(Above::OfLoop) if is_end && has_code => return Some(token.span),
            Some(Above::OfLoop | Above::OfOthers) => {}
            Some(Above::Endif) => depth += 1,
            Some(Above::Else) if depth > 0 => is_end = true,
            Some(Above::If) if depth > 0 => depth -= 1,
            _ if depth == 0 => return None,
            _ => (is_end, has_code) = (false, true),
        }
    }
    None
}

/// Whether a statement at `place` is the block of one of OpenMP's constructs directly above it, which is no loop's.
pub fn is_block_of_construct(text: &[u8], place: usize) -> bool {
    let tokens = lex(text, Span::new(0, place)).filter(|token| token.kind != TokenKind::Comment);
    let last = tokens.last().filter(|token| token.kind == TokenKind::Directive);
    last.is_some_and(|directive| {
        let words: Vec<&[u8]> = directive_words(text, directive.span).collect();
        matches!(words.as_slice(), [b"pragma", b"omp", construct, ..] if BLOCKS.contains(construct))
    })
}

/// Whether a conditional begins with the directive.
pub fn begins_conditional(text: &[u8], directive: Span) -> bool {
    matches!(above(text, directive), Above::If)
}

/// What a token is if it is a directive on lines of its own.
fn directive_above(text: &[u8], token: Token) -> Option<Above> {
    let is_alone = text[line_start(text, token.span.start)..token.span.start].iter().all(u8::is_ascii_whitespace);
    (token.kind == TokenKind::Directive && is_alone).then(|| above(text, token.span))
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

/// Whether a construct has a loop, or is one around it that every thread would enter, or has a statement into which nothing else can
/// be put.
fn is_of_loop(construct: &[&[u8]]) -> bool {
    match construct {
        [b"declare" | b"ordered" | b"end" | b"begin", ..] => false,
        [b"parallel" | b"teams" | b"atomic" | b"sections", ..] => true,
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
        find_loop_pragmas(text.as_bytes(), text.len()).map(|pragmas| &text[pragmas.start..])
    }

    #[test]
    fn pragmas_of_the_loop_are_found_with_the_conditionals_around_them() {
        for text in [
            "#pragma omp parallel for private(j) \\\n  schedule(static)\n",
            "  # pragma omp simd // why\n",
            "#ifdef _OPENMP\n#pragma omp parallel for\n#else\n#pragma GCC ivdep\n#endif\n/* c */\n",
            "#pragma omp simd\n#pragma unroll\n",
            "#pragma omp target teams\n\n#pragma omp distribute\n",
            "#pragma omp atomic write\n",
        ] {
            assert_eq!(lines(&format!("x;\n#pragma scop\n{text}")), Some(text));
        }
    }

    #[test]
    fn a_statement_may_be_the_block_of_a_construct() {
        for (text, expected) in [
            ("#pragma omp critical (sum)\n  // why\n", true),
            ("#pragma omp single nowait\n", true),
            ("#pragma omp barrier\n", false),
            ("#pragma omp atomic\n", false),
            ("#pragma omp for\n", false),
            ("#pragma omp critical\nx;\n", false),
        ] {
            assert_eq!(is_block_of_construct(text.as_bytes(), text.len()), expected, "{text}");
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
    fn conditionals_with_other_code_are_told() {
        for (text, conditionals, start) in [
            ("#ifdef X\nx;\n#pragma omp for\n#endif\n", "#ifdef X", "#pragma omp"),
            (
                "#if A\n#if B\nx;\n#endif\n#else\n#if C\nx;\n#pragma omp for\n#endif\n#endif\n",
                "#if A #else #if C",
                "#pragma",
            ),
            ("#ifdef X\nx;\n#if Y\n#pragma omp for\n#endif\n#endif\n", "#ifdef X", "#if Y"),
            ("#ifdef X\nx;\n #pragma omp parallel\n#endif\n#pragma omp for\n", "#ifdef X", " #pragma omp parallel"),
        ] {
            let found = find_loop_pragmas(text.as_bytes(), text.len()).expect("pragmas");
            let words: Vec<_> = found.conditionals.iter().map(|it| &text[it.start..it.end]).collect();
            assert_eq!(words.join(" "), conditionals);
            assert!(text[found.start..].starts_with(start), "{text}");
        }
    }

    #[test]
    fn branches_that_cannot_be_left_together_are_told() {
        let is_beside = |text: &str| pragma_beside_code(text.as_bytes(), text.len()).is_some();
        assert!(is_beside("#ifdef X\n#pragma omp for\n#else\nx;\n#endif\n"));
        assert!(is_beside("#if X\n#pragma omp for\n#pragma GCC ivdep\n#elif Y\nx;\n#else\n#endif\n"));
        for text in [
            "#ifdef X\n#pragma omp for\nx;\n#endif\n",
            "#ifdef X\n#pragma omp for\nx;\n#else\ny;\n#endif\n",
            "#ifdef X\nx;\n#else\n#pragma omp for\n#endif\n",
            "#ifdef X\nx;\n#pragma omp for\n#else\n#endif\n",
            "#ifdef X\n#pragma omp for\n#else\n#endif\nx;\n",
        ] {
            assert!(!is_beside(text), "{text}");
        }
    }

    #[test]
    fn lines_are_numbered_as_the_file_says() {
        assert_eq!(line_number(b"a\nb\n", 4), 3);
        assert_eq!(line_number(b"a\n#line 90 \"x.y\"\nb\nc\n", 21), 92);
    }
}
