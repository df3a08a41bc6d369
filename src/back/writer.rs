//! The one place that knows about indentation.

use std::fmt::Display;

/// Collects lines of C-like text.
#[derive(Debug, Default)]
pub struct Writer {
    text: String,
    depth: usize,
}

impl Writer {
    /// Writes one line; an empty one gets no indentation, a preprocessor directive none either.
    pub fn line(&mut self, line: impl Display) {
        let line = line.to_string();
        if !line.is_empty() && !line.starts_with('#') {
            self.text.push_str(&"    ".repeat(self.depth));
        }
        self.text.push_str(&line);
        self.text.push('\n');
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
