//! Who counts the steps of a nest.

use super::{Handle, Loop, Param};

/// Who says how often a [`Step`](super::Step) is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Clock {
    /// Nobody: there is one step.
    #[default]
    Once,
    /// The driver, which knows the number of steps before it starts.
    Counted {
        /// The loop whose iterations are the steps. It encloses every statement, and no written element's subscript depends
        /// on it (a buffer index may).
        time: Handle<Loop>,
    },
    /// The host, which keeps a loop of its own and asks for one step after the other; the driver takes those that it was asked
    /// for, some at a time.
    Recorded {
        /// The loop whose iterations are steps, as in [`Counted`](Self::Counted). It stands in no text of the user's.
        time: Handle<Loop>,
        /// What its variable is compared with: the driver sets it.
        end: Handle<Param>,
    },
}

impl Clock {
    /// Whether there may be more than one step, so that values go from one to the next.
    pub fn has_steps(self) -> bool {
        self != Self::Once
    }

    /// The loop of the nest that runs over time.
    pub fn time(self) -> Option<Handle<Loop>> {
        match self {
            Self::Once => None,
            Self::Counted { time } | Self::Recorded { time, .. } => Some(time),
        }
    }

    /// The parameter that the driver sets to say how many steps there are.
    pub fn end(self) -> Option<Handle<Param>> {
        match self {
            Self::Recorded { end, .. } => Some(end),
            Self::Once | Self::Counted { .. } => None,
        }
    }

    /// Whether `this` runs over time.
    pub fn counts(self, this: Handle<Loop>) -> bool {
        self.time() == Some(this)
    }

    /// Those of `loops` that run over space, in the same order.
    pub fn space(self, loops: &[Handle<Loop>]) -> impl DoubleEndedIterator<Item = Handle<Loop>> {
        loops.iter().copied().filter(move |this| !self.counts(*this))
    }
}
