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
mod constants;
mod ends;
mod halo;
mod halo_loads;
mod lines;
mod memory;
mod origin;
mod rows;

use std::collections::BTreeSet;
use std::mem;

use constants::Constants;
use ends::Seam;
use halo_loads::HaloLoads;
use memory::Position;

use super::inputs::Arguments;
use super::registers::Registers;
use super::{ArgumentKind, Condition, Index, Kernel, LocalArray, Place, Statement, Subject};
use crate::tile::{
    BlockCell, Blocks, EdgeRows, Edges, Flow, LANES, Part, Pipeline, Producer, Region, StreamShape, Tile, moved,
    slot_at, streamed_dimensions,
};

/// What a kernel does with a tile, by the ends that the tile reaches.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Text {
    /// Of the stream, beside any others. There are few such rows.
    stream: bool,
    /// Of planes: whole rows are outside a sweep's domain.
    planes: bool,
    /// Of rows: whole columns are outside.
    rows: bool,
}

impl Text {
    /// No test at all.
    const FULL: Self = Self { stream: false, planes: false, rows: false };

    /// All tests.
    const AT_ENDS: Self = Self { stream: true, planes: true, rows: true };
}

/// Rows of the deepest window of pipelines for which there is a text for ends of rows alone. A step is unrolled as many times,
/// and texts that few tiles run are slow where all of them are more than the instruction cache holds: on an NVIDIA H200 a
/// star of radius 2 (`j3d13pt`) was 5 % faster without that text in double precision, and 1 % in single.
const DEEPEST_OF_ITS_OWN: i64 = 3;

/// The kernel that advances a tile by its levels in one launch; `tile` is one of `shape`.
pub fn stream_kernel(subject: &Subject<'_>, name: &str, tile: &Tile, shape: &StreamShape) -> Kernel {
    let pipeline = Pipeline::smallest(subject.analysis.nest, subject.recurrences, tile, shape);
    let blocks = Blocks::new(&pipeline, shape);
    Builder::new(subject, tile, shape, &pipeline, &blocks).build(name)
}

struct Builder<'a> {
    subject: &'a Subject<'a>,
    tile: &'a Tile,
    shape: &'a StreamShape,
    pipeline: &'a Pipeline,
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
    rim: Region,
    /// How the first tile of a dimension holds both of its ends, where it may.
    seams: Vec<Seam>,
    /// For each stage what `Builder::late` says.
    late: Vec<Option<usize>>,
    /// The body under construction.
    text: Text,
}

impl<'a> Builder<'a> {
    fn new(
        subject: &'a Subject<'a>,
        tile: &'a Tile,
        shape: &'a StreamShape,
        pipeline: &'a Pipeline,
        blocks: &'a Blocks,
    ) -> Self {
        let rank = tile.core.len();
        let builder = Self {
            subject,
            tile,
            shape,
            pipeline,
            blocks,
            registers: Registers::new(blocks),
            arguments: Arguments::default(),
            local_arrays: Vec::new(),
            edges: Vec::new(),
            edge_rows: Vec::new(),
            strip: tile.core[rank - 1] / shape.strips(rank),
            before: shape.columns_before(tile),
            rim: pipeline.rim(subject.recurrences, tile),
            seams: Vec::new(),
            late: Vec::new(),
            text: Text::AT_ENDS,
        };
        let seams = [Seam::of_rows(&builder), Seam::of_columns(&builder)].into_iter().flatten().collect();
        let late = (0..pipeline.flows.len()).map(|index| builder.late(index)).collect();
        Self { seams, late, ..builder }
    }

    fn rank(&self) -> usize {
        self.tile.core.len()
    }

    /// The outermost dimension that is not streamed along.
    fn first_in_row(&self) -> usize {
        streamed_dimensions(self.rank())
    }

    fn is_full(&self) -> bool {
        self.text == Text::FULL
    }

    fn build(mut self, name: &str) -> Kernel {
        self.declare_edges();
        let mut body = self.tile_origin();
        body.extend(self.declare_registers());
        for (d, value) in self.inside().into_iter().enumerate() {
            body.push(Statement::Bool { name: inside_name(d), value });
        }
        body.extend(self.texts());
        Kernel {
            name: name.to_string(),
            levels: self.tile.levels,
            leaves: self.tile.leaves,
            sweep: 0,
            rank: self.rank(),
            work_group: self.shape.work_group(self.rank()),
            tile: self.tile.core.clone(),
            least_chunk: 0,
            end_of_stream: if self.rank() > 1 { self.end_of_stream() } else { 0 },
            halves_last: self.halves_last(),
            reach: self.reach(),
            is_cut: (0..self.rank()).map(|d| d < self.first_in_row()).collect(),
            rim: self.rim.clone(),
            arguments: self.arguments.finish(),
            local_arrays: self.local_arrays,
            body,
        }
    }

