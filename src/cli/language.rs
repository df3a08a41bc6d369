//! Files that are no C by their names.

use std::path::Path;

use crate::source::{Diagnostic, SourceFile, pragmas_of};

/// What compilers take files for by the ends of their names.
const FOREIGN: [(&str, &[&str]); 5] = [
    ("C++", &["cc", "cp", "cxx", "cpp", "CPP", "c++", "C", "hh", "H", "hp", "hxx", "hpp", "HPP", "h++", "tcc", "ii"]),
    ("Objective-C", &["m", "mi"]),
    ("Objective-C++", &["mm", "M", "mii"]),
    ("CUDA", &["cu", "cuh"]),
    ("Fortran", &["f", "for", "ftn", "F", "FOR", "f90", "f95", "f03", "f08", "F90", "F95", "F03", "F08"]),
];

/// The language of a file by its name, if it is one that is not rewritten.
pub fn foreign_language(path: &Path) -> Option<&'static str> {
    let end = path.extension()?.to_str()?;
    FOREIGN.iter().find(|(_, ends)| ends.contains(&end)).map(|(language, _)| *language)
}

/// The refusal of such a file.
pub fn refuse_foreign(source: &SourceFile) -> Option<Diagnostic> {
    let language = foreign_language(source.path())?;
    let name = source.path().file_name().unwrap_or_default().to_string_lossy();
    let pragma = pragmas_of(source).first().map(|pragma| pragma.first_line(source));
    let message = format!("{language} is not supported, and {name} is {language} by its name");
    let error = Diagnostic::error("language", message, pragma.unwrap_or_default())
        .with_help("move the marked nest into a function in a .c file, which the program can call");
    Some(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_the_language() {
        for (name, language) in [("a.cpp", Some("C++")), ("a.C", Some("C++")), ("a.cu", Some("CUDA"))] {
            assert_eq!(foreign_language(Path::new(name)), language);
        }
        for name in ["a.c", "a.h", "a.inc", "a", "cpp", "a.i"] {
            assert_eq!(foreign_language(Path::new(name)), None, "{name}");
        }
    }
}
