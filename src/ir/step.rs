//! What one step of a nest does.

use super::{Access, Array, Expr, Folds, Handle, HostValue, Loop, Param, ScalarType};
use crate::source::Span;

/// One step: its assignments in order, the pointers that rotate with it, and what it leaves.
#[derive(Clone, Debug, Default)]
pub struct Step {
    /// The assignments to array elements, in textual order; each is a sweep.
    pub statements: Vec<Statement>,
    /// Pointer variables that steps exchange and that outlive the nest: `a`, `b`.
    pub left_pointers: Vec<LeftPointer>,
    /// Pointer variables that the host exchanges itself between steps, as far as its text tells: the nest leaves them alone.
    pub foreseen_pointers: Vec<LeftPointer>,
    /// Loops and assignments in textual order that change scalars which outlive the nest: see [`Replay`].
    pub replay: Vec<Replay>,
    /// Variables from outside that the nest assigns and the host leaves alone: nothing reads them afterwards.
    pub dead: Vec<Handle<HostValue>>,
    /// Scalars that carry a value from one step to the next.
    pub rules: Vec<Rule>,
    /// Integers that steps of a loop that the host keeps change by themselves, whose values calls bring.
    pub turns: Vec<Turned>,
    /// Values that the driver computes for the iterations of loops; one may need those before it.
    pub listed: Vec<Listed>,
    /// Values that calls bring for each step of a loop that the host keeps.
    pub given: Vec<Given>,
    /// Scalars that these values are made of, and that the step needs for nothing else: each call may bring another value.
    pub varying: Vec<Handle<Param>>,
    /// Grids that the step declares, on the device alone: it stores what it reads there.
    pub grids: Vec<Grid>,
    /// Arrays of the driver's, on the device alone, from which a statement brings each value to its element once others have read
    /// what that held, or with elements for each iteration of loops that share some. Where the program stands both are one store.
    pub staged: Vec<Handle<Array>>,
    /// What the host folds over the points of a step.
    pub folds: Folds,
    /// What the host does within a step, in order.
    pub gaps: Vec<Gap>,
    /// The leg in which pointers are exchanged, counted from 0.
    pub turning_leg: usize,
    /// Whether the host may end the program by `exit` while its steps are recorded.
    pub may_exit: bool,
    /// Whether the host reads pieces of arrays at equal distances, or behind pointers, between steps.
    pub host_reads_pieces: bool,
    /// Whether it stores parts of arrays that its text shows.
    pub host_stores: bool,
    /// Where the driver must take steps to count them: while what holds there is one more.
    pub until: Option<Until>,
    /// Whether the program takes points in another order than the loops here, which no sweep on its own depends on.
    pub has_strips: bool,
}

/// An array that the step declares, or the trail of a scalar.
#[derive(Clone, Debug)]
pub struct Grid {
    /// The array.
    pub array: Handle<Array>,
    /// The product of these is how many bytes it has. Parameters and constants only.
    pub sizes: Vec<Handle<Expr>>,
    /// Whether it is what a scalar holds in the iterations of a loop over space, which the host keeps in one place.
    pub is_trail: bool,
}

/// Where the host does something within a step of a loop that it keeps. What stands between two gaps is a leg of the step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gap {
    /// From this place in the body of the loop over time on, statements stand behind it.
    pub place: u32,
    /// Scalars that the host gives another value there; nothing before it needs them.
    pub late: Vec<Handle<Param>>,
    /// Scalars that the host gives another value there for the steps to come; nothing behind it needs them.
    pub gone: Vec<Handle<Param>>,
    /// Whether the program's own statements behind it may read what those before it, within the step, leave in scalars.
    pub hands_on: bool,
}

/// The condition of a time loop that counts with a floating-point variable, as `t < end`. Its integer loop has no bound but
/// [`Until::MAX_STEPS`].
#[derive(Clone, Copy, Debug)]
pub struct Until {
    /// Of parameters, the index of the time loop and elements of the arrays of rules for the present step.
    pub condition: Handle<Expr>,
}

impl Until {
    /// The original loops do more steps.
    pub const MAX_STEPS: i64 = i32::MAX as i64;
}

