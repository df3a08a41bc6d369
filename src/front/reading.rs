//! Reads a marked nest, its declarations and clauses.

use tree_sitter::Node;

use super::failable::Failable;
use super::file_tree::FileTree;
use super::limits::check_ranks;
use super::marked::MarkedNest;
use super::marked_loop::{extent, marked_loop};
use super::polynomial::Sizes;
use super::reader::Reader;
use super::readings::Mark;
use super::rules::{Rules, find_rules, may_follow_a_rule};
use super::syntax::check_syntax;
use super::tree::Unit;
use super::unused::remove_unused_params;
use crate::ir::{Clock, Nest};
use crate::options::Clauses;
use crate::source::Diagnostic;

/// Reads a nest that the driver runs as a whole.
///
/// # Errors
/// Why there is none.
pub fn read_nest(unit: &Unit, file: &FileTree, mark: Mark) -> Failable<MarkedNest> {
    let node = marked_loop(unit, file.root, mark.index, mark.pragma)?;
    check_syntax(unit, node)?;
    let read = |scalars, rows| read_with(unit, file, node, mark, (scalars, rows));
    let read_by_rules = |rows| match read(Scalars::Own, rows) {
        Err(refusal) if may_follow_a_rule(&refusal) => match find_rules(unit, file, node)? {
            Some(rules) => read(Scalars::Ruled(rules), rows),
            None => Err(refusal),
        },
        nest => nest,
    };
    with_rows(read_by_rules)
}

/// Reads loops over space that fold scalars over their points, if they are refused for that alone.
pub fn read_folding(unit: &Unit, file: &FileTree, mark: Mark, refusal: &Diagnostic) -> Option<MarkedNest> {
    let node = marked_loop(unit, file.root, mark.index, mark.pragma).ok().filter(|_| may_fold(refusal))?;
    let marked = read_with(unit, file, node, mark, (Scalars::Folded, Rows::Fixed)).ok()?;
    let MarkedNest { nest, .. } = &marked;
    (nest.clock == Clock::Once && !nest.step.folds.accumulators.is_empty()).then_some(marked)
}

/// Reads a nest with rows where they are, or else with pointers in tables that are exchanged.
pub fn with_rows(read: impl Fn(Rows) -> Failable<MarkedNest>) -> Failable<MarkedNest> {
    read(Rows::Fixed).or_else(|refusal| match refusal.code {
        "pointer-to-pointer" => read(Rows::Exchanged).map_err(|_| refusal),
        _ => Err(refusal),
    })
}

/// What the pointers in tables are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Rows {
    /// Where rows are, which stay there.
    Fixed,
    /// Variables that may be exchanged, in small tables.
    Exchanged,
}

/// Whether a nest may be right if scalars are folded over its points.
pub fn may_fold(refusal: &Diagnostic) -> bool {
    ["scalar-carried", "scalar-live-out", "loop-bound"].contains(&refusal.code)
}

/// How scalars may go from one iteration to the next.
pub enum Scalars {
    /// Not at all.
    Own,
    /// From step to step by these rules.
    Ruled(Rules),
    /// From point to point, so that the host folds them.
    Folded,
    /// Both.
    FoldedAndRuled(Rules),
}

/// Reads the nest at `node` with what is known of the scalars that its steps change.
pub fn read_with<'t>(
    unit: &Unit,
    file: &FileTree<'t>,
    node: Node<'t>,
    Mark { index, pragma, clauses, .. }: Mark,
    (scalars, rows): (Scalars, Rows),
) -> Failable<MarkedNest> {
    let mut reader = Reader::new(unit, file, node);
    reader.exchanges_rows = rows == Rows::Exchanged;
    match scalars {
        Scalars::Own => {}
        Scalars::Ruled(rules) => reader.rules = rules,
        Scalars::Folded => reader.folds.are_allowed = true,
        Scalars::FoldedAndRuled(rules) => {
            reader.folds.are_allowed = true;
            reader.rules = rules;
        }
    }
    reader.nest.pragma = pragma;
    reader.nest.span = extent(unit, &reader.ancestors, node, pragma)?;
    reader.find_scratch(node);
    reader.find_region();
    reader.statement(node)?;
    reader.check_team(node)?;
    if reader.nest.step.statements.is_empty() && reader.copies.is_empty() {
        let help = "mark the loop that updates the arrays";
        return reader.refuse(node, "no-statement", "this nest assigns no array element", help);
    }
    reader.check_index_arrays()?;
    reader.check_stated_values(&clauses.values)?;
    let extents = read_extents(&mut reader, file.root, index)?;
    let clauses = reader.clauses(clauses.clone());
    reader.resolve_storage(node, &extents)?;
    reader.check_rules()?;
    reader.check_real_loop(node)?;
    reader.resolve_folds()?;
    reader.list_calls();
    reader.resolve_left()?;
    reader.join_point_sources();
    check_ranks(&reader.nest)?;
    check_names_in_clauses(&reader.nest, &clauses, &extents)?;
    remove_unused_params(&mut reader.nest);
    reader.check_named_in_region(node)?;
    reader.note_initial_values(node);
    reader.resolve_addresses()?;
    reader.note_dead();
    Ok(MarkedNest {
        nest: reader.nest,
        clauses,
        name: String::new(),
        hidden: Vec::new(),
        kept: None,
        chain: None,
        plain: None,
        within: None,
    })
}

/// The arrays that clauses name must occur in the nest.
fn check_names_in_clauses(nest: &Nest, clauses: &Clauses, extents: &[Sizes]) -> Failable<()> {
    let named = clauses.scratch.iter().chain(&clauses.restrict).chain(extents.iter().map(|(array, _)| array));
    for named in named {
        let is_used = nest.arrays.iter().any(|(_, array)| array.buffers.iter().any(|buffer| buffer.variable == *named));
        if !is_used {
            let message = format!("a clause names `{}`, which is no array of this nest", nest.values.text(*named));
            let known: Vec<String> = nest
                .buffers()
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
