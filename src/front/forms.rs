//! Closed forms of what integers hold in each step, found by looking at values: any spelling of a rule will do.

use std::collections::{BTreeMap, BTreeSet};

use super::Failable;
use super::integral::Place;
use super::numbers::Constant;
use super::polynomial::{Indeterminate, Polynomial};
use super::ranges::Interval;
use super::reader::Reader;
use crate::ir::{BinaryOp, Expr, ExprKind, Handle, HostValue, Loop, Param, ParamValue, ScalarType, Turned};
use crate::source::Span;

/// Values that recur after more steps have no closed form; buffers are no more.
const MAX_PERIOD: i64 = 8;

/// What a scalar holds before step `s`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// `first + by * s`
    Counter {
        /// What each step adds.
        by: i64,
    },
    /// `base + factor * ((s + shift) % period)`
    Turn { base: i64, factor: i64, shift: i64, period: i64 },
    /// `(first + by * s) % period`, with a first value from 0 to before `period`.
    TurnFrom { by: i64, period: i64 },
    /// What the first of the scalars that steps exchange holds at first: the driver makes sure that they are equal.
    Exchanged { first: HostValue },
    /// The element `s` of an array that the driver fills.
    Listed,
    /// What the call for the step brings.
    Given,
    /// What memory holds: steps store data there.
    Stored,
}

impl Form {
    /// What a call brings of a scalar of this form that is for a step behind the first one.
    pub fn turned(&self, variable: Handle<HostValue>) -> Option<Turned> {
        match *self {
            Self::Counter { by } => Some(Turned { variable, by, period: None }),
            Self::TurnFrom { by, period } => Some(Turned { variable, by, period: Some(period) }),
            Self::Turn { .. } | Self::Exchanged { .. } | Self::Listed | Self::Given | Self::Stored => None,
        }
    }
}

