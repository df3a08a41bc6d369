//! Conditions of places, steps, parameters and data.

use super::{Draft, Form};
use crate::random::dialect::model::{Expr, Unary};
use crate::random::dialect::types::{Integer, Operator, Type};

/// Conditions around stores; a new one joins by an entry.
const CONDITIONS: &[Form<Expr>] = &[
    Form { name: "condition: place", weight: 5, draw: place },
    Form { name: "condition: data", weight: 3, draw: data },
    Form { name: "", weight: 6, draw: step_and_place },
    Form { name: "condition: unsigned range", weight: 5, draw: unsigned_range },
    Form { name: "condition: sum that wraps", weight: 6, draw: wrapping },
    Form { name: "condition: product that wraps", weight: 4, draw: wrapping_product },
    Form { name: "condition: parameters only", weight: 5, draw: invariant },
    Form { name: "condition: bits and remainders", weight: 4, draw: bits },
    Form { name: "condition: guarded division", weight: 3, draw: guarded_division },
    Form { name: "condition: largest number as limit", weight: 3, draw: largest_limit },
    Form { name: "condition: conditional operator", weight: 3, draw: chosen },
    Form { name: "condition: answer of a choice", weight: 3, draw: answered },
    Form { name: "condition: two joined", weight: 6, draw: joined },
    Form { name: "condition: negated", weight: 2, draw: negated },
];

impl Draft<'_> {
    pub fn condition(&mut self) -> Expr {
        self.choose(CONDITIONS)
    }

    /// A condition around a store: of the step in many cases where there are steps.
    pub fn guard(&mut self) -> Option<Expr> {
        let has_steps = self.time.is_some();
        if !self.random.chance(if has_steps { 55 } else { 35 }) {
            return None;
        }
        Some(if has_steps && self.random.chance(50) { step_and_place(self) } else { self.condition() })
    }

    /// The loop variable of some axis, and a place that it takes.
    fn some_place(&mut self) -> (Expr, i64) {
        let axis = self.axes[self.random.within(0, self.axes.len() as i64 - 1) as usize];
        (Expr::Var(axis.variable), self.random.within(axis.low, axis.high))
    }

    fn comparison(&mut self) -> Operator {
        use Operator::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
        self.random.pick(&[Less, Less, Less, LessEqual, Greater, Greater, GreaterEqual, Equal, NotEqual])
    }
}

fn place(draft: &mut Draft) -> Expr {
    let (place, value) = draft.some_place();
    let (operator, value) = (draft.comparison(), draft.valued(value));
    Expr::binary(operator, place, value)
}

fn data(draft: &mut Draft) -> Expr {
    let element = draft.any_element();
    let operator = draft.comparison();
    let value = draft.random.within(-2, 3);
    let value = draft.valued(value);
    Expr::binary(operator, element, value)
}

/// `i < 9 - t`, `j == 1 + t`, `t < 1 || j > 4`, `j > t && j < 39 - t`; of places only without a time loop.
fn step_and_place(draft: &mut Draft) -> Expr {
    let Some(time) = draft.time.map(Expr::Var) else { return joined(draft) };
    draft.feature("condition: step and place");
    let (place, value) = draft.some_place();
    let operator = draft.comparison();
    let value_text = draft.valued(value);
    match draft.random.within(0, 6) {
        0 | 1 => Expr::binary(operator, place, Expr::binary(Operator::Subtract, value_text, time)),
        2 => Expr::binary(operator, place, Expr::binary(Operator::Add, value_text, time)),
        3 => {
            let step = draft.random.within(0, 3);
            let (step, early) = (draft.valued(step), draft.random.pick(&[Operator::Less, Operator::Greater]));
            let join = draft.random.pick(&[Operator::Or, Operator::And]);
            Expr::binary(join, Expr::binary(early, time, step), Expr::binary(operator, place, value_text))
        }
        4 => Expr::binary(operator, Expr::binary(Operator::Add, place, time), value_text),
        5 => {
            let low = Expr::binary(Operator::Greater, place.clone(), time.clone());
            let end = Expr::binary(Operator::Subtract, value_text, time);
            Expr::binary(Operator::And, low, Expr::binary(Operator::Less, place, end))
        }
        _ => Expr::binary(operator, place, Expr::binary(Operator::Multiply, time, Expr::int(2))),
    }
}

