//! The steps of a nest on the host: what the program's own loops do, on the program's own memory, in their order.
//!
//! Reads, conditions and stores stand where the program has them, in loops that are put together again from the schedule.
//! Each read is a variable that is set at its place: it does not see what is stored later. Where a statement puts back an
//! element's old value nothing is stored.

mod actions;
mod bases;
mod blocks;
mod integers;
mod places;
mod scope;
mod text;
mod variables;
mod whole;

use super::nest::NestToWrite;
use crate::ir::{Expr, ExprKind, Function};
use crate::options::FpMode;
use crate::text::Writer;

pub use actions::can_take_steps;
pub use bases::write_bases;
pub use scope::{DONE, StepScope};
pub use text::declare_time;
pub use whole::write_whole;

/// Writes, if `can_take_steps`, a function that takes `count_steps` steps from number `count_first` on; without a loop
/// over time it takes the one step that there is. Where the host does something within steps, it takes the legs from
/// `first_leg` to `last_leg`, counted from 0, of each.
pub fn write_steps(writer: &mut Writer, plan: &NestToWrite<'_>) {
    if can_take_steps(plan.program, plan.names()).is_some() {
        return;
    }
    let name = &plan.place.name;
    let head = format!(
        "static {}void {name}_take_steps(const struct {name}_scalars *restrict scalars, void *const *bases, \
         long long count_first, long long count_steps{})",
        attribute(plan),
        if plan.nest().step.gaps.is_empty() { "" } else { ", int first_leg, int last_leg" }
    );
    let is_declared_there = |expr: &Expr| matches!(expr.kind, ExprKind::Call(Function::Abs, _));
    let has_grids = !plan.program.step.grids.is_empty();
    if has_grids {
        writer.line("#include <stdio.h>");
    }
    if has_grids || plan.nest().exprs.iter().any(|(_, expr)| is_declared_there(expr)) {
        writer.line("#include <stdlib.h>");
        writer.line("");
    }
    if plan.fp == FpMode::Strict {
        writer.lines(UNFUSED);
    }
    writer.block(head, |writer| {
        write_pragma(writer, plan);
        bases::write_grids(writer, plan);
        text::write(writer, plan);
        bases::write_end_of_grids(writer, plan.program);
    });
    writer.line("");
}

/// What stands before a function that computes what the program does.
pub fn attribute(plan: &NestToWrite<'_>) -> &'static str {
    if plan.fp == FpMode::Strict { "STENCIL_UNFUSED " } else { "" }
}

/// Writes what stands first in such a function.
pub fn write_pragma(writer: &mut Writer, plan: &NestToWrite<'_>) {
    if plan.fp == FpMode::Strict {
        writer.lines(PRAGMA);
    }
}

/// Compilers must not round a product and a sum at once. GCC does not know C's pragma, and warns of it.
const UNFUSED: &str = "\
#if !defined(STENCIL_UNFUSED) && defined(__GNUC__) && !defined(__clang__)
#define STENCIL_UNFUSED __attribute__((__optimize__(\"fp-contract=off\")))
#elif !defined(STENCIL_UNFUSED)
#define STENCIL_UNFUSED
#endif
";

const PRAGMA: &str = "\
#if !defined(__GNUC__) || defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif
";
