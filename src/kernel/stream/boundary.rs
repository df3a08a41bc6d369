//! Boundaries: which cells of a work-item's block its sweeps write, which of them the work-group owns, and what the
//! others hold.
//!
//! Whether a cell is inside depends on its row of the stream and on its place in that row. The places do not change, so
//! the answers for a whole block are one mask, made once; every stage takes it, or nothing, for the row that it computes.

use super::{Builder, register};
use crate::kernel::registers::Registers;
use crate::kernel::{ArgumentKind, Condition, Index, Place, Statement};
use crate::tile::{BlockCell, Flow, Halo, Stage, slot_at};

/// A mask of the block's cells that the work-group owns.
const CORE: &str = "core";

impl Builder<'_> {
    /// Masks that hold for every row: the cells of the core, and in partial tiles those of every sweep's domain.
    pub(super) fn masks(&mut self) -> Vec<Statement> {
        let core = self.mask(CORE.into(), |this, d| this.core_bounds(d));
        let mut masks = vec![core];
        if self.is_full {
            return masks;
        }
        let mut sweeps: Vec<usize> = self.bounded_stages().map(|index| self.tile.stages[index].sweep).collect();
        sweeps.sort_unstable();
        sweeps.dedup();
        for sweep in sweeps {
            let bounds = self.subject.domain(sweep, &mut self.arguments);
            masks.push(self.mask(domain(sweep), |_, d| bounds[d].clone()));
        }
        masks
    }

    /// A mask of the cells whose places in their row are within bounds, which are given for each inner dimension.
    fn mask(&self, name: String, bounds: impl Fn(&Self, usize) -> (Index, Index)) -> Statement {
        let bits = self.blocks.own().map(|block| {
            let cell = self.cell(Index::Const(0), block).into_iter().enumerate().skip(1);
            Condition::All(cell.flat_map(|(d, x)| between(bounds(self, d), x)).collect())
        });
        Statement::Mask { name, bits: bits.collect() }
    }

    /// First and last cell of the sub-group's core.
    fn core_bounds(&self, d: usize) -> (Index, Index) {
        let (origin, extent) = match d == self.rank() - 1 {
            true => (self.strip_origin(), self.strip),
            false => (Index::name(format!("o{d}")), self.tile.core[d]),
        };
        (origin.clone(), origin.plus(extent - 1))
    }

    /// Whether boundaries matter for a stage, by index.
    fn is_bounded(&self, index: usize) -> bool {
        self.tile.stages[index].is_output || self.pipeline.flows[index].halo.is_some()
    }

    fn bounded_stages(&self) -> impl Iterator<Item = usize> + use<> {
        let bounded = (0..self.tile.stages.len()).filter(|index| self.is_bounded(*index)).collect::<Vec<_>>();
        bounded.into_iter()
    }

    /// Whether a step begins with all that its stages need to know of boundaries, so that loads of what cells outside
    /// hold are under way early. In two dimensions that would keep too many registers busy: there every stage looks
    /// when it is its turn.
    fn looks_ahead(&self) -> bool {
        self.rank() == 3
    }

    /// What the stages need to know of boundaries before the step begins.
    pub(super) fn begin_step(&mut self) -> Vec<Statement> {
        if self.is_full || !self.looks_ahead() {
            return Vec::new();
        }
        self.bounded_stages().flat_map(|index| self.find_inside(index)).collect()
    }

    /// What a stage needs to know of boundaries if the step has not begun with it.
    pub(super) fn begin_stage(&mut self, index: usize) -> Vec<Statement> {
        if self.is_full || self.looks_ahead() || !self.is_bounded(index) {
            return Vec::new();
        }
        self.find_inside(index)
    }

    /// The mask of the row that a stage computes in this step, and loads of what cells outside hold.
    fn find_inside(&mut self, index: usize) -> Vec<Statement> {
        let (stage, flow) = (&self.tile.stages[index], &self.pipeline.flows[index]);
        let (lo, hi) = self.subject.domain(stage.sweep, &mut self.arguments).swap_remove(0);
        let row = Index::name("row").plus(-flow.lag());
        let condition = Condition::All(between((lo, hi), row).into());
        let mask = Statement::MaskIf { name: inside(index), condition, masks: vec![domain(stage.sweep)] };
        let mut body = vec![mask];
        if self.looks_ahead() {
            body.extend(self.prefetch_halo(index));
            body.extend(self.load_halo(index));
        }
        body
    }

    /// Brings cells outside the domain near before they are loaded; those before and behind the stream are few.
    fn prefetch_halo(&mut self, index: usize) -> Option<Statement> {
        let (stage, flow) = (&self.tile.stages[index], &self.pipeline.flows[index]);
        let Some(Halo::Buffer { field, slot }) = flow.halo else { return None };
        if self.shape.prefetched == 0 {
            return None;
        }
        let row = Index::name("row").plus(self.shape.prefetched - flow.lag()).min(Index::name("last_row"));
        let mask = domain(stage.sweep);
        let mut prefetches = Vec::new();
        for i in 0..self.shape.rows {
            let cell = self.cell(row.clone(), (i, 0));
            let from = self.subject.global(ArgumentKind::Input { field, slot }, cell, &mut self.arguments);
            let bits = (0..self.shape.columns).map(|j| self.bit((i, j))).sum();
            let condition = Condition::Lacks { mask: mask.clone(), bits };
            prefetches.push(Statement::If { condition, body: vec![Statement::Prefetch(from)] });
        }
        let condition = Condition::Lacks { mask, bits: self.all_bits() };
        Some(Statement::If { condition, body: prefetches })
    }

    /// Loads the cells outside the domain into the window that the stage is about to fill.
    fn load_halo(&mut self, index: usize) -> Option<Statement> {
        let flow = &self.pipeline.flows[index];
        let Some(Halo::Buffer { field, slot }) = flow.halo else { return None };
        let kind = ArgumentKind::Input { field, slot };
        let mut loads = Vec::new();
        for block in self.blocks.own() {
            let cell = self.cell(Index::name("row").plus(-flow.lag()), block);
            let from = self.subject.global(kind, cell, &mut self.arguments);
            let copy = Statement::Copy { to: register(flow.window(), 0, block), from };
            let condition = Condition::Lacks { mask: inside(index), bits: self.bit(block) };
            loads.push(Statement::If { condition, body: vec![copy] });
        }
        let condition = Condition::Lacks { mask: inside(index), bits: self.all_bits() };
        Some(Statement::If { condition, body: loads })
    }

    /// Whether a cell is inside, and what it holds if it is not.
    pub(super) fn halo(&mut self, index: usize, block: BlockCell) -> Option<(Condition, Place)> {
        if self.is_full {
            return None;
        }
        let flow = &self.pipeline.flows[index];
        let place = match *flow.halo.as_ref()? {
            Halo::Window { window, age } => register(window, age, block),
            Halo::Buffer { .. } if self.looks_ahead() => register(flow.window(), 0, block),
            Halo::Buffer { field, slot } => {
                let cell = self.cell(Index::name("row").plus(-flow.lag()), block);
                self.subject.global(ArgumentKind::Input { field, slot }, cell, &mut self.arguments)
            }
        };
        Some((Condition::Bits { mask: inside(index), bits: self.bit(block) }, place))
    }

    /// Stores the core's cells of the row that the stage has computed.
    pub(super) fn stores(&mut self, index: usize, stage: &Stage, flow: &Flow) -> Vec<Statement> {
        let storage = &self.subject.recurrences.storage;
        let (field, ring) = storage.writes[stage.sweep];
        let slot = slot_at(ring, stage.level, storage.fields[field].slots);
        let (kind, element) = (ArgumentKind::Output { field, slot }, storage.fields[field].element);
        let row = Index::name("row").plus(-flow.lag());
        let first = Index::name("o0");
        let is_own = Condition::All(between((first.clone(), first.plus(self.tile.core[0] - 1)), row.clone()).into());
        let mut masks = vec![CORE.to_string()];
        masks.extend((!self.is_full).then(|| inside(index)));
        let name = format!("stored{index}");
        let mut body = vec![Statement::MaskIf { name: name.clone(), condition: is_own, masks }];
        for i in 0..self.shape.rows {
            let blocks: Vec<BlockCell> = (0..self.shape.columns).map(|j| (i, j)).collect();
            let to = self.subject.global(kind, self.cell(row.clone(), (i, 0)), &mut self.arguments);
            let from = blocks.iter().map(|block| Registers::name(flow.window(), 0, *block)).collect();
            let vector = vec![Statement::StoreVector { element, to, from }];
            if self.is_full {
                let condition = Condition::Bits { mask: name.clone(), bits: self.bit((i, 0)) };
                body.push(Statement::If { condition, body: vector });
                continue;
            }
            let bits = blocks.iter().map(|block| self.bit(*block)).sum();
            let mut cells = Vec::new();
            for block in blocks {
                let to = self.subject.global(kind, self.cell(row.clone(), block), &mut self.arguments);
                let copy = Statement::Copy { to, from: register(flow.window(), 0, block) };
                let condition = Condition::Bits { mask: name.clone(), bits: self.bit(block) };
                cells.push(Statement::If { condition, body: vec![copy] });
            }
            let condition = Condition::Lacks { mask: name.clone(), bits };
            body.push(Statement::Choose { condition, then: cells, otherwise: vector });
        }
        body
    }

    /// The bit of a cell in the masks.
    fn bit(&self, (row, column): BlockCell) -> u32 {
        1 << (row * self.shape.columns + column)
    }

    fn all_bits(&self) -> u32 {
        u32::MAX >> (u32::BITS as i64 - self.shape.rows * self.shape.columns)
    }

    /// Whether all cells that the tile's results depend on are inside the domains of the sweeps that write them.
    pub(super) fn is_inside(&mut self) -> Condition {
        let mut inside = Vec::new();
        for index in self.bounded_stages() {
            let stage = &self.tile.stages[index];
            let bounds = self.subject.domain(stage.sweep, &mut self.arguments);
            for (d, (lo, hi)) in bounds.into_iter().enumerate() {
                let at = |offset: i64| Index::name(format!("o{d}")).plus(offset);
                inside.push(Condition::LessEqual(lo, at(stage.region.lo[d])));
                inside.push(Condition::LessEqual(at(stage.region.hi[d]), hi));
            }
        }
        strongest(inside)
    }
}

