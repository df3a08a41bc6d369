//! The string constants of a C file, to see what a driver embeds.

/// All string constants of `source`, decoded and joined in order.
///
/// Comments, character constants and `#include` names do not count. Only the escapes that a generator prints are known:
/// `\n \t \r \" \\` and octal ones; another character after a backslash stands for itself.
pub fn join_string_constants(source: &str) -> String {
    let mut joined = String::new();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        rest = if let Some(comment) = rest.strip_prefix("/*") {
            comment.split_once("*/").map_or("", |(_, after)| after)
        } else if rest.starts_with("//") || rest.starts_with("#include") {
            rest.split_once('\n').map_or("", |(_, after)| after)
        } else if first == '"' {
            take_constant(&rest[1..], '"', &mut joined)
        } else if first == '\'' {
            take_constant(&rest[1..], '\'', &mut String::new())
        } else {
            &rest[first.len_utf8()..]
        };
    }
    joined
}

/// Appends the constant that ends at the next `quote` to `decoded`; what follows the quote remains.
fn take_constant<'a>(text: &'a str, quote: char, decoded: &mut String) -> &'a str {
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => take_escape(&mut characters, decoded),
            end if end == quote => return characters.as_str(),
            other => decoded.push(other),
        }
    }
    ""
}

fn take_escape(characters: &mut std::str::Chars, decoded: &mut String) {
    match characters.next() {
        Some('n') => decoded.push('\n'),
        Some('t') => decoded.push('\t'),
        Some('r') => decoded.push('\r'),
        Some(digit @ '0'..='7') => decoded.push(take_octal(digit, characters)),
        Some(other) => decoded.push(other),
        None => {}
    }
}

fn take_octal(first: char, characters: &mut std::str::Chars) -> char {
    let mut value = first.to_digit(8).unwrap_or_default();
    for _ in 0..2 {
        let Some(digit) = characters.as_str().chars().next().and_then(|next| next.to_digit(8)) else { break };
        characters.next();
        value = value * 8 + digit;
    }
    char::from_u32(value).unwrap_or_default()
}
