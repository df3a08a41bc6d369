//! The rule that makes a nest a sequence of parallel sweeps.

use isl_bindings::{DimKind, Map};

use crate::ir::{Handle, Loop, Nest};
use crate::poly::{Dependence, Origin, Result, Sweep, Sweeps};
use crate::source::Diagnostic;

/// Orders the sweeps of one step such that each comes after those whose values of the same step it uses.
///
/// # Errors
/// A sweep that needs its own values of the same step (as Gauss-Seidel does), or sweeps that need each other's.
pub fn check_order(nest: &Nest, sweeps: &Sweeps) -> Result<Vec<usize>> {
    let mut needs = Vec::new();
    for dependence in &sweeps.dependences {
        if let Origin::Sweep(origin) = dependence.origin
            && within_one_step(dependence)?.is_some()
        {
            if origin == dependence.sweep {
                return Err(depends_on_itself(nest, sweeps, dependence)?.into());
            }
            needs.push((origin, dependence));
        }
    }
    let mut order: Vec<usize> = Vec::new();
    while order.len() < sweeps.sweeps.len() {
        let is_ready =
            |sweep: usize| needs.iter().all(|(origin, dependence)| dependence.sweep != sweep || order.contains(origin));
        let next = (0..sweeps.sweeps.len()).find(|sweep| !order.contains(sweep) && is_ready(*sweep));
        let Some(next) = next else {
            let (origin, dependence) =
                needs.iter().find(|(origin, d)| !order.contains(origin) && !order.contains(&d.sweep)).expect("a cycle");
            return Err(depend_on_each_other(nest, sweeps, *origin, dependence).into());
        };
        order.push(next);
    }
    Ok(order)
}

/// The part of a dependence that stays in one time step, if any.
fn within_one_step(dependence: &Dependence) -> Result<Option<Map>> {
    if dependence.distance.is_some_and(|distance| distance != 0) {
        return Ok(None);
    }
    let within = dependence.relation.equate(DimKind::In, 0, DimKind::Out, 0)?;
    Ok(if within.is_empty()? { None } else { Some(within) })
}

fn depends_on_itself(nest: &Nest, sweeps: &Sweeps, dependence: &Dependence) -> Result<Diagnostic> {
    let mut own = Vec::new();
    for other in &sweeps.dependences {
        let is_same = other.sweep == dependence.sweep && other.origin == dependence.origin;
        if is_same && let Some(within) = within_one_step(other)? {
            own.push((other, within));
        }
    }
    let sweep = &sweeps.sweeps[dependence.sweep];
    match carrying_loop(nest, sweep, &own)? {
        Some(carrier) => Ok(carried_by_loop(nest, sweep, carrier, &own)),
        None => gauss_seidel(nest, sweep, &own),
    }
}

/// The outermost loop over space, if it alone carries the dependences and has loops inside it.
fn carrying_loop(nest: &Nest, sweep: &Sweep, own: &[(&Dependence, Map)]) -> Result<Option<Handle<Loop>>> {
    let write = &nest.accesses[nest.statements[sweep.statement].write];
    let mut space = write.loops.iter().copied().filter(|this| Some(*this) != nest.time);
    let (Some(outer), Some(_)) = (space.next(), space.next()) else { return Ok(None) };
    for (_, within) in own {
        // [p] -> { S3[t, i, j] -> S3[t', i', j'] }
        let instances = sweep.instances.apply_range(within)?.apply_range(&sweep.instances.reverse()?)?;
        if !instances.equate(DimKind::In, 1, DimKind::Out, 1)?.is_empty()? {
            return Ok(None);
        }
    }
    Ok(Some(outer))
}

fn carried_by_loop(nest: &Nest, sweep: &Sweep, carrier: Handle<Loop>, own: &[(&Dependence, Map)]) -> Diagnostic {
    let statement = &nest.statements[sweep.statement];
    let array = &nest.arrays[sweep.array].name;
    let variable = nest.values.text(nest.loops[carrier].variable);
    let message =
        format!("each iteration of the loop over `{variable}` uses values of `{array}` from iterations before it");
    let error = Diagnostic::error("outer-loop-carries", message, statement.span)
        .because(format!("only the loops inside the loop over `{variable}` can run in parallel"))
        .with_label(nest.loops.span(carrier), "this loop cannot");
    with_reads(nest, error, own, "this element was computed in an earlier iteration")
        .with_help(format!("mark the loop inside the loop over `{variable}`, which the host then runs, instead"))
}

