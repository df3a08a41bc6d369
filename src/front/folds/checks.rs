//! What no sweep may need of what is folded.

use crate::front::Failable;
use crate::front::reader::Reader;
use crate::ir::{Access, ExprKind, Fold, Handle, HostValue, Statement};
use crate::source::{Diagnostic, Span};

impl Reader<'_, '_, '_> {
    /// What a sweep reads it reads whatever has been folded: under such a condition it must be read beside it, too.
    pub(super) fn drop_conditions_on_folds(&mut self) -> Failable<()> {
        for handle in self.nest.accesses.handles().collect::<Vec<_>>() {
            let conditions = self.nest.accesses[handle].conditions.clone();
            let (dropped, left): (Vec<_>, Vec<_>) =
                conditions.into_iter().partition(|it| self.reaches_accumulators(*it));
            if dropped.is_empty() {
                continue;
            }
            let one = &self.nest.accesses[handle];
            let is_beside = |(_, other): (Handle<Access>, &Access)| {
                other.array == one.array
                    && other.loops == one.loops
                    && self.is_one_element(one, other)
                    && other.conditions.iter().all(|it| left.contains(it))
                    && other.guards.iter().all(|it| one.guards.contains(it))
            };
            if !self.nest.accesses.iter().any(is_beside) {
                let span = self.nest.accesses.span(handle);
                let message = "whether this is read depends on what has been folded so far";
                let error = Diagnostic::error("scalar-carried", message, span);
                return Err(Box::new(error.with_help("read it into a scalar before the condition")));
            }
            self.nest.accesses[handle].conditions = left;
        }
        Ok(())
    }

    /// # Errors
    /// A scalar begins the step with a value of the host's, and its address is not known.
    pub(super) fn check_begun(&self) -> Failable<()> {
        let folds = &self.nest.step.folds;
        let is_lacking = |number: &usize| {
            let it = &folds.accumulators[*number];
            !it.is_left && self.is_from_outside(it.variable)
        };
        let Some(number) = self.nest.continued().into_iter().find(is_lacking) else { return Ok(()) };
        let variable = folds.accumulators[number].variable;
        let assigned = self.held_scalar(variable).map_or_else(|| self.span(self.node), |it| it.assigned);
        let name = self.name(variable);
        let message =
            format!("`{name}` gets its first value before the sweeps of the step and is not used behind them");
        let error = Diagnostic::error("scalar-carried", message, assigned);
        Err(Box::new(error.with_help(format!("give `{name}` that value right before the loop that folds it"))))
    }

    /// # Errors
    /// A sweep needs what is folded.
    pub(super) fn check_sweeps_need_none(&self) -> Failable<()> {
        let roots = crate::front::unused::roots_of_sweeps(&self.nest);
        let found = self.nest.reachable(roots).into_iter().find_map(|part| match self.kind(part) {
            ExprKind::Accumulator(number) => Some((part, *number)),
            _ => None,
        });
        let Some((part, number)) = found else { return Ok(()) };
        let name = self.name(self.accumulated(number));
        self.want_trails_of(self.accumulated(number));
        let (message, help) = if self.is_folded_in_loop(self.accumulated(number)) {
            let message = format!("`{name}` is folded over points, and a sweep of the same step needs it");
            (message, "compute it in a loop of its own that is not marked, or do what needs it behind the last sweep")
        } else {
            let message =
                format!("each step gives `{name}` a value that is not known before, and a sweep of it needs that");
            (message, "compute it from the loop's variable, as in `(t + 1) % 2`, or mark the loops inside this loop")
        };
        let span = self.nest.exprs.span(part);
        let mut error = Diagnostic::error("scalar-carried", message, span).with_help(help);
        if self.is_folded_in_loop(self.accumulated(number)) && !self.is_in_nest(span) {
            error = error.with_help(
                "or write what the function around it does in the place of its call, so that the host computes it",
            );
        }
        let needs = |it: &&Statement| self.nest.reachable([it.value]).into_iter().any(|it| it == part);
        let needing = self.nest.step.statements.iter().find(needs).map(|it| it.span);
        Err(Box::new(needing.into_iter().fold(error, |error, span| error.with_label(span, "this needs it"))))
    }

    /// Whether code stands in the nest itself, and not in a function that this calls.
    fn is_in_nest(&self, span: Span) -> bool {
        let nest = self.span(self.node);
        span.file == nest.file && nest.start <= span.start && span.end <= nest.end
    }

    /// Whether a loop within the step folds a scalar.
    fn is_folded_in_loop(&self, variable: Handle<HostValue>) -> bool {
        let folds = &self.nest.step.folds;
        let loops = folds.actions.iter().filter(|action| matches!(action, Fold::Loop(..)));
        let mut updates = loops.flat_map(Fold::updates);
        updates.any(|update| folds.accumulators[update.accumulator].variable == variable)
    }
}
