//! What the compiler decides of C's types.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

use super::{Diagnostic, Span};

/// The compiler's choices that C leaves open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Target {
    /// Whether `char` has no sign.
    pub char_is_unsigned: bool,
    /// Whether it heeds OpenMP's directives.
    pub has_openmp: bool,
    /// A choice under which types or constants of the language differ from what this tool takes them to be.
    pub foreign: Option<String>,
}

/// Sizes in bytes of LP64 machines, by the names of the macros that tell them.
const SIZES: [(&str, &str); 7] = [
    ("__SIZEOF_SHORT__", "2"),
    ("__SIZEOF_INT__", "4"),
    ("__SIZEOF_LONG__", "8"),
    ("__SIZEOF_POINTER__", "8"),
    ("__SIZEOF_SIZE_T__", "8"),
    ("__SIZEOF_FLOAT__", "4"),
    ("__SIZEOF_DOUBLE__", "8"),
];

/// Flags that change the types or values of enumerations and constants, or structures, which no macro tells, with their opposites.
const FOREIGN_FLAGS: [(&str, &str); 6] = [
    ("-fshort-enums", "-fno-short-enums"),
    ("-fshort-double", "-fno-short-double"),
    ("-fsingle-precision-constant", "-fno-single-precision-constant"),
    ("-cl-single-precision-constant", ""),
    ("-fpack-struct", "-fno-pack-struct"),
    ("-malign-double", "-mno-align-double"),
];

impl Target {
    /// Reads the words of the compiler's command and what `-dM -E` prints with them.
    pub fn new<'w>(words: impl Iterator<Item = &'w OsString>, macros: &str) -> Self {
        let value = |name: &str| {
            let define = |line: &str| {
                Some(line.strip_prefix("#define ")?.strip_prefix(name)?.strip_prefix(' ')?.trim().to_owned())
            };
            macros.lines().find_map(define)
        };
        let other_size = SIZES.into_iter().find_map(|(name, size)| {
            let found = value(name).filter(|found| found != size)?;
            Some(format!("{name} is {found}"))
        });
        Self {
            char_is_unsigned: value("__CHAR_UNSIGNED__").is_some(),
            has_openmp: value("_OPENMP").is_some(),
            foreign: other_size.or_else(|| foreign_flag(words)),
        }
    }

    /// Refuses types that are not those of LP64 machines.
    pub fn check(&self) -> Result<(), Box<Diagnostic>> {
        let Some(foreign) = &self.foreign else { return Ok(()) };
        let message = format!("the compiler has other types than this tool knows: {foreign}");
        let help = "compile the marked nests for a 64-bit machine, without flags that change the types of C";
        Err(Box::new(Diagnostic::error("unsupported-target", message, Span::default()).with_help(help)))
    }
}

/// The first of [`FOREIGN_FLAGS`] that is still in force after all flags, or a character set of the program's own.
fn foreign_flag<'w>(words: impl Iterator<Item = &'w OsString>) -> Option<String> {
    let words: Vec<&OsStr> = words.map(OsString::as_os_str).collect();
    let holds = |(flag, opposite): &(&str, &str)| {
        words.iter().rev().find(|word| **word == *flag || **word == *opposite).is_some_and(|word| *word == *flag)
    };
    let is_charset = |word: &&OsStr| {
        let charset = word.as_bytes().strip_prefix(b"-fexec-charset=");
        charset.is_some_and(|name| !name.eq_ignore_ascii_case(b"utf-8") && !name.eq_ignore_ascii_case(b"utf8"))
    };
    let packs = |word: &&OsStr| word.as_bytes().starts_with(b"-fpack-struct=");
    let flag = FOREIGN_FLAGS.iter().find(|flag| holds(flag)).map(|(flag, _)| format!("`{flag}`"));
    flag.or_else(|| {
        words
            .iter()
            .copied()
            .find(|word| is_charset(word) || packs(word))
            .map(|word| format!("`{}`", word.to_string_lossy()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(words: &[&str], macros: &str) -> Target {
        let words: Vec<OsString> = words.iter().map(OsString::from).collect();
        Target::new(words.iter(), macros)
    }

    #[test]
    fn macros_and_flags_tell_the_types() {
        assert_eq!(target(&["gcc"], "#define __SIZEOF_LONG__ 8\n"), Target::default());
        assert!(target(&["gcc"], "#define __CHAR_UNSIGNED__ 1\n").char_is_unsigned);
        assert!(target(&["gcc", "-m32"], "#define __SIZEOF_LONG__ 4\n").check().is_err());
        assert!(target(&["gcc", "-fshort-enums"], "").check().is_err());
        assert!(target(&["gcc", "-fpack-struct=2"], "").check().is_err());
        assert!(target(&["gcc", "-fshort-enums", "-fno-short-enums"], "").check().is_ok());
        assert!(target(&["gcc", "-fexec-charset=IBM1047"], "").check().is_err());
    }
}
