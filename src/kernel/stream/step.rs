//! A step of the stream: every window gets a row.

use std::collections::BTreeSet;
use std::mem;

use super::boundary::{Boundary, StageHalo, StageStore};
use super::constants::Constants;
use super::halo_loads::Moment;
use super::memory::Position;
use super::sources::Exception;
use super::text::{Ends, Text};
use super::{Builder, next, register};
use crate::ir::{Access, Expr, Handle};
use crate::kernel::emitter::Emitter;
use crate::kernel::inputs::steps_before;
use crate::kernel::registers::Registers;
use crate::kernel::windows::WindowStorage;
use crate::kernel::{Compute, Index, Location, Statement};
use crate::tile::{BlockCell, Stage, StreamStage, Tap, ValuePart, moved};

impl Builder<'_> {
    /// The text for some ends: the stream from its first to its last row, or the only row.
    pub(super) fn text(&mut self, ends: Ends) -> Vec<Statement> {
        self.boundary = Boundary::new(&Text { ends, stream: self.stream, shape: self.shape });
        if self.first_in_row() == 0 {
            let mut body = self.masks();
            body.extend(self.loads(Position::Block, Index::Const(0), 0));
            body.extend(self.stages());
            return body;
        }
        let rows = self.stream.pipeline.deepest_window();
        let outputs = self.stream.stages().filter(|at| at.stage.is_output);
        let last_lag = outputs.map(|at| at.piped.lag()).max().unwrap_or(0);
        let first = Index::name("o0").plus(self.stream.tile.region().lo[0]);
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
        if !self.boundary.is_unrolled {
            body.push(Statement::Loop { variable: "row".into(), first, last, step: 1, body: step });
            return body;
        }
        step.insert(0, Statement::Int { name: "row".into(), value: Index::name("first").sum(Index::name("phase")) });
        let unrolled = Statement::Unrolled { variable: "phase".into(), count: rows, body: step };
        body.push(Statement::Loop { variable: "first".into(), first, last, step: rows, body: vec![unrolled] });
        body
    }

    fn shuffles(&self, window: usize) -> Option<Statement> {
        let shuffles = self.registers.shuffles(window);
        let element = self.stream.pipeline.windows[window].element;
        (!shuffles.is_empty()).then_some(Statement::Shuffles { element, shuffles })
    }

    /// A row of the own cells.
    fn compute_row(&mut self, stage: &Stage, part: &ValuePart, i: i64) -> Vec<Statement> {
        let mut constants = self.constants(stage, part, i);
        let mut body = mem::take(&mut constants.loads);
        let has_loads = !body.is_empty();
        let sample = self.computation(stage, part, &Block { cell: (i, 0), constants: &constants });
        let (usual, exceptions) = self.exceptions(part, &sample);
        body.extend(self.compute_cells(stage, part, i, &constants, (usual, None)));
        for Exception { value, usual, condition } in exceptions {
            let cells = self.compute_cells(stage, part, i, &constants, (value, Some(usual)));
            let mut row = self.cell_coordinates(part.lag, (i, 0));
            row.truncate(1);
            row.push(Statement::If { condition, body: cells });
            body.push(Statement::Scope(row));
        }
        if has_loads { vec![Statement::Scope(body)] } else { body }
    }

    /// A value for each of the own cells of a row, made of another one that is there already, if any.
    fn compute_cells(
        &mut self,
        stage: &Stage,
        part: &ValuePart,
        i: i64,
        constants: &Constants,
        (value, known): (Handle<Expr>, Option<Handle<Expr>>),
    ) -> Vec<Statement> {
        let mut cells = Vec::new();
        for j in 0..self.shape.columns {
            let block = Block { cell: (i, j), constants };
            let mut compute = self.computation(stage, part, &block);
            compute.value = value;
            let own = known.map(|known| (known, Registers::name(part.window, 0, block.cell)));
            compute.known = own.or(compute.known);
            cells.push(self.placed(stage, part, &block, compute));
        }
        cells
    }

    fn computation(&mut self, stage: &Stage, part: &ValuePart, block: &Block<'_>) -> Compute {
        let step = steps_before(stage.level);
        let mut compute = self.subject.compute_part(stage, part, step, block, &mut self.arguments);
        compute.known = part.before.map(|(value, window, age)| (value, Registers::name(window, age, block.cell)));
        compute.stores.push((register(part.window, 0, block.cell), None));
        compute
    }

    /// A computation, with the coordinates of its cell if it needs them.
    fn placed(&self, stage: &Stage, part: &ValuePart, block: &Block<'_>, compute: Compute) -> Statement {
        let subject = self.subject;
        let is_at_cell =
            |read: &Handle<Access>| block.constant(*read).is_none() && subject.touched(stage.sweep, *read).is_some();
        let needs_cell = !compute.loops.is_empty() || part.constants.iter().any(is_at_cell);
        let has_locals = subject.has_locals(&compute);
        let compute = Statement::Compute(compute);
        if !needs_cell && !has_locals {
            return compute;
        }
        let mut body = if needs_cell { self.cell_coordinates(part.lag, block.cell) } else { Vec::new() };
        body.push(compute);
        Statement::Scope(body)
    }

    fn cell_coordinates(&self, lag: i64, block: BlockCell) -> Vec<Statement> {
        let names = self.subject.analysis.names.cells(self.rank()).iter();
        let cell = self.cell(Index::name("row").plus(-lag), block);
        names.zip(cell).map(|(name, value)| Statement::Int { name: name.clone(), value }).collect()
    }
}

