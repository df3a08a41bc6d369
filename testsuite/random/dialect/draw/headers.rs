//! Headers of loops.

use super::{Draft, Form};
use crate::random::dialect::model::{Expr, For, Place, Shape, Start, Stmt, Variable};
use crate::random::dialect::types::{INT, Named, Operator};

/// A header whose body does not stand yet: the loop variable, its start, the condition and the step.
pub type Header = (Start, Expr, Expr);

/// Ways to count from `low` to before `high`; a new one joins by an entry.
const HEADERS: &[Form<Spelling>] = &[
    Form { name: "", weight: 10, draw: |_| up },
    Form { name: "header: last place included", weight: 4, draw: |_| up_to_last },
    Form { name: "header: not equal", weight: 2, draw: |_| until_equal },
    Form { name: "header: bound in front", weight: 3, draw: |_| bound_in_front },
    Form { name: "header: down", weight: 3, draw: |_| down },
];

const WILD: &[Form<Spelling>] = &[
    Form { name: "header: bounds of any type", weight: 10, draw: |_| up },
    Form { name: "header: bounds of any type, last place", weight: 4, draw: |_| up_to_last },
    Form { name: "header: from -1 to an unsigned bound", weight: 6, draw: |_| from_below },
    Form { name: "header: sum before the comparison", weight: 5, draw: |_| shifted },
    Form { name: "header: product before the comparison", weight: 1, draw: |_| scaled },
    Form { name: "header: cast before the comparison", weight: 2, draw: |_| cast },
    Form { name: "header: unsigned countdown", weight: 4, draw: |_| countdown },
    Form { name: "header: down with bounds of any type", weight: 3, draw: |_| down },
    Form { name: "header: two comparisons", weight: 3, draw: |_| twice },
];

/// Makes the header of a variable that runs from one place to before another.
type Spelling = fn(&mut Draft, Variable, i64, i64) -> Counted;

/// Start value, condition, whether it counts up.
type Counted = (Expr, Expr, bool);

impl Draft<'_> {
    /// A loop variable, in the header or before it, perhaps shown afterwards.
    fn loop_variable(&mut self, stem: &str, ty: Named) -> (Variable, bool) {
        let is_inner = self.random.chance(50);
        if is_inner {
            return (self.declare(stem, ty, Shape::Scalar, Place::Inner, None), true);
        }
        let first = self.random.chance(70).then(|| Expr::int(77));
        if first.is_some() {
            self.feature("loop variable outlives the nest");
        }
        let variable = self.declare(stem, ty, Shape::Scalar, Place::Local, first);
        if self.random.chance(3) {
            self.unit.variables[variable].qualifier = "register";
            self.feature("register");
        }
        (variable, false)
    }

    /// A loop over `low..high`, in one of many spellings; its header may also make it run never.
    pub fn header(&mut self, stem: &str, low: i64, high: i64) -> (Variable, Header) {
        let is_wild = self.is_wild();
        let ty = if is_wild && self.random.chance(50) { self.integer_type() } else { INT };
        let (variable, is_inner) = self.loop_variable(stem, ty);
        let form = self.choose(if is_wild { WILD } else { HEADERS });
        let (start, condition, is_up) = form(self, variable, low, high);
        let start = if is_inner {
            self.unit.variables[variable].value = Some(start);
            Start::Declare(variable)
        } else {
            Start::Do(Expr::assign(Expr::Var(variable), start))
        };
        let step = self.step(variable, is_up);
        (variable, (start, condition, step))
    }

    fn step(&mut self, variable: Variable, is_up: bool) -> Expr {
        let target = Box::new(Expr::Var(variable));
        let operator = if is_up { Operator::Add } else { Operator::Subtract };
        match self.random.within(0, 5) {
            0 => Expr::Step { target, is_up, is_prefix: true },
            1 => Expr::Assign(Some(operator), target, Box::new(self.valued_step())),
            2 => Expr::assign(*target.clone(), Expr::binary(operator, *target, self.valued_step())),
            _ => Expr::Step { target, is_up, is_prefix: false },
        }
    }

    fn valued_step(&mut self) -> Expr {
        if self.is_wild() { self.constant(1, 1) } else { Expr::int(1) }
    }
}

fn up(draft: &mut Draft, variable: Variable, low: i64, high: i64) -> Counted {
    let (low, high) = (draft.valued(low), draft.valued(high));
    (low, Expr::binary(Operator::Less, Expr::Var(variable), high), true)
}

