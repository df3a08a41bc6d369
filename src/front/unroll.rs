//! Short constant loops that accumulate a value are executed iteration by iteration.

use tree_sitter::Node;

use super::Failable;
use super::loops::Header;
use super::reader::{Binding, Reader};
use super::tree::{strip_parentheses, walk};
use super::types::CType;
use crate::ir::BinaryOp;

/// More iterations than this are not unrolled.
const MAX_ITERATIONS: usize = 64;

impl<'t> Reader<'_, '_, 't> {
    /// The values of the loop variable, if the loop is an inner one with few constant iterations that accumulates.
    pub fn values_to_unroll(&self, body: Node<'t>, header: &Header) -> Option<Vec<i64>> {
        if self.loops.is_empty() {
            return None;
        }
        let (first, bound) = (self.constant(header.first)?, self.constant(header.bound)?);
        let mut values = Vec::new();
        let mut value = first;
        while holds(header.relation, value, bound) {
            values.push(value);
            value = value.checked_add(header.step)?;
            if values.len() > MAX_ITERATIONS {
                return None;
            }
        }
        self.accumulates(body, &header.variable).then_some(values)
    }

    /// Whether an iteration of `body` continues a scalar or an element of an earlier one.
    ///
    /// A scalar that the body assigns plainly before anything else is its own in each iteration.
    fn accumulates(&self, body: Node<'t>, variable: &str) -> bool {
        let mut own: Vec<String> = Vec::new();
        let mut found = false;
        walk(body, &mut |node| {
            match node.kind() {
                "for_statement" => return !found && !self.has_index_bounds(node),
                "assignment_expression" | "update_expression" => found |= self.continues(node, variable, &mut own),
                "init_declarator" => {
                    own.extend(node.child_by_field_name("declarator").map(|name| self.text(name).to_owned()));
                }
                _ => {}
            }
            !found
        });
        found
    }

    /// A loop without constant bounds runs over space; what it does is no accumulation of a short loop.
    fn has_index_bounds(&self, node: Node<'t>) -> bool {
        let condition = node.child_by_field_name("condition");
        let constant = |side| self.scope.constant(self.unit, condition?.child_by_field_name(side)?);
        constant("left").is_none() && constant("right").is_none()
    }

    fn continues(&self, node: Node<'t>, variable: &str, own: &mut Vec<String>) -> bool {
        let target = node.child_by_field_name("left").or_else(|| node.child_by_field_name("argument"));
        let Some(target) = target.map(strip_parentheses) else { return false };
        let is_plain = node.child_by_field_name("operator").is_some_and(|operator| self.text(operator) == "=");
        let right = node.child_by_field_name("right");
        if target.kind() != "identifier" {
            let text = self.text(target);
            let reads_itself = !is_plain || right.is_some_and(|right| self.text(right).contains(text));
            return reads_itself && !self.mentions(target, variable);
        }
        let name = self.text(target);
        let is_scalar = self.scope.variable(name).is_some_and(|variable| matches!(variable.ty, CType::Scalar(_)));
        let is_header = node.parent().is_some_and(|parent| parent.kind() == "for_statement");
        if !is_scalar || is_header || own.iter().any(|other| other == name) {
            return false;
        }
        if is_plain && !right.is_some_and(|right| self.mentions(right, name)) {
            own.push(name.to_owned());
            return false;
        }
        true
    }

    /// Executes `body` once for each value.
    pub fn unrolled_loop(&mut self, node: Node<'t>, body: Node<'t>, header: &Header, values: &[i64]) -> Failable<()> {
        let span = self.span(node);
        for value in values {
            let value = self.int(header.ty, *value, span);
            self.bindings.insert(header.variable.clone(), Binding::Scalar(value));
            self.statement(body)?;
        }
        let after = values.last().map_or(self.constant(header.first), |last| last.checked_add(header.step));
        if let Some(after) = after {
            let after = self.int(header.ty, after, span);
            self.bindings.insert(header.variable.clone(), Binding::Scalar(after));
        }
        if header.outlives {
            self.assigned.entry(header.variable.clone()).or_insert(span);
        }
        Ok(())
    }
}

fn holds(relation: BinaryOp, value: i64, bound: i64) -> bool {
    match relation {
        BinaryOp::Less => value < bound,
        BinaryOp::LessEqual => value <= bound,
        BinaryOp::Greater => value > bound,
        BinaryOp::GreaterEqual => value >= bound,
        _ => value != bound,
    }
}