/// The mask of the places that a sweep writes.
fn domain(sweep: usize) -> String {
    format!("domain{sweep}")
}

/// The mask of the cells that a stage's sweep writes in the row of this step.
fn inside(stage: usize) -> String {
    format!("inside{stage}")
}

fn between((lo, hi): (Index, Index), x: Index) -> [Condition; 2] {
    [Condition::LessEqual(lo, x.clone()), Condition::LessEqual(x, hi)]
}

/// The conditions without those that others imply: of bounds on the same variable only the tightest.
fn strongest(conditions: Vec<Condition>) -> Condition {
    let mut kept: Vec<Condition> = Vec::new();
    for condition in conditions {
        let implied = kept.iter().any(|other| implies(other, &condition));
        if !implied {
            kept.retain(|other| !implies(&condition, other));
            kept.push(condition);
        }
    }
    Condition::All(kept)
}

/// Whether one bound implies another of the same form, `lo <= o + c` or `o + c <= hi`.
fn implies(stronger: &Condition, weaker: &Condition) -> bool {
    let (Condition::LessEqual(a, b), Condition::LessEqual(c, d)) = (stronger, weaker) else { return false };
    let ((a, a0), (b, b0), (c, c0), (d, d0)) = (split(a), split(b), split(c), split(d));
    a == c && b == d && b0 - a0 <= d0 - c0
}

/// An index as a base and a constant.
fn split(index: &Index) -> (&Index, i64) {
    match index {
        Index::Add(base, constant) => match &**constant {
            Index::Const(value) => (base, *value),
            _ => (index, 0),
        },
        _ => (index, 0),
    }
}
