//! Variables to which each iteration of a loop adds the same beside the loop's own variable, as `k` in
//! `for (i = 0, k = n - 1; i < n; i++, k--)`, or `p` in `for (j = 1; j < m - 1; j++) *p++ = 0;`: they are sums of what they hold
//! before the loop and of its iterations. Behind the loop they hold what all iterations have added, so a loop around it may add
//! to them, too.

use tree_sitter::Node;

use super::Failable;
use super::expressions::Value;
use super::growth::Growth;
use super::loops::is_data;
use super::reader::{Binding, Change, PointerValue, Reader, Unknown};
use super::types::CType;
use crate::ir::{BinaryOp, Expr, ExprKind, Handle, HostValue, Loop, ScalarType, Turned};
use crate::source::Span;

/// A counter.
#[derive(Clone, Debug)]
pub struct Counter<'t> {
    variable: Handle<HostValue>,
    /// Where it is counted.
    assigned: Span,
    /// What it holds before the loop.
    first: Running<'t>,
    /// What it holds before the iteration, once the loop is entered.
    now: Running<'t>,
    /// What each iteration adds.
    by: Handle<Expr>,
}

/// What a counter holds.
#[derive(Clone, Debug)]
enum Running<'t> {
    Number(Handle<Expr>),
    /// The last subscript runs.
    Pointer(PointerValue<'t>),
}

impl<'t> Running<'t> {
    fn of(binding: &Binding<'t>) -> Option<Self> {
        match binding {
            Binding::Scalar(number) => Some(Self::Number(*number)),
            Binding::Pointer(pointer) => Some(Self::Pointer(pointer.clone())),
            _ => None,
        }
    }

    fn binding(self) -> Binding<'t> {
        match self {
            Self::Number(number) => Binding::Scalar(number),
            Self::Pointer(pointer) => Binding::Pointer(pointer),
        }
    }

    /// The number, or the subscript that runs.
    fn number(&self) -> Option<Handle<Expr>> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Pointer(pointer) => pointer.subscripts.last().copied(),
        }
    }

    fn with_number(self, number: Handle<Expr>) -> Self {
        match self {
            Self::Number(_) => Self::Number(number),
            Self::Pointer(mut pointer) => {
                pointer.subscripts.pop();
                pointer.subscripts.push(number);
                Self::Pointer(pointer)
            }
        }
    }

    /// Whether both are numbers, or pointers that differ in the subscript that runs alone.
    fn is_of_one_place(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Number(_), Self::Number(_)) => true,
            (Self::Pointer(one), Self::Pointer(other)) => {
                let outer = |it: &PointerValue| it.subscripts[..it.subscripts.len() - 1].to_vec();
                one.root == other.root && one.pointee == other.pointee && outer(one) == outer(other)
            }
            _ => false,
        }
    }
}

