//! A text of a kernel: what a tile does that reaches certain ends.

use crate::tile::{StreamShape, StreamTile};

/// A text for some ends of tiles that stream: what its boundaries are decided from.
pub(super) struct Text<'a> {
    pub ends: Ends,
    pub stream: StreamTile<'a>,
    pub shape: &'a StreamShape,
}

/// The ends of a tile that a text tests for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ends {
    /// None: all cells are inside all domains.
    None,
    /// Those of rows: whole columns are outside.
    Rows,
    /// Those of planes: whole rows are outside.
    Planes,
    /// Both.
    RowsAndPlanes,
    /// These and those of the stream, of which there are few.
    All,
}

/// What a mask of a halo has a bit for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Places {
    /// Each cell of the block.
    #[default]
    Cells,
    /// Each row of it.
    Rows,
    /// Each column of it.
    Columns,
}

impl Text<'_> {
    /// In which lines of a block halos lie: where no end of the stream is tested for, all planes are alike.
    pub fn lines(&self) -> &'static [Places] {
        match self.ends {
            Ends::Rows if self.stream.tile.core.len() == 3 => &[Places::Columns],
            Ends::Planes => &[Places::Rows],
            Ends::RowsAndPlanes => &[Places::Rows, Places::Columns],
            Ends::None | Ends::Rows | Ends::All => &[],
        }
    }
}
