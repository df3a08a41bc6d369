//! Values, conditions and statements.

use super::super::model::{Assign, Base, Bound, Condition, Element, Expr, Reference, Statement};
use super::super::ways::{GuardWay, Way};
use super::Draft;

/// A way to make one value of several; it gets the target's element type and reads of fields.
#[derive(Clone, Copy)]
pub struct Shape {
    pub name: &'static str,
    /// For floating point only.
    make: fn(&mut Draft, Expr, Expr) -> Expr,
}

/// The shapes of floating-point values; both operands are sums of weighted reads.
pub const SHAPES: &[Shape] = &[
    Shape { name: "sum", make: |_, a, b| binary("+", a, b) },
    Shape { name: "difference", make: |_, a, b| binary("-", a, b) },
    Shape { name: "product", make: |_, a, b| binary("*", a, b) },
    Shape { name: "quotient", make: |_, a, b| binary("/", a, b) },
    Shape { name: "division by a constant", make: |_, a, b| binary("/", binary("+", a, b), Expr::Integer(3)) },
    Shape { name: "negation", make: |_, a, b| binary("-", Expr::Negate(Box::new(a)), b) },
    Shape { name: "square root", make: |_, a, b| binary("+", call("sqrt", vec![call("fabs", vec![a])]), b) },
    Shape { name: "square root in float", make: |_, a, b| binary("+", call("sqrtf", vec![call("fabsf", vec![a])]), b) },
    Shape { name: "least and largest", make: |_, a, b| call("fmin", vec![a, call("fmax", vec![b, Expr::Real(2)])]) },
    Shape { name: "rounding functions", make: |_, a, b| binary("-", call("floor", vec![a]), call("trunc", vec![b])) },
    Shape { name: "fused multiply-add", make: |_, a, b| call("fma", vec![a, Expr::Real(5), b]) },
    Shape { name: "cast to float", make: |_, a, b| binary("+", cast(Element::Float, a), b) },
    Shape { name: "cast to double", make: |_, a, b| binary("*", cast(Element::Double, a), b) },
    Shape { name: "cast to int", make: |_, a, b| binary("+", cast(Element::Int, clamp(a)), b) },
    Shape { name: "choice by data", make: choice_by_data },
    Shape { name: "choice by place", make: choice_by_place },
    Shape { name: "step in the value", make: |_, a, b| binary("+", a, binary("*", Expr::Step, b)) },
    Shape { name: "place in the value", make: |draft, a, b| binary("+", binary("*", draft.place(), a), b) },
];

/// Whether some read happens only where data allow it.
pub fn reads_under_condition(statement: &Statement) -> bool {
    statement.guard.as_ref().is_some_and(Condition::is_data)
        || has_choice(&statement.value)
        || statement.otherwise.as_ref().is_some_and(has_choice)
}

fn has_choice(expr: &Expr) -> bool {
    match expr {
        Expr::Select(..) => true,
        Expr::Binary(_, a, b) => has_choice(a) || has_choice(b),
        Expr::Negate(a) | Expr::Cast(_, a) => has_choice(a),
        Expr::Call(_, arguments) => arguments.iter().any(has_choice),
        _ => false,
    }
}

pub fn binary(op: &'static str, a: Expr, b: Expr) -> Expr {
    Expr::Binary(op, Box::new(a), Box::new(b))
}

pub fn call(name: &'static str, arguments: Vec<Expr>) -> Expr {
    Expr::Call(name, arguments)
}

fn cast(element: Element, a: Expr) -> Expr {
    Expr::Cast(element, Box::new(a))
}

/// A value that every integer type can hold, NaN included.
pub fn clamp(a: Expr) -> Expr {
    call("fmin", vec![call("fmax", vec![a, Expr::Real(-1000)]), Expr::Real(1000)])
}

fn choice_by_data(draft: &mut Draft, a: Expr, b: Expr) -> Expr {
    let op = draft.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
    let condition = Condition::Data(a.clone(), op, Expr::Real(1));
    Expr::Select(Box::new(condition), Box::new(a), Box::new(b))
}

fn choice_by_place(draft: &mut Draft, a: Expr, b: Expr) -> Expr {
    let condition = draft.place_condition();
    Expr::Select(Box::new(condition), Box::new(a), Box::new(b))
}

impl Statement {
    /// `target = value;`
    pub fn set(target: Reference, value: Expr) -> Self {
        Self {
            target,
            assign: Assign::Set,
            value,
            guard: None,
            otherwise: None,
            way: Way::Direct,
            guard_way: GuardWay::If,
        }
    }
}

