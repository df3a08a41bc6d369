//! Diagnostics for people.

use std::io::{self, Write};

use crate::source::{Diagnostic, SourceFile, render};

/// Writes each diagnostic with its source lines.
pub fn write(
    source: &SourceFile,
    diagnostics: &[Diagnostic],
    has_colours: bool,
    output: &mut impl Write,
) -> io::Result<()> {
    output.write_all(render(source, diagnostics, has_colours).as_bytes())
}
