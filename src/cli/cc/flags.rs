//! What the flags of gcc and clang are for.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

/// What an argument is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A C source.
    Source,
    /// Any other file.
    Input,
    /// `-o FILE`
    Output,
    /// `-c`, `-E` and the like.
    Mode,
    /// `-x LANGUAGE`
    Language,
    /// `-MMD`, `-MF FILE` and the like.
    Dependency,
    /// For the linker only.
    Linker,
    /// Everything else.
    Flag,
}

/// Flags whose value is the next word. A flag of one letter takes the next word only if nothing is joined to it.
const TAKES_NEXT_WORD: [&str; 39] = [
    "-o",
    "-x",
    "-I",
    "-D",
    "-U",
    "-L",
    "-l",
    "-T",
    "-u",
    "-z",
    "-e",
    "-A",
    "-B",
    "-MF",
    "-MT",
    "-MQ",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-isysroot",
    "-imultilib",
    "-Xlinker",
    "-Xassembler",
    "-Xpreprocessor",
    "-Xclang",
    "-mllvm",
    "-target",
    "-arch",
    "-aux-info",
    "-dumpbase",
    "-dumpbase-ext",
    "-dumpdir",
    "-wrapper",
    "--param",
];

/// Words that make the compiler stop before it compiles, or not compile at all.
const OTHER_MODES: [&str; 9] =
    ["-E", "-S", "-M", "-MM", "-fsyntax-only", "-###", "--version", "--help", "-dumpversion"];

const LINKER_WORDS: [&str; 15] = [
    "-e",
    "-static",
    "-shared",
    "-rdynamic",
    "-pie",
    "-no-pie",
    "-static-pie",
    "-s",
    "-r",
    "-nostdlib",
    "-nostartfiles",
    "-nodefaultlibs",
    "-nolibc",
    "-static-libgcc",
    "-shared-libgcc",
];

const LINKER_PREFIXES: [&str; 8] = ["-L", "-l", "-Wl,", "-Xlinker", "-T", "-u", "-z", "-fuse-ld="];

/// Flags of the user's that the driver needs as well: how the target's code is, ...
const CODE_PREFIXES: [&str; 17] = [
    "-m",
    "-fPIC",
    "-fpic",
    "-fPIE",
    "-fpie",
    "-fno-PIC",
    "-fno-pic",
    "-fno-PIE",
    "-fno-pie",
    "-fsanitize",
    "-fno-sanitize",
    "-fstack-protector",
    "-fcf-protection",
    "-fvisibility",
    "-pthread",
    "-target",
    "--target",
];

/// ... and its debugging, its headers and tools.
const PLACE_PREFIXES: [&str; 6] = ["-g", "--sysroot", "-isysroot", "-isystem", "-I", "-B"];

/// Flags that say which machine an object is for.
const MACHINE_PREFIXES: [&str; 5] = ["-m", "-B", "-target", "--target", "--sysroot"];

/// Flags that make the compiler write more files than it is asked for.
const FILE_WRITING_PREFIXES: [&str; 12] = [
    "-save-temps",
    "--save-temps",
    "-fdump-",
    "-fstack-usage",
    "-fcallgraph-info",
    "--coverage",
    "-ftest-coverage",
    "-fprofile",
    "-ftime-trace",
    "-fsave-optimization-record",
    "-aux-info",
    "-dump",
];

/// Programs that stand before the compiler's name.
const LAUNCHERS: [&str; 4] = ["ccache", "sccache", "distcc", "icecc"];

/// Whether the next word is this flag's value.
pub fn takes_next_word(word: &OsStr) -> bool {
    TAKES_NEXT_WORD.iter().any(|flag| word == *flag)
}

/// What a word by itself is for; every word that is no flag is an [`Kind::Input`].
pub fn kind_of(word: &OsStr) -> Kind {
    let is_one_of = |words: &[&str]| words.iter().any(|other| word == *other);
    let starts_with_one_of = |prefixes: &[&str]| has_prefix(word, prefixes);
    if !starts_with_one_of(&["-"]) || word == "-" {
        Kind::Input
    } else if word == "-c" || is_one_of(&OTHER_MODES) || starts_with_one_of(&["-print-"]) {
        Kind::Mode
    } else if starts_with_one_of(&["-MMD", "-MD", "-MF", "-MT", "-MQ", "-MP", "-MG", "-Wp,-MD", "-Wp,-MMD"]) {
        Kind::Dependency
    } else if is_one_of(&LINKER_WORDS) || starts_with_one_of(&LINKER_PREFIXES) && word != "-undef" {
        Kind::Linker
    } else if starts_with_one_of(&["-o"]) {
        Kind::Output
    } else if starts_with_one_of(&["-x"]) {
        Kind::Language
    } else {
        Kind::Flag
    }
}

/// Whether the flag is one that the driver is compiled with, too.
pub fn is_for_driver(flag: &OsStr) -> bool {
    is_for_code(flag) || has_prefix(flag, &PLACE_PREFIXES)
}

/// Whether the driver's code depends on the flag, wherever headers and tools are.
pub fn is_for_code(flag: &OsStr) -> bool {
    has_prefix(flag, &CODE_PREFIXES)
}

/// Whether the flag says which machine an object is for.
pub fn is_for_machine(flag: &OsStr) -> bool {
    has_prefix(flag, &MACHINE_PREFIXES)
}

/// Whether the flag makes the compiler write files besides its output.
pub fn writes_a_file(flag: &OsStr) -> bool {
    has_prefix(flag, &FILE_WRITING_PREFIXES)
}

/// Whether the program only starts the compiler that follows.
pub fn is_launcher(program: &OsStr) -> bool {
    let name = Path::new(program).file_name().unwrap_or_default();
    LAUNCHERS.iter().any(|launcher| name == *launcher)
}

fn has_prefix(word: &OsStr, prefixes: &[&str]) -> bool {
    prefixes.iter().any(|prefix| word.as_bytes().starts_with(prefix.as_bytes()))
}

/// Replaces `@FILE` by the words that the file holds; the word stays if there is no such file.
pub fn expand_response_files(words: &[OsString]) -> Vec<OsString> {
    let mut result = Vec::new();
    for word in words {
        let file = word.as_bytes().strip_prefix(b"@").map(OsStr::from_bytes);
        match file.and_then(|file| std::fs::read(file).ok()) {
            Some(text) => result.extend(split_words(&text)),
            None => result.push(word.clone()),
        }
    }
    result
}

/// Words as gcc separates them: white space outside quotes; a backslash takes the next byte as it is.
fn split_words(text: &[u8]) -> Vec<OsString> {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut quote = None;
    let mut bytes = text.iter().copied();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' => word.get_or_insert_default().extend(bytes.next()),
            _ if quote == Some(byte) => quote = None,
            b'"' | b'\'' if quote.is_none() => {
                quote = Some(byte);
                word.get_or_insert_default();
            }
            _ if byte.is_ascii_whitespace() && quote.is_none() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(byte),
        }
    }
    words.extend(word);
    words.into_iter().map(OsString::from_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_driver_gets_the_machine_but_not_the_dialect() {
        for flag in ["-m32", "-march=native", "-g3", "-fPIC", "-I/opt/include", "--sysroot=/x"] {
            assert!(is_for_driver(OsStr::new(flag)), "{flag}");
        }
        for flag in ["-std=c89", "-Dlong=int", "-Werror", "-ffast-math", "-include"] {
            assert!(!is_for_driver(OsStr::new(flag)), "{flag}");
        }
    }
}
