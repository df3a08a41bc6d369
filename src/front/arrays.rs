//! Pointers and array elements.

use tree_sitter::Node;

use super::Failable;
use super::expressions::Value;
use super::reader::{PointerValue, Reader};
use super::types::CType;
use crate::ir::{Expr, Handle, ScalarType};

/// An array element that can be read or assigned.
#[derive(Clone, Debug)]
pub struct Element {
    /// The variable it is reached through, an index of [`Reader::roots`].
    pub root: usize,
    /// One subscript per C dimension.
    pub subscripts: Vec<Handle<Expr>>,
    /// The type as which it is read.
    pub ty: ScalarType,
    /// Whether it is a `_Bool`.
    pub is_bool: bool,
}

impl Element {
    /// What a pointer to a number leads to.
    fn behind(pointer: PointerValue) -> Self {
        let (ty, is_bool) = (pointer.pointee.element_type(), pointer.pointee == CType::Bool);
        Self { root: pointer.root, subscripts: pointer.subscripts, ty, is_bool }
    }
}

impl<'t> Reader<'_, '_, 't> {
    /// `pointer + index`, which `node` computes.
    pub fn moved(
        &mut self,
        node: Node<'t>,
        mut pointer: PointerValue<'t>,
        index: Handle<Expr>,
    ) -> Failable<PointerValue<'t>> {
        let span = self.span(node);
        if matches!(pointer.pointee, CType::Untyped(_)) {
            let help = "move a pointer to the elements, which counts elements and not bytes";
            return self.refuse(node, "pointer-type", "a pointer to `void` is moved", help);
        }
        if self.ty(index).is_float() {
            return self.refuse(node, "syntax", "a pointer is moved by no integer", "use an integer subscript");
        }
        let index = if self.sees_rows(&pointer) { self.flat_index(node, &pointer.pointee, index)? } else { index };
        if let Some(last) = pointer.subscripts.last().copied() {
            let sum = self.index_sum(last, index, span);
            pointer.subscripts.pop();
            pointer.subscripts.push(sum);
        }
        Ok(pointer)
    }

    /// `base[index]` as a value.
    pub fn subscript(&mut self, node: Node<'t>, base: Node<'t>, index: Node<'t>) -> Failable<Value<'t>> {
        let pointer = self.subscripted(node, base, index)?;
        self.dereferenced(node, pointer)
    }

    fn subscripted(&mut self, node: Node<'t>, base: Node<'t>, index: Node<'t>) -> Failable<PointerValue<'t>> {
        match (self.value(base)?, self.value(index)?) {
            (Value::Pointer(pointer), Value::Scalar(index)) | (Value::Scalar(index), Value::Pointer(pointer)) => {
                self.moved(node, pointer, index)
            }
            _ => self.refuse(node, "syntax", "this is not an array", "subscript an array or a pointer"),
        }
    }

    /// `*pointer` as a value: an element is read, an inner array decays.
    fn dereferenced(&mut self, node: Node<'t>, pointer: PointerValue<'t>) -> Failable<Value<'t>> {
        match &pointer.pointee {
            CType::Array(inner, _) if self.sees_rows(&pointer) => {
                let pointee = (**inner).clone();
                Ok(Value::Pointer(PointerValue { pointee, ..pointer }))
            }
            CType::Array(inner, _) => {
                let inner = (**inner).clone();
                let zero = self.int(ScalarType::I64, 0, self.span(node));
                let mut subscripts = pointer.subscripts;
                subscripts.push(zero);
                Ok(Value::Pointer(PointerValue { root: pointer.root, subscripts, pointee: inner }))
            }
            CType::Scalar(_) | CType::Bool => {
                let element = Element::behind(pointer);
                self.read_chosen(&element, self.span(node)).map(Value::Scalar)
            }
            _ => self.refuse(
                node,
                "unsupported-type",
                "this does not lead to a number",
                "use arrays of integers, `float` or `double`",
            ),
        }
    }

    /// `*p` or `&x`.
    pub fn pointer_expression(&mut self, node: Node<'t>) -> Failable<Value<'t>> {
        let (operator, argument) = (self.field(node, "operator")?, self.field(node, "argument")?);
        if self.text(operator) == "&" {
            let place = super::tree::strip_parentheses(argument);
            if let Some(pointer) = self.place(place)? {
                return Ok(Value::Pointer(pointer));
            }
            let help = "use the variable itself, or an element of an array";
            return self.refuse(node, "address-of", "the address of a variable is taken in a nest", help);
        }
        match self.value(argument)? {
            Value::Pointer(pointer) => self.dereferenced(node, pointer),
            Value::Scalar(_) => self.refuse(node, "syntax", "this is not a pointer", "dereference a pointer"),
        }
    }

    /// The pointer that `place`, a subscript or a dereference, goes through last; `None` for anything else.
    fn place(&mut self, place: Node<'t>) -> Failable<Option<PointerValue<'t>>> {
        match place.kind() {
            "subscript_expression" => {
                let (base, index) = (self.field(place, "argument")?, self.field(place, "index")?);
                self.subscripted(place, base, index).map(Some)
            }
            "pointer_expression" if self.text(self.field(place, "operator")?) == "*" => {
                let argument = self.field(place, "argument")?;
                match self.value(argument)? {
                    Value::Pointer(pointer) => Ok(Some(pointer)),
                    Value::Scalar(_) => Ok(None),
                }
            }
            _ => Ok(None),
        }
    }

    /// The array element that `place` names.
    pub fn element(&mut self, place: Node<'t>) -> Failable<Element> {
        if let Some(pointer) = self.place(place)?
            && matches!(pointer.pointee, CType::Scalar(_) | CType::Bool)
        {
            return Ok(Element::behind(pointer));
        }
        let help = "assign to a variable or to an array element";
        self.refuse(place, "unsupported-target", "this cannot be assigned in a nest", help)
    }
}
