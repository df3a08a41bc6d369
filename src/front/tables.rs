//! Tables of constant integers, such as the directions of a lattice: their elements are constants where subscripts tell which,
//! so that they may stand in subscripts themselves.

use tree_sitter::Node;

use super::Failable;
use super::local_arrays::{Shape, elements_of, initialiser};
use super::numbers::Constant;
use super::reader::Reader;
use super::tree::{target, walk};
use super::types::{CType, base_type};
use crate::ir::{Expr, Handle};

impl<'t> Reader<'_, '_, 't> {
    /// The element of a table of constant integers that `place` names, if its subscripts are constants.
    pub fn table_value(&mut self, place: Node<'t>) -> Failable<Option<Handle<Expr>>> {
        let Some((name, indices)) = self.subscripted_name(place) else { return Ok(None) };
        let Some(shape) = self.table(name) else { return Ok(None) };
        if indices.len() != shape.extents.len() || !indices.iter().all(|index| is_arithmetic(*index)) {
            return Ok(None);
        }
        let mut at = 0;
        for (index, extent) in indices.into_iter().zip(&shape.extents) {
            let value = self.scalar(index)?;
            let Some(value) = self.constant(value).filter(|value| (0..*extent).contains(value)) else {
                return Ok(None);
            };
            at = at * extent + value;
        }
        let value = self.listed_constant(&shape, at as usize);
        let span = self.span(place);
        Ok(value.and_then(|value| self.constant_expr(value, span)))
    }

    /// The shape of `name`, if it is an array of integers that never change, declared before the nest.
    pub fn table(&mut self, name: &str) -> Option<Shape<'t>> {
        let shape = self.shape(name).filter(|shape| !shape.variable.is_inside)?;
        let is_listed =
            matches!(shape.element, CType::Scalar(ty) if ty.is_integer()) && initialiser(&shape.variable).is_some();
        let variable = self.host_value(name).filter(|_| is_listed)?;
        self.qualifiers(variable).is_const.then_some(shape)
    }

    /// The constant that the initialiser gives to the element `at` of an array.
    fn listed_constant(&self, shape: &Shape<'t>, at: usize) -> Option<Constant> {
        let CType::Scalar(ty) = shape.element else { return None };
        let values = elements_of(initialiser(&shape.variable)?, &shape.extents)?;
        match values.get(at).copied().flatten() {
            Some(value) => self.scope.typed_constant(self.unit, value).filter(|_| is_number(value))?.converted(ty),
            None => Some(Constant::from_bits(ty, 0)),
        }
    }

    /// Whether the code in `node` needs constant subscripts: it names an element of a local array, or computes an integer from a
    /// table of constants.
    pub fn needs_constant_subscripts(&mut self, node: Node<'t>) -> bool {
        let mut elements = Vec::new();
        walk(node, &mut |inner| {
            elements.extend(self.subscripted_name(inner).map(|(name, _)| (inner, name)));
            true
        });
        elements.into_iter().any(|(element, name)| {
            self.local_pointer(name).is_some() || self.is_in_integer(element) && self.table(name).is_some()
        })
    }

    /// Whether an element is part of a subscript, or of what an integer variable or a condition gets.
    fn is_in_integer(&self, element: Node<'t>) -> bool {
        let is_integer = |ty: &CType<'t>| matches!(ty, CType::Scalar(ty) if ty.is_integer());
        let mut inner = element;
        while let Some(outer) = inner.parent() {
            match outer.kind() {
                "subscript_expression" if outer.child_by_field_name("index") == Some(inner) => return true,
                "declaration" => return is_integer(&base_type(self.unit, &self.scope, outer)),
                "assignment_expression" => {
                    let name = target(outer).map(|target| self.text(target));
                    return name.and_then(|name| self.scope.variable(name)).is_some_and(|it| is_integer(&it.ty));
                }
                "if_statement" | "for_statement" => return true,
                kind if kind.ends_with("_statement") => return false,
                _ => inner = outer,
            }
        }
        false
    }
}

/// Whether an expression has names, numbers, operators and elements alone, so that it may be read twice.
pub fn is_arithmetic(expression: Node) -> bool {
    let mut is_arithmetic = true;
    walk(expression, &mut |node| {
        let kinds = [
            "identifier",
            "number_literal",
            "unary_expression",
            "binary_expression",
            "parenthesized_expression",
            "subscript_expression",
        ];
        is_arithmetic &= kinds.contains(&node.kind());
        is_arithmetic
    });
    is_arithmetic
}

/// Whether an expression means the same wherever it stands: it names nothing.
fn is_number(expression: Node) -> bool {
    let mut is_number = true;
    walk(expression, &mut |node| {
        is_number &= node.kind() != "identifier";
        is_number
    });
    is_number
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{point_nest, read};

    #[test]
    fn tables_of_constants_are_constants_in_subscripts() {
        let tables = "static const int cx[3] = {0, 1, -1};";
        let text = read(&point_nest(tables, "double s = 0; for (int k = 0; k < 3; k++) s += b[i - cx[k]]; a[i] = s;"));
        assert!(!text.to_string().contains("cx"), "{text}");
        let data = read(&point_nest("double t[2] = {1, 2};", "a[i] = b[i] * t[1];")).to_string();
        assert!(data.contains("array double t[2]"), "{data}");
    }
}
