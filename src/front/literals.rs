//! Numbers and characters as C spells them.

use crate::ir::ScalarType;

/// Value and type of an integer constant (C99 6.4.4.1); `None` if `text` is no integer or does not fit 64 bits.
pub fn integer_literal(text: &str) -> Option<(i64, ScalarType)> {
    let lower = text.to_ascii_lowercase();
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
    Some((value as i64, ty))
}

/// Spelling without suffix and type of a floating constant; `None` for `long double` and what is no float.
pub fn float_literal(text: &str) -> Option<(String, ScalarType)> {
    let lower = text.to_ascii_lowercase();
    let is_hexadecimal = lower.starts_with("0x");
    let is_float = lower.contains('.') || lower.contains(if is_hexadecimal { 'p' } else { 'e' });
    if !is_float {
        return None;
    }
    let single = lower.ends_with('f') && (!is_hexadecimal || lower.contains('p'));
    let digits = if single { &text[..text.len() - 1] } else { text };
    let is_plain = digits.ends_with(|last: char| last.is_ascii_hexdigit() || last == '.');
    is_plain.then(|| (digits.to_owned(), if single { ScalarType::F32 } else { ScalarType::F64 }))
}

/// The value of a character constant with one character.
pub fn char_value(text: &str) -> Option<i64> {
    let inner = text.strip_prefix('\'')?.strip_suffix('\'')?;
    let Some(escape) = inner.strip_prefix('\\') else {
        let [byte] = inner.as_bytes() else { return None };
        return Some(i64::from(*byte as i8));
    };
    if let Some(digits) = escape.strip_prefix('x') {
        return i64::from_str_radix(digits, 16).ok().map(|value| i64::from(value as i8));
    }
    if escape.starts_with(|first: char| first.is_digit(8)) {
        return i64::from_str_radix(escape, 8).ok().map(|value| i64::from(value as i8));
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
        assert_eq!(integer_literal("2147483647"), Some((2147483647, ScalarType::I32)));
        assert_eq!(integer_literal("2147483648"), Some((2147483648, ScalarType::I64)));
        assert_eq!(integer_literal("0xffffffff"), Some((0xffff_ffff, ScalarType::U32)));
        assert_eq!(integer_literal("017"), Some((15, ScalarType::I32)));
        assert_eq!(integer_literal("1uL"), Some((1, ScalarType::U64)));
        assert_eq!(integer_literal("1.0"), None);
    }

    #[test]
    fn floats_keep_their_spelling() {
        assert_eq!(float_literal("1.5e-3F"), Some(("1.5e-3".into(), ScalarType::F32)));
        assert_eq!(float_literal("0x1.8p3"), Some(("0x1.8p3".into(), ScalarType::F64)));
        assert_eq!(float_literal("0x1p3f"), Some(("0x1p3".into(), ScalarType::F32)));
        assert_eq!(float_literal("1."), Some(("1.".into(), ScalarType::F64)));
        assert_eq!(float_literal("1.0L"), None);
        assert_eq!(float_literal("0x1f"), None);
    }

    #[test]
    fn characters_are_signed_ints() {
        assert_eq!(char_value("'a'"), Some(97));
        assert_eq!(char_value("'\\n'"), Some(10));
        assert_eq!(char_value("'\\xff'"), Some(-1));
        assert_eq!(char_value("'ab'"), None);
    }
}
