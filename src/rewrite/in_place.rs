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
//!
//! What a function of another file needs is declared before the function with the call:
//!
//! ```c
//! /* stencil declarations */
//! extern int verbose;
//! /* stencil declarations end */
//! ```

use super::changed::Changed;
use super::edit::Edits;
use super::layout::TextStyle;
use crate::front::{CallInPlace, Declarations};
use crate::source::{SourceFile, Span, Token, TokenKind, lex, line_ending, line_start};

/// What the comment before what was put in begins with; what was left out follows.
const BEGIN: &str = "/* stencil call: ";
/// The comment behind what was put in.
const END: &str = "/* stencil call */";
/// The comment before declarations that were put in,
const DECLARATIONS: &str = "/* stencil declarations */";
/// and that behind them.
const END_OF_DECLARATIONS: &str = "/* stencil declarations end */";

/// Writes out a call of `source`.
pub fn write_out(source: &SourceFile, call: &CallInPlace, style: &TextStyle) -> Changed {
    let text = source.bytes();
    let CallInPlace { statement, is_alone, lines, line, declarations, .. } = call;
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
    if let Some(Declarations { place, lines, line }) = declarations {
        let end = line_ending(text);
        let (gap, declared) =
            if *style == TextStyle::Readable { (end, lines.replace('\n', end)) } else { (" ", line.clone()) };
        edits.insert(place.start, format!("{DECLARATIONS}{gap}{declared}{gap}{END_OF_DECLARATIONS}{gap}"));
    }
    edits.push(*statement, written);
    Changed::new(source, edits)
}

/// What was put in by [`write_out`] in a file that has been rewritten.
pub fn find_written_out(text: &[u8], tokens: &[Token]) -> Vec<Span> {
    let calls = regions(text, tokens).into_iter().flat_map(|(statement, whole)| around(statement, whole));
    let mut found: Vec<Span> = calls.chain(declarations(text, tokens)).collect();
    found.sort_unstable_by_key(|span| span.start);
    found
}

/// The tokens of a file in which calls are as they were.
pub fn without_written_out(text: &[u8], tokens: &[Token]) -> Vec<Token> {
    let mut left: Vec<Token> = Vec::new();
    let declarations = declarations(text, tokens).into_iter().map(|whole| (whole.at(whole.start, whole.start), whole));
    let mut regions: Vec<(Span, Span)> = regions(text, tokens).into_iter().chain(declarations).collect();
    regions.sort_unstable_by_key(|(_, whole)| whole.start);
    let mut regions = regions.into_iter().peekable();
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

/// The declarations that were put in, with the blanks or the line end behind them.
fn declarations(text: &[u8], tokens: &[Token]) -> Vec<Span> {
    let is = |token: &Token, mark: &str| text[token.span.start..token.span.end] == *mark.as_bytes();
    let begun = tokens.iter().enumerate().filter(|(_, token)| is(token, DECLARATIONS));
    let whole = begun.filter_map(|(index, begin)| {
        let end = tokens[index..].iter().find(|token| is(token, END_OF_DECLARATIONS))?.span.end;
        let gap = [line_ending(text).as_bytes(), b" "].into_iter().find(|gap| text[end..].starts_with(gap));
        Some(begin.span.at(begin.span.start, end + gap.map_or(0, <[u8]>::len)))
    });
    whole.collect()
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

    fn written(style: &TextStyle, is_alone: bool, has_declarations: bool) -> String {
        let start = TEXT.find("t += f").expect("it is there");
        let end = TEXT.find(";\n    y").expect("it is there") + 1;
        let call = CallInPlace {
            statement: Span { file: FileId::default(), start, end },
            is_alone,
            lines: "int n = b;\n        t += n;".to_owned(),
            line: "int n = b; t += n;".to_owned(),
            declarations: has_declarations.then(|| Declarations {
                place: Span { file: FileId::default(), start: 0, end: 0 },
                lines: "int w;\nint q;".to_owned(),
                line: "int w; int q;".to_owned(),
            }),
            expected: String::new(),
        };
        let source = SourceFile::new("x.c", TEXT.as_bytes().to_vec());
        String::from_utf8_lossy(write_out(&source, &call, style).source.bytes()).into_owned()
    }

    #[test]
    fn the_function_stands_in_the_place_of_its_call() {
        let expected = "void g()\n{\n    while (x)\n        /* stencil call: t += f(a,\n            b); */ {\n        int n = b;\n        \
            t += n;\n        } /* stencil call */\n    y;\n}\n";
        assert_eq!(written(&TextStyle::Readable, true, false), expected);
        assert!(!written(&TextStyle::Readable, false, false).contains("} /* stencil call */"));
        let declared = "/* stencil declarations */\nint w;\nint q;\n/* stencil declarations end */\n";
        assert_eq!(written(&TextStyle::Readable, true, true), format!("{declared}{expected}"));
    }

    #[test]
    fn lines_stay_for_compilers() {
        let style = TextStyle::SameLines { original: b"x.c".to_vec() };
        assert_eq!(written(&style, true, true).lines().count(), TEXT.lines().count());
    }

    #[test]
    fn the_file_comes_back() {
        for style in [TextStyle::Readable, TextStyle::SameLines { original: b"x.c".to_vec() }] {
            for (is_alone, has_declarations) in [(false, false), (true, false), (false, true), (true, true)] {
                let text = written(&style, is_alone, has_declarations).into_bytes();
                let tokens: Vec<Token> = lex(&text, Span::new(0, text.len())).collect();
                let put_in = find_written_out(&text, &tokens);
                let is_left = |at: &usize| !put_in.iter().any(|span| span.start <= *at && *at < span.end);
                let back: Vec<u8> = (0..text.len()).filter(is_left).map(|at| text[at]).collect();
                assert_eq!(String::from_utf8_lossy(&back), TEXT);
            }
        }
    }
}
