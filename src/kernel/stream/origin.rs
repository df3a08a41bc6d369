//! Which tile a work-group has, and where it is.

use super::Builder;
use crate::kernel::{ArgumentKind, Index, Statement};

/// Schedulers of a multiprocessor of NVIDIA's.
const SCHEDULERS: i64 = 4;

impl Builder<'_> {
    /// `o0`, `o1`, ...: the first cell of the core; where the work-item's block begins.
    pub(super) fn tile_origin(&mut self) -> Vec<Statement> {
        let rank = self.rank();
        let count = |d: usize| text(format!("tiles{d}"), format!("(int)get_num_groups({})", rank - 1 - d));
        let mut body: Vec<Statement> = (0..rank).map(count).collect();
        for d in 0..rank {
            self.arguments.add(&tile_lo(d), ArgumentKind::TileLo { dimension: d });
            if let Some(seam) = self.seam(d) {
                body.extend(self.joined(seam));
            }
        }
        if self.first_in_row() > 0 {
            body.push(text("inner0", "max(tiles0 - 2, 0)"));
        }
        body.extend(match rank {
            1 => vec![text("order0", "(int)get_group_id(0)")],
            2 => orders_of_strips(),
            _ => self.orders_of_planes(),
        });
        for d in 0..rank {
            body.push(place(d, rank));
            body.extend(match self.seam(d) {
                Some(seam) => self.joined_origin(seam).into(),
                None if d < self.first_in_row() => self.part().into(),
                None => vec![self.core_origin(d)],
            });
        }
        let has_rim_alone = |d: &usize| self.has_rim(*d) && self.seam(*d).is_none();
        body.extend((0..rank).filter(has_rim_alone).flat_map(|d| self.rim_bounds(d)));
        let swapped = self.swapped_member();
        let number = if swapped.is_some() { "number" } else { "member" };
        let member = (self.shape.sub_groups > 1).then(|| number.to_owned());
        body.push(Statement::SubGroup { lane: "lane".to_owned(), member });
        body.extend(swapped);
        if rank == 3 {
            let last = self.shape.sub_groups - 1;
            body.push(int("above".into(), self.member().plus(-1).max(Index::Const(0))));
            body.push(int("below".into(), self.member().plus(1).min(Index::Const(last))));
            body.extend(self.seams.iter().flat_map(|seam| self.joined_cells(*seam)));
        }
        body.extend(self.fixed_positions());
        body
    }

    /// `member`, whose rows a sub-group has, if that is not its number. NVIDIA's multiprocessors deal sub-groups out to four
    /// schedulers in turn, and where some get fewer, those that reach the ends of planes, the first and the last, which have more
    /// to do and are waited for by all, should be among these: an H200 was 2 % faster with the eleven of `j3d7pt` in single
    /// precision. Sub-groups that wait for their neighbours alone were slower. In a tile with both ends of a plane these are
    /// elsewhere, and each has its own rows.
    fn swapped_member(&self) -> Option<Statement> {
        if self.rank() < 3 || self.shape.is_paired || !self.has_halos() {
            return None;
        }
        let swaps = swaps_to_least_loaded(self.shape.sub_groups);
        let both = swaps.iter().flat_map(|(one, other)| [(one, other), (other, one)]);
        let places: String = both.map(|(from, to)| format!("number == {from} ? {to} : ")).collect();
        let own = if self.seam(1).is_some() { "joined1 ? number : " } else { "" };
        (!swaps.is_empty()).then(|| text("member", format!("{own}{places}number")))
    }

    /// `order0`, `order1` and `order2` of three dimensions: part after part of the stream, and of each the tiles at the ends of
    /// rows before the others. Neighbours in a plane mostly follow each other, so that they find each other's halos in the
    /// cache.
    fn orders_of_planes(&self) -> Vec<Statement> {
        let ends = match self.seam(2) {
            Some(_) => "joined2 ? 1 : min(tiles2, 2)",
            None => "min(tiles2, 2)",
        };
        vec![
            text("ends2", ends),
            text("inner2", "tiles2 - ends2"),
            text("linear", "(int)get_group_id(0) + (int)get_group_id(1) * tiles2"),
            text("late", "linear - ends2 * tiles1"),
            text("order0", "(int)get_group_id(2)"),
            text("order1", "late < 0 ? linear / ends2 : late / inner2"),
            text("order2", "late < 0 ? linear % ends2 : ends2 + late % inner2"),
        ]
    }

    /// `o0` and `last0`: first and last cell of the core along the stream. The first and the last part are the ends.
    fn part(&mut self) -> [Statement; 3] {
        self.arguments.add("tile_hi0", ArgumentKind::TileHi { dimension: 0 });
        self.arguments.add("stream_end", ArgumentKind::StreamEnd);
        let whole = self.tile.core[0];
        let (mut first, mut extent) = (format!("part * {whole}"), whole.to_string());
        if self.halves_last() {
            self.arguments.add("whole_parts", ArgumentKind::WholeParts);
            let half = (whole + 1) / 2;
            first = format!("min(part, whole_parts) * {whole} + max(part - whole_parts, 0) * {half}");
            extent = format!("(part < whole_parts ? {whole} : {half})");
        }
        let at_end = "max(tile_hi0 + 1 - stream_end, tile_lo0 + stream_end)";
        let last = format!("min(o0 + {extent} - 1, tile_hi0 - stream_end)");
        let inner = |at_first: &str, inside: &str, at_last: &str| {
            format!("part < 0 ? {at_first} : part < inner0 ? {inside} : {at_last}")
        };
        [
            text("part", "place0 - 1"),
            text("o0", inner("tile_lo0", &format!("tile_lo0 + stream_end + {first}"), at_end)),
            text("last0", inner("min(tile_lo0 + stream_end - 1, tile_hi0)", &last, "tile_hi0")),
        ]
    }

    /// Cells at an end of the stream that are tiles of their own, so that the others reach no end: as many as any stage needs
    /// beyond the core. The host adds those by which a sweep's domain ends before the tiled box.
    pub(super) fn end_of_stream(&self) -> i64 {
        let reach = |index: usize| {
            let region = &self.tile.stages[index].region;
            (-region.lo[0]).max(region.hi[0] - (self.tile.core[0] - 1))
        };
        self.bounded_stages().into_iter().map(reach).max().unwrap_or(0).max(1)
    }

    /// Whether both halves of the last part are tiles of their own. In three dimensions few work-groups share a multiprocessor,
    /// so that launches end with many of them idle; that made 1 to 2 % on an NVIDIA H200, and nothing in two.
    pub(super) fn halves_last(&self) -> bool {
        self.rank() == 3
    }

    /// The first cell of the core in a dimension.
    fn core_origin(&self, d: usize) -> Statement {
        let before = Index::name(format!("place{d}")).times(self.tile.core[d]);
        int(format!("o{d}"), Index::name(tile_lo(d)).sum(before))
    }

    /// Whether the first or the last tile owns cells beside its core in a dimension.
    pub(super) fn has_rim(&self, d: usize) -> bool {
        (self.rim.lo[d], self.rim.hi[d]) != (0, 0)
    }

    /// The first and the last cell that a tile owns in a dimension, before a seam if it has one; the conditions say whether the
    /// cells beside its core are its own.
    pub(super) fn owned(&self, d: usize, if_first: &str, if_last: &str) -> [String; 2] {
        let beside = |condition: &str, cells: i64| match cells {
            0 => String::new(),
            _ => format!(" + ({condition} ? {cells} : 0)"),
        };
        let (last, rim) = (self.tile.core[d] - 1, &self.rim);
        [format!("o{d}{}", beside(if_first, rim.lo[d])), format!("o{d} + {last}{}", beside(if_last, rim.hi[d]))]
    }

    fn rim_bounds(&self, d: usize) -> [Statement; 2] {
        let [first, last] = self.owned(d, &format!("place{d} == 0"), &format!("place{d} == tiles{d} - 1"));
        [text(format!("first{d}"), first), text(format!("last{d}"), last)]
    }
}

