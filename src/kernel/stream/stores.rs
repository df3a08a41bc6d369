//! What stages store: the core's cells of the row that they have computed, as vectors where a work-item owns all of them.

use super::boundary::{Mask, StageStore};
use super::masks::among;
use super::memory::Position;
use super::{Builder, register};
use crate::kernel::cells::is_within;
use crate::kernel::registers::Registers;
use crate::kernel::{Bits, Condition, Index, Statement};

impl Builder<'_> {
    /// Behind a stage: stores what a later launch reads of it.
    pub(super) fn stores(&mut self, index: usize) -> Vec<Statement> {
        let Some(StageStore { buffer, masks }) = self.boundary.stages[index].store else { return Vec::new() };
        let piped = &self.pipeline.stages[index];
        let window = piped.window();
        let conditions = self.owns_row_of(index);
        let sweep = self.tile.stages[index].sweep;
        let now = |name: &str, mask: Mask| masked(name, mask.name(sweep), &conditions);
        let name = format!("stored{index}");
        let mut body = vec![now(&name, masks[0])];
        let (element, behind) = (self.pipeline.windows[window].element, Index::Const(-piped.lag()));
        for i in 0..self.shape.rows {
            let to = self.element(buffer, Position::Here, behind.clone(), (i, 0));
            let from = (0..self.shape.columns).map(|j| Registers::name(window, 0, (i, j))).collect();
            let vector = vec![Statement::StoreVector { element, to, from, leaves_first: self.rank() == 3 }];
            let condition = among(&name, self.bit((i, 0)));
            body.push(Statement::If { condition, body: vector });
        }
        if masks.contains(&Mask::Singles) {
            let name = format!("single_now{index}");
            let mut copies = Vec::new();
            for block in self.blocks.own() {
                let to = self.element(buffer, Position::Here, behind.clone(), block);
                let copy = Statement::Copy { to, from: register(window, 0, block) };
                copies.push(Statement::If { condition: among(&name, self.bit(block)), body: vec![copy] });
            }
            body.push(now(&name, Mask::Singles));
            body.push(Statement::If { condition: among(&name, self.all_bits()), body: copies });
        }
        body
    }

    /// Whether the row that a stage has computed is one of the core's, and of its sweep's domain.
    pub(super) fn owns_row_of(&mut self, index: usize) -> Vec<Condition> {
        let row = Index::name("row").plus(-self.pipeline.stages[index].lag());
        let mut conditions = self.owns_row(&row);
        conditions.extend(self.has_row(index, row));
        conditions
    }

    /// Whether a row is one of the core's.
    fn owns_row(&self, row: &Index) -> Vec<Condition> {
        let own = (Index::name("o0"), Index::name("last0"));
        row_within([own].into_iter().take(self.first_in_row()), row)
    }

    /// Whether a row is in the domain of a stage's sweep, where it may not be.
    pub(super) fn has_row(&mut self, index: usize, row: Index) -> Vec<Condition> {
        if !self.boundary.tests_rows {
            return Vec::new();
        }
        let along = self.subject.domain(self.tile.stages[index].sweep, &mut self.arguments);
        row_within(along.into_iter().take(self.first_in_row()), &row)
    }
}

/// Declares a mask for a row: another one if the conditions hold.
pub(super) fn masked(name: &str, mask: String, conditions: &[Condition]) -> Statement {
    let (name, condition) = (name.to_owned(), Condition::All(conditions.to_vec()));
    Statement::MaskIf { name, condition, masks: vec![Bits::Mask(mask)], otherwise: 0 }
}

/// Whether a row is within the bounds, of which there is a pair where tiles stream.
fn row_within(along: impl Iterator<Item = (Index, Index)>, row: &Index) -> Vec<Condition> {
    along.flat_map(|bounds| is_within(bounds, row.clone())).collect()
}
