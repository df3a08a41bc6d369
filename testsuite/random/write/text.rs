//! Lines with indentation.

/// A text under construction.
#[derive(Default, PartialEq, Eq)]
pub struct Text {
    lines: Vec<String>,
    depth: usize,
}

impl Text {
    /// A text that will stand in the braces of a function.
    pub fn inside() -> Self {
        Self { lines: Vec::new(), depth: 1 }
    }

    /// One more line at the present depth.
    pub fn line(&mut self, line: String) {
        self.lines.push(format!("{}{line}", "    ".repeat(self.depth)));
    }

    pub fn blank(&mut self) {
        self.lines.push(String::new());
    }

    /// A line at the left margin.
    pub fn directive(&mut self, line: &str) {
        self.lines.push(line.to_string());
    }

    /// All lines of another text, as they are.
    pub fn append(&mut self, other: &Self) {
        self.lines.extend_from_slice(&other.lines);
    }

    /// Whether a name stands in it.
    pub fn has_word(&self, name: &str) -> bool {
        let is_end = |c: char| !c.is_ascii_alphanumeric() && c != '_';
        self.lines.iter().any(|line| line.split(is_end).any(|word| word == name))
    }

    /// `head` and an opening brace; a function's stands on its own line.
    pub fn open(&mut self, head: String) {
        if self.depth == 0 {
            self.line(head);
            self.line("{".to_string());
        } else {
            self.line(format!("{head} {{"));
        }
        self.depth += 1;
    }

    /// A block of its own within a function.
    pub fn open_block(&mut self) {
        self.line("{".to_string());
        self.depth += 1;
    }

    pub fn close(&mut self) {
        self.close_with("");
    }

    /// A closing brace with what ends the line.
    pub fn close_with(&mut self, end: &str) {
        self.depth -= 1;
        self.line(format!("}}{end}"));
    }

    /// A head whose body is the one statement that follows, without braces.
    pub fn open_bare(&mut self, head: String) {
        self.line(head);
        self.depth += 1;
    }

    pub fn close_bare(&mut self) {
        self.depth -= 1;
    }

    pub fn finish(self) -> String {
        self.lines.join("\n") + "\n"
    }
}