/// Which of so many sub-groups change places so that the first and the last share a scheduler with as few others as may be.
fn swaps_to_least_loaded(count: i64) -> Vec<(i64, i64)> {
    let shared = |number: i64| (count - number % SCHEDULERS + SCHEDULERS - 1) / SCHEDULERS;
    let mut places: Vec<i64> = (1..count - 1).collect();
    places.sort_by_key(|number| shared(*number));
    [0, count - 1].into_iter().zip(places).filter(|(end, place)| shared(*place) < shared(*end)).collect()
}

/// `order0` and `order1` of two dimensions: the first and the last strip, then part after part of the others, then what is at
/// the ends of the stream.
fn orders_of_strips() -> Vec<Statement> {
    vec![
        text("ends1", "min(tiles1, 2)"),
        text("inner1", "tiles1 - ends1"),
        text("linear", "(int)get_group_id(0) + (int)get_group_id(1) * tiles1"),
        text("late", "linear - ends1 * inner0"),
        text("beside", "linear - tiles1 * inner0"),
        text("order0", "late < 0 ? linear / ends1 : beside < 0 ? late / inner1 : inner0 + beside / tiles1"),
        text("order1", "late < 0 ? linear % ends1 : beside < 0 ? ends1 + late % inner1 : beside % tiles1"),
    ]
}

/// `place0`, `place1`, ...: the tile's place in a dimension, from its place in the order of the work-groups' numbers, in which
/// devices start them.
///
/// Tiles at the ends of rows and planes take longer than others. Launches end sooner where these come first, so that of rows
/// and planes the last tile is the second, and where the shortest come last: those at the ends of the stream.
fn place(d: usize, rank: usize) -> Statement {
    let place = match (rank, d) {
        (1, _) | (_, 1..) => format!("order{d} == 1 ? tiles{d} - 1 : order{d} - (order{d} > 1)"),
        _ => "order0 < inner0 ? order0 + 1 : (order0 - inner0) * (tiles0 - 1)".to_owned(),
    };
    text(format!("place{d}"), place)
}

fn tile_lo(d: usize) -> String {
    format!("tile_lo{d}")
}

pub(super) fn int(name: String, value: Index) -> Statement {
    Statement::Int { name, value }
}

pub(super) fn text(name: impl Into<String>, value: impl Into<String>) -> Statement {
    int(name.into(), Index::name(value.into()))
}

#[cfg(test)]
mod tests {
    use super::swaps_to_least_loaded;

    #[test]
    fn ends_of_planes_go_where_fewest_sub_groups_are() {
        assert_eq!(swaps_to_least_loaded(11), [(0, 3), (10, 7)]);
        assert_eq!(swaps_to_least_loaded(9), [(0, 1), (8, 2)]);
        assert_eq!(swaps_to_least_loaded(6), [(0, 2), (5, 3)]);
        // One place alone has fewer beside it.
        assert_eq!(swaps_to_least_loaded(7), [(0, 3)]);
        for alike in [1, 2, 4, 8, 12, 16] {
            assert!(swaps_to_least_loaded(alike).is_empty(), "{alike}");
        }
    }
}
