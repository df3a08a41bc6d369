//! Links programs with OpenCL.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::command::{CommandLine, Kind};
use super::flags::is_for_machine;
use super::run::output_of;

/// What to add to a link.
///
/// Objects do not tell whether they hold a driver, so every program gets the library, but only as needed: one without
/// drivers does not depend on it. Where the compiler finds no library, or the user links against nothing by default,
/// only a link that `has_driver` for certain gets it, so that its error message names what is missing. Partial links get
/// none: linkers take no shared library there, and the last link will have it.
pub fn opencl_flags(line: &CommandLine, has_driver: bool) -> Vec<OsString> {
    let has = |flags: &[&str]| line.words_of(Kind::Linker).any(|word| flags.iter().any(|flag| word == *flag));
    let is_partial = has(&["-r", "-Wl,-r"]);
    if is_partial || !has_driver && (has(&["-nostdlib", "-nodefaultlibs"]) || !has_library(line)) {
        return Vec::new();
    }
    ["-Wl,--push-state,--as-needed", "-lOpenCL", "-Wl,--pop-state"].map(OsString::from).to_vec()
}

fn has_library(line: &CommandLine) -> bool {
    let is_static = line.words_of(Kind::Linker).any(|word| word == "-static" || word == "-static-pie");
    let names: &[&str] = if is_static { &["libOpenCL.a"] } else { &["libOpenCL.so", "libOpenCL.a"] };
    let folders = library_folders(line);
    names.iter().any(|name| folders.iter().any(|folder| folder.join(name).exists()) || compiler_finds(line, name))
}

/// The folders of `-L`.
fn library_folders(line: &CommandLine) -> Vec<PathBuf> {
    let options = line.arguments.iter().filter(|argument| argument.kind == Kind::Linker);
    options
        .filter_map(|argument| match argument.words.as_slice() {
            [option, folder] if option == "-L" => Some(folder.into()),
            [joined] => joined.as_bytes().strip_prefix(b"-L").map(|folder| OsStr::from_bytes(folder).into()),
            _ => None,
        })
        .collect()
}

/// Asks the compiler, which knows its own folders; it answers with the bare name if there is no such file.
fn compiler_finds(line: &CommandLine, name: &str) -> bool {
    let mut command = line.compiler.clone();
    command.extend(line.words_of(Kind::Flag).filter(|flag| is_for_machine(flag)).cloned());
    command.push(format!("-print-file-name={name}").into());
    let Ok(Some(answer)) = output_of(&command) else { return false };
    Path::new(OsStr::from_bytes(answer.trim_ascii())).is_absolute()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(line: &str, has_driver: bool) -> usize {
        let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        opencl_flags(&CommandLine::parse(&words), has_driver).len()
    }

    #[test]
    fn partial_links_get_no_library() {
        assert_eq!(flags("gcc -r -o a.o b.o c.o", false), 0);
        assert_eq!(flags("gcc -r -nostdlib -o a.o b.c c.c", true), 0);
        assert_eq!(flags("gcc -nostdlib b.o", false), 0);
        assert_eq!(flags("gcc -nostdlib b.o", true), 3);
    }

    #[test]
    fn a_library_beside_the_program_is_found() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let line = format!("true -L{} b.o", folder.path().display());
        assert_eq!(flags(&line, false), 0);
        std::fs::write(folder.path().join("libOpenCL.so"), "").expect("a written file");
        assert_eq!(flags(&line, false), 3);
    }
}
