//! The constant tables of a rewritten nest: fields, kernels, plans, the nest itself.

use std::collections::BTreeSet;

use super::arguments::ArgumentTables;
use super::initializer::{flag, initializer, list, text_or_null, write_initializer, write_table};
use super::nest::NestToWrite;
use super::opencl::uses_double;
use crate::ir::{Nest, ScalarType};
use crate::kernel::{Division, Kernel, PlanKernels, Role, Tiles};
use crate::model::{CallCost, Pace, TileStorage};
use crate::options::{DeviceKindName, FpMode};
use crate::poly::{Field, Rows};
use crate::text::{Writer, quote};
use crate::tile::{Leaves, farthest_reads, slots_kept};
use crate::valid::note_inexact_functions;

/// Writes `NAME_fields` and `NAME_nest` with what they refer to.
pub fn write_tables(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let name = &plan.place.name;
    write_fields(writer, plan);
    write_aliases(writer, plan);
    let mut arguments = ArgumentTables::default();
    for kernels in &plan.plans {
        for texts in kernels.texts() {
            arguments.write(writer, plan, &texts[0]);
        }
        let rows = kernels.kernels.iter().map(|kernel| kernel_row(kernels, kernel, &arguments));
        write_rows(writer, "stencil_kernel", &format!("{name}_{}_kernels", kernels.name), rows);
    }
    let parameters = plan.size_parameters();
    for kernels in plan.plans.iter().filter(|kernels| !kernels.sizes.is_empty()) {
        let size = |parameter: &&str| kernels.sizes.get(*parameter).unwrap_or(&0).to_string();
        let sizes = parameters.iter().map(size).collect::<Vec<_>>().join(", ");
        writer.line(format_args!("/* {} */", parameters.join(", ")));
        writer.line(format_args!("static const long long {name}_{}_sizes[] = {{ {sizes} }};", kernels.name));
        writer.line("");
    }
    let rows = plan.plans.iter().enumerate().map(|(number, kernels)| plan_row(name, number, kernels));
    write_rows(writer, "stencil_plan", &format!("{name}_plans"), rows);
    write_estimate(writer, plan);
    write_nest_row(writer, plan);
    writer.line("");
}

/// Writes a table if it has any rows.
fn write_rows(writer: &mut Writer, structure: &str, name: &str, rows: impl Iterator<Item = String>) {
    let rows: Vec<String> = rows.collect();
    if !rows.is_empty() {
        write_table(writer, format_args!("static const {structure} {name}[]"), &rows);
        writer.line("");
    }
}

fn write_nest_row(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let name = &plan.place.name;
    let reach = plan.is_recorded().then(|| farthest_reads(plan.recurrences())).flatten();
    let kept = if reach.is_some() { slots_kept(plan.recurrences()) } else { BTreeSet::new() };
    let kept_row = |(field, slot): &(usize, usize)| initializer("stencil_kept", &[("field", field), ("slot", slot)]);
    write_rows(writer, "stencil_kept", &format!("{name}_kept"), kept.iter().map(kept_row));
    write_initializer(
        writer,
        &format!("{name}_nest"),
        "stencil_nest",
        &[
            ("name", &quote(name)),
            ("where", &quote(&plan.place.location)),
            ("source", &"stencil_source"),
            ("source_lines", &"sizeof stencil_source / sizeof *stencil_source"),
            ("number", &plan.place.number),
            ("build_options", &quote(build_options(plan.fp))),
            ("needs_fp64", &flag(uses_double(plan.nest()))),
            ("needs_exact_float", &flag(needs_exact_float(plan))),
            ("no_fallback", &flag(plan.no_fallback)),
            ("plan_count", &plan.plans.len()),
            ("plans", &format!("{name}_plans")),
            ("has_reach", &flag(reach.is_some())),
            ("reach", &list(&reach.unwrap_or_default())),
            ("kept_count", &kept.len()),
            ("kept", &if kept.is_empty() { "NULL".to_owned() } else { format!("{name}_kept") }),
            ("last_single_steps", &plan.last_single_steps()),
            ("roundings", &roundings(plan)),
            ("dead", &dead(plan.nest())),
            ("kernels_for", &text_or_null(plan.kernels_for.map(DeviceKindName::name))),
            ("estimate", &format!("&{name}_estimate")),
        ],
    );
}

