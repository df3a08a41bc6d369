//! Prints a program as C, in the form of a case of `accept`.

mod expr;
mod nest;
mod text;

use text::Text;

use super::model::{Field, Form, Index, Item, Program, Run, Scalar, Values};

/// Names by number: fields, `n` of each axis, loop variables and scalars.
const FIELDS: [&str; 12] = ["a", "b", "c", "d", "e", "f", "g", "h", "u", "v", "w", "z"];
const SIZES: [&str; 4] = ["n", "m", "p", "q"];
const PLACES: [&str; 4] = ["i", "j", "k", "l"];
const SCALARS: [&str; 4] = ["alpha", "beta", "omega", "kappa"];

/// The whole source; `title` says what the case is about.
pub fn write_program(program: &Program, title: &str) -> String {
    let mut text = Text::default();
    write_head(&mut text, program, title);
    write_globals(&mut text, program);
    if program.setting.is_function {
        write_function(&mut text, program);
    }
    write_main(&mut text, program);
    text.finish()
}

fn write_head(text: &mut Text, program: &Program, title: &str) {
    text.line(format!("// {title}"));
    let runs: Vec<String> = program.runs.iter().map(write_arguments).collect();
    text.line(format!("// args: {}", runs.join(" ; ")));
    // Mixed types are part of what is tested, and not every nest needs every size.
    // gcc takes sizes of arrays of variable length for negative ones where a loop before them is unrolled, and
    // subscripts for wrong ones where a condition that holds nowhere guards them.
    let flags = "-Wno-sign-compare -Wno-absolute-value -Wno-type-limits -Wno-unused-parameter -Wno-vla-larger-than \
                 -Wno-alloc-size-larger-than -Wno-array-bounds";
    text.line(format!("// cflags: {flags}"));
    text.line("#include \"memory.h\"".to_string());
    text.blank();
}

fn write_arguments(run: &Run) -> String {
    let numbers = run.sizes.iter().chain([&run.steps]);
    numbers.map(i64::to_string).collect::<Vec<_>>().join(" ")
}

fn write_globals(text: &mut Text, program: &Program) {
    if program.setting.uses_loop_macro {
        let kind = if program.setting.declares_before { "" } else { program.setting.index.name() };
        text.line(format!("#define LOOP(x, low, high) for ({kind} x = (low); x < (high); x++)"));
    }
    if program.fields.iter().any(|field| field.form == Form::Fixed) {
        for (axis, size) in SIZES[..program.rank].iter().enumerate() {
            text.line(format!("#define MAX_{} {}", size.to_uppercase(), program.largest(axis)));
        }
    }
    for (index, field) in program.fields.iter().enumerate() {
        match field.form {
            Form::Fixed => text.line(format!("static {};", declare_array(program, index))),
            Form::GlobalFlat => text.line(format!("static {} *{};", field.element.names().0, FIELDS[index])),
            _ => {}
        }
    }
    for (index, scalar) in program.scalars.iter().enumerate().filter(|(_, scalar)| scalar.is_global) {
        text.line(format!("static {} = {};", declare_scalar(index, scalar), scalar_value(scalar)));
    }
    text.blank();
}

fn declare_scalar(index: usize, scalar: &Scalar) -> String {
    format!("{} {}", scalar.element.names().0, SCALARS[index])
}

fn scalar_value(scalar: &Scalar) -> String {
    let tenths = scalar.tenths;
    if scalar.element.is_real() { format!("{tenths} / 10.0") } else { (tenths / 10).to_string() }
}

/// `double a[n][m]`, with constant sizes for arrays of constant size.
fn declare_array(program: &Program, index: usize) -> String {
    let field = &program.fields[index];
    let dims: String = extents(field).iter().map(|extent| format!("[{extent}]")).collect();
    format!("{} {}{dims}", field.element.names().0, FIELDS[index])
}

/// `double (*a)[m]`, or `double **a`
fn declare_rows(field: &Field, name: &str) -> String {
    if field.form == Form::Tables {
        return format!("{} {}{name}", field.element.names().0, "*".repeat(extents(field).len()));
    }
    let inner: String = extents(field)[1..].iter().map(|extent| format!("[{extent}]")).collect();
    let element = field.element.names().0;
    if inner.is_empty() { format!("{element} *{name}") } else { format!("{element} (*{name}){inner}") }
}

/// `(double (*)[m])a_memory`, or tables of the rows in `a_memory`
fn rows_in_memory(field: &Field, name: &str) -> String {
    if field.form != Form::Tables {
        return format!("({}){name}_memory", declare_rows(field, ""));
    }
    let (extents, element) = (extents(field), field.element.names().0);
    let sizes: Vec<String> = extents.iter().map(|extent| format!("(size_t)({extent})")).collect();
    let count = extents.len();
    format!("new_tables({name}_memory, {count}, (const size_t[]){{{}}}, sizeof({element}))", sizes.join(", "))
}

/// The texts of a field's extents, slots first.
fn extents(field: &Field) -> Vec<String> {
    let slots = (field.slots > 1).then(|| field.slots.to_string());
    let dims = field.dims.iter().map(|dim| {
        let name = SIZES[dim.axis];
        let name = if field.form == Form::Fixed { format!("MAX_{}", name.to_uppercase()) } else { name.to_string() };
        let scaled = if dim.scale == 1 { name } else { format!("{} * {name}", dim.scale) };
        if dim.extra == 0 { scaled } else { format!("{scaled} + {}", dim.extra) }
    });
    slots.into_iter().chain(dims).collect()
}

