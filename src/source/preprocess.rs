//! Runs the user's compiler as a preprocessor.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;

use super::copy::{TemporaryCopy, as_in_string, as_it_is};
use super::line_map::{Header, LineMap};
use super::macros::Sizes;
use super::pragma::{Pragma, find_pragmas};
use super::untyped::with_types;
use super::{Diagnostic, SourceFile, Span, Target};

/// The longest preprocessed text that is read.
const MAX_BYTES: u64 = 64 << 20;

/// How to preprocess.
#[derive(Clone, Debug)]
pub struct Preprocessor {
    /// The compiler and its fixed arguments, e.g. `["ccache", "gcc"]`.
    pub compiler: Vec<OsString>,
    /// Flags that matter to the preprocessor: `-I`, `-D`, `-U`, `-include`, `-std=` and the like.
    pub flags: Vec<OsString>,
}

/// The text of a file after preprocessing, with the way back.
#[derive(Clone, Debug)]
pub struct Preprocessed {
    /// UTF-8; a byte that is not is replaced by `?`, so that offsets stay.
    text: String,
    map: LineMap,
    pragmas: Vec<Pragma>,
    target: Target,
    is_utf8: bool,
    /// What follows the word `stencil` in each pragma, with macros expanded, if there are any.
    clauses: Option<Vec<String>>,
    /// Other files of the program, whose functions can be called.
    beside: Vec<Beside>,
}

/// Another file of the program, read for the functions that it defines.
#[derive(Clone, Debug)]
pub struct Beside {
    /// As the user names it.
    pub path: PathBuf,
    /// The file.
    pub source: SourceFile,
    /// What the preprocessor makes of it.
    pub preprocessed: Preprocessed,
    /// What names begin with by which it lends its variables to nests of other files; `None` if it lends none.
    pub lends_as: Option<String>,
}

impl Preprocessor {
    /// Preprocesses `source` where it stands, so that its includes are found.
    ///
    /// # Errors
    /// A diagnostic with the compiler's own message if it cannot be started or refuses the file.
    pub fn run(&self, source: &SourceFile) -> Result<Preprocessed, Box<Diagnostic>> {
        let (preprocessed, target) = thread::scope(|scope| {
            let target = scope.spawn(|| self.target());
            (self.run_beside(source), target.join().unwrap_or_default())
        });
        Ok(Preprocessed { target, ..preprocessed? })
    }

    /// As [`run`](Self::run) without what the compiler decides of types, for another form of a file that was run, or a file beside it.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_beside(&self, source: &SourceFile) -> Result<Preprocessed, Box<Diagnostic>> {
        // By another name the compiler would take it for something else.
        let is_named_c = source.path().extension().is_some_and(|end| end == "c");
        self.run_with(source, if is_named_c { &[] } else { &["-x", "c"] })
    }

    /// As [`run_beside`](Self::run_beside) for text of the language that the file's name says.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_as_named(&self, source: &SourceFile) -> Result<Preprocessed, Box<Diagnostic>> {
        self.run_with(source, &[])
    }

    fn run_with(&self, source: &SourceFile, language: &[&str]) -> Result<Preprocessed, Box<Diagnostic>> {
        let start = source.span(0, 0);
        let Some((program, arguments)) = self.compiler.split_first() else {
            return Err(Box::new(Diagnostic::error("preprocessor", "no compiler is given to preprocess with", start)));
        };
        let copy = TemporaryCopy::of(source).map_err(|error| {
            Diagnostic::error("preprocessor", format!("no temporary file can be written: {error}"), start)
        })?;
        let expand = |modes: &[&str]| {
            let mut command = Command::new(program);
            command
                .args(arguments)
                .args(modes)
                .args(copy.iter().flat_map(TemporaryCopy::flags))
                .args(&self.flags)
                .args(language);
            let input = source.is_standard_input().then(|| source.bytes());
            let path = if input.is_some() { Path::new("-") } else { source.path() };
            command.arg(copy.as_ref().map_or(path, TemporaryCopy::path));
            bounded_output(&mut command, input)
        };
        let output = expand(&["-E"]).map_err(|error| {
            let message = format!("the compiler `{}` cannot be run: {error}", program.to_string_lossy());
            Diagnostic::error("preprocessor", message, start).with_help("set CC or give the compiler's name with --cc")
        })?;
        if output.stdout.len() as u64 > MAX_BYTES {
            let message = format!("this file has more than {} MiB after preprocessing", MAX_BYTES >> 20);
            let help = "split it, or look for macros and headers that expand each other";
            return Err(Box::new(Diagnostic::error("too-large", message, start).with_help(help)));
        }
        if !output.status.success() {
            let said =
                copy.as_ref().map_or(output.stderr.clone(), |copy| copy.with_original_path(&output.stderr, as_it_is));
            return Err(Box::new(failure(source, &String::from_utf8_lossy(&said))));
        }
        // `__FILE__`, which `assert` names, too, is the source.
        let text = copy.as_ref().map(|copy| copy.with_original_path(&output.stdout, as_in_string));
        let preprocessed = Preprocessed::new(text.unwrap_or(output.stdout));
        let clauses = self.expanded_clauses(&preprocessed, || expand(&["-E", "-dD"]));
        Ok(Preprocessed { clauses, ..preprocessed })
    }

    /// The clauses of each pragma with the macros in their sizes expanded, for which the compiler lists all definitions; `None` if
    /// there are none.
    fn expanded_clauses(
        &self,
        preprocessed: &Preprocessed,
        list: impl FnOnce() -> io::Result<Output>,
    ) -> Option<Vec<String>> {
        let sizes = Sizes::of(&preprocessed.text, &preprocessed.pragmas);
        if !sizes.have_names() {
            return None;
        }
        let listed = list().ok()?.stdout;
        let text = sizes.among_definitions(&String::from_utf8_lossy(&listed))?;
        let (program, arguments) = self.compiler.split_first()?;
        let mut again = Command::new(program);
        again.args(arguments).args(["-E", "-x", "c", "-"]);
        let expanded = bounded_output(&mut again, Some(text.as_bytes())).ok()?.stdout;
        Some(sizes.replaced(&String::from_utf8_lossy(&expanded)))
    }

    /// What the compiler decides of C's types. One that does not tell is taken for an LP64 one.
    fn target(&self) -> Target {
        let Some((program, arguments)) = self.compiler.split_first() else { return Target::default() };
        let mut command = Command::new(program);
        command.args(arguments).args(&self.flags).args(["-dM", "-E", "-x", "c", "/dev/null"]);
        let macros = bounded_output(&mut command, None).map(|output| output.stdout).unwrap_or_default();
        Target::new(arguments.iter().chain(&self.flags), &String::from_utf8_lossy(&macros))
    }
}

