//! Tuning files, and the search for the plans in them.
//!
//! [`space`] says what can be tried, [`search`] in which order. A plan is measured by a program of its own
//! ([`measure`]): the generated driver as it is, entered through `measure.c`, which gives it arrays with values made up.
//! Compiling a driver takes a second a plan; in return everything about a launch, from boxes and strides to arguments and
//! the division of the steps among kernels, is what rewritten programs do, and is written once. [`journal`] remembers what
//! was measured, [`save`] puts the best into the [tuning file](mod@file).

pub mod file;
pub mod journal;
pub mod measure;
pub mod pace;
mod program;
pub mod rate;
pub mod save;
pub mod search;
pub mod space;
mod values;

pub use file::{Tuned, TuningFile, read_tuning_file};
pub use program::{ExpectedPlan, MeasuredNest};
pub use values::Values;
