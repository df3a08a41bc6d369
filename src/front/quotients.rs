//! What is known of quotients of sizes, as of the `n / 2` of a place in the middle, if every size is at least 1.

use super::polynomial::{Indeterminate, Polynomial, Ranges};
use super::reader::Reader;
use crate::ir::{BinaryOp, Expr, ExprKind, Handle, Param, ParamValue};

type Range = (Polynomial, Polynomial);

impl Reader<'_, '_, '_> {
    /// The ranges of the parameters of a sum that the host computes by divisions.
    pub fn ranges_of_quotients(&self, sum: &Polynomial) -> Ranges {
        let range = |this: &Indeterminate| match this {
            Indeterminate::Param(param) => Some((*this, self.range_of_param(*param)?)),
            _ => None,
        };
        sum.terms().flat_map(|(monomial, _)| monomial).filter_map(range).collect()
    }

    fn range_of_param(&self, param: Handle<Param>) -> Option<Range> {
        match self.nest.params[param].value {
            ParamValue::Expression { value, .. } => self.range_of_value(value),
            ParamValue::Variable(_) | ParamValue::IsSet { .. } => None,
        }
    }

    fn range_of_value(&self, value: Handle<Expr>) -> Option<Range> {
        match *self.kind(value) {
            ExprKind::Param(param) => self.range_of_param(param).or_else(|| self.as_range(value)),
            ExprKind::Convert(inner) => self.range_of_value(inner),
            ExprKind::Binary(BinaryOp::Div, left, right) => self.range_of_quotient(left, right),
            ExprKind::Binary(BinaryOp::Add, left, right) => {
                let ((first, last), (least, most)) = (self.range_of_value(left)?, self.range_of_value(right)?);
                Some((first.plus(&least, 1)?, last.plus(&most, 1)?))
            }
            ExprKind::Binary(BinaryOp::Sub, left, right) => {
                let ((first, last), less) = (self.range_of_value(left)?, Polynomial::constant(self.constant(right)?));
                Some((first.plus(&less, -1)?, last.plus(&less, -1)?))
            }
            _ => self.as_range(value),
        }
    }

    /// The range of a polynomial, which is one value.
    fn as_range(&self, value: Handle<Expr>) -> Option<Range> {
        self.polynomial(value).map(|value| (value.clone(), value))
    }

    fn range_of_quotient(&self, left: Handle<Expr>, right: Handle<Expr>) -> Option<Range> {
        let whole = self.polynomial(left).filter(Polynomial::is_surely_nonnegative)?;
        self.constant(right).filter(|divisor| *divisor > 1)?;
        let less = whole.plus(&Polynomial::constant(1), -1)?;
        Some((Polynomial::default(), if less.is_surely_nonnegative() { less } else { whole }))
    }
}