/// What the command prints, cut off one byte behind [`MAX_BYTES`]; a command that prints more is ended by that. It reads
/// `input`, if there is any, on its standard input.
fn bounded_output(command: &mut Command, input: Option<&[u8]>) -> io::Result<Output> {
    let stdin = if input.is_some() { Stdio::piped() } else { Stdio::null() };
    let mut child = command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    // All go on at once: a compiler that writes much to either must not wait.
    let (stdout, stderr) = thread::scope(|scope| {
        scope.spawn(|| feed(stdin, input));
        let messages = scope.spawn(|| read_bounded(stderr));
        (read_bounded(stdout), messages.join().unwrap_or_default())
    });
    Ok(Output { status: child.wait()?, stdout, stderr })
}

/// A compiler that does not read to the end says why itself.
fn feed(stream: Option<impl Write>, input: Option<&[u8]>) {
    if let Some(mut stream) = stream {
        let _ = stream.write_all(input.unwrap_or_default());
    }
}

fn read_bounded(stream: Option<impl Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(stream) = stream {
        // What was read before an error is judged by the exit status.
        let _ = stream.take(MAX_BYTES + 1).read_to_end(&mut bytes);
    }
    bytes
}

impl Preprocessed {
    /// Takes what a preprocessor printed.
    pub fn new(output: Vec<u8>) -> Self {
        let is_utf8 = std::str::from_utf8(&output).is_ok();
        let text = String::from_utf8(output).unwrap_or_else(|error| {
            error.into_bytes().iter().map(|byte| if byte.is_ascii() { char::from(*byte) } else { '?' }).collect()
        });
        let text = with_types(text);
        let map = LineMap::new(&text);
        let pragmas = find_pragmas(text.as_bytes());
        Self { text, map, pragmas, target: Target::default(), is_utf8, clauses: None, beside: Vec::new() }
    }

    /// The same with other files of the program beside it.
    #[must_use]
    pub fn with_beside(self, beside: Vec<Beside>) -> Self {
        Self { beside, ..self }
    }

    /// The same with what the compiler decides of C's types.
    #[must_use]
    pub fn with_target(self, target: Target) -> Self {
        Self { target, ..self }
    }

    /// Other files of the program.
    pub fn beside(&self) -> &[Beside] {
        &self.beside
    }

    /// What the compiler decides of C's types.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// What follows the word `stencil` in the pragma of that index with macros in sizes expanded, if there are any.
    pub fn expanded_clauses(&self, pragma: usize) -> Option<&str> {
        self.clauses.as_ref()?.get(pragma).map(String::as_str)
    }

