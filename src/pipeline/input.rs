//! What the user's compiler makes of a file, and the nests that are marked there.

use std::cell::OnceCell;
use std::sync::{Arc, OnceLock};

use super::foresight::choose_in_chains;
use crate::bounded::run_bounded;
use crate::front::{self, CallInPlace, Handover, KeptLoop, MarkedNest, ParsedFile, StepInCondition};
use crate::options::{Options, Order};
use crate::source::{Diagnostic, Preprocessed, Severity, SourceFile, Span, count_pragmas, inactive_pragmas};

/// What is said of nests that are not rewritten where the user agreed to that.
pub const LEFT: &str = "the nest is left as it is";

/// A marked nest, or why it is refused.
pub type NestOrErrors = Result<MarkedNest, Vec<Diagnostic>>;

/// A text ready to be read, if it is C; parsed where it is needed first, which takes a deep stack.
pub type Parsed = Arc<OnceLock<Option<ParsedFile>>>;

/// What is read of a file.
pub struct Input {
    /// Its text behind the preprocessor.
    pub preprocessed: Preprocessed,
    /// That, ready to be read.
    parsed: Parsed,
    /// The nests that have been read there.
    nests: OnceCell<Vec<NestOrErrors>>,
}

impl Input {
    /// Of a text that has not been parsed.
    pub fn new(preprocessed: Preprocessed) -> Self {
        Self::of_parsed(preprocessed, Parsed::default())
    }

    /// Of a text that may have been parsed.
    pub fn of_parsed(preprocessed: Preprocessed, parsed: Parsed) -> Self {
        Self { preprocessed, parsed, nests: OnceCell::new() }
    }

    /// The file ready to be read, if a nest is marked there.
    fn parsed(&self, source: &SourceFile) -> Option<&ParsedFile> {
        if count_pragmas(&self.preprocessed) == 0 {
            return None;
        }
        self.parsed.get_or_init(|| ParsedFile::new(source, &self.preprocessed)).as_ref()
    }

    /// The nests as they are read, each in the first of the possible ways; those without a name of their own are called after `stem`.
    fn nests(&self, source: &SourceFile, stem: &str) -> &[NestOrErrors] {
        self.nests.get_or_init(|| front::read_nests(source, &self.preprocessed, self.parsed(source), stem))
    }

    /// Reads the nests, and tells what is said of them then; they need not be read again.
    ///
    /// # Errors
    /// That takes too long, or there is no memory.
    pub fn read_ahead(self, source: &SourceFile, stem: &str) -> Result<(Self, Vec<Diagnostic>), Vec<Diagnostic>> {
        let (source, stem) = (source.clone(), stem.to_owned());
        run_bounded(count_pragmas(&self.preprocessed), move || {
            let told = |nest: &NestOrErrors| match nest {
                Ok(marked) => marked.kept.iter().flat_map(KeptLoop::notes).collect(),
                Err(errors) => errors.clone(),
            };
            let told = self.nests(&source, &stem).iter().flat_map(told).collect();
            Ok((self, told))
        })
    }

    /// Reads the nest with this number as one that has a loop over steps in it, too, if that has not been done.
    pub fn read_within(&self, source: &SourceFile, marked: &mut MarkedNest, index: usize) {
        if marked.kept.is_none() {
            let read = |parsed| front::read_sub_steps(source, &self.preprocessed, parsed, index);
            marked.within = self.parsed(source).and_then(read).map(Box::new);
        }
    }

    /// Reads the nest with this number step by step, too.
    pub fn read_each_step(&self, source: &SourceFile, marked: &mut MarkedNest, index: usize) {
        let read = |parsed| front::read_each_step(source, &self.preprocessed, parsed, index);
        marked.within = self.parsed(source).and_then(read).map(Box::new);
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

/// The marked nests.
pub fn read_nests(
    options: &Options,
    source: &SourceFile,
    input: &Input,
    stem: &str,
) -> Result<Vec<NestOrErrors>, Vec<Diagnostic>> {
    let mut nests = input.nests(source, stem).to_vec();
    choose_in_chains(&mut nests, |marked, index| input.read_within(source, marked, index));
    nests.iter_mut().flatten().for_each(|marked| bound_folds(options, marked));
    if nests.is_empty() {
        return Err(vec![no_pragma(source, &input.preprocessed)]);
    }
    Ok(nests)
}

/// Lets bounds of sums and maxima be enough for the host, unless they have no order of their own.
pub fn bound_folds(options: &Options, marked: &mut MarkedNest) {
    if options.order_for(&marked.clauses) == Order::Original {
        marked.bound_folds();
    }
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