impl Draft<'_> {
    /// A loop variable's value.
    fn place(&mut self) -> Expr {
        Expr::Place(self.random.within(0, self.program.rank as i64 - 1) as usize)
    }

    /// A statement that sets `target` from `reads`, in any of its forms.
    pub fn statement(&mut self, target: Reference, reads: Vec<Reference>) -> Statement {
        let element = self.program.fields[target.field].element;
        let value = self.value(element, reads.clone());
        let mut statement = Statement::set(target, value);
        statement.way = self.draw_way();
        if !element.is_bounded() && self.random.chance(12) {
            statement.assign = self.random.pick(&[Assign::Add, Assign::Sub]);
            self.note("compound assignment");
        }
        if self.random.chance(18) {
            statement.guard = Some(self.condition(&reads));
            statement.guard_way = self.draw_guard_way();
            if self.random.chance(40) {
                let fewer = reads.into_iter().take(2).collect();
                statement.otherwise = Some(self.value(element, fewer));
            }
        }
        statement
    }

    /// A value for an element of this type made of all `reads`.
    fn value(&mut self, element: Element, reads: Vec<Reference>) -> Expr {
        if !element.is_real() {
            return self.integer_value(element, reads);
        }
        let half = reads.len().div_ceil(2);
        let first = self.weighted_sum(element, &reads[..half]);
        if reads.len() < 2 || self.random.chance(40) {
            let rest = reads[half..].to_vec();
            return if rest.is_empty() { first } else { binary("+", first, self.weighted_sum(element, &rest)) };
        }
        let second = self.weighted_sum(element, &reads[half..]);
        let shape = self.random.pick(SHAPES);
        self.note(shape.name);
        (shape.make)(self, first, second)
    }

    fn weighted_sum(&mut self, element: Element, reads: &[Reference]) -> Expr {
        if let Some(total) = self.total_of(element, reads) {
            return total;
        }
        let terms: Vec<Expr> = reads.iter().map(|read| self.weighted(read)).collect();
        let terms = terms.into_iter();
        let op = self.random.pick(&["+", "+", "-"]);
        terms.reduce(|sum, term| binary(op, sum, term)).unwrap_or(Expr::Real(7))
    }

    fn weighted(&mut self, read: &Reference) -> Expr {
        let value = Expr::Read(read.clone());
        match self.random.within(0, 9) {
            0..=4 => binary("*", Expr::Real(self.random.within(-9, 14)), value),
            5 if !self.program.scalars.is_empty() => binary("*", self.scalar(), value),
            6 | 7 if !self.coefficients.is_empty() => {
                let field = self.random.pick(&self.coefficients.clone());
                let coefficient = self.coefficient(field);
                binary("*", Expr::Read(coefficient), value)
            }
            _ => value,
        }
    }

    fn scalar(&mut self) -> Expr {
        Expr::Scalar(self.random.within(0, self.program.scalars.len() as i64 - 1) as usize)
    }

    /// Integer arithmetic that cannot overflow: small weights, and a remainder at the end where elements keep a bound.
    fn integer_value(&mut self, element: Element, reads: Vec<Reference>) -> Expr {
        let terms: Vec<Expr> = reads.iter().map(|read| self.integer_term(read)).collect();
        let op = self.random.pick(&["+", "+", "-"]);
        let sum = terms.into_iter().reduce(|sum, term| binary(op, sum, term)).unwrap_or(Expr::Integer(5));
        if element.is_bounded() { binary("%", sum, Expr::Integer(1009)) } else { sum }
    }

    fn integer_term(&mut self, read: &Reference) -> Expr {
        let value = Expr::Read(read.clone());
        if self.program.fields[read.field].element.is_real() {
            return cast(Element::Int, clamp(value));
        }
        match self.random.within(0, 6) {
            0 => binary("*", Expr::Integer(self.random.within(2, 7)), value),
            1 => binary("/", value, Expr::Integer(self.random.within(2, 5))),
            2 => binary("%", value, Expr::Integer(7)),
            3 => binary("&", value, Expr::Integer(255)),
            4 => binary("^", value, Expr::Integer(5)),
            5 => binary(">>", value, Expr::Integer(1)),
            _ => value,
        }
    }

    /// A condition on places, steps, or the data of some read.
    pub fn condition(&mut self, reads: &[Reference]) -> Condition {
        match self.random.within(0, 5) {
            0 | 1 => self.place_condition(),
            2 => {
                self.note("condition on parity of places");
                let axes = (0..self.program.rank).filter(|_| self.random.chance(70)).collect::<Vec<_>>();
                let axes = if axes.is_empty() { vec![0] } else { axes };
                Condition::Parity { axes, remainder: self.random.within(0, 1) }
            }
            3 => {
                self.note("condition on the step");
                if self.random.chance(20) {
                    Condition::StepIs(self.random.within(0, 2))
                } else if self.random.chance(50) {
                    Condition::StepFrom(self.random.within(1, 3))
                } else {
                    Condition::StepModulo { modulus: self.random.within(2, 3), remainder: self.random.within(0, 1) }
                }
            }
            _ => match reads.first() {
                Some(read) => {
                    self.note("condition on data");
                    let op = self.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
                    Condition::Data(Expr::Read(read.clone()), op, Expr::Real(1))
                }
                None => self.place_condition(),
            },
        }
    }

    fn place_condition(&mut self) -> Condition {
        self.note("condition on places");
        let axis = self.random.within(0, self.program.rank as i64 - 1) as usize;
        let op = self.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
        let base = self.random.pick(&[Base::Zero, Base::Half, Base::Size]);
        let offset = match base {
            Base::Zero => self.random.within(0, 5),
            Base::Half => 0,
            Base::Size => -1,
        };
        let condition = Condition::Place { axis, op, bound: Bound { base, offset } };
        if self.random.chance(25) {
            return Condition::Both(Box::new(condition), Box::new(Condition::StepFrom(1)));
        }
        condition
    }
}
