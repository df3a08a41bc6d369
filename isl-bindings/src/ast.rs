//! C text for sets, functions and schedules.

use std::fmt;

use crate::aff::PwAff;
use crate::context::c_string;
use crate::error::Result;
use crate::ffi;
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
