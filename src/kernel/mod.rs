//! The target-neutral kernel tree: loops over cells, sweeps of one cell, copies, barriers.
//!
//! `direct.rs`, `local.rs`, `rows/` and `stream/` build kernels from recurrences, one a strategy; the back end prints them.
//! What the last two do in each step, and in which order, is said once, in `emitter.rs`.

mod argument;
mod statement;
mod early;
mod inputs;
mod cells;
mod emitter;
mod windows;
mod registers;
mod direct;
mod local;
mod rows;
mod stream;
mod strategies;
mod plans;

use std::iter;

pub use crate::index::{Condition, Index};
pub use argument::{Argument, ArgumentKind};
pub use inputs::{Subject, origin};
pub use plans::PlanKernels;
pub use registers::Shuffle;
pub use statement::{Bits, Compute, Held, Location, Signs, Statement};

use crate::ir::ScalarType;
use crate::tile::{CellBox, Leaves, Tile};

/// A function that runs on the device.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// What a launch does.
    pub role: Role,
    /// Rank of the cells.
    pub rank: usize,
    /// Work-group shape, fastest dimension first.
    pub work_group: [u32; 3],
    /// Cells that a tile may load, whether it uses them or not: `lo` relative to the first cell of its core, `hi` to the last;
    /// a work-item's own cell of a sweep.
    pub reach: CellBox,
    /// Arguments in order.
    pub arguments: Vec<Argument>,
    /// Arrays in local memory.
    pub local_arrays: Vec<LocalArray>,
    /// What it does.
    pub body: Vec<Statement>,
}

/// What a launch of a kernel does.
#[derive(Clone, Debug)]
pub enum Role {
    /// One sweep of one step.
    Sweep(usize),
    /// Several steps, tile by tile.
    Tiles(Tiles),
}

/// Tiles that a launch advances.
#[derive(Clone, Debug)]
pub struct Tiles {
    /// Time steps.
    pub levels: usize,
    /// Which values are stored.
    pub leaves: Leaves,
    /// Core of a tile in cells, outermost first.
    pub core: Vec<i64>,
    /// For each dimension whether cores end with the tiled box; where they do not, the last ones count as whole.
    pub is_cut: Vec<bool>,
    /// Cells that the first tile owns before its core, not positive, and the last one behind it. There is nothing to compute
    /// beyond the faces of the tiled box, and tiles there need no ghost zone.
    pub rim: CellBox,
    /// How the outermost dimension is divided.
    pub division: Division,
}

/// How the host divides the outermost dimension into tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Division {
    /// By the extent of the core.
    Core,
    /// Into shorter tiles of at least so many cells if there are too few otherwise. Such a kernel takes the extent that they
    /// have as [`ArgumentKind::Chunk`].
    Shortened {
        /// The cells.
        least: i64,
    },
    /// With tiles of their own at both ends, if all sweeps' domains end with the tiled box. Such a kernel takes the number of
    /// their cells as [`ArgumentKind::StreamEnd`], and that of tiles between them that have their whole extent as
    /// [`ArgumentKind::WholeParts`].
    Ends {
        /// Cells at each end.
        cells: i64,
        /// Whether both halves of the last tile between those are tiles of their own, if it is not the only one.
        halves_last: bool,
    },
}

impl Tiles {
    /// Those of a tile, if cores are whole everywhere.
    fn of(tile: &Tile) -> Self {
        let rank = tile.core.len();
        Self {
            levels: tile.levels,
            leaves: tile.leaves,
            core: tile.core.clone(),
            is_cut: vec![false; rank],
            rim: CellBox::cell(rank),
            division: Division::Core,
        }
    }
}

impl Kernel {
    /// The tiles that it advances, if it does not perform one sweep.
    pub fn tiles(&self) -> Option<&Tiles> {
        match &self.role {
            Role::Sweep(_) => None,
            Role::Tiles(tiles) => Some(tiles),
        }
    }

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
            | Statement::Way { name, .. }
            | Statement::Position { name, .. }
            | Statement::Buffer { name, .. }
            | Statement::Mask { name, .. }
            | Statement::MaskIf { name, .. } => names.push(name),
            Statement::Loop { variable, .. } | Statement::Unrolled { variable, .. } => names.push(variable),
            Statement::SubGroup { lane, member } => names.extend(iter::once(lane).chain(member).map(String::as_str)),
            Statement::Registers { names: registers, .. } => names.extend(registers.iter().map(String::as_str)),
            Statement::Hold(levels) => names.extend(levels.iter().flat_map(|held| [held.name.as_str(), &held.sum])),
            _ => {}
        });
        names
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Arena, HostValues, Param, ParamValue, Variable};
    use crate::source::{FileId, Span};

    #[test]
    fn a_kernel_declares_what_its_text_names() {
        let zero = || Index::Const(0);
        let holds = || Condition::less(zero(), zero());
        let name = |text: &str| text.to_owned();
        let inner = vec![
            Statement::Long { name: name("b"), value: zero() },
            Statement::Bool { name: name("c"), value: holds() },
            Statement::Position { name: name("d"), layout: 0, base: name("x"), cell: vec![] },
            Statement::Mask { name: name("e"), bits: vec![] },
            Statement::MaskIf { name: name("f"), condition: holds(), masks: vec![Bits::Mask(name("e"))], otherwise: 0 },
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
        let variable = Variable { file: FileId::default(), declared_at: 0, name: name("s") };
        let value = ParamValue::Variable(HostValues::default().variable(variable));
        let param = params.push(Param { ty: ScalarType::I32, value }, Span::default());
        let scalar = Argument { name: name("s"), kind: ArgumentKind::Scalar { param } };
        let step = Argument { name: name("m"), kind: ArgumentKind::Step };
        let array = LocalArray { name: name("n"), element: ScalarType::F32, lo: vec![0], extents: vec![1] };
        let kernel = Kernel {
            name: name("kernel"),
            role: Role::Sweep(0),
            rank: 1,
            work_group: [1; 3],
            reach: CellBox::cell(1),
            arguments: vec![scalar, step],
            local_arrays: vec![array],
            body,
        };
        let mut declared = kernel.declared();
        declared.sort_unstable();
        assert_eq!(declared.concat(), "abcdefghijklmno");
    }
}
