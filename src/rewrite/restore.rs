//! Back from a rewritten file to the one that it was made from.
//!
//! The rewritten file is the original with text put in: the original's pragmas stand in comments of the calls, and each
//! nest's end has its call's name. Whoever patches a source in place can so rewrite it again.

use super::apart::find_put_in;
use super::hand_over::find_handed_over;
use super::hide::find_hiding;
use super::in_place::{find_written_out, without_written_out};
use super::lend::find_lent;
use super::marks::{closing, from_line_start, guard, with_conditionals};
use super::omp::{LoopPragmas, find_loop_pragmas};
use super::restore_kept::{find_kept, kept_name};
use super::words::around;
use crate::source::{
    Diagnostic, SourceFile, Span, Token, TokenKind, directive_words, find_pragmas, lex, line_end, moved, next_line,
};

/// The file as its programmer wrote it, and where its text stands in the file that was given.
#[derive(Debug)]
pub struct Original {
    source: SourceFile,
    /// What was left out of the given file, sorted and disjoint.
    removed: Vec<Span>,
}

impl Original {
    /// The original of `file`, which is `file` itself if the tool has not rewritten it.
    ///
    /// # Errors
    /// What the tool wrote has been changed, so that it cannot be told where it ends.
    pub fn of(file: &SourceFile) -> Result<Self, Box<Diagnostic>> {
        let removed = find_removed(file.bytes())?;
        let source = if removed.is_empty() { file.clone() } else { file.with_bytes(without(file.bytes(), &removed)) };
        Ok(Self { source, removed })
    }

    /// The file to translate.
    pub fn source(&self) -> &SourceFile {
        &self.source
    }

    /// Diagnostics of the original with their places in the given file.
    pub fn in_given_file(&self, diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
        moved(diagnostics, self.source.id(), |span| {
            let start = self.offset(span.start, false);
            span.at(start, self.offset(span.end, true).max(start))
        })
    }

    /// The offset in the given file; an end stands before what is left out there, a start behind it.
    fn offset(&self, offset: usize, is_end: bool) -> usize {
        self.removed.iter().fold(offset, |place, removed| {
            let is_behind = removed.start < place || removed.start == place && !is_end;
            if is_behind { place + removed.end - removed.start } else { place }
        })
    }
}

fn without(text: &[u8], removed: &[Span]) -> Vec<u8> {
    let mut result = Vec::with_capacity(text.len());
    let mut start = 0;
    for span in removed {
        result.extend_from_slice(&text[start..span.start]);
        start = span.end;
    }
    result.extend_from_slice(&text[start..]);
    result
}

fn find_removed(text: &[u8]) -> Result<Vec<Span>, Box<Diagnostic>> {
    let tokens: Vec<Token> = lex(text, Span::new(0, text.len())).collect();
    let mut removed = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let comment = token.span;
        let Some(pragma) = marked(text, comment) else { continue };
        let Some((start, name)) = guard_above(text, &tokens[..index], comment.start) else {
            removed.extend(kept(text, &tokens[index..], pragma)?);
            continue;
        };
        let closing = closing(text, &tokens[index + 1..], name).filter(|closing| !removed.contains(closing));
        let closing = closing.ok_or_else(|| no_end(name, start.to(comment)))?;
        let from = from_line_start(text, start.start);
        let head = match find_loop_pragmas(text, comment.start) {
            Some(LoopPragmas { start: below, .. }) => {
                let (from, below) = with_conditionals(text, &tokens[..index], name, from, below);
                [Span::new(from, below), Span::new(comment.start, pragma.start)]
            }
            None => [Span::new(from, start.end), Span::new(start.end, pragma.start)],
        };
        removed.extend(head);
        removed.extend([Span::new(pragma.end, comment.end), closing]);
    }
    if !removed.is_empty() {
        removed.extend(tokens.iter().filter_map(|token| around_word(text, *token)).flatten());
        removed.extend(include(text, &tokens)?);
        let own = without_written_out(text, &tokens);
        removed.extend(find_put_in(text, &own));
        removed.extend(find_handed_over(text, &own));
        removed.extend(find_written_out(text, &tokens));
        removed.extend(find_hiding(text, &tokens));
    }
    removed.extend(find_lent(text));
    Ok(merged(removed))
}

