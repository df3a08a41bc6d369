//! Numbers behind pointers that a nest names by `*sum` alone and assigns: each is a scalar, as a variable would be.
//!
//! Example: in `void relax(int n, ..., double *sum)` the statement `*sum += d * d;` folds a scalar of the caller's, and does not
//! store an element of an array in each iteration. The function must have assigned it before, or each step of a kept loop do so:
//! so the pointer surely leads to a number, also where the nest has no iterations.

use tree_sitter::Node;

use super::ends::has_jump;
use super::kept::insertion::END;
use super::reader::Reader;
use super::tree::{address_of, assigned, children, strip_parentheses, walk};
use super::types::CType;
use crate::ir::{Handle, HostValue};

impl<'t> Reader<'_, '_, 't> {
    /// The scalar that `node`, which follows a pointer, names.
    pub fn lone_scalar(&mut self, node: Node<'t>) -> Option<Handle<HostValue>> {
        let pointer = followed(self, node).filter(|_| self.frames.is_empty())?;
        let name = self.text(pointer);
        let variable = self.scope.variable(name).filter(|it| !it.is_inside && !it.is_volatile)?;
        let CType::Pointer(pointee) = variable.ty.clone() else { return None };
        let value = self.host_value(name).filter(|value| !self.bindings.contains_key(value))?;
        let is_set = self.is_set_before(name) || self.is_set_in_step(name);
        if matches!(*pointee, CType::Scalar(_)) && is_set && self.is_only_followed(name) {
            self.dereference(value, *pointee)
        } else {
            None
        }
    }

    /// Whether a statement before the nest, which is always executed then, assigns what a pointer leads to.
    fn is_set_before(&self, name: &str) -> bool {
        let mut here = self.node;
        while let Some(around) = here.parent().filter(|around| around.kind() != "function_definition") {
            let is_block = around.kind() == "compound_statement";
            if is_block && children(around).into_iter().take_while(|it| *it != here).any(|it| self.sets(it, name)) {
                return true;
            }
            here = around;
        }
        false
    }

    /// Whether the nest is the step of a kept loop, which the host takes once a call, and always assigns what a pointer leads to.
    fn is_set_in_step(&self, name: &str) -> bool {
        let is_step = self.node.child_by_field_name("condition").is_some_and(|it| self.mentions(it, END));
        let body = self.node.child_by_field_name("body").filter(|_| is_step && self.unit.gaps.is_empty());
        let statements = body.map(children).unwrap_or_default().into_iter();
        statements.take_while(|it| !has_jump(*it)).any(|it| self.sets(it, name))
    }

    fn sets(&self, statement: Node<'t>, name: &str) -> bool {
        let expression = statement.named_child(0).filter(|_| statement.kind() == "expression_statement");
        let target = expression.and_then(assigned).and_then(|target| followed(self, target));
        target.is_some_and(|target| self.text(target) == name)
    }

    /// Whether the nest follows a pointer wherever it names it, and assigns what it leads to.
    fn is_only_followed(&self, name: &str) -> bool {
        let (mut is_followed, mut is_assigned) = (true, false);
        walk(self.node, &mut |node| {
            if node.kind() == "identifier" && self.text(node) == name {
                is_followed &= is_operand(self, node);
            }
            let target = assigned(node).and_then(|target| followed(self, target));
            if target.is_some_and(|target| self.text(target) == name) {
                is_assigned = true;
                // What counts a loop has to be a variable.
                is_followed &= node.parent().is_some_and(|around| around.kind() != "for_statement");
            }
            is_followed
        });
        is_followed && is_assigned
    }
}

/// The identifier that `node` follows, as `*sum` does `sum`.
fn followed<'t>(reader: &Reader<'_, '_, 't>, node: Node<'t>) -> Option<Node<'t>> {
    let is_it = node.kind() == "pointer_expression" && address_of(reader.unit, node).is_none();
    let operand = node.child_by_field_name("argument").filter(|_| is_it).map(strip_parentheses);
    operand.filter(|operand| operand.kind() == "identifier")
}

fn is_operand<'t>(reader: &Reader<'_, '_, 't>, identifier: Node<'t>) -> bool {
    let outer = std::iter::successors(identifier.parent(), Node::parent);
    let mut outer = outer.skip_while(|node| node.kind() == "parenthesized_expression");
    outer.next().and_then(|node| followed(reader, node)) == Some(identifier)
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read};

    fn text(body: &str) -> String {
        let nest = format!("*sum = 0;\n#pragma stencil\nfor (int i = 1; i < n; i++) {{ {body} }}");
        read(&function("int n, double *a, const double *b, double *sum", &nest)).to_string()
    }

    #[test]
    fn what_is_named_by_its_pointer_alone_is_a_scalar() {
        let folded = text("a[i] = b[i - 1]; *sum += b[i];");
        assert!(folded.contains("fold *sum[i] = ") || folded.contains("fold *sum"), "{folded}");
        assert!(!folded.contains("array double sum"), "{folded}");
    }

    #[test]
    fn other_pointers_lead_to_arrays() {
        for body in ["a[i] = b[i - 1] + *sum;", "a[i] = b[i - 1]; sum[i] = *sum;"] {
            assert!(text(body).contains("array double sum"), "{body}");
        }
    }
}
