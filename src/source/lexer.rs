//! The one lexer of C text, preprocessed or not.
//!
//! It knows what C decides before there is a grammar: line splices, comments, constants and directives. A parser would
//! stumble over what macros hide.

use super::lines::{line_start, text_start};
use super::{FileId, Span};

/// What a piece of C text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A preprocessor directive, from its `#` to the last byte that is neither white space nor comment.
    Directive,
    /// A comment.
    Comment,
    /// An identifier or a keyword.
    Word,
    /// A number as the preprocessor takes it.
    Number,
    /// A string or character constant.
    Quoted,
    /// An operator or a bracket, or a byte that means nothing.
    Punctuation,
}

/// A piece of C text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it stands.
    pub span: Span,
}

/// Cuts `text[range]`, which begins outside comments and constants, into everything that is not white space. The pieces are
/// in the file that `range` is in.
pub fn lex(text: &[u8], range: Span) -> Lexer<'_> {
    let text = &text[..range.end.min(text.len())];
    let at = range.start.max(text_start(text)).min(text.len());
    let is_line_start = text[line_start(text, at).max(text_start(text)).min(at)..at].iter().all(|byte| is_blank(*byte));
    Lexer { text, file: range.file, at, is_line_start }
}

/// The same of text that begins within a line: a `#` there begins no directive, so that what follows is cut, too.
pub fn lex_in_line(text: &[u8], range: Span) -> Lexer<'_> {
    Lexer { text: &text[..range.end], file: range.file, at: range.start, is_line_start: false }
}

/// The tokens of `text[range]` that reach a compiler: no comments, no directives.
pub fn tokens(text: &[u8], range: Span) -> Vec<Span> {
    lex(text, range)
        .filter(|token| !matches!(token.kind, TokenKind::Comment | TokenKind::Directive))
        .map(|token| token.span)
        .collect()
}

/// The directives of `text`.
pub fn directives(text: &[u8]) -> impl Iterator<Item = Span> {
    directives_in(text, Span::new(0, text.len()))
}

/// The directives of `text[range]`.
pub fn directives_in(text: &[u8], range: Span) -> impl Iterator<Item = Span> {
    lex(text, range).filter(|token| token.kind == TokenKind::Directive).map(|token| token.span)
}

/// The directive at `offset`, before which its line has nothing but blanks and comments.
pub fn directive_at(text: &[u8], offset: usize) -> Option<Span> {
    let first = Lexer { text, file: FileId::default(), at: offset, is_line_start: true }.next();
    first.filter(|token| token.kind == TokenKind::Directive).map(|token| token.span)
}

/// What stands behind the `#` of a directive.
pub fn lex_directive(text: &[u8], directive: Span) -> Lexer<'_> {
    let hash = if text[directive.start..].starts_with(b"%:") { 2 } else { 1 };
    lex_in_line(text, Span { start: directive.start + hash, ..directive })
}

/// The words of a directive, such as `include` and `"math.h"`, without comments.
pub fn directive_words(text: &[u8], directive: Span) -> impl Iterator<Item = &[u8]> {
    let words = lex_directive(text, directive).filter(|token| token.kind != TokenKind::Comment);
    words.map(|token| &text[token.span.start..token.span.end])
}

/// See [`lex`].
#[derive(Clone, Debug)]
pub struct Lexer<'t> {
    text: &'t [u8],
    file: FileId,
    at: usize,
    is_line_start: bool,
}

impl Iterator for Lexer<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        self.skip_space();
        let start = self.at;
        let first = *self.text.get(start)?;
        if let Some(end) = comment_end(self.text, start) {
            self.at = end;
            return Some(Token { kind: TokenKind::Comment, span: self.span(start, end) });
        }
        if self.is_line_start && is_hash(&self.text[start..]) {
            return Some(Token { kind: TokenKind::Directive, span: self.directive() });
        }
        self.is_line_start = false;
        let (kind, end) = token_at(self.text, start, first);
        self.at = end;
        Some(Token { kind, span: self.span(start, end) })
    }
}