    /// Whether every byte is the compiler's own.
    pub fn is_utf8(&self) -> bool {
        self.is_utf8
    }

    /// Its stencil pragmas, those of headers included.
    pub fn pragmas(&self) -> &[Pragma] {
        &self.pragmas
    }

    /// The preprocessed text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where its lines come from.
    pub fn map(&self) -> &LineMap {
        &self.map
    }

    /// The files that were included, system headers marked.
    pub fn headers(&self) -> &[Header] {
        &self.map.headers
    }

    /// The span in `source` of the preprocessed bytes `start..end`; the file's first byte for text of headers.
    pub fn span(&self, source: &SourceFile, start: usize, end: usize) -> Span {
        self.written(source, Span::new(start, end)).unwrap_or(source.span(0, 0))
    }

    /// The span in `source` of the preprocessed bytes `range`; `None` if the text comes from a header.
    pub fn written(&self, source: &SourceFile, range: Span) -> Option<Span> {
        self.map.span(&self.text, source, range)
    }

    /// Whether it can be told where the statements of the preprocessed bytes `start..end` begin and end in `source`.
    pub fn tells_apart(&self, source: &SourceFile, start: usize, end: usize) -> bool {
        self.map.tells_apart(&self.text, source, Span::new(start, end))
    }
}

/// Turns the compiler's messages into a diagnostic at the line they name.
fn failure(source: &SourceFile, messages: &str) -> Diagnostic {
    let path = source.path().to_string_lossy();
    let line = messages.lines().find_map(|message| {
        let mut parts = message.strip_prefix(&*path)?.strip_prefix(':')?.splitn(2, ':');
        let line: usize = parts.next()?.parse().ok()?;
        parts.next()?.contains("error").then_some(line - 1)
    });
    let span = line.map(|line| source.line_span(line)).unwrap_or(source.span(0, 0));
    let said = messages.lines().find(|line| line.contains("error")).unwrap_or("it gave no reason");
    Diagnostic::error("preprocessor", "the compiler cannot preprocess this file", span)
        .because(said.rsplit_once("error: ").map_or(said, |(_, reason)| reason))
        .with_help("mend what the compiler says, or give the flags with which it accepts the file, such as -I and -D")
        .with_help(format!("the compiler said:\n{}", messages.trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gcc(text: &str, flags: &[&str]) -> Result<Preprocessed, Box<Diagnostic>> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a b.c");
        std::fs::write(&path, text).unwrap();
        let flags = flags.iter().map(OsString::from).collect();
        Preprocessor { compiler: vec!["gcc".into()], flags }.run(&SourceFile::read(path).unwrap())
    }

    #[test]
    fn flags_reach_the_preprocessor() {
        assert!(gcc("int x = N;\n", &["-D", "N=42"]).unwrap().text().contains("int x = 42;"));
    }

    #[test]
    fn macros_in_clauses_are_those_that_are_defined_there() {
        let text = "#define SQUARE(n) ((n) * (n))\n#pragma stencil extent(p[0:SQUARE(N)]) tile(M)\n#undef M\n#define M 3\n\
                    #pragma stencil tile(M) name(M)\n";
        for compiler in ["gcc", "clang"] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("a.c");
            std::fs::write(&path, text).unwrap();
            let flags = vec!["-DN=7".into(), "-DM=2".into()];
            let preprocessor = Preprocessor { compiler: vec![compiler.into()], flags };
            let preprocessed = preprocessor.run(&SourceFile::read(path).unwrap()).unwrap();
            let clauses = [0, 1].map(|pragma| preprocessed.expanded_clauses(pragma).unwrap().to_owned());
            assert_eq!(clauses, ["extent(p[0:((7) * (7))]) tile(2)", "tile(3) name(M)"], "{compiler}");
        }
        assert!(gcc("#pragma stencil extent(p[0:n])\n", &[]).unwrap().expanded_clauses(0).is_none());
    }

    #[test]
    fn output_without_end_is_refused() {
        let endless = Preprocessor { compiler: vec!["cat".into(), "/dev/zero".into()], flags: Vec::new() };
        let error = endless.run(&SourceFile::new("a.c", Vec::new())).unwrap_err();
        assert_eq!(error.code, "too-large");
    }

    #[test]
    fn a_failure_names_the_line_and_the_reason() {
        let error = gcc("int x;\n#include \"missing.h\"\n", &[]).unwrap_err();
        assert_eq!(error.primary.span.start, 7);
        assert!(error.primary.message.contains("missing.h"), "{error:?}");
    }
}
