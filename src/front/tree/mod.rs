//! The syntax tree of the preprocessed text.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::{ControlFlow, Range};
use std::rc::Rc;

use tree_sitter::{Node, ParseOptions, ParseState, Parser, Tree};

mod cast_names;
mod constructs;
mod edit;
mod nodes;
mod parsed;
mod prepared;
mod ranges;
mod sections;

use super::control_flow::ControlFlow as Ways;
use super::packing::Packing;
use super::wanted::{Taken, Wanted};
use crate::front::Failable;
use crate::source::{
    Beside, Diagnostic, Header, Pragma, Preprocessed, SourceFile, Span, directive_at, directive_words, tokens,
};
pub use cast_names::CastNames;
pub use constructs::{Construct, Own};
pub use edit::Edit;
use edit::edited;
pub use nodes::{
    addressed, ancestors, assigned, assigned_element, child_around, children, children_within, declared_identifier,
    fields, first_identifier, function_definitions, innermost_function, is_assigned, is_loop, loop_at, node_at,
    nodes_in, parameter_list, stores, strip_parentheses, subscripted, target, walk, without_casts,
};
pub use parsed::{Given, Parsed, Shared};
pub use prepared::Prepared;
use ranges::written_ranges;
pub use sections::Section;

/// How often the parser may report its progress, which it does every hundred operations, and once more for so many
/// bytes. A hundred bytes of C take about one report; garbage that is like C can take any number.
const REPORTS: usize = 1000;
const BYTES_A_REPORT: usize = 8;

/// Text that is ready to be parsed as plain C, and the marks that were taken out of it.
#[derive(Clone)]
pub struct Unit<'s> {
    /// The user's file.
    pub source: &'s SourceFile,
    /// Its preprocessed form.
    pub preprocessed: &'s Preprocessed,
    /// The preprocessed text with directives and compiler extensions blanked; offsets are the same.
    pub text: String,
    /// Offset in `text` of each stencil pragma and what follows the word `stencil` on its line, macros in sizes expanded.
    pub pragmas: Vec<(usize, String)>,
    /// Where the texts of the program's other files are in `text`, which follow that of the file.
    pub(super) sections: Vec<Section>,
    /// The stencil pragmas of the user's file, in parts that are compiled or not.
    pub marks: Vec<Pragma>,
    /// OpenMP's directives in `text`, blanked there.
    pub constructs: Vec<Construct>,
    /// Places in `text` where `int` stands for a type name.
    pub plain_types: BTreeMap<usize, String>,
    /// Offsets of attributes that change the type they stand at.
    pub type_attributes: BTreeSet<usize>,
    /// What lets structures lie otherwise than their members tell.
    pub packing: Packing,
    /// Sizes of `extent` clauses, which are appended to `text`: pragma, array, ranges of the sizes in `text`.
    pub extents: Vec<(usize, String, Vec<Range<usize>>)>,
    /// Text that was put in later: before which offset of the text as it was before, and how many bytes; in order.
    pub(super) inserted: Vec<(usize, usize)>,
    /// In a step that is being read, the statements that follow what the host does within it; that itself is blanked.
    pub(super) gaps: Vec<usize>,
    /// The ways through the function around such a step.
    pub(super) ways: Option<Ways>,
    /// What the nest that is being read is read with.
    pub(super) taken: Taken,
    /// Whether scalars that carry data from step to step are arrays of one element.
    pub(super) stores_scalars: bool,
    /// What has been parsed of the file, with what was put in.
    pub(super) parsed: Rc<RefCell<Parsed>>,
    /// What else it might be read with.
    pub(super) wanted: Rc<RefCell<Wanted>>,
    /// The variables `name` for which `&name` or `&name.member` stands anywhere.
    addressed: OnceCell<BTreeSet<String>>,
}

impl<'s> Unit<'s> {
    /// Prepares the preprocessed text of `source`.
    pub fn new(source: &'s SourceFile, preprocessed: &'s Preprocessed) -> Self {
        Self::of(source, preprocessed, Prepared::new(source, preprocessed))
    }

    /// With the text that has been prepared of these.
    pub fn of(source: &'s SourceFile, preprocessed: &'s Preprocessed, prepared: Prepared) -> Self {
        let Prepared { text, pragmas, sections, marks, constructs, plain_types, type_attributes, packing, extents } =
            prepared;
        Self {
            source,
            preprocessed,
            text,
            pragmas,
            sections,
            marks,
            constructs,
            plain_types,
            type_attributes,
            packing,
            extents,
            inserted: Vec::new(),
            gaps: Vec::new(),
            ways: None,
            taken: Taken::default(),
            stores_scalars: false,
            parsed: Rc::default(),
            wanted: Rc::default(),
            addressed: OnceCell::new(),
        }
    }

