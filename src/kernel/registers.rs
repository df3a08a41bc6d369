//! Registers for the blocks of a pipeline.

use crate::tile::{BlockCell, Blocks};

/// A value that moves from one work-item to another one of its sub-group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shuffle {
    /// The variable that takes it.
    pub to: String,
    /// The variable of the other work-item.
    pub from: String,
    /// Number of the other work-item less the own one.
    pub lanes: i64,
}

/// Names of registers, and what moves between them.
pub struct Registers<'a> {
    blocks: &'a Blocks,
}

impl<'a> Registers<'a> {
    /// A register for every cell that a work-item keeps.
    pub fn new(blocks: &'a Blocks) -> Self {
        Self { blocks }
    }

    /// The register of a cell.
    pub fn name(window: usize, age: i64, (row, column): BlockCell) -> String {
        let text = |number: i64| if number < 0 { format!("m{}", -number) } else { number.to_string() };
        format!("win{window}_{age}_{}_{}", text(row), text(column))
    }

    /// All registers of a window.
    pub fn all(&self, window: usize) -> Vec<String> {
        let cells = self.blocks.lifetimes(window);
        cells.flat_map(|(cell, ages)| ages.map(move |age| Self::name(window, age, cell))).collect()
    }

    /// The moves that make every row of a window one step older, `(to, from)`.
    pub fn aging(&self, window: usize) -> Vec<(String, String)> {
        let mut moves = Vec::new();
        for (cell, ages) in self.blocks.lifetimes(window) {
            let name = |age| Self::name(window, age, cell);
            moves.extend((ages.start() + 1..=*ages.end()).rev().map(|age| (name(age), name(age - 1))));
        }
        moves
    }

    /// The exchanges within a sub-group that a window needs in every step.
    pub fn shuffles(&self, window: usize) -> Vec<Shuffle> {
        let columns = self.blocks.columns;
        let shuffle = |((row, column), age): (BlockCell, i64)| Shuffle {
            to: Self::name(window, age, (row, column)),
            from: Self::name(window, age, (row, column.rem_euclid(columns))),
            lanes: column.div_euclid(columns),
        };
        self.blocks.from_other_lanes(window).map(shuffle).collect()
    }
}
