//! Loop nests.

use std::collections::{BTreeMap, BTreeSet};
use std::mem;

use super::{
    Access, Arena, Array, BinaryOp, Buffer, Clock, Expr, ExprKind, Fold, Function, Handle, HostValue, HostValues, Lent,
    Listed, Local, Loop, Param, ParamValue, ScalarType, Selector, Step, UnaryOp, Update,
};
use crate::source::Span;

/// One marked loop nest.
///
/// Example, used below: `for (t = 0; t < steps; t++) { for (i = 1; i < n - 1; i++) b[i] = a[i-1] + a[i+1]; swap a, b }`.
#[derive(Clone, Debug, Default)]
pub struct Nest {
    /// The pragma line.
    pub pragma: Span,
    /// The loop nest, from its `for` to its closing brace or semicolon.
    pub span: Span,
    /// The variables that it names, and what they lead to.
    pub values: HostValues,
    /// Scalars that do not change inside: `steps`, `n`.
    pub params: Arena<Param>,
    /// All loops: `t`, `i`; an outer loop comes before those inside.
    pub loops: Arena<Loop>,
    /// All arrays: one array with the two buffers `a` and `b`.
    pub arrays: Arena<Array>,
    /// All array accesses: `b[i]`, `a[i-1]`, `a[i+1]`.
    pub accesses: Arena<Access>,
    /// Scalars that the body computes.
    pub locals: Arena<Local>,
    /// All expressions.
    pub exprs: Arena<Expr>,
    /// What is done in each step: `b[i] = ...`, and the swap.
    pub step: Step,
    /// Who says how often: the driver, by the loop over `t`.
    pub clock: Clock,
    /// Variables that the nest takes to be fixed and that its stores would change if they led there; `None` is the type of
    /// pointers.
    pub watched: Vec<(Handle<HostValue>, Option<ScalarType>)>,
    /// Watched variables of which the nest assigns the first: both must not be one.
    pub apart: Vec<(Handle<HostValue>, Handle<HostValue>)>,
    /// Pointer variables whose address converts to `void *` with a cast only: those declared `restrict`.
    pub address_casts: Vec<Handle<HostValue>>,
    /// Variables of the program's other files that the nest names and its file does not declare: their declarations by their
    /// names, as `extern int nx`.
    pub declarations: BTreeMap<String, String>,
    /// Variables that only their own files can name, and that these lend to it.
    pub lent: BTreeSet<Lent>,
    /// Words that the rewritten file leaves out: `register` in declarations of variables whose address the host function gets, and
    /// types of what the step of a kept loop declares for what is behind it.
    pub dropped_words: Vec<Span>,
    /// The structures of which elements of its arrays are members, and those in them, word by word as they are described:
    /// a pointer to one of these may lead to elements.
    pub records: BTreeSet<Vec<String>>,
    /// Whether the threads of an OpenMP team share it.
    pub team: Team,
    /// For integer parameters what their declarations make of other variables, if nothing changes either before the nest.
    pub initial_values: BTreeMap<Handle<HostValue>, SumOfProducts>,
    /// What must hold for the integers of bounds, conditions and subscripts to be those that C computes.
    pub range_checks: Vec<RangeCheck>,
    /// What integers are taken to hold because the program begins with it, and no clause says so; range checks say it, too.
    pub held: Vec<(Handle<HostValue>, i64)>,
    /// Integers that are taken to be equal in front of the nest: the first one stands for the other, too.
    pub equal: Vec<(Handle<HostValue>, Handle<HostValue>)>,
    /// Integers that are taken to be whole multiples of a constant in front of the nest; range checks say it, too.
    pub tiled: Vec<(Handle<HostValue>, i64)>,
    /// Where scalars are read that only branches on places assign.
    pub covers: Vec<Cover>,
    /// What arrays must hold that subscripts are read from.
    pub index_arrays: Vec<IndexArray>,
}

