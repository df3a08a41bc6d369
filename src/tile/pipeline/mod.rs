//! A tile as a pipeline along its outermost dimension, the *stream* (N.5D blocking).
//!
//! At step `z` of the stream the inputs deliver row `z` (a plane in three dimensions), and the stage of lag `l` computes
//! row `z - l`. A *window* keeps as many of a producer's rows as its consumers still read; a row's *age* counts the steps
//! since it was delivered. Example, a star of radius 1 in two steps: the first stage has lag 1 and reads rows of ages 0,
//! 1 and 2 of the input; the second has lag 2 and reads the same ages of the first. Cells outside a sweep's domain keep
//! what their slot held: a stage finds them in the window of the stage that wrote the same slot before.
//!
//! In one dimension there is a single row, and no lag: the stages follow each other in one step.

mod builder;

use std::collections::{BTreeMap, BTreeSet};

use super::CellBox;
use crate::ir::{Access, BinaryOp, Expr, ExprKind, Handle, Nest, ScalarType};
use crate::poly::{Origin, Recurrences};

/// Where the rows of a window come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Producer {
    /// A slot of a field as it is before the launch.
    Input {
        /// The field.
        field: usize,
        /// The relative slot.
        slot: usize,
    },
    /// A stage of the tile, by index.
    Stage(usize),
    /// A part of a stage's value.
    Part(usize),
}

/// The latest rows of a producer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// What delivers the rows.
    pub producer: Producer,
    /// The field whose cells they are, or are part of.
    pub field: usize,
    /// Type of the values.
    pub element: ScalarType,
    /// At step `z` row `z - lag` is delivered.
    pub lag: i64,
    /// Number of rows kept.
    pub depth: i64,
    /// What is read of a row at an age: offsets within the row, outermost dimension first.
    pub taps: BTreeMap<i64, BTreeSet<Vec<i64>>>,
}

/// A value in a window, relative to the cell that is computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tap {
    /// Index of the window.
    pub window: usize,
    /// Age of the row.
    pub age: i64,
    /// Offset within the row.
    pub offset: Vec<i64>,
}

/// Where a stage finds the cells that its sweep does not write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HaloSource {
    /// In the same place of an older row.
    Window {
        /// Index of the window.
        window: usize,
        /// Age of the row.
        age: i64,
    },
    /// In device memory.
    Buffer {
        /// The field.
        field: usize,
        /// The relative slot.
        slot: usize,
    },
}

/// A value that is evaluated in one step; see `parts.rs`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValuePart {
    /// The expression.
    pub value: Handle<Expr>,
    /// The window that it fills.
    pub window: usize,
    /// At step `z` it is evaluated for row `z - lag`.
    pub lag: i64,
    /// Where each read of a written field finds its value.
    pub reads: BTreeMap<Handle<Access>, Tap>,
    /// Its other reads, of fields that no sweep writes.
    pub constants: Vec<Handle<Access>>,
    /// The part before it, that part's window and the age of its value there.
    pub before: Option<(Handle<Expr>, usize, i64)>,
}

/// A stage's place in the pipeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PipelineStage {
    /// Parts of its value in order of evaluation; the last is the value.
    pub parts: Vec<ValuePart>,
    /// Cells outside the sweep's domain, if anything reads them.
    pub halo: Option<HaloSource>,
}

impl PipelineStage {
    /// The value.
    pub fn last(&self) -> &ValuePart {
        self.parts.last().expect("a stage has a value")
    }

    /// The window that the stage fills.
    pub fn window(&self) -> usize {
        self.last().window
    }

    /// At step `z` the stage completes row `z - lag`.
    pub fn lag(&self) -> i64 {
        self.last().lag
    }
}

/// How a pipeline is to be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PipelineRules {
    /// Age of a row at which neighbours in the fastest dimension can be read, 0 or 1.
    pub age_of_columns: i64,
    /// Age of a plane at which neighbours in its other dimensions can be read, 0 or 1.
    pub age_of_rows: i64,
    /// Whether values are evaluated in parts.
    pub has_parts: bool,
}

impl PipelineRules {
    /// Whole rows are delivered before anything reads them.
    pub const WHOLE_ROWS: Self = Self { age_of_columns: 0, age_of_rows: 0, has_parts: false };
}

