//! What cells beside a sweep's domain hold.
//!
//! Of these cells those matter that something reads, the sweep's *halo*; no step changes them. A stage computes all cells of
//! a block and then replaces those of the halo, cell by cell without a branch or, where many stages have to load them,
//! behind one test that sub-groups without such cells pass by.

use std::collections::BTreeMap;

use super::boundary::{Bounds, contains, domain, first_bits, intersection};
use super::halo_loads::{HaloLoads, line, loaded};
use super::memory::Position;
use super::{Builder, Text, register};
use crate::kernel::{Condition, Index, Place, Statement};
use crate::tile::{BlockCell, Halo};

impl Builder<'_> {
    /// The places outside a sweep's domain that something reads, and whether the work-item prefetches any of them.
    pub(super) fn halo_masks(&mut self, sweep: usize, bounds: &Bounds) -> Vec<Statement> {
        let of_sweep = |index: &usize| self.tile.stages[*index].sweep == sweep;
        let stages: Vec<usize> = (0..self.tile.stages.len()).filter(of_sweep).collect();
        if stages.iter().all(|index| self.pipeline.flows[*index].halo.is_none()) {
            return Vec::new();
        }
        let is_prefetched = self.prefetched_halos().into_iter().any(|(index, _)| stages.contains(&index));
        let touched = self.touched(sweep);
        let read = format!("read{sweep}");
        let mut masks = vec![self.mask(read.clone(), &touched), difference(halo(sweep), read, &domain(sweep))];
        if self.has_rows_and_columns() {
            masks.extend(self.rows_and_columns(sweep, &touched, bounds));
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

    /// Puts back what the halo of a stage holds.
    pub(super) fn replace_halo(&mut self, index: usize) -> Vec<Statement> {
        let (flow, blocks) = (&self.pipeline.flows[index], self.blocks);
        let Some(source) = flow.halo.filter(|_| !self.is_full()) else { return Vec::new() };
        let loads = self.halo_loads();
        let from = |builder: &mut Self, block: BlockCell| match source {
            Halo::Window { window, age } => register(window, age, block),
            Halo::Buffer { field, slot } if loads == HaloLoads::WhenNeeded => {
                let kind = builder.halo_buffer(field, slot);
                builder.element(kind, Position::Here, Index::Const(-flow.lag()), block)
            }
            Halo::Buffer { .. } => Place::Register(loaded(flow.window(), block)),
        };
        if self.has_rows_and_columns() {
            return vec![self.replace_rows_and_columns(index, from)];
        }
        let mask = halo_now(index);
        let is_new = loads != HaloLoads::WithStep || matches!(source, Halo::Window { .. });
        let mut body: Vec<Statement> = is_new.then(|| self.halo_mask(index, &mask, 0)).into_iter().collect();
        if loads == HaloLoads::RowAhead {
            body.extend(blocks.own().map(|block| {
                let (to, from) = (register(flow.window(), 0, block), from(self, block));
                Statement::Select { to, mask: mask.clone(), bits: self.bit(block), from }
            }));
            if matches!(source, Halo::Buffer { .. }) {
                body.extend(self.next_halo(index));
            }
            return body;
        }
        let copies = blocks.own().map(|block| {
            let copy = Statement::Copy { to: register(flow.window(), 0, block), from: from(self, block) };
            (self.bit(block), copy)
        });
        let copies = copies.collect();
        body.push(self.in_halo(&mask, copies));
        body
    }

    /// Whether whole rows and columns of a block are outside a sweep's domain, in every row of the stream.
    fn has_rows_and_columns(&self) -> bool {
        self.rank() == 3 && self.text == Text::Beside
    }

    /// Puts back what whole rows and whole columns of a block hold: where all rows of the stream are alike, a cell is outside
    /// the domain if its row or its column is.
    fn replace_rows_and_columns(&mut self, index: usize, from: impl Fn(&mut Self, BlockCell) -> Place) -> Statement {
        let (window, sweep) = (self.pipeline.flows[index].window(), self.tile.stages[index].sweep);
        let [rows, columns] = outside(sweep);
        let (mut body, mut of_rows) = (Vec::new(), BTreeMap::<i64, Vec<Statement>>::new());
        for block in self.blocks.own() {
            let (to, from) = (register(window, 0, block), from(self, block));
            of_rows.entry(block.0).or_default().push(Statement::Copy { to: to.clone(), from: from.clone() });
            body.push(Statement::Select { to, mask: columns.clone(), bits: 1 << block.1, from });
        }
        let among = |mask: String, bits: u32| Condition::Bits { mask, bits };
        let of_row = |(row, body)| Statement::If { condition: among(rows.clone(), 1_u32 << row), body };
        let of_rows = of_rows.into_iter().map(of_row).collect();
        body.push(Statement::If { condition: among(rows.clone(), first_bits(self.shape.rows)), body: of_rows });
        Statement::If { condition: among(halo(sweep), self.all_bits()), body }
    }

    /// Masks of the rows and of the columns of a block that something reads outside a sweep's domain.
    fn rows_and_columns(&self, sweep: usize, touched: &[Bounds], bounds: &Bounds) -> Vec<Statement> {
        let mut masks = Vec::new();
        for (d, name) in [1, 2].into_iter().zip(outside(sweep)) {
            let count = if d == 1 { self.shape.rows } else { self.shape.columns };
            let bits = |boxes: &[Bounds]| {
                let of = |k: i64| {
                    let x = self.cell(Index::Const(0), if d == 1 { (k, 0) } else { (0, k) }).swap_remove(d);
                    let has = |bounds: &Bounds| contains(&vec![bounds[d - 1].clone()], &vec![(x.clone(), x.clone())]);
                    Condition::Any(boxes.iter().map(has).collect())
                };
                (0..count).map(of).collect()
            };
            let (read, inside) = (format!("{name}_read"), format!("{name}_domain"));
            masks.extend(read_outside(name, (read, bits(touched)), (inside, bits(std::slice::from_ref(bounds)))));
        }
        masks
    }

    /// Statements for cells, each if a mask has one of its cells.
    pub(super) fn in_halo(&self, mask: &str, statements: Vec<(u32, Statement)>) -> Statement {
        let among = |bits: u32| Condition::Bits { mask: mask.to_owned(), bits };
        let each = |(bits, statement)| Statement::If { condition: among(bits), body: vec![statement] };
        let mut body: Vec<Statement> = statements.into_iter().map(each).collect();
        if body.len() == 1 {
            return body.remove(0);
        }
        Statement::If { condition: among(self.all_bits()), body }
    }

    /// The mask of the halo in the row that a stage computes so many steps after this one.
    pub(super) fn halo_mask(&mut self, index: usize, name: &str, steps: i64) -> Statement {
        let row = Index::name("row").plus(steps - self.pipeline.flows[index].lag());
        self.halo_mask_of_row(index, name, row)
    }

    /// The mask of the halo in a row of a stage.
    pub(super) fn halo_mask_of_row(&mut self, index: usize, name: &str, row: Index) -> Statement {
        let masks = vec![halo(self.tile.stages[index].sweep)];
        let condition = Condition::All(self.has_row(index, row));
        Statement::MaskIf { name: name.to_owned(), condition, masks, otherwise: self.all_bits() }
    }
}

/// The mask of the places in a sweep's halo.
fn halo(sweep: usize) -> String {
    format!("halo{sweep}")
}

/// The mask of the halo's cells in the row that a stage computes in this step.
pub(super) fn halo_now(stage: usize) -> String {
    format!("halo_now{stage}")
}

/// The masks of the block's rows and columns outside a sweep's domain.
fn outside(sweep: usize) -> [String; 2] {
    [format!("rows{sweep}"), format!("columns{sweep}")]
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
