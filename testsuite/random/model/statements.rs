//! Sweeps of a random program: loops, statements, what these read and on which conditions.

use super::{Element, STEPS, Total};
use crate::random::folds::Folding;
use crate::random::ways::{GuardWay, Routine, Way};

/// A loop nest over space.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// Outermost first; axes without a loop are for subscripts at borders.
    pub loops: Vec<Loop>,
    /// `if (t % modulus == remainder)` around the loops.
    pub step_guard: Option<(i64, i64)>,
    pub statements: Vec<Statement>,
    /// The function that has it.
    pub routine: Option<Routine>,
    /// What its points do to folds.
    pub foldings: Vec<Folding>,
    /// The function's result is what it folds.
    pub gives_fold: bool,
}

impl Sweep {
    /// One in line.
    pub fn new(loops: Vec<Loop>, statements: Vec<Statement>) -> Self {
        Self { loops, step_guard: None, statements, routine: None, foldings: Vec::new(), gives_fold: false }
    }
}

/// A loop over one axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loop {
    pub axis: usize,
    /// The first value.
    pub low: Bound,
    /// Behind the last value.
    pub high: Bound,
    pub stride: i64,
    pub is_descending: bool,
    pub spelling: u8,
}

impl Loop {
    /// What the loop variable begins with, also where no iteration follows.
    pub fn first(&self, sizes: &[i64]) -> i64 {
        if self.is_descending { self.high.value(self.axis, sizes) - 1 } else { self.low.value(self.axis, sizes) }
    }

    /// The values of the loop variable, in order.
    pub fn values(&self, sizes: &[i64]) -> Vec<i64> {
        let (low, high) = (self.low.value(self.axis, sizes), self.high.value(self.axis, sizes));
        let stride = usize::try_from(self.stride).unwrap_or(1);
        if self.is_descending {
            (low..high).rev().step_by(stride).collect()
        } else {
            (low..high).step_by(stride).collect()
        }
    }
}

/// A bound of a loop over an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    pub base: Base,
    pub offset: i64,
}

/// What a bound counts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    Zero,
    /// `n / 2`
    Half,
    /// `n`
    Size,
}

impl Bound {
    pub fn value(self, axis: usize, sizes: &[i64]) -> i64 {
        self.offset
            + match self.base {
                Base::Zero => 0,
                Base::Half => sizes[axis] / 2,
                Base::Size => sizes[axis],
            }
    }
}

/// `if (guard) target op value; else target op otherwise;`
#[derive(Clone, Debug)]
pub struct Statement {
    pub target: Reference,
    pub assign: Assign,
    pub value: Expr,
    pub guard: Option<Condition>,
    pub otherwise: Option<Expr>,
    /// How the value gets to where it is stored.
    pub way: Way,
    pub guard_way: GuardWay,
}

/// `=` or a compound assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assign {
    Set,
    Add,
    Sub,
}

impl Assign {
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Set => "=",
            Self::Add => "+=",
            Self::Sub => "-=",
        }
    }
}

/// An element of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    pub field: usize,
    pub slot: Slot,
    /// One a dimension of the field.
    pub subscripts: Vec<Subscript>,
    pub spelling: u8,
}

/// Which copy of a field with several slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    Fixed(i64),
    /// `(t + shift) % slots`
    Step(i64),
}

/// `scale * axis + size * n + offset`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subscript {
    pub axis: usize,
    /// 0 at borders.
    pub scale: i64,
    /// How many times the axis's `n` is added.
    pub size: i64,
    pub offset: i64,
    pub wall: Wall,
}

/// What becomes of a subscript beyond `0` to `n - 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wall {
    /// It names an element all the same, or none.
    Open,
    /// It stops at the nearest of them.
    Stop,
    /// It goes round, once.
    Around,
}

