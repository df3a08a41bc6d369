//! Whether the text of a function of another file means in the file of the nest what it means there: all that it mentions and does not
//! declare itself must be declared in both files, and be the same.
//!
//! What has linkage is the same by its name. Of a type, an enumeration, or what is `static` in a header that both include, each file
//! has its own: these are the same if they are declared with the same words, which again mean the same. What the file of the nest
//! does not declare at all it can be given.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use tree_sitter::Node;

use super::copying::{Level, Marks, copied};
use crate::front::declarations::has_word;
use crate::front::qualifiers::Qualifiers;
use crate::front::tree::{Unit, children, declared_identifier, defined_name, fields, nodes_in, parameter_list};
use crate::source::Span;

/// A name of a file: tags are apart from other names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Name<'u> {
    is_tag: bool,
    name: &'u str,
}

/// A declaration of the other file that the file of the nest lacks.
#[derive(Clone, Copy)]
pub struct Lacking<'u, 't> {
    declaration: Node<'t>,
    /// The name of what has linkage, of which the declaration need say no more than its type.
    name: Option<&'u str>,
    /// Whether the file of the nest knows the name, as far as its own headers go.
    is_known: bool,
}

/// What two files of the program declare.
pub struct Meanings<'u, 's, 't> {
    unit: &'u Unit<'s>,
    /// Where each name of the file of the nest is declared before the function of the nest,
    here: Names<'u, 't>,
    /// in all of that file,
    anywhere_here: Names<'u, 't>,
    /// and in the other file.
    there: Names<'u, 't>,
    /// The names that have been asked for: what is asked for again meanwhile is the same if all else is.
    asked: BTreeSet<Name<'u>>,
    lacking: Vec<Lacking<'u, 't>>,
}

/// Declarations outside of functions, by the names that they declare.
type Names<'u, 't> = HashMap<Name<'u>, Vec<Node<'t>>>;

impl<'u, 's, 't> Meanings<'u, 's, 't> {
    /// Of what the file of the nest, whose function is `caller`, declares before that, and of what the file declares whose text
    /// `there` is.
    pub fn new(unit: &'u Unit<'s>, root: Node<'t>, caller: Node<'t>, there: Range<usize>) -> Self {
        let file = unit.section(caller.start_byte());
        let here = names_in(unit, root, file.start..caller.start_byte());
        let anywhere_here = names_in(unit, root, file);
        let there = names_in(unit, root, there);
        Self { unit, here, anywhere_here, there, asked: BTreeSet::new(), lacking: Vec::new() }
    }

    /// The declarations that the file of the nest needs so that all that a function of the other file mentions is the same here, in
    /// order; `None` if something is another thing here, or can have no declaration here.
    pub fn lacking_for(mut self, function: Node<'t>) -> Option<Vec<Lacking<'u, 't>>> {
        let are_same = self.are_same_in(function);
        self.lacking.sort_unstable_by_key(|it| (it.declaration.start_byte(), it.name));
        self.lacking.dedup_by_key(|it| (it.declaration.start_byte(), it.name));
        are_same.then_some(self.lacking)
    }

