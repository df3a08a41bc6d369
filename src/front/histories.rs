//! Arrays that keep a row for each time step: `h[t + 1][i] = h[t][i - 1] + h[t][i + 1]`.
//!
//! The loop's variable in the subscript of a store says of a loop over space that its iterations store apart. That of a loop
//! over time does so where each step computes a row from those before, or where other stores of the nest are of the same
//! elements in each step: `all[t][i] = u[i]`. Then the leading subscript is no dimension: it chooses the row of the step, as
//! that of `u[t % 2][i]` chooses a buffer, and no row is ever used again. In one block of memory it may be another subscript than
//! the leading one: of `h[i][t + 1]` the row of a step is a column, whose elements are as far from each other as rows are.

use super::polynomial::{Indeterminate, Polynomial, Ranges};
use super::reader::Reader;
use super::splits::{ends, is_less};
use crate::ir::{Access, Array, BinaryOp, Expr, ExprKind, Handle, History, Loop, MAX_RANK, ScalarType};

/// The rows of an array that step `t` touches.
struct Rows {
    array: Handle<Array>,
    /// The dimension that counts them.
    dimension: usize,
    /// The first one of the first step.
    first: Polynomial,
    /// For each access its row's distance from the first one of its step.
    shifts: Vec<(Handle<Access>, i64)>,
    /// The distance of the row that is written.
    written: i64,
}

