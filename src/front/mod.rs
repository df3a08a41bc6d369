//! From the preprocessed text to nests: syntax tree, names and types, symbolic execution, storage.
//!
//! The text is parsed once, without the functions of headers that nothing mentions. For each pragma a `Reader` executes the
//! `for` statement behind it symbolically:
//! scalars become immutable locals, pointers become a variable and subscripts, assignments to elements become
//! statements; a call of the program's own function is its body in place. Then storage is resolved: rotated pointers and leading time subscripts become buffers, flat subscripts
//! become dimensions. Calls that the host can make before the nest starts become parameters and listed values. What the nest leaves in other variables that outlive it follows from the control-flow graph of the
//! function around it and from the last iteration of each loop.

mod arrays;
mod before;
mod body;
mod branches;
mod bounds;
mod buffers;
mod build;
mod calls;
mod casts;
mod changes;
mod choices;
mod clashes;
mod classification;
mod components;
mod constants;
mod control_flow;
mod combinations;
mod copies;
mod counters;
mod counting;
mod coverage;
mod declarations;
mod delinearize;
mod ends;
mod enums;
mod exits;
mod expressions;
mod fixed;
mod fixed_elements;
mod folds;
mod forms;
mod frames;
mod function_pointers;
mod headers;
mod held;
mod histories;
mod index_arrays;
mod initial;
mod integers;
mod integral;
mod kept;
mod left;
mod limits;
mod listed;
mod literals;
mod lone_scalars;
mod liveness;
mod local_arrays;
mod local_pointers;
mod loops;
mod marked;
mod nest_names;
mod null_tests;
mod numbers;
mod objects;
mod opaque;
mod openmp;
mod pieces;
mod planes;
mod pointer_tables;
mod pointers;
mod polynomial;
mod pragma;
mod qualifiers;
mod ranges;
mod reader;
mod real_loops;
mod records;
mod rotation;
mod rules;
mod scratch;
mod starts;
mod row_tables;
mod storage;
mod stores;
mod strips;
mod structure_values;
mod structures;
mod switch;
mod tables;
mod time_guards;
mod tree;
mod types;
mod typing;
mod unknown;
mod unmentioned;
mod unroll;
mod unused;
mod variables;
mod verdicts;
mod wanted;
mod whole;
mod whole_loops;

#[cfg(test)]
mod tests;

use tree_sitter::Node;

use crate::ir::{Clock, Nest};
use crate::options::Clauses;
use crate::source::{Diagnostic, Pragma, Preprocessed, SourceFile, Span, nest_span};

pub use kept::{Asks, Chain, KeptLoop, Need, Part, Place};
pub use marked::MarkedNest;
pub use nest_names::tuned_name;

use clashes::find_clashes;
use headers::is_counting_while;
use held::with_values;
use kept::{find_chains, read_kept};
use limits::{MAX_NESTS, check_depth, check_ranks};
use nest_names::give_names;
use polynomial::Sizes;
use pragma::{Places, WrittenClauses, read_clauses};
use reader::Reader;
use rules::{Rules, find_rules, may_follow_a_rule};
use tree::{Unit, node_at};
use unused::remove_unused_params;

/// The remedy for complex numbers.
const TWO_ARRAYS: &str = "keep the real and the imaginary parts in two arrays";

/// What can be refused.
type Failable<T> = Result<T, Box<Diagnostic>>;

