//! Statements of kernels.

use std::collections::BTreeMap;

use super::registers::Shuffle;
use crate::index::{Condition, Index};
use crate::ir::{Access, Combination, Expr, Handle, Loop, ScalarType};

/// A storage place of one cell.
#[derive(Clone, Debug)]
pub enum Location {
    /// An element of a device buffer.
    Global {
        /// Name of the buffer argument.
        buffer: String,
        /// Layout of the buffer.
        layout: usize,
        /// A variable with the position of the cell from which `cell` is counted.
        base: String,
        /// The cell, outermost first.
        cell: Vec<Index>,
    },
    /// An element of a local array: index into [`Kernel::local_arrays`](super::Kernel::local_arrays), cell.
    Local {
        /// The array.
        array: usize,
        /// The cell, outermost first.
        cell: Vec<Index>,
    },
    /// A variable of the work-item.
    Register(String),
    /// An element of a local array: index into [`Kernel::local_arrays`](super::Kernel::local_arrays), position.
    Element {
        /// The array.
        array: usize,
        /// The position.
        at: Index,
    },
}

impl Location {
    /// The buffer argument, if it is in a buffer.
    pub fn buffer(&self) -> Option<&str> {
        match self {
            Self::Global { buffer, .. } => Some(buffer),
            _ => None,
        }
    }
}

/// Bits of 32.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bits {
    /// Those that are known.
    Const(u32),
    /// Those of a mask.
    Mask(String),
    /// Those that others lack.
    Not(Box<Bits>),
    /// Others, so many places lower.
    Lower(Box<Bits>, i64),
    /// For each of others as many as in a pattern, the lowest in its place; they do not overlap.
    Spread(Box<Bits>, u32),
}

impl Bits {
    /// Those of a mask.
    pub fn mask(name: impl Into<String>) -> Self {
        Self::Mask(name.into())
    }

    /// Those that it lacks.
    #[must_use]
    pub fn inverted(self) -> Self {
        Self::Not(Box::new(self))
    }
}

/// What a work-item holds of values that are combined.
#[derive(Clone, Debug)]
pub struct Held {
    /// The variable.
    pub name: String,
    /// That of the sum of the values of all levels, which tells whether each is a number; needed for the extreme of real ones.
    pub sum: String,
    /// Its type.
    pub element: ScalarType,
    /// How values are combined; never in order.
    pub combination: Combination,
    /// The signs of the values.
    pub signs: Signs,
    /// Whether the upper half of a maximum of type `double` is enough, whose values have no sign.
    pub is_rough: bool,
}

/// What signs numbers have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signs {
    /// Any that their type has.
    Any,
    /// None is negative, nor a negative zero; but any may be no number, of either sign.
    Positive,
}

