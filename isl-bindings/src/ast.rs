//! Expressions and C text for sets, functions and schedules.

use std::ffi::{CStr, c_int};
use std::fmt;

use crate::aff::PwAff;
use crate::context::c_string;
use crate::error::{Error, Result};
use crate::ffi;
use crate::number::Number;
use crate::set::Set;
use crate::union::UnionMap;
use crate::value::{display, value_type};

value_type! {
    /// What is known where the code is generated: the context and the names of the iterators.
    AstBuild: isl_ast_build, isl_ast_build_copy, isl_ast_build_free
}

value_type! {
    /// An expression of C.
    AstExpr: isl_ast_expr, isl_ast_expr_copy, isl_ast_expr_free
}
display!(AstExpr, isl_ast_expr_to_str);

/// What an [`AstExpr`] is made of.
#[derive(Clone, Debug)]
pub enum AstTerm {
    /// A parameter or an iterator.
    Id(String),
    /// A constant.
    Int(i64),
    /// An operator and its arguments.
    Op(AstOp, Vec<AstExpr>),
}

/// An operator of an [`AstExpr`], named as in isl.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AstOp {
    /// `a && b`, `AndThen` if `b` may have no value where `a` does not hold.
    And,
    /// See [`AstOp::And`].
    AndThen,
    /// `a || b`, `OrElse` if `b` may have no value where `a` holds.
    Or,
    /// See [`AstOp::Or`].
    OrElse,
    /// The greatest of two or more.
    Max,
    /// The least of two or more.
    Min,
    /// `-a`
    Minus,
    /// `a + b`
    Add,
    /// `a - b`
    Sub,
    /// `a * b`
    Mul,
    /// `a / b` without a remainder.
    Div,
    /// `a / b`, rounded down.
    FdivQ,
    /// `a / b` of an `a` that is not negative.
    PdivQ,
    /// `a % b` of an `a` that is not negative.
    PdivR,
    /// `a % b` that is compared with zero alone.
    ZdivR,
    /// `a ? b : c`, where only one of `b` and `c` may have a value.
    Cond,
    /// `a ? b : c`, where both have values.
    Select,
    /// `a == b`
    Eq,
    /// `a <= b`
    Le,
    /// `a < b`
    Lt,
    /// `a >= b`
    Ge,
    /// `a > b`
    Gt,
}

impl AstOp {
    /// In the order of isl's enumeration, which begins with 0.
    const ALL: [Self; 22] = [
        Self::And,
        Self::AndThen,
        Self::Or,
        Self::OrElse,
        Self::Max,
        Self::Min,
        Self::Minus,
        Self::Add,
        Self::Sub,
        Self::Mul,
        Self::Div,
        Self::FdivQ,
        Self::PdivQ,
        Self::PdivR,
        Self::ZdivR,
        Self::Cond,
        Self::Select,
        Self::Eq,
        Self::Le,
        Self::Lt,
        Self::Ge,
        Self::Gt,
    ];
}

value_type! {
    /// Loops, conditions and statement calls of C.
    AstNode: isl_ast_node, isl_ast_node_copy, isl_ast_node_free
}
display!(AstNode, isl_ast_node_to_str);

impl fmt::Debug for AstBuild {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AstBuild").finish_non_exhaustive()
    }
}

impl AstBuild {
    /// A build in which the constraints of `context` are known to hold.
    ///
    /// `context` is `[p] -> { : constraints }`. It may also be `[p] -> { [i, j] : constraints }`: then the code is
    /// generated inside two loops whose iterators have the names of these dimensions, and sets and functions given to
    /// the build have the domain `{ [i, j] }`.
    pub fn from_context(context: &Set) -> Result<Self> {
        // SAFETY: isl takes the set and gives the result.
        unsafe { AstBuild::from_raw(context.context(), ffi::isl_ast_build_from_context(context.take())) }
    }

    /// The build with names for the iterators of the loops that are still to be generated, outermost first.
    pub fn set_iterators(&self, names: &[&str]) -> Result<Self> {
        let names = names.iter().map(|name| c_string(name)).collect::<Result<Vec<_>>>()?;
        let context = self.context();
        // SAFETY: isl gives identifiers and a list, and takes both, null included; it only reads the names.
        unsafe {
            let mut list = ffi::isl_id_list_alloc(context.as_ptr(), names.len() as i32);
            for name in &names {
                let id = ffi::isl_id_alloc(context.as_ptr(), name.as_ptr(), std::ptr::null_mut());
                list = ffi::isl_id_list_add(list, id);
            }
            AstBuild::from_raw(context, ffi::isl_ast_build_set_iterators(self.take(), list))
        }
    }

