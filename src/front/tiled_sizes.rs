//! Sizes that a nest is read with as whole multiples of a constant, as a loop that counts through square tiles needs them:
//!
//! ```c
//! for (tile = 0; tile < n * m / (16 * 16); tile++) {
//!     y0 = 16 * (tile / (n / 16));
//!     x0 = 16 * (tile % (m / 16));
//!     for (y = y0; y < y0 + 16; y++) for (x = x0; x < x0 + 16; x++) ...
//! }
//! ```
//!
//! The number of a tile has two digits ([`super::digits`]) only where a row of tiles has one length, `n / 16 == m / 16`, and where so
//! many tiles are whole rows of them, which `n` and `m` that are no multiples of 16 would not give. So one size stands for the
//! other, and a multiple of its quotient for the size; the driver sees before the nest whether that is right.

use std::collections::BTreeSet;

use super::polynomial::{Indeterminate, Polynomial};
use super::reader::Reader;
use super::wanted::Size;
use crate::ir::{BinaryOp, Expr, ExprKind, Handle, HostValue, Param, ParamValue, RangeCheck, ScalarType};
use crate::source::Span;

impl Reader<'_, '_, '_> {
    /// A size, or the multiple of its quotient that stands for it.
    pub fn whole_size(&mut self, variable: Handle<HostValue>, ty: ScalarType, span: Span) -> Handle<Expr> {
        self.tiled_size(variable, ty, span).unwrap_or_else(|| self.param(variable, ty, span))
    }

    /// The multiple of its quotient that stands for `variable`; the driver makes sure of that.
    fn tiled_size(&mut self, variable: Handle<HostValue>, ty: ScalarType, span: Span) -> Option<Handle<Expr>> {
        let length = *self.unit.taken.ways.tiled.get(&self.nest.values[variable])?;
        let size = self.param(variable, ty, span);
        let quotient = self.quotient_param(size, length, span);
        let length_expr = self.int(ty, length, span);
        let multiple = self.expr(ty, ExprKind::Binary(BinaryOp::Mul, length_expr, quotient), span);
        if !self.nest.tiled.contains(&(variable, length)) {
            self.nest.tiled.push((variable, length));
            let [whole, tiles] = [size, multiple].map(|number| self.long(number));
            let rest = self.binary(BinaryOp::Sub, whole, tiles, span);
            self.nest.range_checks.push(RangeCheck::exactly(rest, 0));
        }
        Some(multiple)
    }

    /// What the host divides by a constant, as one number.
    fn quotient_param(&mut self, size: Handle<Expr>, over: i64, span: Span) -> Handle<Expr> {
        let ty = self.ty(size);
        let over = self.int(ty, over, span);
        let quotient = self.expr(ty, ExprKind::Binary(BinaryOp::Div, size, over), span);
        self.expression_param(quotient)
    }

    /// What a parameter is, as another reading finds it, too.
    pub fn size_in(&self, param: Handle<Param>) -> Option<Size> {
        let found = |param: Handle<Param>, over: i64| {
            let value = self.nest.values[self.variable_of(param)?].clone();
            Some(Size { value, ty: self.nest.params[param].ty, over })
        };
        let ParamValue::Expression { value, .. } = self.nest.params[param].value else { return found(param, 1) };
        let ExprKind::Binary(BinaryOp::Div, size, over) = *self.kind(value) else { return None };
        let ExprKind::Param(size) = *self.kind(size) else { return None };
        let over = self.constant(over).filter(|over| *over > 1)?;
        found(size, over)
    }

    /// The number in this reading.
    pub fn size(&mut self, size: &Size, span: Span) -> Option<Handle<Expr>> {
        let variable = self.nest.values.find(&size.value)?;
        let equal = self.equal_size(variable, size.ty, span);
        let whole = equal.unwrap_or_else(|| self.whole_size(variable, size.ty, span));
        match (size.over, self.unit.taken.ways.tiled.contains_key(&size.value)) {
            (1, _) => Some(whole),
            (over, false) => Some(self.quotient_param(whole, over, span)),
            (over, true) => {
                let tiles = self.polynomial(whole)?.exactly_divided(&Polynomial::constant(over))?;
                self.plain_sum(&tiles, size.ty, span)
            }
        }
    }

    /// Notes that sizes should be whole multiples if a number up to `end` is divided by quotients of them, and one if it is by two:
    /// if the number has digits then.
    pub fn want_square_tiles(&self, divisors: &[Polynomial], end: Handle<Expr>) {
        let sizes: BTreeSet<_> = divisors.iter().filter_map(|divisor| self.quotient_in(divisor)).collect();
        let kinds: BTreeSet<_> = sizes.iter().map(|size| (size.over, size.ty)).collect();
        let values: Option<Vec<_>> = sizes.iter().map(|size| self.nest.values.find(&size.value)).collect();
        let (Some((over, _)), 1, Some(values)) = (kinds.first(), kinds.len(), values) else { return };
        if self.rows_of_tiles(end, &values, *over).is_none() {
            return;
        }
        let mut wanted = self.unit.wanted.borrow_mut();
        wanted.is_needed = true;
        wanted.ways.tiled.extend(sizes.into_iter().map(|size| (size.value, size.over)));
        drop(wanted);
        if values.len() > 1 {
            self.want_equal_values(values);
        }
    }

    /// How many rows of tiles a number of tiles is, if whole ones, where the sizes are one multiple of `over`.
    fn rows_of_tiles(&self, number: Handle<Expr>, sizes: &[Handle<HostValue>], over: i64) -> Option<Polynomial> {
        let (number, divisor) = match *self.kind(self.spelled_out(number)) {
            ExprKind::Binary(BinaryOp::Div, number, divisor) => (number, self.constant(divisor)?),
            _ => (number, 1),
        };
        let is_size = |param: Handle<Param>| self.variable_of(param).is_some_and(|it| sizes.contains(&it));
        let is_quotient = |param: Handle<Param>| {
            let values = self.size_in(param).filter(|size| size.over == over);
            values.and_then(|size| self.nest.values.find(&size.value)).is_some_and(|it| sizes.contains(&it))
        };
        let row = sizes.first()?;
        let (row, _) = self.nest.params.iter().find(|(param, _)| self.variable_of(*param) == Some(*row))?;
        let mut tiles = Polynomial::default();
        for (monomial, coefficient) in self.polynomial(number)?.terms() {
            let mut product = Polynomial::constant(coefficient);
            for symbol in monomial {
                let (symbol, factor) = match *symbol {
                    Indeterminate::Param(param) if is_size(param) => (Indeterminate::Param(row), over),
                    Indeterminate::Param(param) if is_quotient(param) => (Indeterminate::Param(row), 1),
                    other => (other, 1),
                };
                product = product.times(&Polynomial::term(vec![symbol], factor))?;
            }
            tiles = tiles.plus(&product, 1)?;
        }
        tiles.exactly_divided(&Polynomial::term(vec![Indeterminate::Param(row)], divisor))
    }

    /// What a parameter or a local value stands for.
    fn spelled_out(&self, value: Handle<Expr>) -> Handle<Expr> {
        match *self.kind(value) {
            ExprKind::Local(local) => self.spelled_out(self.nest.locals[local].value),
            ExprKind::Convert(inner) => self.spelled_out(inner),
            ExprKind::Param(param) => match self.nest.params[param].value {
                ParamValue::Expression { value, .. } => self.spelled_out(value),
                _ => value,
            },
            _ => value,
        }
    }

    /// The size of which a number is the quotient.
    fn quotient_in(&self, number: &Polynomial) -> Option<Size> {
        let mut terms = number.terms();
        let (Some((monomial, 1)), None) = (terms.next(), terms.next()) else { return None };
        let [Indeterminate::Param(param)] = *monomial.as_slice() else { return None };
        self.size_in(param).filter(|size| size.over > 1)
    }
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read};

    fn nest(count: &str, row: &str, column: &str) -> String {
        let tile = format!("int y0 = 16 * (k / ({row})), x0 = 16 * (k % ({column}));");
        let loops = "for (int y = y0; y < y0 + 16; y++) for (int x = x0; x < x0 + 16; x++)";
        let nest = format!("for (int k = 0; k < {count}; k++) {{ {tile} {loops} a[y * m + x] = b[y * m + x]; }}");
        let parameters = "int n, int m, double *a, const double *b";
        function(parameters, &format!("#pragma stencil\nfor (int t = 0; t < 9; t++) {nest}"))
    }

    #[test]
    fn square_tiles_are_rows_of_tiles() {
        for (count, row) in
            [("n * m / 256", "n / 16"), ("(n / 16) * (m / 16)", "n / 16"), ("n / 16 * (m / 16)", "m / 16")]
        {
            let read = read(&nest(count, row, "m / 16"));
            assert_eq!((read.tiled.len(), read.equal.len()), (1, usize::from(row == "n / 16")), "{count}: {read}");
            assert!(read.to_string().contains("digit_1_of_k"), "{read}");
        }
    }

    #[test]
    fn other_tiles_have_one_number() {
        for (count, row, column) in
            [("n * m / 512", "n / 16", "m / 16"), ("n * m / 256", "n / 16", "m / 8"), ("n + m + 1", "n / 16", "m / 16")]
        {
            let read = read(&nest(count, row, column));
            assert!(read.tiled.is_empty() && !read.to_string().contains("digit_"), "{count}: {read}");
        }
    }
}
