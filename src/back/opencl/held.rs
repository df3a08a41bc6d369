//! What work-items hold of values that are combined.

use super::types::type_name;
use crate::ir::{Combination, ScalarType};
use crate::kernel::{Held, Signs};
use crate::text::Writer;

/// Declares what is held when there is no value yet.
pub fn write_hold(writer: &mut Writer, held: &Held) {
    let first = match held.combination {
        _ if are_bits(held) => "0",
        Combination::Maximum => least(held.element),
        Combination::Minimum => greatest(held.element),
        Combination::Sum | Combination::Any | Combination::InOrder => "0",
    };
    writer.line(format_args!("{} {} = {first};", held_type(held), held.name));
}

/// Combines a value with what is held. What is no number is held for good, and so is a negative zero among zeros, so that
/// whoever combines what work-items hold can tell.
pub fn write_fold(writer: &mut Writer, held: &Held, value: &str) {
    writer.line(format_args!("{} = {};", held.name, folded(held, value)));
}

fn folded(held: &Held, value: &str) -> String {
    let Held { name, element, combination, .. } = held;
    let extreme = |relation: &str| match element.is_float() {
        true => format!("({value} {relation} {name} || {value} != {value} || ({value} == {name} && signbit({value})))"),
        false => format!("{value} {relation} {name}"),
    };
    match combination {
        _ if are_bits(held) => {
            let ty = held_type(held);
            format!("max({name}, as_{ty}({value}) & {})", greatest(bits_type(*element)))
        }
        Combination::Maximum => format!("{} ? {value} : {name}", extreme(">")),
        Combination::Minimum => format!("{} ? {value} : {name}", extreme("<")),
        Combination::Sum => format!("{name} + {value}"),
        Combination::Any => format!("{value} != 0 ? 1 : {name}"),
        Combination::InOrder => unreachable!("no tile folds what has an order"),
    }
}

/// Stores what is held of each level, that of all work-items of the launch behind that of the level before.
pub fn write_given(writer: &mut Writer, buffer: &str, levels: &[Held]) {
    writer.block("", |writer| {
        writer.line("const size_t items = get_global_size(0) * get_global_size(1) * get_global_size(2);");
        let plane = "get_global_id(1) + get_global_size(1) * get_global_id(2)";
        writer.line(format_args!("const size_t item = get_global_id(0) + get_global_size(0) * ({plane});"));
        for (level, held) in levels.iter().enumerate() {
            let name = &held.name;
            let value = if are_bits(held) { format!("as_{}({name})", type_name(held.element)) } else { name.clone() };
            writer.line(format_args!("{buffer}[{level} * items + item] = {value};"));
        }
    });
}

/// Whether numbers are held as integers of the same bits, as what is positive has the same order so, and what is no number comes
/// behind all of it.
fn are_bits(held: &Held) -> bool {
    held.combination == Combination::Maximum && held.element.is_float() && held.signs == Signs::Positive
}

fn held_type(held: &Held) -> &'static str {
    type_name(if are_bits(held) { bits_type(held.element) } else { held.element })
}

fn bits_type(element: ScalarType) -> ScalarType {
    if element == ScalarType::F32 { ScalarType::I32 } else { ScalarType::I64 }
}

fn least(ty: ScalarType) -> &'static str {
    match ty {
        ScalarType::I8 => "CHAR_MIN",
        ScalarType::I16 => "SHRT_MIN",
        ScalarType::I32 => "INT_MIN",
        ScalarType::I64 => "LONG_MIN",
        ScalarType::U8 | ScalarType::U16 | ScalarType::U32 | ScalarType::U64 => "0",
        ScalarType::F32 | ScalarType::F64 => "-INFINITY",
    }
}

fn greatest(ty: ScalarType) -> &'static str {
    match ty {
        ScalarType::I8 => "CHAR_MAX",
        ScalarType::U8 => "UCHAR_MAX",
        ScalarType::I16 => "SHRT_MAX",
        ScalarType::U16 => "USHRT_MAX",
        ScalarType::I32 => "INT_MAX",
        ScalarType::U32 => "UINT_MAX",
        ScalarType::I64 => "LONG_MAX",
        ScalarType::U64 => "ULONG_MAX",
        ScalarType::F32 | ScalarType::F64 => "INFINITY",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fold(element: ScalarType, combination: Combination, signs: Signs) -> String {
        folded(&Held { name: "h".to_owned(), element, combination, signs }, "v")
    }

    #[test]
    fn real_numbers_keep_what_is_no_number() {
        let maximum = "(v > h || v != v || (v == h && signbit(v))) ? v : h";
        assert_eq!(fold(ScalarType::F64, Combination::Maximum, Signs::Any), maximum);
        let minimum = "(v < h || v != v || (v == h && signbit(v))) ? v : h";
        assert_eq!(fold(ScalarType::F32, Combination::Minimum, Signs::Positive), minimum);
    }

    #[test]
    fn positive_numbers_are_compared_as_bits() {
        let maximum = |element| fold(element, Combination::Maximum, Signs::Positive);
        assert_eq!(maximum(ScalarType::F64), "max(h, as_long(v) & LONG_MAX)");
        assert_eq!(maximum(ScalarType::F32), "max(h, as_int(v) & INT_MAX)");
    }

    #[test]
    fn integers_have_nothing_odd() {
        assert_eq!(fold(ScalarType::I32, Combination::Maximum, Signs::Any), "v > h ? v : h");
        assert_eq!(fold(ScalarType::I64, Combination::Sum, Signs::Any), "h + v");
        assert_eq!(fold(ScalarType::I32, Combination::Any, Signs::Any), "v != 0 ? 1 : h");
    }
}