/// All stages of a tile with their lags and windows.
#[derive(Clone, Debug)]
pub struct Pipeline {
    /// Windows of inputs and stages.
    pub windows: Vec<Window>,
    /// For each stage of the tile its place.
    pub stages: Vec<PipelineStage>,
    /// The slots of fields that are written in place.
    in_place: BTreeSet<(usize, usize)>,
}

/// Why recurrences cannot be streamed though they can be tiled in time.
pub fn stream_obstacle(nest: &Nest, recurrences: &Recurrences) -> Option<String> {
    let storage = &recurrences.storage;
    for (sweep, (field, _)) in storage.writes.iter().enumerate() {
        let name = &storage.fields[*field].name;
        if storage.writes.iter().filter(|(other, _)| other == field).count() > 1 {
            return Some(format!("several statements write `{name}`"));
        }
        if !recurrences.sweeps.sweeps[sweep].is_box {
            return Some(format!("the elements written of `{name}` are no box"));
        }
    }
    if divides_integers(nest) {
        return Some("an integer division might divide by a value that is never used".into());
    }
    for (key, read) in &storage.reads {
        let origins =
            recurrences.sweeps.dependences.iter().filter(|d| d.sweep == key.0 && d.reads.contains_key(&key.1));
        let writers = origins.filter(|d| matches!(d.origin, Origin::Sweep(_))).count();
        let is_written = storage.fields[read.field].is_written;
        let varies = read.offset.is_none() && (is_written || !is_the_same_everywhere(nest, key.1));
        if writers > 1 || varies {
            return Some(format!("`{}` is read at varying distances", storage.fields[read.field].name));
        }
    }
    None
}

/// Rows behind the boundary are computed too, from whatever is there. What a constant divides has a quotient nevertheless.
fn divides_integers(nest: &Nest) -> bool {
    let is_harmless =
        |divisor: Handle<Expr>| matches!(nest.exprs[divisor].kind, ExprKind::Int(it) if it != 0 && it != -1);
    let is_division = |expr: &Expr| match expr.kind {
        ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, _, divisor) => !expr.ty.is_float() && !is_harmless(divisor),
        _ => false,
    };
    let values = nest.reachable(nest.step.statements.iter().map(|statement| statement.value));
    values.into_iter().any(|expr| is_division(&nest.exprs[expr]))
}

/// Whether a read touches one element for all cells.
fn is_the_same_everywhere(nest: &Nest, read: Handle<Access>) -> bool {
    let subscripts = nest.reachable(nest.accesses[read].subscripts.iter().copied());
    let depends =
        |expr| matches!(nest.exprs[expr].kind, ExprKind::Index(l) | ExprKind::Iteration(l) if !nest.clock.counts(l));
    !subscripts.into_iter().any(depends)
}

impl Pipeline {
    /// How far beside, before and behind a cell the stages read a window: offsets of whole cells, outermost dimension
    /// first, and the cell itself. For grids of two dimensions or more.
    pub fn reach(&self, window: usize, rank: usize) -> CellBox {
        let cell = CellBox::cell(rank);
        let parts = self.stages.iter().flat_map(|piped| &piped.parts);
        let taps = parts.flat_map(|part| part.reads.values().map(|tap| (part.lag, tap)));
        taps.filter(|(_, tap)| tap.window == window).fold(cell, |reach, (lag, tap)| {
            let ahead = lag - self.windows[window].lag - tap.age;
            let offset: Vec<i64> = std::iter::once(ahead).chain(tap.offset.iter().copied()).collect();
            reach.hull(&CellBox { lo: offset.clone(), hi: offset })
        })
    }

    /// Whether a launch writes a slot of a field in place: it reads cells of it, but none that it writes, and no later launch
    /// reads what it stores there. Such launches are few, and worth no second buffer.
    pub fn is_in_place(&self, slot: (usize, usize)) -> bool {
        self.in_place.contains(&slot)
    }

    /// The largest lag.
    pub fn longest_lag(&self) -> i64 {
        self.stages.iter().map(PipelineStage::lag).max().unwrap_or(0)
    }

    /// The smallest lag of any part; parts may run ahead of the rows that arrive.
    pub fn shortest_lag(&self) -> i64 {
        self.stages.iter().flat_map(|piped| &piped.parts).map(|part| part.lag).min().unwrap_or(0)
    }

    /// Rows in the deepest window.
    pub fn deepest_window(&self) -> i64 {
        self.windows.iter().map(|window| window.depth).max().unwrap_or(1)
    }
}
