//! What a file declares and what may be misread there, which is found once for its text.

use std::collections::BTreeSet;
use std::ops::Range;

/// What a file declares, wherever it does, and what may be misread.
#[derive(Default)]
pub struct CastNames {
    /// Names of types.
    pub types: BTreeSet<String>,
    /// Names of variables, functions and constants of enumerations.
    pub variables: BTreeSet<String>,
    /// Casts to a type that consists of a name, elements of an array of it, a function that gives it, or that is `x * (y)`, with where
    /// they are in the file.
    pub casts: Vec<(String, Range<usize>)>,
}
