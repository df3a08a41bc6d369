//! How bytes become a case.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

/// Separates a file from its preprocessed form.
pub const PREPROCESSED: &[u8] = b"\n//--- preprocessed\n";

/// Name of the file under test.
pub const FILE: &str = "case.c";

/// A C file, the flags of the run, and what a preprocessor would make of the file.
pub struct Case<'a> {
    /// Words of the command line.
    pub flags: Vec<OsString>,
    /// The user's file.
    pub source: &'a [u8],
    /// Its preprocessed form.
    pub preprocessed: Vec<u8>,
}

impl<'a> Case<'a> {
    /// Reads `// flags: WORDS` on the first line and what stands behind [`PREPROCESSED`]. Without that line the file
    /// stands for its own preprocessed form.
    pub fn read(data: &'a [u8]) -> Self {
        let cut = data.windows(PREPROCESSED.len()).position(|window| window == PREPROCESSED);
        let source = &data[..cut.map_or(data.len(), |at| at + 1)];
        let preprocessed = match cut {
            Some(at) => data[at + PREPROCESSED.len()..].to_vec(),
            None => [format!("# 1 \"{FILE}\"\n").as_bytes(), data].concat(),
        };
        Self { flags: flags(data), source, preprocessed }
    }
}

fn flags(data: &[u8]) -> Vec<OsString> {
    let first_line = data.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let words = first_line.strip_prefix(b"// flags:").unwrap_or_default();
    // No case may name a file outside the folder in which it runs.
    let words = words.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty() && !word.contains(&b'/'));
    words.map(|word| OsString::from_vec(word.to_vec())).collect()
}
