//! What is done to the marked nests of a file.

use crate::front::Stands;
use crate::source::Span;

/// What is done to one marked nest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replacement {
    /// The pragma; only its start counts, the directive ends where C says.
    pub pragma: Span,
    /// The nest, from its `for` to its closing brace or semicolon.
    pub nest: Span,
    /// The C expression that runs it on the device and is 0 if it could not, e.g. `heat_stencil_1(n, u, v)`.
    pub call: String,
    /// The loop that the nest is a step of, if the host keeps it.
    pub kept: Option<KeptEdits>,
}

impl Replacement {
    /// The function that is called.
    pub fn name(&self) -> &str {
        called(&self.call)
    }
}

/// The function that a C expression calls.
pub fn called(call: &str) -> &str {
    call.split('(').next().unwrap_or_default()
}

/// What is done to the loop around a step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeptEdits {
    /// Statements behind which something is called.
    pub behind: Vec<KeptEnd>,
    /// The legs of its step, in order, each with the call that runs it.
    pub legs: Vec<(Span, String)>,
    /// Loops with declarations before them, of what is declared in their step,
    pub outliving: Vec<(Span, String)>,
    /// and before the first leg, of what is declared in it.
    pub declared: Vec<String>,
    /// Statements before which the host gets its arrays.
    pub places: Vec<KeptPlace>,
}

/// A statement behind which something is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptEnd {
    /// The statement.
    pub span: Span,
    /// Whether it is the only statement of an `if` or a loop.
    pub is_alone: bool,
    /// Which of the nest's functions is called: `values` or `end`.
    pub call: &'static str,
}

/// A statement or an operand that needs arrays or scalars.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptPlace {
    /// It.
    pub span: Span,
    /// How it stands where it is.
    pub stands: Stands,
    /// Which of the nest's functions is called: `sync`, `store`, `values`, `compare` or `end`.
    pub call: &'static str,
    /// Which function that brings scalars is called before that, too.
    pub scalars: Option<&'static str>,
    /// Functions that are called for what alone is read or stored, each with its arguments, instead of one for everything.
    pub parts: Vec<(&'static str, String)>,
}
