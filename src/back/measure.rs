//! A C program that runs one nest on arrays of its own: the generated driver with another way in.

use std::collections::BTreeMap;

use super::driver::{self, base_variables, left_variables, watched_only};
use super::kernels::{Style, write_kernels};
use super::writer::Writer;
use super::{Region, runtime, with_plan, write_regions};
use crate::ir::{FpMode, Nest, Param, ParamValue, ScalarType};
use crate::model::{Estimate, KernelPlan, Profile};
use crate::options::{DeviceKindName, Options, Tuning};
use crate::source::Diagnostic;

/// The way in: it allocates and fills the arrays, runs the nest, and prints a digest of what that leaves.
const MEASURE: &str = include_str!("../tune/measure.c");

/// What a floating-point parameter is where nobody gives it.
const ANY_NUMBER: &str = "0.125";

/// A program that measures a nest, and what the model expects of it.
#[derive(Clone, Debug)]
pub struct MeasuredNest {
    /// The nest's name in tuning files.
    pub name: String,
    /// The program, in C99; all it needs is OpenCL 1.2 and the C library.
    pub text: String,
    /// Rank of the grid.
    pub rank: usize,
    /// The floating-point mode.
    pub fp: FpMode,
    /// Type of the elements, see [`Nest::element`].
    pub element: Option<ScalarType>,
    /// Whether the pragma says how to run the nest.
    pub has_tuning_clauses: bool,
    /// All parameters.
    pub parameters: Vec<String>,
    /// The integer parameters with their values.
    pub sizes: BTreeMap<String, i64>,
    /// The plans that GPUs and CPUs take.
    pub expected: [ExpectedPlan; 2],
}

/// A plan of a program, and what the model says of it.
#[derive(Clone, Debug, Default)]
pub struct ExpectedPlan {
    /// Its name.
    pub name: String,
    /// What is expected of it.
    pub estimate: Estimate,
}

/// Writes the program for a nest; `values` are those of its parameters, numbers as C spells them. Of the devices that were
/// measured the options have the one that is to run it, or none.
///
/// # Errors
/// Every rule that the nest breaks; an integer parameter without value.
pub fn write_measured(
    nest: &Nest,
    number: usize,
    location: &str,
    options: &Options,
    values: &BTreeMap<String, String>,
) -> Result<MeasuredNest, Vec<Diagnostic>> {
    let call = call(nest, values).map_err(|error| vec![*error])?;
    with_plan(nest, number, location, options, |plan| {
        let mut writer = Writer::default();
        driver::write_region(&mut writer, plan)?;
        let kernels = write_kernels(plan, Style::Plain);
        let region = Region { driver: writer.finish(), kernels, ..Region::default() };
        let mut writer = Writer::default();
        let kinds: String = plan.footprints.iter().map(|f| kind(nest.arrays[f.array].element)).collect();
        writer.block("int main(void)", |writer| {
            writer.line(format_args!("static long long left[{}];", left_count(nest) + 1));
            writer.line(format_args!("stencil_measured_kinds = \"{kinds}\";"));
            writer.line(format_args!("return !{call};"));
        });
        let prototype = driver::prototype(nest, plan.names());
        let parts = [
            runtime::text(),
            MEASURE.to_owned(),
            format!("{prototype};\n"),
            write_regions(&region.kernels, std::slice::from_ref(&region)),
            writer.finish(),
        ];
        let expected = |kind: DeviceKindName| {
            let device = options.measured.iter().find(|device| device.kind == kind);
            let profile = device.map_or_else(|| Profile::of(kind).clone(), |d| Profile::of_measured(d, nest.element()));
            // The plan that only a measured device has stands before that for its kind.
            let choice = plan.choices.iter().find(|choice| choice.profile.is_gpu == profile.is_gpu);
            let expected = choice.map(|choice| {
                let choice = KernelPlan { profile, ..choice.clone() };
                let estimate = Estimate::new(&choice, nest, plan.recurrences(), plan.fp);
                ExpectedPlan { name: choice.name, estimate }
            });
            expected.unwrap_or_default()
        };
        Ok(MeasuredNest {
            name: nest.name.clone(),
            text: parts.join("\n"),
            rank: plan.rank(),
            fp: plan.fp,
            element: nest.element(),
            has_tuning_clauses: Tuning { fp: None, ..Tuning::from(&nest.clauses) } != Tuning::default(),
            parameters: variables(nest).map(|param| param.name.clone()).collect(),
            sizes: integers(nest).filter_map(|p| Some((p.name.clone(), values[&p.name].parse().ok()?))).collect(),
            expected: [DeviceKindName::Gpu, DeviceKindName::Cpu].map(expected),
        })
    })
}

fn kind(element: ScalarType) -> char {
    match element {
        ScalarType::F64 => 'd',
        ScalarType::F32 => 'f',
        _ => 'i',
    }
}

fn variables(nest: &Nest) -> impl Iterator<Item = &Param> {
    nest.params.iter().map(|(_, param)| param).filter(|param| param.value == ParamValue::Variable)
}

fn integers(nest: &Nest) -> impl Iterator<Item = &Param> {
    variables(nest).filter(|param| param.ty.is_integer())
}

/// Number of addresses that the host function gets.
fn left_count(nest: &Nest) -> usize {
    left_variables(nest).len() + watched_only(nest).len()
}

/// The call of the host function: values, places of no meaning for the arrays, and room for what it leaves.
fn call(nest: &Nest, values: &BTreeMap<String, String>) -> Result<String, Box<Diagnostic>> {
    let missing = integers(nest).map(|param| param.name.as_str()).filter(|name| !values.contains_key(*name));
    let missing: Vec<&str> = missing.collect();
    if !missing.is_empty() {
        let message = format!("values are needed to measure this nest: {}", missing.join(", "));
        let flags: Vec<String> = missing.iter().map(|name| format!("--size {name}=1000")).collect();
        let error = Diagnostic::error("tuning-size", message, nest.pragma)
            .with_help(format!("give those of the runs that matter, as in {}", flags.join(" ")));
        return Err(error.into());
    }
    let value = |param: &Param| values.get(&param.name).cloned().unwrap_or_else(|| ANY_NUMBER.to_owned());
    let arrays = base_variables(nest).into_iter().map(|_| "left".to_owned());
    let left = (0..left_count(nest)).map(|index| format!("left + {index}"));
    let arguments: Vec<String> = variables(nest).map(value).chain(arrays).chain(left).collect();
    Ok(format!("{}({})", nest.name, arguments.join(", ")))
}
