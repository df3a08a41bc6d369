//! Scalars that carry data from step to step, of which the memory is an array of the nest.

use tree_sitter::Node;

use super::{Frame, Parts};
use crate::front::kept::Part;

impl<'t> Parts<'_, '_, '_, 't> {
    /// The memory of a scalar, if its name means it there, or that of a member of such a variable.
    pub(super) fn scalar(&self, node: Node<'t>, frame: &Frame<'t>) -> Option<Part> {
        let is_dot = |it: &Node| it.child_by_field_name("operator").is_some_and(|dot| self.text(dot) == ".");
        let inner = |it: &Node<'t>| it.child_by_field_name("argument").filter(|_| is_dot(it));
        let variable = std::iter::successors(Some(node), inner).last().filter(|it| it.kind() == "identifier")?;
        let (name, text) = (self.text(variable), self.text(node));
        let is_it = frame.scope.variable(name)?.is_same(self.outer.variable(name)?);
        let part = Part { from: format!("&{text}"), to: Some(format!("&{text} + 1")), pieces: None };
        (is_it && !self.declares(frame.body, name)).then_some(part)
    }
}
