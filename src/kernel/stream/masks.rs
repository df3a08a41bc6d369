//! Masks: which cells of a work-item's block its sweeps write, which of them the work-group owns, and which are halo.
//!
//! Whether a cell is inside depends on its row of the stream and on its place in that row. The places do not change, so the
//! answers for a whole block are one mask, made once; every stage takes it, or nothing, for the row that it computes.

use std::collections::BTreeMap;

use super::Builder;
use super::boundary::Mask;
use super::text::Places;
use crate::kernel::cells::Bounds;
use crate::kernel::{Bits, Condition, Index, Statement};
use crate::tile::BlockCell;

/// The mask of the block's cells that the work-group owns.
const CORE: &str = "core";

impl Builder<'_> {
    /// The masks that the text takes: the cells of the core, and those of every sweep's domain and halo.
    pub(super) fn masks(&mut self) -> Vec<Statement> {
        let core = (self.first_in_row()..self.rank()).map(|d| self.core_bounds(d)).collect();
        let mut masks = vec![self.mask(CORE.into(), &[core])];
        for (sweep, mask) in self.boundary.masks.clone() {
            masks.extend(self.mask_of_sweep(sweep, mask));
        }
        masks
    }

    fn mask_of_sweep(&mut self, sweep: usize, mask: Mask) -> Vec<Statement> {
        let (name, bounds) = (mask.name(sweep), self.bounds(sweep));
        match mask {
            Mask::Core => Vec::new(),
            Mask::Domain => vec![self.mask(name, &[bounds])],
            Mask::Owned => vec![owned_by(name, sweep)],
            Mask::Vectors => self.vectors(sweep, name),
            Mask::Singles => {
                let in_vectors = Bits::mask(Mask::Vectors.name(sweep));
                let in_vectors = Bits::Spread(Box::new(in_vectors), first_bits(self.shape.columns));
                vec![intersection(name, vec![Bits::mask(Mask::Owned.name(sweep)), in_vectors.inverted()])]
            }
            Mask::Halo(Places::Cells) => {
                let read = format!("read{sweep}");
                let touched = self.touched(sweep);
                vec![self.mask(read.clone(), &touched), difference(name, read, &Mask::Domain.name(sweep))]
            }
            Mask::Halo(places) => {
                let touched = self.touched(sweep);
                let (read, inside) = (format!("{name}_read"), format!("{name}_domain"));
                let is_read = (read, self.lines(places, &touched));
                read_outside(name, is_read, (inside, self.lines(places, &[bounds]))).into()
            }
            Mask::PrefetchedHalo => {
                let cells = self.line();
                let (read, inside) = (format!("line_read{sweep}"), format!("line_domain{sweep}"));
                let overlaps = self.touched(sweep).iter().map(|bounds| overlap(bounds, &cells)).collect();
                let is_read = (read, vec![Condition::Any(overlaps)]);
                read_outside(name, is_read, (inside, vec![contains(&bounds, &cells)])).into()
            }
        }
    }

    /// A mask of the cells whose places in their row are in one of the boxes.
    fn mask(&self, name: String, boxes: &[Bounds]) -> Statement {
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
            false => (Index::name(format!("o{d}")), self.stream.tile.core[d]),
        };
        (origin.clone(), origin.plus(extent - 1))
    }

    /// A sweep's domain in the dimensions that are not streamed along.
    fn bounds(&mut self, sweep: usize) -> Bounds {
        self.subject.domain(sweep, &mut self.arguments).split_off(self.first_in_row())
    }

    /// Boxes of the cells that sweeps read of the field that a sweep writes.
    fn touched(&mut self, sweep: usize) -> Vec<Bounds> {
        let storage = &self.subject.recurrences().storage;
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

    /// Few instructions make the masks of what is stored, since compilers do so in every step where registers are scarce.
    fn vectors(&self, sweep: usize, name: String) -> Vec<Statement> {
        let mut whole = Mask::Owned.name(sweep);
        let mut masks = vec![owned_by(whole.clone(), sweep)];
        for columns in (0..).map(|doublings| 1_i64 << doublings).take_while(|columns| *columns < self.shape.columns) {
            let wider = format!("{whole}_{columns}");
            let lower = Bits::Lower(Box::new(Bits::mask(&whole)), columns);
            masks.push(intersection(wider.clone(), vec![Bits::mask(whole), lower]));
            whole = wider;
        }
        let first: u32 = (0..self.shape.rows).map(|row| self.bit((row, 0))).sum();
        masks.push(intersection(name, vec![Bits::mask(whole), Bits::Const(first)]));
        masks
    }

    /// Which rows or columns of a block are in one of the boxes.
    fn lines(&self, places: Places, boxes: &[Bounds]) -> Vec<Condition> {
        let (d, count) = if places == Places::Rows { (1, self.shape.rows) } else { (2, self.shape.columns) };
        let of = |k: i64| {
            let x = self.cell(Index::Const(0), if d == 1 { (k, 0) } else { (0, k) }).swap_remove(d);
            let has = |bounds: &Bounds| contains(&vec![bounds[d - 1].clone()], &vec![(x.clone(), x.clone())]);
            Condition::Any(boxes.iter().map(has).collect())
        };
        (0..count).map(of).collect()
    }

    /// The bit of a cell in the masks.
    pub(super) fn bit(&self, (row, column): BlockCell) -> u32 {
        1 << (row * self.shape.columns + column)
    }

    pub(super) fn all_bits(&self) -> u32 {
        first_bits(self.shape.rows * self.shape.columns)
    }
}

