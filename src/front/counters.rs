//! Scalars to which each iteration of a loop adds a constant beside the loop's own variable, as `k` in
//! `for (i = 0, k = n - 1; i < n; i++, k--)`: they are sums of what they hold before the loop and of its iterations.

use tree_sitter::Node;

use super::Failable;
use super::headers::{assignments, comma_parts, has_jump};
use super::loops::{Amount, is_data};
use super::reader::{Binding, Change, Reader, Unknown};
use super::tree::{children, strip_parentheses, target};
use super::types::CType;
use crate::ir::{BinaryOp, Expr, ExprKind, Handle, HostValue, Loop, ScalarType};

/// A counter.
#[derive(Clone, Copy, Debug)]
pub struct Counter {
    variable: Handle<HostValue>,
    /// What it holds before the loop, or once that is entered, before the iteration.
    first: Handle<Expr>,
    /// What each iteration adds.
    by: i64,
}

impl<'t> Reader<'_, '_, 't> {
    /// The counters among what the loop `node` changes beside its own `variable`; nothing in it has been read yet.
    pub fn counters(&mut self, node: Node<'t>, variable: Handle<HostValue>, changed: &[Change]) -> Vec<Counter> {
        let mut counters = Vec::new();
        for (counter, _) in changed.iter().filter(|(changed, _)| *changed != variable) {
            let Some(CType::Scalar(ty)) = self.declaration_of(*counter).map(|it| it.ty.clone()) else { continue };
            if !ty.is_integer() || ty.promoted() != ty || !self.is_changed_by_name_only(node, *counter) {
                continue;
            }
            let Some(by) = self.added_in_each_iteration(node, *counter) else { continue };
            let Some(first) = self.value_at_start(*counter, ty) else { continue };
            counters.push(Counter { variable: *counter, first, by });
        }
        counters
    }

    /// What an integer holds in front of the loop, if no data goes into it.
    fn value_at_start(&mut self, variable: Handle<HostValue>, ty: ScalarType) -> Option<Handle<Expr>> {
        match self.bindings.get(&variable) {
            Some(Binding::Scalar(first)) => Some(*first).filter(|first| !self.any(*first, &is_data)),
            None if self.is_from_outside(variable) => {
                let span = self.nest.pragma;
                Some(self.constant_before(variable, ty).unwrap_or_else(|| self.param(variable, ty, span)))
            }
            _ => None,
        }
    }

    /// The constant that each iteration of the loop `node` adds to a variable, all that it does to it.
    fn added_in_each_iteration(&self, node: Node<'t>, variable: Handle<HostValue>) -> Option<i64> {
        let name = self.name(variable);
        if assignments(self.unit, node, name, node.child_by_field_name("initializer")) != 1 {
            return None;
        }
        let body = node.child_by_field_name("body")?;
        let statements = children(body).into_iter().filter(|it| it.kind() == "expression_statement" && !has_jump(body));
        let in_body = statements.filter_map(|it| children(it).first().copied());
        let in_header = node.child_by_field_name("update").map(comma_parts).unwrap_or_default();
        let all = in_body.map(strip_parentheses).chain(in_header);
        let mut found = all.filter(|it| target(*it).is_some_and(|target| self.text(target) == name));
        self.amount_added(found.next()?, name)
    }

    fn amount_added(&self, update: Node<'t>, name: &str) -> Option<i64> {
        let (amount, is_added) = match self.counted_amount(update, name)? {
            Amount::One { is_added } => return Some(if is_added { 1 } else { -1 }),
            Amount::Of { amount, is_added } => (amount, is_added),
        };
        let amount = self.scope.typed_constant(self.unit, amount).filter(|amount| amount.ty.is_integer())?.as_i64()?;
        let amount = i32::try_from(amount).ok().filter(|amount| *amount > i32::MIN)?;
        Some(i64::from(if is_added { amount } else { -amount }))
    }

    /// Gives counters their values in an iteration of `this`.
    pub fn enter_counters(&mut self, this: Handle<Loop>, counters: &mut Vec<Counter>) {
        let span = self.nest.loops.span(this);
        let is_carried = |it: &Counter, reader: &Self| {
            matches!(reader.bindings.get(&it.variable), Some(Binding::Unknown(Unknown::Carried, _)))
        };
        counters.retain(|counter| is_carried(counter, self));
        for counter in counters {
            counter.first = self.counted_from(counter.first, counter.by, this, span);
            self.bindings.insert(counter.variable, Binding::Scalar(counter.first));
        }
    }

    /// Looks whether an iteration has changed counters as its text says.
    ///
    /// # Errors
    /// A function that it calls changes one, too.
    pub fn leave_counters(&mut self, counters: &[Counter]) -> Failable<()> {
        let other = counters.iter().find(|it| !self.has_grown(it.variable, it.first, it.by));
        other.map_or(Ok(()), |counter| Err(self.no_rule(counter.variable, self.nest.exprs.span(counter.first))))
    }

    /// Whether a variable holds the integer `before` plus `by`.
    pub fn has_grown(&self, variable: Handle<HostValue>, before: Handle<Expr>, by: i64) -> bool {
        let Some(&Binding::Scalar(after)) = self.bindings.get(&variable) else { return false };
        if let (Some(before), Some(after)) = (self.polynomial(before), self.polynomial(after)) {
            return after.plus(&before, -1).and_then(|it| it.as_constant()) == Some(by);
        }
        let ExprKind::Binary(op, left, right) = *self.kind(after) else { return false };
        let added = match op {
            BinaryOp::Add => self.constant(right),
            BinaryOp::Sub => self.constant(right).map(|amount| -amount),
            _ => None,
        };
        added == Some(by) && self.is_same(left, before)
    }
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read, refusal};

    fn nest(body: &str) -> String {
        function("int n, int m, int k, double *a, const double *b", &format!("int i, j;\n#pragma stencil\n{body}"))
    }

    fn first_statement(body: &str) -> String {
        let text = read(&nest(body)).to_string();
        text.lines().find(|line| line.contains("] = ")).map(str::to_owned).unwrap_or(text)
    }

    #[test]
    fn counters_of_headers_and_bodies_are_sums() {
        let reversed = first_statement("for (i = 0, j = n - 1; i < n; i++, j--) a[i] = b[j];");
        assert!(reversed.ends_with("b[(((long long)n - (long long)i) - 1)]"), "{reversed}");
        let body = first_statement("for (i = 1; i < n; i += 1) { a[i] = b[k]; k += 2; }");
        assert!(body.ends_with("b[(((2 * (long long)i) + (long long)k) - 2)]"), "{body}");
        let inner =
            first_statement("for (i = 0; i < n; i++) { j = i * m; for (int l = 0; l < m; l++) { a[j] = b[j]; j++; } }");
        assert!(inner.contains("a[(long long)i][(long long)l] = b[(long long)i][(long long)l]"), "{inner}");
    }

    #[test]
    fn what_a_condition_or_another_assignment_changes_is_no_counter() {
        for body in
            ["if (b[i] > 0) k++;", "k++; k++;", "k += i;", "if (i) continue; k++;", "k = 2 * k + 1;", "k += 1.5;"]
        {
            let inner = format!("for (i = 0; i < n; i++) {{ a[j * n + i] = b[k]; {body} }}");
            let refusal = refusal(&nest(&format!("for (j = 0; j < m; j++) {{ k = j; {inner} }}")));
            assert!(["scalar-carried", "unsupported-statement"].contains(&refusal.code), "{body}: {}", refusal.code);
        }
    }
}
