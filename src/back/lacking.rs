//! Arrays of which nothing shows, for some sizes, that they have all that the nest uses under conditions on data.

use super::host::HOST;
use super::nest::NestToWrite;
use crate::text::{Writer, quote};

/// Whether there are such.
pub fn may_lack_elements(plan: &NestToWrite<'_>) -> bool {
    plan.footprints().iter().any(|footprint| footprint.lacking.is_some())
}

/// Names one for the sizes of a call.
pub fn write_lacking(writer: &mut Writer, plan: &NestToWrite<'_>) {
    writer.line("geometry->lacking = NULL;");
    let mut last = None;
    for footprint in plan.footprints() {
        let Some(condition) = &footprint.lacking else { continue };
        // All buffers of an array lack the same.
        if last.replace(footprint.array) == Some(footprint.array) {
            continue;
        }
        writer.line(format_args!("if ({})", HOST.condition(condition)));
        writer.line(format_args!("    geometry->lacking = {};", quote(&plan.nest().arrays[footprint.array].name)));
    }
}
