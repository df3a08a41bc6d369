//! The tables of one call, as the host function fills them.

use super::host::{HostScope, write_math, write_steps};
use super::index_arrays::write_index_arrays;
use super::initializer::{Member, flag, initializer, list, write_assignment};
use super::lacking::may_lack_elements;
use super::left::{kind, write_left_variables};
use super::nest::{NestToWrite, Scalar};
use super::ranges::{write_integers, write_range_checks, write_refused_call};
use super::rows::row_name;
use super::rules::{write_counted_steps, write_real, write_values};
use super::signature::{base_name, base_variables, left_name, left_variables, left_variables_of_leg, watched_name};
use crate::ir::{Array, Expr, Handle, HostValue, Nest, Param, ParamValue};
use crate::poly::{Footprint, Names, ResultCells, ResultSlot, StencilResult};
use crate::text::{Writer, quote};

/// Writes what a call notes of itself before it is looked at.
pub fn write_asking(writer: &mut Writer, name: &str) {
    writer.line(format_args!("{name}_turn.quick = &{name}_quick;"));
    writer.line(format_args!("{name}_turn.asking = STENCIL_FRAME;"));
}

/// Writes the answer that the original loops have run, if they have.
pub fn write_has_run(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let name = &plan.place.name;
    let left = left_variables_of_leg(plan.nest(), 0);
    let left: Vec<String> = left.into_iter().map(|variable| left_name(plan.names(), variable)).collect();
    let left = if left.is_empty() { "NULL".to_owned() } else { left.join(", ") };
    writer.line(format_args!("void *const addresses[] = {{{left}}};"));
    writer.line("");
    writer.line(format_args!("if (stencil_has_run(&{name}_nest, &{name}_turn, {name}_turn.asking, addresses))"));
    writer.line("    return 1;");
}

/// Sets the scalars of a call from variables that are called like the host function's parameters.
pub fn write_scalar_values(writer: &mut Writer, plan: &NestToWrite<'_>) {
    write_scalars_of(writer, plan, |_| true);
}

/// The same for those that are wanted alone.
pub fn write_scalars_of(writer: &mut Writer, plan: &NestToWrite<'_>, is_wanted: impl Fn(Handle<Param>) -> bool) {
    let (nest, names) = (plan.nest(), plan.names());
    writer.line("memset(&scalars, 0, sizeof scalars);");
    let scope = HostScope { nest, names, scalars: "scalars." };
    for (handle, param) in nest.params.iter().filter(|(handle, _)| is_wanted(*handle)) {
        let value = match &param.value {
            ParamValue::Variable(_) | ParamValue::IsSet { .. } => names.param(handle).to_string(),
            ParamValue::Expression { value, .. } if has_reals(nest, *value) => {
                write_real(writer, plan, &format!("scalars.{}", names.param(handle)), *value);
                continue;
            }
            ParamValue::Expression { value, .. } => super::expr::write_expr(nest, &scope, *value),
        };
        writer.line(format_args!("scalars.{} = {value};", names.param(handle)));
    }
}

/// Whether a value is a real number, or made of one.
fn has_reals(nest: &Nest, value: Handle<Expr>) -> bool {
    nest.reachable([value]).into_iter().any(|part| nest.exprs[part].ty.is_float())
}

/// Fills the tables of a call; `scalars`, `geometry` and `call` are declared.
pub fn write_tables_of_call(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let name = &plan.place.name;
    write_scalar_values(writer, plan);
    writer.line("memset(&call, 0, sizeof call);");
    write_integers(writer, plan);
    write_steps(writer, plan);
    write_counted_steps(writer, plan);
    write_range_checks(writer, plan);
    write_values(writer, plan);
    write_index_arrays(writer, plan);
    writer.line(format_args!("{name}_geometry(&scalars, &geometry);"));
    if may_lack_elements(plan) {
        writer.line(format_args!("call.lacking = scalars.{} > 0 ? geometry.lacking : NULL;", plan.names().steps()));
        writer.line("if (call.lacking)");
        write_refused_call(writer, plan);
    }
    write_call_tables(writer, plan);
    write_left_variables(writer, plan);
}

