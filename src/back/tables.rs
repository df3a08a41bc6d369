//! The constant tables of a rewritten nest: fields, kernels, plans, the region.

use std::collections::BTreeMap;

use super::nest::{NestToWrite, Scalar};
use crate::ir::{Nest, ScalarType};
use crate::kernel::{ArgumentKind, Kernel, PlanKernels};
use crate::model::{CallCost, Pace};
use crate::options::{DeviceKindName, FpMode};
use crate::text::{Writer, quote};
use crate::tile::Leaves;
use crate::valid::note_inexact_functions;

/// Writes `NAME_fields` and `NAME_region` with what they refer to.
pub fn write_tables(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let name = &plan.place.name;
    write_fields(writer, plan);
    write_aliases(writer, plan);
    let mut lists = ArgumentLists::default();
    for kernels in &plan.plans {
        for texts in kernels.texts() {
            lists.write(writer, plan, &texts[0]);
        }
        writer.block_with_end(
            format_args!("static const stencil_kernel {name}_{}_kernels[] =", kernels.name),
            "};",
            |writer| kernels.kernels.iter().for_each(|kernel| write_kernel_row(writer, kernel, lists.name(kernel))),
        );
        writer.line("");
    }
    let parameters = plan.size_parameters();
    for kernels in plan.plans.iter().filter(|kernels| !kernels.sizes.is_empty()) {
        let size = |parameter: &&str| kernels.sizes.get(*parameter).unwrap_or(&0).to_string();
        let sizes = parameters.iter().map(size).collect::<Vec<_>>().join(", ");
        writer.line(format_args!("/* {} */", parameters.join(", ")));
        writer.line(format_args!("static const long long {name}_{}_sizes[] = {{ {sizes} }};", kernels.name));
        writer.line("");
    }
    writer.block_with_end(format_args!("static const stencil_plan {name}_plans[] ="), "};", |writer| {
        for (number, kernels) in plan.plans.iter().enumerate() {
            write_plan_row(writer, name, number, kernels);
        }
    });
    writer.line("");
    write_estimate(writer, plan);
    writer.block_with_end(format_args!("static const stencil_region {name}_region ="), "};", |writer| {
        let rows = [
            ("name", format!("\"{name}\"")),
            ("where", quote(&plan.place.location)),
            ("source", "stencil_source".into()),
            ("source_lines", "sizeof stencil_source / sizeof *stencil_source".into()),
            ("number", plan.place.number.to_string()),
            ("build_options", quote(build_options(plan.fp))),
            ("needs_fp64", i32::from(super::opencl::uses_double(plan.nest())).to_string()),
            ("needs_exact_float", i32::from(needs_exact_float(plan)).to_string()),
            ("no_fallback", i32::from(plan.no_fallback).to_string()),
            ("plan_count", plan.plans.len().to_string()),
            ("plans", format!("{name}_plans")),
            ("last_single_steps", plan.last_single_steps().to_string()),
            ("roundings", roundings(plan).to_string()),
            ("dead", dead(plan.nest())),
            ("kernels_for", plan.kernels_for.map_or_else(|| "0".into(), |kind| quote(kind.name()))),
            ("estimate", format!("&{name}_estimate")),
        ];
        rows.iter().for_each(|(member, value)| writer.line(format_args!(".{member} = {value},")));
    });
    writer.line("");
}

/// What the model expects of a call, and where the program keeps what it learns.
fn write_estimate(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let (name, nest, recurrences) = (&plan.place.name, plan.nest(), plan.recurrences());
    let cost = CallCost::new(nest, recurrences, plan.results.iter().map(|cells| cells.result.field));
    writer.line(format_args!("static stencil_account {name}_account;"));
    writer.block_with_end(format_args!("static const stencil_estimate {name}_estimate ="), "};", |writer| {
        let CallCost { host_seconds, bytes_up, bytes_down } = cost;
        writer.line(format_args!("{host_seconds:.3e}, {bytes_up}, {bytes_down},"));
        for kind in [DeviceKindName::Cpu, DeviceKindName::Gpu] {
            let Pace { step_seconds, tile_seconds, levels } = Pace::new(plan.choices, kind, nest, recurrences, plan.fp);
            writer.line(format_args!("{{ {step_seconds:.3e}, {tile_seconds:.3e}, {levels} }},"));
        }
        writer.line(format_args!("&{name}_account,"));
    });
    writer.line("");
}

