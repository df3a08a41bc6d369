//! Loops over strips of a size that only the running program knows: `for (ii = 1; ii < n; ii += size)` around
//! `for (i = ii; i < MIN(ii + size, n); i++)`.
//!
//! No integer set has such a step, but the two loops run over what `for (i = 1; i < n; i++)` does, and the driver makes sure
//! that the size is at least 1. What changes is the order of points in several dimensions, so no point may need what another
//! one stores: every access of an array that is stored within the strips names the element that the iteration stores.

use tree_sitter::Node;

use super::Failable;
use super::counting::Test;
use super::integers::is_invariant;
use super::integral::{Place, Trust};
use super::left::Lost;
use super::loops::{Amount, Start};
use super::polynomial::{Indeterminate, Polynomial};
use super::ranges::Interval;
use super::reader::{Binding, Change, Reader, Unknown};
use super::tree::strip_parentheses;
use crate::ir::{Access, BinaryOp, Expr, ExprKind, Handle, Loop, Param, ParamValue};
use crate::source::{Diagnostic, Span};

/// A loop over strips that is being read.
pub struct Strip {
    /// What its variable is: a parameter that nothing but the bounds of the loop inside may use.
    marker: Handle<Param>,
    size: Polynomial,
    first: Handle<Expr>,
    /// The least value at which the loop ends.
    end: Polynomial,
    /// The loop inside.
    inner: Option<Handle<Loop>>,
}

/// How much had been read before the strips.
struct Mark {
    accesses: usize,
    statements: usize,
    loops: usize,
    params: usize,
    checks: usize,
    copies: usize,
}

