//! What calls read: bodies with arguments in the place of parameters, bytes, arrays for which the user vouches.

use tree_sitter::Node;

use std::collections::HashMap;
use std::rc::Rc;

use super::{Frame, MOST_CALLS, Meaning, Parts};
use crate::front::calls::is_known_to_nests;
use crate::front::headers::assignments;
use crate::front::kept::host_code::MAX_DEPTH;
use crate::front::kept::libraries::{READING, STORING, is_harmless, read_by};
use crate::front::kept::{Need, Part};
use crate::front::pragma::{Reach, Vouched};
use crate::front::tree::{
    address_of, children, declared_identifier, nodes_in, parameter_list, strip_parentheses, target,
};
use crate::front::types::CType;

impl<'p, 't> Parts<'_, 'p, '_, 't> {
    /// What a call reads.
    pub(super) fn call(&mut self, node: Node<'t>, frame: &mut Frame<'t>) -> Option<()> {
        let arguments = node.child_by_field_name("arguments").map(children).unwrap_or_default();
        self.visit_all(arguments.clone(), frame)?;
        let name = self.code.program().called(node)?;
        if let Some(vouched) = self.code.vouched(name) {
            return self.read_vouched(vouched, frame);
        }
        let is_known = is_harmless(name) && !self.code.program().defines(name);
        if is_known || self.code.is_variadic(name) {
            match self.code.need_of_text(name, &arguments, &frame.own) {
                Need::Nothing => {}
                Need::Read => self.found.reads_anything = true,
                _ => return None,
            }
        }
        match self.code.program().definition(name) {
            Some(definition) if frame.depth < MAX_DEPTH => self.enter(definition, &arguments, frame),
            Some(_) => None,
            None if self.code.program().defines(name) => None,
            None if is_known_to_nests(name) => Some(()),
            None if READING.contains(&name) => self.read_bytes(name, &arguments, frame),
            None if STORING.contains(&name) => self.store_bytes(name, &arguments, frame),
            None => (is_harmless(name) || self.code.frees_own(name, &arguments, &frame.own)).then_some(()),
        }
    }

    /// Whole arrays that a function reads for which the user vouches.
    fn read_vouched(&mut self, vouched: &Vouched, frame: &Frame<'t>) -> Option<()> {
        if vouched.reach == Reach::Reads && vouched.arrays.is_empty() {
            return None;
        }
        for array in vouched.arrays.iter().filter(|_| vouched.reach != Reach::Nothing) {
            let is_here =
                self.code.is_plain(array) && self.outer.variable(array)?.is_same(frame.scope.variable(array)?);
            let is_steady = is_here && self.steady_type(array, frame).is_some();
            self.add(Part { from: is_steady.then(|| array.clone())?, to: None, pieces: None })?;
        }
        Some(())
    }

    /// A function of the library that reads so many bytes.
    fn read_bytes(&mut self, name: &str, arguments: &[Node<'t>], frame: &Frame<'t>) -> Option<()> {
        let factors = if name == "fwrite" { arguments.get(1..3)? } else { arguments.get(2..3)? };
        read_by(name).iter().try_for_each(|place| self.read_at(*arguments.get(*place)?, factors, frame))
    }

    /// Bytes that a function of the library reads, unless they are the host's own.
    pub(super) fn read_at(&mut self, pointer: Node<'t>, factors: &[Node<'t>], frame: &Frame<'t>) -> Option<()> {
        if self.code.leads_to_own(Some(pointer), &frame.own) {
            return Some(());
        }
        let (part, _) = self.piece(pointer, &self.bytes(factors, frame)?, frame)?;
        self.add(part)
    }

