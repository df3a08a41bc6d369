//! C's arithmetic types as the compilers of the x86-64 and AArch64 Linux ABIs have them, and their arithmetic.
//!
//! Integers are computed exactly: what C leaves undefined is an error here, so that no drawn program does it.

use std::fmt;

/// Why a program has no meaning, or none that is worth having.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undefined {
    Overflow,
    DivisionByZero,
    Shift,
    Conversion,
    OutOfBounds,
    NullPointer,
    TypeMismatch,
    TooLong,
}

pub type Defined<T> = Result<T, Undefined>;

/// An integer type without its name; enumerated types are the type that the compiler chose for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Integer {
    /// 1 for `_Bool`.
    pub bits: u32,
    pub is_signed: bool,
    /// C's conversion rank: `long long` is above `long` of the same width.
    pub rank: u8,
}

impl Integer {
    pub const BOOL: Self = Self { bits: 1, is_signed: false, rank: 0 };
    pub const CHAR: Self = Self { bits: 8, is_signed: true, rank: 1 };
    pub const UNSIGNED_CHAR: Self = Self { bits: 8, is_signed: false, rank: 1 };
    pub const SHORT: Self = Self { bits: 16, is_signed: true, rank: 2 };
    pub const UNSIGNED_SHORT: Self = Self { bits: 16, is_signed: false, rank: 2 };
    pub const INT: Self = Self { bits: 32, is_signed: true, rank: 3 };
    pub const UNSIGNED: Self = Self { bits: 32, is_signed: false, rank: 3 };
    pub const LONG: Self = Self { bits: 64, is_signed: true, rank: 4 };
    pub const UNSIGNED_LONG: Self = Self { bits: 64, is_signed: false, rank: 4 };
    pub const LONG_LONG: Self = Self { bits: 64, is_signed: true, rank: 5 };
    pub const UNSIGNED_LONG_LONG: Self = Self { bits: 64, is_signed: false, rank: 5 };

    pub fn least(self) -> i128 {
        if self.is_signed { -(1 << (self.bits - 1)) } else { 0 }
    }

    pub fn largest(self) -> i128 {
        if self.is_signed { (1 << (self.bits - 1)) - 1 } else { (1 << self.bits) - 1 }
    }

    pub fn holds(self, value: i128) -> bool {
        self.least() <= value && value <= self.largest()
    }

    /// The value after a conversion to this type, modulo its width for signed types too.
    pub fn convert(self, value: i128) -> i128 {
        if self == Self::BOOL {
            return i128::from(value != 0);
        }
        let low = value & ((1 << self.bits) - 1);
        if self.is_signed && low > self.largest() { low - (1 << self.bits) } else { low }
    }

    pub fn promoted(self) -> Self {
        if self.rank < Self::INT.rank { Self::INT } else { self }
    }

    /// The type of `x + y` after the usual arithmetic conversions.
    pub fn common(self, other: Self) -> Self {
        let (x, y) = (self.promoted(), other.promoted());
        let (high, low) = if x.rank >= y.rank { (x, y) } else { (y, x) };
        if high.is_signed == low.is_signed || !high.is_signed {
            return if high.rank == low.rank && !low.is_signed { low } else { high };
        }
        if high.rank == low.rank {
            return low;
        }
        if high.bits > low.bits { high } else { Self { is_signed: false, ..high } }
    }

    /// The exact result of an operation, as this type has it.
    pub fn result(self, exact: i128) -> Defined<i128> {
        match self.is_signed {
            true if self.holds(exact) => Ok(exact),
            true => Err(Undefined::Overflow),
            false => Ok(self.convert(exact)),
        }
    }

    pub fn bytes(self) -> usize {
        self.bits.div_ceil(8) as usize
    }
}

/// Types of scalars and elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Int(Integer),
    Float,
    Double,
}

impl Type {
    pub fn is_real(self) -> bool {
        matches!(self, Self::Float | Self::Double)
    }

    pub fn bytes(self) -> usize {
        match self {
            Self::Int(integer) => integer.bytes(),
            Self::Float => 4,
            Self::Double => 8,
        }
    }

    pub fn common(self, other: Self) -> Self {
        match (self, other) {
            (Self::Int(x), Self::Int(y)) => Self::Int(x.common(y)),
            (Self::Double, _) | (_, Self::Double) => Self::Double,
            _ => Self::Float,
        }
    }

    pub fn promoted(self) -> Self {
        match self {
            Self::Int(integer) => Self::Int(integer.promoted()),
            real => real,
        }
    }
}

/// A type under one of its names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Named {
    pub name: &'static str,
    pub ty: Type,
    /// What must stand before its first use.
    pub declaration: &'static str,
}

impl fmt::Debug for Named {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name)
    }
}

const fn named(name: &'static str, integer: Integer) -> Named {
    Named { name, ty: Type::Int(integer), declaration: "" }
}

const fn declared(name: &'static str, integer: Integer, declaration: &'static str) -> Named {
    Named { name, ty: Type::Int(integer), declaration }
}

pub const INT: Named = named("int", Integer::INT);
pub const UNSIGNED: Named = named("unsigned", Integer::UNSIGNED);
pub const LONG: Named = named("long", Integer::LONG);
pub const SIZE: Named = named("size_t", Integer::UNSIGNED_LONG);
pub const FLOAT: Named = Named { name: "float", ty: Type::Float, declaration: "" };
pub const DOUBLE: Named = Named { name: "double", ty: Type::Double, declaration: "" };

