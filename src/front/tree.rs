//! The syntax tree of the preprocessed text.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::{ControlFlow, Range};
use std::rc::Rc;

use tree_sitter::{Node, ParseOptions, ParseState, Parser, Tree};

use super::casts::{Misread, find_misread, write_plain_types};
use super::control_flow::ControlFlow as Ways;
use super::pragma::{Places, read_clauses};
use super::unmentioned::blank_unmentioned;
use super::wanted::{Held, Wanted};
use crate::source::{
    Beside, Pragma, Preprocessed, SourceFile, Span, directive_words, directives, pragmas_of, read_pragma, tokens,
};

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
    /// Where the texts of the program's other files begin in `text`, which follow that of the file.
    pub(super) sections: Vec<usize>,
    /// The stencil pragmas of the user's file, in parts that are compiled or not.
    pub marks: Vec<Pragma>,
    /// OpenMP's directives in `text`, blanked there: offset and first word of the construct.
    pub constructs: Vec<(usize, String)>,
    /// Places in `text` where `int` stands for a type name.
    pub plain_types: BTreeMap<usize, String>,
    /// Offsets of attributes that change the type they stand at.
    pub type_attributes: BTreeSet<usize>,
    /// Sizes of `extent` clauses, which are appended to `text`: pragma, array, ranges of the sizes in `text`.
    pub extents: Vec<(usize, String, Vec<Range<usize>>)>,
    /// Text that was put in later: before which offset of the text as it was before, and how many bytes; in order.
    pub(super) inserted: Vec<(usize, usize)>,
    /// In a step that is being read, the statements that follow what the host does within it; that itself is blanked.
    pub(super) gaps: Vec<usize>,
    /// The ways through the function around such a step.
    pub(super) ways: Option<Ways>,
    /// What integers are taken to hold in the nest that is being read.
    pub(super) held: Held,
    /// What else they might be taken to hold, so that it is known how often its loops run.
    pub(super) wanted: Rc<RefCell<Wanted>>,
    /// The variables `name` for which `&name` or `&name.member` stands anywhere.
    addressed: OnceCell<BTreeSet<String>>,
}

