//! Strategy `rows`: time tiles that stream through the cache, a row at a time, for CPUs.
//!
//! A work-item owns a tile and streams along the outermost dimension: at row `z` every stage computes its row (a plane in
//! three dimensions) `z - lag`, from its first column to its last, in plain loops that compilers vectorise. A ring of rows
//! in local memory, which on a CPU is the cache, keeps of each stage what others still read; rows that were there before
//! the launch are read where they are. Beside what a sweep writes, rings hold what its slot held.
//!
//! Levels that do the same are a loop in the text, and its start is an argument: compilers take seconds for what is unrolled,
//! and tiles of all depths are one kernel. See [`Steady`].
//!
//! It is the pipeline of [`stream`](super::stream) with another storage: rows in a ring instead of registers with rotated
//! names, and a row that was delivered in the same step is at hand with all its columns.

mod copies;
mod ring;
mod turn;

use std::collections::BTreeMap;

use super::cells::{constant, from_origin, tile_hi, tile_origin};
use super::inputs::Arguments;
use super::{ArgumentKind, Condition, Index, Kernel, LocalArray, Place, Statement, Subject};
use crate::tile::{Leaves, Pipeline, Region, RowRing, Rules, Stage, Steady, Tap, Tile, slot_at};
use turn::{Ahead, Turn};

/// First and last index of a loop in each dimension.
type Bounds = Vec<(Index, Index)>;

/// The kernels that advance a tile by its levels in one launch, for each of the tiles, which differ in nothing but depth and in
/// what they leave. Kernels of the same name have the same text.
pub fn rows_kernels(subject: &Subject<'_>, names: &[String], tiles: &[Tile]) -> Vec<Kernel> {
    let mut kernels: Vec<Kernel> = Vec::new();
    let text = text_of_all(tiles);
    let pipeline = tiles.get(text).map(|tile| whole_rows(subject, tile));
    let steady = pipeline.as_ref().and_then(|pipeline| Steady::of(subject.recurrences, &tiles[text], pipeline));
    let shares = |tile: &Tile| {
        let (Some(pipeline), Some(steady)) = (&pipeline, &steady) else { return false };
        steady.is_for(tile.levels)
            && (tile.leaves == tiles[text].leaves
                || tiles[text].leaves == Leaves::Results && may_leave_less(subject, &tiles[text], pipeline))
    };
    let begin = tiles.iter().position(shares).unwrap_or(tiles.len());
    let members: Vec<&Tile> = tiles[begin..].iter().take_while(|tile| shares(tile)).collect();
    let of_all = names.get(begin).map(|name| rows_kernel(subject, name, &tiles[text], &members));
    for (index, (tile, name)) in tiles.iter().zip(names).enumerate() {
        let kernel = match &of_all {
            Some(kernel) if (begin..begin + members.len()).contains(&index) => kernel.clone(),
            _ => rows_kernel(subject, name, tile, &[tile]),
        };
        let least_chunk = tile.region().extents()[0] - tile.core[0];
        kernels.push(Kernel { levels: tile.levels, leaves: tile.leaves, least_chunk, ..kernel });
    }
    kernels
}

/// The tile whose text may do for all: of the deepest ones that which leaves most.
fn text_of_all(tiles: &[Tile]) -> usize {
    usize::from(tiles.len() > 1 && tiles[1].levels == tiles[0].levels)
}

fn whole_rows(subject: &Subject<'_>, tile: &Tile) -> Pipeline {
    Pipeline::new(subject.analysis.nest, subject.recurrences, tile, Rules::WHOLE_ROWS)
}

