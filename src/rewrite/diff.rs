//! Unified diffs.

use similar::{Algorithm, ChangeTag, TextDiff};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

/// Writes the unified diff that changes the file `name` from `old` to `new`; nothing if they are equal.
///
/// `patch` and `git apply` turn `old` into exactly `new` with it: lines end at newlines only, bytes are never decoded, a
/// missing newline at the end is marked, and names that need it are quoted. As git writes them, names have a folder in
/// front that `-p1`, git's default, takes away, and no `.`, which git refuses.
///
/// # Errors
/// When `output` cannot be written.
pub fn write_diff(old: &[u8], new: &[u8], name: &Path, output: &mut impl Write) -> io::Result<()> {
    let old_lines: Vec<&[u8]> = old.split_inclusive(|byte| *byte == b'\n').collect();
    let new_lines: Vec<&[u8]> = new.split_inclusive(|byte| *byte == b'\n').collect();
    let diff = TextDiff::configure().algorithm(Algorithm::Myers).diff_slices(&old_lines, &new_lines);
    let unified = diff.unified_diff();
    for (number, hunk) in unified.iter_hunks().enumerate() {
        if number == 0 {
            write_name("--- ", "a", name, output)?;
            write_name("+++ ", "b", name, output)?;
        }
        writeln!(output, "{}", hunk.header())?;
        for change in hunk.iter_changes() {
            write_line(change.tag(), change.value(), output)?;
        }
    }
    Ok(())
}

fn write_line(tag: ChangeTag, line: &[u8], output: &mut impl Write) -> io::Result<()> {
    write!(output, "{tag}")?;
    output.write_all(line)?;
    if !line.ends_with(b"\n") {
        output.write_all(b"\n\\ No newline at end of file\n")?;
    }
    Ok(())
}

/// A name with control characters, quotes or backslashes is written as a C string; a tab ends a name with spaces.
fn write_name(mark: &str, folder: &str, name: &Path, output: &mut impl Write) -> io::Result<()> {
    let parts = name.components().filter(|part| !matches!(part, Component::CurDir | Component::RootDir));
    let name = Path::new(folder).join(parts.collect::<PathBuf>());
    let name = name.as_os_str().as_bytes();
    write!(output, "{mark}")?;
    if name.iter().any(|byte| byte.is_ascii_control() || matches!(byte, b'"' | b'\\')) {
        write!(output, "\"")?;
        for byte in name {
            match byte {
                b'"' | b'\\' => output.write_all(&[b'\\', *byte])?,
                byte if byte.is_ascii_control() => write!(output, "\\{byte:03o}")?,
                byte => output.write_all(&[*byte])?,
            }
        }
        return output.write_all(b"\"\n");
    }
    output.write_all(name)?;
    output.write_all(if name.contains(&b' ') { b"\t\n" } else { b"\n" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    fn diff(old: &[u8], new: &[u8], name: &str) -> Vec<u8> {
        let mut text = Vec::new();
        write_diff(old, new, Path::new(name), &mut text).expect("a vector can be written");
        text
    }

    /// Lets `patch` apply the diff to a file of that name, which the diff alone tells it.
    fn assert_patch_applies(old: &[u8], new: &[u8], name: &str) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join(name);
        std::fs::write(&file, old).expect("a written file");
        let mut patch = Command::new("patch")
            .args(["--no-backup-if-mismatch", "--fuzz=0", "--quiet"])
            .current_dir(folder.path())
            .stdin(Stdio::piped())
            .spawn()
            .expect("patch is installed");
        patch.stdin.take().expect("a pipe").write_all(&diff(old, new, name)).expect("patch reads its input");
        assert!(patch.wait().expect("patch ends").success(), "patch refuses the diff of {name:?}");
        let patched = std::fs::read(&file).expect("a patched file");
        assert_eq!(patched, new, "{:?} became {:?}", new.escape_ascii(), patched.escape_ascii());
    }

    #[test]
    fn patch_applies_line_endings_and_foreign_bytes() {
        assert_patch_applies(b"a\nb\nc\n", b"a\nB\nc\nd\n", "plain.c");
        assert_patch_applies(b"a\r\nb\r\nc\r\n", b"a\r\nB\r\nc\r\n", "crlf.c");
        assert_patch_applies(b"// \xe9\nb\xff\n", b"// \xe9\nc\xfe\n", "latin1.c");
        assert_patch_applies(b"a\rb\nc\n\x0cd\n", b"a\rb\nC\n\x0cd\n", "odd.c");
    }

    #[test]
    fn patch_applies_missing_newlines() {
        assert_patch_applies(b"a\nb", b"x\na\nb\n}", "both.c");
        assert_patch_applies(b"a\nb\n", b"a\nb", "new.c");
        assert_patch_applies(b"a\nb\r", b"a\nb\n", "old.c");
    }

    #[test]
    fn patch_understands_the_names() {
        for name in ["with space.c", "quote\".c", "line\nbreak.c", "tab\t.c", "-dash.c", "é.c"] {
            assert_patch_applies(b"a\n", b"b\n", name);
        }
    }

    #[test]
    fn equal_files_have_an_empty_diff() {
        assert_eq!(diff(b"a\n", b"a\n", "x"), b"");
    }
}
