//! Numbers and characters as C spells them.

use super::numbers::Constant;
use crate::ir::{ScalarType, UnaryOp};

/// An integer constant (C99 6.4.4.1); `None` if `text` is no integer or does not fit 64 bits.
pub fn integer_literal(text: &str) -> Option<Constant> {
    // The grammar takes a sign into the number where an operand begins.
    if let Some(positive) = text.strip_prefix('-') {
        return integer_literal(positive)?.unary(UnaryOp::Negate);
    }
    let lower = text.trim_start_matches('+').to_ascii_lowercase();
    let digits = lower.trim_end_matches(['u', 'l']);
    let suffix = &lower[digits.len()..];
    let (digits, radix) = if let Some(hexadecimal) = digits.strip_prefix("0x") {
        (hexadecimal, 16)
    } else if let Some(binary) = digits.strip_prefix("0b") {
        (binary, 2)
    } else if digits.len() > 1 && digits.starts_with('0') {
        (&digits[1..], 8)
    } else {
        (digits, 10)
    };
    let value = u64::from_str_radix(digits, radix).ok()?;
    let is_unsigned = suffix.contains('u');
    let may_be_unsigned = is_unsigned || radix != 10;
    let may_be_int = !suffix.contains('l');
    let ty = if may_be_int && !is_unsigned && i32::try_from(value).is_ok() {
        ScalarType::I32
    } else if may_be_int && may_be_unsigned && u32::try_from(value).is_ok() {
        ScalarType::U32
    } else if !is_unsigned && i64::try_from(value).is_ok() {
        ScalarType::I64
    } else if may_be_unsigned {
        ScalarType::U64
    } else {
        return None;
    };
    Some(Constant::from_bits(ty, value as i64))
}

/// Spelling without suffix and type of a floating constant; `None` for types other than `float` and `double`, and for
/// what is no float.
pub fn float_literal(text: &str) -> Option<(String, ScalarType)> {
    let lower = text.to_ascii_lowercase();
    let is_hexadecimal = lower.starts_with("0x");
    let single = lower.ends_with('f') && (!is_hexadecimal || lower.contains('p'));
    let digits = &text[..text.len() - usize::from(single)];
    is_float(digits).then(|| (digits.to_owned(), if single { ScalarType::F32 } else { ScalarType::F64 }))
}

/// The digits of a `long double` constant that is the same `double`, however many digits of it are kept before it is converted to
/// one, as `DBL_MAX` is, which headers may define as `((double)1.797e+308L)`.
pub fn double_of_long(text: &str) -> Option<String> {
    let digits = text.strip_suffix(['l', 'L'])?;
    if digits.starts_with("0x") || digits.starts_with("0X") || !is_float(digits) {
        return None;
    }
    let nearest: f64 = digits.parse().ok().filter(|it: &f64| it.is_normal())?;
    (power_of_ten(digits)? == power_of_ten(&format!("{nearest:.*e}", FIGURES))? && is_near(digits, nearest))
        .then(|| digits.to_owned())
}

/// Figures of a number that are compared.
const FIGURES: usize = 30;

/// Whether the number is so much closer to `nearest` than to what lies halfway to the next `double` that no longer type rounds it
/// beyond that.
fn is_near(digits: &str, nearest: f64) -> bool {
    let (Some(number), Some(exact)) = (figures(digits), figures(&format!("{nearest:.*e}", FIGURES))) else {
        return false;
    };
    // A quarter of the distance of two `double` numbers is at least this part of them.
    number.abs_diff(exact) <= exact >> (f64::MANTISSA_DIGITS + 3)
}

/// The first [`FIGURES`] figures of a decimal number that is not zero.
fn figures(digits: &str) -> Option<u128> {
    let mantissa = digits.split(['e', 'E']).next()?;
    let all: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let figures = all.trim_start_matches('0');
    (!figures.is_empty()).then(|| format!("{figures:0<FIGURES$.FIGURES$}").parse().ok())?
}

