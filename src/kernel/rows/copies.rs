//! Cells that a stage copies: beside what its sweep writes into its window, and from there to device memory.

use super::boundary::StageStore;
use super::builder::Builder;
use super::turn::{AHEAD, Turn};
use crate::kernel::cells::{Bounds, from_origin, intersection, is_within, reaches_out, tile_hi, tile_lo};
use crate::kernel::{ArgumentKind, Condition, Index, Location, Statement};
use crate::tile::Window;

impl Builder<'_> {
    /// The cells of a stage that anybody may read: no sweep computes cells outside the tiled box.
    pub(super) fn readable(&mut self, turn: &Turn<'_>) -> Bounds {
        let reach = self.text.stream.pipeline.reach(turn.at.piped.window(), self.rank());
        let sides = reach.lo.into_iter().zip(reach.hi).enumerate();
        let side = |(d, (lo, hi))| (tile_lo(d, &mut self.arguments).plus(lo), tile_hi(d, &mut self.arguments).plus(hi));
        sides.map(side).collect()
    }

    /// Fills the columns of a row that are kept and lie beside those which the sweep writes, if there are any.
    pub(super) fn columns_beside(
        &self,
        [region, domain, kept]: &[Bounds; 3],
        computed: &Bounds,
        copy: &Statement,
    ) -> Statement {
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

    /// Puts into a stage's window what the slot holds where its sweep does not write, and before it declares the buffer of the
    /// slot if that depends on the level.
    pub(super) fn copy_halo(&mut self, turn: &Turn<'_>, buffers: &[ArgumentKind]) -> (Option<Statement>, Statement) {
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
    pub(super) fn copy_results(&mut self, turn: &Turn<'_>, stores: &[StageStore], domain: &Bounds) -> Vec<Statement> {
        let core: Bounds = (0..self.rank()).map(|d| (from_origin(d, 0), self.last_of_core(d))).collect();
        let bounds = intersection(&core[1..], &domain[1..]);
        let mut copies = Vec::new();
        for store in stores {
            let copy = Statement::Copy { to: self.element(store.buffer), from: self.windows.own(turn) };
            let mut conditions = vec![self.is_row(&core[0])];
            conditions.extend(store.ahead.map(|by| is_level(turn, by)));
            conditions.extend(self.is_wanted(store));
            let body = self.loops(&bounds, copy);
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
fn is_level(turn: &Turn<'_>, by: usize) -> Condition {
    let by = Index::Const(by as i64);
    Condition::All(is_within((by.clone(), by), turn.ahead.levels()).into())
}
