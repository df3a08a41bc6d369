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

/// A C string constant of a line of text with its newline, as several constants if it is longer than `width`.
pub fn quote_line(line: &str, width: usize) -> Vec<String> {
    let whole = quote(format!("{line}\n"));
    let middle = line.char_indices().rev().find(|(place, c)| *c == ' ' && *place <= line.len() / 2);
    match middle {
        Some((place, _)) if whole.len() > width && place > 0 => {
            let (start, end) = line.split_at(place);
            [vec![quote(start)], quote_line(end, width)].concat()
        }
        _ => vec![whole],
    }
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
    fn long_lines_become_several_constants() {
        assert_eq!(quote_line("a \"b\" c", 99), [r#""a \"b\" c\n""#]);
        assert_eq!(quote_line("a \"b\" c", 11), [r#""a""#, r#"" \"b\" c\n""#]);
        assert_eq!(quote_line("    long", 4).concat().replace("\"\"", ""), "\"    long\\n\"");
    }

    #[test]
    fn plain_names_end_no_comment_and_no_include_line() {
        assert_eq!(plain_name("a b-2.c"), "a b-2.c");
        assert_eq!(plain_name("é東"), "é東");
        assert_eq!(plain_name("*/\"\\\n??=\u{202e}\u{fffd}\u{7f}"), "_______=___");
    }
}
