//! The rule that makes a nest a sequence of parallel sweeps.

use isl_bindings::{DimKind, Map};

use crate::ir::Nest;
use crate::poly::{Dependence, Origin, Result, Sweeps};
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
    let statement = &nest.statements[sweeps.sweeps[dependence.sweep].statement];
    let array = &nest.arrays[nest.accesses[dependence.read].array].name;
    let step = if nest.time.is_some() { "time step" } else { "sweep" };
    let message = format!("this assignment uses values of `{array}` that it computes in the same {step}");
    let mut diagnostic = Diagnostic::error("gauss-seidel", message, statement.span);
    let mut distances = Vec::new();
    for other in &sweeps.dependences {
        let is_same = other.sweep == dependence.sweep && other.origin == dependence.origin;
        if is_same && let Some(within) = within_one_step(other)? {
            diagnostic = diagnostic
                .with_label(nest.accesses.span(other.read), format!("this element was updated earlier in the {step}"));
            distances.push(distance_in_space(other, &within)?);
        }
    }
    distances.dedup();
    let what = if distances.len() == 1 { "the dependence distance is" } else { "the dependence distances are" };
    diagnostic = diagnostic.because(format!("{what} {} within one {step}", distances.join(" and ")));
    diagnostic = diagnostic.with_help(format!(
        "write to a second array and copy back or swap pointers after the loop, if reading the old `{array}` is meant; \
         a red-black order is accepted too"
    ));
    Ok(diagnostic)
}

/// How far the reading point is from the one that wrote, e.g. `(1, 0)`.
fn distance_in_space(dependence: &Dependence, within: &Map) -> Result<String> {
    if let Some(offset) = &dependence.offset {
        let distance: Vec<String> = offset.iter().map(|o| (-o).to_string()).collect();
        return Ok(format!("({})", distance.join(", ")));
    }
    let deltas = within.set_tuple_name(DimKind::In, "D")?.set_tuple_name(DimKind::Out, "D")?.deltas()?;
    let deltas = deltas.project_out_all_params()?.reset_tuple_id()?.project_out(DimKind::SET, 0, 1)?;
    Ok(format!("varying, {} points from write to read", deltas.coalesce()?))
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
pub fn storage_not_found(nest: &Nest, array: crate::ir::Handle<crate::ir::Array>) -> Diagnostic {
    let name = &nest.arrays[array].name;
    let writes = nest.statements.iter().find(|s| nest.accesses[s.write].array == array);
    let (why, help) = match writes {
        Some(_) => (
            "old and new values are mixed in a way that changes from step to step",
            "use two arrays, one for the old and one for the new step, and swap or copy them once a step",
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