/// Whether a launch may leave out the stores for results alone: buffers that it takes for written hold the same afterwards.
fn may_leave_less(subject: &Subject<'_>, tile: &Tile, pipeline: &Pipeline) -> bool {
    let alone = tile.stages.iter().filter(|stage| tile.is_for_results_alone(subject.recurrences, stage));
    alone.map(|stage| stage.slot(subject.recurrences)).all(|slot| {
        let is_read = tile.slots.get(&slot).is_some_and(|used| used.has_halo || used.has_input);
        !is_read || pipeline.is_in_place(subject.recurrences, tile, slot)
    })
}

/// The kernel of a tile, with which all `members` can do.
fn rows_kernel(subject: &Subject<'_>, name: &str, tile: &Tile, members: &[&Tile]) -> Kernel {
    let pipeline = whole_rows(subject, tile);
    let least = members.iter().map(|member| member.levels).min().unwrap_or(tile.levels);
    let mut builder = Builder {
        subject,
        tile,
        pipeline: &pipeline,
        steady: Steady::of(subject.recurrences, tile, &pipeline),
        most_skipped: tile.levels - least,
        may_leave_less: members.iter().any(|member| member.leaves != tile.leaves),
        rings: BTreeMap::new(),
        arguments: Arguments::default(),
        local_arrays: Vec::new(),
    };
    builder.declare_rings();
    let mut core = constant(&tile.core);
    core[0] = builder.chunk();
    let mut body = tile_origin(&core, &mut builder.arguments);
    body.push(builder.stream());
    Kernel {
        name: name.to_string(),
        levels: tile.levels,
        leaves: tile.leaves,
        sweep: 0,
        rank: tile.core.len(),
        work_group: [1, 1, 1],
        tile: tile.core.clone(),
        end_of_stream: 0,
        halves_last: false,
        least_chunk: 0,
        reach: builder.reach(),
        is_cut: vec![true; tile.core.len()],
        rim: Region::cell(tile.core.len()),
        arguments: builder.arguments.finish(),
        local_arrays: builder.local_arrays,
        body,
    }
}

struct Builder<'a> {
    subject: &'a Subject<'a>,
    tile: &'a Tile,
    pipeline: &'a Pipeline,
    /// How its levels follow from each other; `None`: all are written out.
    steady: Option<Steady>,
    /// Levels that launches may leave out.
    most_skipped: usize,
    /// Whether launches may leave out what is stored for results alone.
    may_leave_less: bool,
    /// For each sweep that others read its local array.
    rings: BTreeMap<usize, usize>,
    arguments: Arguments,
    local_arrays: Vec<LocalArray>,
}

