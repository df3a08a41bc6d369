//! The values of a nest's parameters with which it is measured.

use std::collections::BTreeMap;

use crate::ir::{BinaryOp, Expr, ExprKind, Handle, HostValue, Loop, Nest, ParamValue, ScalarType, SumOfProducts};
use crate::source::Diagnostic;

/// Values of variables, numbers as C spells them.
type Known = BTreeMap<Handle<HostValue>, String>;

/// Given values, and all that follow from them.
pub struct Values<'a> {
    nest: &'a Nest,
    known: Known,
}

impl<'a> Values<'a> {
    /// The values of the variables that are called as `given` says, and those that follow from them by declarations.
    ///
    /// # Errors
    /// An integer parameter without value.
    pub fn new(nest: &'a Nest, given: &BTreeMap<String, String>) -> Result<Self, Box<Diagnostic>> {
        let given = parameters(nest).filter_map(|it| Some((it, given.get(nest.values.text(it))?.clone())));
        let known = with_initial_values(nest, given.collect());
        let mut missing = Vec::new();
        integers(nest).for_each(|variable| collect_missing(nest, variable, &known, &mut missing));
        if missing.is_empty() { Ok(Self { nest, known }) } else { Err(values_needed(nest, &missing).into()) }
    }

    /// All of them.
    pub fn known(&self) -> &Known {
        &self.known
    }

    /// The names of the variables that may be given.
    pub fn parameters(&self) -> Vec<String> {
        parameters(self.nest).map(|variable| self.nest.values.text(variable).to_owned()).collect()
    }

    /// The integer parameters by their names.
    pub fn sizes(&self) -> BTreeMap<String, i64> {
        let size = |it| Some((self.nest.values.text(it).to_owned(), self.known[&it].parse().ok()?));
        integers(self.nest).filter_map(size).collect()
    }

    /// Iterations of the time loop, 1 without one; `None` if that is not known before it runs.
    pub fn steps(&self) -> Option<i64> {
        let Some(time) = self.nest.clock.time() else { return Some(1) };
        if self.nest.step.until.is_some() {
            return None;
        }
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
            _ if nest.exprs[expr].ty.is_float() => None,
            ExprKind::Int(number) => Some(*number),
            ExprKind::Convert(inner) => value(*inner),
            ExprKind::Local(local) => value(nest.locals[*local].value),
            ExprKind::Param(param) => match nest.params[*param].value {
                ParamValue::Variable(variable) => self.known.get(&variable)?.parse().ok(),
                ParamValue::Expression { value: inner, .. } => value(inner),
                ParamValue::IsSet { .. } => None,
            },
            ExprKind::Binary(BinaryOp::Add, left, right) => value(*left)?.checked_add(value(*right)?),
            ExprKind::Binary(BinaryOp::Sub, left, right) => value(*left)?.checked_sub(value(*right)?),
            ExprKind::Binary(BinaryOp::Mul, left, right) => value(*left)?.checked_mul(value(*right)?),
            _ => None,
        }
    }
}

fn values_needed(nest: &Nest, missing: &[Handle<HostValue>]) -> Diagnostic {
    let missing: Vec<&str> = missing.iter().map(|variable| nest.values.text(*variable)).collect();
    let message = format!("values are needed to measure this nest: {}", missing.join(", "));
    let flags: Vec<String> = missing.iter().map(|name| format!("--size {name}=1000")).collect();
    Diagnostic::error("tuning-size", message, nest.pragma)
        .with_help(format!("give those of the runs that matter, as in {}", flags.join(" ")))
}

/// The variables that may be given.
fn parameters(nest: &Nest) -> impl Iterator<Item = Handle<HostValue>> {
    variables(nest).map(|(variable, _)| variable).chain(sources(nest))
}

fn variables(nest: &Nest) -> impl Iterator<Item = (Handle<HostValue>, ScalarType)> {
    nest.params.iter().filter_map(|(_, param)| match param.value {
        ParamValue::Variable(variable) => Some((variable, param.ty)),
        _ => None,
    })
}

fn integers(nest: &Nest) -> impl Iterator<Item = Handle<HostValue>> {
    variables(nest).filter(|(_, ty)| ty.is_integer()).map(|(variable, _)| variable)
}

/// The variables that declarations compute integer parameters from, in the order of those parameters' names.
fn sources(nest: &Nest) -> impl Iterator<Item = Handle<HostValue>> {
    let mut sums: Vec<_> = nest.initial_values.iter().collect();
    sums.sort_by_key(|(variable, _)| nest.values.text(**variable));
    sums.into_iter().flat_map(|(_, sum)| sum).flat_map(|(_, product)| product.iter().copied())
}

/// `known` with those that follow from them by declarations.
fn with_initial_values(nest: &Nest, mut known: Known) -> Known {
    // Each round goes one declaration further down.
    for _ in 0..nest.initial_values.len() {
        for (variable, sum) in &nest.initial_values {
            if let Some(value) = value_of(sum, &known) {
                known.entry(*variable).or_insert(value.to_string());
            }
        }
    }
    known
}

fn value_of(sum: &SumOfProducts, known: &Known) -> Option<i64> {
    sum.iter().try_fold(0i64, |total, (factor, product)| {
        let value = product.iter().try_fold(*factor, |value, it| value.checked_mul(known.get(it)?.parse().ok()?))?;
        total.checked_add(value)
    })
}

/// The variables that must be given for `variable` to be known.
fn collect_missing(nest: &Nest, variable: Handle<HostValue>, values: &Known, missing: &mut Vec<Handle<HostValue>>) {
    if values.contains_key(&variable) || missing.contains(&variable) {
        return;
    }
    match nest.initial_values.get(&variable) {
        Some(sum) => {
            let sources = sum.iter().flat_map(|(_, product)| product);
            sources.for_each(|source| collect_missing(nest, *source, values, missing));
        }
        None => missing.push(variable),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Variable;
    use crate::source::FileId;

    #[test]
    fn what_declarations_compute_is_not_asked_for() {
        let mut nest = Nest::default();
        let mut variable = |name: &str| {
            let (file, name) = (FileId::default(), name.to_owned());
            nest.values.variable(Variable { file, declared_at: 0, name })
        };
        let [nx, ny, p, q] = ["nx", "ny", "p", "q"].map(&mut variable);
        nest.initial_values = BTreeMap::from([(p, vec![(1, vec![nx, ny]), (2, vec![ny])]), (q, vec![(3, vec![p])])]);
        let tens = |variables: &[_]| variables.iter().map(|variable| (*variable, "10".to_owned())).collect();
        let known = with_initial_values(&nest, tens(&[nx, ny]));
        assert_eq!((known[&p].as_str(), known[&q].as_str()), ("120", "360"));
        let mut missing = Vec::new();
        collect_missing(&nest, q, &tens(&[nx]), &mut missing);
        assert_eq!(missing, [ny]);
    }
}
