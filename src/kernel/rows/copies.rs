//! Cells that a stage copies: beside what its sweep writes into its window, and from there to device memory.

use super::boundary::StageStore;
use super::builder::Builder;
use super::turn::{AHEAD, Ahead, Turn};
use crate::kernel::cells::{Bounds, from_origin, intersection, is_within, reaches_out, tile_hi, tile_lo};
use crate::kernel::{ArgumentKind, Condition, Index, Location, Statement};
use crate::tile::{CellBox, StreamStage, Window};

impl Builder<'_> {
    /// The cells of a stage that are kept: those of its region that anybody may read, as no sweep computes cells outside the tiled
    /// box.
    fn kept(&mut self, turn: &Turn<'_>) -> Bounds {
        let reach = self.reach_of_readers(turn);
        let sides = reach.lo.into_iter().zip(reach.hi).enumerate();
        let side = |(d, (lo, hi))| (tile_lo(d, &mut self.arguments).plus(lo), tile_hi(d, &mut self.arguments).plus(hi));
        let readable: Bounds = sides.map(side).collect();
        intersection(&self.region(turn), &readable)
    }

    /// How far beside their cells stages read what the text writes. It stands for several levels, of which the last may have readers
    /// that the others have not: sweeps that are wanted in the last step alone.
    fn reach_of_readers(&self, turn: &Turn<'_>) -> CellBox {
        let stream = self.text.stream;
        let is_meant = |at: &StreamStage<'_>| match turn.ahead {
            Ahead::None => at.index == turn.at.index,
            Ahead::Skipped | Ahead::Loop => at.stage.sweep == turn.at.stage.sweep && at.is_read(),
        };
        let reach = |at: StreamStage<'_>| stream.pipeline.reach(at.piped.window(), self.rank());
        let reaches = stream.stages().filter(is_meant).map(reach);
        reaches.fold(CellBox::cell(self.rank()), |hull, reach| hull.hull(&reach))
    }

    /// Fills the columns of a row that are kept and lie beside those which the sweep writes, if there are any.
    pub(super) fn columns_beside(&mut self, turn: &Turn<'_>, buffers: &[ArgumentKind]) -> Statement {
        let (region, domain, kept) = (self.region(turn), self.domain(turn), self.kept(turn));
        let (computed, (_, copy)) = (self.computed(turn), self.copy_halo(turn, buffers));
        let mut body = Vec::new();
        for d in 1..self.rank() {
            let ((lo, hi), (first, last)) = (domain[d].clone(), kept[d].clone());
            for beside in [(first.clone(), last.clone().min(lo.plus(-1))), (first.max(hi.plus(1)), last)] {
                let mut bounds = computed[1..d].to_vec();
                bounds.push(beside);
                bounds.extend_from_slice(&kept[d + 1..]);
                body.extend(self.loops(&bounds, copy.clone()));
            }
        }
        Statement::If { condition: reaches_out(&region[1..], &domain[1..]), body }
    }

    /// What a stage does with a row that its sweep writes, and what with one that is halo.
    pub(super) fn row_or_halo(
        &mut self,
        turn: &Turn<'_>,
        buffers: &[ArgumentKind],
        (condition, then): (Condition, Vec<Statement>),
    ) -> impl Iterator<Item = Statement> + use<> {
        let (kept, (buffer, copy)) = (self.kept(turn), self.copy_halo(turn, buffers));
        let body = self.loops(&kept[1..], copy);
        let otherwise = vec![Statement::If { condition: self.is_row(&kept[0]), body }];
        buffer.into_iter().chain([Statement::Choose { condition, then, otherwise }])
    }

    /// Puts into a stage's window what the slot holds where its sweep does not write, and before it declares the buffer of the
    /// slot if that depends on the level.
    fn copy_halo(&mut self, turn: &Turn<'_>, buffers: &[ArgumentKind]) -> (Option<Statement>, Statement) {
        let mut places: Vec<Location> = buffers.iter().map(|buffer| self.element(*buffer)).collect();
        let names: Vec<String> = places.iter().filter_map(Location::buffer).map(str::to_owned).collect();
        let (mut from, to) = (places.swap_remove(0), self.windows.own(turn));
        if names.len() == 1 {
            return (None, Statement::Copy { to, from });
        }
        let Window { field, element, .. } = *turn.at.window;
        let (name, number) = (format!("halo{field}"), Index::name(AHEAD).modulo(Index::Const(names.len() as i64)));
        if let Location::Global { buffer, .. } = &mut from {
            buffer.clone_from(&name);
        }
        (Some(Statement::Buffer { name, element, number, buffers: names }), Statement::Copy { to, from })
    }

    /// Stores what a later launch reads from the window that holds it.
    pub(super) fn copy_result(&mut self, turn: &Turn<'_>, store: &StageStore) -> Statement {
        let core: Bounds = (0..self.rank()).map(|d| (from_origin(d, 0), self.last_of_core(d))).collect();
        let bounds = intersection(&core[1..], &self.domain(turn)[1..]);
        let copy = Statement::Copy { to: self.element(store.buffer), from: self.windows.own(turn) };
        let mut conditions = vec![self.is_row(&core[0])];
        conditions.extend(store.ahead.map(|by| is_level(turn, by)));
        conditions.extend(self.is_wanted(store));
        Statement::If { condition: Condition::All(conditions), body: self.loops(&bounds, copy) }
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
fn is_level(turn: &Turn<'_>, by: usize) -> Condition {
    let by = Index::Const(by as i64);
    Condition::All(is_within((by.clone(), by), turn.ahead.levels()).into())
}
