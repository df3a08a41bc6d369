//! Sizes that a nest is read with as one: `b[i * n + j] = a[i * m + j];` where `n == m`.
//!
//! A square grid has two names for the length of its rows, and its author takes the one or the other. If flat subscripts of an array
//! that the nest writes have rows of either length, but none of both, there are rows only where the two lengths are
//! equal. Then one of them stands for both, and the driver sees before the nest whether they are.

use std::collections::BTreeSet;

use super::delinearize::Flat;
use super::polynomial::{Indeterminate, Polynomial};
use super::reader::Reader;
use super::types::CType;
use crate::ir::{Access, BinaryOp, Expr, Handle, HostValue, Param, RangeCheck, ScalarType};
use crate::source::Span;

impl Reader<'_, '_, '_> {
    /// Takes up which sizes are one in this nest.
    pub fn hold_equal_sizes(&mut self) {
        for (other, one) in &self.unit.taken.ways.equal {
            if let (Some(other), Some(one)) = (self.host_value(other), self.host_value(one)) {
                self.equal.insert(other, one);
            }
        }
    }

    /// The size that stands for `variable`, too; the driver makes sure of that.
    pub fn equal_size(&mut self, variable: Handle<HostValue>, ty: ScalarType, span: Span) -> Option<Handle<Expr>> {
        let one = *self.equal.get(&variable)?;
        let param = self.param(one, ty, span);
        if !self.nest.equal.contains(&(one, variable)) {
            self.nest.equal.push((one, variable));
            self.check_equal((one, variable), ty, span);
        }
        Some(param)
    }

    /// Leaves it to the driver to see that two integers are equal.
    pub fn check_equal(&mut self, (one, other): (Handle<HostValue>, Handle<HostValue>), ty: ScalarType, span: Span) {
        let [one, other] = [one, other].map(|number| {
            let param = self.param(number, ty, span);
            self.long(param)
        });
        let difference = self.binary(BinaryOp::Sub, one, other, span);
        self.nest.range_checks.push(RangeCheck::exactly(difference, 0));
    }

    /// Notes that sizes should be one if these subscripts of one array have rows of two lengths.
    pub fn want_equal_sizes(&self, flat: &[Flat], accesses: &[Handle<Access>]) {
        let is_written = |access: &Handle<Access>| self.nest.step.statements.iter().any(|it| it.write == *access);
        if !accesses.iter().any(is_written) {
            return;
        }
        let rows: Vec<BTreeSet<Handle<Param>>> = flat.iter().map(|(flat, _)| row_lengths(flat)).collect();
        let lengths: BTreeSet<_> = rows.iter().flatten().copied().collect();
        let mut names: Vec<&str> = lengths.iter().filter_map(|length| self.plain_size(*length)).collect();
        if rows.iter().any(|rows| rows.len() > 1) || names.len() < lengths.len() || names.len() < 2 {
            return;
        }
        names.sort_unstable();
        let mut wanted = self.unit.wanted.borrow_mut();
        wanted.ways.equal.extend(names[1..].iter().map(|other| ((*other).to_owned(), names[0].to_owned())));
        wanted.is_needed = true;
    }

    /// The name of a variable of type `int` that holds a size in front of the nest.
    pub fn plain_size(&self, param: Handle<Param>) -> Option<&str> {
        let variable = self.variable_of(param)?;
        let is_int = self.declaration_of(variable).is_some_and(|it| matches!(it.ty, CType::Scalar(ScalarType::I32)));
        let name = self.name(variable);
        let declared = self.scope.variable(name).map(|it| it.identity(self.unit.source.id(), name));
        let value = &self.nest.values[variable];
        (is_int && value.path.is_empty() && declared.as_ref() == Some(&value.variable)).then_some(name)
    }
}

/// The parameters by which an index alone is multiplied.
fn row_lengths(flat: &Polynomial) -> BTreeSet<Handle<Param>> {
    let (coefficients, _) = flat.by_index().unwrap_or_default();
    let length = |coefficient: &Polynomial| {
        let mut terms = coefficient.terms();
        match (terms.next(), terms.next()) {
            (Some((monomial, 1)), None) => match monomial.as_slice() {
                [Indeterminate::Param(param)] => Some(*param),
                _ => None,
            },
            _ => None,
        }
    };
    coefficients.values().filter_map(length).collect()
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read, refusal};

    fn nest(body: &str) -> String {
        let loops = "for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++)";
        function("int n, int m, int l, double *a, double *b", &format!("#pragma stencil\n{loops} {body}"))
    }

    #[test]
    fn rows_of_two_lengths_are_of_one() {
        for body in
            ["{ b[i * n + j] = a[i * m + j]; a[i * n + j] = 0; }", "b[i * m + j] = b[i * n + j] + b[0 + j * n];"]
        {
            let read = read(&nest(body));
            assert_eq!((read.equal.len(), read.range_checks.len()), (1, 1), "{read}");
            assert!(read.to_string().contains("strides (long long)m, 1"), "{read}");
        }
    }

    #[test]
    fn rows_and_planes_are_of_two() {
        for body in
            ["b[i * n + j] = a[i * m + j];", "b[i * n + j * m] = a[i + j];", "b[i * m + j] = b[(i * n + j) * m];"]
        {
            let read = read(&nest(body));
            assert!(read.equal.is_empty(), "{read}");
        }
        assert_eq!(refusal(&nest("b[i * j] = a[i];")).code, "flat-subscript");
    }
}
