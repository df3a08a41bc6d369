//! The dependency file that a build expects from compiling a source.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

use super::command::{CommandLine, Mode};
use super::flags::Kind;

/// What the dependency options ask for.
pub struct Dependencies {
    /// `-MD`, not `-MMD`.
    pub has_system_headers: bool,
    /// `-MT` or `-MQ` is among the words.
    pub has_target: bool,
    /// `-MF`
    pub file: Option<OsString>,
    /// `-MP`, `-MG`, `-MT x`, `-MQ x`
    pub other_words: Vec<OsString>,
}

impl Dependencies {
    /// `None` if no dependency file is asked for.
    pub fn read(line: &CommandLine) -> Option<Self> {
        let mut result = Self { has_system_headers: false, has_target: false, file: None, other_words: Vec::new() };
        let mut is_wanted = false;
        for argument in line.arguments.iter().filter(|argument| argument.kind == Kind::Dependency) {
            let first = argument.words[0].as_bytes();
            let value = |prefix: &[u8]| Some(OsStr::from_bytes(first.strip_prefix(prefix)?).to_owned());
            if first == b"-MD" || first == b"-MMD" {
                is_wanted = true;
                result.has_system_headers = first == b"-MD";
            } else if let Some(file) = value(b"-Wp,-MD,").or_else(|| value(b"-Wp,-MMD,")) {
                is_wanted = true;
                result.has_system_headers = first.starts_with(b"-Wp,-MD");
                result.file = Some(file);
            } else if let Some(joined) = value(b"-MF") {
                result.file = argument.words.get(1).cloned().or(Some(joined));
            } else {
                result.has_target |= first.starts_with(b"-MT") || first.starts_with(b"-MQ");
                result.other_words.extend(argument.words.iter().cloned());
            }
        }
        (is_wanted && matches!(line.mode, Mode::Compile | Mode::Link)).then_some(result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Option<Dependencies> {
        let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        Dependencies::read(&CommandLine::parse(&words))
    }

    #[test]
    fn a_file_is_written_only_if_asked_for() {
        assert!(read("gcc -c a.c").is_none());
        assert!(read("gcc -c -MF a.d a.c").is_none());
        assert!(read("gcc -MMD a.c").is_some_and(|wanted| !wanted.has_system_headers && !wanted.has_target));
        assert!(read("gcc -c -MD a.c").is_some_and(|wanted| wanted.has_system_headers));
    }

    #[test]
    fn file_and_target_may_be_joined_or_separate() {
        for line in
            ["gcc -c -MD -MF x.d -MT y -MP a.c", "gcc -c -MD -MFx.d -MTy -MP a.c", "gcc -c -Wp,-MD,x.d -MTy a.c"]
        {
            let wanted = read(line).expect("a dependency file is asked for");
            assert_eq!(wanted.file.as_deref(), Some(OsStr::new("x.d")), "{line}");
            assert!(wanted.has_target && wanted.has_system_headers, "{line}");
        }
        let words = read("gcc -c -MD -MT y -MP a.c").map(|wanted| wanted.other_words);
        assert_eq!(words, Some(vec!["-MT".into(), "y".into(), "-MP".into()]));
    }
}
