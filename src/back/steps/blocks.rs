//! The loops and conditions around the actions of a step.

use super::actions::{Action, Conditional};
use super::integers::Condition;
use super::scope::StepScope;
use crate::ir::{Access, ExprKind, Handle, Loop, Nest};

/// A place in a block: the block, and the item before which it is.
pub type Place = (usize, usize);

/// What stands in a block.
#[derive(Clone, Debug)]
pub enum Item {
    /// An action.
    Act(Action),
    /// A block under a condition.
    If(Condition, usize),
    /// A block in a loop.
    Loop(Handle<Loop>, usize),
    /// A block for the one iteration of a loop in which its index is that of the loop over time.
    Record(Handle<Loop>, usize),
}

/// What stands between two braces.
#[derive(Default)]
struct Block {
    items: Vec<Item>,
    /// The place of its item in the block around it.
    around: Option<Place>,
    /// The number of loops around it.
    depth: usize,
}

/// All blocks of a step; the first one is around the others.
pub struct Blocks {
    all: Vec<Block>,
}

/// What comes into a block under conditions.
struct Entry {
    conditions: Vec<Condition>,
    what: What,
}

enum What {
    Action(Action),
    Loop(Handle<Loop>, Vec<Conditional>),
}

impl Blocks {
    /// The blocks of these actions, which are in order.
    pub fn new(scope: &StepScope<'_>, actions: Vec<Conditional>) -> Self {
        let depth = usize::from(scope.nest.clock.has_steps());
        let mut blocks = Self { all: vec![Block { depth, ..Block::default() }] };
        blocks.fill(scope, 0, entries(scope.nest, actions, depth));
        blocks
    }

    /// What stands in a block.
    pub fn items(&self, block: usize) -> &[Item] {
        &self.all[block].items
    }

    /// All places of items.
    pub fn places(&self) -> impl Iterator<Item = (Place, &Item)> {
        let blocks = self.all.iter().enumerate();
        blocks.flat_map(|(block, it)| it.items.iter().enumerate().map(move |(place, item)| ((block, place), item)))
    }

    /// The last place before both of two.
    pub fn before_both(&self, one: Place, other: Place) -> Place {
        let (one, other) = self.in_one_block(one, other);
        one.min(other)
    }

    /// Whether an item at one place is done before another place is reached.
    pub fn is_done(&self, one: Place, other: Place) -> bool {
        let (one, other) = self.in_one_block(one, other);
        one < other
    }

    /// The places of two in the innermost block around both.
    fn in_one_block(&self, mut one: Place, mut other: Place) -> (Place, Place) {
        while one.0 != other.0 {
            // A block has a greater number than those around it.
            let inner = if one.0 > other.0 { &mut one } else { &mut other };
            *inner = self.all[inner.0].around.expect("the first block is around all others");
        }
        (one, other)
    }

    /// The last place before one that has no more than `depth` loops around it.
    pub fn outside(&self, mut place: Place, depth: usize) -> Place {
        while self.all[place.0].depth > depth
            && let Some(around) = self.all[place.0].around
        {
            place = around;
        }
        place
    }

    fn fill(&mut self, scope: &StepScope<'_>, block: usize, entries: Vec<Entry>) {
        let mut entries = entries.into_iter().peekable();
        while let Some(mut entry) = entries.next() {
            if entry.conditions.is_empty() {
                self.push(scope, block, entry.what);
                continue;
            }
            let condition = entry.conditions.remove(0);
            let mut within = vec![entry];
            let is_there = |other: &Entry| other.conditions.first().is_some_and(|it| it.text == condition.text);
            while let Some(mut other) = entries.next_if(is_there) {
                other.conditions.remove(0);
                within.push(other);
            }
            let body = self.open(block, 0);
            self.all[block].items.push(Item::If(condition, body));
            self.fill(scope, body, within);
        }
    }

