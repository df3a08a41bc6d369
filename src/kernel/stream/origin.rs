//! Which tile a work-group has, and where it is.

use super::Builder;
use crate::index::{Condition, Index, Operator, Relation, WorkItem};
use crate::kernel::cells::{tile_hi, tile_lo};
use crate::kernel::{ArgumentKind, Statement};
use crate::tile::Stage;

/// Schedulers of a multiprocessor of NVIDIA's.
const SCHEDULERS: i64 = 4;

impl Builder<'_> {
    /// `o0`, `o1`, ...: the first cell of the core; where the work-item's block begins.
    pub(super) fn tile_origin(&mut self) -> Vec<Statement> {
        let rank = self.rank();
        let count = |d: usize| int(format!("tiles{d}"), Index::WorkItem(WorkItem::Groups, rank - 1 - d));
        let mut body: Vec<Statement> = (0..rank).map(count).collect();
        for d in 0..rank {
            tile_lo(d, &mut self.arguments);
            if let Some(seam) = self.seam(d) {
                body.extend(self.joined(seam));
            }
        }
        if self.first_in_row() > 0 {
            body.push(int("inner0", name("tiles0").plus(-2).max(Index::Const(0))));
        }
        body.extend(match rank {
            1 => vec![int("order0", group(0))],
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
            body.push(int("above", self.member().plus(-1).max(Index::Const(0))));
            body.push(int("below", self.member().plus(1).min(Index::Const(last))));
            body.extend(self.seams.iter().flat_map(|seam| self.joined_cells(*seam)));
        }
        body.extend(self.fixed_positions());
        body
    }

    /// `member`, whose rows a sub-group has, if that is not its number. NVIDIA's multiprocessors deal sub-groups out to four
    /// schedulers in turn, and where some get fewer, those that reach the ends of planes, the first and the last, which have more
    /// to do and are waited for by all, should be among these, unless sub-groups wait for their neighbours alone. In a tile with
    /// both ends of a plane these are elsewhere, and each has its own rows.
    fn swapped_member(&self) -> Option<Statement> {
        if self.rank() < 3 || self.shape.is_paired || !self.has_halos() {
            return None;
        }
        let swaps = swaps_to_least_loaded(self.shape.sub_groups);
        let both = swaps.iter().flat_map(|(one, other)| [(*one, *other), (*other, *one)]);
        let mut place = name("number");
        for (from, to) in both.rev() {
            place = Condition::equal(name("number"), Index::Const(from)).select(Index::Const(to), place);
        }
        if self.seam(1).is_some() {
            place = Condition::Named("joined1".into()).select(name("number"), place);
        }
        (!swaps.is_empty()).then(|| int("member", place))
    }

    /// `order0`, `order1` and `order2` of three dimensions: part after part of the stream, and of each the tiles at the ends of
    /// rows before the others. Neighbours in a plane mostly follow each other, so that they find each other's halos in the
    /// cache.
    fn orders_of_planes(&self) -> Vec<Statement> {
        let mut ends = name("tiles2").min(Index::Const(2));
        if self.seam(2).is_some() {
            ends = Condition::Named("joined2".into()).select(Index::Const(1), ends);
        }
        let is_end = || is_negative("late");
        let (of_ends, of_others) = (|| name("linear"), || name("late"));
        let (ends2, inner2) = (|| name("ends2"), || name("inner2"));
        vec![
            int("ends2", ends),
            int("inner2", name("tiles2").minus(ends2())),
            linear("tiles2"),
            int("late", name("linear").minus(ends2().multiplied_by(name("tiles1")))),
            int("order0", group(2)),
            int("order1", is_end().select(of_ends().divided_by(ends2()), of_others().divided_by(inner2()))),
            int("order2", is_end().select(of_ends().modulo(ends2()), ends2().sum(of_others().modulo(inner2())))),
        ]
    }

    /// `o0` and `last0`: first and last cell of the core along the stream. The first and the last part are the ends.
    fn part(&mut self) -> [Statement; 3] {
        tile_hi(0, &mut self.arguments);
        self.arguments.add("stream_end", ArgumentKind::StreamEnd);
        let whole = self.stream.tile.core[0];
        let (mut before, mut extent) = (name("part").times(whole), Index::Const(whole));
        if self.halves_last() {
            self.arguments.add("whole_parts", ArgumentKind::WholeParts);
            let (half, whole_parts) = ((whole + 1) / 2, || name("whole_parts"));
            let halves_before = name("part").minus(whole_parts()).max(Index::Const(0));
            before = name("part").min(whole_parts()).times(whole).sum(halves_before.times(half));
            extent = Condition::less(name("part"), whole_parts()).select(extent, Index::Const(half));
        }
        let (lo, hi, end) = (|| name("tile_lo0"), || name("tile_hi0"), || name("stream_end"));
        let at_end = hi().plus(1).minus(end()).max(lo().sum(end()));
        let last = Index::binary(Operator::Sub, name("o0").sum(extent), Index::Const(1)).min(hi().minus(end()));
        let inner = |at_first, inside, at_last| {
            let is_inside = Condition::less(name("part"), name("inner0"));
            is_negative("part").select(at_first, is_inside.select(inside, at_last))
        };
        [
            int("part", name("place0").plus(-1)),
            int("o0", inner(lo(), lo().sum(end()).sum(before), at_end)),
            int("last0", inner(lo().sum(end()).plus(-1).min(hi()), last, hi())),
        ]
    }

    /// Cells at an end of the stream that are tiles of their own, so that the others reach no end: as many as any stage needs
    /// beyond the core. The host adds those by which a sweep's domain ends before the tiled box.
    pub(super) fn end_of_stream(&self) -> i64 {
        let last = self.stream.tile.core[0] - 1;
        let reach = |stage: &Stage| (-stage.region.lo[0]).max(stage.region.hi[0] - last);
        self.stream.bounded_stages().map(reach).max().unwrap_or(0).max(1)
    }

    /// Whether both halves of the last part are tiles of their own. In three dimensions few work-groups share a multiprocessor,
    /// so that launches end with many of them idle.
    pub(super) fn halves_last(&self) -> bool {
        self.rank() == 3
    }

    /// The first cell of the core in a dimension.
    fn core_origin(&self, d: usize) -> Statement {
        let before = Index::name(format!("place{d}")).times(self.stream.tile.core[d]);
        int(format!("o{d}"), name(format!("tile_lo{d}")).sum(before))
    }

    /// Whether the first or the last tile owns cells beside its core in a dimension.
    pub(super) fn has_rim(&self, d: usize) -> bool {
        (self.rim.lo[d], self.rim.hi[d]) != (0, 0)
    }

    /// The first and the last cell that a tile owns in a dimension, before a seam if it has one; the conditions say whether the
    /// cells beside its core are its own.
    pub(super) fn owned(&self, d: usize, is_first: Condition, is_last: Condition) -> [Index; 2] {
        let beside = |condition: Condition, cells: i64| match cells {
            0 => Index::Const(0),
            _ => condition.select(Index::Const(cells), Index::Const(0)),
        };
        let (origin, rim) = (|| name(format!("o{d}")), &self.rim);
        let last = origin().plus(self.stream.tile.core[d] - 1);
        [origin().sum(beside(is_first, rim.lo[d])), last.sum(beside(is_last, rim.hi[d]))]
    }

    fn rim_bounds(&self, d: usize) -> [Statement; 2] {
        let [first, last] = self.owned(d, is_first_place(d), is_last_place(d));
        [int(format!("first{d}"), first), int(format!("last{d}"), last)]
    }
}