impl<'s> Unit<'s> {
    /// Prepares the preprocessed text of `source`.
    pub fn new(source: &'s SourceFile, preprocessed: &'s Preprocessed) -> Self {
        let mut text = preprocessed.text().as_bytes().to_vec();
        let own = text.len();
        let mut sections = Vec::new();
        for other in preprocessed.beside() {
            text.push(b'\n');
            sections.push(text.len());
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
        let constructs = directives.iter().filter_map(|directive| {
            let words: Vec<&[u8]> = directive_words(&text, *directive).collect();
            let [b"pragma", b"omp", construct, ..] = words[..] else { return None };
            Some((directive.start, String::from_utf8_lossy(construct).into_owned()))
        });
        let constructs = constructs.collect();
        let blanked = found.iter().map(|found| found.lines).chain(directives).collect::<Vec<_>>();
        blanked.into_iter().for_each(|span| blank(&mut text[span.start..span.end]));
        let mut type_attributes = blank_extensions(&mut text);
        let mut words = tokens(&text, Span::new(0, text.len()));
        let is_of_system = |offset: usize| match sections.iter().rposition(|start| *start <= offset) {
            Some(index) => preprocessed.beside()[index].preprocessed.map().is_of_system(offset - sections[index]),
            None => preprocessed.map().is_of_system(offset),
        };
        let clauses: Vec<&str> = pragmas.iter().map(|(_, words)| words.as_str()).collect();
        for gone in blank_unmentioned(&mut text, &mut words, &clauses, is_of_system) {
            type_attributes.retain(|attribute| !gone.contains(attribute));
        }
        let plain_types = write_plain_types(&mut text, &words);
        let text = String::from_utf8(text).expect("blanking keeps UTF-8");
        let marks = pragmas_of(source);
        let extents = Vec::new();
        let mut unit = Self {
            source,
            preprocessed,
            text,
            pragmas,
            sections,
            marks,
            constructs,
            plain_types,
            type_attributes,
            extents,
            inserted: Vec::new(),
            gaps: Vec::new(),
            ways: None,
            held: Held::new(),
            wanted: Rc::default(),
            addressed: OnceCell::new(),
        };
        unit.append_extents();
        unit
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

    /// Parses the text, with parentheses read as C does; `None` if it is too far from C, as in [`Unit::parse_text`].
    pub fn parse(&mut self) -> Option<Tree> {
        loop {
            let tree = self.parse_text()?;
            let misread = find_misread(self, tree.root_node());
            if misread.is_empty() {
                return Some(tree);
            }
            for place in misread {
                self.correct(place);
            }
        }
    }

    /// Writes what was misread so that the grammar cannot read it in the same way again.
    fn correct(&mut self, place: Misread) {
        match place {
            Misread::Value { open, close } => {
                self.text.replace_range(open..open + 1, " ");
                self.text.replace_range(close..close + 1, " ");
            }
            Misread::Type { at } => {
                let name = self.plain_types.remove(&at).expect("a name was replaced here");
                self.text.replace_range(at..at + name.len(), &name);
            }
        }
    }

    /// Parses the text as it is; `None` if it is so far from C that recovery from its errors would take too long.
    pub fn parse_text(&self) -> Option<Tree> {
        let mut parser = Parser::new();
        parser.set_language(&tree_sitter_c::LANGUAGE.into()).ok()?;
        let bytes = self.text.as_bytes();
        let mut reports = 0;
        let mut progress = |_: &ParseState| {
            reports += 1;
            let is_hopeless = reports > REPORTS + bytes.len() / BYTES_A_REPORT;
            if is_hopeless { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let options = ParseOptions::new().progress_callback(&mut progress);
        parser.parse_with_options(&mut |at, _| bytes.get(at..).unwrap_or_default(), None, Some(options))
    }

    /// Where the text begins that stands behind a pragma.
    pub fn start_behind_pragma(&self, index: usize) -> usize {
        let offset = self.pragmas[index].0;
        offset + self.text[offset..].len() - self.text[offset..].trim_start().len()
    }

    /// Whether `&name` stands anywhere in the text, whose tree has this root.
    pub fn takes_address(&self, root: Node, name: &str) -> bool {
        let find = || {
            let mut found = BTreeSet::new();
            walk(root, &mut |node| {
                found.extend(address_of(self, node).map(|place| self.text(addressed(place)).to_owned()));
                true
            });
            found
        };
        self.addressed.get_or_init(find).contains(name)
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
        self.constructs.iter().any(|(at, _)| self.is_above(*at, statement))
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

    /// As [`span`](Self::span) for the text from `start` to `end`.
    pub fn span_between(&self, start: usize, end: usize) -> Span {
        match self.file_at(start) {
            None => self.preprocessed.span(self.source, self.original(start), self.original(end)),
            Some(_) => self.source.span(0, 0),
        }
    }

    /// The other file, and where its text begins, whose text is at `offset`; `None` for the user's own.
    pub fn file_at(&self, offset: usize) -> Option<(&Beside, usize)> {
        let index = self.sections.iter().rposition(|start| *start <= offset)?;
        let other = &self.preprocessed.beside()[index];
        (offset < self.sections[index] + other.preprocessed.text().len()).then_some((other, self.sections[index]))
    }

    /// Where the text of the file is that is at `offset`.
    pub fn section(&self, offset: usize) -> Range<usize> {
        match self.file_at(offset) {
            Some((other, start)) => start..start + other.preprocessed.text().len(),
            None => 0..self.preprocessed.text().len() + self.inserted.iter().map(|(_, length)| length).sum::<usize>(),
        }
    }

    /// Whether an attribute from `start` on, up to and directly behind `end`, changes a type.
    pub fn has_type_attribute(&self, start: usize, end: usize) -> bool {
        let rest = &self.text[end..];
        let end = end + rest.len() - rest.trim_start().len();
        self.type_attributes.range(start..end.max(start)).next().is_some()
    }

    /// Whether the text at `offset` is the user's own: of the file or of a header that is none of the system's.
    pub fn is_own(&self, offset: usize) -> bool {
        let (preprocessed, start) =
            self.file_at(offset).map_or((self.preprocessed, 0), |(it, at)| (&it.preprocessed, at));
        let offset = if start == 0 { self.original(offset) } else { offset - start };
        let Some(place) = preprocessed.map().header_place(preprocessed.text(), offset) else { return true };
        let header = preprocessed.headers().iter().find(|header| header.path.as_os_str() == place.header.as_str());
        header.is_none_or(|header| !header.is_system)
    }
}

/// Head of the function that holds the sizes of `extent` clauses.
const EXTENTS: &str = "\nvoid extents(void) {";

pub fn blank(bytes: &mut [u8]) {
    bytes.iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
}

/// Words of attributes that give a type another size or representation.
const TYPE_ATTRIBUTES: [&[u8]; 6] =
    [b"packed", b"mode", b"vector_size", b"ext_vector_type", b"scalar_storage_order", b"address_space"];

/// Whether the text of an attribute names one of [`TYPE_ATTRIBUTES`].
fn changes_type(attribute: &[u8]) -> bool {
    TYPE_ATTRIBUTES.iter().any(|word| find(attribute, 0, word).is_some())
}

/// Blanks the extensions of GNU headers that the grammar does not know; returns where attributes that
/// change types began.
fn blank_extensions(text: &mut [u8]) -> BTreeSet<usize> {
    let mut type_attributes = standard_attributes(text);
    let mut at = 0;
    while let Some(found) = find(text, at, b"__") {
        let end =
            found + text[found..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
        let is_word_start = found == 0 || !(text[found - 1].is_ascii_alphanumeric() || text[found - 1] == b'_');
        at = end.max(found + 2);
        if !is_word_start {
            continue;
        }
        match &text[found..end] {
            b"__attribute__" | b"__attribute" => {
                at = closing_parenthesis(text, end);
                if changes_type(&text[found..at]) {
                    type_attributes.insert(found);
                }
                blank(&mut text[found..at]);
            }
            b"__extension__" | b"__inline" | b"__inline__" => blank(&mut text[found..end]),
            b"__restrict" | b"__restrict__" | b"__const" | b"__const__" | b"__volatile__" | b"__signed__" => {
                plain_spelling(&mut text[found..end]);
            }
            _ => {}
        }
    }
    type_attributes
}

/// Where attributes in C23's form, `[[gnu::packed]]`, that change types begin.
fn standard_attributes(text: &[u8]) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let mut at = 0;
    while let Some(start) = find(text, at, b"[[") {
        at = find(text, start, b"]]").unwrap_or(text.len());
        if changes_type(&text[start..at]) {
            found.insert(start);
        }
        at = at.max(start + 2);
    }
    found
}

/// Turns `__word__` into `word`, filled up with spaces.
fn plain_spelling(word: &mut [u8]) {
    let plain: Vec<u8> = word.iter().copied().filter(|byte| *byte != b'_').collect();
    blank(word);
    word[..plain.len()].copy_from_slice(&plain);
}

fn find(text: &[u8], from: usize, needle: &[u8]) -> Option<usize> {
    memchr::memmem::find(&text[from..], needle).map(|at| from + at)
}

/// The place behind the parenthesis that closes the next one.
fn closing_parenthesis(text: &[u8], from: usize) -> usize {
    let mut depth = 0;
    for (step, byte) in text[from..].iter().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' if depth <= 1 => return from + step + 1,
            b')' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

/// The named children of `node` without comments.
pub fn children<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|child| child.kind() != "comment").collect()
}

/// The children of `node` in the field `name`.
pub fn fields<'t>(node: Node<'t>, name: &str) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.children_by_field_name(name, &mut cursor).collect()
}

/// The function declarator next to the name that `declarator` declares: `f(void)` of `int (*f(void))(int)`.
pub fn innermost_function(declarator: Node) -> Option<Node> {
    let mut found = None;
    let mut here = Some(declarator);
    while let Some(node) = here {
        if node.kind() == "function_declarator" {
            found = Some(node);
        }
        here = inner_declarator(node);
    }
    found
}

/// The identifier that `declarator` declares.
pub fn declared_identifier(declarator: Node) -> Option<Node> {
    let mut here = declarator;
    while let Some(inner) = inner_declarator(here) {
        here = inner;
    }
    matches!(here.kind(), "identifier" | "type_identifier").then_some(here)
}

/// The declarator within another.
fn inner_declarator(node: Node) -> Option<Node> {
    let is_around = matches!(node.kind(), "parenthesized_declarator" | "attributed_declarator");
    let first = || children(node).into_iter().find(|child| child.kind() != "ms_call_modifier");
    node.child_by_field_name("declarator").or_else(|| is_around.then(first)?)
}

/// `node` without parentheses around it.
pub fn strip_parentheses(mut node: Node) -> Node {
    while node.kind() == "parenthesized_expression" {
        match node.named_child(0) {
            Some(inner) => node = inner,
            None => return node,
        }
    }
    node
}

/// What an expression assigns or counts.
pub fn assigned(expression: Node) -> Option<Node> {
    let place = match expression.kind() {
        "assignment_expression" => expression.child_by_field_name("left"),
        "update_expression" => expression.child_by_field_name("argument"),
        _ => None,
    };
    place.map(strip_parentheses)
}

/// The element that an expression assigns or counts, or a member of which it does.
pub fn assigned_element(expression: Node) -> Option<Node> {
    let mut place = assigned(expression)?;
    while place.kind() == "field_expression" {
        place = strip_parentheses(place.child_by_field_name("argument")?);
    }
    matches!(place.kind(), "subscript_expression" | "pointer_expression").then_some(place)
}

/// Whether code stores such an element.
pub fn stores(code: Node, is_such: impl Fn(Node) -> bool) -> bool {
    let mut found = false;
    walk(code, &mut |node| {
        found |= assigned_element(node).is_some_and(&is_such);
        !found
    });
    found
}

/// The variable that an expression assigns or counts.
pub fn target(expression: Node) -> Option<Node> {
    assigned(expression).filter(|place| place.kind() == "identifier")
}

/// The place whose address an expression is, if it is `&place`.
pub fn address_of<'t>(unit: &Unit, expression: Node<'t>) -> Option<Node<'t>> {
    if expression.kind() != "pointer_expression" {
        return None;
    }
    let operator = expression.child_by_field_name("operator")?;
    expression.child_by_field_name("argument").filter(|_| unit.text(operator) == "&").map(strip_parentheses)
}

