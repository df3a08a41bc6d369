//! Diagnostics as text for people.

use codespan_reporting::diagnostic as shown;
use codespan_reporting::files::SimpleFiles;
use codespan_reporting::term::{Config, emit_into_string};

use super::{Diagnostic, Files, Label, Severity, SourceFile};

/// Draws `diagnostics` with the source lines they are about; `colour` adds terminal colours.
pub fn render(files: &Files<'_>, diagnostics: &[Diagnostic], colour: bool) -> String {
    let mut texts = SimpleFiles::new();
    for file in files.iter() {
        texts.add(file.path().display().to_string(), one_byte_a_character(file));
    }
    diagnostics.iter().map(|diagnostic| render_one(files, &texts, diagnostic, colour)).collect()
}

fn render_one(files: &Files<'_>, texts: &SimpleFiles<String, String>, diagnostic: &Diagnostic, colour: bool) -> String {
    let severity = match diagnostic.severity {
        Severity::Note => shown::Severity::Note,
        Severity::Warning => shown::Severity::Warning,
        Severity::Error => shown::Severity::Error,
    };
    let label = |style, Label { span, message }: &Label| {
        shown::Label::new(style, files.index_of(*span), span.start..span.end).with_message(message)
    };
    let first = label(shown::LabelStyle::Primary, &diagnostic.primary);
    let others = diagnostic.secondary.iter().map(|other| label(shown::LabelStyle::Secondary, other));
    let report = shown::Diagnostic::new(severity)
        .with_code(diagnostic.code)
        .with_message(&diagnostic.message)
        .with_labels(std::iter::once(first).chain(others).collect())
        .with_notes(diagnostic.help.iter().map(|help| format!("help: {help}")).collect());
    let config = Config { tab_width: 4, ..Config::default() };
    let text = emit_into_string(&config, texts, &report)
        .unwrap_or_else(|error| format!("{}: {} ({error})\n", diagnostic.code, diagnostic.message));
    if colour { coloured(&text, diagnostic.severity) } else { text }
}

/// Makes the first line stand out.
fn coloured(text: &str, severity: Severity) -> String {
    let code = match severity {
        Severity::Note => "1;36",
        Severity::Warning => "1;33",
        Severity::Error => "1;31",
    };
    match text.split_once('\n') {
        Some((head, rest)) => format!("\x1b[{code}m{head}\x1b[0m\n{rest}"),
        None => text.to_owned(),
    }
}

/// The file with as many bytes as the original, so that offsets hold; valid UTF-8 stays.
fn one_byte_a_character(source: &SourceFile) -> String {
    match std::str::from_utf8(source.bytes()) {
        Ok(text) => text.to_owned(),
        Err(_) => source.bytes().iter().map(|byte| if byte.is_ascii() { char::from(*byte) } else { '?' }).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{FileId, Span};

    #[test]
    fn a_diagnostic_shows_its_line_reason_and_remedy() {
        let source = SourceFile::new("a.c", b"int caf\xe9;\nx = 1;\n".to_vec());
        let diagnostic = Diagnostic::error("rule", "this is wrong", Span::new(10, 11))
            .because("here")
            .with_label(Span::new(0, 3), "see this")
            .with_help("write y");
        let files = Files::new(&source);
        let text = render(&files, std::slice::from_ref(&diagnostic), false);
        for part in ["error[rule]: this is wrong", "a.c:2:1", "x = 1;", "here", "see this", "help: write y"] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(render(&files, std::slice::from_ref(&diagnostic), true).starts_with("\x1b[1;31merror"));
    }

    #[test]
    fn a_label_in_another_file_shows_that_file() {
        let main = SourceFile::new("a.c", b"int a;\nstep(a);\n".to_vec());
        let other = SourceFile::new("b.c", b"\n\nvoid step(int a) { }\n".to_vec()).with_id(FileId::new(1));
        let diagnostic = Diagnostic::error("rule", "this call does nothing", main.span(7, 14))
            .with_label(other.span(2, 6), "defined here");
        let text = render(&Files::new(&main).with(&other), &[diagnostic], false);
        let parts = ["a.c:2:1", "step(a);", "b.c:3:1", "void step(int a) { }", "defined here"];
        let places = parts.map(|part| text.find(part));
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{text}");
    }
}
