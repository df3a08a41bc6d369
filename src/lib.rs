//! Rewrites stencil loop nests of a C program into OpenCL kernels with overlapped time tiling.
//!
//! A module uses only modules below it in this table; a test reads their `use` lines.
//!
//! | module | from → to |
//! |---|---|
//! | [`cli`] | flags → [`options::Options`]; subcommands, the compiler wrapper, exit codes |
//! | [`pipeline`] | a file → its rewritten form: the whole translation on one page |
//! | [`tune`] | a tuning file → [`options::TunedPlan`], [`options::MeasuredDevice`]; a space of plans, a method of search, measurements → the file |
//! | [`report`] | diagnostics for people and for machines; what `--dump` prints |
//! | [`rewrite`] | edits → source, unified diff; a rewritten source → its original |
//! | [`back`] | kernels → text: a dialect of C, one file or folder each, so far OpenCL C; the host driver with its C runtime, the header; it cannot fail |
//! | [`kernel`] | plan → [`kernel::Kernel`]: a target-neutral kernel tree, one file a strategy |
//! | [`model`] | tiles, device profile → [`model::KernelPlan`]: strategy, depth, core, work-group |
//! | [`tile`] | recurrences, core → [`tile::Tile`]: the regions of overlapped time tiles; [`tile::Pipeline`]: a tile as a stream of rows |
//! | [`valid`] | [`poly::Refusal`] → diagnostic: every refusal is explained there or where the front end meets it |
//! | [`poly`] | nest → [`poly::Analysis`]: access relations, value-based flow, sweeps, storage, bounds of all cells; isl is there and in [`tile`] alone |
//! | [`front`] | tree-sitter tree → [`front::MarkedNest`], an [`ir::Nest`] with its clauses: declarations, loops, delinearised subscripts, rotated pointers |
//! | [`explain`] | a diagnostic's code → the page about it |
//! | [`device`] | the machine's OpenCL devices and what they can do at most: the only module that knows `ocl` |
//! | [`options`] | what the user chose: flags, clauses, tuned plans |
//! | [`index`] | integer expressions and conditions of generated code: [`poly`] and [`kernel`] make them, [`back`] spells them |
//! | [`ir`] | what the programmer wrote, in arenas with spans |
//! | [`bounded`] | the stack and the time within which the translation of a file runs |
//! | [`text`] | characters on their way out: lines, string constants, hashes |
//! | [`source`] | path → text, spans, the one lexer of C and the pragmas it finds, the preprocessor run and its line map; diagnostics |
//! | [`settings`] | the one table of what can be asked for a nest: by a clause, a flag, a key of a tuning file |
//!
//! # The idea
//! Real codes hide one recurrence behind many storage idioms: copy-back loops, `memcpy`, pointer swaps and rotations,
//! `A[t % 2]`, in-place updates. None of them is recognised by its shape. [`poly`] models what memory does, lets isl say
//! where each value comes from, looks through pure copies, and chooses storage on the device (fields, each a ring of
//! slots, or for a history a slot for each of its rows). Of each read in the new storage it is proved that it finds the value that the original's dataflow gives it.
//!
//! # Invariants
//! - Facts ([`ir`]), analysis ([`poly`]), options ([`options`]) and plans ([`model`]) are different types; none is stored in another.
//! - What enters an integer set is an expression over the integers with the value that C computes: proved by types and ranges,
//!   or guaranteed by an [`ir::RangeCheck`] that the driver makes before it starts. `front::integral` is the only way in.
//! - Variables are told apart by their declarations ([`ir::HostValue`]), never by their spelling.
//! - What the nest assigns is left as the original leaves it ([`ir::LeftScalar`], [`ir::LeftPointer`]), or dead by the
//!   control-flow graph of the function around it.
//! - A storage that [`poly`] returns has the nest's own dataflow, and no sweep reads a cell that another work-item of
//!   the same sweep writes.
//! - All sweeps of a nest write the same cells in every time step.
//! - Between two calls for steps of a kept loop the host reaches no array without a sync before it, as far as its text can
//!   tell; what its text cannot tell ends the recording. So at any time the host's arrays, with what they held before parts
//!   were brought or stored alone, the steps taken since, what the host has stored between them, and the pending steps give what the
//!   original holds.
//! - Where the host does something within a step, it needs nothing there that the step leaves in variables but what one leg
//!   before it folds and no other leg knows, and changes nothing that a leg before it is given. A step that cannot wait for its last leg is taken on the host, whatever the device does with it.
//! - What the host does around a step to pointers and to numbers of buffers is foreseen, and no more: each call brings them, and one
//!   that brings others than foreseen begins a recording anew.
//! - What is folded over points gets the bits that the program's loops give it: what is combined on the device has no order, or the
//!   host folds it in the program's. Until then a sum or a maximum may be another that decides all comparisons as that does, if these are all that
//!   the host does with it. No sweep needs what its own step folds.
//! - A launch that leaves no results can be taken back until the next one, a step of which the device has taken some legs until the last
//!   one, and a preview puts back what it writes: so results may be lacking as long as nobody asks for all of them.
//! - What the device has computed ahead of the host it can take back: until the host has asked for a step, nothing that it had before
//!   is overwritten.
//! - On the device every array is a box; on the host rows behind row tables are what the nest's own bounds say, and nothing beside
//!   them is touched.
//! - Behind [`poly::Analysis`] no module can fail because of a nest; a wish that cannot be had is refused by [`model`], before a
//!   kernel is built.
//! - The user's file is changed by sorted, disjoint edits applied once; nothing is written if any diagnostic is an error.
//! - The macros of a kernel file ([`back`]) are for people and for its size: without them compilers see the same tokens.
//! - Output depends on the input, the flags and the tuning file alone, byte for byte.
//!
//! # Deliberately absent
//! No pattern matching of storage idioms, no rewriting of expressions (their order of evaluation is the program's), no
//! intermediate files, no state between runs but tuning files and the journals of searches. Rewriting never touches a
//! device: it works where there is no OpenCL at all.
//!
#![doc = include_str!("walk.md")]
#![doc = include_str!("glossary.md")]

pub mod cli;
pub mod pipeline;
pub mod tune;
pub mod report;
pub mod rewrite;
pub mod back;
pub mod kernel;
pub mod model;
pub mod tile;
pub mod valid;
pub mod poly;
pub mod front;
pub mod explain;
pub mod device;
pub mod options;
pub mod index;
pub mod ir;
pub mod bounded;
pub mod text;
pub mod source;
pub mod settings;

#[cfg(test)]
mod testing;
