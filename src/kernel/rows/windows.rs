//! Windows in local memory: a row takes the place of the oldest one.

use std::collections::{BTreeMap, BTreeSet};

use super::boundary::Text;
use super::turn::Turn;
use crate::ir::ScalarType;
use crate::kernel::cells::from_origin;
use crate::kernel::windows::WindowStorage;
use crate::kernel::{Index, LocalArray, Location, Statement, Subject};
use crate::tile::{Producer, RowWindow, StreamStage, Tap};

/// The windows of a text.
pub(super) struct Windows<'a> {
    subject: &'a Subject<'a>,
    text: &'a Text<'a>,
    /// For each sweep that others read the array with the windows of all its levels.
    of_sweep: BTreeMap<usize, usize>,
    /// The arrays.
    pub arrays: Vec<LocalArray>,
}

impl<'a> Windows<'a> {
    pub fn new(subject: &'a Subject<'a>, text: &'a Text<'a>) -> Self {
        let mut windows = Self { subject, text, of_sweep: BTreeMap::new(), arrays: Vec::new() };
        for window in RowWindow::all(text.stream) {
            windows.of_sweep.insert(window.sweep, windows.arrays.len());
            let name = format!("ring{}", window.sweep);
            let lo = [vec![0], window.lo].concat();
            let extents = [vec![window.levels as i64], window.extents].concat();
            windows.arrays.push(LocalArray { name, element: window.element, lo, extents });
        }
        windows
    }

    fn rank(&self) -> usize {
        self.text.stream.tile.core.len()
    }

    /// The stage that fills a window and the window's array; `None` for one that is not kept.
    fn array(&self, window: usize) -> Option<(StreamStage<'a>, usize)> {
        let Producer::Stage(stage) = self.text.stream.pipeline.windows[window].producer else { return None };
        let at = self.text.stream.stage(stage);
        Some((at, *self.of_sweep.get(&at.stage.sweep)?)).filter(|_| at.is_read())
    }

    /// Where the rows that a stage reads and writes begin in their windows.
    pub fn positions(&self, turn: &Turn<'_>) -> Vec<Statement> {
        let part = turn.at.piped.last();
        let taps = part.reads.values().map(|tap| (tap.window, tap.age));
        let rows: BTreeSet<(usize, i64)> = taps.chain([(part.window, 0)]).collect();
        let long = |(window, age): (usize, i64)| {
            Some(Statement::Long { name: row(window, age), value: self.position(turn, window, age)? })
        };
        rows.into_iter().filter_map(long).collect()
    }

    /// The position that a cell at column 0 of the fastest dimension would have in the first line of a row. Columns may have
    /// any number that fits 32 bits; the position of column 0 then need not.
    fn position(&self, turn: &Turn<'_>, window: usize, age: i64) -> Option<Index> {
        let (source, array) = self.array(window)?;
        let array = &self.arrays[array];
        let (last, rows) = (self.rank(), array.extents[1]);
        let behind = turn.at.piped.lag() - source.window.lag - age;
        // Counted so many turns before the tile's first row that no number is negative.
        let least = self.text.span().0 - self.text.stream.pipeline.longest_lag() + behind;
        let turns = ((-least).max(0) + rows - 1) / rows * rows;
        let x = self.subject.cell(self.rank())[0].clone();
        let row = x.minus(Index::name("o0")).plus(behind + turns).modulo(Index::Const(rows));
        let size = array.extents[2..].iter().product();
        let level = source.stage.level as i64;
        let of_level = turn.ahead.moves(row.times(size).plus(level * rows * size), rows * size);
        Some(of_level.plus(-array.lo[last]).minus(from_origin(last - 1, 0).converted(ScalarType::I64)))
    }

    /// A stage's cell in its window, which is kept.
    pub fn own(&self, turn: &Turn<'_>) -> Location {
        let own = self.value(&Tap { window: turn.at.piped.window(), age: 0, offset: vec![0; self.rank() - 1] });
        own.expect("a window that is kept")
    }
}

impl WindowStorage for Windows<'_> {
    fn value(&self, tap: &Tap) -> Option<Location> {
        let (_, array) = self.array(tap.window)?;
        let (window, cell) = (&self.arrays[array], self.subject.cell(self.rank()));
        let mut at = Index::name(row(tap.window, tap.age));
        for (d, x) in cell.into_iter().enumerate().skip(1) {
            let x = x.plus(tap.offset[d - 1]);
            let stride: i64 = window.extents[d + 2..].iter().product();
            at = match d + 1 == self.rank() {
                true => at.sum(x),
                false => at.sum(x.plus(-window.lo[d + 1]).minus(from_origin(d, 0)).times(stride)),
            };
        }
        Some(Location::Element { array, at })
    }
}

/// The variable with the position of a row in a window.
fn row(window: usize, age: i64) -> String {
    format!("row{window}_{age}")
}
