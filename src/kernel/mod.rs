//! The target-neutral kernel tree: loops over cells, sweeps of one cell, copies, barriers.
//!
//! `direct.rs`, `local.rs`, `rows/` and `stream/` build kernels from recurrences, one a strategy; the back end prints them.

mod cells;
mod direct;
mod index;
mod inputs;
mod local;
mod plans;
mod registers;
mod rows;
mod stream;

use std::collections::BTreeMap;
use std::iter;

pub use index::{Condition, Index};
pub use inputs::{Subject, origin};
pub use plans::PlanKernels;

use direct::direct_kernels;
use local::local_kernel;
use rows::rows_kernels;
use stream::stream_kernel;

use crate::ir::{Access, Expr, Handle, Param, ScalarType};
use crate::tile::{Leaves, Region};

/// A function that runs on the device.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// Time steps it advances; 0 for one sweep of one step.
    pub levels: usize,
    /// Which values it stores, if `levels` is not 0.
    pub leaves: Leaves,
    /// The sweep it performs, if `levels` is 0.
    pub sweep: usize,
    /// Rank of the cells.
    pub rank: usize,
    /// Work-group shape, fastest dimension first.
    pub work_group: [u32; 3],
    /// Core of the tile in cells, outermost first; empty if `levels` is 0.
    pub tile: Vec<i64>,
    /// Cells to which the host may shorten tiles along the outermost dimension, so that there are enough of them; 0 if it
    /// may not. Such a kernel takes the extent that they have as [`ArgumentKind::Chunk`].
    pub least_chunk: i64,
    /// Cells at each end of the outermost dimension that are tiles of their own, if all sweeps' domains end with the tiled box;
    /// 0 if none are. Such a kernel takes their number as [`ArgumentKind::StreamEnd`], and that of tiles between them that have
    /// their whole extent as [`ArgumentKind::WholeParts`].
    pub end_of_stream: i64,
    /// Whether both halves of the last tile between those are tiles of their own, if it is not the only one.
    pub halves_last: bool,
    /// Cells that a tile may load, whether it uses them or not: `lo` relative to the first cell of its core, `hi` to the last.
    pub reach: Region,
    /// For each dimension whether cores end with the tiled box; where they do not, the last ones count as whole.
    pub is_cut: Vec<bool>,
    /// Cells that the first tile owns before its core, not positive, and the last one behind it. There is nothing to compute
    /// beyond the faces of the tiled box, and tiles there need no ghost zone.
    pub rim: Region,
    /// Arguments in order.
    pub arguments: Vec<Argument>,
    /// Arrays in local memory.
    pub local_arrays: Vec<LocalArray>,
    /// What it does.
    pub body: Vec<Statement>,
}

impl Kernel {
    /// Bytes of local memory a work-group needs.
    pub fn local_bytes(&self) -> i64 {
        self.local_arrays.iter().map(LocalArray::bytes).sum()
    }

    /// Calls `visit` with all its statements, in order.
    pub fn visit<'a>(&'a self, visit: &mut dyn FnMut(&'a Statement)) {
        self.body.iter().for_each(|statement| statement.visit(visit));
    }

    /// Whether one of its statements is such.
    pub fn has(&self, is_such: fn(&Statement) -> bool) -> bool {
        let mut found = false;
        self.visit(&mut |statement| found |= is_such(statement));
        found
    }

    /// Whether it has barriers inside loops or branches. PoCL 3.1 makes loops over the work-items between barriers out of
    /// what LLVM leaves: once jumps are threaded or the same ends of two branches are merged, a condition behind the last
    /// barrier of a branch may be decided for all work-items by the first. Kernels without are safe, and so is code that
    /// nothing has optimised before.
    pub fn has_nested_barriers(&self) -> bool {
        let waits = |statement: &Statement| {
            matches!(statement, Statement::Barrier | Statement::NeighbourBarrier(_) | Statement::Shuffles { .. })
        };
        let mut found = false;
        let inner = self.body.iter().flat_map(Statement::inner);
        inner.for_each(|inner| inner.visit(&mut |statement| found |= waits(statement)));
        found
    }

    /// Whether its work-items know their sub-group.
    pub fn has_sub_groups(&self) -> bool {
        self.has(|statement| matches!(statement, Statement::SubGroup { .. }))
    }

