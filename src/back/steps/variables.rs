//! Where the variables of a step are declared: as far inside as all of their uses allow, but in no loop that they do not need.

use std::collections::BTreeMap;

use super::actions::Action;
use super::blocks::{Blocks, Item, Place};
use super::scope::StepScope;
use crate::back::expr::locals_of;
use crate::ir::{Access, Expr, ExprKind, Handle, Local, Loop, Nest};

/// A variable that is declared at a place.
#[derive(Clone, Copy, Debug)]
pub enum Declaration {
    /// An element that is read further inside.
    Element(Handle<Access>),
    /// A local with its value.
    Local(Handle<Local>),
}

/// The variables of a step.
#[derive(Default)]
pub struct Variables {
    declared: BTreeMap<Place, Vec<Declaration>>,
}

/// Where variables are used.
#[derive(Default)]
struct Uses {
    locals: BTreeMap<Handle<Local>, Vec<Place>>,
    reads: BTreeMap<Handle<Access>, Vec<Place>>,
}

impl Variables {
    /// The variables of these blocks.
    pub fn new(scope: &StepScope<'_>, blocks: &Blocks) -> Self {
        let (mut uses, mut roots) = (Uses::default(), Vec::new());
        for (place, item) in blocks.places() {
            let exprs = exprs_of(scope.nest, item);
            roots.extend(&exprs);
            uses.note(scope, exprs, place);
        }
        let mut variables = Self::default();
        for local in locals_of(scope.nest, &roots, None).into_iter().rev() {
            variables.declare_local(scope, blocks, &mut uses, local);
        }
        for (read, place) in reads(blocks) {
            variables.declare_element(blocks, read, place, uses.reads.get(&read).map_or(&[], Vec::as_slice));
        }
        variables
    }

    /// Declares a local before its uses and behind the elements that go into it; once more where the first uses are under the
    /// condition under which these are read.
    fn declare_local(&mut self, scope: &StepScope<'_>, blocks: &Blocks, uses: &mut Uses, local: Handle<Local>) {
        let (nest, value) = (scope.nest, scope.nest.locals[local].value);
        let needed = scope.reads_in(vec![value]);
        let needed: Vec<Place> =
            reads(blocks).filter(|(read, _)| needed.contains(read)).map(|(_, place)| place).collect();
        let mut pending: Vec<Vec<Place>> = uses.locals.remove(&local).into_iter().collect();
        while let Some(places) = pending.pop() {
            let Some(first) = places.iter().copied().reduce(|one, other| blocks.before_both(one, other)) else {
                continue;
            };
            let place = blocks.outside(first, depth(nest, local));
            let (others, within): (Vec<_>, Vec<_>) = places.iter().partition(|it| blocks.is_done(first, **it));
            let is_known = needed.iter().all(|read| blocks.is_done(*read, place));
            debug_assert!(is_known || !others.is_empty(), "a condition is behind what goes into it");
            if is_known {
                self.declared.entry(place).or_default().insert(0, Declaration::Local(local));
                uses.note(scope, vec![value], place);
            } else {
                pending.extend([others, within]);
            }
        }
    }

    /// Declares the variable of an element that is read at `place`, if others do not see it there.
    fn declare_element(&mut self, blocks: &Blocks, read: Handle<Access>, place: Place, uses: &[Place]) {
        let first = uses.iter().fold(place, |one, other| blocks.before_both(one, *other));
        if first != place {
            self.declared.entry(first).or_default().insert(0, Declaration::Element(read));
        }
    }

    /// What is declared before an item.
    pub fn before(&self, place: Place) -> &[Declaration] {
        self.declared.get(&place).map_or(&[], Vec::as_slice)
    }

    /// Whether a variable gets its only value where it is declared.
    pub fn is_declared_where_read(&self, read: Handle<Access>) -> bool {
        let mut declared = self.declared.values().flatten();
        !declared.any(|it| matches!(it, Declaration::Element(other) if *other == read))
    }
}

impl Uses {
    /// Notes what stands in expressions at a place, the values of locals aside.
    fn note(&mut self, scope: &StepScope<'_>, mut pending: Vec<Handle<Expr>>, place: Place) {
        let mut is_seen = vec![false; scope.nest.exprs.len()];
        while let Some(expr) = pending.pop() {
            if std::mem::replace(&mut is_seen[expr.index()], true) {
                continue;
            }
            match &scope.nest.exprs[expr].kind {
                ExprKind::Local(local) => self.locals.entry(*local).or_default().push(place),
                ExprKind::Read(read) if !scope.is_filled(*read) => self.reads.entry(*read).or_default().push(place),
                kind => pending.extend(kind.operands()),
            }
        }
    }
}

/// What an item is made of, those within it aside.
fn exprs_of(nest: &Nest, item: &Item) -> Vec<Handle<Expr>> {
    match item {
        Item::Act(action) => action.exprs(nest),
        Item::If(condition, _) => vec![condition.expr],
        Item::Loop(..) | Item::Record(..) => Vec::new(),
    }
}

/// The places where elements are read.
fn reads(blocks: &Blocks) -> impl Iterator<Item = (Handle<Access>, Place)> {
    blocks.places().filter_map(|(place, item)| match item {
        Item::Act(Action::Read(read)) => Some((*read, place)),
        _ => None,
    })
}

/// The loops around the outermost place where the value of a local is known.
fn depth(nest: &Nest, local: Handle<Local>) -> usize {
    let parts = nest.reachable([nest.locals[local].value]).into_iter();
    let around = |part: Handle<Expr>| match nest.exprs[part].kind {
        ExprKind::Index(this) | ExprKind::Iteration(this) => loops_around(nest, this),
        ExprKind::Read(read) => nest.accesses[read].loops.len(),
        _ => 0,
    };
    parts.map(around).max().unwrap_or(0)
}

/// How many loops there are down to this one.
fn loops_around(nest: &Nest, this: Handle<Loop>) -> usize {
    let places = nest.accesses.iter().filter_map(|(_, access)| access.loops.iter().position(|it| *it == this));
    places.max().map_or(0, |place| place + 1)
}