    /// The text with what has been taken out of it, as it is now.
    pub fn into_prepared(self) -> Prepared {
        let Self { text, pragmas, sections, marks, constructs, plain_types, type_attributes, packing, extents, .. } =
            self;
        Prepared { text, pragmas, sections, marks, constructs, plain_types, type_attributes, packing, extents }
    }

    /// Parses the text as it is, and of one that has been parsed only what is not in that; `None` if it is so far from C that recovery
    /// from its errors would take too long.
    pub fn parse_text(&self, like: Option<(&str, &Tree)>) -> Option<Tree> {
        let mut parser = Parser::new();
        parser.set_language(&tree_sitter_c::LANGUAGE.into()).ok()?;
        let bytes = self.text.as_bytes();
        parser.set_included_ranges(&written_ranges(bytes)).ok()?;
        let mut reports = 0;
        let mut progress = |_: &ParseState| {
            reports += 1;
            let is_hopeless = reports > REPORTS + bytes.len() / BYTES_A_REPORT;
            if is_hopeless { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let options = ParseOptions::new().progress_callback(&mut progress);
        let like = like.map(|(text, tree)| edited(tree, text, &self.text));
        parser.parse_with_options(&mut |at, _| bytes.get(at..).unwrap_or_default(), like.as_ref(), Some(options))
    }

    /// Where the text begins that stands behind a pragma.
    pub fn start_behind_pragma(&self, index: usize) -> usize {
        let offset = self.pragmas[index].0;
        offset + self.text[offset..].len() - self.text[offset..].trim_start().len()
    }

    /// Whether `&name` stands anywhere in the text, whose tree has this root.
    pub fn takes_address(&self, root: Node, name: &str) -> bool {
        let find = || {
            let places = nodes_in(root).filter_map(|node| address_of(self, node));
            places.map(|place| self.text(addressed(place)).to_owned()).collect()
        };
        self.addressed.get_or_init(find).contains(name)
    }

    /// Whether `&name` stands anywhere where that may be the variable which is declared at this place: in the same function, or for one
    /// of the file's in all of them. Another reading may have found the place in a text to which something was added: then, too.
    pub fn takes_address_of(&self, root: Node, name: &str, declared_at: usize) -> bool {
        let declarator = self.text.get(declared_at..).unwrap_or_default().trim_start_matches(['*', '(', ' ']);
        let is_function = |it: &Node| it.kind() == "function_definition" && !self.text(*it).contains("extern");
        let around = || child_around(root, declared_at).filter(is_function).filter(|_| declarator.starts_with(name));
        self.takes_address(root, name) && around().is_none_or(|function| takes_address_in(self, function, name))
    }

    /// The text of `node`.
    pub fn text(&self, node: Node) -> &str {
        &self.text[node.byte_range()]
    }

    /// Where `node` stands in the user's file; its first byte for text of headers and of other files.
    pub fn span(&self, node: Node) -> Span {
        self.span_between(node.start_byte(), node.end_byte())
    }

    /// Whether one of OpenMP's directives stands directly above a statement.
    pub fn has_construct_above(&self, statement: Node) -> bool {
        self.constructs_above(statement).next().is_some()
    }

    /// Whether nothing stands between a directive, which is blank here, and a statement; what is put around a step stands below
    /// the directives of its first statement.
    pub fn is_above(&self, directive: usize, statement: Node) -> bool {
        let between = directive..statement.start_byte();
        let mut bytes = between.clone().zip(self.text.as_bytes().get(between.clone()).unwrap_or_default());
        !between.is_empty() && bytes.all(|(at, byte)| byte.is_ascii_whitespace() || self.is_put_in(at))
    }

    /// The span from `start`, where a statement begins, to `end`: from the name of a macro on, if one makes the statement's
    /// beginning, as `E(g, i)` does in `E(g, i) = 0;`, whose first token may be the same `(` before and behind the preprocessor.
    pub fn statement_span(&self, start: usize, end: usize) -> Span {
        let span = self.span_between(start, end);
        let before = self.text[..start].trim_end().len();
        let Some(last) = before.checked_sub(1).filter(|last| self.file_at(*last).is_none()) else { return span };
        let before = self.span_between(last, before).end;
        let bytes = self.source.bytes();
        let is_on_line = |from: usize| !bytes[from..span.start].contains(&b'\n');
        let tokens = if before < span.start { tokens(bytes, Span::new(before, span.start)) } else { Vec::new() };
        match tokens.first() {
            Some(first) if is_on_line(first.start) => span.at(first.start, span.end),
            _ => span,
        }
    }

    /// Refuses statements from `start` to `end` of which it cannot be told where they begin and end in the user's file.
    pub fn check_told_apart(&self, start: usize, end: usize) -> Failable<()> {
        let is_told = self.preprocessed.tells_apart(self.source, self.original(start), self.original(end));
        if is_told || self.file_at(start).is_some() {
            return Ok(());
        }
        let message = "it cannot be told where this begins and ends in the file, beside what other macros make";
        let error = Diagnostic::error("nest-extent", message, self.span_between(start, end));
        Err(Box::new(error.with_help("put each macro that makes statements on lines of its own")))
    }

    /// As [`span`](Self::span) for the text from `start` to `end`.
    pub fn span_between(&self, start: usize, end: usize) -> Span {
        match self.file_at(start) {
            None => self.preprocessed.span(self.source, self.original(start), self.original(end)),
            Some(_) => self.source.span(0, 0),
        }
    }

    /// The file with the text at `range` as somebody wrote it, and where it stands there; `None` for text of headers.
    pub fn written_at(&self, range: Range<usize>) -> Option<(&[u8], Span)> {
        let (source, preprocessed, span) = self.file_with(range);
        let span = preprocessed.written(source, span)?;
        Some((source.bytes(), Span::new(span.start, span.end)))
    }

    /// What the preprocessor has made of a file, before anything was taken out of it, and where in that the text at `range` stands.
    pub fn preprocessed_at(&self, range: Range<usize>) -> (&[u8], Span) {
        let (_, preprocessed, span) = self.file_with(range);
        (preprocessed.text().as_bytes(), span)
    }

    /// The file with the text at `range`, what the preprocessor has made of it, and where in that the text stands.
    fn file_with(&self, range: Range<usize>) -> (&SourceFile, &Preprocessed, Span) {
        match self.file_at(range.start) {
            None => {
                let span = Span::new(self.original(range.start), self.original(range.end));
                (self.source, self.preprocessed, span)
            }
            Some((file, section)) => {
                let span = Span::new(section.original(range.start), section.original(range.end));
                (&file.source, &file.preprocessed, span)
            }
        }
    }

    /// The other file whose text is at `offset`, and where that is; `None` for the user's own.
    pub fn file_at(&self, offset: usize) -> Option<(&Beside, &Section)> {
        let index = self.sections.iter().rposition(|section| section.start <= offset)?;
        let section = &self.sections[index];
        section.range().contains(&offset).then(|| (&self.preprocessed.beside()[index], section))
    }

    /// Where the texts of the program's other files are.
    pub fn other_files(&self) -> Vec<Range<usize>> {
        self.sections.iter().map(Section::range).filter(|file| !file.is_empty()).collect()
    }

    /// Where the text of the file is that is at `offset`.
    pub fn section(&self, offset: usize) -> Range<usize> {
        match self.file_at(offset) {
            Some((_, section)) => section.range(),
            None => 0..self.preprocessed.text().len() + self.inserted.iter().map(|(_, length)| length).sum::<usize>(),
        }
    }

    /// Whether an attribute from `start` on, up to and directly behind `end`, changes a type.
    pub fn has_type_attribute(&self, start: usize, end: usize) -> bool {
        self.has_first(self.type_attributes.range(start..).next(), end)
    }

    /// Whether an attribute from `start` on, up to and directly behind `end`, aligns something.
    pub fn has_alignment(&self, start: usize, end: usize) -> bool {
        self.has_first(self.packing.first_alignment(start), end)
    }

    /// Whether there is such an attribute, before `end` or with nothing but blanks between: it is blank itself.
    fn has_first(&self, attribute: Option<&usize>, end: usize) -> bool {
        let is_blank = |byte: &u8| byte.is_ascii_whitespace();
        attribute.is_some_and(|at| *at < end || self.text.as_bytes()[end..=*at].iter().all(is_blank))
    }

    /// Whether the text at `offset` is that of a header which the user's file includes.
    pub fn is_of_header(&self, offset: usize) -> bool {
        let place = self.preprocessed.map().header_place(self.preprocessed.text(), self.original(offset));
        self.file_at(offset).is_none() && place.is_some()
    }

    /// Whether the text at `offset` is that of a header which one of the program's files includes.
    pub fn is_included(&self, offset: usize) -> bool {
        self.header_at(offset, |_| true)
    }

    /// The name of the system's header, `<time.h>`, by whose directive the text at `offset` came into its file.
    pub fn system_header_at(&self, offset: usize) -> Option<String> {
        let (source, preprocessed, Span { start: offset, .. }) = self.file_with(offset..offset);
        let map = preprocessed.map();
        let place = map.header_place(preprocessed.text(), offset).filter(|_| map.is_of_system(offset))?;
        let line = source.line_span(place.include);
        let directive = directive_at(source.bytes(), line.start)?;
        let words: Vec<&[u8]> = directive_words(source.bytes(), directive).collect();
        let [b"include", b"<", ref name @ .., b">"] = words[..] else { return None };
        Some(format!("<{}>", String::from_utf8_lossy(&name.concat())))
    }

    /// Whether the text at `offset` is the user's own: of the file or of a header that is none of the system's.
    pub fn is_own(&self, offset: usize) -> bool {
        !self.header_at(offset, |header| header.is_some_and(|header| header.is_system))
    }

    /// Whether the text at `offset` is that of a header, and of such a one; of some nothing more is known.
    fn header_at(&self, offset: usize, is_such: impl Fn(Option<&Header>) -> bool) -> bool {
        let (_, preprocessed, Span { start: offset, .. }) = self.file_with(offset..offset);
        let place = preprocessed.map().header_place(preprocessed.text(), offset);
        place.is_some_and(|place| {
            let mut headers = preprocessed.headers().iter();
            is_such(headers.find(|header| header.path.as_os_str() == place.header.as_str()))
        })
    }
}

/// The place whose address an expression is, if it is `&place`.
pub fn address_of<'t>(unit: &Unit, expression: Node<'t>) -> Option<Node<'t>> {
    if expression.kind() != "pointer_expression" {
        return None;
    }
    let operator = expression.child_by_field_name("operator")?;
    expression.child_by_field_name("argument").filter(|_| unit.text(operator) == "&").map(strip_parentheses)
}

