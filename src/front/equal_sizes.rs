//! Sizes that a nest is read with as one: `b[i * n + j] = a[i * m + j];` where `n == m`.
//!
//! A square grid has two names for the length of its rows, and its author takes the one or the other. So it is with arrays of one
//! shape, if the program keeps sizes for each of them and finds elements of the one by those of the other:
//! `rho[(z * p.ny + y) * p.nx + x]` beside `rho[(z * q.ny + y) * q.nx + x]`. If flat subscripts of an array have rows of either
//! length, but none of both, there are rows only where the two lengths are equal. Then one of them stands for both, and the driver
//! sees before the nest whether they are. Where rows are of one length, so it is with the numbers of rows in planes.
//!
//! Or it finds the row above or below by the number of rows, `a[i * m + j + n]` beside `a[i * m + j]`. If these subscripts surely reach
//! over more than a row, whatever the sizes are, there are rows only where both are equal.
//!
//! An array that the nest only reads may have any subscript, as long as dimensions are found behind all of them, and no more than
//! there may be.

use std::collections::BTreeSet;

use super::delinearize::{Flat, Shape, with_positive_lead};
use super::polynomial::{Indeterminate, Polynomial, Ranges};
use super::reader::Reader;
use super::splits::ends;
use super::types::CType;
use crate::ir::{Access, BinaryOp, Expr, Handle, HostValue, MAX_RANK, Param, RangeCheck, ScalarType};
use crate::source::Span;

/// From this value on a size is not so small that it may be left out of account.
const SMALL: i64 = 3;

/// A length `factor * size + more`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Length {
    size: Handle<Param>,
    factor: i64,
    more: i64,
}

