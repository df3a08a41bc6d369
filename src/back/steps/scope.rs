//! Names in the text of a step.

use super::bases::{find_grid, grid_name, step_bases};
use crate::back::expr::{Scope, write_expr};
use crate::back::host::HostScope;
use crate::back::identifier;
use crate::ir::{Access, BinaryOp, Expr, ExprKind, Function, Handle, HostValue, Local, Loop, Nest, Param, ScalarType};
use crate::poly::Names;

/// How many steps are done.
pub const DONE: &str = "count_done";

/// Names in the text of a step.
pub struct StepScope<'a> {
    /// The nest.
    pub nest: &'a Nest,
    /// Its names.
    pub names: &'a Names,
    /// Whether values are computed that the program may not compute here: integers then wrap around where they overflow.
    is_early: bool,
}

impl<'a> StepScope<'a> {
    /// The names for one nest.
    pub fn new(nest: &'a Nest, names: &'a Names) -> Self {
        Self { nest, names, is_early: false }
    }

    /// The value of a local in C, wherever it is computed.
    pub fn early(&self, local: Handle<Local>) -> String {
        write_expr(self.nest, &Self { is_early: true, ..*self }, self.nest.locals[local].value)
    }

    /// A value in C where the program computes it.
    pub fn value(&self, expr: Handle<Expr>) -> String {
        write_expr(self.nest, self, expr)
    }

    /// The array elements in `exprs` that variables hold, each once; those of locals included.
    pub fn reads_in(&self, exprs: Vec<Handle<Expr>>) -> Vec<Handle<Access>> {
        let reads = self.nest.reachable(exprs).into_iter().filter_map(|part| match self.nest.exprs[part].kind {
            ExprKind::Read(access) if !self.is_filled(access) => Some(access),
            _ => None,
        });
        reads.collect()
    }

    /// Whether an element is one that the driver fills, which nothing changes.
    pub fn is_filled(&self, access: Handle<Access>) -> bool {
        let buffers = &self.nest.arrays[self.nest.accesses[access].array].buffers;
        buffers.iter().any(|buffer| self.nest.step.is_filled_by_driver(buffer.variable))
    }

    /// The variable that holds an element.
    pub fn read_name(&self, access: Handle<Access>) -> String {
        format!("r{}", access.index())
    }

    /// The variable that holds a local.
    pub fn local_name(&self, local: Handle<Local>) -> String {
        format!("v{}_{}", local.index(), identifier(&self.nest.locals[local].name))
    }

    /// The address of an array.
    pub fn base(&self, variable: Handle<HostValue>) -> String {
        if let Some(grid) = find_grid(self.nest, variable) {
            return grid_name(grid);
        }
        let number = step_bases(self.nest).iter().position(|base| *base == variable);
        format!("bases[{}]", number.expect("every array has a base"))
    }

    fn host(&self) -> HostScope<'a> {
        HostScope { nest: self.nest, names: self.names, scalars: "scalars->" }
    }
}

impl Scope for StepScope<'_> {
    fn param(&self, param: Handle<Param>) -> String {
        self.host().param(param)
    }

    fn index(&self, l: Handle<Loop>) -> String {
        format!("({}){}", self.nest.loops[l].ty.c_name(), self.names.loop_variable(l))
    }

    fn iteration(&self, l: Handle<Loop>) -> String {
        if self.nest.clock.counts(l) {
            return DONE.to_owned();
        }
        let Loop { first, step, .. } = self.nest.loops[l];
        format!("(({} - ({})) / ({step}))", self.names.loop_variable(l), self.integer(first))
    }

    fn local(&self, local: Handle<Local>) -> String {
        self.local_name(local)
    }

    fn read(&self, access: Handle<Access>) -> String {
        if !self.is_filled(access) {
            return self.read_name(access);
        }
        let Access { array, subscripts, .. } = &self.nest.accesses[access];
        let array = &self.nest.arrays[*array];
        let base = self.base(array.buffers[0].variable);
        let place = subscripts.iter().zip(&array.strides).map(|(subscript, stride)| {
            match (self.integer(*subscript), &self.nest.exprs[*stride].kind) {
                (subscript, ExprKind::Int(1)) => subscript,
                (subscript, _) => format!("({subscript}) * ({})", self.integer(*stride)),
            }
        });
        format!("((const {} *){base})[{}]", array.element.c_name(), place.collect::<Vec<_>>().join(" + "))
    }

    fn type_name(&self, ty: ScalarType) -> &'static str {
        ty.c_name()
    }

    fn known(&self, expr: Handle<Expr>) -> Option<String> {
        let Expr { ty, kind } = &self.nest.exprs[expr];
        let ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), left, right) = kind else {
            return None;
        };
        let may_overflow = self.is_early && matches!(ty, ScalarType::I32 | ScalarType::I64);
        let operand = |operand| format!("({})({})", ty.unsigned().c_name(), self.value(operand));
        may_overflow.then(|| format!("({})({} {} {})", ty.c_name(), operand(*left), op.symbol(), operand(*right)))
    }

    fn call(&self, function: Function, ty: ScalarType, arguments: &[String]) -> String {
        self.host().call(function, ty, arguments)
    }
}
