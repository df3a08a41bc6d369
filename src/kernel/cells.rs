//! Cells of a tile as indices, for strategies whose tiles are boxes of cells in loops.

use super::inputs::Arguments;
use super::{ArgumentKind, Condition, Index, Statement, Subject};
use crate::index::WorkItem;
use crate::tile::CellBox;

/// First and last cell of a box in each of some dimensions, outermost first.
pub type Bounds = Vec<(Index, Index)>;

impl Subject<'_> {
    /// Loops over the last dimensions of a cell, which the work-items of a group share.
    pub fn loops(&self, bounds: &[(Index, Index)], work_group: [u32; 3], inner: Vec<Statement>) -> Vec<Statement> {
        let names = self.analysis.names.cells(self.layout_ranks[0]).iter().rev();
        let fastest_first = bounds.iter().rev().zip(names).enumerate();
        fastest_first.fold(inner, |body, (dimension, ((first, last), name))| {
            let items = work_group.get(dimension).map_or(1, |items| i64::from(*items));
            let first = match items {
                1 => first.clone(),
                _ => first.clone().sum(Index::WorkItem(WorkItem::Local, dimension)),
            };
            vec![Statement::Loop { variable: name.clone(), first, last: last.clone(), step: items, body }]
        })
    }
}

/// The constant extents of a core.
pub fn constant(core: &[i64]) -> Vec<Index> {
    core.iter().map(|extent| Index::Const(*extent)).collect()
}

/// `o0`, `o1`, ...: the first cell of the core of the work-group's tile.
pub fn tile_origin(core: &[Index], arguments: &mut Arguments) -> Vec<Statement> {
    let rank = core.len();
    let group = |dimension: usize| Index::WorkItem(WorkItem::Group, dimension);
    let mut body = Vec::new();
    for d in 0..rank {
        let lo = tile_lo(d, arguments);
        let tile = if rank == 4 && d < 2 {
            arguments.add("tile_hi1", ArgumentKind::TileHi { dimension: 1 });
            tile_lo(1, arguments);
            let cells = Index::name("tile_hi1").minus(Index::name("tile_lo1"));
            let tiles = cells.divided_by(core[1].clone()).plus(1);
            if d == 0 { group(2).divided_by(tiles) } else { group(2).modulo(tiles) }
        } else {
            group(rank - 1 - d)
        };
        let value = lo.sum(tile.multiplied_by(core[d].clone()));
        body.push(Statement::Int { name: format!("o{d}"), value });
    }
    body
}

/// First cell of the tiled box.
pub fn tile_lo(dimension: usize, arguments: &mut Arguments) -> Index {
    let name = format!("tile_lo{dimension}");
    arguments.add(&name, ArgumentKind::TileLo { dimension });
    Index::name(name)
}

/// Last cell of the tiled box.
pub fn tile_hi(dimension: usize, arguments: &mut Arguments) -> Index {
    let name = format!("tile_hi{dimension}");
    arguments.add(&name, ArgumentKind::TileHi { dimension });
    Index::name(name)
}

/// The cell that lies `offset` behind the first one of the core.
pub fn from_origin(d: usize, offset: i64) -> Index {
    Index::name(format!("o{d}")).plus(offset)
}

/// A box around the first cell of the core.
pub fn around_origin(cells: &CellBox) -> Bounds {
    let bounds = cells.lo.iter().zip(&cells.hi).enumerate();
    bounds.map(|(d, (lo, hi))| (from_origin(d, *lo), from_origin(d, *hi))).collect()
}

/// What two boxes have in common.
pub fn intersection(one: &[(Index, Index)], other: &[(Index, Index)]) -> Bounds {
    let common = |((lo, hi), (first, last)): (&(Index, Index), &(Index, Index))| {
        (lo.clone().max(first.clone()), hi.clone().min(last.clone()))
    };
    one.iter().zip(other).map(common).collect()
}

/// Whether a box has cells that another one lacks.
pub fn reaches_out(cells: &[(Index, Index)], of: &[(Index, Index)]) -> Condition {
    let beyond = |((first, last), (lo, hi)): (&(Index, Index), &(Index, Index))| {
        [Condition::less(first.clone(), lo.clone()), Condition::less(hi.clone(), last.clone())]
    };
    Condition::Any(cells.iter().zip(of).flat_map(beyond).collect())
}

/// Whether an index is within bounds.
pub fn is_within((lo, hi): (Index, Index), x: Index) -> [Condition; 2] {
    [Condition::less_equal(lo, x.clone()), Condition::less_equal(x, hi)]
}
