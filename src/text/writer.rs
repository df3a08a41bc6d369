//! The one place that knows about indentation.

use std::fmt::Display;

use super::wrap::wrap;

/// Characters that a line of generated text has at most, as far as its words allow.
pub const WIDTH: usize = 119;

/// Collects lines of C-like text.
#[derive(Debug)]
pub struct Writer {
    text: String,
    depth: usize,
    width: usize,
}

impl Default for Writer {
    fn default() -> Self {
        Self { text: String::new(), depth: 0, width: WIDTH }
    }
}

impl Writer {
    /// One that leaves lines as long as they are.
    pub fn unwrapped() -> Self {
        Self { width: usize::MAX, ..Self::default() }
    }

    /// Writes one line, or several if it is too long for one; an empty one gets no indentation, a preprocessor directive
    /// none either.
    pub fn line(&mut self, line: impl Display) {
        let line = line.to_string();
        let is_indented = !line.is_empty() && !line.starts_with('#');
        let line = if is_indented { "    ".repeat(self.depth) + &line } else { line };
        self.text += &wrap(&line, self.width);
    }

    /// Writes lines that have their indentation.
    pub fn lines(&mut self, lines: &str) {
        self.text += lines;
    }

    /// Writes `head {`, what `body` writes, and `}`.
    pub fn block(&mut self, head: impl Display, body: impl FnOnce(&mut Self)) {
        self.block_with_end(head, "}", body);
    }

    /// Writes `head {`, what `body` writes, and `end`.
    pub fn block_with_end(&mut self, head: impl Display, end: &str, body: impl FnOnce(&mut Self)) {
        self.line(format!("{head} {{").trim_start());
        self.depth += 1;
        body(self);
        self.depth -= 1;
        self.line(end);
    }

    /// Writes what `body` writes between guards that let a file have it only once.
    pub fn once(&mut self, guard: &str, body: impl FnOnce(&mut Self)) {
        self.line(format_args!("#ifndef {guard}"));
        self.line(format_args!("#define {guard}"));
        body(self);
        self.line("#endif");
    }

    /// The text so far.
    pub fn finish(self) -> String {
        self.text
    }
}
