//! Text that is put into the preprocessed text before it is parsed once more.

use std::ops::Range;

use crate::front::tree::Unit;

/// What the time loop that is put into the text counts up to.
pub const END: &str = "stencil_end";
/// What it counts with where the host's own loop does not count.
pub const COUNTER: &str = "stencil_step";

/// Text to put before an offset.
pub struct Insertion<'i> {
    /// The offset.
    pub at: usize,
    /// What is put there; no line.
    pub text: &'i str,
}

impl Unit<'_> {
    /// Puts texts into the unit's; all that it knows of places moves with them. The places are in ascending order.
    pub fn insert(&mut self, insertions: &[Insertion]) {
        for Insertion { at, text } in insertions.iter().rev() {
            self.text.insert_str(*at, text);
            self.inserted.insert(0, (*at, text.len()));
            let moved = |offset: usize| if offset >= *at { offset + text.len() } else { offset };
            self.pragmas.iter_mut().for_each(|(offset, _)| *offset = moved(*offset));
            self.constructs.iter_mut().for_each(|construct| construct.at = moved(construct.at));
            self.gaps.iter_mut().for_each(|offset| *offset = moved(*offset));
            self.sections.iter_mut().for_each(|section| section.start = moved(section.start));
            self.plain_types = std::mem::take(&mut self.plain_types).into_iter().map(|(k, v)| (moved(k), v)).collect();
            self.type_attributes = self.type_attributes.iter().map(|offset| moved(*offset)).collect();
            self.packing.shift(moved);
            for range in self.extents.iter_mut().flat_map(|(.., ranges)| ranges) {
                *range = moved(range.start)..moved(range.end);
            }
        }
    }

    /// Blanks a piece of the text, so that all else stays where it is.
    pub fn blank(&mut self, range: Range<usize>) {
        let blanks: String =
            self.text[range.clone()].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect();
        self.text.replace_range(range, &blanks);
    }

    /// Whether the text at `offset` was put in.
    pub fn is_put_in(&self, offset: usize) -> bool {
        let mut before = 0;
        self.inserted.iter().any(|(at, length)| {
            let start = at + before;
            before += length;
            (start..start + length).contains(&offset)
        })
    }

    /// Where the text at `offset` was before something was put in; inside that, where it was put.
    pub fn original(&self, offset: usize) -> usize {
        let mut before = 0;
        for (at, length) in &self.inserted {
            let start = at + before;
            if offset < start + length {
                return (offset - before).min(*at);
            }
            before += length;
        }
        offset - before
    }
}