impl<'t> Reader<'_, '_, 't> {
    /// The counters among what the loop `node` changes beside its own `variable`; nothing in it has been read yet.
    pub fn counters(&mut self, node: Node<'t>, variable: Handle<HostValue>, changed: &[Change]) -> Vec<Counter<'t>> {
        let others = changed.iter().filter(|(changed, _)| *changed != variable);
        others.filter_map(|it| self.counter_in(node, *it)).collect()
    }

    fn counter_in(&mut self, node: Node<'t>, (variable, assigned): Change) -> Option<Counter<'t>> {
        let ty = self.declaration_of(variable)?.ty.clone();
        let (name, is_pointer) = (self.name(variable).to_owned(), matches!(ty, CType::Pointer(_)));
        let is_counted = matches!(ty, CType::Scalar(ty) if ty.is_integer() && ty.promoted() == ty);
        if !is_counted && (!is_pointer || self.loops.is_empty()) || !self.is_changed_by_name_only(node, variable) {
            return None;
        }
        let growth = self.growth(node, &name)?;
        let is_running = is_pointer || growth.as_constant().is_some() || self.chooses_by(node, &name);
        let first = match ty {
            CType::Scalar(ty) => self.number_at_start(variable, ty)?,
            _ => self.pointer_at_start(variable)?,
        };
        let by = self.by_iteration(&growth, &first).filter(|_| is_running)?;
        Some(Counter { variable, assigned, now: first.clone(), first, by })
    }

    /// What an iteration adds to what runs, of a type in which it can be computed.
    fn by_iteration(&mut self, growth: &Growth<'t>, first: &Running<'t>) -> Option<Handle<Expr>> {
        let ty = self.ty(first.number()?);
        let width = if ty.is_unsigned() { ScalarType::I64 } else { ty };
        let by = self.grown(growth, width)?;
        self.polynomial(by).map(|_| by)
    }

    /// Where a pointer leads in front of the loop; its distances are no `int`, whatever numbers began them.
    fn pointer_at_start(&mut self, variable: Handle<HostValue>) -> Option<Running<'t>> {
        let first = Running::of(self.bindings.get(&variable)?)?;
        let number = self.long(first.number()?);
        Some(first.with_number(number))
    }

    /// What an integer holds in front of the loop, if no data goes into it.
    fn number_at_start(&mut self, variable: Handle<HostValue>, ty: ScalarType) -> Option<Running<'t>> {
        let first = match self.bindings.get(&variable) {
            Some(Binding::Scalar(first)) => Some(*first),
            Some(Binding::Unknown(Unknown::Counted(counter), _)) => match self.counted_behind(*counter)? {
                Value::Scalar(first) => Some(first),
                _ => None,
            },
            None if self.is_from_outside(variable) => {
                let span = self.nest.pragma;
                Some(self.constant_before(variable, ty).unwrap_or_else(|| self.param(variable, ty, span)))
            }
            _ => None,
        };
        first.filter(|first| !self.any(*first, &is_data)).map(Running::Number)
    }

    /// Gives counters their values in an iteration of `this`.
    pub fn enter_counters(&mut self, this: Handle<Loop>, counters: &mut Vec<Counter<'t>>) {
        let span = self.nest.loops.span(this);
        let is_carried = |it: &Counter, reader: &Self| {
            matches!(reader.bindings.get(&it.variable), Some(Binding::Unknown(Unknown::Carried, _)))
        };
        counters.retain(|counter| is_carried(counter, self));
        for counter in counters {
            let Some(first) = counter.first.number() else { continue };
            let now = match self.constant(counter.by) {
                Some(by) => self.counted_from(first, by, this, span),
                None => self.counted_by(first, counter.by, this, span),
            };
            self.note_turned(counter);
            counter.now = counter.first.clone().with_number(now);
            self.bindings.insert(counter.variable, counter.now.clone().binding());
        }
    }

    /// Notes a number that each step changes in the same way.
    fn note_turned(&mut self, counter: &Counter) {
        let is_number = self.loops.len() == 1 && matches!(counter.first, Running::Number(_));
        if let Some(by) = self.constant(counter.by).filter(|_| is_number) {
            self.nest.step.turns.push(Turned { variable: counter.variable, by, period: None });
        }
    }

    /// `first + by * s` in iteration `s` of `this`, of the type of `first`.
    fn counted_by(&mut self, first: Handle<Expr>, by: Handle<Expr>, this: Handle<Loop>, span: Span) -> Handle<Expr> {
        let Loop { ty, first: start, step, .. } = self.nest.loops[this];
        let count = match step.abs() {
            1 => {
                let index = self.expr(ty, ExprKind::Index(this), span);
                self.distance(start, index, step, self.ty(by), span)
            }
            _ => {
                let count = self.expr(ScalarType::I64, ExprKind::Iteration(this), span);
                self.convert(count, self.ty(by))
            }
        };
        self.sum_of(first, by, count, span)
    }

