//! Tests of pointers that the nest does not change: `if (src != NULL)`, `src ? src[i] : 0`.
//!
//! Whether such a pointer is null is a number like any other parameter, which the host finds out. An array that is only
//! touched where it is not null has no elements where it is. A null pointer that a call gives away, as in
//! `update(v, u, NULL)`, is one throughout the called function.

use tree_sitter::Node;

use super::Failable;
use super::objects::Place;
use super::reader::{Binding, Reader};
use super::tree::strip_parentheses;
use super::types::CType;
use crate::ir::{BinaryOp, Expr, ExprKind, Handle, HostValue, Param, ParamValue, ScalarType, Selector, UnaryOp};
use crate::source::Span;

impl<'t> Reader<'_, '_, 't> {
    /// Reads an expression for whether it is other than zero, or null.
    pub fn condition(&mut self, node: Node<'t>) -> Failable<Handle<Expr>> {
        if let Some(test) = self.pointer_test(node)? {
            return Ok(test);
        }
        let value = self.scalar(node)?;
        Ok(self.truth(value))
    }

    /// Reads a comparison of a pointer with null.
    pub fn null_comparison(&mut self, op: BinaryOp, left: Node<'t>, right: Node<'t>) -> Failable<Option<Handle<Expr>>> {
        if !matches!(op, BinaryOp::Equal | BinaryOp::NotEqual) {
            return Ok(None);
        }
        let pointer = match (self.is_null(left), self.is_null(right)) {
            (false, true) => left,
            (true, false) => right,
            _ => return Ok(None),
        };
        let Some(test) = self.pointer_test(pointer)? else { return Ok(None) };
        let span = self.span(pointer);
        Ok(Some(if op == BinaryOp::Equal { self.unary(UnaryOp::Not, test, span) } else { test }))
    }

    /// Whether a pointer is not null, if `node` names one.
    fn pointer_test(&mut self, node: Node<'t>) -> Failable<Option<Handle<Expr>>> {
        let node = strip_parentheses(node);
        let (name, span) = (self.text(node), self.span(node));
        if node.kind() == "field_expression" {
            return self.member_test(node);
        }
        let Some(variable) = self.scope.variable(name).filter(|_| node.kind() == "identifier").cloned() else {
            return Ok(None);
        };
        match variable.ty {
            CType::Array(..) => Ok(Some(self.int(ScalarType::I32, 1, span))),
            CType::Pointer(_) => {
                let known = if variable.is_volatile { None } else { self.is_set_here(name, span) };
                if known.is_some() {
                    return Ok(known);
                }
                let message = format!("whether `{name}` is null may change in the nest");
                let help = "test a pointer that is declared before the nest and that nothing in it assigns";
                self.refuse(node, "pointer-value", message, help)
            }
            _ => Ok(None),
        }
    }

    /// Whether a member is no null pointer, if it is a pointer that the nest does not change.
    fn member_test(&mut self, node: Node<'t>) -> Failable<Option<Handle<Expr>>> {
        let Ok(Some(Place::Object(pointer))) = self.place(node) else { return Ok(None) };
        let variable = self.declaration_of(pointer).filter(|it| matches!(it.ty, CType::Pointer(_)) && !it.is_volatile);
        if variable.is_none() {
            return Ok(None);
        }
        Ok(self.is_set_throughout(pointer, self.span(node)))
    }

    /// Whether the pointer `name` is not null at the present place, if that is known or the same throughout the nest.
    fn is_set_here(&mut self, name: &str, span: Span) -> Option<Handle<Expr>> {
        let pointer = self.host_value(name)?;
        let known = match self.bindings.get(&pointer).filter(|_| !self.is_from_outside(pointer)).cloned() {
            None => return self.is_set_throughout(pointer, span),
            Some(Binding::Null) => 0,
            Some(Binding::Local(_) | Binding::Function(_)) => 1,
            Some(Binding::Address(object)) => return self.is_object(object, span),
            Some(Binding::Pointer(element)) => {
                let root = self.roots[element.root].clone();
                match root.ty {
                    CType::Array(..) => 1,
                    _ => return self.is_set_throughout(root.variable, span),
                }
            }
            Some(_) => return None,
        };
        Some(self.int(ScalarType::I32, known, span))
    }

    /// Whether a pointer that nothing in the nest assigns is not null.
    fn is_set_throughout(&mut self, pointer: Handle<HostValue>, span: Span) -> Option<Handle<Expr>> {
        if self.changes(self.node, pointer) || self.bindings.contains_key(&pointer) {
            return None;
        }
        let is_set = self.is_set(pointer, span);
        Some(self.truth(is_set))
    }

    /// Whether the address of an object is not null: it is none if a null pointer leads to it.
    fn is_object(&mut self, object: Handle<HostValue>, span: Span) -> Option<Handle<Expr>> {
        let mut pointer = self.nest.values[object].clone();
        if pointer.path.pop() != Some(Selector::Dereference) {
            return Some(self.int(ScalarType::I32, 1, span));
        }
        let pointer = self.nest.values.intern(pointer);
        self.is_set_throughout(pointer, span)
    }

    /// The parameter that is 1 if `pointer` is not null and 0 if it is.
    fn is_set(&mut self, pointer: Handle<HostValue>, span: Span) -> Handle<Expr> {
        let is_it = |param: &Param| matches!(param.value, ParamValue::IsSet { pointer: other, .. } if other == pointer);
        let known = self.nest.params.iter().find(|(_, param)| is_it(param)).map(|(handle, _)| handle);
        let handle = known.unwrap_or_else(|| {
            let name = self.unused_name(&format!("{} is set", self.name(pointer)));
            self.nest.params.push(Param { ty: ScalarType::I32, value: ParamValue::IsSet { name, pointer } }, span)
        });
        self.expr(ScalarType::I32, ExprKind::Param(handle), span)
    }

    /// Whether an expression is a null pointer constant.
    fn is_null(&self, node: Node<'t>) -> bool {
        let node = strip_parentheses(node);
        match node.kind() {
            "number_literal" => self.text(node) == "0",
            "null" => true,
            "cast_expression" => self.scope.cast_of(self.unit, node).is_some_and(|(ty, operand)| {
                let is_void = matches!(&ty, CType::Pointer(pointee) if pointee.is_void());
                is_void && self.is_null(operand)
            }),
            _ => false,
        }
    }
}
