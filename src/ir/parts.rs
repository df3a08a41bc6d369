//! Parameters, loops, arrays and accesses.

use super::{BinaryOp, Expr, Handle, HostValue, ScalarType};

/// A scalar that does not change inside the nest.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its type.
    pub ty: ScalarType,
    /// Where the value comes from.
    pub value: ParamValue,
}

/// Where the value of a [`Param`] comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParamValue {
    /// A variable of the user's.
    Variable(Handle<HostValue>),
    /// An expression of other parameters only, such as `n / 2` or `n * m`, that affine analysis takes as one symbol.
    Expression {
        /// A C identifier made for it, which no variable in scope has.
        name: String,
        /// The expression.
        value: Handle<Expr>,
    },
    /// 1 if a pointer variable of the user's is not null, else 0.
    IsSet {
        /// A C identifier made for it, which no variable in scope has.
        name: String,
        /// The pointer.
        pointer: Handle<HostValue>,
    },
}

impl ParamValue {
    /// Whether the host function gets it as an argument.
    pub fn is_passed(&self) -> bool {
        !matches!(self, Self::Expression { .. })
    }
}

/// A `for` loop in canonical form: the variable runs over `first`, `first + step`, ... while `variable relation bound`.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The loop variable.
    pub variable: Handle<HostValue>,
    /// The variable's type.
    pub ty: ScalarType,
    /// Whether the variable is declared before the nest and so outlives it.
    pub outlives: bool,
    /// First value.
    pub first: Handle<Expr>,
    /// The comparison in the loop's condition: `Less`, `LessEqual`, `Greater`, `GreaterEqual` or `NotEqual`.
    pub relation: BinaryOp,
    /// What the variable is compared with.
    pub bound: Handle<Expr>,
    /// What is added after each iteration; not 0.
    pub step: i64,
}

impl Loop {
    /// The lowest index of a loop that counts by one, if it has an iteration: so much more than an expression.
    pub fn lowest(&self) -> Option<(Handle<Expr>, i64)> {
        match (self.step, self.relation) {
            (1, _) => Some((self.first, 0)),
            (-1, BinaryOp::GreaterEqual) => Some((self.bound, 0)),
            (-1, BinaryOp::Greater | BinaryOp::NotEqual) => Some((self.bound, 1)),
            _ => None,
        }
    }
}

/// An array, or several of one shape that the time loop rotates.
#[derive(Clone, Debug)]
pub struct Array {
    /// As the user calls it; a rotated group has the names joined, e.g. `a/b`.
    pub name: String,
    /// Type of the elements.
    pub element: ScalarType,
    /// The memories; exactly one unless pointers rotate or the leading subscript selects a copy (`A[t % 2]`).
    pub buffers: Vec<Buffer>,
    /// Distance in elements between neighbours in each dimension, outermost first; the last is 1, but where rows of a history
    /// are columns. Parameters and constants only. Its length is the rank.
    pub strides: Vec<Handle<Expr>>,
    /// For each dimension whether its elements are pointers to what the next one counts, as those of the first of `T **u`:
    /// strides up to there count pointers. Empty if the array is one block of memory.
    pub pointers: Vec<bool>,
    /// Whether a buffer is a pointer to where its elements are, as those of `T *u[2]` are in `u[t % 2][i]`.
    pub is_behind_pointer: bool,
    /// Declared number of elements in each dimension where the type (or an `extent` clause) tells; parameters and
    /// constants only.
    pub extents: Vec<Option<Handle<Expr>>>,
    /// Declared number of elements of a flat array, if it is a constant; its dimensions were recovered.
    pub length: Option<i64>,
    /// How many rows the program has allocated for it, and how many elements in each, if that is known and may be needed;
    /// parameters and constants only.
    pub allocated: Vec<Handle<Expr>>,
    /// How it keeps a row for each time step, if it does.
    pub history: Option<History>,
    /// Where its elements are in structures that hold other members, too.
    pub members: Option<Members>,
}

/// Dimensions of an array; `STENCIL_MAX_RANK` of the driver.
pub const MAX_RANK: usize = 4;

/// Bytes of structures that are elements of an array: each of its dimensions but the last one is whole structures apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Members {
    /// The size of a structure.
    pub bytes: i64,
    /// Where the first element begins.
    pub start: i64,
    /// What is behind the last one.
    pub end: i64,
}

/// An array that keeps a row for each time step, as `h` in `h[t + 1][i] = h[t][i - 1] + h[t][i + 1]` does.
///
/// The array's dimensions are those of a row, its one buffer begins with the first row that the nest touches, and an access's
/// [`buffer`](Access::buffer) is a row's number from there: `#t + 1` and `#t` above.
#[derive(Clone, Debug)]
pub struct History {
    /// Elements between neighbouring rows. Parameters and constants only.
    pub stride: Handle<Expr>,
    /// Whether rows are found through a table of pointers; the stride counts these then.
    pub is_table: bool,
    /// Declared number of rows from the first one touched on, if it is known. Parameters and constants only.
    pub rows: Option<Handle<Expr>>,
    /// How many rows a step touches: two above.
    pub span: i64,
}

