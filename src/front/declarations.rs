//! What each name means at a nest: types, constants and variables in scope before it.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use tree_sitter::Node;

use super::file_names::FileNames;
use super::numbers::Constant;
use super::plain_types::is_name;
use super::symbols::{Symbol, Variable};
use super::tree::{Shared, Unit, children, children_within, fields, nodes_in, parameter_list, walk};
use super::types::{COMPLEX, CType, base_type, declared, words};
use crate::ir::ScalarType;

/// The names visible at one place.
#[derive(Clone, Debug, Default)]
pub struct Scope<'t> {
    /// Those of the file, each of them visible from where it is declared on.
    file: Rc<FileNames<'t>>,
    /// What is declared before this offset is visible.
    place: usize,
    /// Those of functions and blocks.
    names: HashMap<String, Symbol<'t>>,
    /// Constant lengths of arrays, by where they stand: what a name meant there, it need not mean elsewhere.
    lengths: HashMap<usize, Constant>,
    hidden: Vec<(String, Option<Symbol<'t>>)>,
    /// First declarators of what has linkage: all declarations of such a name are of one variable.
    linked: HashMap<String, usize>,
    /// Names of types that an attribute aligns.
    aligned: HashSet<String>,
    /// The types of members of structures, by where their declarators stand.
    members: HashMap<usize, CType<'t>>,
}

impl<'t> Scope<'t> {
    /// The names visible at a place within `ancestors`, innermost first.
    pub fn at(unit: &Unit, ancestors: &[Node<'t>], place: usize) -> Self {
        let file = ancestors.last().map(|root| names_of_file(unit, *root, place));
        Self::within(Rc::new(file.unwrap_or_default()), unit, ancestors, place)
    }

    /// The same where those of the file are known.
    pub fn within(file: Rc<FileNames<'t>>, unit: &Unit, ancestors: &[Node<'t>], place: usize) -> Self {
        let mut scope = Self { file, place, ..Self::default() };
        let mut is_global = true;
        for ancestor in ancestors.iter().rev().skip(1) {
            scope.declare_own(unit, *ancestor);
            if ancestor.kind() == "function_definition" {
                scope.declare(unit, *ancestor, is_global, false);
                is_global = false;
                scope.declare_parameters(unit, *ancestor);
                continue;
            }
            for child in children(*ancestor).into_iter().take_while(|child| child.end_byte() <= place) {
                scope.declare(unit, child, is_global, false);
            }
        }
        scope.hidden.clear();
        scope
    }