/// All names of integer types; a new one joins by an entry. Plain `char` is signed where the tests run on x86-64 only, so it is
/// read through programs that do not depend on it: the tests pass `-fsigned-char`.
pub const INTEGERS: &[Named] = &[
    INT,
    UNSIGNED,
    LONG,
    SIZE,
    named("signed char", Integer::CHAR),
    named("char", Integer::CHAR),
    named("unsigned char", Integer::UNSIGNED_CHAR),
    named("short", Integer::SHORT),
    named("unsigned short", Integer::UNSIGNED_SHORT),
    named("unsigned long", Integer::UNSIGNED_LONG),
    named("long long", Integer::LONG_LONG),
    named("unsigned long long", Integer::UNSIGNED_LONG_LONG),
    named("ptrdiff_t", Integer::LONG),
    named("int8_t", Integer::CHAR),
    named("uint8_t", Integer::UNSIGNED_CHAR),
    named("int16_t", Integer::SHORT),
    named("uint16_t", Integer::UNSIGNED_SHORT),
    named("int32_t", Integer::INT),
    named("uint32_t", Integer::UNSIGNED),
    named("int64_t", Integer::LONG),
    named("uint64_t", Integer::UNSIGNED_LONG),
    named("_Bool", Integer::BOOL),
    declared("enum plain", Integer::UNSIGNED, "enum plain { PLAIN_A, PLAIN_B, PLAIN_C };"),
    declared("enum below", Integer::INT, "enum below { BELOW_A = -1, BELOW_B };"),
    declared("enum tiny", Integer::UNSIGNED_CHAR, "enum __attribute__((packed)) tiny { TINY_A, TINY_B };"),
    declared("enum shy", Integer::CHAR, "enum __attribute__((packed)) shy { SHY_A = -1, SHY_B };"),
    declared("index_t", Integer::UNSIGNED_SHORT, "typedef unsigned short index_t;"),
    declared("offset_t", Integer::LONG, "typedef long offset_t;"),
];

/// A type of the file whose name a variable takes.
pub const HIDDEN_TYPE: &str = "shade_t";

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    ShiftLeft,
    ShiftRight,
    BitAnd,
    BitOr,
    BitXor,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    And,
    Or,
}

impl Operator {
    pub fn text(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Remainder => "%",
            Self::ShiftLeft => "<<",
            Self::ShiftRight => ">>",
            Self::BitAnd => "&",
            Self::BitOr => "|",
            Self::BitXor => "^",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::And => "&&",
            Self::Or => "||",
        }
    }

    /// C's precedence; higher binds tighter.
    pub fn precedence(self) -> u8 {
        match self {
            Self::Multiply | Self::Divide | Self::Remainder => 10,
            Self::Add | Self::Subtract => 9,
            Self::ShiftLeft | Self::ShiftRight => 8,
            Self::Less | Self::LessEqual | Self::Greater | Self::GreaterEqual => 7,
            Self::Equal | Self::NotEqual => 6,
            Self::BitAnd => 5,
            Self::BitXor => 4,
            Self::BitOr => 3,
            Self::And => 2,
            Self::Or => 1,
        }
    }

    pub fn is_comparison(self) -> bool {
        matches!(self.precedence(), 6 | 7)
    }

    pub fn is_shift(self) -> bool {
        matches!(self, Self::ShiftLeft | Self::ShiftRight)
    }

    pub fn is_logical(self) -> bool {
        matches!(self, Self::And | Self::Or)
    }

    /// Whether it takes integers only.
    pub fn is_integral(self) -> bool {
        self == Self::Remainder || self.is_shift() || matches!(self, Self::BitAnd | Self::BitOr | Self::BitXor)
    }

    pub fn compare<T: PartialOrd>(self, x: &T, y: &T) -> bool {
        match self {
            Self::Less => x < y,
            Self::LessEqual => x <= y,
            Self::Greater => x > y,
            Self::GreaterEqual => x >= y,
            Self::Equal => x == y,
            _ => x != y,
        }
    }

    /// The type of the result.
    pub fn type_of(self, x: Type, y: Type) -> Type {
        if self.is_comparison() || self.is_logical() {
            return Type::Int(Integer::INT);
        }
        if self.is_shift() { x.promoted() } else { x.common(y) }
    }
}

/// `x op y` on integers of one type; `y` of a shift is a count.
pub fn compute(operator: Operator, ty: Integer, x: i128, y: i128) -> Defined<i128> {
    match operator {
        Operator::Add => ty.result(x + y),
        Operator::Subtract => ty.result(x - y),
        Operator::Multiply => ty.result(x.wrapping_mul(y)),
        Operator::Divide | Operator::Remainder => divide(operator, ty, x, y),
        Operator::ShiftLeft | Operator::ShiftRight => shift(operator, ty, x, y),
        Operator::BitAnd => Ok(x & y),
        Operator::BitOr => Ok(x | y),
        Operator::BitXor => Ok(x ^ y),
        _ => Ok(i128::from(operator.compare(&x, &y))),
    }
}

fn divide(operator: Operator, ty: Integer, x: i128, y: i128) -> Defined<i128> {
    if y == 0 {
        return Err(Undefined::DivisionByZero);
    }
    // The remainder of the least number by -1 is undefined as the quotient is.
    let quotient = ty.result(x / y)?;
    Ok(if operator == Operator::Divide { quotient } else { x % y })
}

fn shift(operator: Operator, ty: Integer, x: i128, count: i128) -> Defined<i128> {
    if count < 0 || count >= i128::from(ty.bits) || (operator == Operator::ShiftLeft && x < 0) {
        return Err(Undefined::Shift);
    }
    if operator == Operator::ShiftRight {
        return Ok(x >> count);
    }
    ty.result(x << count).map_err(|_| Undefined::Shift)
}
