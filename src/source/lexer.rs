//! The tokens of C, as far as finding text needs them.

use super::Span;

/// Cuts `bytes[range]` into C tokens and skips white space, comments, line continuations and preprocessor lines.
pub fn tokens(bytes: &[u8], range: Span) -> Vec<Span> {
    Lexer::new(bytes, range).collect()
}

/// The preprocessor lines of `bytes` without their first `#`.
pub fn directives(bytes: &[u8]) -> Vec<Span> {
    let mut lexer = Lexer::new(bytes, Span::new(0, bytes.len()));
    lexer.by_ref().for_each(drop);
    lexer.directives
}

struct Lexer<'b> {
    bytes: &'b [u8],
    at: usize,
    end: usize,
    line_is_blank: bool,
    directives: Vec<Span>,
}

impl Iterator for Lexer<'_> {
    type Item = Span;

    fn next(&mut self) -> Option<Span> {
        loop {
            let byte = self.peek(0)?;
            match byte {
                b'\n' => self.newline(),
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c | 0xef | 0xbb | 0xbf => self.at += 1,
                b'\\' if self.continuation().is_some() => self.at = self.continuation()?,
                b'/' if self.peek(1) == Some(b'/') => self.skip_line(),
                b'/' if self.peek(1) == Some(b'*') => self.skip_comment(),
                b'#' if self.line_is_blank => self.directive(1),
                b'%' if self.line_is_blank && self.peek(1) == Some(b':') => self.directive(2),
                _ => return Some(self.token(byte)),
            }
        }
    }
}

impl<'b> Lexer<'b> {
    fn new(bytes: &'b [u8], range: Span) -> Self {
        let end = range.end.min(bytes.len());
        Self { bytes, at: range.start, end, line_is_blank: true, directives: Vec::new() }
    }
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> Option<u8> {
        let at = self.at + ahead;
        (at < self.end).then(|| self.bytes[at])
    }

    fn newline(&mut self) {
        self.at += 1;
        self.line_is_blank = true;
    }

    /// The place behind a backslash at the end of a line.
    fn continuation(&self) -> Option<usize> {
        match (self.peek(0)?, self.peek(1)?) {
            (b'\\', b'\n') => Some(self.at + 2),
            (b'\\', b'\r') if self.peek(2) == Some(b'\n') => Some(self.at + 3),
            _ => None,
        }
    }

    /// Skips a preprocessor line whose first `hash` bytes say that it is one.
    fn directive(&mut self, hash: usize) {
        let start = self.at + hash;
        self.skip_line();
        self.directives.push(Span::new(start.min(self.at), self.at));
    }

    fn skip_line(&mut self) {
        while let Some(byte) = self.peek(0) {
            match byte {
                b'\n' => return,
                b'\\' => self.at = self.continuation().unwrap_or(self.at + 1),
                b'/' if self.peek(1) == Some(b'*') => self.skip_comment(),
                _ => self.at += 1,
            }
        }
    }

    fn skip_comment(&mut self) {
        self.at += 2;
        while self.at < self.end && !(self.peek(0) == Some(b'*') && self.peek(1) == Some(b'/')) {
            self.at += 1;
        }
        self.at = (self.at + 2).min(self.end);
    }

    fn token(&mut self, first: u8) -> Span {
        let start = self.at;
        self.line_is_blank = false;
        let next_is_digit = self.peek(1).is_some_and(|byte| byte.is_ascii_digit());
        match first {
            b'"' | b'\'' => self.quoted(first),
            b'0'..=b'9' => self.number(),
            b'.' if next_is_digit => self.number(),
            _ if is_word(first) => self.while_matches(is_word),
            _ => self.punctuation(),
        }
        Span::new(start, self.at)
    }

    fn quoted(&mut self, quote: u8) {
        self.at += 1;
        while let Some(byte) = self.peek(0) {
            match byte {
                b'\n' => return,
                b'\\' => self.at = (self.at + 2).min(self.end),
                _ => self.at += 1,
            }
            if byte == quote {
                return;
            }
        }
    }

    fn number(&mut self) {
        while let Some(byte) = self.peek(0) {
            let is_exponent = matches!(byte, b'e' | b'E' | b'p' | b'P');
            if !is_word(byte) && byte != b'.' {
                return;
            }
            self.at += 1;
            if is_exponent && matches!(self.peek(0), Some(b'+' | b'-')) {
                self.at += 1;
            }
        }
    }

    fn while_matches(&mut self, matches: fn(u8) -> bool) {
        while self.peek(0).is_some_and(matches) {
            self.at += 1;
        }
    }

    fn punctuation(&mut self) {
        const LONG: [&[u8]; 21] = [
            b"<<=", b">>=", b"->", b"++", b"--", b"<<", b">>", b"<=", b">=", b"==", b"!=", b"&&", b"||", b"+=", b"-=",
            b"*=", b"/=", b"%=", b"&=", b"|=", b"^=",
        ];
        let rest = &self.bytes[self.at..self.end];
        self.at += LONG.iter().find(|long| rest.starts_with(long)).map_or(1, |long| long.len());
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_strings_directives_and_continuations_are_no_tokens() {
        let text = b"a /* ; } */ += \"x;\\\"}\" // }\n#define X } \\\n }\n  'q' b\\\n c 1.5e-3f;";
        let words: Vec<&str> = tokens(text, Span::new(0, text.len()))
            .iter()
            .map(|span| std::str::from_utf8(&text[span.start..span.end]).unwrap())
            .collect();
        assert_eq!(words, ["a", "+=", "\"x;\\\"}\"", "'q'", "b", "c", "1.5e-3f", ";"]);
    }
}
