//! `main`: sizes, memory and its contents before and after the nest.

use super::super::folds::FoldPlace;
use super::super::model::{Field, Form, Host, Index, Values};
use super::super::ways::Sizes;
use super::folds::{declare_folds, pointer_parameters, set_members, show_folds};
use super::globals::{declare_scalar, scalar_value};
use super::routines::{scalar_parameters, size_parameters, structure_parameter};
use super::scope::{Scope, is_member, is_member_scalar};
use super::text::Text;
use super::totals::{length_of, measured_length, sums_of_variable_length};
use super::{FIELDS, SIZES, nest};

/// The function of the nest, if it is not in `main`.
pub fn write_function(text: &mut Text, main: &Scope) {
    let (program, inner) = (main.program, main.nest_function());
    let mut parameters = structure_parameter(main, &inner, false);
    parameters.extend(size_parameters(main));
    let mut declarations: Vec<String> = parameters.into_iter().map(|parameter| parameter.declaration).collect();
    declarations.push("int steps".to_string());
    declarations.extend(scalar_parameters(program).into_iter().map(|parameter| parameter.declaration));
    declarations.extend(pointer_parameters(program).into_iter().map(|parameter| parameter.declaration));
    let fields = program.arrays().into_iter().filter(|field| is_argument(main, *field));
    declarations.extend(fields.map(|field| inner.declare(field, FIELDS[field])));
    text.blank();
    text.open(format!("static void advance({})", declarations.join(", ")));
    nest::write_nest(text, &inner);
    text.close();
}

/// Whether the function of the nest gets the field as an argument.
fn is_argument(main: &Scope, field: usize) -> bool {
    !main.program.fields[field].form.is_global() && !is_member(main.program, field)
}

fn call_arguments(main: &Scope) -> Vec<String> {
    let program = main.program;
    let mut parameters = structure_parameter(main, &main.callee(false), false);
    parameters.extend(size_parameters(main));
    let mut arguments: Vec<String> = parameters.into_iter().map(|parameter| parameter.argument).collect();
    arguments.push("steps".to_string());
    arguments.extend(scalar_parameters(program).into_iter().map(|parameter| parameter.argument));
    arguments.extend(pointer_parameters(program).into_iter().map(|parameter| parameter.argument));
    let fields = program.arrays().into_iter().filter(|field| is_argument(main, *field));
    arguments.extend(fields.map(|field| pointer_to_memory(main, field)));
    arguments
}

pub fn write_main(text: &mut Text, main: &Scope) {
    let program = main.program;
    text.blank();
    text.open("int main(int argc, char **argv)".to_string());
    if program.setting.structure.is_some() {
        text.line("struct grid grid = {0};".to_string());
    }
    write_sizes(text, main);
    for total in sums_of_variable_length(program) {
        if let (Some(name), Some(value)) = (length_of(total), measured_length(main, total)) {
            text.line(format!("{name} = {value};"));
        }
    }
    for (index, scalar) in program.scalars.iter().enumerate().filter(|(_, scalar)| !scalar.is_global) {
        let target = if is_member_scalar(program, index) { main.scalar(index) } else { declare_scalar(index, scalar) };
        text.line(format!("{target} = {};", scalar_value(scalar)));
    }
    declare_folds(text, program, FoldPlace::Pointer);
    set_members(text, main);
    program.arrays().into_iter().for_each(|field| write_memory(text, main, field));
    let may_end = program.host.iter().any(|code| code.kind == Host::End);
    if may_end {
        program.arrays().into_iter().for_each(|field| write_output_at_end(text, main, field));
    }
    if program.setting.is_function {
        let call = format!("advance({});", call_arguments(main).join(", "));
        if program.setting.is_called_twice {
            text.line(call.clone());
        }
        text.line(call);
    } else {
        nest::write_nest(text, main);
    }
    show_folds(text, main, |place| place != FoldPlace::Local);
    program.arrays().into_iter().for_each(|field| write_output(text, main, field));
    if may_end {
        text.line("shown_count = 0;".to_string());
    }
    text.line("return 0;".to_string());
    text.close();
}

