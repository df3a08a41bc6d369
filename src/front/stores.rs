//! Reads and stores of array elements.
//!
//! An iteration that stores an element twice, as `b[i] = x; b[i] += y; if (b[i] < 0) b[i] = 0;`, leaves the last value. If it
//! touches no other element of the array between two stores, nobody can see the first one: reads between them become the
//! value that was stored, and one statement is left.

use super::Failable;
use super::arrays::Element;
use super::reader::Reader;
use crate::ir::{Access, Expr, ExprKind, Handle, Loop, Statement};
use crate::source::Span;

/// What the present iteration stored last in an array.
#[derive(Clone, Debug)]
pub struct Stored {
    write: Handle<Access>,
    loops: Vec<Handle<Loop>>,
    guards: Vec<Handle<Expr>>,
    subscripts: Vec<Handle<Expr>>,
    value: Handle<Expr>,
    /// The reads of the element since then.
    reads: Vec<Handle<Expr>>,
}

impl Reader<'_, '_, '_> {
    /// The value of an element.
    pub fn read_element(&mut self, element: &Element, span: Span) -> Handle<Expr> {
        let access = self.access(element.root, element.subscripts.clone(), span);
        let read = self.expr(element.ty, ExprKind::Read(access), span);
        self.note_lone_integer(access, element.root);
        if let Some(mut stored) = self.stored.remove(&element.root)
            && self.loops.starts_with(&stored.loops)
            && self.guards.starts_with(&stored.guards)
            && self.are_same(&stored.subscripts, &element.subscripts)
        {
            stored.reads.push(read);
            self.stored.insert(element.root, stored);
        }
        read
    }

    /// Emits the statement that stores `value`, or under conditions on data the old value.
    pub fn store(&mut self, element: Element, value: Handle<Expr>, place: Span, span: Span) -> Failable<()> {
        let value = if element.is_bool { self.truth(value) } else { value };
        let mut value = self.convert(value, element.ty);
        for (around, condition) in self.data_conditions.clone().into_iter().enumerate().rev() {
            let old = self.read_element(&element, place);
            if let ExprKind::Read(access) = *self.kind(old) {
                // It is needed where this condition does not hold.
                self.nest.accesses[access].conditions.truncate(around);
                self.nest.accesses[access].is_kept_value = true;
            }
            value = self.expr(element.ty, ExprKind::Select(condition, value, old), span);
        }
        if !self.guards.is_empty() {
            // A place for the old value that `store_in_every_step` may read.
            self.next_position();
        }
        let replaced = self.forget_overwritten(&element);
        if replaced.is_some() {
            value = self.without_old(value);
        }
        let Element { root, subscripts, .. } = element;
        let write = self.access(root, subscripts.clone(), place);
        // An array that is masked point by point is taken to have all these points, if there is memory, but rows may be there for
        // some of them.
        let has_rows = !self.roots[root].ty.pointers().is_empty();
        self.nest.accesses[write].is_speculative &= has_rows && self.nest.keeps_old(value);
        self.nest.accesses[write].conditions.clear();
        self.nest.step.statements.push(Statement { write, first: replaced.unwrap_or(write), value, span });
        let (loops, guards) = (self.loops.clone(), self.guards.clone());
        self.stored.insert(root, Stored { write, loops, guards, subscripts, value, reads: Vec::new() });
        Ok(())
    }

    /// Removes the statement that stored `element` before in this iteration, if its value was read from nowhere else, and
    /// returns the first store that it stood for.
    fn forget_overwritten(&mut self, element: &Element) -> Option<Handle<Access>> {
        let stored = self.stored.remove(&element.root)?;
        let is_here = stored.loops == self.loops && stored.guards == self.guards;
        if !is_here || !self.are_same(&stored.subscripts, &element.subscripts) {
            return None;
        }
        let span = self.nest.exprs.span(stored.value);
        let name = self.root_name(element.root).to_owned();
        let value = self.local(&name, stored.value, span);
        for read in stored.reads {
            self.nest.exprs[read] = self.nest.exprs[value].clone();
            self.facts[read.index()] = self.facts[value.index()];
        }
        let place = self.nest.step.statements.iter().position(|statement| statement.write == stored.write)?;
        Some(self.nest.step.statements.remove(place).first)
    }

    /// Whether subscripts of one array are surely equal.
    pub fn are_same(&self, one: &[Handle<Expr>], other: &[Handle<Expr>]) -> bool {
        one.len() == other.len() && one.iter().zip(other).all(|(one, other)| self.is_same(*one, *other))
    }

    /// Whether two expressions surely have one value.
    pub fn is_same(&self, one: Handle<Expr>, other: Handle<Expr>) -> bool {
        if one == other {
            return true;
        }
        let has_same_root = match (self.kind(one), self.kind(other)) {
            (ExprKind::Int(a), ExprKind::Int(b)) => a == b,
            (ExprKind::Float(a), ExprKind::Float(b)) => a == b,
            (ExprKind::Index(a), ExprKind::Index(b)) | (ExprKind::Iteration(a), ExprKind::Iteration(b)) => a == b,
            (ExprKind::Local(a), ExprKind::Local(b)) => a == b,
            (ExprKind::Call(a, _), ExprKind::Call(b, _)) => a == b,
            (ExprKind::Param(a), ExprKind::Param(b)) => a == b,
            (ExprKind::Convert(_), ExprKind::Convert(_)) => true,
            (ExprKind::Unary(a, _), ExprKind::Unary(b, _)) => a == b,
            (ExprKind::Binary(a, ..), ExprKind::Binary(b, ..)) => a == b,
            _ => false,
        };
        has_same_root
            && self.ty(one) == self.ty(other)
            && self.are_same(&self.kind(one).operands(), &self.kind(other).operands())
    }
}
