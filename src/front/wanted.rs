//! What a nest is read with once it is refused without: what integers of the host's are taken to hold, which scalars have
//! trails, which structures in arrays are objects of their own, and which small arrays of a step's are grids.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{HostValue, ScalarType};

/// What integers hold, by their names where the nest stands.
pub type Held = Vec<(String, i64)>;

/// What a number of the host's is: a variable of that type, divided by a constant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Size {
    /// The variable.
    pub value: HostValue,
    /// Its type.
    pub ty: ScalarType,
    /// By what it is divided, in C's way; at least 1.
    pub over: i64,
}

/// A sum of products of such numbers and constants.
pub type Divisor = Vec<(Vec<Size>, i64)>;

/// In what other ways a nest may be read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ways {
    /// Sizes that have to be equal, by the one for which the other stands.
    pub equal: BTreeMap<HostValue, HostValue>,
    /// Sizes that have to be whole multiples of a constant.
    pub tiled: BTreeMap<HostValue, i64>,
    /// Sizes for which what the file assigns to them stands.
    pub assigned: BTreeSet<String>,
    /// What integers hold that are members of structures.
    pub members: BTreeMap<HostValue, i64>,
    /// Numbers of structures to which pointers lead in turn, and the ones that stand for them.
    pub in_turn: BTreeMap<HostValue, HostValue>,
    /// Where structures are described of which single elements of arrays are objects.
    pub singles: BTreeSet<usize>,
    /// Where loops begin that are executed iteration by iteration.
    pub rounds: BTreeSet<usize>,
    /// Where arrays of few elements are declared that are grids and no scalars of a point.
    pub grids: BTreeSet<usize>,
    /// By what the numbers are divided through which loops count, by where the loops begin.
    pub digits: BTreeMap<usize, BTreeSet<Divisor>>,
}

impl Ways {
    fn extend(&mut self, others: Self) {
        self.equal.extend(others.equal);
        self.tiled.extend(others.tiled);
        self.assigned.extend(others.assigned);
        self.members.extend(others.members);
        self.in_turn.extend(others.in_turn);
        self.singles.extend(others.singles);
        self.rounds.extend(others.rounds);
        self.grids.extend(others.grids);
        for (start, divisors) in others.digits {
            self.digits.entry(start).or_default().extend(divisors);
        }
    }

    fn count(&self) -> usize {
        let of_structures = self.members.len() + self.in_turn.len() + self.singles.len() + self.rounds.len();
        let divisors: usize = self.digits.values().map(BTreeSet::len).sum();
        self.equal.len() + self.tiled.len() + self.assigned.len() + of_structures + self.grids.len() + divisors
    }
}

/// What else a nest might be read with.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// The variables and their values.
    pub values: BTreeSet<(String, i64)>,
    /// All but values and trails.
    pub ways: Ways,
    /// Whether a nest that is read without would not be right, or hardly ever.
    pub is_needed: bool,
    /// Scalars that loops would have to carry from point to point.
    pub trails: BTreeSet<Carried>,
    /// Those that have no trails: what they hold goes into what they hold later.
    pub without: BTreeSet<Carried>,
    /// Loops that might be of bounded length, by where their conditions begin in the text.
    pub bounded: BTreeSet<usize>,
    /// Those that have been read so.
    pub windows: BTreeSet<usize>,
    /// Whether one that has been read so goes over the neighbours that are there.
    pub has_clamped: bool,
}

impl Wanted {
    /// Takes what another reading wants, too.
    pub fn extend(&mut self, other: Self) {
        self.values.extend(other.values);
        self.ways.extend(other.ways);
        self.is_needed |= other.is_needed;
        self.trails.extend(other.trails);
        self.without.extend(other.without);
        self.bounded.extend(other.bounded);
        self.windows.extend(other.windows);
        self.has_clamped |= other.has_clamped;
    }
}

/// A scalar that a loop carries from point to point.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Carried {
    /// Where the loop begins in the text.
    pub start: usize,
    /// The scalar.
    pub scalar: HostValue,
}

/// What a nest is read with.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Taken {
    /// What integers are taken to hold.
    pub held: Held,
    /// All but values and trails.
    pub ways: Ways,
    /// The scalars that have trails in loops of the nest.
    pub trails: BTreeSet<Carried>,
    /// Scalars that have no trails.
    pub without: BTreeSet<Carried>,
    /// Loops of bounded length, by where their conditions begin in the text.
    pub bounded: BTreeSet<usize>,
}

impl Taken {
    /// Takes up what is wanted; returns whether that changes anything.
    pub fn take(&mut self, wanted: Wanted) -> bool {
        let (known, ways, trails) = (self.held.len(), self.ways.count(), self.trails.clone());
        for (name, value) in wanted.values {
            if self.held[..known].iter().all(|(other, _)| *other != name) {
                self.held.push((name, value));
            }
        }
        self.ways.extend(wanted.ways);
        self.trails.extend(wanted.trails);
        self.without.extend(wanted.without);
        self.trails.retain(|trail| !self.without.contains(trail));
        (self.held.len(), self.ways.count(), &self.trails) != (known, ways, &trails)
    }

    /// Whether a nest is read as it stands.
    pub fn is_nothing(&self) -> bool {
        self.held.is_empty() && self.ways.count() == 0 && self.trails.is_empty() && self.bounded.is_empty()
    }
}