    /// What a function reads.
    fn enter(&mut self, definition: Node<'t>, arguments: &[Node<'t>], caller: &Frame<'t>) -> Option<()> {
        self.calls += 1;
        let body = definition.child_by_field_name("body").filter(|_| self.calls <= MOST_CALLS)?;
        let scope = Rc::new(self.code.scope_at(body));
        let list = definition.child_by_field_name("declarator").and_then(parameter_list).map(children)?;
        let mut frame = Frame {
            body,
            scope,
            meanings: HashMap::new(),
            naturals: caller.naturals.clone(),
            own: self.code.own(body, arguments, &caller.own),
            depth: caller.depth + 1,
        };
        let is_void = list.len() == 1 && arguments.is_empty();
        let parameters: Vec<Node> = list.iter().map_while(|it| declared_in(*it)).collect();
        if !is_void && (parameters.len() != list.len() || list.len() != arguments.len()) {
            return None;
        }
        for (parameter, argument) in parameters.into_iter().zip(arguments) {
            let name = self.text(parameter);
            let is_steady = assignments(self.unit(), body, name, None) == 0 && !self.declares(body, name);
            let ty = frame.scope.variable(name).map(|variable| variable.ty.clone()).filter(|_| is_steady);
            let meaning = ty.and_then(|ty| self.passed(&ty, *argument, caller)).unwrap_or(Meaning::Unknown);
            frame.meanings.insert(name.to_owned(), meaning);
        }
        self.visit(body, &mut frame)
    }

    /// What a value means as a parameter or a variable of some type.
    pub(super) fn passed(&self, ty: &CType<'t>, value: Node<'t>, frame: &Frame<'t>) -> Option<Meaning<'t>> {
        match ty {
            CType::Scalar(ty) if ty.is_integer() => Some(Meaning::Integer(self.integer(value, frame)?.cast(*ty))),
            CType::Pointer(inner) if matches!(**inner, CType::Structure(_)) => self.structure(ty, value, frame),
            CType::Structure(_) => self.structure(ty, value, frame),
            CType::Pointer(inner) => {
                let memory = self.memory(value, frame)?;
                let is_same = match memory.ty.as_ref()? {
                    CType::Pointer(other) | CType::Array(other, _) => is_same_element(inner, other),
                    _ => false,
                };
                is_same.then_some(Meaning::Memory(memory))
            }
            _ => None,
        }
    }

    /// A structure or a pointer to one.
    fn structure(&self, ty: &CType<'t>, value: Node<'t>, frame: &Frame<'t>) -> Option<Meaning<'t>> {
        let value = strip_parentheses(value);
        let place = address_of(self.unit(), value);
        let named = place.unwrap_or(value);
        let name = Some(self.text(named)).filter(|_| named.kind() == "identifier" && !self.calls_unseen)?;
        if let Some(Meaning::Path(path)) = frame.meanings.get(name) {
            return place.is_none().then(|| Meaning::Path(path.clone()));
        }
        let known = self.steady_type_but_address(name, frame)?;
        let known = if place.is_some() { CType::Pointer(Box::new(known)) } else { known };
        let sign = if place.is_some() { "&" } else { "" };
        (known == *ty).then(|| Meaning::Path(format!("{sign}{name}")))
    }

    /// As `steady_type` of a structure, whose address may be passed: its members are looked at one by one.
    fn steady_type_but_address(&self, name: &str, frame: &Frame<'t>) -> Option<CType<'t>> {
        let (variable, here) = (self.outer.variable(name)?, frame.scope.variable(name)?);
        let is_same = here.is_same(variable) && !self.declares(frame.body, name);
        let assigns = |body: &Node| nodes_in(*body).any(|node| target(node).is_some_and(|it| self.text(it) == name));
        (is_same && !self.bodies.iter().any(assigns)).then(|| variable.ty.clone())
    }
}

/// The name that a parameter declares.
fn declared_in(parameter: Node) -> Option<Node> {
    declared_identifier(parameter.child_by_field_name("declarator")?)
}

/// Whether elements are of one type, whatever the sizes of arrays.
fn is_same_element(a: &CType, b: &CType) -> bool {
    match (a, b) {
        (CType::Scalar(a), CType::Scalar(b)) => a == b,
        (CType::Array(a, _), CType::Array(b, _)) | (CType::Pointer(a), CType::Pointer(b)) => is_same_element(a, b),
        _ => false,
    }
}
