//! Conditions on data of which surely one holds: `if (n < 2) b[i] = 0; if (n == 2) b[i] = a[i]; if (n == 3) b[i] = 1; if (n > 3) b[i] = 0;`.
//!
//! Comparisons of one integer with constants change at these constants alone, so a few numbers stand for all: each constant and its
//! neighbours. Any other condition may hold or not. A condition that holds in all combinations holds always.

use super::ranges::Interval;
use super::reader::Reader;
use crate::ir::{BinaryOp, Expr, ExprKind, Handle, UnaryOp};

/// More combinations are not tried.
const MAX_COMBINATIONS: usize = 4096;

/// A longer chain of stores under conditions is left as it is.
const MAX_CHAIN: usize = 12;

/// A chain of more choices is left as it is.
const MAX_CHOICES: usize = 64;

/// A condition of tests.
enum Condition {
    Known(bool),
    /// What else may hold or not, by number.
    Flag(usize),
    /// How the integer of that number compares with a constant.
    Test(usize, BinaryOp, i128),
    Not(Box<Condition>),
    Both(Box<Condition>, Box<Condition>),
    Either(Box<Condition>, Box<Condition>),
}

/// What conditions are about.
#[derive(Default)]
struct Subjects {
    flags: Vec<Handle<Expr>>,
    /// Integers, and what they are compared with.
    integers: Vec<(Handle<Expr>, Vec<i128>)>,
}

impl Condition {
    fn holds(&self, flags: &[bool], integers: &[i128]) -> bool {
        match self {
            Self::Known(holds) => *holds,
            Self::Flag(flag) => flags[*flag],
            Self::Test(subject, op, bound) => {
                let value = integers[*subject];
                match op {
                    BinaryOp::Less => value < *bound,
                    BinaryOp::LessEqual => value <= *bound,
                    BinaryOp::Greater => value > *bound,
                    BinaryOp::GreaterEqual => value >= *bound,
                    BinaryOp::Equal => value == *bound,
                    _ => value != *bound,
                }
            }
            Self::Not(inner) => !inner.holds(flags, integers),
            Self::Both(left, right) => left.holds(flags, integers) && right.holds(flags, integers),
            Self::Either(left, right) => left.holds(flags, integers) || right.holds(flags, integers),
        }
    }
}

