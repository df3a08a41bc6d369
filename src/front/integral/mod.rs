//! From integers as C computes them to integers: the only way into integer sets.
//!
//! What enters isl (bounds, conditions, subscripts, strides, remainders) is an expression *over the integers*: its value,
//! computed without any limit, is what C computes with conversions, promotions and wrap-around, in every iteration in
//! question. Three ways lead there, in this order:
//! 1. types and ranges prove it ([`Ranges`]);
//! 2. a [`RangeCheck`] says what must hold, and the driver looks before it starts;
//! 3. neither: the expression is none over the integers. A condition is evaluated on the device as C says, a value that no
//!    iteration changes is computed by the host as C says ([`ParamValue::Expression`](crate::ir::ParamValue::Expression)),
//!    all else is refused.
//!
//! Two facts carry this. Signed arithmetic that overflows is undefined, so what a program executes does not. Unsigned
//! arithmetic is exact modulo 2^w, so sums and products need no check of their own, only the value that leaves them does:
//! `i - 1u + n` may wrap in between. An unsigned parameter stands in such sums for its *signed representative*, the number
//! that is congruent to it and fits the signed type of its width: `z[q + m]` with `m = -1u` is `z[q - 1]`.

mod conditions;
mod exact;
mod invariants;
mod reals;

use super::Failable;
use super::integers::is_invariant;
use super::polynomial::Polynomial;
use super::ranges::{Interval, Ranges};
use super::reader::Reader;
use crate::ir::{Access, Expr, ExprKind, Handle, Loop, RangeCheck, RangeFact, ScalarType};
use crate::source::Diagnostic;

/// Where an expression is evaluated.
#[derive(Clone, Debug, Default)]
pub struct Place {
    /// The loops around it, outermost first.
    pub loops: Vec<Handle<Loop>>,
    /// Conditions over the integers that hold there.
    pub guards: Vec<Handle<Expr>>,
}

/// What may be left to the driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// Anything that may hold.
    Checks,
    /// What depends on parameters alone; all else must be proved.
    Proofs,
}

/// Why an expression is none over the integers.
#[derive(Clone, Copy, Debug)]
pub enum NotIntegral {
    /// It holds something that has no affine form.
    NotAffine,
    /// C computes another value, or may do so where that matters: the part that wraps around.
    Wraps(Handle<Expr>),
}

type Integral = Result<Handle<Expr>, NotIntegral>;

/// One expression on its way.
struct Walk {
    place: Place,
    trust: Trust,
}

