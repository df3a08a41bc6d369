//! What cells beside a sweep's domain hold.
//!
//! Of these cells those matter that something reads, the sweep's *halo*; no step changes them. A stage computes all cells of
//! a block and then replaces those of the halo, cell by cell without a branch or, where many stages have to load them,
//! behind one test that sub-groups without such cells pass by.

use std::collections::BTreeMap;

use super::boundary::{Bounds, among, contains, domain, first_bits, intersection};
use super::halo_loads::{line, loaded};
use super::memory::Position;
use super::stage_halo::{HaloLoad, Moment, PutBack, StageHalo};
use super::{Builder, EndTests, register};
use crate::kernel::{Bits, Condition, Index, Location, Statement};
use crate::tile::{BlockCell, HaloSource};

impl Builder<'_> {
    /// The places outside a sweep's domain that something reads, and whether the work-item prefetches any of them.
    pub(super) fn halo_masks(&mut self, sweep: usize, bounds: &Bounds) -> Vec<Statement> {
        let of_sweep = |index: &usize| self.tile.stages[*index].sweep == sweep;
        let stages: Vec<usize> = (0..self.tile.stages.len()).filter(of_sweep).collect();
        if stages.iter().all(|index| self.pipeline.stages[*index].halo.is_none()) {
            return Vec::new();
        }
        let is_prefetched = stages.iter().any(|index| self.halos[*index].is_some_and(|halo| halo.prefetch.is_some()));
        let touched = self.touched(sweep);
        let mut masks = Vec::new();
        if self.places() == Places::Cells {
            let read = format!("read{sweep}");
            masks.push(self.mask(read.clone(), &touched));
            masks.push(difference(Places::Cells.mask(sweep), read, &domain(sweep)));
        }
        if self.has_lines() {
            masks.extend(self.lines(sweep, &touched, bounds));
        }
        if is_prefetched {
            let cells = self.line();
            let (read, inside) = (format!("line_read{sweep}"), format!("line_domain{sweep}"));
            let overlaps = touched.iter().map(|bounds| overlap(bounds, &cells)).collect();
            let is_read = vec![Condition::Any(overlaps)];
            masks.extend(read_outside(line(sweep), (read, is_read), (inside, vec![contains(bounds, &cells)])));
        }
        masks
    }

    /// Boxes of the cells that sweeps read of the field that a sweep writes.
    fn touched(&mut self, sweep: usize) -> Vec<Bounds> {
        let storage = &self.subject.recurrences.storage;
        let (field, _) = storage.writes[sweep];
        let mut offsets: BTreeMap<usize, Vec<&Vec<i64>>> = BTreeMap::new();
        for ((reader, _), read) in storage.reads.iter().filter(|(_, read)| read.field == field) {
            offsets.entry(*reader).or_default().push(read.offset.as_ref().expect("streams have constant offsets"));
        }
        let mut boxes = Vec::new();
        for (reader, offsets) in offsets {
            let reach = self.bounds(reader).into_iter().zip(self.first_in_row()..).map(|((lo, hi), d)| {
                let along = || offsets.iter().map(|offset| offset[d]);
                (lo.plus(along().min().unwrap_or(0)), hi.plus(along().max().unwrap_or(0)))
            });
            boxes.push(reach.collect());
        }
        boxes
    }

    /// Behind a stage: puts back what its halo holds, if that happens there.
    pub(super) fn replace_halo(&mut self, index: usize) -> Vec<Statement> {
        let Some(halo) = self.halos[index] else { return Vec::new() };
        match halo.put_back {
            PutBack::Deferred | PutBack::Loaded => Vec::new(),
            PutBack::Lines => {
                let window = self.pipeline.stages[index].window();
                let cells = self.halo_cells(index, halo).into_iter().map(|(block, from)| (block, window, from));
                self.replace_lines(self.tile.stages[index].sweep, cells.collect())
            }
            PutBack::Selected => self.select_halo(index, halo),
            PutBack::Tested => self.replace_tested(index, halo),
        }
    }

    /// The cells of a stage, and where each finds what it holds in the halo.
    fn halo_cells(&mut self, index: usize, halo: StageHalo) -> Vec<(BlockCell, Location)> {
        let (piped, blocks) = (&self.pipeline.stages[index], self.blocks);
        let mut from = |block| match halo.load {
            Some(HaloLoad { buffer, moment: Moment::PutBack }) => {
                self.element(buffer, Position::Here, Index::Const(-piped.lag()), block)
            }
            _ => held(piped.window(), halo.source, block),
        };
        blocks.own().map(|block| (block, from(block))).collect()
    }

    /// Chooses each cell without a branch, and loads what the next step chooses.
    fn select_halo(&mut self, index: usize, halo: StageHalo) -> Vec<Statement> {
        let (window, mask) = (self.pipeline.stages[index].window(), halo_now(index));
        let mut body = vec![self.halo_mask(index, &mask, 0)];
        body.extend(self.halo_cells(index, halo).into_iter().map(|(block, from)| {
            let to = register(window, 0, block);
            Statement::Select { to, mask: mask.clone(), bits: self.bit(block), from }
        }));
        if let Some(load) = halo.load {
            body.extend(self.next_halo(index, load.buffer));
        }
        body
    }

    /// Replaces cells behind one test; the mask is there if they have been loaded by it.
    fn replace_tested(&mut self, index: usize, halo: StageHalo) -> Vec<Statement> {
        let (window, mask) = (self.pipeline.stages[index].window(), halo_now(index));
        let has_mask = halo.load.is_some_and(|load| matches!(load.moment, Moment::StepBegin | Moment::Before(_)));
        let mut body: Vec<Statement> = (!has_mask).then(|| self.halo_mask(index, &mask, 0)).into_iter().collect();
        let copies = self.halo_cells(index, halo).into_iter().map(|(block, from)| {
            let to = register(window, 0, block);
            (self.bit(block), Statement::Copy { to, from })
        });
        let copies = copies.collect();
        body.push(self.in_halo(&mask, copies));
        body
    }

    /// What the masks of halos have a bit for.
    pub(super) fn places(&self) -> Places {
        match self.tests {
            EndTests { planes: true, rows: false, .. } if self.has_lines() => Places::Rows,
            EndTests { planes: false, rows: true, .. } if self.has_lines() => Places::Columns,
            _ => Places::Cells,
        }
    }

    /// The bit of a cell's place in the masks of halos.
    pub(super) fn halo_bit(&self, block: BlockCell) -> u32 {
        match self.places() {
            Places::Cells => self.bit(block),
            Places::Rows => 1 << block.0,
            Places::Columns => 1 << block.1,
        }
    }

    /// All bits of such a mask.
    fn halo_bits(&self) -> u32 {
        match self.places() {
            Places::Cells => self.all_bits(),
            Places::Rows => first_bits(self.shape.rows),
            Places::Columns => first_bits(self.shape.columns),
        }
    }

    /// Statements for cells, each if a mask of a halo has one of its places.
    pub(super) fn in_halo(&self, mask: &str, statements: Vec<(u32, Statement)>) -> Statement {
        let mut by_bits = BTreeMap::<u32, Vec<Statement>>::new();
        for (bits, statement) in statements {
            by_bits.entry(bits).or_default().push(statement);
        }
        let each = |(bits, body)| Statement::If { condition: among(mask, bits), body };
        let mut body: Vec<Statement> = by_bits.into_iter().map(each).collect();
        if body.len() == 1 {
            return body.remove(0);
        }
        Statement::If { condition: among(mask, self.halo_bits()), body }
    }

    /// The mask of the halo in the row that a stage computes so many steps after this one.
    pub(super) fn halo_mask(&mut self, index: usize, name: &str, steps: i64) -> Statement {
        let row = Index::name("row").plus(steps - self.pipeline.stages[index].lag());
        self.halo_mask_of_row(index, name, row)
    }

    /// The mask of the halo in a row of a stage.
    pub(super) fn halo_mask_of_row(&mut self, index: usize, name: &str, row: Index) -> Statement {
        let masks = vec![Bits::Mask(self.places().mask(self.tile.stages[index].sweep))];
        let condition = Condition::All(self.has_row(index, row));
        Statement::MaskIf { name: name.to_owned(), condition, masks, otherwise: self.halo_bits() }
    }
}