impl Reader<'_, '_, '_> {
    /// Whether a condition surely holds, whatever data is.
    pub fn is_certain(&self, condition: Handle<Expr>) -> bool {
        let mut subjects = Subjects::default();
        let condition = self.tests_of(condition, &mut subjects);
        self.holds_always(&condition, &subjects)
    }

    fn holds_always(&self, condition: &Condition, subjects: &Subjects) -> bool {
        let values: Vec<Vec<i128>> =
            subjects.integers.iter().map(|(subject, bounds)| self.told_apart(*subject, bounds)).collect();
        let counts = values.iter().map(Vec::len).chain(subjects.flags.iter().map(|_| 2));
        let all = counts.fold(1, usize::saturating_mul);
        let holds_in = |mut combination: usize| {
            let mut next = |count: usize| {
                let this = combination % count;
                combination /= count;
                this
            };
            let integers: Vec<i128> = values.iter().map(|values| values[next(values.len())]).collect();
            let flags: Vec<bool> = subjects.flags.iter().map(|_| next(2) == 1).collect();
            condition.holds(&flags, &integers)
        };
        all <= MAX_COMBINATIONS && (0..all).all(holds_in)
    }

    /// Numbers of the type of `subject` that stand for all, as far as comparisons with `bounds` tell them apart.
    fn told_apart(&self, subject: Handle<Expr>, bounds: &[i128]) -> Vec<i128> {
        let Interval { lo, hi } = Interval::of_type(self.ty(subject));
        let near = bounds.iter().flat_map(|bound| [bound - 1, *bound, bound + 1]);
        let mut values: Vec<i128> = near.chain([lo, hi]).filter(|value| (lo..=hi).contains(value)).collect();
        values.sort_unstable();
        values.dedup();
        values
    }

    /// What a condition tests.
    fn tests_of(&self, condition: Handle<Expr>, subjects: &mut Subjects) -> Condition {
        let both = |(left, right), subjects: &mut Subjects| {
            let left = Box::new(self.tests_of(left, subjects));
            (left, Box::new(self.tests_of(right, subjects)))
        };
        if let Some(constant) = self.constant(condition) {
            return Condition::Known(constant != 0);
        }
        match *self.kind(condition) {
            ExprKind::Local(local) if self.is_truth(self.nest.locals[local].value) => {
                self.tests_of(self.nest.locals[local].value, subjects)
            }
            ExprKind::Unary(UnaryOp::Not, inner) => Condition::Not(Box::new(self.tests_of(inner, subjects))),
            ExprKind::Binary(BinaryOp::And, left, right) => {
                let (left, right) = both((left, right), subjects);
                Condition::Both(left, right)
            }
            ExprKind::Binary(BinaryOp::Or, left, right) => {
                let (left, right) = both((left, right), subjects);
                Condition::Either(left, right)
            }
            ExprKind::Binary(op, left, right) if op.is_comparison() => self
                .comparison_with_constant(op, left, right, subjects)
                .or_else(|| self.comparison_with_constant(op.turned(), right, left, subjects))
                .unwrap_or_else(|| self.flag(condition, subjects)),
            _ if self.ty(condition).is_integer() => self.integer_test(BinaryOp::NotEqual, condition, 0, subjects),
            _ => self.flag(condition, subjects),
        }
    }

    /// The comparison of an integer with a constant, if it is one.
    fn comparison_with_constant(
        &self,
        op: BinaryOp,
        subject: Handle<Expr>,
        bound: Handle<Expr>,
        subjects: &mut Subjects,
    ) -> Option<Condition> {
        let ty = self.ty(subject);
        let bound = i128::from(self.constant(bound).filter(|_| ty.is_integer() && self.ty(bound) == ty)?);
        let is_of_type = Interval::of_type(ty).contains(Interval { lo: bound, hi: bound });
        is_of_type.then(|| self.integer_test(op, subject, bound, subjects))
    }

    fn integer_test(&self, op: BinaryOp, subject: Handle<Expr>, bound: i128, subjects: &mut Subjects) -> Condition {
        let known = subjects.integers.iter().position(|(it, _)| self.is_same(*it, subject));
        let number = known.unwrap_or_else(|| {
            subjects.integers.push((subject, Vec::new()));
            subjects.integers.len() - 1
        });
        subjects.integers[number].1.push(bound);
        Condition::Test(number, op, bound)
    }

    fn flag(&self, condition: Handle<Expr>, subjects: &mut Subjects) -> Condition {
        let known = subjects.flags.iter().position(|it| self.is_same(*it, condition));
        Condition::Flag(known.unwrap_or_else(|| {
            subjects.flags.push(condition);
            subjects.flags.len() - 1
        }))
    }

    /// A value that stores under conditions have left in an element, without what the element held before if surely one of them
    /// stored it; the value as it is if not.
    pub fn without_old(&mut self, value: Handle<Expr>) -> Handle<Expr> {
        let (mut conditions, mut left) = (Vec::new(), MAX_CHOICES);
        if self.is_old_reached(value, &mut conditions, &mut left) { value } else { self.pruned(value).unwrap_or(value) }
    }

    /// Whether a chain of choices may come to the element's old value under `conditions`, or has more than `left`.
    fn is_old_reached(&mut self, value: Handle<Expr>, conditions: &mut Vec<Handle<Expr>>, left: &mut usize) -> bool {
        match *self.kind(value) {
            ExprKind::Local(local) => self.is_old_reached(self.nest.locals[local].value, conditions, left),
            ExprKind::Select(..) if conditions.len() >= MAX_CHAIN || *left == 0 => true,
            ExprKind::Select(condition, then, otherwise) => {
                *left -= 1;
                let opposite = self.unary(UnaryOp::Not, condition, self.nest.exprs.span(condition));
                [(condition, then), (opposite, otherwise)].into_iter().any(|(condition, side)| {
                    conditions.push(condition);
                    let is_reached = self.is_old_reached(side, conditions, left);
                    conditions.pop();
                    is_reached
                })
            }
            ExprKind::Read(access) if self.nest.accesses[access].is_kept_value => {
                let mut subjects = Subjects::default();
                let all = conditions.iter().map(|it| self.tests_of(*it, &mut subjects));
                let all = all.collect::<Vec<_>>().into_iter();
                let path = all.reduce(|all, one| Condition::Both(Box::new(all), Box::new(one)));
                path.is_none_or(|path| !self.holds_always(&Condition::Not(Box::new(path)), &subjects))
            }
            _ => false,
        }
    }

    /// The chain without the element's old value; `None` for that value itself.
    fn pruned(&mut self, value: Handle<Expr>) -> Option<Handle<Expr>> {
        match *self.kind(value) {
            ExprKind::Local(local) if self.has_old(value) => self.pruned(self.nest.locals[local].value),
            ExprKind::Select(condition, then, otherwise) => match (self.pruned(then), self.pruned(otherwise)) {
                (Some(one), Some(other)) if (one, other) == (then, otherwise) => Some(value),
                (Some(one), Some(other)) => {
                    let (ty, span) = (self.ty(value), self.nest.exprs.span(value));
                    Some(self.expr(ty, ExprKind::Select(condition, one, other), span))
                }
                (one, other) => one.or(other),
            },
            ExprKind::Read(access) if self.nest.accesses[access].is_kept_value => None,
            _ => Some(value),
        }
    }

    /// Whether the element's old value is at an end of the chain.
    fn has_old(&self, value: Handle<Expr>) -> bool {
        match *self.kind(value) {
            ExprKind::Local(local) => self.has_old(self.nest.locals[local].value),
            ExprKind::Select(_, then, otherwise) => self.has_old(then) || self.has_old(otherwise),
            ExprKind::Read(access) => self.nest.accesses[access].is_kept_value,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, point_nest, read, refusal};
    use crate::ir::{Expr, ExprKind, Handle};

    fn scalar(chain: &str) -> String {
        point_nest("", &format!("int k = c[i]; double d; {chain} a[i] = d;"))
    }

    #[test]
    fn comparisons_that_cover_all_numbers_leave_nothing_out() {
        for chain in [
            "if (k < 2) d = 0; if (k == 2) d = 1; if (k > 2) d = 2;",
            "if (k == 2) d = 0; else if (k > 2) d = 1; else if (1 >= k) d = 2;",
            "int dense = b[i] > 1; if (k && dense) d = 0; if (!k) d = 1; if (k != 0 && !dense) d = 3;",
        ] {
            assert!(read(&scalar(chain)).covers.is_empty(), "{chain}");
        }
    }

    #[test]
    fn a_number_that_is_left_out_is_found() {
        for chain in [
            "if (k < 2) d = 0; if (k == 2) d = 1; if (k > 3) d = 2;",
            "if (k < 2) d = 0; k--; if (k >= 2) d = 1;",
            "if (k == 0) d = 0; if (k == 1) d = 1;",
            "if (b[i] < 0) d = 0; if (b[i] >= 0) d = 1;",
        ] {
            assert_eq!(refusal(&scalar(chain)).code, "uninitialised", "{chain}");
        }
    }

    #[test]
    fn stores_under_all_conditions_need_no_old_value() {
        let nest = |last: &str| {
            let body = format!(
                "#pragma stencil\nfor (int i = 0; i < n; i++) {{ int k = c[i]; if (k < 2) a[i] = 0; if (k == 2) a[i] = b[i]; if ({last}) a[i] = 1; }}"
            );
            let nest = read(&function("int n, double *a, const double *b, const int *c", &body));
            let values = nest.step.statements.iter().map(|statement| statement.value);
            let is_old = |part: &Handle<Expr>| matches!(nest.exprs[*part].kind, ExprKind::Read(it) if nest.accesses[it].is_kept_value);
            nest.reachable(values).iter().any(is_old)
        };
        assert!(!nest("k > 2"));
        assert!(nest("k > 3"));
    }
}
