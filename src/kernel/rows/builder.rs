//! Stages as loops over their rows.

use std::ops::Range;

use super::boundary::{StageStore, Text};
use super::turn::{self, Ahead, Turn};
use super::windows::Windows;
use crate::kernel::cells::{Bounds, constant, from_origin, intersection, is_within, tile_hi, tile_origin};
use crate::kernel::emitter::Emitter;
use crate::kernel::inputs::Arguments;
use crate::kernel::{ArgumentKind, Condition, Index, Kernel, Location, Role, Statement, Subject, Tiles};
use crate::tile::{CellBox, Steady, StreamStage, Tile};

pub(super) struct Builder<'a> {
    pub subject: &'a Subject<'a>,
    pub text: &'a Text<'a>,
    pub windows: Windows<'a>,
    pub arguments: Arguments,
}

impl<'a> Builder<'a> {
    pub fn new(subject: &'a Subject<'a>, text: &'a Text<'a>) -> Self {
        Self { subject, text, windows: Windows::new(subject, text), arguments: Arguments::default() }
    }

    pub fn build(mut self, name: &str, tiles: Tiles) -> Kernel {
        let mut core = constant(&self.text.stream.tile.core);
        core[0] = self.chunk();
        let mut body = tile_origin(&core, &mut self.arguments);
        body.push(self.stream());
        Kernel {
            name: name.to_string(),
            role: Role::Tiles(tiles),
            rank: self.rank(),
            work_group: [1, 1, 1],
            reach: self.reach(),
            arguments: self.arguments.finish(),
            local_arrays: self.windows.arrays,
            body,
        }
    }

    pub fn rank(&self) -> usize {
        self.text.stream.tile.core.len()
    }

    /// Rows are counted until the last level has its last one.
    fn reach(&self) -> CellBox {
        let mut region = self.text.stream.tile.region_around_core();
        region.hi[0] += self.text.stream.pipeline.longest_lag();
        region
    }

    /// Rows of the core, which the host may shorten.
    fn chunk(&mut self) -> Index {
        self.arguments.add("chunk", ArgumentKind::Chunk);
        Index::name("chunk")
    }

    /// Levels that this launch leaves out.
    fn skipped(&mut self) -> Index {
        if self.text.most_skipped == 0 {
            return Index::Const(0);
        }
        self.arguments.add("skipped", ArgumentKind::Skipped { levels: self.text.stream.tile.levels });
        Index::name("skipped")
    }

    /// The last cell of the core in a dimension.
    pub fn last_of_core(&self, d: usize) -> Index {
        match d {
            0 => from_origin(0, 0).sum(Index::name("chunk")).plus(-1),
            _ => from_origin(d, self.text.stream.tile.core[d] - 1),
        }
    }

    /// A stage's region.
    pub fn region(&self, turn: &Turn<'_>) -> Bounds {
        let (region, steady) = (&turn.at.stage.region, self.text.steady.as_ref());
        let side = |d: usize| {
            let last = self.last_of_core(d).plus(region.hi[d] - (self.text.stream.tile.core[d] - 1));
            let first = turn.ahead.moves(from_origin(d, region.lo[d]), steady.map_or(0, |steady| steady.lo[d]));
            (first, turn.ahead.moves(last, steady.map_or(0, |steady| steady.hi[d])))
        };
        (0..self.rank()).map(side).collect()
    }

    /// All rows, the last ones only as far as there are cells.
    fn stream(&mut self) -> Statement {
        let (first, behind) = self.text.span();
        let later = self.text.steady.as_ref().map_or(0, Steady::rows_later);
        let first = turn::moved(from_origin(0, first), self.skipped(), later);
        let last = self.last_of_core(0).min(tile_hi(0, &mut self.arguments)).plus(behind);
        Statement::Loop { variable: "row".into(), first, last, step: 1, body: self.step() }
    }

    /// The first levels that are not left out, a loop over those between, and the last level.
    fn steady_levels(&mut self, steady: &Steady) -> Vec<Statement> {
        let Tile { levels, stages, .. } = self.text.stream.tile;
        let (first, last) = (steady.first * steady.width, (levels - 1) * steady.width);
        let skipped = self.skipped();
        let mut body = self.stages_at(0..first, if self.text.most_skipped == 0 { Ahead::None } else { Ahead::Skipped });
        if first < last {
            let inner = self.stages_at(first..first + steady.width, Ahead::Loop);
            let last = Index::Const((levels - 2 - steady.first) as i64);
            body.push(Statement::Loop { variable: turn::AHEAD.into(), first: skipped, last, step: 1, body: inner });
        }
        body.extend(self.stages_at(last..stages.len(), Ahead::None));
        body
    }

