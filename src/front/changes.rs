//! Which variables a piece of code changes, found before it is executed: at the start of an iteration of a loop they hold
//! what an earlier one left. Functions that it calls are looked into.
//!
//! This looks at names and not at values, so it may miss what is assigned through a copy of a pointer; such an assignment is
//! refused when it is executed ([`Reader::note_assigned`]).

use std::collections::BTreeMap;

use tree_sitter::Node;

use super::Failable;
use super::declarations::has_word;
use super::function_pointers::Callee;
use super::reader::{Binding, Change, Reader};
use super::tree::{address_of, assigned, children, fields, parameter_list, strip_parentheses};
use super::types::{CType, declared};
use crate::ir::{Handle, HostValue, Selector};
use crate::source::{Diagnostic, Span};

/// What a parameter of a function that is looked into, or a variable within the code, stands for.
#[derive(Clone, Copy)]
enum Argument {
    /// The address of an object.
    Address(Handle<HostValue>),
    /// What an object holds.
    Value(Handle<HostValue>),
    /// Anything else.
    Other,
}

/// What names stand for that are not looked up in the scope.
#[derive(Default)]
struct Names {
    parameters: BTreeMap<String, Argument>,
    /// Variables declared within the code, pointers with what they are declared to lead to.
    hidden: Vec<(String, Argument)>,
    /// Where the functions begin that are being looked into.
    functions: Vec<usize>,
}

impl Names {
    /// Whether a declaration within the code hides what else is called `name`.
    fn hides(&self, name: &str) -> bool {
        self.hidden.iter().any(|(hidden, _)| hidden == name)
    }

    /// What a variable of the code or a parameter stands for; `None` for all other names.
    fn meaning(&self, name: &str) -> Option<Argument> {
        let hidden = self.hidden.iter().rev().find(|(hidden, _)| hidden == name);
        hidden.map(|(_, stands_for)| *stands_for).or_else(|| self.parameters.get(name).copied())
    }
}

impl<'t> Reader<'_, '_, 't> {
    /// The objects of the present scope that the code in `node` assigns, with the first assignment.
    pub fn changed_in(&mut self, node: Node<'t>) -> Vec<Change> {
        let mut changed = Vec::new();
        self.collect_changed(node, &mut Names::default(), &mut changed);
        changed
    }

    /// Whether the code in `node` assigns an object.
    pub fn changes(&mut self, node: Node<'t>, object: Handle<HostValue>) -> bool {
        self.changed_in(node).iter().any(|(changed, _)| *changed == object)
    }

    fn collect_changed(&mut self, node: Node<'t>, names: &mut Names, changed: &mut Vec<Change>) {
        let mark = names.hidden.len();
        for child in children(node) {
            if child.kind() == "declaration" && !has_word(self.unit, child, "storage_class_specifier", "extern") {
                for declarator in fields(child, "declarator") {
                    let name = declared(self.unit, declarator, CType::Other(String::new())).0;
                    let stands_for = self.initial(declarator, names);
                    names.hidden.push((name, stands_for));
                }
            }
            let outside = names.hidden.len();
            let own = self.unit.own_of_threads(child).into_iter().map(|own| (own.name, Argument::Other));
            names.hidden.extend(own);
            if let Some(target) = assigned(child)
                && let Some(object) = self.named_object(target, names)
            {
                let span = self.span(target);
                for leaf in self.leaves(target, object) {
                    if !changed.iter().any(|(other, _)| *other == leaf) {
                        changed.push((leaf, span));
                    }
                }
            }
            if child.kind() == "call_expression" {
                self.collect_called(child, names, changed);
            }
            if child.named_child_count() > 0 {
                self.collect_changed(child, names, changed);
            }
            if child.kind() != "declaration" {
                names.hidden.truncate(outside);
            }
        }
        names.hidden.truncate(mark);
    }

    /// What the function changes that `call` calls, if it is the program's own.
    fn collect_called(&mut self, call: Node<'t>, names: &mut Names, changed: &mut Vec<Change>) {
        let Some(function) = call.child_by_field_name("function") else { return };
        let Some(Callee::Own(definition)) = self.found_callee(function).filter(|_| !names.hides(self.text(function)))
        else {
            return;
        };
        let is_recursive = names.functions.contains(&definition.start_byte()) || self.is_being_called(definition);
        let Some(body) = definition.child_by_field_name("body").filter(|_| !is_recursive) else { return };
        let mut inner = Names { parameters: self.arguments(call, definition, names), ..Names::default() };
        inner.functions.clone_from(&names.functions);
        inner.functions.push(definition.start_byte());
        let first = changed.len();
        self.inside(definition, |reader| reader.collect_changed(body, &mut inner, changed));
        let span = self.span(call);
        changed[first..].iter_mut().for_each(|(_, at)| *at = span);
    }

