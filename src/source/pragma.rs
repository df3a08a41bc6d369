//! Where `#pragma stencil` stands in a text, and what it says.

use std::ops::RangeInclusive;

use super::lexer::{Token, TokenKind, directives_in, lex, lex_directive};
use super::lines::{line_end, line_start};
use super::{SourceFile, Span};

/// A directive `#pragma stencil`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pragma {
    /// From its `#` to its last byte that is neither white space nor comment.
    pub directive: Span,
    /// What follows the word `stencil`.
    pub words: Span,
    /// Its lines without the last line end: with the blanks before the `#`, and the comments behind it.
    pub lines: Span,
}

/// A clause of a pragma: a word, and what follows it in parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clause {
    /// Empty where something else than a word stands.
    pub name: Span,
    /// Its arguments.
    pub arguments: Parentheses,
    /// All of it.
    pub span: Span,
}

/// What is in the parentheses of a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parentheses {
    /// There are none.
    None,
    /// They are not closed.
    Open,
    /// The text between them.
    Closed(Span),
}

/// The stencil pragmas of `text`, preprocessed or not; of the latter also those in parts that are not compiled.
pub fn find_pragmas(text: &[u8]) -> Vec<Pragma> {
    find_in(text, Span::new(0, text.len()))
}

/// The stencil pragmas of a file.
pub fn pragmas_of(source: &SourceFile) -> Vec<Pragma> {
    find_in(source.bytes(), source.whole())
}

fn find_in(text: &[u8], range: Span) -> Vec<Pragma> {
    if !holds(text, b"stencil") {
        return Vec::new();
    }
    directives_in(text, range).filter_map(|directive| read_pragma(text, directive)).collect()
}

/// The stencil pragma that a directive is.
pub fn read_pragma(text: &[u8], directive: Span) -> Option<Pragma> {
    let mut tokens = lex_directive(text, directive).filter(|token| token.kind != TokenKind::Comment);
    let mut is_next = |word: &[u8]| {
        let token = tokens.next()?;
        (&text[token.span.start..token.span.end] == word).then_some(token.span)
    };
    is_next(b"pragma")?;
    let stencil = is_next(b"stencil")?;
    let first = tokens.next().map_or(directive.end, |token| token.span.start);
    let line = line_start(text, directive.start);
    let is_first = text[line..directive.start].iter().all(u8::is_ascii_whitespace);
    let start = if is_first { line } else { directive.start };
    Some(Pragma {
        directive,
        words: directive.at(first.max(stencil.end), directive.end),
        lines: directive.at(start, line_end(text, comments_end(text, directive.end))),
    })
}

/// The end of the comments that begin on the line of `offset` with nothing before them.
pub fn comments_end(text: &[u8], offset: usize) -> usize {
    let comments = lex(text, Span::new(offset, text.len())).take_while(|token| token.kind == TokenKind::Comment);
    comments.map(|comment| comment.span).fold(offset, |end, comment| {
        let is_on_line = !text[end.min(comment.start)..comment.start].contains(&b'\n');
        if is_on_line { comment.end } else { end }
    })
}

/// The clauses in `text[words]`, in order; commas may stand between them.
pub fn find_clauses(text: &[u8], words: Span) -> Vec<Clause> {
    let mut tokens = lex(text, words).filter(|token| token.kind != TokenKind::Comment).peekable();
    let is = |token: &Token, word: &[u8]| &text[token.span.start..token.span.end] == word;
    let mut clauses = Vec::new();
    while let Some(Token { kind, span: name }) = tokens.next() {
        if !matches!(kind, TokenKind::Word | TokenKind::Number) {
            let empty = name.at(name.start, name.start);
            let span = name.at(name.start, words.end);
            clauses.push(Clause { name: empty, arguments: Parentheses::None, span });
            break;
        }
        let mut clause = Clause { name, arguments: Parentheses::None, span: name };
        if let Some(open) = tokens.next_if(|token| is(token, b"(")) {
            let mut depth = 1;
            let closing = tokens.find(|token| {
                depth += i32::from(is(token, b"(")) - i32::from(is(token, b")"));
                depth == 0
            });
            (clause.arguments, clause.span.end) = match closing {
                Some(close) => (Parentheses::Closed(name.at(open.span.end, close.span.start)), close.span.end),
                None => (Parentheses::Open, words.end),
            };
        }
        clauses.push(clause);
        while tokens.next_if(|token| is(token, b",")).is_some() {}
    }
    clauses
}

