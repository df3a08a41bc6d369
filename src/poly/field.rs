//! Fields, and the slots and cells in which values are.

use std::collections::BTreeMap;

use isl_bindings::Set;

use super::SlotChoice;
use crate::ir::{Access, Array, Handle, ScalarType};

/// A buffer of an array, by number.
pub type BufferOf = (Handle<Array>, usize);

/// A ring of device copies of one or more arrays of the user.
#[derive(Clone, Debug)]
pub struct Field {
    /// The arrays' names joined.
    pub name: String,
    /// The arrays whose values it holds.
    pub arrays: Vec<Handle<Array>>,
    /// Type of a cell.
    pub element: ScalarType,
    /// Number of space dimensions.
    pub rank: usize,
    /// Number of slots; [`ONE_A_ROW`](super::ONE_A_ROW) if they are the rows of a history.
    pub slots: usize,
    /// Whether a sweep writes it.
    pub is_written: bool,
    /// For each slot the array and its buffer whose contents it starts with, if they matter. A history has one entry: each
    /// slot starts with its row.
    pub initial: Vec<Option<BufferOf>>,
    /// Of a history.
    pub rows: Option<Rows>,
}

/// What a step touches of a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rows {
    /// How many rows.
    pub span: usize,
    /// Whether what the nest finds in rows that it writes matters; those before them it reads at any rate.
    pub keeps_contents: bool,
    /// Whether a step reads what elements that it writes held before.
    pub is_updated: bool,
}

impl Field {
    /// Whether its slots are the rows of a history.
    pub fn is_history(&self) -> bool {
        self.rows.is_some()
    }
}

/// How a sweep reads a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldRead {
    /// Index of the field.
    pub field: usize,
    /// The slot.
    pub slot: SlotChoice,
    /// Cell read minus cell computed, if constant and of equal rank; otherwise the access's own subscripts say which.
    pub offset: Option<Vec<i64>>,
}

/// The slot that holds an array's final contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultSlot {
    /// Always this one.
    Fixed(usize),
    /// `(time_steps + shift) mod slots`.
    AfterSteps(i64),
    /// Each row of a history in its own: step `t` leaves row `t + shift`.
    EveryStep(i64),
}

/// Where the final contents of one buffer of an array are.
#[derive(Clone, Debug)]
pub struct StencilResult {
    /// The array.
    pub array: Handle<Array>,
    /// Its buffer.
    pub buffer: usize,
    /// The field.
    pub field: usize,
    /// The field's slot.
    pub slot: ResultSlot,
    /// The elements that the nest writes, `[p] -> { [x, y] }`.
    pub elements: Set,
}

/// Places for all values of a nest.
#[derive(Default)]
pub struct Storage {
    /// The fields.
    pub fields: Vec<Field>,
    /// For each sweep the field and slot that it writes.
    pub writes: Vec<(usize, SlotChoice)>,
    /// For each sweep and read the field, slot and cell.
    pub reads: BTreeMap<(usize, Handle<Access>), FieldRead>,
    /// Final contents of the written arrays.
    pub results: Vec<StencilResult>,
}