    fn stages_at(&mut self, indices: Range<usize>, ahead: Ahead) -> Vec<Statement> {
        let text = self.text;
        let boundary = |index| text.boundary(Turn { at: text.stream.stage(index), ahead });
        indices.map(boundary).flat_map(|boundary| self.stage(&boundary)).collect()
    }

    /// The cells that a stage's sweep writes.
    pub fn domain(&mut self, turn: &Turn<'_>) -> Bounds {
        self.subject.domain(turn.at.stage.sweep, &mut self.arguments)
    }

    /// The cells that a stage computes.
    pub fn computed(&mut self, turn: &Turn<'_>) -> Bounds {
        intersection(&self.region(turn), &self.domain(turn))
    }

    pub fn is_row(&self, bounds: &(Index, Index)) -> Condition {
        Condition::All(is_within(bounds.clone(), self.subject.cell(self.rank()).swap_remove(0)).into())
    }

    /// The number of the stage's row.
    fn row_number(&self, turn: &Turn<'_>) -> Statement {
        let name = self.subject.analysis.names.cells(self.rank())[0].clone();
        let later = self.text.steady.as_ref().map_or(0, |steady| -steady.lag);
        Statement::Int { name, value: turn.ahead.moves(Index::name("row").plus(-turn.at.piped.lag()), later) }
    }

    /// Plain loops over the last dimensions of a cell.
    pub fn loops(&self, bounds: &[(Index, Index)], inner: Statement) -> Vec<Statement> {
        self.subject.loops(bounds, [1; 3], vec![inner])
    }

    /// The stages' cell in device memory.
    pub fn element(&mut self, buffer: ArgumentKind) -> Location {
        self.subject.global(buffer, self.subject.cell(self.rank()), &mut self.arguments)
    }
}

impl<'a> Emitter for Builder<'a> {
    type At = Turn<'a>;
    type Halo = Vec<ArgumentKind>;
    type Store = StageStore;

    fn stages(&mut self) -> Vec<Statement> {
        let Text { steady, stream, .. } = self.text;
        match steady {
            Some(steady) => self.steady_levels(steady),
            None => self.stages_at(0..stream.tile.stages.len(), Ahead::None),
        }
    }

    fn compute(&mut self, turn: &Turn<'a>) -> Vec<Statement> {
        let Self { subject, text, arguments, .. } = self;
        let StreamStage { stage, piped, .. } = turn.at;
        let step = turn.ahead.steps_before(stage.level, text.most_skipped > 0);
        let mut compute = subject.compute_part(stage, piped.last(), step, &self.windows, arguments);
        let to = match text.stored_at_once(turn) {
            None => self.windows.own(turn),
            Some(store) => self.element(store.buffer),
        };
        compute.stores.push((to, None));
        let computed = self.computed(turn);
        self.loops(&computed[1..], Statement::Compute(compute))
    }

    fn put_back(&mut self, turn: &Turn<'a>, buffers: &Vec<ArgumentKind>) -> Vec<Statement> {
        vec![self.columns_beside(turn, buffers)]
    }

    fn store(&mut self, turn: &Turn<'a>, store: &StageStore) -> Vec<Statement> {
        vec![self.copy_result(turn, store)]
    }

    /// The acts are for rows that the sweep writes; others may be halo.
    fn enclosed(&mut self, turn: &Turn<'a>, halo: Option<&Vec<ArgumentKind>>, acts: Vec<Statement>) -> Vec<Statement> {
        let mut body = vec![self.row_number(turn)];
        body.extend(self.windows.positions(turn));
        let rows = self.computed(turn).swap_remove(0);
        let condition = self.is_row(&rows);
        match halo {
            None => body.push(Statement::If { condition, body: acts }),
            Some(buffers) => body.extend(self.row_or_halo(turn, buffers, (condition, acts))),
        }
        let body = match self.text.stored_at_once(turn).and_then(|store| self.is_wanted(&store)) {
            Some(condition) => Statement::If { condition, body },
            None => Statement::Scope(body),
        };
        let stage = turn.at.stage;
        vec![self.subject.remark(stage, &turn.ahead.name_of(stage.level)), body]
    }
}
