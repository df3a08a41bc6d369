//! Scalars that a step folds over its points: sums, maxima, counts, where a maximum is.
//!
//! A scalar that a loop assigns stands for what it holds so far, an [`ExprKind::Accumulator`], at the start of each iteration.
//! What an iteration makes of it is an [`Update`]: its parts without accumulators are computed by sweeps, which store them in
//! arrays of their own, and the rest is left to the host. In `err = fmax(err, fabs(b[i] - a[i]))` the second argument is such a
//! part. No sweep may need what is folded.

use std::collections::{BTreeMap, BTreeSet};

use tree_sitter::Node;

use super::Failable;
use super::polynomial::{Indeterminate, Polynomial};
use super::reader::{Binding, Change, Reader, Unknown};
use super::types::CType;
use super::unroll::MAX_ROUNDS;
use crate::ir::{
    Access, Accumulator, Array, BinaryOp, Buffer, Combination, Expr, ExprKind, Fold, Handle, HostValue, Local, Loop,
    PointValues, Statement, Update,
};
use crate::source::{Diagnostic, Span};

/// The largest number of loops around what is folded: arrays have no more dimensions.
const MAX_RANK: usize = 4;

/// What is known of folds while a nest is read.
#[derive(Default)]
pub struct Drafts {
    /// Whether scalars may be folded.
    pub are_allowed: bool,
    /// Those that loops carry, in the order of their numbers.
    accumulators: Vec<HeldScalar>,
    /// Those that the loops around carry, outermost loop first.
    carried: Vec<Vec<Handle<HostValue>>>,
    /// What has been read of the loops around, and last of the present one.
    actions: Vec<Vec<Draft>>,
    /// Those that loops over points fold together with others: where a maximum is, say.
    entangled: BTreeSet<Handle<HostValue>>,
    /// Those that are folded under a condition or in strips, and where.
    lost: BTreeMap<Handle<HostValue>, Span>,
    /// Those that are made of what others held before these were folded anew, and where.
    outdated: BTreeMap<Handle<HostValue>, Span>,
}

#[derive(Clone, Copy)]
struct HeldScalar {
    variable: Handle<HostValue>,
    /// What it holds so far: an expression of its own since each time it got a new value.
    held: Handle<Expr>,
    assigned: Span,
}

enum Draft {
    Loop(Handle<Loop>, Vec<Draft>),
    Set(Setting),
}

impl Drafts {
    /// Lets `loops` take the place of the loop `whole`.
    pub fn replace_loop(&mut self, whole: Handle<Loop>, loops: &[Handle<Loop>]) {
        self.actions.iter_mut().flatten().for_each(|draft| draft.replace_loop(whole, loops));
    }
}

impl Draft {
    fn replace_loop(&mut self, whole: Handle<Loop>, loops: &[Handle<Loop>]) {
        match self {
            Self::Loop(this, inner) => {
                inner.iter_mut().for_each(|draft| draft.replace_loop(whole, loops));
                if *this == whole {
                    *this = loops[0];
                    for this in loops[1..].iter().rev() {
                        *inner = vec![Self::Loop(*this, std::mem::take(inner))];
                    }
                }
            }
            Self::Set(Setting { loops: around, position, .. }) => replace_in(around, position, whole, loops),
        }
    }
}

/// New values of scalars at a place.
struct Setting {
    values: Vec<(Handle<HostValue>, Handle<Expr>)>,
    loops: Vec<Handle<Loop>>,
    position: Vec<u32>,
}

impl<'t> Reader<'_, '_, 't> {
    /// Before a loop within a step changes scalars: what they hold is their new value.
    pub fn settle_folds(&mut self, changed: &[Change]) {
        if self.folds.carried.is_empty() {
            return;
        }
        let has_value =
            |it: &&Change| self.is_scalar(it.0) && matches!(self.bindings.get(&it.0), Some(Binding::Scalar(_)));
        let mut set: Vec<Change> = changed.iter().filter(has_value).copied().collect();
        let mut moving = changed.to_vec();
        loop {
            let made = self.made_of(&moving);
            if made.is_empty() {
                break;
            }
            set.extend(&made);
            moving.extend(made);
        }
        set.iter().for_each(|(variable, assigned)| {
            self.accumulator(*variable, *assigned);
        });
        self.set_accumulators(&set.into_iter().map(|(variable, _)| variable).collect::<Vec<_>>());
    }

