//! Constants of the arithmetic types and C's arithmetic on them. This is the only place that computes for the program.

use crate::ir::{BinaryOp, ScalarType, UnaryOp};

/// A constant and its type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constant {
    /// Its type.
    pub ty: ScalarType,
    value: Value,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Value {
    /// Within the range of the type.
    Integer(i128),
    /// A value that the type can hold.
    Floating(f64),
}

impl Constant {
    /// The integer constant of type `ty` with these bits; `u64` has its upper half in negative `bits`.
    pub fn from_bits(ty: ScalarType, bits: i64) -> Self {
        Self { ty, value: Value::Integer(wrapped(i128::from(bits), ty)) }
    }

    /// The floating constant that is nearest to `value`.
    pub fn floating(ty: ScalarType, value: f64) -> Self {
        let value = if ty == ScalarType::F32 { f64::from(value as f32) } else { value };
        Self { ty, value: Value::Floating(value) }
    }

    /// What [`Constant::from_bits`] takes; `None` for a floating constant.
    pub fn bits(self) -> Option<i64> {
        match self.value {
            Value::Integer(value) => Some(value as i64),
            Value::Floating(_) => None,
        }
    }

    /// Its value if that is an integer of 64 bits.
    pub fn as_i64(self) -> Option<i64> {
        match self.value {
            Value::Integer(value) => i64::try_from(value).ok(),
            Value::Floating(_) => None,
        }
    }

    /// Whether it counts as true.
    pub fn is_true(self) -> bool {
        match self.value {
            Value::Integer(value) => value != 0,
            Value::Floating(value) => value != 0.0,
        }
    }

    /// It as a value of type `ty` (C99 6.3.1); `None` for a floating value that an integer type cannot hold.
    pub fn converted(self, ty: ScalarType) -> Option<Self> {
        let value = match self.value {
            Value::Integer(value) if ty.is_integer() => Value::Integer(wrapped(value, ty)),
            Value::Integer(value) => {
                Value::Floating(if ty == ScalarType::F32 { f64::from(value as f32) } else { value as f64 })
            }
            Value::Floating(value) if ty.is_integer() => {
                // Beyond 64 bits `as` saturates, which no type holds either.
                let whole = value.trunc() as i128;
                (!value.is_nan() && wrapped(whole, ty) == whole).then_some(Value::Integer(whole))?
            }
            Value::Floating(value) => return Some(Self::floating(ty, value)),
        };
        Some(Self { ty, value })
    }

    /// The value of `op self`; `None` where C leaves it undefined.
    pub fn unary(self, op: UnaryOp) -> Option<Self> {
        let operand = self.converted(self.ty.promoted())?;
        match (op, operand.value) {
            (UnaryOp::Not, _) => Some(Self::truth(!self.is_true())),
            (UnaryOp::Negate, Value::Integer(value)) => Self::integer(operand.ty, -value),
            (UnaryOp::Negate, Value::Floating(value)) => Some(Self::floating(operand.ty, -value)),
            (UnaryOp::Complement, Value::Integer(value)) => {
                Some(Self { value: Value::Integer(wrapped(!value, operand.ty)), ..operand })
            }
            (UnaryOp::Complement, Value::Floating(_)) => None,
        }
    }

    /// The value of `self op other` after C's conversions; `None` where C leaves it undefined.
    pub fn binary(self, op: BinaryOp, other: Self) -> Option<Self> {
        match op {
            BinaryOp::And => return Some(Self::truth(self.is_true() && other.is_true())),
            BinaryOp::Or => return Some(Self::truth(self.is_true() || other.is_true())),
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => return self.shifted(op, other),
            _ => {}
        }
        let common = self.ty.common(other.ty);
        match (self.converted(common)?.value, other.converted(common)?.value) {
            (Value::Integer(a), Value::Integer(b)) => integer_operation(op, common, a, b),
            (Value::Floating(a), Value::Floating(b)) => floating_operation(op, common, a, b),
            _ => None,
        }
    }

    /// A shift has the type of its promoted left operand.
    fn shifted(self, op: BinaryOp, by: Self) -> Option<Self> {
        let operand = self.converted(self.ty.promoted())?;
        let (Value::Integer(value), Value::Integer(by)) = (operand.value, by.value) else { return None };
        let by = u32::try_from(by).ok().filter(|by| (*by as usize) < 8 * operand.ty.size())?;
        match op {
            BinaryOp::ShiftRight => Self::integer(operand.ty, value >> by),
            _ if value < 0 => None,
            _ => Self::integer(operand.ty, value << by),
        }
    }

    fn truth(value: bool) -> Self {
        Self { ty: ScalarType::I32, value: Value::Integer(i128::from(value)) }
    }

    /// The result `exact` of integer arithmetic: unsigned types wrap, signed ones must hold it.
    fn integer(ty: ScalarType, exact: i128) -> Option<Self> {
        let value = wrapped(exact, ty);
        (ty.is_unsigned() || value == exact).then_some(Self { ty, value: Value::Integer(value) })
    }
}

