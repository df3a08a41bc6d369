//! What a random program is: facts, from which C is printed, accesses are traced and smaller programs are made.
//!
//! A place in space is a vector with one coordinate an axis; axis `rank - 1` is the fastest. All loops of an axis share
//! its loop variable, and `n` of an axis is the parameter of that axis. Steps are a further axis, [`STEPS`], of arrays that keep
//! what each step computes or uses.

use super::folds::{Exit, Fold, Folding};
use super::ways::{Division, GuardWay, Packing, Parts, Routine, Sizes, Structure, Turn, WallWay, Way};

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

/// An array in memory, or the pointer that reaches it.
#[derive(Clone, Debug)]
pub struct Field {
    pub element: Element,
    pub form: Form,
    /// Dimensions, slowest first.
    pub dims: Vec<Dim>,
    /// Copies of the field one behind the other, as in `a[2][n][m]`; 1 for a plain array.
    pub slots: usize,
    pub values: Values,
    pub packing: Option<Packing>,
}

/// A dimension of an array: `scale * n + extra` elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dim {
    /// The axis whose `n` it is.
    pub axis: usize,
    pub scale: i64,
    pub extra: i64,
}

/// How an array is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `double *a` with linearised subscripts, a local or a parameter.
    Flat,
    /// `static double *a` with linearised subscripts.
    GlobalFlat,
    /// `double (*a)[m]`, a local or a parameter.
    Rows,
    /// `double **a`, with as many stars as dimensions; a local or a parameter.
    Tables,
    /// `double a[n][m]`, a local array or a parameter.
    Variable,
    /// `static double a[MAX_N][MAX_M]` with constant sizes.
    Fixed,
}

impl Form {
    pub fn is_pointer(self) -> bool {
        matches!(self, Self::Flat | Self::GlobalFlat | Self::Rows | Self::Tables)
    }

    pub fn is_flat(self) -> bool {
        matches!(self, Self::Flat | Self::GlobalFlat)
    }

    pub fn is_global(self) -> bool {
        matches!(self, Self::GlobalFlat | Self::Fixed)
    }
}

/// Types of elements and scalars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    Double,
    Float,
    Int,
    Long,
    Short,
    Char,
    UnsignedChar,
    UnsignedShort,
    Unsigned,
    UnsignedLong,
}

impl Element {
    pub const ALL: [Self; 10] = [
        Self::Double,
        Self::Float,
        Self::Int,
        Self::Long,
        Self::Short,
        Self::Char,
        Self::UnsignedChar,
        Self::UnsignedShort,
        Self::Unsigned,
        Self::UnsignedLong,
    ];

    /// Its spelling in C, and the suffix of the functions of `memory.h` for it.
    pub fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Double => ("double", "double"),
            Self::Float => ("float", "float"),
            Self::Int => ("int", "int"),
            Self::Long => ("long", "long"),
            Self::Short => ("short", "short"),
            Self::Char => ("signed char", "char"),
            Self::UnsignedChar => ("unsigned char", "unsigned_char"),
            Self::UnsignedShort => ("unsigned short", "unsigned_short"),
            Self::Unsigned => ("unsigned", "unsigned"),
            Self::UnsignedLong => ("unsigned long", "unsigned_long"),
        }
    }

    pub fn is_real(self) -> bool {
        matches!(self, Self::Double | Self::Float)
    }

    /// Whether elements keep a bound: sums of them cannot overflow then.
    pub fn is_bounded(self) -> bool {
        matches!(self, Self::Int | Self::Long)
    }
}

/// What arrays hold at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    Noise,
    /// NaN, infinities, signed zeros and denormal numbers among others.
    Special,
}

/// A scalar that is set before the nest.
#[derive(Clone, Debug)]
pub struct Scalar {
    pub element: Element,
    /// In tenths; integers drop the fraction.
    pub tenths: i64,
    pub is_global: bool,
}

/// Numbers by which sums in loops weight what they add, `w[rows][count]` or `w[count]`.
#[derive(Clone, Debug)]
pub struct Table {
    pub element: Element,
    /// In tenths, row by row.
    pub tenths: Vec<i64>,
    /// One for `w[count]`.
    pub rows: usize,
    pub place: TablePlace,
}

