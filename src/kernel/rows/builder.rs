//! Stages as loops over their rows.

use std::ops::Range;

use super::boundary::{StageBoundary, Text};
use super::turn::{self, Ahead, Turn};
use super::windows::Windows;
use crate::kernel::cells::{Bounds, constant, from_origin, intersection, is_within, tile_hi, tile_origin};
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
    fn region(&self, turn: &Turn<'_>) -> Bounds {
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
        let body = match self.text.steady.clone() {
            Some(steady) => self.steady_levels(&steady),
            None => self.stages(0..self.text.stream.tile.stages.len(), Ahead::None),
        };
        Statement::Loop { variable: "row".into(), first, last, step: 1, body }
    }

    /// The first levels that are not left out, a loop over those between, and the last level.
    fn steady_levels(&mut self, steady: &Steady) -> Vec<Statement> {
        let Tile { levels, stages, .. } = self.text.stream.tile;
        let (first, last) = (steady.first * steady.width, (levels - 1) * steady.width);
        let skipped = self.skipped();
        let mut body = self.stages(0..first, if self.text.most_skipped == 0 { Ahead::None } else { Ahead::Skipped });
        if first < last {
            let inner = self.stages(first..first + steady.width, Ahead::Loop);
            let last = Index::Const((levels - 2 - steady.first) as i64);
            body.push(Statement::Loop { variable: turn::AHEAD.into(), first: skipped, last, step: 1, body: inner });
        }
        body.extend(self.stages(last..stages.len(), Ahead::None));
        body
    }

    fn stages(&mut self, indices: Range<usize>, ahead: Ahead) -> Vec<Statement> {
        indices.flat_map(|index| self.stage(&Turn { at: self.text.stream.stage(index), ahead })).collect()
    }

    fn stage(&mut self, turn: &Turn<'a>) -> Vec<Statement> {
        let (boundary, stage) = (self.text.boundary(turn), turn.at.stage);
        let mut body = vec![self.row_number(turn)];
        body.extend(self.windows.positions(turn));
        body.extend(self.row(turn, &boundary));
        let all_or_nothing = boundary.stores.first().filter(|_| !turn.at.is_read());
        let body = match all_or_nothing.and_then(|store| self.is_wanted(store)) {
            Some(condition) => Statement::If { condition, body },
            None => Statement::Scope(body),
        };
        vec![self.subject.remark(stage, &turn.ahead.name_of(stage.level)), body]
    }

    /// What a stage does with its row, which its sweep writes or which is halo.
    fn row(&mut self, turn: &Turn<'a>, boundary: &StageBoundary) -> Vec<Statement> {
        let (region, domain) = (self.region(turn), self.subject.domain(turn.at.stage.sweep, &mut self.arguments));
        let computed = intersection(&region, &domain);
        let condition = self.is_row(&computed[0]);
        let compute = self.compute(turn, boundary);
        let mut then = self.loops(&computed[1..], compute);
        let stores = if turn.at.is_read() { self.copy_results(turn, &boundary.stores, &domain) } else { Vec::new() };
        if boundary.halo.is_empty() {
            then.extend(stores);
            return vec![Statement::If { condition, body: then }];
        }
        let (buffer, copy) = self.copy_halo(turn, &boundary.halo);
        let kept = intersection(&region, &self.readable(turn));
        then.push(self.columns_beside(&[region, domain, kept.clone()], &computed, &copy));
        then.extend(stores);
        let body = self.loops(&kept[1..], copy);
        let otherwise = vec![Statement::If { condition: self.is_row(&kept[0]), body }];
        buffer.into_iter().chain([Statement::Choose { condition, then, otherwise }]).collect()
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

    fn compute(&mut self, turn: &Turn<'_>, boundary: &StageBoundary) -> Statement {
        let Self { subject, text, arguments, .. } = self;
        let StreamStage { stage, piped, .. } = turn.at;
        let step = turn.ahead.steps_before(stage.level, text.most_skipped > 0);
        let mut compute = subject.compute_part(stage, piped.last(), step, &self.windows, arguments);
        let to = match turn.at.is_read() {
            true => self.windows.own(turn),
            false => self.element(boundary.stores[0].buffer),
        };
        compute.stores.push((to, None));
        Statement::Compute(compute)
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