    /// The texts for all tiles. The ends of the stream are told apart first: where the full text comes before all other
    /// conditions, NVIDIA's compiler makes of it up to 7 % more instructions.
    fn texts(&mut self) -> Vec<Statement> {
        let choose = |condition, then, otherwise| vec![Statement::Choose { condition, then, otherwise }];
        let full = self.stream(Text::FULL);
        let mut body = self.stream(Text { planes: self.rank() == 3, rows: true, ..Text::FULL });
        if self.rank() == 3 && self.has_halos() {
            if self.pipeline.deepest_window() <= DEEPEST_OF_ITS_OWN {
                let are_whole = Condition::All(vec![inside(1), self.whole_columns()]);
                body = choose(are_whole, self.stream(Text { rows: true, ..Text::FULL }), body);
            }
            body = choose(inside(2), self.stream(Text { planes: true, ..Text::FULL }), body);
        }
        let in_row = (self.first_in_row()..self.rank()).map(inside).collect();
        body = choose(Condition::All(in_row), full, body);
        if self.first_in_row() > 0 {
            body = choose(inside(0), body, self.stream(Text::AT_ENDS));
        }
        body
    }

    /// Whether a stage reads what a sweep's domain has beside it. Texts for one kind of end differ in little else.
    fn has_halos(&self) -> bool {
        self.pipeline.flows.iter().any(|flow| flow.halo.is_some())
    }

    /// Rows that the stream passes before its first and behind its last useful one are loaded too.
    fn reach(&self) -> Region {
        let mut reach = self.tile.region_around_core();
        let last = self.rank() - 1;
        let lag = self.pipeline.longest_lag();
        if self.first_in_row() > 0 {
            reach.lo[0] -= lag;
            reach.hi[0] +=
                lag + self.pipeline.deepest_window() + self.shape.ahead - self.pipeline.shortest_lag().min(0);
        }
        // The ghost zone in whole work-items.
        reach.lo[last] = -self.before;
        reach.hi[last] = LANES * self.shape.columns - self.before - self.strip;
        reach
    }

