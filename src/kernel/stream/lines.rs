//! Halos at the ends of planes and rows: whole rows and whole columns of a block.
//!
//! Where a tile reaches no end of the stream, all rows of the stream are alike, and a cell is outside a sweep's domain if its row
//! or its column of the block is. At the ends of rows all sub-groups of a tile have such columns, and choose by the column
//! without a branch; at those of planes few sub-groups have such rows, and the others pass by.

use std::collections::BTreeMap;

use super::boundary::{Mask, PutBack};
use super::halo::held;
use super::halo_loads::{HaloLoad, Moment};
use super::masks::{among, first_bits};
use super::text::Places;
use super::{Builder, register};
use crate::kernel::registers::Registers;
use crate::kernel::{ArgumentKind, Location, Statement};
use crate::tile::{BlockCell, StreamStage};

impl Builder<'_> {
    /// Of a mask of columns the bits that tell whether one is outside.
    fn column_bits(&self, column: i64) -> u32 {
        if self.boundary.has_whole_columns() { first_bits(self.shape.columns) } else { 1 << column }
    }

    /// Puts back what rows and columns outside a sweep's domain hold: cells, the windows that have them, and where from.
    pub(super) fn replace_lines(&self, sweep: usize, cells: Vec<(BlockCell, usize, Location)>) -> Vec<Statement> {
        let (mut of_columns, mut of_rows) = (Vec::new(), BTreeMap::<i64, Vec<Statement>>::new());
        let mask = Mask::Halo(Places::Columns).name(sweep);
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
        let lines = self.boundary.lines;
        let mut body = if lines.contains(&Places::Columns) { of_columns } else { Vec::new() };
        if lines.contains(&Places::Rows) {
            let rows = Mask::Halo(Places::Rows).name(sweep);
            let of_row = |(row, body)| Statement::If { condition: among(&rows, 1_u32 << row), body };
            with_rows.extend(of_rows.into_iter().map(of_row));
            body.push(Statement::If { condition: among(&rows, first_bits(self.shape.rows)), body: with_rows });
        }
        body
    }

    /// After a stage: loads the deferred halos that may now take the place of what stages have computed.
    pub(super) fn load_deferred_halos(&mut self, after: usize) -> Vec<Statement> {
        let loads = self.boundary.loaded_at(Moment::After(after)).into_iter();
        loads.flat_map(|(at, load)| self.load_deferred_halo(at, load)).collect()
    }

    fn load_deferred_halo(&mut self, at: StreamStage<'_>, load: HaloLoad) -> Vec<Statement> {
        let mask = Mask::Halo(Places::Columns).name(at.stage.sweep);
        let (mut of_rows, mut of_columns) = (BTreeMap::new(), BTreeMap::<u32, Vec<Statement>>::new());
        for i in 0..self.shape.rows {
            for first in (0..self.shape.columns).filter(|first| first % load.columns == 0) {
                let vector = self.load_into_window(at, load.buffer, (i, first), load.columns);
                of_columns.entry(self.column_bits(first)).or_default().push(vector);
            }
            of_rows.insert(i, vec![self.load_into_window(at, load.buffer, (i, 0), self.shape.columns)]);
        }
        let of_column = |(bits, body)| Statement::If { condition: among(&mask, bits), body };
        let prefetch = load.prefetch.filter(|prefetch| prefetch.is_with_load);
        let prefetch = prefetch.map(|prefetch| self.prefetch_halo(at, load.buffer, prefetch)).into_iter().collect();
        self.in_lines(at.stage.sweep, of_columns.into_iter().map(of_column).collect(), prefetch, of_rows)
    }

    /// Loads neighbouring columns of a row over what a stage has computed there.
    fn load_into_window(
        &mut self,
        at: StreamStage<'_>,
        buffer: ArgumentKind,
        (i, first): BlockCell,
        columns: i64,
    ) -> Statement {
        let to = (first..first + columns).map(|j| Registers::name(at.piped.window(), 0, (i, j))).collect();
        Statement::LoadVector { element: at.window.element, to, from: self.element_of(at, buffer, (i, first)) }
    }

    /// When a step ends: puts back what deferred halos hold that is not loaded right into their stages' windows.
    pub(super) fn put_back_deferred_halos(&self) -> Vec<Statement> {
        let mut by_sweep = BTreeMap::<usize, Vec<(BlockCell, usize, Location)>>::new();
        for (at, halo) in self.boundary.halos().into_iter().filter(|(_, halo)| halo.put_back == PutBack::Deferred) {
            let window = at.piped.window();
            let cells = self.blocks.own().map(|block| (block, window, held(window, halo.source, block)));
            by_sweep.entry(at.stage.sweep).or_default().extend(cells);
        }
        by_sweep.into_iter().flat_map(|(sweep, cells)| self.replace_lines(sweep, cells)).collect()
    }
}