    /// The scalars beside `changed` that hold what is made of these, as `s` does in `s = sqrt(v / n)`.
    fn made_of(&self, changed: &[Change]) -> Vec<Change> {
        let is_changed = |variable: Handle<HostValue>| changed.iter().any(|(changed, _)| *changed == variable);
        let is_of_it = |part: &Handle<Expr>| match *self.kind(*part) {
            ExprKind::Accumulator(number) => is_changed(self.accumulated(number)),
            _ => false,
        };
        let made = self.bindings.iter().filter_map(|(variable, binding)| match binding {
            Binding::Scalar(value) if !is_changed(*variable) && self.is_scalar(*variable) => Some((*variable, *value)),
            _ => None,
        });
        made.filter(|(_, value)| self.nest.reachable([*value]).iter().any(is_of_it))
            .map(|(variable, value)| (variable, self.nest.exprs.span(value)))
            .collect()
    }

    /// At the start of an iteration: what a loop changes stands for what it holds so far.
    pub fn enter_folds(&mut self, changed: &[Change]) {
        if !self.folds.are_allowed {
            return;
        }
        let is_carried = |it: &Change| {
            self.is_scalar(it.0) && matches!(self.bindings.get(&it.0), Some(Binding::Unknown(Unknown::Carried, _)))
        };
        let carried: Vec<Change> = changed.iter().copied().filter(is_carried).collect();
        for (variable, assigned) in &carried {
            let held = self.accumulator(*variable, *assigned);
            self.bindings.insert(*variable, Binding::Scalar(held));
        }
        self.folds.carried.push(carried.into_iter().map(|(variable, _)| variable).collect());
        self.folds.actions.push(Vec::new());
    }

    /// At the end of an iteration: what it makes of the scalars is a new value of theirs.
    /// It returns those scalars: behind the loop they stand for what they hold so far, too.
    pub fn leave_folds(&mut self, this: Handle<Loop>) -> Vec<Handle<HostValue>> {
        let Some(carried) = self.folds.carried.last().cloned() else { return Vec::new() };
        self.set_accumulators(&carried);
        self.folds.carried.pop();
        let actions = self.folds.actions.pop().unwrap_or_default();
        match self.folds.actions.last_mut() {
            Some(around) if !actions.is_empty() => around.push(Draft::Loop(this, actions)),
            Some(_) => {}
            None => self.folds.actions.push(vec![Draft::Loop(this, actions)]),
        }
        carried
    }

    /// Whether what a scalar holds is what has been folded.
    pub fn is_folded(&self, value: Handle<Expr>) -> bool {
        matches!(self.kind(value), ExprKind::Accumulator(_))
    }

    /// Whether a loop of so many iterations, whose body is `body`, runs over points that are folded.
    pub fn folds_over(&mut self, body: Node<'t>, count: usize) -> bool {
        if !self.folds.are_allowed {
            return false;
        }
        let changed = self.changed_in(body);
        let is_held = |(variable, _): &Change| matches!(self.bindings.get(variable), Some(Binding::Scalar(value)) if self.is_folded(*value));
        changed.iter().any(is_held) || self.loops.len() == 1 && count > MAX_ROUNDS
    }

    fn accumulator(&mut self, variable: Handle<HostValue>, assigned: Span) -> Handle<Expr> {
        if let Some(known) = self.held_scalar(variable) {
            return known.held;
        }
        let Some(CType::Scalar(ty)) = self.declaration_of(variable).map(|it| it.ty.clone()) else {
            unreachable!("scalars alone are folded");
        };
        let held = self.expr(ty, ExprKind::Accumulator(self.folds.accumulators.len()), assigned);
        self.folds.accumulators.push(HeldScalar { variable, held, assigned });
        held
    }

