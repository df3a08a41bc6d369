//! Diagnostics as text for people.

use codespan_reporting::diagnostic as shown;
use codespan_reporting::files::SimpleFile;
use codespan_reporting::term::{Config, emit_into_string};

use super::{Diagnostic, Severity, SourceFile};

/// Draws `diagnostics` with the source lines they are about; `colour` adds terminal colours.
pub fn render(source: &SourceFile, diagnostics: &[Diagnostic], colour: bool) -> String {
    let text = one_byte_a_character(source);
    let file = SimpleFile::new(source.path().display().to_string(), text);
    let config = Config { tab_width: 4, ..Config::default() };
    diagnostics.iter().map(|diagnostic| render_one(&file, &config, diagnostic, colour)).collect()
}

fn render_one(file: &SimpleFile<String, String>, config: &Config, diagnostic: &Diagnostic, colour: bool) -> String {
    let severity = match diagnostic.severity {
        Severity::Note => shown::Severity::Note,
        Severity::Warning => shown::Severity::Warning,
        Severity::Error => shown::Severity::Error,
    };
    let primary = &diagnostic.primary;
    let first = shown::Label::primary((), primary.span.start..primary.span.end).with_message(&primary.message);
    let others = diagnostic
        .secondary
        .iter()
        .map(|label| shown::Label::secondary((), label.span.start..label.span.end).with_message(&label.message));
    let report = shown::Diagnostic::new(severity)
        .with_code(diagnostic.code)
        .with_message(&diagnostic.message)
        .with_labels(std::iter::once(first).chain(others).collect())
        .with_notes(diagnostic.help.iter().map(|help| format!("help: {help}")).collect());
    let text = emit_into_string(config, file, &report)
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
    use crate::source::Span;

    #[test]
    fn a_diagnostic_shows_its_line_reason_and_remedy() {
        let source = SourceFile::new("a.c", b"int caf\xe9;\nx = 1;\n".to_vec());
        let diagnostic = Diagnostic::error("rule", "this is wrong", Span::new(10, 11))
            .because("here")
            .with_label(Span::new(0, 3), "see this")
            .with_help("write y");
        let text = render(&source, std::slice::from_ref(&diagnostic), false);
        for part in ["error[rule]: this is wrong", "a.c:2:1", "x = 1;", "here", "see this", "help: write y"] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(render(&source, std::slice::from_ref(&diagnostic), true).starts_with("\x1b[1;31merror"));
    }
}
