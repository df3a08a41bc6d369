//! Names of types where the grammar would not know them for such.

use std::collections::{BTreeMap, BTreeSet};

use super::extensions::blank;
use crate::source::Span;

/// Writes `int` for type names where the grammar takes `(real)-x` for a subtraction or `real(*a)[n]` for a call, and
/// returns the names; `words` are all of the text. Type names of fewer than three letters stay.
pub fn write_plain_types(text: &mut [u8], words: &[Span]) -> BTreeMap<usize, String> {
    let names = type_names(text, words);
    let mut replaced = BTreeMap::new();
    for window in words.windows(4) {
        let [before, name, after, next] = window else { continue };
        let word = |span: &Span| &text[span.start..span.end];
        let is_cast =
            word(before) == b"(" && word(after) == b")" && matches!(word(next), b"-" | b"+" | b"*" | b"&" | b"(");
        let is_declaration = matches!(word(before), b";" | b"{" | b"}") && word(after) == b"(" && word(next) == b"*";
        if !(is_cast || is_declaration) || name.end - name.start < 3 || !names.contains(word(name)) {
            continue;
        }
        replaced.insert(name.start, String::from_utf8_lossy(word(name)).into_owned());
        blank(&mut text[name.start..name.end]);
        text[name.start..name.start + 3].copy_from_slice(b"int");
    }
    replaced
}

/// The names that plain `typedef`s declare.
fn type_names(text: &[u8], words: &[Span]) -> BTreeSet<Vec<u8>> {
    let word = |span: &Span| &text[span.start..span.end];
    let mut names = BTreeSet::new();
    for (index, _) in words.iter().enumerate().filter(|(_, span)| word(span) == b"typedef") {
        let (mut depth, mut last) = (0, None);
        for span in &words[index + 1..] {
            match word(span) {
                b"(" | b"[" | b"{" => depth += 1,
                b")" | b"]" | b"}" => depth -= 1,
                b";" | b"," if depth == 0 => {
                    names.extend(last.take().map(<[u8]>::to_vec));
                    if word(span) == b";" {
                        break;
                    }
                }
                name if depth == 0 && is_name(name) => last = Some(name),
                _ => {}
            }
        }
    }
    names
}

/// Whether a token is a name and no word of the language, as `int` in `typedef int (*function)(void);`.
pub fn is_name(word: &[u8]) -> bool {
    const WORDS: [&[u8]; 14] = [
        b"void",
        b"char",
        b"short",
        b"int",
        b"long",
        b"float",
        b"double",
        b"signed",
        b"unsigned",
        b"_Bool",
        b"bool",
        b"const",
        b"volatile",
        b"_Complex",
    ];
    word.first().is_some_and(|it| it.is_ascii_alphabetic() || *it == b'_') && !WORDS.contains(&word)
}