/// Where a table is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TablePlace {
    /// `static const double w[3] = {...};` before all functions.
    Global,
    /// The same without `const`.
    Variable,
    /// Where it is used.
    Local,
    /// There, and `static`.
    Kept,
}

/// The sum of elements, which loops before the statement compute.
#[derive(Clone, Debug)]
pub struct Total {
    /// Tells it apart from the program's others.
    pub number: usize,
    pub element: Element,
    pub reads: Vec<Reference>,
    /// The table of the weights, and its row.
    pub weights: Option<(usize, usize)>,
    pub spelling: u8,
}

impl Total {
    /// Whether a variable says how many elements it has.
    pub fn has_variable_length(&self) -> bool {
        self.spelling & 8 != 0
    }

    /// Whether a clause says what that variable holds.
    pub fn states_length(&self) -> bool {
        self.has_variable_length() && self.spelling.is_multiple_of(2)
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
}

/// Marked nests that follow the first one: all do what it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Follows {
    Nothing,
    Another,
    /// Both stand in a loop of the host's.
    AnotherInTurn,
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

/// A loop nest over space.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// Outermost first; axes without a loop are for subscripts at borders.
    pub loops: Vec<Loop>,
    /// `if (t % modulus == remainder)` around the loops.
    pub step_guard: Option<(i64, i64)>,
    pub statements: Vec<Statement>,
    /// The function that has it.
    pub routine: Option<Routine>,
    /// What its points do to folds.
    pub foldings: Vec<Folding>,
    /// The function's result is what it folds.
    pub gives_fold: bool,
}

impl Sweep {
    /// One in line.
    pub fn new(loops: Vec<Loop>, statements: Vec<Statement>) -> Self {
        Self { loops, step_guard: None, statements, routine: None, foldings: Vec::new(), gives_fold: false }
    }
}

/// A loop over one axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loop {
    pub axis: usize,
    /// The first value.
    pub low: Bound,
    /// Behind the last value.
    pub high: Bound,
    pub stride: i64,
    pub is_descending: bool,
    pub spelling: u8,
}

impl Loop {
    /// The values of the loop variable, in order.
    pub fn values(&self, sizes: &[i64]) -> Vec<i64> {
        let (low, high) = (self.low.value(self.axis, sizes), self.high.value(self.axis, sizes));
        let stride = usize::try_from(self.stride).unwrap_or(1);
        if self.is_descending {
            (low..high).rev().step_by(stride).collect()
        } else {
            (low..high).step_by(stride).collect()
        }
    }
}

/// A bound of a loop over an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    pub base: Base,
    pub offset: i64,
}

/// What a bound counts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    Zero,
    /// `n / 2`
    Half,
    /// `n`
    Size,
}

impl Bound {
    pub fn value(self, axis: usize, sizes: &[i64]) -> i64 {
        self.offset
            + match self.base {
                Base::Zero => 0,
                Base::Half => sizes[axis] / 2,
                Base::Size => sizes[axis],
            }
    }
}

/// `if (guard) target op value; else target op otherwise;`
#[derive(Clone, Debug)]
pub struct Statement {
    pub target: Reference,
    pub assign: Assign,
    pub value: Expr,
    pub guard: Option<Condition>,
    pub otherwise: Option<Expr>,
    /// How the value gets to where it is stored.
    pub way: Way,
    pub guard_way: GuardWay,
}

/// `=` or a compound assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assign {
    Set,
    Add,
    Sub,
}

impl Assign {
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Set => "=",
            Self::Add => "+=",
            Self::Sub => "-=",
        }
    }
}

/// An element of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    pub field: usize,
    pub slot: Slot,
    /// One a dimension of the field.
    pub subscripts: Vec<Subscript>,
    pub spelling: u8,
}

/// Which copy of a field with several slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    Fixed(i64),
    /// `(t + shift) % slots`
    Step(i64),
}