impl Reader<'_, '_, '_> {
    /// The form of a scouted scalar that follows a rule.
    pub fn form(&self, variable: Handle<HostValue>) -> Form {
        let is_integer = self.first_value(variable).is_some_and(|first| self.ty(first).is_integer());
        let form = || {
            let counted = self.recurring(variable).or_else(|| self.counter(variable));
            counted.or_else(|| self.turn_from(variable)).or_else(|| self.exchanged(variable))
        };
        if is_integer { form().unwrap_or(Form::Listed) } else { Form::Listed }
    }

    /// The form of a scalar whose values recur from constants on.
    fn recurring(&self, variable: Handle<HostValue>) -> Option<Form> {
        let first: BTreeMap<_, _> =
            self.needed_for(variable).into_iter().map(|it| self.start_of(it)).collect::<Option<_>>()?;
        let (mut values, mut state) = (vec![first[&variable].as_i64()?], first.clone());
        while (values.len() as i64) <= MAX_PERIOD {
            state = state.keys().map(|it| Some((*it, self.after_step(*it, &state)?))).collect::<Option<_>>()?;
            if state == first {
                return turn_of(&values);
            }
            values.push(state[&variable].as_i64()?);
        }
        None
    }

    fn start_of(&self, variable: Handle<HostValue>) -> Option<(Handle<HostValue>, Constant)> {
        Some((variable, self.typed_constant(self.first_value(variable)?)?))
    }

    /// A scalar, and those whose values go into its own, at once or over several steps.
    fn needed_for(&self, variable: Handle<HostValue>) -> BTreeSet<Handle<HostValue>> {
        let (mut needed, mut pending) = (BTreeSet::new(), vec![variable]);
        while let Some(next) = pending.pop() {
            if needed.insert(next) {
                pending.extend(self.scouted_end(next).map(|end| self.scalars_in(end)).unwrap_or_default());
            }
        }
        needed
    }

    /// What a scalar holds after a step that begins with `state`.
    fn after_step(
        &self,
        variable: Handle<HostValue>,
        state: &BTreeMap<Handle<HostValue>, Constant>,
    ) -> Option<Constant> {
        self.value_from(self.scouted_end(variable)?, state)
    }

    /// The value of an integer expression of scalars with known values.
    fn value_from(&self, expr: Handle<Expr>, state: &BTreeMap<Handle<HostValue>, Constant>) -> Option<Constant> {
        let value = |expr: Handle<Expr>| self.value_from(expr, state);
        let Expr { ty, kind } = &self.nest.exprs[expr];
        match *kind {
            ExprKind::Int(bits) => Some(Constant::from_bits(*ty, bits)),
            ExprKind::Param(param) => self.param_from(param, state)?.converted(*ty),
            ExprKind::Local(local) => value(self.nest.locals[local].value),
            ExprKind::Convert(inner) => value(inner)?.converted(*ty),
            ExprKind::Unary(op, inner) => value(inner)?.unary(op),
            ExprKind::Select(condition, then, otherwise) => {
                if value(condition)?.is_true() {
                    value(then)
                } else {
                    value(otherwise)
                }
            }
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                let left = value(left)?;
                if left.is_true() == (op == BinaryOp::Or) {
                    left.binary(op, left)
                } else {
                    left.binary(op, value(right)?)
                }
            }
            ExprKind::Binary(op, left, right) => value(left)?.binary(op, value(right)?),
            _ => None,
        }
    }

    fn param_from(&self, param: Handle<Param>, state: &BTreeMap<Handle<HostValue>, Constant>) -> Option<Constant> {
        match &self.nest.params[param].value {
            ParamValue::Variable(variable) => state.get(variable).copied(),
            ParamValue::Expression { value, .. } => self.value_from(*value, state),
            ParamValue::IsSet { .. } => None,
        }
    }

    /// The form of a scalar to which each step adds a constant.
    fn counter(&self, variable: Handle<HostValue>) -> Option<Form> {
        let end = self.scouted_end(variable)?;
        if self.ty(end).is_unsigned() {
            return self.unsigned_counter(variable, end);
        }
        let ExprKind::Param(param) = *self.kind(self.scouted_value(variable)?) else { return None };
        let before = Polynomial::term(vec![Indeterminate::Param(param)], 1);
        let by = self.polynomial(end)?.plus(&before, -1)?.as_constant()?;
        Some(Form::Counter { by })
    }

    /// Unsigned sums are no polynomials, as they wrap around; so does a counter in the same way.
    fn unsigned_counter(&self, variable: Handle<HostValue>, end: Handle<Expr>) -> Option<Form> {
        let ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), left, right) = *self.kind(end) else { return None };
        let by = self.constant(right).filter(|by| (0..=i64::from(i32::MAX)).contains(by))?;
        let is_it = Some(left) == self.scouted_value(variable);
        is_it.then_some(Form::Counter { by: if op == BinaryOp::Add { by } else { -by } })
    }

    /// The form of a scalar that starts anywhere, turns by what it holds alone, and chooses elements, places or loops: what only
    /// goes into values may be any number at first. One that stays where it is while it is small does not turn.
    fn turn_from(&self, variable: Handle<HostValue>) -> Option<Form> {
        let first = self.first_value(variable).filter(|first| self.constant(*first).is_none())?;
        if !self.chooses(variable) {
            return None;
        }
        let after = |value: i64| {
            let start = Constant::from_bits(self.ty(first), value);
            self.after_step(variable, &BTreeMap::from([(variable, start)]))?.as_i64()
        };
        (2..=MAX_PERIOD).find_map(|period| {
            let by = after(0).filter(|by| by.rem_euclid(period) != 0)?;
            let is_turn = (0..period).all(|value| after(value) == Some((value + by).rem_euclid(period)));
            is_turn.then_some(Form::TurnFrom { by: by.rem_euclid(period), period })
        })
    }

    /// The form of sizes that steps exchange, with the structures that they are members of: of two grids that are used in turn they
    /// are equal.
    fn exchanged(&self, variable: Handle<HostValue>) -> Option<Form> {
        let mut cycle = vec![variable];
        let mut next = self.taken_over(variable)?;
        while next != variable {
            cycle.push(next);
            next = self.taken_over(next).filter(|_| cycle.len() as i64 <= MAX_PERIOD)?;
        }
        let is_size = |it: &Handle<HostValue>| {
            let first = self.first_value(*it).filter(|first| self.ty(*first).is_integer());
            first.is_some_and(|first| self.constant(first).is_none()) && !self.nest.values[*it].path.is_empty()
        };
        let is_exchanged = cycle.len() > 1 && cycle.iter().all(is_size) && cycle.iter().any(|it| self.chooses(*it));
        let first = cycle.iter().map(|it| &self.nest.values[*it]).min().filter(|_| is_exchanged)?;
        Some(Form::Exchanged { first: first.clone() })
    }

    /// The scouted scalar whose value before a step another one holds after it.
    fn taken_over(&self, variable: Handle<HostValue>) -> Option<Handle<HostValue>> {
        let end = self.scouted_end(variable)?;
        self.rules.scouted().find(|other| self.scouted_value(*other) == Some(end))
    }

    /// Whether what a scouted scalar holds before the step chooses elements or statements, or says how far loops go.
    fn chooses(&self, variable: Handle<HostValue>) -> bool {
        let accesses = self.nest.accesses.iter();
        let places = accesses.flat_map(|(_, access)| access.subscripts.iter().chain(&access.guards).copied());
        let bounds = self.nest.loops.iter().flat_map(|(_, this)| [this.first, this.bound]);
        let parts = self.nest.reachable(places.chain(bounds));
        parts.into_iter().any(|part| Some(part) == self.scouted_value(variable))
    }

    /// What a scalar of that form holds in the present iteration of `this`, of the type of its first value.
    pub fn formed(
        &mut self,
        form: &Form,
        first: Handle<Expr>,
        this: Handle<Loop>,
        span: Span,
    ) -> Failable<Handle<Expr>> {
        let ty = self.ty(first);
        let value = match *form {
            Form::Counter { by } => return Ok(self.counted_from(first, by, this, span)),
            Form::Turn { base, factor, shift, period } => {
                let turned = self.remainder_of_step(this, 1, shift, period, span);
                let width = if [base, factor].iter().all(|it| it.unsigned_abs() < 1 << 24) {
                    self.ty(turned)
                } else {
                    ScalarType::I64
                };
                let (base, factor) = (self.int(width, base, span), self.int(width, factor, span));
                self.scaled_sum(base, factor, turned, span)
            }
            Form::TurnFrom { by, period } => {
                if let ExprKind::Param(param) = *self.kind(first) {
                    self.rules.starts.push(param);
                }
                let within = Interval { lo: 0, hi: i128::from(period - 1) };
                let first = self.long(first);
                let checked = self.require_within(first, first, within, Place::default());
                checked.map_err(|_| self.wraps_around(first))?;
                let turned = self.remainder_of_step(this, by.rem_euclid(period), 0, period, span);
                let sum = self.index_sum(turned, first, span);
                let period = self.int(ScalarType::I64, period, span);
                self.binary(BinaryOp::Rem, sum, period, span)
            }
            Form::Exchanged { first: ref shared } => return Ok(self.exchanged_value(first, shared, span)),
            Form::Listed | Form::Given | Form::Stored => unreachable!("nobody counts it"),
        };
        Ok(self.convert(value, ty))
    }

    /// `first + by * s` in iteration `s` of `this`, of the type of `first`.
    pub fn counted_from(&mut self, first: Handle<Expr>, by: i64, this: Handle<Loop>, span: Span) -> Handle<Expr> {
        let ty = self.ty(first);
        let Loop { ty: index_type, first: start, step, .. } = self.nest.loops[this];
        // What the original computes does not overflow, so the sum of its parts over the integers is the value.
        let is_plain = ty == index_type && ty.promoted() == ty && !ty.is_unsigned() && step.abs() == 1;
        let width = if is_plain { ty } else { ScalarType::I64 };
        let start = self.convert(start, width);
        // Where the index grows with it, that is what it is a multiple of.
        let goes_along = by % step == 0;
        let mut count = match goes_along {
            true => self.expr(index_type, ExprKind::Index(this), span),
            false => self.expr(ScalarType::I64, ExprKind::Iteration(this), span),
        };
        count = self.convert(count, width);
        let by = if goes_along { by / step } else { by };
        let first = self.convert(first, width);
        let factor = self.int(width, by, span);
        let offset = if goes_along { self.scaled(factor, start, span) } else { self.int(width, 0, span) };
        let base = self.binary(BinaryOp::Sub, first, offset, span);
        let value = self.scaled_sum(base, factor, count, span);
        self.convert(value, ty)
    }

    /// `factor * value`
    fn scaled(&mut self, factor: Handle<Expr>, value: Handle<Expr>, span: Span) -> Handle<Expr> {
        if self.constant(factor) == Some(1) { value } else { self.binary(BinaryOp::Mul, factor, value, span) }
    }

    /// `base + factor * value`
    fn scaled_sum(
        &mut self,
        base: Handle<Expr>,
        factor: Handle<Expr>,
        value: Handle<Expr>,
        span: Span,
    ) -> Handle<Expr> {
        match self.constant(factor) {
            Some(0) => base,
            Some(-1) => self.binary(BinaryOp::Sub, base, value, span),
            _ => {
                let product = self.scaled(factor, value, span);
                if self.constant(base) == Some(0) { product } else { self.binary(BinaryOp::Add, product, base, span) }
            }
        }
    }

    /// `(by * s + shift) % period` in iteration `s` of `this`.
    fn remainder_of_step(&mut self, this: Handle<Loop>, by: i64, shift: i64, period: i64, span: Span) -> Handle<Expr> {
        let Loop { first, step, ty, .. } = self.nest.loops[this];
        let start = self.constant(first).filter(|start| step == 1 && *start >= 0);
        let step = match start {
            Some(_) => self.expr(ty, ExprKind::Index(this), span),
            None => self.expr(ScalarType::I64, ExprKind::Iteration(this), span),
        };
        let shift = (shift - by * start.unwrap_or(0)).rem_euclid(period);
        let (factor, modulus) = (self.int(ScalarType::I64, by, span), self.int(ScalarType::I64, period, span));
        if (by, shift) == (1, 0) && !ty.is_unsigned() && ty.promoted() == ty && start.is_some() {
            let modulus = self.convert(modulus, ty);
            return self.binary(BinaryOp::Rem, step, modulus, span);
        }
        let (step, shift) = (self.long(step), self.int(ScalarType::I64, shift, span));
        let sum = self.scaled_sum(shift, factor, step, span);
        self.binary(BinaryOp::Rem, sum, modulus, span)
    }
}

