//! What a nest records of each step: `trace[t] = u[k]`, or `trace[t * count + r] = u[...]` for some receivers.
//!
//! A sweep computes the same cells in every step. So the store becomes one of all elements that all steps store, which puts
//! back the old value of all but one: `trace[s] = s == t ? u[k] : trace[s]`. That is done for what has fewer dimensions than
//! the nest computes; a record of whole grids is a history (`histories`).

use super::polynomial::Indeterminate;
use super::reader::Reader;
use super::rotation::Group;
use crate::ir::{Access, Array, BinaryOp, Expr, ExprKind, Handle, Loop, Statement};

impl Reader<'_, '_, '_> {
    /// Lets statements that record something in each iteration of the outermost loop store in every step, if others show that
    /// this loop runs over time: they store in an array that is read, or that changes places with one that is.
    pub fn record_in_every_step(&mut self, groups: &[Group]) {
        let Some(time) = self.nest.loops.handles().next() else { return };
        let moves = |reader: &Self, index: usize| {
            reader.nest.moves_with(&reader.nest.accesses[reader.nest.step.statements[index].write], time)
        };
        let (records, others): (Vec<_>, Vec<_>) =
            (0..self.nest.step.statements.len()).partition(|index| moves(self, *index));
        let depth = |index: &usize| self.nest.accesses[self.nest.step.statements[*index].write].loops.len();
        let Some(deepest) = others.iter().map(depth).max() else { return };
        let is_read_in_turn = |index: &usize| {
            let written = self.nest.accesses[self.nest.step.statements[*index].write].array;
            groups.iter().any(|group| {
                let arrays: Vec<_> = group.roots.iter().map(|root| self.root_array(*root)).collect();
                arrays.contains(&written) && arrays.iter().any(|array| self.is_array_read(*array))
            })
        };
        if !others.iter().any(is_read_in_turn) {
            return;
        }
        if records.iter().all(|index| depth(index) < deepest && self.is_record(*index, time)) {
            records.into_iter().for_each(|index| self.store_all_records(index, time));
        }
    }

    /// Whether the nest reads the array that a statement stores in, as the next step does.
    pub fn is_read(&self, index: usize) -> bool {
        self.is_array_read(self.nest.accesses[self.nest.step.statements[index].write].array)
    }

    fn is_array_read(&self, array: Handle<Array>) -> bool {
        let is_store = |access: &Handle<Access>| self.nest.step.statements.iter().any(|it| it.write == *access);
        self.nest.accesses.iter().any(|(access, it)| it.array == array && !is_store(&access))
    }

    /// Whether each step surely stores an element that nothing in the nest reads, and nothing else of it stores.
    pub fn is_record(&self, index: usize, time: Handle<Loop>) -> bool {
        let Statement { write, first, .. } = self.nest.step.statements[index];
        let Access { array, guards, loops, .. } = &self.nest.accesses[write];
        let is_on_time = |part: &Expr| matches!(part.kind, ExprKind::Index(it) if it == time);
        let headers =
            loops.iter().skip(1).flat_map(|this| [self.nest.loops[*this].first, self.nest.loops[*this].bound]);
        let touches = |(other, access): (Handle<Access>, &Access)| {
            access.array == *array && other != write && other != first && !self.are_other_records(write, other, time)
        };
        loops.first() == Some(&time)
            && !headers.chain(guards.iter().copied()).any(|part| self.any(part, &is_on_time))
            && !self.nest.accesses.iter().any(touches)
            && !self.copies.iter().any(|copy| self.nest.accesses[copy.target].array == *array)
    }

    /// Whether two stores are of other elements in whatever steps: some subscript of the one never is what it is in the other.
    fn are_other_records(&self, one: Handle<Access>, other: Handle<Access>, time: Handle<Loop>) -> bool {
        let step = vec![Indeterminate::Index(time)];
        let are_apart = |(one, other): (&Handle<Expr>, &Handle<Expr>)| {
            let (one, other) = (self.polynomial(*one)?, self.polynomial(*other)?);
            let (distance, stride) = (one.plus(&other, -1)?.as_constant()?, one.coefficient(&step));
            Some(if stride == 0 { distance != 0 } else { distance % stride != 0 })
        };
        let is_store = self.nest.step.statements.iter().any(|it| it.write == other);
        let (one, other) = (&self.nest.accesses[one].subscripts, &self.nest.accesses[other].subscripts);
        is_store && one.len() == other.len() && one.iter().zip(other).any(|both| are_apart(both) == Some(true))
    }

    /// Lets a statement store the records of all steps in each step.
    pub fn store_all_records(&mut self, index: usize, time: Handle<Loop>) {
        let Statement { write, value, span, .. } = self.nest.step.statements[index];
        let all = Loop { outlives: false, ..self.nest.loops[time].clone() };
        let record = self.nest.loops.push(all, self.nest.loops.span(time));
        let subscripts = self.nest.accesses[write].subscripts.clone();
        let subscripts = subscripts.into_iter().map(|it| self.with_index(it, time, record)).collect();
        let place = self.nest.accesses.span(write);
        let access = &mut self.nest.accesses[write];
        access.subscripts = subscripts;
        access.loops.push(record);
        access.position.push(1);
        let mut old = Access { is_speculative: true, is_kept_value: true, ..access.clone() };
        *old.position.last_mut().expect("one was pushed") = 0;
        let old = self.nest.accesses.push(old, place);
        let (ty, time_ty) = (self.ty(value), self.nest.loops[time].ty);
        let old = self.expr(ty, ExprKind::Read(old), place);
        let [step, record] = [time, record].map(|this| self.expr(time_ty, ExprKind::Index(this), span));
        let is_of_step = self.binary(BinaryOp::Equal, record, step, span);
        let chosen = self.expr(ty, ExprKind::Select(is_of_step, value, old), span);
        self.nest.step.statements[index] = Statement { write, first: write, value: chosen, span };
    }

    /// `expr` with the index of another loop.
    fn with_index(&mut self, expr: Handle<Expr>, before: Handle<Loop>, after: Handle<Loop>) -> Handle<Expr> {
        if matches!(self.kind(expr), ExprKind::Index(this) if *this == before) {
            return self.expr(self.ty(expr), ExprKind::Index(after), self.nest.exprs.span(expr));
        }
        let operands = self.kind(expr).operands();
        let moved: Vec<_> = operands.iter().map(|operand| self.with_index(*operand, before, after)).collect();
        if moved == operands { expr } else { self.with_parts(expr, &moved) }
    }
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read};
    use crate::ir::Nest;

    fn nest(record: &str) -> Nest {
        let body = format!(
            "#pragma stencil\nfor (int t = 0; t < steps; t++) {{
                for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++) b[i][j] = a[i - 1][j] + a[i][j + 1];
                {record}
                for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++) a[i][j] = b[i][j]; }}"
        );
        read(&function("int n, int m, int steps, int k, double (*a)[m], double (*b)[m], double *trace", &body))
    }

    #[test]
    fn a_record_of_a_step_is_a_store_of_all_records() {
        let nest = nest("trace[t + 1] = b[k][3];");
        assert!(nest.clock.has_steps());
        let text = nest.to_string().replace("(long long)", "");
        assert!(text.contains("trace[(t + 1)] = ((t == t) ? b[k][3] : trace[(t + 1)])"), "{text}");
    }

    #[test]
    fn receivers_are_a_dimension_of_the_record() {
        let text = nest("for (int r = 0; r < k; r++) trace[t * k + r] = b[2 * r][3];").to_string();
        assert!(text.replace("(long long)", "").contains("trace[t][r] = ((t == t) ?"), "{text}");
    }

    #[test]
    fn records_of_whole_grids_are_histories() {
        let nest =
            nest("for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) trace[(t * n + i) * m + j] = b[i][j];");
        assert!(nest.clock.has_steps());
        let text = nest.to_string().replace("(long long)", "");
        assert!(text.contains("trace{#t}[i][j] = b[i][j]"), "{text}");
    }

    #[test]
    fn several_records_may_be_in_one_array() {
        let nest = nest("trace[3 * t] = b[k][3]; trace[3 * t + 1] = b[3][k];");
        assert!(nest.clock.has_steps());
    }

    #[test]
    fn records_that_are_read_or_not_of_each_step_or_stored_again_stay() {
        for record in [
            "trace[t] = b[k][3] + trace[t - 1];",
            "if (t < 5) trace[t] = b[k][3];",
            "trace[2 * t] = b[k][3]; trace[2 * t + 4] = b[3][k];",
        ] {
            assert!(!nest(record).clock.has_steps(), "{record}");
        }
    }
}
