//! Scalars that a step folds over its points: sums, maxima, counts, where a maximum is.
//!
//! A scalar that a loop assigns stands for what it holds so far, an [`ExprKind::Accumulator`], at the start of each iteration.
//! What an iteration makes of it is an [`Update`]: its parts without accumulators are computed by sweeps, which store them in
//! arrays of their own, and the rest is left to the host. In `err = fmax(err, fabs(b[i] - a[i]))` the second argument is such a
//! part. No sweep may need what is folded.

mod by_legs;
mod checks;
mod drafts;
mod stored;

use std::collections::{BTreeMap, BTreeSet};

use tree_sitter::Node;

use super::Failable;
use super::forms::Form;
use super::integers::is_invariant;
use super::reader::{Binding, Change, Reader, Unknown};
use super::unroll::MAX_ROUNDS;
use crate::ir::{Access, Accumulator, BinaryOp, Combination, Expr, ExprKind, Fold, Handle, HostValue, Loop, Update};
use crate::source::{Diagnostic, Span};
use by_legs::Needed;
use drafts::{Draft, HeldScalar, NewValues, new_values};
pub use drafts::{Drafts, replace_in};

impl<'t> Reader<'_, '_, 't> {
    /// Before a loop within a step changes scalars: what they hold is their new value.
    pub fn settle_folds(&mut self, changed: &[Change]) {
        if self.folds.carried.is_empty() {
            return;
        }
        let has_value =
            |it: &&Change| self.is_scalar(it.0) && matches!(self.bindings.get(&it.0), Some(Binding::Scalar(_)));
        let mut set: Vec<Change> = changed.iter().filter(has_value).copied().collect();
        let mut moving = changed.to_vec();
        loop {
            let made = self.made_of(&moving);
            if made.is_empty() {
                break;
            }
            set.extend(&made);
            moving.extend(made);
        }
        set.iter().for_each(|(variable, assigned)| {
            self.accumulator(*variable, *assigned);
        });
        self.set_accumulators(&set.into_iter().map(|(variable, _)| variable).collect::<Vec<_>>());
    }

    /// The scalars beside `changed` that hold what is made of these, as `s` does in `s = sqrt(v / n)`.
    fn made_of(&self, changed: &[Change]) -> Vec<Change> {
        let is_changed = |variable: Handle<HostValue>| changed.iter().any(|(changed, _)| *changed == variable);
        let is_of_it = |part: &Handle<Expr>| match *self.kind(*part) {
            ExprKind::Accumulator(number) => is_changed(self.accumulated(number)),
            _ => false,
        };
        let made = self.bindings.iter().filter_map(|(variable, binding)| match binding {
            Binding::Scalar(value) if !is_changed(*variable) && self.is_scalar(*variable) => Some((*variable, *value)),
            _ => None,
        });
        made.filter(|(_, value)| self.nest.reachable([*value]).iter().any(is_of_it))
            .map(|(variable, value)| (variable, self.nest.exprs.span(value)))
            .collect()
    }

    /// Whether something of what a scalar holds is folded.
    fn holds_folded(&self, value: Handle<Expr>) -> bool {
        self.nest.reachable([value]).into_iter().any(|it| self.is_folded(it))
    }

    /// At the end of a leg: scalars of the step that hold what is made of folded ones get that as their new values.
    pub fn settle_folds_of_leg(&mut self) {
        let carried = self.folds.carried.last().cloned().unwrap_or_default();
        let is_made = |variable: &Handle<HostValue>| match self.bindings.get(variable) {
            Some(Binding::Scalar(value)) => self.holds_folded(*value),
            _ => false,
        };
        let made: Vec<_> = carried.into_iter().filter(is_made).collect();
        self.set_accumulators(&made);
    }

    /// At the start of an iteration: what a loop changes stands for what it holds so far.
    pub fn enter_folds(&mut self, changed: &[Change]) {
        if !self.folds.are_allowed {
            return;
        }
        let is_carried = |it: &Change| {
            self.is_scalar(it.0) && matches!(self.bindings.get(&it.0), Some(Binding::Unknown(Unknown::Carried, _)))
        };
        let carried: Vec<Change> = changed.iter().copied().filter(is_carried).collect();
        self.note_folded(&carried);
        for (variable, assigned) in &carried {
            let held = self.accumulator(*variable, *assigned);
            self.bindings.insert(*variable, Binding::Scalar(held));
        }
        self.folds.carried.push(carried.into_iter().map(|(variable, _)| variable).collect());
        self.folds.actions.push(Vec::new());
    }

