//! Loops that end at the first of several bounds, as the loops of a hand-tiled nest do.
//!
//! `for (i = ii; i < min(ii + 16, n); i++)` runs to `ii + 16`, and its body is under the condition `i < n`. The order of the
//! iterations stays as it is written; sets see that the tiles cover the domain once.

use tree_sitter::Node;

use super::Failable;
use super::integers::is_invariant;
use super::left::Lost;
use super::reader::Reader;
use crate::ir::{BinaryOp, Expr, ExprKind, Handle, Loop};

const SEVERAL_BOUNDS: &str = "its loop ends at the first of several bounds";

impl<'t> Reader<'_, '_, 't> {
    /// The comparisons that a loop's condition is made of: the sides of `&&`, and one for each operand of the minimum (or, for
    /// a loop that counts down, the maximum) with which an index is compared. The one that changes most comes first.
    pub fn bound_tests(&mut self, condition: Handle<Expr>) -> Vec<Handle<Expr>> {
        let mut tests = Vec::new();
        self.collect_tests(condition, &mut tests);
        let is_fixed = |reader: &Self, test: Handle<Expr>| {
            let sides = reader.kind(test).operands();
            sides.into_iter().any(|side| is_invariant(reader, side))
        };
        tests.sort_by_key(|test| is_fixed(self, *test));
        tests
    }

    fn collect_tests(&mut self, condition: Handle<Expr>, tests: &mut Vec<Handle<Expr>>) {
        let ExprKind::Binary(op, left, right) = *self.kind(condition) else { return tests.push(condition) };
        let span = self.nest.exprs.span(condition);
        if op == BinaryOp::And {
            return [left, right].into_iter().for_each(|side| self.collect_tests(side, tests));
        }
        if let (BinaryOp::NotEqual, Some(0)) = (op, self.constant(right))
            && let ExprKind::Binary(BinaryOp::Sub, left, right) = *self.kind(left)
            && self.ty(left).is_integer()
        {
            // `while (n - i)`
            let test = self.binary(BinaryOp::NotEqual, left, right, span);
            return tests.push(test);
        }
        for (index, op, bound) in [(left, op, right), (right, op.turned(), left)] {
            let is_below = matches!(op, BinaryOp::Less | BinaryOp::LessEqual);
            let is_above = matches!(op, BinaryOp::Greater | BinaryOp::GreaterEqual);
            if let Some((least, operands)) = self.extreme(bound).filter(|_| !is_invariant(self, bound))
                && (least && is_below || !least && is_above)
            {
                for operand in operands {
                    let test = self.binary(op, index, operand, span);
                    self.collect_tests(test, tests);
                }
                return;
            }
        }
        tests.push(condition);
    }

    /// For a choice that is the smaller (true) or the larger (false) of two values: the values.
    pub fn extreme(&self, expr: Handle<Expr>) -> Option<(bool, [Handle<Expr>; 2])> {
        let ExprKind::Select(condition, then, otherwise) = *self.kind(expr) else { return None };
        let ExprKind::Binary(op, left, right) = *self.kind(condition) else { return None };
        let op = match (self.is_same(left, then), self.is_same(right, otherwise)) {
            (true, true) => op,
            _ if self.is_same(left, otherwise) && self.is_same(right, then) => op.turned(),
            _ => return None,
        };
        match op {
            BinaryOp::Less | BinaryOp::LessEqual => Some((true, [then, otherwise])),
            BinaryOp::Greater | BinaryOp::GreaterEqual => Some((false, [then, otherwise])),
            _ => None,
        }
    }

    /// Puts the body of `this` under the other bounds of its condition.
    pub fn enter_bounds(&mut self, node: Node<'t>, this: Handle<Loop>, others: &[Handle<Expr>]) -> Failable<()> {
        for test in others {
            match self.integral_condition(*test, self.here()) {
                Ok(guard) if self.ends_for_good(this, guard) => self.guards.push(guard),
                _ => return self.not_canonical(node),
            }
        }
        if !others.is_empty() {
            self.lose(self.nest.loops[this].variable, Lost::Value(SEVERAL_BOUNDS));
        }
        Ok(())
    }

