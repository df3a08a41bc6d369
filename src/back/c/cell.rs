//! Values of cells.

use super::Body;
use super::position::position;
use crate::back::expr::{Scope, locals_of, write_expr};
use crate::back::identifier;
use crate::ir::{Access, Expr, Function, Handle, Local, Loop, Param, ScalarType};
use crate::kernel::{Compute, origin};
use crate::text::Writer;

impl Body<'_> {
    /// Computes one cell.
    pub(super) fn write_compute(&self, writer: &mut Writer, compute: &Compute) {
        let nest = self.subject.analysis.nest;
        let scope = CellScope { body: self, compute };
        let known = compute.known.as_ref().map(|(known, _)| *known);
        for local in locals_of(nest, &[compute.value], known) {
            let ty = self.type_name(nest.locals[local].ty);
            let value = write_expr(nest, &scope, nest.locals[local].value);
            writer.line(format_args!("const {ty} {} = {value};", scope.local(local)));
        }
        let value = write_expr(nest, &scope, compute.value);
        let ty = self.type_name(nest.exprs[compute.value].ty);
        if let [(target, None)] = compute.stores.as_slice() {
            writer.line(format_args!("{} = {value};", self.place(target)));
            return;
        }
        writer.line(format_args!("const {ty} result = {value};"));
        for (target, guard) in &compute.stores {
            let store = format!("{} = result;", self.place(target));
            match guard {
                None => writer.line(store),
                Some(guard) => writer.line(format_args!("if ({}) {store}", self.condition(guard))),
            }
        }
    }
}

/// Names within the computation of one cell.
struct CellScope<'a> {
    body: &'a Body<'a>,
    compute: &'a Compute,
}

impl Scope for CellScope<'_> {
    fn param(&self, param: Handle<Param>) -> String {
        self.body.subject.analysis.names.param(param).to_string()
    }

    fn index(&self, l: Handle<Loop>) -> String {
        let nest = self.body.subject.analysis.nest;
        let ty = self.type_name(nest.loops[l].ty);
        if nest.clock.counts(l) {
            let first = write_expr(nest, self, nest.loops[l].first);
            return format!("({ty})({first} + {} * {})", nest.loops[l].step, self.iteration(l));
        }
        match self.compute.loops.get(&l) {
            Some(value) => format!("({ty})({})", self.body.index(value)),
            None => unreachable!("every loop variable in a value has been expressed by the cell"),
        }
    }

    fn iteration(&self, _: Handle<Loop>) -> String {
        let step = self.compute.step.as_ref().expect("values that depend on time know their step");
        self.body.arithmetic().factor(step)
    }

    fn local(&self, local: Handle<Local>) -> String {
        format!("v{}_{}", local.index(), identifier(&self.body.subject.analysis.nest.locals[local].name))
    }

    fn read(&self, access: Handle<Access>) -> String {
        let element = self.element(access);
        let Some(guards) = self.compute.guards.get(&access) else { return element };
        let nest = self.body.subject.analysis.nest;
        let guards: Vec<String> = guards.iter().map(|guard| format!("({})", write_expr(nest, self, *guard))).collect();
        format!("({} ? {element} : 0)", guards.join(" && "))
    }

    fn known(&self, expr: Handle<Expr>) -> Option<String> {
        self.compute.known.as_ref().filter(|(known, _)| *known == expr).map(|(_, register)| register.clone())
    }

    fn type_name(&self, ty: ScalarType) -> &'static str {
        self.body.type_name(ty)
    }

    fn call(&self, function: Function, ty: ScalarType, arguments: &[String]) -> String {
        self.body.dialect.call(function, ty, arguments)
    }
}

impl CellScope<'_> {
    /// The element that a read finds, wherever it stands.
    fn element(&self, access: Handle<Access>) -> String {
        if let Some(element) = self.compute.reads.get(&access) {
            return self.body.place(element);
        }
        let (buffer, layout) = &self.compute.general[&access];
        let nest = self.body.subject.analysis.nest;
        let cell = &nest.accesses[access].subscripts;
        let long = self.type_name(ScalarType::I64);
        let cell: Vec<String> = cell.iter().map(|s| format!("({long})({})", write_expr(nest, self, *s))).collect();
        format!("{buffer}[{}]", position(*layout, &origin(*layout), &cell))
    }
}
