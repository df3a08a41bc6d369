//! What is wrong, where, and how to mend it.

use super::{FileId, Span};

/// What is said where there is no remedy.
pub const NO_REMEDY: &str =
    "there is no way to have this rewritten yet: leave the pragma away, or use --keep-unsupported";

/// How much a diagnostic matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing; the rewrite goes on.
    Note,
    /// Probably not what was meant; the rewrite goes on.
    Warning,
    /// Nothing is written.
    Error,
}

/// A place and what is to be said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where, in the original file.
    pub span: Span,
    /// What is there; may be empty on a primary label.
    pub message: String,
}

/// One message to the user, in the user's terms.
///
/// An error says what is wrong (`message`), where (`primary`), why (`primary.message`, `secondary`) and how to mend it
/// (`help`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How much it matters.
    pub severity: Severity,
    /// A stable kebab-case name of the rule, e.g. `gauss-seidel`.
    pub code: &'static str,
    /// One sentence without a full stop.
    pub message: String,
    /// The place it is about.
    pub primary: Label,
    /// Other places that explain it.
    pub secondary: Vec<Label>,
    /// The remedy, one sentence each.
    pub help: Vec<String>,
}

/// Diagnostics whose places in `file` are where `place` says. Other files are as they were given, and the empty span at the start
/// says that there is no place.
pub fn moved(mut diagnostics: Vec<Diagnostic>, file: FileId, place: impl Fn(Span) -> Span) -> Vec<Diagnostic> {
    let labels = diagnostics.iter_mut().flat_map(|it| std::iter::once(&mut it.primary).chain(&mut it.secondary));
    for label in labels.filter(|label| label.span != Span::default() && label.span.file == file) {
        label.span = place(label.span);
    }
    diagnostics
}

impl Diagnostic {
    /// An error at `span`.
    pub fn error(code: &'static str, message: impl Into<String>, span: Span) -> Self {
        Self::new(Severity::Error, code, message.into(), span)
    }

    /// A warning at `span`.
    pub fn warning(code: &'static str, message: impl Into<String>, span: Span) -> Self {
        Self::new(Severity::Warning, code, message.into(), span)
    }

    /// A note at `span`.
    pub fn note(code: &'static str, message: impl Into<String>, span: Span) -> Self {
        Self::new(Severity::Note, code, message.into(), span)
    }

    fn new(severity: Severity, code: &'static str, message: String, span: Span) -> Self {
        let primary = Label { span, message: String::new() };
        Self { severity, code, message, primary, secondary: Vec::new(), help: Vec::new() }
    }

    /// The same at another place, for text that is not where the user wrote it.
    #[must_use]
    pub fn moved_to(mut self, span: Span) -> Self {
        self.primary.span = span;
        self.secondary.clear();
        self
    }

    /// The same with `text` beside the primary span.
    #[must_use]
    pub fn because(mut self, text: impl Into<String>) -> Self {
        self.primary.message = text.into();
        self
    }

    /// The same with one more place.
    #[must_use]
    pub fn with_label(mut self, span: Span, message: impl Into<String>) -> Self {
        self.secondary.push(Label { span, message: message.into() });
        self
    }

    /// The same for what no change to the program mends yet.
    #[must_use]
    pub fn without_remedy(self) -> Self {
        self.with_help(NO_REMEDY)
    }

    /// The same with one more remedy.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }
}