/// What was put in around the loop of the pragma that stands in the first of `tokens`, if the host keeps it.
fn kept(text: &[u8], tokens: &[Token], pragma: Span) -> Result<Vec<Span>, Box<Diagnostic>> {
    let Some(name) = kept_name(text, &tokens[1..]) else { return Ok(Vec::new()) };
    let comment = tokens[0].span;
    let mut found = find_kept(text, &tokens[1..], name).ok_or_else(|| no_end(name, comment))?;
    found.extend([Span::new(comment.start, pragma.start), Span::new(pragma.end, comment.end)]);
    Ok(found)
}

/// The same spans sorted, those that share bytes joined.
fn merged(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_unstable();
    let mut result: Vec<Span> = Vec::with_capacity(spans.len());
    for span in spans {
        match result.last_mut() {
            Some(last) if span.start < last.end => *last = last.to(span),
            _ => result.push(span),
        }
    }
    result
}

/// The pragma in a comment that holds nothing else.
fn marked(text: &[u8], comment: Span) -> Option<Span> {
    let inner = text[comment.start..comment.end].strip_prefix(b"/*")?.strip_suffix(b"*/")?;
    let trimmed = inner.strip_prefix(b" ").unwrap_or(inner);
    let start = comment.start + 2 + inner.len() - trimmed.len();
    let trimmed = trimmed.strip_suffix(b" ").unwrap_or(trimmed);
    let is_alone = lex(trimmed, Span::new(0, trimmed.len())).count() == 1;
    (is_alone && find_pragmas(trimmed).len() == 1).then(|| Span::new(start, start + trimmed.len()))
}

/// The guard that stands before a pragma's comment, or on the line before OpenMP's pragmas above it.
fn guard_above<'t>(text: &'t [u8], tokens: &[Token], comment: usize) -> Option<(Span, &'t [u8])> {
    let Some(LoopPragmas { start: below, .. }) = find_loop_pragmas(text, comment) else { return guard(text, tokens) };
    let before = tokens.partition_point(|token| token.span.start < below);
    guard(text, &tokens[..before]).filter(|(guard, _)| next_line(text, guard.end) == below)
}

/// What makes a comment of the word `register`.
fn around_word(text: &[u8], token: Token) -> Option<[Span; 2]> {
    around(text, token, |word| word == b"register")
}

/// The one include line of a generated header.
fn include(text: &[u8], tokens: &[Token]) -> Result<Option<Span>, Box<Diagnostic>> {
    let is_generated = |directive: &Span| {
        let words: Vec<&[u8]> = directive_words(text, *directive).collect();
        matches!(words[..], [b"include", name] if name.ends_with(b".stencil.h\""))
    };
    let directives = tokens.iter().filter(|token| token.kind == TokenKind::Directive).map(|token| token.span);
    let mut found = directives.filter(is_generated);
    let Some(line) = found.next() else { return Ok(None) };
    if let Some(second) = found.next() {
        return Err(Box::new(two_includes(line, second)));
    }
    let end = line_end(text, line.end);
    let is_alone = text[line.end..end].iter().all(u8::is_ascii_whitespace);
    Ok(Some(Span::new(line.start, if is_alone { next_line(text, end) } else { line.end })))
}

fn no_end(name: &[u8], guard: Span) -> Box<Diagnostic> {
    let name = String::from_utf8_lossy(name);
    let message = format!("this nest has been rewritten before, and its end, `}} /* {name} */`, is not there any more");
    let help = format!(
        "put `}} /* {name} */` behind the nest, or take out this `while` with its braces and write the pragma on a line of its own"
    );
    Box::new(Diagnostic::error("rewritten-file", message, guard).with_help(help))
}