    /// `first + by * count`, of the type of `first`.
    fn sum_of(&mut self, first: Handle<Expr>, by: Handle<Expr>, count: Handle<Expr>, span: Span) -> Handle<Expr> {
        let (ty, width) = (self.ty(first), self.ty(by));
        let added = self.binary(BinaryOp::Mul, by, count, span);
        let first = self.convert(first, width);
        let sum = self.binary(BinaryOp::Add, first, added, span);
        self.convert(sum, ty)
    }

    /// `to - from`, or the other way round if `step` is negative, computed as `width`.
    fn distance(
        &mut self,
        from: Handle<Expr>,
        to: Handle<Expr>,
        step: i64,
        width: ScalarType,
        span: Span,
    ) -> Handle<Expr> {
        let (from, to) = (self.convert(from, width), self.convert(to, width));
        let (from, to) = if step > 0 { (from, to) } else { (to, from) };
        self.binary(BinaryOp::Sub, to, from, span)
    }

    /// Looks whether an iteration has changed counters as its text says.
    ///
    /// # Errors
    /// A function that it calls changes one, too, or a loop in it runs more or less often.
    pub fn leave_counters(&mut self, counters: &[Counter<'t>]) -> Failable<()> {
        let other = counters.iter().find(|it| !self.has_counted(it));
        other.map_or(Ok(()), |counter| Err(self.no_rule(counter.variable, counter.assigned)))
    }

    fn has_counted(&mut self, counter: &Counter<'t>) -> bool {
        let held = self.bindings.get(&counter.variable).cloned();
        let after = match held {
            Some(Binding::Unknown(Unknown::Counted(inner), _)) => self.counted_behind(inner).and_then(|it| match it {
                Value::Scalar(number) => Some(Running::Number(number)),
                Value::Pointer(pointer) => Some(Running::Pointer(pointer)),
                _ => None,
            }),
            held => held.and_then(|held| Running::of(&held)),
        };
        let Some(after) = after.filter(|after| after.is_of_one_place(&counter.now)) else { return false };
        let (Some(before), Some(after)) = (counter.now.number(), after.number()) else { return false };
        self.is_sum(after, before, counter.by)
    }

    /// What counters hold behind the loop that is over, once somebody asks.
    pub fn note_counted(&mut self, this: Handle<Loop>, counters: Vec<Counter<'t>>) {
        let span = self.nest.loops.span(this);
        for counter in counters {
            let variable = counter.variable;
            self.counted.push((this, counter));
            let behind = Binding::Unknown(Unknown::Counted(self.counted.len() - 1), span);
            self.bindings.insert(variable, behind);
        }
    }

    /// What a counter holds behind its loop; `None` where it depends on whether that runs.
    pub fn counted_behind(&mut self, counter: usize) -> Option<Value<'t>> {
        let (this, Counter { first, by, .. }) = self.counted[counter].clone();
        let span = self.nest.loops.span(this);
        let Loop { first: start, step, .. } = self.nest.loops[this];
        let width = self.ty(by);
        let end = self.end_of_counting(this, width, span).filter(|_| step.abs() == 1)?;
        let count = self.distance(start, end, step, width, span);
        let last = self.sum_of(first.number()?, by, count, span);
        Some(match first.with_number(last) {
            Running::Number(number) => Value::Scalar(number),
            Running::Pointer(pointer) => Value::Pointer(pointer),
        })
    }

    /// Whether a variable holds the integer `before` plus `by`.
    pub fn has_grown(&self, variable: Handle<HostValue>, before: Handle<Expr>, by: i64) -> bool {
        let Some(&Binding::Scalar(after)) = self.bindings.get(&variable) else { return false };
        self.has_constant_between(before, after, by)
    }

    fn is_sum(&self, after: Handle<Expr>, before: Handle<Expr>, by: Handle<Expr>) -> bool {
        if let Some(by) = self.constant(by) {
            return self.has_constant_between(before, after, by);
        }
        let polynomials = [after, before, by].map(|it| self.polynomial(it));
        let [Some(after), Some(before), Some(by)] = polynomials else { return false };
        after.plus(&before, -1).and_then(|it| it.plus(&by, -1)).is_some_and(|it| it.is_zero())
    }

