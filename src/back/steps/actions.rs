//! What a step does at its places: the reads that it needs, and its stores.

use std::collections::BTreeSet;

use super::integers::Condition;
use super::scope::StepScope;
use crate::ir::{Access, Expr, ExprKind, Handle, Nest, Statement};
use crate::poly::Names;

/// What is done at a place.
#[derive(Clone, Copy, Debug)]
pub enum Action {
    /// An element becomes the value of a variable.
    Read(Handle<Access>),
    /// An element becomes what an expression is.
    Store(Handle<Access>, Handle<Expr>),
}

impl Action {
    /// The access, whose place is that of the action.
    pub fn access(self) -> Handle<Access> {
        let (Self::Read(access) | Self::Store(access, _)) = self;
        access
    }

    /// What it is made of.
    pub fn exprs(self, nest: &Nest) -> Vec<Handle<Expr>> {
        let subscripts = nest.accesses[self.access()].subscripts.iter().copied();
        match self {
            Self::Read(_) => subscripts.collect(),
            Self::Store(_, value) => subscripts.chain([value]).collect(),
        }
    }
}

/// An action under conditions.
#[derive(Clone, Debug)]
pub struct Conditional {
    /// The action.
    pub action: Action,
    /// The conditions, each behind what it needs.
    pub conditions: Vec<Condition>,
}

impl Conditional {
    /// What it is made of.
    fn exprs(&self, nest: &Nest) -> Vec<Handle<Expr>> {
        let conditions = self.conditions.iter().map(|condition| condition.expr);
        self.action.exprs(nest).into_iter().chain(conditions).collect()
    }
}

/// All actions of a step, in the order of its places.
pub fn actions(scope: &StepScope<'_>) -> Vec<Conditional> {
    let nest = scope.nest;
    let mut all: Vec<Conditional> =
        nest.step.statements.iter().flat_map(|statement| stores(scope, statement)).collect();
    let (mut known, mut next) = (BTreeSet::new(), 0);
    while let Some(conditional) = all.get(next) {
        for access in scope.reads_in(conditional.exprs(nest)) {
            if known.insert(access) {
                all.push(read(scope, access));
            }
        }
        next += 1;
    }
    all.sort_by_key(|it| place(nest, it.action.access()));
    all
}

/// Those of one leg of a step, counted from 0.
pub fn actions_of_leg(scope: &StepScope<'_>, leg: usize) -> Vec<Conditional> {
    let mut all = actions(scope);
    all.retain(|it| scope.nest.step.leg_of(&scope.nest.accesses[it.action.access()].position) == leg);
    all
}

/// Whether a leg of a step needs no element that is read in another one.
fn are_apart(scope: &StepScope<'_>) -> bool {
    let leg = |access: Handle<Access>| scope.nest.step.leg_of(&scope.nest.accesses[access].position);
    let is_apart = |it: &Conditional| {
        scope.reads_in(it.exprs(scope.nest)).into_iter().all(|read| leg(read) == leg(it.action.access()))
    };
    actions(scope).iter().all(is_apart)
}

/// Why the host cannot take the steps of a nest; `None` if it can.
pub fn can_take_steps(nest: &Nest, names: &Names) -> Option<&'static str> {
    let scope = StepScope::new(nest, names);
    if !nest.step.gaps.is_empty() && !are_apart(&scope) {
        return Some("an element is read before, and needed behind, what the host does within a step");
    }
    let actions = actions(&scope);
    let is_in_step =
        |time| actions.iter().all(|action| nest.accesses[action.action.access()].loops.first() == Some(&time));
    nest.clock.time().filter(|time| !is_in_step(*time)).map(|_| "an element is read before the first step")
}

/// Where an access stands among all of a step.
fn place(nest: &Nest, access: Handle<Access>) -> Vec<usize> {
    let Access { loops, position, .. } = &nest.accesses[access];
    let mut place = Vec::new();
    for (level, number) in position.iter().enumerate() {
        place.push(*number as usize);
        place.extend(loops.get(level).map(|this| this.index()));
    }
    place
}

fn read(scope: &StepScope<'_>, access: Handle<Access>) -> Conditional {
    let Access { guards, steps, conditions, .. } = &scope.nest.accesses[access];
    let mut all: Vec<Condition> = guards.iter().chain(steps).map(|guard| scope.holds(*guard, true)).collect();
    all.extend(conditions.iter().map(|condition| scope.holds(*condition, true)));
    Conditional { action: Action::Read(access), conditions: all }
}

/// The stores of a statement: none where it puts back what the element holds.
fn stores(scope: &StepScope<'_>, statement: &Statement) -> Vec<Conditional> {
    let guards = scope.nest.accesses[statement.write].guards.iter().map(|guard| scope.holds(*guard, true)).collect();
    let mut found = Vec::new();
    Stores { scope, write: statement.write, found: &mut found }.add(statement.value, guards);
    found
}

/// Conditions and one more, unless it is among them.
fn with(conditions: &[Condition], more: Condition) -> Vec<Condition> {
    let is_known = conditions.iter().any(|known| known.text == more.text);
    conditions.iter().cloned().chain((!is_known).then_some(more)).collect()
}

/// The stores of a statement on their way.
struct Stores<'a> {
    scope: &'a StepScope<'a>,
    write: Handle<Access>,
    found: &'a mut Vec<Conditional>,
}

impl Stores<'_> {
    fn add(&mut self, value: Handle<Expr>, conditions: Vec<Condition>) {
        if self.is_old(value) {
            return;
        }
        match self.scope.nest.exprs[value].kind {
            ExprKind::Select(condition, then, otherwise) if self.may_be_old(value) => {
                for (value, holds) in [(then, true), (otherwise, false)] {
                    self.add(value, with(&conditions, self.scope.holds(condition, holds)));
                }
            }
            ExprKind::Local(local) if self.may_be_old(value) => {
                self.add(self.scope.nest.locals[local].value, conditions);
            }
            _ => self.found.push(Conditional { action: Action::Store(self.write, value), conditions }),
        }
    }

    /// Whether one of the values among which conditions choose is what the element holds.
    fn may_be_old(&self, value: Handle<Expr>) -> bool {
        match self.scope.nest.exprs[value].kind {
            ExprKind::Select(_, then, otherwise) => self.may_be_old(then) || self.may_be_old(otherwise),
            ExprKind::Local(local) => self.may_be_old(self.scope.nest.locals[local].value),
            _ => self.is_old(value),
        }
    }

    /// Whether a value is that of the element, which nothing between changes.
    fn is_old(&self, value: Handle<Expr>) -> bool {
        let nest = self.scope.nest;
        let ExprKind::Read(read) = nest.exprs[value].kind else { return false };
        let (one, other) = (&nest.accesses[read], &nest.accesses[self.write]);
        let between = place(nest, read)..place(nest, self.write);
        let mut writes = nest.step.statements.iter().map(|statement| statement.write);
        one.array == other.array
            && one.loops == other.loops
            && self.scope.cell(read) == self.scope.cell(self.write)
            && !writes.any(|it| nest.accesses[it].array == one.array && between.contains(&place(nest, it)))
    }
}
