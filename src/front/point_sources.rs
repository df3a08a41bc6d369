//! Point sources: elements that a step changes once more behind the sweep that writes their array.
//!
//! Such a store is a sweep of its own, of one point, and the array has two writers then. The values at that point go into the
//! sweep instead:
//!
//! ```c
//! for (i = 1; i < n - 1; i++) b[i] = a[i-1] + a[i+1];      // b[i] = i == s ? a[i-1] + a[i+1] + src[t] : a[i-1] + a[i+1];
//! b[s] += src[t];
//! ```
//!
//! That is the same where nothing reads the array in between, and where the sweep comes to the point. The driver makes sure of that
//! if constants do not tell: otherwise the original loops run.

use std::collections::BTreeSet;

use super::polynomial::{Indeterminate, Polynomial};
use super::reader::Reader;
use super::removal::remove_accesses;
use super::unused::roots_beside;
use crate::ir::{Access, BinaryOp, Expr, ExprKind, Handle, Local, Loop, RangeCheck, RangeFact, Statement};
use crate::source::Span;

/// A store that goes into a sweep, each by its place among the statements.
struct Source {
    sweep: usize,
    store: usize,
    /// What must not be negative, so that the sweep comes to the point.
    margins: Vec<Polynomial>,
}

impl Reader<'_, '_, '_> {
    /// Lets sweeps have what single stores behind them change of their arrays.
    pub fn join_point_sources(&mut self) {
        if !self.unit.gaps.is_empty() {
            return;
        }
        let Some(time) = self.nest.clock.time() else { return };
        while let Some(source) = self.find_point_source(time) {
            self.join_source(time, &source);
        }
    }

    fn find_point_source(&self, time: Handle<Loop>) -> Option<Source> {
        let statements = &self.nest.step.statements;
        (0..statements.len()).find_map(|store| {
            let sweep = (0..store).rev().find(|it| self.is_of_one_array(&statements[*it], &statements[store]))?;
            let margins = self.margins(time, &statements[sweep], &statements[store])?;
            let can_join = self.is_point(time, store) && self.is_unseen(sweep, store);
            can_join.then_some(Source { sweep, store, margins })
        })
    }

    fn is_of_one_array(&self, one: &Statement, other: &Statement) -> bool {
        self.nest.accesses[one.write].array == self.nest.accesses[other.write].array
    }

    /// Whether a statement stores one element in each step, of values that are known where the sweep before it runs, and that
    /// nothing else needs.
    fn is_point(&self, time: Handle<Loop>, store: usize) -> bool {
        let statement = &self.nest.step.statements[store];
        let write = &self.nest.accesses[statement.write];
        let is_known = |part: &Handle<Expr>| !matches!(self.kind(*part), ExprKind::Read(_) | ExprKind::Accumulator(_));
        write.loops == [time]
            && statement.first == statement.write
            && !write.is_speculative
            && self.nest.reachable(write.guards.iter().copied()).iter().all(is_known)
            && self.reads_of(statement).iter().all(|it| self.is_left_alone(*it) || self.is_own_alone(*it, store))
    }

    /// Whether nothing but a store needs a read, which is of the element stored.
    fn is_own_alone(&self, read: Handle<Access>, store: usize) -> bool {
        let is_it = |part: &Handle<Expr>| matches!(self.kind(*part), ExprKind::Read(it) if *it == read);
        let others = roots_beside(&self.nest, store);
        self.is_own(read, &self.nest.step.statements[store]) && !self.nest.reachable(others).iter().any(is_it)
    }

    fn reads_of(&self, statement: &Statement) -> BTreeSet<Handle<Access>> {
        let parts = self.nest.reachable([statement.value]).into_iter();
        let reads = parts.filter_map(|part| match self.kind(part) {
            ExprKind::Read(read) => Some(*read),
            _ => None,
        });
        reads.collect()
    }

    /// Whether an access is to the element that a statement stores.
    fn is_own(&self, read: Handle<Access>, store: &Statement) -> bool {
        let (read, write) = (&self.nest.accesses[read], &self.nest.accesses[store.write]);
        read.array == write.array
            && self.is_same_buffer(read, write)
            && self.are_same(&read.subscripts, &write.subscripts)
    }

    fn is_same_buffer(&self, one: &Access, other: &Access) -> bool {
        match (one.buffer, other.buffer) {
            (None, None) => true,
            (Some(one), Some(other)) => self.is_same(one, other),
            _ => false,
        }
    }

    /// Whether a step leaves the element alone that a read is of, which depends on the step alone.
    fn is_left_alone(&self, read: Handle<Access>) -> bool {
        let access = &self.nest.accesses[read];
        let mut writes = self.nest.step.statements.iter().map(|statement| &self.nest.accesses[statement.write]);
        access.loops.len() <= 1 && writes.all(|write| write.array != access.array)
    }

    /// How far the point of `store` is from the ends of `sweep`, which writes a box around it; `None` if it does not, or if the
    /// point is surely outside.
    fn margins(&self, time: Handle<Loop>, sweep: &Statement, store: &Statement) -> Option<Vec<Polynomial>> {
        let (write, point) = (&self.nest.accesses[sweep.write], &self.nest.accesses[store.write]);
        let is_plain = sweep.first == sweep.write
            && write.guards.is_empty()
            && write.steps.is_empty()
            && !write.is_speculative
            && write.loops.first() == Some(&time)
            && write.loops.len() == write.subscripts.len() + 1
            && self.is_same_buffer(write, point);
        let ranges = self.index_ranges();
        let (mut margins, mut over) = (Vec::new(), BTreeSet::new());
        for (subscript, place) in write.subscripts.iter().zip(&point.subscripts).filter(|_| is_plain) {
            let (this, offset) = self.index_and_offset(*subscript)?;
            let (first, last) = ranges.get(&Indeterminate::Index(this))?;
            let place =
                self.polynomial(*place).filter(|it| it.by_index().is_some_and(|(indices, _)| indices.is_empty()))?;
            let index = place.plus(&Polynomial::constant(offset), -1)?;
            margins.extend([index.plus(first, -1)?, last.plus(&index, -1)?]);
            over.insert(this);
        }
        let is_inside = !margins.iter().any(|margin| margin.as_constant().is_some_and(|it| it < 0));
        let is_whole = over.len() + 1 == write.loops.len() && over.iter().all(|it| write.loops[1..].contains(it));
        (is_plain && is_whole && is_inside).then_some(margins)
    }

    /// `i + 1` is the index of its loop and 1; the loop comes to each index.
    fn index_and_offset(&self, subscript: Handle<Expr>) -> Option<(Handle<Loop>, i64)> {
        let (indices, rest) = self.polynomial(subscript)?.by_index()?;
        let mut indices = indices.into_iter();
        let (Some((Indeterminate::Index(this), factor)), None) = (indices.next(), indices.next()) else { return None };
        let is_dense = factor.as_constant() == Some(1) && self.nest.loops[this].step.abs() == 1;
        Some((this, rest.as_constant().filter(|_| is_dense)?))
    }

    /// Whether nothing between a sweep and a store behind it meets the elements of the array that both write, but for what the sweep
    /// reads of a point before it stores that.
    fn is_unseen(&self, sweep: usize, store: usize) -> bool {
        let (sweep, store) = (&self.nest.step.statements[sweep], &self.nest.step.statements[store]);
        let (write, point) = (&self.nest.accesses[sweep.write], &self.nest.accesses[store.write]);
        let own = self.reads_of(store);
        let is_between = |it: &Access| write.position[1] <= it.position[1] && it.position[1] <= point.position[1];
        let is_before_store = |it: &Access| {
            it.loops == write.loops && it.position < write.position && self.are_same(&it.subscripts, &write.subscripts)
        };
        let is_harmless = |(handle, it): (Handle<Access>, &Access)| {
            handle == sweep.write
                || handle == store.write
                || own.contains(&handle)
                || it.array != write.array
                || self.is_other_buffer(it, write)
                || (it.position.len() > 1 && !is_between(it))
                || is_before_store(it)
        };
        write.position[0] == point.position[0] && self.nest.accesses.iter().all(is_harmless)
    }

    /// Whether two accesses are surely to different buffers of an array: `(#t + 1) % 2` and `#t % 2`, say.
    fn is_other_buffer(&self, one: &Access, other: &Access) -> bool {
        let (Some(one), Some(other)) = (one.buffer, other.buffer) else { return false };
        match (self.kind(one), self.kind(other)) {
            (ExprKind::Int(one), ExprKind::Int(other)) => one != other,
            (ExprKind::Binary(BinaryOp::Rem, one, period), ExprKind::Binary(BinaryOp::Rem, other, other_period)) => {
                let periods = self.constant(*period).zip(self.constant(*other_period));
                let Some((period, _)) = periods.filter(|(one, other)| one == other && *one > 0) else { return false };
                let shift = |it: Handle<Expr>| self.iterations_and(it);
                shift(*one).zip(shift(*other)).is_some_and(|(one, other)| (one - other).rem_euclid(period) != 0)
            }
            _ => false,
        }
    }

    /// `#t + 1` is 1.
    fn iterations_and(&self, expr: Handle<Expr>) -> Option<i64> {
        match self.kind(expr) {
            ExprKind::Iteration(_) => Some(0),
            ExprKind::Binary(BinaryOp::Add, left, right) => Some(self.iterations_and(*left)? + self.constant(*right)?),
            ExprKind::Binary(BinaryOp::Sub, left, right) => Some(self.iterations_and(*left)? - self.constant(*right)?),
            _ => None,
        }
    }

    fn join_source(&mut self, time: Handle<Loop>, Source { sweep, store, margins }: &Source) {
        let store = self.nest.step.statements.remove(*store);
        let Statement { write, value, span, .. } = self.nest.step.statements[*sweep].clone();
        self.require_margins(time, margins, span);
        let condition = self.is_at(&store, write);
        let name = self.nest.arrays[self.nest.accesses[write].array].name.clone();
        let local = self.nest.locals.push(Local { name, ty: self.ty(value), value }, span);
        let plain = self.expr(self.ty(value), ExprKind::Local(local), span);
        let reads = self.reads_of(&store);
        let (own, others): (BTreeSet<_>, BTreeSet<_>) = reads.iter().partition(|read| self.is_own(**read, &store));
        self.read_before(write, &others);
        let is_own = |part: &ExprKind| matches!(part, ExprKind::Read(read) if own.contains(read));
        let changed = self.substituted(store.value, |part| is_own(part).then_some(plain));
        let ty = self.ty(value);
        self.nest.step.statements[*sweep].value = self.expr(ty, ExprKind::Select(condition, changed, plain), span);
        let gone = own.into_iter().chain([store.write]).collect();
        remove_accesses(&mut self.nest, &gone);
    }

    /// Lets the driver see that the sweep comes to the point.
    fn require_margins(&mut self, time: Handle<Loop>, margins: &[Polynomial], span: Span) {
        for margin in margins.iter().filter(|margin| margin.as_constant().is_none()) {
            let value = self.polynomial_expr(margin, span);
            let check = RangeCheck {
                value,
                least: 0,
                greatest: i64::MAX,
                loops: vec![time],
                guards: Vec::new(),
                says: RangeFact::Source,
            };
            self.nest.range_checks.push(check);
        }
    }

    /// Where the sweep comes to the point of a store, and what else must hold for that.
    fn is_at(&mut self, store: &Statement, write: Handle<Access>) -> Handle<Expr> {
        let Access { subscripts: point, guards, .. } = self.nest.accesses[store.write].clone();
        let cell = self.nest.accesses[write].subscripts.clone();
        let is_there = |(cell, place)| self.binary(BinaryOp::Equal, cell, place, store.span);
        let places: Vec<_> = cell.into_iter().zip(point).map(is_there).collect();
        let conditions = places.into_iter().chain(guards);
        let all = conditions.reduce(|all, one| self.binary(BinaryOp::And, all, one, store.span));
        all.expect("an array has a dimension")
    }

    /// Moves reads of what no step changes in front of a sweep.
    fn read_before(&mut self, write: Handle<Access>, reads: &BTreeSet<Handle<Access>>) {
        let place = self.nest.accesses[write].position[..2].to_vec();
        for read in reads {
            let position = &mut self.nest.accesses[*read].position;
            *position = position.clone().min(place.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read};
    use crate::ir::{Nest, RangeFact};

    /// A step with `stores` between its two sweeps.
    fn nest(stores: &str) -> Nest {
        let sweeps =
            ["for (int i = 1; i < n - 1; i++) b[i] = a[i - 1] + c[i];", "for (int i = 1; i < n; i++) a[i] = b[i];"];
        let step = format!("for (int t = 0; t < steps; t++) {{ {} {stores} {} }}", sweeps[0], sweeps[1]);
        read(&function(
            "int n, int s, int steps, double *a, double *b, double *c, double *src",
            &format!("#pragma stencil\n{step}"),
        ))
    }

    #[test]
    fn a_point_becomes_part_of_its_sweep() {
        let joined = nest("b[s] += src[t];");
        assert_eq!(joined.step.statements.len(), 2);
        assert!(joined.to_string().contains("== (long long)s) ? (b.0 + src[(long long)t]) : b.0)"), "{joined}");
        assert_eq!(joined.range_checks.iter().filter(|check| check.says == RangeFact::Source).count(), 2, "{joined}");
        assert_eq!(nest("b[s] += 1; b[n / 2] = src[t]; if (t < 3) b[s] *= 2;").step.statements.len(), 2);
    }

    #[test]
    fn what_others_need_stays_where_it_is() {
        let outside = "b[0] += src[t];";
        let other_element = "b[s] = b[s - 1];";
        let of_written_array = "b[s] += a[s];";
        let read_between = "c[0] = b[s]; b[s] += 1;";
        let needed_twice = "double x = b[s]; c[0] = x; b[s] = x + 1;";
        for (stores, count) in
            [(outside, 3), (other_element, 3), (of_written_array, 3), (read_between, 4), (needed_twice, 4)]
        {
            assert_eq!(nest(stores).step.statements.len(), count, "{stores}");
        }
    }
}
