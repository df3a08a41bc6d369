//! Nests that have been read for a pragma: the step of a loop that the host keeps is looked for in several ways, many of which
//! give the same text.

use std::cell::{OnceCell, RefCell};
use std::collections::VecDeque;

use tree_sitter::Tree;

use super::control_flow::ControlFlow;
use super::failable::Failable;
use super::file_tree::FileTree;
use super::marked::MarkedNest;
use super::pragma::WrittenClauses;
use super::tree::{self, Unit};
use super::wanted::{Taken, Wanted};
use crate::source::Span;

/// So many readings are kept.
const MAX_KEPT: usize = 64;

/// What is known of so many texts is kept.
const MAX_TREES: usize = 8;

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
    pub readings: &'m Readings<'m>,
}

/// The steps that have been read for a pragma.
pub struct Readings<'t> {
    /// The oldest first.
    kept: RefCell<VecDeque<Reading>>,
    trees: &'t Trees,
    /// The trees of their texts, the oldest first.
    files: RefCell<VecDeque<(ParsedText, FileTree<'t>)>>,
}

/// Trees that stay where they are.
#[derive(Default)]
pub struct Trees {
    first: OnceCell<(Tree, Box<Self>)>,
}

impl Trees {
    /// Keeps one more.
    fn keep(&self, tree: Tree) -> &Tree {
        let mut here = self;
        while let Some((_, others)) = here.first.get() {
            here = others;
        }
        &here.first.get_or_init(|| (tree, Box::default())).0
    }
}

/// A text that has been parsed.
struct ParsedText {
    given: tree::Given,
    inserted: Vec<(usize, usize)>,
}

impl ParsedText {
    fn is_of(&self, unit: &Unit) -> bool {
        let tree::Given { text, plain_types } = &self.given;
        *text == unit.text && *plain_types == unit.plain_types && self.inserted == unit.inserted
    }
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

impl<'t> Readings<'t> {
    /// Of a pragma for which nothing has been read; the trees of texts are kept among `trees`.
    pub fn new(trees: &'t Trees) -> Self {
        Self { kept: RefCell::default(), trees, files: RefCell::default() }
    }

    /// The tree of a text of a step with what is known of its names; `None` if it is too far from C.
    pub fn parse(&self, unit: &mut Unit) -> Option<FileTree<'t>> {
        let tree = unit.parse()?;
        let mut files = self.files.borrow_mut();
        if let Some((_, file)) = files.iter().find(|(known, _)| known.is_of(unit)) {
            return Some(file.clone());
        }
        let text = ParsedText { given: unit.given(), inserted: unit.inserted.clone() };
        let file = FileTree::new(self.trees.keep(tree).root_node());
        if files.len() == MAX_TREES {
            files.pop_front();
        }
        files.push_back((text, file.clone()));
        Some(file)
    }

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
