//! Ways to write what a program does where C has several: functions of the program's own, structures, globals.
//!
//! None of them changes what is computed, so the trace does not know them.

/// A function of the program's own that does a part of a step or computes a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Routine {
    pub kind: Kind,
    /// Fields are parameters even where the function could name them itself.
    pub passes_fields: bool,
    /// Declared before its use, defined behind it.
    pub is_behind: bool,
    /// In another file of the program.
    pub is_elsewhere: bool,
}

/// How a function is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Static,
    StaticInline,
    External,
    /// `void sweep(n, a) int n; double *a; {`
    OldStyle,
}

impl Routine {
    /// The plainest one.
    pub const PLAIN: Self = Self { kind: Kind::Static, passes_fields: false, is_behind: false, is_elsewhere: false };
}

/// How a value gets to the element where it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// `target = value;`
    Direct,
    /// Through a scalar that the loop body declares.
    Local,
    /// As the result of a function.
    Result(Routine),
    /// From a function through a pointer to such a scalar.
    Out(Routine),
    /// A function stores it.
    Store(Routine),
    /// Through a subscript or a pointer that runs along with the innermost loop, where there can be one.
    Running(Run),
    /// A scalar has one of the elements from the point before, where there can be one.
    Carried,
}

/// What runs along with a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Run {
    /// `a[at++] = value;`
    Subscript,
    /// `*at++ = value;`
    Pointer,
}

impl Way {
    /// Whether the loop body declares a scalar, which is computed whatever the statement's condition is.
    pub fn has_local(self) -> bool {
        matches!(self, Self::Local | Self::Out(_))
    }

    pub fn routine_mut(&mut self) -> Option<&mut Routine> {
        match self {
            Self::Direct | Self::Local | Self::Running(_) | Self::Carried => None,
            Self::Result(routine) | Self::Out(routine) | Self::Store(routine) => Some(routine),
        }
    }
}

/// How a statement's condition is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GuardWay {
    /// `if`, with or without `else`.
    If,
    /// The rest of the loop's body is passed over, where the statement is the last one.
    Continue,
    /// `switch` on a remainder.
    Switch,
}

/// Which parts of a step are functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Division {
    /// All of a step is one function, which may call others.
    pub step: Option<Routine>,
    /// Pointers change places in functions.
    pub exchange: Option<Routine>,
}

/// Where elements of a field are in an array that holds more than them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packing {
    /// Fields of one group are parts of one array, which has the name of the first of them.
    pub group: usize,
    pub part: usize,
    /// How many parts there are, those that are no field's included.
    pub parts: usize,
    pub kind: Parts,
}

/// How the parts of an element are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parts {
    /// `a[i][1]`
    Last,
    /// `a[i].p1`
    Members,
    /// `a[i].part[1]`
    Listed,
}

/// Where the sizes of all axes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sizes {
    /// Variables of `main`, parameters of functions.
    Local,
    Global,
}

/// How a subscript stops at a wall or goes round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WallWay {
    /// By `?:` or a remainder where it stands.
    Direct,
    /// By a macro.
    Macro,
    /// In a variable of the loop's body that an `if` corrects.
    Temporary,
    /// From an array of subscripts that is filled before the nest.
    Table,
}

/// What chooses the slot of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The variable of the loop over time.
    Step,
    /// A variable that each step changes, `now = 1 - now`.
    Variable,
    /// A global one.
    Global,
}

/// A structure whose members are what the nest needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Structure {
    /// Functions get a pointer to it, or else a copy.
    pub by_pointer: bool,
    /// Sizes are members, `g.n` or, nested, `g.size.n`.
    pub sizes: Option<Nesting>,
    pub holds_scalars: bool,
    /// Flat pointers and tables of rows are members.
    pub holds_fields: bool,
}

/// How deep members are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nesting {
    Flat,
    Nested,
}
