//! From the preprocessed text to nests: syntax tree, names and types, symbolic execution, storage.
//!
//! The text is parsed once, without the functions of headers that nothing mentions. For each pragma a `Reader` executes the
//! `for` statement behind it symbolically:
//! scalars become immutable locals, pointers become a variable and subscripts, assignments to elements become
//! statements; a call of the program's own function is its body in place. Then storage is resolved: rotated pointers and leading time subscripts become buffers, flat subscripts
//! become dimensions. Point sources become part of the sweeps before them. Calls that the host can make before the nest starts become parameters and listed values. What the nest leaves in other variables that outlive it follows from the control-flow graph of the
//! function around it and from the last iteration of each loop.

mod allocated_rows;
mod arrays;
mod assigned_sizes;
mod before;
mod body;
mod branches;
mod bounded;
mod bounds;
mod buffers;
mod build;
mod calls;
mod casts;
mod changes;
mod choices;
mod clamped;
mod clashes;
mod classification;
mod components;
mod conditionals;
mod constants;
mod control_flow;
mod combinations;
mod copies;
mod counters;
mod counting;
mod coverage;
mod declarations;
mod delinearize;
mod digits;
mod elsewhere;
mod ends;
mod enums;
mod equal_sizes;
mod execution;
mod exhaustive;
mod exits;
mod expressions;
mod extremes;
mod extensions;
mod failable;
mod file_names;
mod file_tree;
mod filled;
mod fixed;
mod fixed_elements;
mod flat;
mod folds;
mod forms;
mod frames;
mod function_pointers;
mod grids;
mod growth;
mod handed;
mod headers;
mod held;
mod histories;
mod index_arrays;
mod initial;
mod integers;
mod integral;
mod layout;
mod kept;
mod known_functions;
mod left;
mod limits;
mod listed;
mod literals;
mod lone_scalars;
mod liveness;
mod local_arrays;
mod local_pointers;
mod lookups;
mod loops;
mod marked;
mod marked_loop;
mod masks;
mod multiples;
mod nest_names;
mod null_tests;
mod numbers;
mod objects;
mod opaque;
mod openmp;
mod packing;
mod pieces;
mod places;
mod plain_types;
mod planes;
mod point_sources;
mod pointer_tables;
mod pointers;
mod polynomial;
mod pragma;
mod qualifiers;
mod quotients;
mod ranges;
mod reader;
mod reading;
mod readings;
mod real_loops;
mod records;
mod removal;
mod restored;
mod returns;
mod rotation;
mod rules;
mod rounds;
mod runs;
mod scatters;
mod scratch;
mod selections;
mod single_structures;
mod settings;
mod splits;
mod starts;
mod statics;
mod row_bases;
mod row_tables;
mod storage;
mod stored_scalars;
mod stores;
mod strips;
mod structure_values;
mod structures;
mod structures_in_turn;
mod substitution;
mod switch;
mod symbols;
mod syntax;
mod tables;
mod tiled_sizes;
mod time_guards;
mod trails;
mod tree;
mod types;
mod updates;
mod typing;
mod unknown;
mod unmentioned;
mod unroll;
mod unused;
mod value_names;
mod variables;
mod verdicts;
mod wanted;
mod whole;
mod whole_loops;

#[cfg(test)]
mod tests;

use tree_sitter::Tree;

use crate::source::{Diagnostic, Preprocessed, SourceFile, Span, count_pragmas, tokens};

pub(crate) use failable::{Failable, TWO_ARRAYS};
pub use kept::{
    Asks, Body, CallInPlace, Chain, Condition, Declarations, Handover, KeptLoop, Need, NextStep, OWN_NAMES, Part,
    Pieces, Place, Stands, StepInCondition, TAKEN_BY_HOST,
};
pub use marked::MarkedNest;
pub use nest_names::tuned_name;

use clashes::{Clashes, find_clashes};
use file_tree::FileTree;
use held::with_values;
use kept::{find_chains, read_kept};
use limits::{MAX_NESTS, check_depth};
use marked_loop::{fold_headers, pragma_at};
use nest_names::give_names;
use pragma::{Places, WrittenClauses, read_clauses};
use reading::{read_folding, read_nest};
use readings::{Mark, Readings, Trees};
use rules::may_follow_a_rule;
use tree::{Prepared, Unit};

/// A file that is ready to be read: its text as plain C, and the tree of that.
pub struct ParsedFile {
    prepared: Prepared,
    tree: Tree,
}

impl ParsedFile {
    /// Parses a file; `None` if it is too far from C.
    pub fn new(source: &SourceFile, preprocessed: &Preprocessed) -> Option<Self> {
        let mut unit = Unit::new(source, preprocessed);
        let tree = unit.parse()?;
        Some(Self { prepared: unit.into_prepared(), tree })
    }