/// Whether the identifier `name` stands anywhere in `node`.
pub fn mentions(unit: &Unit, node: Node, name: &str) -> bool {
    let mut found = false;
    walk(node, &mut |inner| {
        found |= inner.kind() == "identifier" && unit.text(inner) == name;
        !found
    });
    found
}

/// The parameters in the declarator of a function.
pub fn parameter_list(declarator: Node) -> Option<Node> {
    innermost_function(declarator)?.child_by_field_name("parameters")
}

/// The variable whose address `&place` leads to: `s` for a place `s.m.n`.
pub fn addressed(place: Node) -> Node {
    let mut here = strip_parentheses(place);
    while here.kind() == "field_expression"
        && let Some(inner) = here.child_by_field_name("argument")
    {
        here = strip_parentheses(inner);
    }
    here
}

/// The nodes around one, innermost first. Nodes do not know their parents: each search for one begins at the root.
pub fn ancestors<'t>(root: Node<'t>, node: Node<'t>) -> Vec<Node<'t>> {
    let step = |here: &Node<'t>| here.child_with_descendant(node).filter(|below| *below != node);
    let mut ancestors: Vec<_> = std::iter::successors(Some(root).filter(|root| *root != node), step).collect();
    ancestors.reverse();
    ancestors
}

/// The first node from `root` down that begins at `start` and is what is looked for.
pub fn node_at<'t>(root: Node<'t>, start: usize, is_it: impl Fn(Node<'t>) -> bool) -> Option<Node<'t>> {
    let mut found = None;
    walk(root, &mut |node| {
        if node.start_byte() == start && is_it(node) {
            found = found.or(Some(node));
        }
        node.end_byte() > start && node.start_byte() <= start && found.is_none()
    });
    found
}

/// The definitions of functions below `root`, those within functions left out.
pub fn function_definitions(root: Node) -> Vec<Node> {
    let mut found = Vec::new();
    walk(root, &mut |node| {
        if node.kind() == "function_definition" {
            found.push(node);
        }
        matches!(node.kind(), "translation_unit" | "linkage_specification" | "declaration_list")
    });
    found
}

/// Calls `visit` for `node` and all named nodes below it but comments, parents first, as long as it returns true for the parent.
pub fn walk<'t>(node: Node<'t>, visit: &mut impl FnMut(Node<'t>) -> bool) {
    let mut cursor = node.walk();
    loop {
        let here = cursor.node();
        let is_met = here == node || here.is_named() && here.kind() != "comment";
        if is_met && visit(here) && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
        }
    }
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
