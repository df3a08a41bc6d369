//! Real numbers that are integers: `float parity = (i + j) % 2; if (parity == 1)` compares integers.

use super::Walk;
use crate::front::ranges::Interval;
use crate::front::reader::Reader;
use crate::front::whole::whole_number;
use crate::ir::{Expr, ExprKind, Handle, ScalarType};

impl Reader<'_, '_, '_> {
    /// The integer over the integers that a real number is, if it is made of one that its type holds exactly.
    pub(super) fn integer_in(&mut self, value: Handle<Expr>, walk: &Walk) -> Option<Handle<Expr>> {
        let (ty, span) = (self.ty(value), self.nest.exprs.span(value));
        match self.kind(value).clone() {
            ExprKind::Local(local) => self.integer_in(self.nest.locals[local].value, walk),
            ExprKind::Float(_) => {
                let number = self.literal(value).and_then(whole_number)?;
                let is_held = i128::from(number).abs() <= held(ty).hi;
                is_held.then(|| self.int(ScalarType::I64, number, span))
            }
            ExprKind::Convert(inner) => {
                let is_real = self.ty(inner).is_float();
                let integer = if is_real { self.integer_in(inner, walk) } else { self.exact(inner, walk).ok() }?;
                self.ranges_at(&walk.place).of(integer).is_surely_in(held(ty)).then_some(integer)
            }
            _ => None,
        }
    }
}

/// The integers that a type of real numbers holds, all of them.
fn held(ty: ScalarType) -> Interval {
    let most = if ty == ScalarType::F32 { 1 << 24 } else { 1 << 53 };
    Interval { lo: -most, hi: most }
}
