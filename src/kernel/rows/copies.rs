//! Cells that a stage copies: beside what its sweep writes into its window, and from there to device memory.

use super::boundary::StageStore;
use super::builder::{Bounds, Builder, loops};
use super::turn::{AHEAD, Turn};
use crate::kernel::cells::{from_origin, is_within, tile_hi, tile_lo};
use crate::kernel::{ArgumentKind, Condition, Index, Location, Statement};

impl Builder<'_> {
    /// The cells of a stage that anybody may read: no sweep computes cells outside the tiled box.
    pub(super) fn kept(&mut self, turn: &Turn) -> Bounds {
        let reach = self.text.pipeline.reach(self.text.pipeline.stages[turn.index].window(), self.rank());
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
        &self,
        turn: &Turn,
        kept: &Bounds,
        computed: &Bounds,
        domain: &Bounds,
        copy: &Statement,
    ) -> Statement {
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
                body.extend(loops(self.subject, &bounds, copy.clone()));
            }
        }
        Statement::If { condition: Condition::Any(reaches_out), body }
    }

    /// Puts into a stage's window what the slot holds where its sweep does not write, and before it declares the buffer of the
    /// slot if that depends on the level.
    pub(super) fn copy_halo(&mut self, turn: &Turn, buffers: &[ArgumentKind]) -> (Option<Statement>, Statement) {
        let mut places: Vec<Location> = buffers.iter().map(|buffer| self.element(*buffer)).collect();
        let names: Vec<String> = places.iter().filter_map(Location::buffer).map(str::to_owned).collect();
        let (mut from, to) = (places.swap_remove(0), self.windows.own(turn));
        if names.len() == 1 {
            return (None, Statement::Copy { to, from });
        }
        let (field, _) = self.text.tile.stages[turn.index].slot(self.subject.recurrences());
        let element = self.subject.recurrences().storage.fields[field].element;
        let (name, number) = (format!("halo{field}"), Index::name(AHEAD).modulo(Index::Const(names.len() as i64)));
        if let Location::Global { buffer, .. } = &mut from {
            buffer.clone_from(&name);
        }
        (Some(Statement::Buffer { name, element, number, buffers: names }), Statement::Copy { to, from })
    }

    /// Stores what a later launch reads from the window that holds it.
    pub(super) fn copy_results(&mut self, turn: &Turn, stores: &[StageStore], domain: &Bounds) -> Vec<Statement> {
        let core: Bounds = (0..self.rank()).map(|d| (from_origin(d, 0), self.last_of_core(d))).collect();
        let in_domain = |((first, last), (lo, hi)): (&(Index, Index), &(Index, Index))| {
            (first.clone().max(lo.clone()), last.clone().min(hi.clone()))
        };
        let bounds: Bounds = core.iter().zip(domain).skip(1).map(in_domain).collect();
        let mut copies = Vec::new();
        for store in stores {
            let copy = Statement::Copy { to: self.element(store.buffer), from: self.windows.own(turn) };
            let mut conditions = vec![self.is_row(&core[0])];
            conditions.extend(store.ahead.map(|by| is_level(turn, by)));
            conditions.extend(self.is_wanted(store));
            let body = loops(self.subject, &bounds, copy);
            copies.push(Statement::If { condition: Condition::All(conditions), body });
        }
        copies
    }

    /// That the launch is to store what a stage computes, if not all launches are.
    pub(super) fn is_wanted(&mut self, store: &StageStore) -> Option<Condition> {
        if store.is_for_results {
            self.arguments.add("results", ArgumentKind::Results);
        }
        store.is_for_results.then(|| Condition::less_equal(Index::Const(1), Index::name("results")))
    }
}

/// That the text stands for the stage so many levels later at the time.
fn is_level(turn: &Turn, by: usize) -> Condition {
    let by = Index::Const(by as i64);
    Condition::All(is_within((by.clone(), by), turn.ahead.levels()).into())
}
