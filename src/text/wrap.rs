//! Long lines of C in several.

use std::borrow::Cow;

use crate::source::{Lexer, Span, TokenKind, lex_in_line};

/// The text with lines of at most `width` characters where its words allow. Only white space changes: string constants stay
/// whole, and what goes on in the definition of a macro ends with a backslash.
pub fn wrap(text: &str, width: usize) -> String {
    let mut wrapped = String::with_capacity(text.len());
    let (mut is_definition, mut is_comment) = (false, false);
    let mut carried = String::new();
    for line in text.strip_suffix('\n').unwrap_or(text).split('\n') {
        let line = &with_carried(line, &std::mem::take(&mut carried));
        let goes_on = line.ends_with('\\');
        is_definition |= line.starts_with('#');
        let line = if goes_on { line.trim_end_matches('\\').trim_end() } else { line };
        let mut pieces = pieces(line, if is_definition { width.saturating_sub(2) } else { width }, is_comment);
        is_comment = ends_in_comment(line, is_comment);
        // A comment flows on into its next line.
        if is_comment && !is_definition && pieces.len() > 1 {
            carried = pieces.pop().unwrap_or_default().into_owned();
        }
        for (i, piece) in pieces.iter().enumerate() {
            let is_last = i + 1 == pieces.len();
            wrapped += piece;
            wrapped += if goes_on || is_definition && !is_last { " \\\n" } else { "\n" };
        }
        is_definition = goes_on;
    }
    wrapped
}

/// A line with the words before it that had no room on the last one.
fn with_carried<'l>(line: &'l str, words: &str) -> Cow<'l, str> {
    let text = line.trim_start();
    let (indent, words) = (&line[..line.len() - text.len()], words.trim());
    if words.is_empty() { line.into() } else { format!("{indent}{words} {text}").into() }
}

/// One line cut between words; the pieces behind the first are indented more, in comments that go on less.
fn pieces(line: &str, width: usize, mut is_comment: bool) -> Vec<Cow<'_, str>> {
    if line.len() <= width {
        return vec![line.into()];
    }
    let start = line.len() - line.trim_start().len();
    let indent = if is_comment {
        start
    } else if line[start..].starts_with("/*") {
        start + 3
    } else {
        start + 4
    };
    let mut pieces = Vec::new();
    let mut rest = line.to_owned();
    while rest.len() > width && rest.chars().nth(width).is_some() {
        let Some(place) = best_gap(&rest, width, is_comment) else { break };
        is_comment = ends_in_comment(&rest[..place], is_comment);
        pieces.push(rest[..place].trim_end().to_owned().into());
        rest = " ".repeat(indent) + rest[place..].trim_start();
    }
    pieces.push(rest.into());
    pieces
}

/// A space between words.
#[derive(Clone, Copy, Debug)]
struct Gap {
    place: usize,
    /// Characters before it.
    column: usize,
    /// Parentheses around it.
    depth: i32,
    /// How badly it separates: least behind a comma or semicolon, most behind a word.
    badness: u8,
}

/// The last of the best spaces in the last third within the width, if there is any; else the last one within it, or the
/// first one behind it.
fn best_gap(line: &str, width: usize, is_comment: bool) -> Option<usize> {
    let gaps = gaps(line, width, is_comment);
    let fits = |gap: &&Gap| gap.column <= width;
    let is_late = |gap: &&Gap| fits(gap) && gap.place > width / 3 * 2;
    let best = gaps.iter().filter(is_late).min_by_key(|gap| (gap.depth, gap.badness, std::cmp::Reverse(gap.place)));
    best.or(gaps.iter().rfind(fits)).or(gaps.first()).map(|gap| gap.place)
}

