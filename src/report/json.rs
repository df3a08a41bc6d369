//! Diagnostics for machines: JSON lines.
#![doc = include_str!("json.md")]

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;

use crate::source::{Diagnostic, Files, Label, Severity, SourceFile, Span};

/// Version of the format; it changes when a field changes its meaning or goes.
const VERSION: u32 = 1;

/// A line.
#[derive(Serialize)]
struct JsonDiagnostic<'a> {
    version: u32,
    severity: &'static str,
    code: &'a str,
    message: &'a str,
    file: Option<String>,
    start: Option<Position>,
    end: Option<Position>,
    label: &'a str,
    labels: Vec<JsonLabel<'a>>,
    help: &'a [String],
}

/// A further place.
#[derive(Serialize)]
struct JsonLabel<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    start: Position,
    end: Position,
    message: &'a str,
}

/// Lines and columns count from 1, bytes from 0.
#[derive(Serialize)]
struct Position {
    line: usize,
    column: usize,
    byte: usize,
}

/// Writes one JSON object and a newline for each diagnostic.
pub fn write(files: &Files<'_>, diagnostics: &[Diagnostic], output: &mut impl Write) -> io::Result<()> {
    diagnostics.iter().try_for_each(|diagnostic| write_line(&in_files(files, diagnostic), output))
}

/// Writes an error that is not about a place in a text; `file` is the one that it is about, if it is about one.
pub fn write_failure(
    code: &str,
    message: &str,
    file: Option<&Path>,
    help: &[String],
    output: &mut impl Write,
) -> io::Result<()> {
    let file = file.map(|path| path.display().to_string());
    let (severity, label, labels) = ("error", "", Vec::new());
    write_line(
        &JsonDiagnostic {
            version: VERSION,
            severity,
            code,
            message,
            file,
            start: None,
            end: None,
            label,
            labels,
            help,
        },
        output,
    )
}

fn in_files<'a>(files: &Files<'_>, diagnostic: &'a Diagnostic) -> JsonDiagnostic<'a> {
    let primary = diagnostic.primary.span;
    let (start, end) = places(files, primary);
    let labels = diagnostic.secondary.iter().map(|Label { span, message }| {
        let (start, end) = places(files, *span);
        let file = (span.file != primary.file).then(|| name(files.file_of(*span)));
        JsonLabel { file, start, end, message }
    });
    JsonDiagnostic {
        version: VERSION,
        severity: severity(diagnostic.severity),
        code: diagnostic.code,
        message: &diagnostic.message,
        file: Some(name(files.file_of(primary))),
        start: Some(start),
        end: Some(end),
        label: &diagnostic.primary.message,
        labels: labels.collect(),
        help: &diagnostic.help,
    }
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}

fn name(file: &SourceFile) -> String {
    file.path().display().to_string()
}

fn places(files: &Files<'_>, span: Span) -> (Position, Position) {
    let source = files.file_of(span);
    let position = |byte| {
        let (line, column) = source.position(byte);
        Position { line, column, byte }
    };
    (position(span.start), position(span.end))
}

fn write_line(diagnostic: &JsonDiagnostic<'_>, output: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer(&mut *output, diagnostic)?;
    output.write_all(b"\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::FileId;
    use serde_json::{Value, json};

    fn value(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> Value {
        let mut text = Vec::new();
        write(&mut text).expect("a vector can be written");
        serde_json::from_slice(&text).expect("JSON")
    }

    #[test]
    fn a_place_has_a_start_and_an_end() {
        let source = SourceFile::new("a.c", b"int a;\nint b;\n".to_vec());
        let diagnostic = Diagnostic::error("rule", "b is wrong", Span::new(11, 12))
            .because("here")
            .with_label(Span::new(4, 14), "both")
            .with_help("mend b");
        let place = |line, column, byte| json!({ "line": line, "column": column, "byte": byte });
        let expected = json!({
            "version": 1, "severity": "error", "code": "rule", "message": "b is wrong", "file": "a.c",
            "start": place(2, 5, 11), "end": place(2, 6, 12), "label": "here",
            "labels": [{ "start": place(1, 5, 4), "end": place(3, 1, 14), "message": "both" }],
            "help": ["mend b"],
        });
        assert_eq!(value(|output| write(&Files::new(&source), &[diagnostic], output)), expected);
    }

    #[test]
    fn a_label_says_which_other_file_it_is_in() {
        let main = SourceFile::new("a.c", b"step(a);\n".to_vec());
        let other = SourceFile::new("b.c", b"\nvoid step(int a) { }\n".to_vec()).with_id(FileId::new(1));
        let diagnostic = Diagnostic::error("rule", "this call does nothing", main.span(0, 7))
            .with_label(other.span(1, 5), "defined here")
            .with_label(main.span(5, 6), "its argument");
        let written = value(|output| write(&Files::new(&main).with(&other), &[diagnostic], output));
        assert_eq!((&written["file"], &written["labels"][0]["file"]), (&json!("a.c"), &json!("b.c")));
        assert_eq!(written["labels"][0]["start"], json!({ "line": 2, "column": 1, "byte": 1 }));
        assert_eq!(written["labels"][1].get("file"), None);
    }

    #[test]
    fn a_failure_has_the_same_fields_without_a_place() {
        let expected = json!({
            "version": 1, "severity": "error", "code": "file", "message": "cannot read a.c", "file": "a.c",
            "start": null, "end": null, "label": "", "labels": [], "help": [],
        });
        let path = Some(Path::new("a.c"));
        assert_eq!(value(|output| write_failure("file", "cannot read a.c", path, &[], output)), expected);
    }
}
