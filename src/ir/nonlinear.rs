//! What keeps an integer expression from being affine, and what to write instead.

/// A part of an integer expression that no integer set can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nonlinear {
    /// A value that is no integer.
    FloatingPoint,
    /// A constant beyond 63 bits.
    HugeNumber,
    /// How often a loop has run.
    Iterations,
    /// A conversion to a type that does not hold all values.
    Conversion,
    /// Unsigned arithmetic.
    Wrapping,
    /// A product of what varies.
    Product,
    /// A division or remainder by something other than a positive constant.
    Division,
    /// A quotient or remainder of what varies with space, in an array that the nest writes.
    Quotient,
    /// An element of an array.
    Element,
    /// `?:`
    Choice,
    /// The value of a function.
    Call,
    /// An operator such as `^` or `<<`.
    Operator,
}

impl Nonlinear {
    /// It in words.
    pub fn what(self) -> &'static str {
        match self {
            Self::FloatingPoint => "a floating-point value",
            Self::HugeNumber => "a number that does not fit 63 bits",
            Self::Iterations => "a count of iterations",
            Self::Conversion => "a conversion that may change the value",
            Self::Wrapping => "arithmetic that may wrap around",
            Self::Product => "a product of two variables",
            Self::Division => "a division by something other than a positive constant",
            Self::Quotient => "a quotient or remainder",
            Self::Element => "an array element",
            Self::Choice => "a choice (`?:`)",
            Self::Call => "a function's value",
            Self::Operator => "an operator that is not affine",
        }
    }

    /// What to write instead in a subscript.
    pub fn remedy(self) -> &'static str {
        match self {
            Self::FloatingPoint => "compute it with integers",
            Self::HugeNumber | Self::Conversion | Self::Wrapping => "use signed integers that are wide enough",
            Self::Iterations => "use the variable of a loop that is still running",
            Self::Product => "multiply loop variables by constants, or by sizes that are set before the nest, only",
            Self::Division => "divide by positive constants only",
            Self::Quotient => {
                "let a loop run over the elements themselves, as in `a[i] = b[2 * i + 1]` for `a[i / 2] = b[i]`"
            }
            Self::Element => "use loop variables, integer variables and constants",
            Self::Choice | Self::Call => "choose between elements, as in `i > 0 ? a[i - 1] : a[0]`, or with an `if`",
            Self::Operator => "use `+`, `-`, `*`, and `/` and `%` by positive constants, as in `-i - 1` for `~i`",
        }
    }
}
