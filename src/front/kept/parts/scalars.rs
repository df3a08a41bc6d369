//! Scalars that carry data from step to step, of which the memory is an array of the nest.

use tree_sitter::Node;

use super::{Frame, Parts};
use crate::front::kept::Part;

impl<'t> Parts<'_, '_, '_, 't> {
    /// The memory of a scalar, if its name means it there.
    pub(super) fn scalar(&self, node: Node<'t>, frame: &Frame<'t>) -> Option<Part> {
        let name = self.text(node);
        let is_it = frame.scope.variable(name)?.is_same(self.outer.variable(name)?);
        let part = Part { from: format!("&{name}"), to: Some(format!("&{name} + 1")), pieces: None };
        (is_it && !self.declares(frame.body, name)).then_some(part)
    }
}
