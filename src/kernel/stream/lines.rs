//! Halos at the ends of planes and rows: whole rows and whole columns of a block.
//!
//! Where a tile reaches no end of the stream, all rows of the stream are alike, and a cell is outside a sweep's domain if its row
//! or its column of the block is. At the ends of rows all sub-groups of a tile have such columns, and choose by the column
//! without a branch; at those of planes few sub-groups have such rows, and the others pass by.
//!
//! In three dimensions neighbours in a plane are read a step after it was computed (`PipelineRules::age_of_rows`). In the same
//! step a stage reads of what another one computes the same cell only; where both are of one sweep, nothing uses what it makes
//! of a cell of the halo, which is one of its own too. Then halos are *deferred*: put back when a step ends, those of all
//! stages together. What no window holds is loaded right into the stage's window, as soon as no stage needs what was there, if
//! later stages hide the load; otherwise into registers of its own when the step begins.

use std::collections::BTreeMap;

use super::boundary::{Bounds, among, contains, first_bits};
use super::halo::{Places, held, read_outside};
use super::memory::Position;
use super::stage_halo::{Moment, PutBack};
use super::{Builder, EndTests, register};
use crate::kernel::registers::Registers;
use crate::kernel::{Condition, Index, Location, Statement};
use crate::tile::BlockCell;

impl Builder<'_> {
    /// Whether whole rows and columns of a block are outside a sweep's domain, in every row of the stream.
    pub(super) fn has_lines(&self) -> bool {
        self.rank() == 3 && !self.is_full() && !self.tests.stream
    }

    /// Whether a block has no column inside a domain if it has one outside; then what it holds beside these is of no use.
    pub(super) fn has_whole_columns(&self) -> bool {
        self.has_lines() && !self.tests.planes
    }

    /// Of a mask of columns the bits that tell whether one is outside.
    fn column_bits(&self, column: i64) -> u32 {
        if self.has_whole_columns() { first_bits(self.shape.columns) } else { 1 << column }
    }

    /// Masks of the rows and of the columns of a block that something reads outside a sweep's domain.
    pub(super) fn lines(&self, sweep: usize, touched: &[Bounds], bounds: &Bounds) -> Vec<Statement> {
        let mut masks = Vec::new();
        let EndTests { planes, rows, .. } = self.tests;
        for (d, places, is_reached) in [(1, Places::Rows, planes), (2, Places::Columns, rows)] {
            if !is_reached {
                continue;
            }
            let count = if d == 1 { self.shape.rows } else { self.shape.columns };
            let bits = |boxes: &[Bounds]| {
                let of = |k: i64| {
                    let x = self.cell(Index::Const(0), if d == 1 { (k, 0) } else { (0, k) }).swap_remove(d);
                    let has = |bounds: &Bounds| contains(&vec![bounds[d - 1].clone()], &vec![(x.clone(), x.clone())]);
                    Condition::Any(boxes.iter().map(has).collect())
                };
                (0..count).map(of).collect()
            };
            let name = places.mask(sweep);
            let (read, inside) = (format!("{name}_read"), format!("{name}_domain"));
            masks.extend(read_outside(name, (read, bits(touched)), (inside, bits(std::slice::from_ref(bounds)))));
        }
        masks
    }

    /// Puts back what rows and columns outside a sweep's domain hold: cells, the windows that have them, and where from.
    pub(super) fn replace_lines(&self, sweep: usize, cells: Vec<(BlockCell, usize, Location)>) -> Vec<Statement> {
        let (mut of_columns, mut of_rows) = (Vec::new(), BTreeMap::<i64, Vec<Statement>>::new());
        let mask = Places::Columns.mask(sweep);
        for (block, window, from) in cells {
            let to = register(window, 0, block);
            of_rows.entry(block.0).or_default().push(Statement::Copy { to: to.clone(), from: from.clone() });
            of_columns.push(Statement::Select { to, mask: mask.clone(), bits: self.column_bits(block.1), from });
        }
        self.in_lines(sweep, of_columns, Vec::new(), of_rows)
    }

    /// What all sub-groups do with their columns at the ends of rows, and those that have rows outside a sweep's domain with
    /// these.
    fn in_lines(
        &self,
        sweep: usize,
        of_columns: Vec<Statement>,
        mut with_rows: Vec<Statement>,
        of_rows: BTreeMap<i64, Vec<Statement>>,
    ) -> Vec<Statement> {
        let mut body = if self.tests.rows { of_columns } else { Vec::new() };
        if self.tests.planes {
            let rows = Places::Rows.mask(sweep);
            let of_row = |(row, body)| Statement::If { condition: among(&rows, 1_u32 << row), body };
            with_rows.extend(of_rows.into_iter().map(of_row));
            body.push(Statement::If { condition: among(&rows, first_bits(self.shape.rows)), body: with_rows });
        }
        body
    }

    /// After a stage: loads the deferred halos that may now take the place of what stages have computed.
    pub(super) fn load_deferred_halos(&mut self, after: usize) -> Vec<Statement> {
        let mut body = Vec::new();
        for (index, kind) in self.loaded_at(Moment::After(after)) {
            let piped = &self.pipeline.stages[index];
            let sweep = self.tile.stages[index].sweep;
            let (mut of_rows, mut of_columns) = (BTreeMap::new(), BTreeMap::<u32, Vec<Statement>>::new());
            let (window, behind) = (piped.window(), Index::Const(-piped.lag()));
            let element = self.pipeline.windows[window].element;
            for i in 0..self.shape.rows {
                let load = |builder: &mut Self, first: i64, columns: i64| {
                    let to = (first..first + columns).map(|j| Registers::name(window, 0, (i, j))).collect();
                    let from = builder.element(kind, Position::Here, behind.clone(), (i, first));
                    Statement::LoadVector { element, to, from }
                };
                let width = if self.has_whole_columns() { self.shape.columns } else { 1 };
                for first in (0..self.shape.columns).step_by(usize::try_from(width).unwrap_or(1)) {
                    of_columns.entry(self.column_bits(first)).or_default().push(load(self, first, width));
                }
                of_rows.insert(i, vec![load(self, 0, self.shape.columns)]);
            }
            let mask = Places::Columns.mask(sweep);
            let of_column = |(bits, body)| Statement::If { condition: among(&mask, bits), body };
            let prefetch = self.halos[index].and_then(|halo| halo.prefetch).filter(|prefetch| prefetch.is_with_load);
            let prefetch = prefetch.map(|prefetch| self.prefetch_halo(index, kind, prefetch)).into_iter().collect();
            body.extend(self.in_lines(sweep, of_columns.into_iter().map(of_column).collect(), prefetch, of_rows));
        }
        body
    }

    /// When a step ends: puts back what deferred halos hold that is not loaded right into their stages' windows.
    pub(super) fn put_back_deferred_halos(&self) -> Vec<Statement> {
        let mut by_sweep = BTreeMap::<usize, Vec<(BlockCell, usize, Location)>>::new();
        for (index, halo) in self.with_halos().into_iter().filter(|(_, halo)| halo.put_back == PutBack::Deferred) {
            let window = self.pipeline.stages[index].window();
            let cells = self.blocks.own().map(|block| (block, window, held(window, halo.source, block)));
            by_sweep.entry(self.tile.stages[index].sweep).or_default().extend(cells);
        }
        by_sweep.into_iter().flat_map(|(sweep, cells)| self.replace_lines(sweep, cells)).collect()
    }
}