/// Reads every marked nest of `source`, one result per `#pragma stencil` in textual order; a nest that is refused does
/// not stop the others. A file without the pragma gives an empty list. Nests without a name of their own are called after
/// `stem`.
pub fn read_nests(
    source: &SourceFile,
    preprocessed: &Preprocessed,
    stem: &str,
) -> Vec<Result<MarkedNest, Vec<Diagnostic>>> {
    let mut unit = Unit::new(source, preprocessed);
    if unit.pragmas.is_empty() {
        return Vec::new();
    }
    let Some(tree) = unit.parse() else {
        let error = Diagnostic::error("syntax", "the file cannot be parsed as C", source.span(0, 0));
        return vec![Err(vec![error.with_help("look for what is not C where the compiler finds its first error")])];
    };
    let checks = preprocessed.target().check().and_then(|()| check_nest_count(&unit));
    if let Err(error) = checks.and_then(|()| check_depth(&unit, tree.root_node())) {
        return vec![Err(vec![*error])];
    }
    let clashes = find_clashes(&unit, tree.root_node());
    if !clashes.is_empty() {
        return vec![Err(clashes)];
    }
    let read = |index: usize| {
        let (pragma, clauses) = read_pragma(&unit, index)?;
        let read = |unit: &Unit| read_marked(unit, tree.root_node(), index, pragma, clauses.clone());
        with_values(&unit, &clauses.values, read).map_err(|error| vec![*error])
    };
    let mut nests: Vec<_> = (0..unit.pragmas.len()).map(read).collect();
    find_chains(&unit, tree.root_node(), &mut nests);
    fold_headers(&mut nests);
    give_names(&mut nests, source, stem);
    nests
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

/// Reads a nest that the driver runs as a whole or, if there is none, the step of a loop that the host keeps.
fn read_marked(unit: &Unit, root: Node, index: usize, pragma: Span, clauses: WrittenClauses) -> Failable<MarkedNest> {
    let refusal = match read_nest(unit, root, index, pragma, clauses.clone()) {
        Ok(nest) => return kept::check_not_vouched(&clauses).map(|()| nest),
        Err(refusal) => refusal,
    };
    match read_kept(unit, root, index, pragma, &clauses, &refusal)? {
        Some(nest) => Ok(nest),
        None => read_folding(unit, root, index, pragma, clauses, &refusal).ok_or(refusal),
    }
}

/// Reads loops over space that fold scalars over their points, if they are refused for that alone.
fn read_folding(
    unit: &Unit,
    root: Node,
    index: usize,
    pragma: Span,
    clauses: WrittenClauses,
    refusal: &Diagnostic,
) -> Option<MarkedNest> {
    let node = marked_loop(unit, root, index, pragma).ok().filter(|_| may_fold(refusal))?;
    let marked = read_with(unit, root, index, (node, pragma), clauses, (Scalars::Folded, Rows::Fixed)).ok()?;
    let MarkedNest { nest, .. } = &marked;
    (nest.clock == Clock::Once && !nest.step.folds.accumulators.is_empty()).then_some(marked)
}

fn read_nest(unit: &Unit, root: Node, index: usize, pragma: Span, clauses: WrittenClauses) -> Failable<MarkedNest> {
    let node = marked_loop(unit, root, index, pragma)?;
    check_syntax(unit, node)?;
    let read = |scalars, rows| read_with(unit, root, index, (node, pragma), clauses.clone(), (scalars, rows));
    let read_by_rules = |rows| match read(Scalars::Own, rows) {
        Err(refusal) if may_follow_a_rule(&refusal) => match find_rules(unit, root, node)? {
            Some(rules) => read(Scalars::Ruled(rules), rows),
            None => Err(refusal),
        },
        nest => nest,
    };
    with_rows(read_by_rules)
}

/// Reads a nest with rows where they are, or else with pointers in tables that are exchanged.
fn with_rows(read: impl Fn(Rows) -> Failable<MarkedNest>) -> Failable<MarkedNest> {
    read(Rows::Fixed).or_else(|refusal| match refusal.code {
        "pointer-to-pointer" => read(Rows::Exchanged).map_err(|_| refusal),
        _ => Err(refusal),
    })
}

/// What the pointers in tables are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rows {
    /// Where rows are, which stay there.
    Fixed,
    /// Variables that may be exchanged, in small tables.
    Exchanged,
}

/// Whether a nest may be right if scalars are folded over its points.
fn may_fold(refusal: &Diagnostic) -> bool {
    ["scalar-carried", "scalar-live-out", "loop-bound"].contains(&refusal.code)
}

/// How scalars may go from one iteration to the next.
enum Scalars {
    /// Not at all.
    Own,
    /// From step to step by these rules.
    Ruled(Rules),
    /// From point to point, so that the host folds them.
    Folded,
}

/// Reads the nest at `node` with what is known of the scalars that its steps change.
fn read_with<'t>(
    unit: &Unit,
    root: Node<'t>,
    index: usize,
    (node, pragma): (Node<'t>, Span),
    clauses: WrittenClauses,
    (scalars, rows): (Scalars, Rows),
) -> Failable<MarkedNest> {
    let mut reader = Reader::new(unit, root, node);
    reader.exchanges_rows = rows == Rows::Exchanged;
    match scalars {
        Scalars::Own => {}
        Scalars::Ruled(rules) => reader.rules = rules,
        Scalars::Folded => reader.folds.are_allowed = true,
    }
    reader.nest.pragma = pragma;
    reader.nest.span = extent(unit, &reader.ancestors, node, pragma)?;
    reader.check_team(node)?;
    reader.find_scratch(node);
    reader.for_statement(node)?;
    if reader.nest.step.statements.is_empty() && reader.copies.is_empty() {
        let help = "mark the loop that updates the arrays";
        return reader.refuse(node, "no-statement", "this nest assigns no array element", help);
    }
    reader.check_index_arrays()?;
    reader.check_stated_values(&clauses.values)?;
    let extents = read_extents(&mut reader, root, index)?;
    let clauses = reader.clauses(clauses);
    reader.resolve_storage(node, &extents)?;
    reader.check_rules()?;
    reader.check_real_loop(node)?;
    reader.resolve_folds()?;
    reader.list_calls();
    reader.resolve_left()?;
    check_ranks(&reader.nest)?;
    check_names_in_clauses(&reader.nest, &clauses, &extents)?;
    remove_unused_params(&mut reader.nest);
    reader.note_initial_values(node);
    reader.resolve_addresses()?;
    reader.note_dead();
    Ok(MarkedNest { nest: reader.nest, clauses, name: String::new(), kept: None, chain: None })
}

