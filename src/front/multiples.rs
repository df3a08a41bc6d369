//! Loops that count by a size that only the running program knows, from one of its multiples to another:
//! `for (i = m; i < m * (n - 1); i += m)`.
//!
//! No integer set has such a step, but such a loop is one over the numbers of the multiples, here from 1 to `n - 2`: its end and its
//! beginning are a whole number of sizes apart, but for a constant that the size makes up for. The driver makes sure that the size
//! is at least 1, or larger than that constant.

use tree_sitter::Node;

use super::Failable;
use super::exits::Exit;
use super::integers::is_invariant;
use super::integral::{Place, Trust};
use super::left::Lost;
use super::loops::Start;
use super::polynomial::{Indeterminate, Polynomial};
use super::ranges::Interval;
use super::reader::{Binding, Change, Reader, Unknown};
use super::tree::{nodes_in, strip_parentheses};
use crate::ir::{BinaryOp, Expr, ExprKind, Handle, Loop, ScalarType};
use crate::source::Span;

/// A loop over multiples.
struct Multiples {
    /// The value in the first iteration.
    first: Polynomial,
    size: Polynomial,
    /// How many iterations there are; none if it is negative.
    count: Polynomial,
}

impl<'t> Reader<'_, '_, 't> {
    /// Executes a loop that counts by `size`; false if it does not run over multiples of that, and nothing has been executed.
    pub fn multiples_loop(
        &mut self,
        node: Node<'t>,
        body: Node<'t>,
        (start, size): (&Start<'t>, Node<'t>),
        changed: &[Change],
    ) -> Failable<bool> {
        if start.runs_first || self.changes(body, start.variable) || self.has_strip(body, start) {
            return Ok(false);
        }
        let Some(multiples) = self.multiples(node, start, size, changed)? else { return Ok(false) };
        let (ty, span) = (start.ty, self.span(node));
        let variable = self.undeclared(format!("multiple_of_{}", self.name(start.variable)));
        let first = self.int(ScalarType::I64, 0, span);
        let bound = self.polynomial_expr(&multiples.count, span);
        let entry = Loop { variable, ty, outlives: false, first, relation: BinaryOp::Less, bound, step: 1 };
        let this = self.nest.loops.push(entry, span);
        let Some(value) = self.multiple(&multiples, this, ty, span) else { return Ok(false) };
        self.run_loop(node, this, changed, |reader| {
            reader.bindings.insert(start.variable, Binding::Scalar(value));
            reader.within(Exit::Iteration, |reader| reader.statement(body))
        })?;
        self.bindings.insert(start.variable, Binding::Unknown(Unknown::LeftByLoop(None), span));
        if start.outlives {
            self.lose(start.variable, Lost::Value("its loop counts by a size that only the running program knows"));
            self.assigned.entry(start.variable).or_insert(span);
        }
        Ok(true)
    }

