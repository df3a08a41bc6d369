//! The syntax tree of the preprocessed text.

use tree_sitter::{Node, Parser, Tree};

use crate::source::{Preprocessed, SourceFile, Span, is_marker};

/// Text that is ready to be parsed as plain C, with the marks that were taken out of it.
pub struct Unit<'s> {
    /// The user's file.
    pub source: &'s SourceFile,
    /// Its preprocessed form.
    pub preprocessed: &'s Preprocessed,
    /// The preprocessed text with line markers, pragmas and compiler extensions blanked; offsets are the same.
    pub text: String,
    /// Offset in `text` of each stencil pragma and what follows the word `stencil` on its line.
    pub pragmas: Vec<(usize, String)>,
}

impl<'s> Unit<'s> {
    /// Prepares the preprocessed text of `source`.
    pub fn new(source: &'s SourceFile, preprocessed: &'s Preprocessed) -> Self {
        let mut text = preprocessed.text().as_bytes().to_vec();
        let mut pragmas = Vec::new();
        let mut start = 0;
        for line in preprocessed.text().split_inclusive('\n') {
            if let Some(words) = stencil_pragma(line) {
                pragmas.push((start, words.to_owned()));
            }
            if is_marker(line) || pragma(line).is_some() {
                blank(&mut text[start..start + line.len()]);
            }
            start += line.len();
        }
        blank_extensions(&mut text);
        let text = String::from_utf8(text).expect("blanking keeps UTF-8");
        Self { source, preprocessed, text, pragmas }
    }

    /// Parses the text.
    pub fn parse(&self) -> Option<Tree> {
        let mut parser = Parser::new();
        parser.set_language(&tree_sitter_c::LANGUAGE.into()).ok()?;
        parser.parse(&self.text, None)
    }

    /// The text of `node`.
    pub fn text(&self, node: Node) -> &str {
        &self.text[node.byte_range()]
    }

    /// Where `node` stands in the user's file.
    pub fn span(&self, node: Node) -> Span {
        self.preprocessed.span(self.source, node.start_byte(), node.end_byte())
    }
}

/// What follows `#pragma` on a line.
fn pragma(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("pragma")
}

/// What follows `#pragma stencil` on a line.
pub fn stencil_pragma(line: &str) -> Option<&str> {
    let words = pragma(line)?.trim_start().strip_prefix("stencil")?;
    let is_word_end = !words.starts_with(|next: char| next.is_alphanumeric() || next == '_');
    is_word_end.then(|| words.trim())
}

fn blank(bytes: &mut [u8]) {
    bytes.iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
}

/// Writes spaces over the extensions of GNU headers that the grammar may stumble over.
fn blank_extensions(text: &mut [u8]) {
    let mut at = 0;
    while let Some(found) = find(text, at, b"__") {
        let end =
            found + text[found..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
        let is_word_start = found == 0 || !(text[found - 1].is_ascii_alphanumeric() || text[found - 1] == b'_');
        at = end.max(found + 2);
        if !is_word_start {
            continue;
        }
        match &text[found..end] {
            b"__attribute__" | b"__attribute" => {
                at = closing_parenthesis(text, end);
                blank(&mut text[found..at]);
            }
            b"__extension__" | b"__inline" | b"__inline__" => blank(&mut text[found..end]),
            b"__restrict" | b"__restrict__" | b"__const" | b"__const__" | b"__volatile__" | b"__signed__" => {
                plain_spelling(&mut text[found..end]);
            }
            _ => {}
        }
    }
}

/// Turns `__word__` into `word`, filled up with spaces.
fn plain_spelling(word: &mut [u8]) {
    let plain: Vec<u8> = word.iter().copied().filter(|byte| *byte != b'_').collect();
    blank(word);
    word[..plain.len()].copy_from_slice(&plain);
}

fn find(text: &[u8], from: usize, needle: &[u8]) -> Option<usize> {
    text[from..].windows(needle.len()).position(|window| window == needle).map(|at| from + at)
}

/// The place behind the parenthesis that closes the next one.
fn closing_parenthesis(text: &[u8], from: usize) -> usize {
    let mut depth = 0;
    for (step, byte) in text[from..].iter().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' if depth <= 1 => return from + step + 1,
            b')' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

/// The named children of `node` without comments.
pub fn children<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|child| child.kind() != "comment").collect()
}

/// The children of `node` in the field `name`.
pub fn fields<'t>(node: Node<'t>, name: &str) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.children_by_field_name(name, &mut cursor).collect()
}

/// `node` without parentheses around it.
pub fn strip_parentheses(mut node: Node) -> Node {
    while node.kind() == "parenthesized_expression" {
        match node.named_child(0) {
            Some(inner) => node = inner,
            None => return node,
        }
    }
    node
}

/// Calls `visit` for `node` and everything below it, parents first, as long as it returns true for the parent.
pub fn walk<'t>(node: Node<'t>, visit: &mut impl FnMut(Node<'t>) -> bool) {
    if visit(node) {
        for child in children(node) {
            walk(child, visit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_pragmas_and_extensions_are_blanked_in_place() {
        let source = SourceFile::new("a.c", Vec::new());
        let text = "# 1 \"a.c\"\nextern int f (int *__restrict p) __attribute__ ((a (1))) ;\n#pragma stencil tile(4)\n";
        let preprocessed = Preprocessed::new(text.as_bytes().to_vec(), &source);
        let unit = Unit::new(&source, &preprocessed);
        assert_eq!(unit.text.len(), text.len());
        assert!(unit.text.contains("int *restrict   p)"), "{}", unit.text);
        assert!(!unit.text.contains("attribute") && !unit.text.contains('#'));
        assert_eq!(unit.pragmas, [(text.find("#pragma").unwrap(), "tile(4)".to_owned())]);
        assert!(!unit.parse().unwrap().root_node().has_error());
    }
}
