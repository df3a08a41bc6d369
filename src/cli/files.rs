//! Puts several files in place as nearly at once as a file system allows.

use anyhow::{Context, Result, bail};
use std::collections::BTreeSet;
use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

use super::failure::FileError;

/// A file that is to be written.
#[derive(Debug)]
pub struct NewFile {
    /// Where.
    pub path: PathBuf,
    /// What.
    pub content: Vec<u8>,
}

/// Writes all files or, unless renaming itself fails, none: each is written beside its place first, then all are
/// renamed in the given order. Whoever looks at a path sees the old file or the new one, whole, even after the machine
/// has lost its power. A file that exists keeps its permissions, and a symbolic link its target's place.
///
/// # Errors
/// When a folder is not there or not writable, the disk is full, or a path names something other than a file.
pub fn write_all(files: &[NewFile]) -> Result<()> {
    let staged = files.iter().map(stage).collect::<Result<Vec<_>>>()?;
    let folders: BTreeSet<PathBuf> = staged.iter().map(|(_, path)| folder_of(path).to_owned()).collect();
    for (temporary, path) in staged {
        temporary.persist(&path).with_context(|| FileError::write(&path))?;
    }
    folders.iter().try_for_each(|folder| sync_folder(folder))
}

/// Puts what becomes of a file's text in its place; a file that is not there has none.
///
/// # Errors
/// When the file cannot be read or written, or its text cannot be changed.
pub fn change_text<E: std::error::Error + Send + Sync + 'static>(
    path: &Path,
    change: impl FnOnce(&str) -> Result<String, E>,
) -> Result<()> {
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        text => text.with_context(|| FileError::read(path))?,
    };
    let text = change(&text).with_context(|| format!("cannot change {}", path.display()))?;
    write_all(&[NewFile { path: path.to_owned(), content: text.into_bytes() }])
}

/// Where a file of that name would be written: symbolic links are followed, also one to a file that is not there yet.
///
/// # Errors
/// When the folder is not there or links go round in circles.
pub fn resolve(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        let name = path.file_name().ok_or(io::ErrorKind::IsADirectory)?.to_owned();
        let folder = fs::canonicalize(folder_of(&path))?;
        match fs::read_link(folder.join(&name)) {
            Ok(target) => path = folder.join(target),
            Err(_) => return Ok(folder.join(name)),
        }
    }
    Err(io::Error::other("too many levels of symbolic links"))
}

/// As many as Linux follows.
const MAX_LINKS: usize = 40;

fn stage(file: &NewFile) -> Result<(NamedTempFile, PathBuf)> {
    let failure = || FileError::write(&file.path);
    let path = resolve(&file.path).with_context(failure)?;
    let permissions = existing_permissions(&path).with_context(failure)?;
    let mut temporary = tempfile::Builder::new()
        .prefix(".stencil-")
        .suffix(".tmp")
        // Of the mode of a new file, the operating system takes away what the user's umask says.
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(folder_of(&path))
        .with_context(failure)?;
    temporary.write_all(&file.content).with_context(failure)?;
    if let Some(permissions) = permissions {
        temporary.as_file().set_permissions(permissions).with_context(failure)?;
    }
    temporary.as_file().sync_all().with_context(failure)?;
    Ok((temporary, path))
}

/// Who may read, write and execute the file, if there is one. Any error but its absence is one that renaming would meet
/// as well, say a name that is too long.
fn existing_permissions(path: &Path) -> Result<Option<Permissions>> {
    match fs::symlink_metadata(path) {
        Ok(existing) if existing.is_file() => Ok(Some(Permissions::from_mode(existing.permissions().mode() & 0o777))),
        Ok(_) => bail!("it is not a regular file"),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Makes the disk remember the names in a folder; not every file system can.
fn sync_folder(folder: &Path) -> Result<()> {
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        Err(error) if error.kind() != io::ErrorKind::InvalidInput => {
            Err(error).with_context(|| format!("cannot write to the folder {}", folder.display()))
        }
        _ => Ok(()),
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
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
        assert!(format!("{error:#}").ends_with("it is not a regular file"), "{error:#}");
    }

    #[test]
    fn links_lead_to_the_file_that_is_replaced() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = |name: &str| folder.path().join(name);
        std::os::unix::fs::symlink("new.c", path("dangling.c")).expect("a link");
        std::os::unix::fs::symlink("dangling.c", path("twice.c")).expect("a link");
        std::os::unix::fs::symlink("round.c", path("round.c")).expect("a link");
        write_all(&[file(path("twice.c"), "new")]).expect("a link to a file that is not there yet");
        assert_eq!(fs::read_to_string(path("new.c")).expect("a file"), "new");
        assert!(fs::symlink_metadata(path("dangling.c")).expect("a link").is_symlink());
        write_all(&[file(path("round.c"), "new")]).expect_err("a link to itself");
    }

    #[test]
    fn other_links_of_a_replaced_file_keep_the_old_content() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (one, other) = (folder.path().join("one.c"), folder.path().join("other.c"));
        fs::write(&one, "old").expect("a written file");
        fs::hard_link(&one, &other).expect("a link");
        write_all(&[file(one.clone(), "new")]).expect("a file");
        assert_eq!(fs::read_to_string(&one).expect("a file"), "new");
        assert_eq!(fs::read_to_string(&other).expect("a file"), "old");
    }

    #[test]
    fn a_name_that_is_too_long_is_found_before_anything_is_written() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let files = [file(folder.path().join("a.c"), "x"), file(folder.path().join("n".repeat(256)), "y")];
        write_all(&files).expect_err("no file system has such names");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
    }
}