    /// The scalars whose values the host gives each step, and that hold what the step has folded at its end: `s` in a step that needs
    /// it and then says `s = sum(a);`.
    fn given_what_is_folded(&mut self) -> Vec<Handle<HostValue>> {
        let is_given = |variable: Handle<HostValue>| {
            self.rules.form_of(&self.nest.values[variable]) == Some(&Form::Given) && !self.is_accumulator(variable)
        };
        let made = self.bindings.iter().filter_map(|(variable, binding)| match binding {
            Binding::Scalar(value) if is_given(*variable) && self.holds_folded(*value) => Some((*variable, *value)),
            _ => None,
        });
        let made: Vec<_> = made.map(|(variable, value)| (variable, self.nest.exprs.span(value))).collect();
        for (variable, assigned) in &made {
            self.accumulator(*variable, *assigned);
        }
        made.into_iter().map(|(variable, _)| variable).collect()
    }

    /// At the end of an iteration: what it makes of the scalars is a new value of theirs.
    /// It returns those scalars: behind the loop they stand for what they hold so far, too.
    pub fn leave_folds(&mut self, this: Handle<Loop>) -> Vec<Handle<HostValue>> {
        let Some(mut carried) = self.folds.carried.last().cloned() else { return Vec::new() };
        if self.folds.carried.len() == 1 {
            carried.extend(self.given_what_is_folded());
        }
        self.set_accumulators(&carried);
        self.folds.carried.pop();
        let actions = self.folds.actions.pop().unwrap_or_default();
        match self.folds.actions.last_mut() {
            Some(around) if !actions.is_empty() => around.push(Draft::Loop(this, actions)),
            Some(_) => {}
            None => self.folds.actions.push(vec![Draft::Loop(this, actions)]),
        }
        carried
    }

    /// Whether what a scalar holds is what has been folded.
    pub fn is_folded(&self, value: Handle<Expr>) -> bool {
        matches!(self.kind(value), ExprKind::Accumulator(_))
    }

    /// Whether a loop of so many iterations, whose body is `body`, runs over points that are folded.
    pub fn folds_over(&mut self, body: Node<'t>, count: usize) -> bool {
        if !self.folds.are_allowed {
            return false;
        }
        let changed = self.changed_in(body);
        let is_held = |(variable, _): &Change| matches!(self.bindings.get(variable), Some(Binding::Scalar(value)) if self.is_folded(*value));
        changed.iter().any(is_held) || self.loops.len() == 1 && count > MAX_ROUNDS
    }

    fn accumulator(&mut self, variable: Handle<HostValue>, assigned: Span) -> Handle<Expr> {
        if let Some(known) = self.held_scalar(variable) {
            return known.held;
        }
        let Some(ty) = self.declaration_of(variable).and_then(|it| it.ty.number()) else {
            unreachable!("scalars alone are folded");
        };
        let held = self.expr(ty, ExprKind::Accumulator(self.folds.accumulators.len()), assigned);
        self.folds.accumulators.push(HeldScalar { variable, held, assigned });
        held
    }

    /// Gives scalars what they hold here as their new values.
    fn set_accumulators(&mut self, variables: &[Handle<HostValue>]) {
        let mut values = Vec::new();
        // What holds in a whole step, or nowhere in it, may as well be asked at each point.
        let guards: Vec<_> = self.guards.iter().chain(&self.data_conditions).copied().collect();
        let is_fixed = |guard: &Handle<Expr>| is_invariant(self, *guard);
        let is_of_step = |guard: &Handle<Expr>| self.loops.first().is_some_and(|it| self.is_of_iteration(*guard, *it));
        let is_of_nest = guards.iter().all(is_fixed);
        let is_everywhere = guards.iter().all(|guard| is_fixed(guard) || is_of_step(guard)) && self.strips.is_empty();
        for variable in variables {
            let Some(HeldScalar { held, assigned, .. }) = self.held_scalar(*variable) else { continue };
            match self.bindings.get(variable) {
                Some(Binding::Scalar(value)) if *value == held => continue,
                Some(Binding::Scalar(value)) if !self.is_of_present(*value) => {
                    self.folds.outdated.entry(*variable).or_insert(assigned);
                }
                Some(Binding::Scalar(value)) if is_everywhere => {
                    let value = self.where_all_hold(&guards, *value, held);
                    values.push((*variable, value));
                    if !is_of_nest {
                        self.folds.of_some_steps.entry(*variable).or_insert(assigned);
                    }
                }
                _ => {
                    self.folds.lost.entry(*variable).or_insert(assigned);
                }
            }
            self.bindings.insert(*variable, Binding::Scalar(held));
        }
        if !values.is_empty() {
            values.iter().for_each(|(variable, _)| self.renew(*variable));
            let new = NewValues { values, loops: self.loops.clone(), position: self.next_position() };
            self.folds.actions.last_mut().expect("a loop is around it").push(Draft::Set(new));
        }
    }

