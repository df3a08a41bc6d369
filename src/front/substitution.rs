//! Expressions with other values in place of some of their parts.

use std::collections::BTreeMap;

use super::reader::Reader;
use crate::ir::{Expr, ExprKind, Handle, Local, Nest};

/// Makes copies of expressions with other parts in place of some; what has none of these is not copied.
pub struct Substitution<'n, F> {
    nest: &'n mut Nest,
    /// What takes the place of an expression of this kind, if anything does.
    instead: F,
    known: BTreeMap<Handle<Expr>, Handle<Expr>>,
}

impl<'n, F: Fn(&ExprKind) -> Option<Handle<Expr>>> Substitution<'n, F> {
    /// A substitution in a nest.
    pub fn new(nest: &'n mut Nest, instead: F) -> Self {
        Self { nest, instead, known: BTreeMap::new() }
    }

    /// What becomes of an expression; parts that were seen before become the same again.
    pub fn apply(&mut self, expr: Handle<Expr>) -> Handle<Expr> {
        if let Some(known) = self.known.get(&expr) {
            return *known;
        }
        let Expr { ty, kind } = self.nest.exprs[expr].clone();
        let span = self.nest.exprs.span(expr);
        let changed = match (self.instead)(&kind) {
            Some(other) => other,
            None => match self.with_other_parts(&kind) {
                Some(kind) => self.nest.exprs.push(Expr { ty, kind }, span),
                None => expr,
            },
        };
        self.known.insert(expr, changed);
        changed
    }

    /// The same of changed parts; `None` if none changes.
    fn with_other_parts(&mut self, kind: &ExprKind) -> Option<ExprKind> {
        if let ExprKind::Local(local) = *kind {
            let old = self.nest.locals[local].value;
            let value = self.apply(old);
            let (local, span) = (Local { value, ..self.nest.locals[local].clone() }, self.nest.locals.span(local));
            return (value != old).then(|| ExprKind::Local(self.nest.locals.push(local, span)));
        }
        let old = kind.operands();
        let new: Vec<_> = old.iter().map(|it| self.apply(*it)).collect();
        (new != old).then(|| kind.with_operands(&new))
    }
}

impl Reader<'_, '_, '_> {
    /// An expression with other parts in place of some.
    pub fn substituted(
        &mut self,
        expr: Handle<Expr>,
        instead: impl Fn(&ExprKind) -> Option<Handle<Expr>>,
    ) -> Handle<Expr> {
        let changed = Substitution::new(&mut self.nest, instead).apply(expr);
        self.note_facts();
        changed
    }
}
