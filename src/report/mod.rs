//! Diagnostics on their way to the user, one module per format.

mod dump;
mod human;
pub mod json;
mod plans;

use std::io::{self, Write};

pub use dump::{Dump, write_dump};

use crate::source::{Diagnostic, Severity, SourceFile};

/// A form of diagnostics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Source lines with marks and remedies.
    #[default]
    Human,
    /// A JSON object a line.
    Json,
}

/// How diagnostics are told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Manner {
    /// Their form.
    pub format: Format,
    /// Whether notes are left out.
    pub is_quiet: bool,
}

/// Writes `diagnostics` of `source` in order of their places, the file's first lines first.
///
/// # Errors
/// When `output` cannot be written.
pub fn write_diagnostics(
    manner: Manner,
    source: &SourceFile,
    diagnostics: &[Diagnostic],
    has_colours: bool,
    output: &mut impl Write,
) -> io::Result<()> {
    let is_told = |diagnostic: &&Diagnostic| !manner.is_quiet || diagnostic.severity > Severity::Note;
    let mut sorted: Vec<Diagnostic> = diagnostics.iter().filter(is_told).cloned().collect();
    sorted.sort_by_key(|diagnostic| diagnostic.primary.span.start);
    match manner.format {
        Format::Human => human::write(source, &sorted, has_colours, output),
        Format::Json => json::write(source, &sorted, output),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Span;

    fn written(format: Format) -> String {
        let source = SourceFile::new("a.c", b"int a;\nint b;\n".to_vec());
        let late = Diagnostic::error("late", "b is wrong", Span::new(11, 12)).with_help("mend b");
        let early = Diagnostic::warning("early", "a is odd", Span::new(4, 5));
        let mut text = Vec::new();
        let manner = Manner { format, is_quiet: false };
        write_diagnostics(manner, &source, &[late, early], false, &mut text).expect("a vector can be written");
        String::from_utf8(text).expect("reports are UTF-8")
    }

    #[test]
    fn quiet_leaves_out_notes_and_nothing_else() {
        let source = SourceFile::new("a.c", b"int a;\n".to_vec());
        let span = Span::new(0, 3);
        let all = [
            Diagnostic::note("n", "a note", span),
            Diagnostic::warning("w", "a warning", span),
            Diagnostic::error("e", "an error", span),
        ];
        let mut text = Vec::new();
        let manner = Manner { format: Format::Json, is_quiet: true };
        write_diagnostics(manner, &source, &all, false, &mut text).expect("a vector can be written");
        let text = String::from_utf8(text).expect("reports are UTF-8");
        assert!(!text.contains("a note") && text.contains("a warning") && text.contains("an error"), "{text}");
    }

    #[test]
    fn people_read_places_and_remedies_in_the_order_of_the_file() {
        let text = written(Format::Human);
        let places = ["a is odd", "a.c:1:5", "b is wrong", "a.c:2:5", "mend b"].map(|part| text.find(part));
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{text}");
    }

    #[test]
    fn machines_read_one_object_a_line() {
        let text = written(Format::Json);
        let objects: Vec<serde_json::Value> =
            text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert_eq!(objects.len(), 2);
        assert_eq!((&objects[0]["code"], &objects[1]["code"]), (&"early".into(), &"late".into()));
        assert_eq!(objects[1]["start"]["line"], 2);
    }
}