    /// Whether a condition depends on nothing that changes but the index of a loop.
    fn is_of_iteration(&self, condition: Handle<Expr>, this: Handle<Loop>) -> bool {
        let is_other = |part: &Handle<Expr>| match self.kind(*part) {
            ExprKind::Index(other) | ExprKind::Iteration(other) => *other != this,
            ExprKind::Read(_) | ExprKind::Accumulator(_) | ExprKind::Call(..) => true,
            _ => false,
        };
        !self.nest.reachable([condition]).iter().any(is_other)
    }

    /// `value` where all conditions hold, and `held` elsewhere.
    fn where_all_hold(&mut self, guards: &[Handle<Expr>], value: Handle<Expr>, held: Handle<Expr>) -> Handle<Expr> {
        let span = self.nest.exprs.span(value);
        let all = guards.iter().copied().reduce(|all, guard| self.binary(BinaryOp::And, all, guard, span));
        let ty = self.ty(held);
        all.map_or(value, |all| self.expr(ty, ExprKind::Select(all, value, held), span))
    }

    /// What the scalars that are folded stand for at present, by their numbers.
    pub fn held_so_far(&self) -> Vec<Handle<Expr>> {
        self.folds.accumulators.iter().map(|it| it.held).collect()
    }

    /// What a scalar stands for behind an `if` of which one branch folds it and the other leaves it alone: `ends` is what it holds
    /// at their ends, `before` what all of them stood for in front. Where the condition does not hold its new values are the old ones.
    pub fn folded_in_one_branch(
        &self,
        variable: Handle<HostValue>,
        (one, other): (Handle<Expr>, Handle<Expr>),
        before: &[Handle<Expr>],
    ) -> Option<Handle<Expr>> {
        let number = self.folds.accumulators.iter().position(|it| it.variable == variable)?;
        let (held, before) = (self.folds.accumulators[number].held, *before.get(number)?);
        let is_folded = held != before && [(one, other), (other, one)].contains(&(held, before));
        is_folded.then_some(held)
    }

    /// Whether all that a value is made of is what scalars hold at present.
    fn is_of_present(&self, value: Handle<Expr>) -> bool {
        self.nest.reachable([value]).into_iter().all(|part| match *self.kind(part) {
            ExprKind::Accumulator(number) => self.folds.accumulators[number].held == part,
            _ => true,
        })
    }

    /// Lets a scalar stand for another expression than what was made of it before.
    fn renew(&mut self, variable: Handle<HostValue>) {
        let Some(number) = self.folds.accumulators.iter().position(|it| it.variable == variable) else { return };
        let held = self.folds.accumulators[number].held;
        let span = self.nest.exprs.span(held);
        let renewed = self.expr(self.ty(held), ExprKind::Accumulator(number), span);
        self.folds.accumulators[number].held = renewed;
        self.bindings.insert(variable, Binding::Scalar(renewed));
    }