    fn declare_registers(&self) -> Vec<Statement> {
        let mut body = Vec::new();
        for (index, window) in self.pipeline.windows.iter().enumerate() {
            let field = &self.subject.recurrences.storage.fields[window.field];
            let what = match window.producer {
                Producer::Input { slot, .. } => format!("slot {slot} before the launch"),
                Producer::Stage(stage) => format!("level {}", self.tile.stages[stage].level),
                Producer::Part(stage) => format!("part of level {}", self.tile.stages[stage].level),
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

    /// The stream from its first to its last row, or the only row.
    fn stream(&mut self, text: Text) -> Vec<Statement> {
        self.text = text;
        if self.first_in_row() == 0 {
            let mut body = self.masks();
            body.extend(self.loads(Position::Block, Index::Const(0), 0));
            body.extend(self.stages());
            return body;
        }
        let rows = self.pipeline.deepest_window();
        let outputs = self.tile.stages.iter().zip(&self.pipeline.flows).filter(|(stage, _)| stage.is_output);
        let last_lag = outputs.map(|(_, flow)| flow.lag()).max().unwrap_or(0);
        let first = Index::name("o0").plus(self.tile.region().lo[0]);
        let last = Index::name("last0").plus(last_lag);
        let mut body = self.masks();
        body.push(Statement::Int { name: "first_row".into(), value: first });
        body.push(Statement::Int { name: "last_row".into(), value: last });
        for steps in 1..=self.shape.ahead {
            body.extend(self.loads(Position::Block, Index::name("first_row").plus(steps - 1), steps));
        }
        body.extend(self.first_halos());
        let mut step = self.step_positions();
        step.extend(self.step());
        let (first, last) = (Index::name("first_row"), Index::name("last_row"));
        if text.stream || (!self.is_full() && self.halo_loads() == HaloLoads::RowAhead) {
            body.push(Statement::Loop { variable: "row".into(), first, last, step: 1, body: step });
            return body;
        }
        step.insert(0, Statement::Int { name: "row".into(), value: Index::name("first").sum(Index::name("phase")) });
        let unrolled = Statement::Unrolled { variable: "phase".into(), count: rows, body: step };
        body.push(Statement::Loop { variable: "first".into(), first, last, step: rows, body: vec![unrolled] });
        body
    }

    /// One step of the stream: every window gets a row.
    fn step(&mut self) -> Vec<Statement> {
        let mut body = Vec::new();
        for index in self.inputs() {
            let mut moves = Vec::new();
            for cell in self.blocks.own() {
                moves.push((Registers::name(index, 0, cell), next(index, cell, 1)));
                moves.extend(
                    (1..self.shape.ahead).map(|steps| (next(index, cell, steps), next(index, cell, steps + 1))),
                );
            }
            body.push(Statement::Moves(moves));
        }
        body.extend(self.loads(Position::Here, Index::Const(self.shape.ahead), self.shape.ahead));
        body.extend(self.prefetches());
        body.extend(self.load_halos());
        body.extend(self.give_rows());
        body.extend(self.stages());
        for window in 0..self.pipeline.windows.len() {
            let moves = self.registers.aging(window);
            if !moves.is_empty() {
                body.push(Statement::Moves(moves));
            }
        }
        body
    }

    /// What the stages make of the rows that are there.
    fn stages(&mut self) -> Vec<Statement> {
        let mut body = Vec::new();
        let mut exchanged = BTreeSet::new();
        let pipeline = self.pipeline;
        for (index, flow) in pipeline.flows.iter().enumerate() {
            for tap in flow.parts.iter().flat_map(|part| part.reads.values()) {
                if exchanged.insert(tap.window) {
                    body.extend(self.shuffles(tap.window));
                    body.extend(self.take_rows(tap.window));
                }
            }
            body.extend(self.stage(index, flow));
        }
        body.extend(self.replace_late());
        body
    }

    fn shuffles(&self, window: usize) -> Option<Statement> {
        let shuffles = self.registers.shuffles(window);
        let element = self.pipeline.windows[window].element;
        (!shuffles.is_empty()).then_some(Statement::Shuffles { element, shuffles })
    }

    fn stage(&mut self, index: usize, flow: &Flow) -> Vec<Statement> {
        let stage = &self.tile.stages[index];
        let (field, _) = self.subject.recurrences.storage.writes[stage.sweep];
        let name = &self.subject.recurrences.storage.fields[field].name;
        let mut body = vec![Statement::Comment(format!("level {}: `{name}`", stage.level))];
        body.extend(self.load_halo_ahead(index));
        for part in &flow.parts {
            for i in 0..self.shape.rows {
                body.extend(self.compute_row(index, part, i));
            }
        }
        body.extend(self.replace_halo(index));
        if stage.is_output {
            body.extend(self.stores(index, stage, flow));
        }
        body.extend(self.late_loads(index));
        body
    }

    /// A row of the own cells.
    fn compute_row(&mut self, index: usize, part: &Part, i: i64) -> Vec<Statement> {
        let mut constants = self.constants(index, part, i);
        let mut body = mem::take(&mut constants.loads);
        let has_loads = !body.is_empty();
        for j in 0..self.shape.columns {
            body.push(self.compute(index, part, (i, j), &constants));
        }
        if has_loads { vec![Statement::Scope(body)] } else { body }
    }

    fn compute(&mut self, index: usize, part: &Part, block: BlockCell, constants: &Constants) -> Statement {
        let (subject, stage) = (self.subject, &self.tile.stages[index]);
        let storage = &subject.recurrences.storage;
        let mut compute = subject.compute(stage.sweep, format!("(first_step + {})", stage.level));
        subject.declare_needs(stage.sweep, &mut self.arguments);
        let mut needs_cell = !compute.loops.is_empty();
        compute.value = part.value;
        compute.known = part.before.map(|(value, window, age)| (value, Registers::name(window, age, block)));
        for (&read, tap) in &part.reads {
            let register = Registers::name(tap.window, tap.age, moved(block, &tap.offset));
            compute.reads.insert(read, Place::Register(register));
        }
        for &read in &part.constants {
            if let Some(places) = constants.places.get(&read) {
                compute.reads.insert(read, places[block.1 as usize].clone());
                continue;
            }
            let constant = &storage.reads[&(stage.sweep, read)];
            let slot = slot_at(constant.slot, stage.level, storage.fields[constant.field].slots);
            let kind = ArgumentKind::Input { field: constant.field, slot };
            let cell = subject.touched(stage.sweep, read);
            needs_cell |= cell.is_some();
            subject.add_read(&mut compute, read, kind, cell, &mut self.arguments);
        }
        compute.stores.push((Place::Register(Registers::name(part.window, 0, block)), None));
        let has_locals = subject.has_locals(&compute);
        let compute = Statement::Compute(compute);
        if !needs_cell && !has_locals {
            return compute;
        }
        let mut body = if needs_cell { self.cell_coordinates(part.lag, block) } else { Vec::new() };
        body.push(compute);
        Statement::Scope(body)
    }

    fn cell_coordinates(&self, lag: i64, block: BlockCell) -> Vec<Statement> {
        let names = self.subject.analysis.names.cells(self.rank()).iter();
        let cell = self.cell(Index::name("row").plus(-lag), block);
        names.zip(cell).map(|(name, value)| Statement::Int { name: name.clone(), value }).collect()
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

fn register(window: usize, age: i64, cell: BlockCell) -> Place {
    Place::Register(Registers::name(window, age, cell))
}

/// The register of an input's row that is needed in so many steps, 0 for now.
fn next(window: usize, cell: BlockCell, steps: i64) -> String {
    let name = Registers::name(window, 0, cell);
    if steps == 0 { name } else { format!("{name}_next{steps}") }
}
