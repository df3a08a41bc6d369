//! Small arrays of pointers whose elements a nest exchanges: `tmp = u[0]; u[0] = u[1]; u[1] = tmp;`.
//!
//! Each element is then a pointer variable of its own, `u[0]`, with what it leads to as its array. So subscripts of the table must
//! be constants; where rows stay where they are, a table's rows are a dimension instead.

use tree_sitter::Node;

use super::Failable;
use super::local_arrays::Shape;
use super::reader::Reader;
use super::tree::strip_parentheses;
use super::types::CType;
use crate::ir::{Handle, HostValue};

/// Pointers in one table.
const MAX_POINTERS: i64 = 16;

impl<'t> Reader<'_, '_, 't> {
    /// The shape of `name`, if it is a table whose pointers are variables to the nest.
    fn pointer_table(&self, name: &str) -> Option<Shape<'t>> {
        let shape = self.shape_of_any(name).filter(|shape| self.exchanges_rows && !shape.variable.is_inside)?;
        let is_small = matches!(shape.extents.as_slice(), [extent] if *extent <= MAX_POINTERS);
        (is_small && matches!(shape.element, CType::Pointer(_))).then_some(shape)
    }

    /// The pointer variable that `place` names as an element of a table; `None` if it names something else.
    ///
    /// # Errors
    /// The subscript is no constant, or there is no such element.
    pub fn table_pointer(&mut self, place: Node<'t>) -> Failable<Option<Handle<HostValue>>> {
        let argument = place.child_by_field_name("argument").map(strip_parentheses);
        let Some(name) = argument.filter(|it| it.kind() == "identifier").map(|it| self.text(it)) else {
            return Ok(None);
        };
        let Some(shape) = self.pointer_table(name) else { return Ok(None) };
        let index = self.field(place, "index")?;
        let value = self.scalar(index)?;
        match self.constant(value).filter(|at| (0..shape.extents[0]).contains(at)) {
            Some(at) => Ok(Some(self.element_variable(name, &shape, &[at]))),
            None => {
                let message = format!("`{name}` has pointers that are exchanged, and this subscript is no constant");
                self.refuse(index, "pointer-to-pointer", message, "name the pointers by constants, as in `u[0]`")
            }
        }
    }

    /// The pointer variable that code which is not executed yet names as an element of a table by a plain constant.
    pub fn plain_table_pointer(&mut self, place: Node<'t>) -> Option<Handle<HostValue>> {
        let (name, subscripts) = self.subscripted_name(place)?;
        let ([index], Some(shape)) = (subscripts.as_slice(), self.pointer_table(name)) else { return None };
        let at = self.scope.constant(self.unit, *index).filter(|at| (0..shape.extents[0]).contains(at))?;
        Some(self.element_variable(name, &shape, &[at]))
    }
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read, refusal};

    const SWEEP: &str = "for (int i = 1; i < n - 1; i++) u[1][i] = u[0][i - 1] + u[0][i + 1];";

    fn steps(exchange: &str) -> String {
        let body = format!(
            "double *u[3] = {{a, b, c}};\n#pragma stencil\nfor (int t = 0; t < steps; t++) {{ {SWEEP} {exchange} }}"
        );
        function("int n, int steps, double *a, double *b, double *c", &body)
    }

    #[test]
    fn pointers_in_a_table_are_exchanged() {
        let text = read(&steps("double *old = u[0]; u[0] = u[1]; u[1] = old;")).to_string();
        assert!(text.contains("buffers u[0], u[1]"), "{text}");
        assert!(!text.contains("u[2]"), "{text}");
    }

    #[test]
    fn tables_that_stay_are_dimensions() {
        let text = read(&steps("")).to_string();
        assert!(text.contains("array double u[]") && !text.contains("array double u[0]"), "{text}");
    }

    #[test]
    fn what_cannot_be_told_is_refused_as_before() {
        let refusal = refusal(&steps(&format!("double *old = u[t % 2]; u[t % 2] = u[1]; u[1] = old; {SWEEP}")));
        assert_eq!(refusal.code, "pointer-to-pointer");
        assert!(refusal.message.contains("is replaced"), "{}", refusal.message);
    }
}
