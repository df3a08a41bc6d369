//! Integer expressions and conditions of generated code, folded as they are built.
//!
//! [`poly`](crate::poly) gives the values that isl finds as such, [`kernel`](crate::kernel) builds kernels from them, and
//! [`back`](crate::back) alone knows how a dialect of C spells them.

mod condition;

pub use condition::{Condition, Relation};

use crate::ir::ScalarType;

/// An integer expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Index {
    /// A constant.
    Const(i64),
    /// A variable.
    Name(String),
    /// Where the work-item is, or how many there are, in a dimension of the NDRange.
    WorkItem(WorkItem, usize),
    /// A value in a type.
    Convert(ScalarType, Box<Index>),
    /// `-operand`
    Negate(Box<Index>),
    /// An operator and its operands.
    Binary(Operator, Box<Index>, Box<Index>),
    /// The first one if the condition holds, or else the second one.
    Select(Box<Condition>, Box<Index>, Box<Index>),
    /// 1 if the condition holds, or else 0.
    Truth(Box<Condition>),
}

/// What a work-item can ask for in each dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkItem {
    /// Number of its work-group.
    Group,
    /// Its own number in the work-group.
    Local,
    /// Its own number in the NDRange.
    Global,
    /// How many work-groups there are.
    Groups,
}

/// An operator on two integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// The sum.
    Add,
    /// The difference.
    Sub,
    /// The product.
    Mul,
    /// The quotient, rounded toward zero.
    Div,
    /// The quotient, rounded down.
    FloorDiv,
    /// The remainder of `Div`.
    Rem,
    /// The bits that both have.
    BitAnd,
    /// The smaller one.
    Min,
    /// The larger one.
    Max,
}

impl Index {
    /// A variable.
    pub fn name(name: impl Into<String>) -> Self {
        Self::Name(name.into())
    }

    /// An operator and its operands, not folded.
    #[must_use]
    pub fn binary(op: Operator, left: Self, right: Self) -> Self {
        Self::Binary(op, Box::new(left), Box::new(right))
    }

    /// `self + constant`
    #[must_use]
    pub fn plus(self, constant: i64) -> Self {
        match self {
            Self::Const(value) if value.checked_add(constant).is_some() => Self::Const(value + constant),
            Self::Binary(Operator::Add, left, right) => match *right {
                Self::Const(value) if value.checked_add(constant).is_some() => left.plus(value + constant),
                right => Self::binary(Operator::Add, *left, right).plus_apart(constant),
            },
            other => other.plus_apart(constant),
        }
    }

    /// `self + constant` that is not folded.
    fn plus_apart(self, constant: i64) -> Self {
        if constant == 0 {
            return self;
        }
        Self::binary(Operator::Add, self, Self::Const(constant))
    }

    /// `self + other`
    #[must_use]
    pub fn sum(self, other: Self) -> Self {
        match (self, other) {
            (left, Self::Const(value)) => left.plus(value),
            (Self::Const(value), right) => right.plus(value),
            (left, right) => Self::binary(Operator::Add, left, right),
        }
    }

    /// `self - other`
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        match other {
            Self::Const(value) if value != i64::MIN => self.plus(-value),
            other => Self::binary(Operator::Sub, self, other),
        }
    }

    /// `self * constant`
    #[must_use]
    pub fn times(self, constant: i64) -> Self {
        match (self, constant) {
            (Self::Const(value), _) => Self::Const(value * constant),
            (other, 1) => other,
            (other, _) => Self::binary(Operator::Mul, other, Self::Const(constant)),
        }
    }

    /// `self * other`
    #[must_use]
    pub fn multiplied_by(self, other: Self) -> Self {
        match other {
            Self::Const(value) => self.times(value),
            other => Self::binary(Operator::Mul, self, other),
        }
    }

    /// The smaller one of the two.
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        Self::binary(Operator::Min, self, other)
    }

    /// The larger one of the two.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self::binary(Operator::Max, self, other)
    }

    /// `self / other`
    #[must_use]
    pub fn divided_by(self, other: Self) -> Self {
        Self::binary(Operator::Div, self, other)
    }

    /// `self % other`
    #[must_use]
    pub fn modulo(self, other: Self) -> Self {
        Self::binary(Operator::Rem, self, other)
    }

    /// The bits of `self` that a mask has.
    #[must_use]
    pub fn masked(self, bits: i64) -> Self {
        Self::binary(Operator::BitAnd, self, Self::Const(bits))
    }

    /// `self` in a type.
    #[must_use]
    pub fn converted(self, ty: ScalarType) -> Self {
        Self::Convert(ty, Box::new(self))
    }

    /// Whether its value is made of a variable of one of these names; conditions that choose among values do not count.
    pub fn is_made_of(&self, names: &[&str]) -> bool {
        match self {
            Self::Name(name) => names.contains(&name.as_str()),
            Self::Const(_) | Self::WorkItem(..) | Self::Truth(_) => false,
            Self::Convert(_, operand) | Self::Negate(operand) => operand.is_made_of(names),
            Self::Binary(_, left, right) | Self::Select(_, left, right) => {
                left.is_made_of(names) || right.is_made_of(names)
            }
        }
    }

    /// Replaces every variable by what is given for its name.
    #[must_use]
    pub fn replaced(self, value: &mut dyn FnMut(String) -> Self) -> Self {
        match self {
            Self::Name(name) => value(name),
            Self::Const(_) | Self::WorkItem(..) => self,
            Self::Convert(ty, operand) => operand.replaced(value).converted(ty),
            Self::Negate(operand) => Self::Negate(Box::new(operand.replaced(value))),
            Self::Binary(op, left, right) => Self::binary(op, left.replaced(value), right.replaced(value)),
            Self::Select(condition, then, otherwise) => {
                condition.replaced(value).select(then.replaced(value), otherwise.replaced(value))
            }
            Self::Truth(condition) => Self::Truth(Box::new(condition.replaced(value))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Index;

    #[test]
    fn constants_are_folded() {
        let index = Index::name("x").plus(3).plus(-3);
        assert_eq!(index, Index::name("x"));
        assert_eq!(Index::Const(2).times(4).sum(Index::name("y")), Index::name("y").plus(8));
    }
}
