//! Both ends of a row in one tile, and those of a plane.
//!
//! Tiles at the ends of rows take longer than others, with all their sub-groups, and in three dimensions they are many: two of
//! seven for rows of 384 cells. So one tile, the first, takes what the others leave at the last end and, behind
//! a seam, what they leave at the first one. With cores of 56 columns and a domain of 160:
//!
//! ```text
//! tiles of a row        halo | 1 .. 8 first | 9 .. 64 second | 65 .. 120 third | 121 .. 160 first | halo
//! lanes of the first    ghosts | 121 .. 160 | halo, seam, halo | 1 .. 8 | ghosts
//! ```
//!
//! The halos on both sides of the seam keep the cells of a domain from reading across it. In a plane the rows of sub-groups
//! take the place of the columns of lanes. Only the sizes of the arrays tell whether the first tile can hold what the
//! others leave; if it cannot, the first and the last tile have an end each.

use super::Builder;
use super::origin::{int, is_first_place, is_last_place, name};
use super::seam::Seam;
use crate::index::{Condition, Index};
use crate::kernel::Statement;
use crate::kernel::cells::tile_hi;
use crate::tile::LANES;

/// Cores of all tiles but the first begin a multiple of so many columns later, which keeps their alignment.
const ALIGNED_COLUMNS: i64 = 8;

impl Seam {
    /// Within rows. A unit are the columns of a work-item, and those that one prefetches.
    pub(super) fn of_columns(builder: &Builder<'_>) -> Option<Self> {
        let columns = builder.shape.columns;
        let [least, most] = builder.reads_along(2)?;
        let (all, before, unit) = (LANES * columns, builder.before, builder.columns_of_line());
        let (halo_before, halo_behind) = (whole(-least, columns), most);
        let least_shift = whole(whole(before, ALIGNED_COLUMNS), columns);
        let ghosts_behind = all - before - builder.stream.tile.core[2];
        let before_seam = (all - halo_before - least_shift - ghosts_behind) / unit * unit;
        let holds = least_shift + before_seam - before - halo_behind;
        Self { dimension: 2, all, before, unit, halo_before, halo_behind, least_shift, is_padded: true, holds }
            .checked()
    }

    /// Within planes. A unit are the rows of a sub-group.
    pub(super) fn of_rows(builder: &Builder<'_>) -> Option<Self> {
        let [least, most] = builder.reads_along(1)?;
        let (unit, before) = (builder.shape.rows, -builder.stream.tile.region().lo[1]);
        let (all, halo_before, halo_behind) = (builder.shape.sub_groups * unit, -least, most);
        let holds = builder.stream.tile.core[1] - halo_before - halo_behind;
        let least_shift = before;
        Self { dimension: 1, all, before, unit, halo_before, halo_behind, least_shift, is_padded: false, holds }
            .checked()
    }

    /// `None` where no cell before the own ones is read, or tiles are too narrow.
    fn checked(self) -> Option<Self> {
        (0 < self.least_shift && self.least_shift < self.holds).then_some(self)
    }

    /// Whether a cell of a tile lies before the seam.
    fn is_before(&self, across: Index) -> Condition {
        Condition::less(across, name(format!("seam{}", self.dimension)))
    }

    /// The cell of the grid at a cell of a tile.
    fn place(&self, across: &Index) -> Index {
        let of_dimension = |what: &str| name(format!("{what}{}", self.dimension));
        let before = of_dimension("o").sum(across.clone()).plus(-self.before);
        let behind = of_dimension("begin").sum(across.clone()).minus(of_dimension("seam")).plus(-self.halo_before);
        self.is_before(across.clone()).select(before, behind)
    }
}

