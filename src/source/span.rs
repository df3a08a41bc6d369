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

/// A half-open byte range `start..end` of an original, not preprocessed, input file.
///
/// Text that macros produced carries the span of the macro's use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The range `start..end` of the file that is being rewritten, or of a text that is in no file.
    pub fn new(start: usize, end: usize) -> Self {
        Self { file: FileId::default(), start, end }
    }

    /// The range `start..end` of the same file.
    pub fn at(self, start: usize, end: usize) -> Self {
        Self { start, end, ..self }
    }

    /// The smallest span that holds both, which are in one file.
    pub fn to(self, other: Self) -> Self {
        self.at(self.start.min(other.start), self.end.max(other.end))
    }
}
