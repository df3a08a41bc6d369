//! Shortcuts for unit tests that start from C text.

use isl_bindings::Context;

use crate::front;
use crate::ir::Nest;
use crate::poly::{Failure, Memory, Names, Reads, Recurrences};
use crate::source::{Preprocessor, SourceFile};
use crate::tile::Reaches;
use crate::valid;

/// The first marked nest of a C file with this text.
pub fn nest_of(text: &str) -> Nest {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("case.c");
    std::fs::write(&path, text).expect("a writable folder");
    let source = SourceFile::read(&path).expect("the file just written");
    let preprocessor = Preprocessor { compiler: vec!["cc".into()], flags: Vec::new() };
    let preprocessed = preprocessor.run(&source).expect("text that the preprocessor accepts");
    front::read_nests(&source, &preprocessed, "case").remove(0).expect("a nest that the front end accepts")
}

/// Analyses the first marked nest and hands it to `check`.
pub fn with_recurrences(text: &str, check: impl FnOnce(&Memory<'_>, &Recurrences)) {
    let nest = nest_of(text);
    let names = Names::new(&nest);
    let context = Context::new().expect("memory");
    let memory = Memory::new(&context, &nest, &names, Reads::Grouped).expect("affine accesses");
    let recurrences = Recurrences::new(&memory, |sweeps| valid::check_order(&nest, sweeps));
    check(&memory, &recurrences.expect("a legal nest").expect("a storage"));
}

/// The operations of isl that the analysis of the first marked nest takes.
pub fn operations(text: &str) -> u64 {
    let nest = nest_of(text);
    let names = Names::new(&nest);
    let context = Context::new().expect("memory");
    let analysed = context.with_operation_limit(u64::MAX, || {
        let memory = Memory::new(&context, &nest, &names, Reads::Grouped).expect("affine accesses");
        let recurrences = Recurrences::new(&memory, |sweeps| valid::check_order(&nest, sweeps));
        let recurrences = recurrences.expect("a legal nest").expect("a storage");
        Reaches::new(&recurrences)?.expect("short reaches");
        Ok(context.operations())
    });
    analysed.expect("isl")
}

/// The codes of the diagnostics that refuse the first marked nest.
pub fn refusals(text: &str) -> Vec<&'static str> {
    let nest = nest_of(text);
    let names = Names::new(&nest);
    let context = Context::new().expect("memory");
    let outcome = Memory::new(&context, &nest, &names, Reads::Apart)
        .and_then(|memory| Recurrences::new(&memory, |sweeps| valid::check_order(&nest, sweeps)).map(|_| ()));
    match outcome {
        Err(Failure::Rejected(diagnostics)) => diagnostics.iter().map(|d| d.code).collect(),
        Err(Failure::Isl(error)) => panic!("isl: {error}"),
        Ok(()) => Vec::new(),
    }
}
