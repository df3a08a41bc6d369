//! The arithmetic types of C on the LP64 targets that OpenCL hosts use.

/// An arithmetic type; `char` is signed, `long` has 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ScalarType {
    /// `char`, `signed char`.
    I8,
    /// `unsigned char`, `_Bool` excluded.
    U8,
    /// `short`.
    I16,
    /// `unsigned short`.
    U16,
    /// `int`, enumerations.
    I32,
    /// `unsigned`.
    U32,
    /// `long`, `long long`, `ptrdiff_t`.
    I64,
    /// `unsigned long`, `unsigned long long`, `size_t`.
    U64,
    /// `float`.
    F32,
    /// `double`.
    F64,
}

impl ScalarType {
    /// All types.
    pub const ALL: [Self; 10] =
        [Self::I8, Self::U8, Self::I16, Self::U16, Self::I32, Self::U32, Self::I64, Self::U64, Self::F32, Self::F64];

    /// `float` or `double`.
    pub fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F64)
    }

    /// Any integer type.
    pub fn is_integer(self) -> bool {
        !self.is_float()
    }

    /// An unsigned integer type.
    pub fn is_unsigned(self) -> bool {
        matches!(self, Self::U8 | Self::U16 | Self::U32 | Self::U64)
    }

    /// The type of the number that stands for a parameter of this type in integer sets: an unsigned one that is as wide as
    /// `int` or wider stands there as its signed representative, congruent modulo 2^w.
    pub fn representative(self) -> Self {
        match self {
            Self::U32 => Self::I32,
            Self::U64 => Self::I64,
            other => other,
        }
    }

    /// The unsigned type as wide as an integer type; any other as it is.
    pub fn unsigned(self) -> Self {
        match self {
            Self::I8 => Self::U8,
            Self::I16 => Self::U16,
            Self::I32 => Self::U32,
            Self::I64 => Self::U64,
            other => other,
        }
    }

    /// Whether it is an integer type of which every value is one of a wider integer type.
    pub fn is_within(self, wider: Self) -> bool {
        self.is_integer()
            && wider.is_integer()
            && self.size() < wider.size()
            && (self.is_unsigned() || !wider.is_unsigned())
    }

    /// Size in bytes.
    pub fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 => 8,
        }
    }

    /// The type after C's integer promotions (C99 6.3.1.1).
    pub fn promoted(self) -> Self {
        match self {
            Self::I8 | Self::U8 | Self::I16 | Self::U16 => Self::I32,
            other => other,
        }
    }

    /// The common type of two operands after C's usual arithmetic conversions (C99 6.3.1.8).
    pub fn common(self, other: Self) -> Self {
        if self == Self::F64 || other == Self::F64 {
            return Self::F64;
        }
        if self == Self::F32 || other == Self::F32 {
            return Self::F32;
        }
        self.promoted().max(other.promoted())
    }

    /// Its name in C99 on the host.
    pub fn c_name(self) -> &'static str {
        match self {
            Self::I8 => "signed char",
            Self::U8 => "unsigned char",
            Self::I16 => "short",
            Self::U16 => "unsigned short",
            Self::I32 => "int",
            Self::U32 => "unsigned int",
            Self::I64 => "long long",
            Self::U64 => "unsigned long long",
            Self::F32 => "float",
            Self::F64 => "double",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ScalarType::*;

    #[test]
    fn usual_arithmetic_conversions_follow_c99() {
        assert_eq!(I8.common(U8), I32);
        assert_eq!(I32.common(U32), U32);
        assert_eq!(U32.common(I64), I64);
        assert_eq!(I64.common(U64), U64);
        assert_eq!(U64.common(F32), F32);
        assert_eq!(F32.common(F64), F64);
    }
}
