//! Links programs with OpenCL.

use anyhow::{Result, bail};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::command::CommandLine;
use super::flags::Kind;
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
    // The user may have asked for other libraries to be static.
    let state = if is_static(line) { "-Wl,--push-state,--as-needed" } else { "-Wl,--push-state,--as-needed,-Bdynamic" };
    [state, "-lOpenCL", "-Wl,--pop-state"].map(OsString::from).to_vec()
}

/// Refuses a static link that needs OpenCL where there is no static library of it; the linker would only list undefined
/// functions.
///
/// # Errors
/// Of such a link.
pub fn check_static(line: &CommandLine, has_driver: bool) -> Result<()> {
    if !is_static(line)
        || !has_driver && !static_inputs(line).iter().any(|path| needs_opencl(path))
        || has_library(line)
    {
        return Ok(());
    }
    bail!(
        "-static: the rewritten nests need OpenCL, and there is no libOpenCL.a, for libOpenCL loads the drivers of devices \
         while the program runs; link without -static (for other libraries: -static-libgcc, -Wl,-Bstatic -lNAME -Wl,-Bdynamic)"
    )
}

fn is_static(line: &CommandLine) -> bool {
    line.words_of(Kind::Linker).any(|word| word == "-static" || word == "-static-pie")
}

/// The objects and archives on the command line, and those of `-l` in the user's folders.
fn static_inputs(line: &CommandLine) -> Vec<PathBuf> {
    let mut inputs: Vec<PathBuf> = line.words_of(Kind::Input).map(PathBuf::from).collect();
    let names: Vec<OsString> = line
        .words_of(Kind::Linker)
        .filter_map(|word| {
            let name = OsStr::from_bytes(word.as_bytes().strip_prefix(b"-l")?);
            Some([OsStr::new("lib"), name, OsStr::new(".a")].into_iter().collect())
        })
        .collect();
    inputs.extend(library_folders(line).iter().flat_map(|folder| names.iter().map(|name| folder.join(name))));
    inputs
}

/// Whether an object or archive calls the first function of OpenCL that every driver calls.
fn needs_opencl(path: &Path) -> bool {
    const NAME: &[u8] = b"\0clGetPlatformIDs\0";
    std::fs::read(path).is_ok_and(|bytes| bytes.windows(NAME.len()).any(|window| window == NAME))
}

fn has_library(line: &CommandLine) -> bool {
    let names: &[&str] = if is_static(line) { &["libOpenCL.a"] } else { &["libOpenCL.so", "libOpenCL.a"] };
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
    fn static_links_need_a_static_library() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a written file");
        write("plain.o", "main\0");
        write("heat.o", "main\0clGetPlatformIDs\0");
        write("libheat.a", "main\0clGetPlatformIDs\0");
        let is_refused = |line: &str, has_driver| {
            let line = line.replace("DIR", &folder.path().display().to_string());
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            check_static(&CommandLine::parse(&words), has_driver).is_err()
        };
        // `true` finds no library, as a compiler does that has none.
        for line in ["true -static DIR/heat.o", "true -static-pie DIR/heat.o", "true -static x.o -LDIR -lheat"] {
            assert!(is_refused(line, false), "{line}");
            assert!(!is_refused(&line.replace("-static-pie", "").replace("-static", "-lm"), true), "{line}");
        }
        assert!(is_refused("true -static DIR/plain.o", true));
        assert!(!is_refused("true -static DIR/plain.o DIR/missing.o", false));
        write("libOpenCL.a", "");
        assert!(!is_refused("true -static DIR/heat.o -LDIR", true));
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
