//! The tree of a text with what its names mean, which all that is read of that text shares.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use tree_sitter::Node;

use super::declarations::names_of_file;
use super::file_names::FileNames;
use super::tree::{Shared, Unit, defined_name, function_definitions};

/// The definitions of functions, by name.
pub type Definitions<'t> = BTreeMap<String, Vec<Node<'t>>>;

/// The tree of a text. Whoever asks it gives the unit with that text, whatever else that is read with.
#[derive(Clone)]
pub struct FileTree<'t> {
    /// The root.
    pub root: Node<'t>,
    known: Rc<Known<'t>>,
}

/// What has been found.
#[derive(Default)]
struct Known<'t> {
    /// The names of each of the program's files, by where these start.
    names: RefCell<BTreeMap<usize, Rc<FileNames<'t>>>>,
    /// The same with the variables that files share, by where they are seen from, too.
    names_that_share: RefCell<BTreeMap<(usize, usize), Rc<FileNames<'t>>>>,
    definitions: OnceCell<Rc<Definitions<'t>>>,
}

impl<'t> FileTree<'t> {
    /// A tree of which nothing has been asked.
    pub fn new(root: Node<'t>) -> Self {
        Self { root, known: Rc::default() }
    }

    /// What names mean in the file in which a place is, seen from that file alone.
    pub fn names(&self, unit: &Unit, place: usize) -> Rc<FileNames<'t>> {
        let start = unit.section(place).start;
        let mut names = self.known.names.borrow_mut();
        Rc::clone(names.entry(start).or_insert_with(|| Rc::new(names_of_file(unit, self.root, place))))
    }

    /// The same with the variables for those that files share, as they are declared first, seen from another place.
    pub fn names_that_share(&self, unit: &Unit, place: usize, (from, shared): (usize, &Shared)) -> Rc<FileNames<'t>> {
        let mut names = self.known.names_that_share.borrow_mut();
        let find = || {
            let mut names = self.names(unit, place);
            Rc::make_mut(&mut names).share(shared);
            names
        };
        Rc::clone(names.entry((unit.section(place).start, from)).or_insert_with(find))
    }

    /// The functions that the program's files define, but for those of the system's headers.
    pub fn definitions(&self, unit: &Unit) -> Rc<Definitions<'t>> {
        Rc::clone(self.known.definitions.get_or_init(|| {
            let mut found = Definitions::new();
            for definition in function_definitions(self.root).into_iter().filter(|it| unit.is_own(it.start_byte())) {
                if let Some(name) = defined_name(unit, definition) {
                    found.entry(name.to_owned()).or_default().push(definition);
                }
            }
            Rc::new(found)
        }))
    }
}
