//! The text of kernels as a tree of lines and blocks.

use std::iter::Peekable;

use super::line::{Line, ReadLine, Words};
use crate::source::TokenKind;

/// A sequence of nodes, by its place in the tree.
pub type Sequence = usize;

/// A node, by its place in the tree.
pub type NodeId = usize;

/// A statement or another piece of text that stays whole.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// The comment lines before it.
    pub comments: Vec<Line>,
    /// Its lines; those that open a block have what is in it, and an `if` is followed by its `else`.
    pub parts: Vec<(Line, Option<Sequence>)>,
    /// Whether a line is a directive, or is told something by one.
    pub is_fixed: bool,
    /// The macro that it calls, if it is such a call; its line begins behind the macro's name.
    pub call: Option<usize>,
}

/// Kernels and macros.
#[derive(Debug, Default)]
pub struct Tree {
    /// Names of the macros.
    pub macro_names: Vec<String>,
    /// The texts of numbers.
    pub words: Words,
    /// All nodes.
    pub nodes: Vec<Node>,
    /// All sequences.
    pub sequences: Vec<Vec<NodeId>>,
}

impl Tree {
    /// Adds a text whose blocks are lines `head {` and `}`, or `head(` and `)` with what follows.
    pub fn read(&mut self, text: &str) -> Sequence {
        self.read_block(&mut text.lines().map(str::trim_start).peekable(), |_| false)
    }

    /// Reads up to the line that ends the block.
    fn read_block<'a, L>(&mut self, lines: &mut Peekable<L>, is_end: fn(&str) -> bool) -> Sequence
    where
        L: Iterator<Item = &'a str>,
    {
        let mut sequence: Vec<NodeId> = Vec::new();
        let mut node = Node::default();
        while let Some(text) = lines.next_if(|text| !is_end(text)) {
            let ReadLine { line, kind, opened } = self.words.read(text);
            if kind == Some(TokenKind::Comment) {
                node.comments.push(line);
                continue;
            }
            let block = self.read_inner(opened, lines);
            if let Some(begun) = sequence.last().filter(|_| text == "else {" || text.starts_with(')')) {
                self.nodes[*begun].parts.push((line, block));
                continue;
            }
            node.parts.push((line, block));
            node.is_fixed |= matches!(kind, Some(TokenKind::Directive) | None);
            if text != "#pragma unroll" {
                sequence.push(self.add(std::mem::take(&mut node)));
            }
        }
        if !node.comments.is_empty() || !node.parts.is_empty() {
            sequence.push(self.add(Node { is_fixed: true, ..node }));
        }
        self.sequences.push(sequence);
        self.sequences.len() - 1
    }

    /// The block that such a bracket opens at the end of a line; the line behind a list in parentheses is left.
    fn read_inner<'a, L>(&mut self, opened: Option<char>, lines: &mut Peekable<L>) -> Option<Sequence>
    where
        L: Iterator<Item = &'a str>,
    {
        if opened == Some('(') {
            return Some(self.read_block(lines, |text| text.starts_with(')')));
        }
        (opened == Some('{')).then(|| {
            let block = self.read_block(lines, |text| text == "}");
            lines.next();
            block
        })
    }

    /// Adds a node that is in no sequence yet.
    pub fn add(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// Visits the nodes of a sequence and of all blocks in it, with the number of blocks around them.
    pub fn visit(&self, sequence: Sequence, depth: usize, visitor: &mut impl FnMut(&Node, usize)) {
        for node in self.sequences[sequence].iter().map(|node| &self.nodes[*node]) {
            visitor(node, depth);
            for block in node.parts.iter().filter_map(|(_, block)| *block) {
                self.visit(block, depth + 1, visitor);
            }
        }
    }

    /// The lines of a sequence; parameters have these names.
    pub fn lines(&self, sequence: Sequence, depth: usize, names: &[String], lines: &mut Vec<String>) {
        let push = |lines: &mut Vec<String>, text: String| {
            let is_indented = !text.is_empty() && !text.starts_with('#');
            lines.push(if is_indented { "    ".repeat(depth) + &text } else { text });
        };
        for node in self.sequences[sequence].iter().map(|node| &self.nodes[*node]) {
            node.comments.iter().for_each(|comment| push(lines, comment.text(&self.words, names)));
            let name = node.call.map_or("", |call| self.macro_names[call].as_str());
            for (line, block) in &node.parts {
                push(lines, name.to_owned() + &line.text(&self.words, names));
                if let Some(block) = block {
                    self.lines(*block, depth + 1, names, lines);
                    if line.texts.last().is_some_and(|text| text.ends_with('{')) {
                        push(lines, "}".to_owned());
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_gives_its_text_back() {
        let text = "void f(\n    int a\n) {\n    /* a */\n    if (a) {\n        b;\n    }\n    else {\n        c;\n    }\n#pragma unroll\n    \
                    for (;;) {\n        d;\n    }\n    /* last */\n}\n";
        let mut tree = Tree::default();
        let root = tree.read(text);
        let mut lines = Vec::new();
        tree.lines(root, 0, &[], &mut lines);
        assert_eq!(lines.join("\n") + "\n", text);
        assert_eq!(tree.sequences[root].len(), 1);
    }
}
