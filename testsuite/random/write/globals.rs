//! What stands before all functions: directives, macros, the structure, global variables.

use super::super::model::{Form, Program, Run, Scalar};
use super::super::ways::{Nesting, Sizes, Turn};
use super::scope::{Scope, is_member, is_member_scalar};
use super::text::Text;
use super::turns::turns;
use super::walls::write_macros;
use super::{FIELDS, SCALARS, SIZES};

/// Who names a program's global variables.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Linkage {
    /// One file.
    Internal,
    /// This one of several files.
    Defined,
    /// The header of several files.
    Declared,
}

pub fn write_directives(text: &mut Text, program: &Program, title: &str) {
    text.line(format!("// {title}"));
    let runs: Vec<String> = program.runs.iter().map(write_arguments).collect();
    text.line(format!("// args: {}", runs.join(" ; ")));
    // Mixed types are part of what is tested, and not every nest needs every size.
    // gcc takes sizes of arrays of variable length for negative ones where a loop before them is unrolled, and
    // subscripts for wrong ones where a condition that holds nowhere guards them.
    let flags = "-Wno-sign-compare -Wno-absolute-value -Wno-type-limits -Wno-unused-parameter -Wno-unused-but-set-parameter -Wno-vla-larger-than \
                 -Wno-alloc-size-larger-than -Wno-array-bounds";
    text.line(format!("// cflags: {flags}"));
}

fn write_arguments(run: &Run) -> String {
    let numbers = run.sizes.iter().chain([&run.steps]);
    numbers.map(i64::to_string).collect::<Vec<_>>().join(" ")
}

/// Macros and types.
pub fn write_types(text: &mut Text, scope: &Scope) {
    let program = scope.program;
    if program.setting.uses_loop_macro {
        let kind = if program.setting.declares_before { "" } else { program.setting.index.name() };
        text.line(format!("#define LOOP(x, low, high) for ({kind} x = (low); x < (high); x++)"));
    }
    write_macros(text, program);
    if program.fields.iter().any(|field| field.form == Form::Fixed) {
        for (axis, size) in SIZES[..program.rank].iter().enumerate() {
            text.line(format!("#define MAX_{} {}", size.to_uppercase(), program.largest(axis)));
        }
    }
    if let Some(structure) = program.setting.structure {
        text.open("struct grid".to_string());
        write_member_sizes(text, program, structure.sizes);
        for (index, scalar) in program.scalars.iter().enumerate().filter(|(index, _)| is_member_scalar(program, *index))
        {
            text.line(format!("{};", declare_scalar(index, scalar)));
        }
        for field in (0..program.fields.len()).filter(|field| is_member(program, *field)) {
            text.line(format!("{};", scope.declare(field, FIELDS[field])));
        }
        text.line("const char *title;".to_string());
        text.close_with(";");
    }
}

fn write_member_sizes(text: &mut Text, program: &Program, sizes: Option<Nesting>) {
    let members = format!("{} {};", program.setting.index.name(), SIZES[..program.rank].join(", "));
    match sizes {
        Some(Nesting::Flat) => text.line(members),
        Some(Nesting::Nested) => text.line(format!("struct {{ {members} }} size;")),
        None => {}
    }
}

pub fn write_globals(text: &mut Text, scope: &Scope, linkage: Linkage) {
    let program = scope.program;
    let keyword = match linkage {
        Linkage::Internal => "static ",
        Linkage::Defined => "",
        Linkage::Declared => "extern ",
    };
    for index in (0..program.fields.len()).filter(|index| program.fields[*index].form.is_global()) {
        text.line(format!("{keyword}{};", scope.declare(index, FIELDS[index])));
    }
    if program.setting.sizes == Sizes::Global {
        text.line(format!("{keyword}{} {};", program.setting.index.name(), SIZES[..program.rank].join(", ")));
    }
    for turn in turns(program).filter(|_| program.setting.turn == Turn::Global) {
        text.line(format!("{keyword}int {};", turn.name));
    }
    for (index, scalar) in program.scalars.iter().enumerate().filter(|(_, scalar)| scalar.is_global) {
        let value = if linkage == Linkage::Declared { String::new() } else { format!(" = {}", scalar_value(scalar)) };
        text.line(format!("{keyword}{}{value};", declare_scalar(index, scalar)));
    }
}

pub fn declare_scalar(index: usize, scalar: &Scalar) -> String {
    format!("{} {}", scalar.element.names().0, SCALARS[index])
}

pub fn scalar_value(scalar: &Scalar) -> String {
    let tenths = scalar.tenths;
    if scalar.element.is_real() { format!("{tenths} / 10.0") } else { (tenths / 10).to_string() }
}
