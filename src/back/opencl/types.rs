//! Names of types.

use crate::ir::ScalarType;

/// The name of a type; `long` always has 64 bits.
pub fn type_name(ty: ScalarType) -> &'static str {
    match ty {
        ScalarType::I8 => "char",
        ScalarType::U8 => "uchar",
        ScalarType::I16 => "short",
        ScalarType::U16 => "ushort",
        ScalarType::I32 => "int",
        ScalarType::U32 => "uint",
        ScalarType::I64 => "long",
        ScalarType::U64 => "ulong",
        ScalarType::F32 => "float",
        ScalarType::F64 => "double",
    }
}
