//! What the nest leaves in scalars that outlive it.
//!
//! While statements are executed, the reader notes what each scalar from outside holds at the end of a loop's body and in
//! front of a loop that assigns it. The last iteration of each loop decides, so the host driver needs no more than that;
//! but the last iteration must surely assign what any iteration assigns. A scalar for which this cannot be
//! told is lost, which only matters if somebody may read it later.

use std::collections::BTreeSet;

use super::Failable;
use super::integers::is_invariant;
use super::reader::{Binding, Change, Reader};
use super::types::CType;
use crate::ir::{
    Access, Array, BinaryOp, Expr, ExprKind, Handle, HostValue, LeftScalar, Loop, Param, ParamValue, Replay,
    ScalarType, Selector, Setting,
};
use crate::source::{Diagnostic, Span};

/// Why the last value of a scalar cannot be told.
#[derive(Clone, Copy, Debug)]
pub enum Lost {
    /// The variable of a loop that runs under a condition, with the loop's header.
    Loop(Span),
    /// Any other reason, which follows on "and".
    Value(&'static str),
}

const CONDITION: &str = "a condition decides whether the last iteration assigns it";
const EMPTY_LOOP: &str = "the loop that assigns it may be empty in the last iteration of one around it";

impl<'t> Reader<'_, '_, 't> {
    /// Notes what scalars hold in front of a loop that changes them: it may have no iteration.
    pub fn note_before_loop(&mut self, changed: &[Change]) {
        for (variable, _) in changed {
            self.note_scalar(*variable);
        }
    }

    /// Notes what scalars hold at the end of a loop's body.
    pub fn note_iteration(&mut self, changed: &[Change]) {
        for (variable, _) in changed {
            let is_unknown = match self.bindings.get(variable) {
                Some(Binding::Unknown(why, _)) => !why.is_left_by_loop(),
                other => matches!(other, Some(Binding::Partly(_))),
            };
            if is_unknown && self.assigned.contains_key(variable) {
                self.lose(*variable, Lost::Value(CONDITION));
            }
            self.note_scalar(*variable);
        }
    }

    fn note_scalar(&mut self, variable: Handle<HostValue>) {
        let Some(&Binding::Scalar(value)) = self.bindings.get(&variable) else { return };
        if !self.is_from_outside(variable) || self.is_folded(value) {
            return;
        }
        if self.is_under_condition() {
            self.lose(variable, Lost::Value(CONDITION));
        } else {
            self.replay.push(Replay::Scalar(LeftScalar { variable, value }));
        }
    }

    pub fn is_under_condition(&self) -> bool {
        !self.guards.is_empty() || !self.data_conditions.is_empty()
    }

    /// Notes that the last value of a scalar cannot be told.
    pub fn lose(&mut self, variable: Handle<HostValue>, why: Lost) {
        self.lost.entry(variable).or_insert(why);
    }

    /// Notes a loop that has been read, with what its last iteration does.
    pub fn note_loop(&mut self, this: Handle<Loop>, inner: Vec<Replay>, changed: &[Change]) {
        let Loop { variable, first, bound, outlives, .. } = self.nest.loops[this].clone();
        if self.is_under_condition() {
            if outlives {
                self.lose(variable, Lost::Loop(self.nest.loops.span(this)));
            }
            changed.iter().for_each(|(changed, _)| self.lose(*changed, Lost::Value(CONDITION)));
        } else if !is_invariant(self, first) || !is_invariant(self, bound) {
            let others = changed.iter().filter(|(changed, _)| *changed != variable);
            others.for_each(|(changed, _)| self.lose(*changed, Lost::Value(EMPTY_LOOP)));
        }
        if outlives || !inner.is_empty() {
            self.replay.push(Replay::Loop(this, inner));
        }
    }

    /// Chooses what the host driver leaves in scalars.
    ///
    /// # Errors
    /// A scalar that may be read after the nest and whose value is not known.
    pub fn resolve_left(&mut self) -> Failable<()> {
        let mut left = BTreeSet::new();
        for (variable, span) in self.changed_scalars() {
            if !self.is_accumulator(variable) && self.is_left(variable, span)? {
                left.insert(variable);
            }
        }
        for this in self.nest.loops.handles() {
            let this = &mut self.nest.loops[this];
            this.outlives &= left.contains(&this.variable);
        }
        let replay = std::mem::take(&mut self.replay);
        self.nest.step.replay = replay.into_iter().filter_map(|it| self.kept(it, &left)).collect();
        self.check_left_without_folds(&self.nest.step.replay)?;
        if let Some(outermost) = self.nest.loops.handles().next()
            && self.nest.step.replay.is_empty()
            && !self.nest.step.left_pointers.is_empty()
        {
            self.nest.step.replay.push(Replay::Loop(outermost, Vec::new()));
        }
        Ok(())
    }

