//! Scalars that steps change by a rule without data.

use super::super::model::{Advance, Condition, Element, Expr, Item};
use super::Draft;
use super::values::binary;

impl Draft<'_> {
    /// Rules for some of the scalars, anywhere in a step.
    pub fn draw_rules(&mut self) {
        if self.program.scalars.is_empty() || !self.random.chance(35) {
            return;
        }
        self.note("scalar by rule");
        for _ in 0..self.random.within(1, 2) {
            let scalar = self.random.within(0, self.program.scalars.len() as i64 - 1) as usize;
            let value = self.rule_for(scalar);
            let guard = self.random.chance(25).then(|| self.rule_guard());
            let place = self.random.within(0, self.program.items.len() as i64) as usize;
            let place = if self.random.chance(50) { self.program.items.len() } else { place };
            self.program.items.insert(place, Item::Advance(Advance { scalar, value, guard }));
        }
    }

    /// The next value of a scalar, which stays small.
    fn rule_for(&mut self, scalar: usize) -> Expr {
        let now = Expr::Scalar(scalar);
        let other = self.random.within(0, self.program.scalars.len() as i64 - 1) as usize;
        let element = self.program.scalars[scalar].element;
        let (is_real, is_small) = (element.is_real(), element == Element::Char);
        match self.random.within(0, 3) {
            0 => binary("+", now, if is_real { Expr::Real(3) } else { Expr::Integer(2) }),
            1 if is_real => binary("+", binary("*", now, Expr::Real(9)), Expr::Real(1)),
            1 => binary("%", binary("*", now, Expr::Integer(5)), Expr::Integer(7)),
            2 if is_real || is_small => binary("+", now, self.rule_operand(other)),
            _ => binary("-", if is_real { Expr::Real(11) } else { Expr::Integer(1) }, now),
        }
    }

    /// Another scalar, or the step.
    fn rule_operand(&mut self, other: usize) -> Expr {
        let is_whole = !self.program.scalars[other].element.is_real();
        if is_whole || self.random.chance(30) { Expr::Step } else { Expr::Scalar(other) }
    }

    fn rule_guard(&mut self) -> Condition {
        match self.random.within(0, 2) {
            0 => Condition::StepFrom(self.random.within(1, 3)),
            1 => Condition::StepModulo { modulus: 2, remainder: self.random.within(0, 1) },
            _ => Condition::StepIs(self.random.within(0, 1)),
        }
    }
}