impl Builder<'_> {
    fn rank(&self) -> usize {
        self.tile.core.len()
    }

    /// Rows are counted until the last level has its last one.
    fn reach(&self) -> Region {
        let mut region = self.tile.region_around_core();
        region.hi[0] += self.pipeline.longest_lag();
        region
    }

    /// Rows of the core, which the host may shorten.
    fn chunk(&mut self) -> Index {
        self.arguments.add("chunk", ArgumentKind::Chunk);
        Index::name("chunk")
    }

    /// Levels that this launch leaves out.
    fn skipped(&mut self) -> Index {
        if self.most_skipped == 0 {
            return Index::Const(0);
        }
        self.arguments.add("skipped", ArgumentKind::Skipped { levels: self.tile.levels });
        Index::name("skipped")
    }

    /// The last cell of the core in a dimension.
    fn last_of_core(&self, d: usize) -> Index {
        match d {
            0 => from_origin(0, 0).sum(Index::name("chunk")).plus(-1),
            _ => from_origin(d, self.tile.core[d] - 1),
        }
    }

    /// The first cell of a stage's region in a dimension.
    fn first_of(&self, turn: &Turn, d: usize) -> Index {
        let first = from_origin(d, self.stage_of(turn).region.lo[d]);
        turn.ahead.moves(first, self.steady.as_ref().map_or(0, |steady| steady.lo[d]))
    }

    /// The last cell of a stage's region in a dimension.
    fn last_of(&self, turn: &Turn, d: usize) -> Index {
        let last = self.last_of_core(d).plus(self.stage_of(turn).region.hi[d] - (self.tile.core[d] - 1));
        turn.ahead.moves(last, self.steady.as_ref().map_or(0, |steady| steady.hi[d]))
    }

    fn stage_of(&self, turn: &Turn) -> &Stage {
        &self.tile.stages[turn.index]
    }

    /// The first row of the stream and the last one behind the core, relative to it.
    fn span(&self) -> (i64, i64) {
        let stages = || self.tile.stages.iter().zip(&self.pipeline.flows);
        let first = stages().map(|(stage, flow)| stage.region.lo[0] + flow.lag()).min();
        let last = stages().map(|(stage, flow)| stage.region.hi[0] + flow.lag()).max();
        (first.unwrap_or(0), last.unwrap_or(0) - (self.tile.core[0] - 1))
    }

    /// All rows, the last ones only as far as there are cells.
    fn stream(&mut self) -> Statement {
        let (first, behind) = self.span();
        let later = self.steady.as_ref().map_or(0, Steady::rows_later);
        let first = turn::moved(from_origin(0, first), self.skipped(), later);
        let last = self.last_of_core(0).min(tile_hi(0, &mut self.arguments)).plus(behind);
        let body = match self.steady.clone() {
            Some(steady) => self.steady_levels(&steady),
            None => (0..self.tile.stages.len()).flat_map(|index| self.stage(&Turn::at(index))).collect(),
        };
        Statement::Loop { variable: "row".into(), first, last, step: 1, body }
    }

    /// The first levels that are not left out, a loop over those between, and the last level.
    fn steady_levels(&mut self, steady: &Steady) -> Vec<Statement> {
        let (first, last) = (steady.first * steady.width, (self.tile.levels - 1) * steady.width);
        let skipped = self.skipped();
        let ahead = if self.most_skipped == 0 { Ahead::None } else { Ahead::Skipped };
        let mut body: Vec<Statement> = Vec::new();
        for index in 0..first {
            body.extend(self.stage(&Turn { index, ahead }));
        }
        if first < last {
            let levels = first..first + steady.width;
            let inner = levels.flat_map(|index| self.stage(&Turn { index, ahead: Ahead::Loop })).collect();
            let most = self.tile.levels - 2 - steady.first;
            let last = Index::Const(most as i64);
            body.push(Statement::Loop { variable: turn::AHEAD.into(), first: skipped, last, step: 1, body: inner });
        }
        for index in last..self.tile.stages.len() {
            body.extend(self.stage(&Turn::at(index)));
        }
        body
    }

    fn stage(&mut self, turn: &Turn) -> Vec<Statement> {
        let (tile, flow) = (self.tile, &self.pipeline.flows[turn.index]);
        let stage = &tile.stages[turn.index];
        let (field, _) = self.subject.recurrences.storage.writes[stage.sweep];
        let name = &self.subject.recurrences.storage.fields[field].name;
        let mut body = vec![self.row_number(turn, flow.lag())];
        body.extend(self.positions(turn));
        let domain = self.subject.domain(stage.sweep, &mut self.arguments);
        let computed = self.computed(turn, &domain);
        let mut inside = loops(self.subject, &computed[1..], self.compute(turn));
        let mut outside = Vec::new();
        if flow.halo.is_some() && self.own(turn).is_some() {
            body.extend(self.halo_buffer(turn));
            let kept = self.kept(turn);
            inside.extend(self.columns_beside(turn, &kept, &computed, &domain));
            let copies = loops(self.subject, &kept[1..], self.copy_halo(turn));
            outside.push(Statement::If { condition: self.is_row(&kept[0]), body: copies });
        }
        inside.extend(self.copy_results(turn, &domain));
        let condition = self.is_row(&computed[0]);
        body.push(match outside.is_empty() {
            true => Statement::If { condition, body: inside },
            false => Statement::Choose { condition, then: inside, otherwise: outside },
        });
        let is_wanted = self.own(turn).is_none().then(|| self.is_result_wanted(stage)).flatten();
        let body = match is_wanted {
            Some(condition) => Statement::If { condition, body },
            None => Statement::Scope(body),
        };
        vec![Statement::Comment(format!("{}: `{name}`", turn.ahead.name_of(stage.level))), body]
    }

    fn is_row(&self, (first, last): &(Index, Index)) -> Condition {
        let x = &self.subject.cell(self.rank())[0];
        Condition::All(vec![
            Condition::LessEqual(first.clone(), x.clone()),
            Condition::LessEqual(x.clone(), last.clone()),
        ])
    }

    /// The number of the stage's row.
    fn row_number(&self, turn: &Turn, lag: i64) -> Statement {
        let name = self.subject.analysis.names.cells(self.rank())[0].clone();
        let later = self.steady.as_ref().map_or(0, |steady| -steady.lag);
        Statement::Int { name, value: turn.ahead.moves(Index::name("row").plus(-lag), later) }
    }

    /// The cells of a stage that its sweep writes.
    fn computed(&self, turn: &Turn, domain: &Bounds) -> Bounds {
        let bounds = domain.iter().cloned().enumerate();
        bounds.map(|(d, (lo, hi))| (self.first_of(turn, d).max(lo), self.last_of(turn, d).min(hi))).collect()
    }

    fn compute(&mut self, turn: &Turn) -> Statement {
        let (subject, stage) = (self.subject, &self.tile.stages[turn.index]);
        let storage = &subject.recurrences.storage;
        let step = turn.ahead.steps_before(stage.level, self.most_skipped > 0);
        let mut compute = subject.compute(stage.sweep, format!("(first_step + {step})"));
        subject.declare_needs(stage.sweep, &mut self.arguments);
        for &read in &subject.recurrences.sweeps.sweeps[stage.sweep].reads {
            if let Some(tap) = self.pipeline.flows[turn.index].last().reads.get(&read)
                && let Some(place) = self.kept_value(tap)
            {
                compute.reads.insert(read, place);
                continue;
            }
            let place = &storage.reads[&(stage.sweep, read)];
            let slot = slot_at(place.slot, stage.level, storage.fields[place.field].slots);
            let kind = ArgumentKind::Input { field: place.field, slot };
            subject.add_read(&mut compute, read, kind, subject.touched(stage.sweep, read), &mut self.arguments);
        }
        let to = self.own(turn).unwrap_or_else(|| self.result(turn.index));
        compute.stores.push((to, None));
        Statement::Compute(compute)
    }

    /// The field and the relative slot that a stage writes.
    fn slot(&self, index: usize) -> (usize, usize) {
        self.tile.stages[index].slot(self.subject.recurrences)
    }

    /// Whether it is written in place.
    fn is_in_place(&self, slot: (usize, usize)) -> bool {
        self.pipeline.is_in_place(self.subject.recurrences, self.tile, slot)
    }

    /// A stage's cell in device memory.
    fn result(&mut self, index: usize) -> Place {
        let (field, slot) = self.slot(index);
        let cell = self.subject.cell(self.rank());
        let kind = ArgumentKind::result(field, slot, self.is_in_place((field, slot)));
        self.subject.global(kind, cell, &mut self.arguments)
    }
}

/// Loops over the last dimensions of a cell.
fn loops(subject: &Subject<'_>, bounds: &[(Index, Index)], inner: Statement) -> Vec<Statement> {
    let names = subject.analysis.names.cells(subject.layout_ranks[0]);
    let names = &names[names.len() - bounds.len()..];
    names.iter().zip(bounds).rev().fold(vec![inner], |body, (name, (first, last))| {
        let (first, last) = (first.clone(), last.clone());
        vec![Statement::Loop { variable: name.clone(), first, last, step: 1, body }]
    })
}
