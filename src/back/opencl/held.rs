//! What work-items hold of values that are combined.
//!
//! The bits of real numbers without signs, as integers, have their order, and those of what is no number are above all others
//! (IEEE 754, section 3.4): their maximum is one of integers. Of one that has to be right for comparisons alone the upper half of
//! the bits is held, which processors of 32 bits find in one operation; the lower half of what is given is zero.
//!
//! Another extreme of real numbers may be that of all alone if each is a number, and if it is not a zero of which nobody knows the
//! sign. Tests for that at each value would take as long as all else, so a sum tells whether all are numbers, and an extreme of 0
//! is given as a negative zero where values may have signs; whoever combines what work-items hold goes by both.

use std::collections::BTreeSet;

use super::types::type_name;
use crate::ir::{Combination, ScalarType};
use crate::kernel::{Held, Signs};
use crate::text::Writer;

/// Declares what is held of each level when there is no value yet.
pub fn write_hold(writer: &mut Writer, levels: &[Held]) {
    let mut sums = BTreeSet::new();
    for held in levels {
        let ty = type_name(held.element);
        if has_sum(held) && sums.insert(&held.sum) {
            writer.line(format_args!("{ty} {} = 0;", held.sum));
        }
        if let Some(bits) = Bits::of(held) {
            writer.line(format_args!("{} {} = 0;", bits.ty(), held.name));
            continue;
        }
        let first = match held.combination {
            Combination::Maximum => least(held.element),
            Combination::Minimum => greatest(held.element),
            Combination::Sum | Combination::Any | Combination::InOrder => "0",
        };
        writer.line(format_args!("{ty} {} = {first};", held.name));
    }
}

/// Combines values with what is held if a condition holds.
pub fn write_fold(writer: &mut Writer, held: &Held, values: &[String], holds: &str) {
    if let Some(bits) = Bits::of(held) {
        return write_fold_of_bits(writer, held, bits, values, holds);
    }
    let name = &held.name;
    let relation = if held.combination == Combination::Minimum { "<" } else { ">" };
    match held.combination {
        Combination::Sum => {
            let ty = type_name(held.element);
            let values: Vec<String> = values.iter().map(|value| format!("({ty}){value}")).collect();
            writer.line(format_args!("{name} = {holds} ? {name} + {} : {name};", sum_of(&values)));
        }
        Combination::Any => {
            let any: Vec<String> = values.iter().map(|value| format!("{value} != 0")).collect();
            writer.line(format_args!("{name} = {holds} && ({}) ? 1 : {name};", any.join(" || ")));
        }
        _ => writer.block("", |writer| {
            let extreme = write_extreme(writer, held, values, relation);
            writer.line(format_args!("{name} = {holds} && {extreme} {relation} {name} ? {extreme} : {name};"));
            if has_sum(held) {
                let sum = &held.sum;
                writer.line(format_args!("{sum} = {holds} ? {sum} + {} : {sum};", sum_of(values)));
            }
        }),
    }
}

/// Combines values with the maximum that is held of their bits.
fn write_fold_of_bits(writer: &mut Writer, Held { name, .. }: &Held, bits: Bits, values: &[String], holds: &str) {
    let values: Vec<String> = values.iter().map(|value| bits.of_value(value)).collect();
    let largest = in_pairs(&values, &|one, other| format!("max({one}, {other})"));
    // Within the choice compilers would make a branch of it.
    writer.block("", |writer| {
        writer.line(format_args!("const {} largest = {largest};", bits.ty()));
        writer.line(format_args!("{name} = {holds} ? max({name}, largest) : {name};"));
    });
}

/// Declares the extremes of pairs of values, of pairs of these and so on; the name of the last.
fn write_extreme(writer: &mut Writer, held: &Held, values: &[String], relation: &str) -> String {
    let (mut values, mut count) = (values.to_vec(), 0);
    while values.len() > 1 {
        let mut pairs = Vec::new();
        for pair in values.chunks(2) {
            let [a, b] = pair else { unreachable!("a power of two") };
            let (ty, name) = (type_name(held.element), format!("pair{count}"));
            writer.line(format_args!("const {ty} {name} = {a} {relation} {b} ? {a} : {b};"));
            pairs.push(name);
            count += 1;
        }
        values = pairs;
    }
    values.swap_remove(0)
}

fn sum_of(values: &[String]) -> String {
    in_pairs(values, &|one, other| format!("({one} + {other})"))
}

/// `(a + b) + (c + d)`
fn in_pairs(values: &[String], combine: &dyn Fn(String, String) -> String) -> String {
    match values {
        [value] => value.clone(),
        _ => {
            let (one, other) = values.split_at(values.len() / 2);
            combine(in_pairs(one, combine), in_pairs(other, combine))
        }
    }
}

/// What of the bits of real numbers is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bits {
    Float,
    Double,
    UpperHalf,
}

impl Bits {
    /// `None` for what is held as it is.
    fn of(held: &Held) -> Option<Self> {
        match held.element {
            _ if held.combination != Combination::Maximum || held.signs != Signs::Positive => None,
            ScalarType::F32 => Some(Self::Float),
            ScalarType::F64 if held.is_rough => Some(Self::UpperHalf),
            ScalarType::F64 => Some(Self::Double),
            _ => None,
        }
    }

