//! Diagnostics for people.

use std::io::{self, Write};

use crate::source::{Diagnostic, SourceFile, render};

/// Writes each diagnostic with its source lines; a terminal gets colours.
pub fn write(
    source: &SourceFile,
    diagnostics: &[Diagnostic],
    is_terminal: bool,
    output: &mut impl Write,
) -> io::Result<()> {
    output.write_all(render(source, diagnostics, is_terminal).as_bytes())
}
