//! Equality that explains itself.

use anyhow::{Result, bail};
use similar::TextDiff;

/// Fails with a unified diff unless both texts are the same.
pub fn check_same_text(what: &str, expected: &str, actual: &str) -> Result<()> {
    if expected == actual {
        return Ok(());
    }
    let diff = TextDiff::from_lines(expected, actual);
    bail!("{what} differs\n{}", diff.unified_diff().header("expected", "actual"))
}

/// Fails unless both are the same bytes; what differs is shown as text.
pub fn check_same_bytes(what: &str, expected: &[u8], actual: &[u8]) -> Result<()> {
    if expected == actual {
        return Ok(());
    }
    check_same_text(what, &String::from_utf8_lossy(expected), &String::from_utf8_lossy(actual))?;
    bail!("{what} differs in bytes that are no UTF-8")
}