/// The form of values that recur behind the last one, if it is linear in a remainder.
fn turn_of(values: &[i64]) -> Option<Form> {
    let period = values.len() as i64;
    (0..period).find_map(|shift| {
        let at = |rest: i64| values[(rest - shift).rem_euclid(period) as usize];
        let (base, factor) = (at(0), at(1 % period).checked_sub(at(0))?);
        let is_linear =
            (0..period).all(|rest| factor.checked_mul(rest).and_then(|it| it.checked_add(base)) == Some(at(rest)));
        is_linear.then_some(Form::Turn { base, factor, shift, period })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front::tests::{function, read};
    use crate::ir::display;

    #[test]
    fn values_that_recur_are_linear_in_a_remainder_or_have_no_form() {
        let turn = |base, factor, shift, period| Some(Form::Turn { base, factor, shift, period });
        assert_eq!(turn_of(&[0, 1]), turn(0, 1, 0, 2));
        assert_eq!(turn_of(&[1, 0]), turn(1, -1, 0, 2));
        assert_eq!(turn_of(&[2, 0, 1]), turn(0, 1, 2, 3));
        assert_eq!(turn_of(&[0, 2, 1]), turn(2, -1, 2, 3));
        assert_eq!(turn_of(&[5]), turn(5, 0, 0, 1));
        assert_eq!(turn_of(&[0, 1, 3]), None);
    }

    /// The factor with which each step multiplies, where `k` is what `rest` makes of it, as `before` declares it.
    fn factor(before: &str, rest: &str) -> String {
        let sweep = "for (int i = 0; i < n; i++) a[i] = a[i] * k;";
        let body = format!("{before}\n#pragma stencil\nfor (int t = 0; t < steps; t++) {{ {sweep} {rest} }}");
        let nest = read(&function("int n, int steps, int start, double *a", &body));
        assert!(nest.step.rules.is_empty());
        let value = display::expression(&nest, nest.step.statements[0].value);
        value.split_once(" * (double)").map(|(_, factor)| factor.trim_end_matches(')').to_owned()).unwrap_or(value)
    }

    #[test]
    fn spelling_does_not_matter() {
        for rest in ["k = 1 - k;", "k ^= 1;", "k = !k;", "k = (k + 1) % 2;", "if (k) k = 0; else k = 1;", "k = k == 0;"]
        {
            assert_eq!(factor("int k = 0;", rest), "(t % 2", "{rest}");
        }
        for rest in ["k = (k + 1) % 3;", "k++; if (k == 3) k = 0;", "k = k == 2 ? 0 : k + 1;"] {
            assert_eq!(factor("int k; k = 0;", rest), "(t % 3", "{rest}");
        }
        assert_eq!(factor("int k = 5, m = 2;", "int old = k; k = m; m = old;"), "((-3 * (t % 2)) + 5");
        assert_eq!(factor("int k = 7;", "k = k * 1;"), "7");
    }

    #[test]
    fn what_turns_from_anywhere_has_a_form_where_it_chooses() {
        let ruled = |value: &str| {
            let sweep = format!("for (int i = 0; i < 9; i++) a[1 - k][i] = {value} * a[k][i];");
            let body = format!("#pragma stencil\nfor (int t = 0; t < steps; t++) {{ {sweep} k = 1 - k; x = 1 - x; }}");
            let nest = read(&function("int steps, int k, int x, double a[2][9]", &body));
            nest.step.rules.iter().map(|rule| nest.values.text(rule.values).to_owned()).collect::<Vec<_>>()
        };
        assert_eq!((ruled("k"), ruled("x")), (vec!["x".to_owned()], vec!["x".to_owned()]));
    }

    #[test]
    fn counters_start_anywhere() {
        assert_eq!(factor("int k = 5;", "k++;"), "(t + 5");
        assert_eq!(factor("int k = start;", "k -= 2;"), "((-2 * t) + k");
        assert_eq!(factor("int k = 0; if (n) k = 3;", "k = k + 2;"), "((2 * t) + k");
        assert_eq!(factor("unsigned k = 1;", "k += 3u;"), "(unsigned int)((3 * (long long)t) + 1");
    }
}
