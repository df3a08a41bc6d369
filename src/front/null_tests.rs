//! Tests of pointers that the nest does not change: `if (src != NULL)`, `src ? src[i] : 0`.
//!
//! Whether such a pointer is null is a number like any other parameter, which the host finds out. An array that is only
//! touched where it is not null has no elements where it is.

use tree_sitter::Node;

use super::Failable;
use super::reader::Reader;
use super::tree::strip_parentheses;
use super::types::CType;
use crate::ir::{BinaryOp, Expr, ExprKind, Handle, HostValue, Param, ParamValue, ScalarType, UnaryOp};
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
        let Some(variable) = self.scope.variable(name).filter(|_| node.kind() == "identifier").cloned() else {
            return Ok(None);
        };
        match variable.ty {
            CType::Array(..) => Ok(Some(self.int(ScalarType::I32, 1, span))),
            CType::Pointer(_) if self.is_kept(name) && !variable.is_volatile => {
                let Some(pointer) = self.host_value(name) else { return Ok(None) };
                let is_set = self.is_set(pointer, span);
                Ok(Some(self.truth(is_set)))
            }
            CType::Pointer(_) => {
                let message = format!("whether `{name}` is null may change in the nest");
                let help = "test a pointer that is declared before the nest and that nothing in it assigns";
                self.refuse(node, "pointer-value", message, help)
            }
            _ => Ok(None),
        }
    }

    /// Whether a variable holds what it held before the nest wherever the nest tests it.
    fn is_kept(&mut self, name: &str) -> bool {
        self.host_value(name)
            .is_some_and(|pointer| !self.changes(self.node, pointer) && !self.bindings.contains_key(&pointer))
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
