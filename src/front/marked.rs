//! What reading a marked nest gives.

use super::kept::{Chain, KeptLoop};
use crate::ir::Nest;
use crate::options::Clauses;
use crate::source::Span;

/// A nest, and what the user wants of it.
#[derive(Clone, Debug, Default)]
pub struct MarkedNest {
    /// What is written there.
    pub nest: Nest,
    /// What its pragma asks for.
    pub clauses: Clauses,
    /// The loop around it that the host keeps, if the nest is one step of it.
    pub kept: Option<KeptLoop>,
    /// Its place among nests whose arrays stay on the device from one to the next.
    pub chain: Option<Chain>,
    /// The same without what the host is foreseen to do around the step, if the nest foresees something.
    pub plain: Option<Box<MarkedNest>>,
    /// The same loop with a step of a loop within it, where that may be another.
    pub within: Option<Box<MarkedNest>>,
    /// Where definitions of the file begin that must be hidden from other libraries once the file has a nest.
    pub hidden: Vec<Span>,
    /// Name of the host function that runs it, e.g. `heat_stencil_1`.
    pub name: String,
}

impl MarkedNest {
    /// Foresees nothing of what the host does around the step: a call that brings other pointers begins a recording anew.
    pub fn foresee_nothing(&mut self) {
        if let Some(plain) = self.plain.take() {
            *self = self.become_other(*plain);
        }
    }

    /// Takes a step of a loop within the one that the host keeps.
    pub fn step_within(&mut self) {
        if let Some(within) = self.within.take() {
            *self = self.become_other(*within);
        }
    }

    /// Another reading of the same loop.
    fn become_other(&mut self, other: Self) -> Self {
        Self { name: std::mem::take(&mut self.name), hidden: std::mem::take(&mut self.hidden), ..other }
    }

    /// Lets bounds of sums and maxima be enough where the host only compares them: sums would have to be made in their own order.
    pub fn bound_folds(&mut self) {
        [&mut self.plain, &mut self.within].into_iter().flatten().for_each(|other| other.bound_folds());
        let Some(kept) = &mut self.kept else { return };
        if let Some(bounds) = kept.bounds.take() {
            bounds.apply(&mut self.nest);
            kept.places = bounds.places;
        }
    }
}
