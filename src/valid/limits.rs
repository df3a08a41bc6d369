//! Nests that take the analysis too far.

use crate::ir::Nest;
use crate::poly::operation_limit;
use crate::source::{Diagnostic, Span};

/// Remainders and strides whose common period is longer than `most`.
pub(super) fn long_period(span: Span, most: u64) -> Diagnostic {
    Diagnostic::error("too-complex", "the remainders and strides of this nest are too many or too large", span)
        .because(format!("with this one they repeat only after more than {most} iterations"))
        .with_help("use divisors that divide each other, or one divisor")
}

/// Dependences that take too many operations.
pub(super) fn too_complex(nest: &Nest) -> Diagnostic {
    let most = operation_limit(nest);
    Diagnostic::error("too-complex", "this nest is too complex to analyse", nest.span)
        .because(format!("its dependences need more than {most} operations on integer sets"))
        .with_help("let the branches of an `if` set scalars, and store each element once, behind the `if`")
        .with_help("or split the nest into several marked ones, each with fewer assignments")
}

/// An error of isl's.
pub(super) fn failed(nest: &Nest, message: &str) -> Diagnostic {
    Diagnostic::error("analysis-failed", format!("the analysis of this nest failed: {message}"), nest.span)
        .with_help("please report this nest; it can be left as it is with --keep-unsupported")
}