fn write_sizes(text: &mut Text, main: &Scope) {
    let (program, index) = (main.program, main.program.setting.index);
    for (axis, name) in SIZES.iter().enumerate().take(program.rank) {
        let cast = if index == Index::Int { String::new() } else { format!("({})", index.name()) };
        let is_new = main.size(axis) == *name && program.setting.sizes == Sizes::Local;
        let kind = if is_new { format!("{} ", index.name()) } else { String::new() };
        text.line(format!("{kind}{} = {cast}argument(argc, argv, {}, 9);", main.size(axis), axis + 1));
    }
    text.line(format!("int steps = argument(argc, argv, {}, 5);", program.rank + 1));
    // Not every nest needs every one of them.
    let structure = program.setting.structure.map(|_| "grid".to_string());
    let names = (0..program.rank).map(|axis| main.size(axis)).chain(structure).chain(["steps".to_string()]);
    text.line(names.map(|name| format!("(void){name};")).collect::<Vec<_>>().join(" "));
}

/// Whether the array is a true array in `main`; all others are reached by pointers to guarded memory.
fn is_local_array(main: &Scope, field: &Field) -> bool {
    field.form == Form::Variable && !main.program.setting.is_function
}

fn write_memory(text: &mut Text, main: &Scope, index: usize) {
    let field = &main.program.fields[index];
    let (name, (element, suffix)) = (FIELDS[index], field.element.names());
    let count = main.element_count(index);
    let values = if field.values == Values::Special { "SPECIAL" } else { "NOISE" };
    let seed = index + 1;
    if is_local_array(main, field) {
        text.line(format!("{};", main.declare(index, name)));
    }
    if is_local_array(main, field) || field.form == Form::Fixed {
        text.line(format!("fill_memory_{suffix}(({element} *){name}, {count}, {seed}, {values});"));
        return;
    }
    text.line(format!("{element} *{name}_memory = new_memory_{suffix}({count}, {seed}, {values});"));
    let pointer = pointer_to_memory(main, index);
    if field.form == Form::GlobalFlat || is_member(main.program, index) {
        text.line(format!("{} = {pointer};", main.field(index)));
    } else if !main.program.setting.is_function {
        text.line(format!("{} = {pointer};", main.declare(index, name)));
    }
}

/// `a_memory`, `(double (*)[m])a_memory`, or tables of the rows in `a_memory`
fn pointer_to_memory(main: &Scope, index: usize) -> String {
    let (field, name) = (&main.program.fields[index], FIELDS[index]);
    match field.form {
        Form::Tables => {
            let sizes: Vec<String> = main.extents(index).iter().map(|extent| format!("(size_t)({extent})")).collect();
            let (count, element) = (sizes.len(), main.element(index));
            let sizes = sizes.join(", ");
            format!("new_tables({name}_memory, {count}, (const size_t[]){{{sizes}}}, sizeof({element}))")
        }
        Form::Rows | Form::Variable => format!("({}){name}_memory", main.declare_rows(index, "")),
        _ if field.is_member() => format!("({} *){name}_memory", main.element(index)),
        Form::Flat | Form::GlobalFlat | Form::Fixed => format!("{name}_memory"),
    }
}

fn write_output(text: &mut Text, main: &Scope, index: usize) {
    let (suffix, arguments) = (main.program.fields[index].element.names().1, shown(main, index));
    let shows = if is_unguarded(main, index) { "memory" } else { "guarded" };
    text.line(format!("show_{shows}_{suffix}({arguments});"));
}

/// Lets the end of the program show an array.
fn write_output_at_end(text: &mut Text, main: &Scope, index: usize) {
    let (suffix, arguments) = (main.program.fields[index].element.names().1, shown(main, index));
    text.line(format!("show_at_end(later_{suffix}, {arguments});"));
}

/// What an array is called, where it is, and its number of elements.
fn shown(main: &Scope, index: usize) -> String {
    let (name, (element, _)) = (FIELDS[index], main.program.fields[index].element.names());
    let place = if is_unguarded(main, index) { format!("({element} *){name}") } else { format!("{name}_memory") };
    format!("\"{name}\", {place}, {}", main.element_count(index))
}

/// Whether there are no guard elements around an array.
fn is_unguarded(main: &Scope, index: usize) -> bool {
    let field = &main.program.fields[index];
    is_local_array(main, field) || field.form == Form::Fixed
}