    /// An expression that is true exactly in `set`, which is `[p] -> { : constraints }`, where the context holds.
    pub fn expr_from_set(&self, set: &Set) -> Result<AstExpr> {
        self.context().check_same(set.context())?;
        // SAFETY: isl keeps the build, takes the set, and gives the result.
        unsafe {
            let expression = ffi::isl_ast_build_expr_from_set(self.as_ptr(), set.take());
            AstExpr::from_raw(self.context(), expression)
        }
    }

    /// An expression with the value of `function`, which is `[p] -> { [(value)] }`, where the context holds.
    pub fn expr_from_pw_aff(&self, function: &PwAff) -> Result<AstExpr> {
        self.context().check_same(function.context())?;
        // SAFETY: isl keeps the build, takes the function, and gives the result.
        unsafe {
            let expression = ffi::isl_ast_build_expr_from_pw_aff(self.as_ptr(), function.take());
            AstExpr::from_raw(self.context(), expression)
        }
    }

    /// Loops that run the domain of `schedule`, `[p] -> { S[i] -> [time] }`, in the order of its range.
    pub fn node_from_schedule_map(&self, schedule: &UnionMap) -> Result<AstNode> {
        self.context().check_same(schedule.context())?;
        // SAFETY: isl keeps the build, takes the schedule, and gives the result.
        unsafe {
            let node = ffi::isl_ast_build_node_from_schedule_map(self.as_ptr(), schedule.take());
            AstNode::from_raw(self.context(), node)
        }
    }
}

impl AstExpr {
    /// What it is made of.
    ///
    /// # Errors
    /// `Invalid` for a constant that does not fit in an `i64`, and for calls and accesses, which are not those of sets and
    /// functions.
    pub fn term(&self) -> Result<AstTerm> {
        // SAFETY: isl keeps the argument.
        match unsafe { ffi::isl_ast_expr_get_type(self.as_ptr()) } {
            ffi::ISL_AST_EXPR_ID => Ok(AstTerm::Id(self.id_name()?)),
            ffi::ISL_AST_EXPR_INT => {
                // SAFETY: isl keeps the argument, a constant, and gives its value.
                let value = unsafe { Number::from_raw(self.context(), ffi::isl_ast_expr_int_get_val(self.as_ptr()))? };
                Ok(AstTerm::Int(value.to_i64()?))
            }
            ffi::ISL_AST_EXPR_OP => Ok(AstTerm::Op(self.op()?, self.arguments()?)),
            _ => Err(Error::invalid("an expression has no type")),
        }
    }

    /// The name of an identifier.
    fn id_name(&self) -> Result<String> {
        // SAFETY: isl keeps the argument and gives the identifier, which owns its name and is freed after it was read.
        unsafe {
            let id = self.context().check_ptr(ffi::isl_ast_expr_id_get_id(self.as_ptr()))?;
            let name = self.context().check_ptr(ffi::isl_id_get_name(id.as_ptr()).cast_mut())?;
            let text = CStr::from_ptr(name.as_ptr()).to_string_lossy().into_owned();
            ffi::isl_id_free(id.as_ptr());
            Ok(text)
        }
    }

    /// The operator of an operation.
    fn op(&self) -> Result<AstOp> {
        // SAFETY: isl keeps the argument.
        let number = unsafe { ffi::isl_ast_expr_op_get_type(self.as_ptr()) };
        let op = usize::try_from(number).ok().and_then(|number| AstOp::ALL.get(number));
        op.copied().ok_or_else(|| Error::invalid("an operator is none of arithmetic"))
    }

    /// The arguments of an operation.
    fn arguments(&self) -> Result<Vec<AstExpr>> {
        // SAFETY: isl keeps the argument.
        let count = self.context().check_size(unsafe { ffi::isl_ast_expr_op_get_n_arg(self.as_ptr()) })?;
        // SAFETY: isl keeps the argument and gives those of its arguments that it has.
        let argument = |position: usize| unsafe {
            let raw = ffi::isl_ast_expr_op_get_arg(self.as_ptr(), position as c_int);
            AstExpr::from_raw(self.context(), raw)
        };
        (0..count).map(argument).collect()
    }

    /// The text in C. It may use the macros `min`, `max` and `floord`, which the user of the text defines.
    pub fn to_c_str(&self) -> Result<String> {
        // SAFETY: isl keeps the argument and gives a C string from `malloc`.
        unsafe { self.context().take_string(ffi::isl_ast_expr_to_C_str(self.as_ptr())) }
    }
}

impl AstNode {
    /// The text in C, with definitions of the macros `min`, `max` and `floord` before it where it uses them.
    pub fn to_c_str(&self) -> Result<String> {
        // SAFETY: isl keeps the argument and gives a C string from `malloc`.
        unsafe { self.context().take_string(ffi::isl_ast_node_to_C_str(self.as_ptr())) }
    }
}