impl<'t> Reader<'_, '_, 't> {
    /// The size of the strips over which a loop counts.
    pub fn strip_size(&self, start: &Start<'t>) -> Option<Node<'t>> {
        let [update] = start.updates.as_slice() else { return None };
        let target = update.child_by_field_name("left").map(strip_parentheses)?;
        let name = self.name(start.variable);
        match self.counted_amount(*update, name).filter(|_| self.text(target) == name)? {
            Amount::Of { amount, is_added: true } if !start.is_real && !start.ty.is_unsigned() => {
                Some(amount).filter(|amount| self.scope.constant(self.unit, *amount).is_none())
            }
            _ => None,
        }
    }

    /// Executes a loop over strips, which are `size` long.
    pub fn strip_loop(
        &mut self,
        node: Node<'t>,
        start: &Start<'t>,
        size: Node<'t>,
        changed: &[Change],
    ) -> Failable<()> {
        if changed.iter().any(|(changed, _)| !self.is_scalar(*changed)) {
            return self.no_strips(start.update);
        }
        let (mark, span) = (self.mark(), self.span(node));
        let strip = self.strip(node, start, size, changed)?;
        let marker = self.expr(start.ty, ExprKind::Param(strip.marker), span);
        let body = self.field(node, "body")?;
        self.strips.push(strip);
        self.forget_carried(changed);
        self.bindings.insert(start.variable, Binding::Scalar(marker));
        let result = self.statement(body);
        let strip = self.strips.pop();
        result?;
        let inner = strip.as_ref().and_then(|strip| strip.inner);
        if let Some((strip, inner)) = strip.zip(inner)
            && self.is_of_strips(&mark, strip.marker, inner)
        {
            self.leave_strips(start, changed, span);
            self.nest.step.has_strips = true;
            return Ok(());
        }
        self.no_strips(start.update)
    }

    fn no_strips<T>(&self, update: Node<'t>) -> Failable<T> {
        let error = Diagnostic::error("loop-form", "the step of this loop is not a constant", self.span(update))
            .with_help("count by a constant, and multiply in the subscripts, as in `a[k * stride]`")
            .with_help(
                "or let one loop inside run over the strip, `for (i = ii; i < MIN(ii + size, n); i++)` with signed integers, and \
                 read no other element of what is stored there",
            );
        Err(Box::new(error))
    }

    fn forget_carried(&mut self, changed: &[Change]) {
        for (changed, span) in changed {
            self.bindings.insert(*changed, Binding::Unknown(Unknown::Carried, *span));
        }
    }

    /// What the loop leaves in scalars is that of its last strip, which is not looked for.
    fn leave_strips(&mut self, start: &Start<'t>, changed: &[Change], span: Span) {
        const STRIPS: Lost = Lost::Value("its loop runs over strips whose length only the running program knows");
        for (changed, span) in changed.iter().copied().chain([(start.variable, span)]) {
            self.bindings.insert(changed, Binding::Unknown(Unknown::LeftByLoop(None), span));
            self.lose(changed, STRIPS);
            if self.is_from_outside(changed) {
                self.assigned.entry(changed).or_insert(span);
            }
        }
    }

    fn strip(&mut self, node: Node<'t>, start: &Start<'t>, size: Node<'t>, changed: &[Change]) -> Failable<Strip> {
        let saved = self.bindings.clone();
        self.forget_carried(changed);
        let name = format!("strip_of_{}", self.name(start.variable));
        let variable = self.undeclared(name);
        let marker = self.param(variable, start.ty, self.span(node));
        self.bindings.insert(start.variable, Binding::Scalar(marker));
        let (bound, length) = (self.bound_expression(start.condition)?, self.scalar(size)?);
        if !self.ty(length).is_integer() {
            return self.no_strips(start.update);
        }
        self.check_bound(size, length)?;
        self.bindings = saved;
        let ExprKind::Param(marker) = *self.kind(marker) else { return self.no_strips(start.update) };
        let found = self.ends_of(bound, &Polynomial::term(vec![Indeterminate::Param(marker)], 1));
        let end = found.filter(|ends| ends.len() == 1).and_then(|mut ends| ends.pop()).map(|(end, _)| end);
        let value = self.integral(length, Place::default(), Trust::Checks).ok();
        let polynomial = value.and_then(|value| self.polynomial(value));
        let (Some(end), Some(value), Some(polynomial)) = (end, value, polynomial) else {
            return self.no_strips(start.update);
        };
        let within = Interval { lo: 1, hi: i128::from(i32::MAX) };
        let since = self.nest.range_checks.len();
        if self.ty(length).is_unsigned() || self.require_within(value, length, within, Place::default()).is_err() {
            return self.no_strips(start.update);
        }
        // Where the loop is not run, the size may be anything.
        let guards: Vec<_> = self.guards.iter().copied().filter(|guard| is_invariant(self, *guard)).collect();
        self.nest.range_checks[since..].iter_mut().for_each(|check| check.guards.clone_from(&guards));
        Ok(Strip { marker, size: polynomial, first: start.first, end, inner: None })
    }

    /// The values below which a condition says that `side` is, each with its comparison.
    pub fn ends_of(&self, condition: Handle<Expr>, side: &Polynomial) -> Option<Vec<(Polynomial, Handle<Expr>)>> {
        let ExprKind::Binary(op, left, right) = *self.kind(condition) else { return None };
        if op == BinaryOp::And {
            return Some([self.ends_of(left, side)?, self.ends_of(right, side)?].concat());
        }
        let (op, bound) = match self.polynomial(left).as_ref() == Some(side) {
            true => (op, right),
            false if self.polynomial(right).as_ref() == Some(side) => (op.turned(), left),
            false => return None,
        };
        let further = match op {
            BinaryOp::Less => 0,
            BinaryOp::LessEqual => 1,
            _ => return None,
        };
        let bounds = match self.extreme(bound) {
            Some((true, bounds)) => bounds.to_vec(),
            _ => vec![bound],
        };
        let end = |bound: Handle<Expr>| self.polynomial(bound)?.plus(&Polynomial::constant(further), 1);
        bounds.into_iter().map(|bound| Some((end(bound)?, bound))).collect()
    }

    /// Reads the rest of the header of a loop that begins where a strip does: it runs from the first strip to the last one.
    pub fn strip_header(
        &mut self,
        node: Node<'t>,
        start: &Start<'t>,
        changed: &[Change],
        span: Span,
    ) -> Failable<Option<Handle<Loop>>> {
        let ExprKind::Param(first) = *self.kind(start.first) else { return Ok(None) };
        let Some(place) = self.strips.iter().rposition(|strip| strip.marker == first) else { return Ok(None) };
        let &Start { variable, ty, outlives, first, .. } = start;
        let is_first = self.strips[place].inner.is_none() && self.step(start)? == 1;
        let first_of_all = self.strips[place].first;
        let unfinished = Loop { variable, ty, outlives, first, relation: BinaryOp::Less, bound: first, step: 1 };
        let this = self.nest.loops.push(unfinished, span);
        let saved = self.bindings.clone();
        self.forget_carried(changed);
        self.bindings.insert(variable, Binding::Index(this));
        let condition = self.bound_expression(start.condition)?;
        let side = self.expr(ty, ExprKind::Index(this), span);
        self.bindings = saved;
        let found = self.polynomial(side).and_then(|index| self.ends_of(condition, &index));
        let strip = &self.strips[place];
        let strip_end = Polynomial::term(vec![Indeterminate::Param(strip.marker)], 1).plus(&strip.size, 1);
        let (of_strip, others): (Vec<_>, Vec<_>) =
            found.unwrap_or_default().into_iter().partition(|(end, _)| Some(end) == strip_end.as_ref());
        let ([_], [(end, bound)]) = (of_strip.as_slice(), others.as_slice()) else {
            return self.no_strips(start.update);
        };
        let is_within =
            strip.end.plus(end, -1).and_then(|behind| behind.as_constant()).is_some_and(|behind| behind >= 0);
        if !is_first || !is_within {
            return self.no_strips(start.update);
        }
        let further = end.plus(&self.polynomial(*bound).unwrap_or_default(), -1).and_then(|it| it.as_constant());
        let relation = if further == Some(0) { BinaryOp::Less } else { BinaryOp::LessEqual };
        let counted = self.counted(node, first_of_all, Test { side, relation, bound: *bound }, this, 1)?;
        self.strips[place].inner = Some(this);
        let entry = &mut self.nest.loops[this];
        (entry.first, entry.relation, entry.bound) = (counted.first, counted.relation, counted.bound);
        self.lose(variable, Lost::Value("its loop ends at the end of a strip"));
        Ok(Some(this))
    }

    fn mark(&self) -> Mark {
        Mark {
            accesses: self.nest.accesses.len(),
            statements: self.nest.step.statements.len(),
            loops: self.nest.loops.len(),
            params: self.nest.params.len(),
            checks: self.nest.range_checks.len(),
            copies: self.copies.len(),
        }
    }

    /// Whether all that was read since is done by the loop inside, independently of the order of points and of where strips begin.
    fn is_of_strips(&self, since: &Mark, marker: Handle<Param>, inner: Handle<Loop>) -> bool {
        let statements = &self.nest.step.statements[since.statements..];
        let is_inside = statements.iter().all(|it| self.nest.accesses[it.write].loops.contains(&inner));
        let is_pointwise = statements.iter().all(|it| self.is_only_element(it.write, since));
        let is_marker = |expr: &Handle<Expr>| matches!(self.kind(*expr), ExprKind::Param(it) if *it == marker);
        let used = self.nest.reachable(self.read_since(since));
        self.copies.len() == since.copies && is_inside && is_pointwise && !used.iter().any(is_marker)
    }

    /// Whether all accesses since then of the array that `write` stores name the same element, or another member of it.
    fn is_only_element(&self, write: Handle<Access>, since: &Mark) -> bool {
        let Access { array, subscripts, .. } = &self.nest.accesses[write];
        let others = self.nest.accesses.iter().skip(since.accesses).filter(|(_, other)| other.array == *array);
        let is_same = |other: &Access| {
            let mut pairs = subscripts.iter().zip(&other.subscripts);
            let are_members = |a, b| self.constant(a).is_some() && self.constant(b).is_some();
            subscripts.len() == other.subscripts.len()
                && pairs.all(|(a, b)| self.is_same(*a, *b) || are_members(*a, *b))
        };
        others.into_iter().all(|(_, other)| is_same(other))
    }

    /// The expressions of what was read since then.
    fn read_since(&self, since: &Mark) -> Vec<Handle<Expr>> {
        let nest = &self.nest;
        let mut found: Vec<_> = nest.step.statements[since.statements..].iter().map(|it| it.value).collect();
        for (_, access) in nest.accesses.iter().skip(since.accesses) {
            found.extend(access.subscripts.iter().chain(&access.guards));
        }
        found.extend(nest.loops.iter().skip(since.loops).flat_map(|(_, it)| [it.first, it.bound]));
        found.extend(nest.range_checks[since.checks..].iter().flat_map(|it| it.guards.iter().chain([&it.value])));
        let value = |param: &Param| match param.value {
            ParamValue::Expression { value, .. } => Some(value),
            _ => None,
        };
        found.extend(nest.params.iter().skip(since.params).filter_map(|(_, param)| value(param)));
        found
    }
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read, refusal};