impl Lexer<'_> {
    fn skip_space(&mut self) {
        while let Some(byte) = self.text.get(self.at) {
            self.at += match byte {
                b'\n' => {
                    self.is_line_start = true;
                    1
                }
                byte if is_blank(*byte) => 1,
                _ => match splice_length(&self.text[self.at..]) {
                    0 => return,
                    length => length,
                },
            };
        }
    }

    /// Reads to the end of the logical line; a comment in it may hold newlines.
    fn directive(&mut self) -> Span {
        let start = self.at;
        let mut end = start;
        while let Some(byte) = self.text.get(self.at).copied().filter(|byte| *byte != b'\n') {
            let splice = splice_length(&self.text[self.at..]);
            if splice > 0 {
                self.at += splice;
            } else if let Some(comment) = comment_end(self.text, self.at) {
                self.at = comment;
            } else {
                self.at = if is_quote(byte) { quote_end(self.text, self.at) } else { self.at + 1 };
                end = if is_blank(byte) { end } else { self.at };
            }
        }
        self.span(start, end)
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span { file: self.file, start, end }
    }
}

/// The kind and the end of the token at `start`, whose first byte is no white space.
fn token_at(text: &[u8], start: usize, first: u8) -> (TokenKind, usize) {
    let next_is_digit = text.get(start + 1).is_some_and(u8::is_ascii_digit);
    match first {
        _ if is_quote(first) => (TokenKind::Quoted, quote_end(text, start)),
        b'0'..=b'9' => (TokenKind::Number, number_end(text, start)),
        b'.' if next_is_digit => (TokenKind::Number, number_end(text, start)),
        _ if is_word(first) => {
            (TokenKind::Word, start + text[start..].iter().take_while(|byte| is_word(**byte)).count())
        }
        _ => (TokenKind::Punctuation, start + punctuation_length(&text[start..])),
    }
}

fn is_hash(rest: &[u8]) -> bool {
    rest.starts_with(b"#") || rest.starts_with(b"%:")
}

fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'')
}

fn is_word(byte: u8) -> bool {
    /// All of a file is looked up here several times.
    const WORD: [bool; 256] = {
        let mut table = [false; 256];
        let mut byte = 0;
        while byte < 256 {
            table[byte] = (byte as u8).is_ascii_alphanumeric() || byte >= 0x80;
            byte += 1;
        }
        table[b'_' as usize] = true;
        table[b'$' as usize] = true;
        table
    };
    WORD[usize::from(byte)]
}

/// White space within a line.
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c)
}

/// Length of the backslash and the line end that `rest` begins with, with the blanks that compilers allow between them; 0 if
/// it does not begin so.
fn splice_length(rest: &[u8]) -> usize {
    let Some(behind) = rest.strip_prefix(b"\\") else { return 0 };
    let blanks = behind.iter().take_while(|byte| is_blank(**byte)).count();
    if behind.get(blanks) == Some(&b'\n') { blanks + 2 } else { 0 }
}

/// End of the comment that starts at `offset`.
fn comment_end(text: &[u8], offset: usize) -> Option<usize> {
    let rest = &text[offset..];
    if rest.starts_with(b"/*") {
        let length = rest[2..].windows(2).position(|pair| pair == b"*/").map_or(rest.len(), |inner| inner + 4);
        return Some(offset + length);
    }
    if !rest.starts_with(b"//") {
        return None;
    }
    let mut end = offset;
    while end < text.len() && text[end] != b'\n' {
        end += splice_length(&text[end..]).max(1);
    }
    Some(end)
}

/// End of the constant that starts at `offset`: its closing quote, or the end of the line where that is missing.
fn quote_end(text: &[u8], offset: usize) -> usize {
    let mut end = offset + 1;
    while let Some(byte) = text.get(end) {
        match byte {
            b'\n' => return end,
            b'\\' => end += splice_length(&text[end..]).max(2),
            byte if *byte == text[offset] => return end + 1,
            _ => end += 1,
        }
    }
    text.len()
}

