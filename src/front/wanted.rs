//! What integers of the host's are taken to hold in a nest, and what they might be.

use std::collections::BTreeSet;

/// What integers hold, by their names where the nest stands.
pub type Held = Vec<(String, i64)>;

/// What integers might be taken to hold so that it is known how often loops run.
#[derive(Debug, Default)]
pub struct Wanted {
    /// The variables and their values.
    pub values: BTreeSet<(String, i64)>,
    /// Whether a loop adds to one element again and again, which no nest can do that keeps the loop.
    pub is_needed: bool,
}
