//! Strategy `stream`: time tiles that flow through registers (N.5D blocking; EBISU, ICS 2023, section 4).
//!
//! A work-group owns a core of columns and streams along the outermost dimension. A sub-group of 32 work-items is as wide
//! as the tile: each work-item holds a few neighbouring columns, takes those of its neighbours by shuffles, and, in three
//! dimensions, those of other sub-groups' rows through local memory. No cell is stored between two levels of a launch.
//! In one dimension there is nothing to stream along: a sub-group loads its row, takes it through all levels and stores it.
//!
//! Tiles that reach no boundary run without any test. In the others sub-groups with cells on a boundary put back what these
//! cells hold, and take longer. So the ends of the stream are short tiles of their own, where the others reach none, one tile of
//! a row has both of its ends in three dimensions, and those that take long are started early.

mod boundary;
#[cfg(test)]
mod boundary_tests;
mod constants;
mod ends;
mod folds;
mod halo;
mod halo_loads;
mod inside;
mod lines;
mod masks;
mod memory;
mod origin;
mod rows;
mod seam;
mod sources;
mod step;
mod stores;
mod text;

use boundary::Boundary;
use seam::Seam;
use text::Ends;

use super::inputs::Arguments;
use super::registers::Registers;
use super::{ArgumentKind, Condition, Division, Index, Kernel, LocalArray, Location, Role, Statement, Subject, Tiles};
use crate::tile::{
    BlockCell, Blocks, CellBox, EdgeRows, Edges, LANES, Pipeline, Producer, StreamShape, StreamTile, Tile,
    streamed_dimensions,
};

/// Rows of the deepest window of pipelines for which there is a text for ends of rows alone. A step is unrolled as many times,
/// and texts that few tiles run are slow where all of them are more than the instruction cache holds.
const DEEPEST_OF_ITS_OWN: i64 = 3;

/// The kernel that advances a tile by its levels in one launch; `tile` is one of `shape`.
pub fn stream_kernel(subject: &Subject<'_>, name: &str, tile: &Tile, shape: &StreamShape) -> Kernel {
    let pipeline = Pipeline::smallest(subject.analysis.nest, subject.recurrences(), tile, shape);
    Builder::new(subject, subject.stream(tile, &pipeline), shape, &Blocks::new(&pipeline, shape)).build(name)
}

struct Builder<'a> {
    subject: &'a Subject<'a>,
    stream: StreamTile<'a>,
    shape: &'a StreamShape,
    blocks: &'a Blocks,
    registers: Registers<'a>,
    arguments: Arguments,
    local_arrays: Vec<LocalArray>,
    /// For each window the rows that sub-groups exchange.
    edges: Vec<Option<Edges>>,
    /// For each local array what is where in it.
    edge_rows: Vec<EdgeRows>,
    /// Columns of the core that a sub-group owns.
    strip: i64,
    /// Columns before them that it computes too.
    before: i64,
    /// Cells that the first and the last tile own beside their cores.
    rim: CellBox,
    /// How the first tile of a dimension holds both of its ends, where it may.
    seams: Vec<Seam>,
    /// What the text under construction does at boundaries.
    boundary: Boundary<'a>,
}

impl<'a> Builder<'a> {
    fn new(subject: &'a Subject<'a>, stream: StreamTile<'a>, shape: &'a StreamShape, blocks: &'a Blocks) -> Self {
        let tile = stream.tile;
        let rank = tile.core.len();
        let builder = Self {
            subject,
            stream,
            shape,
            blocks,
            registers: Registers::new(blocks),
            arguments: Arguments::default(),
            local_arrays: Vec::new(),
            edges: Vec::new(),
            edge_rows: Vec::new(),
            strip: tile.core[rank - 1] / shape.strips(rank),
            before: shape.columns_before(tile),
            rim: stream.rim(),
            seams: Vec::new(),
            boundary: Boundary::default(),
        };
        let seams = [Seam::of_rows(&builder), Seam::of_columns(&builder)].into_iter().flatten().collect();
        Self { seams, ..builder }
    }

    fn rank(&self) -> usize {
        self.stream.tile.core.len()
    }

    /// The outermost dimension that is not streamed along.
    fn first_in_row(&self) -> usize {
        streamed_dimensions(self.rank())
    }