/// A statement of a kernel.
#[derive(Clone, Debug)]
pub enum Statement {
    /// A remark for readers.
    Comment(String),
    /// Declares an `int` that does not change.
    Int {
        /// Its name.
        name: String,
        /// Its value.
        value: Index,
    },
    /// Declares a `long` that does not change: what is added to it is no `int` that compilers must extend in every turn of
    /// a loop.
    Long {
        /// Its name.
        name: String,
        /// Its value.
        value: Index,
    },
    /// Declares a `bool` that does not change.
    Bool {
        /// Its name.
        name: String,
        /// Its value.
        value: Condition,
    },
    /// Declares a `bool` by which one of two texts is chosen that both wait.
    Way {
        /// Its name.
        name: String,
        /// Its value.
        value: Condition,
    },
    /// Declares a `long`: the position of a cell in all buffers of a layout.
    Position {
        /// Its name.
        name: String,
        /// The layout.
        layout: usize,
        /// A variable with the position of the cell from which `cell` is counted.
        base: String,
        /// The cell, outermost first.
        cell: Vec<Index>,
    },
    /// Declares a buffer that is read: the one of some with the given number, the first being 0.
    Buffer {
        /// Its name.
        name: String,
        /// Type of the elements.
        element: ScalarType,
        /// The number.
        number: Index,
        /// The buffer arguments.
        buffers: Vec<String>,
    },
    /// Runs `variable` from `first` to `last`, inclusive, by `step`.
    Loop {
        /// Loop variable, an `int`.
        variable: String,
        /// First value.
        first: Index,
        /// Last value.
        last: Index,
        /// Increment.
        step: i64,
        /// What is repeated.
        body: Vec<Statement>,
    },
    /// Runs the body if the condition holds.
    If {
        /// The condition.
        condition: Condition,
        /// What is guarded.
        body: Vec<Statement>,
    },
    /// Runs one of two bodies; all work-items of a work-group the same one.
    Choose {
        /// The condition.
        condition: Condition,
        /// If it holds.
        then: Vec<Statement>,
        /// If not.
        otherwise: Vec<Statement>,
    },
    /// Repeats the body without a jump, `variable` running from 0 to `count - 1`.
    Unrolled {
        /// Loop variable, an `int`.
        variable: String,
        /// Number of repetitions.
        count: i64,
        /// What is repeated.
        body: Vec<Statement>,
    },
    /// Declares a mask whose bit `k` tells whether `bits[k]` holds; at most 32.
    Mask {
        /// Its name.
        name: String,
        /// Conditions, the lowest bit's first.
        bits: Vec<Condition>,
    },
    /// Declares a mask of the bits that all `masks` have if a condition holds.
    MaskIf {
        /// Its name.
        name: String,
        /// The condition.
        condition: Condition,
        /// The masks, at least one.
        masks: Vec<Bits>,
        /// The mask if the condition does not hold.
        otherwise: u32,
    },
    /// Statements with names of their own.
    Scope(Vec<Statement>),
    /// Declares variables of the work-item that are zero at first.
    Registers {
        /// Their type.
        element: ScalarType,
        /// Their names.
        names: Vec<String>,
    },
    /// Assigns registers in order, `(to, from)`.
    Moves(Vec<(String, String)>),
    /// Declares which work-item of its sub-group this is and, if there are several, which of the sub-groups. They have
    /// [`LANES`](crate::tile::LANES) work-items each; the work-group's first dimension has as many, or it has no other.
    SubGroup {
        /// The work-item's number.
        lane: String,
        /// The sub-group's.
        member: Option<String>,
    },
    /// Exchanges registers within a sub-group; the outermost work-items take anything in place of what they lack.
    Shuffles {
        /// Their type.
        element: ScalarType,
        /// What moves where.
        shuffles: Vec<Shuffle>,
    },
    /// Loads consecutive cells, the first of which is aligned to the size of all.
    LoadVector {
        /// Their type.
        element: ScalarType,
        /// Registers for them.
        to: Vec<String>,
        /// The first one in global memory.
        from: Location,
    },
    /// Brings the cell and its neighbours near the processor, if the device can.
    Prefetch(Location),
    /// Stores consecutive cells, the first of which is aligned to the size of all.
    StoreVector {
        /// Their type.
        element: ScalarType,
        /// The first one in global memory.
        to: Location,
        /// Registers that hold them.
        from: Vec<String>,
        /// Whether caches should rather keep anything else.
        leaves_first: bool,
    },
    /// Copies one cell.
    Copy {
        /// Destination.
        to: Location,
        /// Source.
        from: Location,
    },
    /// Copies one cell if a mask has one of some bits, without a jump where the compiler can.
    Select {
        /// Destination, which keeps its value otherwise.
        to: Location,
        /// The mask.
        mask: String,
        /// The bits.
        bits: u32,
        /// Source, which is read in any case.
        from: Location,
    },
    /// Declares what a work-item holds of values that are combined, level by level, when there is none yet.
    Hold(Vec<Held>),
    /// Combines values with what is held if a condition holds.
    Fold {
        /// What is held.
        held: Held,
        /// The registers of the values, a power of two.
        values: Vec<String>,
        /// The condition.
        condition: Condition,
    },
    /// Stores what a work-item holds of each level, all work-items' of one level behind those of the level before.
    GiveHeld {
        /// The buffer argument.
        buffer: String,
        /// What is held of each level.
        levels: Vec<Held>,
    },
    /// Computes one cell.
    Compute(Compute),
    /// Waits for all work-items of the work-group; local memory is consistent afterwards.
    Barrier,
    /// Waits for the sub-groups above and below the one of this number, at least; what local memory they share is
    /// consistent afterwards. A work-group has at most [`MOST_NEIGHBOURS`](crate::tile::MOST_NEIGHBOURS).
    NeighbourBarrier(Index),
}

impl Statement {
    /// Calls `visit` with it and with all statements inside it, in order.
    pub fn visit<'a>(&'a self, visit: &mut dyn FnMut(&'a Self)) {
        visit(self);
        self.inner().for_each(|statement| statement.visit(visit));
    }

    /// The statements directly inside it, in order.
    pub(super) fn inner(&self) -> impl Iterator<Item = &Self> {
        let bodies: [&[Self]; 2] = match self {
            Self::Loop { body, .. } | Self::If { body, .. } | Self::Unrolled { body, .. } | Self::Scope(body) => {
                [body, &[]]
            }
            Self::Choose { then, otherwise, .. } => [then, otherwise],
            _ => [&[], &[]],
        };
        bodies.into_iter().flatten()
    }
}

/// The value of one cell and where it goes.
#[derive(Clone, Debug)]
pub struct Compute {
    /// The sweep.
    pub sweep: usize,
    /// The expression.
    pub value: Handle<Expr>,
    /// A part of it that is there already, and the register that holds it.
    pub known: Option<(Handle<Expr>, String)>,
    /// Where each read finds its element. An access without place uses its own subscripts in `general`.
    pub reads: BTreeMap<Handle<Access>, Location>,
    /// Reads of arrays that no sweep writes whose subscripts are not constant offsets: argument name and layout.
    pub general: BTreeMap<Handle<Access>, (String, usize)>,
    /// Conditions of reads whose element need not exist otherwise, in which case anything may stand for its value.
    pub guards: BTreeMap<Handle<Access>, Vec<Handle<Expr>>>,
    /// Values of loop variables in terms of cell coordinates and parameters.
    pub loops: BTreeMap<Handle<Loop>, Index>,
    /// Number of steps complete before this one, if the value needs it.
    pub step: Option<Index>,
    /// Destinations, each under a condition.
    pub stores: Vec<(Location, Option<Condition>)>,
}
