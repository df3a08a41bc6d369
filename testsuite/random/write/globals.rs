//! What stands before all functions: directives, macros, the structure, global variables.

use std::collections::BTreeSet;

use super::super::folds::FoldPlace;
use super::super::model::{Form, Program, Run, Scalar, TablePlace};
use super::super::ways::{Nesting, Parts, Sizes, Turn};
use super::folds::{FoldVariable, variables_at};
use super::scope::{Scope, is_member, is_member_scalar, structure_name};
use super::text::Text;
use super::totals::{declare_table, define_table, global_tables, length_of, sums_of_variable_length};
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
    let fixed = program.fields.iter().filter(|field| field.form == Form::Fixed);
    let axes: BTreeSet<usize> = fixed.flat_map(|field| &field.dims).map(|dim| dim.axis).collect();
    for axis in axes {
        text.line(format!("#define MAX_{} {}", SIZES[axis].to_uppercase(), program.largest(axis).max(1)));
    }
    write_cells(text, program);
    if let Some(structure) = program.setting.structure {
        text.open("struct grid".to_string());
        write_member_sizes(text, program, structure.sizes);
        for (index, scalar) in program.scalars.iter().enumerate().filter(|(index, _)| is_member_scalar(program, *index))
        {
            text.line(format!("{};", declare_scalar(index, scalar)));
        }
        for FoldVariable { name, kind, .. } in variables_at(program, FoldPlace::Member) {
            text.line(format!("{kind} {name};"));
        }
        for field in program.arrays().into_iter().filter(|field| is_member(program, *field)) {
            text.line(format!("{};", scope.declare(field, FIELDS[field])));
        }
        text.line("const char *title;".to_string());
        text.close_with(";");
    }
}

/// The structures that are elements of arrays.
fn write_cells(text: &mut Text, program: &Program) {
    let packed = program.fields.iter().filter_map(|field| field.packing.map(|packing| (field.element, packing)));
    let mut written = Vec::new();
    for (element, packing) in packed {
        let Some(name) = structure_name(element, packing).filter(|name| !written.contains(name)) else { continue };
        let names: Vec<String> = (0..packing.parts).map(|part| format!("p{part}")).collect();
        let members = if packing.kind == Parts::Listed { format!("part[{}]", packing.parts) } else { names.join(", ") };
        text.line(format!("{name} {{ {} {members}; }};", element.names().0));
        written.push(name);
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

impl Linkage {
    fn keyword(self) -> &'static str {
        match self {
            Self::Internal => "static ",
            Self::Defined => "",
            Self::Declared => "extern ",
        }
    }
}

/// Global variables but for `hidden` scalars.
pub fn write_globals(text: &mut Text, scope: &Scope, linkage: Linkage, hidden: &[usize]) {
    let program = scope.program;
    let keyword = linkage.keyword();
    for index in program.arrays().into_iter().filter(|index| program.fields[*index].form.is_global()) {
        text.line(format!("{keyword}{};", scope.declare(index, FIELDS[index])));
    }
    if program.setting.sizes == Sizes::Global {
        text.line(format!("{keyword}{} {};", program.setting.index.name(), SIZES[..program.rank].join(", ")));
    }
    for index in global_tables(program) {
        let table = &program.tables[index];
        let keyword = format!("{keyword}{}", if table.place == TablePlace::Global { "const " } else { "" });
        let is_defined = linkage != Linkage::Declared;
        let text_of = if is_defined { define_table(index, table) } else { declare_table(index, table) };
        text.line(format!("{keyword}{text_of};"));
    }
    for total in sums_of_variable_length(program) {
        let has_value = linkage != Linkage::Declared && !total.is_measured();
        let value = if has_value { format!(" = {}", total.reads.len()) } else { String::new() };
        text.line(format!("{keyword}int {}{value};", length_of(total).unwrap_or_default()));
    }
    for turn in turns(program).filter(|_| program.setting.turn == Turn::Global) {
        text.line(format!("{keyword}int {};", turn.name));
    }
    for FoldVariable { name, kind, initial } in variables_at(program, FoldPlace::Global) {
        let value = if linkage == Linkage::Declared { String::new() } else { format!(" = {initial}") };
        text.line(format!("{keyword}{kind} {name}{value};"));
    }
    for index in (0..program.scalars.len()).filter(|index| !hidden.contains(index)) {
        define_scalar(text, program, index, linkage);
    }
}

/// A scalar, if it is global.
pub fn define_scalar(text: &mut Text, program: &Program, index: usize, linkage: Linkage) {
    let scalar = &program.scalars[index];
    let value = if linkage == Linkage::Declared { String::new() } else { format!(" = {}", scalar_value(scalar)) };
    if scalar.is_global {
        text.line(format!("{}{}{value};", linkage.keyword(), declare_scalar(index, scalar)));
    }
}

pub fn declare_scalar(index: usize, scalar: &Scalar) -> String {
    format!("{} {}", scalar.element.names().0, SCALARS[index])
}

pub fn scalar_value(scalar: &Scalar) -> String {
    let tenths = scalar.tenths;
    if scalar.element.is_real() { format!("{tenths} / 10.0") } else { (tenths / 10).to_string() }
}
