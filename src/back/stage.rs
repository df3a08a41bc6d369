//! Printing of the stages between a nest and its text.

use super::plan::RegionPlan;
use super::writer::Writer;
use super::{with_plan, write_region_kernels};
use crate::ir::Nest;
use crate::options::Options;
use crate::pipeline::Stage;
use crate::poly::{Origin, ResultSlot};
use crate::source::Diagnostic;

/// One stage of a nest as text for people.
///
/// # Errors
/// As [`write_region`](super::write_region).
pub fn write_stage(
    nest: &Nest,
    number: usize,
    location: &str,
    options: &Options,
    stage: Stage,
) -> Result<String, Vec<Diagnostic>> {
    with_plan(nest, number, location, options, |plan| {
        let mut writer = Writer::default();
        match stage {
            Stage::Nest => writer.line(format_args!("{nest:#?}")),
            Stage::Flow => write_flow(&mut writer, plan),
            Stage::Tiles => write_tiles(&mut writer, plan),
            Stage::Kernel => write_region_kernels(&mut writer, plan),
        }
        Ok(writer.finish())
    })
}

/// Sweeps, dependences and storage.
fn write_flow(writer: &mut Writer, plan: &RegionPlan<'_>) {
    let recurrences = plan.recurrences();
    let storage = &recurrences.storage;
    writer.block_with_end(format_args!("nest {}", plan.nest().name), "}", |writer| {
        for (index, field) in storage.fields.iter().enumerate() {
            let kind = if field.is_written { "field" } else { "constant field" };
            let ty = field.element.c_name();
            writer.line(format_args!(
                "{kind} {index} `{}`: {ty}, rank {}, {} slots",
                field.name, field.rank, field.slots
            ));
        }
        if !recurrences.eliminated.is_empty() {
            writer.line(format_args!("copies looked through: statements {:?}", recurrences.eliminated));
        }
        for &index in &recurrences.order {
            let sweep = &recurrences.sweeps.sweeps[index];
            let (field, slot) = storage.writes[index];
            writer.block_with_end(format_args!("sweep {index}: field {field}, slot {slot:?}"), "}", |writer| {
                writer.line(format_args!("domain {}", sweep.domain));
                for dependence in recurrences.sweeps.dependences.iter().filter(|d| d.sweep == index) {
                    let origin = match dependence.origin {
                        Origin::Sweep(origin) => format!("sweep {origin}"),
                        Origin::Initial(array) => format!("initial `{}`", plan.nest().arrays[array].name),
                    };
                    let distance = dependence.distance.map_or("-".into(), |d| d.to_string());
                    writer.line(format_args!(
                        "access {} from {origin}: distance {distance}, offset {:?}",
                        dependence.read.index(),
                        dependence.offset
                    ));
                }
            });
        }
        for result in plan.results() {
            let slot = match result.slot {
                ResultSlot::Fixed(slot) => slot.to_string(),
                ResultSlot::AfterSteps(shift) => format!("(time_steps + {shift}) mod slots"),
            };
            writer.line(format_args!(
                "result `{}` buffer {}: field {}, slot {slot}, elements {}",
                plan.nest().arrays[result.array].name,
                result.buffer,
                result.field,
                result.elements
            ));
        }
    });
}

/// The time tiles of every plan.
fn write_tiles(writer: &mut Writer, plan: &RegionPlan<'_>) {
    for kernels in &plan.plans {
        writer.block_with_end(format_args!("plan {}", kernels.name), "}", |writer| {
            writer.line(format_args!("margins {:?} {:?}", kernels.margin_lo, kernels.margin_hi));
            for kernel in &kernels.kernels {
                let [x, y, z] = kernel.work_group;
                writer.line(format_args!(
                    "{}: {} levels, core {:?}, work-group {x} x {y} x {z}, {} bytes of local memory",
                    kernel.name,
                    kernel.levels,
                    kernel.tile,
                    kernel.local_bytes()
                ));
            }
        });
    }
}
