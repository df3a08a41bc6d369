//! The folder that a compilation works in.
//!
//! A ccache between the wrapper and the compiler takes the names of files into its hash, so the same compilation gets a folder
//! of the same name each time. What speaks against such a name, another user's file or another process at work there, leads
//! to a folder with a random one.

use anyhow::Result;
use std::fs::{self, DirBuilder, File, Metadata};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::command::CommandLine;
use crate::text::Fnv;

/// A folder for files of ours; it goes with this value.
pub enum Workplace {
    /// In a folder that only this user may enter, locked.
    Named(PathBuf, #[allow(dead_code, reason = "closing it gives the lock back")] File),
    /// Any temporary folder.
    Random(TempDir),
}

impl Workplace {
    /// The folder for that command line in the current folder.
    ///
    /// # Errors
    /// When no temporary folder can be made.
    pub fn new(line: &CommandLine) -> Result<Self> {
        if let Ok(Some(named)) = Self::named(&std::env::temp_dir(), &name(line)?) {
            return Ok(named);
        }
        Ok(Self::Random(tempfile::Builder::new().prefix("stencil-").tempdir()?))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        match self {
            Self::Named(path, _) => path,
            Self::Random(folder) => folder.path(),
        }
    }

    /// `None` if another process is at work there, or may be.
    fn named(temporary: &Path, name: &str) -> io::Result<Option<Self>> {
        let own = tempfile::tempfile()?.metadata()?.uid();
        let private = temporary.join(format!("stencil-rewrite-{own}"));
        make_private(&private)?;
        let is_private = |folder: &Metadata| folder.is_dir() && folder.uid() == own && folder.mode() & 0o777 == 0o700;
        if !is_private(&fs::symlink_metadata(&private)?) {
            return Ok(None);
        }
        let path = private.join(name);
        make_private(&path)?;
        let folder = File::open(&path)?;
        // The process that was there before may have removed what has been opened.
        let is_there = || fs::symlink_metadata(&path).and_then(|there| Ok(there.ino() == folder.metadata()?.ino()));
        if folder.try_lock().is_err() || !is_there()? {
            return Ok(None);
        }
        // A compiler whose wrapper was killed may still write there.
        Ok((!clear(&path)?).then_some(Self::Named(path, folder)))
    }
}

impl Drop for Workplace {
    fn drop(&mut self) {
        if let Self::Named(path, _) = self {
            // What stays is cleared by the next compilation that would have this name.
            let _ = fs::remove_dir_all(path);
        }
    }
}

/// Sixteen digits that differ between any two compilations of a build.
fn name(line: &CommandLine) -> io::Result<String> {
    let mut hash = Fnv::new();
    hash.write(std::env::current_dir()?.as_os_str().as_bytes());
    let words = line.arguments.iter().flat_map(|argument| &argument.words);
    line.compiler.iter().chain(words).for_each(|word| hash.write(word.as_bytes()));
    Ok(format!("{:016x}", hash.value()))
}

/// Makes a folder that only this user may enter, if nothing is there.
fn make_private(path: &Path) -> io::Result<()> {
    match DirBuilder::new().mode(0o700).create(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        result => result,
    }
}

/// Removes what a killed process left; returns whether there was anything.
fn clear(folder: &Path) -> io::Result<bool> {
    let mut was_filled = false;
    for entry in fs::read_dir(folder)? {
        was_filled = true;
        let path = entry?.path();
        if path.symlink_metadata()?.is_dir() { fs::remove_dir_all(path)? } else { fs::remove_file(path)? }
    }
    Ok(was_filled)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn a_name_is_taken_by_one_at_a_time_and_found_empty() {
        let temporary = tempfile::tempdir().expect("a temporary folder");
        let named = || Workplace::named(temporary.path(), "x").expect("a folder");
        let first = named().expect("nobody is there");
        let path = first.path().to_owned();
        fs::write(path.join("left"), "").expect("a written file");
        assert!(named().is_none(), "two at once");
        drop(first);
        assert!(!path.exists());
        fs::create_dir_all(path.join("killed")).expect("a folder");
        assert!(named().is_none(), "a compiler may still be at work");
        let second = named().expect("both have gone");
        assert_eq!((second.path(), fs::read_dir(&path).expect("a folder").count()), (path.as_path(), 0));
    }

    #[test]
    fn a_folder_that_others_may_enter_is_not_used() {
        let temporary = tempfile::tempdir().expect("a temporary folder");
        drop(Workplace::named(temporary.path(), "x").expect("a folder").expect("nobody is there"));
        let private = fs::read_dir(temporary.path()).expect("a folder").next().expect("one").expect("an entry").path();
        fs::set_permissions(&private, fs::Permissions::from_mode(0o755)).expect("permissions");
        assert!(Workplace::named(temporary.path(), "x").expect("a folder").is_none());
        fs::remove_dir_all(&private).expect("a folder");
        let elsewhere = tempfile::tempdir().expect("a temporary folder");
        symlink(elsewhere.path(), &private).expect("a link");
        assert!(Workplace::named(temporary.path(), "x").expect("a folder").is_none());
    }
}
