//! What lets structures lie otherwise in memory than their members tell: attributes that align, and pragmas that pack.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::source::{Span, directive_words};

/// What no alignment of a number goes beyond, in bytes.
const LARGEST_ALIGNMENT: u64 = 8;

/// Where such things stand in a text.
#[derive(Clone, Debug, Default)]
pub struct Packing {
    /// Offsets of attributes that align.
    pub alignments: BTreeSet<usize>,
    /// From these offsets on structures are packed, or they are not.
    pragmas: BTreeMap<usize, bool>,
}

/// What pragmas say at some place.
#[derive(Default)]
struct Pragmas {
    is_packed: bool,
    kept: Vec<bool>,
    is_reversed: bool,
}

impl Packing {
    /// Of a text with these directives and without such attributes; files begin at `sections`, too.
    pub fn new(text: &[u8], directives: &[Span], sections: &[usize]) -> Self {
        let (mut now, mut pragmas) = (Pragmas::default(), BTreeMap::new());
        let mut sections = sections.iter().peekable();
        for directive in directives {
            while let Some(start) = sections.next_if(|start| **start <= directive.start) {
                now = Pragmas::default();
                pragmas.insert(*start, false);
            }
            let words: Vec<&[u8]> = directive_words(text, *directive).collect();
            now.read(&words);
            pragmas.insert(directive.start, now.is_packed || now.is_reversed);
        }
        pragmas.extend(sections.map(|start| (*start, false)));
        Self { alignments: BTreeSet::new(), pragmas }
    }

    /// Whether a pragma changes the structure that ends there.
    pub fn is_packed(&self, end: usize) -> bool {
        self.pragmas.range(..end).next_back().is_some_and(|(_, is_packed)| *is_packed)
    }

    /// The first attribute from `start` on that aligns something.
    pub fn first_alignment(&self, start: usize) -> Option<&usize> {
        self.alignments.range(start..).next()
    }

    /// Forgets the attributes that stand there.
    pub fn forget(&mut self, range: &Range<usize>) {
        self.alignments.retain(|offset| !range.contains(offset));
    }

    /// Offsets have changed.
    pub fn shift(&mut self, moved: impl Fn(usize) -> usize) {
        self.alignments = self.alignments.iter().map(|offset| moved(*offset)).collect();
        self.pragmas = self.pragmas.iter().map(|(offset, is_packed)| (moved(*offset), *is_packed)).collect();
    }
}

impl Pragmas {
    /// Takes notice of a directive.
    fn read(&mut self, words: &[&[u8]]) {
        match words {
            [b"pragma", b"pack", arguments @ ..] => {
                let arguments: Vec<&[u8]> =
                    arguments.iter().copied().filter(|it| !matches!(*it, b"(" | b"," | b")")).collect();
                self.pack(&arguments);
            }
            [b"pragma", b"scalar_storage_order", order, ..] => self.is_reversed = *order != b"default",
            _ => {}
        }
    }

    /// What cannot be told counts as packed.
    fn pack(&mut self, arguments: &[&[u8]]) {
        self.is_packed = match arguments {
            [] => false,
            [b"push"] => {
                self.kept.push(self.is_packed);
                self.is_packed
            }
            [b"push", .., bytes] => {
                self.kept.push(self.is_packed);
                packs(bytes)
            }
            [b"pop"] => self.kept.pop().unwrap_or_default(),
            [bytes] => packs(bytes),
            _ => true,
        };
    }
}

/// Whether so many bytes are less than some number is aligned to.
fn packs(bytes: &[u8]) -> bool {
    let number = std::str::from_utf8(bytes).ok().and_then(|digits| digits.parse::<u64>().ok());
    number.is_none_or(|bytes| bytes != 0 && bytes < LARGEST_ALIGNMENT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::directives;

    #[test]
    fn pragmas_pack_what_stands_below_them() {
        for (pragmas, is_packed) in [
            ("", false),
            ("#pragma pack(1)\n", true),
            ("#pragma pack(8)\n", false),
            ("#pragma pack(2)\n#pragma pack()\n", false),
            ("#pragma pack(push, 4)\n", true),
            ("#pragma pack(push)\n#pragma pack(1)\n#pragma pack(pop)\n", false),
            ("#pragma pack(1)\n#pragma pack(push, 16)\n#pragma pack(pop)\n", true),
            ("#pragma pack(push, name, 1)\n#pragma pack(pop, name)\n", true),
            ("#pragma pack(N)\n", true),
            ("#pragma scalar_storage_order big-endian\n", true),
            ("#pragma scalar_storage_order big-endian\n#pragma scalar_storage_order default\n", false),
        ] {
            let text = format!("{pragmas}struct s;");
            let directives: Vec<Span> = directives(text.as_bytes()).collect();
            let packing = Packing::new(text.as_bytes(), &directives, &[]);
            assert_eq!(packing.is_packed(text.len()), is_packed, "{pragmas}");
        }
    }

    #[test]
    fn each_file_begins_without_pragmas() {
        let text = "#pragma pack(1)\nint i;\nstruct s;";
        let directives: Vec<Span> = directives(text.as_bytes()).collect();
        let packing = Packing::new(text.as_bytes(), &directives, &[23]);
        assert!(packing.is_packed(22) && !packing.is_packed(text.len()));
    }
}
