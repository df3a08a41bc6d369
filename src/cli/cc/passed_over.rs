//! Warnings of marked nests in what the compiler gets as it is.
//!
//! Most files of a build hold no pragma: a source costs one look at its bytes and those of the headers that it finds without
//! the compiler's own folders. Only if one of these holds a pragma is the preprocessor asked whether it counts.

use anyhow::{Context, Result};
use std::fs::File;
use std::io::{IsTerminal, Read, Seek, Write};
use std::path::Path;

use super::command::{Argument, CommandLine, Mode};
use super::flags::Kind;
use super::includes::has_marked_header;
use crate::cli::language::foreign_language;
use crate::cli::rewrite::report;
use crate::report::Manner;
use crate::source::{Diagnostic, Preprocessor, SourceFile, may_hold_pragma, pragmas_of, pragmas_of_headers};

/// What is done with the files of a command line, and what the user reads.
pub struct PassedOver<'line> {
    line: &'line CommandLine,
    manner: Manner,
}

impl<'line> PassedOver<'line> {
    /// For that command line.
    pub fn new(line: &'line CommandLine, manner: Manner) -> Self {
        Self { line, manner }
    }

    /// Warns of pragmas in all files but those that are `rewritten`. What the compiler is to read on standard input, if that
    /// is a file or a pipe that had to be read here.
    ///
    /// # Errors
    /// When standard input cannot be read or a message cannot be written.
    pub fn warn(&self, is_rewritten: impl Fn(&Path) -> bool) -> Result<Option<File>> {
        let mut input = None;
        let left = |argument: &&Argument| argument.is_input() && !is_rewritten(Path::new(&argument.words[0]));
        for argument in self.line.arguments.iter().filter(left) {
            if argument.words[0] == "-" {
                input = self.warn_of_input()?;
            } else {
                self.warn_of_file(argument)?;
            }
        }
        Ok(input)
    }

    fn warn_of_file(&self, argument: &Argument) -> Result<()> {
        let path = Path::new(&argument.words[0]);
        let Some(why) = self.why_left(argument) else { return Ok(()) };
        let Ok(source) = SourceFile::read(path) else { return Ok(()) };
        self.warn_of_text(&source, why)?;
        if self.line.mode == Mode::Other || !has_marked_header(self.line, &source) {
            return Ok(());
        }
        self.warn_of_headers(argument, &source)
    }

    /// Why a file's nests are not rewritten, and the remedy; `None` if it is no source.
    fn why_left(&self, argument: &Argument) -> Option<Reason> {
        let path = Path::new(&argument.words[0]);
        let end = path.extension().and_then(|end| end.to_str()).unwrap_or_default();
        let foreign = foreign_language(path);
        let is_cpp = argument.language.as_ref().map_or(foreign == Some("C++"), |language| language.contains("c++"));
        match argument.kind {
            Kind::Source => Some(self.of_mode()),
            _ if is_cpp => Some(("C++ is not supported", "move the nest into a function in a .c file")),
            _ if argument.language.is_none() && foreign.is_none() && !["i", "h"].contains(&end) => None,
            _ if end == "i" => Some(("preprocessed text is not rewritten", "give the wrapper the .c file")),
            _ if end == "h" => Some(IN_HEADER),
            _ => Some(("only C sources are rewritten", "move the nest into a .c file")),
        }
    }

    fn of_mode(&self) -> Reason {
        let has = |flag: &str| self.line.words_of(Kind::Mode).any(|word| word == flag);
        if has("-E") {
            ("the preprocessor's output is that of the original nest", "let the wrapper compile the .c file")
        } else if has("-S") {
            ("assembly text is that of the original nest", "compile it with -c")
        } else {
            // A source whose pragmas are all in parts that are not compiled.
            ("it is in a part of the file that is not compiled", "to rewrite it, give the flags that compile it")
        }
    }

    fn warn_of_text(&self, source: &SourceFile, (why, help): Reason) -> Result<()> {
        let pragmas = pragmas_of(source);
        let Some((first, rest)) = pragmas.split_first() else { return Ok(()) };
        let message = match rest.len() {
            0 => "this nest is not rewritten".to_owned(),
            more => format!("this nest and {more} more in this file are not rewritten"),
        };
        let warning =
            Diagnostic::warning("not-rewritten", message, first.first_line(source)).because(why).with_help(help);
        report(self.manner, source, &[warning])
    }

    /// Warns of nests in headers, as the preprocessor finds them; for C++ as they stand.
    fn warn_of_headers(&self, argument: &Argument, source: &SourceFile) -> Result<()> {
        let flags = self.line.words_of(Kind::Flag).filter(|flag| *flag != "-P").cloned().collect();
        let preprocessor = Preprocessor { compiler: self.line.compiler.clone(), flags };
        let preprocessed = match argument.kind {
            Kind::Source => preprocessor.run(source),
            _ => preprocessor.run_as_named(source),
        };
        // What the preprocessor refuses, the compiler will tell.
        let Ok(preprocessed) = preprocessed else { return Ok(()) };
        let mut told: Vec<String> = Vec::new();
        for place in pragmas_of_headers(&preprocessed) {
            if told.contains(&place.header) {
                continue;
            }
            match SourceFile::read(&place.header) {
                Ok(header) => self.warn_of_text(&header, IN_HEADER)?,
                Err(_) => continue,
            }
            told.push(place.header);
        }
        Ok(())
    }

    /// Reads standard input before the compiler does, unless somebody types there.
    fn warn_of_input(&self) -> Result<Option<File>> {
        let mut input = std::io::stdin().lock();
        if input.is_terminal() {
            return Ok(None);
        }
        let mut text = Vec::new();
        input.read_to_end(&mut text).context("cannot read standard input")?;
        let source = SourceFile::new("<stdin>", text);
        let help = "write the program into a .c file";
        self.warn_of_text(&source, ("text from standard input is not rewritten", help))?;
        let mut file = tempfile::tempfile()?;
        file.write_all(source.bytes())?;
        file.rewind()?;
        Ok(Some(file))
    }
}

/// Why a nest is not rewritten, and the remedy.
type Reason = (&'static str, &'static str);

const IN_HEADER: Reason =
    ("nests in headers are not rewritten", "move the marked nest into a .c file, or take the pragma out of the header");

/// Whether the source at `path` may hold a nest to be rewritten; one that cannot be read is left to the compiler to complain
/// about.
pub fn may_be_marked(path: &Path) -> bool {
    SourceFile::read(path).is_ok_and(|source| may_hold_pragma(source.bytes()))
}
