//! What stages store: the core's cells of the row that they have computed, as vectors where a work-item owns all of them.

use super::boundary::Mask;
use super::masks::{among, where_in};
use super::{Builder, register};
use crate::kernel::cells::is_within;
use crate::kernel::registers::Registers;
use crate::kernel::{ArgumentKind, Bits, Condition, Index, Statement};
use crate::tile::StreamStage;

impl Builder<'_> {
    /// Behind a stage: stores what a later launch reads of it.
    pub(super) fn store_in(&mut self, at: StreamStage<'_>, buffer: ArgumentKind, masks: &[Mask]) -> Vec<Statement> {
        let (window, blocks, conditions) = (at.piped.window(), self.blocks, self.owns_row_of(at));
        let now = |name: &str, mask: Mask| masked(name, mask.name(at.stage.sweep), &conditions);
        let name = format!("stored{}", at.index);
        let mut body = vec![now(&name, masks[0])];
        for i in 0..self.shape.rows {
            let (element, to) = (at.window.element, self.element_of(at, buffer, (i, 0)));
            let from = (0..self.shape.columns).map(|j| Registers::name(window, 0, (i, j))).collect();
            let vector = vec![Statement::StoreVector { element, to, from, leaves_first: self.rank() == 3 }];
            let condition = among(&name, self.bit((i, 0)));
            body.push(Statement::If { condition, body: vector });
        }
        if masks.contains(&Mask::Singles) {
            let name = format!("single_now{}", at.index);
            let copy = |block| {
                let to = self.element_of(at, buffer, block);
                (self.bit(block), Statement::Copy { to, from: register(window, 0, block) })
            };
            let copies = blocks.own().map(copy).collect();
            body.push(now(&name, Mask::Singles));
            body.push(where_in(&name, self.all_bits(), copies));
        }
        body
    }

    /// Whether the row that a stage has computed is one of the core's, and of its sweep's domain.
    pub(super) fn owns_row_of(&mut self, at: StreamStage<'_>) -> Vec<Condition> {
        let row = Index::name("row").plus(-at.piped.lag());
        let mut conditions = self.owns_row(&row);
        conditions.extend(self.has_row(at, row));
        conditions
    }

    /// Whether a row is one of the core's.
    fn owns_row(&self, row: &Index) -> Vec<Condition> {
        let own = (Index::name("o0"), Index::name("last0"));
        row_within([own].into_iter().take(self.first_in_row()), row)
    }

    /// Whether a row is in the domain of a stage's sweep, where it may not be.
    pub(super) fn has_row(&mut self, at: StreamStage<'_>, row: Index) -> Vec<Condition> {
        if !self.boundary.tests_rows {
            return Vec::new();
        }
        let along = self.subject.domain(at.stage.sweep, &mut self.arguments);
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