/// The nest in the user's file.
fn extent(unit: &Unit, ancestors: &[Node], node: Node, pragma: Span) -> Failable<Span> {
    if !unit.inserted.is_empty() {
        return Ok(unit.span(node));
    }
    if let Some(span) = nest_span(unit.source, unit.preprocessed, pragma, node.end_byte()) {
        return Ok(span);
    }
    // Unbalanced brackets are the likely reason, and the parser may have put the error beside the loop.
    if let [within @ .., root] = ancestors {
        check_syntax(unit, *within.last().unwrap_or(&node))?;
        check_syntax(unit, *root)?;
    }
    Err(Box::new(
        Diagnostic::error("nest-extent", "it cannot be told where this nest ends in the file", pragma)
            .with_help("put the nest on lines of its own, with nothing behind its last brace or semicolon"),
    ))
}

fn check_syntax(unit: &Unit, node: Node) -> Failable<()> {
    let Some(wrong) = first_error(node) else { return Ok(()) };
    let start = unit.text[..wrong.start_byte()].rfind([';', '{', '}']).unwrap_or(0);
    let end = unit.text[wrong.start_byte()..].find(';').map_or(wrong.end_byte(), |at| wrong.start_byte() + at);
    let statement = &unit.text[start..end];
    let (code, message, help) = if wrong.is_missing() {
        ("syntax", format!("a `{}` is missing", wrong.kind()), "check that the compiler accepts the file")
    } else if statement.contains("1.0iF") || statement.contains("_Complex_I") {
        ("unsupported-type", "complex numbers are not supported in a nest".to_owned(), TWO_ARRAYS)
    } else {
        let help = "check that the compiler accepts the file; extensions of C are not supported in a nest";
        ("syntax", "this is not understood as C".to_owned(), help)
    };
    // The parser notices a missing token at the next one.
    let span = if wrong.is_missing() {
        let end = unit.text[..wrong.start_byte()].trim_end().len();
        unit.span_between(end.saturating_sub(1), end)
    } else {
        unit.span(wrong)
    };
    Err(Box::new(Diagnostic::error(code, message, span).with_help(help)))
}

/// The first place in or below `node` that is no C, tokens included.
fn first_error(node: Node) -> Option<Node> {
    if node.is_error() || node.is_missing() {
        return Some(node);
    }
    let mut cursor = node.walk();
    let wrong = node.children(&mut cursor).find(|child| child.has_error() || child.is_missing());
    wrong.and_then(first_error)
}

/// The arrays that clauses name must occur in the nest.
fn check_names_in_clauses(nest: &Nest, clauses: &Clauses, extents: &[Sizes]) -> Failable<()> {
    let named = clauses.scratch.iter().chain(&clauses.restrict).chain(extents.iter().map(|(array, _)| array));
    for named in named {
        let is_used = nest.arrays.iter().any(|(_, array)| array.buffers.iter().any(|buffer| buffer.variable == *named));
        if !is_used {
            let message = format!("a clause names `{}`, which is no array of this nest", nest.values.text(*named));
            let known: Vec<String> = nest
                .arrays
                .iter()
                .flat_map(|(_, array)| &array.buffers)
                .filter(|buffer| buffer.offset.is_none() && !nest.is_of_driver(buffer.variable))
                .map(|buffer| format!("`{}`", nest.values.text(buffer.variable)))
                .collect();
            let help = format!("the arrays of this nest are {}", known.join(", "));
            return Err(Box::new(Diagnostic::error("pragma-clause", message, nest.pragma).with_help(help)));
        }
    }
    Ok(())
}

