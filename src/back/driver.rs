//! The host side of a rewritten nest: a C function that fills the runtime's tables and calls it.

use std::collections::BTreeSet;

use super::call::{write_asking, write_has_run, write_tables_of_call};
use super::host::{HOST, declare_integers};
use super::lacking::{may_lack_elements, write_lacking};
use super::nest::NestToWrite;
use super::quick::write_answers;
use super::recorded::{write_legs, write_recorded, write_step};
use super::rows::write_rows;
use super::rules::{write_end, write_memory};
use super::signature::{parameter_names, prototype};
use super::steps;
use super::tables::write_tables;
use super::team::{write_differing, write_end_of_team, write_team};
use crate::poly::{CellBounds, ResultCells};
use crate::text::{Writer, plain_name};

/// Writes everything that belongs to one nest.
pub fn write_nest(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let nest = plan.nest();
    let name = &plan.place.name;
    let is_recorded = plan.is_recorded();
    writer.line(format_args!("/* {} */", plain_name(&plan.place.location)));
    writer.line("");
    let settings: BTreeSet<_> = nest.step.settings().into_iter().map(|it| it.function).collect();
    settings.iter().for_each(|function| writer.line(format_args!("extern void {function}(int);")));
    write_memory(writer, plan);
    write_scalars(writer, plan);
    write_tables(writer, plan);
    write_geometry(writer, plan);
    write_memberships(writer, plan);
    write_rows(writer, plan);
    if plan.takes_steps || is_recorded {
        steps::write_steps(writer, plan);
    }
    writer.line(format_args!("STENCIL_THREAD stencil_quick {name}_quick;"));
    writer.line(format_args!("static STENCIL_THREAD stencil_turn {name}_turn;"));
    writer.line("");
    if is_recorded {
        write_recorded(writer, plan);
    }
    let asked = prototype(plan).replacen(name, &format!("{name}_asked"), 1);
    let write_asked = if is_recorded { write_step } else { write_body };
    writer.block(format_args!("static STENCIL_NOINLINE {asked}"), |writer| write_asked(writer, plan));
    writer.line("");
    write_team(writer, plan);
    writer.block(format_args!("STENCIL_NOINLINE {}", prototype(plan)), |writer| {
        let answers = |writer: &mut Writer| write_answers(writer, plan, "STENCIL_FRAME");
        match is_recorded {
            // The calls for the other legs must know what this one answers.
            true if !nest.step.gaps.is_empty() => {}
            true => match &plan.place.chain {
                Some(chain) => writer.block(format_args!("if (!{}.last)", chain.name), answers),
                None => writer.block(format_args!("if (!{name}_recording.is_open)"), answers),
            },
            false => answers(writer),
        }
        write_asking(writer, name);
        writer.line(format_args!("return {name}_asked({});", parameter_names(nest, plan.names()).join(", ")));
    });
    write_end_of_team(writer, plan);
    writer.line("");
    write_legs(writer, plan);
}

/// The scalars of a call, as the user's types.
fn write_scalars(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let nest = plan.nest();
    writer.block_with_end(format_args!("struct {}_scalars", plan.place.name), "};", |writer| {
        for (handle, param) in nest.params.iter() {
            writer.line(format_args!("{} {};", param.ty.c_name(), plan.names().param(handle)));
        }
        writer.line(format_args!("long long {};", plan.names().steps()));
    });
    writer.line("");
}

/// Boxes and strides of a call, computed from its scalars.
fn write_geometry(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let name = &plan.place.name;
    let (arrays, sweeps) = (plan.footprints().len(), plan.recurrences().sweeps.sweeps.len());
    let results = plan.results.len().max(1);
    writer.block_with_end(format_args!("struct {name}_geometry"), "};", |writer| {
        writer.line(format_args!("stencil_box used[{}];", arrays.max(1)));
        writer.line(format_args!("stencil_box domain[{sweeps}];"));
        writer.line(format_args!("stencil_box result[{results}];"));
        if may_lack_elements(plan) {
            writer.line("const char *lacking;");
        }
    });
    writer.line("");
    let used = plan.footprints().iter().map(|footprint| &footprint.bounds);
    let domain = plan.subject.analysis.cells.iter().map(|cells| &cells.bounds);
    let result = plan.results.iter().map(|cells| &cells.bounds);
    let head =
        format!("static void {name}_geometry(const struct {name}_scalars *scalars, struct {name}_geometry *geometry)");
    writer.block(head, |writer| {
        declare_integers(writer, plan);
        write_boxes(writer, "used", used);
        write_boxes(writer, "domain", domain);
        write_boxes(writer, "result", result);
        if may_lack_elements(plan) {
            write_lacking(writer, plan);
        }
    });
    writer.line("");
}

fn write_boxes<'a>(writer: &mut Writer, member: &str, boxes: impl Iterator<Item = &'a CellBounds>) {
    for (index, CellBounds { condition, sides }) in boxes.enumerate() {
        writer.line(format_args!("geometry->{member}[{index}] = stencil_empty_box();"));
        writer.block(format_args!("if ({})", HOST.condition(condition)), |writer| {
            for (d, (lo, hi)) in sides.iter().enumerate() {
                let (lo, hi) = (HOST.index(lo), HOST.index(hi));
                writer.line(format_args!("geometry->{member}[{index}].lo[{d}] = {lo};"));
                writer.line(format_args!("geometry->{member}[{index}].hi[{d}] = {hi};"));
            }
        });
    }
}

/// Callbacks that say which elements of a result's box the nest writes.
fn write_memberships(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let name = &plan.place.name;
    for (index, ResultCells { membership, bounds, .. }) in plan.results.iter().enumerate() {
        let Some(membership) = membership else { continue };
        let text = HOST.condition(membership);
        let head = format!("static int {name}_writes_{index}(const long long *cell, const void *context)");
        writer.block(head, |writer| {
            writer.line(format_args!("const struct {name}_scalars *scalars = context;"));
            declare_integers(writer, plan);
            for (d, x) in plan.names().cells(bounds.sides.len()).iter().enumerate() {
                writer.line(format_args!("const long long {x} = cell[{d}];"));
                writer.line(format_args!("(void){x};"));
            }
            writer.line(format_args!("return {text};"));
        });
        writer.line("");
    }
}

fn write_body(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let name = &plan.place.name;
    writer.line(format_args!("struct {name}_scalars scalars;"));
    writer.line(format_args!("struct {name}_geometry geometry;"));
    writer.line("stencil_call call;");
    write_has_run(writer, plan);
    write_differing(writer, plan);
    write_tables_of_call(writer, plan);
    steps::write_whole(writer, plan);
    write_end(writer, plan);
}
