//! A C program that runs one nest on arrays of its own: the generated driver with another way in.

use std::collections::BTreeMap;

use super::kernels::{Style, write_kernels};
use super::signature::{self, base_variables, left_variables, watched_only};
use super::{NestText, NestToWrite, driver, runtime, write_nests};
use crate::ir::{Nest, Param, ScalarType};
use crate::text::Writer;

/// The way in: it allocates and fills the arrays, runs the nest, and prints a digest of what that leaves.
const MEASURE: &str = include_str!("../tune/measure.c");

/// What a floating-point parameter is where nobody gives it.
const ANY_NUMBER: &str = "0.125";

/// A program in C99 that measures a nest; all it needs is OpenCL 1.2 and the C library. `values` are those of the nest's
/// parameters, as C spells them.
pub fn write_measuring(plan: &NestToWrite<'_>, values: &BTreeMap<String, String>) -> String {
    let nest = plan.nest();
    let mut writer = Writer::default();
    driver::write_nest(&mut writer, plan);
    let kernels = write_kernels(plan, Style::Plain);
    let text = NestText { driver: writer.finish(), kernels, ..NestText::default() };
    let mut writer = Writer::default();
    let kinds: String = plan.footprints().iter().map(|f| kind(nest.arrays[f.array].element)).collect();
    writer.block("int main(void)", |writer| {
        writer.line(format_args!("static long long left[{}];", left_count(nest) + 1));
        writer.line(format_args!("stencil_measured_kinds = \"{kinds}\";"));
        writer.line(format_args!("return !{};", call(nest, values)));
    });
    let prototype = signature::prototype(nest, plan.names());
    let parts = [
        runtime::text(),
        MEASURE.to_owned(),
        format!("{prototype};\n"),
        write_nests(&text.kernels, std::slice::from_ref(&text)),
        writer.finish(),
    ];
    parts.join("\n")
}

fn kind(element: ScalarType) -> char {
    match element {
        ScalarType::F64 => 'd',
        ScalarType::F32 => 'f',
        _ => 'i',
    }
}

/// Number of addresses that the host function gets.
fn left_count(nest: &Nest) -> usize {
    left_variables(nest).len() + watched_only(nest).len()
}

/// The call of the host function: values, places of no meaning for the arrays, and room for what it leaves.
fn call(nest: &Nest, values: &BTreeMap<String, String>) -> String {
    // The arrays of a measured nest are all there.
    let other = |param: &Param| if param.ty.is_integer() { "1" } else { ANY_NUMBER };
    let value = |param: &Param| values.get(&param.name).cloned().unwrap_or_else(|| other(param).to_owned());
    let arrays = base_variables(nest).into_iter().map(|_| "left".to_owned());
    let left = (0..left_count(nest)).map(|index| format!("left + {index}"));
    let passed = nest.params.iter().map(|(_, param)| param).filter(|param| param.value.is_passed());
    let arguments: Vec<String> = passed.map(value).chain(arrays).chain(left).collect();
    format!("{}({})", nest.name, arguments.join(", "))
}
