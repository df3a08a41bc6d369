//! Stages as loops over their rows.

use super::boundary::{StageBoundary, Text};
use super::turn::{self, Ahead, Turn};
use super::windows::Windows;
use crate::kernel::cells::{constant, from_origin, is_within, tile_hi, tile_origin};
use crate::kernel::inputs::Arguments;
use crate::kernel::{ArgumentKind, Condition, Index, Kernel, Location, Role, Statement, Subject, Tiles};
use crate::tile::{CellBox, Stage, Steady};

/// First and last index of a loop in each dimension.
pub(super) type Bounds = Vec<(Index, Index)>;

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
        let mut core = constant(&self.text.tile.core);
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
        self.text.tile.core.len()
    }

    /// Rows are counted until the last level has its last one.
    fn reach(&self) -> CellBox {
        let mut region = self.text.tile.region_around_core();
        region.hi[0] += self.text.pipeline.longest_lag();
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
        self.arguments.add("skipped", ArgumentKind::Skipped { levels: self.text.tile.levels });
        Index::name("skipped")
    }

    /// The last cell of the core in a dimension.
    pub fn last_of_core(&self, d: usize) -> Index {
        match d {
            0 => from_origin(0, 0).sum(Index::name("chunk")).plus(-1),
            _ => from_origin(d, self.text.tile.core[d] - 1),
        }
    }

    /// The first cell of a stage's region in a dimension.
    pub fn first_of(&self, turn: &Turn, d: usize) -> Index {
        let first = from_origin(d, self.stage_of(turn).region.lo[d]);
        turn.ahead.moves(first, self.text.steady.as_ref().map_or(0, |steady| steady.lo[d]))
    }

    /// The last cell of a stage's region in a dimension.
    pub fn last_of(&self, turn: &Turn, d: usize) -> Index {
        let last = self.last_of_core(d).plus(self.stage_of(turn).region.hi[d] - (self.text.tile.core[d] - 1));
        turn.ahead.moves(last, self.text.steady.as_ref().map_or(0, |steady| steady.hi[d]))
    }

    fn stage_of(&self, turn: &Turn) -> &'a Stage {
        &self.text.tile.stages[turn.index]
    }

    /// All rows, the last ones only as far as there are cells.
    fn stream(&mut self) -> Statement {
        let (first, behind) = self.text.span();
        let later = self.text.steady.as_ref().map_or(0, Steady::rows_later);
        let first = turn::moved(from_origin(0, first), self.skipped(), later);
        let last = self.last_of_core(0).min(tile_hi(0, &mut self.arguments)).plus(behind);
        let body = match self.text.steady.clone() {
            Some(steady) => self.steady_levels(&steady),
            None => (0..self.text.tile.stages.len()).flat_map(|index| self.stage(&Turn::at(index))).collect(),
        };
        Statement::Loop { variable: "row".into(), first, last, step: 1, body }
    }

    /// The first levels that are not left out, a loop over those between, and the last level.
    fn steady_levels(&mut self, steady: &Steady) -> Vec<Statement> {
        let (first, last) = (steady.first * steady.width, (self.text.tile.levels - 1) * steady.width);
        let skipped = self.skipped();
        let ahead = if self.text.most_skipped == 0 { Ahead::None } else { Ahead::Skipped };
        let mut body: Vec<Statement> = Vec::new();
        for index in 0..first {
            body.extend(self.stage(&Turn { index, ahead }));
        }
        if first < last {
            let levels = first..first + steady.width;
            let inner = levels.flat_map(|index| self.stage(&Turn { index, ahead: Ahead::Loop })).collect();
            let most = self.text.tile.levels - 2 - steady.first;
            let last = Index::Const(most as i64);
            body.push(Statement::Loop { variable: turn::AHEAD.into(), first: skipped, last, step: 1, body: inner });
        }
        for index in last..self.text.tile.stages.len() {
            body.extend(self.stage(&Turn::at(index)));
        }
        body
    }

    fn stage(&mut self, turn: &Turn) -> Vec<Statement> {
        let boundary = self.text.boundary(turn);
        let (stage, piped) = (self.stage_of(turn), &self.text.pipeline.stages[turn.index]);
        let comment = self.subject.remark(stage, &turn.ahead.name_of(stage.level));
        let mut body = vec![self.row_number(turn, piped.lag())];
        body.extend(self.windows.positions(turn));
        let domain = self.subject.domain(stage.sweep, &mut self.arguments);
        let computed = self.computed(turn, &domain);
        let condition = self.is_row(&computed[0]);
        let mut then = loops(self.subject, &computed[1..], self.compute(turn, &boundary));
        let mut otherwise = Vec::new();
        if !boundary.halo.is_empty() {
            let (buffer, copy) = self.copy_halo(turn, &boundary.halo);
            body.extend(buffer);
            let kept = self.kept(turn);
            then.push(self.columns_beside(turn, &kept, &computed, &domain, &copy));
            let body = loops(self.subject, &kept[1..], copy);
            otherwise.push(Statement::If { condition: self.is_row(&kept[0]), body });
        }
        if boundary.is_kept {
            then.extend(self.copy_results(turn, &boundary.stores, &domain));
        }
        body.push(match otherwise.is_empty() {
            true => Statement::If { condition, body: then },
            false => Statement::Choose { condition, then, otherwise },
        });
        let all_or_nothing = boundary.stores.first().filter(|_| !boundary.is_kept);
        let body = match all_or_nothing.and_then(|store| self.is_wanted(store)) {
            Some(condition) => Statement::If { condition, body },
            None => Statement::Scope(body),
        };
        vec![comment, body]
    }

    pub fn is_row(&self, bounds: &(Index, Index)) -> Condition {
        Condition::All(is_within(bounds.clone(), self.subject.cell(self.rank()).swap_remove(0)).into())
    }

    /// The number of the stage's row.
    fn row_number(&self, turn: &Turn, lag: i64) -> Statement {
        let name = self.subject.analysis.names.cells(self.rank())[0].clone();
        let later = self.text.steady.as_ref().map_or(0, |steady| -steady.lag);
        Statement::Int { name, value: turn.ahead.moves(Index::name("row").plus(-lag), later) }
    }

    /// The cells of a stage that its sweep writes.
    fn computed(&self, turn: &Turn, domain: &Bounds) -> Bounds {
        let bounds = domain.iter().cloned().enumerate();
        bounds.map(|(d, (lo, hi))| (self.first_of(turn, d).max(lo), self.last_of(turn, d).min(hi))).collect()
    }

    fn compute(&mut self, turn: &Turn, boundary: &StageBoundary) -> Statement {
        let Self { subject, text, arguments, .. } = self;
        let (stage, piped) = (&text.tile.stages[turn.index], &text.pipeline.stages[turn.index]);
        let step = turn.ahead.steps_before(stage.level, text.most_skipped > 0);
        let mut compute = subject.compute_part(stage, piped.last(), step, &self.windows, arguments);
        let to = match boundary.is_kept {
            true => self.windows.own(turn),
            false => self.element(boundary.stores[0].buffer),
        };
        compute.stores.push((to, None));
        Statement::Compute(compute)
    }

    /// The stages' cell in device memory.
    pub fn element(&mut self, buffer: ArgumentKind) -> Location {
        self.subject.global(buffer, self.subject.cell(self.rank()), &mut self.arguments)
    }
}

/// Loops over the last dimensions of a cell.
pub(super) fn loops(subject: &Subject<'_>, bounds: &[(Index, Index)], inner: Statement) -> Vec<Statement> {
    let names = subject.analysis.names.cells(subject.layout_ranks[0]);
    let names = &names[names.len() - bounds.len()..];
    names.iter().zip(bounds).rev().fold(vec![inner], |body, (name, (first, last))| {
        let (first, last) = (first.clone(), last.clone());
        vec![Statement::Loop { variable: name.clone(), first, last, step: 1, body }]
    })
}
