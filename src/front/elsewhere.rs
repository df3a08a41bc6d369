//! Variables of the program's other files in a nest: whether the host can name them where the nest stands.
//!
//! One that all files share needs only a declaration there. Where the file of the nest has none, the header that the tool writes
//! gets it: `extern int nx;`. One that is `static` in another file has no name here; the copy of that file which the tool writes
//! [lends](ir::Lent) it to the nest.

use std::path::Path;
use std::rc::Rc;

use tree_sitter::Node;

use super::Failable;
use super::declarations::{Scope, has_word};
use super::file_names::FileNames;
use super::reader::Reader;
use super::symbols::Variable;
use super::tree::{Shared, declared_identifier, fields, nodes_in};
use super::types::{CType, base_type};
use crate::ir::{self, Handle, HostValue, Lent};
use crate::source::{directive_words, directives};

impl<'t> Reader<'_, '_, 't> {
    /// What names mean in the file in which a place is. The variables that files share are those of the file of the nest, or of the
    /// first file that has one.
    pub fn names_of_file(&mut self, place: usize) -> Rc<FileNames<'t>> {
        let start = self.unit.section(place).start;
        if let Some(known) = self.functions.names.get(&start) {
            return Rc::clone(known);
        }
        let names = if self.unit.file_at(place).is_some() {
            let shared = self.shared();
            self.file.names_that_share(self.unit, place, (self.function_start(), &shared))
        } else {
            self.file.names(self.unit, place)
        };
        self.functions.names.insert(start, Rc::clone(&names));
        names
    }

    /// Where the variables are declared first that the files of the program share.
    pub fn shared(&mut self) -> Rc<Shared> {
        self.functions.are_of_several_files = true;
        if let Some(shared) = &self.functions.shared {
            return Rc::clone(shared);
        }
        let place = self.function_start();
        let known = self.unit.parsed.borrow().shared(&self.unit.text, place);
        let shared = known.unwrap_or_else(|| {
            let shared = Rc::new(self.find_shared(place));
            self.unit.parsed.borrow_mut().keep_shared(&self.unit.text, place, &shared);
            shared
        });
        self.functions.shared = Some(Rc::clone(&shared));
        shared
    }

    /// What is shared, as it is seen from a place; of another file that is found once for its text.
    fn find_shared(&self, place: usize) -> Shared {
        let Some(root) = self.ancestors.last().copied() else { return Shared::new() };
        let of_file = |place: usize| {
            let scope = Scope::within(self.file.names(self.unit, place), self.unit, &[root], place);
            scope.shared().map(|(name, place)| (name.to_owned(), place)).collect::<Vec<_>>()
        };
        let mut shared = Shared::new();
        for file in self.unit.other_files().into_iter().rev() {
            let text = &self.unit.text[file.clone()];
            let known = self.unit.parsed.borrow().shared_by(text);
            let names = known.unwrap_or_else(|| {
                let mut names = of_file(file.end - 1);
                names.iter_mut().for_each(|(_, place)| *place -= file.start);
                self.unit.parsed.borrow_mut().keep_shared_by(text, names)
            });
            shared.extend(names.iter().map(|(name, place)| (name.clone(), file.start + place)));
        }
        shared.extend(of_file(place));
        shared
    }

    /// Finds the names of the program's files, if functions of several have been read.
    fn find_files(&mut self) {
        let Some(root) = self.ancestors.last().copied().filter(|_| self.functions.are_of_several_files) else { return };
        if self.functions.files.is_empty() {
            let ends = self.unit.other_files().into_iter().rev().map(|file| file.end - 1);
            let places: Vec<usize> = ends.chain([self.function_start()]).collect();
            let file = |place| Scope::within(self.file.names(self.unit, place), self.unit, &[root], place);
            self.functions.files = places.into_iter().map(file).collect();
        }
    }

    /// Whether the variable behind a value can be named where the nest stands.
    pub fn check_is_nameable(&mut self, node: Node<'t>, value: Handle<HostValue>) -> Failable<()> {
        let Some(frame) = self.frames.first() else { return Ok(()) };
        let variable = self.nest.values[value].variable.clone();
        let name = &variable.name;
        let there = frame.caller.variable(name).cloned();
        let is_it = |found: &Variable<'t>| found.identity(self.unit.source.id(), name) == variable;
        if there.as_ref().is_some_and(is_it)
            || there.as_ref().is_some_and(|there| self.is_constant_of_header(name, there))
        {
            return Ok(());
        }
        self.find_files();
        if self.is_declared_for_it(&variable) || self.is_lent(&variable) {
            return Ok(());
        }
        let is_hidden = self.scope.variable(name).is_some_and(|it| it.is_internal);
        let hidden = self.unit.file_at(node.start_byte()).filter(|_| is_hidden).map(|(file, _)| file.path.clone());
        match hidden {
            Some(file) => self.refuse_hidden(node, name, &file),
            None => {
                let message =
                    format!("the function uses a variable `{name}` that cannot be named where the nest stands");
                let help = format!(
                    "declare `{name}` before the function of the nest, and let no other variable there hide it"
                );
                self.refuse(node, "undeclared", message, &help)
            }
        }
    }

    /// Refuses a variable that is `static` in another file, with all others that the function uses.
    fn refuse_hidden<T>(&self, node: Node<'t>, name: &str, file: &Path) -> Failable<T> {
        let others = self.frames.last().map(|frame| self.hidden_in(frame.definition)).unwrap_or_default();
        let others = others.into_iter().filter(|other| *other != name);
        let quoted: Vec<String> = [name].into_iter().chain(others).map(|it| format!("`{it}`")).collect();
        let (variables, all) = match quoted.as_slice() {
            [one] => ("a variable", one.clone()),
            [first @ .., last] => ("variables", format!("{} and {last}", first.join(", "))),
            [] => unreachable!("one has a name"),
        };
        let message = format!("the function uses {variables} {all} that cannot be named where the nest stands");
        let here = if self.frames.iter().any(|frame| frame.caller.get(name).is_some()) || !self.is_free_in_file(name) {
            ", and let nothing in this file have that name"
        } else {
            ""
        };
        let help = format!("take `static` from {all} in {}{here}", file.display());
        self.refuse(node, "undeclared", message, &help)
    }

    /// The names of the file's own variables, hidden from other files, that a function uses: numbers, and what leads to them.
    fn hidden_in(&self, function: Node<'t>) -> Vec<&str> {
        let mut found = Vec::new();
        for node in nodes_in(function).filter(|node| node.kind() == "identifier") {
            let name = self.text(node);
            let is_number = |it: &Variable| matches!(it.ty.element().0, CType::Scalar(_) | CType::Bool);
            let is_constant = |it: &Variable| it.constant.is_some();
            let variable = self.scope.variable(name).filter(|it| it.is_internal && is_number(it) && !is_constant(it));
            if variable.is_some() && !found.contains(&name) {
                found.push(name);
            }
        }
        found
    }

    /// Whether a variable that the nest changes is declared before it.
    ///
    /// # Errors
    /// It is, and cannot be named where the nest stands.
    pub fn outlives(&mut self, node: Node<'t>, variable: Handle<HostValue>) -> Failable<bool> {
        let outlives = self.is_from_outside(variable);
        if outlives {
            self.check_is_nameable(node, variable)?;
        }
        Ok(outlives)
    }

    /// Whether a declaration in the header that the tool writes lets the nest name a variable that other files share; then the
    /// header has it.
    fn is_declared_for_it(&mut self, variable: &ir::Variable) -> bool {
        let declaration = self.declaration_for_header(variable);
        let is_possible = declaration.is_some();
        self.nest.declarations.extend(declaration.map(|it| (variable.name.clone(), it)));
        is_possible
    }

    /// Whether the file of a variable can lend it to the nest; then it does.
    fn is_lent(&mut self, variable: &ir::Variable) -> bool {
        let Some(lent) = self.lent(variable) else { return false };
        self.nest.values.lend(variable.clone(), lent.to_c());
        self.nest.lent.insert(lent);
        true
    }

    /// The variable as the present place declares it, or a file of the program.
    fn declared_somewhere(&self, variable: &ir::Variable) -> Option<&Variable<'t>> {
        let scopes = std::iter::once(&self.scope).chain(&self.functions.files);
        let mut declared = scopes.filter_map(|scope| scope.variable(&variable.name));
        declared.find(|it| it.identity(self.unit.source.id(), &variable.name) == *variable)
    }

    /// How it would, if the variable is one of a file of which the tool writes a copy.
    fn lent(&self, variable: &ir::Variable) -> Option<Lent> {
        let name = &variable.name;
        let here = self.declared_somewhere(variable)?;
        let (beside, _) = self.unit.file_at(here.declared_at)?;
        let declarator = here.declarator.filter(|_| here.is_internal && !here.is_volatile)?;
        let mut around = std::iter::successors(Some(declarator), Node::parent);
        let is_of_file = around.all(|it| it.kind() != "function_definition");
        let stem = beside.lends_as.clone().filter(|_| is_of_file)?;
        let function = format!("(*{}(void))", Lent::function(&stem, name));
        let declaration = self.spelled(&here.ty, declaration_around(declarator)?, function)?;
        Some(Lent { file: beside.path.clone(), stem, name: name.clone(), declaration })
    }

    /// `extern int nx`, if nothing else has that name in the file of the nest.
    fn declaration_for_header(&self, variable: &ir::Variable) -> Option<String> {
        let name = &variable.name;
        let here = self.declared_somewhere(variable)?;
        let is_shared = here.is_static && !here.is_internal && self.unit.file_at(here.declared_at).is_some();
        let is_free = self.frames.first()?.caller.get(name).is_none() && self.is_free_in_file(name);
        let declared = here.declarator.filter(|_| is_shared && is_free)?;
        self.spelled(&here.ty, declaration_around(declared)?, name.clone()).map(|it| format!("extern {it}"))
    }

    /// Whether the file of the nest, with its headers, declares nothing of that name, and defines no such macro itself.
    fn is_free_in_file(&self, name: &str) -> bool {
        let Some(root) = self.ancestors.last() else { return false };
        let text = self.unit.source.bytes();
        let mut defined = directives(text).filter_map(|directive| {
            let mut words = directive_words(text, directive);
            words.next().filter(|word| *word == b"define").and_then(|_| words.next())
        });
        let file = self.unit.section(0);
        let names = self.file.names(self.unit, file.end - 1);
        Scope::within(names, self.unit, &[*root], file.end - 1).get(name).is_none()
            && !defined.any(|it| it == name.as_bytes())
    }

    /// A declaration of a number, or of pointers to numbers or arrays of them, by the words of `declaration` where these are C's.
    fn spelled(&self, ty: &CType<'t>, declaration: Node<'t>, declarator: String) -> Option<String> {
        match ty {
            CType::Scalar(_) | CType::Bool => {
                let is_const = has_word(self.unit, declaration, "type_qualifier", "const");
                let written = declaration.child_by_field_name("type").filter(|it| self.is_plain_type(*it));
                let plain = if let CType::Scalar(ty) = ty { ty.c_name() } else { "_Bool" };
                let base = written.map_or(plain, |it| self.text(it));
                Some(format!("{}{base} {declarator}", if is_const { "const " } else { "" }))
            }
            CType::Pointer(inner) => {
                let is_array = matches!(**inner, CType::Array(..));
                let declarator = if is_array { format!("(*{declarator})") } else { format!("*{declarator}") };
                self.spelled(inner, declaration, declarator)
            }
            CType::Array(inner, length) => {
                let length = match length {
                    Some(length) => self.scope.array_length(self.unit, *length)?.as_i64()?.to_string(),
                    None => String::new(),
                };
                self.spelled(inner, declaration, format!("{declarator}[{length}]"))
            }
            CType::Structure(_) => self.structure_of_header(ty, declaration).map(|name| format!("{name} {declarator}")),
            _ => None,
        }
    }

    /// What a declaration calls a structure, if a header declares it by that name where the nest stands, too.
    fn structure_of_header(&self, ty: &CType<'t>, declaration: Node<'t>) -> Option<String> {
        let written = declaration.child_by_field_name("type").filter(|it| it.child_by_field_name("body").is_none())?;
        let there = base_type(self.unit, &self.frames.first()?.caller, declaration);
        let CType::Structure(specifier) = there else { return None };
        let is_same = self.scope.structure(ty)?.is(self.unit, self.scope.structure(&there)?);
        let name = self.unit.plain_types.get(&written.start_byte()).map_or_else(|| self.text(written), String::as_str);
        (is_same && self.unit.is_of_header(specifier.start_byte())).then(|| name.to_owned())
    }

    /// Whether a type is written with words of the language alone.
    fn is_plain_type(&self, ty: Node<'t>) -> bool {
        let is_word = |word: &str| {
            ["char", "short", "int", "long", "signed", "unsigned", "float", "double", "_Bool"].contains(&word)
        };
        !self.unit.plain_types.contains_key(&ty.start_byte()) && self.text(ty).split_whitespace().all(is_word)
    }

    /// Whether `name` is a constant here that another file declares with the same numbers: both include the header that does.
    fn is_constant_of_header(&mut self, name: &str, there: &Variable<'t>) -> bool {
        let Some(here) = self.scope.variable(name).cloned() else { return false };
        let declarations = [&here, there].map(|it| it.declarator.and_then(declaration_around));
        let [Some(declaration), Some(other)] = declarations else { return false };
        let is_own = |it: &Variable| it.is_internal && !it.is_volatile;
        let is_const = has_word(self.unit, declaration, "type_qualifier", "const");
        let is_alike = self.text(declaration) == self.text(other) && is_made_of_numbers(declaration);
        is_own(&here) && is_own(there) && is_const && is_alike && self.is_same_type(&here.ty, &there.ty)
    }
}

/// The declaration that a declarator is part of.
fn declaration_around(declarator: Node) -> Option<Node> {
    std::iter::successors(Some(declarator), Node::parent).find(|it| it.kind() == "declaration")
}

/// Whether a declaration of one array or number, and of no pointer, has an initialiser that names nothing.
fn is_made_of_numbers(declaration: Node) -> bool {
    let [declarator] = fields(declaration, "declarator")[..] else { return false };
    let Some(value) = declarator.child_by_field_name("value") else { return false };
    declared_identifier(declarator).is_some()
        && nodes_in(declarator).all(|node| node.kind() != "pointer_declarator")
        && nodes_in(value).all(|node| !matches!(node.kind(), "identifier" | "initializer_pair"))
}
