//! Conditions on indices.

use super::Index;

/// A condition on indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// A relation holds between two indices.
    Compare(Relation, Index, Index),
    /// All hold; the empty conjunction holds.
    All(Vec<Condition>),
    /// One of them holds.
    Any(Vec<Condition>),
    /// It does not hold.
    Not(Box<Condition>),
    /// It holds; its parts keep together for readers, and for compilers that warn of `&&` within `||`.
    Group(Box<Condition>),
    /// A mask has one of some bits.
    Bits {
        /// Name of the mask.
        mask: String,
        /// The bits.
        bits: u32,
    },
    /// A variable that says it.
    Named(String),
}

/// A relation between two integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// `==`
    Equal,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
}

impl Condition {
    /// `left == right`
    pub fn equal(left: Index, right: Index) -> Self {
        Self::Compare(Relation::Equal, left, right)
    }

    /// `left < right`
    pub fn less(left: Index, right: Index) -> Self {
        Self::Compare(Relation::Less, left, right)
    }

    /// `left <= right`
    pub fn less_equal(left: Index, right: Index) -> Self {
        Self::Compare(Relation::LessEqual, left, right)
    }

    /// `self ? then : otherwise`
    pub fn select(self, then: Index, otherwise: Index) -> Index {
        Index::Select(Box::new(self), Box::new(then), Box::new(otherwise))
    }

    /// See [`Index::replaced`].
    #[must_use]
    pub fn replaced(self, value: &mut dyn FnMut(String) -> Index) -> Self {
        let mut all = |parts: Vec<Self>| parts.into_iter().map(|part| part.replaced(value)).collect();
        match self {
            Self::Compare(relation, left, right) => {
                Self::Compare(relation, left.replaced(value), right.replaced(value))
            }
            Self::All(parts) => Self::All(all(parts)),
            Self::Any(parts) => Self::Any(all(parts)),
            Self::Not(part) => Self::Not(Box::new(part.replaced(value))),
            Self::Group(part) => Self::Group(Box::new(part.replaced(value))),
            Self::Bits { .. } | Self::Named(_) => self,
        }
    }
}
