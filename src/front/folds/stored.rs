//! What points give: the parts of new values that sweeps compute and store, and that the host reads.

use super::HostForms;
use super::by_legs::Needed;
use super::drafts::NewValues;
use crate::front::Failable;
use crate::front::polynomial::{Indeterminate, Polynomial};
use crate::front::reader::Reader;
use crate::ir::{
    Access, Array, Combination, Expr, ExprKind, Handle, Local, Loop, MAX_RANK, PointValues, ScalarType, Statement,
};
use crate::source::{Diagnostic, Span};

impl Reader<'_, '_, '_> {
    /// A value as the host computes it: what the points give is read from arrays.
    pub(super) fn host_form(
        &mut self,
        value: Handle<Expr>,
        new: &NewValues,
        needed: &[Needed],
        host: &mut HostForms,
    ) -> Failable<Handle<Expr>> {
        if let Some(known) = host.known.get(&value) {
            return Ok(*known);
        }
        let span = self.nest.exprs.span(value);
        let ty = self.ty(value);
        let is_made_of_accumulators = self.reaches_accumulators(value);
        let form = match self.kind(value).clone() {
            _ if !is_made_of_accumulators && self.is_for_host_alone(value) => value,
            _ if !is_made_of_accumulators => self.value_of_points(value, new, host)?,
            ExprKind::Accumulator(number) => {
                let variable = self.accumulated(number);
                let number = self.number_at(variable, new, needed).expect("what goes into a fold is needed");
                self.expr(ty, ExprKind::Accumulator(number), span)
            }
            ExprKind::Local(local) => {
                let Local { name, ty, value: inner } = self.nest.locals[local].clone();
                let inner = self.host_form(inner, new, needed, host)?;
                let local = self.nest.locals.push(Local { name, ty, value: inner }, span);
                self.expr(ty, ExprKind::Local(local), span)
            }
            kind => {
                let mut operands = Vec::new();
                for operand in kind.operands() {
                    operands.push(self.host_form(operand, new, needed, host)?);
                }
                self.expr(ty, kind.with_operands(&operands), span)
            }
        };
        host.known.insert(value, form);
        Ok(form)
    }

    /// Whether the host has all that goes into a value, and computes the same.
    fn is_for_host_alone(&self, value: Handle<Expr>) -> bool {
        !self.nest.reachable([value]).into_iter().any(|part| match self.kind(part) {
            ExprKind::Read(_) => true,
            ExprKind::Call(function, _) => !function.is_exact(),
            _ => false,
        })
    }

    /// Lets a sweep store a value for each point, and reads it.
    fn value_of_points(
        &mut self,
        value: Handle<Expr>,
        new: &NewValues,
        host: &mut HostForms,
    ) -> Failable<Handle<Expr>> {
        let (ty, span) = (self.ty(value), self.nest.exprs.span(value));
        let combination = host.combination;
        let is_known = |(stored, _, how): &&(Handle<Expr>, Handle<Access>, Combination)| {
            *how == combination && self.ty(*stored) == ty && self.is_same_value(*stored, value)
        };
        let write = match host.stored.iter().find(is_known) {
            Some((_, write, _)) => *write,
            None => {
                let write = self.store_of_points(value, new, span)?;
                let is_never_negative = self.is_never_negative(value);
                let values =
                    PointValues { write, combination, is_never_negative, is_bounded: false, is_compared: false };
                self.nest.step.folds.values.push(values);
                host.stored.push((value, write, combination));
                write
            }
        };
        Ok(self.expr(ty, ExprKind::Read(write), span))
    }

    fn store_of_points(&mut self, value: Handle<Expr>, new: &NewValues, span: Span) -> Failable<Handle<Access>> {
        let space: Vec<_> = self.nest.clock.space(&new.loops).collect();
        let strides = self.strides_of_box(&space, span).or_else(|| self.strides_beside(&new.loops));
        let Some(strides) = strides.filter(|_| space.len() <= MAX_RANK) else {
            let message = "what is folded here is in no loops over a box of points";
            let error = Diagnostic::error("scalar-carried", message, span);
            return Err(Box::new(error.with_help("let the loops around it have bounds that no other loop changes")));
        };
        let name = self.nest.values.free_name("value");
        let variable = self.undeclared(name.clone());
        let array = Array::of_driver(name, self.ty(value), variable, strides);
        let array = self.nest.arrays.push(array, span);
        let index = |this: &Handle<Loop>| (self.nest.loops[*this].ty, ExprKind::Index(*this));
        // Of a step without such loops there is one value.
        let one = space.is_empty().then_some((ScalarType::I64, ExprKind::Int(0)));
        let indices: Vec<_> = space.iter().map(index).chain(one).collect();
        let subscripts = indices.into_iter().map(|(ty, index)| self.expr(ty, index, span));
        let write = Access::unconditional(array, subscripts.collect(), new.loops.clone(), new.position.clone());
        let write = self.nest.accesses.push(write, span);
        self.nest.step.statements.push(Statement { write, first: write, value, span });
        Ok(write)
    }

    /// The strides of an array whose elements in these loops have their indices as subscripts, a constant aside.
    fn strides_beside(&self, loops: &[Handle<Loop>]) -> Option<Vec<Handle<Expr>>> {
        let is_index = |(subscript, this): (&Handle<Expr>, &Handle<Loop>)| {
            let index = Polynomial::term(vec![Indeterminate::Index(*this)], 1);
            let rest = self.polynomial(*subscript).and_then(|subscript| subscript.plus(&index, -1));
            rest.is_some_and(|rest| rest.as_constant().is_some())
        };
        let space: Vec<_> = self.nest.clock.space(loops).collect();
        let fits = |access: &Access| {
            access.loops == loops
                && access.subscripts.len() == space.len()
                && access.subscripts.iter().zip(&space).all(is_index)
                && !self.nest.arrays[access.array].has_row_tables()
        };
        let (_, found) = self.nest.accesses.iter().find(|(_, access)| fits(access))?;
        Some(self.nest.arrays[found.array].strides.clone())
    }
}