    fn arguments(&mut self, call: Node<'t>, definition: Node<'t>, names: &Names) -> BTreeMap<String, Argument> {
        let parameters = definition.child_by_field_name("declarator").and_then(parameter_list);
        let lists = [parameters, call.child_by_field_name("arguments")];
        let [parameters, arguments] = lists.map(|list| list.map(children).unwrap_or_default());
        let mut found = BTreeMap::new();
        for (parameter, argument) in parameters.into_iter().zip(arguments) {
            let declarator = parameter.child_by_field_name("declarator").unwrap_or(parameter);
            let name = declared(self.unit, declarator, CType::Other(String::new())).0;
            let argument = self.argument(strip_parentheses(argument), names);
            found.insert(name, argument);
        }
        found
    }

    /// What a pointer is declared to hold.
    fn initial(&mut self, declarator: Node<'t>, names: &Names) -> Argument {
        let pointer = declarator.child_by_field_name("declarator").filter(|it| it.kind() == "pointer_declarator");
        match pointer.and_then(|_| declarator.child_by_field_name("value")) {
            Some(value) => self.argument(strip_parentheses(value), names),
            None => Argument::Other,
        }
    }

    fn argument(&mut self, node: Node<'t>, names: &Names) -> Argument {
        if let Some(known) = names.meaning(self.text(node)) {
            return known;
        }
        if let Some(value) = node.child_by_field_name("value").filter(|_| node.kind() == "cast_expression") {
            return self.argument(strip_parentheses(value), names);
        }
        if names.functions.is_empty()
            && let Some(scalar) = self.behind_lone_pointer(node)
        {
            return Argument::Address(scalar);
        }
        match address_of(self.unit, node) {
            Some(place) => self.named_object(place, names).map_or(Argument::Other, Argument::Address),
            None => self.named_object(node, names).map_or(Argument::Other, Argument::Value),
        }
    }

    /// The object that an expression of names, members and dereferences designates; `None` for elements of arrays and for
    /// what is declared within the code.
    fn named_object(&mut self, node: Node<'t>, names: &Names) -> Option<Handle<HostValue>> {
        let node = strip_parentheses(node);
        match node.kind() {
            "identifier" => {
                let name = self.text(node);
                let is_local = names.hides(name) || names.parameters.contains_key(name);
                if is_local { None } else { self.host_value(name) }
            }
            "pointer_expression" => match self.lone_scalar(node) {
                Some(scalar) if names.functions.is_empty() => Some(scalar),
                _ => self.object_behind(node.child_by_field_name("argument")?, names),
            },
            "subscript_expression" => {
                let base = strip_parentheses(node.child_by_field_name("argument")?);
                let is_local = names.hides(self.text(base)) || names.parameters.contains_key(self.text(base));
                if is_local { None } else { self.plain_table_pointer(node) }
            }
            "field_expression" => {
                let argument = node.child_by_field_name("argument")?;
                let is_arrow = self.text(node.child_by_field_name("operator")?) == "->";
                let whole =
                    if is_arrow { self.object_behind(argument, names) } else { self.named_object(argument, names) }?;
                let member = self.text(node.child_by_field_name("field")?);
                self.member(node, whole, member).ok()
            }
            _ => None,
        }
    }

    /// The object to which the pointer `node` leads.
    fn object_behind(&mut self, node: Node<'t>, names: &Names) -> Option<Handle<HostValue>> {
        let node = strip_parentheses(node);
        let pointer = match names.meaning(self.text(node)) {
            Some(Argument::Address(object)) => return Some(object),
            Some(Argument::Value(pointer)) => pointer,
            Some(Argument::Other) => return None,
            None => self.named_object(node, names)?,
        };
        match self.bindings.get(&pointer) {
            Some(Binding::Address(object)) => Some(*object),
            Some(Binding::Local(pointer)) => {
                let pointer = pointer.clone();
                self.local_object(node, &pointer).ok()
            }
            _ => match self.declaration_of(pointer)?.ty.clone() {
                CType::Pointer(pointee) if self.scope.structure(&pointee).is_some() => {
                    self.dereference(pointer, *pointee)
                }
                _ => None,
            },
        }
    }

    /// Notes that an object is assigned at the present place; those from outside the nest are remembered.
    ///
    /// # Errors
    /// The start of a loop around did not know that the loop changes it.
    pub fn note_assigned(&mut self, object: Handle<HostValue>, span: Span) -> Failable<()> {
        if self.is_from_outside(object) {
            self.assigned.entry(object).or_insert(span);
        }
        let declared_in = self.loops_at_declaration(object);
        if self.restored.contains(&object)
            || self.changing.iter().skip(declared_in).all(|changed| changed.contains(&object))
        {
            return Ok(());
        }
        let message = format!("`{}` is changed through a copy of a pointer to it", self.name(object));
        Err(Box::new(
            Diagnostic::error("unsupported-target", message, span)
                .with_help("assign it by its name, or through the pointer that leads to it before the loop"),
        ))
    }

    /// How many loops stood around the declaration of an object.
    fn loops_at_declaration(&self, object: Handle<HostValue>) -> usize {
        let value = &self.nest.values[object];
        let whole = HostValue { variable: value.variable.clone(), path: Vec::new() };
        let is_behind = value.path.contains(&Selector::Dereference);
        let whole = self.nest.values.find(&whole).filter(|_| !is_behind);
        whole.and_then(|whole| self.declared_in.get(&whole)).copied().unwrap_or(0)
    }
}