    const PARAMETERS: &str = "int n, int m, int s, double (*a)[m], double (*b)[m], double *c";

    fn text(loops: &str, body: &str) -> String {
        let nest = format!("#pragma stencil\nfor (int t = 0; t < 9; t++) {{ {loops} {{ {body} }} }}");
        function(PARAMETERS, &nest)
    }

    const ROWS: &str = "for (int ii = 1; ii < n - 1; ii += s) for (int jj = 1; jj <= m - 2; jj += s + 1)
        for (int i = ii; i < (ii + s < n - 1 ? ii + s : n - 1); i++)
        for (int j = jj; j <= jj + s && j < m - 1; j++)";

    #[test]
    fn strips_together_are_the_loops_without_them() {
        let nest = read(&text(ROWS, "b[i][j] = a[i - 1][j + 1];"));
        let shown = nest.to_string();
        assert!(shown.contains("loop int i = 1; i < (n - 1); i += 1") && shown.contains("loop int j = 1; j < (m - 1)"));
        assert!(!shown.contains("strip_of"), "{shown}");
        assert!(nest.step.has_strips && nest.range_checks.iter().filter(|check| check.least == 1).count() == 2);
        let ends = "for (int ii = 1; ii < n; ii += s) { int end = ii + s; if (end > n - 1) end = n - 1;
            for (int i = ii; i < end; i++)";
        let shown = read(&text(ends, "c[i] *= 2; }")).to_string();
        assert!(shown.contains("loop int i = 1; i < (n - 1); i += 1"), "{shown}");
    }