fn integer_operation(op: BinaryOp, ty: ScalarType, a: i128, b: i128) -> Option<Constant> {
    let exact = match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        // Two unsigned factors of 64 bits pass 128 bits with a sign; the lower bits are right.
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::Div => a.checked_div(b)?,
        // `INT_MIN % -1` is undefined since the quotient is.
        BinaryOp::Rem => Constant::integer(ty, a.checked_div(b)?).and(a.checked_rem(b))?,
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitOr => a | b,
        BinaryOp::BitXor => a ^ b,
        _ => return comparison(op, a, b),
    };
    Constant::integer(ty, exact)
}

fn floating_operation(op: BinaryOp, ty: ScalarType, a: f64, b: f64) -> Option<Constant> {
    // A result of `float` operands is the same whether it is rounded once or first to `double`.
    let value = match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a * b,
        BinaryOp::Div => a / b,
        _ => return comparison(op, a, b),
    };
    Some(Constant::floating(ty, value))
}

fn comparison<T: PartialOrd>(op: BinaryOp, a: T, b: T) -> Option<Constant> {
    let holds = match op {
        BinaryOp::Less => a < b,
        BinaryOp::LessEqual => a <= b,
        BinaryOp::Greater => a > b,
        BinaryOp::GreaterEqual => a >= b,
        BinaryOp::Equal => a == b,
        BinaryOp::NotEqual => a != b,
        _ => return None,
    };
    Some(Constant::truth(holds))
}

/// `value` modulo two to the width of `ty`, in the range of `ty`.
fn wrapped(value: i128, ty: ScalarType) -> i128 {
    match ty {
        ScalarType::I8 => i128::from(value as i8),
        ScalarType::U8 => i128::from(value as u8),
        ScalarType::I16 => i128::from(value as i16),
        ScalarType::U16 => i128::from(value as u16),
        ScalarType::I32 => i128::from(value as i32),
        ScalarType::U32 => i128::from(value as u32),
        ScalarType::I64 => i128::from(value as i64),
        ScalarType::U64 => i128::from(value as u64),
        ScalarType::F32 | ScalarType::F64 => value,
    }
}

#[cfg(test)]
mod tests {
    use super::ScalarType::*;
    use super::*;

    fn int(ty: ScalarType, bits: i64) -> Constant {
        Constant::from_bits(ty, bits)
    }

    #[test]
    fn unsigned_arithmetic_wraps_and_signed_overflow_is_no_constant() {
        let all = int(I32, 0).unary(UnaryOp::Complement).unwrap();
        assert_eq!(all, int(I32, -1));
        let ones = int(U32, 0).unary(UnaryOp::Complement).unwrap();
        assert_eq!(ones.binary(BinaryOp::ShiftRight, int(I32, 31)), Some(int(U32, 1)));
        assert_eq!(int(U32, 0).binary(BinaryOp::Sub, int(I32, 1)), Some(int(U32, 0xffff_ffff)));
        assert_eq!(int(U32, 0x8000_0000).binary(BinaryOp::ShiftLeft, int(I32, 1)), Some(int(U32, 0)));
        assert_eq!(int(I32, 1).binary(BinaryOp::ShiftLeft, int(I32, 31)), None);
        assert_eq!(int(I32, i64::from(i32::MIN)).unary(UnaryOp::Negate), None);
        assert_eq!(int(I64, i64::MIN).binary(BinaryOp::Rem, int(I64, -1)), None);
        assert_eq!(int(I32, 1).binary(BinaryOp::Div, int(I32, 0)), None);
        assert_eq!(int(U64, -1).binary(BinaryOp::Mul, int(U64, -1)), Some(int(U64, 1)));
        assert_eq!(int(U64, -1).binary(BinaryOp::Div, int(U64, 2)), Some(int(U64, i64::MAX)));
    }

    #[test]
    fn operands_take_their_common_type() {
        assert_eq!(int(I32, -1).binary(BinaryOp::Less, int(U32, 1)), Some(int(I32, 0)));
        assert_eq!(int(I8, -1).binary(BinaryOp::Less, int(U8, 1)), Some(int(I32, 1)));
        assert_eq!(int(I64, -1).binary(BinaryOp::Less, int(U32, 1)), Some(int(I32, 1)));
        assert_eq!(int(U64, -1).binary(BinaryOp::Greater, int(I32, 1)), Some(int(I32, 1)));
        let quotient = int(I32, 7).binary(BinaryOp::Div, Constant::floating(F64, 2.0)).unwrap();
        assert_eq!(quotient, Constant::floating(F64, 3.5));
        assert_eq!(quotient.converted(I32), Some(int(I32, 3)));
    }

    #[test]
    fn conversions_wrap_round_or_are_undefined() {
        assert_eq!(int(I32, 300).converted(U8), Some(int(U8, 44)));
        assert_eq!(int(I32, 200).converted(I8), Some(int(I8, -56)));
        assert_eq!(int(U32, 0xffff_ffff).converted(I64), Some(int(I64, 0xffff_ffff)));
        assert_eq!(
            Constant::floating(F64, 0.1).converted(F32).unwrap().converted(F64),
            Some(Constant::floating(F64, f64::from(0.1f32)))
        );
        assert_eq!(Constant::floating(F64, -0.5).converted(U32), Some(int(U32, 0)));
        assert_eq!(Constant::floating(F64, 256.0).converted(U8), None);
        assert_eq!(Constant::floating(F64, f64::NAN).converted(I32), None);
        assert_eq!(int(U64, -1).converted(F64), Some(Constant::floating(F64, 18_446_744_073_709_551_616.0)));
    }
}
