//! Device memory: where the cells of a work-item are, loads ahead of their use, prefetches ahead of the loads.
//!
//! Positions of cells are 64 bits wide, and a work-item touches many cells in every step. All are counted from one position
//! that is made in each step, so that none but this one stays in registers.

use std::collections::BTreeSet;

use super::{Builder, next};
use crate::kernel::{ArgumentKind, Index, Location, Statement, origin};
use crate::tile::{BlockCell, LANES, StreamStage};

/// What cells are counted from.
#[derive(Clone, Copy)]
pub(super) enum Position {
    /// The first cell of the work-item's block, in row 0.
    Block,
    /// The same cell in the row that the step begins with.
    Here,
    /// The cell that the work-item prefetches, in row 0.
    Line,
}

impl Position {
    /// The variable that holds it.
    fn variable(self, layout: usize) -> String {
        let name = match self {
            Self::Block => "block",
            Self::Here => "here",
            Self::Line => "line",
        };
        format!("{name}{layout}")
    }
}

impl<'a> Builder<'a> {
    /// Which sub-group of the work-group this is.
    pub(super) fn member(&self) -> Index {
        if self.shape.sub_groups > 1 { Index::name("member") } else { Index::Const(0) }
    }

    /// First column of the core that the sub-group owns.
    pub(super) fn strip_origin(&self) -> Index {
        let last = self.rank() - 1;
        let strip = if self.rank() == 3 { Index::Const(0) } else { self.member().times(self.strip) };
        Index::name(format!("o{last}")).sum(strip)
    }

    /// The cell of a block in a row of the stream.
    pub(super) fn cell(&self, row: Index, (i, j): BlockCell) -> Vec<Index> {
        let mut cell = vec![row; self.first_in_row()];
        if self.rank() == 3 {
            cell.push(self.first_row_of_block().plus(i));
        }
        let first = self.joined_first(2).unwrap_or_else(|| {
            self.strip_origin().sum(Index::name("lane").times(self.shape.columns)).plus(-self.before)
        });
        cell.push(first.plus(j));
        cell
    }

    /// In the middle one of three dimensions.
    fn first_row_of_block(&self) -> Index {
        let before = self.stream.tile.region().lo[1];
        let first = || Index::name("o1").sum(self.member().times(self.shape.rows)).plus(before);
        self.joined_first(1).unwrap_or_else(first)
    }

    /// Where the work-item's block begins in a dimension in which tiles may have a seam.
    fn joined_first(&self, d: usize) -> Option<Index> {
        self.seam(d).map(|_| Index::name(format!("block_begin{d}")))
    }

    /// First and last of the cells that a work-item prefetches of a row of the stream. In three dimensions all work-items
    /// of a sub-group together cover its rows, with one instruction each.
    pub(super) fn line(&self) -> Vec<(Index, Index)> {
        let wide = |first: Index, extent: i64| (first.clone(), first.plus(extent - 1));
        if self.rank() == 2 {
            return vec![wide(self.cell(Index::Const(0), (0, 0)).swap_remove(1), self.shape.columns)];
        }
        let row =
            Index::name("lane").divided_by(Index::Const(self.lanes_of_line())).min(Index::Const(self.shape.rows - 1));
        let first = match self.seam(2) {
            Some(_) => Index::name("line_begin2"),
            None => self.strip_origin().sum(self.across_line()).plus(-self.before),
        };
        vec![wide(self.first_row_of_block().sum(row), 1), wide(first, self.columns_of_line())]
    }

    /// In three dimensions: neighbouring columns that a work-item prefetches.
    pub(super) fn columns_of_line(&self) -> i64 {
        let rows = self.shape.rows.clamp(1, LANES).unsigned_abs().next_power_of_two().cast_signed();
        self.shape.columns * rows
    }

    /// Work-items that prefetch a row; one more than pieces if there is one: a row may begin within a segment of memory, and
    /// what it has of the last one is not to be left to a neighbouring tile that may be late.
    fn lanes_of_line(&self) -> i64 {
        let pieces = LANES * self.shape.columns / self.columns_of_line();
        if (pieces + 1) * self.shape.rows <= LANES { pieces + 1 } else { pieces }
    }

    /// Columns that others prefetch before the work-item's own ones.
    pub(super) fn across_line(&self) -> Index {
        let across = Index::name("lane").modulo(Index::Const(self.lanes_of_line())).times(self.columns_of_line());
        let last = LANES * self.shape.columns - 1;
        if self.lanes_of_line() * self.columns_of_line() > last + 1 { across.min(Index::Const(last)) } else { across }
    }

