//! Diagnostics for machines: JSON lines.

use std::io::{self, Write};

use crate::source::{Diagnostic, SourceFile, to_json};

/// Writes one JSON object and a newline for each diagnostic.
pub fn write(source: &SourceFile, diagnostics: &[Diagnostic], output: &mut impl Write) -> io::Result<()> {
    for diagnostic in diagnostics {
        serde_json::to_writer(&mut *output, &to_json(source, diagnostic))?;
        output.write_all(b"\n")?;
    }
    Ok(())
}