impl Mask {
    /// Its variable.
    pub(super) fn name(self, sweep: usize) -> String {
        match self {
            Self::Core => CORE.to_owned(),
            Self::Domain => format!("domain{sweep}"),
            Self::Owned => format!("owned{sweep}"),
            Self::Vectors => format!("vectors{sweep}"),
            Self::Singles => format!("single{sweep}"),
            Self::Halo(Places::Cells) => format!("halo{sweep}"),
            Self::Halo(Places::Rows) => format!("rows{sweep}"),
            Self::Halo(Places::Columns) => format!("columns{sweep}"),
            Self::PrefetchedHalo => format!("line_halo{sweep}"),
        }
    }
}

/// A mask of the cells that a sweep writes and the work-group owns.
fn owned_by(name: String, sweep: usize) -> Statement {
    intersection(name, vec![Bits::mask(CORE), Bits::mask(Mask::Domain.name(sweep))])
}

/// So many bits.
pub(super) fn first_bits(count: i64) -> u32 {
    u32::MAX >> (i64::from(u32::BITS) - count)
}

/// Whether a mask has one of some bits.
pub(super) fn among(mask: &str, bits: u32) -> Condition {
    Condition::Bits { mask: mask.to_owned(), bits }
}

/// Statements, each for cells with some bits in a mask; if there are several, behind one test of all.
pub(super) fn where_in(mask: &str, all: u32, statements: Vec<(u32, Statement)>) -> Statement {
    let mut by_bits = BTreeMap::<u32, Vec<Statement>>::new();
    for (bits, statement) in statements {
        by_bits.entry(bits).or_default().push(statement);
    }
    let each = |(bits, body)| Statement::If { condition: among(mask, bits), body };
    let mut body: Vec<Statement> = by_bits.into_iter().map(each).collect();
    if body.len() == 1 { body.remove(0) } else { Statement::If { condition: among(mask, all), body } }
}

/// A mask of the bits that all of some masks have.
fn intersection(name: String, masks: Vec<Bits>) -> Statement {
    Statement::MaskIf { name, condition: Condition::All(Vec::new()), masks, otherwise: 0 }
}

/// A mask of the bits of one that another one lacks.
fn difference(name: String, mask: String, other: &str) -> Statement {
    intersection(name, vec![Bits::Mask(mask), Bits::mask(other).inverted()])
}

/// Masks of what something reads, of what is inside, and of what is read and not inside.
fn read_outside(
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

/// Whether a box contains all cells of another one.
fn contains(bounds: &Bounds, cells: &Bounds) -> Condition {
    let inside = bounds.iter().zip(cells).flat_map(|((lo, hi), (first, last))| {
        [Condition::less_equal(lo.clone(), first.clone()), Condition::less_equal(last.clone(), hi.clone())]
    });
    Condition::All(inside.collect())
}

/// Whether two boxes have a cell in common: one begins before the other ends.
fn overlap(bounds: &Bounds, cells: &Bounds) -> Condition {
    contains(bounds, &cells.iter().map(|(first, last)| (last.clone(), first.clone())).collect())
}