fn build_options(fp: FpMode) -> &'static str {
    match fp {
        FpMode::Strict | FpMode::Contract => "-cl-std=CL1.2",
        FpMode::Fast => "-cl-std=CL1.2 -cl-fast-relaxed-math",
    }
}

/// In how many roundings a step's results may differ from the original's for verification to pass.
fn roundings(plan: &NestToWrite<'_>) -> u32 {
    match plan.fp {
        FpMode::Fast => 1024,
        FpMode::Contract => 16,
        FpMode::Strict if note_inexact_functions(plan.nest(), FpMode::Strict).is_empty() => 0,
        FpMode::Strict => 16,
    }
}

/// What the original assigns and the driver does not leave.
fn dead(nest: &Nest) -> String {
    let names: Vec<&str> = nest.step.dead.iter().map(|variable| nest.values.text(*variable)).collect();
    if names.is_empty() { "0".into() } else { quote(names.join(", ")) }
}

/// Whether single-precision division and square root must be correctly rounded.
fn needs_exact_float(plan: &NestToWrite<'_>) -> bool {
    plan.fp != FpMode::Fast && plan.nest().exprs.iter().any(|(_, expr)| expr.ty == ScalarType::F32)
}

fn write_fields(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let name = &plan.place.name;
    writer.block_with_end(format_args!("static const stencil_field {name}_fields[] ="), "};", |writer| {
        for (index, field) in plan.recurrences().storage.fields.iter().enumerate() {
            let array = |(array, buffer)| plan.find_array_index(array, buffer).map_or(-1, |index| index as i64);
            let initial: Vec<String> =
                field.initial.iter().map(|initial| initial.map_or(-1, array).to_string()).collect();
            writer.line(format_args!(
                "{{ {}, {}, {}, {}, {}, {{ {} }} }},",
                quote(&field.name),
                field.element.size(),
                plan.subject.layouts[index],
                field.slots,
                i32::from(field.is_written),
                initial.join(", ")
            ));
        }
    });
    writer.line("");
}

/// Writes `NAME_aliases` if there are any.
fn write_aliases(writer: &mut Writer, plan: &NestToWrite<'_>) {
    if plan.aliases.is_empty() {
        return;
    }
    writer.block_with_end(format_args!("static const stencil_alias {}_aliases[] =", plan.place.name), "};", |writer| {
        plan.aliases.iter().for_each(|(a, b)| writer.line(format_args!("{{ {a}, {b} }},")));
    });
    writer.line("");
}

/// The tables of arguments, one for all kernels that take the same.
#[derive(Default)]
struct ArgumentLists {
    /// For each kernel its own name and that of its table.
    names: BTreeMap<String, String>,
    /// The names of the tables by what is in them.
    known: BTreeMap<String, String>,
}

impl ArgumentLists {
    /// The table of a kernel.
    fn name(&self, kernel: &Kernel) -> &str {
        &self.names[&kernel.name]
    }

    /// Writes the table of a kernel unless there is one with the same arguments.
    fn write(&mut self, writer: &mut Writer, plan: &NestToWrite<'_>, kernel: &Kernel) {
        let rows: Vec<String> = kernel.arguments.iter().map(|argument| argument_row(plan, argument.kind)).collect();
        let rows = rows.join(", ");
        let name = self.known.entry(rows.clone()).or_insert_with(|| {
            let name = format!("{}_args", kernel.name);
            writer
                .block_with_end(format_args!("static const stencil_arg {name}[] ="), "};", |writer| writer.line(rows));
            writer.line("");
            name
        });
        self.names.insert(kernel.name.clone(), name.clone());
    }
}