/// The place and the value of `place = value`, without parentheses around them.
pub fn plain_assignment<'t>(unit: &Unit, expression: Node<'t>) -> Option<(Node<'t>, Node<'t>)> {
    let part = |field| expression.child_by_field_name(field);
    let is_plain =
        expression.kind() == "assignment_expression" && part("operator").is_some_and(|it| unit.text(it) == "=");
    is_plain.then(|| Some((strip_parentheses(part("left")?), strip_parentheses(part("right")?))))?
}

/// Whether `&name` stands anywhere in `node`, or the address of a part of it.
pub fn takes_address_in(unit: &Unit, node: Node, name: &str) -> bool {
    let mut places = nodes_in(node).filter_map(|part| address_of(unit, part));
    unit.text[node.byte_range()].contains(name) && places.any(|place| unit.text(addressed(place)) == name)
}

/// The name of the function that is defined.
pub fn defined_name<'u>(unit: &'u Unit, definition: Node) -> Option<&'u str> {
    let function = innermost_function(definition.child_by_field_name("declarator")?)?;
    Some(unit.text(declared_identifier(function)?))
}

/// Whether the identifier `name` stands anywhere in `node`.
pub fn mentions(unit: &Unit, node: Node, name: &str) -> bool {
    named(unit, node, name).next().is_some()
}

