//! Rewrites stencil loop nests of a C program into OpenCL kernels with overlapped time tiling.
//!
//! The folders stand in the order in which data flows through them:
//!
//! | module | from → to |
//! |---|---|
//! | [`cli`] | flags → [`options::Options`]; subcommands, the compiler wrapper, exit codes |
//! | [`tune`] | a tuning file → [`options::TunedPlan`], [`options::MeasuredDevice`]; a space of plans, a method of search, measurements → the file |
//! | [`pipeline`] | a file → its rewritten form: the whole translation on one page |
//! | [`bounded`] | the stack and the time within which the translation of a file runs |
//! | [`source`] | path → text, spans, the one lexer of C and the pragmas it finds, the preprocessor run and its line map; diagnostics |
//! | [`front`] | tree-sitter tree → [`ir::Nest`]: clauses, declarations, loops, delinearised subscripts, rotated pointers |
//! | [`ir`] | what the programmer wrote, in arenas with spans |
//! | [`poly`] | nest → [`poly::Recurrences`]: access relations, value-based flow, sweeps, storage; isl only |
//! | [`valid`] | recurrences → verdict; every refusal is explained there or where the front end meets it |
//! | [`tile`] | recurrences, core → [`tile::Tile`]: the regions of overlapped time tiles; [`tile::Pipeline`]: a tile as a stream of rows |
//! | [`model`] | tiles, device profile → [`model::KernelPlan`]: strategy, depth, core, work-group |
//! | [`kernel`] | plan → [`kernel::Kernel`]: a target-neutral kernel tree, one file a strategy |
//! | [`back`] | kernel → text: OpenCL C, the host driver with its C runtime, the header |
//! | [`rewrite`] | edits → source, unified diff; a rewritten source → its original |
//! | [`device`] | the machine's OpenCL devices and what they can do at most: the only module that knows `ocl` |
//! | [`report`] | diagnostics for people and for machines |
//! | [`explain`] | a diagnostic's code → the page about it |
//!
//! # The idea
//! Real codes hide one recurrence behind many storage idioms: copy-back loops, `memcpy`, pointer swaps and rotations,
//! `A[t % 2]`, in-place updates. None of them is recognised by its shape. [`poly`] models what memory does, lets isl say
//! where each value comes from, looks through pure copies, and chooses storage on the device (fields, each a ring of
//! slots). Of each read in the new storage it is proved that it finds the value that the original's dataflow gives it.
//!
//! # Invariants
//! - Facts ([`ir`]), analysis ([`poly`]), options and plans ([`model`]) are different types; none is stored in another.
//! - What enters an integer set is an expression over the integers with the value that C computes: proved by types and ranges,
//!   or guaranteed by an [`ir::RangeCheck`] that the driver makes before it starts. `front::integral` is the only way in.
//! - What the nest assigns is left as the original leaves it ([`ir::LeftScalar`], [`ir::LeftPointer`]), or dead by the
//!   control-flow graph of the function around it.
//! - A storage that [`poly`] returns has the nest's own dataflow, and no sweep reads a cell that another work-item of
//!   the same sweep writes.
//! - All sweeps of a nest write the same cells in every time step.
//! - After [`poly`] and [`valid`] have accepted a nest, nothing in [`kernel`] or [`back`] can fail because of it.
//! - The user's file is changed by sorted, disjoint edits applied once; nothing is written if any diagnostic is an error.
//! - The macros of a kernel file ([`back`]) are for people and for its size: without them compilers see the same tokens.
//! - Output depends on the input, the flags and the tuning file alone, byte for byte.
//!
//! # Deliberately absent
//! No pattern matching of storage idioms, no rewriting of expressions (their order of evaluation is the program's), no
//! intermediate files, no state between runs but tuning files and the journals of searches. Rewriting never touches a
//! device: it works where there is no OpenCL at all.
//!
#![doc = include_str!("glossary.md")]

pub mod cli;
pub mod options;
pub mod tune;
pub mod pipeline;
pub mod bounded;
pub mod text;
pub mod source;
pub mod front;
pub mod ir;
pub mod poly;
pub mod valid;
pub mod tile;
pub mod model;
pub mod kernel;
pub mod back;
pub mod rewrite;
pub mod device;
pub mod report;
pub mod explain;

#[cfg(test)]
mod testing;