    /// Gives scalars what they hold here as their new values.
    fn set_accumulators(&mut self, variables: &[Handle<HostValue>]) {
        let mut values = Vec::new();
        let is_everywhere = self.guards.is_empty() && self.data_conditions.is_empty() && self.strips.is_empty();
        for variable in variables {
            let Some(HeldScalar { held, assigned, .. }) = self.held_scalar(*variable) else { continue };
            match self.bindings.get(variable) {
                Some(Binding::Scalar(value)) if *value == held => continue,
                Some(Binding::Scalar(value)) if !self.is_of_present(*value) => {
                    self.folds.outdated.entry(*variable).or_insert(assigned);
                }
                Some(Binding::Scalar(value)) if is_everywhere => values.push((*variable, *value)),
                _ => {
                    self.folds.lost.entry(*variable).or_insert(assigned);
                }
            }
            self.bindings.insert(*variable, Binding::Scalar(held));
        }
        if !values.is_empty() {
            values.iter().for_each(|(variable, _)| self.renew(*variable));
            let setting = Setting { values, loops: self.loops.clone(), position: self.next_position() };
            self.folds.actions.last_mut().expect("a loop is around it").push(Draft::Set(setting));
        }
    }

    /// Whether all that a value is made of is what scalars hold at present.
    fn is_of_present(&self, value: Handle<Expr>) -> bool {
        self.nest.reachable([value]).into_iter().all(|part| match *self.kind(part) {
            ExprKind::Accumulator(number) => self.folds.accumulators[number].held == part,
            _ => true,
        })
    }

    /// Lets a scalar stand for another expression than what was made of it before.
    fn renew(&mut self, variable: Handle<HostValue>) {
        let Some(number) = self.folds.accumulators.iter().position(|it| it.variable == variable) else { return };
        let held = self.folds.accumulators[number].held;
        let span = self.nest.exprs.span(held);
        let renewed = self.expr(self.ty(held), ExprKind::Accumulator(number), span);
        self.folds.accumulators[number].held = renewed;
        self.bindings.insert(variable, Binding::Scalar(renewed));
    }

    /// Leaves to the host what the steps fold, and gives the sweeps what that needs of the points.
    ///
    /// # Errors
    /// A sweep needs what is folded, or the host cannot fold it.
    pub fn resolve_folds(&mut self) -> Failable<()> {
        let drafts = self.actions_of_step();
        let needed = self.needed_accumulators(&drafts);
        let is_asked_for = |variable: &Handle<HostValue>| needed.contains(variable) || self.is_left_folded(*variable);
        let outdated = self.folds.outdated.iter().find(|(variable, _)| is_asked_for(variable));
        if let Some((variable, assigned)) = outdated {
            let message = format!("`{}` is made of a scalar that the step folds more than once", self.name(*variable));
            let error = Diagnostic::error("scalar-carried", message, *assigned);
            return Err(Box::new(error.with_help("keep what is folded first in a variable of its own")));
        }
        if needed.is_empty() {
            return self.check_sweeps_need_none();
        }
        let lost = self.folds.lost.iter().find(|(variable, _)| needed.contains(variable));
        if let Some((variable, assigned)) = lost {
            let message =
                format!("`{}` is folded over points by a loop that runs under a condition", self.name(*variable));
            let error = Diagnostic::error("scalar-carried", message, *assigned);
            return Err(Box::new(error.with_help("put the condition inside the loop")));
        }
        for variable in &needed {
            let (ty, is_left) = (self.declared_scalar_type(*variable), self.is_left_folded(*variable));
            self.nest.step.folds.accumulators.push(Accumulator { variable: *variable, ty, is_left });
        }
        self.folds.entangled = self.entangled(&drafts);
        let actions = self.resolved(&drafts, &needed)?;
        self.nest.step.folds.actions = self.separate(actions);
        self.drop_conditions_on_folds()?;
        self.check_sweeps_need_none()
    }