    fn has_constant_between(&self, before: Handle<Expr>, after: Handle<Expr>, by: i64) -> bool {
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

    #[test]
    fn calls_bring_what_steps_count() {
        let sweeps = "for (i = 1; i < n; i++) a[i] = b[i]; k += 2; for (i = 1; i < n; i++) a[i] += k;";
        let body = format!("for (int t = 0; t < m; t++) {{ putchar('.'); {sweeps} if (t % 2) k = 0; }}");
        let nest = read(&format!("#include <stdio.h>\n{}", nest(&body)));
        let turns: Vec<_> = nest.step.turns.iter().map(|it| (nest.values.text(it.variable), it.by)).collect();
        assert_eq!(turns, [("k", 2)], "{nest}");
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
        for body in ["if (b[i] > 0) k++;", "k += i;", "if (i) continue; k++;", "k = 2 * k + 1;", "k += 1.5;"] {
            let inner = format!("for (i = 0; i < n; i++) {{ a[j * n + i] = b[k]; {body} }}");
            let refusal = refusal(&nest(&format!("for (j = 0; j < m; j++) {{ k = j; {inner} }}")));
            assert!(["scalar-carried", "unsupported-statement"].contains(&refusal.code), "{body}: {}", refusal.code);
        }
    }

    #[test]
    fn counters_run_through_loops_within_loops() {
        let rows = |body: &str| {
            let inner = format!("for (i = 1; i < n - 1; i++) {{ for (j = 1; j < m - 1; j++) {body} k += 2; }}");
            first_statement(&format!("for (int t = 0; t < 9; t++) {{ k = m + 1; {inner} }}"))
        };
        for body in ["{ a[k] = b[k - 1]; k++; }", "a[k++] = b[i * m + j - 1];", "{ ++k; a[k - 1] = b[i * m + j - 1]; }"]
        {
            let text = rows(body).replace("(long long)", "");
            assert!(text.contains("a[i][j] = b[i][(j - 1)]"), "{body}: {text}");
        }
        let pointers = "for (int t = 0; t < 9; t++) { const double *p = b; double *q = a;
            for (i = 0; i < n; i++) { for (j = 0; j < m; j++) *q++ = *p++; } }";
        let text = first_statement(pointers).replace("(long long)", "");
        assert!(text.contains("a[i][j] = b[i][j]"), "{text}");
    }

    #[test]
    fn what_does_not_change_in_loops_may_be_added() {
        let rows = |by: &str| {
            let planes = format!("for (i = 0; i < n; i++) {{ for (j = 0; j < m; j++) {{ a[l] = b[l]; l++; }} {by} }}");
            let nest = nest(&format!("for (int t = 0; t < 9; t++) {{ int l = 0; {planes} }}"));
            nest.replace("*b)", "*b, int *w)")
        };
        for by in ["l += m;", "l += 2 * m + 1;", "l = l + k;"] {
            assert!(read(&rows(by)).to_string().contains("a[(long long)i][(long long)j] = b["), "{by}");
        }
        for by in ["l += i;", "l += w[i];", "l += m, m += 1;"] {
            assert_ne!(refusal(&rows(by)).code, "unsupported-statement", "{by}");
        }
    }

    #[test]
    fn loops_that_run_more_or_less_often_are_refused() {
        for inner in ["j = i; j < m", "j = 0; j < i", "j = 0; j < m && j < k"] {
            let body = format!("for (i = 0; i < n; i++) for ({inner}; j++) a[k++] = b[j];");
            let refusal = refusal(&nest(&format!("for (int t = 0; t < 9; t++) {{ k = 0; {body} }}")));
            assert!(["scalar-carried", "loop-form", "loop-bound"].contains(&refusal.code), "{inner}: {}", refusal.code);
        }
    }
}