    /// The names of the file.
    pub fn file(&self) -> &Rc<FileNames<'t>> {
        &self.file
    }

    /// Makes the parameters of `definition`, whose body these names are seen from, variables of the nest that calls it.
    pub fn take_inside(&mut self, definition: Node<'t>) {
        let range = definition.byte_range();
        for symbol in self.names.values_mut() {
            if let Symbol::Variable(variable) = symbol {
                variable.is_inside |= range.contains(&variable.declared_at) && !variable.is_static;
            }
        }
    }

    /// The variables that a file, whose names these are, shares with others, and where it declares them first.
    pub fn shared(&self) -> impl Iterator<Item = (&str, usize)> {
        let all = self.names.iter().map(|(name, symbol)| (name.as_str(), symbol));
        all.chain(self.file.visible(self.place)).filter_map(|(name, symbol)| Some((name, symbol.shared()?)))
    }

    /// Takes the variables of functions and blocks that files share for those that are declared first.
    pub fn share(&mut self, first_declared: &Shared) {
        self.names.iter_mut().for_each(|(name, symbol)| symbol.share(first_declared.get(name).copied()));
    }

    /// What `name` stands for.
    pub fn get(&self, name: &str) -> Option<&Symbol<'t>> {
        self.names.get(name).or_else(|| self.file.get(name, self.place))
    }

    /// The variable `name`.
    pub fn variable(&self, name: &str) -> Option<&Variable<'t>> {
        match self.get(name) {
            Some(Symbol::Variable(variable)) => Some(variable),
            _ => None,
        }
    }

    /// A mark to which [`Scope::leave`] goes back.
    pub fn enter(&self) -> usize {
        self.hidden.len()
    }

    /// Forgets what was declared since `mark` and returns the variables among it, by their names.
    pub fn leave(&mut self, mark: usize) -> Vec<(String, Variable<'t>)> {
        let mut left = Vec::new();
        while self.hidden.len() > mark {
            if let Some((name, before)) = self.hidden.pop() {
                let symbol = match before {
                    Some(symbol) => self.names.insert(name.clone(), symbol),
                    None => self.names.remove(&name),
                };
                if let Some(Symbol::Variable(variable)) = symbol {
                    left.push((name, variable));
                }
            }
        }
        left
    }

    /// Whether the type that a declaration names is one that an attribute aligns.
    pub fn has_aligned_type(&self, unit: &Unit, declaration: Node) -> bool {
        let Some(specifier) = declaration.child_by_field_name("type") else { return false };
        let name = unit.plain_types.get(&specifier.start_byte()).map_or(unit.text(specifier), String::as_str);
        self.aligned.contains(name) || self.file.aligned.contains(name)
    }

    /// Lets `name` stand for `symbol` from here on.
    pub fn insert(&mut self, name: String, symbol: Symbol<'t>) {
        let before = self.names.insert(name.clone(), symbol);
        self.hidden.push((name, before));
    }

    /// The length of an array, of the type that its expression has; `None` if it is no constant.
    pub fn array_length(&self, unit: &Unit, size: Node<'t>) -> Option<Constant> {
        let at = size.start_byte();
        let known = self.lengths.get(&at).or_else(|| self.file.lengths.get(&at));
        known.copied().or_else(|| self.typed_constant(unit, size))
    }

    /// Keeps the types that the members of a structure have here.
    pub fn note_members(&mut self, unit: &Unit, specifier: Node<'t>) {
        let body = specifier.child_by_field_name("body").map(children).unwrap_or_default();
        for declaration in body.into_iter().filter(|it| it.kind() == "field_declaration") {
            for declarator in fields(declaration, "declarator") {
                let ty = declared(unit, declarator, base_type(unit, self, declaration)).1;
                self.note_lengths(unit, &ty);
                self.members.insert(declarator.start_byte(), ty);
            }
        }
    }

    /// The type of a member, if the structure is described in this scope.
    pub fn member_type(&self, declarator: Node) -> Option<&CType<'t>> {
        let at = declarator.start_byte();
        self.members.get(&at).or_else(|| self.file.members.get(&at).filter(|_| at < self.place))
    }

    /// Keeps the constant lengths in a type that is declared here.
    fn note_lengths(&mut self, unit: &Unit, ty: &CType<'t>) {
        match ty {
            CType::Array(inner, size) => {
                if let Some((size, length)) = size.and_then(|size| Some((size, self.array_length(unit, size)?))) {
                    self.lengths.insert(size.start_byte(), length);
                }
                self.note_lengths(unit, inner);
            }
            CType::Pointer(inner) => self.note_lengths(unit, inner),
            _ => {}
        }
    }

    /// Declares the variables of which each thread has one of its own within a statement.
    fn declare_own(&mut self, unit: &Unit, statement: Node<'t>) {
        for own in unit.own_of_threads(statement) {
            if let Some(variable) = self.variable(&own.name).map(|it| it.own_of_thread(own.made_at, false)) {
                self.insert(own.name, Symbol::Variable(variable));
            }
        }
    }

    fn declare_parameters(&mut self, unit: &Unit, definition: Node<'t>) {
        let list = definition.child_by_field_name("declarator").and_then(parameter_list);
        for parameter in list.map(children).unwrap_or_default() {
            self.declare_tags(unit, parameter);
            // In the old style the list has names alone; one without a declaration is an `int`.
            if parameter.kind() == "identifier" {
                let variable = Variable::new(CType::Scalar(ScalarType::I32), parameter);
                self.insert(unit.text(parameter).to_owned(), Symbol::Variable(variable));
                continue;
            }
            if let Some(declarator) = parameter.child_by_field_name("declarator") {
                self.declare_parameter(unit, parameter, declarator);
            }
        }
        if let Some(list) = list.filter(Node::has_error) {
            self.declare_unknown(unit, list, false);
        }
        for declaration in children(definition).into_iter().filter(|child| child.kind() == "declaration") {
            self.declare_tags(unit, declaration);
            for declarator in fields(declaration, "declarator") {
                self.declare_parameter(unit, declaration, declarator);
            }
        }
    }

    fn declare_parameter(&mut self, unit: &Unit, parameter: Node<'t>, declarator: Node<'t>) {
        let base = base_type(unit, self, parameter);
        let (name, ty) = declared(unit, declarator, base);
        self.note_lengths(unit, &ty);
        let is_volatile = is_volatile(unit, parameter, declarator);
        let variable = Variable { is_volatile, ..Variable::new(ty.decayed(), declarator) };
        self.insert(name, Symbol::Variable(variable));
    }

    /// Declares what `node` declares, if it is a declaration.
    pub fn declare(&mut self, unit: &Unit, node: Node<'t>, is_global: bool, is_inside: bool) {
        match node.kind() {
            "declaration" => self.declare_variables(unit, node, is_global, is_inside),
            "type_definition" => self.declare_types(unit, node),
            "function_definition" => self.declare_function(unit, node),
            "enum_specifier" | "struct_specifier" | "union_specifier" => self.declare_tags(unit, node),
            // The declarations behind an earlier `case` or label belong to the block around it.
            "linkage_specification" | "declaration_list" | "case_statement" | "labeled_statement" => {
                children(node).into_iter().for_each(|child| self.declare(unit, child, is_global, is_inside));
            }
            _ => {}
        }
        if node.has_error() && node.kind() != "function_definition" {
            self.declare_unknown(unit, node, is_global);
        }
    }

    fn declare_types(&mut self, unit: &Unit, node: Node<'t>) {
        self.declare_tags(unit, node);
        let base = base_type(unit, self, node);
        for declarator in fields(node, "declarator") {
            let (name, ty) = declared(unit, declarator, base.clone());
            self.note_lengths(unit, &ty);
            let is_volatile = is_volatile(unit, node, declarator);
            let ty = if is_volatile { CType::Other(format!("volatile {name}")) } else { ty };
            if unit.has_alignment(node.start_byte(), node.end_byte()) || self.has_aligned_type(unit, node) {
                self.aligned.insert(name.clone());
            }
            self.insert(name, Symbol::Type(ty));
        }
    }

    fn declare_function(&mut self, unit: &Unit, definition: Node<'t>) {
        let Some(declarator) = definition.child_by_field_name("declarator") else { return };
        if let Some(ty) = definition.child_by_field_name("type") {
            self.declare_tags(unit, ty);
        }
        let (name, ty) = declared(unit, declarator, base_type(unit, self, definition));
        let variable = Variable { is_static: true, ..Variable::new(ty, declarator) };
        self.insert(name, Symbol::Variable(variable));
    }

    fn declare_variables(&mut self, unit: &Unit, node: Node<'t>, is_global: bool, is_inside: bool) {
        self.declare_tags(unit, node);
        for declarator in fields(node, "declarator") {
            self.declare_variable(unit, node, declarator, is_global, is_inside);
        }
    }

    /// Declares what `declarator`, one of those in the declaration `node`, declares.
    pub fn declare_variable(
        &mut self,
        unit: &Unit,
        node: Node<'t>,
        declarator: Node<'t>,
        is_global: bool,
        is_inside: bool,
    ) {
        let (name, ty) = declared(unit, declarator, base_type(unit, self, node));
        if name.is_empty() {
            return self.declare_implicit(unit, node);
        }
        self.note_lengths(unit, &ty);
        let is_storage = |word| has_word(unit, node, "storage_class_specifier", word);
        let is_static = is_global || is_storage("static") || is_storage("extern");
        let is_volatile = is_volatile(unit, node, declarator);
        let integer = match ty {
            CType::Scalar(ty) if ty.is_integer() => Some(ty),
            _ => None,
        };
        let initialiser = declarator.child_by_field_name("value").filter(|_| integer.is_some());
        let is_const = has_word(unit, node, "type_qualifier", "const") && !is_volatile;
        let value = initialiser.filter(|_| is_const);
        let constant = value.and_then(|value| self.typed_constant(unit, value)?.converted(integer?));
        let is_internal = is_storage("static");
        let mut variable = Variable {
            is_static,
            is_internal,
            is_volatile,
            is_inside,
            constant,
            initialiser,
            ..Variable::new(ty, declarator)
        };
        if is_global || is_storage("extern") {
            let of_file = self.file.linked.get(&name).copied().filter(|first| *first < self.place);
            let first = of_file.unwrap_or(variable.declared_at);
            variable.first_declared_at = *self.linked.entry(name.clone()).or_insert(first);
        }
        self.insert(name, Symbol::Variable(variable));
    }

    /// `static n;` or `auto x = 1.5;`: the grammar takes the name for the type that is not written.
    fn declare_implicit(&mut self, unit: &Unit, node: Node<'t>) {
        let name = node.child_by_field_name("type").filter(|name| name.kind() == "type_identifier");
        if let Some(name) = name {
            let variable = Variable::unusable("a type that its declaration does not say", node);
            self.insert(unit.text(name).to_owned(), Symbol::Variable(variable));
        }
    }

    /// Names in what the grammar does not understand may be declared there; headers of the system declare none that a
    /// nest uses in such places.
    fn declare_unknown(&mut self, unit: &Unit, node: Node<'t>, is_global: bool) {
        let is_declaration = matches!(
            node.kind(),
            "declaration" | "type_definition" | "expression_statement" | "parameter_list" | "ERROR"
        );
        if !is_declaration || is_global && !unit.is_own(node.start_byte()) {
            return;
        }
        let is_complex = words(&unit.text[node.byte_range()]).any(|word| word == "_Complex" || word == "__complex__");
        let ty = if is_complex { COMPLEX } else { "a type that is not understood" };
        let mut wrong = Vec::new();
        walk(node, &mut |inner| {
            if inner.is_error() {
                wrong.push(inner);
            }
            !inner.is_error()
        });
        for error in wrong {
            // In `_Complex double *buffer` the grammar takes the word of the language for a name.
            let is_it = |inner: &Node| inner.kind() == "identifier" && is_name(unit.text(*inner).as_bytes());
            for inner in nodes_in(error).filter(is_it) {
                let variable = Variable::unusable(ty, inner);
                self.insert(unit.text(inner).to_owned(), Symbol::Variable(variable));
            }
        }
    }
}

