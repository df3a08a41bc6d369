//! Preprocessed text as plain C, and the marks that were taken out of it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::constructs::Construct;
use super::sections::{Section, Squeezed};
use crate::front::extensions::{Attributes, blank, blank_extensions};
use crate::front::packing::Packing;
use crate::front::plain_types::write_plain_types;
use crate::front::pragma::{Places, read_clauses};
use crate::front::unmentioned::blank_unmentioned;
use crate::source::{Pragma, Preprocessed, SourceFile, Span, directives, pragmas_of, read_pragma, tokens};

/// What a [`Unit`](super::Unit) holds of its text; its fields are the unit's.
#[derive(Clone)]
pub struct Prepared {
    pub(super) text: String,
    pub(super) pragmas: Vec<(usize, String)>,
    pub(super) sections: Vec<Section>,
    pub(super) marks: Vec<Pragma>,
    pub(super) constructs: Vec<Construct>,
    pub(super) plain_types: BTreeMap<usize, String>,
    pub(super) type_attributes: BTreeSet<usize>,
    pub(super) packing: Packing,
    pub(super) extents: Vec<(usize, String, Vec<Range<usize>>)>,
}

impl Prepared {
    /// Prepares the preprocessed text of `source`.
    pub fn new(source: &SourceFile, preprocessed: &Preprocessed) -> Self {
        let mut text = preprocessed.text().as_bytes().to_vec();
        let own = text.len();
        let mut starts = Vec::new();
        for other in preprocessed.beside() {
            text.push(b'\n');
            starts.push(text.len());
            text.extend_from_slice(other.preprocessed.text().as_bytes());
        }
        let clauses = |index: usize, words: Span| {
            preprocessed.expanded_clauses(index).unwrap_or(&preprocessed.text()[words.start..words.end]).to_owned()
        };
        let directives: Vec<Span> = directives(&text).collect();
        let found: Vec<Pragma> = directives.iter().filter_map(|directive| read_pragma(&text, *directive)).collect();
        let pragmas = found.iter().take_while(|found| found.directive.start < own).enumerate();
        let pragmas: Vec<(usize, String)> =
            pragmas.map(|(index, found)| (found.directive.start, clauses(index, found.words))).collect();
        let mut constructs: Vec<Construct> =
            directives.iter().filter_map(|directive| Construct::read(&text, *directive)).collect();
        let mut packing = Packing::new(&text, &directives, &starts);
        let blanked = found.iter().map(|found| found.lines).chain(directives).collect::<Vec<_>>();
        blanked.into_iter().for_each(|span| blank(&mut text[span.start..span.end]));
        let mut words = tokens(&text, Span::new(0, text.len()));
        let Attributes { of_types: mut type_attributes, aligning } = blank_extensions(&mut text, &mut words);
        packing.alignments = aligning;
        let is_of_system = |offset: usize| match starts.iter().rposition(|start| *start <= offset) {
            Some(index) => preprocessed.beside()[index].preprocessed.map().is_of_system(offset - starts[index]),
            None => preprocessed.map().is_of_system(offset),
        };
        let clauses: Vec<&str> = pragmas.iter().map(|(_, words)| words.as_str()).collect();
        for gone in blank_unmentioned(&mut text, &mut words, &clauses, is_of_system) {
            type_attributes.retain(|attribute| !gone.contains(attribute));
            packing.forget(&gone);
        }
        let plain_types = write_plain_types(&mut text, &words);
        let squeezed = Squeezed::new(&text, &starts);
        let moved = |offset: usize| squeezed.moved(offset);
        constructs.iter_mut().for_each(|construct| construct.at = moved(construct.at));
        let plain_types = plain_types.into_iter().map(|(offset, name)| (moved(offset), name)).collect();
        let type_attributes = type_attributes.into_iter().map(moved).collect();
        packing.shift(moved);
        let Squeezed { text, sections, .. } = squeezed;
        let text = String::from_utf8(text).expect("blanking keeps UTF-8");
        let marks = pragmas_of(source);
        let extents = Vec::new();
        let mut prepared =
            Self { text, pragmas, sections, marks, constructs, plain_types, type_attributes, packing, extents };
        prepared.append_extents();
        prepared
    }

    /// Appends the sizes of `extent` clauses in a function of their own, so that they are parsed with the file.
    fn append_extents(&mut self) {
        let mut body = String::new();
        let start = self.text.len() + EXTENTS.len();
        for (index, (_, words)) in self.pragmas.iter().enumerate() {
            // A clause that cannot be read is refused when its nest is.
            let Ok(read) = read_clauses(words, Places::default()) else { continue };
            for extent in read.extents {
                let ranges = extent.sizes.iter().map(|size| {
                    let at = start + body.len();
                    body.push_str(&format!("({size});"));
                    at..at + size.len() + 2
                });
                let ranges = ranges.collect();
                self.extents.push((index, extent.array, ranges));
            }
        }
        if !body.is_empty() {
            self.text.push_str(EXTENTS);
            self.text.push_str(&body);
            self.text.push_str("}\n");
        }
    }
}

/// Head of the function that holds the sizes of `extent` clauses.
const EXTENTS: &str = "\nvoid extents(void) {";