    /// # Errors
    /// A scalar is left that is made of what points fold, and is not folded itself.
    fn check_left_without_folds(&self, replay: &[Replay]) -> Failable<()> {
        for action in replay {
            match action {
                Replay::Loop(_, inner) => self.check_left_without_folds(inner)?,
                Replay::Scalar(LeftScalar { variable, value }) if self.reaches_accumulators(*value) => {
                    let name = self.name(*variable);
                    let message = format!("`{name}` is made of what a loop folds that runs under a condition");
                    let error = Diagnostic::error("scalar-carried", message, self.nest.exprs.span(*value));
                    return Err(Box::new(error.with_help("put the condition inside the loop")));
                }
                Replay::Setting(Setting { function, value }) if self.reaches_accumulators(*value) => {
                    let message = format!("what `{function}` gets is made of what a loop folds");
                    let error = Diagnostic::error("scalar-carried", message, self.nest.exprs.span(*value));
                    return Err(Box::new(error.with_help("call it behind the nest")));
                }
                Replay::Scalar(_) | Replay::Setting(_) => {}
            }
        }
        Ok(())
    }

    /// Finds what the host function needs the address of, and what stands in the way of taking it.
    ///
    /// # Errors
    /// A word `register` that cannot be left out.
    pub fn resolve_addresses(&mut self) -> Failable<()> {
        self.note_aliases()?;
        self.note_watched();
        self.note_address_casts();
        self.note_register_words()
    }

    /// Names the variables from outside that the nest's text assigns and the driver does not leave, whatever the reason.
    pub fn note_dead(&mut self) {
        let step = &self.nest.step;
        let folded = step.folds.left().map(|it| it.variable);
        let mut left: Vec<_> = step.left_pointers.iter().map(|pointer| pointer.variable).chain(folded).collect();
        let mut pending: Vec<&Replay> = self.nest.step.replay.iter().collect();
        while let Some(next) = pending.pop() {
            match next {
                Replay::Loop(this, inner) => {
                    let this = &self.nest.loops[*this];
                    left.extend(this.outlives.then_some(this.variable));
                    pending.extend(inner);
                }
                Replay::Scalar(scalar) => left.push(scalar.variable),
                Replay::Setting(_) => {}
            }
        }
        let changed = self.changed_in(self.node).into_iter().map(|(variable, _)| variable);
        self.nest.step.dead =
            changed.filter(|variable| !left.contains(variable)).chain(self.scratch_values()).collect();
    }

    /// The scalars from outside that the nest assigns or counts with, each with the first place where it does.
    fn changed_scalars(&self) -> Vec<Change> {
        let mut all: Vec<Change> = Vec::new();
        let counters = self.nest.loops.handles().filter(|this| self.nest.loops[*this].outlives);
        let counters = counters.map(|this| (self.nest.loops[this].variable, self.nest.loops.span(this)));
        let assigned = self.by_name(self.assigned.keys().copied().filter(|variable| self.is_scalar(*variable)));
        for (variable, span) in assigned.into_iter().map(|it| (it, self.assigned[&it])).chain(counters) {
            if !all.iter().any(|(other, _)| *other == variable) {
                all.push((variable, span));
            }
        }
        all
    }

    /// Whether a loop counts with a variable from outside.
    pub fn counts_from_outside(&self, variable: Handle<HostValue>) -> bool {
        self.nest.loops.iter().any(|(_, this)| this.outlives && this.variable == variable)
    }

    fn is_left(&self, variable: Handle<HostValue>, span: Span) -> Failable<bool> {
        let name = self.name(variable);
        let why_live = self.why_live(variable);
        let qualifiers = self.qualifiers(variable);
        let is_counter = self.counts_from_outside(variable);
        if why_live.is_some() && qualifiers.is_volatile {
            let help = "use a variable that is not volatile";
            return Err(Box::new(Diagnostic::error("volatile", format!("`{name}` is volatile"), span).with_help(help)));
        }
        let lost = self.lost.get(&variable).copied();
        let lost =
            lost.or_else(|| self.values_of(variable).into_iter().find_map(|it| self.why_unknown(it)).map(Lost::Value));
        match (why_live, lost) {
            (Some(why_live), Some(lost)) => Err(refused(name, span, why_live, lost)),
            (None, Some(_)) => Ok(false),
            (why_live, None) => Ok(why_live.is_some() || is_counter && qualifiers.register.is_none()),
        }
    }

