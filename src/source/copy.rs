//! Lets compilers read text that is not what its path holds.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::SourceFile;

/// A temporary file with the bytes of a source, whose includes are found as if it stood at the source's path.
pub struct TemporaryCopy {
    _folder: TempDir,
    path: PathBuf,
    original: PathBuf,
}

impl TemporaryCopy {
    /// A copy of `source`; `None` if compilers can read the source itself, or get it through a pipe.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn of(source: &SourceFile) -> io::Result<Option<Self>> {
        if !source.is_in_memory() {
            return Ok(None);
        }
        let folder = tempfile::Builder::new().prefix("stencil-").tempdir()?;
        let path = folder.path().join(source.path().file_name().unwrap_or_default());
        std::fs::write(&path, source.bytes())?;
        Ok(Some(Self { _folder: folder, path, original: source.path().to_owned() }))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Flags that make a compiler look for includes where the source stands, before all other folders of that kind.
    pub fn flags(&self) -> [OsString; 2] {
        let folder = self.original.parent().filter(|folder| !folder.as_os_str().is_empty());
        ["-iquote".into(), folder.unwrap_or(Path::new(".")).into()]
    }

    /// A compiler's output with the source's path in place of the copy's; `spell` is how the compiler writes a path.
    pub fn with_original_path(&self, text: &[u8], spell: impl Fn(&OsStr) -> Vec<u8>) -> Vec<u8> {
        let (path, original) = (spell(self.path.as_os_str()), spell(self.original.as_os_str()));
        let mut result = Vec::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.windows(path.len()).position(|window| window == path) {
            result.extend_from_slice(&rest[..at]);
            result.extend_from_slice(&original);
            rest = &rest[at + path.len()..];
        }
        result.extend_from_slice(rest);
        result
    }
}

/// A path as messages show it.
pub fn as_it_is(path: &OsStr) -> Vec<u8> {
    path.as_bytes().to_vec()
}

/// A path as it stands in strings of C.
pub fn as_in_string(path: &OsStr) -> Vec<u8> {
    let escaped = |byte: &u8| if matches!(byte, b'\\' | b'"') { vec![b'\\', *byte] } else { vec![*byte] };
    path.as_bytes().iter().flat_map(escaped).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_text_that_is_not_on_disk_is_copied() {
        let file = SourceFile::new("d/a.c", b"old".to_vec());
        assert!(TemporaryCopy::of(&file).expect("nothing to do").is_none());
        let copy = TemporaryCopy::of(&file.with_bytes(b"new".to_vec())).expect("a temporary folder").expect("a copy");
        assert_eq!(std::fs::read(copy.path()).expect("a file"), b"new");
        assert_eq!(copy.flags(), ["-iquote", "d"]);
        let message = format!("{}:1: error in {}", copy.path().display(), copy.path().display());
        assert_eq!(copy.with_original_path(message.as_bytes(), as_it_is), b"d/a.c:1: error in d/a.c");
        assert_eq!(as_in_string(OsStr::new("d\"\\a.c")), b"d\\\"\\\\a.c");
    }
}