/// The arrays, layouts, fields, sweeps, results and scalars of one call.
fn write_call_tables(writer: &mut Writer, plan: &NestToWrite<'_>) {
    writer.line(format_args!("stencil_array arrays[{}];", plan.footprints().len().max(1)));
    writer.line(format_args!("stencil_layout layouts[{}];", plan.layout_ranks().len()));
    writer.line(format_args!("stencil_sweep sweeps[{}];", plan.recurrences().sweeps.sweeps.len()));
    writer.line(format_args!("stencil_result results[{}];", plan.results.len().max(1)));
    writer.line(format_args!("stencil_scalar values[{}];", plan.scalars.len().max(1)));
    // An array that is read only under a condition without a solution has no place in the table.
    let has_place = |variable: &Handle<HostValue>| {
        plan.footprints().iter().any(|f| plan.nest().arrays[f.array].buffers[f.buffer].variable == *variable)
    };
    for variable in base_variables(plan.nest()).iter().filter(|variable| !has_place(variable)) {
        writer.line(format_args!("(void){};", base_name(plan.names(), *variable)));
    }
    for (index, footprint) in plan.footprints().iter().enumerate() {
        write_array(writer, plan, index, footprint);
        if let Some(number) = folded(plan.nest(), footprint.array) {
            writer.line(format_args!("stencil_give_room(recording, {number}, &arrays[{index}]);"));
        }
        if let Some(number) = wheel(plan.nest(), footprint.array) {
            writer.line(format_args!("arrays[{index}].base = recording->given[{number}].values;"));
        }
    }
    for (layout, rank) in plan.layout_ranks().iter().enumerate() {
        let target = format!("layouts[{layout}]");
        write_assignment(writer, &target, "stencil_layout", &[("rank", rank), ("box", &"stencil_empty_box()")]);
        for member in plan.boxes_of_layout(layout) {
            writer.line(format_args!("layouts[{layout}].box = stencil_hull(layouts[{layout}].box, {member}, {rank});"));
        }
    }
    let rank = plan.rank();
    writer.line("call.tiled = stencil_empty_box();");
    for index in 0..plan.recurrences().sweeps.sweeps.len() {
        write_assignment(
            writer,
            &format!("sweeps[{index}]"),
            "stencil_sweep",
            &[
                ("name", &quote(plan.sweep_name(index))),
                ("rank", &plan.subject.sweep_rank(index)),
                ("domain", &format!("geometry.domain[{index}]")),
                ("leg", &leg_of_sweep(plan, index)),
            ],
        );
        if plan.subject.sweep_rank(index) == rank {
            writer.line(format_args!("call.tiled = stencil_hull(call.tiled, geometry.domain[{index}], {rank});"));
        }
    }
    for (index, ResultCells { result, membership, .. }) in plan.results.iter().enumerate() {
        let steps = plan.names().steps();
        let slots = plan.recurrences().storage.fields[result.field].slots;
        let slot = match result.slot {
            ResultSlot::Fixed(slot) => slot.to_string(),
            ResultSlot::EveryStep(_) => "0".to_owned(),
            ResultSlot::AfterSteps(shift) => {
                format!("(int)((scalars.{steps} + {}) % {slots})", shift.rem_euclid(slots as i64))
            }
        };
        let cells = match result.slot {
            ResultSlot::EveryStep(shift) => written_rows(plan, result, shift, index),
            _ => format!("geometry.result[{index}]"),
        };
        let array = plan.array_index(result.array, result.buffer);
        let contains = match membership {
            Some(_) => format!("{}_writes_{index}", plan.place.name),
            None => "NULL".into(),
        };
        write_assignment(
            writer,
            &format!("results[{index}]"),
            "stencil_result",
            &[("array", &array), ("field", &result.field), ("slot", &slot), ("box", &cells), ("contains", &contains)],
        );
    }
    for (index, scalar) in plan.scalars.iter().enumerate() {
        write_scalar(writer, plan, index, *scalar);
    }
    writer.line(format_args!("call.steps = scalars.{};", plan.names().steps()));
    writer.line(format_args!("call.rank = {rank};"));
    let counts = [
        ("call.array_count", plan.footprints().len(), "call.arrays = arrays"),
        ("call.layout_count", plan.layout_ranks().len(), "call.layouts = layouts"),
        ("call.sweep_count", plan.recurrences().sweeps.sweeps.len(), "call.sweeps = sweeps"),
        ("call.result_count", plan.results.len(), "call.results = results"),
        ("call.scalar_count", plan.scalars.len(), "call.scalars = values"),
    ];
    for (member, count, table) in counts {
        writer.line(format_args!("{member} = {count};"));
        writer.line(format_args!("{table};"));
    }
    if !plan.aliases.is_empty() {
        writer.line(format_args!("call.alias_count = {};", plan.aliases.len()));
        writer.line(format_args!("call.aliases = {}_aliases;", plan.place.name));
    }
    write_sizes(writer, plan);
    write_watched(writer, plan.nest(), plan.names());
    write_apart(writer, plan.nest(), plan.names());
    writer.line(format_args!("call.field_count = {};", plan.recurrences().storage.fields.len()));
    writer.line(format_args!("call.fields = {}_fields;", plan.place.name));
    writer.line("call.context = &scalars;");
    writer.line("call.context_size = sizeof scalars;");
}

