//! Pointers and array elements.

use tree_sitter::Node;

use super::Failable;
use super::expressions::Value;
use super::local_pointers::LocalPointer;
use super::objects::Place;
use super::reader::{Binding, PointerValue, Reader};
use super::types::CType;
use crate::ir::{Expr, Handle, HostValue, ScalarType};

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
    pub fn behind(pointer: PointerValue) -> Self {
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

    /// The value of what `node` designates.
    pub fn load(&mut self, node: Node<'t>) -> Failable<Value<'t>> {
        match self.place(node)? {
            Some(Place::Object(object)) => self.object(node, object),
            Some(Place::Element(pointer)) => self.dereferenced(node, pointer),
            None => self.refuse(node, "syntax", "this is not a pointer", "dereference a pointer"),
        }
    }

    /// The pointer to `base[index]`.
    pub fn subscripted(&mut self, node: Node<'t>, base: Node<'t>, index: Node<'t>) -> Failable<Value<'t>> {
        match (self.value(base)?, self.value(index)?) {
            (Value::Pointer(pointer), Value::Scalar(index)) | (Value::Scalar(index), Value::Pointer(pointer)) => {
                self.moved(node, pointer, index).map(Value::Pointer)
            }
            (Value::Address(object), Value::Scalar(index)) => match self.elements_behind(object, self.span(node)) {
                Some(pointer) => self.moved(node, pointer, index).map(Value::Pointer),
                None if self.constant(index) == Some(0) => Ok(Value::Address(object)),
                None => self.refuse(node, "address-of", "a pointer to one variable is subscripted", "use an array"),
            },
            _ => self.refuse(node, "syntax", "this is not an array", "subscript an array or a pointer"),
        }
    }

    /// `*pointer` as a value: an element is read, an inner array decays, a row is followed to where it is.
    pub fn dereferenced(&mut self, node: Node<'t>, pointer: PointerValue<'t>) -> Failable<Value<'t>> {
        match &pointer.pointee {
            CType::Array(inner, _) if self.sees_rows(&pointer) => {
                let pointee = (**inner).clone();
                Ok(Value::Pointer(PointerValue { pointee, ..pointer }))
            }
            CType::Array(inner, _) | CType::Pointer(inner) => {
                let inner = (**inner).clone();
                let zero = self.int(ScalarType::I64, 0, self.span(node));
                let mut subscripts = pointer.subscripts;
                subscripts.push(zero);
                Ok(Value::Pointer(PointerValue { root: pointer.root, subscripts, pointee: inner }))
            }
            CType::Record(inner, _) => {
                let pointee = (**inner).clone();
                Ok(Value::Pointer(PointerValue { pointee, ..pointer }))
            }
            CType::Structure(_) => Ok(Value::StructureAt(pointer)),
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
        if self.text(operator) != "&" {
            return self.load(node);
        }
        if let Some(callee) = self.function_value(argument) {
            return Ok(Value::Function(callee));
        }
        if let Some(pointer) = self.local_place(argument)?.filter(LocalPointer::is_to_element) {
            return Ok(Value::Local(pointer));
        }
        match self.place(argument)? {
            Some(Place::Element(pointer)) => Ok(Value::Pointer(pointer)),
            Some(Place::Object(object)) if !self.is_array(object) => Ok(Value::Address(object)),
            _ => {
                let help = "use the variable itself, or an element of an array";
                self.refuse(node, "address-of", "the address of this is taken in a nest", help)
            }
        }
    }

    fn is_array(&self, object: Handle<HostValue>) -> bool {
        self.declaration_of(object).is_none_or(|it| matches!(it.ty, CType::Array(..) | CType::Function(_)))
    }

    /// The array element that `node` designates, as `place` says.
    pub fn element(&self, node: Node<'t>, place: Option<Place<'t>>) -> Failable<Element> {
        match place {
            Some(Place::Element(pointer)) if matches!(pointer.pointee, CType::Scalar(_) | CType::Bool) => {
                Ok(Element::behind(pointer))
            }
            Some(Place::Element(pointer)) if matches!(pointer.pointee, CType::Pointer(_)) => {
                self.refuse_row(node, &pointer)
            }
            None if node.kind() == "identifier" => {
                let message = format!("`{}` is not a variable", self.text(node));
                self.refuse(node, "undeclared", message, "declare it before the nest")
            }
            _ => {
                let help = "assign to a variable or to an array element";
                self.refuse(node, "unsupported-target", "this cannot be assigned in a nest", help)
            }
        }
    }

    /// The object as what a pointer to `pointee` called `name` leads to.
    pub fn address(
        &mut self,
        node: Node<'t>,
        name: &str,
        object: Handle<HostValue>,
        pointee: &CType<'t>,
    ) -> Failable<Binding<'t>> {
        let ty = self.declaration_of(object).map(|it| it.ty.clone());
        let is_same = ty.is_some_and(|ty| self.is_same_type(&ty, pointee));
        if is_same {
            return Ok(Binding::Address(object));
        }
        let message = format!("`{name}` points to another type than this");
        self.refuse(node, "pointer-type", message, "use pointers to the type that the variable has")
    }
}