    fn unit<'s>(&self, source: &'s SourceFile, preprocessed: &'s Preprocessed) -> Unit<'s> {
        let unit = Unit::of(source, preprocessed, self.prepared.clone());
        unit.parsed.borrow_mut().keep(unit.given(), unit.given(), &self.tree);
        unit
    }
}

/// Reads every marked nest of `source`, which has been `parsed` if it can be, one result per `#pragma stencil` in textual order; a
/// nest that is refused does not stop the others. A file without the pragma gives an empty list. Nests without a name of their
/// own are called after `stem`.
pub fn read_nests(
    source: &SourceFile,
    preprocessed: &Preprocessed,
    parsed: Option<&ParsedFile>,
    stem: &str,
) -> Vec<Result<MarkedNest, Vec<Diagnostic>>> {
    if count_pragmas(preprocessed) == 0 {
        return Vec::new();
    }
    let Some(parsed) = parsed else {
        let error = Diagnostic::error("syntax", "the file cannot be parsed as C", source.span(0, 0));
        return vec![Err(vec![error.with_help("look for what is not C where the compiler finds its first error")])];
    };
    let (unit, tree) = (parsed.unit(source, preprocessed), &parsed.tree);
    let checks = preprocessed.target().check().and_then(|()| check_nest_count(&unit));
    if let Err(error) = checks.and_then(|()| check_depth(&unit, tree.root_node())) {
        return vec![Err(vec![*error])];
    }
    let Clashes { hidden, errors } = find_clashes(&unit, tree.root_node());
    if !errors.is_empty() {
        return vec![Err(errors)];
    }
    let file = FileTree::new(tree.root_node());
    let read = |index: usize| {
        let (pragma, clauses) = read_pragma(&unit, index)?;
        let trees = Trees::default();
        let readings = Readings::new(&trees);
        let mark = Mark { index, pragma, clauses: &clauses, readings: &readings };
        let read = |unit: &Unit| read_marked(unit, &file, mark);
        with_values(&unit, &clauses.values, read).map_err(|error| vec![*error])
    };
    let mut nests: Vec<_> = (0..unit.pragmas.len()).map(read).collect();
    find_chains(&unit, &file, &mut nests);
    fold_headers(&mut nests);
    give_names(&mut nests, source, stem);
    nests.iter_mut().flatten().for_each(|marked| marked.hidden.clone_from(&hidden));
    nests
}

/// Reads the loop behind a pragma, of which the driver runs the nest with this number as a whole, with a step of a loop within it.
pub fn read_sub_steps(
    source: &SourceFile,
    preprocessed: &Preprocessed,
    parsed: &ParsedFile,
    index: usize,
) -> Option<MarkedNest> {
    let (unit, root) = (parsed.unit(source, preprocessed), parsed.tree.root_node());
    let (trees, file) = (Trees::default(), FileTree::new(root));
    if !kept::has_sub_steps(&unit, &file, index) {
        return None;
    }
    let (pragma, clauses) = read_pragma(&unit, index).ok()?;
    let readings = Readings::new(&trees);
    let mark = Mark { index, pragma, clauses: &clauses, readings: &readings };
    // It knows what the nest as a whole is read with, too.
    let read = |unit: &Unit| {
        let whole = or_with_scalars_stored(unit, |unit| read_nest(unit, &file, mark))?;
        Ok(MarkedNest { within: kept::read_sub_steps(unit, &file, mark).map(Box::new), ..whole })
    };
    with_values(&unit, &clauses.values, read).ok()?.within.map(|within| *within)
}

/// Reads the loop behind a pragma, whose nest has this number, as one of which the host takes one step after the other.
pub fn read_each_step(
    source: &SourceFile,
    preprocessed: &Preprocessed,
    parsed: &ParsedFile,
    index: usize,
) -> Option<MarkedNest> {
    let (unit, file) = (parsed.unit(source, preprocessed), FileTree::new(parsed.tree.root_node()));
    let (pragma, clauses) = read_pragma(&unit, index).ok()?;
    let trees = Trees::default();
    let readings = Readings::new(&trees);
    let mark = Mark { index, pragma, clauses: &clauses, readings: &readings };
    let refused = || Box::new(Diagnostic::error("kept-step", "the steps of this loop are no nests", pragma));
    with_values(&unit, &clauses.values, |unit| kept::read_each_step(unit, &file, mark).ok_or_else(refused)).ok()
}