impl<'a> Emitter for Builder<'a> {
    type At = StreamStage<'a>;
    type Halo = StageHalo;
    type Store = StageStore;

    fn arrivals(&mut self) -> Vec<Statement> {
        let mut body = Vec::new();
        for (index, _) in self.inputs() {
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
        body.extend(self.load_halos_of_step());
        body.extend(self.give_rows());
        body
    }

    /// What the stages make of the rows that are there.
    fn stages(&mut self) -> Vec<Statement> {
        let mut body = Vec::new();
        let mut exchanged = BTreeSet::new();
        for boundary in self.boundary.stages.clone() {
            for tap in boundary.at.piped.parts.iter().flat_map(|part| part.reads.values()) {
                if exchanged.insert(tap.window) {
                    body.extend(self.shuffles(tap.window));
                    body.extend(self.take_rows(tap.window));
                }
            }
            body.extend(self.stage(&boundary));
        }
        body.extend(self.put_back_deferred_halos());
        body
    }

    fn aging(&mut self) -> Vec<Statement> {
        let moves = (0..self.stream.pipeline.windows.len()).map(|window| self.registers.aging(window));
        moves.filter(|moves| !moves.is_empty()).map(Statement::Moves).collect()
    }

    fn compute(&mut self, at: &StreamStage<'a>) -> Vec<Statement> {
        let rows = at.piped.parts.iter().flat_map(|part| (0..self.shape.rows).map(move |i| (part, i)));
        rows.flat_map(|(part, i)| self.compute_row(at.stage, part, i)).collect()
    }

    fn put_back(&mut self, at: &StreamStage<'a>, halo: &StageHalo) -> Vec<Statement> {
        self.replace_halo(*at, *halo)
    }

    fn store(&mut self, at: &StreamStage<'a>, store: &StageStore) -> Vec<Statement> {
        match store.buffer {
            Some(buffer) => self.store_in(*at, buffer, store.masks),
            None => store.masks.iter().flat_map(|mask| self.fold(*at, *mask)).collect(),
        }
    }

    /// Loads of halos, for this stage and the next ones, are around the acts.
    fn enclosed(&mut self, at: &StreamStage<'a>, _: Option<&StageHalo>, acts: Vec<Statement>) -> Vec<Statement> {
        let mut body = vec![self.subject.remark(at.stage, &format!("level {}", at.stage.level))];
        body.extend(self.load_halos_at(Moment::Before(at.index)));
        body.extend(acts);
        body.extend(self.load_deferred_halos(at.index));
        body
    }
}

/// A cell of a block, with the registers around it.
struct Block<'a> {
    cell: BlockCell,
    constants: &'a Constants,
}

impl WindowStorage for Block<'_> {
    fn value(&self, tap: &Tap) -> Option<Location> {
        Some(register(tap.window, tap.age, moved(self.cell, &tap.offset)))
    }

    fn constant(&self, read: Handle<Access>) -> Option<Location> {
        Some(self.constants.places.get(&read)?[self.cell.1 as usize].clone())
    }
}
