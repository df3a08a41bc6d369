//! A file that is changed before it is translated.

use super::edit::Edits;
use crate::source::{Diagnostic, SourceFile, moved};

/// A file as it is translated, and what was changed for that.
pub struct Changed {
    /// It.
    pub source: SourceFile,
    edits: Edits,
}

impl Changed {
    /// A file with these edits made.
    pub fn new(source: &SourceFile, edits: Edits) -> Self {
        Self { source: source.with_bytes(edits.apply(source.bytes())), edits }
    }

    /// Diagnostics with their places in the file as it was.
    pub fn in_given_file(&self, diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
        moved(diagnostics, self.source.id(), |span| {
            let start = self.offset(span.start);
            span.at(start, self.offset(span.end).max(start))
        })
    }

    /// The offset in the file as it was; of what was put in, that before which it stands.
    pub fn offset(&self, offset: usize) -> usize {
        let (mut here, mut there) = (0, 0);
        for edit in self.edits.iter() {
            let kept = edit.span.start - there;
            if offset < here + kept {
                break;
            }
            (here, there) = (here + kept, edit.span.start);
            if offset < here + edit.text.len() {
                return there;
            }
            (here, there) = (here + edit.text.len(), edit.span.end);
        }
        there + (offset - here)
    }
}