    fn ty(self) -> &'static str {
        if self == Self::Double { "ulong" } else { "uint" }
    }

    fn of_value(self, value: &str) -> String {
        match self {
            Self::Float => format!("as_uint({value})"),
            Self::Double => format!("as_ulong({value})"),
            Self::UpperHalf => format!("(uint)(as_ulong({value}) >> 32)"),
        }
    }

    fn given(self, name: &str) -> String {
        match self {
            Self::Float => format!("as_float({name})"),
            Self::Double => format!("as_double({name})"),
            Self::UpperHalf => format!("as_double((ulong){name} << 32)"),
        }
    }
}

/// Stores what is held of each level, that of all work-items of the launch behind that of the level before.
pub fn write_given(writer: &mut Writer, buffer: &str, levels: &[Held]) {
    writer.block("", |writer| {
        writer.line("const size_t items = get_global_size(0) * get_global_size(1) * get_global_size(2);");
        let plane = "get_global_id(1) + get_global_size(1) * get_global_id(2)";
        writer.line(format_args!("const size_t item = get_global_id(0) + get_global_size(0) * ({plane});"));
        for (level, held) in levels.iter().enumerate() {
            writer.line(format_args!("{buffer}[{level} * items + item] = {};", given(held)));
        }
    });
}

fn given(held: &Held) -> String {
    let Held { name, sum, .. } = held;
    match (Bits::of(held), held.signs) {
        (Some(bits), _) => bits.given(name),
        _ if !has_sum(held) => name.clone(),
        (_, Signs::Positive) => format!("{sum} == {sum} ? {name} : NAN"),
        (_, Signs::Any) => format!("{sum} != {sum} ? NAN : {name} == 0 ? -0.0f : {name}"),
    }
}

fn has_sum(held: &Held) -> bool {
    let is_extreme = matches!(held.combination, Combination::Maximum | Combination::Minimum);
    held.element.is_float() && is_extreme && Bits::of(held).is_none()
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

    fn held(element: ScalarType, combination: Combination, signs: Signs) -> Held {
        Held { name: "h".to_owned(), sum: "s".to_owned(), element, combination, signs, is_rough: false }
    }

    fn fold(element: ScalarType, combination: Combination, values: &[&str]) -> String {
        let mut writer = Writer::unwrapped();
        let values: Vec<String> = values.iter().copied().map(str::to_owned).collect();
        write_fold(&mut writer, &held(element, combination, Signs::Any), &values, "c");
        writer.finish().lines().map(str::trim).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn pairs_are_compared_and_a_sum_tells_of_what_is_no_number() {
        let maximum =
            "{ const double pair0 = v > w ? v : w; h = c && pair0 > h ? pair0 : h; s = c ? s + (v + w) : s; }";
        assert_eq!(fold(ScalarType::F64, Combination::Maximum, &["v", "w"]), maximum);
        let minimum = "{ h = c && v < h ? v : h; s = c ? s + v : s; }";
        assert_eq!(fold(ScalarType::F32, Combination::Minimum, &["v"]), minimum);
        let of = |signs| given(&held(ScalarType::F64, Combination::Minimum, signs));
        assert_eq!(of(Signs::Any), "s != s ? NAN : h == 0 ? -0.0f : h");
        assert_eq!(of(Signs::Positive), "s == s ? h : NAN");
    }

    #[test]
    fn the_largest_of_what_has_no_sign_is_found_by_its_bits() {
        for (element, is_rough, ty, first, second, given_back) in [
            (ScalarType::F32, false, "uint", "as_uint(v)", "as_uint(w)", "as_float(h)"),
            (ScalarType::F64, false, "ulong", "as_ulong(v)", "as_ulong(w)", "as_double(h)"),
            (
                ScalarType::F64,
                true,
                "uint",
                "(uint)(as_ulong(v) >> 32)",
                "(uint)(as_ulong(w) >> 32)",
                "as_double((ulong)h << 32)",
            ),
        ] {
            let held = Held { is_rough, ..held(element, Combination::Maximum, Signs::Positive) };
            let mut writer = Writer::unwrapped();
            write_hold(&mut writer, std::slice::from_ref(&held));
            write_fold(&mut writer, &held, &["v".to_owned(), "w".to_owned()], "c");
            let largest = format!("const {ty} largest = max({first}, {second});");
            let expected = format!("{ty} h = 0; {{ {largest} h = c ? max(h, largest) : h; }}");
            assert_eq!(writer.finish().split_whitespace().collect::<Vec<_>>().join(" "), expected);
            assert_eq!(given(&held), given_back);
        }
    }

    #[test]
    fn integers_have_nothing_odd() {
        assert_eq!(fold(ScalarType::I32, Combination::Maximum, &["v"]), "{ h = c && v > h ? v : h; }");
        assert_eq!(fold(ScalarType::I64, Combination::Sum, &["v", "w"]), "h = c ? h + ((long)v + (long)w) : h;");
        assert_eq!(fold(ScalarType::I32, Combination::Any, &["v", "w"]), "h = c && (v != 0 || w != 0) ? 1 : h;");
        assert_eq!(given(&held(ScalarType::I32, Combination::Maximum, Signs::Any)), "h");
    }
}
