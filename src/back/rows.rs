//! Callbacks that say which elements of a row the nest uses, where rows are found through tables of pointers.

use super::host::{HOST, declare_integers};
use super::nest::NestToWrite;
use crate::poly::{CellBounds, Footprint};
use crate::text::Writer;

/// The callback of the array with that place in the call's table; `NULL` if all its rows are as long as the box.
pub fn row_name(plan: &NestToWrite<'_>, index: usize, footprint: &Footprint) -> String {
    if footprint.rows.is_some() { format!("{}_row_{index}", plan.place.name) } else { "NULL".into() }
}

/// Writes the callbacks.
pub fn write_rows(writer: &mut Writer, plan: &NestToWrite<'_>) {
    for (index, footprint) in plan.footprints().iter().enumerate() {
        let Some(CellBounds { condition, sides }) = &footprint.rows else { continue };
        let name = row_name(plan, index, footprint);
        let head =
            format!("static int {name}(const long long *cell, long long *lo, long long *hi, const void *context)");
        writer.block(head, |writer| {
            writer.line(format_args!("const struct {}_scalars *scalars = context;", plan.place.name));
            declare_integers(writer, plan);
            for (d, x) in plan.names().cells(footprint.bounds.sides.len() - 1).iter().enumerate() {
                writer.line(format_args!("const long long {x} = cell[{d}];"));
                writer.line(format_args!("(void){x};"));
            }
            writer.line(format_args!("if (!({}))", HOST.condition(condition)));
            writer.line("    return 0;");
            for (end, side) in sides.iter().flat_map(|(lo, hi)| [("lo", lo), ("hi", hi)]) {
                writer.line(format_args!("*{end} = {};", HOST.index(side)));
            }
            writer.line("return 1;");
        });
        writer.line("");
    }
}