impl Members {
    /// The first of the elements, and the one behind the last, as elements of that size are counted from a structure's start.
    pub fn elements(self, size: i64) -> (i64, i64) {
        (self.start / size, self.end / size)
    }
}

impl Array {
    /// One block of memory that no declaration of the user's is: elements of a type, so far apart.
    pub fn of_driver(
        name: String,
        element: ScalarType,
        variable: Handle<HostValue>,
        strides: Vec<Handle<Expr>>,
    ) -> Self {
        Self {
            name,
            element,
            buffers: vec![Buffer { variable, offset: None }],
            extents: vec![None; strides.len()],
            strides,
            pointers: Vec::new(),
            is_behind_pointer: false,
            length: None,
            allocated: Vec::new(),
            history: None,
            members: None,
        }
    }

    /// All expressions that say where its elements are.
    pub fn exprs(&self) -> impl Iterator<Item = Handle<Expr>> {
        let offsets = self.buffers.iter().filter_map(|buffer| buffer.offset);
        let rows = self.history.iter().flat_map(|history| [Some(history.stride), history.rows]).flatten();
        self.strides
            .iter()
            .copied()
            .chain(self.extents.iter().flatten().copied())
            .chain(offsets)
            .chain(rows)
            .chain(self.allocated.iter().copied())
    }

    /// Number of dimensions, the choice of buffer not counted.
    pub fn rank(&self) -> usize {
        self.strides.len()
    }

    /// Whether its rows are found through tables of pointers, and may be anywhere in memory.
    pub fn has_row_tables(&self) -> bool {
        let is_table = self.history.as_ref().is_some_and(|history| history.is_table);
        self.is_behind_pointer || !self.pointers.is_empty() || is_table
    }
}

/// One memory of an [`Array`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// The user's array or pointer that leads to it, evaluated before the nest.
    pub variable: Handle<HostValue>,
    /// Elements between the variable's address and the first element: `A[1]` of `double A[2][n][m]` is at
    /// `n * m`; where rows are found through tables, pointers. Parameters and constants only; `None` is 0.
    pub offset: Option<Handle<Expr>>,
}

/// An array element that is read or written.
#[derive(Clone, Debug)]
pub struct Access {
    /// The array.
    pub array: Handle<Array>,
    /// Which buffer, or which row of a history: an integer expression of the time loop's variable or iteration and constants.
    /// `None` if the array has one buffer.
    pub buffer: Option<Handle<Expr>>,
    /// One integer expression a dimension, outermost first.
    pub subscripts: Vec<Handle<Expr>>,
    /// The loops around the place where the access is evaluated, outermost first. A scalar computed in an outer loop and
    /// used further inside is read there.
    pub loops: Vec<Handle<Loop>>,
    /// Where it stands: `loops.len() + 1` numbers which, interleaved with the loop variables, order all accesses as the
    /// program executes them (a 2d+1 schedule). A statement's reads come before its write.
    pub position: Vec<u32>,
    /// Conditions on loop variables and parameters alone under which it is evaluated (all of them hold).
    pub guards: Vec<Handle<Expr>>,
    /// Conditions on the time step alone under which the program evaluates it. The analysis takes it to be evaluated in
    /// every step, but its element need exist only if these hold in one of them.
    pub steps: Vec<Handle<Expr>>,
    /// Whether it is evaluated only under some condition on data, so that its subscripts may be outside the array
    /// otherwise.
    pub is_speculative: bool,
    /// These conditions, each behind what it needs. A write has none: its statement's value says where the old one stays.
    pub conditions: Vec<Handle<Expr>>,
    /// Whether the program does not make it: it reads what a statement leaves in its element where it does not store.
    pub is_kept_value: bool,
}

impl Access {
    /// One of an array with one buffer that is evaluated wherever its loops come to its place.
    pub fn unconditional(
        array: Handle<Array>,
        subscripts: Vec<Handle<Expr>>,
        loops: Vec<Handle<Loop>>,
        position: Vec<u32>,
    ) -> Self {
        Self {
            array,
            buffer: None,
            subscripts,
            loops,
            position,
            guards: Vec::new(),
            steps: Vec::new(),
            is_speculative: false,
            conditions: Vec::new(),
            is_kept_value: false,
        }
    }
}

/// A scalar that the body computes; assigned once.
#[derive(Clone, Debug)]
pub struct Local {
    /// The user's name for it; several locals may share it.
    pub name: String,
    /// Its type.
    pub ty: ScalarType,
    /// Its value, of type `ty`.
    pub value: Handle<Expr>,
}
