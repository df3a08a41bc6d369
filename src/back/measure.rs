//! A C program that runs one nest on arrays of its own: the generated driver with another way in.

use std::collections::BTreeMap;

use super::driver;
use super::kernels::{MacroUse, write_kernels};
use super::signature::{self, base_variables, left_variables, watched_only};
use super::writer::Writer;
use super::{Region, runtime, with_plan, write_regions};
use crate::ir::{BinaryOp, Expr, ExprKind, FpMode, Handle, Loop, Nest, Param, ParamValue, ScalarType, SumOfProducts};
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
    /// Steps that it takes with these; `None` if that is not known before it runs.
    pub steps: Option<i64>,
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
    let known = with_initial_values(nest, values);
    let call = call(nest, &known).map_err(|error| vec![*error])?;
    with_plan(nest, number, location, options, |plan| {
        let mut writer = Writer::default();
        driver::write_region(&mut writer, plan)?;
        let kernels = write_kernels(plan, MacroUse::Plain);
        let region = Region { driver: writer.finish(), kernels, ..Region::default() };
        let mut writer = Writer::default();
        let kinds: String = plan.footprints.iter().map(|f| kind(nest.arrays[f.array].element)).collect();
        writer.block("int main(void)", |writer| {
            writer.line(format_args!("static long long left[{}];", left_count(nest) + 1));
            writer.line(format_args!("stencil_measured_kinds = \"{kinds}\";"));
            writer.line(format_args!("return !{call};"));
        });
        let prototype = signature::prototype(nest, plan.names());
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
            parameters: variables(nest).map(|param| param.name.clone()).chain(sources(nest)).collect(),
            sizes: integers(nest).filter_map(|p| Some((p.name.clone(), known[&p.name].parse().ok()?))).collect(),
            steps: steps(nest, &known),
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

/// The variables that declarations compute integer parameters from.
fn sources(nest: &Nest) -> impl Iterator<Item = String> {
    nest.initial_values.values().flatten().flat_map(|(_, product)| product.iter().cloned())
}

/// `values` with those that follow from them by declarations.
fn with_initial_values(nest: &Nest, values: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let mut known = values.clone();
    // Each round goes one declaration further down.
    for _ in 0..nest.initial_values.len() {
        for (name, sum) in &nest.initial_values {
            if let Some(value) = value_of(sum, &known) {
                known.entry(name.clone()).or_insert(value.to_string());
            }
        }
    }
    known
}

fn value_of(sum: &SumOfProducts, known: &BTreeMap<String, String>) -> Option<i64> {
    sum.iter().try_fold(0i64, |total, (factor, product)| {
        let value =
            product.iter().try_fold(*factor, |value, name| value.checked_mul(known.get(name)?.parse().ok()?))?;
        total.checked_add(value)
    })
}

/// The variables that must be given for `name` to be known.
fn collect_missing(nest: &Nest, name: &str, values: &BTreeMap<String, String>, missing: &mut Vec<String>) {
    if values.contains_key(name) || missing.iter().any(|other| other == name) {
        return;
    }
    match nest.initial_values.get(name) {
        Some(sum) => {
            let sources = sum.iter().flat_map(|(_, product)| product);
            sources.for_each(|source| collect_missing(nest, source, values, missing));
        }
        None => missing.push(name.to_owned()),
    }
}

/// Iterations of the time loop with these values of the parameters; 1 without one.
fn steps(nest: &Nest, values: &BTreeMap<String, String>) -> Option<i64> {
    let Some(time) = nest.time else { return Some(1) };
    let Loop { first, relation, bound, step, .. } = &nest.loops[time];
    let (first, bound) = (integer_of(nest, values, *first)?, integer_of(nest, values, *bound)?);
    let span = if *step > 0 { bound.checked_sub(first)? } else { first.checked_sub(bound)? };
    let inclusive = i64::from(matches!(relation, BinaryOp::LessEqual | BinaryOp::GreaterEqual));
    let span = span.checked_add(inclusive)?;
    Some(if span <= 0 { 0 } else { (span - 1) / step.abs() + 1 })
}

/// The value of a sum or product of integers.
fn integer_of(nest: &Nest, values: &BTreeMap<String, String>, expr: Handle<Expr>) -> Option<i64> {
    let value = |expr: Handle<Expr>| integer_of(nest, values, expr);
    match &nest.exprs[expr].kind {
        ExprKind::Int(number) => Some(*number),
        ExprKind::Convert(inner) => value(*inner),
        ExprKind::Local(local) => value(nest.locals[*local].value),
        ExprKind::Param(param) => match nest.params[*param].value {
            ParamValue::Variable => values.get(&nest.params[*param].name)?.parse().ok(),
            ParamValue::Expression(inner) => value(inner),
            ParamValue::IsSet(_) => None,
        },
        ExprKind::Binary(BinaryOp::Add, left, right) => value(*left)?.checked_add(value(*right)?),
        ExprKind::Binary(BinaryOp::Sub, left, right) => value(*left)?.checked_sub(value(*right)?),
        ExprKind::Binary(BinaryOp::Mul, left, right) => value(*left)?.checked_mul(value(*right)?),
        _ => None,
    }
}

/// Number of addresses that the host function gets.
fn left_count(nest: &Nest) -> usize {
    left_variables(nest).len() + watched_only(nest).len()
}

/// The call of the host function: values, places of no meaning for the arrays, and room for what it leaves.
fn call(nest: &Nest, values: &BTreeMap<String, String>) -> Result<String, Box<Diagnostic>> {
    let mut missing = Vec::new();
    integers(nest).for_each(|param| collect_missing(nest, &param.name, values, &mut missing));
    if !missing.is_empty() {
        let message = format!("values are needed to measure this nest: {}", missing.join(", "));
        let flags: Vec<String> = missing.iter().map(|name| format!("--size {name}=1000")).collect();
        let error = Diagnostic::error("tuning-size", message, nest.pragma)
            .with_help(format!("give those of the runs that matter, as in {}", flags.join(" ")));
        return Err(error.into());
    }
    // The arrays of a measured nest are all there.
    let other = |param: &Param| if param.ty.is_integer() { "1" } else { ANY_NUMBER };
    let value = |param: &Param| values.get(&param.name).cloned().unwrap_or_else(|| other(param).to_owned());
    let arrays = base_variables(nest).into_iter().map(|_| "left".to_owned());
    let left = (0..left_count(nest)).map(|index| format!("left + {index}"));
    let passed = nest.params.iter().map(|(_, param)| param).filter(|param| param.value.is_passed());
    let arguments: Vec<String> = passed.map(value).chain(arrays).chain(left).collect();
    Ok(format!("{}({})", nest.name, arguments.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_declarations_compute_is_not_asked_for() {
        let product = |factor, names: &[&str]| (factor, names.iter().map(ToString::to_string).collect());
        let values = [("p", vec![product(1, &["nx", "ny"]), product(2, &["ny"])]), ("q", vec![product(3, &["p"])])];
        let nest = Nest {
            initial_values: values.into_iter().map(|(name, sum)| (name.to_owned(), sum)).collect(),
            ..Nest::default()
        };
        let given = |names: &[&str]| names.iter().map(|name| (name.to_string(), "10".to_owned())).collect();
        let known = with_initial_values(&nest, &given(&["nx", "ny"]));
        assert_eq!((known["p"].as_str(), known["q"].as_str()), ("120", "360"));
        let mut missing = Vec::new();
        collect_missing(&nest, "q", &given(&["nx"]), &mut missing);
        assert_eq!(missing, ["ny"]);
    }
}
