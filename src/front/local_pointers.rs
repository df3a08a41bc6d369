//! Pointers into small arrays of the nest's own: functions fill such arrays and read them, as in `weights(w, x)`.
//!
//! An element of such an array is a scalar by its constant subscripts, so a pointer is the array and the constants so far.

use std::rc::Rc;

use tree_sitter::Node;

use super::Failable;
use super::local_arrays::Shape;
use super::reader::{Binding, Reader};
use super::types::CType;
use crate::ir::{Handle, HostValue, Selector};

/// A pointer to an element or a row of a local array.
#[derive(Clone, Debug)]
pub struct LocalPointer<'t> {
    /// The array.
    pub array: Handle<HostValue>,
    /// Its shape.
    pub shape: Rc<Shape<'t>>,
    /// The subscripts of what it leads to: one for each dimension, or fewer for rows.
    pub place: Vec<i64>,
}

impl PartialEq for LocalPointer<'_> {
    fn eq(&self, other: &Self) -> bool {
        (self.array, &self.place) == (other.array, &other.place)
    }
}

impl LocalPointer<'_> {
    /// Whether it leads to a number.
    pub fn is_to_element(&self) -> bool {
        self.place.len() == self.shape.extents.len()
    }

    /// The pointer that many elements, or rows, further.
    pub fn moved(mut self, by: i64) -> Option<Self> {
        let last = self.place.last_mut()?;
        *last = last.checked_add(by)?;
        Some(self)
    }

    /// The pointer to the first part of the row that it leads to.
    pub fn decayed(mut self) -> Self {
        self.place.push(0);
        self
    }
}

impl<'t> Reader<'_, '_, 't> {
    /// What `name` leads to if it is a local array or a pointer into one.
    pub fn local_pointer(&mut self, name: &str) -> Option<LocalPointer<'t>> {
        if let Some(shape) = self.local_array(name) {
            let array = self.host_value(name)?;
            return Some(LocalPointer { array, shape: Rc::new(shape), place: vec![0] });
        }
        self.scope.variable(name).filter(|it| matches!(it.ty, CType::Pointer(_)))?;
        let pointer = self.host_value(name)?;
        match self.bindings.get(&pointer) {
            Some(Binding::Local(pointer)) => Some(pointer.clone()),
            _ => None,
        }
    }

    /// Whether a pointer to `pointee` can be that pointer.
    pub fn leads_to(&mut self, pointer: &LocalPointer<'t>, pointee: &CType<'t>) -> bool {
        let mut rest = pointee.clone();
        for extent in &pointer.shape.extents[pointer.place.len()..] {
            let CType::Array(inner, Some(length)) = rest else { return false };
            if self.scope.array_length(self.unit, length).and_then(|length| length.as_i64()) != Some(*extent) {
                return false;
            }
            rest = *inner;
        }
        self.is_same_type(&rest, &pointer.shape.element)
    }

    /// The element to which a pointer leads, which `node` names.
    pub fn local_object(&mut self, node: Node<'t>, pointer: &LocalPointer<'t>) -> Failable<Handle<HostValue>> {
        let name = self.name(pointer.array).to_owned();
        if !pointer.is_to_element() {
            return self.refuse_whole(node, &name);
        }
        for (subscript, extent) in pointer.place.iter().zip(&pointer.shape.extents) {
            if !(0..*extent).contains(subscript) {
                let message = format!("`{name}` has no element {subscript}");
                return self.refuse(node, "local-array", message, "declare it with as many elements as the nest uses");
            }
        }
        let mut value = self.nest.values[pointer.array].clone();
        value.path.extend(pointer.place.iter().copied().map(Selector::Element));
        let element = self.nest.values.intern(value);
        let mut declared = pointer.shape.variable.clone();
        declared.ty = pointer.shape.element.clone();
        self.variables.entry(element).or_insert(declared);
        Ok(element)
    }
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{point_nest, read, refusal};

    const FUNCTIONS: &str = "static void fill(double *w, double x) { for (int k = 0; k < 3; k++) w[k] = x * k; }
        static double last(const double w[3]) { return *(w + 1) + w[2]; }
        static void rows(double (*m)[2], double x) { m[0][1] = x; fill(m[1], x); }\n";

    fn text(body: &str) -> String {
        FUNCTIONS.to_owned() + &point_nest("", body)
    }

    #[test]
    fn functions_fill_and_read_local_arrays() {
        let filled = read(&text("double w[3]; fill(w, b[i]); a[i] = last(w);")).to_string();
        let plain = read(&text("double w[3]; for (int k = 0; k < 3; k++) w[k] = b[i] * k; a[i] = w[1] + w[2];"));
        let statement = |text: &str| text.lines().filter(|line| line.contains("] a[")).count();
        assert_eq!(statement(&filled), statement(&plain.to_string()));
        assert!(filled.contains("local double w[1].") && filled.contains("local double last."), "{filled}");
        read(&text("double w[2][3]; fill(w[1], b[i]); fill(&w[0][0], b[i]); a[i] = last(w[1]) + w[0][2];"));
    }

    #[test]
    fn what_is_not_there_is_refused() {
        for (body, code) in [
            ("double w[2]; fill(w, b[i]); a[i] = w[0];", "local-array"),
            ("float w[3]; fill(w, b[i]); a[i] = w[0];", "pointer-type"),
            ("double w[2][3]; rows(w, b[i]); a[i] = w[0][1];", "pointer-type"),
            ("double w[3]; w[0] = 1; a[i] = last(w);", "uninitialised"),
            ("double w[3]; fill(w + c[i], b[i]); a[i] = w[0];", "local-array"),
        ] {
            assert_eq!(refusal(&text(body)).code, code, "{body}");
        }
    }
}
