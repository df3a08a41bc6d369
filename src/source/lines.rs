//! Lines of text in any encoding that extends ASCII.

/// Offset of the first byte after the byte order mark; 0 without one.
pub fn text_start(text: &[u8]) -> usize {
    if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 }
}

/// Offset of the first byte of the line that holds `offset`.
pub fn line_start(text: &[u8], offset: usize) -> usize {
    text[..offset].iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1)
}

/// Offset of the newline, or of the carriage return before it, that ends the line of `offset`; the length of the text
/// in its last line.
pub fn line_end(text: &[u8], offset: usize) -> usize {
    let Some(length) = text[offset..].iter().position(|byte| *byte == b'\n') else { return text.len() };
    let newline = offset + length;
    if newline > offset && text[newline - 1] == b'\r' { newline - 1 } else { newline }
}

/// Offset of the first byte of the line after the one that holds `offset`.
pub fn next_line(text: &[u8], offset: usize) -> usize {
    text[offset..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |newline| offset + newline + 1)
}

/// The file's line ending, as its first line has it.
pub fn line_ending(text: &[u8]) -> &'static str {
    match text.iter().position(|byte| *byte == b'\n') {
        Some(newline) if newline > 0 && text[newline - 1] == b'\r' => "\r\n",
        _ => "\n",
    }
}
