//! Conditions that functions answer by constants: `if (x < 0) return 0; if (x >= n) return 0; return 1;`.
//!
//! What such a function returns is a choice, `x < 0 ? 0 : x >= n ? 0 : 1`. Where that is compared with a constant the choice is the
//! condition itself: `!(x < 0) && !(x >= n)`, of which is seen for which points it holds.

use super::reader::Reader;
use crate::ir::{BinaryOp, Expr, ExprKind, Handle, ScalarType, UnaryOp};
use crate::source::Span;

impl Reader<'_, '_, '_> {
    /// `choice op bound` as a condition, if that is a constant and so are all values of the choice.
    pub fn verdict(
        &mut self,
        op: BinaryOp,
        choice: Handle<Expr>,
        bound: Handle<Expr>,
        span: Span,
    ) -> Option<Handle<Expr>> {
        let ExprKind::Select(condition, then, otherwise) = *self.kind(choice) else { return None };
        let [then_holds, otherwise_holds] = [then, otherwise].map(|side| self.decided(op, side, bound));
        let condition = self.truth(condition);
        if let (Some(then), Some(otherwise)) = (then_holds, otherwise_holds) {
            return Some(match (then, otherwise) {
                (true, false) => condition,
                (false, true) => self.unary(UnaryOp::Not, condition, span),
                _ => self.int(ScalarType::I32, i64::from(then), span),
            });
        }
        let (known, rest, other) = match (then_holds, otherwise_holds) {
            (Some(holds), None) => (holds, otherwise, self.unary(UnaryOp::Not, condition, span)),
            (None, Some(holds)) => (holds, then, condition),
            _ => return None,
        };
        let rest = self.verdict(op, rest, bound, span)?;
        // `other` is where the rest decides.
        Some(if known {
            let decided = self.unary(UnaryOp::Not, other, span);
            self.binary(BinaryOp::Or, decided, rest, span)
        } else {
            self.binary(BinaryOp::And, other, rest, span)
        })
    }

    /// Whether a comparison of constants holds.
    fn decided(&self, op: BinaryOp, left: Handle<Expr>, right: Handle<Expr>) -> Option<bool> {
        let [left, right] = [left, right].map(|side| self.typed_constant(side));
        Some(left?.binary(op, right?)?.is_true())
    }
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read};

    fn nest(body: &str, test: &str) -> String {
        let inside = format!("static int inside(int n, int x) {{ {body} }}\n");
        let nest = format!("#pragma stencil\nfor (int i = 0; i < n; i++) if ({test}) a[i] = b[i];");
        inside + &function("int n, double *a, const double *b", &nest)
    }

    #[test]
    fn answers_by_returns_are_conditions() {
        let body = "if (x > n - 3 || x < 1) return 0; return 1;";
        for test in ["inside(n, i)", "inside(n, i) == 1", "inside(n, i) != 0", "inside(n, i) > 0"] {
            let text = read(&nest(body, test)).to_string();
            assert!(!text.contains('?'), "{test}: {text}");
        }
        let text =
            read(&nest("if (x < 1) return 0; if (x > n - 3) return 0; return 1;", "inside(n, i) == 1")).to_string();
        assert!(!text.contains('?'), "{text}");
        let text = read(&nest("if (x < 1) return 2; return x > n - 3 ? 3 : 1;", "inside(n, i) >= 2")).to_string();
        assert!(!text.contains('?'), "{text}");
        let text = read(&nest("if (x < 1) return 2; return x;", "inside(n, i) >= 2")).to_string();
        assert!(!text.contains('?'), "{text}");
    }
}
