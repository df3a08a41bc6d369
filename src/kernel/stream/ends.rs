//! Both ends of a row in one tile.
//!
//! Tiles at the ends of rows take longer than others, with all their sub-groups, and in three dimensions they are many: two
//! of seven for rows of 384 cells. So one tile, the first, takes what the others leave of a row at its last end and, behind
//! a seam, what they leave at its first one. With cores of 56 columns and a domain of 160:
//!
//! ```text
//! tiles of a row        halo | 1 .. 8 first | 9 .. 64 second | 65 .. 120 third | 121 .. 160 first | halo
//! lanes of the first    ghosts | 121 .. 160 | halo, seam, halo | 1 .. 8 | ghosts
//! ```
//!
//! The halos on both sides of the seam keep the cells of a domain from reading across it.

use super::Builder;
use crate::kernel::{ArgumentKind, Condition, Index, Statement};
use crate::tile::LANES;

/// The other tiles begin a multiple of so many columns later, which keeps the alignment of their cores.
const SHIFT_UNIT: i64 = 8;

/// How the first tile of a row holds both of its ends.
#[derive(Clone, Copy)]
pub(super) struct RowEnds {
    /// Columns of its core behind the seam: no less than the second tile's ghost zone has, so that it may be a full one.
    shift: i64,
    /// Columns of the halo that it holds before these, in whole work-items.
    halo_before: i64,
    /// Columns of the halo before the seam.
    halo_behind: i64,
    /// Neighbouring columns that no seam divides: those of a work-item, and those that one prefetches.
    unit: i64,
    /// Columns of the domain for which it has room.
    room: i64,
}

impl RowEnds {
    /// `None` where few tiles are at the ends of rows, where none reads cells before its own, or tiles are too narrow.
    pub(super) fn new(builder: &Builder<'_>) -> Option<Self> {
        if builder.rank() < 3 {
            return None;
        }
        let whole = |cells: i64, unit: i64| (cells + unit - 1) / unit * unit;
        let storage = &builder.subject.recurrences.storage;
        let reads = storage.reads.values().filter(|read| storage.fields[read.field].is_written);
        let offsets = reads.filter_map(|read| read.offset.as_ref()?.last().copied());
        let (least, most) = offsets.fold((0, 0), |(least, most), offset| (offset.min(least), offset.max(most)));
        let (columns, unit) = (builder.shape.columns, builder.columns_of_line());
        let (halo_before, halo_behind) = (whole(-least, columns), most);
        let shift = whole(whole(builder.before, SHIFT_UNIT), columns);
        let ghosts_behind = builder.all_columns() - builder.before - builder.strip;
        let before_seam = (builder.all_columns() - halo_before - shift - ghosts_behind) / unit * unit;
        let room = shift + before_seam - builder.before - halo_behind;
        (0 < shift && shift < room).then_some(Self { shift, halo_before, halo_behind, unit, room })
    }
}

impl Builder<'_> {
    /// Columns of a sub-group.
    fn all_columns(&self) -> i64 {
        LANES * self.shape.columns
    }

    /// `o2`, the first column of a tile's core, and `seam`, how many columns its sub-groups hold before the seam.
    ///
    /// Only the sizes of the arrays tell whether the first tile has room for what the others leave.
    pub(super) fn joined_origin(&mut self, ends: RowEnds) -> Vec<Statement> {
        self.arguments.add("tile_hi2", ArgumentKind::TileHi { dimension: 2 });
        let (strip, all, RowEnds { shift, halo_behind, unit, room, .. }) = (self.strip, self.all_columns(), ends);
        let fits = vec![
            Condition::Less(Index::Const(shift), Index::name("left_over")),
            Condition::LessEqual(Index::name("left_over"), Index::Const(room)),
            Condition::Less(Index::Const(1), Index::name("tiles2")),
        ];
        let before_seam = Index::name("left_over").plus(self.before - shift + halo_behind + unit - 1);
        let before_seam = before_seam.divided_by(Index::Const(unit)).times(unit);
        vec![
            text("left_over", format!("tile_hi2 - tile_lo2 + 1 - (tiles2 - 1) * {strip}")),
            Statement::Bool { name: "joined", value: Condition::All(fits) },
            text("turn", "joined ? (place2 == 0 ? tiles2 : place2) - 1 : place2"),
            text("o2", format!("tile_lo2 + turn * {strip} + (joined ? {shift} : 0)")),
            int("before_seam", before_seam),
            text("seam", format!("joined && place2 == 0 ? before_seam : {all}")),
        ]
    }

    /// `column`, where the work-item's block begins, `line_column`, where what it prefetches does, and between `first2` and
    /// `last2` the columns of the tile's core on the same side of the seam.
    pub(super) fn joined_columns(&self, ends: RowEnds) -> Vec<Statement> {
        let (before, RowEnds { shift, halo_before, .. }) = (self.before, ends);
        let column = |across: &str| {
            format!("{across} < seam ? o2 + {across} - {before} : tile_lo2 + {across} - seam - {halo_before}")
        };
        vec![
            int("across", Index::name("lane").times(self.shape.columns)),
            text("column", column("across")),
            text("first2", "across < seam ? o2 : tile_lo2"),
            text("last2", format!("across < seam ? o2 + {} : tile_lo2 + {}", self.strip - 1, shift - 1)),
            int("line_across", self.across_line()),
            text("line_column", column("line_across")),
        ]
    }
}

fn int(name: &str, value: Index) -> Statement {
    Statement::Int { name: name.into(), value }
}

fn text(name: &str, value: impl Into<String>) -> Statement {
    int(name, Index::name(value))
}
