//! The files that spans are in.

use super::{SourceFile, Span};

/// The files of a program that diagnostics and results may be about: the one that is being rewritten, and those that were
/// read beside it.
#[derive(Clone, Debug)]
pub struct Files<'a> {
    main: &'a SourceFile,
    others: Vec<&'a SourceFile>,
}

impl<'a> Files<'a> {
    /// `main` alone, the file that is being rewritten.
    pub fn new(main: &'a SourceFile) -> Self {
        Self { main, others: Vec::new() }
    }

    /// The same with another file.
    ///
    /// # Panics
    /// If it has the number of one that is there: spans could not tell the two apart.
    #[must_use]
    pub fn with(mut self, other: &'a SourceFile) -> Self {
        assert!(self.iter().all(|file| file.id() != other.id()), "two files are {:?}", other.id());
        self.others.push(other);
        self
    }

    /// The file that is being rewritten.
    pub fn main(&self) -> &'a SourceFile {
        self.main
    }

    /// The files that were read beside it.
    pub fn others(&self) -> impl Iterator<Item = &'a SourceFile> {
        self.others.iter().copied()
    }

    /// All files, the one that is being rewritten first.
    pub fn iter(&self) -> impl Iterator<Item = &'a SourceFile> {
        std::iter::once(self.main).chain(self.others())
    }

    /// The place among [all files](Self::iter) of the one that `span` is in.
    ///
    /// # Panics
    /// If none has its number: whoever reads a file for its spans adds it.
    pub fn index_of(&self, span: Span) -> usize {
        let index = self.iter().position(|file: &SourceFile| file.id() == span.file);
        index.expect("a span is in one of the program's files")
    }

    /// The file that `span` is in.
    ///
    /// # Panics
    /// As [`index_of`](Self::index_of).
    pub fn file_of(&self, span: Span) -> &'a SourceFile {
        self.index_of(span).checked_sub(1).map_or(self.main, |other| self.others[other])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::FileId;

    #[test]
    fn a_span_finds_its_file() {
        let main = SourceFile::new("a.c", b"int a;\n".to_vec());
        let other = SourceFile::new("b.c", b"\nint b;\n".to_vec()).with_id(FileId::new(7));
        let files = Files::new(&main).with(&other);
        assert_eq!(files.file_of(main.line_span(0)).path(), main.path());
        assert_eq!(files.file_of(other.line_span(1)).text(other.line_span(1)), "int b;");
        assert_ne!(main.span(0, 1), other.span(0, 1));
    }
}