    /// What scalars get that may be read after the nest.
    pub fn live_values(&self) -> Vec<Handle<Expr>> {
        let changed = self.changed_scalars().into_iter().map(|(variable, _)| variable);
        changed.filter(|it| self.why_live(*it).is_some()).flat_map(|it| self.values_of(it)).collect()
    }

    fn values_of(&self, variable: Handle<HostValue>) -> Vec<Handle<Expr>> {
        let mut values = Vec::new();
        let mut pending: Vec<&Replay> = self.replay.iter().collect();
        while let Some(next) = pending.pop() {
            match next {
                Replay::Loop(_, inner) => pending.extend(inner),
                Replay::Scalar(scalar) if scalar.variable == variable => values.push(scalar.value),
                Replay::Scalar(_) | Replay::Setting(_) => {}
            }
        }
        values
    }

    /// Why the host cannot compute `value` after the nest.
    pub fn why_unknown(&self, value: Handle<Expr>) -> Option<&'static str> {
        let nest = &self.nest;
        let parts = nest.reachable([value]);
        let is_arithmetic = |part: &Handle<Expr>, ops: &[BinaryOp]| {
            matches!(&nest.exprs[*part].kind, ExprKind::Binary(op, ..) if ops.contains(op)) && self.ty(*part).is_float()
        };
        let has = |ops: &[BinaryOp]| parts.iter().any(|part| is_arithmetic(part, ops));
        if has(&[BinaryOp::Mul]) && has(&[BinaryOp::Add, BinaryOp::Sub]) {
            return Some(
                "its last value is a floating-point sum of products, which a compiler may round once or twice",
            );
        }
        let needed = nest.reachable(nest.step.statements.iter().map(|statement| statement.value));
        parts.into_iter().find_map(|part| match self.kind(part) {
            ExprKind::Call(..) => Some("its last value needs more than arithmetic"),
            ExprKind::Read(access) if self.is_value_of_rule(*access) => None,
            ExprKind::Read(access) => {
                let array = nest.accesses[*access].array;
                let is_written =
                    nest.step.statements.iter().any(|statement| nest.accesses[statement.write].array == array);
                let is_needed =
                    needed.iter().any(|it| matches!(self.kind(*it), ExprKind::Read(other) if other == access));
                let is_chosen = nest.accesses[*access].buffer.is_some_and(|buffer| self.constant(buffer).is_none());
                if is_written || is_chosen {
                    Some("its last value depends on elements that the nest changes")
                } else if !is_needed {
                    Some("its last value depends on an element that nothing else in the nest reads")
                } else {
                    None
                }
            }
            _ => None,
        })
    }

    fn is_value_of_rule(&self, access: Handle<Access>) -> bool {
        let buffers = &self.nest.arrays[self.nest.accesses[access].array].buffers;
        buffers.iter().any(|buffer| self.nest.step.is_filled_by_driver(buffer.variable))
    }

    /// The part of `replay` that is about variables in `left`.
    fn kept(&self, replay: Replay, left: &BTreeSet<Handle<HostValue>>) -> Option<Replay> {
        match replay {
            Replay::Scalar(scalar) => left.contains(&scalar.variable).then_some(Replay::Scalar(scalar)),
            Replay::Setting(setting) => Some(Replay::Setting(setting)),
            Replay::Loop(this, inner) => {
                let inner: Vec<_> = inner.into_iter().filter_map(|it| self.kept(it, left)).collect();
                (self.nest.loops[this].outlives || !inner.is_empty()).then_some(Replay::Loop(this, inner))
            }
        }
    }

    /// What the nest assigns through a pointer must be no variable that it knows by another name: calls compare addresses.
    fn note_aliases(&mut self) -> Failable<()> {
        for (assigned, other, span) in self.possible_aliases() {
            let watched = [assigned, other].map(|value| Some((value, self.watched_type(value)?)));
            let [Some(one), Some(two)] = watched else {
                let [name, other] = [assigned, other].map(|value| self.name(value));
                let message = format!("`{name}` is assigned, and may be the same variable as `{other}`");
                let help = format!("use only one of the two ways to it, or assign `{name}` after the nest");
                return Err(Box::new(Diagnostic::error("struct-member", message, span).with_help(help)));
            };
            self.nest.apart.push((assigned, other));
            let is_new = |it: &(Handle<HostValue>, _)| self.nest.watched.iter().all(|(known, _)| *known != it.0);
            let new: Vec<_> = [one, two].into_iter().filter(is_new).collect();
            self.nest.watched.extend(new);
        }
        Ok(())
    }

