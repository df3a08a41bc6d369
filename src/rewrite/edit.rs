//! Edits as data.

use crate::source::Span;

/// Replaces the bytes of `span` by `text`; an empty span inserts before `span.start`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced, in the original file.
    pub span: Span,
    /// What stands there afterwards.
    pub text: Vec<u8>,
}

/// Edits of one file, sorted and disjoint.
///
/// Insertions at one place stay in the order in which they were added.
#[derive(Clone, Debug, Default)]
pub struct Edits {
    edits: Vec<Edit>,
}

impl Edits {
    /// Adds an edit.
    ///
    /// # Panics
    /// If it overlaps another: two nests of a file never share bytes, so that is a mistake of the program.
    pub fn push(&mut self, span: Span, text: impl Into<Vec<u8>>) {
        let place = self.edits.partition_point(|edit| (edit.span.start, edit.span.end) <= (span.start, span.end));
        let is_after_previous = place == 0 || self.edits[place - 1].span.end <= span.start;
        let is_before_next = self.edits.get(place).is_none_or(|next| span.end <= next.span.start);
        assert!(is_after_previous && is_before_next, "the edit at {span:?} overlaps another");
        self.edits.insert(place, Edit { span, text: text.into() });
    }

    /// Adds text before the byte at `offset`.
    pub fn insert(&mut self, offset: usize, text: impl Into<Vec<u8>>) {
        self.push(Span::new(offset, offset), text);
    }

    /// The edits in order of their places.
    pub fn iter(&self) -> impl Iterator<Item = &Edit> {
        self.edits.iter()
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
}
