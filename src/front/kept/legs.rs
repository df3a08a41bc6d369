//! Where in a row of statements the legs of a step are, and where the host does something between them.

use std::ops::Range;

use tree_sitter::Node;

/// Statements in a row that compute, by their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leg {
    /// The first one.
    pub start: usize,
    /// The one behind the last.
    pub end: usize,
}

/// Where a statement stands that may belong to a leg.
#[derive(Clone, Copy)]
pub enum Beside<'a, 't> {
    /// Before the first one.
    First {
        /// What stands behind that and belongs to it.
        joined: &'a [Node<'t>],
        /// What else stands behind it.
        others: &'a [Node<'t>],
    },
    /// Before another one; with what stands behind that.
    Before(&'a [Node<'t>]),
    /// Behind one; with the statements between, which belong to it.
    Behind(&'a [Node<'t>]),
}

/// The legs of a step whose first and last core is in `range`, as an interval of `statements`; statements there that neither
/// compute nor belong to a leg are the host's. `joins` says of one beside the cores of a leg whether it belongs to these.
pub fn find_legs<'t>(
    statements: &[Node<'t>],
    range: Range<usize>,
    computes: impl Fn(&Node<'t>) -> bool,
    is_core: impl Fn(&Node<'t>) -> bool,
    joins: impl Fn(&Node<'t>, &[Node<'t>], Beside<'_, 't>) -> bool,
) -> Vec<Leg> {
    let mut legs: Vec<Leg> = Vec::new();
    for Leg { start, end } in rows(statements, range.clone(), computes) {
        let Some(first) = (start..end).find(|it| is_core(&statements[*it])) else { continue };
        let last = (first..end).rfind(|it| is_core(&statements[*it])).unwrap_or(first);
        let (is_first, is_last) = (start == range.start, end == range.end);
        let cores = if is_last { &statements[range.clone()] } else { &statements[first..=last] };
        let end = if is_last { statements.len() } else { end };
        let behind = &statements[last + 1..end];
        let belongs = |it: &usize| joins(&behind[*it], cores, Beside::Behind(&behind[..*it]));
        let after = (0..behind.len()).take_while(belongs).count();
        let others = &statements[last + 1 + after..];
        let beside = if is_first { Beside::First { joined: &behind[..after], others } } else { Beside::Before(others) };
        let start = if is_first { 0 } else { start };
        let cores = if is_first { cores } else { &statements[first..=last] };
        let before = statements[start..first].iter().rev().take_while(|it| joins(it, cores, beside)).count();
        legs.push(Leg { start: first - before, end: last + 1 + after });
    }
    legs
}

/// The longest rows of statements that compute.
fn rows<'t>(statements: &[Node<'t>], range: Range<usize>, computes: impl Fn(&Node<'t>) -> bool) -> Vec<Leg> {
    let mut rows: Vec<Leg> = Vec::new();
    for place in range.filter(|place| computes(&statements[*place])) {
        match rows.last_mut().filter(|row| row.end == place) {
            Some(row) => row.end += 1,
            None => rows.push(Leg { start: place, end: place + 1 }),
        }
    }
    rows
}
