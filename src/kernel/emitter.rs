//! What a tile does that streams, and in which order: the one emitter of `stream` and `rows`.
//!
//! In a step of the stream rows arrive; each stage computes its row into its window, puts back what its sweep's domain has beside
//! it, and stores what the launch leaves; and windows make room for the next row. What is done about a stage is a record. How it
//! is done depends on where windows are, and is the strategies': `stream` asks a mask over a block of registers: `if (stored3 & 5)
//! store two columns`, once for each row of the block, with the mask made of core, domain and row before. `rows` asks nothing, but
//! runs a loop from one bound to the other, the larger of core's and domain's first columns to the smaller of their last ones.

use super::Statement;

/// What a text does at the boundary of a stage: decided once, and only carried out by the emitter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageBoundary<At, Halo, Store> {
    /// The stage.
    pub at: At,
    /// What about its halo, if anything.
    pub halo: Option<Halo>,
    /// What it stores of the core.
    pub stores: Vec<Store>,
}

/// A storage of windows, by what it makes of a step.
pub trait Emitter {
    /// A stage in a text.
    type At;
    /// What is done about a halo.
    type Halo;
    /// A store.
    type Store;

    /// Takes the rows that arrive, if they are not read where they are.
    fn arrivals(&mut self) -> Vec<Statement> {
        Vec::new()
    }

    /// All stages, each by [`Self::stage`].
    fn stages(&mut self) -> Vec<Statement>;

    /// Makes room for the next rows, if they do not take the places of the oldest.
    fn aging(&mut self) -> Vec<Statement> {
        Vec::new()
    }

    /// Computes a stage's row into its window.
    fn compute(&mut self, at: &Self::At) -> Vec<Statement>;

    /// Puts back what the row's halo holds.
    fn put_back(&mut self, at: &Self::At, halo: &Self::Halo) -> Vec<Statement>;

    /// Stores the core's cells of the row.
    fn store(&mut self, at: &Self::At, store: &Self::Store) -> Vec<Statement>;

    /// What is around these acts of a stage.
    fn enclosed(&mut self, at: &Self::At, halo: Option<&Self::Halo>, acts: Vec<Statement>) -> Vec<Statement>;

    /// A step of the stream: every window gets a row.
    fn step(&mut self) -> Vec<Statement> {
        [Self::arrivals, Self::stages, Self::aging].into_iter().flat_map(|part| part(self)).collect()
    }

    /// What a stage does in a step.
    fn stage(&mut self, boundary: &StageBoundary<Self::At, Self::Halo, Self::Store>) -> Vec<Statement> {
        let StageBoundary { at, halo, stores } = boundary;
        let mut acts = self.compute(at);
        acts.extend(halo.iter().flat_map(|halo| self.put_back(at, halo)));
        acts.extend(stores.iter().flat_map(|store| self.store(at, store)));
        self.enclosed(at, halo.as_ref(), acts)
    }
}