fn number_end(text: &[u8], start: usize) -> usize {
    let mut end = start;
    while let Some(byte) = text.get(end).filter(|byte| is_word(**byte) || **byte == b'.') {
        let has_sign = matches!(byte, b'e' | b'E' | b'p' | b'P') && matches!(text.get(end + 1), Some(b'+' | b'-'));
        end += if has_sign { 2 } else { 1 };
    }
    end
}

fn punctuation_length(rest: &[u8]) -> usize {
    const LONG: [&[u8]; 21] = [
        b"<<=", b">>=", b"->", b"++", b"--", b"<<", b">>", b"<=", b">=", b"==", b"!=", b"&&", b"||", b"+=", b"-=",
        b"*=", b"/=", b"%=", b"&=", b"|=", b"^=",
    ];
    let ends_long = |byte: &&u8| matches!(byte, b'<' | b'>' | b'=' | b'+' | b'-' | b'&' | b'|');
    if rest.get(1).filter(ends_long).is_none() {
        return 1;
    }
    LONG.iter().find(|long| rest.starts_with(long)).map_or(1, |long| long.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<&str> {
        let pieces = lex(text.as_bytes(), Span::new(0, text.len()));
        pieces.map(|token| &text[token.span.start..token.span.end]).collect()
    }

    fn compiled(text: &str) -> Vec<&str> {
        let tokens = tokens(text.as_bytes(), Span::new(0, text.len()));
        tokens.iter().map(|span| &text[span.start..span.end]).collect()
    }

    #[test]
    fn comments_strings_directives_and_splices_are_no_tokens() {
        let text = "a /* ; } */ += \"x;\\\"}\" // }\n#define X } \\\n }\n  'q' b\\\n c 1.5e-3f;";
        assert_eq!(compiled(text), ["a", "+=", "\"x;\\\"}\"", "'q'", "b", "c", "1.5e-3f", ";"]);
        assert_eq!(compiled("// see /* above\nx; // \\ \n y\n#define OPEN \"/*\"\nz"), ["x", ";", "z"]);
    }

    #[test]
    fn comments_quotes_and_directives_are_single_pieces() {
        let text = "a /* \"#if */ '\\'' \"//\\\"\" // x \\\n y\n # if 1 /* \n */ + \\\n 2 // z\n#b c";
        let expected = ["a", "/* \"#if */", "'\\''", "\"//\\\"\"", "// x \\\n y", "# if 1 /* \n */ + \\\n 2", "#b c"];
        assert_eq!(all(text), expected);
    }

    #[test]
    fn a_hash_inside_a_line_is_no_directive() {
        assert_eq!(all("x #y"), ["x", "#", "y"]);
        assert_eq!(all("/* c */ #y z"), ["/* c */", "#y z"]);
        assert_eq!(all("\u{feff}#y z"), ["#y z"]);
        assert_eq!(compiled("x\n#y"), ["x"]);
        assert_eq!(tokens(b"x #y", Span::new(2, 4)).len(), 2);
    }

    #[test]
    fn a_directive_has_words() {
        let text = b" # /* a */ include <b.h> // c\n";
        let directive = directives(text).next().unwrap();
        assert_eq!(
            directive_words(text, directive).collect::<Vec<_>>(),
            [&b"include"[..], b"<", b"b", b".", b"h", b">"]
        );
        let comments = lex_directive(text, directive).filter(|token| token.kind == TokenKind::Comment);
        assert_eq!(comments.count(), 1);
    }

    #[test]
    fn unfinished_comments_and_quotes_end_with_the_text() {
        assert_eq!(all("a /* b"), ["a", "/* b"]);
        assert_eq!(all("\"b\\"), ["\"b\\"]);
        assert_eq!(all("/*/"), ["/*/"]);
    }
}