/// `(size_t)2 * (n) * (m + 1)`
fn element_count(field: &Field) -> String {
    let factors: Vec<String> = extents(field).iter().map(|extent| format!("({extent})")).collect();
    format!("(size_t){}", factors.join(" * "))
}

fn write_function(text: &mut Text, program: &Program) {
    let index = program.setting.index.name();
    let mut parameters: Vec<String> = (0..program.rank).map(|axis| format!("{index} {}", SIZES[axis])).collect();
    parameters.push("int steps".to_string());
    for (number, scalar) in program.scalars.iter().enumerate().filter(|(_, scalar)| !scalar.is_global) {
        parameters.push(declare_scalar(number, scalar));
    }
    for (number, field) in program.fields.iter().enumerate() {
        match field.form {
            Form::Flat => parameters.push(format!("{} *{}", field.element.names().0, FIELDS[number])),
            Form::Rows | Form::Tables => parameters.push(declare_rows(field, FIELDS[number])),
            Form::Variable => parameters.push(declare_array(program, number)),
            Form::Fixed | Form::GlobalFlat => {}
        }
    }
    text.open(format!("static void advance({})", parameters.join(", ")));
    nest::write_nest(text, program);
    text.close();
    text.blank();
}

fn write_main(text: &mut Text, program: &Program) {
    text.open("int main(int argc, char **argv)".to_string());
    write_sizes(text, program);
    for (index, scalar) in program.scalars.iter().enumerate().filter(|(_, scalar)| !scalar.is_global) {
        text.line(format!("{} = {};", declare_scalar(index, scalar), scalar_value(scalar)));
    }
    for index in 0..program.fields.len() {
        write_memory(text, program, index);
    }
    if program.setting.is_function {
        text.line(format!("advance({});", call_arguments(program).join(", ")));
    } else {
        nest::write_nest(text, program);
    }
    for index in 0..program.fields.len() {
        write_output(text, program, index);
    }
    text.line("return 0;".to_string());
    text.close();
}

fn write_sizes(text: &mut Text, program: &Program) {
    let index = program.setting.index;
    for (axis, size) in SIZES[..program.rank].iter().enumerate() {
        let cast = if index == Index::Int { String::new() } else { format!("({})", index.name()) };
        let number = axis + 1;
        text.line(format!("{} {size} = {cast}argument(argc, argv, {number}, 9);", index.name()));
    }
    text.line(format!("int steps = argument(argc, argv, {}, 5);", program.rank + 1));
    // Not every nest needs every one of them.
    let names: Vec<String> = SIZES[..program.rank].iter().map(|name| format!("(void){name};")).collect();
    text.line(format!("{} (void)steps;", names.join(" ")));
}

/// Whether the array is a true array in `main`; all others are reached by pointers to guarded memory.
fn is_local_array(program: &Program, field: &Field) -> bool {
    field.form == Form::Variable && !program.setting.is_function
}

fn write_memory(text: &mut Text, program: &Program, index: usize) {
    let field = &program.fields[index];
    let (name, (element, suffix)) = (FIELDS[index], field.element.names());
    let count = element_count(field);
    let values = if field.values == Values::Special { "SPECIAL" } else { "NOISE" };
    let seed = index + 1;
    if is_local_array(program, field) {
        text.line(format!("{};", declare_array(program, index)));
    }
    if is_local_array(program, field) || field.form == Form::Fixed {
        text.line(format!("fill_memory_{suffix}(({element} *){name}, {count}, {seed}, {values});"));
        return;
    }
    text.line(format!("{element} *{name}_memory = new_memory_{suffix}({count}, {seed}, {values});"));
    match field.form {
        Form::GlobalFlat => text.line(format!("{name} = {name}_memory;")),
        Form::Flat if !program.setting.is_function => text.line(format!("{element} *{name} = {name}_memory;")),
        Form::Rows | Form::Tables if !program.setting.is_function => {
            text.line(format!("{} = {};", declare_rows(field, name), rows_in_memory(field, name)));
        }
        _ => {}
    }
}

fn call_arguments(program: &Program) -> Vec<String> {
    let sizes = SIZES[..program.rank].iter().map(ToString::to_string).chain(["steps".to_string()]);
    let scalars = program.scalars.iter().enumerate().filter(|(_, scalar)| !scalar.is_global);
    let scalars = scalars.map(|(index, _)| SCALARS[index].to_string());
    let fields = program.fields.iter().enumerate().filter(|(_, field)| !field.form.is_global());
    let fields = fields.map(|(index, field)| {
        if field.form.is_flat() { format!("{}_memory", FIELDS[index]) } else { rows_in_memory(field, FIELDS[index]) }
    });
    sizes.chain(scalars).chain(fields).collect()
}

fn write_output(text: &mut Text, program: &Program, index: usize) {
    let field = &program.fields[index];
    let (name, (element, suffix)) = (FIELDS[index], field.element.names());
    let count = element_count(field);
    if is_local_array(program, field) || field.form == Form::Fixed {
        text.line(format!("show_memory_{suffix}(\"{name}\", ({element} *){name}, {count});"));
    } else {
        text.line(format!("show_guarded_{suffix}(\"{name}\", {name}_memory, {count});"));
    }
}

/// The fields whose pointers change places.
fn rotated_fields(program: &Program) -> Vec<usize> {
    let mut fields: Vec<usize> = program
        .items
        .iter()
        .flat_map(|item| if let Item::Rotate(fields) = item { fields.clone() } else { Vec::new() })
        .collect();
    fields.sort_unstable();
    fields.dedup();
    fields
}