fn argument_row(plan: &NestToWrite<'_>, argument: ArgumentKind) -> String {
    let (kind, a, b) = match argument {
        ArgumentKind::Input { field, slot } => ("INPUT", field, slot),
        ArgumentKind::Output { field, slot } | ArgumentKind::InPlace { field, slot } => ("OUTPUT", field, slot),
        ArgumentKind::Origin { layout } => ("ORIGIN", layout, 0),
        ArgumentKind::Stride { layout, dimension } => ("STRIDE", layout, dimension),
        ArgumentKind::DomainLo { sweep, dimension } => ("DOMAIN_LO", sweep, dimension),
        ArgumentKind::DomainHi { sweep, dimension } => ("DOMAIN_HI", sweep, dimension),
        ArgumentKind::TileLo { dimension } => ("TILE_LO", 0, dimension),
        ArgumentKind::TileHi { dimension } => ("TILE_HI", 0, dimension),
        ArgumentKind::Chunk => ("CHUNK", 0, 0),
        ArgumentKind::WholeParts => ("WHOLE_PARTS", 0, 0),
        ArgumentKind::StreamEnd => ("STREAM_END", 0, 0),
        ArgumentKind::Scalar { .. } | ArgumentKind::Element { .. } => {
            let position = plan.scalars.iter().position(|it| Some(*it) == Scalar::of(argument));
            ("SCALAR", position.expect("scalars of all kernels are collected"), 0)
        }
        ArgumentKind::Step => ("STEP", 0, 0),
        ArgumentKind::Skipped { levels } => ("SKIPPED", levels, 0),
        ArgumentKind::Results => ("RESULTS", 0, 0),
    };
    format!("{{ STENCIL_ARG_{kind}, {a}, {b} }}")
}

fn write_kernel_row(writer: &mut Writer, kernel: &Kernel, arguments: &str) {
    let [x, y, z] = kernel.work_group;
    let list = |values: Vec<i64>| if values.is_empty() { "0".to_owned() } else { join(&values) };
    let (tile, is_cut) = (list(kernel.tile.clone()), list(kernel.is_cut.iter().map(|cut| i64::from(*cut)).collect()));
    let (before, behind) = (join(&kernel.rim.lo.iter().map(|lo| -lo).collect::<Vec<_>>()), join(&kernel.rim.hi));
    writer.line(format_args!(
        "{{ \"{0}\", {1}, {2}, {3}, {{ {x}, {y}, {z} }}, {{ {tile} }}, {{ {is_cut} }}, {{ {before} }}, {{ {behind} }}, {4}, {5}, {6}, {7}, {8}, {arguments} }},",
        kernel.name,
        kernel.levels,
        kernel.sweep,
        kernel.rank.min(3),
        kernel.least_chunk,
        kernel.end_of_stream,
        i32::from(kernel.halves_last),
        i32::from(kernel.leaves == Leaves::Results),
        kernel.arguments.len()
    ));
}

fn join(values: &[i64]) -> String {
    values.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn write_plan_row(writer: &mut Writer, name: &str, number: usize, plan: &PlanKernels) {
    let bytes = plan.kernels.iter().map(Kernel::local_bytes).max().unwrap_or(0);
    let device = plan.device.as_ref().map_or_else(|| "NULL".to_owned(), quote);
    let sizes = if plan.sizes.is_empty() { "NULL".to_owned() } else { format!("{name}_{}_sizes", plan.name) };
    writer.line(format_args!(
        "{{ \"{0}\", {1}, {number}, {bytes}, {{ {2} }}, {{ {3} }}, {4}, {name}_{0}_kernels, {device}, {sizes}, {5}, {6} }},",
        plan.name,
        i32::from(plan.is_gpu),
        join(&plan.margin_lo),
        join(&plan.margin_hi),
        plan.kernels.len(),
        i32::from(plan.kernels.iter().any(Kernel::has_nested_barriers)),
        i32::from(plan.kernels.iter().any(Kernel::has_sub_groups))
    ));
}