/// The names of the file, below `root`, in which a place is.
pub fn names_of_file<'t>(unit: &Unit, root: Node<'t>, place: usize) -> FileNames<'t> {
    let (mut scope, mut file) = (Scope::default(), FileNames::default());
    for child in children_within(root, unit.section(place)) {
        scope.declare(unit, child, true, false);
        for (name, _) in scope.hidden.drain(..) {
            if let Some(symbol) = scope.names.get(&name) {
                file.insert(name, child.end_byte(), symbol.clone());
            }
        }
    }
    (file.lengths, file.linked) = (scope.lengths, scope.linked);
    (file.aligned, file.members) = (scope.aligned, scope.members);
    file
}

/// Whether what `declarator` declares in `node`, or something it leads to, is `volatile`.
fn is_volatile(unit: &Unit, node: Node, declarator: Node) -> bool {
    let end = declarator.child_by_field_name("value").map_or(declarator.end_byte(), |value| value.start_byte());
    let says = |start, end| words(&unit.text[start..end]).any(|word| word == "volatile");
    has_word(unit, node, "type_qualifier", "volatile") || says(declarator.start_byte(), end)
}

/// Whether a declaration or a definition has a child of `kind` that reads `word`, before what it declares.
pub fn has_word(unit: &Unit, node: Node, kind: &str, word: &str) -> bool {
    let mut cursor = node.walk();
    let declares = |child: &Node| child.kind() == "identifier" || child.kind().ends_with("declarator");
    let mut said = node.named_children(&mut cursor).take_while(|child| !declares(child));
    said.any(|child| child.kind() == kind && unit.text(child) == word)
}