/// Whether a tile is the first one in a dimension.
pub(super) fn is_first_place(d: usize) -> Condition {
    Condition::equal(name(format!("place{d}")), Index::Const(0))
}

/// Whether a tile is the last one in a dimension.
pub(super) fn is_last_place(d: usize) -> Condition {
    Condition::equal(name(format!("place{d}")), name(format!("tiles{d}")).plus(-1))
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
    let (ends1, inner0, inner1, tiles1) = (|| name("ends1"), || name("inner0"), || name("inner1"), || name("tiles1"));
    let choose = |at_end, inside, beside| {
        let is_inside = is_negative("beside");
        is_negative("late").select(at_end, is_inside.select(inside, beside))
    };
    let order0 = choose(
        name("linear").divided_by(ends1()),
        name("late").divided_by(inner1()),
        inner0().sum(name("beside").divided_by(tiles1())),
    );
    let order1 = choose(
        name("linear").modulo(ends1()),
        ends1().sum(name("late").modulo(inner1())),
        name("beside").modulo(tiles1()),
    );
    vec![
        int("ends1", tiles1().min(Index::Const(2))),
        int("inner1", tiles1().minus(ends1())),
        linear("tiles1"),
        int("late", name("linear").minus(ends1().multiplied_by(inner0()))),
        int("beside", name("linear").minus(tiles1().multiplied_by(inner0()))),
        int("order0", order0),
        int("order1", order1),
    ]
}

/// `linear`: the number of a work-group among those of a row or plane of tiles.
fn linear(tiles: &str) -> Statement {
    int("linear", group(0).sum(group(1).multiplied_by(name(tiles))))
}

fn group(dimension: usize) -> Index {
    Index::WorkItem(WorkItem::Group, dimension)
}

/// `place0`, `place1`, ...: the tile's place in a dimension, from its place in the order of the work-groups' numbers, in which
/// devices start them.
///
/// Tiles at the ends of rows and planes take longer than others. Launches end sooner where these come first, so that of rows
/// and planes the last tile is the second, and where the shortest come last: those at the ends of the stream.
fn place(d: usize, rank: usize) -> Statement {
    let (order, last) = (|| name(format!("order{d}")), || name(format!("tiles{d}")).plus(-1));
    let place = match (rank, d) {
        (1, _) | (_, 1..) => {
            let is_behind = Condition::Compare(Relation::Greater, order(), Index::Const(1));
            let moved = order().minus(Index::Truth(Box::new(is_behind)));
            Condition::equal(order(), Index::Const(1)).select(last(), moved)
        }
        _ => {
            let of_ends = order().minus(name("inner0")).multiplied_by(last());
            Condition::less(order(), name("inner0")).select(order().plus(1), of_ends)
        }
    };
    int(format!("place{d}"), place)
}

/// A variable.
pub(super) fn name(name: impl Into<String>) -> Index {
    Index::name(name)
}

fn is_negative(variable: &str) -> Condition {
    Condition::less(name(variable), Index::Const(0))
}

pub(super) fn int(name: impl Into<String>, value: Index) -> Statement {
    Statement::Int { name: name.into(), value }
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
