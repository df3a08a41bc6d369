//! Typed expressions.

use super::{Access, Handle, Local, Loop, Param, ScalarType};

/// An expression and the type of its value.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Type of the value. Operands of arithmetic already have it, through [`ExprKind::Convert`].
    pub ty: ScalarType,
    /// What it computes.
    pub kind: ExprKind,
}

/// In place of the digits of a floating constant: what C calls so, the quiet not-a-number without a sign and with no payload.
pub const NAN: &str = "NAN";

/// What an expression computes.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// An integer constant.
    Int(i64),
    /// A floating constant in C's spelling (decimal or hexadecimal), without suffix.
    Float(String),
    /// The value of a loop variable.
    Index(Handle<Loop>),
    /// How many iterations of the loop are already complete: 0, 1, 2, ...
    Iteration(Handle<Loop>),
    /// A scalar that does not change inside the nest.
    Param(Handle<Param>),
    /// A scalar that the body computes.
    Local(Handle<Local>),
    /// What a scalar that the host folds holds so far, by its number in [`Folds::accumulators`](super::Folds::accumulators);
    /// in folds alone.
    Accumulator(usize),
    /// An array element.
    Read(Handle<Access>),
    /// A unary operation.
    Unary(UnaryOp, Handle<Expr>),
    /// A binary operation; both operands have the type the operation is done in.
    Binary(BinaryOp, Handle<Expr>, Handle<Expr>),
    /// `condition ? then : otherwise`; only the chosen one is evaluated.
    Select(Handle<Expr>, Handle<Expr>, Handle<Expr>),
    /// A conversion to [`Expr::ty`], written or implied by C.
    Convert(Handle<Expr>),
    /// A call of a mathematical function; the arguments have the type the function takes.
    Call(Function, Vec<Handle<Expr>>),
}

impl ExprKind {
    /// The expressions it is made of, left to right; a local's value is not among them.
    pub fn operands(&self) -> Vec<Handle<Expr>> {
        match self {
            Self::Unary(_, a) | Self::Convert(a) => vec![*a],
            Self::Binary(_, a, b) => vec![*a, *b],
            Self::Select(a, b, c) => vec![*a, *b, *c],
            Self::Call(_, arguments) => arguments.clone(),
            Self::Int(_)
            | Self::Float(_)
            | Self::Index(_)
            | Self::Iteration(_)
            | Self::Param(_)
            | Self::Local(_)
            | Self::Accumulator(_)
            | Self::Read(_) => Vec::new(),
        }
    }

    /// Whether it is the same operation, on the same or other operands.
    pub fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Unary(one, _), Self::Unary(other, _)) => one == other,
            (Self::Binary(one, ..), Self::Binary(other, ..)) => one == other,
            (Self::Call(one, _), Self::Call(other, _)) => one == other,
            (Self::Select(..), Self::Select(..)) | (Self::Convert(_), Self::Convert(_)) => true,
            _ => false,
        }
    }

    /// The same of other operands, of which there are as many.
    #[must_use]
    pub fn with_operands(&self, operands: &[Handle<Expr>]) -> Self {
        match (self, operands) {
            (Self::Unary(op, _), [a]) => Self::Unary(*op, *a),
            (Self::Convert(_), [a]) => Self::Convert(*a),
            (Self::Binary(op, ..), [a, b]) => Self::Binary(*op, *a, *b),
            (Self::Select(..), [a, b, c]) => Self::Select(*a, *b, *c),
            (Self::Call(function, _), arguments) => Self::Call(*function, arguments.to_vec()),
            _ => self.clone(),
        }
    }
}

/// Unary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `-x`
    Negate,
    /// `!x`, an `int`
    Not,
    /// `~x`
    Complement,
}

/// Binary operators; comparisons and logical operators give an `int`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    ShiftLeft,
    ShiftRight,
    BitAnd,
    BitOr,
    BitXor,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    And,
    Or,
}

impl BinaryOp {
    /// All of them, and how C spells them.
    const SPELLINGS: [(Self, &str); 18] = [
        (Self::Add, "+"),
        (Self::Sub, "-"),
        (Self::Mul, "*"),
        (Self::Div, "/"),
        (Self::Rem, "%"),
        (Self::ShiftLeft, "<<"),
        (Self::ShiftRight, ">>"),
        (Self::BitAnd, "&"),
        (Self::BitOr, "|"),
        (Self::BitXor, "^"),
        (Self::Less, "<"),
        (Self::LessEqual, "<="),
        (Self::Greater, ">"),
        (Self::GreaterEqual, ">="),
        (Self::Equal, "=="),
        (Self::NotEqual, "!="),
        (Self::And, "&&"),
        (Self::Or, "||"),
    ];

