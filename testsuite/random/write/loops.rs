//! The loops of a sweep, in all their spellings.

use super::super::model::{Base, Bound, Loop, Program, Sweep};
use super::super::ways::GuardWay;
use super::PLACES;
use super::carried::write_carried_start;
use super::folds::{write_row_end, write_row_start};
use super::running::write_running_start;
use super::scope::Scope;
use super::text::Text;

/// What the loops of a sweep are written as: `for`, a macro, or `while` with the step behind the body.
pub fn write_loops(text: &mut Text, scope: &Scope, sweep: &Sweep, is_bare: bool, write_body: impl FnOnce(&mut Text)) {
    let is_while = is_while(scope.program, sweep);
    let is_bare = is_bare && !is_while;
    for (depth, space_loop) in sweep.loops.iter().enumerate() {
        if depth + 1 == sweep.loops.len() {
            write_row_start(text, scope, sweep);
            write_running_start(text, scope, sweep);
            write_carried_start(text, scope, sweep);
        }
        if is_while {
            text.line(format!("{};", first(scope, space_loop)));
            text.open(format!("while ({})", condition(scope, space_loop)));
        } else if is_bare {
            text.open_bare(head(scope, space_loop));
        } else {
            text.open(head(scope, space_loop));
        }
    }
    write_body(text);
    for (depth, space_loop) in sweep.loops.iter().enumerate().rev() {
        if is_while {
            text.line(format!("{};", next(space_loop)));
        }
        if is_bare {
            text.close_bare()
        } else {
            text.close()
        }
        if depth + 1 == sweep.loops.len() {
            write_row_end(text, scope, sweep);
        }
    }
}

/// Variables are declared before, and no `continue` passes over the step.
fn is_while(program: &Program, sweep: &Sweep) -> bool {
    let setting = program.setting;
    let continues = sweep.statements.iter().any(|statement| statement.guard_way == GuardWay::Continue);
    setting.uses_while && setting.declares_before && program.time.is_some() && !continues
}

/// `for (int i = 1; i < n - 1; i++)` in one of its spellings.
fn head(scope: &Scope, space_loop: &Loop) -> String {
    let setting = scope.program.setting;
    if setting.uses_loop_macro && !space_loop.is_descending && space_loop.stride == 1 && setting.index.is_signed() {
        let bound = |bound| write_bound(scope, space_loop.axis, bound);
        return format!("LOOP({}, {}, {})", PLACES[space_loop.axis], bound(space_loop.low), bound(space_loop.high));
    }
    let kind = if setting.declares_before { String::new() } else { format!("{} ", setting.index.name()) };
    let (first, condition) = (first(scope, space_loop), condition(scope, space_loop));
    format!("for ({kind}{first}; {condition}; {})", next(space_loop))
}

fn first(scope: &Scope, space_loop: &Loop) -> String {
    format!("{} = {}", PLACES[space_loop.axis], write_first_place(scope, space_loop))
}

/// The first value of a loop's variable.
pub fn write_first_place(scope: &Scope, space_loop: &Loop) -> String {
    if space_loop.is_descending { last(scope, space_loop) } else { write_bound(scope, space_loop.axis, space_loop.low) }
}

fn condition(scope: &Scope, space_loop: &Loop) -> String {
    if space_loop.is_descending { descending_end(scope, space_loop) } else { ascending_end(scope, space_loop) }
}

fn next(space_loop: &Loop) -> String {
    if space_loop.is_descending { counted(space_loop, '-') } else { counted(space_loop, '+') }
}

/// The last place, where a descending loop starts.
fn last(scope: &Scope, space_loop: &Loop) -> String {
    write_bound(scope, space_loop.axis, Bound { offset: space_loop.high.offset - 1, ..space_loop.high })
}

fn ascending_end(scope: &Scope, space_loop: &Loop) -> String {
    let (v, axis, high) = (PLACES[space_loop.axis], space_loop.axis, space_loop.high);
    let bound = write_bound(scope, axis, high);
    if !scope.program.setting.index.is_signed() && high.offset < 0 {
        // `n - 1` would wrap for the smallest sizes.
        return format!("{v} + {} < {}", -high.offset, write_bound(scope, axis, Bound { offset: 0, ..high }));
    }
    match space_loop.spelling % 5 {
        1 if scope.program.setting.index.is_signed() => format!("{v} <= {}", last(scope, space_loop)),
        2 => format!("{bound} > {v}"),
        3 if never_runs_backwards(scope.program, space_loop) => format!("{v} != {bound}"),
        4 if high.offset < 0 => {
            format!("{v} + {} < {}", -high.offset, write_bound(scope, axis, Bound { offset: 0, ..high }))
        }
        _ => format!("{v} < {bound}"),
    }
}

fn descending_end(scope: &Scope, space_loop: &Loop) -> String {
    let (v, axis, low) = (PLACES[space_loop.axis], space_loop.axis, space_loop.low);
    match space_loop.spelling % 3 {
        1 => format!("{v} > {}", write_bound(scope, axis, Bound { offset: low.offset - 1, ..low })),
        2 => format!("{} <= {v}", write_bound(scope, axis, low)),
        _ => format!("{v} >= {}", write_bound(scope, axis, low)),
    }
}

/// Whether `!=` ends the loop in all runs.
fn never_runs_backwards(program: &Program, space_loop: &Loop) -> bool {
    let value = |bound: Bound, run: usize| bound.value(space_loop.axis, &program.runs[run].sizes);
    space_loop.stride == 1
        && (0..program.runs.len()).all(|run| value(space_loop.low, run) <= value(space_loop.high, run))
}

/// What counts the loop's variable up, `+`, or down, `-`.
fn counted(space_loop: &Loop, sign: char) -> String {
    let (v, stride) = (PLACES[space_loop.axis], space_loop.stride);
    match (stride, space_loop.spelling / 8 % 4) {
        (1, 0) => format!("{v}{sign}{sign}"),
        (1, 1) => format!("{sign}{sign}{v}"),
        (_, 2) => format!("{v} = {v} {sign} {stride}"),
        _ => format!("{v} {sign}= {stride}"),
    }
}

/// `n / 2 + 1`
pub fn write_bound(scope: &Scope, axis: usize, bound: Bound) -> String {
    let base = match bound.base {
        Base::Zero => return bound.offset.to_string(),
        Base::Half => format!("{} / 2", scope.size(axis)),
        Base::Size => scope.size(axis),
    };
    match bound.offset {
        0 => base,
        offset if offset < 0 => format!("{base} - {}", -offset),
        offset => format!("{base} + {offset}"),
    }
}
