//! Byte ranges of the files that the user gave.

/// One of the files that the user gave, a unit of compilation; the default is the one that is being rewritten.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(u16);

impl FileId {
    /// The file of that number, counted from 0 for the one that is being rewritten.
    pub fn new(number: u16) -> Self {
        Self(number)
    }
}

/// A half-open byte range `start..end` of the original, not preprocessed, input file.
///
/// Text that macros produced carries the span of the macro's use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The range `start..end`.
    pub fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// The smallest span that holds both.
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}