    /// The positions that do not change from step to step.
    pub(super) fn fixed_positions(&self) -> Vec<Statement> {
        let mut fixed = vec![(Position::Block, self.cell(Index::Const(0), (0, 0)))];
        if self.shape.prefetched > 0 {
            let first = self.line().into_iter().map(|(first, _)| first);
            fixed.push((Position::Line, [Index::Const(0)].into_iter().chain(first).collect()));
        }
        let mut body = Vec::new();
        for (position, cell) in fixed {
            for layout in self.layouts() {
                let (name, base, cell) = (position.variable(layout), origin(layout), cell.clone());
                body.push(Statement::Position { name, layout, base, cell });
            }
        }
        body
    }

    /// The position that a step of the stream counts cells from.
    pub(super) fn step_positions(&self) -> Vec<Statement> {
        let mut cell = vec![Index::Const(0); self.rank()];
        cell[0] = Index::name("row");
        let here = |layout| {
            let (name, base) = (Position::Here.variable(layout), Position::Block.variable(layout));
            Statement::Position { name, layout, base, cell: cell.clone() }
        };
        self.layouts().into_iter().map(here).collect()
    }

    /// Layouts of the fields whose cells are loaded into windows, or stored.
    pub(super) fn layouts(&self) -> BTreeSet<usize> {
        let stored =
            self.stream.tile.stages.iter().map(|stage| self.subject.recurrences().storage.writes[stage.sweep].0);
        let loaded = self.stream.pipeline.windows.iter().map(|window| window.field);
        stored.chain(loaded).map(|field| self.subject.layouts[field]).collect()
    }

    /// A cell of the block in device memory, its row counted from that of the position.
    pub(super) fn element(&mut self, kind: ArgumentKind, from: Position, row: Index, (i, j): BlockCell) -> Location {
        let (i, j) = (Index::Const(i), Index::Const(j));
        let (from, cell) = match self.rank() {
            1 => (Position::Block, vec![j]),
            2 => (from, vec![row, j]),
            _ => (from, vec![row, i, j]),
        };
        match self.subject.global(kind, cell, &mut self.arguments) {
            Location::Global { buffer, layout, cell, .. } => {
                Location::Global { buffer, layout, base: from.variable(layout), cell }
            }
            _ => unreachable!("buffers are in device memory"),
        }
    }

    /// The cell of the block in device memory in the row that a stage computes.
    pub(super) fn element_of(&mut self, at: StreamStage<'_>, kind: ArgumentKind, block: BlockCell) -> Location {
        self.element(kind, Position::Here, Index::Const(-at.piped.lag()), block)
    }

    /// Loads a row of every input so many steps before it is needed, 0 for now.
    pub(super) fn loads(&mut self, from: Position, row: Index, steps: i64) -> Vec<Statement> {
        let mut body = Vec::new();
        for (index, kind) in self.inputs() {
            let element = self.stream.pipeline.windows[index].element;
            for i in 0..self.shape.rows {
                let from = self.element(kind, from, row.clone(), (i, 0));
                let to = (0..self.shape.columns).map(|j| next(index, (i, j), steps)).collect();
                body.push(Statement::LoadVector { element, to, from });
            }
        }
        body
    }

    /// Brings a row of every input, and of every constant field, near that will be loaded some steps later. Where no stage
    /// waits for another, all constants are loaded at once anyway.
    pub(super) fn prefetches(&mut self) -> Vec<Statement> {
        let ahead = self.shape.ahead;
        let mut rows: Vec<_> = self.inputs().map(|(_, kind)| (kind, ahead)).collect();
        if self.stream.pipeline.longest_lag() > 0 {
            rows.extend(self.constant_fronts().into_iter().map(|(kind, front)| (kind, front + ahead)));
        }
        rows.into_iter().map(|(kind, steps)| self.prefetch(kind, steps)).collect()
    }

    /// Brings the row near that will be loaded so many steps after the next ones.
    pub(super) fn prefetch(&mut self, kind: ArgumentKind, steps: i64) -> Statement {
        let row = Index::name("row").plus(steps + self.shape.prefetched).min(Index::name("last_row"));
        Statement::Prefetch(self.element(kind, Position::Line, row, (0, 0)))
    }

    /// Windows that hold rows of device memory, and their buffers.
    pub(super) fn inputs(&self) -> impl Iterator<Item = (usize, ArgumentKind)> + use<'a> {
        self.stream.inputs().map(|(window, (field, slot))| (window, ArgumentKind::Input { field, slot }))
    }
}