    /// The type as which a variable is watched, `None` for pointers; no other objects are.
    fn watched_type(&self, value: Handle<HostValue>) -> Option<Option<ScalarType>> {
        match self.declaration_of(value)?.ty {
            CType::Scalar(ty) => Some(Some(ty)),
            CType::Bool => Some(Some(ScalarType::U8)),
            CType::Pointer(_) => Some(None),
            _ => None,
        }
    }

    /// What the nest assigns through pointers, and where, each with a used variable that the same memory may be.
    fn possible_aliases(&self) -> Vec<(Handle<HostValue>, Handle<HostValue>, Span)> {
        let mut found = Vec::new();
        let is_behind = |value: Handle<HostValue>| self.nest.values[value].path.contains(&Selector::Dereference);
        let used: Vec<_> = self.nest.values.handles().filter(|value| self.is_from_outside(*value)).collect();
        for (&assigned, &span) in self.assigned.iter().filter(|(assigned, _)| is_behind(**assigned)) {
            let is_same_type = |other: Handle<HostValue>| {
                let [one, other] = [assigned, other].map(|value| self.declaration_of(value).map(|it| &it.ty));
                one == other || [one, other].iter().all(|ty| matches!(ty, Some(CType::Pointer(_))))
            };
            let is_other = |other: &&Handle<HostValue>| {
                let whole = |value: Handle<HostValue>| {
                    let value = &self.nest.values[value];
                    let behind = value.path.iter().rposition(|it| *it == Selector::Dereference);
                    (value.variable.clone(), behind.map(|place| value.path[..place].to_vec()))
                };
                whole(**other) != whole(assigned) && self.may_be_pointed_to(**other) && is_same_type(**other)
            };
            let is_used = |other: &&Handle<HostValue>| self.is_used(**other);
            found.extend(used.iter().filter(is_used).filter(is_other).map(|other| (assigned, *other, span)));
        }
        found
    }

    /// Whether the nest reads, assigns or leads through a variable.
    fn is_used(&self, value: Handle<HostValue>) -> bool {
        let is_param = |param: &Param| match param.value {
            ParamValue::Variable(variable) => variable == value,
            ParamValue::IsSet { pointer, .. } => pointer == value,
            ParamValue::Expression { .. } => false,
        };
        self.assigned.contains_key(&value)
            || self.roots.iter().any(|root| root.variable == value)
            || self.nest.params.iter().any(|(_, param)| is_param(param))
    }

    /// Finds the variables that the nest takes to be fixed and that a store through a pointer may change, and those that it leaves
    /// changed and that elements behind pointers may be.
    fn note_watched(&mut self) {
        let (written, used) = (self.elements_behind_pointers(true), self.elements_behind_pointers(false));
        let left: Vec<_> = self.left_variables().into_iter().map(|(variable, _)| variable).collect();
        let tables = self.compared_entries();
        for (variable, ty) in self.used_variables().into_iter().chain(tables) {
            let is_new = !self.nest.watched.iter().any(|(other, _)| *other == variable);
            let last = self.nest.values[variable].path.last();
            let is_element = matches!(last, Some(Selector::Element(_) | Selector::ElementAt(..)));
            let is_reached = is_element || self.may_be_pointed_to(variable);
            let is_changed = written.iter().any(|it| may_alias(*it, ty));
            let changes = left.contains(&variable)
                && ty.is_some_and(|ty| used.iter().any(|it| may_alias(ty, Some(*it)) || may_alias(*it, Some(ty))));
            if is_new && (is_changed || changes) && is_reached {
                self.nest.watched.push((variable, ty));
            }
        }
    }

    /// The variables that the host function gets by value or leaves changed, with their types; `None` is a pointer.
    fn used_variables(&self) -> Vec<(Handle<HostValue>, Option<ScalarType>)> {
        let params = self.nest.params.iter().filter_map(|(_, param)| match param.value {
            ParamValue::Variable(variable) => Some((variable, Some(param.ty))),
            _ => None,
        });
        let scalars = self.left_variables().into_iter().map(|(variable, ty)| (variable, Some(ty)));
        let bases = self.nest.buffers();
        let pointers = bases.filter(|buffer| self.is_pointer_variable(buffer.variable));
        let tested = self.nest.params.iter().filter_map(|(_, param)| match param.value {
            ParamValue::IsSet { pointer, .. } => Some((pointer, None)),
            _ => None,
        });
        let pointers = pointers.map(|buffer| (buffer.variable, None)).chain(tested);
        params.chain(scalars).chain(pointers).collect()
    }

