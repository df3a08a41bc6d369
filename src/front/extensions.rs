//! Blanking of text that is not to be parsed, and extensions of C in headers that the grammar does not know.

use std::collections::BTreeSet;

use crate::source::Span;

/// Writes spaces in the place of all but line ends.
pub fn blank(bytes: &mut [u8]) {
    bytes.iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
}

/// Words of attributes that give a type another size or representation.
const TYPE_ATTRIBUTES: [&[u8]; 6] =
    [b"packed", b"mode", b"vector_size", b"ext_vector_type", b"scalar_storage_order", b"address_space"];

/// Words of attributes that move what stands in a structure.
const ALIGNING_ATTRIBUTES: [&[u8]; 3] = [b"aligned", b"ms_struct", b"gcc_struct"];

/// Where attributes begin that matter.
#[derive(Clone, Debug, Default)]
pub struct Attributes {
    /// Those that change the type they stand at.
    pub of_types: BTreeSet<usize>,
    /// Those that align.
    pub aligning: BTreeSet<usize>,
}

/// Blanks the extensions of GNU headers that the grammar does not know, and takes their words out of those of the text;
/// returns where attributes that change types began.
pub fn blank_extensions(text: &mut [u8], words: &mut Vec<Span>) -> Attributes {
    let mut attributes = Attributes::default();
    let (mut kept, mut at) = (Vec::with_capacity(words.len()), 0);
    while let Some(word) = words.get(at).copied() {
        let rest = &words[at..];
        let is = |index: usize, bracket: &[u8]| rest.get(index).is_some_and(|it| text[it.start..it.end] == *bracket);
        at += 1;
        match &text[word.start..word.end] {
            b"__attribute__" | b"__attribute" => {
                let length = length_of_attribute(text, rest);
                attributes.note(text, &rest[..length]);
                blank(&mut text[word.start..rest[length - 1].end]);
                at += length - 1;
            }
            b"__extension__" | b"__inline" | b"__inline__" => blank(&mut text[word.start..word.end]),
            b"__restrict" | b"__restrict__" | b"__const" | b"__const__" | b"__volatile__" | b"__signed__" => {
                let length = write_plainly(&mut text[word.start..word.end]);
                kept.push(Span { end: word.start + length, ..word });
            }
            // C23's form, `[[gnu::packed]]`, which the grammar knows.
            b"[" if is(1, b"[") => {
                let length = (2..rest.len()).find(|end| is(*end, b"]") && is(end + 1, b"]")).unwrap_or(rest.len());
                attributes.note(text, &rest[..length]);
                kept.push(word);
            }
            _ => kept.push(word),
        }
    }
    *words = kept;
    attributes
}

impl Attributes {
    /// Keeps where an attribute of these words begins, if it matters.
    fn note(&mut self, text: &[u8], attribute: &[Span]) {
        if names_one_of(text, attribute, &TYPE_ATTRIBUTES) {
            self.of_types.insert(attribute[0].start);
        }
        if names_one_of(text, attribute, &ALIGNING_ATTRIBUTES) {
            self.aligning.insert(attribute[0].start);
        }
    }
}

/// Whether the words of an attribute name one of some, as they are or as `__packed__`.
fn names_one_of(text: &[u8], attribute: &[Span], names: &[&[u8]]) -> bool {
    let plain = |word: &Span| {
        let word = &text[word.start..word.end];
        word.strip_prefix(b"__").and_then(|word| word.strip_suffix(b"__")).unwrap_or(word)
    };
    attribute.iter().any(|word| names.contains(&plain(word)))
}

/// How many words there are up to the parenthesis that closes the first one.
fn length_of_attribute(text: &[u8], words: &[Span]) -> usize {
    let mut depth = 0;
    let is_last = |word: &Span| {
        depth += match &text[word.start..word.end] {
            b"(" => 1,
            b")" => -1,
            _ => return false,
        };
        depth <= 0
    };
    words.iter().position(is_last).map_or(words.len(), |last| last + 1)
}

/// Turns `__word__` into `word`, filled up with spaces; the length of that.
fn write_plainly(word: &mut [u8]) -> usize {
    let plain: Vec<u8> = word.iter().copied().filter(|byte| *byte != b'_').collect();
    blank(word);
    word[..plain.len()].copy_from_slice(&plain);
    plain.len()
}
