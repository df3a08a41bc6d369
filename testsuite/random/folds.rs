//! Scalars that a program folds over points: sums, maxima, counts, where a maximum is.
//!
//! What they hold is no business of the trace, also where a sweep needs it: that sweep comes before or behind all that is folded.

use super::model::{Condition, Element, Expr, Item, Program};
use super::needs::Needs;

/// A scalar that steps fold.
#[derive(Clone, Debug)]
pub struct Fold {
    pub element: Element,
    pub kind: FoldKind,
    /// What it holds before the nest, as C.
    pub initial: &'static str,
    /// When it gets that value again.
    pub restart: Restart,
    pub place: FoldPlace,
    /// What becomes of it when its points are folded, as `sqrt`.
    pub finish: Option<Finish>,
}

/// What is made of the points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoldKind {
    Sum,
    Difference,
    Most,
    Least,
    /// The largest value, and the first or last place that has it.
    Place,
    Count,
    Any,
    All,
    Last,
    /// Something in which the order counts: `s = 0.5 * s + x`.
    Mixed,
    /// `^=`, `|=` or `&=`.
    Bits,
    /// Of sums of rows.
    Rows,
}

/// When a fold begins anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restart {
    /// It goes on from step to step.
    Never,
    /// At the start of each step.
    First,
    /// Before its points are folded.
    Beside,
}

/// Where the scalar is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoldPlace {
    Local,
    Global,
    /// The function of the nest gets a pointer to it.
    Pointer,
    /// In the structure.
    Member,
}

/// What becomes of a fold behind its points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    Root,
    Mean,
    Scaled,
}

/// What a point does to a fold.
#[derive(Clone, Debug)]
pub struct Folding {
    pub fold: usize,
    /// Not used by counts and conditions.
    pub value: Expr,
    /// Where there is none, conditions are on the value.
    pub guard: Option<Condition>,
    /// Before the statements of the sweep.
    pub is_first: bool,
    pub spelling: u8,
}

/// The loop over time ends when a fold is small, or not small any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exit {
    pub fold: usize,
    pub place: ExitPlace,
    /// The comparison of the fold with `limit` by which the loop goes on.
    pub op: &'static str,
    pub limit: &'static str,
    /// The comparison is written as one that ends the loop.
    pub is_negated: bool,
    /// The function whose result is the fold is called in the condition, where it can be.
    pub calls: bool,
    /// The number of the items that stand before it at least, where the loop is left; it stands behind all if they are fewer.
    pub behind: usize,
    /// What is compared instead of the fold.
    pub norm: Option<Norm>,
    /// The loop is not left in the first steps.
    pub is_late: bool,
}

/// A value that the host computes of a fold, and looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Norm {
    pub kind: NormKind,
    pub place: NormPlace,
    /// It is printed every so many steps, from this one on, before it is compared or behind that.
    pub shown: Option<(i64, i64, bool)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NormKind {
    /// `sqrt(fabs(fold))`
    Root,
    /// `sqrt(fold / n)`
    RootMean,
    /// `fold / n`
    Mean,
    /// `fabs(fold)`
    Absolute,
    /// `0.5 * fold + 1`
    Scaled,
    /// `log10(fabs(fold))`
    Logarithm,
    /// `fold / before`, where `before` is the fold of the step before.
    Ratio,
    /// `fabs(fold - before)`
    Change,
}

impl NormKind {
    /// Whether it needs the fold of the step before.
    pub fn has_memory(self) -> bool {
        matches!(self, Self::Ratio | Self::Change)
    }
}

/// Where a norm is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NormPlace {
    /// In the condition.
    Condition,
    /// In the variable of the fold.
    Fold,
    /// In a variable of the step.
    Step,
    /// In a variable that outlives the loop.
    Outside,
}

impl Exit {
    /// Whether it stands within a step of so many items.
    pub fn is_within(&self, items: usize) -> bool {
        !self.place.is_condition_of_loop() && self.behind < items
    }

    /// The item of a step that stands in the condition: the first one in heads, the last one of `do` loops, any where the loop is left.
    pub fn called(program: &Program) -> Option<usize> {
        let exit = program.exit.as_ref().filter(|exit| exit.calls && program.division.step.is_none())?;
        let gives = |item: &Item| matches!(item, Item::Sweep(it) if it.gives_fold && it.foldings[0].fold == exit.fold);
        let is_plain = program.time.is_some() && program.folds[exit.fold].finish.is_none();
        let index = program.items.iter().rposition(gives).filter(|_| is_plain)?;
        let may_stand = match exit.place {
            ExitPlace::Head | ExitPlace::HeadFirst => index == 0,
            // The step is counted before.
            ExitPlace::Do => index + 1 == program.items.len() && !Needs::of_items(&program.items[index..]).names_step(),
            ExitPlace::Break | ExitPlace::Return => true,
        };
        may_stand.then_some(index)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitPlace {
    /// `while (t < steps && fold > limit)`
    Head,
    /// `while (fold > limit && t < steps)`
    HeadFirst,
    /// `do { ... } while (fold > limit && t < steps);`
    Do,
    Break,
    Return,
}

impl ExitPlace {
    pub fn is_condition_of_loop(self) -> bool {
        !matches!(self, Self::Break | Self::Return)
    }
}
