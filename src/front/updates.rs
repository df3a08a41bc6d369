//! Variables that a statement counts beside what it does, as `a[k++] = *p++;` does.
//!
//! Where the statement names such a variable once and surely comes to it, that is `a[k] = *p;` with `k++; p++;` behind it, or
//! before it for `++k`.

use tree_sitter::Node;

use super::Failable;
use super::reader::Reader;
use super::tree::{named, nodes_in, strip_parentheses, target};
use super::types::CType;

/// What may stand between a statement and what it counts.
const AROUND: [&str; 10] = [
    "parenthesized_expression",
    "subscript_expression",
    "pointer_expression",
    "binary_expression",
    "unary_expression",
    "cast_expression",
    "field_expression",
    "assignment_expression",
    "init_declarator",
    "comma_expression",
];

impl<'t> Reader<'_, '_, 't> {
    /// What a statement counts within an expression.
    pub fn updates_within(&self, statement: Node<'t>) -> Vec<Node<'t>> {
        let is_whole = |node: &Node| node.parent().is_some_and(|it| it == statement || it.kind() == "comma_expression");
        let updates = nodes_in(statement).filter(|node| node.kind() == "update_expression" && !is_whole(node));
        let mut updates: Vec<_> = updates.collect();
        updates.retain(|update| self.is_sure(statement, *update));
        updates
    }

    /// Whether a statement surely comes to what counts a variable, and names that nowhere else.
    fn is_sure(&self, statement: Node<'t>, update: Node<'t>) -> bool {
        let Some(name) = target(update).map(|target| self.text(target)) else { return false };
        let is_logical = |it: &Node<'t>| {
            let operator = it.child_by_field_name("operator").filter(|_| it.kind() == "binary_expression");
            operator.is_some_and(|operator| matches!(self.text(operator), "&&" | "||"))
        };
        let around: Vec<_> =
            std::iter::successors(update.parent(), Node::parent).take_while(|it| *it != statement).collect();
        named(self.unit, statement, name).count() == 1
            && around.iter().all(|it| AROUND.contains(&it.kind()) && !is_logical(it))
    }

    /// Whether what is counted points somewhere: in the outermost loop only exchanged pointers may change.
    fn counts_pointer(&self, update: Node<'t>) -> bool {
        let variable = target(update).and_then(|target| self.scope.variable(self.text(target)));
        variable.is_some_and(|variable| matches!(variable.ty, CType::Pointer(_)))
    }

    /// Executes a statement, and what it counts within its expressions before or behind it.
    pub fn with_updates(
        &mut self,
        statement: Node<'t>,
        execute: impl FnOnce(&mut Self) -> Failable<()>,
    ) -> Failable<()> {
        // What data decides to count is no subscript.
        let mut updates = if self.data_conditions.is_empty() { self.updates_within(statement) } else { Vec::new() };
        updates.retain(|update| self.loops.len() > 1 || !self.counts_pointer(*update));
        let is_before = |update: &Node<'t>| update.child(0).is_some_and(|operator| !operator.is_named());
        let (before, behind): (Vec<Node>, Vec<Node>) = updates.iter().partition(|update| is_before(update));
        before.into_iter().try_for_each(|update| self.expression_statement(update, update))?;
        self.updates.extend(updates.iter().map(Node::id));
        let executed = execute(self);
        updates.iter().for_each(|update| _ = self.updates.remove(&update.id()));
        executed?;
        behind.into_iter().try_for_each(|update| self.expression_statement(update, update))
    }

    /// The variable that `node` counts before or behind the statement that it is in.
    pub fn counted_apart(&self, node: Node<'t>) -> Option<Node<'t>> {
        let argument = node.child_by_field_name("argument").filter(|_| self.updates.contains(&node.id()));
        argument.map(strip_parentheses)
    }
}