impl Builder<'_> {
    /// The seam of a dimension.
    pub(super) fn seam(&self, d: usize) -> Option<Seam> {
        self.seams.iter().find(|seam| seam.dimension == d).copied()
    }

    /// The smallest and the largest offset of reads of what sweeps write; none where tiles have two ends at most.
    fn reads_along(&self, d: usize) -> Option<[i64; 2]> {
        let storage = &self.subject.recurrences().storage;
        let reads = storage.reads.values().filter(|read| storage.fields[read.field].is_written);
        let offsets = reads.filter_map(|read| Some(read.offset.as_ref()?[d]));
        (self.rank() == 3).then(|| offsets.fold([0, 0], |[least, most], offset| [offset.min(least), offset.max(most)]))
    }

    /// `joined1` or `joined2`: whether the first tile can hold both ends, and where then its parts lie.
    pub(super) fn joined(&mut self, seam: Seam) -> Vec<Statement> {
        let Seam { dimension: d, before, unit, halo_behind, least_shift, is_padded, holds, .. } = seam;
        let (core, rim) = (self.stream.tile.core[d], self.rim.lo[d]);
        tile_hi(d, &mut self.arguments);
        let of_dimension = |what: &str| name(format!("{what}{d}"));
        let (begin, tiles, left_over) =
            (|| of_dimension("begin"), || of_dimension("tiles"), || of_dimension("left_over"));
        let padding = if is_padded { unit - 1 } else { 0 };
        let before_seam = left_over().plus(before + halo_behind - least_shift + padding);
        let before_seam = before_seam.divided_by(Index::Const(unit)).times(unit);
        let shift = match is_padded {
            true => Index::Const(least_shift),
            false => left_over().plus(before + halo_behind).minus(of_dimension("before_seam")),
        };
        let fits = Condition::All(vec![
            Condition::less(Index::Const(1), tiles()),
            Condition::less_equal(left_over(), Index::Const(holds)),
            Condition::less(of_dimension("shift"), left_over()),
        ]);
        let cells = of_dimension("tile_hi").minus(begin()).plus(1);
        vec![
            int(format!("begin{d}"), of_dimension("tile_lo").plus(rim)),
            int(format!("left_over{d}"), cells.minus(tiles().plus(-1).times(core))),
            int(format!("before_seam{d}"), before_seam),
            int(format!("shift{d}"), shift),
            Statement::Bool { name: format!("joined{d}"), value: fits },
        ]
    }

    /// `o1` or `o2`, the first cell of a tile's core, and `seam1` or `seam2`, how many cells of a tile lie before its seam.
    pub(super) fn joined_origin(&self, Seam { dimension: d, all, .. }: Seam) -> [Statement; 2] {
        let (core, of_dimension) = (self.stream.tile.core[d], |what: &str| name(format!("{what}{d}")));
        let (place, tiles) = (|| of_dimension("place"), || of_dimension("tiles"));
        let turned = is_first_place(d).select(tiles().plus(-1), place().plus(-1)).times(core);
        let turned = of_dimension("begin").sum(turned).sum(of_dimension("shift"));
        let in_turn = of_dimension("tile_lo").sum(place().times(core));
        let has_seam = Condition::All(vec![is_joined(d), is_first_place(d)]);
        [
            int(format!("o{d}"), is_joined(d).select(turned, in_turn)),
            int(format!("seam{d}"), has_seam.select(of_dimension("before_seam"), Index::Const(all))),
        ]
    }

    /// Between `first1` and `last1`, or `first2` and `last2`, what the tile owns on the work-item's side of the seam, and where
    /// the cells of the work-item, and those that it prefetches, begin.
    pub(super) fn joined_cells(&self, seam: Seam) -> Vec<Statement> {
        let d = seam.dimension;
        let of_dimension = |what: &str| name(format!("{what}{d}"));
        let is_apart = |place| Condition::All(vec![Condition::Not(Box::new(is_joined(d))), place]);
        let [first, last] = self.owned(d, is_apart(is_first_place(d)), is_apart(is_last_place(d)));
        let last_behind = of_dimension("begin").sum(of_dimension("shift")).plus(-1);
        let own = |before: Index, behind: Index| seam.is_before(of_dimension("across")).select(before, behind);
        let across = if d == 2 { name("lane").times(self.shape.columns) } else { self.member().times(self.shape.rows) };
        let mut body = vec![
            int(format!("across{d}"), across),
            int(format!("first{d}"), own(first, of_dimension("begin"))),
            int(format!("last{d}"), own(last, last_behind)),
            int(format!("block_begin{d}"), seam.place(&of_dimension("across"))),
        ];
        if d == 2 {
            body.push(int("line_across2", self.across_line()));
            body.push(int("line_begin2", seam.place(&name("line_across2"))));
        }
        body
    }
}

/// Whether the first tile of a dimension has both of its ends.
fn is_joined(d: usize) -> Condition {
    Condition::Named(format!("joined{d}"))
}

fn whole(cells: i64, unit: i64) -> i64 {
    (cells + unit - 1) / unit * unit
}