    /// Whether all that a declaration or definition of the other file mentions is the same here.
    fn are_same_in(&mut self, node: Node<'t>) -> bool {
        let parameters = node.child_by_field_name("declarator").and_then(parameter_list).map(children);
        let parameters = parameters.into_iter().flatten().flat_map(|it| names_of(self.unit, it)).collect::<Vec<_>>();
        let declared: BTreeSet<Name> = nodes_in(node).flat_map(|it| names_of(self.unit, it)).collect();
        // Before its declaration in a block, a name may be the file's.
        let is_own = |there: &Names, name: &Name<'u>| {
            parameters.contains(name) || declared.contains(name) && !there.contains_key(name)
        };
        let mentioned: BTreeSet<Name> = mentioned(self.unit, node).filter(|name| !is_own(&self.there, name)).collect();
        mentioned.into_iter().all(|name| self.is_same(name))
    }

    fn is_same(&mut self, name: Name<'u>) -> bool {
        if !self.asked.insert(name) {
            return true;
        }
        let all = |names: &Names<'u, 't>| names.get(&name).cloned().unwrap_or_default();
        let (here, there) = (all(&self.here), all(&self.there));
        if there.is_empty() {
            // A structure of which nothing is known there, or what compilers bring along.
            return name.is_tag || here.is_empty() && name.name.starts_with("__builtin_");
        }
        if here.is_empty() {
            return self.can_be_declared(name, &there);
        }
        self.note_header(&here, &there);
        if here.iter().chain(&there).all(|it| has_linkage(self.unit, *it, name)) {
            return true;
        }
        let words = |it: &Node<'t>| self.unit.text(*it).split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let (mut ours, theirs): (Vec<_>, Vec<_>) =
            (here.iter().map(words).collect(), there.iter().map(words).collect());
        ours.retain(|it| theirs.contains(it));
        let is_told = ours.len() == here.len() && ours.len() == theirs.len();
        is_told && there.iter().all(|it| is_unchanging(self.unit, *it) && self.are_same_in(*it))
    }

    /// Notes a header of the system that the other file includes for a name, and the file of the nest does not: another header may declare
    /// that only if a compiler is asked for more than the language.
    fn note_header(&mut self, here: &[Node<'t>], there: &[Node<'t>]) {
        let header = |it: &Node<'t>| self.unit.system_header_at(it.start_byte());
        let Some((first, theirs)) = there.iter().find_map(|it| Some((*it, header(it)?))) else { return };
        if !here.iter().any(|it| header(it).as_ref() == Some(&theirs)) {
            self.lacking.push(Lacking { declaration: first, name: None, is_known: true });
        }
    }

    /// Whether a name of which the file of the nest knows nothing can be declared there as the other file declares it; then it lacks
    /// these declarations.
    fn can_be_declared(&mut self, name: Name<'u>, there: &[Node<'t>]) -> bool {
        if self.anywhere_here.contains_key(&name) {
            return false;
        }
        if let Some(first) = there.iter().find(|it| has_linkage(self.unit, **it, name)) {
            let all_do = there.iter().all(|it| has_linkage(self.unit, *it, name));
            self.lacking.push(Lacking { declaration: *first, name: Some(name.name), is_known: false });
            return all_do && self.are_same_in_head(*first);
        }
        let is_plain = |it: &Node| {
            let unit = self.unit;
            let has_attributes = unit.has_alignment(it.start_byte(), it.end_byte())
                || unit.has_type_attribute(it.start_byte(), it.end_byte())
                || unit.packing.is_packed(it.end_byte());
            !has_attributes && is_unchanging(unit, *it)
        };
        let are_plain = there.iter().all(is_plain);
        self.lacking.extend(there.iter().map(|it| Lacking { declaration: *it, name: None, is_known: false }));
        are_plain && there.iter().all(|it| self.are_same_in(*it))
    }

    /// As [`are_same_in`](Self::are_same_in) for what is declared, without the body of a function and the values of variables.
    fn are_same_in_head(&mut self, node: Node<'t>) -> bool {
        let parts = [node.child_by_field_name("type")].into_iter().flatten();
        let parts = parts.chain(fields(node, "declarator").into_iter().map(without_value));
        parts.collect::<Vec<_>>().into_iter().all(|it| self.are_same_in(it))
    }
}

/// The declarations as they can stand in the file of the nest, behind the preprocessor; `None` if one cannot be said. On lines of their
/// own there are names of headers in the place of those of the system.
pub fn text_of(unit: &Unit, lacking: &[Lacking], level: Level) -> Option<Vec<String>> {
    let header = |it: &Lacking| {
        let header = (level == Level::Lines).then(|| unit.system_header_at(it.declaration.start_byte()))?;
        header.map(|header| format!("#include {header}"))
    };
    let headers: BTreeSet<String> = lacking.iter().filter_map(header).collect();
    let others = lacking.iter().filter(|it| !it.is_known && header(it).is_none()).map(|it| it.text(unit, level));
    headers.into_iter().map(Some).chain(others).collect()
}

impl Lacking<'_, '_> {
    fn text(&self, unit: &Unit, level: Level) -> Option<String> {
        let lines: Option<(&[u8], &[u8])> = (level == Level::Lines).then_some((b"", b""));
        let text = |range: Range<usize>| {
            let (bytes, span) = match level {
                Level::Preprocessed => (unit.text.as_bytes(), Span::new(range.start, range.end)),
                Level::Lines | Level::Line => unit.preprocessed_at(range),
            };
            copied(bytes, span, (&BTreeMap::new(), &Marks::default()), lines)
        };
        let (declaration, start) = (self.declaration, self.declaration.start_byte());
        let declarators = fields(declaration, "declarator");
        let Some(name) = self.name else {
            let whole = text(declaration.byte_range())?;
            let is_ended = whole.ends_with(';') || declaration.kind() == "function_definition";
            return Some(if is_ended { whole } else { format!("{whole};") });
        };
        let declares_it = |it: &Node| declared_identifier(*it).is_some_and(|it| unit.text(it) == name);
        let (first, declared) = (declarators.first()?, declarators.iter().find(|it| declares_it(it))?);
        let has_old_parameters = children(declaration).iter().any(|it| it.kind() == "declaration");
        let ty = text(start..first.start_byte())?;
        let ty = ty.strip_prefix("extern").map_or(ty.as_str(), str::trim_start);
        let declared = text(without_value(*declared).byte_range())?;
        (!has_old_parameters).then(|| format!("extern {ty} {declared};"))
    }
}

