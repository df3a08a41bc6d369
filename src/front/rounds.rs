//! `while` loops that run at most once: `while (i < 0) i += n; while (i >= n) i -= n;` brings an index into its period.
//!
//! Such a loop is an `if` of which integer sets say later that its condition holds nowhere any more behind the body ([`Covered`]).
//! With numbers alone, as in a loop that is written out, it runs as often as they say.

use tree_sitter::Node;

use super::Failable;
use super::headers::has_jump;
use super::reader::Reader;
use super::unroll::MAX_ITERATIONS;
use crate::ir::{BinaryOp, Cover, Covered, Expr, ExprKind, Handle, UnaryOp};
use crate::source::Span;

/// What such a loop tests may be one of so many values.
const MAX_CASES: usize = 8;

/// Conditions that all hold, and the value where they do.
type Case = (Vec<Handle<Expr>>, Handle<Expr>);

impl<'t> Reader<'_, '_, 't> {
    /// Executes a `while` loop that counts nothing.
    pub fn while_statement(&mut self, node: Node<'t>) -> Failable<()> {
        let (test, body) = (self.field(node, "condition")?, self.field(node, "body")?);
        if has_jump(body) || self.loops.is_empty() {
            return self.refuse_statement(node);
        }
        for _ in 0..MAX_ITERATIONS {
            let condition = self.condition(test)?;
            match self.constant(condition) {
                Some(0) => return Ok(()),
                Some(_) => self.statement(body)?,
                None => return self.one_round(node, test, body),
            }
        }
        self.refuse_statement(node)
    }

    /// Executes the loop as an `if`.
    fn one_round(&mut self, node: Node<'t>, test: Node<'t>, body: Node<'t>) -> Failable<()> {
        let span = self.span(test);
        let first = self.condition(test)?;
        let before = self.in_cases(first);
        if before.is_none_or(|before| self.integral_condition(before, self.here()).is_err()) {
            return self.refuse_statement(node);
        }
        let condition = self.local("condition", first, span);
        let then = |reader: &mut Self| {
            reader.statement(body)?;
            let again = reader.condition(test)?;
            reader.note_last_round(node, span, before, again)
        };
        self.branches(condition, span, then, |_| Ok(()))
    }

    /// Notes that where the condition held `before`, it does not hold `again`.
    fn note_last_round(
        &mut self,
        node: Node<'t>,
        span: Span,
        before: Option<Handle<Expr>>,
        again: Handle<Expr>,
    ) -> Failable<()> {
        let again = self.in_cases(again);
        let both = before.zip(again).map(|(before, again)| self.binary(BinaryOp::And, before, again, span));
        let over = both.map(|both| self.unary(UnaryOp::Not, both, span));
        let Some(Ok(taken)) = over.map(|over| self.integral_condition(over, self.here())) else {
            return self.refuse_statement(node);
        };
        if self.constant(taken).is_none_or(|taken| taken == 0) {
            self.nest.covers.push(Cover {
                of: Covered::OneRound,
                loops: self.loops.clone(),
                guards: self.guards.clone(),
                taken,
                read: self.span(node),
                branches: span,
            });
        }
        Ok(())
    }

    /// A comparison of choices as one that says for each case what is compared, `c ? x : y < n` as `c && x < n || !c && y < n`.
    fn in_cases(&mut self, condition: Handle<Expr>) -> Option<Handle<Expr>> {
        let span = self.nest.exprs.span(condition);
        let ExprKind::Binary(op, left, right) = *self.kind(condition) else { return Some(condition) };
        if !op.is_comparison() {
            return Some(condition);
        }
        let (left, right) = (self.values_in_cases(left)?, self.values_in_cases(right)?);
        let mut all: Option<Handle<Expr>> = None;
        for (where_left, left) in &left {
            for (where_right, right) in &right {
                let compared = self.binary(op, *left, *right, span);
                let conditions = where_left.iter().chain(where_right).rev();
                let case = conditions.fold(compared, |rest, it| self.binary(BinaryOp::And, *it, rest, span));
                all = Some(all.map_or(case, |all| self.binary(BinaryOp::Or, all, case, span)));
            }
        }
        all
    }

    /// The values of an integer, each with the conditions under which it is that; `None` if there are many.
    fn values_in_cases(&mut self, value: Handle<Expr>) -> Option<Vec<Case>> {
        let span = self.nest.exprs.span(value);
        let all = match *self.kind(value) {
            ExprKind::Local(local) => self.values_in_cases(self.nest.locals[local].value)?,
            ExprKind::Select(condition, then, otherwise) => {
                let opposite = self.unary(UnaryOp::Not, condition, span);
                let mut all = Vec::new();
                for (condition, side) in [(condition, then), (opposite, otherwise)] {
                    let ty = self.ty(value);
                    for (mut conditions, value) in self.values_in_cases(side)? {
                        conditions.insert(0, condition);
                        all.push((conditions, self.convert(value, ty)));
                    }
                }
                all
            }
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), left, right) => {
                let (left, right) = (self.values_in_cases(left)?, self.values_in_cases(right)?);
                let mut all = Vec::new();
                for (where_left, left) in &left {
                    for (where_right, right) in &right {
                        let conditions = where_left.iter().chain(where_right).copied().collect();
                        all.push((conditions, self.binary(op, *left, *right, span)));
                    }
                }
                all
            }
            _ => vec![(Vec::new(), value)],
        };
        Some(all).filter(|all| all.len() <= MAX_CASES)
    }
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{point_nest, read, refusal};

    #[test]
    fn a_loop_into_the_period_is_an_if() {
        let nest = read(&point_nest("", "int k = i - 1; while (k < 0) k += n; a[i] = b[k];"));
        assert_eq!(nest.covers.len(), 1, "{nest}");
        let twice = read(&point_nest("", "int k = i + 3; while (k < 0) k += n; while (k >= n) k -= n; a[i] = b[k];"));
        assert_eq!(twice.covers.len(), 2, "{twice}");
    }

    #[test]
    fn numbers_alone_run_as_often_as_they_say() {
        let nest = read(&point_nest("", "int k = -7; while (k < 0) k += 3; a[i] = b[i + k];"));
        assert!(nest.covers.is_empty() && nest.to_string().contains("+ 2"), "{nest}");
    }

    #[test]
    fn other_loops_are_refused() {
        for body in [
            "while (b[i] > 1) a[i] = b[i];",
            "int k = i; while (k >= n) { if (k > 3) break; k -= n; } a[i] = b[k];",
            "double x = b[i]; while (x > 1) x -= 1; a[i] = x;",
            "while (1) a[i] = 0;",
        ] {
            assert_eq!(refusal(&point_nest("", body)).code, "unsupported-statement", "{body}");
        }
    }
}
