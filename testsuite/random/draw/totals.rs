//! Sums that loops before a statement compute, with weights from tables.

use super::super::model::{Element, Expr, Length, Reference, Table, TablePlace, Total, Wall};
use super::Draft;

/// Of 100 sums so many are computed by loops, and of those of programs that are to have loops of unknown length.
const LOOPS: u32 = 7;
const MORE_LOOPS: u32 = 50;

impl Draft<'_> {
    /// Now and then the sum of reads as one that loops compute: of all places in a row, or of just these reads.
    pub fn total_of(&mut self, element: Element, reads: &[Reference]) -> Option<Expr> {
        let (first, _) = reads.split_first()?;
        if !self.random.chance(if self.further.has_measured_loops { MORE_LOOPS } else { LOOPS }) {
            return None;
        }
        let run = if self.random.chance(70) { self.run_of(first) } else { None };
        self.note(if run.is_some() { "sum along an axis" } else { "sum of an array of the point" });
        let reads = run.unwrap_or_else(|| reads.to_vec());
        let weights = self.random.chance(70).then(|| self.weights(reads.len()));
        let element = if self.random.chance(80) { element } else { Element::Double };
        let (number, spelling) = (self.totals, self.random.spelling());
        self.totals += 1;
        let length = self.draw_length(&reads);
        let total = Total { number, element, reads, weights, length, spelling };
        if total.has_variable_length() {
            self.note("sum of a variable length");
        }
        Some(Expr::Total(total))
    }

    /// Where loops of unknown length are asked for, most sums have such ones.
    fn draw_length(&mut self, reads: &[Reference]) -> Length {
        if !self.further.has_measured_loops || self.random.chance(15) {
            return Length::Known;
        }
        self.note("sum of unknown length");
        let fewer = self.random.within(0, reads.len().min(3) as i64);
        if self.random.chance(40) { Length::Radius(fewer) } else { Length::Measured(fewer) }
    }

    /// The elements on both sides of a read, as far as reads go along some axis.
    fn run_of(&mut self, read: &Reference) -> Option<Vec<Reference>> {
        let axis = self.random.within(0, self.program.rank as i64 - 1) as usize;
        let place = read.subscripts.iter().position(|subscript| subscript.axis == axis)?;
        let subscript = read.subscripts[place];
        if subscript.scale != 1 || subscript.size != 0 || subscript.wall != Wall::Open {
            return None;
        }
        let (down, up) = self.reach[axis];
        let moved = |offset: i64| {
            let mut moved = read.clone();
            moved.subscripts[place].offset = offset;
            moved
        };
        Some((-down..=up).map(moved).collect())
    }

    fn weights(&mut self, count: usize) -> (usize, usize) {
        let rows = self.random.pick(&[1, 1, 2, 3]);
        let tenths = (0..rows * count).map(|_| self.random.within(-9, 14)).collect();
        let element = self.random.pick(&[Element::Double, Element::Double, Element::Float, Element::Int]);
        let places =
            [TablePlace::Global, TablePlace::Global, TablePlace::Variable, TablePlace::Local, TablePlace::Kept];
        let place = self.random.pick(&places);
        self.note(match place {
            TablePlace::Global => "table: constant",
            TablePlace::Variable => "table: variable",
            TablePlace::Local => "table: local",
            TablePlace::Kept => "table: local and static",
        });
        self.program.tables.push(Table { element, tenths, rows, place });
        (self.program.tables.len() - 1, self.random.within(0, rows as i64 - 1) as usize)
    }
}
