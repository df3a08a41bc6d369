//! Buffers that a turning index chooses which starts anywhere: as seen from the first step, the buffer that it chooses then is
//! the first one.
//!
//! Example: with `now` turning as `(first + s) % 2`, step `s` of `a[1 - now][i] = a[now][i]` reads buffer `s % 2` and writes
//! buffer `(s + 1) % 2`, counted from `first`.

use super::buffers::Leading;
use super::numbers::Constant;
use super::reader::Reader;
use crate::ir::{BinaryOp, Buffer, Expr, ExprKind, Handle, Loop, Param, ScalarType};
use crate::source::Span;

/// `(by * s + shift + sign * first) mod count`
#[derive(Clone, Copy)]
struct Turn {
    by: i64,
    shift: i64,
    sign: i64,
}

/// Where a subscript is looked at.
struct Look {
    time: Handle<Loop>,
    step: i64,
    first: i64,
}

impl Reader<'_, '_, '_> {
    /// Whether `part` is what a turning index holds before the first step.
    pub fn is_start(&self, part: &Expr) -> bool {
        matches!(part.kind, ExprKind::Param(param) if self.rules.starts.contains(&param))
    }

    /// The buffers that such subscripts choose; `None` if they are no such subscripts of one index.
    pub fn started_buffers(&mut self, leading: &Leading<'_>) -> Option<Vec<Buffer>> {
        let &Leading { count, accesses, subscripts, span, .. } = leading;
        let time = self.nest.loops.handles().next()?;
        let start = subscripts.iter().find_map(|subscript| self.starts_in(*subscript).first().copied())?;
        let turns = self.started_turns(subscripts, count)?;
        let sign = turns.first()?.sign;
        for (access, turn) in accesses.iter().zip(&turns) {
            let iteration = self.expr(ScalarType::I64, ExprKind::Iteration(time), span);
            let turned = self.times(turn.by, iteration, span);
            self.choose_in_turn(*access, turned, (turn.shift, count), span);
        }
        Some((0..count).map(|buffer| self.started_buffer(leading, sign, start, buffer)).collect())
    }

    /// Whether leading subscripts have no such index, or choose among `count` buffers by one.
    pub fn may_start(&self, leading: &[Handle<Expr>], count: i64) -> bool {
        leading.iter().all(|leading| self.starts_in(*leading).is_empty())
            || self.started_turns(leading, count).is_some()
    }

    /// How leading subscripts turn with one index.
    fn started_turns(&self, leading: &[Handle<Expr>], count: i64) -> Option<Vec<Turn>> {
        let time = self.nest.loops.handles().next()?;
        let starts: Vec<_> = leading.iter().flat_map(|leading| self.starts_in(*leading)).collect();
        let turns: Vec<Turn> = leading.iter().map(|it| self.started_turn(*it, time, count)).collect::<Option<_>>()?;
        let is_one = starts.iter().all(|start| *start == starts[0]) && turns.iter().all(|it| it.sign == turns[0].sign);
        (is_one && count > 1).then_some(turns)
    }

    /// `!now` as a remainder, where `now` turns between 0 and 1.
    pub fn turning_truth(&mut self, truth: Handle<Expr>) -> Option<Handle<Expr>> {
        let time = self.nest.loops.handles().next()?;
        let starts = self.starts_in(truth);
        let start = *starts.first().filter(|start| starts.iter().all(|other| other == *start))?;
        let Turn { by, shift, sign } = self.started_turn(truth, time, 2)?;
        let span = self.nest.exprs.span(truth);
        let first = self.expr(self.nest.params[start].ty, ExprKind::Param(start), span);
        let first = self.long(first);
        let first = self.times(sign.rem_euclid(2), first, span);
        let iteration = self.expr(ScalarType::I64, ExprKind::Iteration(time), span);
        let turned = self.times(by, iteration, span);
        let sum = self.index_sum(turned, first, span);
        Some(self.remainder(sum, shift, 2, span))
    }

    fn starts_in(&self, leading: Handle<Expr>) -> Vec<Handle<Param>> {
        let parts = self.nest.reachable([leading]);
        let param = |part: Handle<Expr>| match self.kind(part) {
            ExprKind::Param(param) if self.rules.starts.contains(param) => Some(*param),
            _ => None,
        };
        parts.into_iter().filter_map(param).collect()
    }

    /// The buffer that is `buffer` after the one that the index chooses at first.
    fn started_buffer(&mut self, leading: &Leading<'_>, sign: i64, start: Handle<Param>, buffer: i64) -> Buffer {
        let &Leading { count, span, .. } = leading;
        let first = self.expr(self.nest.params[start].ty, ExprKind::Param(start), span);
        let first = self.long(first);
        let turned = self.times(sign.rem_euclid(count), first, span);
        let place = self.remainder(turned, buffer, count, span);
        self.buffer_at(leading, place)
    }

    fn times(&mut self, factor: i64, value: Handle<Expr>, span: Span) -> Handle<Expr> {
        let factor = self.int(ScalarType::I64, factor, span);
        if self.constant(factor) == Some(1) { value } else { self.binary(BinaryOp::Mul, factor, value, span) }
    }

    /// How a leading subscript turns; its values are looked at, so any spelling will do.
    fn started_turn(&self, leading: Handle<Expr>, time: Handle<Loop>, count: i64) -> Option<Turn> {
        let at = |step: i64, first: i64| self.value_looked_at(leading, &Look { time, step, first })?.as_i64();
        let shift = at(0, 0)?;
        let by = (at(1, 0)? - shift).rem_euclid(count);
        // What is far from zero differs where unsigned numbers wrap around.
        let steps = || (0..4 * count).chain(100 * count..104 * count);
        [1, -1].into_iter().map(|sign| Turn { by, shift, sign }).find(|turn| {
            let value = |step: i64, first: i64| (turn.by * step + turn.shift + turn.sign * first).rem_euclid(count);
            let places = steps().flat_map(|step| (0..count).map(move |first| (step, first)));
            places.into_iter().all(|(step, first)| at(step, first) == Some(value(step, first)))
        })
    }

    /// The value of an expression of constants, the step, and what an index holds at first.
    fn value_looked_at(&self, expr: Handle<Expr>, look: &Look) -> Option<Constant> {
        let value = |inner: Handle<Expr>| self.value_looked_at(inner, look);
        let Expr { ty, kind } = &self.nest.exprs[expr];
        let integer = |value: i64| Constant::from_bits(*ty, value);
        match *kind {
            ExprKind::Int(value) => Some(integer(value)),
            ExprKind::Index(this) if this == look.time => {
                let Loop { first, step, .. } = self.nest.loops[this];
                Some(integer(self.constant(first)?.checked_add(step.checked_mul(look.step)?)?))
            }
            ExprKind::Iteration(this) if this == look.time => Some(integer(look.step)),
            ExprKind::Param(param) if self.rules.starts.contains(&param) => Some(integer(look.first)),
            ExprKind::Convert(inner) => value(inner)?.converted(*ty),
            ExprKind::Unary(op, inner) => value(inner)?.unary(op),
            ExprKind::Binary(op, left, right) => value(left)?.binary(op, value(right)?),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read};

    fn buffers(count: i64, leading: [&str; 2], rule: &str) -> String {
        let [to, from] = leading;
        let sweep = format!("for (int i = 1; i < 63; i++) a[{to}][i] = a[{from}][i - 1];");
        let body = format!("#pragma stencil\nfor (int t = 0; t < steps; t++) {{ {sweep} {rule} }}");
        read(&function(&format!("int now, int steps, double a[{count}][64]"), &body)).to_string()
    }

    #[test]
    fn buffers_are_counted_from_the_first_one() {
        let text = buffers(2, ["1 - now", "now"], "now = 1 - now;");
        assert!(text.contains("a{((#t + 1) % 2)}[(long long)i] = a{(#t % 2)}"), "{text}");
        assert!(
            text.contains("buffers a + (((long long)now % 2) * 64), a + ((((long long)now + 1) % 2) * 64)"),
            "{text}"
        );
        let text = buffers(2, ["!now", "now"], "now = !now;");
        assert!(text.contains("a{((#t + 1) % 2)}[(long long)i] = a{(#t % 2)}"), "{text}");
        let text = buffers(3, ["(now + 1) % 3", "now"], "now = (now + 1) % 3;");
        assert!(text.contains("a{((#t + 1) % 3)}[(long long)i] = a{(#t % 3)}"), "{text}");
    }
}