impl Subscript {
    /// The element; -1 where `n` is too small to go round once from all points, those between the points of a loop too.
    pub fn value(&self, place: &[i64], sizes: &[i64]) -> i64 {
        let (size, value) =
            (sizes[self.axis], self.scale * place[self.axis] + self.size * sizes[self.axis] + self.offset);
        match self.wall {
            Wall::Open => value,
            Wall::Stop => value.clamp(0, (size - 1).max(0)),
            Wall::Around if (-size..2 * size).contains(&value) && self.offset.abs() <= size => value.rem_euclid(size),
            Wall::Around => -1,
        }
    }
}

/// A value; its type follows from C's rules.
#[derive(Clone, Debug)]
pub enum Expr {
    Read(Reference),
    /// Tenths in floating point.
    Real(i64),
    Integer(i64),
    Scalar(usize),
    /// `t`
    Step,
    /// The loop variable of an axis.
    Place(usize),
    Binary(&'static str, Box<Expr>, Box<Expr>),
    Negate(Box<Expr>),
    /// A function of `<math.h>`.
    Call(&'static str, Vec<Expr>),
    Select(Box<Condition>, Box<Expr>, Box<Expr>),
    Cast(Element, Box<Expr>),
    Total(Total),
    /// What is folded at this moment.
    Fold(usize),
}

/// A condition.
#[derive(Clone, Debug)]
pub enum Condition {
    /// `axis op bound`
    Place {
        axis: usize,
        op: &'static str,
        bound: Bound,
    },
    /// `(i + j + t?) % 2 == remainder`
    Parity {
        axes: Vec<usize>,
        remainder: i64,
    },
    /// `t % modulus == remainder`
    StepModulo {
        modulus: i64,
        remainder: i64,
    },
    /// `t >= step`
    StepFrom(i64),
    /// `t == step`
    StepIs(i64),
    /// A comparison of values.
    Data(Expr, &'static str, Expr),
    Both(Box<Condition>, Box<Condition>),
}

impl Condition {
    /// Whether it depends on what arrays hold.
    pub fn is_data(&self) -> bool {
        match self {
            Self::Data(..) => true,
            Self::Both(a, b) => a.is_data() || b.is_data(),
            _ => false,
        }
    }

    /// The axes of the places that it is about.
    pub fn axes(&self) -> Vec<usize> {
        match self {
            Self::Place { axis, .. } => vec![*axis],
            Self::Parity { axes, .. } => axes.clone(),
            Self::Both(a, b) => [a.axes(), b.axes()].concat(),
            Self::StepModulo { .. } | Self::StepFrom(_) | Self::StepIs(_) | Self::Data(..) => Vec::new(),
        }
    }

    /// Its value where no data decides; true for comparisons of data.
    pub fn may_hold(&self, place: &[i64], step: i64, sizes: &[i64]) -> bool {
        match self {
            Self::Place { axis, op, bound } => compare(place[*axis], op, bound.value(*axis, sizes)),
            Self::Parity { axes, remainder } => axes.iter().map(|axis| place[*axis]).sum::<i64>() % 2 == *remainder,
            Self::StepModulo { modulus, remainder } => step % modulus == *remainder,
            Self::StepFrom(first) => step >= *first,
            Self::StepIs(one) => step == *one,
            Self::Data(..) => true,
            Self::Both(a, b) => a.may_hold(place, step, sizes) && b.may_hold(place, step, sizes),
        }
    }
}

fn compare(left: i64, op: &str, right: i64) -> bool {
    match op {
        "<" => left < right,
        "<=" => left <= right,
        ">" => left > right,
        ">=" => left >= right,
        "==" => left == right,
        _ => left != right,
    }
}

impl Reference {
    /// Whether the step is in one of its subscripts, slots apart.
    pub fn names_step(&self) -> bool {
        self.subscripts.iter().any(|subscript| subscript.axis == STEPS && subscript.scale != 0)
    }
}

impl Expr {
    /// All reads in it, those of conditions included.
    pub fn reads(&self) -> Vec<&Reference> {
        match self {
            Self::Read(reference) => vec![reference],
            Self::Binary(_, a, b) => [a.reads(), b.reads()].concat(),
            Self::Negate(a) | Self::Cast(_, a) => a.reads(),
            Self::Call(_, arguments) => arguments.iter().flat_map(Self::reads).collect(),
            Self::Select(condition, a, b) => [condition.reads(), a.reads(), b.reads()].concat(),
            Self::Total(total) => total.reads.iter().collect(),
            Self::Real(_) | Self::Fold(_) | Self::Integer(_) | Self::Scalar(_) | Self::Step | Self::Place(_) => {
                Vec::new()
            }
        }
    }

    /// All sums in it that are computed before it, each once.
    pub fn totals(&self) -> Vec<&Total> {
        let mut found = match self {
            Self::Total(total) => vec![total],
            Self::Binary(_, a, b) => [a.totals(), b.totals()].concat(),
            Self::Negate(a) | Self::Cast(_, a) => a.totals(),
            Self::Call(_, arguments) => arguments.iter().flat_map(Self::totals).collect(),
            Self::Select(condition, a, b) => [condition.totals(), a.totals(), b.totals()].concat(),
            _ => Vec::new(),
        };
        found.sort_by_key(|total| total.number);
        found.dedup_by_key(|total| total.number);
        found
    }

    /// The folds whose values it needs.
    pub fn folds(&self) -> Vec<usize> {
        match self {
            Self::Fold(fold) => vec![*fold],
            Self::Binary(_, a, b) => [a.folds(), b.folds()].concat(),
            Self::Negate(a) | Self::Cast(_, a) => a.folds(),
            Self::Call(_, arguments) => arguments.iter().flat_map(Self::folds).collect(),
            Self::Select(condition, a, b) => [condition.folds(), a.folds(), b.folds()].concat(),
            _ => Vec::new(),
        }
    }
}

impl Condition {
    pub fn folds(&self) -> Vec<usize> {
        match self {
            Self::Data(a, _, b) => [a.folds(), b.folds()].concat(),
            Self::Both(a, b) => [a.folds(), b.folds()].concat(),
            _ => Vec::new(),
        }
    }

    pub fn totals(&self) -> Vec<&Total> {
        match self {
            Self::Data(a, _, b) => [a.totals(), b.totals()].concat(),
            Self::Both(a, b) => [a.totals(), b.totals()].concat(),
            _ => Vec::new(),
        }
    }
}

/// A point at which a statement runs.
pub struct Point<'a> {
    pub place: &'a [i64],
    pub step: i64,
    pub sizes: &'a [i64],
}

impl Expr {
    /// The reads in it that may happen at a point: of a selection by place or step only one side is evaluated.
    pub fn reads_at(&self, point: &Point) -> Vec<&Reference> {
        match self {
            Self::Binary(_, a, b) => [a.reads_at(point), b.reads_at(point)].concat(),
            Self::Negate(a) | Self::Cast(_, a) => a.reads_at(point),
            Self::Call(_, arguments) => arguments.iter().flat_map(|argument| argument.reads_at(point)).collect(),
            Self::Select(condition, a, b) => {
                let may_hold = condition.may_hold(point.place, point.step, point.sizes);
                let then = if may_hold { a.reads_at(point) } else { Vec::new() };
                let otherwise = if !may_hold || condition.is_data() { b.reads_at(point) } else { Vec::new() };
                [condition.reads(), then, otherwise].concat()
            }
            _ => self.reads(),
        }
    }
}

impl Condition {
    /// All reads in it.
    pub fn reads(&self) -> Vec<&Reference> {
        match self {
            Self::Data(a, _, b) => [a.reads(), b.reads()].concat(),
            Self::Both(a, b) => [a.reads(), b.reads()].concat(),
            _ => Vec::new(),
        }
    }
}
