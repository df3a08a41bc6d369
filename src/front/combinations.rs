//! Which of the values that points give may be combined in any order, bit for bit: maxima, minima, sums of integers, whether
//! something holds anywhere.

use std::collections::BTreeMap;

use super::reader::Reader;
use crate::ir::{
    Access, BinaryOp, Combination, Expr, ExprKind, Fold, Function, Handle, HostValue, ScalarType, UnaryOp, Update,
};

impl Reader<'_, '_, '_> {
    /// A new value of a scalar in a form that is combined, if it has one with the same bits.
    ///
    /// `c ? n + 1 : n` is `n + (c ? 1 : 0)`, and `c ? (x > m ? x : m) : m` is `y > m ? y : m` for `y` of `c ? x : -infinity`.
    pub fn combinable(&mut self, variable: Handle<HostValue>, value: Handle<Expr>) -> Handle<Expr> {
        let ExprKind::Select(condition, then, otherwise) = *self.kind(self.seen_through(value)) else { return value };
        if self.reaches_accumulators(condition) {
            return value;
        }
        let is_held = |reader: &Self, part| reader.is_held_of(reader.seen_through(part), variable);
        let (changed, holds) = match (is_held(self, then), is_held(self, otherwise)) {
            (false, true) => (then, true),
            (true, false) => (otherwise, false),
            _ => return value,
        };
        let span = self.nest.exprs.span(value);
        let condition = if holds { condition } else { self.unary(UnaryOp::Not, condition, span) };
        let held = if holds { otherwise } else { then };
        match *self.kind(self.seen_through(changed)) {
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), left, right)
                if self.ty(value).is_integer() && is_held(self, left) && !self.reaches_accumulators(right) =>
            {
                let ty = self.ty(right);
                let nothing = self.int(ty, 0, span);
                let amount = self.expr(ty, ExprKind::Select(condition, right, nothing), span);
                self.expr(self.ty(value), ExprKind::Binary(op, left, amount), span)
            }
            ExprKind::Select(test, one, other) => {
                let Some((combination, amount)) =
                    self.extreme_of(variable, test, one, other).filter(|_| self.keeps_if_equal(variable, test, one))
                else {
                    return value;
                };
                let least = self.least(self.ty(amount), combination, span);
                let amount_or_least = self.expr(self.ty(amount), ExprKind::Select(condition, amount, least), span);
                let op = if combination == Combination::Maximum { BinaryOp::Greater } else { BinaryOp::Less };
                let test = self.expr(ScalarType::I32, ExprKind::Binary(op, amount_or_least, held), span);
                self.expr(self.ty(value), ExprKind::Select(test, amount_or_least, held), span)
            }
            _ if !self.reaches_accumulators(changed) => {
                self.expr(self.ty(value), ExprKind::Select(condition, changed, held), span)
            }
            _ => value,
        }
    }

    /// For `x > m ? x : m`, in whatever form: whether it is a maximum or a minimum, and `x`.
    fn extreme_of(
        &self,
        variable: Handle<HostValue>,
        test: Handle<Expr>,
        then: Handle<Expr>,
        otherwise: Handle<Expr>,
    ) -> Option<(Combination, Handle<Expr>)> {
        let is_held = |part| self.is_held_of(self.seen_through(part), variable);
        let ExprKind::Binary(op, left, right) = *self.kind(self.seen_through(test)) else { return None };
        let (op, given) = match (is_held(left), is_held(right)) {
            (false, true) => (op, left),
            (true, false) => (op.turned(), right),
            _ => return None,
        };
        let is_given = |part| self.is_same_value(part, given);
        let is_greater = matches!(op, BinaryOp::Greater | BinaryOp::GreaterEqual);
        let is_less = matches!(op, BinaryOp::Less | BinaryOp::LessEqual);
        let (takes, keeps) = (is_given(then) && is_held(otherwise), is_held(then) && is_given(otherwise));
        let combination = match (takes, keeps) {
            (true, _) if is_greater => Combination::Maximum,
            (true, _) if is_less => Combination::Minimum,
            (_, true) if is_greater => Combination::Minimum,
            (_, true) if is_less => Combination::Maximum,
            _ => return None,
        };
        (!self.reaches_accumulators(given)).then_some((combination, given))
    }

    /// Whether the comparison of a maximum or minimum keeps what is held if both are equal, or one is no number.
    fn keeps_if_equal(&self, variable: Handle<HostValue>, test: Handle<Expr>, then: Handle<Expr>) -> bool {
        let is_held = self.is_held_of(self.seen_through(then), variable);
        let is_strict =
            matches!(*self.kind(self.seen_through(test)), ExprKind::Binary(BinaryOp::Greater | BinaryOp::Less, ..));
        is_strict && !is_held
    }

    /// Whether two expressions have one value wherever both are computed in an iteration.
    pub fn is_same_value(&self, one: Handle<Expr>, other: Handle<Expr>) -> bool {
        let (one, other) = (self.seen_through(one), self.seen_through(other));
        match (self.kind(one), self.kind(other)) {
            _ if one == other => true,
            (ExprKind::Read(one), ExprKind::Read(other)) => self.is_same_read(*one, *other),
            (one_kind, other_kind) => {
                let (parts, others) = (one_kind.operands(), other_kind.operands());
                self.ty(one) == self.ty(other)
                    && parts.len() == others.len()
                    && if parts.is_empty() {
                        self.is_same(one, other)
                    } else {
                        one_kind.is_like(other_kind)
                            && parts.iter().zip(&others).all(|(one, other)| self.is_same_value(*one, *other))
                    }
            }
        }
    }

    /// Whether two reads find one value: they are of one element in the same iteration, and nothing between them stores to
    /// the array.
    fn is_same_read(&self, one: Handle<Access>, other: Handle<Access>) -> bool {
        let (first, second) = (&self.nest.accesses[one], &self.nest.accesses[other]);
        let (from, to) = match first.position <= second.position {
            true => (&first.position, &second.position),
            false => (&second.position, &first.position),
        };
        let is_between =
            |write: &Access| write.array == first.array && *from <= write.position && write.position <= *to;
        let mut writes = self.nest.step.statements.iter().map(|statement| &self.nest.accesses[statement.write]);
        first.array == second.array
            && first.loops == second.loops
            && first.position[..first.loops.len()] == second.position[..first.loops.len()]
            && self.is_one_element(first, second)
            && !writes.any(is_between)
    }

    /// What no value is below, or above.
    fn least(&mut self, ty: ScalarType, combination: Combination, span: crate::source::Span) -> Handle<Expr> {
        let is_maximum = combination == Combination::Maximum;
        if ty.is_float() {
            let digits = |text: &str| ExprKind::Float(text.to_owned());
            let one = self.expr(ty, digits(if is_maximum { "-1.0" } else { "1.0" }), span);
            let zero = self.expr(ty, digits("0.0"), span);
            return self.expr(ty, ExprKind::Binary(BinaryOp::Div, one, zero), span);
        }
        let super::ranges::Interval { lo, hi } = super::ranges::Interval::of_type(ty);
        let value = i64::try_from(if is_maximum { lo } else { hi }).unwrap_or(i64::MAX);
        self.int(ty, value, span)
    }

    /// Whether an expression is what a scalar holds so far.
    fn is_held_of(&self, expr: Handle<Expr>, variable: Handle<HostValue>) -> bool {
        matches!(*self.kind(expr), ExprKind::Accumulator(number) if self.accumulated(number) == variable)
    }

    /// Whether an expression is whether what a scalar holds so far is not 0.
    fn is_held_truth(&self, variable: Handle<HostValue>, expr: Handle<Expr>) -> bool {
        let ExprKind::Binary(BinaryOp::NotEqual, held, zero) = *self.kind(self.seen_through(expr)) else {
            return false;
        };
        self.is_held_of(self.seen_through(held), variable) && self.constant(zero) == Some(0)
    }

    /// Whether something that is folded goes into an expression.
    pub fn reaches_accumulators(&self, expr: Handle<Expr>) -> bool {
        self.nest.reachable([expr]).into_iter().any(|part| matches!(self.kind(part), ExprKind::Accumulator(_)))
    }

    /// What an expression is without names and without conversions that change nothing.
    fn seen_through(&self, expr: Handle<Expr>) -> Handle<Expr> {
        match *self.kind(expr) {
            ExprKind::Local(local) => self.seen_through(self.nest.locals[local].value),
            ExprKind::Convert(inner) if self.ty(inner) == self.ty(expr) => self.seen_through(inner),
            _ => expr,
        }
    }

    /// How the values may be combined that a new value of a scalar is made of: its only part without the scalar.
    pub fn combination_of(&self, variable: Handle<HostValue>, value: Handle<Expr>) -> Combination {
        let held = |part| self.is_held_of(self.seen_through(part), variable);
        let given = |part| !self.reaches_accumulators(part);
        let tested = |part| given(part) && self.is_truth(self.seen_through(part));
        let held_truth = |part| held(part) || self.is_held_truth(variable, part);
        let are_truths = |op, pair: [Handle<Expr>; 2]| match op {
            BinaryOp::Or | BinaryOp::And => is_pair(&pair, &held_truth, &tested),
            _ => is_pair(&pair, &held, &tested),
        };
        let value = self.seen_through(value);
        match self.kind(value) {
            ExprKind::Convert(inner) if self.is_truth(self.seen_through(*inner)) => {
                self.combination_of(variable, *inner)
            }
            _ if self.ty(value) == ScalarType::U64 => Combination::InOrder,
            ExprKind::Call(Function::Fmax, pair) if is_pair(pair, &held, &given) => Combination::Maximum,
            ExprKind::Call(Function::Fmin, pair) if is_pair(pair, &held, &given) => Combination::Minimum,
            ExprKind::Binary(BinaryOp::Add, one, other) if is_pair(&[*one, *other], &held, &given) => Combination::Sum,
            ExprKind::Binary(BinaryOp::Sub, one, other) if held(*one) && given(*other) => Combination::Sum,
            ExprKind::Binary(op @ (BinaryOp::Or | BinaryOp::BitOr), one, other) if are_truths(*op, [*one, *other]) => {
                Combination::Maximum
            }
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::BitAnd), one, other)
                if are_truths(*op, [*one, *other]) =>
            {
                Combination::Minimum
            }
            ExprKind::Select(test, one, other) if given(*test) && self.is_of_no_point(*one) && held(*other) => {
                Combination::Any
            }
            ExprKind::Select(test, one, other) => {
                self.extreme_of(variable, *test, *one, *other).map_or(Combination::InOrder, |it| it.0)
            }
            _ => Combination::InOrder,
        }
    }

    /// Whether a real number is never below zero, as its form tells; it may be no number.
    pub fn is_never_negative(&self, value: Handle<Expr>) -> bool {
        self.is_never_negative_as(value, &mut BTreeMap::new())
    }

    /// The same, with what is known of values that occur more than once.
    fn is_never_negative_as(&self, value: Handle<Expr>, known: &mut BTreeMap<Handle<Expr>, bool>) -> bool {
        let value = self.seen_through(value);
        if let Some(known) = known.get(&value) {
            return *known;
        }
        let mut are = |parts: &[Handle<Expr>]| parts.iter().all(|part| self.is_never_negative_as(*part, known));
        let is_never_negative = match self.kind(value) {
            _ if !self.ty(value).is_float() => matches!(self.kind(value), ExprKind::Int(0..)),
            ExprKind::Float(_) | ExprKind::Call(Function::Fabs | Function::Sqrt, _) => true,
            ExprKind::Binary(BinaryOp::Mul, one, other) => self.is_same_value(*one, *other) || are(&[*one, *other]),
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Div, one, other) | ExprKind::Select(_, one, other) => {
                are(&[*one, *other])
            }
            ExprKind::Convert(inner) => are(&[*inner]),
            _ => false,
        };
        known.insert(value, is_never_negative);
        is_never_negative
    }

    /// Whether neither points nor what is folded go into a value.
    fn is_of_no_point(&self, value: Handle<Expr>) -> bool {
        use ExprKind::{Accumulator, Index, Iteration, Read};
        let parts = self.nest.reachable([value]);
        !parts.iter().any(|part| matches!(self.kind(*part), Accumulator(_) | Index(_) | Iteration(_) | Read(_)))
    }

    /// Separates what does not depend on each other, so that each part is folded in loops of its own.
    pub fn separate(&self, actions: Vec<Fold>) -> Vec<Fold> {
        let mut found = Vec::new();
        for action in actions {
            let Fold::Loop(this, inner) = action else {
                found.push(action);
                continue;
            };
            let inner = self.separate(inner.into_iter().flat_map(|it| self.alone(it)).collect());
            let groups = grouped(inner, |action| self.accumulators_of(&action.updates()));
            found.extend(groups.into_iter().map(|inner| Fold::Loop(this, inner)));
        }
        found
    }

    /// A set of new values, as sets of those that depend on each other.
    fn alone(&self, action: Fold) -> Vec<Fold> {
        let Fold::Set(updates) = action else { return vec![action] };
        let groups = grouped(updates, |update| self.accumulators_of(&[*update]));
        groups.into_iter().map(Fold::Set).collect()
    }

    /// The scalars that new values change or need.
    fn accumulators_of(&self, updates: &[Update]) -> Vec<usize> {
        let parts = self.nest.reachable(updates.iter().map(|it| it.value).collect::<Vec<_>>());
        let needed = parts.into_iter().filter_map(|part| match *self.kind(part) {
            ExprKind::Accumulator(number) => Some(number),
            _ => None,
        });
        needed.chain(updates.iter().map(|it| it.accumulator)).collect()
    }
}

