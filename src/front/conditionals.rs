//! `if` statements: both branches are executed, and what they leave in variables is joined.

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::Failable;
use super::reader::{Binding, Bindings, Reader, Unknown};
use super::tree::children;
use crate::ir::{Expr, Handle, UnaryOp};
use crate::source::Span;

impl<'t> Reader<'_, '_, 't> {
    /// Executes an `if` statement.
    pub fn if_statement(&mut self, node: Node<'t>) -> Failable<()> {
        let (condition, then) = (self.field(node, "condition")?, self.field(node, "consequence")?);
        let otherwise = node.child_by_field_name("alternative").and_then(|clause| children(clause).first().copied());
        let span = self.span(condition);
        let condition = self.condition(condition)?;
        if let Some(value) = self.constant(condition) {
            let chosen = if value != 0 { Some(then) } else { otherwise };
            return chosen.map_or(Ok(()), |chosen| self.statement(chosen));
        }
        let condition = self.local("condition", condition, span);
        let opposite = self.unary(UnaryOp::Not, condition, span);
        let otherwise = |reader: &mut Self| match otherwise {
            Some(otherwise) => reader.under(opposite, |reader| reader.statement(otherwise)),
            None => Ok(()),
        };
        self.branches(condition, span, |reader| reader.statement(then), otherwise)
    }

    /// Runs `then` where `condition` holds, and `otherwise` from the same bindings.
    pub fn branches(
        &mut self,
        condition: Handle<Expr>,
        span: Span,
        then: impl FnOnce(&mut Self) -> Failable<()>,
        otherwise: impl FnOnce(&mut Self) -> Failable<()>,
    ) -> Failable<()> {
        let (before, held) = (self.bindings.clone(), self.held_so_far());
        self.under(condition, then)?;
        let then_ends = std::mem::take(&mut self.has_ended);
        let after_then = std::mem::replace(&mut self.bindings, before);
        otherwise(self)?;
        match (then_ends, std::mem::take(&mut self.has_ended)) {
            (false, false) => self.merge(condition, after_then, &held, span),
            (false, true) => self.bindings = after_then,
            (true, ends) => self.has_ended = ends,
        }
        Ok(())
    }

    /// Joins what variables hold after the two branches of an `if`, in front of which the scalars that are folded stood for `held`.
    fn merge(&mut self, condition: Handle<Expr>, after_then: Bindings<'t>, held: &[Handle<Expr>], span: Span) {
        let variables = BTreeSet::from_iter(after_then.keys().chain(self.bindings.keys()).copied());
        for variable in self.by_name(variables) {
            let (then, otherwise) = (after_then.get(&variable).cloned(), self.bindings.get(&variable).cloned());
            if let Some(joined) = self.partly_joined(condition, then.as_ref(), otherwise.as_ref(), span) {
                self.bindings.insert(variable, joined);
                continue;
            }
            if let (Some(Binding::Scalar(one)), Some(Binding::Scalar(other))) = (&then, &otherwise)
                && let Some(folded) = self.folded_in_one_branch(variable, (*one, *other), held)
            {
                self.bindings.insert(variable, Binding::Scalar(folded));
                continue;
            }
            let merged = match (then, otherwise) {
                (Some(only), None) | (None, Some(only)) if self.is_unnamed(variable) => only,
                (Some(Binding::Scalar(a)), Some(Binding::Scalar(b))) if a == b => Binding::Scalar(a),
                (Some(Binding::Scalar(a)), Some(Binding::Scalar(b))) => {
                    let ty = self.ty(a);
                    let b = self.convert(b, ty);
                    let selected = self.chosen_value(condition, [a, b], span);
                    let name = self.name(variable).to_owned();
                    Binding::Scalar(self.local(&name, selected, span))
                }
                (Some(Binding::Index(a)), _) => Binding::Index(a),
                (Some(Binding::Pointer(a)), Some(Binding::Pointer(b)))
                    if a.root == b.root && a.subscripts == b.subscripts =>
                {
                    Binding::Pointer(a)
                }
                (Some(Binding::Address(a)), Some(Binding::Address(b))) if a == b => Binding::Address(a),
                (Some(Binding::Function(a)), Some(Binding::Function(b))) if a == b => Binding::Function(a),
                (Some(Binding::Local(a)), Some(Binding::Local(b))) if a == b => Binding::Local(a),
                (Some(Binding::Unknown(..)), Some(Binding::Scalar(_)))
                | (Some(Binding::Scalar(_)), Some(Binding::Unknown(..))) => Binding::Unknown(Unknown::Skipped, span),
                (then, otherwise) if then == otherwise => match then {
                    Some(same) => same,
                    None => continue,
                },
                (Some(Binding::Partly(_)), _) | (_, Some(Binding::Partly(_))) => {
                    Binding::Unknown(Unknown::Skipped, span)
                }
                (Some(Binding::Unknown(why, at)), _) | (_, Some(Binding::Unknown(why, at)))
                    if why.is_left_by_loop() =>
                {
                    Binding::Unknown(Unknown::LeftByLoop(None), at)
                }
                (Some(Binding::Unknown(why, at)), _) | (_, Some(Binding::Unknown(why, at))) => {
                    Binding::Unknown(why, at)
                }
                _ => Binding::Unknown(Unknown::Branch, span),
            };
            self.bindings.insert(variable, merged);
        }
    }

    /// Runs `read` where `condition` holds: a guard if it is one on indices and parameters, else a condition on data.
    pub fn under<R>(&mut self, condition: Handle<Expr>, read: impl FnOnce(&mut Self) -> Failable<R>) -> Failable<R> {
        self.conditions.push(condition);
        let guard = self.integral_condition(condition, self.here()).ok();
        match guard {
            Some(guard) => self.guards.push(guard),
            None => self.data_conditions.push(condition),
        }
        let result = read(self);
        if guard.is_some() {
            self.guards.pop();
        } else {
            self.data_conditions.pop();
        }
        self.conditions.pop();
        result
    }
}