/// The sizes that the `extent` clauses of a pragma give.
fn read_extents<'t>(reader: &mut Reader<'_, '_, 't>, root: Node<'t>, index: usize) -> Failable<Vec<Sizes>> {
    reader.bindings.clear();
    let unit = reader.unit;
    let mut extents = Vec::new();
    for (_, array, ranges) in unit.extents.iter().filter(|(pragma, ..)| *pragma == index) {
        let mut sizes = Vec::new();
        for range in ranges {
            let node = root.named_descendant_for_byte_range(range.start, range.end);
            let size = node.map(|node| reader.scalar(node)).transpose();
            // The text of the size stands behind the file's.
            let size = size.map_err(|error| error.moved_to(reader.nest.pragma))?;
            let size = size.and_then(|size| reader.fixed_polynomial(size));
            sizes.push(size.ok_or_else(|| {
                let message = format!("a size in the `extent` clause of `{array}` is not made of integer variables");
                let help = "use products and sums of integer variables";
                Box::new(Diagnostic::error("pragma-clause", message, reader.nest.pragma).with_help(help))
            })?);
        }
        extents.push((reader.clause_variable(array), sizes));
    }
    Ok(extents)
}

/// Leaves one diagnostic for all the nests that one `#include` brings.
fn fold_headers(nests: &mut [Result<MarkedNest, Vec<Diagnostic>>]) {
    let mut lines: Vec<(Span, usize, usize)> = Vec::new();
    for (index, nest) in nests.iter_mut().enumerate() {
        let Err(diagnostics) = nest else { continue };
        let Some(first) = diagnostics.first().filter(|first| first.code == IN_HEADER_CODE) else { continue };
        match lines.iter_mut().find(|(span, ..)| *span == first.primary.span) {
            Some((_, _, more)) => {
                *more += 1;
                diagnostics.clear();
            }
            None => lines.push((first.primary.span, index, 0)),
        }
    }
    for (_, index, more) in lines.into_iter().filter(|(_, _, more)| *more > 0) {
        let Err(diagnostics) = &mut nests[index] else { continue };
        diagnostics[0].primary.message = format!("this line brings {more} more of them");
    }
}

const IN_HEADER_CODE: &str = "pragma-in-header";

fn pragma_in_header(unit: &Unit, offset: usize) -> Box<Diagnostic> {
    let place = unit.preprocessed.map().header_place(unit.preprocessed.text(), offset);
    let (message, span) = match place {
        Some(place) => {
            let message =
                format!("{}:{} has a stencil pragma, and headers are not rewritten", place.header, place.line);
            (message, unit.source.line_span(place.include))
        }
        None => ("a header that this file includes has a stencil pragma".to_owned(), unit.source.span(0, 0)),
    };
    let help = "move the marked nest into a .c file, or take the pragma out of the header";
    Box::new(Diagnostic::error(IN_HEADER_CODE, message, span).with_help(help))
}

/// The pragma of the user's file that the preprocessed one at `offset` was made from.
fn pragma_at<'u>(unit: &'u Unit, offset: usize) -> Failable<&'u Pragma> {
    if let Some(found) = unit.marks.iter().find(|mark| mark.is_at(unit.source, unit.preprocessed, offset)) {
        return Ok(found);
    }
    let Some(line) = unit.preprocessed.map().original_line(offset) else {
        return Err(pragma_in_header(unit, offset));
    };
    let span = unit.source.line_span(line);
    let is_operator = unit.source.text(span).contains("_Pragma");
    let message = if is_operator { "the pragma is written as `_Pragma`" } else { "the pragma comes out of a macro" };
    let help = "write `#pragma stencil` on the line above the loop";
    Err(Box::new(Diagnostic::error("pragma-place", message, span).with_help(help)))
}

/// The `for` statement directly behind the pragma, or a `while` that counts like one.
fn marked_loop<'t>(unit: &Unit, root: Node<'t>, index: usize, pragma: Span) -> Failable<Node<'t>> {
    let next = unit.start_behind_pragma(index);
    let found = node_at(root, next, |node| node.kind() == "for_statement" || is_counting_while(unit, node));
    let has_next_pragma_first = unit.pragmas.get(index + 1).is_some_and(|(other, _)| *other < next);
    match found.filter(|_| !has_next_pragma_first) {
        Some(node) => Ok(node),
        None => {
            let is_while = ["while", "do"].iter().any(|word| starts_with_word(&unit.text[next..], word));
            let error = |message| Diagnostic::error("pragma-place", message, pragma);
            Err(Box::new(if is_while {
                error("the loop behind this pragma is a `while` loop, whose steps are not known before it starts")
                    .with_help("write it as `for (t = first; t < bound; t++)` if the number of its steps is known before")
                    .with_help(
                        "or mark the `for` loops inside it; a maximum or sum over points that ends the loop needs a `for` \
                         loop of its own that is not marked",
                    )
            } else {
                error("there is no `for` loop behind this pragma")
                    .with_help("put the pragma directly above the outermost `for` of the nest")
            }))
        }
    }
}

fn starts_with_word(text: &str, word: &str) -> bool {
    text.strip_prefix(word).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
}
