//! Strategy `rows`: time tiles that stream through the cache, a row at a time, for CPUs.
//!
//! A work-item owns a tile and streams along the outermost dimension: at row `z` every stage computes its row (a plane in
//! three dimensions) `z - lag`, from its first column to its last, in plain loops that compilers vectorise. A ring of rows
//! in local memory, which on a CPU is the cache, keeps of each stage what others still read; rows that were there before
//! the launch are read where they are. Beside what a sweep writes, rings hold what its slot held.
//!
//! It is the pipeline of [`stream`](super::stream) with another storage: rows in a ring instead of registers with rotated
//! names, and a row that was delivered in the same step is at hand with all its columns.

use std::collections::BTreeSet;

use super::cells::{constant, from_origin, tile_hi, tile_lo, tile_origin};
use super::inputs::Arguments;
use super::{ArgumentKind, Condition, Index, Kernel, LocalArray, Place, Statement, Subject};
use crate::tile::{Pipeline, Region, RowRing, Rules, Stage, Tap, Tile, slot_at};

/// First and last index of a loop in each dimension.
type Bounds = Vec<(Index, Index)>;

/// The kernel that advances a tile by its levels in one launch.
pub fn rows_kernel(subject: &Subject<'_>, name: &str, tile: &Tile) -> Kernel {
    let pipeline = Pipeline::new(subject.memory.nest, subject.recurrences, tile, Rules::WHOLE_ROWS);
    let mut builder = Builder {
        subject,
        tile,
        pipeline: &pipeline,
        rings: vec![None; pipeline.windows.len()],
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
        least_chunk: tile.region().extents()[0] - tile.core[0],
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
    /// For each window its local array.
    rings: Vec<Option<usize>>,
    arguments: Arguments,
    local_arrays: Vec<LocalArray>,
}

impl Builder<'_> {
    fn rank(&self) -> usize {
        self.tile.core.len()
    }

    fn declare_rings(&mut self) {
        for ring in RowRing::all(self.subject.recurrences, self.tile, self.pipeline) {
            self.rings[ring.window] = Some(self.local_arrays.len());
            let name = format!("ring{}", ring.window);
            self.local_arrays.push(LocalArray { name, element: ring.element, lo: ring.lo, extents: ring.extents });
        }
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

    /// The last cell of the core in a dimension.
    fn last_of_core(&self, d: usize) -> Index {
        match d {
            0 => from_origin(0, 0).sum(Index::name("chunk")).plus(-1),
            _ => from_origin(d, self.tile.core[d] - 1),
        }
    }

    /// The last cell of a stage's region in a dimension.
    fn last_of(&self, region: &Region, d: usize) -> Index {
        self.last_of_core(d).plus(region.hi[d] - (self.tile.core[d] - 1))
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
        let last = self.last_of_core(0).min(tile_hi(0, &mut self.arguments)).plus(behind);
        let mut body = Vec::new();
        for index in 0..self.tile.stages.len() {
            body.extend(self.stage(index));
        }
        Statement::Loop { variable: "row".into(), first: from_origin(0, first), last, step: 1, body }
    }

    fn stage(&mut self, index: usize) -> Vec<Statement> {
        let (tile, pipeline) = (self.tile, self.pipeline);
        let (stage, flow) = (&tile.stages[index], &pipeline.flows[index]);
        let (field, _) = self.subject.recurrences.storage.writes[stage.sweep];
        let name = &self.subject.recurrences.storage.fields[field].name;
        let mut body = vec![self.row_number(flow.lag())];
        body.extend(self.positions(index));
        let domain = self.subject.domain(stage.sweep, &mut self.arguments);
        let computed = self.computed(stage, &domain);
        let x = &self.subject.cell(self.rank())[0];
        let mut inside = loops(self.subject, &computed[1..], self.compute(index));
        let is_row = |(first, last): &(Index, Index)| {
            Condition::All(vec![
                Condition::LessEqual(first.clone(), x.clone()),
                Condition::LessEqual(x.clone(), last.clone()),
            ])
        };
        let mut outside = Vec::new();
        if flow.halo.is_some() && self.rings[flow.window()].is_some() {
            let kept = self.kept(index);
            inside.extend(self.columns_beside(index, &kept, &computed, &domain));
            let body = loops(self.subject, &kept[1..], self.copy_halo(index));
            outside.push(Statement::If { condition: is_row(&kept[0]), body });
        }
        inside.extend(self.copy_result(index, &domain));
        body.push(match outside.is_empty() {
            true => Statement::If { condition: is_row(&computed[0]), body: inside },
            false => Statement::Choose { condition: is_row(&computed[0]), then: inside, otherwise: outside },
        });
        vec![Statement::Comment(format!("level {}: `{name}`", stage.level)), Statement::Scope(body)]
    }

    /// The number of the stage's row.
    fn row_number(&self, lag: i64) -> Statement {
        let name = self.subject.memory.names.cells(self.rank())[0].clone();
        Statement::Int { name, value: Index::name("row").plus(-lag) }
    }

    /// Where the rows that a stage reads and writes begin in their rings.
    fn positions(&self, index: usize) -> Vec<Statement> {
        let part = self.pipeline.flows[index].last();
        let taps = part.reads.values().map(|tap| (tap.window, tap.age));
        let rows: BTreeSet<(usize, i64)> = taps.chain([(part.window, 0)]).collect();
        let int = |(window, age): (usize, i64)| {
            let ring = &self.local_arrays[self.rings[window]?];
            Some(Statement::Long { name: row(window, age), value: self.position(ring, window, age) })
        };
        rows.into_iter().filter_map(int).collect()
    }

    /// The position that a cell at column 0 of the fastest dimension would have in the first line of a row. Columns may have
    /// any number that fits 32 bits; the position of column 0 then need not.
    fn position(&self, ring: &LocalArray, window: usize, age: i64) -> Index {
        let (last, depth) = (self.rank() - 1, ring.extents[0]);
        // Counted from the ring's first row, or so many turns before it that no number is negative.
        let ahead = -(self.pipeline.windows[window].lag + age + ring.lo[0]);
        let turns = ((-(self.span().0 + ahead)).max(0) + depth - 1) / depth * depth;
        let number = Index::name("row").minus(Index::name("o0")).plus(ahead + turns);
        let size = ring.extents[1..].iter().product();
        number.modulo(Index::Const(depth)).times(size).plus(-ring.lo[last]).minus(Index::name(format!("(long)o{last}")))
    }

    /// The cells of a stage that its sweep writes.
    fn computed(&self, stage: &Stage, domain: &Bounds) -> Bounds {
        let bounds = domain.iter().cloned().enumerate();
        bounds
            .map(|(d, (lo, hi))| (first_of(&stage.region, d).max(lo), self.last_of(&stage.region, d).min(hi)))
            .collect()
    }

    /// The cells of a stage that anybody may read: no sweep computes cells outside the tiled box.
    fn kept(&mut self, index: usize) -> Bounds {
        let region = &self.tile.stages[index].region;
        let reach = self.pipeline.reach(self.pipeline.flows[index].window(), self.rank());
        let mut bounds = Vec::new();
        for d in 0..self.rank() {
            let lo = tile_lo(d, &mut self.arguments).plus(reach.lo[d]);
            let hi = tile_hi(d, &mut self.arguments).plus(reach.hi[d]);
            bounds.push((first_of(region, d).max(lo), self.last_of(region, d).min(hi)));
        }
        bounds
    }

    /// Fills the columns of a row that lie beside those which the sweep writes, if there are any.
    fn columns_beside(&mut self, index: usize, kept: &Bounds, computed: &Bounds, domain: &Bounds) -> Vec<Statement> {
        let region = &self.tile.stages[index].region;
        let mut reaches_out = Vec::new();
        let mut body = Vec::new();
        for d in 1..self.rank() {
            let (lo, hi) = domain[d].clone();
            reaches_out.push(Condition::Less(first_of(region, d), lo.clone()));
            reaches_out.push(Condition::Less(hi.clone(), self.last_of(region, d)));
            let (first, last) = kept[d].clone();
            for beside in [(first.clone(), last.clone().min(lo.plus(-1))), (first.max(hi.plus(1)), last)] {
                let mut bounds = computed[1..d].to_vec();
                bounds.push(beside);
                bounds.extend_from_slice(&kept[d + 1..]);
                body.extend(loops(self.subject, &bounds, self.copy_halo(index)));
            }
        }
        vec![Statement::If { condition: Condition::Any(reaches_out), body }]
    }

    /// Puts into a stage's ring what the slot holds where its sweep does not write.
    fn copy_halo(&mut self, index: usize) -> Statement {
        let (field, slot) = self.slot(index);
        let cell = self.subject.cell(self.rank());
        let kind = ArgumentKind::source(field, slot, self.is_in_place(index));
        let from = self.subject.global(kind, cell, &mut self.arguments);
        Statement::Copy { to: self.own(index).expect("the stage has a ring"), from }
    }

    /// Stores what a later launch reads from a ring that holds it.
    fn copy_result(&mut self, index: usize, domain: &Bounds) -> Option<Statement> {
        let stage = &self.tile.stages[index];
        let from = self.own(index).filter(|_| stage.is_output)?;
        let copy = Statement::Copy { to: self.result(index), from };
        let core = |d: usize| (from_origin(d, 0), self.last_of_core(d));
        let bounds = domain.iter().cloned().enumerate().skip(1);
        let bounds: Bounds = bounds.map(|(d, (lo, hi))| (core(d).0.max(lo), core(d).1.min(hi))).collect();
        let x = self.subject.cell(self.rank())[0].clone();
        let rows = Condition::All(vec![Condition::LessEqual(core(0).0, x.clone()), Condition::LessEqual(x, core(0).1)]);
        Some(Statement::If { condition: rows, body: loops(self.subject, &bounds, copy) })
    }

    fn compute(&mut self, index: usize) -> Statement {
        let (subject, stage) = (self.subject, &self.tile.stages[index]);
        let storage = &subject.recurrences.storage;
        let mut compute = subject.compute(stage.sweep, format!("(first_step + {})", stage.level));
        subject.declare_needs(stage.sweep, &mut self.arguments);
        for &read in &subject.recurrences.sweeps.sweeps[stage.sweep].reads {
            if let Some(tap) = self.pipeline.flows[index].last().reads.get(&read)
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
        let to = self.own(index).unwrap_or_else(|| self.result(index));
        compute.stores.push((to, None));
        Statement::Compute(compute)
    }

    /// The field and the relative slot that a stage writes.
    fn slot(&self, index: usize) -> (usize, usize) {
        self.tile.stages[index].slot(self.subject.recurrences)
    }

    /// Whether it is written in place.
    fn is_in_place(&self, index: usize) -> bool {
        self.pipeline.is_in_place(self.subject.recurrences, self.tile, self.slot(index))
    }

    /// A stage's cell in device memory.
    fn result(&mut self, index: usize) -> Place {
        let (field, slot) = self.slot(index);
        let cell = self.subject.cell(self.rank());
        let kind = ArgumentKind::result(field, slot, self.is_in_place(index));
        self.subject.global(kind, cell, &mut self.arguments)
    }

    /// A stage's cell in its ring.
    fn own(&self, index: usize) -> Option<Place> {
        let window = self.pipeline.flows[index].window();
        self.kept_value(&Tap { window, age: 0, offset: vec![0; self.rank() - 1] })
    }

    /// The element of a ring; `None` for what has none.
    fn kept_value(&self, tap: &Tap) -> Option<Place> {
        let array = self.rings[tap.window]?;
        let (ring, cell) = (&self.local_arrays[array], self.subject.cell(self.rank()));
        let mut at = Index::name(row(tap.window, tap.age));
        for (d, x) in cell.into_iter().enumerate().skip(1) {
            let x = x.plus(tap.offset[d - 1]);
            let stride: i64 = ring.extents[d + 1..].iter().product();
            at = match d + 1 == self.rank() {
                true => at.sum(x),
                false => at.sum(x.plus(-ring.lo[d]).minus(from_origin(d, 0)).times(stride)),
            };
        }
        Some(Place::Element { array, at })
    }
}

/// Loops over the last dimensions of a cell.
fn loops(subject: &Subject<'_>, bounds: &[(Index, Index)], inner: Statement) -> Vec<Statement> {
    let names = subject.memory.names.cells(subject.layout_ranks[0]);
    let names = &names[names.len() - bounds.len()..];
    names.iter().zip(bounds).rev().fold(vec![inner], |body, (name, (first, last))| {
        let (first, last) = (first.clone(), last.clone());
        vec![Statement::Loop { variable: name.clone(), first, last, step: 1, body }]
    })
}

fn first_of(region: &Region, d: usize) -> Index {
    from_origin(d, region.lo[d])
}

/// The variable with the position of a row in a window's ring.
fn row(window: usize, age: i64) -> String {
    format!("row{window}_{age}")
}
