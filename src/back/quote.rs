//! Text from outside in C.

/// A C string constant of these bytes, whatever they are, in ASCII.
pub fn quote(text: impl AsRef<[u8]>) -> String {
    let mut quoted = String::from("\"");
    for byte in text.as_ref() {
        match byte {
            b'"' | b'\\' => {
                quoted.push('\\');
                quoted.push(char::from(*byte));
            }
            b'\n' => quoted.push_str("\\n"),
            // `?` could start a trigraph; other bytes may not be text in the compiler's character set.
            b'?' => quoted.push_str("\\?"),
            b' '..=b'~' => quoted.push(char::from(*byte)),
            _ => quoted.push_str(&format!("\\{byte:03o}")),
        }
    }
    quoted.push('"');
    quoted
}

/// A name that can stand in comments and in the file name of an include line, whatever the compiler's dialect: letters
/// and digits of any script, and the characters of ASCII that mean nothing there.
pub fn plain_name(name: &str) -> String {
    let is_kept = |character: char| match character {
        '"' | '\\' | '/' | '*' | '?' => false,
        ' '..='~' => true,
        other => other.is_alphanumeric(),
    };
    name.chars().map(|character| if is_kept(character) { character } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn string_constants_hold_any_bytes() {
        assert_eq!(quote("a \"b\\\n"), r#""a \"b\\\n""#);
        assert_eq!(quote("??/ */"), r#""\?\?/ */""#);
        assert_eq!(quote(b"\xe91\r\0"), r#""\3511\015\000""#);
    }

    #[test]
    fn plain_names_end_no_comment_and_no_include_line() {
        assert_eq!(plain_name("a b-2.c"), "a b-2.c");
        assert_eq!(plain_name("é東"), "é東");
        assert_eq!(plain_name("*/\"\\\n??=\u{202e}\u{fffd}\u{7f}"), "_______=___");
    }
}
