//! Shortcuts for unit tests that start from C text.

use crate::front;
use crate::ir::Nest;
use crate::options::Order;
use crate::poly::{Analysis, Effort, Names, Recurrences, Refusal};
use crate::source::{Preprocessor, SourceFile};
use crate::tile::compute_reaches;
use crate::valid;

/// The first marked nest of a C file with this text.
pub fn nest_of(text: &str) -> Nest {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("case.c");
    std::fs::write(&path, text).expect("a writable folder");
    let source = SourceFile::read(&path).expect("the file just written");
    let preprocessor = Preprocessor { compiler: vec!["cc".into()], flags: Vec::new() };
    let preprocessed = preprocessor.run(&source).expect("text that the preprocessor accepts");
    front::read_nests(&source, &preprocessed, front::ParsedFile::new(&source, &preprocessed).as_ref(), "case")
        .remove(0)
        .expect("a nest that the front end accepts")
        .nest
}

/// Analyses the first marked nest and hands it to `check`.
pub fn with_recurrences(text: &str, check: impl FnOnce(&Nest, &Recurrences)) {
    with_analysis(text, |analysis| check(analysis.nest, &analysis.recurrences));
}

/// Analyses the first marked nest and hands all that is known of it to `check`.
pub fn with_analysis(text: &str, check: impl FnOnce(&Analysis<'_>)) {
    let nest = nest_of(text);
    let names = Names::new(&nest);
    check(&Analysis::new(&nest, &names, Effort::Whole).expect("a legal nest"));
}

/// The operations of isl that the analysis of the first marked nest and of its reaches takes.
pub fn operations(text: &str) -> u64 {
    let mut operations = 0;
    with_analysis(text, |analysis| {
        compute_reaches(analysis.nest, &analysis.recurrences, Order::Original).expect("isl").expect("short reaches");
        operations = analysis.recurrences.sweeps.sweeps[0].domain.context().operations();
    });
    operations
}

/// The codes of the diagnostics that refuse the first marked nest.
pub fn refusals(text: &str) -> Vec<&'static str> {
    let nest = nest_of(text);
    let names = Names::new(&nest);
    let outcome = Analysis::new(&nest, &names, Effort::Whole);
    outcome.err().map(|refusal: Refusal| valid::explain(&nest, &refusal).code).into_iter().collect()
}