    /// What the nest does in a step.
    fn actions_of_step(&mut self) -> Vec<Draft> {
        let mut actions = self.folds.actions.pop().unwrap_or_default();
        match actions.pop() {
            Some(Draft::Loop(outermost, inner)) if self.nest.clock.counts(outermost) => inner,
            last => actions.into_iter().chain(last).collect(),
        }
    }

    fn declared_scalar_type(&self, variable: Handle<HostValue>) -> crate::ir::ScalarType {
        self.ty(self.held_scalar(variable).expect("it is folded").held)
    }

    fn held_scalar(&self, variable: Handle<HostValue>) -> Option<HeldScalar> {
        self.folds.accumulators.iter().find(|it| it.variable == variable).copied()
    }

    /// The scalars that somebody may read after a step, and those that go into them.
    fn needed_accumulators(&self, drafts: &[Draft]) -> Vec<Handle<HostValue>> {
        let values: Vec<_> = settings(drafts).into_iter().flat_map(|setting| setting.values.iter().copied()).collect();
        let is_set = |variable: &Handle<HostValue>| values.iter().any(|(set, _)| set == variable);
        let all = self.folds.accumulators.iter().map(|it| it.variable);
        let mut needed: BTreeSet<_> = all.filter(|it| self.is_left_folded(*it)).filter(is_set).collect();
        loop {
            let known = needed.len();
            let into = values.iter().filter(|(variable, _)| needed.contains(variable)).map(|(_, value)| *value);
            for part in self.nest.reachable(into.collect::<Vec<_>>()) {
                if let ExprKind::Accumulator(number) = *self.kind(part) {
                    needed.insert(self.accumulated(number));
                }
            }
            if needed.len() == known {
                return self.by_name(needed);
            }
        }
    }

    /// The scalars that loops over points fold together with others.
    fn entangled(&self, drafts: &[Draft]) -> BTreeSet<Handle<HostValue>> {
        let mut found = BTreeSet::new();
        let in_space = |setting: &&Setting| self.nest.clock.space(&setting.loops).next().is_some();
        for setting in settings(drafts).into_iter().filter(in_space) {
            for (variable, value) in &setting.values {
                for part in self.nest.reachable([*value]) {
                    match *self.kind(part) {
                        ExprKind::Accumulator(number) if self.accumulated(number) != *variable => {
                            found.extend([*variable, self.accumulated(number)]);
                        }
                        _ => {}
                    }
                }
            }
        }
        found
    }

    /// Whether loops over points fold a scalar without others.
    fn is_alone(&self, variable: Handle<HostValue>) -> bool {
        !self.folds.entangled.contains(&variable)
    }

    /// Whether somebody may read what a step leaves in a scalar.
    fn is_left_folded(&self, variable: Handle<HostValue>) -> bool {
        self.is_from_outside(variable) && self.why_live(variable).is_some()
    }

    fn resolved(&mut self, drafts: &[Draft], needed: &[Handle<HostValue>]) -> Failable<Vec<Fold>> {
        let mut actions = Vec::new();
        for draft in drafts {
            match draft {
                Draft::Loop(this, inner) => {
                    let inner = self.resolved(inner, needed)?;
                    if !inner.is_empty() {
                        actions.push(Fold::Loop(*this, inner));
                    }
                }
                Draft::Set(setting) => {
                    let mut updates = Vec::new();
                    let mut host = HostForms::default();
                    for (variable, value) in &setting.values {
                        host.known.clear();
                        let Some(accumulator) = needed.iter().position(|it| it == variable) else { continue };
                        let value = self.combinable(*variable, *value);
                        host.combination = match self.is_alone(*variable) {
                            true => self.combination_of(*variable, value),
                            false => Combination::InOrder,
                        };
                        let value = self.host_form(value, setting, needed, &mut host)?;
                        updates.push(Update { accumulator, value });
                    }
                    if !updates.is_empty() {
                        actions.push(Fold::Set(updates));
                    }
                }
            }
        }
        Ok(actions)
    }