impl Reader<'_, '_, '_> {
    /// Makes leading subscripts rows of steps where that makes `time` a loop over time.
    pub fn keep_histories(&mut self, time: Handle<Loop>) {
        if self.nest.loops[time].step != 1 {
            return;
        }
        let Some((histories, records)) = self.histories(time) else { return };
        histories.iter().for_each(|rows| self.keep_rows(rows, time));
        records.into_iter().for_each(|index| self.store_all_records(index, time));
    }

    /// The histories, and the statements that record something else in each step, if there are no other stores that move with
    /// `time`, and the loop carries values from step to step.
    fn histories(&self, time: Handle<Loop>) -> Option<(Vec<Rows>, Vec<usize>)> {
        let write = |index: &usize| &self.nest.accesses[self.nest.step.statements[*index].write];
        let statements = 0..self.nest.step.statements.len();
        let deepest = statements.clone().map(|index| write(&index).loops.len()).max()?;
        let (moving, others): (Vec<_>, Vec<_>) = statements.partition(|it| self.nest.moves_with(write(it), time));
        let is_record = |index: &usize| write(index).loops.len() < deepest && self.is_record(*index, time);
        let (records, rows): (Vec<_>, Vec<_>) = moving.into_iter().partition(is_record);
        let mut arrays: Vec<_> = rows.iter().map(|index| write(index).array).collect();
        arrays.sort();
        arrays.dedup();
        let histories: Vec<_> = arrays.into_iter().map(|array| self.rows(array, time)).collect::<Option<_>>()?;
        let ranges = self.index_ranges();
        let is_of_each_step = |index: &usize| {
            let is_chosen = write(index).guards.iter().any(|guard| self.is_of_step(*guard, time));
            !is_chosen && self.is_read(*index)
        };
        let is_over_time =
            others.iter().any(is_of_each_step) || histories.iter().any(|rows| self.is_carried(rows, &ranges));
        (deepest > 1 && is_over_time && !histories.is_empty()).then_some((histories, records))
    }

    /// Whether an expression depends on the step.
    fn is_of_step(&self, expr: Handle<Expr>, time: Handle<Loop>) -> bool {
        let is_time = |part: &Expr| matches!(part.kind, ExprKind::Index(it) | ExprKind::Iteration(it) if it == time);
        self.nest.reachable([expr]).into_iter().any(|part| is_time(&self.nest.exprs[part]))
    }

    /// Whether a step may read what an earlier one has stored.
    fn is_carried(&self, rows: &Rows, ranges: &Ranges) -> bool {
        let is_store = |access: &Handle<Access>| self.nest.step.statements.iter().any(|it| it.write == *access);
        let (stores, reads): (Vec<_>, Vec<_>) = rows.shifts.iter().partition(|(access, _)| is_store(access));
        reads
            .iter()
            .filter(|(_, shift)| *shift < rows.written)
            .any(|(read, _)| stores.iter().any(|(store, _)| !self.are_in_other_columns(rows, (*read, *store), ranges)))
    }

    /// Whether a subscript within rows is surely less in one access than in another, or greater.
    fn are_in_other_columns(
        &self,
        rows: &Rows,
        (one, other): (Handle<Access>, Handle<Access>),
        ranges: &Ranges,
    ) -> bool {
        let ends = |access: Handle<Access>, d: usize| {
            ends(&self.polynomial(self.nest.accesses[access].subscripts[d])?, ranges)
        };
        let is_less = |last: &Polynomial, first: &Polynomial| is_less(last, first) == Some(true);
        (0..self.nest.accesses[one].subscripts.len()).filter(|d| *d != rows.dimension).any(|d| {
            let (Some(one), Some(other)) = (ends(one, d), ends(other, d)) else { return false };
            is_less(&one.1, &other.0) || is_less(&other.1, &one.0)
        })
    }

    /// The rows of an array, if every access touches the row of its step, and all stores the same one. Rows are in one block of
    /// memory, or each is one that a pointer leads to.
    fn rows(&self, array: Handle<Array>, time: Handle<Loop>) -> Option<Rows> {
        let Array { buffers, strides, pointers, is_behind_pointer, members, .. } = &self.nest.arrays[array];
        let has_tables = pointers.contains(&true) && *pointers != [true, false];
        if !(2..=MAX_RANK).contains(&strides.len()) || buffers.len() > 1 || *is_behind_pointer || has_tables {
            return None;
        }
        let accesses: Vec<_> =
            self.nest.accesses.handles().filter(|it| self.nest.accesses[*it].array == array).collect();
        let is_plain = pointers.is_empty() && members.is_none();
        let dimension = self.dimension_of(*accesses.first()?, time).filter(|d| *d == 0 || is_plain)?;
        let starts = accesses.iter().map(|access| self.row_before(*access, dimension, time));
        let starts: Vec<_> = starts.collect::<Option<_>>()?;
        let from_start = |row: &Polynomial| row.plus(&starts[0], -1)?.as_constant();
        let distances: Vec<_> = starts.iter().map(from_start).collect::<Option<_>>()?;
        let least = *distances.iter().min()?;
        let shifts: Vec<_> = accesses.into_iter().zip(distances.iter().map(|distance| distance - least)).collect();
        let first = self.polynomial(self.nest.loops[time].first)?;
        let first = first.plus(&starts[0], 1)?.plus(&Polynomial::constant(least), 1)?;
        let written = self.written_row(&shifts)?;
        let rows = Rows { array, dimension, first, shifts, written };
        self.is_computed_once(&rows).then_some(rows)
    }

    /// The first dimension in which an access moves with `time`.
    fn dimension_of(&self, access: Handle<Access>, time: Handle<Loop>) -> Option<usize> {
        self.nest.accesses[access].subscripts.iter().position(|subscript| self.is_of_step(*subscript, time))
    }

    /// The row of an access in step 0 of a loop over `time` from 0, if that dimension alone counts steps.
    fn row_before(&self, access: Handle<Access>, dimension: usize, time: Handle<Loop>) -> Option<Polynomial> {
        let Access { subscripts, loops, buffer, .. } = &self.nest.accesses[access];
        let mut others = subscripts.clone();
        let row = others.remove(dimension);
        if loops.first() != Some(&time) || buffer.is_some() || others.into_iter().any(|it| self.is_of_step(it, time)) {
            return None;
        }
        let step = Polynomial::term(vec![Indeterminate::Index(time)], 1);
        let rest = self.polynomial(row)?.plus(&step, -1)?;
        rest.by_index()?.0.is_empty().then_some(rest)
    }

    /// The distance of the one row that all stores are to; no access is to a row behind it.
    fn written_row(&self, shifts: &[(Handle<Access>, i64)]) -> Option<i64> {
        let is_store = |access: &Handle<Access>| self.nest.step.statements.iter().any(|it| it.write == *access);
        let mut written = shifts.iter().filter(|(access, _)| is_store(access)).map(|(_, shift)| *shift);
        let row = written.next()?;
        (written.all(|other| other == row) && shifts.iter().all(|(_, shift)| *shift <= row)).then_some(row)
    }

    /// Whether the first store of a step to a row needs nothing that the row held before: a sweep down the rows of a grid does,
    /// as `a[i][j] += a[i - 1][j]`.
    fn is_computed_once(&self, rows: &Rows) -> bool {
        let mut statements = self.nest.step.statements.iter();
        let first = statements.find(|it| self.nest.accesses[it.write].array == rows.array);
        let reads = self.nest.reachable(first.map(|it| it.value));
        !reads.into_iter().any(|expr| {
            let ExprKind::Read(access) = self.nest.exprs[expr].kind else { return false };
            !self.nest.accesses[access].is_speculative && rows.shifts.contains(&(access, rows.written))
        })
    }

    /// Takes the dimension of the rows from an array and its accesses.
    fn keep_rows(&mut self, rows: &Rows, time: Handle<Loop>) {
        let span = self.nest.arrays.span(rows.array);
        let array = &mut self.nest.arrays[rows.array];
        let (stride, extent) = (array.strides.remove(rows.dimension), array.extents.remove(rows.dimension));
        let is_table = !std::mem::take(&mut array.pointers).is_empty();
        array.length = None;
        let offset = array.buffers[0].offset;
        let first = self.polynomial_expr(&rows.first, span);
        let skipped = self.binary(BinaryOp::Mul, first, stride, span);
        let skipped = offset.map_or(skipped, |offset| self.index_sum(offset, skipped, span));
        let offset = if rows.first.is_zero() { offset } else { Some(skipped) };
        let extent = extent.map(|extent| self.binary(BinaryOp::Sub, extent, first, span));
        let array = &mut self.nest.arrays[rows.array];
        array.buffers[0].offset = offset;
        array.history = Some(History { stride, is_table, rows: extent, span: rows.written + 1 });
        for (access, shift) in &rows.shifts {
            let iteration = self.expr(ScalarType::I64, ExprKind::Iteration(time), span);
            let shift = self.int(ScalarType::I64, *shift, span);
            let row = self.index_sum(iteration, shift, span);
            let access = &mut self.nest.accesses[*access];
            access.subscripts.remove(rows.dimension);
            access.buffer = Some(row);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read};
    use crate::ir::Nest;

    fn nest(body: &str) -> Nest {
        let parameters = "int n, int steps, int k, double (*h)[n], double (*v)[n], double **table, double *flat, double *u, double *rec";
        let body = format!("#pragma stencil\nfor (int t = 1; t < steps; t++) {{ {body} }}");
        read(&function(parameters, &body))
    }

    fn text(body: &str) -> String {
        nest(body).to_string().replace("(long long)", "")
    }

    const SPACE: &str = "for (int i = 1; i < n - 1; i++)";

    #[test]
    fn a_row_of_each_step_is_chosen_by_the_step() {
        let text = text(&format!("{SPACE} h[t + 1][i] = 2 * h[t][i] - h[t - 1][i + 1];"));
        assert!(text.contains("array double h[n] strides 1 rows of steps n apart buffers h\n"), "{text}");
        assert!(text.contains("h{(#t + 2)}[i] = (((double)2 * h{(#t + 1)}[i]) - h{#t}[(i + 1)])"), "{text}");
    }

    #[test]
    fn flat_histories_begin_with_the_first_row_that_is_touched() {
        let text = text(&format!("{SPACE} flat[(t + k) * n + i] = flat[(t + k - 1) * n + i - 1];"));
        assert!(text.contains("rows of steps n apart buffers flat + (k * n)\n"), "{text}");
        assert!(text.contains("flat{(#t + 1)}[i] = flat{#t}[(i - 1)]"), "{text}");
    }

    #[test]
    fn rows_of_steps_may_be_columns() {
        let text = text(&format!("{SPACE} {{ h[i][t + 1] = h[i][t - 1]; v[i][t] = h[i - 1][t]; }}"));
        assert!(text.contains("array double h[] strides n rows of steps 1 apart buffers h\n"), "{text}");
        assert!(
            text.contains("h{(#t + 2)}[i] = h{#t}[i]") && text.contains("v{#t}[i] = h{(#t + 1)}[(i - 1)]"),
            "{text}"
        );
        let text = self::text(&format!("{SPACE} flat[i * k + t] = flat[(i - 1) * k + t - 1];"));
        assert!(text.contains("rows of steps 1 apart"), "{text}");
    }

    #[test]
    fn rows_may_be_behind_pointers() {
        let text = text(&format!("{SPACE} table[t + 1][i] = table[t][i - 1];"));
        assert!(text.contains("array double table[] strides 1 rows of steps 1 apart buffers table + 1\n"), "{text}");
    }

    #[test]
    fn what_is_copied_beside_the_sweeps_is_kept_too() {
        let step = format!("{SPACE} u[i] = 0.5 * u[i];");
        let text = text(&format!("{step} {SPACE} h[t][i] = u[i]; rec[t] = u[k];"));
        assert!(text.contains("h{#t}[i] = u[i]") && text.contains("rec[t] = ((t == t) ?"), "{text}");
        let text = self::text(&format!("{SPACE} h[t + 1][i] = h[t][i - 1]; rec[t] = h[t + 1][3];"));
        assert!(text.contains("rec[t] = ((t == t) ? h{(#t + 1)}[3] :"), "{text}");
    }

    #[test]
    fn a_loop_over_space_stays_one() {
        for body in [
            "for (int i = 0; i < n; i++) h[t][i] = v[t][i];",
            "for (int i = 0; i < n; i++) { h[t][i] = v[t][i]; } rec[t] = h[t][0];",
            "for (int i = 0; i < n; i++) h[t][i] += h[t - 1][i];",
            "for (int i = 0; i < n; i++) h[2 * t][i] = h[2 * t - 1][i];",
            "for (int i = 0; i < n; i++) { h[t + 1][i] = h[t][i]; v[i][2 * t] = h[t][i]; }",
            "for (int i = 0; i < n; i++) { h[t + 1][i] = h[t][i]; v[i + t][t] = h[t][i]; }",
            "for (int i = 0; i < n; i++) h[i][t] = 0.5 * (h[i - 1][t - 1] + h[i][t + 1]);",
            "for (int i = 0; i < n; i++) table[i][t + 1] = table[i][t];",
            "for (int i = 0; i < 5; i++) h[t + 1][i] = h[t][i + 5];",
            "h[t + 1][0] = h[t][0];",
            "if (t == 1) u[0] = rec[0]; for (int i = 0; i < n; i++) h[t][i] = u[0] * v[t][i];",
        ] {
            assert!(!nest(body).clock.has_steps(), "{body}");
        }
    }

    #[test]
    fn rows_of_several_arrays_may_lead_by_different_steps() {
        let both = format!("{SPACE} h[t + 1][i] = h[t][i] - v[t][i]; {SPACE} v[t + 1][i] = v[t][i] + h[t + 1][i + 1];");
        let text = text(&both);
        assert!(text.contains("v{(#t + 1)}[i] = (v{#t}[i] + h{(#t + 1)}[(i + 1)])"), "{text}");
    }
}
