//! The texts of the program's other files, which follow that of the user's: of long runs of blanks, which what is blanked of headers
//! leaves, one line's end is left. So there is less to read, to compare and to copy.

use std::ops::Range;
use std::sync::Arc;

/// So many blanks in a row are left.
const MANY: usize = 256;

/// Where the text of another file is.
#[derive(Clone, Debug)]
pub struct Section {
    /// Its first byte.
    pub start: usize,
    /// How many bytes it has.
    pub length: usize,
    /// Behind which of its bytes something was cut out, with how much was up to there in all; in order.
    cuts: Arc<[(usize, usize)]>,
}

impl Section {
    /// Where it is.
    pub fn range(&self) -> Range<usize> {
        self.start..self.start + self.length
    }

    /// Where a byte of the text was in the file's own preprocessed text.
    pub fn original(&self, offset: usize) -> usize {
        let offset = offset - self.start;
        let before = self.cuts.partition_point(|(at, _)| *at < offset);
        offset + before.checked_sub(1).map_or(0, |last| self.cuts[last].1)
    }
}

/// A text whose long runs of blanks are cut.
pub struct Squeezed {
    /// What is left.
    pub text: Vec<u8>,
    /// Its files beside the first one.
    pub sections: Vec<Section>,
    /// What was cut out, as ranges of the text before, with where their first byte would be now.
    cuts: Vec<(Range<usize>, usize)>,
}

impl Squeezed {
    /// Of a text in which files begin at `starts`, each behind one byte that is none of theirs; what is before them is left as it is.
    pub fn new(text: &[u8], starts: &[usize]) -> Self {
        let first = starts.first().map_or(text.len(), |start| start - 1);
        let mut squeezed = Self { text: text[..first].to_vec(), sections: Vec::new(), cuts: Vec::new() };
        let ends = starts.iter().skip(1).map(|start| start - 1).chain([text.len()]);
        for (start, end) in starts.iter().zip(ends) {
            squeezed.text.push(text[start - 1]);
            squeezed.add(text, *start..end);
        }
        squeezed
    }

    /// Adds a file.
    fn add(&mut self, text: &[u8], file: Range<usize>) {
        let (start, mut cuts, mut removed) = (self.text.len(), Vec::new(), 0);
        let mut at = file.start;
        while at < file.end {
            let is_blank = text[at].is_ascii_whitespace();
            let rest = &text[at..file.end];
            let end = at + rest.iter().position(|it| it.is_ascii_whitespace() != is_blank).unwrap_or(rest.len());
            if is_blank && end - at > MANY {
                self.text.push(b'\n');
                removed += end - at - 1;
                self.cuts.push((at + 1..end, self.text.len()));
                cuts.push((self.text.len() - 1 - start, removed));
            } else {
                self.text.extend_from_slice(&text[at..end]);
            }
            at = end;
        }
        self.sections.push(Section { start, length: self.text.len() - start, cuts: cuts.into() });
    }

    /// Where a byte of the text before is now; of what was cut out, the line's end that is left.
    pub fn moved(&self, offset: usize) -> usize {
        let before = self.cuts.partition_point(|(cut, _)| cut.start <= offset);
        let Some((cut, at)) = before.checked_sub(1).map(|last| &self.cuts[last]) else { return offset };
        if cut.contains(&offset) { at - 1 } else { offset - cut.end + at }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_in_a_squeezed_text_are_those_of_the_text_before() {
        let (blanks, few) = (" ".repeat(MANY + 1), "\n".repeat(MANY));
        let files = [format!("a{blanks}b"), format!("{blanks}c{few}d{blanks}e{blanks}"), String::new(), "f".to_owned()];
        let text = files.join("\n");
        let mut starts = Vec::new();
        files.iter().fold(0, |at, file| {
            starts.push(at);
            at + file.len() + 1
        });
        let squeezed = Squeezed::new(text.as_bytes(), &starts[1..]);
        let expected = format!("{}\n\nc{few}d\ne\n\n\nf", files[0]);
        assert_eq!(String::from_utf8_lossy(&squeezed.text), expected);
        let lengths: Vec<usize> = squeezed.sections.iter().map(|it| it.length).collect();
        assert_eq!(lengths, [MANY + 6, 0, 1]);
        for (at, byte) in text.bytes().enumerate().filter(|(_, byte)| !byte.is_ascii_whitespace()) {
            let moved = squeezed.moved(at);
            assert_eq!(squeezed.text[moved], byte, "{}", byte as char);
            let section = squeezed.sections.iter().zip(&starts[1..]).find(|(it, _)| it.range().contains(&moved));
            assert_eq!(section.map_or(moved, |(it, start)| it.original(moved) + start), at);
        }
        assert_eq!(squeezed.moved(starts[1] + 9), files[0].len() + 1);
    }
}