    /// Names that the kernel declares, but for those of scalars, which are the program's.
    pub fn declared(&self) -> Vec<&str> {
        let is_own = |argument: &&Argument| !matches!(argument.kind, ArgumentKind::Scalar { .. });
        let mut names: Vec<&str> =
            self.arguments.iter().filter(is_own).map(|argument| argument.name.as_str()).collect();
        names.extend(self.local_arrays.iter().map(|array| array.name.as_str()));
        self.visit(&mut |statement| match statement {
            Statement::Int { name, .. }
            | Statement::Long { name, .. }
            | Statement::Bool { name, .. }
            | Statement::Position { name, .. }
            | Statement::Buffer { name, .. }
            | Statement::Mask { name, .. }
            | Statement::MaskIf { name, .. } => names.push(name),
            Statement::Loop { variable, .. } | Statement::Unrolled { variable, .. } => names.push(variable),
            Statement::SubGroup { lane, member } => names.extend(iter::once(lane).chain(member).map(String::as_str)),
            Statement::Registers { names: registers, .. } => names.extend(registers.iter().map(String::as_str)),
            _ => {}
        });
        names
    }
}

/// A kernel argument: its name and where the host takes its value from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Argument {
    /// Name in the kernel.
    pub name: String,
    /// Meaning.
    pub kind: ArgumentKind,
}

/// What a kernel argument is; see the host runtime's `stencil_arg_kind`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum ArgumentKind {
    /// A relative slot of a field before the launch.
    Input { field: usize, slot: usize },
    /// A relative slot of a field after the launch.
    Output { field: usize, slot: usize },
    /// A slot that is read and written in place.
    InPlace { field: usize, slot: usize },
    /// Index of cell (0, ..., 0) in the buffers of a layout.
    Origin { layout: usize },
    /// Stride of a dimension in the buffers of a layout.
    Stride { layout: usize, dimension: usize },
    /// Lower bound of a sweep's domain.
    DomainLo { sweep: usize, dimension: usize },
    /// Upper bound of a sweep's domain, inclusive.
    DomainHi { sweep: usize, dimension: usize },
    /// First cell of the tiled box.
    TileLo { dimension: usize },
    /// Last cell of the tiled box.
    TileHi { dimension: usize },
    /// Cells of the core along the outermost dimension.
    Chunk,
    /// Tiles along the outermost dimension that have their whole extent.
    WholeParts,
    /// Cells at each end of the outermost dimension that are tiles of their own.
    StreamEnd,
    /// A scalar parameter of the nest.
    Scalar { param: Handle<Param> },
    /// The value of an array element that all cells read and no sweep writes; see [`Subject::add_read`].
    Element { read: Handle<Access> },
    /// Steps complete before the launch.
    Step,
    /// Levels of the text, which is that of so many, that the launch leaves out.
    Skipped { levels: usize },
    /// Whether the launch is to leave results, 0 or 1.
    Results,
}

impl ArgumentKind {
    /// What is read of a slot, in place or not.
    pub fn source(field: usize, slot: usize, is_in_place: bool) -> Self {
        if is_in_place { Self::InPlace { field, slot } } else { Self::Input { field, slot } }
    }

    /// What is written of a slot, in place or not.
    pub fn result(field: usize, slot: usize, is_in_place: bool) -> Self {
        if is_in_place { Self::InPlace { field, slot } } else { Self::Output { field, slot } }
    }
}

/// An array in local memory with one element a cell of a box around the tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalArray {
    /// Its name.
    pub name: String,
    /// Type of the elements.
    pub element: ScalarType,
    /// First cell relative to the tile's origin, outermost first.
    pub lo: Vec<i64>,
    /// Number of cells, outermost first.
    pub extents: Vec<i64>,
}

impl LocalArray {
    /// Size in bytes.
    pub fn bytes(&self) -> i64 {
        self.extents.iter().product::<i64>() * self.element.size() as i64
    }
}

/// A storage place of one cell.
#[derive(Clone, Debug)]
pub enum Place {
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
    /// An element of a local array: index into [`Kernel::local_arrays`], cell.
    Local {
        /// The array.
        array: usize,
        /// The cell, outermost first.
        cell: Vec<Index>,
    },
    /// A variable of the work-item.
    Register(String),
    /// An element of a local array: index into [`Kernel::local_arrays`], position.
    Element {
        /// The array.
        array: usize,
        /// The position.
        at: Index,
    },
}

