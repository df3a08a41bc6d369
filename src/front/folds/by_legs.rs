//! Scalars that several legs of a step fold, each for itself.

use std::collections::BTreeSet;

use super::drafts::{Draft, NewValues, new_values};
use crate::front::reader::Reader;
use crate::ir::{Expr, ExprKind, Handle, HostValue};

/// A scalar that somebody may read after a step, or that goes into one.
pub(super) struct Needed {
    pub variable: Handle<HostValue>,
    /// The only leg that folds it.
    pub leg: Option<usize>,
    /// Whether others fold the same variable, for themselves.
    is_of_leg: bool,
}

impl Reader<'_, '_, '_> {
    /// What holds a scalar in the step: one for each leg if several give it new values and each begins it anew, as the sum of a
    /// function that is called in each.
    pub(super) fn by_leg(&self, variable: Handle<HostValue>, drafts: &[Draft]) -> Vec<Needed> {
        let is_set = |new: &&NewValues| new.values.iter().any(|(set, _)| *set == variable);
        let sets = new_values(drafts).into_iter().filter(is_set);
        let legs: BTreeSet<usize> = sets.map(|new| self.nest.step.leg_of(&new.position)).collect();
        let is_apart = legs.len() > 1
            && !self.is_left_folded(variable)
            && self.legs_that_mention(variable, drafts).is_subset(&legs)
            && legs.iter().all(|leg| self.begins_anew(variable, *leg, drafts));
        if is_apart {
            return legs.into_iter().map(|leg| Needed { variable, leg: Some(leg), is_of_leg: true }).collect();
        }
        vec![Needed { variable, leg: legs.first().copied().filter(|_| legs.len() == 1), is_of_leg: false }]
    }

    /// The legs that need what a scalar holds or give it new values.
    fn legs_that_mention(&self, variable: Handle<HostValue>, drafts: &[Draft]) -> BTreeSet<usize> {
        let mentioning = new_values(drafts).into_iter().filter(|new| self.has_in(new, variable));
        mentioning.map(|new| self.nest.step.leg_of(&new.position)).collect()
    }

    /// Whether a leg first gives a scalar a value, and that without what it holds.
    fn begins_anew(&self, variable: Handle<HostValue>, leg: usize, drafts: &[Draft]) -> bool {
        let is_of_leg = |new: &&NewValues| self.nest.step.leg_of(&new.position) == leg;
        let mentions = |draft: &&Draft| {
            new_values(std::slice::from_ref(*draft)).into_iter().filter(is_of_leg).any(|new| self.has_in(new, variable))
        };
        match drafts.iter().find(mentions) {
            Some(Draft::Set(new)) => !new.values.iter().any(|(_, value)| self.is_of_folded(*value, variable)),
            _ => false,
        }
    }

    fn has_in(&self, new: &NewValues, variable: Handle<HostValue>) -> bool {
        new.values.iter().any(|(set, value)| *set == variable || self.is_of_folded(*value, variable))
    }

    fn is_of_folded(&self, value: Handle<Expr>, variable: Handle<HostValue>) -> bool {
        self.nest.reachable([value]).into_iter().any(|part| match *self.kind(part) {
            ExprKind::Accumulator(number) => self.accumulated(number) == variable,
            _ => false,
        })
    }

    /// What holds a scalar at a place, by its number.
    pub(super) fn number_at(&self, variable: Handle<HostValue>, new: &NewValues, needed: &[Needed]) -> Option<usize> {
        let leg = self.nest.step.leg_of(&new.position);
        needed.iter().position(|it| it.variable == variable && (!it.is_of_leg || it.leg == Some(leg)))
    }
}
