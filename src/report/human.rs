//! Diagnostics for people.

use std::io::{self, Write};

use crate::source::{Diagnostic, Files, render};

/// Writes each diagnostic with its source lines.
pub fn write(
    files: &Files<'_>,
    diagnostics: &[Diagnostic],
    has_colours: bool,
    output: &mut impl Write,
) -> io::Result<()> {
    output.write_all(render(files, diagnostics, has_colours).as_bytes())
}
