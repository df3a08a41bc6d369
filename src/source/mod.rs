//! Source text, spans and diagnostics: everything that is said to a person about their file goes through here.

mod copy;
mod diagnostic;
mod extent;
mod file;
mod lexer;
mod line_map;
mod macros;
mod pragma;
mod preprocess;
mod render;
mod span;
mod target;

pub use copy::Copy;
pub use diagnostic::{Diagnostic, Label, NO_REMEDY, Severity};
pub use extent::nest_span;
pub use file::{STANDARD_INPUT, SourceFile};
pub use lexer::tokens;
pub use line_map::{Header, LineMap, is_marker};
pub use pragma::{
    count_pragmas, inactive_pragmas, may_hold_pragma, pragma, pragmas_of_headers, stencil_pragma, stencil_pragmas,
};
pub use preprocess::{Preprocessed, Preprocessor};
pub use render::render;
pub use span::Span;
pub use target::Target;