impl Reader<'_, '_, '_> {
    /// The present place.
    pub fn here(&self) -> Place {
        Place { loops: self.loops.clone(), guards: self.guards.clone() }
    }

    /// Where an access is evaluated.
    pub fn place_of(&self, access: Handle<Access>) -> Place {
        let Access { loops, guards, .. } = &self.nest.accesses[access];
        Place { loops: loops.clone(), guards: guards.clone() }
    }

    /// The expression over the integers that has the value of `expr`, an integer, wherever it is evaluated at `place`.
    ///
    /// # Errors
    /// There is none. No check is left behind then.
    pub fn integral(&mut self, expr: Handle<Expr>, place: Place, trust: Trust) -> Integral {
        self.attempt(|reader| reader.exact(expr, &Walk { place, trust }))
    }

    /// As [`integral`](Self::integral) for a value that matters modulo the width of its type alone, such as what a loop
    /// leaves in its variable.
    pub fn congruent(&mut self, expr: Handle<Expr>, place: Place) -> Integral {
        self.attempt(|reader| reader.ring(expr, &Walk { place, trust: Trust::Checks }))
    }

    /// What is known of indices at `place`.
    fn ranges_at(&self, place: &Place) -> Ranges<'_> {
        Ranges::new(&self.nest, &self.naturals, &place.loops, &place.guards)
    }

    fn attempt(&mut self, read: impl FnOnce(&mut Self) -> Integral) -> Integral {
        let (checks, naturals) = (self.nest.range_checks.len(), self.naturals.clone());
        let result = read(self);
        if result.is_err() {
            self.nest.range_checks.truncate(checks);
            self.naturals = naturals;
        }
        result
    }

    /// The subscripts of an access over the integers; what has no such form stays, for the analysis to refuse it by name.
    pub fn integral_subscripts(&mut self, access: Handle<Access>) -> Failable<()> {
        let place = self.place_of(access);
        for level in 0..self.nest.accesses[access].subscripts.len() {
            let subscript = self.nest.accesses[access].subscripts[level];
            self.fix_elements(subscript);
            // Addresses are computed modulo 2^64.
            let subscript = if self.ty(subscript) == ScalarType::U64 { self.long(subscript) } else { subscript };
            let integral = match self.integral(subscript, place.clone(), Trust::Checks) {
                Ok(integral) => integral,
                Err(NotIntegral::NotAffine) => continue,
                Err(NotIntegral::Wraps(part)) => return Err(self.wraps_around(part)),
            };
            self.nest.accesses[access].subscripts[level] = integral;
        }
        Ok(())
    }

    /// The polynomial that an integer outside of all loops is over the integers, if it is one.
    pub fn fixed_polynomial(&mut self, expr: Handle<Expr>) -> Option<Polynomial> {
        let value = self.integral(expr, Place::default(), Trust::Checks).ok()?;
        self.polynomial(value)
    }

    /// The refusal of an expression that wraps around.
    pub fn wraps_around(&self, part: Handle<Expr>) -> Box<Diagnostic> {
        let ty = self.ty(part).c_name();
        let message = "this integer wraps around, or may do so";
        let reason = format!("C computes it as `{ty}`, which does not hold the value that the arithmetic gives here");
        Box::new(
            Diagnostic::error("wraps-around", message, self.nest.exprs.span(part))
                .because(reason)
                .with_help("use signed integers that are wide enough for bounds, subscripts and conditions")
                .with_help("or write the remainder that is meant, as in `(i + 3) % 256`"),
        )
    }

    /// The signed representative of an unsigned parameter, the value of any other.
    fn representative(&mut self, param: Handle<Expr>) -> Handle<Expr> {
        let ty = self.ty(param).representative();
        let value = self.convert(param, ty);
        self.long(value)
    }

    /// An expression over the integers as `long`.
    pub fn long(&mut self, expr: Handle<Expr>) -> Handle<Expr> {
        self.convert(expr, ScalarType::I64)
    }

    /// `expr`, which is exact in its own type, with these operands.
    fn with_operands(&mut self, expr: Handle<Expr>, operands: &[Handle<Expr>]) -> Handle<Expr> {
        if self.kind(expr).operands() == operands { expr } else { self.over_integers(expr, operands) }
    }

    /// The sum, difference, product or negative that `expr` is, of other operands and over the integers.
    fn over_integers(&mut self, expr: Handle<Expr>, operands: &[Handle<Expr>]) -> Handle<Expr> {
        let span = self.nest.exprs.span(expr);
        let long: Vec<_> = operands.iter().map(|operand| self.long(*operand)).collect();
        match (self.kind(expr).clone(), long.as_slice()) {
            (ExprKind::Binary(op, ..), [a, b]) => self.binary(op, *a, *b, span),
            (ExprKind::Unary(op, _), [a]) => self.unary(op, *a, span),
            _ => expr,
        }
    }

    /// `value`, which must be in `within` wherever `original` is evaluated.
    fn require(&mut self, value: Handle<Expr>, original: Handle<Expr>, within: Interval, walk: &Walk) -> Integral {
        let ranges = self.ranges_at(&walk.place);
        let range = ranges.of(value);
        if range.is_surely_in(within) {
            return Ok(value);
        }
        let is_open = walk.trust == Trust::Proofs && !is_invariant(self, value);
        if is_open || range.is_surely_outside(within) {
            return Err(NotIntegral::Wraps(original));
        }
        self.check(value, within, &walk.place);
        Ok(value)
    }

    /// As `require` for a value that is known to be over the integers.
    ///
    /// # Errors
    /// It is surely outside.
    pub fn require_within(
        &mut self,
        value: Handle<Expr>,
        original: Handle<Expr>,
        within: Interval,
        place: Place,
    ) -> Result<(), NotIntegral> {
        self.require(value, original, within, &Walk { place, trust: Trust::Checks }).map(|_| ())
    }

    /// Leaves it to the driver to check that `value` is in `within` at `place`.
    fn check(&mut self, value: Handle<Expr>, within: Interval, place: &Place) {
        let cut = |end: i128| end.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64;
        let is_fixed = is_invariant(self, value);
        // What is the same at all points is needed for the geometry of steps without points, but not without steps.
        let outermost = self.nest.loops.handles().next();
        let is_around = |this: &Handle<Loop>| !is_fixed || outermost == Some(*this);
        let check = RangeCheck {
            value,
            least: cut(within.lo),
            greatest: cut(within.hi),
            loops: place.loops.iter().copied().filter(is_around).collect(),
            guards: if is_fixed { Vec::new() } else { place.guards.clone() },
            says: RangeFact::Integers,
        };
        self.nest.range_checks.push(check);
    }
}
