//! Which tile a work-group has, and where it is.

use super::Builder;
use crate::kernel::{ArgumentKind, Index, Statement};

impl Builder<'_> {
    /// `o0`, `o1`, ...: the first cell of the core; where the work-item's block begins.
    pub(super) fn tile_origin(&mut self) -> Vec<Statement> {
        let mut body = self.tile_counts();
        for d in 0..self.rank() {
            body.extend(self.place(d));
            body.extend(self.core_origin(d));
        }
        let has_rim_alone = |d: &usize| self.has_rim(*d) && self.seam(*d).is_none();
        body.extend((0..self.rank()).filter(has_rim_alone).flat_map(|d| self.rim_bounds(d)));
        let member = (self.shape.sub_groups > 1).then(|| "member".to_owned());
        body.push(Statement::SubGroup { lane: "lane".to_owned(), member });
        if self.rank() == 3 {
            let last = self.shape.sub_groups - 1;
            body.push(int("above".into(), self.member().plus(-1).max(Index::Const(0))));
            body.push(int("below".into(), self.member().plus(1).min(Index::Const(last))));
            body.extend(self.seams.iter().flat_map(|seam| self.joined_cells(*seam)));
        }
        body.extend(self.fixed_positions());
        body
    }

    /// `tiles0`, `tiles1`, ...: how many there are; in two dimensions also the work-group's number, from all and from those
    /// behind the first and the last tile of every strip, of which so many `parts` are left.
    fn tile_counts(&self) -> Vec<Statement> {
        let rank = self.rank();
        let count = |d: usize| format!("(int)get_num_groups({})", rank - 1 - d);
        let mut body: Vec<Statement> = (0..rank).map(|d| int(format!("tiles{d}"), Index::name(count(d)))).collect();
        if rank == 2 {
            body.push(int("linear".into(), Index::name("(int)get_group_id(0) + (int)get_group_id(1) * tiles1")));
            body.push(int("inner".into(), Index::name("linear - min(tiles0, 2) * tiles1")));
            body.push(int("parts".into(), Index::name("max(tiles0 - 2, 1)")));
        }
        body
    }

    /// `place0`, `place1`, ...: the tile's place in a dimension, from its place in the order of the work-groups' numbers, in
    /// which devices start them.
    ///
    /// Tiles at the rim are slower, and launches end sooner where these do not come last. In three dimensions neighbours in a
    /// plane follow each other, so that they find each other's halos in the cache; of the parts of the stream, of the rows in a
    /// plane and of the tiles in a row the last is the second. In two dimensions the tiles at the rim come first: the first and
    /// the last part of every strip, then the other parts of the first and the last strip; then those of one strip after the
    /// other.
    fn place(&self, d: usize) -> [Statement; 2] {
        let order = match (self.rank(), d) {
            (2, 0) => "inner < 0 ? linear / tiles1 * (tiles0 - 1) : inner % parts + 1".to_owned(),
            (2, _) => "inner < 0 ? linear % tiles1 : inner / parts".to_owned(),
            (rank, _) => format!("(int)get_group_id({})", rank - 1 - d),
        };
        let place = match (self.rank(), d) {
            (2, 0) => format!("order{d}"),
            _ => format!("order{d} == 1 ? tiles{d} - 1 : order{d} - (order{d} > 1)"),
        };
        [int(format!("order{d}"), Index::name(order)), int(format!("place{d}"), Index::name(place))]
    }

    /// The first cell of the core in a dimension.
    fn core_origin(&mut self, d: usize) -> Vec<Statement> {
        let name = format!("tile_lo{d}");
        self.arguments.add(&name, ArgumentKind::TileLo { dimension: d });
        if let Some(seam) = self.seam(d) {
            return self.joined_origin(seam);
        }
        let before = Index::name(format!("place{d}")).times(self.tile.core[d]);
        vec![int(format!("o{d}"), Index::name(name).sum(before))]
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

pub(super) fn int(name: String, value: Index) -> Statement {
    Statement::Int { name, value }
}

pub(super) fn text(name: String, value: String) -> Statement {
    int(name, Index::name(value))
}
