//! What a random program is: facts, from which C is printed, accesses are traced and smaller programs are made.
//!
//! A place in space is a vector with one coordinate an axis; axis `rank - 1` is the fastest. All loops of an axis share
//! its loop variable, and `n` of an axis is the parameter of that axis. Steps are a further axis, [`STEPS`], of arrays that keep
//! what each step computes or uses.

mod memory;
mod statements;

pub use memory::{Dim, Element, Field, Form, Length, Scalar, Table, TablePlace, Total, Values};
pub use statements::{
    Assign, Base, Bound, Condition, Expr, Loop, Point, Reference, Slot, Statement, Subscript, Sweep, Wall,
};

use super::folds::{Exit, Fold};
use super::ways::{Division, Sizes, Structure, Turn, WallWay};

/// The axis of the loop over time, whose `n` is the number of steps.
pub const STEPS: usize = 4;

/// A program with one marked nest.
#[derive(Clone, Debug)]
pub struct Program {
    /// Space dimensions, 1 to 4.
    pub rank: usize,
    pub fields: Vec<Field>,
    /// `None`: one pass over space without a time loop.
    pub time: Option<TimeForm>,
    /// What one step does.
    pub items: Vec<Item>,
    /// What the host does between two steps.
    pub host: Vec<HostCode>,
    pub scalars: Vec<Scalar>,
    /// What it folds over points.
    pub folds: Vec<Fold>,
    /// Which of that ends the loop over time.
    pub exit: Option<Exit>,
    /// The device combines what it can of that, however few values there are.
    pub combines: bool,
    pub tables: Vec<Table>,
    pub setting: Setting,
    pub runs: Vec<Run>,
    /// Names of what was drawn, for the summary of many programs.
    pub features: Vec<&'static str>,
    /// Which parts of a step are functions besides single sweeps.
    pub division: Division,
}

/// `if (t % every == phase)` something that the host does, before the items of a step, between two or behind them.
#[derive(Clone, Debug)]
pub struct HostCode {
    pub kind: Host,
    pub every: i64,
    pub phase: i64,
    /// The number of the items that stand before it at least; it stands behind all if they are fewer.
    pub behind: usize,
    pub spelling: u8,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Host {
    /// It prints the step.
    Print,
    /// It adds up elements of a field, along so many of its last dimensions.
    Read { field: usize, loops: usize },
    /// It stores an element.
    Store { field: usize },
    /// It leaves the loop.
    Stop,
    /// It ends the program, which shows its memory then.
    End,
    /// It exchanges pointers as a step does.
    Swap(Vec<usize>),
    /// It prints what is folded.
    Look { fold: usize },
    /// It begins anew.
    Restart { fold: usize },
    /// It adds up what is folded.
    Gather { fold: usize },
    /// It gives a scalar a value that depends on what is folded.
    Feed { fold: usize, scalar: usize },
    /// It gives a scalar another value.
    Vary { scalar: usize },
    /// It keeps what is folded in an array, an element a step.
    Note { fold: usize },
}

/// One execution of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// `n` of each axis.
    pub sizes: Vec<i64>,
    pub steps: i64,
}

impl Run {
    /// `n` of each axis there may be.
    pub fn all_sizes(&self) -> Vec<i64> {
        let mut sizes = self.sizes.clone();
        sizes.resize(STEPS, 1);
        sizes.push(self.steps);
        sizes
    }
}

/// The loop over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeForm {
    /// `for (t = 0; t < steps; t++)`
    Up,
    /// `for (t = 1; t <= steps; t++)`
    FromOne,
    /// `for (t = steps; t > 0; t--)`
    Down,
    /// `for (t = 0; t < 2 * steps; t += 2)`
    Twos,
    /// `for (t = 0; t != steps; ++t)`
    NotEqual,
}

impl TimeForm {
    /// The value of `t` in each step.
    pub fn values(self, steps: i64) -> Vec<i64> {
        match self {
            Self::Up | Self::NotEqual => (0..steps).collect(),
            Self::FromOne => (1..=steps).collect(),
            Self::Down => (1..=steps).rev().collect(),
            Self::Twos => (0..steps).map(|step| 2 * step).collect(),
        }
    }
}

/// Where the nest stands and how it spells what holds for all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// In a function with parameters instead of in `main`.
    pub is_function: bool,
    /// The type of sizes and loop variables over space.
    pub index: Index,
    /// Loop variables are declared before the nest, and printed after it.
    pub declares_before: bool,
    /// Loops are spelled by a macro.
    pub uses_loop_macro: bool,
    /// Loop bodies with one statement have no braces.
    pub omits_braces: bool,
    /// The pragma states the extents of flat arrays.
    pub states_extents: bool,
    pub sizes: Sizes,
    pub structure: Option<Structure>,
    /// How subscripts stop at a wall or go round.
    pub wall_way: WallWay,
    /// What chooses the slot of a step.
    pub turn: Turn,
    /// The loop over time, and those over space where their variables are declared before, are `while` loops.
    pub uses_while: bool,
    /// What a step does to scalars last stands in the head of the loop over time.
    pub uses_commas: bool,
    /// The function of the nest is called twice.
    pub is_called_twice: bool,
    /// How often the nest stands there.
    pub follows: Follows,
    /// Where the host does nothing between its steps.
    pub quiet: Quiet,
}