/// The power of ten of the first figure of a decimal number that is not zero.
fn power_of_ten(digits: &str) -> Option<i64> {
    let (mantissa, exponent) = digits.split_once(['e', 'E']).unwrap_or((digits, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let whole = whole.trim_start_matches('0');
    let places = match whole.is_empty() {
        true => -1 - fraction.find(|figure| figure != '0')? as i64,
        false => whole.len() as i64 - 1,
    };
    Some(places + exponent.parse::<i64>().ok()?)
}

/// Whether `digits` is a floating constant without suffix (C99 6.4.4.2).
fn is_float(digits: &str) -> bool {
    let lower = digits.to_ascii_lowercase();
    let (radix, mark, number) = match lower.strip_prefix("0x") {
        Some(number) => (16, 'p', number),
        None => (10, 'e', &*lower),
    };
    let (mantissa, exponent) = match number.split_once(mark) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (number, None),
    };
    let has_exponent = exponent.is_some_and(|exponent| {
        let figures = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        !figures.is_empty() && figures.bytes().all(|byte| byte.is_ascii_digit())
    });
    let figures = mantissa.replacen('.', "", 1);
    let has_point = figures.len() < mantissa.len();
    let is_number = !figures.is_empty() && figures.chars().all(|figure| figure.is_digit(radix));
    is_number && if exponent.is_some() { has_exponent } else { has_point && radix == 10 }
}

/// The value of a decimal constant that [`float_literal`] gave; hexadecimal ones are not computed.
pub fn float_value(digits: &str, ty: ScalarType) -> Option<Constant> {
    let value = match ty {
        ScalarType::F32 => f64::from(digits.parse::<f32>().ok()?),
        _ => digits.parse().ok()?,
    };
    Some(Constant::floating(ty, value))
}

/// The value of a character constant with one character and without prefix, an `int`.
pub fn char_value(text: &str, is_unsigned: bool) -> Option<i64> {
    let extended = |byte: u8| if is_unsigned { i64::from(byte) } else { i64::from(byte as i8) };
    let inner = text.strip_prefix('\'')?.strip_suffix('\'')?;
    let Some(escape) = inner.strip_prefix('\\') else {
        let [byte] = inner.as_bytes() else { return None };
        return Some(extended(*byte));
    };
    if let Some(digits) = escape.strip_prefix('x') {
        return u8::from_str_radix(digits, 16).ok().map(extended);
    }
    if escape.starts_with(|first: char| first.is_digit(8)) {
        return u8::from_str_radix(escape, 8).ok().map(extended);
    }
    let value = match escape {
        "n" => b'\n',
        "t" => b'\t',
        "r" => b'\r',
        "a" => 7,
        "b" => 8,
        "f" => 12,
        "v" => 11,
        "\\" | "'" | "\"" | "?" => escape.as_bytes()[0],
        _ => return None,
    };
    Some(i64::from(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_take_the_first_type_that_fits() {
        assert_eq!(integer_literal("2147483647"), Some(Constant::from_bits(ScalarType::I32, 2147483647)));
        assert_eq!(integer_literal("2147483648"), Some(Constant::from_bits(ScalarType::I64, 2147483648)));
        assert_eq!(integer_literal("0xffffffff"), Some(Constant::from_bits(ScalarType::U32, 0xffff_ffff)));
        assert_eq!(integer_literal("017"), Some(Constant::from_bits(ScalarType::I32, 15)));
        assert_eq!(integer_literal("1uL"), Some(Constant::from_bits(ScalarType::U64, 1)));
        assert_eq!(integer_literal("-7"), Some(Constant::from_bits(ScalarType::I32, -7)));
        assert_eq!(integer_literal("1.0"), None);
    }

    #[test]
    fn floats_keep_their_spelling() {
        assert_eq!(float_literal("1.5e-3F"), Some(("1.5e-3".into(), ScalarType::F32)));
        assert_eq!(float_literal("0x1.8p3"), Some(("0x1.8p3".into(), ScalarType::F64)));
        assert_eq!(float_literal("0x1p3f"), Some(("0x1p3".into(), ScalarType::F32)));
        assert_eq!(float_literal("1."), Some(("1.".into(), ScalarType::F64)));
        assert_eq!(float_literal("1.0L"), None);
        for other in ["0x1f", "0x1.8", "1.5f16", "1.5df", "1.0i", "1e", "1.0q", "1'000.5", "."] {
            assert_eq!(float_literal(other), None, "{other}");
        }
        assert_eq!(
            float_value("0.1", ScalarType::F32),
            Some(Constant::floating(ScalarType::F64, 0.1)).and_then(|it| it.converted(ScalarType::F32))
        );
    }

    #[test]
    fn long_doubles_are_doubles_if_no_rounding_tells_them_apart() {
        let limits = [
            ("1.79769313486231570814527423731704357e+308L", f64::MAX),
            ("2.22507385850720138309023271733240406e-308l", f64::MIN_POSITIVE),
            ("2.22044604925031308084726333618164062e-16L", f64::EPSILON),
            ("1.0L", 1.0),
            ("0.015625e3L", 15.625),
        ];
        for (text, value) in limits {
            assert_eq!(double_of_long(text).and_then(|digits| digits.parse().ok()), Some(value), "{text}");
        }
        // Halfway between two numbers and beside it, below the normal ones, zero, other types.
        for other in
            ["9007199254740993.0L", "9007199254740993.0001L", "4.94e-324L", "0.0L", "1e999L", "1.0", "0x1p3L", "1L"]
        {
            assert_eq!(double_of_long(other), None, "{other}");
        }
    }

    #[test]
    fn characters_are_ints_with_the_sign_of_char() {
        assert_eq!(char_value("'a'", false), Some(97));
        assert_eq!(char_value("'\\n'", false), Some(10));
        assert_eq!((char_value("'\\xff'", false), char_value("'\\377'", true)), (Some(-1), Some(255)));
        for other in ["'ab'", "L'a'", "u8'a'", "'\\400'", "'\\x100'", "'\\u00e9'", "'é'"] {
            assert_eq!(char_value(other, false), None, "{other}");
        }
    }
}
