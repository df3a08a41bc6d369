//! Tuning files: plans that were found to be good, kept beside the source.

mod file;

pub use file::{TuningFile, read_tuning_file};