fn two_includes(first: Span, second: Span) -> Diagnostic {
    let message = "this file has been rewritten before, and includes two headers that end in `.stencil.h`";
    Diagnostic::error("rewritten-file", message, second)
        .with_label(first, "the first one")
        .with_help("leave only the one that the tool has put in; the tool writes its include line anew")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::{Replacement, TextStyle, compute_host_edits};

    /// Rewrites each pragma of `text` with the loop behind it, up to the `@` that is left out.
    fn rewritten(text: &str, drops_nests: bool) -> (Vec<u8>, Vec<u8>) {
        let plain = text.replace('@', "");
        let ends = text.match_indices('@').enumerate().map(|(index, (at, _))| at - index);
        let replacements: Vec<_> = find_pragmas(plain.as_bytes())
            .into_iter()
            .zip(ends)
            .enumerate()
            .map(|(index, (pragma, end))| {
                let nest = plain[pragma.lines.end..].find("for").expect("a loop") + pragma.lines.end;
                Replacement {
                    pragma: pragma.lines,
                    nest: Span::new(nest, end),
                    call: format!("f{index}(a, &(b)[0])"),
                    kept: None,
                }
            })
            .collect();
        assert_eq!(replacements.len(), text.matches('@').count());
        let edits =
            compute_host_edits(plain.as_bytes(), &replacements, "x.stencil.h", drops_nests, &TextStyle::Readable);
        (edits.apply(plain.as_bytes()), plain.into_bytes())
    }

    fn original(text: &[u8]) -> Result<Original, Box<Diagnostic>> {
        Original::of(&SourceFile::new("x.c", text.to_vec()))
    }

    #[test]
    fn the_original_comes_back_byte_for_byte() {
        for text in [
            "void f()\n{\n#pragma stencil\n    for (;;) {\n      a;\n    }@\n}\n",
            "#include <a.h>\n#pragma stencil tile(8) \\\n  time_tile(2)  // why\n    for (;;) a;@   \n",
            "#pragma stencil /* c */\nfor (;;) a;@",
            "/* c\n */ #pragma stencil // d\nfor (;;) a;@\n",
            "%:pragma stencil tile(8)\n  for (;;) a;@\n",
            "x;\n  #pragma omp for // a\n/* c */ #pragma stencil // b\n  for (;;) a;@ // d\n",
            "#ifdef X\r\n#pragma omp for\r\n#endif\r\n #pragma stencil\r\n#pragma omp simd\r\n  for (;;) a;@\r\n",
            "#ifdef X\n x;\n #pragma omp for\n#endif\n #pragma stencil\n  for (;;) a;@\n",
            "#if A\n#else\n#if B \\\n&& C\nx;\n#pragma omp for\n#endif\n#endif\n#pragma stencil\n  for (;;) a;@\n",
            "if (p)\n# pragma stencil\n#pragma omp for\n  for (;;) a;@ b;\n#ifdef X\nelse c;\n#endif\n",
            "\u{feff}#pragma stencil\r\nfor (;;) a;@ // b\r\n#pragma stencil\r\n\r\nfor (;;) b;@\r\n",
            "int x;\r\n#pragma stencil\nfor (;;) a;@\n#pragma stencil\nfor (;;) b;@ /* c\n */ d;\r\n",
            "int x;\n#pragma stencil\r\nfor (;;) a;@ // c\r\n  }\r\n",
        ] {
            for drops_nests in [false, true] {
                let (text, expected) = rewritten(text, drops_nests);
                let original = original(&text).expect("nobody has changed it");
                assert_eq!(original.source().bytes().escape_ascii().to_string(), expected.escape_ascii().to_string());
            }
        }
    }

    #[test]
    fn a_comment_inside_a_pragma_moves_behind_it_and_stays_there() {
        let (once, _) = rewritten("#pragma /* a */ stencil tile(8) /* b */ time_tile(2) // c\nfor (;;) a;@\n", false);
        let text = original(&once).expect("nobody has changed it").source().bytes().to_vec();
        assert_eq!(text, b"#pragma   stencil tile(8)   time_tile(2) /* a */ /* b */ // c\nfor (;;) a;\n");
        let text = String::from_utf8(text).expect("ASCII").replace("a;", "a;@");
        assert_eq!(rewritten(&text, false).0, once);
    }

    #[test]
    fn places_are_those_in_the_given_file() {
        let (text, _) = rewritten("int x;\n#pragma stencil\nfor (;;) a;@\nint y;\n", false);
        let original = original(&text).expect("nobody has changed it");
        for word in ["int x", "#pragma stencil", "for (;;) a;", "int y"] {
            let at = |bytes: &[u8]| {
                let at = String::from_utf8_lossy(bytes).find(word).expect("the word");
                Span::new(at, at + word.len())
            };
            let told = original.in_given_file(vec![Diagnostic::error("x", "x", at(original.source().bytes()))]);
            assert_eq!(told[0].primary.span, at(&text), "{word}");
        }
        let nowhere = original.in_given_file(vec![Diagnostic::error("x", "x", Span::default())]);
        assert_eq!(nowhere[0].primary.span, Span::default());
    }

    #[test]
    fn other_text_is_left_alone() {
        for text in [
            "while (!f(x)) { /* #pragma stencils */ } /* f */",
            "while (!f(x) && g(y)) { /* #pragma stencil */ } /* f */",
            "if (!f(x)) { /* #pragma stencil */ } /* f */",
            "while (f(x), 1) { /* #pragma stencil */ } /* f */",
            "while (!f(x)) { /* was: #pragma stencil */ } /* f */",
            "/* not register */ int i;",
            "while (!f(x)) {\n// #pragma stencil\n} /* f */",
            "#include \"a.stencil.h\"\n#include \"b.stencil.h\"\n",
        ] {
            assert_eq!(original(text.as_bytes()).expect("it is no rewritten file").removed, [], "{text}");
        }
    }

    #[test]
    fn the_end_is_found_among_comments_like_it_and_behind_hidden_braces() {
        for text in [
            "#pragma stencil\nfor (;;) { a; } /* f0 */@\n",
            "#pragma stencil\n#ifdef X\nfor (;;) {\n#else\nfor (;;) {\n#endif\na; }@\n",
        ] {
            let (text, expected) = rewritten(text, false);
            let original = original(&text).expect("nobody has changed it");
            assert_eq!(original.source().bytes().escape_ascii().to_string(), expected.escape_ascii().to_string());
        }
    }

    #[test]
    fn places_that_meet_are_no_trouble() {
        for text in [
            "while (!f(x)) { /* #pragma stencil */ while (!f(x)) { /* #pragma stencil */ } /* f */",
            "while (!f(x)) { /* #pragma stencil */\n#include \"a.stencil.h\"\n} /* f */",
            "while (!f(x)) {/*#pragma stencil*/}/*f*/",
            "} /* f */ while (!f(x)) { /* #pragma stencil */",
        ] {
            let _ = original(text.as_bytes());
        }
    }

    #[test]
    fn a_nest_without_its_end_is_refused_and_so_is_a_second_header() {
        let (text, _) = rewritten("#pragma stencil\nfor (;;) a;@\n", false);
        let text = String::from_utf8(text).expect("ASCII");
        for (changed, message) in [
            (text.replace("} /* f0 */", "}"), "its end"),
            (format!("#include \"y z.stencil.h\"\n{text}"), "two headers"),
        ] {
            let error = original(changed.as_bytes()).expect_err("it was changed");
            assert_eq!((error.code, error.message.contains(message)), ("rewritten-file", true), "{error:?}");
        }
    }
}
