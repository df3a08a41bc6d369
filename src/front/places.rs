//! Elements of grids at places that only the running program knows: `trace[t] = u[place]`, `u[place] += pulse[t]`.
//!
//! The other elements show that `u` has rows of `m` elements, but not in which row this one is. The driver divides:
//! it is `u[place / m][place % m]`. That names the same element whatever the place is, so nothing need be checked for it.

use super::delinearize::{Flat, Shape};
use super::polynomial::{Indeterminate, Polynomial};
use super::reader::Reader;
use crate::ir::{BinaryOp, Expr, ExprKind, Handle, ScalarType};
use crate::source::Span;

impl Reader<'_, '_, '_> {
    /// The subscripts of an element that no loop moves, if a number says where it is that is no size and is not known to stay
    /// within a row; `subscripts` are those that leave it in the first row.
    pub fn at_place(&mut self, flat: &Flat, shape: &Shape, number: usize, span: Span) -> Option<Vec<Handle<Expr>>> {
        let subscripts = &shape.subscripts[number];
        let is_number = |this: &Indeterminate| {
            let is_size = shape.strides.iter().any(|stride| names(stride, &|other| other == this));
            !is_size && !flat.1.iter().any(|way| way.contains_key(this))
        };
        let (column, outer) = subscripts.split_last()?;
        let is_moved = |this: &Indeterminate| !matches!(this, Indeterminate::Param(_));
        let is_lone = !subscripts.iter().any(|subscript| names(subscript, &is_moved));
        if !is_lone || outer.iter().any(|row| names(row, &is_number)) || !names(column, &is_number) {
            return None;
        }
        let (column, rows) = (column.clone(), outer.iter().cloned().zip(shape.strides.clone()));
        let mut rest = self.polynomial_expr(&column, span);
        let mut found = Vec::with_capacity(subscripts.len());
        for (row, stride) in rows.collect::<Vec<_>>() {
            let (row, stride) = (self.polynomial_expr(&row, span), self.polynomial_expr(&stride, span));
            let rows = self.divided(BinaryOp::Div, (rest, stride), span);
            found.push(self.index_sum(row, rows, span));
            rest = self.divided(BinaryOp::Rem, (rest, stride), span);
        }
        found.push(rest);
        Some(found)
    }

    /// The quotient or the remainder of a number, which is all remainder where nothing can be divided by `stride`.
    fn divided(&mut self, op: BinaryOp, (number, stride): (Handle<Expr>, Handle<Expr>), span: Span) -> Handle<Expr> {
        let zero = self.int(ScalarType::I64, 0, span);
        let result = self.binary(op, number, stride, span);
        let can_divide = self.binary(BinaryOp::Greater, stride, zero, span);
        let all = if op == BinaryOp::Rem { number } else { zero };
        let chosen = self.expr(ScalarType::I64, ExprKind::Select(can_divide, result, all), span);
        self.normalised(chosen)
    }
}

/// Whether a polynomial names such a thing.
fn names(polynomial: &Polynomial, is_one: &dyn Fn(&Indeterminate) -> bool) -> bool {
    polynomial.terms().any(|(monomial, _)| monomial.iter().any(is_one))
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read};

    fn text(record: &str) -> String {
        let body = format!(
            "#pragma stencil\nfor (int t = 0; t < steps; t++) {{
                for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++) a[i * m + j] = 0.5 * a[i * m + j];
                {record} }}"
        );
        let parameters = "int n, int m, int steps, int place, int row, int column, double *a, double *trace";
        read(&function(parameters, &body)).to_string().replace("(long long)", "")
    }

    #[test]
    fn a_place_is_in_some_row() {
        let text = text("trace[t] = a[place];");
        assert!(text.contains("a[value_m_0_place_over_m_0][value_m_0_place_m_place]"), "{text}");
    }

    #[test]
    fn rows_that_are_told_stay() {
        for (record, element) in [
            ("trace[t] = a[row * m + column];", "a[row][column]"),
            ("trace[t] = a[m / 2];", "a[0][value_m_over_2]"),
            ("trace[t] = a[2 * m + 3];", "a[2][3]"),
            ("for (int j = 0; j < place; j++) trace[t * place + j] = a[place + j];", "a[0][(j + place)]"),
        ] {
            let text = text(record);
            assert!(text.contains(element), "{text}");
        }
    }
}