/// How each step computes a scalar from what scalars hold before it, from the step and from what does not change.
///
/// Before the device starts the driver fills an array with what the scalar holds before each step, and after the last one.
/// Kernels read its elements as those of any array, `values[#t]`, and so do other rules.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The base of that array, which no declaration of the user's is.
    pub values: Handle<HostValue>,
    /// Type of the scalar.
    pub ty: ScalarType,
    /// What the scalar holds before the first step, of that type: of parameters and constants.
    pub first: Handle<Expr>,
    /// What it holds after a step, of that type: of parameters, the index of the time loop and elements of the arrays of
    /// rules for that step.
    pub next: Handle<Expr>,
}

/// An integer that each step of a loop that the host keeps changes in the same way: before step `s` it is `first + by * s`, or what
/// is left of that by the period, if there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turned {
    /// The user's variable.
    pub variable: Handle<HostValue>,
    /// What each step adds; not negative with a period.
    pub by: i64,
    /// The period; the first value is below it.
    pub period: Option<i64>,
}

/// What the host computes for each iteration of a loop, or of several loops over space within each other, since the device would
/// compute other last bits.
///
/// Before the device starts the driver fills an array with the values, from the first iteration of each loop on.
#[derive(Clone, Debug)]
pub struct Listed {
    /// The base of that array, which no declaration of the user's is.
    pub values: Handle<HostValue>,
    /// The loop over time, or loops over space whose bounds are made of parameters, the outermost first.
    pub over: Vec<Handle<Loop>>,
    /// The value: of parameters, indices of these loops, values that are listed before for their iterations and, where it is the
    /// loop over time, elements of the arrays of rules for the present step.
    pub value: Handle<Expr>,
    /// The access that reads the value of the present iteration.
    pub read: Handle<Access>,
}

/// What a call brings for its step of a loop that the host keeps, whatever the host makes it of.
///
/// The driver keeps it on a wheel, an array of its own with [`Given::WHEEL`] elements: that of step `#t` is element `#t % WHEEL`.
/// So kernels of several steps find what each of them needs.
#[derive(Clone, Copy, Debug)]
pub struct Given {
    /// The base of that array, which no declaration of the user's is.
    pub values: Handle<HostValue>,
    /// The scalar that the call brings, or that is made of such.
    pub param: Handle<Param>,
}

impl Given {
    /// Elements of a wheel, a power of two. The host's arrays are never as many steps behind.
    pub const WHEEL: i64 = 4096;
}

impl Step {
    /// Whether the driver fills the array that a variable is the base of.
    pub fn is_filled_by_driver(&self, base: Handle<HostValue>) -> bool {
        let listed = self.listed.iter().map(|listed| listed.values);
        let given = self.given.iter().map(|given| given.values);
        self.rules.iter().map(|rule| rule.values).chain(listed).chain(given).any(|values| values == base)
    }

    /// Whether steps turn or count what a variable holds by a closed form.
    pub fn is_turned(&self, variable: Handle<HostValue>) -> bool {
        self.turns.iter().any(|turn| turn.variable == variable)
    }

    /// Pointer variables that hold another array from step to step, whoever exchanges them.
    pub fn exchanged_pointers(&self) -> impl Iterator<Item = &LeftPointer> {
        self.left_pointers.iter().chain(&self.foreseen_pointers)
    }

    /// The number of the wheel that a variable is the base of, if it is one.
    pub fn wheel_of(&self, base: Handle<HostValue>) -> Option<usize> {
        self.given.iter().position(|given| given.values == base)
    }

    /// How many gaps there are before a place, which is a [position](Access::position).
    pub fn leg_of(&self, position: &[u32]) -> usize {
        let place = position.get(1).copied().unwrap_or_default();
        self.gaps.iter().take_while(|gap| gap.place <= place).count()
    }

    /// Whether the host may give a scalar its value behind the leg of that number, counted from 0.
    pub fn is_later_than(&self, param: Handle<Param>, leg: usize) -> bool {
        self.gaps[leg.min(self.gaps.len())..].iter().any(|gap| gap.late.contains(&param))
    }

