//! What stages fold: a work-item combines the values of its own cells of the core level by level, and stores what they come to
//! when all rows have passed.

use std::collections::BTreeMap;

use super::Builder;
use super::boundary::Mask;
use super::masks::among;
use super::stores::masked;
use crate::ir::{Combination, ScalarType};
use crate::kernel::registers::Registers;
use crate::kernel::{ArgumentKind, Held, Signs, Statement};
use crate::tile::{BlockCell, StreamStage};

impl Builder<'_> {
    /// Declares what is held of all values and levels.
    pub(super) fn hold(&self) -> Option<Statement> {
        let stages = self.stream.stages().filter(|at| at.stage.is_folded);
        let held: Vec<Held> = stages.map(|at| self.held(at)).collect();
        (!held.is_empty()).then_some(Statement::Hold(held))
    }

    /// Behind a stage: combines the values of the row that it has computed with what is held.
    pub(super) fn fold(&mut self, at: StreamStage<'_>, mask: Mask) -> Vec<Statement> {
        let conditions = self.owns_row_of(at);
        let name = format!("folded{}", at.index);
        let mut body = vec![masked(&name, mask.name(at.stage.sweep), &conditions)];
        let cells: Vec<BlockCell> = self.blocks.own().collect();
        // A work-item owns all columns of the core or none, and tiles that reach no boundary have no others.
        let columns = if mask == Mask::Core { self.shape.columns as usize } else { 1 };
        body.extend(cells.chunks(columns).map(|cells| {
            let values = cells.iter().map(|cell| Registers::name(at.piped.window(), 0, *cell)).collect();
            Statement::Fold { held: self.held(at), values, condition: among(&name, self.bit(cells[0])) }
        }));
        body
    }

    /// At the end: stores what is held.
    pub(super) fn give_held(&mut self) -> Vec<Statement> {
        let mut values: BTreeMap<usize, Vec<Held>> = BTreeMap::new();
        for at in self.stream.stages().filter(|at| at.stage.is_folded) {
            values.entry(self.value_of(at.stage.sweep).0).or_default().push(self.held(at));
        }
        let give = |(value, levels): (usize, Vec<Held>)| {
            let buffer = format!("held{value}");
            self.arguments.add(&buffer, ArgumentKind::Held { value, element: levels[0].element });
            Statement::GiveHeld { buffer, levels }
        };
        values.into_iter().map(give).collect()
    }

    /// What is held of a stage's values.
    fn held(&self, StreamStage { stage, window, .. }: StreamStage<'_>) -> Held {
        let (value, combination) = self.value_of(stage.sweep);
        let nest = self.subject.analysis.nest;
        let given = nest.step.statements[self.subject.recurrences().sweeps.sweeps[stage.sweep].statement].value;
        let signs = if nest.has_no_sign(given) { Signs::Positive } else { Signs::Any };
        let is_rough = combination == Combination::Maximum && nest.step.folds.values[value].is_bounded;
        Held {
            name: format!("held{value}_{}", stage.level),
            sum: format!("sum{value}"),
            element: held_type(window.element, combination),
            combination,
            signs,
            is_rough,
        }
    }

    /// The number of the value that a sweep gives, and how it is combined.
    fn value_of(&self, sweep: usize) -> (usize, Combination) {
        let folded = self.stream.tile.folded.as_ref().and_then(|folded| folded.value_of(sweep));
        folded.expect("only what tiles fold is folded")
    }
}

/// The type in which values of a type are combined: sums of integers may be larger than each of them.
fn held_type(element: ScalarType, combination: Combination) -> ScalarType {
    if combination == Combination::Sum && !element.is_float() { ScalarType::I64 } else { element }
}
