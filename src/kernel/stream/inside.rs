//! Which tiles reach no end of a dimension, and of which the domains begin and end with whole blocks.

use std::collections::BTreeSet;

use super::Builder;
use crate::index::{Operator, Relation};
use crate::kernel::cells::is_within;
use crate::kernel::{Condition, Index};

impl Builder<'_> {
    /// Whether domains begin and end with whole blocks of columns. Strips and what is loaded before them are such blocks.
    pub(super) fn whole_columns(&mut self) -> Condition {
        let (columns, last) = (self.shape.columns, self.rank() - 1);
        debug_assert_eq!((self.strip % columns, self.before % columns), (0, 0));
        let sweeps: BTreeSet<usize> = self.stream.bounded_stages().map(|stage| stage.sweep).collect();
        let mut are_whole = Vec::new();
        for sweep in sweeps {
            let (lo, hi) = self.subject.domain(sweep, &mut self.arguments).swap_remove(last);
            for end in [lo, hi.plus(1)] {
                let rest = end.minus(Index::name(format!("tile_lo{last}"))).modulo(Index::Const(columns));
                are_whole.extend(is_within((Index::Const(0), Index::Const(0)), rest));
            }
        }
        Condition::All(are_whole)
    }

    /// For each dimension, whether all cells that the tile's results depend on are inside the domains of the sweeps that write
    /// them. Tiles that own cells beside their core count as outside; a core with a seam reaches beyond the last cell.
    pub(super) fn inside(&mut self) -> Vec<Condition> {
        let mut inside = vec![Vec::new(); self.rank()];
        for stage in self.stream.bounded_stages() {
            let bounds = self.subject.domain(stage.sweep, &mut self.arguments);
            for (d, (lo, hi)) in bounds.into_iter().enumerate() {
                let from = |end: &str, offset: i64| Index::name(format!("{end}{d}")).plus(offset);
                let (before, behind) = (self.rim.lo[d].max(-1), self.rim.hi[d].min(1));
                inside[d].push(Condition::less_equal(lo, from("o", stage.region.lo[d] + before)));
                let last = match d < self.first_in_row() {
                    true => from("last", stage.region.hi[d] - (self.stream.tile.core[d] - 1)),
                    false => from("o", stage.region.hi[d] + behind),
                };
                inside[d].push(Condition::less_equal(last, hi));
            }
        }
        inside.into_iter().map(strongest).collect()
    }
}

/// The conditions without those that others imply: of bounds on the same variable only the tightest.
fn strongest(conditions: Vec<Condition>) -> Condition {
    let mut kept: Vec<Condition> = Vec::new();
    for condition in conditions {
        let implied = kept.iter().any(|other| implies(other, &condition));
        if !implied {
            kept.retain(|other| !implies(&condition, other));
            kept.push(condition);
        }
    }
    Condition::All(kept)
}

/// Whether one bound implies another of the same form, `lo <= o + c` or `o + c <= hi`.
fn implies(stronger: &Condition, weaker: &Condition) -> bool {
    let (Condition::Compare(Relation::LessEqual, a, b), Condition::Compare(Relation::LessEqual, c, d)) =
        (stronger, weaker)
    else {
        return false;
    };
    let ((a, a0), (b, b0), (c, c0), (d, d0)) = (split(a), split(b), split(c), split(d));
    a == c && b == d && b0 - a0 <= d0 - c0
}

/// An index as a base and a constant.
fn split(index: &Index) -> (&Index, i64) {
    match index {
        Index::Binary(Operator::Add, base, constant) => match &**constant {
            Index::Const(value) => (base, *value),
            _ => (index, 0),
        },
        _ => (index, 0),
    }
}
