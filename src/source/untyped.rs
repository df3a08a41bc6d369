//! Functions whose definitions name no type, as in `main() { ... }`: C90 takes `int` for it.

use super::{Span, tokens};

/// Preprocessed text with `int` before the names of such functions, as the grammar needs it.
pub fn with_types(text: String) -> String {
    let places = untyped_functions(text.as_bytes());
    if places.is_empty() {
        return text;
    }
    let mut typed = String::with_capacity(text.len() + places.len() * INT.len());
    let mut from = 0;
    for place in places {
        typed.push_str(&text[from..place]);
        typed.push_str(INT);
        from = place;
    }
    typed + &text[from..]
}

const INT: &str = "int ";

/// Where the names of such functions stand, in order.
fn untyped_functions(text: &[u8]) -> Vec<usize> {
    let spans = tokens(text, Span::new(0, text.len()));
    let words: Vec<&[u8]> = spans.iter().map(|span| &text[span.start..span.end]).collect();
    let mut found = Vec::new();
    let (mut at, mut is_first) = (0, true);
    while at < words.len() {
        if is_first && defines_function(&words[at..]) {
            found.push(spans[at].start);
        }
        let is_body = words[at] == b"{" && at > 0 && matches!(words[at - 1], b")" | b";");
        let is_storage = is_first && matches!(words[at], b"static" | b"extern" | b"inline");
        is_first = words[at] == b";" || is_body || is_storage;
        at = behind(&words, at);
    }
    found
}

/// The index behind the word at `at`, and behind all that a bracket there encloses.
fn behind(words: &[&[u8]], at: usize) -> usize {
    let mut depth = 0_usize;
    for (index, word) in words.iter().enumerate().skip(at) {
        match *word {
            b"(" | b"[" | b"{" => depth += 1,
            b")" | b"]" | b"}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return index + 1;
        }
    }
    words.len()
}

/// Whether a declaration that begins with `words` is a function's name, its parameters and its body, with nothing in between but
/// declarations of these parameters.
fn defines_function(words: &[&[u8]]) -> bool {
    if words.len() < 2 || !is_name(words[0]) || words[1] != b"(" {
        return false;
    }
    let mut at = behind(words, 1);
    let parameters = words.get(2..at - 1).unwrap_or_default();
    let are_names =
        parameters.iter().enumerate().all(|(index, it)| if index % 2 == 0 { is_name(it) } else { *it == b"," });
    while are_names && words.get(at).is_some_and(|it| is_name(it)) {
        let Some(end) = words[at..].iter().position(|it| matches!(*it, b";" | b"{" | b"=" | b"(")) else {
            return false;
        };
        if words[at + end] != b";" {
            return false;
        }
        at += end + 1;
    }
    words.get(at) == Some(&&b"{"[..])
}

/// Whether a word is a name that a program may give: those that begin with two underscores or with one and a capital are the
/// compiler's.
fn is_name(word: &[u8]) -> bool {
    const WORDS: [&[u8]; 3] = [b"typeof", b"alignas", b"asm"];
    let is_compilers = word.starts_with(b"__") || word[0] == b'_' && word.get(1).is_some_and(u8::is_ascii_uppercase);
    (word[0].is_ascii_alphabetic() || word[0] == b'_') && !is_compilers && !WORDS.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_without_a_type_return_int() {
        for (text, typed) in [
            ("main() { }", "int main() { }"),
            ("int a;\nmain()\n{ f(a) ; }\n", "int a;\nint main()\n{ f(a) ; }\n"),
            ("int f(void) { { } }static g(int n) { }", "int f(void) { { } }static int g(int n) { }"),
            ("f(u, n) float u[N]; int n, *m; { } g() {}", "int f(u, n) float u[N]; int n, *m; { } int g() {}"),
        ] {
            assert_eq!(with_types(text.to_owned()), typed);
        }
    }

    #[test]
    fn what_has_a_type_stays() {
        for text in [
            "struct s { int a; } f(void) { }",
            "int f(a) int a; { }",
            "__attribute__((cold)) int f(int a) { }",
            "_Static_assert(1, \"m\"); int f() { }",
            "typeof(x) y; int f() { }",
            "int (x); int f() { }",
            "int (f)(void) { }",
            "int a[2] = { 1, 2 }, g(int); void f(void) { if (a[0]) { } g(1); }",
            "f(a, b); int g() { }",
            "f(a",
            "f(",
            "",
        ] {
            assert_eq!(with_types(text.to_owned()), text);
        }
    }
}