fn up_to_last(draft: &mut Draft, variable: Variable, low: i64, high: i64) -> Counted {
    let (low, high) = (draft.valued(low), draft.valued(high - 1));
    (low, Expr::binary(Operator::LessEqual, Expr::Var(variable), high), true)
}

fn until_equal(draft: &mut Draft, variable: Variable, low: i64, high: i64) -> Counted {
    let (low, high) = (Expr::int(low), draft.valued(high));
    (low, Expr::binary(Operator::NotEqual, Expr::Var(variable), high), true)
}

fn bound_in_front(draft: &mut Draft, variable: Variable, low: i64, high: i64) -> Counted {
    let (low, high) = (draft.valued(low), draft.valued(high));
    (low, Expr::binary(Operator::Greater, high, Expr::Var(variable)), true)
}

fn down(draft: &mut Draft, variable: Variable, low: i64, high: i64) -> Counted {
    let (low, high) = (draft.valued(low), draft.valued(high - 1));
    (high, Expr::binary(Operator::GreaterEqual, Expr::Var(variable), low), false)
}

/// `for (i = -1; i < n; i++)` with an unsigned bound runs never, or everywhere if a narrow bound is promoted.
fn from_below(draft: &mut Draft, variable: Variable, low: i64, high: i64) -> Counted {
    let ty = draft.type_where(|ty| !ty.is_signed && ty.bits > 1);
    let bound = if draft.random.chance(60) {
        Expr::Var(draft.parameter(ty, high))
    } else {
        Expr::Int(i128::from(high), crate::random::dialect::types::Integer::UNSIGNED, format!("{high}u"))
    };
    let start = if low < 0 { low } else { -1 };
    let start = draft.valued(start);
    (start, Expr::binary(Operator::Less, Expr::Var(variable), bound), true)
}

/// `i - 1 < n`, where `i - 1` may wrap.
fn shifted(draft: &mut Draft, variable: Variable, low: i64, high: i64) -> Counted {
    let shift = draft.random.pick(&[-2, -1, 1, 2, 5]);
    let (low, high, distance) = (draft.valued(low), draft.detour(high + shift), draft.valued(shift.abs()));
    let operator = if shift < 0 { Operator::Subtract } else { Operator::Add };
    let place = Expr::binary(operator, Expr::Var(variable), distance);
    (low, Expr::binary(Operator::Less, place, high), true)
}

fn scaled(draft: &mut Draft, variable: Variable, low: i64, high: i64) -> Counted {
    let factor = draft.random.within(2, 3);
    let (low, high) = (draft.valued(low), draft.valued(factor * high));
    let factor = draft.valued(factor);
    (low, Expr::binary(Operator::Less, Expr::binary(Operator::Multiply, Expr::Var(variable), factor), high), true)
}

fn cast(draft: &mut Draft, variable: Variable, low: i64, high: i64) -> Counted {
    let ty = draft.integer_type();
    let (low, high) = (draft.valued(low), draft.valued(high));
    (low, Expr::binary(Operator::Less, Expr::Cast(ty, Box::new(Expr::Var(variable))), high), true)
}

/// `for (i = n - 1; i < n; i--)`: all places below `n`.
fn countdown(draft: &mut Draft, variable: Variable, _: i64, high: i64) -> Counted {
    let ty = draft.type_where(|ty| !ty.is_signed && ty.bits >= 32);
    draft.unit.variables[variable].ty = ty;
    let bound = Expr::Var(draft.parameter(ty, high));
    let start = Expr::binary(Operator::Subtract, bound.clone(), Expr::int(1));
    (start, Expr::binary(Operator::Less, Expr::Var(variable), bound), false)
}

fn twice(draft: &mut Draft, variable: Variable, low: i64, high: i64) -> Counted {
    let (start, first, _) = up(draft, variable, low, high);
    let further = draft.random.within(0, 5);
    let second = draft.valued(high - 3 + further);
    let operator = draft.random.pick(&[Operator::And, Operator::And, Operator::Or]);
    let second = Expr::binary(Operator::Less, Expr::Var(variable), second);
    (start, Expr::binary(operator, first, second), true)
}

/// A loop with this header around statements.
pub fn wrap((start, condition, step): Header, body: Vec<Stmt>) -> For {
    For { start, condition, step, body }
}
