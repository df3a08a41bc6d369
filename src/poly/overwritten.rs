//! Statements that store an element in several iterations of a step, where only the last one counts.
//!
//! Example: in `for (j..) for (i..) { u[j][i] = f(un, j, i); u[0][i] = 1; }` the iteration of the last `j` leaves what `u[0][i]` holds.

use std::collections::BTreeSet;

use isl_bindings::Set;

use super::flow::{Dataflow, Source};
use super::sweep::instances;
use super::{Memory, Refusal, Result};
use crate::ir::{Expr, ExprKind, Handle};

impl Memory<'_> {
    /// Leaves out what `statements` store before the last iteration of a step that stores the same element.
    ///
    /// # Errors
    /// Somebody gets such a value, or it takes more than the loops that the subscripts name to tell what is stored.
    pub fn leave_last_writes(&mut self, statements: &BTreeSet<usize>) -> Result<()> {
        if statements.is_empty() {
            return Ok(());
        }
        let dataflow = Dataflow::compute(self)?;
        for &statement in statements {
            let last = self.last_writes(statement)?;
            let is_dead = self.needed_of(statement, &dataflow)?.map_or(Ok(true), |needed| needed.is_subset(&last))?;
            if !is_dead || !self.is_told_by_subscripts(statement) {
                return Err(Refusal::WrittenTwice(statement));
            }
            self.writes[statement] = self.writes[statement].intersect_domain(&last)?;
        }
        Ok(())
    }

    /// The last instances that store each element in a step, `[p] -> { S3[t, i, j] }`.
    fn last_writes(&self, statement: usize) -> Result<Set> {
        Ok(instances(self, statement, 0)?.reverse()?.lexmax()?.range()?)
    }

    /// The instances whose values somebody gets, `[p] -> { S3[t, i, j] }`; `None` without any.
    fn needed_of(&self, statement: usize, dataflow: &Dataflow) -> Result<Option<Set>> {
        let all = dataflow.reads.values().chain(dataflow.finals.values()).flatten();
        let mut needed: Option<Set> = None;
        for (_, map) in all.filter(|(source, _)| *source == Source::Statement(statement)) {
            let part = map.range()?;
            needed = Some(needed.map_or_else(|| Ok(part.clone()), |needed| needed.union(&part))?);
        }
        Ok(needed)
    }

    /// Whether what a statement stores follows from the step and the element, and its loops count up.
    fn is_told_by_subscripts(&self, statement: usize) -> bool {
        let nest = self.nest;
        let statement = &nest.step.statements[statement];
        let write = &nest.accesses[statement.write];
        let index = |expr: Handle<Expr>| match nest.exprs[expr].kind {
            ExprKind::Index(this) | ExprKind::Iteration(this) => Some(this),
            _ => None,
        };
        let named: BTreeSet<_> =
            nest.reachable(write.subscripts.iter().copied()).into_iter().filter_map(index).collect();
        let value = nest.reachable([statement.value]);
        let reads = value.iter().filter_map(|it| match nest.exprs[*it].kind {
            ExprKind::Read(read) => Some(&nest.accesses[read]),
            _ => None,
        });
        let places = reads.flat_map(|read| read.subscripts.iter().chain(&read.guards).chain(&read.conditions)).copied();
        let places = nest.reachable(places.collect::<Vec<_>>());
        let mut used = value.into_iter().chain(places).filter_map(index);
        let is_named = used.all(|this| named.contains(&this) || nest.clock.counts(this));
        is_named && nest.clock.space(&write.loops).all(|this| nest.loops[this].step > 0)
    }
}
