//! The tree of a text with what its names mean, which all that is read of that text shares.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use tree_sitter::Node;

use super::declarations::{has_word, names_of_file};
use super::file_names::FileNames;
use super::known_functions::KnownFunctions;
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
    /// The names of the functions that are defined, but for those of headers that do what the library does.
    defined: OnceCell<BTreeSet<String>>,
    of_functions: OnceCell<Rc<KnownFunctions<'t>>>,
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

    /// Whether a function of that name is defined, and not only as headers of the library define `extern inline` functions.
    pub fn defines(&self, unit: &Unit, name: &str) -> bool {
        let is_of_library = |definition: &Node| {
            has_word(unit, *definition, "storage_class_specifier", "extern") && !unit.is_own(definition.start_byte())
        };
        let find = || {
            let all = function_definitions(self.root).into_iter().filter(|it| !is_of_library(it));
            all.filter_map(|it| defined_name(unit, it).map(str::to_owned)).collect()
        };
        self.known.defined.get_or_init(find).contains(name)
    }

    /// What loops that the host keeps need to know of functions; `find` is asked once.
    pub fn known_of_functions(&self, find: impl FnOnce() -> KnownFunctions<'t>) -> Rc<KnownFunctions<'t>> {
        Rc::clone(self.known.of_functions.get_or_init(|| Rc::new(find())))
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