/// The spaces of a line behind its indentation and outside string constants: those within the width, or the first one.
fn gaps(line: &str, width: usize, is_comment: bool) -> Vec<Gap> {
    let start = line.len() - line.trim_start().len();
    let text = begun(line, is_comment);
    let mut tokens = lex_line(&text).peekable();
    let (mut depth, mut gaps) = (0, Vec::new());
    let spaces = line.char_indices().enumerate().filter(|(_, (place, c))| *c == ' ' && *place > start);
    for (column, (place, _)) in spaces {
        if column > width && !gaps.is_empty() {
            break;
        }
        let in_text = place + text.len() - line.len();
        while let Some(token) = tokens.next_if(|token| token.span.end <= in_text) {
            depth += nesting(&text[token.span.start..token.span.end]);
        }
        let badness = match tokens.peek().filter(|token| token.span.start < in_text).map(|token| token.kind) {
            Some(TokenKind::Quoted) => continue,
            Some(TokenKind::Comment) => 0,
            _ => badness(line[..place].chars().next_back().unwrap_or(' ')),
        };
        gaps.push(Gap { place, column, depth, badness });
    }
    gaps
}

/// How many parentheses a token opens.
fn nesting(token: &str) -> i32 {
    match token {
        "(" | "[" | "{" => 1,
        ")" | "]" | "}" => -1,
        _ => 0,
    }
}

/// A line that begins in a comment with what begins the comment.
fn begun(line: &str, is_comment: bool) -> Cow<'_, str> {
    if is_comment { format!("/*{line}").into() } else { line.into() }
}

fn lex_line(line: &str) -> Lexer<'_> {
    lex_in_line(line.as_bytes(), Span::new(0, line.len()))
}

fn badness(before: char) -> u8 {
    match before {
        ',' | ';' => 0,
        '&' | '|' | '?' | ':' => 1,
        '+' | '-' | '=' => 2,
        c if c.is_alphanumeric() || matches!(c, '_' | ')' | ']') => 4,
        _ => 3,
    }
}

fn ends_in_comment(line: &str, is_comment: bool) -> bool {
    // Most lines show it without being cut into words.
    if !line.contains(if is_comment { "*/" } else { "/*" }) {
        return is_comment;
    }
    let text = begun(line, is_comment);
    let last = lex_line(&text).last().filter(|token| token.kind == TokenKind::Comment);
    let is_open = |comment: &str| comment.starts_with("/*") && (comment.len() < 4 || !comment.ends_with("*/"));
    last.is_some_and(|token| is_open(&text[token.span.start..]))
}

#[cfg(test)]
mod tests {
    use super::wrap;

    #[test]
    fn long_lines_are_cut_where_few_parentheses_are_open() {
        assert_eq!(wrap("    x = f(a, b) + g(c, d) + 1;\n", 22), "    x = f(a, b) +\n        g(c, d) + 1;\n");
        assert_eq!(wrap("short\n\n", 22), "short\n\n");
    }

    #[test]
    fn string_constants_stay_whole() {
        assert_eq!(wrap("f(\"a b \\\" c d e\", x);\n", 8), "f(\"a b \\\" c d e\",\n    x);\n");
    }

    #[test]
    fn definitions_go_on_behind_backslashes() {
        assert_eq!(wrap("#define A b + c + d\n", 14), "#define A b \\\n    + c + d\n");
        let text = "#define A(x) \\\n    one + two; \\\n    three\nfour and twelve\n";
        let wrapped = "#define A(x) \\\n    one + \\\n        two; \\\n    three\nfour and\n    twelve\n";
        assert_eq!(wrap(text, 14), wrapped);
    }

    #[test]
    fn comments_are_wrapped_as_text() {
        assert_eq!(wrap("/* a user's \"b c d */\n", 14), "/* a user's \"b\n   c d */\n");
        assert_eq!(wrap("/* a\n   it's one of many */\n", 14), "/* a\n   it's one of\n   many */\n");
        assert_eq!(wrap("/* a text that\n   flows */\n", 9), "/* a text\n   that\n   flows\n   */\n");
    }
}
