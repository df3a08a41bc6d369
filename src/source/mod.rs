//! Source text, spans and diagnostics: every message about a user's file is made here.

mod active;
mod copy;
mod diagnostic;
mod extent;
mod file;
mod files;
mod lexer;
mod line_map;
mod lines;
mod macros;
mod pragma;
mod preprocess;
mod render;
mod span;
mod target;
mod untyped;

pub use active::{count_pragmas, inactive_pragmas, pragmas_of_headers};
pub use copy::TemporaryCopy;
pub use diagnostic::{Diagnostic, Label, NO_REMEDY, Severity, moved};
pub use extent::nest_span;
pub use file::{STANDARD_INPUT, SourceFile};
pub use files::Files;
pub use lexer::{
    Lexer, Token, TokenKind, directive_at, directive_words, directives, lex, lex_directive, lex_in_line, tokens,
};
pub use line_map::{Header, LineMap};
pub use lines::{line_end, line_ending, line_start, next_line, text_start};
pub use pragma::{
    Clause, Parentheses, Pragma, comments_end, find_clauses, find_pragmas, may_hold_pragma, pragmas_of, read_pragma,
};
pub use preprocess::{Beside, Preprocessed, Preprocessor};
pub use render::render;
pub use span::{FileId, Span};
pub use target::Target;
