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
    if plan.is_whole_in_chain() && plan.place.chain.as_ref().is_some_and(|chain| chain.is_last) {
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
    if folds.are_settled_late() {
        let values = if folds.tells_early { "stencil_settle_told" } else { "stencil_settle_values" };
        all.insert(1, ("values", values));
    }
    if folds.has_bounded() && folds.looks != Looks::AfterEach {
        all.insert(1, ("compare", "stencil_settle_comparisons"));
    }
    all
}

/// Writes them; of whole nests in a chain the last one has the only one.
pub fn write_ends(writer: &mut Writer, plan: &NestToWrite<'_>) {
    match &plan.place.chain {
        Some(chain) if plan.is_whole_in_chain() => write_end_of_chain(writer, plan, chain),
        _ => write_ends_of_loop(writer, plan),
    }
}

/// What ends a chain of which a whole nest is the last.
fn write_end_of_chain(writer: &mut Writer, plan: &NestToWrite<'_>, chain: &ChainPlace) {
    let name = &plan.place.name;
    write_at_exit(writer, plan);
    if !chain.is_last {
        return;
    }
    writer.block(format_args!("void {name}_end(void)"), |writer| {
        write_chain(writer, plan);
        writer.line(format_args!("stencil_finish(&{name}_recording);"));
    });
    writer.line("");
}

/// Tells the recording which chain it is of, whether the nest has been called or not.
pub fn write_chain(writer: &mut Writer, plan: &NestToWrite<'_>) {
    if let Some(chain) = &plan.place.chain {
        writer.line(format_args!("{}_recording.chain = &{};", plan.place.name, chain.name));
    }
}

/// What is done where the host ends the program while something is recorded.
fn write_at_exit(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let name = &plan.place.name;
    if plan.nest().step.may_exit {
        writer.block(format_args!("static void {name}_at_exit(void)"), |writer| {
            writer.line(format_args!("stencil_finish_at_exit(&{name}_recording);"));
        });
        writer.line("");
    }
}

/// The functions that bring the arrays, or scalars that are folded, back to the host.
fn write_ends_of_loop(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let name = &plan.place.name;
    for (end, runtime) in ends(plan.nest()) {
        writer.block(format_args!("void {name}_{end}(void)"), |writer| {
            write_chain(writer, plan);
            writer.line(format_args!("{runtime}(&{name}_recording);"));
        });
        writer.line("");
    }
    write_at_exit(writer, plan);
    for part in part_functions(plan.nest()) {
        writer.block(part.prototype(name), |writer| {
            write_chain(writer, plan);
            writer.line(format_args!("stencil_{}(&{name}_recording, {});", part.function, part.arguments()));
        });
        writer.line("");
    }
}
