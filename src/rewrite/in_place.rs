//! Calls that are written out, and back.
//!
//! ```c
//! t += step(u, v, n, 0.4);
//!
//! /* stencil call: t += step(u, v, n, 0.4); */
//! double cfl = 0.4;
//! ... what `step` does ...
//! t += dt;
//! /* stencil call */
//! ```

use super::changed::Changed;
use super::edit::Edits;
use super::layout::TextStyle;
use crate::front::CallInPlace;
use crate::source::{SourceFile, Span, Token, TokenKind, lex, line_ending, line_start};

/// What the comment before what was put in begins with; what was left out follows.
const BEGIN: &str = "/* stencil call: ";
/// The comment behind what was put in.
const END: &str = "/* stencil call */";

/// Writes out a call of `source`.
pub fn write_out(source: &SourceFile, call: &CallInPlace, style: &TextStyle) -> Changed {
    let text = source.bytes();
    let CallInPlace { statement, is_alone, lines, line, .. } = call;
    let left_out = String::from_utf8_lossy(&text[statement.start..statement.end]);
    let (open, close) = if *is_alone { (" {", "} ") } else { ("", "") };
    let written = match style {
        TextStyle::Readable => {
            let indent = &text[line_start(text, statement.start)..statement.start];
            let blanks = indent.iter().take_while(|it| it.is_ascii_whitespace()).count();
            let gap = format!("{}{}", line_ending(text), String::from_utf8_lossy(&indent[..blanks]));
            let lines = lines.replace('\n', line_ending(text));
            format!("{BEGIN}{left_out} */{open}{gap}{lines}{gap}{close}{END}")
        }
        TextStyle::SameLines { .. } => format!("{BEGIN}{left_out} */{open} {line} {close}{END}"),
    };
    let mut edits = Edits::of(statement.file);
    edits.push(*statement, written);
    Changed::new(source, edits)
}

/// What was put in by [`write_out`] in a file that has been rewritten.
pub fn find_written_out(text: &[u8], tokens: &[Token]) -> Vec<Span> {
    regions(text, tokens).into_iter().flat_map(|(statement, whole)| around(statement, whole)).collect()
}

/// The tokens of a file in which calls are as they were.
pub fn without_written_out(text: &[u8], tokens: &[Token]) -> Vec<Token> {
    let mut left: Vec<Token> = Vec::new();
    let mut regions = regions(text, tokens).into_iter().peekable();
    let mut end = 0;
    for token in tokens {
        if token.span.start < end {
            continue;
        }
        while regions.peek().is_some_and(|(_, whole)| whole.start < token.span.start) {
            regions.next();
        }
        match regions.peek() {
            Some((statement, whole)) if whole.start == token.span.start => {
                left.extend(lex(text, *statement));
                end = whole.end;
            }
            _ => left.push(*token),
        }
    }
    left
}

fn around(statement: Span, whole: Span) -> [Span; 2] {
    [Span::new(whole.start, statement.start), Span::new(statement.end, whole.end)]
}

/// The statements that were left out, and all that stands for each.
fn regions(text: &[u8], tokens: &[Token]) -> Vec<(Span, Span)> {
    let comments = tokens.iter().filter(|token| token.kind == TokenKind::Comment).map(|token| token.span);
    let (mut found, mut open) = (Vec::new(), Vec::new());
    for comment in comments {
        let inner = &text[comment.start..comment.end];
        if inner == END.as_bytes() {
            let begun: Option<(Span, usize)> = open.pop();
            found.extend(begun.map(|(statement, start)| (statement, Span::new(start, comment.end))));
        } else if inner.starts_with(BEGIN.as_bytes()) && inner.ends_with(b"; */") {
            open.push((Span::new(comment.start + BEGIN.len(), comment.end - b" */".len()), comment.start));
        }
    }
    found.sort_unstable_by_key(|(_, whole)| whole.start);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::FileId;

    const TEXT: &str = "void g()\n{\n    while (x)\n        t += f(a,\n            b);\n    y;\n}\n";

    fn written(style: &TextStyle, is_alone: bool) -> String {
        let start = TEXT.find("t += f").expect("it is there");
        let end = TEXT.find(";\n    y").expect("it is there") + 1;
        let call = CallInPlace {
            statement: Span { file: FileId::default(), start, end },
            is_alone,
            lines: "int n = b;\n        t += n;".to_owned(),
            line: "int n = b; t += n;".to_owned(),
            expected: String::new(),
        };
        let source = SourceFile::new("x.c", TEXT.as_bytes().to_vec());
        String::from_utf8_lossy(write_out(&source, &call, style).source.bytes()).into_owned()
    }

    #[test]
    fn the_function_stands_in_the_place_of_its_call() {
        let expected = "void g()\n{\n    while (x)\n        /* stencil call: t += f(a,\n            b); */ {\n        int n = b;\n        \
            t += n;\n        } /* stencil call */\n    y;\n}\n";
        assert_eq!(written(&TextStyle::Readable, true), expected);
        assert!(!written(&TextStyle::Readable, false).contains("} /* stencil call */"));
    }

    #[test]
    fn lines_stay_for_compilers() {
        let style = TextStyle::SameLines { original: b"x.c".to_vec() };
        assert_eq!(written(&style, true).lines().count(), TEXT.lines().count());
    }

    #[test]
    fn the_file_comes_back() {
        for style in [TextStyle::Readable, TextStyle::SameLines { original: b"x.c".to_vec() }] {
            for is_alone in [false, true] {
                let text = written(&style, is_alone).into_bytes();
                let tokens: Vec<Token> = lex(&text, Span::new(0, text.len())).collect();
                let put_in = find_written_out(&text, &tokens);
                let is_left = |at: &usize| !put_in.iter().any(|span| span.start <= *at && *at < span.end);
                let back: Vec<u8> = (0..text.len()).filter(is_left).map(|at| text[at]).collect();
                assert_eq!(String::from_utf8_lossy(&back), TEXT);
            }
        }
    }
}
