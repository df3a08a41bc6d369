//! The marked nest: pragma, time loop, sweeps, copies and exchanges of pointers.

use super::super::model::{Base, Bound, Form, Item, Loop, Program, Statement, Sweep, TimeForm};
use super::expr::{write_condition, write_expr, write_reference};
use super::text::Text;
use super::{FIELDS, PLACES, SIZES, declare_rows, element_count, extents, rotated_fields};

/// Declarations before the nest, the nest, and prints of what outlives it besides arrays.
pub fn write_nest(text: &mut Text, program: &Program) {
    for field in rotated_fields(program) {
        text.line(format!("const void *{0}_start = {0};", FIELDS[field]));
    }
    if program.setting.declares_before {
        declare_loop_variables(text, program);
    }
    text.directive(&format!("#pragma stencil{}", write_clauses(program)));
    match program.time {
        Some(form) => {
            text.open(time_loop(form, program.setting.declares_before));
            program.items.iter().for_each(|item| write_item(text, program, item));
            text.close();
        }
        None => program.items.iter().for_each(|item| write_item(text, program, item)),
    }
    write_survivors(text, program);
}

fn declare_loop_variables(text: &mut Text, program: &Program) {
    // Values that no loop gives them, so that a loop that is not executed shows.
    let variables = used_axes(program).into_iter().map(|axis| format!("{} = {}", PLACES[axis], 90 + axis));
    text.line(format!("{} {};", program.setting.index.name(), variables.collect::<Vec<_>>().join(", ")));
    if program.time.is_some() {
        text.line("int t = -9;".to_string());
    }
}

/// The axes over which some loop runs.
fn used_axes(program: &Program) -> Vec<usize> {
    (0..program.rank).filter(|axis| program.sweeps().any(|sweep| sweep.loops.iter().any(|l| l.axis == *axis))).collect()
}

fn write_clauses(program: &Program) -> String {
    if !program.setting.states_extents {
        return String::new();
    }
    let unbounded =
        program.fields.iter().enumerate().filter(|(_, field)| {
            field.form.is_pointer() || field.form == Form::Variable && program.setting.is_function
        });
    let clauses = unbounded.map(|(index, field)| {
        let ranges: String = extents(field).iter().map(|extent| format!("[0:{extent}]")).collect();
        format!(" extent({}{ranges})", FIELDS[index])
    });
    clauses.collect()
}

fn write_survivors(text: &mut Text, program: &Program) {
    if program.setting.declares_before {
        for axis in used_axes(program) {
            text.line(format!("printf(\"{0} = %ld\\n\", (long){0});", PLACES[axis]));
        }
        if program.time.is_some() {
            text.line("printf(\"t = %d\\n\", t);".to_string());
        }
    }
    let fields = rotated_fields(program);
    for field in &fields {
        for start in &fields {
            let (field, start) = (FIELDS[*field], FIELDS[*start]);
            text.line(format!("printf(\"%d\", (const void *){field} == {start}_start);"));
        }
        text.line("printf(\"\\n\");".to_string());
    }
}

fn time_loop(form: TimeForm, declares_before: bool) -> String {
    let kind = if declares_before { "" } else { "int " };
    match form {
        TimeForm::Up => format!("for ({kind}t = 0; t < steps; t++)"),
        TimeForm::FromOne => format!("for ({kind}t = 1; t <= steps; ++t)"),
        TimeForm::Down => format!("for ({kind}t = steps; t > 0; t--)"),
        TimeForm::Twos => format!("for ({kind}t = 0; t < 2 * steps; t += 2)"),
        TimeForm::NotEqual => format!("for ({kind}t = 0; t != steps; ++t)"),
    }
}

fn write_item(text: &mut Text, program: &Program, item: &Item) {
    match item {
        Item::Sweep(sweep) => write_sweep(text, program, sweep),
        Item::Copy { to, from } => {
            let field = &program.fields[*to];
            let bytes = match field.form {
                Form::Fixed => format!("sizeof {}", FIELDS[*to]),
                _ => format!("{} * sizeof({})", element_count(field), field.element.names().0),
            };
            text.line(format!("memcpy({}, {}, {bytes});", FIELDS[*to], FIELDS[*from]));
        }
        Item::Rotate(fields) => write_rotation(text, program, fields),
    }
}

fn write_rotation(text: &mut Text, program: &Program, fields: &[usize]) {
    let first = &program.fields[fields[0]];
    let temporary = format!("{}_kept", FIELDS[fields[0]]);
    let declaration = if first.form.is_flat() {
        format!("{} *{temporary}", first.element.names().0)
    } else {
        declare_rows(first, &temporary)
    };
    text.line(format!("{declaration} = {};", FIELDS[fields[0]]));
    for pair in fields.windows(2) {
        text.line(format!("{} = {};", FIELDS[pair[0]], FIELDS[pair[1]]));
    }
    text.line(format!("{} = {temporary};", FIELDS[fields[fields.len() - 1]]));
}

fn write_sweep(text: &mut Text, program: &Program, sweep: &Sweep) {
    if let Some((modulus, remainder)) = sweep.step_guard {
        text.open(format!("if (t % {modulus} == {remainder})"));
    }
    let is_bare = program.setting.omits_braces && is_one_statement(program, sweep);
    for space_loop in &sweep.loops {
        let head = write_loop(program, space_loop);
        if is_bare { text.open_bare(head) } else { text.open(head) }
    }
    for (index, statement) in sweep.statements.iter().enumerate() {
        write_statement(text, program, statement, index);
    }
    for _ in &sweep.loops {
        if is_bare { text.close_bare() } else { text.close() }
    }
    if sweep.step_guard.is_some() {
        text.close();
    }
}

