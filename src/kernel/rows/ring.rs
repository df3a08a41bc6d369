//! Rings of rows in local memory.

use std::collections::BTreeSet;

use super::turn::Turn;
use super::{Builder, Index, LocalArray, Location, RowWindow, Statement, Tap, from_origin};
use crate::ir::ScalarType;
use crate::tile::Producer;

impl Builder<'_> {
    pub(super) fn declare_rings(&mut self) {
        for ring in RowWindow::all(self.subject.recurrences, self.tile, self.pipeline) {
            self.rings.insert(ring.sweep, self.local_arrays.len());
            let name = format!("ring{}", ring.sweep);
            let lo = [vec![0], ring.lo].concat();
            let extents = [vec![ring.levels as i64], ring.extents].concat();
            self.local_arrays.push(LocalArray { name, element: ring.element, lo, extents });
        }
    }

    /// The stage that fills a window and the array of its ring; `None` for what has none.
    fn ring(&self, window: usize) -> Option<(usize, usize)> {
        let Producer::Stage(stage) = self.pipeline.windows[window].producer else { return None };
        let has_readers = !self.pipeline.windows[window].taps.is_empty();
        has_readers.then(|| Some((stage, *self.rings.get(&self.tile.stages[stage].sweep)?))).flatten()
    }

    /// Where the rows that a stage reads and writes begin in their rings.
    pub(super) fn positions(&self, turn: &Turn) -> Vec<Statement> {
        let part = self.pipeline.stages[turn.index].last();
        let taps = part.reads.values().map(|tap| (tap.window, tap.age));
        let rows: BTreeSet<(usize, i64)> = taps.chain([(part.window, 0)]).collect();
        let long = |(window, age): (usize, i64)| {
            Some(Statement::Long { name: row(window, age), value: self.position(turn, window, age)? })
        };
        rows.into_iter().filter_map(long).collect()
    }

    /// The position that a cell at column 0 of the fastest dimension would have in the first line of a row. Columns may have
    /// any number that fits 32 bits; the position of column 0 then need not.
    fn position(&self, turn: &Turn, window: usize, age: i64) -> Option<Index> {
        let (stage, array) = self.ring(window)?;
        let ring = &self.local_arrays[array];
        let (last, rows) = (self.rank(), ring.extents[1]);
        let behind = self.pipeline.stages[turn.index].lag() - self.pipeline.windows[window].lag - age;
        // Counted so many turns before the tile's first row that no number is negative.
        let least = self.span().0 - self.pipeline.longest_lag() + behind;
        let turns = ((-least).max(0) + rows - 1) / rows * rows;
        let x = self.subject.cell(self.rank())[0].clone();
        let row = x.minus(Index::name("o0")).plus(behind + turns).modulo(Index::Const(rows));
        let size = ring.extents[2..].iter().product();
        let level = self.tile.stages[stage].level as i64;
        let of_level = turn.ahead.moves(row.times(size).plus(level * rows * size), rows * size);
        Some(of_level.plus(-ring.lo[last]).minus(from_origin(last - 1, 0).converted(ScalarType::I64)))
    }

    /// A stage's cell in its ring.
    pub(super) fn own(&self, turn: &Turn) -> Option<Location> {
        let window = self.pipeline.stages[turn.index].window();
        self.kept_value(&Tap { window, age: 0, offset: vec![0; self.rank() - 1] })
    }

    /// The element of a ring; `None` for what has none.
    pub(super) fn kept_value(&self, tap: &Tap) -> Option<Location> {
        let (_, array) = self.ring(tap.window)?;
        let (ring, cell) = (&self.local_arrays[array], self.subject.cell(self.rank()));
        let mut at = Index::name(row(tap.window, tap.age));
        for (d, x) in cell.into_iter().enumerate().skip(1) {
            let x = x.plus(tap.offset[d - 1]);
            let stride: i64 = ring.extents[d + 2..].iter().product();
            at = match d + 1 == self.rank() {
                true => at.sum(x),
                false => at.sum(x.plus(-ring.lo[d + 1]).minus(from_origin(d, 0)).times(stride)),
            };
        }
        Some(Location::Element { array, at })
    }
}

/// The variable with the position of a row in a window's ring.
fn row(window: usize, age: i64) -> String {
    format!("row{window}_{age}")
}