/// Whether the threads of an OpenMP team that is made outside of a nest share it, each of which comes to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Team {
    /// One thread runs it, or it makes its teams itself.
    #[default]
    None,
    /// They would, if the compiler heeded OpenMP's directives; or the nest leaves or reads what each thread would have for its own.
    Unheeded,
    /// They do.
    Shares,
}

/// An element that a subscript is read from and what takes its place: in each iteration of the loops around the access both
/// must be equal.
///
/// Example: behind `for (i = 0; i < n; i++) north[i] = i - 1; north[0] = 0;` the value of `north[i]` is `i == 0 ? 0 : i - 1`; that of
/// `cx[2]` is -1 where the table is declared as `int cx[3] = {0, 1, -1};`.
#[derive(Clone, Debug)]
pub struct IndexArray {
    /// The element.
    pub read: Handle<Access>,
    /// The value, of the element's type.
    pub rule: Handle<Expr>,
}

/// A sum of products of variables: the coefficient and the variables of each product.
///
/// Example: `(nx + 2) * ny` is `[(1, [nx, ny]), (2, [ny])]`.
pub type SumOfProducts = Vec<(i64, Vec<Handle<HostValue>>)>;

/// The largest absolute value of an integer parameter with which the driver computes: its sums and products fit 64 bits.
pub const MODERATE: i64 = 1 << 46;

/// Something that holds in every execution in which an expression over the integers is what C computes.
///
/// Example: in `for (unsigned i = 1; i < n - 1; i++)` the value `n - 1` must be in 0 to 4294967295.
#[derive(Clone, Debug)]
pub struct RangeCheck {
    /// An expression over the integers.
    pub value: Handle<Expr>,
    /// Its least value.
    pub least: i64,
    /// Its greatest value.
    pub greatest: i64,
    /// The loops around it, outermost first; none if no index is in it.
    pub loops: Vec<Handle<Loop>>,
    /// Conditions over the integers under which it is evaluated.
    pub guards: Vec<Handle<Expr>>,
    /// What it says.
    pub says: RangeFact,
}

impl RangeCheck {
    /// That an integer in front of the nest has one value.
    pub fn exactly(value: Handle<Expr>, number: i64) -> Self {
        let (loops, guards, says) = (Vec::new(), Vec::new(), RangeFact::Integers);
        Self { value, least: number, greatest: number, loops, guards, says }
    }
}

/// What a [`RangeCheck`] says of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RangeFact {
    /// That integers are those of the program.
    Integers,
    /// That a sweep comes to an element that is stored alone behind it.
    Source,
    /// That a loop has no more iterations than kernels have written out.
    Length,
}

/// A condition on places that must hold at all points, for what the nest is read as.
///
/// Example: behind `if (i == 0) d = x; else if (i > 0) d = y;` the conditions hold for all `i >= 0` together.
#[derive(Clone, Debug)]
pub struct Cover {
    /// What needs it.
    pub of: Covered,
    /// The loops around, outermost first.
    pub loops: Vec<Handle<Loop>>,
    /// Conditions over the integers around it.
    pub guards: Vec<Handle<Expr>>,
    /// What must hold, over the integers.
    pub taken: Handle<Expr>,
    /// Where it must: the read, or the loop.
    pub read: Span,
    /// The condition of the first branch, or of the loop.
    pub branches: Span,
}

/// What needs that a condition holds everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Covered {
    /// A scalar that branches on places assign: one of them must have been taken where it is read.
    Scalar {
        /// The scalar.
        variable: Handle<HostValue>,
        /// Whether it is declared before the nest.
        outlives: bool,
    },
    /// A `while` loop that is read as an `if`: its condition must not hold any more behind the first iteration.
    OneRound,
}

impl Nest {
    /// Type of the elements that the first statement writes; `None` without statements.
    pub fn element(&self) -> Option<ScalarType> {
        self.step.statements.first().map(|statement| self.arrays[self.accesses[statement.write].array].element)
    }

