//! What must hold for steps of a loop that the host keeps to be recorded.

use crate::ir::{ExprKind, Nest};
use crate::poly::{Analysis, CellBounds};
use crate::source::Diagnostic;

/// Buffers and domains stay where they are while steps are recorded, whichever step it is.
///
/// # Errors
/// Elements that depend on the step, as a history has them.
pub fn check_recorded(analysis: &Analysis<'_>) -> Result<(), Box<Diagnostic>> {
    let (nest, names) = (analysis.nest, analysis.names);
    let (Some(time), Some(end)) = (nest.clock.time(), nest.clock.end()) else { return Ok(()) };
    let mut of_time = vec![names.steps(), names.param(end)];
    if let ExprKind::Param(first) = nest.exprs[nest.loops[time].first].kind {
        of_time.push(names.param(first));
    }
    let moves =
        |bounds: &CellBounds| bounds.sides.iter().any(|(lo, hi)| lo.is_made_of(&of_time) || hi.is_made_of(&of_time));
    let moving = analysis.footprints.iter().find(|footprint| moves(&footprint.bounds));
    let Some(moving) = moving else { return Ok(()) };
    let array = &nest.arrays[moving.array].name;
    let message = format!("which elements of `{array}` a step uses depends on the step, and the host keeps this loop");
    let error = Diagnostic::error("kept-step", message, nest.span);
    Err(Box::new(
        error.with_help(format!("copy what the step needs of `{array}` into a scalar before the first sweep")),
    ))
}

/// The host takes recorded steps if the device fails.
///
/// # Errors
/// It cannot, for that reason.
pub fn check_replay(nest: &Nest, why_not: Option<&str>) -> Result<(), Vec<Diagnostic>> {
    let Some(reason) = why_not else { return Ok(()) };
    let message = "the host keeps this loop, and could not go on with its steps if the device failed";
    let error = Diagnostic::error("kept-step", message, nest.span).because(reason);
    Err(vec![error.with_help("mark the `for` loops inside this loop, which the host then runs, instead")])
}