/// `i < 4 - t`, `i == 1 + t`, `i > 7 + t`, `t < 2`: it leaves the places at one end behind, step by step.
pub fn front(draft: &mut Draft) -> Expr {
    use Operator::{Add, Equal, Greater, Less, LessEqual, Subtract};
    let Some(time) = draft.time.map(Expr::Var) else { return joined(draft) };
    if draft.random.chance(25) {
        return step_and_place(draft);
    }
    draft.feature("condition: front");
    let axis = draft.axes[draft.random.within(0, draft.axes.len() as i64 - 1) as usize];
    let place = Expr::Var(axis.variable);
    let depth = draft.random.within(0, 4);
    let (low, high) = (draft.valued(axis.low + depth), draft.valued(axis.high - 1 - depth));
    let less = draft.random.pick(&[Less, LessEqual]);
    match draft.random.within(0, 6) {
        0 => Expr::binary(less, place, Expr::binary(Subtract, low, time)),
        1 => Expr::binary(less, Expr::binary(Add, place, time), low),
        2 => Expr::binary(Greater, place, Expr::binary(Add, high, time)),
        3 => Expr::binary(Greater, Expr::binary(Subtract, place, time), high),
        4 => Expr::binary(Equal, place, Expr::binary(Add, low, time)),
        5 => Expr::binary(draft.random.pick(&[Greater, Equal]), place, time),
        _ => {
            let last = draft.random.within(1, 3);
            Expr::binary(less, time, draft.valued(last))
        }
    }
}

/// `(unsigned)(m - 10) < 5u`
fn unsigned_range(draft: &mut Draft) -> Expr {
    let ty = draft.type_where(|ty| !ty.is_signed && ty.bits > 1);
    let (mut place, first) = draft.some_place();
    let mut first = first;
    if draft.random.chance(35) {
        first = draft.random.within(1, 20);
        let value = first + draft.random.pick(&[-7, -1, 0, 2, 4]);
        place = draft.valued(value);
    }
    let (first, length) = (draft.valued(first), draft.random.within(2, 6));
    let length = draft.valued(length);
    let distance = Expr::binary(Operator::Subtract, place, first);
    Expr::binary(Operator::Less, Expr::Cast(ty, Box::new(distance)), length)
}

/// `off * 2 + i < 4` with `off = 0x80000000u`; `(size_t)(k + off) < 2` with a negative `off`.
fn wrapping(draft: &mut Draft) -> Expr {
    let (place, value) = draft.some_place();
    let distance = draft.detour(-value);
    let sum = Expr::binary(Operator::Add, place, distance);
    let limit = draft.random.within(1, 6);
    let limit = draft.valued(limit);
    let sum = if draft.random.chance(40) { Expr::Cast(draft.integer_type(), Box::new(sum)) } else { sum };
    Expr::binary(draft.comparison(), sum, limit)
}

/// `(k * 2654435761u) % 7 < 3`
fn wrapping_product(draft: &mut Draft) -> Expr {
    let (place, _) = draft.some_place();
    let factor = draft.random.pick(&[2_654_435_761, 0x8000_0001, 0xffff_ffff, 3_000_000_019]);
    let ty = Integer::UNSIGNED;
    let literal = Expr::Int(factor, ty, format!("{factor}u"));
    let factor = if draft.random.chance(40) {
        let named = draft.type_where(|ty| !ty.is_signed && ty.bits == 32);
        Expr::Var(draft.parameter(named, factor as i64))
    } else {
        literal
    };
    let product = Expr::binary(Operator::Multiply, place, factor);
    if draft.random.chance(50) {
        let remainder = Expr::binary(Operator::Remainder, product, draft.plain(7));
        return Expr::binary(Operator::Less, remainder, Expr::int(3));
    }
    let half = Expr::Int(1 << 31, ty, "0x80000000u".to_string());
    Expr::binary(draft.comparison(), product, half)
}

/// `(int)m == 5`, `m - 10 < 5`, `m - 1 < 0`
fn invariant(draft: &mut Draft) -> Expr {
    let value = draft.random.within(0, 6);
    let operator = draft.comparison();
    if draft.random.chance(40) {
        let exact = draft.detour(value);
        let right = draft.valued(value);
        return Expr::binary(operator, exact, right);
    }
    let distance = draft.random.within(1, 10);
    let ty = draft.integer_type();
    let parameter = Expr::Var(draft.parameter(ty, value));
    let difference = Expr::binary(Operator::Subtract, parameter, draft.valued(distance));
    let limit = draft.random.within(0, 5);
    Expr::binary(operator, difference, draft.valued(limit))
}

