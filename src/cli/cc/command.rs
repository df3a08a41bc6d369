//! A compiler's command line, understood as far as the wrapper must.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::flags::{self, Kind};

/// What the compiler is asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// `-c`
    Compile,
    /// A program or library.
    Link,
    /// Preprocessing, assembly text, syntax checks, dependencies alone, questions.
    Other,
}

/// One argument with its value, as typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// What it is for.
    pub kind: Kind,
    /// One or two words.
    pub words: Vec<OsString>,
    /// What `-x` says that a file is.
    pub language: Option<String>,
}

impl Argument {
    /// Whether it names a file to work on.
    pub fn is_input(&self) -> bool {
        matches!(self.kind, Kind::Source | Kind::Input)
    }
}

/// A command line of a C compiler.
#[derive(Clone, Debug)]
pub struct CommandLine {
    /// The compiler, with a launcher such as `ccache` before it.
    pub compiler: Vec<OsString>,
    /// Its arguments in order; response files (`@FILE`) are replaced by what they hold.
    pub arguments: Vec<Argument>,
    /// What is to be done.
    pub mode: Mode,
}

impl CommandLine {
    /// Reads the words of a command line, the compiler's name first.
    pub fn parse(words: &[OsString]) -> Self {
        let is_launcher = words.len() > 1 && flags::is_launcher(&words[0]);
        let (compiler, rest) = words.split_at(words.len().min(1 + usize::from(is_launcher)));
        let mut arguments = Vec::new();
        let mut language = None;
        let mut words = flags::expand_response_files(rest).into_iter();
        while let Some(word) = words.next() {
            let mut argument = Argument { kind: flags::kind_of(&word), words: vec![word], language: None };
            if flags::takes_next_word(&argument.words[0]) {
                argument.words.extend(words.next());
            }
            if argument.kind == Kind::Language {
                language = language_of(&argument).filter(|language| language != "none");
            } else if argument.kind == Kind::Input {
                if is_c_source(&argument.words[0], language.as_deref()) {
                    argument.kind = Kind::Source;
                }
                argument.language.clone_from(&language);
            }
            arguments.push(argument);
        }
        let mode = mode_of(&arguments);
        Self { compiler: compiler.to_vec(), arguments, mode }
    }

    /// Whether there is any file to work on.
    pub fn has_inputs(&self) -> bool {
        self.arguments.iter().any(Argument::is_input)
    }

    /// Whether the compiler writes text that a nest can be found in: `-S` or `-E`.
    pub fn gives_text(&self) -> bool {
        self.words_of(Kind::Mode).any(|word| word == "-S" || word == "-E")
    }

    /// Whether some `-x` says what inputs are.
    pub fn language_is_forced(&self) -> bool {
        self.arguments.iter().any(|argument| argument.kind == Kind::Language)
    }

    /// The file after `-o`.
    pub fn output(&self) -> Option<PathBuf> {
        let output = self.arguments.iter().rfind(|argument| argument.kind == Kind::Output)?;
        match output.words.as_slice() {
            [_, file] => Some(file.into()),
            [joined] => joined.as_bytes().strip_prefix(b"-o").map(|file| OsStr::from_bytes(file).into()),
            _ => None,
        }
    }

    /// The object that the compiler would write for `source`.
    pub fn object_of(&self, source: &Path) -> PathBuf {
        let default = || PathBuf::from(source.file_name().unwrap_or_default()).with_extension("o");
        self.output().unwrap_or_else(default)
    }

    /// All words of the arguments of that kind, in order.
    pub fn words_of(&self, kind: Kind) -> impl Iterator<Item = &OsString> {
        self.arguments.iter().filter(move |argument| argument.kind == kind).flat_map(|argument| &argument.words)
    }
}

fn language_of(argument: &Argument) -> Option<String> {
    let last = argument.words.last()?.to_string_lossy();
    Some(if argument.words.len() == 1 { last.trim_start_matches("-x").to_owned() } else { last.into_owned() })
}