    /// Leaves to the host what the steps fold, and gives the sweeps what that needs of the points.
    ///
    /// # Errors
    /// A sweep needs what is folded, or the host cannot fold it.
    pub fn resolve_folds(&mut self) -> Failable<()> {
        let drafts = self.actions_of_step();
        let needed = self.needed_accumulators(&drafts);
        let is_asked_for = |variable: &Handle<HostValue>| needed.contains(variable) || self.is_left_folded(*variable);
        let outdated = self.folds.outdated.iter().find(|(variable, _)| is_asked_for(variable));
        if let Some((variable, assigned)) = outdated {
            let message = format!("`{}` is made of a scalar that the step folds more than once", self.name(*variable));
            let error = Diagnostic::error("scalar-carried", message, *assigned);
            return Err(Box::new(error.with_help("keep what is folded first in a variable of its own")));
        }
        if needed.is_empty() {
            return self.check_sweeps_need_none();
        }
        // Without time the outermost loop is one over space.
        let of_some_steps = self.folds.of_some_steps.iter().filter(|_| self.nest.clock.time().is_none());
        let mut lost = self.folds.lost.iter().chain(of_some_steps);
        let lost = lost.find(|(variable, _)| needed.contains(variable));
        if let Some((variable, assigned)) = lost {
            let message =
                format!("`{}` is folded over points by a loop that runs under a condition", self.name(*variable));
            let error = Diagnostic::error("scalar-carried", message, *assigned);
            return Err(Box::new(error.with_help("put the condition inside the loop")));
        }
        let needed: Vec<Needed> = needed.into_iter().flat_map(|it| self.by_leg(it, &drafts)).collect();
        for Needed { variable, leg, .. } in &needed {
            let (ty, is_left) = (self.declared_scalar_type(*variable), self.is_left_folded(*variable));
            self.nest.step.folds.accumulators.push(Accumulator {
                variable: *variable,
                ty,
                is_left,
                leg: *leg,
                is_bounded: false,
            });
        }
        self.folds.entangled = self.entangled(&drafts);
        let actions = self.resolved(&drafts, &needed)?;
        self.nest.step.folds.actions = self.separate(actions);
        self.check_begun()?;
        self.drop_conditions_on_folds()?;
        self.check_sweeps_need_none()
    }

    /// What the nest does in a step.
    fn actions_of_step(&mut self) -> Vec<Draft> {
        let mut actions = self.folds.actions.pop().unwrap_or_default();
        match actions.pop() {
            Some(Draft::Loop(outermost, inner)) if self.nest.clock.counts(outermost) => inner,
            last => actions.into_iter().chain(last).collect(),
        }
    }

    fn declared_scalar_type(&self, variable: Handle<HostValue>) -> crate::ir::ScalarType {
        self.ty(self.held_scalar(variable).expect("it is folded").held)
    }

    fn held_scalar(&self, variable: Handle<HostValue>) -> Option<HeldScalar> {
        self.folds.accumulators.iter().find(|it| it.variable == variable).copied()
    }

    /// The scalars that somebody may read after a step, and those that go into them.
    fn needed_accumulators(&self, drafts: &[Draft]) -> Vec<Handle<HostValue>> {
        let values: Vec<_> = new_values(drafts).into_iter().flat_map(|new| new.values.iter().copied()).collect();
        let is_set = |variable: &Handle<HostValue>| values.iter().any(|(set, _)| set == variable);
        let all = self.folds.accumulators.iter().map(|it| it.variable);
        let mut needed: BTreeSet<_> = all.filter(|it| self.is_left_folded(*it)).filter(is_set).collect();
        loop {
            let known = needed.len();
            let into = values.iter().filter(|(variable, _)| needed.contains(variable)).map(|(_, value)| *value);
            for part in self.nest.reachable(into.collect::<Vec<_>>()) {
                if let ExprKind::Accumulator(number) = *self.kind(part) {
                    needed.insert(self.accumulated(number));
                }
            }
            if needed.len() == known {
                return self.by_name(needed);
            }
        }
    }

    /// The scalars that loops over points fold together with others.
    fn entangled(&self, drafts: &[Draft]) -> BTreeSet<Handle<HostValue>> {
        let mut found = BTreeSet::new();
        let in_space = |new: &&NewValues| self.nest.clock.space(&new.loops).next().is_some();
        for new in new_values(drafts).into_iter().filter(in_space) {
            for (variable, value) in &new.values {
                for part in self.nest.reachable([*value]) {
                    match *self.kind(part) {
                        ExprKind::Accumulator(number) if self.accumulated(number) != *variable => {
                            found.extend([*variable, self.accumulated(number)]);
                        }
                        _ => {}
                    }
                }
            }
        }
        found
    }

    /// Whether loops over points fold a scalar without others.
    fn is_alone(&self, variable: Handle<HostValue>) -> bool {
        !self.folds.entangled.contains(&variable)
    }

    /// Whether somebody may read what a step leaves in a scalar.
    fn is_left_folded(&self, variable: Handle<HostValue>) -> bool {
        self.is_from_outside(variable) && self.why_live(variable).is_some()
    }