impl Pragma {
    /// Its lines in `source`, counted from 0. Preprocessors differ in which of them they give it.
    pub(super) fn line_numbers(&self, source: &SourceFile) -> RangeInclusive<usize> {
        source.line_of(self.directive.start)..=source.line_of(self.directive.end)
    }

    /// The first of its lines.
    pub fn first_line(&self, source: &SourceFile) -> Span {
        source.line_span(source.line_of(self.directive.start))
    }
}

/// Whether preprocessing the text may give a `#pragma stencil`, headers aside.
pub fn may_hold_pragma(text: &[u8]) -> bool {
    holds(text, b"stencil") && (holds(text, b"_Pragma") || !find_pragmas(text).is_empty())
}

fn holds(text: &[u8], word: &[u8]) -> bool {
    memchr::memmem::find(text, word).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pragmas_are_found_with_any_spacing() {
        for text in [
            "#pragma stencil",
            "\n \t#  pragma\tstencil tile(4)\r\n",
            "/* c */ #pragma stencil",
            "# /* a\n */ pragma \\\n stencil",
            "%:pragma stencil\n",
            "#pragma stencil(x)",
        ] {
            assert_eq!(find_pragmas(text.as_bytes()).len(), 1, "{text:?}");
            assert!(may_hold_pragma(text.as_bytes()), "{text:?}");
        }
        for text in [
            "#pragma stencils",
            "#pragma omp stencil",
            "# define stencil",
            "pragma stencil",
            "#pragmastencil",
            "/*\n#pragma stencil\n*/",
            "char *s = \"\\\n#pragma stencil\";",
        ] {
            assert!(!may_hold_pragma(text.as_bytes()), "{text:?}");
        }
        assert!(may_hold_pragma(b"#define MARK _Pragma(\"stencil\")\n"));
    }

    #[test]
    fn a_pragma_has_words_and_lines() {
        let text = "x;\n  # pragma /* a */ \\\n stencil /* b */ tile(4) // c\n/* d */ #pragma stencil /* e\n f */\nfor";
        let part = |span: Span| &text[span.start..span.end];
        let parts: Vec<_> = find_pragmas(text.as_bytes()).iter().map(|it| (part(it.words), part(it.lines))).collect();
        let first = "  # pragma /* a */ \\\n stencil /* b */ tile(4) // c";
        assert_eq!(parts, [("tile(4)", first), ("", "#pragma stencil /* e\n f */")]);
    }

    #[test]
    fn clauses_are_words_with_parentheses() {
        let text = "tile (4, (8)) ,name(\")\") fp 4x(y) rows(\u{e9}";
        let clauses = find_clauses(text.as_bytes(), Span::new(0, text.len()));
        let part = |span: Span| &text[span.start..span.end];
        let parts: Vec<_> = clauses.iter().map(|clause| part(clause.span)).collect();
        assert_eq!(parts, ["tile (4, (8))", "name(\")\")", "fp", "4x(y)", "rows(\u{e9}"]);
        assert_eq!(part(clauses[3].name), "4x");
        let Parentheses::Closed(arguments) = clauses[0].arguments else { panic!("{clauses:?}") };
        assert_eq!(part(arguments), "4, (8)");
        assert_eq!([clauses[2].arguments, clauses[4].arguments], [Parentheses::None, Parentheses::Open]);
        let strays = find_clauses(b"tile(4)) fp(fast)", Span::new(0, 17));
        assert_eq!((strays.len(), strays[1].name, strays[1].span), (2, Span::new(7, 7), Span::new(7, 17)));
    }
}