/// What a declarator declares, without its value.
fn without_value(declarator: Node) -> Node {
    let is_initialised = declarator.kind() == "init_declarator";
    declarator.child_by_field_name("declarator").filter(|_| is_initialised).unwrap_or(declarator)
}

/// Whether a declaration makes a name stand for one thing in all files.
fn has_linkage(unit: &Unit, declaration: Node, name: Name) -> bool {
    let is_static = has_word(unit, declaration, "storage_class_specifier", "static");
    let is_inline = has_word(unit, declaration, "storage_class_specifier", "inline");
    let declares = || {
        let names = fields(declaration, "declarator").into_iter().filter_map(declared_identifier);
        names.map(|it| unit.text(it)).any(|it| it == name.name)
    };
    let is_such = matches!(declaration.kind(), "declaration" | "function_definition");
    !name.is_tag && is_such && !is_static && !is_inline && declares()
}

/// Whether what a declaration declares holds the same in each file at any time: types, functions, and what is `const`.
fn is_unchanging(unit: &Unit, declaration: Node) -> bool {
    let is_function = |it: &Node| nodes_in(*it).any(|it| it.kind() == "function_declarator");
    let is_const = |it: &Node| Qualifiers::of(unit, declaration, *it).is_const;
    let is_static = |it: &Node| has_word(unit, *it, "storage_class_specifier", "static");
    match declaration.kind() {
        "declaration" => fields(declaration, "declarator").iter().all(|it| is_function(it) || is_const(it)),
        "function_definition" => !nodes_in(declaration).any(|it| it.kind() == "declaration" && is_static(&it)),
        _ => true,
    }
}

/// The declarations outside of functions in a part of the text.
fn names_in<'u, 't>(unit: &'u Unit, root: Node<'t>, range: Range<usize>) -> Names<'u, 't> {
    let mut found = Names::new();
    let is_in = |it: &Node<'t>| range.start <= it.start_byte() && it.end_byte() <= range.end;
    let mut note = |declaration: Node<'t>, name| {
        let places = found.entry(name).or_default();
        if !places.contains(&declaration) {
            places.push(declaration);
        }
    };
    for declaration in children(root).into_iter().filter(is_in) {
        match declaration.kind() {
            "function_definition" => {
                let name = defined_name(unit, declaration);
                name.into_iter().for_each(|name| note(declaration, Name { is_tag: false, name }));
            }
            _ => {
                let parts = nodes_in(declaration).filter(|it| it.kind() != "parameter_declaration");
                parts.flat_map(|it| names_of(unit, it)).for_each(|name| note(declaration, name));
            }
        }
    }
    found
}

/// The names that a node itself declares.
fn names_of<'u>(unit: &'u Unit, node: Node) -> Vec<Name<'u>> {
    let text = |it: Node| &unit.text[it.byte_range()];
    let plain = |it: Node| Name { is_tag: false, name: text(it) };
    match node.kind() {
        "declaration" | "parameter_declaration" | "type_definition" => {
            fields(node, "declarator").into_iter().filter_map(declared_identifier).map(plain).collect()
        }
        "function_definition" => {
            defined_name(unit, node).into_iter().map(|name| Name { is_tag: false, name }).collect()
        }
        "enumerator" => node.child_by_field_name("name").into_iter().map(plain).collect(),
        "struct_specifier" | "union_specifier" | "enum_specifier" if node.child_by_field_name("body").is_some() => {
            node.child_by_field_name("name").into_iter().map(|it| Name { is_tag: true, name: text(it) }).collect()
        }
        _ => Vec::new(),
    }
}

/// The names that stand in a node, with those in whose place the unit's text has others.
fn mentioned<'u, 't>(unit: &'u Unit, node: Node<'t>) -> impl Iterator<Item = Name<'u>> {
    let hidden = unit.plain_types.range(node.byte_range()).map(|(_, name)| Name { is_tag: false, name });
    let words = nodes_in(node).filter(|it| matches!(it.kind(), "identifier" | "type_identifier"));
    let words = words.map(|it| {
        let is_tag = it.kind() == "type_identifier" && it.parent().is_some_and(|it| it.kind().ends_with("_specifier"));
        Name { is_tag, name: &unit.text[it.byte_range()] }
    });
    words.chain(hidden)
}