    /// Whether a loop in `body` begins where the variable is, and ends elsewhere than a fixed distance from there: it runs over a strip.
    fn has_strip(&self, body: Node<'t>, start: &Start<'t>) -> bool {
        let name = self.name(start.variable);
        let begins = |inner: &Node<'t>| {
            let initialiser = inner.child_by_field_name("initializer");
            let mut values = initialiser.into_iter().flat_map(nodes_in).filter_map(|it| match it.kind() {
                "init_declarator" => it.child_by_field_name("value"),
                "assignment_expression" => it.child_by_field_name("right"),
                _ => None,
            });
            values.any(|value| self.text(strip_parentheses(value)) == name)
        };
        let is_fixed = |condition: Node<'t>| {
            let chooses = |it: Node| matches!(it.kind(), "conditional_expression" | "call_expression" | "&&" | "||");
            self.mentions(condition, name) && !nodes_in(condition).any(chooses)
        };
        let mut loops = nodes_in(body).filter(|it| it.kind() == "for_statement").filter(begins);
        loops.any(|inner| !inner.child_by_field_name("condition").is_some_and(is_fixed))
    }

    /// What multiples a loop runs over, if it does; the driver is asked to check the size.
    fn multiples(
        &mut self,
        node: Node<'t>,
        start: &Start<'t>,
        size: Node<'t>,
        changed: &[Change],
    ) -> Failable<Option<Multiples>> {
        let saved = self.bindings.clone();
        for (changed, span) in changed {
            self.bindings.insert(*changed, Binding::Unknown(Unknown::Carried, *span));
        }
        let variable = self.undeclared(format!("end_of_{}", self.name(start.variable)));
        let marker = self.param(variable, start.ty, self.span(node));
        self.bindings.insert(start.variable, Binding::Scalar(marker));
        let read = self.bound_expression(start.condition).and_then(|bound| Ok((bound, self.scalar(size)?)));
        self.bindings = saved;
        let (bound, length) = read?;
        let ExprKind::Param(marker) = *self.kind(marker) else { return Ok(None) };
        if !self.ty(length).is_integer() || self.ty(length).is_unsigned() {
            return Ok(None);
        }
        self.check_bound(size, length)?;
        let value = self.integral(length, Place::default(), Trust::Checks).ok();
        let side = Polynomial::term(vec![Indeterminate::Param(marker)], 1);
        let ends = self.ends_of(bound, &side).unwrap_or_default();
        let (Some(value), [(end, _)], Some(first)) = (value, ends.as_slice(), self.polynomial(start.first)) else {
            return Ok(None);
        };
        let Some(size) = self.polynomial(value).filter(|size| size.as_constant().is_none()) else { return Ok(None) };
        let Some((count, least)) = end.plus(&first, -1).and_then(|length| whole_count(&length, &size)) else {
            return Ok(None);
        };
        Ok(self.require_size(value, length, least).then_some(Multiples { first, size, count }))
    }

    /// Leaves it to the driver to see that a size is at least that, where the loop is run at all.
    fn require_size(&mut self, size: Handle<Expr>, original: Handle<Expr>, least: i64) -> bool {
        let since = self.nest.range_checks.len();
        let within = Interval { lo: i128::from(least), hi: i128::from(i32::MAX) };
        if self.require_within(size, original, within, Place::default()).is_err() {
            return false;
        }
        let guards: Vec<_> = self.guards.iter().copied().filter(|guard| is_invariant(self, *guard)).collect();
        self.nest.range_checks[since..].iter_mut().for_each(|check| check.guards.clone_from(&guards));
        true
    }

    /// What the loop's variable holds in an iteration of `this`.
    fn multiple(&mut self, it: &Multiples, this: Handle<Loop>, ty: ScalarType, span: Span) -> Option<Handle<Expr>> {
        let counted = it.size.times(&Polynomial::term(vec![Indeterminate::Index(this)], 1))?;
        self.plain_sum(&it.first.plus(&counted, 1)?, ty, span)
    }
}

/// How often a loop counts by `size` that ends so much behind its beginning, and the least size for which this holds.
fn whole_count(length: &Polynomial, size: &Polynomial) -> Option<(Polynomial, i64)> {
    let (count, rest) = length.divided(size)?;
    match rest.as_constant()? {
        rest @ ..=0 => Some((count, rest.checked_neg()?.checked_add(1)?)),
        rest => Some((count.plus(&Polynomial::constant(1), 1)?, rest)),
    }
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read, refusal};

    fn nest(header: &str, body: &str) -> String {
        let nest = format!("#pragma stencil\nfor (int t = 0; t < 9; t++) for ({header}) {{ {body} }}");
        function("int n, int m, int l, double *a, const double *b", &nest)
    }

    const ROW: &str = "for (int j = 1; j < m - 1; j++) a[i + j] = b[i + j - m];";

    #[test]
    fn multiples_are_counted() {
        for (header, count, least) in [
            ("int i = m; i < m * (n - 1); i += m", "n - 2", 1),
            ("int i = m; i < m * n - m; i = i + m", "n - 2", 1),
            ("long i = 0; i <= (long)m * n - 1; i += m", "n", 1),
            ("int i = m + 3; i < m * n - 5; i += m", "n - 1", 9),
            ("int i = 0; i < m * n + 2; i += m", "n + 1", 2),
        ] {
            let nest = read(&nest(header, ROW));
            let shown = nest.to_string().replace("(long long)", "");
            let bound = if count.contains(' ') { format!("({count})") } else { count.to_owned() };
            assert!(shown.contains(&format!("multiple_of_i = 0; multiple_of_i < {bound};")), "{header}: {shown}");
            assert!(nest.range_checks.iter().any(|check| check.least == least), "{header}: {shown}");
            assert!(!shown.contains("end_of_i"), "{shown}");
        }
    }

    #[test]
    fn other_distances_are_refused() {
        for header in [
            "int i = 0; i < n; i += m",
            "int i = l; i < m * n; i += m",
            "int i = 0; i < m * n; i += l",
            "int i = m * n; i > 0; i -= m",
            "int i = 0; i != m * n; i += m",
            "int i = 0; i < m * n && i < l; i += m",
        ] {
            assert_eq!(refusal(&nest(header, ROW)).code, "loop-form", "{header}");
        }
        for body in ["a[i] = b[i]; i++;", "a[i] = b[i]; m++;", "a[i] = b[i]; n = 3;"] {
            refusal(&nest("int i = 0; i < m * n; i += m", body));
        }
    }
}
