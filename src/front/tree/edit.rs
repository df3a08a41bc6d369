//! What makes one text of another, so that only that is parsed anew.

use tree_sitter::{InputEdit, Point, Tree};

/// What stands between the beginning and the end that two texts have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edit {
    start: usize,
    old_end: usize,
    new_end: usize,
}

impl Edit {
    /// What makes `new` of `old`.
    pub fn between(old: &str, new: &str) -> Self {
        let (old, new) = (old.as_bytes(), new.as_bytes());
        let start = beginning(old, new);
        let end = ending(&old[start..], &new[start..]);
        Self { start, old_end: old.len() - end, new_end: new.len() - end }
    }

    /// How many bytes are new.
    pub fn length(&self) -> usize {
        self.new_end - self.start
    }

    /// The same with rows and columns, for the texts that it is between.
    fn input(self, old: &str, new: &str) -> InputEdit {
        let Self { start, old_end, new_end } = self;
        let (old, new) = (old.as_bytes(), new.as_bytes());
        let start_position = moved(Point::new(0, 0), &old[..start]);
        InputEdit {
            start_byte: start,
            old_end_byte: old_end,
            new_end_byte: new_end,
            start_position,
            old_end_position: moved(start_position, &old[start..old_end]),
            new_end_position: moved(start_position, &new[start..new_end]),
        }
    }
}

/// The tree of a text, ready to be taken for that of a new one where nothing has changed.
pub fn edited(tree: &Tree, old: &str, new: &str) -> Tree {
    let mut tree = tree.clone();
    tree.edit(&Edit::between(old, new).input(old, new));
    tree
}

/// So many bytes are compared at once.
const MANY: usize = 1024;

/// How many bytes two texts begin with in common.
fn beginning(one: &[u8], other: &[u8]) -> usize {
    let pieces = one.chunks(MANY).zip(other.chunks(MANY)).take_while(|(one, other)| one == other);
    let equal: usize = pieces.map(|(piece, _)| piece.len()).sum();
    let rest = one[equal..].iter().zip(&other[equal..]);
    equal + rest.take_while(|(one, other)| one == other).count()
}

/// How many bytes two texts end with in common.
fn ending(one: &[u8], other: &[u8]) -> usize {
    let pieces = one.rchunks(MANY).zip(other.rchunks(MANY)).take_while(|(one, other)| one == other);
    let equal: usize = pieces.map(|(piece, _)| piece.len()).sum();
    let rest = one[..one.len() - equal].iter().rev().zip(other[..other.len() - equal].iter().rev());
    equal + rest.take_while(|(one, other)| one == other).count()
}

/// The place behind a text that begins at `from`.
fn moved(from: Point, text: &[u8]) -> Point {
    let rows = text.iter().filter(|byte| **byte == b'\n').count();
    match text.iter().rposition(|byte| *byte == b'\n') {
        Some(last) => Point::new(from.row + rows, text.len() - last - 1),
        None => Point::new(from.row, from.column + text.len()),
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::*;
    use crate::front::tree::{Unit, nodes_in};
    use crate::source::{Preprocessed, SourceFile};

    #[test]
    fn an_edit_is_what_texts_do_not_have_in_common() {
        let edit = |old, new| {
            let InputEdit { start_byte, old_end_byte, new_end_byte, new_end_position: end, .. } =
                Edit::between(old, new).input(old, new);
            (start_byte, old_end_byte, new_end_byte, (end.row, end.column))
        };
        assert_eq!(edit("ab", "ab"), (2, 2, 2, (0, 2)));
        assert_eq!(edit("a\nbd", "a\nb\ncbd"), (3, 3, 6, (2, 2)));
        assert_eq!(edit("aaa", "aa"), (2, 3, 2, (0, 2)));
        let long = "x".repeat(3 * MANY);
        assert_eq!(
            edit(&format!("{long}a{long}"), &format!("{long}bc{long}")),
            (3 * MANY, 3 * MANY + 1, 3 * MANY + 2, (0, 3 * MANY + 2))
        );
    }

    fn nodes(tree: &Tree) -> Vec<(String, Range<usize>, bool)> {
        nodes_in(tree.root_node()).map(|it| (it.kind().to_owned(), it.byte_range(), it.has_error())).collect()
    }

    #[test]
    fn an_edited_text_has_the_tree_that_it_has_when_it_is_parsed_as_a_whole() {
        let blanks = " ".repeat(600);
        let source = SourceFile::new("a.c", Vec::new());
        let old = format!("int f(int *a) {{ int i; g(a); {blanks} if (a) return 1; else h(a); }}\n{blanks}int x;\n");
        for (from, to) in [
            ("g(a);", "long long e; for (; i < e; i++) { g(a); }"),
            ("g(a);", "     "),
            ("return 1; else", "{ return 1; } else"),
            ("int i;", "int (i);"),
            ("{ int i", "int i"),
            ("h(a); }", "/* "),
            ("int x;", "int x, y"),
            (blanks.as_str(), " "),
            ("int *a", "a, b"),
        ] {
            let new = old.replacen(from, to, 1);
            let [old, new] = [&old, &new].map(|text| Preprocessed::new(text.clone().into_bytes()));
            let [old, new] = [&old, &new].map(|it| Unit::new(&source, it));
            let before = old.parse_text(None).expect("a tree");
            let whole = new.parse_text(None).expect("a tree");
            let edited = new.parse_text(Some((&old.text, &before))).expect("a tree");
            assert_eq!(nodes(&edited), nodes(&whole), "{from} is {to}");
        }
    }
}
