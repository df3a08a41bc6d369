//! What a unit is: one function with a marked nest, the memory that it works on, and its caller, as a small tree of C.
//!
//! Variables are told apart by [`Variable`] handles, not by names, so that two of one name can hide each other.

use super::types::{Integer, Named, Operator};

/// A variable of a unit: its place in [`Unit::variables`].
pub type Variable = usize;

/// A function of a unit beside the marked one: its place in [`Unit::functions`].
pub type Function = usize;

/// A function with a marked nest, and all that it needs.
#[derive(Clone, Debug)]
pub struct Unit {
    pub seed: u64,
    pub variables: Vec<Declared>,
    pub functions: Vec<Helper>,
    /// The body of the function behind its declarations.
    pub body: Vec<Stmt>,
    /// `void f(a, n) double *a; int n; { ... }`
    pub is_old_style: bool,
    /// Pointers in an `extent` clause, and how many elements each reaches.
    pub clauses: Vec<(Variable, i64)>,
    /// Variables that only hide, or are hidden by, others of their names.
    pub hiding: Vec<Variable>,
    /// Names of what was drawn, for the summary of many programs.
    pub features: Vec<&'static str>,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Declared {
    /// `#` in it stands for the unit's number, which keeps names of the file apart.
    pub name: String,
    pub ty: Named,
    pub shape: Shape,
    pub place: Place,
    /// `const`, `register` and the like, in front of the type.
    pub qualifier: &'static str,
    /// The initialiser; of a parameter the argument.
    pub value: Option<Expr>,
}

/// What a variable is beside its type.
#[derive(Clone, Debug)]
pub enum Shape {
    Scalar,
    /// An array, slowest dimension first; sizes of a variable-length array are any expressions.
    Array(Vec<Expr>),
    /// A pointer to elements, or to rows of these sizes.
    Pointer(Vec<usize>),
    /// A pointer to a function of one `double`.
    Function(Function),
}

/// Where a variable is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// At file level, shown after the call.
    Global,
    /// In the caller: arrays between guard elements, which parameters point to.
    Caller,
    /// In the list of parameters, in the order of [`Unit::variables`].
    Parameter,
    /// At the top of the function.
    Local,
    /// Where a [`Stmt::Declare`] or a loop header stands; not shown.
    Inner,
}

