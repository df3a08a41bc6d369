//! What is known of a program's functions, and of what statements do: it is the same however a nest is read.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use tree_sitter::Node;

use super::file_names::FileNames;
use super::value_names::ValueNames;

/// What is known of the functions in a text.
#[derive(Default)]
pub struct KnownFunctions<'t> {
    /// Their definitions by their names, copies once.
    pub definitions: BTreeMap<String, Vec<Node<'t>>>,
    /// The names that the file with the loop declares.
    pub declared: BTreeSet<String>,
    /// The names of each of the program's files, by where these start.
    pub names: BTreeMap<usize, Rc<FileNames<'t>>>,
    /// What statements do, as far as somebody has asked: once with functions trusted, and once without.
    pub doings: [RefCell<Doings>; 2],
    /// Whether statements store where a variable counts, as far as somebody has asked.
    pub over_space: RefCell<BTreeMap<(Vec<usize>, String), bool>>,
    /// Names whose values are more than numbers and pointers, if somebody has asked.
    pub value_names: OnceCell<ValueNames>,
}

/// What statements do, and the bodies of functions by where they begin and how deep the call is.
#[derive(Default)]
pub struct Doings {
    /// Whether a statement computes and nothing else, and whether that trusts some function.
    pub statements: BTreeMap<usize, (bool, bool)>,
    /// Whether the body of a function does, and whether that trusts some function; and whether functions are trusted.
    pub computes: BTreeMap<(usize, usize, bool), (bool, bool)>,
    /// Whether a statement stores elements of arrays in a loop, or copies arrays.
    pub sweeps: BTreeMap<usize, bool>,
    /// Whether the body of a function stores; and whether the call is in a loop.
    pub stores: BTreeMap<(usize, usize, bool), bool>,
}
