//! The headers of a source that can be found without asking the compiler.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::command::CommandLine;
use super::flags::Kind;
use crate::source::{SourceFile, Span, TokenKind, directives, lex_directive, may_hold_pragma};

/// Headers of one source that are looked at.
const MOST_HEADERS: usize = 2000;

/// Whether a header of the user's that include lines name holds something like the pragma.
pub fn has_marked_header(line: &CommandLine, source: &SourceFile) -> bool {
    let folders = folders(line);
    let mut known = BTreeSet::new();
    let mut open: Vec<PathBuf> = find_all(source.path(), source.bytes(), &folders);
    open.extend(forced(line));
    while let Some(path) = open.pop() {
        if known.len() == MOST_HEADERS || !known.insert(path.clone()) {
            continue;
        }
        let Ok(header) = SourceFile::read(&path) else { continue };
        if may_hold_pragma(header.bytes()) {
            return true;
        }
        open.extend(find_all(&path, header.bytes(), &folders));
    }
    false
}

/// The folders of `-iquote` and `-I`.
fn folders(line: &CommandLine) -> Vec<PathBuf> {
    values(line, &["-iquote", "-I"]).into_iter().map(PathBuf::from).collect()
}

/// The files of `-include` and `-imacros`.
fn forced(line: &CommandLine) -> impl Iterator<Item = PathBuf> {
    values(line, &["-include", "-imacros"]).into_iter().map(PathBuf::from)
}

/// Values of flags, joined to them or the next word.
fn values(line: &CommandLine, names: &[&str]) -> Vec<OsString> {
    let value_of = |words: &[OsString]| {
        let name = names.iter().find(|name| words[0].as_bytes().starts_with(name.as_bytes()))?;
        let joined = OsStr::from_bytes(&words[0].as_bytes()[name.len()..]).to_owned();
        if joined.is_empty() { words.get(1).cloned() } else { Some(joined) }
    };
    let flags = line.arguments.iter().filter(|argument| argument.kind == Kind::Flag);
    flags.filter_map(|argument| value_of(&argument.words)).collect()
}

/// The files that include lines of `text` name and that exist beside `path` or in one of the folders.
fn find_all(path: &Path, text: &[u8], folders: &[PathBuf]) -> Vec<PathBuf> {
    let beside = path.parent().unwrap_or(Path::new(""));
    let find = |name: &[u8], is_quoted: bool| {
        let name = OsStr::from_bytes(name);
        let own = is_quoted.then(|| beside.join(name));
        own.into_iter().chain(folders.iter().map(|folder| folder.join(name))).find(|path| path.is_file())
    };
    directives(text)
        .filter_map(|directive| included(text, directive))
        .filter_map(|(name, is_quoted)| find(name, is_quoted))
        .collect()
}

/// The name in an include line, and whether it is in quotes.
fn included(text: &[u8], directive: Span) -> Option<(&[u8], bool)> {
    let mut words =
        lex_directive(text, directive).filter(|token| token.kind != TokenKind::Comment).map(|token| token.span);
    let word = |span: Span| &text[span.start..span.end];
    words.next().filter(|first| matches!(word(*first), b"include" | b"include_next" | b"import"))?;
    let name = words.next()?;
    if let Some(quoted) = word(name).strip_prefix(b"\"").and_then(|name| name.strip_suffix(b"\"")) {
        return Some((quoted, true));
    }
    let rest = &text[name.start..directive.end].strip_prefix(b"<")?;
    Some((&rest[..rest.iter().position(|byte| *byte == b'>')?], false))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn include_lines_are_read() {
        let included = |text: &'static [u8]| directives(text).next().and_then(|line| included(text, line));
        assert_eq!(included(b" # include \"a b.h\" // x"), Some((&b"a b.h"[..], true)));
        assert_eq!(included(b"#/* a */include <x/y.h>"), Some((&b"x/y.h"[..], false)));
        for line in [&b"#include NAME"[..], b"#define include \"a\"", b"include \"a.h\"", b"#include \"a.h"] {
            assert_eq!(included(line), None);
        }
    }

    #[test]
    fn headers_of_headers_are_found_in_the_users_folders() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a written file");
        std::fs::create_dir(folder.path().join("inc")).expect("a folder");
        write("a.c", "#include <stdio.h>\n#include <one.h>\n");
        write("inc/one.h", "#include \"two.h\"\n#include \"one.h\"\n");
        write("inc/two.h", "#pragma stencil\n");
        let source = SourceFile::read(folder.path().join("a.c")).expect("a file");
        let is_found = |flags: &str| {
            let line = format!("gcc {flags} -c a.c");
            has_marked_header(&CommandLine::parse(&line.split(' ').map(OsString::from).collect::<Vec<_>>()), &source)
        };
        assert!(is_found(&format!("-I{}/inc", folder.path().display())));
        assert!(is_found(&format!("-include {}/inc/two.h", folder.path().display())));
        assert!(!is_found("-O2"));
    }
}
