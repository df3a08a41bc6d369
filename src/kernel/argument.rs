//! Arguments of kernels.

use crate::ir::{Access, Handle, Param, ScalarType};

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
    /// The value of an array element that all cells read and no sweep writes; see [`Subject::add_read`](super::Subject::add_read).
    Element { read: Handle<Access> },
    /// Steps complete before the launch.
    Step,
    /// Levels of the text, which is that of so many, that the launch leaves out.
    Skipped { levels: usize },
    /// Whether the launch is to leave results, 0 or 1.
    Results,
    /// What the work-items make of the nest's value of this number; see [`Statement::GiveHeld`](super::Statement::GiveHeld).
    Held { value: usize, element: ScalarType },
}

impl ArgumentKind {
    /// What is read of a slot, in place or not.
    pub fn source((field, slot): (usize, usize), is_in_place: bool) -> Self {
        if is_in_place { Self::InPlace { field, slot } } else { Self::Input { field, slot } }
    }

    /// What is written of a slot, in place or not.
    pub fn result((field, slot): (usize, usize), is_in_place: bool) -> Self {
        if is_in_place { Self::InPlace { field, slot } } else { Self::Output { field, slot } }
    }
}
