//! Boundaries: which cells of a work-item's block its sweeps write, and which of them the work-group owns.
//!
//! Whether a cell is inside depends on its row of the stream and on its place in that row. The places do not change, so the
//! answers for a whole block are one mask, made once; every stage takes it, or nothing, for the row that it computes.

use std::collections::BTreeSet;

use super::memory::Position;
use super::{Builder, register};
use crate::index::{Operator, Relation};
use crate::kernel::registers::Registers;
use crate::kernel::{ArgumentKind, Bits, Condition, Index, Statement};
use crate::tile::{BlockCell, PipelineStage, Stage};

/// First and last cell of a box in every dimension that is not streamed along.
pub(super) type Bounds = Vec<(Index, Index)>;

/// A mask of the block's cells that the work-group owns.
const CORE: &str = "core";

impl Builder<'_> {
    /// Masks that hold for every row: the cells of the core, and in partial tiles those of every sweep's domain and halo.
    pub(super) fn masks(&mut self) -> Vec<Statement> {
        let core = (self.first_in_row()..self.rank()).map(|d| self.core_bounds(d)).collect();
        let mut masks = vec![self.mask(CORE.into(), &[core])];
        if self.is_full() {
            return masks;
        }
        for sweep in self.bounded_sweeps() {
            let bounds = self.bounds(sweep);
            masks.push(self.mask(domain(sweep), std::slice::from_ref(&bounds)));
            if self.is_output(sweep) {
                masks.extend(self.stored_cells(sweep));
            }
            masks.extend(self.halo_masks(sweep, &bounds));
        }
        masks
    }

    /// A mask of the cells whose places in their row are in one of the boxes.
    pub(super) fn mask(&self, name: String, boxes: &[Bounds]) -> Statement {
        let bits = self.blocks.own().map(|block| {
            let cell = self.cell(Index::Const(0), block).into_iter().skip(self.first_in_row());
            let cell: Bounds = cell.map(|x| (x.clone(), x)).collect();
            Condition::Any(boxes.iter().map(|bounds| contains(bounds, &cell)).collect())
        });
        Statement::Mask { name, bits: bits.collect() }
    }

    /// First and last cell that the sub-group owns.
    fn core_bounds(&self, d: usize) -> (Index, Index) {
        if self.has_rim(d) || self.seam(d).is_some() {
            return (Index::name(format!("first{d}")), Index::name(format!("last{d}")));
        }
        let (origin, extent) = match d == self.rank() - 1 {
            true => (self.strip_origin(), self.strip),
            false => (Index::name(format!("o{d}")), self.tile.core[d]),
        };
        (origin.clone(), origin.plus(extent - 1))
    }

    /// A sweep's domain.
    pub(super) fn bounds(&mut self, sweep: usize) -> Bounds {
        self.subject.domain(sweep, &mut self.arguments).split_off(self.first_in_row())
    }

    /// Whether boundaries matter for a stage, by index.
    fn is_bounded(&self, index: usize) -> bool {
        self.tile.stages[index].is_output || self.pipeline.stages[index].halo.is_some()
    }

    /// Whether a stage stores what a sweep writes.
    fn is_output(&self, sweep: usize) -> bool {
        self.tile.stages.iter().any(|stage| stage.sweep == sweep && stage.is_output)
    }

    pub(super) fn bounded_stages(&self) -> Vec<usize> {
        (0..self.tile.stages.len()).filter(|index| self.is_bounded(*index)).collect()
    }

    fn bounded_sweeps(&self) -> BTreeSet<usize> {
        self.bounded_stages().into_iter().map(|index| self.tile.stages[index].sweep).collect()
    }

    /// Whether a row is in the domain of a stage's sweep, where it may not be.
    pub(super) fn has_row(&mut self, index: usize, row: Index) -> Vec<Condition> {
        if !self.tests.stream {
            return Vec::new();
        }
        let along = self.subject.domain(self.tile.stages[index].sweep, &mut self.arguments);
        row_within(along.into_iter().take(self.first_in_row()), &row)
    }

    /// Whether it is one of the core's rows.
    fn owns_row(&self, row: &Index) -> Vec<Condition> {
        let own = (Index::name("o0"), Index::name("last0"));
        row_within([own].into_iter().take(self.first_in_row()), row)
    }

    /// Stores the core's cells of the row that the stage has computed, as vectors where a work-item owns all of them.
    pub(super) fn stores(&mut self, index: usize, stage: &Stage, piped: &PipelineStage) -> Vec<Statement> {
        let (field, slot) = stage.slot(self.subject.recurrences);
        let kind = ArgumentKind::result(field, slot, self.is_in_place(field, slot));
        let element = self.subject.recurrences.storage.fields[field].element;
        let row = Index::name("row").plus(-piped.lag());
        let mut conditions = self.owns_row(&row);
        conditions.extend(self.has_row(index, row));
        let (name, condition) = (format!("stored{index}"), Condition::All(conditions));
        let mask = if self.is_full() { CORE.to_string() } else { vectors(stage.sweep) };
        let now = |name: &str, mask: String| Statement::MaskIf {
            name: name.to_owned(),
            condition: condition.clone(),
            masks: vec![Bits::Mask(mask)],
            otherwise: 0,
        };
        let mut body = vec![now(&name, mask)];
        let behind = Index::Const(-piped.lag());
        for i in 0..self.shape.rows {
            let to = self.element(kind, Position::Here, behind.clone(), (i, 0));
            let from = (0..self.shape.columns).map(|j| Registers::name(piped.window(), 0, (i, j))).collect();
            let vector = vec![Statement::StoreVector { element, to, from, leaves_first: self.rank() == 3 }];
            let condition = among(&name, self.bit((i, 0)));
            body.push(Statement::If { condition, body: vector });
        }
        if self.has_single_cells() {
            let single_now = format!("single_now{index}");
            let mut cells = Vec::new();
            for block in self.blocks.own() {
                let to = self.element(kind, Position::Here, behind.clone(), block);
                let copy = Statement::Copy { to, from: register(piped.window(), 0, block) };
                let condition = among(&single_now, self.bit(block));
                cells.push(Statement::If { condition, body: vec![copy] });
            }
            body.push(now(&single_now, single(stage.sweep)));
            let condition = among(&single_now, self.all_bits());
            body.push(Statement::If { condition, body: cells });
        }
        body
    }

    /// Whether a work-item may own a part of the neighbouring columns that it stores as one vector.
    fn has_single_cells(&self) -> bool {
        self.tests.rows && self.shape.columns > 1 && !self.has_whole_columns()
    }

    /// Whether domains begin and end with whole blocks of columns. Strips and what is loaded before them are such blocks.
    pub(super) fn whole_columns(&mut self) -> Condition {
        let (columns, last) = (self.shape.columns, self.rank() - 1);
        debug_assert_eq!((self.strip % columns, self.before % columns), (0, 0));
        let mut are_whole = Vec::new();
        for sweep in self.bounded_sweeps() {
            let (lo, hi) = self.subject.domain(sweep, &mut self.arguments).swap_remove(last);
            for end in [lo, hi.plus(1)] {
                let rest = end.minus(Index::name(format!("tile_lo{last}"))).modulo(Index::Const(columns));
                are_whole.extend(between((Index::Const(0), Index::Const(0)), rest));
            }
        }
        Condition::All(are_whole)
    }

    /// Of the cells that a sweep writes and the work-group owns, the first ones of rows of the block that it owns whole, and
    /// those in other rows. Few instructions make both masks, since compilers do so in every step where registers are scarce.
    fn stored_cells(&self, sweep: usize) -> Vec<Statement> {
        let owned = format!("owned{sweep}");
        let mut masks = vec![intersection(owned.clone(), vec![Bits::mask(CORE), Bits::mask(domain(sweep))])];
        let mut whole = owned.clone();
        for columns in (0..).map(|doublings| 1_i64 << doublings).take_while(|columns| *columns < self.shape.columns) {
            let wider = format!("{whole}_{columns}");
            let lower = Bits::Lower(Box::new(Bits::mask(&whole)), columns);
            masks.push(intersection(wider.clone(), vec![Bits::mask(whole), lower]));
            whole = wider;
        }
        let first: u32 = (0..self.shape.rows).map(|row| self.bit((row, 0))).sum();
        masks.push(intersection(vectors(sweep), vec![Bits::mask(whole), Bits::Const(first)]));
        if self.has_single_cells() {
            let first_of_vectors = Box::new(Bits::mask(vectors(sweep)));
            let in_vectors = Bits::Spread(first_of_vectors, first_bits(self.shape.columns));
            masks.push(intersection(single(sweep), vec![Bits::mask(owned), in_vectors.inverted()]));
        }
        masks
    }

    /// The bit of a cell in the masks.
    pub(super) fn bit(&self, (row, column): BlockCell) -> u32 {
        1 << (row * self.shape.columns + column)
    }

    pub(super) fn all_bits(&self) -> u32 {
        first_bits(self.shape.rows * self.shape.columns)
    }

    /// For each dimension, whether all cells that the tile's results depend on are inside the domains of the sweeps that write
    /// them. Tiles that own cells beside their core count as outside; a core with a seam reaches beyond the last cell.
    pub(super) fn inside(&mut self) -> Vec<Condition> {
        let mut inside = vec![Vec::new(); self.rank()];
        for index in self.bounded_stages() {
            let stage = &self.tile.stages[index];
            let bounds = self.subject.domain(stage.sweep, &mut self.arguments);
            for (d, (lo, hi)) in bounds.into_iter().enumerate() {
                let from = |end: &str, offset: i64| Index::name(format!("{end}{d}")).plus(offset);
                let (before, behind) = (self.rim.lo[d].max(-1), self.rim.hi[d].min(1));
                inside[d].push(Condition::less_equal(lo, from("o", stage.region.lo[d] + before)));
                let last = match d < self.first_in_row() {
                    true => from("last", stage.region.hi[d] - (self.tile.core[d] - 1)),
                    false => from("o", stage.region.hi[d] + behind),
                };
                inside[d].push(Condition::less_equal(last, hi));
            }
        }
        inside.into_iter().map(strongest).collect()
    }
}