/// The leg, counted from 0, that computes what a sweep does.
fn leg_of_sweep(plan: &NestToWrite<'_>, index: usize) -> usize {
    let nest = plan.nest();
    let statement = &nest.step.statements[plan.recurrences().sweeps.sweeps[index].statement];
    nest.step.leg_of(&nest.accesses[statement.write].position)
}

/// The box of the rows of a history that are written and exist: a step that stores nothing may be the last one.
fn written_rows(plan: &NestToWrite<'_>, result: &StencilResult, shift: i64, index: usize) -> String {
    let used = format!("geometry.used[{}]", plan.array_index(result.array, result.buffer));
    let last = format!("scalars.{} + {}", plan.names().steps(), shift - 1);
    let first = format!("{used}.lo[0] < {shift} ? {shift} : {used}.lo[0]");
    format!("stencil_with_rows(geometry.result[{index}], {first}, {last} < {used}.hi[0] ? {last} : {used}.hi[0])")
}

/// One row of the call's table of scalars. No element is read before a kernel is launched.
fn write_scalar(writer: &mut Writer, plan: &NestToWrite<'_>, index: usize, scalar: Scalar) {
    let nest = plan.nest();
    let target = format!("values[{index}]");
    let read = match scalar {
        Scalar::Param(param) => {
            let name = plan.names().param(param);
            let (size, value) = (format!("sizeof scalars.{name}"), format!("&scalars.{name}"));
            write_assignment(writer, &target, "stencil_scalar", &[("size", &size), ("value", &value)]);
            return;
        }
        Scalar::Element(read) => &nest.accesses[read],
    };
    let cell: Vec<String> = read.subscripts.iter().map(|it| write_math(nest, plan.names(), *it, "scalars.")).collect();
    writer.block("", |writer| {
        writer.line(format_args!("const long long cell[] = {{ {} }};", cell.join(", ")));
        let array = plan.find_array_index(read.array, 0).map_or("NULL".into(), |array| format!("&arrays[{array}]"));
        let (size, value) = (nest.arrays[read.array].element.size(), format!("stencil_used_element({array}, cell)"));
        write_assignment(writer, &target, "stencil_scalar", &[("size", &size), ("value", &value)]);
    });
}

/// The parameters that choose among plans for different sizes.
fn write_sizes(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let parameters = plan.size_parameters();
    if parameters.is_empty() {
        return;
    }
    let handles = plan.nest().params.handles().filter(|it| parameters.contains(&plan.nest().param_name(*it)));
    let values = handles.map(|handle| format!("(long long)scalars.{}", plan.names().param(handle)));
    let values = values.collect::<Vec<_>>().join(", ");
    writer.line(format_args!("const long long sizes[] = {{ {values} }};"));
    writer.line(format_args!("call.size_count = {};", parameters.len()));
    writer.line("call.sizes = sizes;");
}

/// The variables that no written array may reach into.
fn write_watched(writer: &mut Writer, nest: &Nest, names: &Names) {
    if nest.watched.is_empty() {
        return;
    }
    let rows = nest.watched.iter().map(|(variable, _)| watched_row(nest, names, *variable));
    let rows = rows.collect::<Vec<_>>().join(", ");
    writer.line(format_args!("const stencil_variable variables[] = {{ {rows} }};"));
    writer.line(format_args!("call.variable_count = {};", nest.watched.len()));
    writer.line("call.variables = variables;");
}

/// Pairs of watched variables that must not be one.
fn write_apart(writer: &mut Writer, nest: &Nest, names: &Names) {
    if nest.apart.is_empty() {
        return;
    }
    let rows = nest.apart.iter().flat_map(|(one, other)| [*one, *other]).map(|it| watched_row(nest, names, it));
    let rows = rows.collect::<Vec<_>>().join(", ");
    writer.line(format_args!("const stencil_variable apart[] = {{ {rows} }};"));
    writer.line(format_args!("call.apart_count = {};", nest.apart.len()));
    writer.line("call.apart = apart;");
}

