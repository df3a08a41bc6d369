//! Edits as data.

use crate::source::{FileId, Span};

/// Replaces the bytes of `span` by `text`; an empty span inserts before `span.start`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced, and in which original file.
    pub span: Span,
    /// What stands there afterwards.
    pub text: Vec<u8>,
}

/// Edits of one file, sorted and disjoint.
///
/// Insertions at one place stay in the order in which they were added.
#[derive(Clone, Debug, Default)]
pub struct Edits {
    file: FileId,
    edits: Vec<Edit>,
}

impl Edits {
    /// None yet, of that file.
    pub fn of(file: FileId) -> Self {
        Self { file, edits: Vec::new() }
    }

    /// Adds an edit.
    ///
    /// # Panics
    /// If it is in another file, or overlaps another: two nests of a file never share bytes, so that is a mistake of the
    /// program.
    pub fn push(&mut self, span: Span, text: impl Into<Vec<u8>>) {
        assert_eq!(span.file, self.file, "an edit is in the file of its edits");
        let place = self.edits.partition_point(|edit| (edit.span.start, edit.span.end) <= (span.start, span.end));
        let is_after_previous = place == 0 || self.edits[place - 1].span.end <= span.start;
        let is_before_next = self.edits.get(place).is_none_or(|next| span.end <= next.span.start);
        assert!(is_after_previous && is_before_next, "the edit at {span:?} overlaps another");
        self.edits.insert(place, Edit { span, text: text.into() });
    }

    /// Adds text before the byte at `offset`.
    pub fn insert(&mut self, offset: usize, text: impl Into<Vec<u8>>) {
        self.push(Span { file: self.file, start: offset, end: offset }, text);
    }

    /// The edits in order of their places.
    pub fn iter(&self) -> impl Iterator<Item = &Edit> {
        self.edits.iter()
    }

    /// Lets `change` change what each edit puts at its offset.
    pub fn change_texts(&mut self, change: impl Fn(usize, &mut Vec<u8>)) {
        self.edits.iter_mut().for_each(|edit| change(edit.span.start, &mut edit.text));
    }

    /// The text with all edits made, back to front so that no edit moves another's place.
    pub fn apply(&self, original: &[u8]) -> Vec<u8> {
        let mut text = original.to_vec();
        for edit in self.edits.iter().rev() {
            text.splice(edit.span.start..edit.span.end, edit.text.iter().copied());
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_applied_at_their_original_places_in_any_order_of_adding() {
        let mut edits = Edits::default();
        edits.push(Span::new(6, 9), "XY");
        edits.push(Span::new(0, 1), "long ");
        edits.insert(9, "!");
        assert_eq!(edits.apply(b"012345678 tail"), b"long 12345XY! tail");
    }

    #[test]
    fn insertions_at_one_place_keep_their_order() {
        let mut edits = Edits::default();
        edits.insert(1, "b");
        edits.insert(1, "c");
        edits.push(Span::new(1, 2), "d");
        assert_eq!(edits.apply(b"a?e"), b"abcde");
    }

    #[test]
    fn bytes_that_are_not_utf8_survive() {
        let mut edits = Edits::default();
        edits.insert(2, ";");
        assert_eq!(edits.apply(b"\xe9\r\n\xff"), b"\xe9\r;\n\xff");
    }

    #[test]
    fn edits_of_another_file_say_so() {
        let file = FileId::new(1);
        let mut edits = Edits::of(file);
        edits.insert(1, "b");
        edits.push(Span { file, start: 1, end: 2 }, "c");
        assert!(edits.iter().all(|edit| edit.span.file == file));
        assert_eq!(edits.apply(b"a?"), b"abc");
    }
}