/// What the model expects of a call, and where the program keeps what it learns.
fn write_estimate(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let (name, nest, recurrences) = (&plan.place.name, plan.nest(), plan.recurrences());
    let cost = CallCost::new(nest, recurrences, plan.results.iter().map(|cells| cells.result.field));
    writer.line(format_args!("static stencil_account {name}_account;"));
    let CallCost { host_seconds, bytes_up, bytes_down, row_bytes_up, row_bytes_down, rows } = cost;
    let speed = |kind| {
        let Pace { step_seconds, tile_seconds, levels } = Pace::new(plan.choices, kind, nest, recurrences, plan.fp);
        let seconds = |seconds: f64| format!("{seconds:.3e}");
        initializer(
            "stencil_speed",
            &[("step_seconds", &seconds(step_seconds)), ("tile_seconds", &seconds(tile_seconds)), ("levels", &levels)],
        )
    };
    write_initializer(
        writer,
        &format!("{name}_estimate"),
        "stencil_estimate",
        &[
            ("host_seconds", &format!("{host_seconds:.3e}")),
            ("bytes_up", &bytes_up),
            ("bytes_down", &bytes_down),
            ("row_bytes_up", &row_bytes_up),
            ("row_bytes_down", &row_bytes_down),
            ("rows", &rows),
            ("cpu", &speed(DeviceKindName::Cpu)),
            ("gpu", &speed(DeviceKindName::Gpu)),
            ("account", &format!("&{name}_account")),
        ],
    );
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
    if names.is_empty() { "NULL".into() } else { quote(names.join(", ")) }
}

/// Whether single-precision division and square root must be correctly rounded.
fn needs_exact_float(plan: &NestToWrite<'_>) -> bool {
    plan.fp != FpMode::Fast && plan.nest().exprs.iter().any(|(_, expr)| expr.ty == ScalarType::F32)
}

fn write_fields(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let rows = plan.recurrences().storage.fields.iter().enumerate().map(|(index, field)| {
        let array = |(array, buffer)| plan.find_array_index(array, buffer).map_or(-1, |index| index as i64);
        let initial: Vec<i64> = field.initial.iter().map(|initial| initial.map_or(-1, array)).collect();
        initializer(
            "stencil_field",
            &[
                ("name", &quote(&field.name)),
                ("element_size", &field.element.size()),
                ("layout", &plan.subject.layouts[index]),
                ("slots", &if field.is_history() { 0 } else { field.slots }),
                ("is_written", &flag(field.is_written)),
                ("initial", &list(if field.is_history() { &[] } else { &initial })),
                ("span", &field.rows.map_or(0, |rows| rows.span)),
                ("history", &if field.is_history() { array((field.arrays[0], 0)) } else { 0 }),
                ("held", &field.rows.map_or(0, |rows| held(field, rows))),
            ],
        )
    });
    write_rows(writer, "stencil_field", &format!("{}_fields", plan.place.name), rows);
}

/// How many rows of a history matter at first; -1: all.
fn held(field: &Field, rows: Rows) -> i64 {
    match field.initial[0] {
        None => 0,
        Some(_) if rows.keeps_contents => -1,
        Some(_) => rows.span as i64 - 1,
    }
}

fn write_aliases(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let row = |(a, b): &(usize, usize)| initializer("stencil_alias", &[("a", a), ("b", b)]);
    let rows = plan.aliases.iter().map(row);
    write_rows(writer, "stencil_alias", &format!("{}_aliases", plan.place.name), rows);
}