/// `double NAME(double x) { return value; }`
#[derive(Clone, Debug)]
pub struct Helper {
    pub name: String,
    pub ty: Named,
    pub parameter: Option<Variable>,
    pub value: Expr,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// A literal or a constant of the file as it is spelt.
    Int(i128, Integer, String),
    /// `is_float` for a suffix `f`.
    Real(f64, bool, String),
    Var(Variable),
    Index(Variable, Vec<Expr>),
    /// `&v` of a scalar, `&v[k]` of an array.
    Address(Box<Expr>),
    Unary(Unary, Box<Expr>),
    Binary(Operator, Box<Expr>, Box<Expr>),
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    Cast(Named, Box<Expr>),
    /// `(void *)p`
    Untyped(Box<Expr>),
    SizeofType(Named),
    SizeofValue(Box<Expr>),
    /// `x = y`, `x += y`
    Assign(Option<Operator>, Box<Expr>, Box<Expr>),
    /// `x++`, `--x`
    Step {
        target: Box<Expr>,
        is_up: bool,
        is_prefix: bool,
    },
    Comma(Box<Expr>, Box<Expr>),
    Call(Function, Vec<Expr>),
    /// The same through a variable that points to the function.
    CallThrough(Variable, Function, Vec<Expr>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    Plus,
    Minus,
    Not,
    Complement,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Stmt {
    Declare(Variable),
    Do(Expr),
    /// `(void)(x = y);`
    Void(Expr),
    For(Box<For>),
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    While(Expr, Vec<Stmt>),
    DoWhile(Vec<Stmt>, Expr),
    /// `case k:` or `default:` and what stands behind it, down to the next one.
    Switch(Expr, Vec<(Option<i64>, Vec<Stmt>)>),
    Break,
    Continue,
    Goto(u8),
    Label(u8),
    Return,
    /// The marked loop.
    Nest(Box<For>),
}

#[derive(Clone, Debug, PartialEq)]
pub struct For {
    pub start: Start,
    pub condition: Expr,
    pub step: Expr,
    pub body: Vec<Stmt>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Start {
    /// `for (int i = 0; ...`
    Declare(Variable),
    Do(Expr),
}

impl Expr {
    pub fn binary(operator: Operator, x: Self, y: Self) -> Self {
        Self::Binary(operator, Box::new(x), Box::new(y))
    }

    pub fn assign(target: Self, value: Self) -> Self {
        Self::Assign(None, Box::new(target), Box::new(value))
    }

    /// A plain `int`.
    pub fn int(value: i64) -> Self {
        let literal = Self::Int(i128::from(value.abs()), Integer::INT, value.abs().to_string());
        if value < 0 { Self::Unary(Unary::Minus, Box::new(literal)) } else { literal }
    }

    /// The expressions that it is made of.
    pub fn parts(&self) -> Vec<&Self> {
        match self {
            Self::Int(..) | Self::Real(..) | Self::Var(_) | Self::SizeofType(_) => Vec::new(),
            Self::Index(_, parts) | Self::Call(_, parts) | Self::CallThrough(_, _, parts) => parts.iter().collect(),
            Self::Address(x) | Self::Unary(_, x) | Self::Cast(_, x) | Self::Untyped(x) | Self::SizeofValue(x) => {
                vec![x]
            }
            Self::Step { target, .. } => vec![target],
            Self::Binary(_, x, y) | Self::Assign(_, x, y) | Self::Comma(x, y) => vec![x, y],
            Self::Conditional(x, y, z) => vec![x, y, z],
        }
    }

    /// The same to change them.
    pub fn parts_mut(&mut self) -> Vec<&mut Self> {
        match self {
            Self::Int(..) | Self::Real(..) | Self::Var(_) | Self::SizeofType(_) => Vec::new(),
            Self::Index(_, parts) | Self::Call(_, parts) | Self::CallThrough(_, _, parts) => parts.iter_mut().collect(),
            Self::Address(x) | Self::Unary(_, x) | Self::Cast(_, x) | Self::Untyped(x) | Self::SizeofValue(x) => {
                vec![x]
            }
            Self::Step { target, .. } => vec![target],
            Self::Binary(_, x, y) | Self::Assign(_, x, y) | Self::Comma(x, y) => vec![x, y],
            Self::Conditional(x, y, z) => vec![x, y, z],
        }
    }

    /// The variables that it names, with repetitions.
    pub fn variables(&self) -> Vec<Variable> {
        let own = match self {
            Self::Var(variable) | Self::Index(variable, _) | Self::CallThrough(variable, ..) => vec![*variable],
            _ => Vec::new(),
        };
        own.into_iter().chain(self.parts().into_iter().flat_map(Self::variables)).collect()
    }

    /// The functions that it calls or points to.
    pub fn functions(&self) -> Vec<Function> {
        let own = match self {
            Self::Call(function, _) | Self::CallThrough(_, function, _) => Some(*function),
            _ => None,
        };
        own.into_iter().chain(self.parts().into_iter().flat_map(Self::functions)).collect()
    }
}

impl Declared {
    /// Whether the function or its caller prints what it holds in the end.
    pub fn is_shown(&self) -> bool {
        let has_value = self.value.is_some() || self.place == Place::Global;
        match (&self.shape, self.place) {
            (Shape::Function(_), _) | (_, Place::Inner) => false,
            (Shape::Array(_), place) => place != Place::Parameter,
            (Shape::Scalar | Shape::Pointer(_), _) => has_value,
        }
    }
}