fn gauss_seidel(nest: &Nest, sweep: &Sweep, own: &[(&Dependence, Map)]) -> Result<Diagnostic> {
    let statement = &nest.statements[sweep.statement];
    let array = &nest.arrays[sweep.array].name;
    let step = if nest.time.is_some() { "time step" } else { "sweep" };
    let message = format!("this assignment uses values of `{array}` that it computes in the same {step}");
    let error = Diagnostic::error("gauss-seidel", message, statement.span).because(distances(own, step));
    Ok(with_reads(nest, error, own, &format!("this element was updated earlier in the {step}"))
        .with_help(format!(
            "if the values of `{array}` before the {step} are meant, write to a second array, and copy it back or swap the \
             pointers after the loops"
        ))
        .with_help(format!(
            "if the new values are meant, points of one {step} cannot be computed in parallel; a red-black order, which \
             gives other values, can be rewritten"
        )))
}

/// The reads of `own`, each place once.
fn with_reads(nest: &Nest, mut error: Diagnostic, own: &[(&Dependence, Map)], text: &str) -> Diagnostic {
    for (dependence, _) in own {
        let span = nest.accesses.span(dependence.read);
        if error.secondary.iter().all(|label| label.span != span) {
            error = error.with_label(span, text);
        }
    }
    error
}

/// How far reading points are from those that wrote, e.g. `(1, 0)`.
fn distances(own: &[(&Dependence, Map)], step: &str) -> String {
    let mut constant: Vec<String> = Vec::new();
    let offsets = || own.iter().flat_map(|(dependence, _)| dependence.reads.values());
    for offset in offsets().flatten() {
        let distance: Vec<String> = offset.iter().map(|o| (-o).to_string()).collect();
        let distance = format!("({})", distance.join(", "));
        if !constant.contains(&distance) {
            constant.push(distance);
        }
    }
    let varies = offsets().any(Option::is_none);
    let and_others = if varies { " and others that differ from point to point" } else { "" };
    match constant.as_slice() {
        [] => format!("the dependence distances within one {step} differ from point to point"),
        [distance] if !varies => format!("the dependence distance is {distance} within one {step}"),
        all => format!("the dependence distances are {}{and_others} within one {step}", all.join(" and ")),
    }
}

fn depend_on_each_other(nest: &Nest, sweeps: &Sweeps, origin: usize, dependence: &Dependence) -> Diagnostic {
    let statement = &nest.statements[sweeps.sweeps[dependence.sweep].statement];
    let other = &nest.statements[sweeps.sweeps[origin].statement];
    Diagnostic::error(
        "sweeps-depend-on-each-other",
        "these assignments need each other's values of one step",
        statement.span,
    )
    .because("they are interleaved point by point and cannot be done one after the other")
    .with_label(other.span, "it needs this one")
    .with_label(nest.accesses.span(dependence.read), "through this element")
    .with_help("split the loop so that each array is swept on its own, or write to a second array")
}

/// The refusal of an array for which no storage keeps the dataflow.
pub fn storage_not_found(nest: &Nest, array: Handle<crate::ir::Array>) -> Diagnostic {
    let name = &nest.arrays[array].name;
    let writes = nest.statements.iter().find(|s| nest.accesses[s.write].array == array);
    let (why, help) = match writes {
        Some(_) => (
            "old and new values are mixed in a way that changes from step to step",
            "read values of the step before only: use two arrays, one for the old and one for the new step",
        ),
        None => (
            "one access chooses its part by the step, another by a constant",
            "give the part that does not change an array of its own",
        ),
    };
    let span = writes.map_or(nest.span, |statement| statement.span);
    Diagnostic::error("no-parallel-storage", format!("the values of `{name}` cannot be kept apart on the device"), span)
        .because(why)
        .with_help(help)
}
