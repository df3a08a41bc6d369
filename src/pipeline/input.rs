//! What the user's compiler makes of a file, and the nests that are marked there.

use std::cell::OnceCell;
use std::path::Path;
use std::thread;

use super::foresight::choose_in_chains;
use crate::front::{self, CallInPlace, Handover, MarkedNest, ParsedFile, StepInCondition};
use crate::options::{Options, Order};
use crate::rewrite::Original;
use crate::source::{
    Beside, Diagnostic, Preprocessed, Severity, SourceFile, Span, count_pragmas, inactive_pragmas, pragmas_of,
};
use crate::text::plain_name;

/// What is said of nests that are not rewritten where the user agreed to that.
pub const LEFT: &str = "the nest is left as it is";

/// A marked nest, or why it is refused.
pub type NestOrErrors = Result<MarkedNest, Vec<Diagnostic>>;

/// What is read of a file.
pub struct Input {
    /// Its text behind the preprocessor.
    pub preprocessed: Preprocessed,
    /// That, ready to be read, if it is C; parsed where it is needed first, which takes a deep stack.
    parsed: OnceCell<Option<ParsedFile>>,
}

impl Input {
    /// Of a text that has not been parsed.
    pub fn new(preprocessed: Preprocessed) -> Self {
        Self { preprocessed, parsed: OnceCell::new() }
    }

    /// The file ready to be read, if a nest is marked there.
    fn parsed(&self, source: &SourceFile) -> Option<&ParsedFile> {
        if count_pragmas(&self.preprocessed) == 0 {
            return None;
        }
        self.parsed.get_or_init(|| ParsedFile::new(source, &self.preprocessed)).as_ref()
    }

    /// The ways to write out a call of a function because of which, or at whose call, something is refused.
    pub fn call_in_place(&self, source: &SourceFile, refused: &[Span]) -> Vec<CallInPlace> {
        let find = |parsed| front::find_call_in_place(source, &self.preprocessed, parsed, refused);
        self.parsed(source).map_or_else(Vec::new, find)
    }

    /// What the host can hand on to sweeps.
    pub fn handovers(&self, source: &SourceFile) -> Vec<Handover> {
        let find = |parsed| front::find_handovers(source, &self.preprocessed, parsed);
        self.parsed(source).map_or_else(Vec::new, find)
    }

    /// The steps that conditions compute.
    pub fn steps_in_conditions(&self, source: &SourceFile) -> Vec<StepInCondition> {
        let find = |parsed| front::find_steps_in_conditions(source, &self.preprocessed, parsed);
        self.parsed(source).map_or_else(Vec::new, find)
    }
}

/// The text of a file behind the preprocessor, with those of the program's other files if a nest is marked.
pub fn preprocess(options: &Options, source: &SourceFile) -> Result<Preprocessed, Vec<Diagnostic>> {
    let others = || {
        let others = options.beside.iter().filter(|path| path.as_path() != source.path());
        others.map(|path| read_beside(options, path)).collect::<Result<Vec<_>, _>>()
    };
    let (preprocessed, others_meanwhile) = thread::scope(|scope| {
        // Whether a macro marks a nest is known behind the preprocessor only.
        let meanwhile = (!pragmas_of(source).is_empty()).then(|| scope.spawn(others));
        let preprocessed = options.preprocessor.run(source).map_err(|error| vec![*error]);
        (preprocessed, meanwhile.map(|thread| thread.join().expect("reading files does not panic")))
    });
    let preprocessed = preprocessed?;
    if count_pragmas(&preprocessed) == 0 {
        return Ok(preprocessed);
    }
    let mut beside = others_meanwhile.unwrap_or_else(others)?;
    tell_apart(&mut beside);
    Ok(preprocessed.with_beside(beside))
}

/// Files whose names would begin alike lend nothing.
fn tell_apart(beside: &mut [Beside]) {
    let stems: Vec<_> = beside.iter().map(|it| it.lends_as.clone()).collect();
    let is_shared = |it: &Beside| stems.iter().filter(|stem| **stem == it.lends_as).count() > 1;
    beside.iter_mut().filter(|it| is_shared(it)).for_each(|it| it.lends_as = None);
}

/// Another file of the program, for the functions that it defines.
fn read_beside(options: &Options, path: &Path) -> Result<Beside, Vec<Diagnostic>> {
    let refuse = |reason: String| {
        let message = format!("{} cannot be read beside this file", path.display());
        let error = Diagnostic::error("file", message, Default::default()).because(reason);
        vec![error.with_help("give a C file of the program that its compiler accepts with the same flags")]
    };
    let source = SourceFile::read(path.to_owned()).map_err(|error| refuse(error.to_string()))?;
    let original = Original::of(&source).map_err(|error| refuse(error.message.clone()))?;
    let preprocessed = options.preprocessor.run_beside(original.source());
    let preprocessed = preprocessed.map_err(|error| refuse(error.message.clone()))?;
    let stem = || plain_name(&path.file_stem().unwrap_or_default().to_string_lossy());
    Ok(Beside { path: path.to_owned(), preprocessed, lends_as: options.copies_beside.then(stem) })
}

/// The marked nests.
pub fn read_nests(
    options: &Options,
    source: &SourceFile,
    input: &Input,
    stem: &str,
) -> Result<Vec<NestOrErrors>, Vec<Diagnostic>> {
    let mut nests = front::read_nests(source, &input.preprocessed, input.parsed(source), stem);
    choose_in_chains(&mut nests);
    let in_order = |marked: &&mut MarkedNest| options.order_for(&marked.clauses) == Order::Original;
    nests.iter_mut().flatten().filter(in_order).for_each(MarkedNest::bound_folds);
    if nests.is_empty() {
        return Err(vec![no_pragma(source, &input.preprocessed)]);
    }
    Ok(nests)
}

fn no_pragma(source: &SourceFile, preprocessed: &Preprocessed) -> Diagnostic {
    if let Some(diagnostic) = note_inactive(source, preprocessed) {
        return Diagnostic { severity: Severity::Error, code: "no-pragma", ..diagnostic };
    }
    let name = source.path().file_name().unwrap_or_default().to_string_lossy();
    Diagnostic::error("no-pragma", format!("no #pragma stencil in {name}"), Default::default())
        .with_help("write `#pragma stencil` on the line above the outermost `for` of a stencil computation")
}

/// A note if the preprocessor leaves pragmas out.
pub fn note_inactive(source: &SourceFile, preprocessed: &Preprocessed) -> Option<Diagnostic> {
    let pragmas = inactive_pragmas(source, preprocessed);
    let (first, rest) = pragmas.split_first()?;
    let message = match rest {
        [] => "this nest is in a part of the file that is not compiled".to_owned(),
        rest => format!("this nest and {} more are in parts of the file that are not compiled", rest.len()),
    };
    let note = Diagnostic::note("inactive-pragma", message, first.first_line(source))
        .because("with these flags the preprocessor leaves it out")
        .with_help("to rewrite it, give the flags that compile it, such as -D");
    Some(note)
}