/// `scale * axis + size * n + offset`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subscript {
    pub axis: usize,
    /// 0 at borders.
    pub scale: i64,
    /// How many times the axis's `n` is added.
    pub size: i64,
    pub offset: i64,
    pub wall: Wall,
}

/// What becomes of a subscript beyond `0` to `n - 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wall {
    /// It names an element all the same, or none.
    Open,
    /// It stops at the nearest of them.
    Stop,
    /// It goes round, once.
    Around,
}

impl Subscript {
    /// The element; -1 where `n` is too small to go round once.
    pub fn value(&self, place: &[i64], sizes: &[i64]) -> i64 {
        let (size, value) =
            (sizes[self.axis], self.scale * place[self.axis] + self.size * sizes[self.axis] + self.offset);
        match self.wall {
            Wall::Open => value,
            Wall::Stop => value.clamp(0, (size - 1).max(0)),
            Wall::Around if (-size..2 * size).contains(&value) => value.rem_euclid(size),
            Wall::Around => -1,
        }
    }
}

/// A value; its type follows from C's rules.
#[derive(Clone, Debug)]
pub enum Expr {
    Read(Reference),
    /// Tenths in floating point.
    Real(i64),
    Integer(i64),
    Scalar(usize),
    /// `t`
    Step,
    /// The loop variable of an axis.
    Place(usize),
    Binary(&'static str, Box<Expr>, Box<Expr>),
    Negate(Box<Expr>),
    /// A function of `<math.h>`.
    Call(&'static str, Vec<Expr>),
    Select(Box<Condition>, Box<Expr>, Box<Expr>),
    Cast(Element, Box<Expr>),
    Total(Total),
}

/// A condition.
#[derive(Clone, Debug)]
pub enum Condition {
    /// `axis op bound`
    Place {
        axis: usize,
        op: &'static str,
        bound: Bound,
    },
    /// `(i + j + t?) % 2 == remainder`
    Parity {
        axes: Vec<usize>,
        remainder: i64,
    },
    /// `t % modulus == remainder`
    StepModulo {
        modulus: i64,
        remainder: i64,
    },
    /// `t >= step`
    StepFrom(i64),
    /// `t == step`
    StepIs(i64),
    /// A comparison of values.
    Data(Expr, &'static str, Expr),
    Both(Box<Condition>, Box<Condition>),
}

impl Condition {
    /// Whether it depends on what arrays hold.
    pub fn is_data(&self) -> bool {
        match self {
            Self::Data(..) => true,
            Self::Both(a, b) => a.is_data() || b.is_data(),
            _ => false,
        }
    }

    /// The axes of the places that it is about.
    pub fn axes(&self) -> Vec<usize> {
        match self {
            Self::Place { axis, .. } => vec![*axis],
            Self::Parity { axes, .. } => axes.clone(),
            Self::Both(a, b) => [a.axes(), b.axes()].concat(),
            Self::StepModulo { .. } | Self::StepFrom(_) | Self::StepIs(_) | Self::Data(..) => Vec::new(),
        }
    }

    /// Its value where no data decides; true for comparisons of data.
    pub fn may_hold(&self, place: &[i64], step: i64, sizes: &[i64]) -> bool {
        match self {
            Self::Place { axis, op, bound } => compare(place[*axis], op, bound.value(*axis, sizes)),
            Self::Parity { axes, remainder } => axes.iter().map(|axis| place[*axis]).sum::<i64>() % 2 == *remainder,
            Self::StepModulo { modulus, remainder } => step % modulus == *remainder,
            Self::StepFrom(first) => step >= *first,
            Self::StepIs(one) => step == *one,
            Self::Data(..) => true,
            Self::Both(a, b) => a.may_hold(place, step, sizes) && b.may_hold(place, step, sizes),
        }
    }
}

fn compare(left: i64, op: &str, right: i64) -> bool {
    match op {
        "<" => left < right,
        "<=" => left <= right,
        ">" => left > right,
        ">=" => left >= right,
        "==" => left == right,
        _ => left != right,
    }
}

impl Reference {
    /// Whether the step is in one of its subscripts, slots apart.
    pub fn names_step(&self) -> bool {
        self.subscripts.iter().any(|subscript| subscript.axis == STEPS && subscript.scale != 0)
    }
}

impl Field {
    /// Whether its elements are members of structures.
    pub fn is_member(&self) -> bool {
        self.packing.is_some_and(|packing| packing.kind != Parts::Last)
    }

    /// Whether it has a row for each step.
    pub fn has_steps(&self) -> bool {
        self.dims.iter().any(|dim| dim.axis == STEPS)
    }

    /// Elements of each dimension, slots first if there are several.
    pub fn extents(&self, sizes: &[i64]) -> Vec<i64> {
        let slots = (self.slots > 1).then_some(self.slots as i64);
        slots.into_iter().chain(self.dims.iter().map(|dim| dim.scale * sizes[dim.axis] + dim.extra)).collect()
    }
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

    /// Whether nothing goes from step to step by rules or in rows of steps, so that the host may keep the loop.
    pub fn can_be_recorded(&self) -> bool {
        self.time.is_some() && self.ruled_scalars().is_empty() && !self.fields.iter().any(Field::has_steps)
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

impl Expr {
    /// All reads in it, those of conditions included.
    pub fn reads(&self) -> Vec<&Reference> {
        match self {
            Self::Read(reference) => vec![reference],
            Self::Binary(_, a, b) => [a.reads(), b.reads()].concat(),
            Self::Negate(a) | Self::Cast(_, a) => a.reads(),
            Self::Call(_, arguments) => arguments.iter().flat_map(Self::reads).collect(),
            Self::Select(condition, a, b) => [condition.reads(), a.reads(), b.reads()].concat(),
            Self::Total(total) => total.reads.iter().collect(),
            Self::Real(_) | Self::Integer(_) | Self::Scalar(_) | Self::Step | Self::Place(_) => Vec::new(),
        }
    }

    /// All sums in it that are computed before it, each once.
    pub fn totals(&self) -> Vec<&Total> {
        let mut found = match self {
            Self::Total(total) => vec![total],
            Self::Binary(_, a, b) => [a.totals(), b.totals()].concat(),
            Self::Negate(a) | Self::Cast(_, a) => a.totals(),
            Self::Call(_, arguments) => arguments.iter().flat_map(Self::totals).collect(),
            Self::Select(condition, a, b) => [condition.totals(), a.totals(), b.totals()].concat(),
            _ => Vec::new(),
        };
        found.sort_by_key(|total| total.number);
        found.dedup_by_key(|total| total.number);
        found
    }
}

impl Condition {
    fn totals(&self) -> Vec<&Total> {
        match self {
            Self::Data(a, _, b) => [a.totals(), b.totals()].concat(),
            Self::Both(a, b) => [a.totals(), b.totals()].concat(),
            _ => Vec::new(),
        }
    }
}

/// A point at which a statement runs.
pub struct Point<'a> {
    pub place: &'a [i64],
    pub step: i64,
    pub sizes: &'a [i64],
}

impl Expr {
    /// The reads in it that may happen at a point: of a selection by place or step only one side is evaluated.
    pub fn reads_at(&self, point: &Point) -> Vec<&Reference> {
        match self {
            Self::Binary(_, a, b) => [a.reads_at(point), b.reads_at(point)].concat(),
            Self::Negate(a) | Self::Cast(_, a) => a.reads_at(point),
            Self::Call(_, arguments) => arguments.iter().flat_map(|argument| argument.reads_at(point)).collect(),
            Self::Select(condition, a, b) => {
                let may_hold = condition.may_hold(point.place, point.step, point.sizes);
                let then = if may_hold { a.reads_at(point) } else { Vec::new() };
                let otherwise = if !may_hold || condition.is_data() { b.reads_at(point) } else { Vec::new() };
                [condition.reads(), then, otherwise].concat()
            }
            _ => self.reads(),
        }
    }
}

impl Condition {
    /// All reads in it.
    pub fn reads(&self) -> Vec<&Reference> {
        match self {
            Self::Data(a, _, b) => [a.reads(), b.reads()].concat(),
            Self::Both(a, b) => [a.reads(), b.reads()].concat(),
            _ => Vec::new(),
        }
    }
}