impl Reader<'_, '_, '_> {
    /// Takes up which sizes are one in this nest.
    pub fn hold_equal_sizes(&mut self) {
        for value in self.unit.taken.ways.equal.values().filter(|value| value.path.is_empty()) {
            self.host_value(&value.variable.name);
        }
    }

    /// The size that stands for `variable`, too; the driver makes sure of that.
    pub fn equal_size(&mut self, variable: Handle<HostValue>, ty: ScalarType, span: Span) -> Option<Handle<Expr>> {
        let equal = &self.unit.taken.ways.equal;
        let mut value = equal.get(&self.nest.values[variable])?;
        while let Some(other) = equal.get(value) {
            value = other;
        }
        let declared = self.variables[&variable].clone();
        let one = self.part(value.clone(), declared);
        let param = self.whole_size(one, ty, span);
        if !self.nest.equal.contains(&(one, variable)) {
            self.nest.equal.push((one, variable));
            self.check_equal((one, variable), ty, span);
        }
        Some(param)
    }

    /// Leaves it to the driver to see that two integers are equal.
    pub fn check_equal(&mut self, (one, other): (Handle<HostValue>, Handle<HostValue>), ty: ScalarType, span: Span) {
        let values = [one, other].map(|number| self.param(number, ty, span));
        self.check_equal_values(values, span);
    }

    /// The same for integers that are computed in front of the nest.
    pub fn check_equal_values(&mut self, values: [Handle<Expr>; 2], span: Span) {
        let [one, other] = values.map(|value| self.long(value));
        let difference = self.binary(BinaryOp::Sub, one, other, span);
        self.nest.range_checks.push(RangeCheck::exactly(difference, 0));
    }

    /// Notes that sizes should be one if these subscripts of one array have rows of two lengths, or planes of two numbers of rows.
    pub fn want_equal_sizes(&self, flat: &[Flat], accesses: &[Handle<Access>]) {
        let is_written = |access: &Handle<Access>| self.nest.step.statements.iter().any(|it| it.write == *access);
        let strides: Vec<Vec<Polynomial>> = flat.iter().map(|(flat, _)| strides(flat)).collect();
        let count = strides.iter().flatten().collect::<BTreeSet<_>>().len();
        if !accesses.iter().any(is_written) && count < MAX_RANK {
            return;
        }
        self.want_equal_lengths(&strides);
    }

    /// The same for an array that is only read, if no dimensions are found behind its subscripts.
    pub fn want_equal_sizes_of_opaque(&self, flat: &[Flat]) {
        self.want_equal_lengths(&flat.iter().map(|(flat, _)| strides(flat)).collect::<Vec<_>>());
    }

    fn want_equal_lengths(&self, strides: &[Vec<Polynomial>]) {
        let Some(lengths) = strides.iter().map(|strides| lengths(strides)).collect::<Option<Vec<_>>>() else { return };
        let depth = lengths.iter().map(Vec::len).max().unwrap_or(0);
        let of_level = |level: usize| lengths.iter().filter_map(|it| it.get(level).copied()).collect::<BTreeSet<_>>();
        let Some(differing) = (0..depth).map(of_level).find(|lengths| lengths.len() > 1) else { return };
        let kinds: BTreeSet<_> =
            differing.iter().map(|it| (it.factor, it.more, self.nest.params[it.size].ty)).collect();
        if kinds.len() == 1 {
            self.want_equal(differing.iter().map(|it| it.size));
        }
    }

    /// Notes that sizes should be one if subscripts within rows reach over more than a row and have the number of rows in them.
    pub fn want_equal_offsets(&self, shape: &Shape, flat: &[Flat]) {
        for level in 1..shape.strides.len() {
            let Some(row) = shape.strides[level - 1].exactly_divided(&shape.strides[level]) else { continue };
            let Some(length) = length(&row).filter(|it| it.factor == 1) else { continue };
            let subscripts = || shape.subscripts.iter().map(|subscripts| &subscripts[level]);
            let found =
                subscripts().zip(flat).map(|(subscript, (_, ways))| ways.iter().find_map(|it| ends(subscript, it)));
            let Some(found) = found.collect::<Option<Vec<_>>>() else { continue };
            let is_longer = |least: &Polynomial, largest: &Polynomial| {
                let reach = largest.plus(least, -1).and_then(|it| it.plus(&row, -1));
                reach.is_some_and(|it| it.is_nonnegative_from(SMALL))
            };
            if !found.iter().any(|(least, _)| found.iter().any(|(_, largest)| is_longer(least, largest))) {
                continue;
            }
            let counts: BTreeSet<_> =
                shape.subscripts.iter().zip(flat).filter_map(|(it, (_, ways))| count(&it[level - 1], ways)).collect();
            let mut others: BTreeSet<_> = subscripts().flat_map(|it| offsets(it, &length)).collect();
            others.retain(|size| counts.contains(size));
            let [other] = others.into_iter().collect::<Vec<_>>()[..] else { continue };
            if self.nest.params[length.size].ty == self.nest.params[other].ty {
                self.want_equal([length.size, other]);
            }
        }
    }

    /// Notes that sizes should be one, if all of them are variables that can be named.
    fn want_equal(&self, sizes: impl IntoIterator<Item = Handle<Param>>) {
        let sizes: Option<Vec<_>> = sizes.into_iter().map(|size| self.named_size(size)).collect();
        if let Some(sizes) = sizes {
            self.want_equal_values(sizes);
        }
    }

    /// Notes that numbers should be one, which variables hold that can be named.
    pub fn want_equal_values(&self, mut sizes: Vec<Handle<HostValue>>) {
        sizes.sort_by_key(|size| (self.nest.values.text(*size), &self.nest.values[*size]));
        let mut wanted = self.unit.wanted.borrow_mut();
        let value = |size: Handle<HostValue>| self.nest.values[size].clone();
        wanted.ways.equal.extend(sizes[1..].iter().map(|other| (value(*other), value(sizes[0]))));
        wanted.is_needed = true;
    }

    /// The variable, or member of one, that holds a size in front of the nest.
    fn named_size(&self, param: Handle<Param>) -> Option<Handle<HostValue>> {
        let size = self.variable_of(param)?;
        let is_integer =
            self.declaration_of(size).is_some_and(|it| matches!(it.ty, CType::Scalar(ty) if ty.is_integer()));
        (is_integer && self.is_root_visible(size)).then_some(size)
    }

    /// Whether the name of the variable in which a value is means that variable where the nest stands.
    fn is_root_visible(&self, value: Handle<HostValue>) -> bool {
        let root = &self.nest.values[value].variable;
        let declared = self.scope.variable(&root.name).map(|it| it.identity(self.unit.source.id(), &root.name));
        declared.as_ref() == Some(root)
    }

    /// The name of a variable of type `int` that holds a size in front of the nest.
    pub fn plain_size(&self, param: Handle<Param>) -> Option<&str> {
        let variable = self.variable_of(param)?;
        let is_int = self.declaration_of(variable).is_some_and(|it| matches!(it.ty, CType::Scalar(ScalarType::I32)));
        let is_plain = self.nest.values[variable].path.is_empty();
        (is_int && is_plain && self.is_root_visible(variable)).then(|| self.name(variable))
    }
}

/// What indices are multiplied by that is no constant, the smallest first, each once.
fn strides(flat: &Polynomial) -> Vec<Polynomial> {
    let (coefficients, _) = flat.by_index().unwrap_or_default();
    let strides: BTreeSet<_> = coefficients.values().filter_map(with_positive_lead).collect();
    let mut strides: Vec<_> = strides.into_iter().filter(|stride| stride.as_constant().is_none()).collect();
    strides.sort_by_key(Polynomial::degree);
    strides
}

/// The length of rows, the number of rows in planes and so on, as far as these strides are such products; `None` if an array that
/// has them is none of rows. Planes alone say nothing of their rows.
fn lengths(strides: &[Polynomial]) -> Option<Vec<Length>> {
    let mut lengths = Vec::new();
    let mut inner = &Polynomial::constant(1);
    for stride in strides {
        let count = stride.exactly_divided(inner);
        if count.as_ref().is_some_and(|count| count.as_constant().is_some()) {
            continue;
        }
        match count.as_ref().and_then(length) {
            Some(length) => lengths.push(length),
            None if stride.degree() == 1 && !lengths.is_empty() => return None,
            None => break,
        }
        inner = stride;
    }
    Some(lengths)
}

