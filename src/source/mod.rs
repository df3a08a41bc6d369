//! Source text, spans and diagnostics: everything that is said to a person about their file goes through here.

mod diagnostic;
mod span;

pub use diagnostic::{Diagnostic, Label, Severity};
pub use span::Span;
