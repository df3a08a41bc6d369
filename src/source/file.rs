//! The file that the user gave, as bytes and lines.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::{FileId, Span};

/// The largest file that is read.
const MAX_BYTES: u64 = 32 << 20;

/// What messages call standard input.
pub const STANDARD_INPUT: &str = "<stdin>";

/// A source file in any encoding that extends ASCII, with any line ends, with or without a byte order mark.
#[derive(Clone, Debug)]
pub struct SourceFile {
    path: PathBuf,
    bytes: Vec<u8>,
    line_starts: Vec<usize>,
    place: Place,
    id: FileId,
}

/// Where other programs find the bytes of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// At its path.
    Disk,
    /// Nowhere: they came through a pipe, and go on through one.
    StandardInput,
    /// Nowhere: at its path is other text.
    Memory,
}

impl SourceFile {
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// What the operating system says when the file cannot be read; the file is too large, as `/dev/zero` is.
    pub fn read(path: impl Into<PathBuf>) -> io::Result<Self> {
        let path = path.into();
        let bytes = read_bounded(File::open(&path)?)?;
        Ok(Self::new(path, bytes))
    }

    /// Reads standard input to its end; the file has the name that compilers give it.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_standard_input() -> io::Result<Self> {
        let bytes = read_bounded(io::stdin().lock())?;
        Ok(Self { place: Place::StandardInput, ..Self::new(STANDARD_INPUT, bytes) })
    }

    /// Whether it can be read at no path.
    pub fn is_standard_input(&self) -> bool {
        self.place == Place::StandardInput
    }

    /// A file at `path` that holds `bytes`.
    pub fn new(path: impl Into<PathBuf>, bytes: Vec<u8>) -> Self {
        let after_newlines = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
        let line_starts = std::iter::once(0).chain(after_newlines).collect();
        Self { path: path.into(), bytes, line_starts, place: Place::Disk, id: FileId::default() }
    }

    /// The file as it would be with `bytes`, which are not what is at its path.
    pub fn with_bytes(&self, bytes: Vec<u8>) -> Self {
        let place = if self.is_standard_input() { Place::StandardInput } else { Place::Memory };
        Self { place, id: self.id, ..Self::new(&self.path, bytes) }
    }

    /// Whether its path holds other text.
    pub fn is_in_memory(&self) -> bool {
        self.place == Place::Memory
    }

    /// The same as another file of the program.
    #[must_use]
    pub fn with_id(self, id: FileId) -> Self {
        Self { id, ..self }
    }

    /// Which file of the program it is.
    pub fn id(&self) -> FileId {
        self.id
    }

    /// Where it was read from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its content, untouched.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The line, counted from 0, that holds the byte at `offset`.
    pub fn line_of(&self, offset: usize) -> usize {
        self.line_starts.partition_point(|start| *start <= offset) - 1
    }

    /// Line and column of `offset` as people count them, from 1; the column counts bytes.
    pub fn position(&self, offset: usize) -> (usize, usize) {
        let line = self.line_of(offset);
        (line + 1, offset - self.line_starts[line] + 1)
    }

    /// The bytes `start..end` of it.
    pub fn span(&self, start: usize, end: usize) -> Span {
        Span { file: self.id, start, end }
    }

    /// All of it.
    pub fn whole(&self) -> Span {
        self.span(0, self.bytes.len())
    }

    /// The bytes of a line, counted from 0, without its line end; empty behind the last line.
    pub fn line_span(&self, line: usize) -> Span {
        let Some(&start) = self.line_starts.get(line) else { return self.span(self.bytes.len(), self.bytes.len()) };
        let next = self.line_starts.get(line + 1).copied().unwrap_or(self.bytes.len());
        let text = &self.bytes[start..next];
        let text = text.strip_suffix(b"\n").unwrap_or(text);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        self.span(start, start + text.len())
    }

    /// The text of `span`, with what is not UTF-8 read as Latin-1.
    pub fn text(&self, span: Span) -> Cow<'_, str> {
        let bytes = &self.bytes[span.start.min(self.bytes.len())..span.end.min(self.bytes.len())];
        match std::str::from_utf8(bytes) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => Cow::Owned(bytes.iter().map(|byte| char::from(*byte)).collect()),
        }
    }
}

fn read_bounded(stream: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stream.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "it has more than 32 MiB; split it"));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_the_offsets_of_the_original_bytes() {
        let file = SourceFile::new("a.c", b"\xef\xbb\xbfint a;\r\n// caf\xe9\r\nint b;".to_vec());
        assert_eq!(file.line_starts.len(), 3);
        assert_eq!(file.text(file.line_span(1)), "// caf\u{e9}");
        assert_eq!(file.position(file.line_span(2).start + 4), (3, 5));
        assert_eq!(file.line_span(9).start, file.bytes().len());
    }
}
