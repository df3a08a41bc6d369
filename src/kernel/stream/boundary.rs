//! Boundaries: which cells of a work-item's block its sweeps write, and which of them the work-group owns.
//!
//! Whether a cell is inside depends on its row of the stream and on its place in that row. The places do not change, so the
//! answers for a whole block are one mask, made once; every stage takes it, or nothing, for the row that it computes.

use std::collections::BTreeSet;

use super::memory::Position;
use super::{Builder, register};
use crate::kernel::registers::Registers;
use crate::kernel::{ArgumentKind, Condition, Index, Statement};
use crate::tile::{BlockCell, Flow, Stage};

/// First and last cell of a box in every dimension that is not streamed along.
pub(super) type Bounds = Vec<(Index, Index)>;

/// A mask of the block's cells that the work-group owns.
const CORE: &str = "core";

impl Builder<'_> {
    /// Masks that hold for every row: the cells of the core, and in partial tiles those of every sweep's domain and halo.
    pub(super) fn masks(&mut self) -> Vec<Statement> {
        let core = (self.first_in_row()..self.rank()).map(|d| self.core_bounds(d)).collect();
        let mut masks = vec![self.mask(CORE.into(), &[core])];
        if self.is_full {
            return masks;
        }
        let sweeps: BTreeSet<usize> =
            self.bounded_stages().into_iter().map(|index| self.tile.stages[index].sweep).collect();
        for sweep in sweeps {
            let bounds = self.bounds(sweep);
            masks.push(self.mask(domain(sweep), std::slice::from_ref(&bounds)));
            if self.has_single_cells() && self.is_output(sweep) {
                masks.extend(self.single_cells(sweep));
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
        if self.has_rim(d) || (self.seam(d).is_some() && !self.is_full) {
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
        self.tile.stages[index].is_output || self.pipeline.flows[index].halo.is_some()
    }

    /// Whether a stage stores what a sweep writes.
    fn is_output(&self, sweep: usize) -> bool {
        self.tile.stages.iter().any(|stage| stage.sweep == sweep && stage.is_output)
    }

    fn bounded_stages(&self) -> Vec<usize> {
        (0..self.tile.stages.len()).filter(|index| self.is_bounded(*index)).collect()
    }

    /// Whether a row is in the domain of a stage's sweep.
    pub(super) fn has_row(&mut self, index: usize, row: Index) -> Vec<Condition> {
        let along = self.subject.domain(self.tile.stages[index].sweep, &mut self.arguments);
        row_within(along.into_iter().take(self.first_in_row()), &row)
    }

    /// Whether it is one of the core's rows.
    fn owns_row(&self, row: &Index) -> Vec<Condition> {
        let own = |extent: &i64| (Index::name("o0"), Index::name("o0").plus(extent - 1));
        row_within(self.tile.core.iter().take(self.first_in_row()).map(own), row)
    }

    /// Stores the core's cells of the row that the stage has computed, as vectors where a work-item owns all of them.
    pub(super) fn stores(&mut self, index: usize, stage: &Stage, flow: &Flow) -> Vec<Statement> {
        let (field, slot) = stage.slot(self.subject.recurrences);
        let kind = ArgumentKind::result(field, slot, self.is_in_place(field, slot));
        let element = self.subject.recurrences.storage.fields[field].element;
        let row = Index::name("row").plus(-flow.lag());
        let mut conditions = self.owns_row(&row);
        let mut masks = vec![CORE.to_string()];
        if !self.is_full {
            conditions.extend(self.has_row(index, row));
            masks.push(domain(stage.sweep));
        }
        let (name, condition) = (format!("stored{index}"), Condition::All(conditions));
        let mut body = vec![Statement::MaskIf { name: name.clone(), condition, masks, otherwise: 0 }];
        let behind = Index::Const(-flow.lag());
        for i in 0..self.shape.rows {
            let to = self.element(kind, Position::Here, behind.clone(), (i, 0));
            let from = (0..self.shape.columns).map(|j| Registers::name(flow.window(), 0, (i, j))).collect();
            let vector = vec![Statement::StoreVector { element, to, from }];
            let condition = match self.is_full {
                true => Condition::Bits { mask: name.clone(), bits: self.bit((i, 0)) },
                false => Condition::Has { mask: name.clone(), bits: self.bits_of_row(i) },
            };
            body.push(Statement::If { condition, body: vector });
        }
        if self.has_single_cells() {
            let single_now = format!("single_now{index}");
            let mut cells = Vec::new();
            for block in self.blocks.own() {
                let to = self.element(kind, Position::Here, behind.clone(), block);
                let copy = Statement::Copy { to, from: register(flow.window(), 0, block) };
                let condition = Condition::Bits { mask: single_now.clone(), bits: self.bit(block) };
                cells.push(Statement::If { condition, body: vec![copy] });
            }
            body.push(intersection(single_now.clone(), vec![name, single(stage.sweep)]));
            let condition = Condition::Bits { mask: single_now, bits: self.all_bits() };
            body.push(Statement::If { condition, body: cells });
        }
        body
    }

    /// Whether a work-item may own a part of the neighbouring columns that it stores as one vector.
    fn has_single_cells(&self) -> bool {
        !self.is_full && self.shape.columns > 1
    }

    /// A mask of the cells that a sweep writes and the work-group owns while it does not own all in their row of the block.
    fn single_cells(&self, sweep: usize) -> Vec<Statement> {
        let owned = format!("owned{sweep}");
        let bits = self.blocks.own().map(|block| {
            let is_owned = Condition::Bits { mask: owned.clone(), bits: self.bit(block) };
            let is_broken = Condition::Lacks { mask: owned.clone(), bits: self.bits_of_row(block.0) };
            Condition::All(vec![is_owned, is_broken])
        });
        let mask = Statement::Mask { name: single(sweep), bits: bits.collect() };
        vec![intersection(owned, vec![CORE.into(), domain(sweep)]), mask]
    }

    fn bits_of_row(&self, row: i64) -> u32 {
        (0..self.shape.columns).map(|column| self.bit((row, column))).sum()
    }

    /// The bit of a cell in the masks.
    pub(super) fn bit(&self, (row, column): BlockCell) -> u32 {
        1 << (row * self.shape.columns + column)
    }

    pub(super) fn all_bits(&self) -> u32 {
        u32::MAX >> (u32::BITS as i64 - self.shape.rows * self.shape.columns)
    }

    /// Whether all cells that the tile's results depend on are inside the domains of the sweeps that write them. Tiles that own
    /// cells beside their core count as outside; a core with a seam reaches beyond the last cell.
    pub(super) fn is_inside(&mut self) -> Condition {
        let mut inside = Vec::new();
        for index in self.bounded_stages() {
            let stage = &self.tile.stages[index];
            let bounds = self.subject.domain(stage.sweep, &mut self.arguments);
            for (d, (lo, hi)) in bounds.into_iter().enumerate() {
                let at = |offset: i64| Index::name(format!("o{d}")).plus(offset);
                let (before, behind) = (self.rim.lo[d].max(-1), self.rim.hi[d].min(1));
                inside.push(Condition::LessEqual(lo, at(stage.region.lo[d] + before)));
                inside.push(Condition::LessEqual(at(stage.region.hi[d] + behind), hi));
            }
        }
        strongest(inside)
    }
}

/// The mask of the places that are stored one by one.
fn single(sweep: usize) -> String {
    format!("single{sweep}")
}

/// A mask of the bits that all of some masks have.
pub(super) fn intersection(name: String, masks: Vec<String>) -> Statement {
    Statement::MaskIf { name, condition: Condition::All(Vec::new()), masks, otherwise: 0 }
}

/// The mask of the places that a sweep writes.
pub(super) fn domain(sweep: usize) -> String {
    format!("domain{sweep}")
}

/// Whether a box contains all cells of another one.
pub(super) fn contains(bounds: &Bounds, cells: &Bounds) -> Condition {
    let inside = bounds.iter().zip(cells).flat_map(|((lo, hi), (first, last))| {
        [Condition::LessEqual(lo.clone(), first.clone()), Condition::LessEqual(last.clone(), hi.clone())]
    });
    Condition::All(inside.collect())
}

/// Whether a row is within the bounds, of which there is a pair where tiles stream.
fn row_within(along: impl Iterator<Item = (Index, Index)>, row: &Index) -> Vec<Condition> {
    along.flat_map(|bounds| between(bounds, row.clone())).collect()
}

fn between((lo, hi): (Index, Index), x: Index) -> [Condition; 2] {
    [Condition::LessEqual(lo, x.clone()), Condition::LessEqual(x, hi)]
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
    let (Condition::LessEqual(a, b), Condition::LessEqual(c, d)) = (stronger, weaker) else { return false };
    let ((a, a0), (b, b0), (c, c0), (d, d0)) = (split(a), split(b), split(c), split(d));
    a == c && b == d && b0 - a0 <= d0 - c0
}

/// An index as a base and a constant.
fn split(index: &Index) -> (&Index, i64) {
    match index {
        Index::Add(base, constant) => match &**constant {
            Index::Const(value) => (base, *value),
            _ => (index, 0),
        },
        _ => (index, 0),
    }
}
