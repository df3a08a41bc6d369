//! What is known of a loop that the host keeps: its step, and what the host needs where.

use std::ops::Range;

use super::comparisons::Written;
use super::operands::Stands;
use crate::ir::{Combination, Comparison};
use crate::source::{Diagnostic, Span};

/// A loop that stays in the source; its steps are recorded.
#[derive(Clone, Debug, Default)]
pub struct KeptLoop {
    /// The loop, from `for` or `while` on to its end.
    pub span: Span,
    /// Whether it is the only statement of an `if` or a loop, so that nothing can follow it without braces.
    pub is_alone: bool,
    /// The legs of its step: one, or more with statements of the host's between them.
    pub legs: Vec<Span>,
    /// Declarations that stand before the loop, and what gives zeros to arrays among them: of what the step declares,
    pub outliving: Vec<String>,
    /// and those that stand before the step, as what is behind it needs what the step declares.
    pub declared: Vec<String>,
    /// Where the host needs the arrays, in textual order.
    pub places: Vec<Place>,
    /// What bounds could be enough for where each bit of a sum counts.
    pub bounds: Option<Bounds>,
    /// Why its steps run one by one.
    pub alone: Option<Diagnostic>,
    /// The step, in the preprocessed text.
    pub step: Range<usize>,
}

impl KeptLoop {
    /// What keeps the arrays from staying on the device.
    pub fn notes(&self) -> Vec<Diagnostic> {
        let leaving = self.places.iter().filter(|place| place.need == Need::All && !place.returns);
        let note = |place: &Place| {
            if place.is_within {
                return note_within(place);
            }
            let message = "the device gives the arrays back before this, and gets them anew for the next step";
            let note = Diagnostic::note("kept-sync", message, place.span);
            let Some(function) = &place.unseen else {
                let reason = "it stores through a pointer, and where cannot be told";
                return note
                    .because(reason)
                    .with_help("let it only read what it is given, or store with plain subscripts");
            };
            if ["free", "realloc", "reallocarray"].contains(&function.as_str()) {
                let reason = format!("`{function}` gives memory back, which may be that of an array of these steps");
                return note.because(reason).with_help(
                    "allocate and free what the loop needs before it and behind it, or exchange pointers in place of new memory",
                );
            }
            note.because(format!("it calls `{function}`, which cannot be seen")).with_help(format!(
                "give the file of the function by --with, or say what it does by a clause: `pure({function})` if it reaches no \
                 array of the nest, `host_reads({function}: a)` if it only reads `a`"
            ))
        };
        let within = self.places.iter().filter(|place| place.is_within && place.need == Need::Read);
        leaving.map(note).chain(within.map(note_within)).chain(self.alone.clone()).collect()
    }
}

/// What is said of a place where the host needs arrays between the sweeps of each step.
pub const TAKEN_BY_HOST: &str = "the host takes each step, which comes by here";

/// What is said of host code between the sweeps of a step that needs arrays.
fn note_within(place: &Place) -> Diagnostic {
    let message = if place.is_each_step { TAKEN_BY_HOST } else { "the host takes each step that comes by here" };
    let note = Diagnostic::note("kept-sync", message, place.span);
    note.because("it needs arrays between the sweeps of a step, which the device takes as a whole")
        .with_help("move it before the first sweep or behind the last one")
}

/// A statement of the host's, or an operand in one, before which the driver does something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// It.
    pub span: Span,
    /// What it needs.
    pub need: Need,
    /// How it stands where it is.
    pub stands: Stands,
    /// Whether it may return from the function, or jump out of the loop.
    pub returns: bool,
    /// What it reads; none if that may be anything.
    pub parts: Vec<Part>,
    /// Whether it reads what may be anything, and stores what can be told.
    pub reads_anything: bool,
    /// What it stores, if it stores and does nothing else to arrays.
    pub stored: Vec<Part>,
    /// What it asks of scalars that steps fold; what it reads may depend on them.
    pub asks: Asks,
    /// A function that it calls and that cannot be seen.
    pub unseen: Option<String>,
    /// Whether it stands between two legs of a step.
    pub is_within: bool,
    /// Whether it runs after each step.
    pub is_each_step: bool,
}

impl Place {
    /// Code that reaches no array, and how it stands.
    pub fn of_values((span, stands): (Span, Stands)) -> Self {
        let (parts, stored, unseen) = (Vec::new(), Vec::new(), None);
        let (need, returns, reads_anything, is_within, is_each_step) = (Need::Nothing, false, false, false, false);
        Self {
            span,
            need,
            stands,
            returns,
            parts,
            reads_anything,
            stored,
            asks: Asks::Values,
            unseen,
            is_within,
            is_each_step,
        }
    }

    /// A statement for which comparisons of scalars are enough.
    pub fn of_comparisons(look: (Span, Stands)) -> Self {
        Self { asks: Asks::Comparisons, ..Self::of_values(look) }
    }
}

/// What host code asks of scalars that steps fold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Asks {
    /// It does not look at them.
    #[default]
    Nothing,
    /// How comparisons come out.
    Comparisons,
    /// What they are.
    Values,
}

/// A part of memory, by C expressions that can be computed before the statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The address of its first byte.
    pub from: String,
    /// That behind its last byte; none for all of the array that is at `from`.
    pub to: Option<String>,
    /// Where not all of the bytes between are meant.
    pub pieces: Option<Pieces>,
}

/// Pieces of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pieces {
    /// At equal distances, the first one where the part begins.
    Rows {
        /// Bytes from where one begins to where the next one does.
        stride: String,
        /// Bytes of each.
        length: String,
    },
    /// Behind pointers, which are what the part has.
    Behind {
        /// Bytes from where a pointer leads to where a piece begins.
        first: String,
        /// Bytes to its end.
        end: String,
    },
}

/// What host code needs of the arrays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    /// It reaches none.
    #[default]
    Nothing,
    /// It reads elements.
    Read,
    /// It stores elements, and may read others.
    Store,
    /// It may change or free them, or leave the loop.
    All,
}

/// What lets bounds take the place of sums and maxima.
#[derive(Clone, Debug, Default)]
pub struct Bounds {
    /// The scalars.
    pub bounded: Vec<Bounded>,
    /// Their comparisons, each with the number of the scalar.
    pub comparisons: Vec<(usize, Written)>,
    /// Where the host needs arrays or scalars then.
    pub places: Vec<Place>,
}

/// A scalar that is the sum or the maximum of what points give, with nothing done to it but what keeps the order.
#[derive(Clone, Debug)]
pub struct Bounded {
    pub accumulator: usize,
    /// Scalars that are made of it behind that, and grow or fall with it.
    pub derived: Vec<usize>,
    /// Scalars that are how comparisons of these come out, as `done = err < tol`, and what is made of that.
    pub decided: Vec<usize>,
    /// These comparisons.
    pub decisions: Vec<Comparison>,
    /// The number of the values.
    pub values: usize,
    pub combination: Combination,
}

impl Bounded {
    /// The scalar and those that are made of it, but by comparisons.
    pub fn scalars(&self) -> impl Iterator<Item = usize> {
        std::iter::once(self.accumulator).chain(self.derived.iter().copied())
    }
}

/// A nest's place in a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// The number of the chain's first nest among those of the file, counted from 0.
    pub first: usize,
    /// How often its nests are run, about: nobody knows how often a loop of the host's runs.
    pub expected: usize,
    /// The pragma of the nest that goes on with the arrays; none for the last one.
    pub next: Option<Span>,
    /// For the last one the statement behind which the host gets the arrays, and whether it is the only one of an `if` or a loop.
    pub end: Option<(Span, bool)>,
}
