//! What a part of a program names.

use super::folds::Folding;
use super::model::{Condition, Expr, Item, Reference, Slot, Statement};

/// Fields in the order of their first use, and the step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    pub fields: Vec<usize>,
    pub written: Vec<usize>,
    pub uses_step: bool,
    /// It chooses slots by the step.
    pub uses_turn: bool,
    /// What it folds, or needs of what is folded.
    pub folds: Vec<usize>,
}

impl Needs {
    pub fn of_items(items: &[Item]) -> Self {
        let mut needs = Self::default();
        for item in items {
            match item {
                Item::Sweep(sweep) => {
                    sweep.statements.iter().for_each(|statement| needs.add_statement(statement));
                    needs.uses_step |= sweep.step_guard.is_some();
                    sweep.foldings.iter().for_each(|folding| needs.add_folding(folding));
                }
                Item::Copy { to, from } => {
                    needs.add_written(*to);
                    needs.add_field(*from);
                }
                Item::Advance(advance) => {
                    let guard = advance.guard.as_ref();
                    needs.uses_step |= expr_uses_step(&advance.value) || guard.is_some_and(condition_uses_step);
                }
                Item::Rotate(fields) => fields.iter().for_each(|field| needs.add_written(*field)),
            }
        }
        needs
    }

    /// Whether they are others in each step.
    pub fn names_step(&self) -> bool {
        self.uses_step || self.uses_turn
    }

    pub fn of_statement(statement: &Statement) -> Self {
        let mut needs = Self::default();
        needs.add_statement(statement);
        needs
    }

    /// What the statement's values need, and its condition if it chooses between two.
    pub fn of_value(statement: &Statement) -> Self {
        let mut needs = Self::default();
        let condition = statement.guard.as_ref().filter(|_| statement.otherwise.is_some());
        needs.add_values(statement, condition);
        needs
    }

    fn add_statement(&mut self, statement: &Statement) {
        self.add_written(statement.target.field);
        self.uses_turn |= matches!(statement.target.slot, Slot::Step(_));
        self.uses_step |= statement.target.names_step();
        self.add_values(statement, statement.guard.as_ref());
    }

    fn add_folding(&mut self, folding: &Folding) {
        self.add_fold(folding.fold);
        let guard = folding.guard.as_ref();
        let reads = folding.value.reads().into_iter().chain(guard.into_iter().flat_map(Condition::reads));
        reads.for_each(|read| self.add_read(read));
        self.uses_step |= expr_uses_step(&folding.value) || guard.is_some_and(condition_uses_step);
    }

    fn add_values(&mut self, statement: &Statement, condition: Option<&Condition>) {
        let values = || [&statement.value].into_iter().chain(&statement.otherwise);
        let reads = values().flat_map(Expr::reads).chain(condition.into_iter().flat_map(Condition::reads));
        reads.for_each(|read| self.add_read(read));
        self.uses_step |= values().any(expr_uses_step) || condition.is_some_and(condition_uses_step);
        values().flat_map(Expr::folds).for_each(|fold| self.add_fold(fold));
    }

    fn add_fold(&mut self, fold: usize) {
        if !self.folds.contains(&fold) {
            self.folds.push(fold);
        }
    }

    fn add_read(&mut self, read: &Reference) {
        self.add_field(read.field);
        self.uses_turn |= matches!(read.slot, Slot::Step(_));
        self.uses_step |= read.names_step();
    }

    fn add_written(&mut self, field: usize) {
        self.add_field(field);
        self.written.push(field);
    }

    fn add_field(&mut self, field: usize) {
        if !self.fields.contains(&field) {
            self.fields.push(field);
        }
    }
}

fn expr_uses_step(expr: &Expr) -> bool {
    match expr {
        Expr::Step => true,
        Expr::Binary(_, a, b) => expr_uses_step(a) || expr_uses_step(b),
        Expr::Negate(a) | Expr::Cast(_, a) => expr_uses_step(a),
        Expr::Call(_, arguments) => arguments.iter().any(expr_uses_step),
        Expr::Select(condition, a, b) => condition_uses_step(condition) || expr_uses_step(a) || expr_uses_step(b),
        _ => false,
    }
}

pub fn condition_uses_step(condition: &Condition) -> bool {
    match condition {
        Condition::StepModulo { .. } | Condition::StepFrom(_) | Condition::StepIs(_) => true,
        Condition::Data(a, _, b) => expr_uses_step(a) || expr_uses_step(b),
        Condition::Both(a, b) => condition_uses_step(a) || condition_uses_step(b),
        _ => false,
    }
}
