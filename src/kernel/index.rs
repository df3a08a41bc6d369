//! Integer arithmetic of kernels, folded as it is built.

/// An integer expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Index {
    /// A constant.
    Const(i64),
    /// A variable or a call such as `get_local_id(0)`.
    Name(String),
    /// A sum.
    Add(Box<Index>, Box<Index>),
    /// A difference.
    Sub(Box<Index>, Box<Index>),
    /// A product.
    Mul(Box<Index>, Box<Index>),
    /// A quotient, rounded toward zero.
    Div(Box<Index>, Box<Index>),
    /// A remainder.
    Rem(Box<Index>, Box<Index>),
    /// The smaller one.
    Min(Box<Index>, Box<Index>),
    /// The larger one.
    Max(Box<Index>, Box<Index>),
}

impl Index {
    /// A variable.
    pub fn name(name: impl Into<String>) -> Self {
        Self::Name(name.into())
    }

    /// `self + constant`
    #[must_use]
    pub fn plus(self, constant: i64) -> Self {
        match self {
            Self::Const(value) if value.checked_add(constant).is_some() => Self::Const(value + constant),
            Self::Add(left, right) => match *right {
                Self::Const(value) if value.checked_add(constant).is_some() => left.plus(value + constant),
                right => Self::Add(left, Box::new(right)).plus_apart(constant),
            },
            other => other.plus_apart(constant),
        }
    }

    /// `self + constant` that is not folded.
    fn plus_apart(self, constant: i64) -> Self {
        if constant == 0 {
            return self;
        }
        Self::Add(Box::new(self), Box::new(Self::Const(constant)))
    }

    /// `self + other`
    #[must_use]
    pub fn sum(self, other: Self) -> Self {
        match (self, other) {
            (left, Self::Const(value)) => left.plus(value),
            (Self::Const(value), right) => right.plus(value),
            (left, right) => Self::Add(Box::new(left), Box::new(right)),
        }
    }

    /// `self - other`
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        match other {
            Self::Const(value) if value != i64::MIN => self.plus(-value),
            other => Self::Sub(Box::new(self), Box::new(other)),
        }
    }

    /// `self * constant`
    #[must_use]
    pub fn times(self, constant: i64) -> Self {
        match (self, constant) {
            (Self::Const(value), _) => Self::Const(value * constant),
            (other, 1) => other,
            (other, _) => Self::Mul(Box::new(other), Box::new(Self::Const(constant))),
        }
    }

    /// `self * other`
    #[must_use]
    pub fn multiplied_by(self, other: Self) -> Self {
        match other {
            Self::Const(value) => self.times(value),
            other => Self::Mul(Box::new(self), Box::new(other)),
        }
    }

    /// The smaller one of the two.
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        Self::Min(Box::new(self), Box::new(other))
    }

    /// The larger one of the two.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self::Max(Box::new(self), Box::new(other))
    }

    /// `self / other`
    #[must_use]
    pub fn divided_by(self, other: Self) -> Self {
        Self::Div(Box::new(self), Box::new(other))
    }

    /// `self % other`
    #[must_use]
    pub fn modulo(self, other: Self) -> Self {
        Self::Rem(Box::new(self), Box::new(other))
    }
}

/// A condition on indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// `left <= right`
    LessEqual(Index, Index),
    /// All hold; the empty conjunction holds.
    All(Vec<Condition>),
    /// One of them holds.
    Any(Vec<Condition>),
    /// `left < right`
    Less(Index, Index),
    /// A mask has one of some bits.
    Bits {
        /// Name of the mask.
        mask: String,
        /// The bits.
        bits: u32,
    },
    /// A variable that says it.
    Named(String),
    /// A C expression of cell coordinates and parameters.
    Text(String),
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
