//! Texts that have been parsed, with their trees: a step is read in several ways, most of them with the same text.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::rc::Rc;

use tree_sitter::Tree;

use super::{CastNames, Edit};

/// So many texts are kept.
const MAX_KEPT: usize = 8;

/// What is parsed.
#[derive(Clone, PartialEq, Eq)]
pub struct Given {
    /// The text.
    pub text: String,
    /// Places in it where `int` stands for a type name.
    pub plain_types: BTreeMap<usize, String>,
}

/// What has been parsed of a file, and of the file with what was put into it.
#[derive(Default)]
pub struct Parsed {
    /// As they were given, as they were corrected, and their trees; the oldest first.
    kept: VecDeque<(Given, Given, Tree)>,
    /// Texts of whole programs, places in them, and the names that files share there; the oldest first.
    shared: VecDeque<(String, usize, Rc<Shared>)>,
    /// The same of other files of the program by their texts, with places in these.
    shared_by: HashMap<String, Rc<Vec<(String, usize)>>>,
    /// What may be misread in other files, by their texts.
    cast_names: HashMap<String, Rc<CastNames>>,
}

/// Where the variables are declared first that files share, by their names.
pub type Shared = BTreeMap<String, usize>;

impl Parsed {
    /// As what `given` was corrected, and its tree.
    pub fn find(&self, given: &Given) -> Option<(Given, Tree)> {
        let known = self.kept.iter().find(|(known, ..)| known == given)?;
        Some((known.1.clone(), known.2.clone()))
    }

    /// The text, as it was corrected, of which the least has to be parsed anew for another one, and its tree.
    pub fn nearest(&self, text: &str) -> Option<(String, Tree)> {
        let all = self.kept.iter().map(|(_, corrected, tree)| (&corrected.text, tree));
        let (known, tree) = all.min_by_key(|(known, _)| Edit::between(known, text).length())?;
        Some((known.clone(), tree.clone()))
    }

    /// Keeps the tree of a text.
    pub fn keep(&mut self, given: Given, corrected: Given, tree: &Tree) {
        if self.kept.len() == MAX_KEPT {
            self.kept.pop_front();
        }
        self.kept.push_back((given, corrected, tree.clone()));
    }

    /// The names that the files of a program with this text share, as they are seen from a place.
    pub fn shared(&self, text: &str, place: usize) -> Option<Rc<Shared>> {
        let known = self.shared.iter().find(|(known, at, _)| *at == place && known == text)?;
        Some(Rc::clone(&known.2))
    }

    /// The names that the file with this text shares with others, and where it declares them first.
    pub fn shared_by(&self, text: &str) -> Option<Rc<Vec<(String, usize)>>> {
        self.shared_by.get(text).cloned()
    }

    /// Keeps them.
    pub fn keep_shared_by(&mut self, text: &str, names: Vec<(String, usize)>) -> Rc<Vec<(String, usize)>> {
        let names = Rc::new(names);
        self.shared_by.insert(text.to_owned(), Rc::clone(&names));
        names
    }

    /// What may be misread in the file with this text.
    pub fn cast_names(&self, text: &str) -> Option<Rc<CastNames>> {
        self.cast_names.get(text).cloned()
    }

    /// Keeps that.
    pub fn keep_cast_names(&mut self, text: &str, names: CastNames) -> Rc<CastNames> {
        let names = Rc::new(names);
        self.cast_names.insert(text.to_owned(), Rc::clone(&names));
        names
    }

    /// Keeps them.
    pub fn keep_shared(&mut self, text: &str, place: usize, shared: &Rc<Shared>) {
        if self.shared.len() == MAX_KEPT {
            self.shared.pop_front();
        }
        self.shared.push_back((text.to_owned(), place, Rc::clone(shared)));
    }
}