    /// A value as the host computes it: what the points give is read from arrays.
    fn host_form(
        &mut self,
        value: Handle<Expr>,
        setting: &Setting,
        needed: &[Handle<HostValue>],
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
            _ if !is_made_of_accumulators => self.value_of_points(value, setting, host)?,
            ExprKind::Accumulator(number) => {
                let variable = self.accumulated(number);
                let number = needed.iter().position(|it| *it == variable).expect("what goes into a fold is needed");
                self.expr(ty, ExprKind::Accumulator(number), span)
            }
            ExprKind::Local(local) => {
                let Local { name, ty, value: inner } = self.nest.locals[local].clone();
                let inner = self.host_form(inner, setting, needed, host)?;
                let local = self.nest.locals.push(Local { name, ty, value: inner }, span);
                self.expr(ty, ExprKind::Local(local), span)
            }
            kind => {
                let mut operands = Vec::new();
                for operand in kind.operands() {
                    operands.push(self.host_form(operand, setting, needed, host)?);
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
        setting: &Setting,
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
                let write = self.store_of_points(value, setting, span)?;
                let is_never_negative = self.is_never_negative(value);
                let values = PointValues { write, combination, is_never_negative, is_bounded: false };
                self.nest.step.folds.values.push(values);
                host.stored.push((value, write, combination));
                write
            }
        };
        Ok(self.expr(ty, ExprKind::Read(write), span))
    }

    fn store_of_points(&mut self, value: Handle<Expr>, setting: &Setting, span: Span) -> Failable<Handle<Access>> {
        let space: Vec<_> = self.nest.clock.space(&setting.loops).collect();
        let strides = self.strides_of_box(&space, span).or_else(|| self.strides_beside(&setting.loops));
        let Some(strides) = strides.filter(|_| (1..=MAX_RANK).contains(&space.len())) else {
            let message = "what is folded here is in no loops over a box of points";
            let error = Diagnostic::error("scalar-carried", message, span);
            return Err(Box::new(error.with_help("let the loops around it have bounds that no other loop changes")));
        };
        let names = (0..).map(|number| format!("value_{number}"));
        let is_free = |name: &String| self.nest.values.handles().all(|it| self.nest.values.text(it) != name);
        let name = names.into_iter().find(is_free).expect("names do not run out");
        let variable = self.undeclared(name.clone());
        let array = Array {
            name,
            element: self.ty(value),
            buffers: vec![Buffer { variable, offset: None }],
            extents: vec![None; strides.len()],
            strides,
            pointers: Vec::new(),
            is_behind_pointer: false,
            length: None,
            history: None,
        };
        let array = self.nest.arrays.push(array, span);
        let subscripts = space.iter().map(|this| {
            let ty = self.nest.loops[*this].ty;
            self.expr(ty, ExprKind::Index(*this), span)
        });
        let write = Access {
            array,
            buffer: None,
            subscripts: subscripts.collect(),
            loops: setting.loops.clone(),
            position: setting.position.clone(),
            guards: Vec::new(),
            steps: Vec::new(),
            is_speculative: false,
            conditions: Vec::new(),
        };
        let write = self.nest.accesses.push(write, span);
        self.nest.step.statements.push(Statement { write, first: write, value, span });
        Ok(write)
    }

