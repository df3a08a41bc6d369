//! How results are called and how they look.

use crate::rewrite::TextStyle;

/// What the results of one file are called and how they look.
#[derive(Clone, Debug)]
pub struct OutputStyle {
    /// The generated files are `STEM.stencil.h` and so on, the functions `STEM_stencil_1` and so on.
    pub stem: String,
    /// How the rewritten file is laid out.
    pub text: TextStyle,
}