fn is_c_source(name: &OsStr, language: Option<&str>) -> bool {
    match language {
        Some(language) => language == "c" && name != "-",
        None => name.as_bytes().ends_with(b".c"),
    }
}

/// If there are several mode flags, the one that stops first counts, as in the compiler's driver.
fn mode_of(arguments: &[Argument]) -> Mode {
    let mut mode = Mode::Link;
    for argument in arguments.iter().filter(|argument| argument.kind == Kind::Mode) {
        mode = if argument.words[0] == "-c" && mode != Mode::Other { Mode::Compile } else { Mode::Other };
    }
    mode
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> CommandLine {
        CommandLine::parse(&line.split(' ').map(OsString::from).collect::<Vec<_>>())
    }

    fn words(line: &CommandLine, kind: Kind) -> Vec<String> {
        line.words_of(kind).map(|word| word.to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn modes_follow_the_first_stop() {
        assert_eq!(parse("gcc a.c").mode, Mode::Link);
        assert_eq!(parse("gcc -c a.c").mode, Mode::Compile);
        for flags in ["-E", "-S", "-c -E", "-S -c", "-M", "-MM", "-fsyntax-only", "-###"] {
            assert_eq!(parse(&format!("gcc {flags} a.c")).mode, Mode::Other, "{flags}");
        }
        assert_eq!(parse("gcc -c -MMD a.c").mode, Mode::Compile);
    }

    #[test]
    fn values_of_options_are_no_inputs() {
        let line = parse("gcc -I a.c -D b.c -include c.c -MF d.c -MT e.c -L f.c -Xlinker g.c -o h.c -O2 i.c j.o -lm");
        assert_eq!(words(&line, Kind::Source), ["i.c"]);
        assert_eq!(words(&line, Kind::Input), ["j.o"]);
        assert_eq!(words(&line, Kind::Flag), ["-I", "a.c", "-D", "b.c", "-include", "c.c", "-O2"]);
        assert_eq!(words(&line, Kind::Dependency), ["-MF", "d.c", "-MT", "e.c"]);
        assert_eq!(words(&line, Kind::Linker), ["-L", "f.c", "-Xlinker", "g.c", "-lm"]);
    }

    #[test]
    fn the_language_option_decides_what_sources_are() {
        let line = parse("gcc -x c a.inc -xassembler b.c -x none c.c d.inc");
        assert_eq!(words(&line, Kind::Source), ["a.inc", "c.c"]);
        assert_eq!(words(&line, Kind::Input), ["b.c", "d.inc"]);
    }

    #[test]
    fn objects_are_named_as_the_compiler_would() {
        let object = |line: &str| parse(line).object_of(Path::new("d/a.b.c"));
        assert_eq!(object("gcc -c d/a.b.c"), Path::new("a.b.o"));
        assert_eq!(object("gcc -c d/a.b.c -o e/x"), Path::new("e/x"));
        assert_eq!(object("gcc -c d/a.b.c -oe/x.o"), Path::new("e/x.o"));
    }

    #[test]
    fn launchers_belong_to_the_compiler() {
        let line = parse("/usr/bin/ccache gcc -c a.c");
        assert_eq!(line.compiler, ["/usr/bin/ccache", "gcc"]);
        assert_eq!(words(&line, Kind::Source), ["a.c"]);
    }

    #[test]
    fn response_files_are_read() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("args");
        std::fs::write(&file, "-DX='a b' \"c d.c\"\n-c e\\ f.c").expect("a written file");
        let line = CommandLine::parse(&["gcc".into(), format!("@{}", file.display()).into(), "@missing".into()]);
        assert_eq!(words(&line, Kind::Flag), ["-DX=a b"]);
        assert_eq!(words(&line, Kind::Source), ["c d.c", "e f.c"]);
        assert_eq!(line.mode, Mode::Compile);
    }
}
