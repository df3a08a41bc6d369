//! What is known of a program's functions, found in its text.

use std::iter;

use super::definitions::definitions;
use crate::front::file_tree::FileTree;
use crate::front::known_functions::KnownFunctions;
use crate::front::tree::{Unit, children, declared_identifier, fields};

/// Of the functions in a file.
pub fn known_functions<'t>(unit: &Unit, file: &FileTree<'t>) -> KnownFunctions<'t> {
    let root = file.root;
    let own = unit.sections.first().map_or(unit.text.len(), |section| section.start);
    let declared = children(root).into_iter().filter(|it| it.kind() == "declaration" && it.start_byte() < own);
    let declared = declared.flat_map(|it| fields(it, "declarator")).filter_map(declared_identifier);
    let declared = declared.map(|name| unit.text(name).to_owned()).collect();
    let files = iter::once(0).chain(unit.other_files().into_iter().map(|file| file.start));
    let names = files.map(|start| (start, file.names(unit, start))).collect();
    KnownFunctions { definitions: definitions(unit, root), declared, names, ..KnownFunctions::default() }
}
