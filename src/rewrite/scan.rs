//! A scanner for the shape of C text that has not been preprocessed.
//!
//! It tells directives, comments and other tokens apart and no more: enough to place an include line, to end a pragma
//! and to see an `else`. A real parser would stumble over what macros hide.

use crate::source::Span;

/// A piece of C text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    /// A preprocessor directive from `#` to the last byte that is neither white space nor comment.
    Directive(Span),
    /// A comment.
    Comment(Span),
    /// An identifier, keyword or number.
    Word(Span),
    /// A string or character constant.
    Quoted(Span),
    /// Any other byte that is not white space.
    Punctuation(Span),
}

impl Token {
    /// Where it stands.
    pub fn span(self) -> Span {
        let (Self::Directive(span)
        | Self::Comment(span)
        | Self::Word(span)
        | Self::Quoted(span)
        | Self::Punctuation(span)) = self;
        span
    }
}

/// The tokens of `text` from `start`, which is outside comments and quotes, on.
pub fn tokens(text: &[u8], start: usize) -> Tokens<'_> {
    if start < text_start(text) {
        return Tokens { text, position: text_start(text), is_line_start: true };
    }
    let is_line_start = text[line_start(text, start)..start].iter().all(|byte| is_blank(*byte));
    Tokens { text, position: start, is_line_start }
}

/// Offset of the first byte after the byte order mark; 0 without one.
pub fn text_start(text: &[u8]) -> usize {
    if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 }
}

/// Offset of the first byte of the line that holds `offset`.
pub fn line_start(text: &[u8], offset: usize) -> usize {
    text[..offset].iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1)
}

/// Offset of the newline, or of the carriage return before it, that ends the line of `offset`; the length of the text
/// in its last line.
pub fn line_end(text: &[u8], offset: usize) -> usize {
    let Some(length) = text[offset..].iter().position(|byte| *byte == b'\n') else { return text.len() };
    let newline = offset + length;
    if newline > offset && text[newline - 1] == b'\r' { newline - 1 } else { newline }
}

/// The file's line ending, as its first line has it.
pub fn line_ending(text: &[u8]) -> &'static str {
    match text.iter().position(|byte| *byte == b'\n') {
        Some(newline) if newline > 0 && text[newline - 1] == b'\r' => "\r\n",
        _ => "\n",
    }
}

/// The comments inside a directive.
pub fn comments_in(text: &[u8], directive: Span) -> Vec<Span> {
    let inner = tokens(&text[..directive.end], directive.start);
    // Behind the `#` the scanner knows of no line's start, and so shows what the directive holds.
    let hash = inner.map(Token::span).next().map_or(directive.end, |whole| whole.start + 1);
    tokens(&text[..directive.end], hash).filter(|token| matches!(token, Token::Comment(_))).map(Token::span).collect()
}

/// The words of a directive: `["include", "<math.h>"]`.
pub fn directive_words(text: &[u8], directive: Span) -> Vec<&[u8]> {
    let line = &text[directive.start..directive.end];
    let line = line.strip_prefix(b"%:").or_else(|| line.strip_prefix(b"#")).unwrap_or(line);
    line.split(|byte| byte.is_ascii_whitespace() || *byte == b'\\').filter(|word| !word.is_empty()).collect()
}

/// See [`tokens`].
pub struct Tokens<'text> {
    text: &'text [u8],
    position: usize,
    is_line_start: bool,
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        self.skip_space();
        let start = self.position;
        let first = *self.text.get(start)?;
        if let Some(end) = comment_end(self.text, start) {
            self.position = end;
            return Some(Token::Comment(Span::new(start, end)));
        }
        if self.is_line_start && (first == b'#' || self.text[start..].starts_with(b"%:")) {
            return Some(Token::Directive(self.read_directive()));
        }
        self.is_line_start = false;
        self.position = match first {
            b'"' | b'\'' => quote_end(self.text, start),
            _ if is_word(first) => start + self.text[start..].iter().take_while(|byte| is_word(**byte)).count(),
            _ => start + 1,
        };
        let span = Span::new(start, self.position);
        Some(match first {
            b'"' | b'\'' => Token::Quoted(span),
            _ if is_word(first) => Token::Word(span),
            _ => Token::Punctuation(span),
        })
    }
}

impl Tokens<'_> {
    fn skip_space(&mut self) {
        while let Some(byte) = self.text.get(self.position) {
            match byte {
                b'\n' => self.is_line_start = true,
                byte if is_blank(*byte) => {}
                b'\\' if splice_length(self.text, self.position) > 0 => {
                    self.position += splice_length(self.text, self.position) - 1;
                }
                _ => return,
            }
            self.position += 1;
        }
    }

    /// Reads to the end of the logical line; a comment in it may hold newlines.
    fn read_directive(&mut self) -> Span {
        let start = self.position;
        let mut end = start;
        while let Some(byte) = self.text.get(self.position) {
            let splice = splice_length(self.text, self.position);
            if *byte == b'\n' {
                break;
            } else if splice > 0 {
                self.position += splice;
            } else if let Some(comment) = comment_end(self.text, self.position) {
                self.position = comment;
            } else {
                self.position = if *byte == b'"' { quote_end(self.text, self.position) } else { self.position + 1 };
                end = if is_blank(*byte) { end } else { self.position };
            }
        }
        Span::new(start, end)
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c)
}

/// Length of the backslash and line ending at `offset`; 0 if there is none.
fn splice_length(text: &[u8], offset: usize) -> usize {
    let rest = &text[offset..];
    [&b"\\\n"[..], b"\\\r\n"].iter().find(|splice| rest.starts_with(splice)).map_or(0, |splice| splice.len())
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
        end += splice_length(text, end).max(1);
    }
    Some(end)
}

/// End of the constant that starts at `offset`: its closing quote, or the end of the line where that is missing.
fn quote_end(text: &[u8], offset: usize) -> usize {
    let mut end = offset + 1;
    while let Some(byte) = text.get(end) {
        match byte {
            b'\n' => return end,
            b'\\' => end += splice_length(text, end).max(2),
            byte if *byte == text[offset] => return end + 1,
            _ => end += 1,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(text: &str) -> Vec<&str> {
        tokens(text.as_bytes(), 0).map(|token| &text[token.span().start..token.span().end]).collect()
    }

    #[test]
    fn comments_quotes_and_directives_are_single_tokens() {
        let text = "a /* \"#if */ '\\'' \"//\\\"\" // x \\\n y\n # if 1 /* \n */ + \\\n 2 // z\n#b c";
        let expected = ["a", "/* \"#if */", "'\\''", "\"//\\\"\"", "// x \\\n y", "# if 1 /* \n */ + \\\n 2", "#b c"];
        assert_eq!(shape(text), expected);
    }

    #[test]
    fn a_hash_inside_a_line_is_no_directive() {
        assert_eq!(shape("x #y"), ["x", "#", "y"]);
        assert_eq!(shape("/* c */ #y z"), ["/* c */", "#y z"]);
    }

    #[test]
    fn unfinished_comments_and_quotes_end_with_the_text() {
        assert_eq!(shape("a /* b"), ["a", "/* b"]);
        assert_eq!(shape("\"b\\"), ["\"b\\"]);
    }
}
