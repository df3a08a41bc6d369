//! Loops that begin where a row does: `for (j = i * m + 1; j < i * m + m - 1; j++)`.
//!
//! The products of indices and sizes in both bounds are where the row begins. The loop counts from there, here from 1 to `m - 1`, and
//! its variable holds the row's beginning and that number. So an element `a[j]` is one of row `i`.

use tree_sitter::Node;

use super::left::Lost;
use super::loops::Start;
use super::polynomial::{Indeterminate, Polynomial};
use super::reader::Reader;
use crate::ir::{Expr, Handle, Loop};

impl<'t> Reader<'_, '_, 't> {
    /// Lets a loop count from where its row begins, if it begins in one; what its variable holds then.
    pub fn count_from_row(&mut self, body: Node<'t>, start: &Start<'t>, this: Handle<Loop>) -> Option<Handle<Expr>> {
        const IN_ROW: Lost = Lost::Value("its loop runs through a row of a flat array");
        let Loop { first, bound, ty, .. } = self.nest.loops[this].clone();
        let (first, bound) = (self.polynomial(first)?, self.polynomial(bound)?);
        let row = row_in(&first)?;
        let (first, bound) = (first.plus(&row, -1)?, bound.plus(&row, -1)?);
        let is_checked = self.nest.range_checks.iter().any(|check| check.loops.contains(&this));
        if start.updates.len() != 1 || is_checked || row_in(&bound).is_some() || self.changes(body, start.variable) {
            return None;
        }
        let span = self.nest.loops.span(this);
        let value = row.plus(&Polynomial::term(vec![Indeterminate::Index(this)], 1), 1)?;
        let value = self.plain_sum(&value, ty, span)?;
        let variable = self.undeclared(format!("{}_in_row", self.name(start.variable)));
        let (first, bound) = (self.polynomial_expr(&first, span), self.polynomial_expr(&bound, span));
        let entry = &mut self.nest.loops[this];
        (entry.variable, entry.outlives, entry.first, entry.bound) = (variable, false, first, bound);
        if start.outlives {
            self.lose(start.variable, IN_ROW);
            self.assigned.entry(start.variable).or_insert(span);
        }
        Some(value)
    }
}

/// The products of an index and other factors.
fn row_in(polynomial: &Polynomial) -> Option<Polynomial> {
    let is_index = |symbol: &Indeterminate| !matches!(symbol, Indeterminate::Param(_));
    let products = polynomial.terms().filter(|(product, _)| product.len() > 1 && product.iter().any(is_index));
    let mut products = products.map(|(product, factor)| Polynomial::term(product.clone(), factor));
    let first = products.next()?;
    products.try_fold(first, |sum, product| sum.plus(&product, 1))
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read};

    fn nest(header: &str) -> String {
        let sweep = format!("for ({header}) a[j] = b[j - m] + b[j + 1];");
        let nest = format!("#pragma stencil\nfor (int t = 0; t < 9; t++) for (int i = 1; i < n - 1; i++) {sweep}");
        let nest = function("int n, int m, int k, double *a, const double *b", &format!("int l;\n{nest}"));
        read(&nest).to_string().replace("(long long)", "")
    }

    #[test]
    fn rows_are_counted_from_their_beginnings() {
        for (header, first, bound) in [
            ("int j = i * m + 1; j < i * m + m - 1; j++", "1", "< (m - 1)"),
            ("int j = i * m; j < (i + 1) * m; j++", "0", "< m"),
            ("int j = k + m * i; j <= i * m + k + 5; j++", "k", "<= (k + 5)"),
            ("long j = (long)i * m + 1; j < (long)i * m + m - 1; j++", "1", "< (m - 1)"),
        ] {
            let text = nest(header);
            assert!(text.contains(&format!("j_in_row = {first}; j_in_row {bound};")), "{header}: {text}");
            assert!(text.contains("a[i][j_in_row] = (b[(i - 1)][j_in_row] + b[i][(j_in_row + 1)])"), "{text}");
        }
    }

    #[test]
    fn other_loops_count_as_they_are_written() {
        for header in ["int j = i * m; j < i * k; j++", "int j = i; j < i + m; j++", "int j = 1; j < i * m; j++"] {
            let sweep = format!("for ({header}) a[j] = b[j];");
            let nest = format!("#pragma stencil\nfor (int t = 0; t < 9; t++) for (int i = 1; i < n - 1; i++) {sweep}");
            let text = read(&function("int n, int m, int k, double *a, const double *b", &nest)).to_string();
            assert!(!text.contains("in_row"), "{header}: {text}");
        }
    }
}