impl Place {
    /// The buffer argument, if it is in a buffer.
    pub fn buffer(&self) -> Option<&str> {
        match self {
            Self::Global { buffer, .. } => Some(buffer),
            _ => None,
        }
    }
}

/// A value that moves from one work-item to another one of its sub-group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shuffle {
    /// The variable that takes it.
    pub to: String,
    /// The variable of the other work-item.
    pub from: String,
    /// Number of the other work-item less the own one.
    pub lanes: i64,
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
        /// The masks, at least one; `~` before a name stands for the bits that a mask lacks.
        masks: Vec<String>,
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
        from: Place,
    },
    /// Brings the cell and its neighbours near the processor, if the device can.
    Prefetch(Place),
    /// Stores consecutive cells, the first of which is aligned to the size of all.
    StoreVector {
        /// Their type.
        element: ScalarType,
        /// The first one in global memory.
        to: Place,
        /// Registers that hold them.
        from: Vec<String>,
        /// Whether caches should rather keep anything else.
        leaves_first: bool,
    },
    /// Copies one cell.
    Copy {
        /// Destination.
        to: Place,
        /// Source.
        from: Place,
    },
    /// Copies one cell if a mask has one of some bits, without a jump where the compiler can.
    Select {
        /// Destination, which keeps its value otherwise.
        to: Place,
        /// The mask.
        mask: String,
        /// The bits.
        bits: u32,
        /// Source, which is read in any case.
        from: Place,
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
    fn inner(&self) -> impl Iterator<Item = &Self> {
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
    pub reads: BTreeMap<Handle<Access>, Place>,
    /// Reads of arrays that no sweep writes whose subscripts are not constant offsets: argument name and layout.
    pub general: BTreeMap<Handle<Access>, (String, usize)>,
    /// Values of loop variables as C expressions of cell coordinates and parameters.
    pub loops: BTreeMap<Handle<crate::ir::Loop>, String>,
    /// Number of steps complete before this one, if the value needs it.
    pub step: Option<String>,
    /// Destinations, each under a condition.
    pub stores: Vec<(Place, Option<Condition>)>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Arena, ParamValue};
    use crate::source::Span;

    #[test]
    fn a_kernel_declares_what_its_text_names() {
        let zero = || Index::Const(0);
        let holds = || Condition::Less(zero(), zero());
        let name = |text: &str| text.to_owned();
        let inner = vec![
            Statement::Long { name: name("b"), value: zero() },
            Statement::Bool { name: name("c"), value: holds() },
            Statement::Position { name: name("d"), layout: 0, base: name("x"), cell: vec![] },
            Statement::Mask { name: name("e"), bits: vec![] },
            Statement::MaskIf { name: name("f"), condition: holds(), masks: vec![name("e")], otherwise: 0 },
            Statement::Unrolled { variable: name("g"), count: 1, body: vec![] },
            Statement::SubGroup { lane: name("h"), member: Some(name("i")) },
            Statement::Registers { element: ScalarType::F32, names: vec![name("j"), name("k")] },
            Statement::Buffer { name: name("o"), element: ScalarType::F32, number: zero(), buffers: vec![] },
            Statement::Barrier,
        ];
        let body = vec![
            Statement::Int { name: name("a"), value: zero() },
            Statement::Loop { variable: name("l"), first: zero(), last: zero(), step: 1, body: inner },
        ];
        let mut params = Arena::default();
        let param = Param { name: name("s"), ty: ScalarType::I32, value: ParamValue::Variable };
        let param = params.push(param, Span::default());
        let scalar = Argument { name: name("s"), kind: ArgumentKind::Scalar { param } };
        let step = Argument { name: name("m"), kind: ArgumentKind::Step };
        let array = LocalArray { name: name("n"), element: ScalarType::F32, lo: vec![0], extents: vec![1] };
        let none = || Region { lo: vec![], hi: vec![] };
        let kernel = Kernel {
            name: name("kernel"),
            levels: 0,
            leaves: Leaves::Results,
            sweep: 0,
            rank: 1,
            work_group: [1; 3],
            tile: vec![],
            least_chunk: 0,
            end_of_stream: 0,
            halves_last: false,
            reach: none(),
            is_cut: vec![],
            rim: none(),
            arguments: vec![scalar, step],
            local_arrays: vec![array],
            body,
        };
        let mut declared = kernel.declared();
        declared.sort_unstable();
        assert_eq!(declared.concat(), "abcdefghijklmno");
    }
}