    /// Whether the host gives a scalar its value within the step.
    pub fn is_late(&self, param: Handle<Param>) -> bool {
        self.is_later_than(param, 0)
    }

    /// Whether the host may have given a scalar another value before the leg of that number, counted from 0, which does not need it.
    pub fn is_gone_before(&self, param: Handle<Param>, leg: usize) -> bool {
        self.gaps[..leg.min(self.gaps.len())].iter().any(|gap| gap.gone.contains(&param))
    }

    /// All assignments in [`replay`](Self::replay), in order.
    pub fn replayed(&self) -> Vec<&LeftScalar> {
        self.replayed_as(|it| if let Replay::Scalar(scalar) = it { Some(scalar) } else { None })
    }

    /// All settings in it.
    pub fn settings(&self) -> Vec<&Setting> {
        self.replayed_as(|it| if let Replay::Setting(setting) = it { Some(setting) } else { None })
    }

    /// The values that the host computes for both.
    pub fn replayed_values(&self) -> Vec<Handle<Expr>> {
        let settings = self.settings().into_iter().map(|setting| setting.value);
        self.replayed().into_iter().map(|scalar| scalar.value).chain(settings).collect()
    }

    fn replayed_as<'s, T>(&'s self, choose: impl Fn(&'s Replay) -> Option<T>) -> Vec<T> {
        let mut pending: Vec<&Replay> = self.replay.iter().rev().collect();
        let mut found = Vec::new();
        while let Some(next) = pending.pop() {
            if let Replay::Loop(_, inner) = next {
                pending.extend(inner.iter().rev());
            }
            found.extend(choose(next));
        }
        found
    }
}

/// An assignment to an array element.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The element; its `loops`, `guards` and `position` are the statement's.
    pub write: Handle<Access>,
    /// The first of the stores of the element in the iteration that this one replaces, as nothing but what it leaves is seen;
    /// `write` if there are no others.
    pub first: Handle<Access>,
    /// The value, of the array's element type.
    pub value: Handle<Expr>,
    /// The assignment in the original file.
    pub span: Span,
}

/// A pointer variable that the nest leaves changed.
///
/// Example: in the rotation above `a` holds after 1, 2, 3, ... iterations what before the nest was in `b`, `a`, `b`, ...:
/// `held` is `[b, a]` and recurs from 0. For a helper `tmp` that gets the old `a` in every step it is `[a, b]`.
#[derive(Clone, Debug)]
pub struct LeftPointer {
    /// The user's variable; without an iteration it keeps what it holds.
    pub variable: Handle<HostValue>,
    /// The variables whose first value it holds after 1, 2, ... iterations of the outermost loop.
    pub held: Vec<Handle<HostValue>>,
    /// Behind the last one the list goes on from this place.
    pub recurs_from: usize,
    /// Type of the elements that it points to.
    pub element: ScalarType,
    /// Elements to add, as the last iteration computes them.
    pub offset: Option<Handle<Expr>>,
}

/// What the nest does to scalars that outlive it. The host driver goes through the last iteration of each loop once more
/// and leaves the scalars as the original does.
#[derive(Clone, Debug)]
pub enum Replay {
    /// A loop and what its last iteration does.
    Loop(Handle<Loop>, Vec<Replay>),
    /// An assignment that every iteration of the loops around it makes.
    Scalar(LeftScalar),
    /// A call that every iteration of the loops around it makes.
    Setting(Setting),
}

/// A call of a library's function that sets something by which no nest computes, as `omp_set_num_threads(threads)` does: what the
/// last call has set remains.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The function, which gets an `int` and returns nothing.
    pub function: &'static str,
    /// What it gets: of parameters, indices of the loops around and elements that the nest only reads.
    pub value: Handle<Expr>,
}

/// A value of a scalar that outlives the nest.
#[derive(Clone, Debug)]
pub struct LeftScalar {
    /// The user's variable.
    pub variable: Handle<HostValue>,
    /// Its value, of the variable's type: of parameters, indices of the loops around and elements that the nest only
    /// reads.
    pub value: Handle<Expr>,
}