/// The items in groups that use no scalar in common, each in its order.
fn grouped<T>(items: Vec<T>, uses: impl Fn(&T) -> Vec<usize>) -> Vec<Vec<T>> {
    let mut groups: Vec<(Vec<usize>, Vec<T>)> = Vec::new();
    for item in items {
        let (mut used, mut joined) = (uses(&item), Vec::new());
        let (together, apart): (Vec<_>, Vec<_>) =
            groups.into_iter().partition(|(others, _)| others.iter().any(|it| used.contains(it)));
        groups = apart;
        for (others, members) in together {
            used.extend(others);
            joined.extend(members);
        }
        joined.push(item);
        groups.push((used, joined));
    }
    groups.into_iter().map(|(_, members)| members).collect()
}

/// Whether of two expressions one is what a scalar holds, and the other what points give.
fn is_pair(pair: &[Handle<Expr>], held: &impl Fn(Handle<Expr>) -> bool, read: &impl Fn(Handle<Expr>) -> bool) -> bool {
    matches!(pair, [one, other] if held(*one) && read(*other) || read(*one) && held(*other))
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read};
    use crate::ir::Combination;

    /// How the values that `body` folds are combined.
    fn combinations(body: &str) -> Vec<Combination> {
        let text = format!(
            "double m = 0; float f = 0; int k = 0, at = 0; unsigned u = 0;\n#pragma stencil
            for (int i = 1; i < n; i++) {{ b[i] = a[i - 1]; {body} }}\nprintf(\"%g %g %d %d %u\", m, f, k, at, u);"
        );
        let nest = read(&function("int n, double *a, double *b, int *c", &text));
        nest.step.folds.values.iter().map(|values| values.combination).collect()
    }

    #[test]
    fn maxima_and_minima() {
        use Combination::{Maximum, Minimum};
        for (body, combination) in [
            ("m = fmax(m, a[i]);", Maximum),
            ("m = fmin(a[i], m);", Minimum),
            ("if (a[i] > m) m = a[i];", Maximum),
            ("m = m < a[i] ? a[i] : m;", Maximum),
            ("m = m <= a[i] ? m : a[i];", Minimum),
            ("if (c[i]) { if (a[i] < m) m = a[i]; }", Minimum),
        ] {
            assert_eq!(combinations(body), [combination], "{body}");
        }
    }

    #[test]
    fn sums_and_conditions() {
        use Combination::{Any, Maximum, Minimum, Sum};
        for (body, combination) in [
            ("k += c[i];", Sum),
            ("if (a[i] > 1) k++;", Sum),
            ("if (a[i] > 1) u -= 2; else u -= 0;", Sum),
            ("m -= a[i];", Sum),
            ("if (a[i] > 1) k = 7;", Any),
            ("k = a[i] > 1 ? k : n;", Any),
            ("k |= a[i] > 1;", Maximum),
            ("k = k || a[i - 1] > 1;", Maximum),
            ("k &= !c[i];", Minimum),
            ("k = k && a[i - 1] != 1;", Minimum),
        ] {
            assert_eq!(combinations(body), [combination], "{body}");
        }
    }

    #[test]
    fn all_else_has_an_order() {
        for body in [
            "if (a[i] > m) { m = a[i]; at = i; }",
            "m = m * 0.5 + a[i];",
            "if (a[i] >= m) m = b[i];",
            "m = a[i] - m;",
            "if (a[i] > 1) k = i;",
            "if (c[i]) m = fmax(m, a[i]);",
            "k |= c[i];",
        ] {
            let all = combinations(body);
            assert!(all.iter().all(|it| *it == Combination::InOrder) && !all.is_empty(), "{body}: {all:?}");
        }
    }

    #[test]
    fn what_is_folded_in_two_ways_is_stored_for_each() {
        assert_eq!(combinations("m = fmax(m, a[i]); f = fminf(f, a[i]);").len(), 2);
        assert_eq!(combinations("m = fmax(m, a[i]); k += c[i]; k += c[i];").len(), 2);
    }
}
