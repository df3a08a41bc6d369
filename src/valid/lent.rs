//! Variables of other files that only those can name.

use std::collections::BTreeMap;

use crate::ir::{Lent, Nest};
use crate::source::Diagnostic;

/// Notes for whoever builds the program, one for each file that lends variables to the nest.
pub fn note_lent(nest: &Nest) -> Vec<Diagnostic> {
    let mut files: BTreeMap<_, Vec<&Lent>> = BTreeMap::new();
    nest.lent.iter().for_each(|lent| files.entry(&lent.file).or_default().push(lent));
    let note = |(file, lent): (&std::path::PathBuf, Vec<&Lent>)| {
        let names: Vec<String> = lent.iter().map(|it| format!("`{}`", it.name)).collect();
        let copy = Lent::copy_of(file);
        let copy = copy.file_name().unwrap_or_default().to_string_lossy();
        let message = format!("the nest needs {} of {}, `static` there", names.join(", "), file.display());
        Diagnostic::note("lent-variable", message, nest.pragma)
            .because(format!("no other file can name such variables, so {copy} lends them"))
            .with_help(format!("build the program with {copy} in the place of {}", file.display()))
    };
    files.into_iter().map(note).collect()
}
