//! Nests that have been read for a pragma: the step of a loop that the host keeps is looked for in several ways, many of which
//! give the same text.

use std::cell::RefCell;
use std::collections::VecDeque;

use super::control_flow::ControlFlow;
use super::failable::Failable;
use super::marked::MarkedNest;
use super::pragma::WrittenClauses;
use super::tree::Unit;
use super::wanted::{Taken, Wanted};
use crate::source::Span;

/// So many readings are kept.
const MAX_KEPT: usize = 64;

/// A stencil pragma of the file, and what has been read for it.
#[derive(Clone, Copy)]
pub struct Mark<'m> {
    /// Its number in the file.
    pub index: usize,
    /// Where it stands.
    pub pragma: Span,
    /// What it says.
    pub clauses: &'m WrittenClauses,
    /// The steps that have been read for it.
    pub readings: &'m Readings,
}

/// The steps that have been read for a pragma.
#[derive(Default)]
pub struct Readings {
    /// The oldest first.
    kept: RefCell<VecDeque<Reading>>,
}

/// A step that has been read.
struct Reading {
    given: Given,
    found: Failable<MarkedNest>,
    wanted: Wanted,
}

/// All that a reading depends on, beside the file and the pragma.
#[derive(PartialEq)]
struct Given {
    /// The text, with what was put in and without what was left out.
    text: String,
    inserted: Vec<(usize, usize)>,
    gaps: Vec<usize>,
    ways: Option<ControlFlow>,
    taken: Taken,
    stores_scalars: bool,
    /// Where the nest begins in the text.
    start: usize,
    /// Whether the nest may fold scalars.
    folds: bool,
}

impl Readings {
    /// The nest that begins at `start` in a text, and may fold scalars or not: `read` is asked where that is not known yet. What
    /// it wants is wanted each time.
    ///
    /// # Errors
    /// Those of `read`.
    pub fn find_or(
        &self,
        unit: &Unit,
        (start, folds): (usize, bool),
        read: impl FnOnce() -> Failable<MarkedNest>,
    ) -> Failable<MarkedNest> {
        let given = Given {
            text: unit.text.clone(),
            inserted: unit.inserted.clone(),
            gaps: unit.gaps.clone(),
            ways: unit.ways.clone(),
            taken: unit.taken.clone(),
            stores_scalars: unit.stores_scalars,
            start,
            folds,
        };
        if let Some(known) = self.kept.borrow().iter().find(|known| known.given == given) {
            unit.wanted.borrow_mut().extend(known.wanted.clone());
            return known.found.clone();
        }
        let before = unit.wanted.take();
        let found = read();
        let wanted = unit.wanted.replace(before);
        unit.wanted.borrow_mut().extend(wanted.clone());
        let mut kept = self.kept.borrow_mut();
        if kept.len() == MAX_KEPT {
            kept.pop_front();
        }
        kept.push_back(Reading { given, found: found.clone(), wanted });
        found
    }
}
