//! What the analysis may find in a nest that keeps it from being rewritten, as facts; [`crate::valid`] explains them.

use std::collections::{BTreeMap, BTreeSet};

use isl_bindings::ErrorKind;

use super::NonAffine;
use crate::ir::{Access, Array, Expr, Handle, Loop};
use crate::source::Span;

/// Why a nest cannot be analysed or cannot run as parallel sweeps.
#[derive(Debug)]
pub enum Refusal {
    /// An expression that integer sets cannot hold.
    NotAffine {
        /// What the access is needed for.
        access: Handle<Access>,
        /// The part that is not affine.
        part: NonAffine,
        /// What it is of the access.
        role: AffineRole,
    },
    /// The left operand of `/` or `%` that may be negative, where C truncates and isl floors.
    NegativeRemainder(Handle<Expr>),
    /// Remainders and strides that repeat together only after more iterations than `most`; the last one stands at `span`.
    LongPeriod {
        /// Where it stands.
        span: Span,
        /// The longest period.
        most: u64,
    },
    /// A condition that must hold everywhere may not; an index of the nest's covers. A scalar that only branches on places assign is
    /// read where none of them was taken, or a `while` loop has a second iteration.
    NotAssigned(usize),
    /// A statement without an instance.
    NeverExecuted(usize),
    /// A statement of which several instances of one step write one element.
    WrittenTwice(usize),
    /// A statement that writes other elements in other steps.
    CellsChangeWithTime(usize),
    /// An access beyond the declared size of its array, whatever values the parameters have.
    OutsideArray {
        /// The access.
        access: Handle<Access>,
        /// The dimension.
        dimension: usize,
        /// The declared extent, in C.
        extent: String,
        /// The index that is reached, in C, if it is short.
        index: Option<String>,
    },
    /// An access under a condition on data to an element that nothing else shows to exist.
    ElementMayNotExist(Handle<Access>),
    /// A sweep that needs values of its own of the same step.
    NeedsItself {
        /// Its statement.
        statement: usize,
        /// The outermost loop over space, if it alone carries the dependences and has loops inside it.
        carrier: Option<Handle<Loop>>,
        /// The reads that get these values: for each dependence where from, as [`Dependence::reads`](super::Dependence).
        reads: Vec<BTreeMap<Handle<Access>, Option<Vec<i64>>>>,
    },
    /// Two sweeps that need each other's values of one step.
    NeedEachOther {
        /// The statement of one.
        statement: usize,
        /// The statement of the other, whose values the first one needs.
        origin: usize,
        /// The read through which it needs them.
        read: Handle<Access>,
    },
    /// A read of a grid that the step declares of an element that the step may not have stored.
    NotStored(Handle<Access>),
    /// An array for which no storage keeps the dataflow.
    NoStorage {
        /// The array.
        array: Handle<Array>,
        /// Statements that would have to compute all their values before one is stored.
        waiting: Vec<usize>,
        /// Reads that get these values in the same step, and nothing else.
        of_step: BTreeSet<Handle<Access>>,
    },
    /// More operations on integer sets than [`operation_limit`](super::operation_limit) allows.
    TooComplex,
    /// isl reports an error.
    Failed(String),
}

/// What an expression of an access is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AffineRole {
    /// A subscript, or the choice of the buffer.
    Subscript,
    /// A bound of a loop around it.
    LoopBound,
    /// A condition under which it is made.
    Condition,
}

impl From<isl_bindings::Error> for Refusal {
    fn from(error: isl_bindings::Error) -> Self {
        match error.kind {
            ErrorKind::OperationLimit => Self::TooComplex,
            _ => Self::Failed(error.to_string()),
        }
    }
}
