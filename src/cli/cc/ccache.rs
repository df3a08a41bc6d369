//! What a ccache around the wrapper has to see.
//!
//! ccache knows a source by what the preprocessor prints and by the files that line markers in it name. A rewritten source
//! also depends on its tuning file and on this tool, so line markers tell of them. One that names a file which is not there
//! makes ccache ask the preprocessor each time, and so see when the tuning file comes into being.

use anyhow::{Context, Result};
use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::command::{CommandLine, Kind};
use super::run::exit_code_of;
use super::unit::keeps_unsupported;
use crate::cli::exit::Exit;
use crate::cli::task::tuning_beside;
use crate::text::{Fnv, quote};

/// Whether ccache has started this process to preprocess.
pub fn asks(line: &CommandLine) -> bool {
    // ccache sets the variable for what it runs, so that compilers can say what it must not keep.
    std::env::var_os("UNCACHED_ERR_FD").is_some() && line.words_of(Kind::Mode).any(|word| word == "-E")
}

/// Preprocesses with `command`, and adds to the text what `sources` depend on.
///
/// # Errors
/// When the compiler cannot be run, or a file cannot be read or written.
pub fn preprocess(command: &[OsString], line: &CommandLine, sources: &[PathBuf]) -> Result<Exit> {
    let exit = exit_code_of(command)?;
    if exit != Exit::Success {
        return Ok(exit);
    }
    let text = sources.iter().map(|source| markers(source)).collect::<Result<Vec<_>>>()?.concat();
    match line.output().filter(|path| path != Path::new("-")) {
        Some(path) => {
            let mut file =
                OpenOptions::new().append(true).open(&path).context("cannot add to what was preprocessed")?;
            file.write_all(text.as_bytes())?;
        }
        None => io::stdout().lock().write_all(text.as_bytes())?,
    }
    Ok(exit)
}

/// Line markers that name the tuning file, and all else in a name that ccache takes for no file's.
fn markers(source: &Path) -> Result<String> {
    let tuning = tuning_beside(source);
    let mut hash = Fnv::new();
    if tuning.exists() {
        hash.write(&std::fs::read(&tuning).with_context(|| format!("cannot read {}", tuning.display()))?);
    }
    let version = env!("CARGO_PKG_VERSION");
    let keeps = u8::from(keeps_unsupported());
    let (tuning, source) = (quote(tuning.as_os_str().as_bytes()), quote(source.as_os_str().as_bytes()));
    let tool = format!("<stencil-rewrite {version} {keeps} {:016x}>", hash.value());
    Ok(format!("# 1 {tuning} 1\n# 1 \"{tool}\" 1\n# 1 {tuning} 2\n# 1 {source} 2\n"))
}
