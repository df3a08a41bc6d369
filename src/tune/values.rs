//! The values of a nest's parameters with which it is measured.

use std::collections::BTreeMap;

use crate::ir::{BinaryOp, Expr, ExprKind, Handle, Loop, Nest, Param, ParamValue, SumOfProducts};
use crate::source::Diagnostic;

/// All values that follow from given ones, numbers as C spells them.
pub struct Values<'a> {
    nest: &'a Nest,
    known: BTreeMap<String, String>,
}

impl<'a> Values<'a> {
    /// The values of the parameters of `nest` that are `given`, and those that follow from them by declarations.
    ///
    /// # Errors
    /// An integer parameter without value.
    pub fn new(nest: &'a Nest, given: &BTreeMap<String, String>) -> Result<Self, Box<Diagnostic>> {
        let known = with_initial_values(nest, given);
        let mut missing = Vec::new();
        integers(nest).for_each(|param| collect_missing(nest, &param.name, &known, &mut missing));
        if missing.is_empty() { Ok(Self { nest, known }) } else { Err(values_needed(nest, &missing).into()) }
    }

    /// By the names of the variables.
    pub fn all(&self) -> &BTreeMap<String, String> {
        &self.known
    }

    /// The variables that may be given: parameters, and what declarations compute these from.
    pub fn variables(&self) -> Vec<String> {
        variables(self.nest).map(|param| param.name.clone()).chain(sources(self.nest)).collect()
    }

    /// The integer parameters.
    pub fn sizes(&self) -> BTreeMap<String, i64> {
        let value = |param: &Param| Some((param.name.clone(), self.known[&param.name].parse().ok()?));
        integers(self.nest).filter_map(value).collect()
    }

    /// Iterations of the time loop, 1 without one; `None` if that is not known before it runs.
    pub fn steps(&self) -> Option<i64> {
        let Some(time) = self.nest.time else { return Some(1) };
        let Loop { first, relation, bound, step, .. } = &self.nest.loops[time];
        let (first, bound) = (self.integer_of(*first)?, self.integer_of(*bound)?);
        let span = if *step > 0 { bound.checked_sub(first)? } else { first.checked_sub(bound)? };
        let inclusive = i64::from(matches!(relation, BinaryOp::LessEqual | BinaryOp::GreaterEqual));
        let span = span.checked_add(inclusive)?;
        Some(if span <= 0 { 0 } else { (span - 1) / step.abs() + 1 })
    }

    /// The value of a sum or product of integers.
    fn integer_of(&self, expr: Handle<Expr>) -> Option<i64> {
        let (nest, value) = (self.nest, |expr: Handle<Expr>| self.integer_of(expr));
        match &nest.exprs[expr].kind {
            ExprKind::Int(number) => Some(*number),
            ExprKind::Convert(inner) => value(*inner),
            ExprKind::Local(local) => value(nest.locals[*local].value),
            ExprKind::Param(param) => match nest.params[*param].value {
                ParamValue::Variable => self.known.get(&nest.params[*param].name)?.parse().ok(),
                ParamValue::Expression(inner) => value(inner),
                ParamValue::IsSet(_) => None,
            },
            ExprKind::Binary(BinaryOp::Add, left, right) => value(*left)?.checked_add(value(*right)?),
            ExprKind::Binary(BinaryOp::Sub, left, right) => value(*left)?.checked_sub(value(*right)?),
            ExprKind::Binary(BinaryOp::Mul, left, right) => value(*left)?.checked_mul(value(*right)?),
            _ => None,
        }
    }
}

fn values_needed(nest: &Nest, missing: &[String]) -> Diagnostic {
    let message = format!("values are needed to measure this nest: {}", missing.join(", "));
    let flags: Vec<String> = missing.iter().map(|name| format!("--size {name}=1000")).collect();
    Diagnostic::error("tuning-size", message, nest.pragma)
        .with_help(format!("give those of the runs that matter, as in {}", flags.join(" ")))
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