    /// The operator that C spells so.
    pub fn of_symbol(symbol: &str) -> Option<Self> {
        Self::SPELLINGS.into_iter().find(|(_, spelling)| *spelling == symbol).map(|(op, _)| op)
    }

    /// Its spelling in C.
    pub fn symbol(self) -> &'static str {
        let found = Self::SPELLINGS.into_iter().find(|(op, _)| *op == self);
        found.expect("all operators are there").1
    }

    /// `==`, `!=` or an order.
    pub fn is_comparison(self) -> bool {
        self.is_logical() && !matches!(self, Self::And | Self::Or)
    }

    /// The comparison that holds where this one does not.
    pub fn opposite(self) -> Self {
        match self {
            Self::Less => Self::GreaterEqual,
            Self::LessEqual => Self::Greater,
            Self::Greater => Self::LessEqual,
            Self::GreaterEqual => Self::Less,
            Self::Equal => Self::NotEqual,
            Self::NotEqual => Self::Equal,
            other => other,
        }
    }

    /// The comparison with its sides exchanged.
    pub fn turned(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::LessEqual => Self::GreaterEqual,
            Self::Greater => Self::Less,
            Self::GreaterEqual => Self::LessEqual,
            other => other,
        }
    }

    /// Whether the result is a truth value (0 or 1) of type `int`.
    pub fn is_logical(self) -> bool {
        matches!(
            self,
            Self::Less
                | Self::LessEqual
                | Self::Greater
                | Self::GreaterEqual
                | Self::Equal
                | Self::NotEqual
                | Self::And
                | Self::Or
        )
    }
}

macro_rules! functions {
    ($($variant:ident $name:literal $arity:literal $exact:literal,)*) => {
        /// The mathematical functions of C's library that OpenCL C has too, without the `f` suffix of the `float` ones
        /// (the type of the call says which).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[allow(missing_docs)]
        pub enum Function { $($variant,)* }

        impl Function {
            /// The function that C calls `name` in its `double` form.
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($name => Some(Self::$variant),)* _ => None }
            }

            /// Its name in C's `double` form.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// Number of arguments.
            pub fn arity(self) -> usize {
                match self { $(Self::$variant => $arity,)* }
            }

            /// Whether devices have an instruction for it, or two or three.
            pub fn is_instruction(self) -> bool {
                use Function::{Ceil, Fabs, Floor, Fma, Fmax, Fmin, Rint, Round, Trunc};
                matches!(self, Fabs | Fmin | Fmax | Fma | Floor | Ceil | Trunc | Round | Rint)
            }

            /// Whether IEEE 754 or the C standard fixes every bit of its result, so that the host's and the device's
            /// libraries agree.
            pub fn is_exact(self) -> bool {
                match self { $(Self::$variant => $exact,)* }
            }
        }
    };
}

functions! {
    Sqrt "sqrt" 1 true,
    Fabs "fabs" 1 true,
    Fmin "fmin" 2 true,
    Fmax "fmax" 2 true,
    Fma "fma" 3 true,
    Floor "floor" 1 true,
    Ceil "ceil" 1 true,
    Trunc "trunc" 1 true,
    Round "round" 1 true,
    Rint "rint" 1 true,
    Fmod "fmod" 2 true,
    Copysign "copysign" 2 true,
    Fdim "fdim" 2 true,
    Abs "abs" 1 true,
    Cbrt "cbrt" 1 false,
    Exp "exp" 1 false,
    Exp2 "exp2" 1 false,
    Expm1 "expm1" 1 false,
    Log "log" 1 false,
    Log2 "log2" 1 false,
    Log10 "log10" 1 false,
    Log1p "log1p" 1 false,
    Pow "pow" 2 false,
    Hypot "hypot" 2 false,
    Sin "sin" 1 false,
    Cos "cos" 1 false,
    Tan "tan" 1 false,
    Asin "asin" 1 false,
    Acos "acos" 1 false,
    Atan "atan" 1 false,
    Atan2 "atan2" 2 false,
    Sinh "sinh" 1 false,
    Cosh "cosh" 1 false,
    Tanh "tanh" 1 false,
    Erf "erf" 1 false,
    Erfc "erfc" 1 false,
}

/// Whether `mask` is `2^k - 1` for some `k > 0`: `x & mask` is the remainder of `x` then.
pub fn is_low_bits(mask: i64) -> bool {
    mask > 0 && mask < i64::MAX && (mask & (mask + 1)) == 0
}
