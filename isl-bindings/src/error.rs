//! What can go wrong, as a value.

use std::ffi::c_uint;

use crate::ffi;

/// The result of an isl operation.
pub type Result<T> = std::result::Result<T, Error>;

/// A failed isl operation. The operands are unchanged and the context remains usable.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("isl: {message}")]
pub struct Error {
    /// Which sort of failure it is.
    pub kind: ErrorKind,
    /// What isl says about it.
    pub message: String,
}

/// The sorts of failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The limit of [`Context::with_operation_limit`](crate::Context::with_operation_limit) was exceeded.
    OperationLimit,
    /// An argument is wrong: a syntax error, spaces that do not match, a position out of range, an unbounded optimum.
    Invalid,
    /// isl does not implement this case.
    Unsupported,
    /// Memory ran out.
    Alloc,
    /// An invariant inside isl is broken.
    Internal,
    /// isl gave no reason.
    Unknown,
}

impl Error {
    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Error { kind: ErrorKind::Invalid, message: message.into() }
    }
}

impl ErrorKind {
    /// Translates an `enum isl_error`.
    pub(crate) fn from_raw(code: c_uint) -> Self {
        match code {
            ffi::ISL_ERROR_ALLOC => ErrorKind::Alloc,
            ffi::ISL_ERROR_INTERNAL => ErrorKind::Internal,
            ffi::ISL_ERROR_INVALID => ErrorKind::Invalid,
            ffi::ISL_ERROR_QUOTA => ErrorKind::OperationLimit,
            ffi::ISL_ERROR_UNSUPPORTED => ErrorKind::Unsupported,
            _ => ErrorKind::Unknown,
        }
    }
}