/// The identifiers `name` in `node`, in order. Only where the text has the name is the tree looked at.
pub fn named<'t>(unit: &Unit, node: Node<'t>, name: &str) -> impl Iterator<Item = Node<'t>> {
    let places = words(&unit.text[node.byte_range()], name).map(move |at| node.start_byte() + at);
    let found = places.filter_map(move |at| node.descendant_for_byte_range(at, at + name.len()));
    found.filter(move |inner| inner.kind() == "identifier" && unit.text(*inner) == name)
}

/// Where a word stands in a text.
fn words(text: &str, word: &str) -> impl Iterator<Item = usize> {
    let is_part = |c: Option<&u8>| c.is_some_and(|c| c.is_ascii_alphanumeric() || *c == b'_');
    let bytes = text.as_bytes();
    text.match_indices(word).map(|(at, _)| at).filter(move |at| {
        let before = at.checked_sub(1).and_then(|it| bytes.get(it));
        !word.is_empty() && !is_part(before) && !is_part(bytes.get(at + word.len()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_pragmas_and_extensions_are_blanked_in_place() {
        let source = SourceFile::new("a.c", Vec::new());
        let text = "# 1 \"a.c\"\nextern int f (int *__restrict p) __attribute__ ((a (1))) ;\n#pragma stencil tile(4)\n\
                    int (*g)(int *) = f;\n";
        let preprocessed = Preprocessed::new(text.as_bytes().to_vec());
        let mut unit = Unit::new(&source, &preprocessed);
        assert_eq!(unit.text.len(), text.len());
        assert!(unit.text.contains("int *restrict   p)"), "{}", unit.text);
        assert!(!unit.text.contains("attribute") && !unit.text.contains('#'));
        assert_eq!(unit.pragmas, [(text.find("#pragma").unwrap(), "tile(4)".to_owned())]);
        assert!(!unit.parse().unwrap().root_node().has_error());
    }
}