    #[test]
    fn strips_that_are_not_surely_the_whole_are_refused() {
        let one = "for (int ii = 1; ii < n - 1; ii += s)";
        for (loops, body) in [
            // They leave something out, or go further than the loops together.
            (format!("{one} for (int i = ii; i < ii + s; i++)"), "c[i] = 1;"),
            (format!("{one} for (int i = ii; i < ii + s && i < n; i++)"), "c[i] = 1;"),
            (format!("{one} for (int i = ii; i < ii + m && i < n - 1; i++)"), "c[i] = 1;"),
            (format!("{one} for (int i = ii; i < ii + s && i < n - 1; i += 2)"), "c[i] = 1;"),
            (format!("{one} for (int i = ii + 1; i < ii + s && i < n - 1; i++)"), "c[i] = 1;"),
            (one.to_owned(), "c[ii] = 1;"),
            // Where a strip begins is seen.
            (format!("{one} for (int i = ii; i < ii + s && i < n - 1; i++)"), "c[i] = ii;"),
            (format!("{one} for (int i = ii; i < ii + s && i < n - 1; i++)"), "if (i > ii) c[i] = 1;"),
            (one.to_owned(), "for (int i = ii; i < ii + s && i < n - 1; i++) c[i] = 1; c[0] = 2;"),
            // The order of points is.
            (ROWS.to_owned(), "a[i][j] = a[i + 1][j - 1];"),
            (ROWS.to_owned(), "b[i][j] = a[i][j]; c[i] = b[i - 1][j];"),
            (ROWS.to_owned(), "b[i][j] = a[i][j]; b[i][0] = a[j][i];"),
        ] {
            let refused = refusal(&text(&loops, body));
            assert_eq!(refused.code, "loop-form", "{loops} {body}: {}", refused.message);
        }
    }
}