/// How the host divides dimension 0 into tiles: the way, the least extent, cells of tiles at the ends, whether the last is
/// halved.
fn division(tiles: Option<&Tiles>) -> (&'static str, i64, i64, bool) {
    match tiles.map(|tiles| tiles.division) {
        Some(Division::Core) | None => ("0", 0, 0, false), // STENCIL_EQUAL_TILES
        Some(Division::Shortened { least }) => ("STENCIL_SHORT_TILES", least, 0, false),
        Some(Division::Ends { cells, halves_last }) => ("STENCIL_END_TILES", 0, cells, halves_last),
    }
}

/// Whether only CPUs may run a kernel. NVIDIA's compiler makes right PTX of the loops of tiles of rows, as an interpreter of it
/// shows, but machine code that gives wrong results unless it is told not to optimise.
fn is_for_cpus(plan: &PlanKernels, kernel: &Kernel) -> bool {
    kernel.tiles().is_some() && plan.storage == TileStorage::RowWindows
}

fn kernel_row(plan: &PlanKernels, kernel: &Kernel, arguments: &ArgumentTables) -> String {
    let tables = arguments.of(kernel);
    let tiles = kernel.tiles();
    let of_tiles = |of: fn(&Tiles) -> Vec<i64>| list(&tiles.map_or_else(Vec::new, of));
    let sweep = if let Role::Sweep(sweep) = kernel.role { sweep } else { 0 };
    let (division, least_chunk, end_of_stream, halves_last) = division(tiles);
    initializer(
        "stencil_kernel",
        &[
            ("name", &quote(&kernel.name)),
            ("levels", &tiles.map_or(0, |tiles| tiles.levels)),
            ("sweep", &sweep),
            ("rank", &kernel.rank.min(3)),
            ("work_group", &list(&kernel.work_group.map(i64::from))),
            ("tile", &of_tiles(|tiles| tiles.core.clone())),
            ("is_cut", &of_tiles(|tiles| tiles.is_cut.iter().map(|cut| i64::from(*cut)).collect())),
            ("rim_lo", &of_tiles(|tiles| tiles.rim.lo.iter().map(|lo| -lo).collect())),
            ("rim_hi", &of_tiles(|tiles| tiles.rim.hi.clone())),
            ("division", &division),
            ("least_chunk", &least_chunk),
            ("end_of_stream", &end_of_stream),
            ("halves_last", &flag(halves_last)),
            ("is_for_cpus", &flag(is_for_cpus(plan, kernel))),
            ("leaves_results", &flag(tiles.is_some_and(|tiles| tiles.leaves == Leaves::Results))),
            ("folds", &flag(tiles.is_some_and(|tiles| tiles.leaves == Leaves::Folds))),
            ("arg_count", &kernel.arguments.len()),
            ("args", &tables.args),
            ("swap_count", &tables.swap_count),
            ("swaps", &tables.swaps),
        ],
    )
}

fn plan_row(name: &str, number: usize, plan: &PlanKernels) -> String {
    let sizes = if plan.sizes.is_empty() { "NULL".to_owned() } else { format!("{name}_{}_sizes", plan.name) };
    initializer(
        "stencil_plan",
        &[
            ("name", &quote(&plan.name)),
            ("is_gpu", &flag(plan.is_gpu)),
            ("number", &number),
            ("local_bytes", &plan.kernels.iter().map(Kernel::local_bytes).max().unwrap_or(0)),
            ("margin_lo", &list(&plan.margin_lo)),
            ("margin_hi", &list(&plan.margin_hi)),
            ("kernel_count", &plan.kernels.len()),
            ("kernels", &format!("{name}_{}_kernels", plan.name)),
            ("device", &text_or_null(plan.device.as_deref())),
            ("sizes", &sizes),
            ("has_nested_barriers", &flag(plan.kernels.iter().any(Kernel::has_nested_barriers))),
            ("has_sub_groups", &flag(plan.kernels.iter().any(Kernel::has_sub_groups))),
        ],
    )
}
