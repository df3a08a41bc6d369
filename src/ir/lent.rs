//! Variables that other files of the program lend to nests.

use std::path::{Path, PathBuf};

/// A variable that is `static` in another file of the program: the copy of that file which the tool writes has a function at its
/// end that returns its address.
///
/// Example: `static int width;` of `tfsf.c` is `stencil_of(tfsf, width)` where the call stands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lent {
    /// The file, as the user names it.
    pub file: PathBuf,
    /// What the names of its functions begin with.
    pub stem: String,
    /// The variable.
    pub name: String,
    /// Declaration of the function, e.g. `int (*tfsf_stencil_width(void))`.
    pub declaration: String,
}

impl Lent {
    /// The macro of the header with which the host names lent variables.
    pub const MACRO: &str = "stencil_of";

    /// The name of the function for the variable `name` of a file.
    pub fn function(stem: &str, name: &str) -> String {
        format!("{stem}_stencil_{name}")
    }

    /// The copy of a file that the tool writes, if it stands beside the file.
    pub fn copy_of(file: &Path) -> PathBuf {
        file.with_extension("ocl.c")
    }

    /// The variable in C where the call stands.
    pub fn to_c(&self) -> String {
        format!("{}({}, {})", Self::MACRO, self.stem, self.name)
    }
}
