//! What the names of a file mean, each from where it is declared on.

use std::collections::{HashMap, HashSet};

use super::numbers::Constant;
use super::symbols::Symbol;
use super::tree::Shared;
use super::types::CType;

/// The names that a file declares outside of functions.
#[derive(Clone, Debug, Default)]
pub struct FileNames<'t> {
    /// What they stand for behind each declaration, by where it ends, in order.
    names: HashMap<String, Vec<(usize, Symbol<'t>)>>,
    /// Constant lengths of arrays, by where they stand.
    pub lengths: HashMap<usize, Constant>,
    /// First declarators of what has linkage.
    pub linked: HashMap<String, usize>,
    /// Names of types that an attribute aligns.
    pub aligned: HashSet<String>,
    /// The types of members of structures, by where their declarators stand.
    pub members: HashMap<usize, CType<'t>>,
}

impl<'t> FileNames<'t> {
    /// Lets a name stand for a symbol from `place` on, behind all places so far.
    pub fn insert(&mut self, name: String, place: usize, symbol: Symbol<'t>) {
        self.names.entry(name).or_default().push((place, symbol));
    }

    /// What a name stands for at a place outside of functions.
    pub fn get(&self, name: &str, place: usize) -> Option<&Symbol<'t>> {
        last_before(self.names.get(name)?, place)
    }

    /// All names that stand for something there.
    pub fn visible(&self, place: usize) -> impl Iterator<Item = (&str, &Symbol<'t>)> {
        self.names.iter().filter_map(move |(name, declared)| Some((name.as_str(), last_before(declared, place)?)))
    }

    /// Takes the variables that files share for those that are declared first.
    pub fn share(&mut self, first_declared: &Shared) {
        for (name, declared) in &mut self.names {
            let first = first_declared.get(name).copied();
            declared.iter_mut().for_each(|(_, symbol)| symbol.share(first));
        }
    }
}

fn last_before<'s, 't>(declared: &'s [(usize, Symbol<'t>)], place: usize) -> Option<&'s Symbol<'t>> {
    let count = declared.partition_point(|(end, _)| *end <= place);
    count.checked_sub(1).map(|last| &declared[last].1)
}
