//! Files that hold what the tool said when a person last read it.

use std::path::Path;
use std::{fs, io};

use anyhow::{Context, Result, bail};

use crate::compare::check_same_text;

/// Fails unless `actual` is what the golden file at `path` holds.
///
/// A missing file fails too. With `UPDATE_GOLDENS=1` in the environment the file is written instead.
pub fn check_golden(path: &Path, actual: &str) -> Result<()> {
    if std::env::var_os("UPDATE_GOLDENS").is_some_and(|value| value == "1") {
        return fs::write(path, actual).with_context(|| format!("cannot write {}", path.display()));
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    match fs::read_to_string(path) {
        Ok(expected) => check_same_text(&name, &expected, actual),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            bail!("there is no {name}; UPDATE_GOLDENS=1 would write it:\n{actual}")
        }
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

/// Fails if `folder` holds a golden, a file ending in `extension`, that no case of `expected` owns.
pub fn check_no_orphans(folder: &Path, extension: &str, expected: &[String]) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.ends_with(extension) && !expected.contains(&name) {
            bail!("{name} belongs to no case");
        }
    }
    Ok(())
}
