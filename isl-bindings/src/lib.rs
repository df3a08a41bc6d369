//! Sound and pleasant bindings to isl, the Integer Set Library.
//!
//! The crate `isl-rs` is used only because it builds and links the static isl library. Its wrapper types are not:
//! the C functions are declared again in the private module `ffi`, and everything public is safe.
//!
//! # The shape of the interface
//! - A [`Context`] owns an `isl_ctx`. Every value keeps its context alive and cannot leave the context's thread.
//! - Values ([`Set`], [`Map`], [`UnionSet`], [`UnionMap`], [`Aff`], [`PwAff`], [`AstBuild`], [`AstExpr`], [`AstNode`])
//!   are immutable. Operations borrow their operands and return a new value; `Clone` only counts a reference.
//! - Methods are named as in isl's C API without the prefix: `isl_set_intersect` is [`Set::intersect`].
//! - Every operation can fail and returns a [`Result`]. Nothing is printed. Values are compared by `is_equal`, not `==`,
//!   because the comparison itself is an integer programming problem that can fail.
//! - Parameters are aligned by name, so operands may have different parameters.
//! - isl's numbers are `i64` here; one that does not fit is an error.
//!
//! ```
//! use isl_bindings::{Context, Set};
//! # fn main() -> isl_bindings::Result<()> {
//! let context = Context::new()?;
//! let interior = Set::parse(&context, "[n] -> { A[i] : 0 < i < n - 1 }")?;
//! let whole = Set::parse(&context, "[n] -> { A[i] : 0 <= i < n }")?;
//! assert!(interior.is_subset(&whole)?);
//! # Ok(())
//! # }
//! ```
//!
//! # Why the `unsafe` code is sound
//! 1. A value's pointer is never null and owns one reference: `from_raw` is the only way to make a value, it refuses
//!    null, and it is only given what isl marks `__isl_give`. `Drop` gives that one reference back.
//! 2. What isl marks `__isl_take` gets a reference of its own, made by `take`; isl gives it back even when it fails.
//!    What isl marks `__isl_keep` gets `as_ptr` of a value that is borrowed for the whole call.
//! 3. isl requires that all operands live in one `isl_ctx`: operations with two operands check it.
//! 4. The `isl_ctx` outlives its values, since each holds a counted reference to it. An `isl_ctx` belongs to one thread:
//!    `Rc` and raw pointers make all types neither `Send` nor `Sync`, as this must not compile:
//!    ```compile_fail,E0277
//!    fn assert_send<T: Send>() {}
//!    assert_send::<isl_bindings::Set>();
//!    ```
//!    ```compile_fail,E0277
//!    fn assert_send<T: Send>() {}
//!    assert_send::<isl_bindings::Context>();
//!    ```
//! 5. Positions of dimensions are checked before isl sees them; isl checks spaces itself.

mod aff;
mod ast;
mod context;
mod dimension;
mod error;
#[allow(non_camel_case_types)]
mod ffi;
mod flow;
mod hull;
mod map;
mod number;
mod set;
mod union;
mod value;

pub use aff::{Aff, PwAff};
pub use ast::{AstBuild, AstExpr, AstNode, AstOp, AstTerm};
pub use context::Context;
pub use dimension::DimKind;
pub use error::{Error, ErrorKind, Result};
pub use flow::{AccessInfo, Flow};
pub use hull::FixedBox;
pub use map::Map;
pub use set::Set;
pub use union::{UnionMap, UnionSet};

// Links the static isl library which that crate builds.
use isl_rs as _;