    /// The strides of the box of all indices of loops.
    fn strides_of_box(&mut self, space: &[Handle<Loop>], span: Span) -> Option<Vec<Handle<Expr>>> {
        let lengths: Option<Vec<_>> = space.iter().map(|this| self.length_of(*this)).collect();
        let mut strides = vec![Polynomial::constant(1)];
        for length in lengths?.iter().skip(1).rev() {
            strides.insert(0, strides[0].times(length)?);
        }
        Some(self.stride_exprs(&strides, span))
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

    /// How many indices there are from the first to the last iteration of a loop, if no other loop changes that.
    fn length_of(&self, this: Handle<Loop>) -> Option<Polynomial> {
        let Loop { first, bound, relation, step, .. } = &self.nest.loops[this];
        let inclusive = match relation {
            BinaryOp::Less | BinaryOp::Greater | BinaryOp::NotEqual => 0,
            BinaryOp::LessEqual | BinaryOp::GreaterEqual => 1,
            _ => return None,
        };
        let (from, to) = if *step > 0 { (first, bound) } else { (bound, first) };
        let length = self.polynomial(*to)?.plus(&self.polynomial(*from)?, -1)?;
        let is_fixed =
            |(monomial, _): (&Vec<Indeterminate>, i64)| monomial.iter().all(|it| matches!(it, Indeterminate::Param(_)));
        let is_fixed = length.terms().all(is_fixed);
        length.plus(&Polynomial::constant(inclusive), 1).filter(|_| is_fixed)
    }

    /// What a sweep reads it reads whatever has been folded: under such a condition it must be read beside it, too.
    fn drop_conditions_on_folds(&mut self) -> Failable<()> {
        for handle in self.nest.accesses.handles().collect::<Vec<_>>() {
            let conditions = self.nest.accesses[handle].conditions.clone();
            let (dropped, left): (Vec<_>, Vec<_>) =
                conditions.into_iter().partition(|it| self.reaches_accumulators(*it));
            if dropped.is_empty() {
                continue;
            }
            let one = &self.nest.accesses[handle];
            let is_beside = |(_, other): (Handle<Access>, &Access)| {
                other.array == one.array
                    && other.loops == one.loops
                    && self.is_one_element(one, other)
                    && other.conditions.iter().all(|it| left.contains(it))
                    && other.guards.iter().all(|it| one.guards.contains(it))
            };
            if !self.nest.accesses.iter().any(is_beside) {
                let span = self.nest.accesses.span(handle);
                let message = "whether this is read depends on what has been folded so far";
                let error = Diagnostic::error("scalar-carried", message, span);
                return Err(Box::new(error.with_help("read it into a scalar before the condition")));
            }
            self.nest.accesses[handle].conditions = left;
        }
        Ok(())
    }

    /// # Errors
    /// A sweep needs what is folded.
    fn check_sweeps_need_none(&self) -> Failable<()> {
        let roots = super::unused::roots_of_sweeps(&self.nest);
        let found = self.nest.reachable(roots).into_iter().find_map(|part| match self.kind(part) {
            ExprKind::Accumulator(number) => Some((part, *number)),
            _ => None,
        });
        let Some((part, number)) = found else { return Ok(()) };
        let name = self.name(self.accumulated(number));
        let (message, help) = if self.is_folded_in_loop(self.accumulated(number)) {
            let message = format!("`{name}` is folded over points, and a sweep of the same step needs it");
            (message, "compute it in a loop of its own that is not marked")
        } else {
            let message =
                format!("each step gives `{name}` a value that is not known before, and a sweep of it needs that");
            (message, "compute it from the loop's variable, as in `(t + 1) % 2`, or mark the loops inside this loop")
        };
        Err(Box::new(Diagnostic::error("scalar-carried", message, self.nest.exprs.span(part)).with_help(help)))
    }

    /// Whether a loop within the step folds a scalar.
    fn is_folded_in_loop(&self, variable: Handle<HostValue>) -> bool {
        let folds = &self.nest.step.folds;
        let loops = folds.actions.iter().filter(|action| matches!(action, Fold::Loop(..)));
        let mut updates = loops.flat_map(Fold::updates);
        updates.any(|update| folds.accumulators[update.accumulator].variable == variable)
    }

    /// The scalar of a number.
    pub fn accumulated(&self, number: usize) -> Handle<HostValue> {
        self.folds.accumulators[number].variable
    }

    /// Whether the host folds a scalar.
    pub fn is_accumulator(&self, variable: Handle<HostValue>) -> bool {
        self.nest.step.folds.accumulators.iter().any(|it| it.variable == variable)
    }
}

/// What has become of values at one place.
#[derive(Default)]
struct HostForms {
    /// What parts of the present value have become.
    known: BTreeMap<Handle<Expr>, Handle<Expr>>,
    /// How the values may be combined that go into it.
    combination: Combination,
    /// What sweeps store.
    stored: Vec<(Handle<Expr>, Handle<Access>, Combination)>,
}

/// All new values of drafts, in order.
fn settings(drafts: &[Draft]) -> Vec<&Setting> {
    let mut found = Vec::new();
    for draft in drafts {
        match draft {
            Draft::Loop(_, inner) => found.extend(settings(inner)),
            Draft::Set(setting) => found.push(setting),
        }
    }
    found
}

/// Lets `loops` stand where `whole` stands among those around a place; nothing else is between them.
pub fn replace_in(
    around: &mut Vec<Handle<Loop>>,
    position: &mut Vec<u32>,
    whole: Handle<Loop>,
    loops: &[Handle<Loop>],
) {
    let Some(at) = around.iter().position(|this| *this == whole) else { return };
    around.splice(at..=at, loops.iter().copied());
    position.splice(at + 1..at + 1, std::iter::repeat_n(0, loops.len() - 1));
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read, refusal};

