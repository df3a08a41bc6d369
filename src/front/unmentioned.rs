//! Functions that headers declare and nothing mentions: most of a preprocessed file. They are not parsed.

use std::collections::HashMap;
use std::ops::Range;

use super::casts::is_name;
use super::tree::blank;
use crate::source::Span;

/// Blanks the plain prototypes of functions that no other place of the text names, and takes their words out.
pub fn blank_unmentioned(text: &mut [u8], words: &mut Vec<Span>) {
    for prototype in unmentioned(text, words).into_iter().rev() {
        blank(&mut text[words[prototype.start].start..words[prototype.end - 1].end]);
        words.drain(prototype);
    }
}

/// The prototypes, as ranges of words.
fn unmentioned(text: &[u8], words: &[Span]) -> Vec<Range<usize>> {
    let word = |span: &Span| &text[span.start..span.end];
    let mut counts: HashMap<&[u8], usize> = HashMap::new();
    words.iter().for_each(|span| *counts.entry(word(span)).or_default() += 1);
    let (mut found, mut depth, mut is_start) = (Vec::new(), 0, true);
    for (index, span) in words.iter().enumerate() {
        if is_start && word(span) == b"extern" {
            let tokens = words[index..].iter().map(word);
            found.extend(prototype(tokens).filter(|(_, name)| counts[name] == 1).map(|(end, _)| index..index + end));
        }
        match word(span) {
            b"{" => depth += 1,
            b"}" => depth -= 1,
            _ => {}
        }
        is_start = depth == 0 && matches!(word(span), b";" | b"}");
    }
    found
}

/// The number of words and the name of the prototype with which words begin, if it is a plain one: `extern T *f(...);`.
fn prototype<'t>(words: impl Iterator<Item = &'t [u8]>) -> Option<(usize, &'t [u8])> {
    let (mut depth, mut name, mut last): (_, _, Option<&[u8]>) = (0, None, None);
    for (index, word) in words.enumerate() {
        match word {
            b"(" if depth == 0 && name.is_some() => return None,
            b"(" => {
                depth += 1;
                name = name.or(last);
            }
            b")" => depth -= 1,
            b";" => return name.filter(|name| last == Some(&b")"[..]) && is_name(name)).map(|name| (index + 1, name)),
            // A tag may be declared here, and what stands behind parameters may be anything.
            b"{" | b"}" | b"=" | b"struct" | b"union" | b"enum" | b"typedef" => return None,
            _ if depth == 0 && (name.is_some() || word != b"*" && !is_word(word)) => return None,
            _ => {}
        }
        last = Some(word);
    }
    None
}

fn is_word(word: &[u8]) -> bool {
    word[0].is_ascii_alphabetic() || word[0] == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::tokens;

    #[test]
    fn plain_prototypes_of_functions_without_another_mention_go() {
        let text = "extern int f(int x);extern int g(int x);struct s { int (*h)(int); } s;extern T *k(void), l;\
                    extern int a[3];extern struct t *m(void);extern int (*n)(int);extern T **o(T (*)(T));int p(void) { g(1); }";
        let mut bytes = text.as_bytes().to_vec();
        let mut words = tokens(&bytes, Span::new(0, bytes.len()));
        blank_unmentioned(&mut bytes, &mut words);
        let left = String::from_utf8(bytes).unwrap();
        let gone = ["extern int f(int x);", "extern T **o(T (*)(T));"];
        let expected = gone.iter().fold(text.to_owned(), |text, gone| text.replace(gone, &" ".repeat(gone.len())));
        assert_eq!(left, expected);
        assert!(words.iter().all(|span| !left[span.start..span.end].contains(' ')));
    }
}