/// The mask of the places that are stored one by one.
fn single(sweep: usize) -> String {
    format!("single{sweep}")
}

/// The mask of the first cells of the block's rows that are stored whole.
fn vectors(sweep: usize) -> String {
    format!("vectors{sweep}")
}

/// So many bits.
pub(super) fn first_bits(count: i64) -> u32 {
    u32::MAX >> (i64::from(u32::BITS) - count)
}

/// Whether a mask has one of some bits.
pub(super) fn among(mask: &str, bits: u32) -> Condition {
    Condition::Bits { mask: mask.to_owned(), bits }
}

/// A mask of the bits that all of some masks have.
pub(super) fn intersection(name: String, masks: Vec<Bits>) -> Statement {
    Statement::MaskIf { name, condition: Condition::All(Vec::new()), masks, otherwise: 0 }
}

/// The mask of the places that a sweep writes.
pub(super) fn domain(sweep: usize) -> String {
    format!("domain{sweep}")
}

/// Whether a box contains all cells of another one.
pub(super) fn contains(bounds: &Bounds, cells: &Bounds) -> Condition {
    let inside = bounds.iter().zip(cells).flat_map(|((lo, hi), (first, last))| {
        [Condition::less_equal(lo.clone(), first.clone()), Condition::less_equal(last.clone(), hi.clone())]
    });
    Condition::All(inside.collect())
}

/// Whether a row is within the bounds, of which there is a pair where tiles stream.
fn row_within(along: impl Iterator<Item = (Index, Index)>, row: &Index) -> Vec<Condition> {
    along.flat_map(|bounds| between(bounds, row.clone())).collect()
}

fn between((lo, hi): (Index, Index), x: Index) -> [Condition; 2] {
    [Condition::less_equal(lo, x.clone()), Condition::less_equal(x, hi)]
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