    /// The folds of a nest with the body `body` at each point, and `rest` behind the sweep.
    fn folds(body: &str, rest: &str) -> Vec<String> {
        let text = format!(
            "double s = 0, m = 0; int k = 0, c = 0;\n#pragma stencil\nwhile (c < n) {{ c++; s = 0;
            for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) {{ b[i][j] = a[i - 1][j]; {body} }}
            {rest} }}\nprintf(\"%g %g %d\", s, m, k);"
        );
        let nest = read(&function("int n, double (*a)[n], double (*b)[n]", &text)).to_string();
        nest.lines().filter(|line| line.starts_with("fold ") || line.contains("] value_")).map(str::to_owned).collect()
    }

    #[test]
    fn parts_without_the_scalar_are_stored() {
        let all = folds("s += b[i][j] * 2;", "");
        assert!(all[0].ends_with("value_0[i][j] = (b[i][j] * (double)2)"), "{all:#?}");
        assert_eq!(all[1..], ["fold s = s.0", "fold s[i][j] = s.2"], "{all:#?}");
    }

    #[test]
    fn loops_that_end_at_a_value_are_boxes() {
        let text = "double s = 0;\n#pragma stencil\nfor (int i = 1; i != n; i++) for (int j = n - 1; j != 0; j--)
            { b[2 * i][j] = a[i][j]; s += a[i][j] * a[i][j]; }\nprintf(\"%g\", s);";
        let nest = read(&function("int n, double (*a)[n], double (*b)[n]", text)).to_string();
        assert!(nest.contains("value_0[i][j] = (a[i][j] * a[i][j])"), "{nest}");
    }

    #[test]
    fn what_nobody_reads_is_not_folded() {
        assert!(folds("double d = b[i][j]; d += 1; a[i][j] = d;", "").is_empty());
    }

    #[test]
    fn rows_are_folded_within_folds() {
        let text = "double s = 0, r;\n#pragma stencil\nfor (int i = 1; i < n; i++) { r = 0;
            for (int j = 1; j < n; j++) { b[i][j] = a[i][j]; r += a[i][j]; } s += r * i; }\nprintf(\"%g\", s);";
        let nest = read(&function("int n, double (*a)[n], double (*b)[n]", text)).to_string();
        let folds: Vec<_> = nest.lines().filter(|line| line.starts_with("fold ")).collect();
        assert_eq!(folds.len(), 3, "{nest}");
        assert!(folds[0].starts_with("fold r[i] =") && folds[1].starts_with("fold r[i][j] ="), "{nest}");
    }

    #[test]
    fn sweeps_need_no_folds() {
        for body in
            ["s += a[i]; b[i] = s;", "if (b[i] > s) { s = b[i]; b[i] = 0; }", "if (n > 3) { s += a[0]; b[i] = s; }"]
        {
            let text =
                format!("double s = 0;\n#pragma stencil\nfor (int i = 1; i < n; i++) {{ {body} }}\nprintf(\"%g\", s);");
            assert_eq!(refusal(&function("int n, double *a, double *b", &text)).code, "scalar-carried", "{body}");
        }
    }
}