/// Marked nests that follow the first one: all do what it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Follows {
    Nothing,
    Another,
    /// Both stand in a loop of the host's.
    AnotherInTurn,
}

/// Which of two nests that follow each other has nothing of what the host does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quiet {
    Neither,
    First,
    Second,
}

/// Types of sizes and loop variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Index {
    Int,
    Long,
    Unsigned,
    Size,
}

impl Index {
    pub fn name(self) -> &'static str {
        match self {
            Self::Int => "int",
            Self::Long => "long",
            Self::Unsigned => "unsigned",
            Self::Size => "size_t",
        }
    }

    pub fn is_signed(self) -> bool {
        matches!(self, Self::Int | Self::Long)
    }
}

/// A part of a step.
#[derive(Clone, Debug)]
pub enum Item {
    Sweep(Sweep),
    /// `memcpy(to, from, size of the whole field)`.
    Copy {
        to: usize,
        from: usize,
    },
    Advance(Advance),
    /// The pointers take each other's places: the first takes that of the second, the last that of the first.
    Rotate(Vec<usize>),
}

/// `scalar = value;`, a rule without data by which steps change a scalar.
#[derive(Clone, Debug)]
pub struct Advance {
    pub scalar: usize,
    pub value: Expr,
    /// `if (t >= 1)` and the like around it.
    pub guard: Option<Condition>,
}

impl Program {
    pub fn sweeps(&self) -> impl Iterator<Item = &Sweep> {
        self.items.iter().filter_map(|item| match item {
            Item::Sweep(sweep) => Some(sweep),
            _ => None,
        })
    }

    /// The field that has the name of this one's array: another one where both are parts of its elements.
    pub fn array_of(&self, field: usize) -> usize {
        let group = |field: usize| self.fields[field].packing.map(|packing| packing.group);
        (0..field).find(|other| group(*other).is_some() && group(*other) == group(field)).unwrap_or(field)
    }

    /// The fields that have arrays of their names.
    pub fn arrays(&self) -> Vec<usize> {
        (0..self.fields.len()).filter(|field| self.array_of(*field) == *field).collect()
    }

    /// Whether the nest writes the field.
    pub fn is_written(&self, field: usize) -> bool {
        self.items.iter().any(|item| match item {
            Item::Sweep(sweep) => sweep.statements.iter().any(|statement| statement.target.field == field),
            Item::Copy { to, .. } => *to == field,
            Item::Advance(_) => false,
            Item::Rotate(fields) => fields.contains(&field),
        })
    }

    /// Whether nothing goes from step to step by rules or in rows of steps, so that the host may surely keep the loop.
    pub fn can_be_recorded(&self) -> bool {
        self.may_be_recorded() && self.ruled_scalars().is_empty()
    }

    /// Whether nothing goes from step to step in rows of steps.
    pub fn may_be_recorded(&self) -> bool {
        self.time.is_some() && !self.fields.iter().any(Field::has_steps)
    }

    /// Whether the host looks at a fold before a step goes on.
    pub fn tells(&self) -> bool {
        let is_told = |code: &HostCode| code.kind.fold().is_some() && (1..self.items.len()).contains(&code.behind);
        let exit = self.exit.as_ref().filter(|_| Exit::called(self).is_none());
        exit.is_some_and(|exit| exit.is_within(self.items.len())) || self.host.iter().any(is_told)
    }

    /// Whether sweeps need what is folded.
    pub fn feeds(&self) -> bool {
        let statements = self.sweeps().flat_map(|sweep| &sweep.statements);
        statements.flat_map(|it| [&it.value].into_iter().chain(&it.otherwise)).any(|value| !value.folds().is_empty())
    }

    /// The scalars that steps change.
    pub fn ruled_scalars(&self) -> Vec<usize> {
        let scalar = |item: &Item| if let Item::Advance(advance) = item { Some(advance.scalar) } else { None };
        let mut scalars: Vec<usize> = self.items.iter().filter_map(scalar).collect();
        scalars.sort_unstable();
        scalars.dedup();
        scalars
    }

    /// The largest `n` of an axis in any run, which constant sizes must hold.
    pub fn largest(&self, axis: usize) -> i64 {
        self.runs.iter().map(|run| run.all_sizes()[axis]).max().unwrap_or(1)
    }
}