/// A watched variable in a table.
fn watched_row(nest: &Nest, names: &Names, variable: Handle<HostValue>) -> String {
    let ty = nest.watched.iter().find_map(|(it, ty)| (*it == variable).then_some(*ty)).flatten();
    let ty = ty.map_or("void *", |ty| ty.c_name());
    let (text, address) = (nest.values.text(variable), watched_name(nest, names, variable));
    let size = format!("sizeof({ty})");
    let is_left = flag(left_variables(nest).contains(&variable));
    let members: [Member<'_>; 4] =
        [("name", &quote(text)), ("address", &address), ("size", &size), ("is_left", &is_left)];
    initializer("stencil_variable", &members)
}

/// The number of the values that an array holds for the host to fold, if it holds any.
fn folded(nest: &Nest, array: Handle<Array>) -> Option<usize> {
    nest.step.folds.values.iter().position(|it| nest.accesses[it.write].array == array)
}

/// The number of the wheel that an array is, if it is one.
fn wheel(nest: &Nest, array: Handle<Array>) -> Option<usize> {
    nest.step.wheel_of(nest.arrays[array].buffers[0].variable)
}

fn write_array(writer: &mut Writer, plan: &NestToWrite<'_>, index: usize, footprint: &Footprint) {
    let nest = plan.nest();
    let array = &nest.arrays[footprint.array];
    let buffer = &array.buffers[footprint.buffer];
    let math = |expr| write_math(nest, plan.names(), expr, "scalars.");
    let mut shown = nest.values.text(buffer.variable).to_owned();
    if array.buffers.len() > 1 && buffer.offset.is_some() {
        shown += &format!("[{}]", footprint.buffer);
    }
    let unit = if array.has_row_tables() { "sizeof(void *)".to_owned() } else { array.element.size().to_string() };
    let offset = buffer.offset.map_or_else(String::new, |at| format!(" + ({}) * {unit}", math(at)));
    let rows = array.history.iter().map(|history| history.stride);
    let strides: Vec<String> = rows.chain(array.strides.iter().copied()).map(math).collect();
    let tables = array.history.iter().map(|history| history.is_table).chain(array.pointers.iter().copied());
    let room = folded(nest, footprint.array).map_or(0, |number| number + 1);
    let base = match room {
        0 if wheel(nest, footprint.array).is_none() => {
            format!("(char *){}{offset}", base_name(plan.names(), buffer.variable))
        }
        _ => "NULL".to_owned(),
    };
    let is_written = nest.step.statements.iter().any(|s| nest.accesses[s.write].array == footprint.array);
    let reads = |it: &Scalar| matches!(it, Scalar::Element(read) if nest.accesses[*read].array == footprint.array);
    let is_looked_at = plan.scalars.iter().any(reads);
    let stated: Vec<String> = match footprint.is_bounded {
        true => array.extents.iter().flatten().copied().map(math).collect(),
        false => vec!["0".to_owned()],
    };
    let members = array.members;
    write_assignment(
        writer,
        &format!("arrays[{index}]"),
        "stencil_array",
        &[
            ("name", &quote(shown)),
            ("base", &base),
            ("element_size", &array.element.size()),
            ("rank", &strides.len()),
            ("stride", &format!("{{ {} }}", strides.join(", "))),
            ("is_pointer", &list(&tables.map(i64::from).collect::<Vec<_>>())),
            ("is_behind_pointer", &flag(array.is_behind_pointer)),
            ("is_history", &flag(array.history.is_some())),
            ("used", &format!("geometry.used[{index}]")),
            ("row", &row_name(plan, index, footprint)),
            ("context", &if footprint.rows.is_some() { "&scalars" } else { "NULL" }),
            ("spacing", &footprint.spacing),
            ("record", &members.map_or(0, |it| it.bytes)),
            ("record_first", &members.map_or(0, |it| it.start)),
            ("record_end", &members.map_or(0, |it| it.end)),
            ("is_written", &flag(is_written)),
            ("is_assumed", &flag(footprint.is_assumed)),
            ("stated", &format!("{{ {} }}", stated.join(", "))),
            ("is_restrict", &flag(plan.is_apart(buffer.variable))),
            ("is_scratch", &flag(room > 0 || plan.clauses.scratch.contains(&buffer.variable))),
            ("is_looked_at", &flag(is_looked_at)),
            ("room", &room),
            ("kind", &format!("STENCIL_{}", kind(array.element))),
        ],
    );
}

#[cfg(test)]
mod tests {
    use super::super::runtime::members;

    /// What is assigned member by member, in several places, leaves out none.
    #[test]
    fn drivers_fill_all_members_of_a_call() {
        let sources = [
            include_str!("call.rs"),
            include_str!("index_arrays.rs"),
            include_str!("ranges.rs"),
            include_str!("left.rs"),
            include_str!("team.rs"),
        ];
        // Rows of the table of left variables are counted in C.
        let text = sources.concat() + &include_str!("runtime/host.c").replace("->", ".");
        let is_in_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
        let words: Vec<&str> = text.split(|c| !is_in_word(c)).collect();
        for member in members("stencil_call") {
            assert!(words.contains(&format!("call.{member}").as_str()), "nothing sets `{member}`");
        }
    }
}
