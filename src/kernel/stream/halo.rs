//! What cells beside a sweep's domain hold.
//!
//! Of these cells those matter that something reads, the sweep's *halo*; no step changes them. A stage computes all cells of
//! a block and then replaces those of the halo, as the text's [`Boundary`](super::boundary::Boundary) says: cell by cell
//! without a branch or, where many stages have to load them, behind one test that sub-groups without such cells pass by.

use std::collections::BTreeMap;

use super::boundary::{Mask, PutBack, StageHalo};
use super::halo_loads::{HaloLoad, Moment, Prefetch};
use super::masks::{among, first_bits};
use super::memory::Position;
use super::text::Places;
use super::{Builder, register};
use crate::kernel::registers::Registers;
use crate::kernel::{ArgumentKind, Bits, Condition, Index, Location, Statement};
use crate::tile::{BlockCell, HaloSource};

impl Builder<'_> {
    /// Behind a stage: puts back what its halo holds, if that happens there.
    pub(super) fn replace_halo(&mut self, index: usize) -> Vec<Statement> {
        let Some(halo) = self.boundary.stages[index].halo else { return Vec::new() };
        let window = self.pipeline.stages[index].window();
        match halo.put_back {
            PutBack::Deferred | PutBack::Loaded => Vec::new(),
            PutBack::Lines => {
                let cells = self.halo_cells(index, halo).into_iter().map(|(block, from)| (block, window, from));
                self.replace_lines(self.tile.stages[index].sweep, cells.collect())
            }
            PutBack::Selected => self.select_halo(index, halo),
            PutBack::TestedBefore => vec![self.replace_tested(index, halo)],
            PutBack::Tested => vec![self.halo_mask(index, &halo_now(index), 0), self.replace_tested(index, halo)],
        }
    }

    /// The cells of a stage, and where each finds what it holds in the halo.
    fn halo_cells(&mut self, index: usize, halo: StageHalo) -> Vec<(BlockCell, Location)> {
        let (piped, blocks) = (&self.pipeline.stages[index], self.blocks);
        let mut from = |block| match halo.load {
            Some(HaloLoad { buffer, moment: Moment::PutBack, .. }) => {
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
            let (next, row) = (format!("halo_next{index}"), Index::Const(1 - self.pipeline.stages[index].lag()));
            body.push(self.halo_mask(index, &next, 1));
            body.push(self.halo_row(index, load, &next, Position::Here, row));
        }
        body
    }

    /// Replaces cells behind one test.
    fn replace_tested(&mut self, index: usize, halo: StageHalo) -> Statement {
        let window = self.pipeline.stages[index].window();
        let copies = self.halo_cells(index, halo).into_iter().map(|(block, from)| {
            let to = register(window, 0, block);
            (self.bit(block), Statement::Copy { to, from })
        });
        self.in_halo(&halo_now(index), copies.collect())
    }

    /// Brings the rows near whose halos are loaded some steps later, and loads those that stages need in this one; rows of
    /// the stream before and behind the domain are few.
    pub(super) fn load_halos_of_step(&mut self) -> Vec<Statement> {
        let mut body = Vec::new();
        for (index, halo) in self.boundary.halos() {
            if let Some(HaloLoad { buffer, prefetch: Some(prefetch), .. }) = halo.load
                && !prefetch.is_with_load
            {
                body.push(self.prefetch_halo(index, buffer, prefetch));
            }
        }
        body.extend(self.load_halos_at(Moment::StepBegin));
        body
    }

    /// Brings the row near whose halo a stage needs some steps later.
    pub(super) fn prefetch_halo(&mut self, index: usize, buffer: ArgumentKind, prefetch: Prefetch) -> Statement {
        let condition = among(&Mask::PrefetchedHalo.name(self.tile.stages[index].sweep), 1);
        Statement::If { condition, body: vec![self.prefetch(buffer, prefetch.steps)] }
    }

    /// Loads the halos that stages need in this step, as far as a moment is theirs.
    pub(super) fn load_halos_at(&mut self, moment: Moment) -> Vec<Statement> {
        let mut body = Vec::new();
        for (index, load) in self.boundary.loaded_at(moment) {
            let (mask, row) = (halo_now(index), Index::Const(-self.pipeline.stages[index].lag()));
            body.push(self.declare_halo(index));
            body.push(self.halo_mask(index, &mask, 0));
            body.push(self.halo_row(index, load, &mask, Position::Here, row));
        }
        body
    }

    /// Before the first step: the halos of its rows.
    pub(super) fn first_halos(&mut self) -> Vec<Statement> {
        let mut body = Vec::new();
        for (index, load) in self.boundary.loaded_at(Moment::StepBefore) {
            let mask = format!("halo_first{index}");
            let row = Index::name("first_row").plus(-self.pipeline.stages[index].lag());
            body.push(self.declare_halo(index));
            body.push(self.halo_mask_of_row(index, &mask, row.clone()));
            body.push(self.halo_row(index, load, &mask, Position::Block, row));
        }
        body
    }

    fn declare_halo(&self, index: usize) -> Statement {
        let window = self.pipeline.stages[index].window();
        let names = self.blocks.own().map(|block| loaded(window, block)).collect();
        Statement::Registers { element: self.pipeline.windows[window].element, names }
    }

    /// Loads what a mask has of a row.
    fn halo_row(&mut self, index: usize, load: HaloLoad, mask: &str, from: Position, row: Index) -> Statement {
        let (window, blocks, width) = (self.pipeline.stages[index].window(), self.blocks, load.columns);
        let element = self.pipeline.windows[window].element;
        let mut loads = Vec::new();
        for (i, j) in blocks.own().filter(|(_, j)| j % width == 0) {
            let from = self.element(load.buffer, from, row.clone(), (i, j));
            let cells: Vec<BlockCell> = (j..j + width).map(|j| (i, j)).collect();
            let to = cells.iter().map(|cell| loaded(window, *cell)).collect();
            let bits = cells.iter().map(|cell| self.halo_bit(*cell)).fold(0, |all, bit| all | bit);
            loads.push((bits, Statement::LoadVector { element, to, from }));
        }
        self.in_halo(mask, loads)
    }

    /// The bit of a cell's place in the masks of halos.
    fn halo_bit(&self, block: BlockCell) -> u32 {
        match self.boundary.places {
            Places::Cells => self.bit(block),
            Places::Rows => 1 << block.0,
            Places::Columns => 1 << block.1,
        }
    }

    /// All bits of such a mask.
    fn halo_bits(&self) -> u32 {
        match self.boundary.places {
            Places::Cells => self.all_bits(),
            Places::Rows => first_bits(self.shape.rows),
            Places::Columns => first_bits(self.shape.columns),
        }
    }

    /// Statements for cells, each if a mask of a halo has one of its places.
    fn in_halo(&self, mask: &str, statements: Vec<(u32, Statement)>) -> Statement {
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
    fn halo_mask(&mut self, index: usize, name: &str, steps: i64) -> Statement {
        let row = Index::name("row").plus(steps - self.pipeline.stages[index].lag());
        self.halo_mask_of_row(index, name, row)
    }

    /// The mask of the halo in a row of a stage.
    fn halo_mask_of_row(&mut self, index: usize, name: &str, row: Index) -> Statement {
        let masks = vec![Bits::Mask(Mask::Halo(self.boundary.places).name(self.tile.stages[index].sweep))];
        let condition = Condition::All(self.has_row(index, row));
        Statement::MaskIf { name: name.to_owned(), condition, masks, otherwise: self.halo_bits() }
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
fn halo_now(stage: usize) -> String {
    format!("halo_now{stage}")
}

/// The register for what a stage's halo holds in a step.
fn loaded(window: usize, block: BlockCell) -> String {
    format!("{}_halo", Registers::name(window, 0, block))
}