    /// Of loops around one new value that is made of one number at each point: which of the [`values`](super::Folds::values) that
    /// is, and the new value.
    pub fn folded_alone(&self, action: &Fold) -> Option<(usize, Update)> {
        let updates = action.updates();
        let (Fold::Loop(..), [update]) = (action, updates.as_slice()) else { return None };
        let parts = self.reachable([update.value]);
        let is_read =
            |write| parts.iter().any(|part| matches!(self.exprs[*part].kind, ExprKind::Read(it) if it == write));
        let number = self.step.folds.values.iter().position(|values| is_read(values.write))?;
        Some((number, *update))
    }

    /// The folded scalars, by their numbers, of which a step needs what they held before it.
    pub fn continued(&self) -> BTreeSet<usize> {
        let mut continued = BTreeSet::new();
        self.find_continued(&self.step.folds.actions, &mut BTreeSet::new(), &mut continued);
        continued
    }

    /// Adds those that these actions need while they are not `set`, and the actions' own to `set`.
    fn find_continued(&self, actions: &[Fold], set: &mut BTreeSet<usize>, continued: &mut BTreeSet<usize>) {
        for action in actions {
            match action {
                // A loop may have no iteration.
                Fold::Loop(_, inner) => self.find_continued(inner, &mut set.clone(), continued),
                Fold::Set(updates) => {
                    for part in self.reachable(updates.iter().map(|update| update.value)) {
                        match self.exprs[part].kind {
                            ExprKind::Accumulator(number) if !set.contains(&number) => _ = continued.insert(number),
                            _ => {}
                        }
                    }
                    set.extend(updates.iter().map(|update| update.accumulator));
                }
            }
        }
    }

    /// Whether values that points give are real numbers.
    pub fn gives_real(&self, values: &super::PointValues) -> bool {
        self.arrays[self.accesses[values.write].array].element.is_float()
    }

    /// Whether a real number is neither below zero nor a negative zero, as its form tells. It may be no number, of either sign.
    pub fn has_no_sign(&self, value: Handle<Expr>) -> bool {
        match &self.exprs[value].kind {
            ExprKind::Call(Function::Fabs, _) => true,
            ExprKind::Local(local) => self.has_no_sign(self.locals[*local].value),
            ExprKind::Convert(inner) => self.exprs[*inner].ty.is_float() && self.has_no_sign(*inner),
            _ => false,
        }
    }

    /// What a parameter is called in text forms and by the user: the variable as it is written, or a name made for the rest.
    pub fn param_name(&self, param: Handle<Param>) -> &str {
        match &self.params[param].value {
            ParamValue::Variable(variable) => self.values.text(*variable),
            ParamValue::Expression { name, .. } | ParamValue::IsSet { name, .. } => name,
        }
    }

    /// The outermost loop and a write of another element in each of its iterations, beside other loops: a result that is
    /// kept for each step, say, which makes the loop one over space.
    pub fn kept_in_each_iteration(&self) -> Option<(Handle<Loop>, Handle<Access>)> {
        let outer = self.loops.handles().next().filter(|_| self.loops.len() > 1)?;
        let mut writes = self.step.statements.iter().map(|statement| statement.write);
        Some((outer, writes.find(|write| self.moves_with(&self.accesses[*write], outer))?))
    }

    /// Whether which elements there are depends on what the bounds of the loop over time say of the number of steps: rows of steps,
    /// and elements of other arrays that steps choose under conditions alone.
    pub fn needs_possible_steps(&self) -> bool {
        let is_chosen = |time| self.accesses.iter().any(|(_, it)| it.is_speculative && self.moves_with(it, time));
        self.arrays.iter().any(|(_, array)| array.history.is_some())
            || matches!(self.clock, Clock::Counted { time } if is_chosen(time))
    }

    /// Whether the element of `access` depends on the index of `this`.
    pub fn moves_with(&self, access: &Access, this: Handle<Loop>) -> bool {
        let parts = self.reachable(access.subscripts.iter().copied());
        let is_it = |kind: &ExprKind| matches!(kind, ExprKind::Index(it) | ExprKind::Iteration(it) if *it == this);
        parts.into_iter().any(|part| is_it(&self.exprs[part].kind))
    }