/// The steps that conditions compute, in the marked loops of a file.
pub fn find_steps_in_conditions(
    source: &SourceFile,
    preprocessed: &Preprocessed,
    parsed: &ParsedFile,
) -> Vec<StepInCondition> {
    if preprocessed.target().check().is_err() {
        return Vec::new();
    }
    let (unit, root) = (parsed.unit(source, preprocessed), parsed.tree.root_node());
    let is_good = check_nest_count(&unit).and_then(|()| check_depth(&unit, root)).is_ok();
    if is_good { kept::steps_in_conditions(&unit, root) } else { Vec::new() }
}

/// What the host can hand on to sweeps in the marked loops of a file.
pub fn find_handovers(source: &SourceFile, preprocessed: &Preprocessed, parsed: &ParsedFile) -> Vec<Handover> {
    let (unit, root) = (parsed.unit(source, preprocessed), parsed.tree.root_node());
    let is_good = check_nest_count(&unit).and_then(|()| check_depth(&unit, root)).is_ok();
    if is_good { kept::handovers(&unit, root) } else { Vec::new() }
}

/// The ways to write out a call in a marked loop, of a function because of which, or at whose call, something is refused.
pub fn find_call_in_place(
    source: &SourceFile,
    preprocessed: &Preprocessed,
    parsed: &ParsedFile,
    refused: &[Span],
) -> Vec<CallInPlace> {
    let (unit, root) = (parsed.unit(source, preprocessed), parsed.tree.root_node());
    let is_good = check_nest_count(&unit).and_then(|()| check_depth(&unit, root)).is_ok();
    if is_good { kept::call_in_place(&unit, root, refused) } else { Vec::new() }
}

/// Whether the preprocessor makes what is expected of a file in which a call is written out.
pub fn reads_as_expected(source: &SourceFile, preprocessed: &Preprocessed, call: &CallInPlace) -> bool {
    let unit = Unit::new(source, preprocessed);
    let (found, expected) = (unit.text.as_bytes(), call.expected.as_bytes());
    let words = |text| tokens(text, Span::new(0, text.len())).into_iter().map(move |it| &text[it.start..it.end]);
    words(found).eq(words(expected))
}

fn check_nest_count(unit: &Unit) -> Failable<()> {
    let Some((offset, _)) = unit.pragmas.get(MAX_NESTS) else { return Ok(()) };
    let message = format!("more than {MAX_NESTS} nests are marked in this file");
    let pragma = pragma_at(unit, *offset)?;
    Err(Box::new(Diagnostic::error("too-large", message, pragma.lines).with_help("split the file")))
}

fn read_pragma(unit: &Unit, index: usize) -> Result<(Span, WrittenClauses), Vec<Diagnostic>> {
    let (offset, words) = &unit.pragmas[index];
    let pragma = pragma_at(unit, *offset).map_err(|error| vec![*error])?;
    let clauses = read_clauses(words, Places::new(unit.source.bytes(), pragma))?;
    Ok((pragma.lines, clauses))
}

/// Reads a nest that the driver runs as a whole or, if there is none, the step of a loop that the host keeps: each with scalars
/// that carry data as arrays of one element, if it is refused for them.
fn read_marked(unit: &Unit, file: &FileTree, mark: Mark) -> Failable<MarkedNest> {
    let whole = |unit: &Unit| read_nest(unit, file, mark);
    let refusal = match or_with_scalars_stored(unit, whole) {
        Ok(nest) => {
            kept::check_not_vouched(mark.clauses)?;
            return Ok(nest);
        }
        Err(refusal) => refusal,
    };
    let kept_or_folding = |unit: &Unit| match read_kept(unit, file, mark, &refusal) {
        Ok(None) => read_folding(unit, file, mark, &refusal)
            .ok_or_else(|| kept::refusal_of_values(unit, file, mark, &refusal).unwrap_or_else(|| refusal.clone())),
        Ok(Some(nest)) => Ok(nest),
        Err(refusal) => Err(refusal),
    };
    let found = or_with_scalars_stored(unit, kept_or_folding);
    let with_value_apart = |refusal| kept::with_value_apart(unit, file, mark.index, refusal);
    found.map_err(|refusal| kept::with_steps_of_function(unit, file, mark.index, with_value_apart(refusal)))
}

/// Reads a nest and, if it is refused for what its scalars carry from step to step, with these as arrays of one element.
fn or_with_scalars_stored(unit: &Unit, read: impl Fn(&Unit) -> Failable<MarkedNest>) -> Failable<MarkedNest> {
    let refusal = match read(unit) {
        Err(refusal) if may_follow_a_rule(&refusal) => refusal,
        found => return found,
    };
    let mut unit = unit.clone();
    unit.stores_scalars = true;
    read(&unit).map_err(|other| if may_follow_a_rule(&other) { refusal } else { other })
}
