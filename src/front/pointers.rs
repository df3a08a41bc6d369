//! Pointers of a declared type to arrays that may have been declared otherwise.

use tree_sitter::Node;

use super::Failable;
use super::expressions::Value;
use super::polynomial::Polynomial;
use super::reader::{PointerValue, Reader};
use super::types::CType;
use crate::ir::{Expr, Handle};

impl<'t> Reader<'_, '_, 't> {
    /// `pointer` as a pointer to `pointee`; `None` if that would look at the array through another type. Rows must be
    /// known to have one length: the array's own is what accesses count with.
    pub fn seen_as(&mut self, pointee: &CType<'t>, pointer: PointerValue<'t>) -> Option<PointerValue<'t>> {
        let PointerValue { root, subscripts, pointee: origin } = pointer;
        let origin = match origin {
            CType::Untyped(seen) => *seen,
            seen => seen,
        };
        if pointee.is_void() {
            return Some(PointerValue { root, subscripts, pointee: CType::Untyped(Box::new(origin)) });
        }
        self.is_same_type(pointee, &origin).then_some(PointerValue { root, subscripts, pointee: origin })
    }

    /// Whether two types are surely the same; an array without length goes with any.
    fn is_same_type(&mut self, left: &CType<'t>, right: &CType<'t>) -> bool {
        match (left, right) {
            (CType::Array(left, length), CType::Array(right, other)) => {
                let has_same_length = match (length, other) {
                    (Some(length), Some(other)) => length == other || self.is_same_length(*length, *other),
                    _ => true,
                };
                has_same_length && self.is_same_type(left, right)
            }
            (CType::Pointer(left), CType::Pointer(right)) => self.is_same_type(left, right),
            _ => left == right || self.scope.structure(left).is_some_and(|it| self.scope.structure(right) == Some(it)),
        }
    }

    /// Whether two arrays surely have equal lengths, each computed at its own place.
    fn is_same_length(&mut self, left: Node<'t>, right: Node<'t>) -> bool {
        let (left, right) = (self.length_polynomial(left), self.length_polynomial(right));
        left.is_some() && left == right
    }

    fn length_polynomial(&mut self, length: Node<'t>) -> Option<Polynomial> {
        let length = self.array_length(length, length).ok()?;
        self.fixed_polynomial(length)
    }

    /// The length of an array that is declared before the nest or within it; what `node` uses it for is refused if the
    /// variables it was computed from may have changed since.
    pub fn array_length(&mut self, node: Node<'t>, length: Node<'t>) -> Failable<Handle<Expr>> {
        if let Some(known) = self.lengths.get(&length.start_byte()) {
            return Ok(*known);
        }
        let is_constant = self.scope.array_length(self.unit, length).is_some();
        let is_here = node.start_byte() < length.start_byte() && length.end_byte() <= node.end_byte();
        if !is_constant
            && !is_here
            && (!self.frames.is_empty() || !self.is_plain_and_fixed(self.node, length, length.start_byte()))
        {
            let message =
                format!("the length `{}` of an array may have changed since its declaration", self.text(length));
            let help = "keep the length in a variable that nothing assigns after the array's declaration";
            return self.refuse(node, "array-size", message, help);
        }
        self.length(length)
    }

    /// Keeps the lengths of the rows that an argument of a call leads to: the callee has other names.
    pub fn note_row_lengths(&mut self, argument: Node<'t>, value: &Value<'t>) {
        let ty = match value {
            Value::Pointer(pointer) => Some(pointer.pointee.clone()),
            Value::Address(object) => self.declaration_of(*object).map(|it| it.ty.clone()),
            Value::Scalar(_) | Value::Structure(_) => None,
        };
        for length in ty.iter().flat_map(CType::lengths) {
            if let Ok(known) = self.array_length(argument, length) {
                self.lengths.insert(length.start_byte(), known);
            }
        }
    }

    /// Keeps the lengths in the type of a parameter, made of what the function's variables hold now.
    pub fn note_lengths_of(&mut self, ty: &CType<'t>) {
        for length in ty.lengths() {
            self.lengths.remove(&length.start_byte());
            if let Ok(known) = self.length(length) {
                self.lengths.insert(length.start_byte(), known);
            }
        }
    }

    /// The length of an array, of the type that its expression has; what it is made of is read as it is now.
    pub fn length(&mut self, length: Node<'t>) -> Failable<Handle<Expr>> {
        let span = self.span(length);
        let constant = self.scope.array_length(self.unit, length);
        match constant.and_then(|constant| self.constant_expr(constant, span)) {
            Some(length) => Ok(length),
            None => self.scalar(length),
        }
    }
}