    /// Whether the nest is given what a variable holds in front of it.
    pub fn is_given(&self, variable: Handle<HostValue>) -> bool {
        self.params.iter().any(|(_, param)| matches!(param.value, ParamValue::Variable(it) if it == variable))
    }

    /// The scalars that the nest leaves changed, with their types, each once: counters of loops first.
    pub fn left_scalars(&self) -> Vec<(Handle<HostValue>, ScalarType)> {
        let counters = self.loops.iter().filter(|(_, it)| it.outlives).map(|(_, it)| (it.variable, it.ty));
        let assigned = self.step.replayed().into_iter().map(|it| (it.variable, self.exprs[it.value].ty));
        let mut found: Vec<(Handle<HostValue>, ScalarType)> = Vec::new();
        for (variable, ty) in counters.chain(assigned) {
            if !found.iter().any(|(other, _)| *other == variable) {
                found.push((variable, ty));
            }
        }
        found
    }

    /// What says how long loops may be of which kernels have the iterations written out.
    pub fn lengths(&self) -> impl Iterator<Item = &RangeCheck> {
        self.range_checks.iter().filter(|check| check.says == RangeFact::Length)
    }

    /// The buffers of all arrays but those that the step declares.
    pub fn buffers(&self) -> impl Iterator<Item = &Buffer> {
        let arrays = self.arrays.iter().filter(|(array, _)| !self.is_grid(*array));
        arrays.flat_map(|(_, array)| &array.buffers)
    }

    /// Whether the step declares an array.
    pub fn is_grid(&self, array: Handle<Array>) -> bool {
        self.step.grids.iter().any(|grid| grid.array == array)
    }

    /// Whether the host has no memory for an array.
    pub fn is_on_device_alone(&self, array: Handle<Array>) -> bool {
        self.is_grid(array) || self.step.staged.contains(&array)
    }

    /// The array whose first buffer a variable leads to.
    pub fn array_of(&self, base: Handle<HostValue>) -> Option<Handle<Array>> {
        self.arrays.handles().find(|array| self.arrays[*array].buffers[0].variable == base)
    }

    /// The parameters that a listed value is made of, and how many of these there are.
    pub fn params_of_listed(&self, listed: &Listed) -> BTreeSet<Handle<Param>> {
        let bounds = listed.over.iter().flat_map(|this| [self.loops[*this].first, self.loops[*this].bound]);
        self.with_parts(self.params_in(bounds.chain([listed.value])))
    }

    /// The parameters in expressions.
    pub fn params_in(&self, roots: impl IntoIterator<Item = Handle<Expr>>) -> BTreeSet<Handle<Param>> {
        let parts = self.reachable(roots).into_iter();
        let params = parts.filter_map(|part| match self.exprs[part].kind {
            ExprKind::Param(param) => Some(param),
            _ => None,
        });
        params.collect()
    }

    /// Parameters with those that they are made of.
    pub fn with_parts(&self, mut params: BTreeSet<Handle<Param>>) -> BTreeSet<Handle<Param>> {
        let mut pending: Vec<_> = params.iter().copied().collect();
        while let Some(param) = pending.pop() {
            if let ParamValue::Expression { value, .. } = self.params[param].value {
                pending.extend(self.params_in([value]).into_iter().filter(|part| params.insert(*part)));
            }
        }
        params
    }

    /// Whether an array is the memory of a scalar.
    pub fn is_scalar(&self, array: Handle<Array>) -> bool {
        let is_address = |base: Handle<HostValue>| self.values[base].path.last() == Some(&Selector::Address);
        self.arrays[array].buffers.iter().any(|buffer| is_address(buffer.variable))
    }

    /// Whether the memory that a variable is the base of is the driver's own.
    pub fn is_of_driver(&self, base: Handle<HostValue>) -> bool {
        let values = self.step.folds.values.iter().map(|it| self.accesses[it.write].array);
        let mut own =
            values.chain(self.step.staged.iter().copied().chain(self.step.grids.iter().map(|grid| grid.array)));
        self.step.is_filled_by_driver(base) || own.any(|array| self.arrays[array].buffers[0].variable == base)
    }