    /// The scalars that the nest leaves changed, with their types.
    fn left_variables(&self) -> Vec<(Handle<HostValue>, ScalarType)> {
        let folded = self.nest.step.folds.left().map(|it| (it.variable, it.ty));
        self.nest.left_scalars().into_iter().chain(folded).collect()
    }

    /// Finds the pointers whose address converts to `void *` with a cast only.
    fn note_address_casts(&mut self) {
        let left = self.nest.step.left_pointers.iter().map(|pointer| pointer.variable);
        let watched = self.nest.watched.iter().filter(|(_, ty)| ty.is_none()).map(|(variable, _)| *variable);
        let found = left.chain(watched).filter(|variable| self.qualifiers(*variable).is_restrict).collect();
        self.nest.address_casts = found;
    }

    /// Types of the elements that the nest stores through pointers, or of all that it reads or stores there. An array is no part of
    /// another variable.
    fn elements_behind_pointers(&self, are_written: bool) -> Vec<ScalarType> {
        let stored: BTreeSet<_> =
            self.nest.step.statements.iter().map(|statement| self.nest.accesses[statement.write].array).collect();
        let is_meant = |array: &(Handle<Array>, &Array)| !are_written || stored.contains(&array.0);
        let is_behind_pointer = |array: &Array| {
            array.has_row_tables() || array.buffers.iter().any(|buffer| self.is_pointer_variable(buffer.variable))
        };
        let arrays = self.nest.arrays.iter().filter(is_meant).map(|(_, array)| array);
        arrays.filter(|array| is_behind_pointer(array)).map(|array| array.element).collect()
    }

    fn is_pointer_variable(&self, variable: Handle<HostValue>) -> bool {
        self.roots.iter().any(|root| root.variable == variable && matches!(root.ty, CType::Pointer(_)))
    }

    /// A variable whose address the host function gets must not be declared `register`; the rewritten file leaves the
    /// word out.
    fn note_register_words(&mut self) -> Failable<()> {
        let pointers = self.nest.step.left_pointers.iter().map(|pointer| pointer.variable);
        let scalars = self.nest.left_scalars().into_iter().map(|(variable, _)| variable);
        let folded = self.nest.step.folds.left().map(|it| it.variable);
        let arrays = self.nest.arrays.handles().filter(|array| self.nest.is_scalar(*array));
        let stored = arrays.map(|array| self.nest.arrays[array].buffers[0].variable);
        for variable in scalars.chain(folded).chain(pointers).chain(stored).collect::<Vec<_>>() {
            let Some(word) = self.qualifiers(variable).register else { continue };
            let span = self.unit.span_between(word.start, word.end);
            if self.unit.source.text(span) != "register" {
                let name = self.name(variable);
                let message = format!("`{name}` is a register variable that the nest leaves changed");
                let help = format!("declare `{name}` without `register`, which a macro writes here");
                return Err(Box::new(Diagnostic::error("register", message, span).with_help(help)));
            }
            if !self.nest.dropped_words.contains(&span) {
                self.nest.dropped_words.push(span);
            }
        }
        Ok(())
    }
}

/// Whether a store of an element of that type may change a variable of type `ty`, or a pointer.
fn may_alias(element: ScalarType, ty: Option<ScalarType>) -> bool {
    let is_same = |ty: ScalarType| element.size() == ty.size() && element.is_float() == ty.is_float();
    element.size() == 1 || ty.is_some_and(is_same)
}

fn refused(name: &str, span: Span, why_live: &str, lost: Lost) -> Box<Diagnostic> {
    let diagnostic = match lost {
        Lost::Loop(header) => {
            let message = format!("whether the loop over `{name}` runs depends on a condition");
            let help = format!(
                "declare the variable in the loop, `for (int {name} = ...`, and set `{name}` after the nest if it is needed"
            );
            Diagnostic::error("conditional-loop", message, header).because(why_live).with_help(help)
        }
        Lost::Value(why) => {
            let message = format!("`{name}` is assigned in the nest and outlives it");
            let name = name.split('[').next().unwrap_or(name);
            Diagnostic::error("scalar-live-out", message, span).because(format!("{why_live}, and {why}")).with_help(
                format!(
                    "if nobody needs the value, declare `{name}` inside the loop that assigns it; otherwise compute it \
                     after the nest, where need be in a loop that is not marked"
                ),
            )
        }
    };
    Box::new(diagnostic)
}