    fn push(&mut self, scope: &StepScope<'_>, block: usize, what: What) {
        let (this, mut actions) = match what {
            What::Action(action) => return self.all[block].items.push(Item::Act(action)),
            What::Loop(this, actions) => (this, actions),
        };
        let is_record = keep_present_record(scope, this, &mut actions);
        let body = self.open(block, 1);
        self.all[block].items.push(if is_record { Item::Record(this, body) } else { Item::Loop(this, body) });
        let depth = self.all[body].depth;
        self.fill(scope, body, entries(scope.nest, actions, depth));
    }

    /// A new block, for the next item of another.
    fn open(&mut self, around: usize, loops: usize) -> usize {
        let (place, depth) = (self.all[around].items.len(), self.all[around].depth + loops);
        self.all.push(Block { items: Vec::new(), around: Some((around, place)), depth });
        self.all.len() - 1
    }
}

/// What stands directly in a block with so many loops around it.
fn entries(nest: &Nest, actions: Vec<Conditional>, depth: usize) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut last = None;
    for Conditional { action, conditions } in actions {
        let Access { loops, position, .. } = &nest.accesses[action.access()];
        let Some(this) = loops.get(depth) else {
            entries.push(Entry { conditions, what: What::Action(action) });
            last = None;
            continue;
        };
        let place = Some((*this, position[depth]));
        match entries.last_mut() {
            Some(Entry { what: What::Loop(_, inner), .. }) if last == place => {
                inner.push(Conditional { action, conditions });
            }
            _ => {
                let inner = vec![Conditional { action, conditions }];
                entries.push(Entry { conditions: Vec::new(), what: What::Loop(*this, inner) });
            }
        }
        last = place;
    }
    entries.iter_mut().for_each(|entry| hoist(nest, entry, depth));
    entries
}

/// Moves conditions that all in a loop begin with in front of it, as far as they are known there.
fn hoist(nest: &Nest, entry: &mut Entry, depth: usize) {
    let What::Loop(_, actions) = &mut entry.what else { return };
    while let Some(condition) = actions[0].conditions.first().cloned()
        && is_known_outside(nest, &condition, &actions[0], depth)
        && actions.iter().all(|it| it.conditions.first().is_some_and(|first| first.text == condition.text))
    {
        actions.iter_mut().for_each(|it| drop(it.conditions.remove(0)));
        entry.conditions.push(condition);
    }
}

/// Whether nothing goes into a condition but what has at most `depth` loops around it, those of `action`.
fn is_known_outside(nest: &Nest, condition: &Condition, action: &Conditional, depth: usize) -> bool {
    let outer = &nest.accesses[action.action.access()].loops[..depth];
    nest.reachable([condition.expr]).into_iter().all(|part| match nest.exprs[part].kind {
        ExprKind::Index(this) | ExprKind::Iteration(this) => outer.contains(&this),
        ExprKind::Read(read) => nest.accesses[read].loops.len() <= depth,
        _ => true,
    })
}

/// Whether a loop has the header of that over time and does nothing but where both have the same index; that condition is taken
/// from its actions then.
fn keep_present_record(scope: &StepScope<'_>, this: Handle<Loop>, actions: &mut [Conditional]) -> bool {
    let nest = scope.nest;
    let Some(time) = nest.clock.time() else { return false };
    let (one, other) = (&nest.loops[this], &nest.loops[time]);
    let [name, time] = [this, time].map(|it| scope.names.loop_variable(it));
    let text = format!("{name} == {time}");
    let is_present = |it: &Conditional| it.conditions.iter().any(|condition| condition.text == text);
    let has_same_header =
        (one.first, one.bound, one.relation, one.step) == (other.first, other.bound, other.relation, other.step);
    if !has_same_header || !actions.iter().all(is_present) {
        return false;
    }
    actions.iter_mut().for_each(|it| it.conditions.retain(|condition| condition.text != text));
    true
}