fn is_one_statement(program: &Program, sweep: &Sweep) -> bool {
    let uses_local = sweep.statements.iter().any(|statement| statement.through_local);
    // A border of no loops inside no time loop would be a nest of no loop.
    !uses_local && sweep.statements.len() == 1 && program.time.is_some()
}

fn write_statement(text: &mut Text, program: &Program, statement: &Statement, index: usize) {
    let target = write_reference(program, &statement.target);
    let assign = statement.assign.symbol();
    let mut value = write_expr(program, &statement.value);
    if statement.through_local {
        let element = program.fields[statement.target.field].element;
        text.line(format!("{} value{index} = {value};", element.names().0));
        value = format!("value{index}");
    }
    let Some(guard) = &statement.guard else {
        text.line(format!("{target} {assign} {value};"));
        return;
    };
    text.open_bare(format!("if ({})", write_condition(program, guard)));
    text.line(format!("{target} {assign} {value};"));
    text.close_bare();
    if let Some(otherwise) = &statement.otherwise {
        text.open_bare("else".to_string());
        text.line(format!("{target} {assign} {};", write_expr(program, otherwise)));
        text.close_bare();
    }
}

/// `for (int i = 1; i < n - 1; i++)` in one of its spellings.
fn write_loop(program: &Program, space_loop: &Loop) -> String {
    let (setting, v) = (program.setting, PLACES[space_loop.axis]);
    let low = write_bound(space_loop.axis, space_loop.low);
    let high = write_bound(space_loop.axis, space_loop.high);
    let is_plain = !space_loop.is_descending && space_loop.stride == 1;
    if setting.uses_loop_macro && is_plain && setting.index.is_signed() {
        return format!("LOOP({v}, {low}, {high})");
    }
    let kind = if setting.declares_before { String::new() } else { format!("{} ", setting.index.name()) };
    if space_loop.is_descending {
        return format!(
            "for ({kind}{v} = {}; {}; {})",
            last(space_loop),
            descending_end(space_loop),
            decrement(space_loop)
        );
    }
    let end = ascending_end(program, space_loop);
    format!("for ({kind}{v} = {low}; {end}; {})", increment(space_loop))
}

/// The last place, where a descending loop starts.
fn last(space_loop: &Loop) -> String {
    write_bound(space_loop.axis, Bound { offset: space_loop.high.offset - 1, ..space_loop.high })
}

fn ascending_end(program: &Program, space_loop: &Loop) -> String {
    let (v, axis, high) = (PLACES[space_loop.axis], space_loop.axis, space_loop.high);
    let bound = write_bound(axis, high);
    if !program.setting.index.is_signed() && high.offset < 0 {
        // `n - 1` would wrap for the smallest sizes.
        return format!("{v} + {} < {}", -high.offset, write_bound(axis, Bound { offset: 0, ..high }));
    }
    match space_loop.spelling % 5 {
        1 if program.setting.index.is_signed() => format!("{v} <= {}", last(space_loop)),
        2 => format!("{bound} > {v}"),
        3 if never_runs_backwards(program, space_loop) => format!("{v} != {bound}"),
        4 if high.offset < 0 => format!("{v} + {} < {}", -high.offset, write_bound(axis, Bound { offset: 0, ..high })),
        _ => format!("{v} < {bound}"),
    }
}

fn descending_end(space_loop: &Loop) -> String {
    let (v, axis, low) = (PLACES[space_loop.axis], space_loop.axis, space_loop.low);
    match space_loop.spelling % 3 {
        1 => format!("{v} > {}", write_bound(axis, Bound { offset: low.offset - 1, ..low })),
        2 => format!("{} <= {v}", write_bound(axis, low)),
        _ => format!("{v} >= {}", write_bound(axis, low)),
    }
}

/// Whether `!=` ends the loop in all runs.
fn never_runs_backwards(program: &Program, space_loop: &Loop) -> bool {
    let value = |bound: Bound, run: usize| bound.value(space_loop.axis, &program.runs[run].sizes);
    space_loop.stride == 1
        && (0..program.runs.len()).all(|run| value(space_loop.low, run) <= value(space_loop.high, run))
}

fn increment(space_loop: &Loop) -> String {
    let (v, stride) = (PLACES[space_loop.axis], space_loop.stride);
    match (stride, space_loop.spelling / 8 % 4) {
        (1, 0) => format!("{v}++"),
        (1, 1) => format!("++{v}"),
        (_, 2) => format!("{v} = {v} + {stride}"),
        _ => format!("{v} += {stride}"),
    }
}

fn decrement(space_loop: &Loop) -> String {
    let (v, stride) = (PLACES[space_loop.axis], space_loop.stride);
    match (stride, space_loop.spelling / 8 % 4) {
        (1, 0) => format!("{v}--"),
        (1, 1) => format!("--{v}"),
        (_, 2) => format!("{v} = {v} - {stride}"),
        _ => format!("{v} -= {stride}"),
    }
}

/// `n / 2 + 1`
pub fn write_bound(axis: usize, bound: Bound) -> String {
    let base = match bound.base {
        Base::Zero => return bound.offset.to_string(),
        Base::Half => format!("{} / 2", SIZES[axis]),
        Base::Size => SIZES[axis].to_string(),
    };
    match bound.offset {
        0 => base,
        offset if offset < 0 => format!("{base} - {}", -offset),
        offset => format!("{base} + {offset}"),
    }
}
