//! Puts several files in place as nearly at once as a file system allows.

use anyhow::{Context, Result, bail};
use std::fs::{self, Permissions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A file that is to be written.
#[derive(Debug)]
pub struct NewFile {
    /// Where.
    pub path: PathBuf,
    /// What.
    pub content: Vec<u8>,
}

/// Writes all files or, unless renaming itself fails, none: each is written beside its place first, then all are
/// renamed in the given order. A file that exists keeps its permissions, and a link its target's place.
///
/// # Errors
/// When a folder is not there or not writable, the disk is full, or a path names something other than a file.
pub fn write_all(files: &[NewFile]) -> Result<()> {
    let staged: Result<Vec<_>> = files.iter().map(stage).collect();
    for (temporary, path) in staged? {
        temporary.persist(&path).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

fn stage(file: &NewFile) -> Result<(NamedTempFile, PathBuf)> {
    let path = fs::canonicalize(&file.path).unwrap_or_else(|_| file.path.clone());
    let failure = || format!("cannot write {}", file.path.display());
    let existing = fs::metadata(&path).ok();
    if existing.as_ref().is_some_and(|existing| !existing.is_file()) {
        bail!("cannot write {}: it is not a regular file", file.path.display());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Of the mode of a new file, the operating system takes away what the user's umask says.
    let mut temporary = tempfile::Builder::new()
        .prefix(".stencil-")
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(folder)
        .with_context(failure)?;
    temporary.write_all(&file.content).with_context(failure)?;
    if let Some(existing) = existing {
        temporary.as_file().set_permissions(existing.permissions()).with_context(failure)?;
    }
    Ok((temporary, path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: PathBuf, content: &str) -> NewFile {
        NewFile { path, content: content.into() }
    }

    #[test]
    fn nothing_is_written_if_one_file_cannot_be() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let good = folder.path().join("a.c");
        let bad = folder.path().join("missing/b.c");
        write_all(&[file(good.clone(), "x"), file(bad, "y")]).expect_err("the folder is missing");
        assert!(!good.exists());
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0, "no temporary file is left");
    }

    #[test]
    fn a_replaced_file_keeps_its_permissions_and_a_link_stays_a_link() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let target = folder.path().join("target.c");
        let link = folder.path().join("link.c");
        fs::write(&target, "old").expect("a written file");
        fs::set_permissions(&target, Permissions::from_mode(0o640)).expect("permissions");
        std::os::unix::fs::symlink(&target, &link).expect("a link");
        write_all(&[file(link.clone(), "new")]).expect("both paths can be written");
        assert_eq!(fs::read_to_string(&target).expect("a file"), "new");
        assert_eq!(fs::metadata(&target).expect("a file").permissions().mode() & 0o777, 0o640);
        assert!(fs::symlink_metadata(&link).expect("a link").is_symlink());
    }

    #[test]
    fn folders_are_not_replaced() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let error = write_all(&[file(folder.path().to_owned(), "x")]).expect_err("a folder is no file");
        assert!(error.to_string().ends_with("it is not a regular file"), "{error}");
    }
}
