//! What is known of folds while a nest is read.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{Expr, Handle, HostValue, Loop};
use crate::source::Span;

/// What is known of folds while a nest is read.
#[derive(Default)]
pub struct Drafts {
    /// Whether scalars may be folded.
    pub are_allowed: bool,
    /// Those that loops carry, in the order of their numbers.
    pub accumulators: Vec<HeldScalar>,
    /// Those that the loops around carry, outermost loop first.
    pub carried: Vec<Vec<Handle<HostValue>>>,
    /// What has been read of the loops around, and last of the present one.
    pub actions: Vec<Vec<Draft>>,
    /// Those that loops over points fold together with others: where a maximum is, say.
    pub entangled: BTreeSet<Handle<HostValue>>,
    /// Those that are folded under a condition or in strips, and where.
    pub lost: BTreeMap<Handle<HostValue>, Span>,
    /// Those that are folded where a condition on the index of the outermost loop holds, and where.
    pub of_some_steps: BTreeMap<Handle<HostValue>, Span>,
    /// Those that are made of what others held before these were folded anew, and where.
    pub outdated: BTreeMap<Handle<HostValue>, Span>,
}

#[derive(Clone, Copy)]
pub struct HeldScalar {
    pub variable: Handle<HostValue>,
    /// What it holds so far: an expression of its own since each time it got a new value.
    pub held: Handle<Expr>,
    pub assigned: Span,
}

pub enum Draft {
    Loop(Handle<Loop>, Vec<Draft>),
    Set(NewValues),
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
            Self::Set(NewValues { loops: around, position, .. }) => replace_in(around, position, whole, loops),
        }
    }
}

/// New values of scalars at a place.
pub struct NewValues {
    pub values: Vec<(Handle<HostValue>, Handle<Expr>)>,
    pub loops: Vec<Handle<Loop>>,
    pub position: Vec<u32>,
}

/// All new values of drafts, in order.
pub fn new_values(drafts: &[Draft]) -> Vec<&NewValues> {
    let mut found = Vec::new();
    for draft in drafts {
        match draft {
            Draft::Loop(_, inner) => found.extend(new_values(inner)),
            Draft::Set(values) => found.push(values),
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
