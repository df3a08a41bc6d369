//! What cells beside a sweep's domain hold.
//!
//! Of these cells those matter that something reads, the sweep's *halo*; no step changes them. A stage computes all cells of
//! a block and then replaces those of the halo: compilers would make a branch of every choice, and wait for its result
//! before they begin with the next. Sub-groups without such cells pass by with one test.

use std::collections::BTreeMap;

use super::boundary::{Bounds, contains, domain, intersection};
use super::memory::Position;
use super::{Builder, register};
use crate::kernel::registers::Registers;
use crate::kernel::{ArgumentKind, Condition, Index, Place, Statement};
use crate::tile::{BlockCell, Halo};

impl Builder<'_> {
    /// The places outside a sweep's domain that something reads, and whether the work-item prefetches any of them.
    pub(super) fn halo_masks(&mut self, sweep: usize, bounds: &Bounds) -> Vec<Statement> {
        let stages = self.tile.stages.iter().zip(&self.pipeline.flows).filter(|(stage, _)| stage.sweep == sweep);
        let halos: Vec<&Halo> = stages.filter_map(|(_, flow)| flow.halo.as_ref()).collect();
        if halos.is_empty() {
            return Vec::new();
        }
        let is_loaded = self.loads_halos_ahead() && halos.iter().any(|halo| matches!(halo, Halo::Buffer { .. }));
        let touched = self.touched(sweep);
        let read = format!("read{sweep}");
        let mut masks = vec![self.mask(read.clone(), &touched), difference(halo(sweep), read, &domain(sweep))];
        if is_loaded && self.shape.prefetched > 0 {
            let cells = self.line();
            let (read, inside) = (format!("line_read{sweep}"), format!("line_domain{sweep}"));
            let overlaps = touched.iter().map(|bounds| overlap(bounds, &cells)).collect();
            masks.extend([
                Statement::Mask { name: read.clone(), bits: vec![Condition::Any(overlaps)] },
                Statement::Mask { name: inside.clone(), bits: vec![contains(bounds, &cells)] },
                difference(line(sweep), read, &inside),
            ]);
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

    /// Whether a step begins with loads of the halo's cells that no window holds. In fewer dimensions work-items with such
    /// cells are few, and values that wait would keep registers busy in all.
    fn loads_halos_ahead(&self) -> bool {
        self.rank() == 3
    }

    /// Loads the rows of the block whose halo no window holds, long before they are needed, and brings those near that are
    /// loaded some steps later; rows of the stream before and behind the domain are few.
    pub(super) fn load_halos(&mut self) -> Vec<Statement> {
        let mut body = Vec::new();
        if self.is_full || !self.loads_halos_ahead() {
            return body;
        }
        let (pipeline, blocks) = (self.pipeline, self.blocks);
        for (index, flow) in pipeline.flows.iter().enumerate() {
            let Some(Halo::Buffer { field, slot }) = flow.halo else { continue };
            let is_in_place = self.is_in_place(field, slot);
            let kind = ArgumentKind::source(field, slot, is_in_place);
            if self.shape.prefetched > 0 {
                let condition = Condition::Bits { mask: line(self.tile.stages[index].sweep), bits: 1 };
                body.push(Statement::If { condition, body: vec![self.prefetch(kind, -flow.lag())] });
            }
            let window = flow.window();
            let element = pipeline.windows[window].element;
            let names = blocks.own().map(|block| loaded(window, block)).collect();
            body.push(Statement::Registers { element, names });
            body.push(self.halo_mask(index));
            // Rows as vectors, unless others may write cells beside the halo meanwhile.
            let width = if is_in_place { 1 } else { self.shape.columns };
            let mut loads = Vec::new();
            for (i, j) in blocks.own().filter(|(_, j)| j % width == 0) {
                let from = self.element(kind, Position::Here, Index::Const(-flow.lag()), (i, j));
                let cells: Vec<BlockCell> = (j..j + width).map(|j| (i, j)).collect();
                let to = cells.iter().map(|cell| loaded(window, *cell)).collect();
                let bits = cells.iter().map(|cell| self.bit(*cell)).sum();
                loads.push((bits, Statement::LoadVector { element, to, from }));
            }
            body.push(self.in_halo(index, loads));
        }
        body
    }

    /// Puts back what the halo of a stage holds.
    pub(super) fn replace_halo(&mut self, index: usize) -> Vec<Statement> {
        let (flow, blocks) = (&self.pipeline.flows[index], self.blocks);
        let Some(source) = flow.halo.filter(|_| !self.is_full) else { return Vec::new() };
        let is_loaded = matches!(source, Halo::Buffer { .. }) && self.loads_halos_ahead();
        let copies = blocks.own().map(|block| {
            let from = match source {
                Halo::Window { window, age } => register(window, age, block),
                Halo::Buffer { .. } if is_loaded => Place::Register(loaded(flow.window(), block)),
                Halo::Buffer { field, slot } => {
                    let kind = ArgumentKind::source(field, slot, self.is_in_place(field, slot));
                    self.element(kind, Position::Here, Index::Const(-flow.lag()), block)
                }
            };
            (self.bit(block), Statement::Copy { to: register(flow.window(), 0, block), from })
        });
        let copies = copies.collect();
        let mask = (!is_loaded).then(|| self.halo_mask(index));
        mask.into_iter().chain([self.in_halo(index, copies)]).collect()
    }

    /// Statements for cells, each if one of its cells is in the halo of the row that a stage computes in this step.
    fn in_halo(&self, index: usize, statements: Vec<(u32, Statement)>) -> Statement {
        let among = |bits: u32| Condition::Bits { mask: halo_now(index), bits };
        let each = |(bits, statement)| Statement::If { condition: among(bits), body: vec![statement] };
        Statement::If { condition: among(self.all_bits()), body: statements.into_iter().map(each).collect() }
    }

    /// The mask of the halo in the row that a stage computes in this step.
    fn halo_mask(&mut self, index: usize) -> Statement {
        let masks = vec![halo(self.tile.stages[index].sweep)];
        let condition = Condition::All(self.has_row(index));
        Statement::MaskIf { name: halo_now(index), condition, masks, otherwise: self.all_bits() }
    }
}

/// The mask of the places in a sweep's halo.
fn halo(sweep: usize) -> String {
    format!("halo{sweep}")
}

/// The mask of the halo's cells in the row that a stage computes in this step.
fn halo_now(stage: usize) -> String {
    format!("halo_now{stage}")
}

/// The mask that tells whether the cells that a work-item prefetches are in a sweep's halo.
fn line(sweep: usize) -> String {
    format!("line_halo{sweep}")
}

/// The register for what a stage's halo holds in this step.
fn loaded(window: usize, block: BlockCell) -> String {
    format!("{}_halo", Registers::name(window, 0, block))
}

/// A mask of the bits of one that another one lacks.
fn difference(name: String, mask: String, other: &str) -> Statement {
    intersection(name, vec![mask, format!("~{other}")])
}

/// Whether two boxes have a cell in common.
fn overlap(bounds: &Bounds, cells: &Bounds) -> Condition {
    let common = bounds.iter().zip(cells).flat_map(|((lo, hi), (first, last))| {
        [Condition::LessEqual(lo.clone(), last.clone()), Condition::LessEqual(first.clone(), hi.clone())]
    });
    Condition::All(common.collect())
}
