//! Where the program ends: calls of `exit`, `abort` and their like, and assertions that fail.
//!
//! No device can end a program, so a statement that does must never be reached: types and ranges prove that, or the driver
//! sees before it starts that the condition around it never holds, and leaves the nest to the original loops if it may. What
//! else stands in such a block, output above all, is not looked at. Messages on standard error in called functions must not be
//! reached either, though the program goes on behind them.

use tree_sitter::Node;

use super::Failable;
use super::calls::{is_ending, is_message};
use super::integral::{Place, Trust};
use super::ranges::Interval;
use super::reader::Reader;
use super::tree::{children, nodes_in, strip_parentheses};
use super::types::CType;
use crate::ir::{BinaryOp, Expr, ExprKind, Handle, RangeCheck, RangeFact, ScalarType, UnaryOp};
use crate::source::Diagnostic;

/// Calls of functions that call one that ends the program.
const MAX_CALLS: usize = 8;

/// All integers from or up to one.
const NEGATIVE: Interval = Interval { lo: i64::MIN as i128, hi: -1 };
const POSITIVE: Interval = Interval { lo: 1, hi: i64::MAX as i128 };

impl<'t> Reader<'_, '_, 't> {
    /// The one of `nodes`, which follow one another, in which the program ends whatever the others do.
    pub fn end_of_program(&mut self, nodes: &[Node<'t>]) -> Option<Node<'t>> {
        self.end_within(nodes, MAX_CALLS)
    }

    fn end_within(&mut self, nodes: &[Node<'t>], calls: usize) -> Option<Node<'t>> {
        let end = nodes.iter().position(|node| self.ends(*node, calls))?;
        (!nodes[..end].iter().any(|node| jumps_anywhere(*node))).then(|| nodes[end])
    }

    /// Whether the program ends in a statement or an expression.
    pub fn ends_program(&mut self, node: Node<'t>) -> bool {
        self.ends(node, MAX_CALLS)
    }

    fn ends(&mut self, node: Node<'t>, calls: usize) -> bool {
        let node = strip_parentheses(node);
        match node.kind() {
            "expression_statement" => children(node).first().is_some_and(|inner| self.ends(*inner, calls)),
            "compound_statement" => self.end_within(&children(node), calls).is_some(),
            "call_expression" => self.is_ending_call(node, calls),
            _ => false,
        }
    }

    fn is_ending_call(&mut self, call: Node<'t>, calls: usize) -> bool {
        let Some(function) = call.child_by_field_name("function").filter(|it| it.kind() == "identifier") else {
            return false;
        };
        let name = self.text(function);
        let Some(definition) = self.definition(name) else {
            let is_function = |it: &super::symbols::Variable| matches!(it.ty, CType::Function(_));
            return is_ending(name) && self.scope.variable(name).is_none_or(is_function);
        };
        let Some(body) = definition.child_by_field_name("body").filter(|_| calls > 0) else { return false };
        let mut ends = false;
        self.inside(definition, |reader| ends = reader.ends(body, calls - 1));
        ends
    }

    /// A statement `condition ? ... : ...`, as assertions are.
    pub fn chosen_effect(&mut self, node: Node<'t>) -> Failable<()> {
        let condition = self.field(node, "condition")?;
        let (then, otherwise) = (self.field(node, "consequence")?, self.field(node, "alternative")?);
        let span = self.span(condition);
        let condition = self.condition(condition)?;
        if let Some(value) = self.constant(condition) {
            return self.effect(if value != 0 { then } else { otherwise });
        }
        let condition = self.local("condition", condition, span);
        let opposite = self.unary(UnaryOp::Not, condition, span);
        let otherwise = |reader: &mut Self| reader.under(opposite, |reader| reader.effect(otherwise));
        self.branches(condition, span, |reader| reader.effect(then), otherwise)
    }

    fn effect(&mut self, node: Node<'t>) -> Failable<()> {
        if self.ends_program(node) { self.end(node) } else { self.expression_statement(node, node) }
    }

    /// Whether a statement of a called function writes a message on standard error that is seen never to be written.
    pub fn is_message_never_written(&mut self, node: Node<'t>) -> bool {
        !self.frames.is_empty() && self.is_message(node) && !self.conditions.is_empty() && self.is_shut(node)
    }

    fn is_message(&mut self, node: Node<'t>) -> bool {
        let Some(call) = children(node).first().copied().filter(|it| it.kind() == "call_expression") else {
            return false;
        };
        let name = call.child_by_field_name("function").map_or("", |it| self.text(it));
        is_message(self.unit, call) && self.definition(name).is_none()
    }

    /// The program ends at `node` if it gets there, which must never happen; what follows is not reached either.
    pub fn end(&mut self, node: Node<'t>) -> Failable<()> {
        self.has_ended = true;
        let Some(&innermost) = self.conditions.last() else {
            let help = "mark a nest that ends by itself";
            return self.refuse(node, "unsupported-statement", "the program ends here in every case", help);
        };
        let mut place = self.here();
        if self.data_conditions.last() != Some(&innermost) {
            place.guards.pop();
        }
        let is_of_the_host = self.is_of_the_host(self.looked_through(innermost));
        if !is_of_the_host && self.never_is(innermost, true, &place) || self.is_shut(node) {
            return Ok(());
        }
        Err(self.may_end(node, innermost))
    }

    /// Whether the host sees that those of the conditions around the present place that it can compute never hold together.
    fn is_shut(&mut self, node: Node<'t>) -> bool {
        let span = self.span(node);
        let conditions: Vec<_> = self.conditions.iter().map(|condition| self.looked_through(*condition)).collect();
        let of_the_host =
            conditions.into_iter().filter(|condition| self.is_of_the_host(*condition)).collect::<Vec<_>>();
        let all = of_the_host.into_iter().reduce(|all, next| self.binary(BinaryOp::And, all, next, span));
        all.is_some_and(|all| self.check_on_host(all, true))
    }

    fn may_end(&self, node: Node<'t>, condition: Handle<Expr>) -> Box<Diagnostic> {
        let message = "the program may end in this nest, which no device can do";
        Box::new(
            Diagnostic::error("unsupported-statement", message, self.span(node))
                .with_label(self.nest.exprs.span(condition), "it cannot be seen before the nest that this never holds")
                .with_help("check it in a loop of its own that is not marked")
                .with_help("or compile without the check, `-DNDEBUG` if it is an assertion"),
        )
    }

    /// Whether `condition` surely never is `holds` at `place`, or the driver checks it.
    fn never_is(&mut self, condition: Handle<Expr>, holds: bool, place: &Place) -> bool {
        let condition = self.looked_through(condition);
        if let Some(value) = self.constant(condition) {
            return (value != 0) != holds;
        }
        if self.is_of_the_host(condition) {
            return self.check_on_host(condition, holds);
        }
        match *self.kind(condition) {
            ExprKind::Unary(UnaryOp::Not, inner) => self.never_is(inner, !holds, place),
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) if holds == (op == BinaryOp::And) => {
                self.never_is_where(right, (left, holds), holds, place)
                    || self.never_is_where(left, (right, holds), holds, place)
            }
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
                self.never_is(left, holds, place) && self.never_is(right, holds, place)
            }
            ExprKind::Binary(op, left, right) if op.is_comparison() => {
                let always = if holds { op.opposite() } else { op };
                self.always(always, left, right, place) || self.is_nowhere(condition, holds, place)
            }
            _ => false,
        }
    }

    /// As [`never_is`](Self::never_is) where `other` is what is said beside it.
    fn never_is_where(
        &mut self,
        condition: Handle<Expr>,
        (other, is_true): (Handle<Expr>, bool),
        holds: bool,
        place: &Place,
    ) -> bool {
        let Some(guard) = self.guard(other, is_true, place) else { return self.never_is(condition, holds, place) };
        let mut place = place.clone();
        place.guards.push(guard);
        self.never_is(condition, holds, &place)
    }

    fn guard(&mut self, condition: Handle<Expr>, holds: bool, place: &Place) -> Option<Handle<Expr>> {
        let span = self.nest.exprs.span(condition);
        let condition = if holds { condition } else { self.unary(UnaryOp::Not, condition, span) };
        self.integral_condition(condition, place.clone()).ok()
    }

    /// Whether a comparison of integers holds at `place` wherever it is made, by proof or by a check.
    fn always(&mut self, op: BinaryOp, left: Handle<Expr>, right: Handle<Expr>, place: &Place) -> bool {
        let within = match op {
            BinaryOp::Less => NEGATIVE,
            BinaryOp::LessEqual => Interval { hi: 0, ..NEGATIVE },
            BinaryOp::Greater => POSITIVE,
            BinaryOp::GreaterEqual => Interval { lo: 0, ..POSITIVE },
            BinaryOp::Equal => Interval { lo: 0, hi: 0 },
            _ => return false,
        };
        let [Ok(a), Ok(b)] = [left, right].map(|side| self.integral(side, place.clone(), Trust::Checks)) else {
            return false;
        };
        let (a, b) = (self.long(a), self.long(b));
        let difference = self.binary(BinaryOp::Sub, a, b, self.nest.exprs.span(left));
        let difference = self.normalised(difference);
        self.require_within(difference, left, within, place.clone()).is_ok()
    }

    /// Lets the driver check that no iteration is left where a condition on an index is `holds`.
    fn is_nowhere(&mut self, condition: Handle<Expr>, holds: bool, place: &Place) -> bool {
        let Some(guard) = self.guard(condition, holds, place) else { return false };
        let loops = self.nest.index_relations(guard, true);
        if !loops.iter().any(|(this, ..)| place.loops.contains(this)) {
            return false;
        }
        let value = self.int(ScalarType::I64, 0, self.nest.exprs.span(condition));
        let guards = [place.guards.as_slice(), &[guard]].concat();
        // No value is right, but an index without values makes everything hold.
        self.nest.range_checks.push(RangeCheck {
            value,
            least: 1,
            greatest: 1,
            loops: place.loops.clone(),
            guards,
            says: RangeFact::Integers,
        });
        true
    }

    /// Lets the driver check that a condition that no iteration changes is not `holds`; whether it may be so.
    pub fn check_on_host(&mut self, condition: Handle<Expr>, holds: bool) -> bool {
        if let Some(value) = self.constant(condition) {
            return (value != 0) != holds;
        }
        let truth = self.truth(condition);
        let param = self.expression_param(truth);
        let expected = i64::from(!holds);
        let check = RangeCheck {
            value: param,
            least: expected,
            greatest: expected,
            loops: vec![],
            guards: vec![],
            says: RangeFact::Integers,
        };
        self.nest.range_checks.push(check);
        true
    }

    /// What a local holds.
    fn looked_through(&self, mut expr: Handle<Expr>) -> Handle<Expr> {
        while let ExprKind::Local(local) = *self.kind(expr) {
            expr = self.nest.locals[local].value;
        }
        expr
    }

    /// Whether the host can compute an expression before the nest.
    fn is_of_the_host(&self, expr: Handle<Expr>) -> bool {
        use ExprKind::{Accumulator, Call, Index, Iteration, Local, Read};
        !self.any(expr, &|part| {
            matches!(part.kind, Index(_) | Iteration(_) | Local(_) | Accumulator(_) | Read(_) | Call(..))
        })
    }
}

/// Whether a statement may be left before its end.
pub fn jumps_anywhere(statement: Node) -> bool {
    nodes_in(statement).any(|node| {
        matches!(
            node.kind(),
            "return_statement" | "break_statement" | "continue_statement" | "goto_statement" | "labeled_statement"
        )
    })
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read, refusal};

    const LIBRARY: &str = "void exit(int); void abort(void); int printf(const char *, ...);
        void die(const char *s) { printf(s); exit(1); }\n";

    fn text(body: &str) -> String {
        let loops = format!("#pragma stencil\nfor (int i = 1; i < n - 1; i++) {{ {body} }}");
        LIBRARY.to_owned() + &function("int n, int flag, double dt, double *a, const double *b", &loops)
    }

    fn checks(body: &str) -> usize {
        read(&text(body)).range_checks.len()
    }

    #[test]
    fn what_the_host_sees_is_checked_before_the_nest() {
        let plain = checks("a[i] = b[i];");
        for body in [
            "if (n == 7) { printf(\"no\"); exit(1); } a[i] = b[i];",
            "if (dt <= 0.5 && flag) die(\"no\"); a[i] = b[i];",
            "if (flag) { if (b[i] < 0) { die(\"no\"); } } a[i] = b[i];",
            "double x; if (flag == 1) x = 1; else { abort(); } a[i] = b[i] * x;",
            "switch (flag) { case 0: a[i] = b[i]; break; default: printf(\"no\"); exit(2); break; }",
            "if (i > n + 2) exit(1); a[i] = b[i];",
        ] {
            assert_eq!(checks(body), plain + 1, "{body}");
        }
    }

    #[test]
    fn what_ranges_prove_needs_no_check() {
        let plain = checks("a[i] = b[i];");
        assert_eq!(checks("if (i < 0) abort(); i >= 1 ? (void)0 : exit(1); a[i] = b[i];"), plain);
        assert_eq!(checks("({ if (i > 0) ; else exit(1); }); a[i] = b[i];"), plain);
    }

    #[test]
    fn what_data_decide_is_refused_and_so_is_what_surely_ends() {
        for body in ["if (b[i] < 0) exit(1);", "die(\"x\");", "if (i * i == n) abort();"] {
            assert_eq!(refusal(&text(&format!("{body} a[i] = b[i];"))).code, "unsupported-statement", "{body}");
        }
        // The program's own function of that name comes back.
        let own = text("if (flag) exit(1); a[i] = b[i];").replace("void exit(int);", "static void exit(int x) { }");
        read(&own);
    }
}
