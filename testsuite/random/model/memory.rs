//! Arrays and scalars of a random program.

use super::{Reference, STEPS};
use crate::random::ways::{Packing, Parts};

/// An array in memory, or the pointer that reaches it.
#[derive(Clone, Debug)]
pub struct Field {
    pub element: Element,
    pub form: Form,
    /// Dimensions, slowest first.
    pub dims: Vec<Dim>,
    /// Copies of the field one behind the other, as in `a[2][n][m]`; 1 for a plain array.
    pub slots: usize,
    pub values: Values,
    pub packing: Option<Packing>,
}

/// A dimension of an array: `scale * n + extra` elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dim {
    /// The axis whose `n` it is.
    pub axis: usize,
    pub scale: i64,
    pub extra: i64,
}

/// How an array is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `double *a` with linearised subscripts, a local or a parameter.
    Flat,
    /// `static double *a` with linearised subscripts.
    GlobalFlat,
    /// `double (*a)[m]`, a local or a parameter.
    Rows,
    /// `double **a`, with as many stars as dimensions; a local or a parameter.
    Tables,
    /// `double a[n][m]`, a local array or a parameter.
    Variable,
    /// `static double a[MAX_N][MAX_M]` with constant sizes.
    Fixed,
}

impl Form {
    pub fn is_pointer(self) -> bool {
        matches!(self, Self::Flat | Self::GlobalFlat | Self::Rows | Self::Tables)
    }

    pub fn is_flat(self) -> bool {
        matches!(self, Self::Flat | Self::GlobalFlat)
    }

    pub fn is_global(self) -> bool {
        matches!(self, Self::GlobalFlat | Self::Fixed)
    }
}

/// Types of elements and scalars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    Double,
    Float,
    Int,
    Long,
    Short,
    Char,
    UnsignedChar,
    UnsignedShort,
    Unsigned,
    UnsignedLong,
}

impl Element {
    pub const ALL: [Self; 10] = [
        Self::Double,
        Self::Float,
        Self::Int,
        Self::Long,
        Self::Short,
        Self::Char,
        Self::UnsignedChar,
        Self::UnsignedShort,
        Self::Unsigned,
        Self::UnsignedLong,
    ];

    /// Its spelling in C, and the suffix of the functions of `memory.h` for it.
    pub fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Double => ("double", "double"),
            Self::Float => ("float", "float"),
            Self::Int => ("int", "int"),
            Self::Long => ("long", "long"),
            Self::Short => ("short", "short"),
            Self::Char => ("signed char", "char"),
            Self::UnsignedChar => ("unsigned char", "unsigned_char"),
            Self::UnsignedShort => ("unsigned short", "unsigned_short"),
            Self::Unsigned => ("unsigned", "unsigned"),
            Self::UnsignedLong => ("unsigned long", "unsigned_long"),
        }
    }

    pub fn is_real(self) -> bool {
        matches!(self, Self::Double | Self::Float)
    }

    /// Whether elements keep a bound: sums of them cannot overflow then.
    pub fn is_bounded(self) -> bool {
        matches!(self, Self::Int | Self::Long)
    }
}

/// What arrays hold at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    Noise,
    /// NaN, infinities, signed zeros and denormal numbers among others.
    Special,
}

/// A scalar that is set before the nest.
#[derive(Clone, Debug)]
pub struct Scalar {
    pub element: Element,
    /// In tenths; integers drop the fraction.
    pub tenths: i64,
    pub is_global: bool,
}

/// Numbers by which sums in loops weight what they add, `w[rows][count]` or `w[count]`.
#[derive(Clone, Debug)]
pub struct Table {
    pub element: Element,
    /// In tenths, row by row.
    pub tenths: Vec<i64>,
    /// One for `w[count]`.
    pub rows: usize,
    pub place: TablePlace,
}

/// Where a table is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TablePlace {
    /// `static const double w[3] = {...};` before all functions.
    Global,
    /// The same without `const`.
    Variable,
    /// Where it is used.
    Local,
    /// There, and `static`.
    Kept,
}

/// The sum of elements, which loops before the statement compute.
#[derive(Clone, Debug)]
pub struct Total {
    /// Tells it apart from the program's others.
    pub number: usize,
    pub element: Element,
    pub reads: Vec<Reference>,
    /// The table of the weights, and its row.
    pub weights: Option<(usize, usize)>,
    pub length: Length,
    pub spelling: u8,
}

/// What says how many elements a sum has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// The text, or a variable that never changes.
    Known,
    /// A variable that each run of the program gives another value: all elements, or up to so many fewer.
    Measured(i64),
    /// The same for both sides of an element, if there are as many on one side as on the other.
    Radius(i64),
}

impl Total {
    /// Whether a variable says how many elements it has.
    pub fn has_variable_length(&self) -> bool {
        self.is_measured() || self.spelling & 8 != 0
    }

    /// Whether only a run of the program says how many elements it has.
    pub fn is_measured(&self) -> bool {
        self.length != Length::Known
    }

    /// Whether a clause says what that variable holds.
    pub fn states_length(&self) -> bool {
        self.has_variable_length() && !self.is_measured() && self.spelling.is_multiple_of(2)
    }
}

impl Field {
    /// Whether its elements are members of structures.
    pub fn is_member(&self) -> bool {
        self.packing.is_some_and(|packing| packing.kind != Parts::Last)
    }

    /// Whether it has a row for each step.
    pub fn has_steps(&self) -> bool {
        self.dims.iter().any(|dim| dim.axis == STEPS)
    }

    /// Elements of each dimension, slots first if there are several.
    pub fn extents(&self, sizes: &[i64]) -> Vec<i64> {
        let slots = (self.slots > 1).then_some(self.slots as i64);
        slots.into_iter().chain(self.dims.iter().map(|dim| dim.scale * sizes[dim.axis] + dim.extra)).collect()
    }
}