/// What a mask of a halo has a bit for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Places {
    /// Each cell of the block.
    Cells,
    /// Each row of it.
    Rows,
    /// Each column of it.
    Columns,
}

impl Places {
    /// The mask of a sweep's halo.
    pub(super) fn mask(self, sweep: usize) -> String {
        match self {
            Self::Cells => format!("halo{sweep}"),
            Self::Rows => format!("rows{sweep}"),
            Self::Columns => format!("columns{sweep}"),
        }
    }
}

/// The register with what a window's halo holds.
pub(super) fn held(window: usize, source: HaloSource, block: BlockCell) -> Location {
    match source {
        HaloSource::Window { window, age } => register(window, age, block),
        HaloSource::Buffer { .. } => Location::Register(loaded(window, block)),
    }
}

/// The mask of the halo's cells in the row that a stage computes in this step.
pub(super) fn halo_now(stage: usize) -> String {
    format!("halo_now{stage}")
}

/// Masks of what something reads, of what is inside, and of what is read and not inside.
pub(super) fn read_outside(
    name: String,
    (read, is_read): (String, Vec<Condition>),
    (inside, is_inside): (String, Vec<Condition>),
) -> [Statement; 3] {
    [
        Statement::Mask { name: read.clone(), bits: is_read },
        Statement::Mask { name: inside.clone(), bits: is_inside },
        difference(name, read, &inside),
    ]
}

/// A mask of the bits of one that another one lacks.
fn difference(name: String, mask: String, other: &str) -> Statement {
    intersection(name, vec![Bits::Mask(mask), Bits::mask(other).inverted()])
}

/// Whether two boxes have a cell in common.
fn overlap(bounds: &Bounds, cells: &Bounds) -> Condition {
    let common = bounds.iter().zip(cells).flat_map(|((lo, hi), (first, last))| {
        [Condition::less_equal(lo.clone(), last.clone()), Condition::less_equal(first.clone(), hi.clone())]
    });
    Condition::All(common.collect())
}