    /// Whether no iteration behind the first one in which `guard` does not hold is one in which it does: then it is all the same
    /// whether the loop ends there or goes on without doing anything.
    fn ends_for_good(&self, this: Handle<Loop>, guard: Handle<Expr>) -> bool {
        let Loop { relation, step, .. } = self.nest.loops[this];
        let is_below = |op| matches!(op, BinaryOp::Less | BinaryOp::LessEqual);
        let is_above = |op| matches!(op, BinaryOp::Greater | BinaryOp::GreaterEqual);
        let ends = |op| if step > 0 { is_below(op) } else { is_above(op) };
        let is_one = matches!(self.kind(guard), ExprKind::Binary(op, ..) if op.is_comparison());
        let relations = self.nest.index_relations(guard, true);
        is_one && ends(relation) && relations.into_iter().any(|(index, op, _)| index == this && ends(op))
    }
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read, refusal};

    fn text(loops: &str) -> String {
        let body = format!("#pragma stencil\nfor (int ii = 1; ii < n - 1; ii += 16) {{ {loops} b[i] = a[i - 1]; }}");
        read(&function("int n, int m, const double *a, double *b", &body)).to_string()
    }

    #[test]
    fn a_loop_that_ends_at_a_minimum_has_its_body_under_the_other_bound() {
        for header in [
            "for (int i = ii; i < (ii + 16 < n - 1 ? ii + 16 : n - 1); i++)",
            "for (int i = ii; i < (n - 1 > ii + 16 ? ii + 16 : n - 1); i++)",
            "for (int i = ii; i < ii + 16 && i < n - 1; i++)",
            "for (int i = ii; i < n - 1 && ii + 16 > i; i++)",
            "int end = ii + 16; if (end > n - 1) end = n - 1; for (int i = ii; i < end; i++)",
        ] {
            let text = text(header);
            assert!(text.contains("loop int i = ii; i < (ii + 16); i += 1"), "{text}");
            assert!(text.contains("if (i < (n - 1)) b["), "{text}");
        }
    }

    #[test]
    fn a_loop_may_run_while_a_difference_is_not_0() {
        let body = "#pragma stencil\nfor (int i = 1; n - 1 - i; i++) b[i] = a[i - 1];";
        let text = read(&function("int n, const double *a, double *b", body)).to_string();
        assert!(text.contains("loop int i = 1; i != (n - 1); i += 1") || text.contains("i < (n - 1)"), "{text}");
    }

    #[test]
    fn a_loop_that_ends_at_a_maximum_is_refused() {
        let body = "#pragma stencil
            for (int ii = 1; ii < n - 1; ii += 16) for (int i = ii; i < (ii + 16 > m ? ii + 16 : m); i++) b[i] = a[i];";
        let nest = read(&function("int n, int m, const double *a, double *b", body));
        assert!(nest.to_string().contains("?"), "the analysis refuses the bound: {nest}");
        let live = "int i;\n#pragma stencil
            for (int ii = 1; ii < n - 1; ii += 16) for (i = ii; i < ii + 16 && i < n - 1; i++) b[i] = a[i];\nprintf(\"%d\", i);";
        assert_eq!(refusal(&function("int n, const double *a, double *b", live)).code, "scalar-live-out");
    }

    #[test]
    fn a_condition_that_may_hold_again_ends_no_loop() {
        for condition in ["i < n && i != m", "i != n && i < m", "i < n && n - i > m", "i < n && (unsigned)(i - 1) < 9u"]
        {
            let body = format!("#pragma stencil\nfor (int i = 0; {condition}; i++) b[i] = a[i];");
            let refused = refusal(&function("int n, int m, const double *a, double *b", &body));
            assert_eq!(refused.code, "loop-form", "{condition}");
        }
    }
}