fn bits(draft: &mut Draft) -> Expr {
    let (place, value) = draft.some_place();
    let divisor = draft.random.within(2, 4);
    let small = draft.random.within(0, 2);
    let shifted = Expr::binary(Operator::Subtract, place.clone(), draft.plain(value));
    match draft.random.within(0, 5) {
        0 => Expr::binary(Operator::BitAnd, place, draft.valued(divisor)),
        1 => Expr::binary(
            Operator::Equal,
            Expr::binary(Operator::Remainder, shifted, Expr::int(divisor)),
            Expr::int(small),
        ),
        2 => {
            Expr::binary(Operator::Less, Expr::binary(Operator::Divide, shifted, Expr::int(divisor)), Expr::int(small))
        }
        3 => Expr::binary(
            Operator::Less,
            Expr::binary(Operator::Remainder, shifted, draft.valued(divisor)),
            Expr::int(0),
        ),
        4 => Expr::Unary(Unary::Not, Box::new(Expr::binary(Operator::BitXor, place, draft.valued(value)))),
        _ => {
            Expr::binary(Operator::Greater, Expr::binary(Operator::ShiftRight, shifted, Expr::int(1)), Expr::int(small))
        }
    }
}

/// `m != 0 && i < n / m` with `m = 0`
fn guarded_division(draft: &mut Draft) -> Expr {
    let (place, value) = draft.some_place();
    let divisor = draft.random.pick(&[0, 0, 2, 3]);
    let ty = draft.type_where(|ty| ty.bits > 1);
    let divisor_variable = Expr::Var(draft.parameter(ty, divisor));
    let is_remainder = draft.random.chance(30);
    let (operator, dividend) =
        if is_remainder { (Operator::Remainder, value) } else { (Operator::Divide, value * divisor.max(1)) };
    let dividend = draft.valued(dividend);
    let quotient = Expr::binary(operator, dividend, divisor_variable.clone());
    let second = Expr::binary(Operator::Less, place, quotient);
    let is_and = draft.random.chance(60);
    let test = if is_and { Operator::NotEqual } else { Operator::Equal };
    let first = Expr::binary(test, divisor_variable, Expr::int(0));
    Expr::binary(if is_and { Operator::And } else { Operator::Or }, first, second)
}

/// `k < lim` with `size_t lim = -1`
fn largest_limit(draft: &mut Draft) -> Expr {
    let (place, _) = draft.some_place();
    let ty = draft.type_where(|ty| !ty.is_signed && ty.bits > 1);
    let minus_one = draft.random.within(-3, -1);
    let limit = if draft.random.chance(50) {
        Expr::Var(draft.parameter(ty, minus_one))
    } else {
        Expr::Cast(ty, Box::new(Expr::int(minus_one)))
    };
    Expr::binary(draft.comparison(), place, limit)
}

/// `(m ? i : 4u) < n`
fn chosen(draft: &mut Draft) -> Expr {
    let (place, value) = draft.some_place();
    let other = draft.random.within(-2, 9);
    let is_place = draft.random.within(0, 1);
    let condition = draft.valued(is_place);
    let (other, limit) = (draft.literal(other), draft.valued(value));
    let picked = Expr::Conditional(Box::new(condition), Box::new(place), Box::new(other));
    Expr::binary(draft.comparison(), picked, limit)
}

/// `(i > 3 ? 0 : j < 2 ? 0 : 1) == 1`
fn answered(draft: &mut Draft) -> Expr {
    let [one, two, three, bound] = [(); 4].map(|()| {
        let number = draft.random.within(-1, 2);
        draft.literal(number)
    });
    let (first, second) = (place(draft), place(draft));
    let rest = Expr::Conditional(Box::new(second), Box::new(two), Box::new(three));
    let (then, otherwise) = if draft.random.chance(50) { (one, rest) } else { (rest, one) };
    let answer = Expr::Conditional(Box::new(first), Box::new(then), Box::new(otherwise));
    Expr::binary(draft.comparison(), answer, bound)
}

fn joined(draft: &mut Draft) -> Expr {
    let operator = draft.random.pick(&[Operator::And, Operator::Or]);
    let (x, y) = (place(draft), if draft.random.chance(50) { draft.condition() } else { place(draft) });
    if draft.random.chance(50) { Expr::binary(operator, x, y) } else { Expr::binary(operator, y, x) }
}

fn negated(draft: &mut Draft) -> Expr {
    let condition = draft.condition();
    Expr::Unary(Unary::Not, Box::new(condition))
}

/// Whether elements of this type are integers.
pub fn is_integer(ty: Type) -> bool {
    matches!(ty, Type::Int(_))
}
