//! What is refused, and remedies in several places.

use crate::source::Diagnostic;

/// What can be refused.
pub type Failable<T> = Result<T, Box<Diagnostic>>;

/// The remedy for complex numbers.
pub const TWO_ARRAYS: &str = "keep the real and the imaginary parts in two arrays";
