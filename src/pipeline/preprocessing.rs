//! What the user's compiler makes of the forms of a file: steps are set apart and calls written out in it to see what is refused then.

use std::cell::{OnceCell, RefCell};
use std::path::Path;
use std::thread;

use super::input::{Input, Parsed};
use crate::options::Options;
use crate::rewrite::Original;
use crate::source::{Beside, Diagnostic, Preprocessed, SourceFile, count_pragmas, pragmas_of};
use crate::text::plain_name;

/// The texts of a file's forms behind the preprocessor, with those of the program's other files if a nest is marked. The compiler is
/// asked once for each form, and once for the other files.
pub struct Preprocessing<'o> {
    options: &'o Options,
    /// The forms that are known.
    known: RefCell<Vec<(SourceFile, Preprocessed, Parsed)>>,
    /// The other files, if they have been asked for.
    beside: OnceCell<Vec<Beside>>,
}

impl<'o> Preprocessing<'o> {
    /// Of a file for which nothing has been asked.
    pub fn new(options: &'o Options) -> Self {
        Self { options, known: RefCell::default(), beside: OnceCell::new() }
    }

    /// A form of the file, which is parsed once.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn input(&self, source: &SourceFile) -> Result<Input, Vec<Diagnostic>> {
        self.find(source).map(|(preprocessed, parsed)| Input::of_parsed(preprocessed, parsed))
    }

    /// The text of a form of the file.
    ///
    /// # Errors
    /// The compiler refuses it, or one of the other files cannot be read.
    pub fn run(&self, source: &SourceFile) -> Result<Preprocessed, Vec<Diagnostic>> {
        self.find(source).map(|(preprocessed, _)| preprocessed)
    }

    fn find(&self, source: &SourceFile) -> Result<(Preprocessed, Parsed), Vec<Diagnostic>> {
        let is_it =
            |known: &SourceFile| known.bytes() == source.bytes() && known.is_in_memory() == source.is_in_memory();
        if let Some((_, preprocessed, parsed)) = self.known.borrow().iter().find(|(known, ..)| is_it(known)) {
            return Ok((preprocessed.clone(), parsed.clone()));
        }
        let (preprocessed, parsed) = (self.run_anew(source)?, Parsed::default());
        self.known.borrow_mut().push((source.clone(), preprocessed.clone(), parsed.clone()));
        Ok((preprocessed, parsed))
    }

    fn run_anew(&self, source: &SourceFile) -> Result<Preprocessed, Vec<Diagnostic>> {
        let options = self.options;
        let preprocessor = &options.preprocessor;
        let target = self.known.borrow().first().map(|(_, known, _)| known.target().clone());
        let preprocess = || match target {
            Some(target) => preprocessor.run_beside(source).map(|it| it.with_target(target)),
            None => preprocessor.run(source),
        };
        let others = || read_others(options, source);
        let (preprocessed, others_meanwhile) = thread::scope(|scope| {
            // Whether a macro marks a nest is known behind the preprocessor only.
            let are_needed = self.beside.get().is_none() && !pragmas_of(source).is_empty();
            let meanwhile = are_needed.then(|| scope.spawn(others));
            let preprocessed = preprocess().map_err(|error| vec![*error]);
            (preprocessed, meanwhile.map(|thread| thread.join().expect("reading files does not panic")))
        });
        let preprocessed = preprocessed?;
        if count_pragmas(&preprocessed) == 0 {
            return Ok(preprocessed);
        }
        let beside = match self.beside.get() {
            Some(known) => known.clone(),
            None => {
                let read = others_meanwhile.unwrap_or_else(others)?;
                self.beside.get_or_init(|| read).clone()
            }
        };
        Ok(preprocessed.with_beside(beside))
    }
}

/// The program's other files.
fn read_others(options: &Options, source: &SourceFile) -> Result<Vec<Beside>, Vec<Diagnostic>> {
    let others = options.beside.iter().filter(|path| path.as_path() != source.path());
    let mut others = others.map(|path| read_beside(options, path)).collect::<Result<Vec<_>, _>>()?;
    tell_apart(&mut others);
    Ok(others)
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
    let lends_as = options.copies_beside.then(stem);
    Ok(Beside { path: path.to_owned(), source: original.source().clone(), preprocessed, lends_as })
}