    /// The read of a statement that stores an element's value unchanged.
    pub fn copied_read(&self, statement: usize) -> Option<Handle<Access>> {
        let mut expr = self.step.statements[statement].value;
        loop {
            expr = match &self.exprs[expr].kind {
                ExprKind::Read(access) => return Some(*access),
                ExprKind::Local(local) => self.locals[*local].value,
                ExprKind::Convert(inner) if self.exprs[*inner].ty == self.exprs[expr].ty => *inner,
                _ => return None,
            };
        }
    }

    /// What a condition that holds, or does not, says of indices alone: for each comparison that then must hold the loop,
    /// the relation of its index, and what it is compared with, in the order in which they stand.
    pub fn index_relations(&self, condition: Handle<Expr>, holds: bool) -> Vec<(Handle<Loop>, BinaryOp, Handle<Expr>)> {
        let relations = self.relations(condition, holds).into_iter();
        let sides = relations.flat_map(|(left, op, right)| [(left, op, right), (right, op.turned(), left)]);
        sides.filter_map(|(side, op, other)| Some((self.plain_index(side)?, op, other))).collect()
    }

    /// The comparisons that all hold where a condition holds, or does not.
    pub fn relations(&self, condition: Handle<Expr>, holds: bool) -> Vec<(Handle<Expr>, BinaryOp, Handle<Expr>)> {
        match self.exprs[condition].kind {
            ExprKind::Unary(UnaryOp::Not, inner) => self.relations(inner, !holds),
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) if holds == (op == BinaryOp::And) => {
                [self.relations(left, holds), self.relations(right, holds)].concat()
            }
            ExprKind::Binary(op, left, right) if op.is_comparison() => {
                vec![(left, if holds { op } else { op.opposite() }, right)]
            }
            _ => Vec::new(),
        }
    }

    /// The loop whose index an expression is, conversions aside.
    fn plain_index(&self, expr: Handle<Expr>) -> Option<Handle<Loop>> {
        match self.exprs[expr].kind {
            ExprKind::Index(this) => Some(this),
            ExprKind::Convert(inner) => self.plain_index(inner),
            _ => None,
        }
    }

    /// All expressions that `roots` need, values of locals included, each once, an expression before its operands.
    pub fn reachable(&self, roots: impl IntoIterator<Item = Handle<Expr>>) -> Vec<Handle<Expr>> {
        self.reachable_without(roots, None)
    }

    /// Whether a value is what its element held before where some condition does not hold.
    pub fn keeps_old(&self, value: Handle<Expr>) -> bool {
        let is_kept = |part| matches!(self.exprs[part].kind, ExprKind::Read(it) if self.accesses[it].is_kept_value);
        self.reachable([value]).into_iter().any(is_kept)
    }

    /// As [`reachable`](Self::reachable), but without `known` and what only that needs.
    pub fn reachable_without(
        &self,
        roots: impl IntoIterator<Item = Handle<Expr>>,
        known: Option<Handle<Expr>>,
    ) -> Vec<Handle<Expr>> {
        let mut is_seen = vec![false; self.exprs.len()];
        if let Some(known) = known {
            is_seen[known.index()] = true;
        }
        self.reachable_beside(roots, &mut is_seen)
    }

    /// As [`reachable`](Self::reachable), but without what was seen before and what only that needs; `is_seen` has a place for
    /// each expression, and is brought up to date.
    pub fn reachable_beside(
        &self,
        roots: impl IntoIterator<Item = Handle<Expr>>,
        is_seen: &mut [bool],
    ) -> Vec<Handle<Expr>> {
        let mut pending: Vec<_> = roots.into_iter().collect();
        pending.reverse();
        let mut found = Vec::new();
        while let Some(expr) = pending.pop() {
            if mem::replace(&mut is_seen[expr.index()], true) {
                continue;
            }
            found.push(expr);
            match &self.exprs[expr].kind {
                ExprKind::Local(local) => pending.push(self.locals[*local].value),
                kind => pending.extend(kind.operands().into_iter().rev()),
            }
        }
        found
    }
}