    fn build(mut self, name: &str) -> Kernel {
        self.declare_edges();
        let mut body = self.tile_origin();
        body.extend(self.declare_registers());
        body.extend(self.hold());
        for (d, value) in self.inside().into_iter().enumerate() {
            body.push(Statement::Way { name: inside_name(d), value });
        }
        body.extend(self.texts());
        body.extend(self.give_held());
        Kernel {
            name: name.to_string(),
            role: Role::Tiles(self.tiles()),
            rank: self.rank(),
            work_group: self.shape.work_group(self.rank()),
            reach: self.reach(),
            arguments: self.arguments.finish(),
            local_arrays: self.local_arrays,
            body,
        }
    }

    fn tiles(&self) -> Tiles {
        let is_cut = (0..self.rank()).map(|d| d < self.first_in_row()).collect();
        let division = match self.first_in_row() {
            0 => Division::Core,
            _ => Division::Ends { cells: self.end_of_stream(), halves_last: self.halves_last() },
        };
        Tiles { is_cut, rim: self.rim.clone(), division, ..Tiles::of(self.stream.tile) }
    }

    /// The texts for all tiles. The ends of the stream are told apart first: where the full text comes before all other
    /// conditions, NVIDIA's compiler makes more instructions of it.
    fn texts(&mut self) -> Vec<Statement> {
        let choose = |condition, then, otherwise| vec![Statement::Choose { condition, then, otherwise }];
        let full = self.text(Ends::None);
        let mut body = self.text(if self.rank() == 3 { Ends::RowsAndPlanes } else { Ends::Rows });
        if self.rank() == 3 && self.has_halos() {
            if self.stream.pipeline.deepest_window() <= DEEPEST_OF_ITS_OWN {
                let are_whole = Condition::All(vec![inside(1), self.whole_columns()]);
                body = choose(are_whole, self.text(Ends::Rows), body);
            }
            body = choose(inside(2), self.text(Ends::Planes), body);
        }
        let in_row = (self.first_in_row()..self.rank()).map(inside).collect();
        body = choose(Condition::All(in_row), full, body);
        if self.first_in_row() > 0 {
            body = choose(inside(0), body, self.text(Ends::All));
        }
        body
    }

    /// Whether a stage reads what a sweep's domain has beside it. Texts for one kind of end differ in little else.
    fn has_halos(&self) -> bool {
        self.stream.pipeline.stages.iter().any(|piped| piped.halo.is_some())
    }

    /// Rows that the stream passes before its first and behind its last useful one are loaded too.
    fn reach(&self) -> CellBox {
        let mut reach = self.stream.tile.region_around_core();
        let last = self.rank() - 1;
        let lag = self.stream.pipeline.longest_lag();
        if self.first_in_row() > 0 {
            reach.lo[0] -= lag;
            reach.hi[0] += lag + self.stream.pipeline.deepest_window() + self.shape.ahead
                - self.stream.pipeline.shortest_lag().min(0);
        }
        // The ghost zone in whole work-items.
        reach.lo[last] = -self.before;
        reach.hi[last] = LANES * self.shape.columns - self.before - self.strip;
        reach
    }

    fn declare_registers(&self) -> Vec<Statement> {
        let mut body = Vec::new();
        for (index, window) in self.stream.pipeline.windows.iter().enumerate() {
            let field = &self.subject.recurrences().storage.fields[window.field];
            let what = match window.producer {
                Producer::Input { slot, .. } => format!("slot {slot} before the launch"),
                Producer::Stage(stage) => format!("level {}", self.stream.tile.stages[stage].level),
                Producer::Part(stage) => format!("part of level {}", self.stream.tile.stages[stage].level),
            };
            body.push(Statement::Comment(format!("`{}`, {what}", field.name)));
            body.push(Statement::Registers { element: window.element, names: self.registers.all(index) });
            if let Producer::Input { .. } = window.producer
                && self.shape.ahead > 0
            {
                let ahead = |cell| (1..=self.shape.ahead).map(move |steps| next(index, cell, steps));
                let names = self.blocks.own().flat_map(ahead).collect();
                body.push(Statement::Registers { element: window.element, names });
            }
        }
        body
    }
}

/// Name of the variable that tells whether a tile reaches no end of a dimension.
fn inside_name(d: usize) -> String {
    format!("inside{d}")
}

/// Whether a tile reaches no end of a dimension.
fn inside(d: usize) -> Condition {
    Condition::Named(inside_name(d))
}

fn register(window: usize, age: i64, cell: BlockCell) -> Location {
    Location::Register(Registers::name(window, age, cell))
}

/// The register of an input's row that is needed in so many steps, 0 for now.
fn next(window: usize, cell: BlockCell, steps: i64) -> String {
    let name = Registers::name(window, 0, cell);
    if steps == 0 { name } else { format!("{name}_next{steps}") }
}
