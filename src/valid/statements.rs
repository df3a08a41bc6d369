//! Statements that do not compute the same cells, each once, in every step.

use crate::ir::{Access, Covered, Handle, Loop, Nest};
use crate::source::Diagnostic;

/// A scalar that is read where no branch that assigns it may have been taken.
pub(super) fn not_assigned(nest: &Nest, cover: usize) -> Diagnostic {
    let cover = &nest.covers[cover];
    let Covered::Scalar { variable, outlives } = cover.of else {
        let message = "this `while` loop may run more than once, or it cannot be shown that it does not";
        return Diagnostic::error("unsupported-statement", message, cover.read)
            .with_label(cover.branches, "this may still hold behind the first iteration")
            .with_help(
                "let what it tests be at most one period away, as `i + 1` is from `i` in a loop from 0 to below `n`",
            )
            .with_help("or write it as a remainder, as in `(i + n) % n`");
    };
    let code = if outlives { "scalar-carried" } else { "uninitialised" };
    let name = nest.values.text(variable);
    let message = format!("`{name}` gets no new value in this iteration if no condition holds that assigns it");
    Diagnostic::error(code, message, cover.read)
        .with_label(cover.branches, "this and those beside it do not cover all iterations, or it cannot be shown")
        .with_help("give it a value in every case: before the `if`, or in a last `else`")
}

/// A nest without a statement that has an instance.
pub(super) fn never_executed(nest: &Nest, statement: usize) -> Diagnostic {
    let span = nest.step.statements[statement].span;
    Diagnostic::error("never-executed", "no statement of this nest is ever executed", span)
        .because("the condition of this one holds nowhere in the loops around it")
        .with_help("mend the condition or the bounds of the loops")
}

/// Notes on those without an instance among `unexecuted`, which are left out. What the program has once may be several statements here,
/// as loops are written out and choices taken apart: one instance of them will do.
pub fn note_never_executed(nest: &Nest, unexecuted: &[usize]) -> Vec<Diagnostic> {
    let span = |statement: usize| nest.step.statements[statement].span;
    let others = (0..nest.step.statements.len()).filter(|it| !unexecuted.contains(it));
    let mut known: Vec<_> = others.map(span).collect();
    let mut notes = Vec::new();
    for span in unexecuted.iter().map(|it| span(*it)) {
        if !known.contains(&span) {
            known.push(span);
            let note = Diagnostic::note("never-executed", "this statement is never executed", span)
                .because("its condition holds nowhere in the loops around it, so the device does without it")
                .with_help("if it should be, mend the condition or the bounds of the loops");
            notes.push(note);
        }
    }
    notes
}

/// A statement of which several instances of one step write one element.
pub(super) fn written_twice(nest: &Nest, statement: usize) -> Diagnostic {
    let write = &nest.accesses[nest.step.statements[statement].write];
    let array = &nest.arrays[write.array].name;
    let span = nest.step.statements[statement].span;
    if let Some((outer, kept)) = nest.kept_in_each_iteration().filter(|(outer, _)| !nest.moves_with(write, *outer)) {
        let variable = nest.values.text(nest.loops[outer].variable);
        let other = &nest.arrays[nest.accesses[kept].array].name;
        let message = format!("each iteration of the loop over `{variable}` writes the same elements of `{array}`");
        let error = Diagnostic::error("written-twice", message, span).because("so that loop runs over time");
        let error = if other == array {
            error.with_help(format!(
                "let a loop over all elements store the one that is meant: `if (i == place) {other}[i] += ...;`"
            ))
        } else {
            error
        };
        let error = error
            .with_label(
                nest.accesses.span(kept),
                format!("but its variable chooses an element of `{other}`, as if it ran over space"),
            )
            .with_help(format!(
                "mark the loops inside the loop over `{variable}` instead, and let the host set `{other}` between them"
            ));
        let is_folded = nest.accesses[kept].loops.iter().any(|it| !nest.moves_with(&nest.accesses[kept], *it));
        return if is_folded {
            error.with_help(format!(
                "or fold into a variable, and store that behind the loops: `double value = 0; ... {other}[{variable}] = value;`"
            ))
        } else {
            error
        };
    }
    let error = Diagnostic::error(
        "written-twice",
        format!("several iterations of one time step write the same element of `{array}`"),
        span,
    );
    if let Some(variable) = repeating_loop(nest, write).map(|it| nest.values.text(nest.loops[it].variable)) {
        return error
            .because(format!("the loop over `{variable}` repeats a sweep within a step"))
            .with_help(format!(
                "if it takes sub-steps, mark the loop over `{variable}` and each loop beside it by a pragma of its own, and take \
                 out this one"
            ))
            .with_help(format!("if it makes sums, let the loop over `{variable}` be the innermost one"));
    }
    error
        .because("the subscripts do not tell all iterations apart")
        .with_help(
            "let every loop over space around the assignment appear in a subscript of the element that it writes",
        )
        .with_help("or compute sums and other reductions over points in a loop of its own that is not marked")
}

/// A loop around a write, inside the loop over time, by which no subscript of it goes, with a loop in it by which one does.
fn repeating_loop(nest: &Nest, write: &Access) -> Option<Handle<Loop>> {
    let mut inside = write.loops.iter().copied().filter(|it| Some(*it) != nest.clock.time());
    let repeating = inside.find(|it| !nest.moves_with(write, *it))?;
    inside.any(|it| nest.moves_with(write, it)).then_some(repeating)
}

/// A statement that writes other elements in other steps.
pub(super) fn cells_change_with_time(nest: &Nest, statement: usize) -> Diagnostic {
    let array = &nest.arrays[nest.accesses[nest.step.statements[statement].write].array].name;
    Diagnostic::error(
        "cells-change-with-time",
        format!("the elements of `{array}` that this statement writes change from step to step"),
        nest.step.statements[statement].span,
    )
    .because("a loop bound around it depends on the time step")
    .with_help("let the loops run over the same elements in every step and choose with an `if` on the time step inside")
}
