//! What heads of loops that the host keeps read or set through pointers. Nothing can be put before a condition that is tested again and
//! again, so the arrays cannot be brought there. What a pointer that never changes leads to needs none of that if it is no element
//! that steps store: the driver looks at its address when the device takes over, as it does for all that a nest takes to be fixed.
//!
//! Example: `for (*it = 0; *it < most && norm > *limit; (*it)++)`

use tree_sitter::Node;

use super::Need;
use super::host_code::HostCode;
use crate::front::headers::assignments;
use crate::front::tree::{address_of, ancestors, children, declared_identifier, nodes_in, strip_parentheses};
use crate::front::types::CType;
use crate::ir::{Nest, ScalarType, Variable};

/// A place in memory, in C, and its type.
pub type FixedPlace = (String, ScalarType);

impl<'t> HostCode<'_, '_, 't> {
    /// The places that a part of a head reads or sets through pointers which do not change in the loop `outer`; `None` if it needs more.
    pub fn fixed_places(&self, part: Node<'t>, outer: Node<'t>) -> Option<Vec<FixedPlace>> {
        let part = strip_parentheses(part);
        if self.need_of_host(part) == Need::Nothing {
            return Some(Vec::new());
        }
        match part.kind() {
            "binary_expression"
            | "unary_expression"
            | "conditional_expression"
            | "cast_expression"
            | "comma_expression"
            | "update_expression"
            | "assignment_expression" => {
                let inner = children(part).into_iter().map(|child| self.fixed_places(child, outer));
                Some(inner.collect::<Option<Vec<_>>>()?.concat())
            }
            "pointer_expression" | "subscript_expression" => Some(vec![self.fixed_place(part, outer)?]),
            _ => None,
        }
    }

    /// `*p`, or `p[0]`
    fn fixed_place(&self, place: Node<'t>, outer: Node<'t>) -> Option<FixedPlace> {
        let pointer = place.child_by_field_name("argument").map(strip_parentheses)?;
        let index = place.child_by_field_name("index");
        let is_plain = index.is_none_or(|index| index.kind() == "number_literal") && pointer.kind() == "identifier";
        let name = self.program().text(pointer);
        let is_read = is_plain && address_of(self.unit(), place).is_none() && !self.leads_to_array(name);
        let ty = is_read.then(|| self.steady_pointee(name, outer))??;
        Some((self.program().text(place).to_owned(), ty))
    }

    /// The type of the number that a pointer of the function's own leads to, if nothing in the loop changes the pointer.
    fn steady_pointee(&self, name: &str, outer: Node<'t>) -> Option<ScalarType> {
        let scope = self.scope_at(outer);
        let variable = scope.variable(name).filter(|it| !it.is_static && !it.is_volatile)?;
        let function = ancestors(self.root, outer).into_iter().find(|it| it.kind() == "function_definition")?;
        let is_changed = assignments(self.unit(), outer, name, None) > 0 || self.has_address_of(name, function);
        match &variable.ty {
            CType::Pointer(inner) if !is_changed && !self.is_declared_in(name, outer) => match **inner {
                CType::Scalar(ty) => Some(ty),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether code takes the address of a variable.
    pub fn has_address_of(&self, name: &str, code: Node<'t>) -> bool {
        nodes_in(code).any(|node| address_of(self.unit(), node).is_some_and(|place| self.program().text(place) == name))
    }

    fn is_declared_in(&self, name: &str, outer: Node<'t>) -> bool {
        let is_it = |node: Node| self.program().text(node) == name;
        nodes_in(outer).any(|node| {
            node.kind().ends_with("declarator") && declared_identifier(node).is_some_and(is_it)
                || node.kind() == "declaration" && children(node).into_iter().any(is_it)
        })
    }
}

/// Lets the driver see that no step stores what is there.
pub fn watch(nest: &mut Nest, places: Vec<FixedPlace>) {
    for (text, ty) in places {
        let variable = Variable { file: nest.pragma.file, declared_at: 0, name: text.clone() };
        let watched = (nest.values.expression(variable, text), Some(ty));
        if !nest.watched.contains(&watched) {
            nest.watched.push(watched);
        }
    }
}
