//! How the host gets its arrays back, and leaves.

use crate::back::nest::{ChainPlace, NestToWrite};
use crate::back::signature::prototype_of_leg;
use crate::back::touched::part_functions;
use crate::ir::{Looks, Nest};
use crate::text::Writer;

/// Declarations of the functions by which the host gets its arrays back, and leaves.
pub fn prototypes(plan: &NestToWrite<'_>) -> Vec<String> {
    let (nest, name) = (plan.nest(), &plan.place.name);
    let mut all: Vec<String> = ends(nest).iter().map(|(end, _)| format!("void {name}_{end}(void)")).collect();
    all.extend(part_functions(nest).iter().map(|part| part.prototype(name)));
    if plan.place.chain.as_ref().is_some_and(|chain| chain.is_last) {
        all.push(format!("void {name}_end(void)"));
    }
    all.extend((1..=nest.step.gaps.len()).map(|leg| prototype_of_leg(nest, plan.names(), name, leg)));
    all
}

/// These functions, with the runtime's for them.
fn ends(nest: &Nest) -> Vec<(&'static str, &'static str)> {
    if nest.clock.end().is_none() {
        return Vec::new();
    }
    let mut all = vec![("sync", "stencil_sync"), ("end", "stencil_finish")];
    let folds = &nest.step.folds;
    if !folds.accumulators.is_empty() && (folds.looks != Looks::AfterEach || !folds.comparisons.is_empty()) {
        all.insert(1, ("values", "stencil_settle_values"));
    }
    if !folds.comparisons.is_empty() && folds.looks != Looks::AfterEach {
        all.insert(1, ("compare", "stencil_settle_comparisons"));
    }
    all
}

/// Writes them; of a chain the last nest has the only one.
pub fn write_ends(writer: &mut Writer, plan: &NestToWrite<'_>) {
    match &plan.place.chain {
        Some(chain) if chain.is_last => write_end_of_chain(writer, plan, chain),
        Some(_) => {}
        None => write_ends_of_loop(writer, plan),
    }
}

/// The function that ends a chain, whether the nest has been called or not.
fn write_end_of_chain(writer: &mut Writer, plan: &NestToWrite<'_>, chain: &ChainPlace) {
    let name = &plan.place.name;
    writer.block(format_args!("void {name}_end(void)"), |writer| {
        writer.line(format_args!("{name}_recording.chain = &{};", chain.name));
        writer.line(format_args!("stencil_finish(&{name}_recording);"));
    });
    writer.line("");
}

/// The functions that bring the arrays, or scalars that are folded, back to the host.
fn write_ends_of_loop(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let name = &plan.place.name;
    for (end, runtime) in ends(plan.nest()) {
        writer.block(format_args!("void {name}_{end}(void)"), |writer| {
            writer.line(format_args!("{runtime}(&{name}_recording);"));
        });
        writer.line("");
    }
    if plan.nest().step.may_exit {
        writer.block(format_args!("static void {name}_at_exit(void)"), |writer| {
            writer.line(format_args!("stencil_finish_at_exit(&{name}_recording);"));
        });
        writer.line("");
    }
    for part in part_functions(plan.nest()) {
        writer.block(part.prototype(name), |writer| {
            writer.line(format_args!("stencil_{}(&{name}_recording, {});", part.function, part.arguments()));
        });
        writer.line("");
    }
}
