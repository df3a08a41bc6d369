//! What the programmer wrote in a marked nest, typed and with its macros expanded.
//!
//! A [`Nest`] holds facts only: no dependence, no tile and no option is stored in it. It is a [`Step`] and a [`Clock`] that
//! says how often it is done. Scalars that the body computes are
//! immutable [`Local`]s, C's implicit conversions are explicit [`ExprKind::Convert`] nodes, subscripts are one integer
//! expression a dimension (flat pointers are delinearised by the front end), and a rotated pointer variable is an array
//! of several [`Buffer`]s with a buffer index that depends on the time step. What belongs to the user's program is named by
//! [`HostValue`]s: two functions' variables of one spelling are two of them.

mod arena;
mod clock;
pub mod display;
mod expr;
mod folds;
mod host_value;
mod lent;
mod nest;
mod nonlinear;
mod parts;
mod rows;
mod step;
mod types;

pub use arena::{Arena, Handle};
pub use clock::Clock;
pub use expr::{BinaryOp, Expr, ExprKind, Function, NAN, UnaryOp, is_low_bits};
pub use folds::{Accumulator, Combination, Comparison, Fold, Folds, Looks, PointValues, Update};
pub use host_value::{HostValue, HostValues, Selector, Variable};
pub use lent::Lent;
pub use nest::{Cover, Covered, IndexArray, MODERATE, Nest, RangeCheck, RangeFact, SumOfProducts, Team};
pub use nonlinear::Nonlinear;
pub use parts::{Access, Array, Buffer, History, Local, Loop, MAX_RANK, Members, Param, ParamValue};
pub use step::{
    Gap, Given, Grid, LeftPointer, LeftScalar, Listed, Replay, Rule, Setting, Statement, Step, Turned, Until,
};
pub use types::ScalarType;