    fn resolved(&mut self, drafts: &[Draft], needed: &[Needed]) -> Failable<Vec<Fold>> {
        let mut actions = Vec::new();
        for draft in drafts {
            match draft {
                Draft::Loop(this, inner) => {
                    let inner = self.resolved(inner, needed)?;
                    if !inner.is_empty() {
                        actions.push(Fold::Loop(*this, inner));
                    }
                }
                Draft::Set(new) => {
                    let mut updates = Vec::new();
                    let mut host = HostForms::default();
                    for (variable, value) in &new.values {
                        host.known.clear();
                        let Some(accumulator) = self.number_at(*variable, new, needed) else { continue };
                        let value = self.combinable(*variable, *value);
                        host.combination = match self.is_alone(*variable) {
                            true => self.combination_of(*variable, value),
                            false => Combination::InOrder,
                        };
                        let value = self.host_form(value, new, needed, &mut host)?;
                        updates.push(Update { accumulator, value });
                    }
                    if !updates.is_empty() {
                        actions.push(Fold::Set(updates));
                    }
                }
            }
        }
        Ok(actions)
    }

    /// The scalar of a number.
    pub fn accumulated(&self, number: usize) -> Handle<HostValue> {
        self.folds.accumulators[number].variable
    }

    /// Whether the host folds a scalar.
    pub fn is_accumulator(&self, variable: Handle<HostValue>) -> bool {
        self.nest.step.folds.accumulators.iter().any(|it| it.variable == variable)
    }
}

/// What has become of values at one place.
#[derive(Default)]
struct HostForms {
    /// What parts of the present value have become.
    known: BTreeMap<Handle<Expr>, Handle<Expr>>,
    /// How the values may be combined that go into it.
    combination: Combination,
    /// What sweeps store.
    stored: Vec<(Handle<Expr>, Handle<Access>, Combination)>,
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read, refusal};

    /// The folds of a nest with the body `body` at each point, and `rest` behind the sweep.
    fn folds(body: &str, rest: &str) -> Vec<String> {
        let text = format!(
            "double s = 0, m = 0; int k = 0, c = 0;\n#pragma stencil\nwhile (c < n) {{ c++; s = 0;
            for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) {{ b[i][j] = a[i - 1][j]; {body} }}
            {rest} }}\nprintf(\"%g %g %d\", s, m, k);"
        );
        let nest = read(&function("int n, double (*a)[n], double (*b)[n]", &text)).to_string();
        nest.lines().filter(|line| line.starts_with("fold ") || line.contains("] value_")).map(str::to_owned).collect()
    }

    #[test]
    fn parts_without_the_scalar_are_stored() {
        let all = folds("s += b[i][j] * 2;", "");
        assert!(all[0].ends_with("value_0[i][j] = (b[i][j] * (double)2)"), "{all:#?}");
        assert_eq!(all[1..], ["fold s = s.0", "fold s[i][j] = s.2"], "{all:#?}");
    }

    #[test]
    fn loops_that_end_at_a_value_are_boxes() {
        let text = "double s = 0;\n#pragma stencil\nfor (int i = 1; i != n; i++) for (int j = n - 1; j != 0; j--)
            { b[2 * i][j] = a[i][j]; s += a[i][j] * a[i][j]; }\nprintf(\"%g\", s);";
        let nest = read(&function("int n, double (*a)[n], double (*b)[n]", text)).to_string();
        assert!(nest.contains("value_0[i][j] = (a[i][j] * a[i][j])"), "{nest}");
    }

    #[test]
    fn what_nobody_reads_is_not_folded() {
        assert!(folds("double d = b[i][j]; d += 1; a[i][j] = d;", "").is_empty());
    }

    #[test]
    fn rows_are_folded_within_folds() {
        let text = "double s = 0, r;\n#pragma stencil\nfor (int i = 1; i < n; i++) { r = 0;
            for (int j = 1; j < n; j++) { b[i][j] = a[i][j]; r += a[i][j]; } s += r * i; }\nprintf(\"%g\", s);";
        let nest = read(&function("int n, double (*a)[n], double (*b)[n]", text)).to_string();
        let folds: Vec<_> = nest.lines().filter(|line| line.starts_with("fold ")).collect();
        assert_eq!(folds.len(), 3, "{nest}");
        assert!(folds[0].starts_with("fold r[i] =") && folds[1].starts_with("fold r[i][j] ="), "{nest}");
    }

    #[test]
    fn sweeps_need_no_folds() {
        for body in
            ["s += a[i]; b[i] = s;", "if (b[i] > s) { s = b[i]; b[i] = 0; }", "if (n > 3) { s += a[0]; b[i] = s; }"]
        {
            let text =
                format!("double s = 0;\n#pragma stencil\nfor (int i = 1; i < n; i++) {{ {body} }}\nprintf(\"%g\", s);");
            assert_eq!(refusal(&function("int n, double *a, double *b", &text)).code, "scalar-carried", "{body}");
        }
    }
}
