//! What the host folds over the points of a step: sums, maxima, counts, where a maximum is.

use std::collections::BTreeSet;

use super::{Access, BinaryOp, Expr, Handle, HostValue, Loop, ScalarType};

/// What the host makes of a step's points.
///
/// Example: `err = 0; for (i = ...) { b[i] = ...; err = fmax(err, fabs(b[i] - a[i])); }`. The sweeps store
/// `values[i] = fabs(b[i] - a[i])` beside `b`, and after the step the host does `err = 0; for (i = ...) err = fmax(err, values[i]);`
/// in the order of the program's loops, so that each bit is the original's whatever is folded.
#[derive(Clone, Debug, Default)]
pub struct Folds {
    /// The scalars that are folded.
    pub accumulators: Vec<Accumulator>,
    /// What is done to them in a step, in order.
    pub actions: Vec<Fold>,
    /// What the points give.
    pub values: Vec<PointValues>,
    /// When the host looks at the scalars.
    pub looks: Looks,
    /// Whether it looks at them within a step, behind the first leg, which folds all of them.
    pub tells_early: bool,
    /// The same where each leg that folds something folds scalars of its own: the call for a leg tells what that leg comes to.
    pub tells_each_leg: bool,
    /// Whether all legs follow that one then, and need nothing else from the host, so that the device may take the step at once.
    pub goes_through: bool,
    /// The comparisons by which it looks at sums of which bounds are enough.
    pub comparisons: Vec<Comparison>,
}

/// A comparison of a scalar, or of what grows or falls with it, with a number that does not change.
#[derive(Clone, Copy, Debug)]
pub struct Comparison {
    /// The scalar.
    pub accumulator: usize,
    /// What is made of it.
    pub left: Handle<Expr>,
    /// Less or greater, or equal besides.
    pub op: BinaryOp,
    /// The number.
    pub right: Handle<Expr>,
}

/// When the host looks at scalars that the steps of its loop fold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Looks {
    /// When the loop has ended.
    #[default]
    Behind,
    /// At places in the loop, before which it asks for them.
    Within,
    /// After each step, so that no step may wait for the next one.
    AfterEach,
}

/// Values that points give.
#[derive(Clone, Copy, Debug)]
pub struct PointValues {
    /// The store. It has an array of its own, whose subscripts are the loops' indices, and whose base no declaration of the
    /// user's is.
    pub write: Handle<Access>,
    /// How they may be combined into one that takes the place of all.
    pub combination: Combination,
    /// Whether none of them is below zero, whatever the data.
    pub is_never_negative: bool,
    /// Whether the host needs no more than bounds of their sum, as long as these tell how its comparisons come out.
    pub is_bounded: bool,
    /// Whether there are such comparisons; else any sum will do until the host asks for the original's.
    pub is_compared: bool,
}

/// How values may be combined in any order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Combination {
    /// Not at all: the host folds them in the order of its loops.
    #[default]
    InOrder,
    /// The largest takes the place of all, unless there are not-a-numbers, or zeros of both signs.
    Maximum,
    /// The smallest, likewise.
    Minimum,
    /// Their sum, bit for bit if they are integers.
    Sum,
    /// Whether one is not 0.
    Any,
}

/// A scalar of the user's that is folded.
#[derive(Clone, Debug)]
pub struct Accumulator {
    /// The variable.
    pub variable: Handle<HostValue>,
    /// Its type.
    pub ty: ScalarType,
    /// Whether the program may read it behind the step; otherwise it is the step's own, and no address is known.
    pub is_left: bool,
    /// The leg of the step that folds it, counted from 0; `None` if several do.
    pub leg: Option<usize>,
    /// Whether it is made of values of which the host needs no more than bounds, so that it may be another number than the
    /// original's until the host asks for it. The others are the original's once they are folded, and the host's from then on.
    pub is_bounded: bool,
}

/// An action of a fold.
#[derive(Clone, Debug)]
pub enum Fold {
    /// The actions in each iteration of a loop.
    Loop(Handle<Loop>, Vec<Fold>),
    /// Scalars get new values, all at once.
    Set(Vec<Update>),
}

/// A new value of a scalar.
#[derive(Clone, Copy, Debug)]
pub struct Update {
    /// Which one.
    pub accumulator: usize,
    /// The value, of the scalar's type: of accumulators, parameters, indices of the loops around and reads of what points give.
    pub value: Handle<Expr>,
}

impl Folds {
    /// The most legs of a step whose calls tell what they fold.
    pub const MAX_TELLING_LEGS: usize = 31;

    /// The scalars that the program may read behind a step.
    pub fn left(&self) -> impl Iterator<Item = &Accumulator> {
        self.accumulators.iter().filter(|it| it.is_left)
    }

    /// Whether scalars of the last step may be lacking, or right for comparisons alone, until the host asks for them.
    pub fn are_settled_late(&self) -> bool {
        !self.accumulators.is_empty() && (self.looks != Looks::AfterEach || self.has_bounded())
    }

    /// Whether sums may be others than the original's until the host asks for them.
    pub fn has_bounded(&self) -> bool {
        self.values.iter().any(|values| values.is_bounded)
    }

    /// Whether some scalars may be others than the original's until the host asks for them, beside some that never are: what the
    /// host has made of these stays when those are folded again.
    pub fn are_some_folded_again(&self) -> bool {
        self.has_bounded() && self.left().any(|it| !it.is_bounded)
    }

    /// Whether the call for the first leg tells all that a step folds.
    pub fn tells_at_once(&self) -> bool {
        self.tells_early && !self.tells_each_leg
    }

    /// Whether what a leg folds into a scalar is told by the call for that leg, counted from 0; else the call for the step tells all.
    pub fn is_told_by(&self, accumulator: &Accumulator, leg: usize) -> bool {
        !self.tells_each_leg || accumulator.leg == Some(leg)
    }

    /// The legs whose calls tell what they fold, counted from 0.
    pub fn telling_legs(&self) -> BTreeSet<usize> {
        let left = self.left().filter(|_| self.tells_each_leg);
        left.filter_map(|it| it.leg).collect()
    }

    /// All new values, in order.
    pub fn updates(&self) -> Vec<Update> {
        self.actions.iter().flat_map(Fold::updates).collect()
    }
}

impl Fold {
    /// All new values, in order.
    pub fn updates(&self) -> Vec<Update> {
        match self {
            Self::Loop(_, inner) => inner.iter().flat_map(Self::updates).collect(),
            Self::Set(updates) => updates.clone(),
        }
    }
}
