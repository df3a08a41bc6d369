//! What cells beside a sweep's domain hold.
//!
//! Of these cells those matter that something reads, the sweep's *halo*; no step changes them. A stage computes all cells of
//! a block and then replaces those of the halo, as the text's [`Boundary`](super::boundary::Boundary) says: cell by cell
//! without a branch or, where many stages have to load them, behind one test that sub-groups without such cells pass by.

use super::boundary::{Mask, PutBack, StageHalo};
use super::halo_loads::{HaloLoad, Moment, Prefetch};
use super::masks::{among, first_bits, where_in};
use super::memory::Position;
use super::text::Places;
use super::{Builder, register};
use crate::kernel::registers::Registers;
use crate::kernel::{ArgumentKind, Bits, Condition, Index, Location, Statement};
use crate::tile::{BlockCell, HaloSource, StreamStage};

impl Builder<'_> {
    /// Behind a stage: puts back what its halo holds, if that happens there.
    pub(super) fn replace_halo(&mut self, at: StreamStage<'_>, halo: StageHalo) -> Vec<Statement> {
        match halo.put_back {
            PutBack::Deferred | PutBack::Loaded => Vec::new(),
            PutBack::Lines => {
                let window = at.piped.window();
                let cells = self.halo_cells(at, halo).into_iter().map(|(block, from)| (block, window, from));
                self.replace_lines(at.stage.sweep, cells.collect())
            }
            PutBack::Selected => self.select_halo(at, halo),
            PutBack::TestedBefore => vec![self.replace_tested(at, halo)],
            PutBack::Tested => vec![self.halo_mask(at, &halo_now(at), 0), self.replace_tested(at, halo)],
        }
    }

    /// The cells of a stage, and where each finds what it holds in the halo.
    fn halo_cells(&mut self, at: StreamStage<'_>, halo: StageHalo) -> Vec<(BlockCell, Location)> {
        let blocks = self.blocks;
        let mut from = |block| match halo.load {
            Some(HaloLoad { buffer, moment: Moment::PutBack, .. }) => self.element_of(at, buffer, block),
            _ => held(at.piped.window(), halo.source, block),
        };
        blocks.own().map(|block| (block, from(block))).collect()
    }

    /// Chooses each cell without a branch, and loads what the next step chooses.
    fn select_halo(&mut self, at: StreamStage<'_>, halo: StageHalo) -> Vec<Statement> {
        let (window, mask) = (at.piped.window(), halo_now(at));
        let mut body = vec![self.halo_mask(at, &mask, 0)];
        body.extend(self.halo_cells(at, halo).into_iter().map(|(block, from)| {
            let to = register(window, 0, block);
            Statement::Select { to, mask: mask.clone(), bits: self.bit(block), from }
        }));
        if let Some(load) = halo.load {
            body.extend(self.load_halo(at, load, &format!("halo_next{}", at.index), 1));
        }
        body
    }

    /// Replaces cells behind one test.
    fn replace_tested(&mut self, at: StreamStage<'_>, halo: StageHalo) -> Statement {
        let copies = self.halo_cells(at, halo).into_iter().map(|(block, from)| {
            let to = register(at.piped.window(), 0, block);
            (self.bit(block), Statement::Copy { to, from })
        });
        where_in(&halo_now(at), self.halo_bits(), copies.collect())
    }

    /// Brings the rows near whose halos are loaded some steps later, and loads those that stages need in this one; rows of
    /// the stream before and behind the domain are few.
    pub(super) fn load_halos_of_step(&mut self) -> Vec<Statement> {
        let mut body = Vec::new();
        for (at, halo) in self.boundary.halos() {
            if let Some(HaloLoad { buffer, prefetch: Some(prefetch), .. }) = halo.load
                && !prefetch.is_with_load
            {
                body.push(self.prefetch_halo(at, buffer, prefetch));
            }
        }
        body.extend(self.load_halos_at(Moment::StepBegin));
        body
    }

    /// Brings the row near whose halo a stage needs some steps later.
    pub(super) fn prefetch_halo(&mut self, at: StreamStage<'_>, buffer: ArgumentKind, prefetch: Prefetch) -> Statement {
        let condition = among(&Mask::PrefetchedHalo.name(at.stage.sweep), 1);
        Statement::If { condition, body: vec![self.prefetch(buffer, prefetch.steps)] }
    }

    /// Loads the halos that stages need in this step, as far as a moment is theirs.
    pub(super) fn load_halos_at(&mut self, moment: Moment) -> Vec<Statement> {
        let mut body = Vec::new();
        for (at, load) in self.boundary.loaded_at(moment) {
            body.push(self.declare_halo(at));
            body.extend(self.load_halo(at, load, &halo_now(at), 0));
        }
        body
    }

    /// Loads the halo that a stage needs so many steps after this one.
    fn load_halo(&mut self, at: StreamStage<'_>, load: HaloLoad, mask: &str, steps: i64) -> [Statement; 2] {
        let row = Index::Const(steps - at.piped.lag());
        [self.halo_mask(at, mask, steps), self.halo_row(at, load, mask, Position::Here, row)]
    }

    /// Before the first step: the halos of its rows.
    pub(super) fn first_halos(&mut self) -> Vec<Statement> {
        let mut body = Vec::new();
        for (at, load) in self.boundary.loaded_at(Moment::StepBefore) {
            let mask = format!("halo_first{}", at.index);
            let row = Index::name("first_row").plus(-at.piped.lag());
            body.push(self.declare_halo(at));
            body.push(self.halo_mask_of_row(at, &mask, row.clone()));
            body.push(self.halo_row(at, load, &mask, Position::Block, row));
        }
        body
    }

    fn declare_halo(&self, at: StreamStage<'_>) -> Statement {
        let names = self.blocks.own().map(|block| loaded(at.piped.window(), block)).collect();
        Statement::Registers { element: at.window.element, names }
    }

    /// Loads what a mask has of a row.
    fn halo_row(&mut self, at: StreamStage<'_>, load: HaloLoad, mask: &str, from: Position, row: Index) -> Statement {
        let (element, width) = (at.window.element, load.columns);
        let mut loads = Vec::new();
        for (i, j) in self.blocks.own().filter(|(_, j)| j % width == 0) {
            let from = self.element(load.buffer, from, row.clone(), (i, j));
            let cells: Vec<BlockCell> = (j..j + width).map(|j| (i, j)).collect();
            let to = cells.iter().map(|cell| loaded(at.piped.window(), *cell)).collect();
            let bits = cells.iter().map(|cell| self.halo_bit(*cell)).fold(0, |all, bit| all | bit);
            loads.push((bits, Statement::LoadVector { element, to, from }));
        }
        where_in(mask, self.halo_bits(), loads)
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

    /// The mask of the halo in the row that a stage computes so many steps after this one.
    fn halo_mask(&mut self, at: StreamStage<'_>, name: &str, steps: i64) -> Statement {
        self.halo_mask_of_row(at, name, Index::name("row").plus(steps - at.piped.lag()))
    }

    /// The mask of the halo in a row of a stage.
    fn halo_mask_of_row(&mut self, at: StreamStage<'_>, name: &str, row: Index) -> Statement {
        let masks = vec![Bits::Mask(Mask::Halo(self.boundary.places).name(at.stage.sweep))];
        let condition = Condition::All(self.has_row(at, row));
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
fn halo_now(at: StreamStage<'_>) -> String {
    format!("halo_now{}", at.index)
}

/// The register for what a stage's halo holds in a step.
fn loaded(window: usize, block: BlockCell) -> String {
    format!("{}_halo", Registers::name(window, 0, block))
}