/// The size up to which the only index of a subscript counts, or nearly.
fn count(subscript: &Polynomial, ways: &[Ranges]) -> Option<Handle<Param>> {
    let (indices, _) = subscript.by_index()?;
    let [(index, factor)] = indices.iter().collect::<Vec<_>>()[..] else { return None };
    let (_, last) = ways.first()?.get(index).filter(|_| factor.as_constant() == Some(1))?;
    length(last).filter(|it| it.factor == 1).map(|it| it.size)
}

/// The sizes but that of the rows which a subscript within rows has once, or minus once.
fn offsets(subscript: &Polynomial, length: &Length) -> Vec<Handle<Param>> {
    let found = subscript.terms().filter_map(|(monomial, factor)| match monomial.as_slice() {
        [Indeterminate::Param(size)] if factor.abs() == 1 && *size != length.size => Some(*size),
        _ => None,
    });
    found.collect()
}

/// A polynomial as the length that it is.
fn length(polynomial: &Polynomial) -> Option<Length> {
    let more = polynomial.coefficient(&Vec::new());
    let mut terms = polynomial.terms().filter(|(monomial, _)| !monomial.is_empty());
    match (terms.next()?, terms.next()) {
        ((monomial, factor), None) => match monomial.as_slice() {
            [Indeterminate::Param(size)] => Some(Length { size: *size, factor, more }),
            _ => None,
        },
        _ => None,
    }
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
    fn rows_with_borders_are_of_one() {
        let read = read(&nest("b[i * (n + 2) + j] = b[i * (m + 2)] + a[i];"));
        assert_eq!((read.equal.len(), read.range_checks.len()), (1, 1), "{read}");
        assert!(read.to_string().contains("strides ((long long)m + 2), 1"), "{read}");
    }

    #[test]
    fn rows_above_and_below_may_be_found_by_the_number_of_rows() {
        for body in [
            "{ b[i * m + j] = a[i * m + j - n] + a[i * m + j]; }",
            "b[i * m + j] = a[i * m + j + n + 1] + a[i * m + j];",
        ] {
            let read = read(&nest(body));
            assert_eq!((read.equal.len(), read.range_checks.len()), (1, 1), "{read}");
        }
        for body in [
            "b[i * m + j] = a[i * m + j + l] + a[i * m + j];",
            "b[i * m + j] = a[i * m + j + n];",
            "b[i * m + j] = a[i * m + n - 1] + a[i * m + j];",
            "b[i * m + j] = a[i * m + n + 1] + a[i * m];",
        ] {
            assert_eq!(read(&nest(body)).equal.len(), 0, "{body}");
        }
    }

    #[test]
    fn planes_of_equal_rows_have_equal_numbers_of_them() {
        let declared = "struct s { long x, y; }; struct r { struct s p, q; };";
        let loops = "for (int t = 0; t < 3; t++) \
            for (long k = 1; k < r.p.x; k++) for (long i = 0; i < r.p.x; i++) for (long j = 0; j < r.p.y; j++)";
        let body = "b[(k * r.p.y + i) * r.p.x + j] = b[((k - 1) * r.q.y + i) * r.q.x + j] + a[j];";
        let text =
            format!("{declared} void f(struct r r, double *a, double *b) {{\n#pragma stencil\n{loops} {body}\n}}");
        let read = read(&text);
        let equal: Vec<_> =
            read.equal.iter().map(|(one, other)| [*one, *other].map(|it| read.values.text(it))).collect();
        assert_eq!(equal, [["r.p.y", "r.q.y"], ["r.p.x", "r.q.x"]], "{read}");
    }

    #[test]
    fn what_is_only_read_has_rows_of_one_length_where_no_dimensions_are_found() {
        let [of_two, three, four] = [("j", "", 2), ("i", " + j", 3), ("i", " + j", 4)].map(|(row, column, count)| {
            let sizes: Vec<String> = (0..count).map(|at| format!("n{at}")).collect();
            let rows = std::iter::once("i").chain(std::iter::repeat(row));
            let reads: Vec<String> =
                sizes.iter().zip(rows).map(|(size, row)| format!("a[{row} * {size}{column}]")).collect();
            let parameters = format!("int n, int m, int {}, double *a, double *b", sizes.join(", int "));
            let loops = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)";
            read(&function(&parameters, &format!("#pragma stencil\n{loops} b[i * m + j] = {};", reads.join(" + "))))
        });
        assert_eq!((of_two.equal.len(), three.equal.len(), four.equal.len()), (0, 2, 3), "{of_two}{three}{four}");
    }

    #[test]
    fn rows_and_planes_are_of_two() {
        for body in
            ["b[i * n + j] = a[i * m + j];", "b[i * n + j * m] = a[i + j];", "b[i * m + j] = b[(i * n + j) * m];"]
        {
            let read = read(&nest(body));
            assert!(read.equal.is_empty(), "{read}");
        }
        for body in ["b[i * j] = a[i];", "b[i * (n + 1) + j] = b[i * (m + 2)];"] {
            assert_eq!(refusal(&nest(body)).code, "flat-subscript", "{body}");
        }
    }
}
