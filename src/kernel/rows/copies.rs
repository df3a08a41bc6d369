//! Cells that a stage copies: beside what its sweep writes into its ring, and from there to device memory.

use super::turn::{AHEAD, Ahead, Turn};
use super::{ArgumentKind, Bounds, Builder, Condition, Index, Leaves, Location, Stage, Statement, loops};
use crate::kernel::cells::{from_origin, tile_hi, tile_lo};
use crate::kernel::origin;

impl Builder<'_> {
    /// The cells of a stage that anybody may read: no sweep computes cells outside the tiled box.
    pub(super) fn kept(&mut self, turn: &Turn) -> Bounds {
        let reach = self.pipeline.reach(self.pipeline.stages[turn.index].window(), self.rank());
        let mut bounds = Vec::new();
        for d in 0..self.rank() {
            let lo = tile_lo(d, &mut self.arguments).plus(reach.lo[d]);
            let hi = tile_hi(d, &mut self.arguments).plus(reach.hi[d]);
            bounds.push((self.first_of(turn, d).max(lo), self.last_of(turn, d).min(hi)));
        }
        bounds
    }

    /// Fills the columns of a row that lie beside those which the sweep writes, if there are any.
    pub(super) fn columns_beside(
        &mut self,
        turn: &Turn,
        kept: &Bounds,
        computed: &Bounds,
        domain: &Bounds,
    ) -> Vec<Statement> {
        let mut reaches_out = Vec::new();
        let mut body = Vec::new();
        for d in 1..self.rank() {
            let (lo, hi) = domain[d].clone();
            reaches_out.push(Condition::less(self.first_of(turn, d), lo.clone()));
            reaches_out.push(Condition::less(hi.clone(), self.last_of(turn, d)));
            let (first, last) = kept[d].clone();
            for beside in [(first.clone(), last.clone().min(lo.plus(-1))), (first.max(hi.plus(1)), last)] {
                let mut bounds = computed[1..d].to_vec();
                bounds.push(beside);
                bounds.extend_from_slice(&kept[d + 1..]);
                body.extend(loops(self.subject, &bounds, self.copy_halo(turn)));
            }
        }
        vec![Statement::If { condition: Condition::Any(reaches_out), body }]
    }

    /// Puts into a stage's ring what the slot holds where its sweep does not write.
    pub(super) fn copy_halo(&mut self, turn: &Turn) -> Statement {
        let own = self.own(turn).expect("the stage has a ring");
        let (field, _) = self.slot(turn.index);
        let mut buffers = self.halo_buffers(turn);
        let from = match buffers.len() {
            1 => buffers.remove(0),
            _ => match buffers.remove(0) {
                Location::Global { layout, cell, .. } => {
                    Location::Global { buffer: format!("halo{field}"), layout, base: origin(layout), cell }
                }
                other => other,
            },
        };
        Statement::Copy { to: own, from }
    }

    /// Declares the buffer that holds the halo of a stage's slot, if that depends on the level.
    pub(super) fn halo_buffer(&mut self, turn: &Turn) -> Option<Statement> {
        let (field, _) = self.slot(turn.index);
        let buffers: Vec<String> =
            self.halo_buffers(turn).iter().filter_map(Location::buffer).map(str::to_owned).collect();
        let count = buffers.len() as i64;
        let number = Index::name(AHEAD).modulo(Index::Const(count));
        let element = self.subject.recurrences.storage.fields[field].element;
        (count > 1).then(|| Statement::Buffer { name: format!("halo{field}"), element, number, buffers })
    }

    /// The stage's cell in the slots that it stands for, one level after the other.
    fn halo_buffers(&mut self, turn: &Turn) -> Vec<Location> {
        let (field, first) = self.slot(turn.index);
        let mut slots = vec![first];
        if let (Ahead::Loop, Some(steady)) = (turn.ahead, self.steady.clone()) {
            let later = (1..self.tile.levels).map(|by| turn.index + by * steady.width);
            let later = later.take_while(|index| *index < (self.tile.levels - 1) * steady.width);
            slots.extend(later.map(|index| self.slot(index).1).take_while(|slot| *slot != first));
        }
        let cell = self.subject.cell(self.rank());
        let mut places = Vec::new();
        for slot in slots {
            let kind = ArgumentKind::source(field, slot, self.is_in_place((field, slot)));
            places.push(self.subject.global(kind, cell.clone(), &mut self.arguments));
        }
        places
    }

    /// Stores what a later launch reads from a ring that holds it.
    pub(super) fn copy_results(&mut self, turn: &Turn, domain: &Bounds) -> Vec<Statement> {
        let Some(from) = self.own(turn) else { return Vec::new() };
        let mut copies = Vec::new();
        for index in self.outputs(turn) {
            let copy = Statement::Copy { to: self.result(index), from: from.clone() };
            let core = |d: usize| (from_origin(d, 0), self.last_of_core(d));
            let bounds = domain.iter().cloned().enumerate().skip(1);
            let bounds: Bounds = bounds.map(|(d, (lo, hi))| (core(d).0.max(lo), core(d).1.min(hi))).collect();
            let stage = &self.tile.stages[index];
            let mut conditions = vec![self.is_row(&core(0))];
            conditions.extend(self.is_level(turn, stage.level));
            conditions.extend(self.is_result_wanted(stage));
            copies.push(Statement::If {
                condition: Condition::All(conditions),
                body: loops(self.subject, &bounds, copy),
            });
        }
        copies
    }

    /// The stages that a text stands for and that launches store.
    fn outputs(&self, turn: &Turn) -> Vec<usize> {
        let Some(steady) = self.steady.as_ref().filter(|_| turn.ahead != Ahead::None) else {
            return Some(turn.index).filter(|index| self.tile.stages[*index].is_output).into_iter().collect();
        };
        let last = (self.tile.levels - 1) * steady.width;
        let is_met = |index: &usize| {
            let ahead = (index - turn.index) / steady.width;
            turn.ahead == Ahead::Loop || ahead <= self.most_skipped && steady.is_same_slot(ahead)
        };
        let later = (turn.index..last).step_by(steady.width);
        later.filter(|index| self.tile.stages[*index].is_output).filter(is_met).collect()
    }

    /// That the text stands for a level at the time, if it stands for others too.
    fn is_level(&self, turn: &Turn, level: usize) -> Option<Condition> {
        let by = Index::Const((level - self.tile.stages[turn.index].level) as i64);
        let ahead = turn.ahead.levels();
        (turn.ahead != Ahead::None).then(|| {
            Condition::All(vec![Condition::less_equal(by.clone(), ahead.clone()), Condition::less_equal(ahead, by)])
        })
    }

    /// That the launch is to store what a stage computes, if not all launches are.
    pub(super) fn is_result_wanted(&mut self, stage: &Stage) -> Option<Condition> {
        let is_less = self.may_leave_less && self.tile.is_for_results_alone(self.subject.recurrences, stage);
        if is_less {
            debug_assert_eq!(self.tile.leaves, Leaves::Results, "the text stores what any launch may");
            self.arguments.add("results", ArgumentKind::Results);
        }
        is_less.then(|| Condition::less_equal(Index::Const(1), Index::name("results")))
    }
}
