//! What the host does within a step, between two of its legs.
//!
//! The calls for the legs of a step record it together, at the last of them. So what the host does in between may neither need
//! what the legs before it leave in variables nor change what they are given, but for what the first leg folds and no other leg
//! knows, as in `err = fmax(err, fabs(b[i] - a[i])); ... if (err < tol) break; ... a[i] = b[i];`: the device tells that ahead. Where
//! several legs fold, each of them scalars of its own, each call tells what its leg comes to. Numbers for the legs behind it may come from there,
//! as in `q = mean / (1 + t);`: the calls for these legs bring them. Numbers for the steps to come may, as in `dt = cfl / fastest;`, if
//! no leg behind it needs them: the call for the first leg has brought what they are in the present one. What it does to arrays is told
//! by [`super::host_code`].

use std::collections::BTreeSet;
use std::ops::Range;

use tree_sitter::Node;

use super::Need;
use super::followed::is_only_followed;
use super::host_code::HostCode;
use super::names::{self, Changed};
use super::program::Program;
use super::step::{Gap, Step};
use super::versions::Versions;
use crate::front::Failable;
use crate::front::control_flow::ControlFlow;
use crate::front::headers::has_jump;
use crate::front::tree::{ancestors, declared_identifier, fields};
use crate::front::unused::roots_of_places;
use crate::ir::{Accumulator, ExprKind, Folds, Handle, HostValue, Nest, Param, ParamValue, Update};
use crate::source::Diagnostic;

/// The ways through the function around a step with gaps.
pub fn ways<'t>(program: &Program<'_, '_, 't>, root: Node<'t>, step: &Step<'t>) -> ControlFlow {
    let ends = |gap: &Gap<'t>| (gap.statements[0], gap.statements[gap.statements.len() - 1]);
    let gaps: Vec<_> = step.gaps.iter().map(ends).collect();
    let last = step.statements[step.statements.len() - 1];
    ControlFlow::around_gaps(program.unit, &ancestors(root, last), last, &gaps)
}

/// Declarations, without values, of numbers that gaps declare for the legs behind them.
///
/// # Errors
/// A leg needs something else that one declares.
pub fn hoisted(program: &Program, step: &Step, versions: &Versions) -> Failable<String> {
    let mut text = versions.declarations();
    for (number, gap) in step.gaps.iter().enumerate() {
        for declaration in gap.statements.iter().filter(|it| it.kind() == "declaration") {
            let declarators = fields(*declaration, "declarator");
            let Some(first) = declarators.first() else { continue };
            let words = &program.unit.text[declaration.start_byte()..first.start_byte()];
            for declarator in declarators {
                let name = hoisted_name(program, step, number, declarator)?;
                text.extend(name.map(|name| format!("{words}{name}; ")));
            }
        }
    }
    Ok(text)
}

/// What a gap declares, if legs behind it need that.
fn hoisted_name<'p>(
    program: &Program<'p, '_, '_>,
    step: &Step,
    gap: usize,
    declarator: Node,
) -> Failable<Option<&'p str>> {
    let legs = step.legs();
    let Some(name) = declared_identifier(declarator).map(|it| program.text(it)) else { return Ok(None) };
    let is_needed = |legs: &[&[Node]]| legs.iter().copied().flatten().any(|it| names::needs(program.unit, *it, name));
    if !is_needed(&legs) {
        return Ok(None);
    }
    let plain = declarator.child_by_field_name("declarator").unwrap_or(declarator);
    if !is_needed(&legs[..=gap]) && plain.kind() == "identifier" {
        return Ok(Some(name));
    }
    let message = format!("`{name}` is declared between the sweeps of a step, some of which need it");
    let error = Diagnostic::error("kept-step", message, program.unit.span(declarator));
    Err(Box::new(error.with_help(format!("declare `{name}` before the first sweep"))))
}

/// Checks what the host does in the gaps of a step, and notes which scalars of the nest come from there.
///
/// # Errors
/// It needs or changes what it must not.
pub fn check_gaps(
    code: &HostCode,
    step: &Step,
    ways: &ControlFlow,
    (nest, versions): (&mut Nest, &Versions),
) -> Failable<()> {
    let gaps = Gaps { code, program: code.program(), step, ways, versions };
    if nest.step.gaps.len() != step.gaps.len() {
        return gaps.refuse(0, "what stands behind this is never reached".to_owned(), "take it out".to_owned());
    }
    nest.step.folds.tells_early = versions.is_empty() && gaps.tells_early(nest);
    nest.step.folds.tells_each_leg = !nest.step.folds.tells_early && gaps.tells_each_leg(nest);
    nest.step.folds.tells_early |= nest.step.folds.tells_each_leg;
    for number in 0..step.gaps.len() {
        gaps.check_arrays(nest, number)?;
        gaps.check_left(nest, number)?;
        nest.step.gaps[number].hands_on = gaps.hands_on(nest, number);
    }
    nest.step.turning_leg = gaps.turning_leg(nest)?;
    let set = gaps.find_set(nest)?;
    let is_late = |it: &(Handle<Param>, Set)| matches!(it.1, Set::Late(_));
    nest.step.folds.goes_through = nest.step.folds.tells_at_once() && !set.iter().any(is_late) && gaps.go_through();
    gaps.check_folded_before(nest)?;
    for (param, set) in set {
        match set {
            Set::Late(number) => nest.step.gaps[number].late.push(param),
            Set::Gone(number) => nest.step.gaps[number].gone.push(param),
        }
    }
    Ok(())
}

/// For whom the host gives a scalar another value within a step.
enum Set {
    /// For legs behind that gap, the last one that does; none before it needs the scalar.
    Late(usize),
    /// For the steps to come, in that gap first; no leg behind it needs the scalar.
    Gone(usize),
}

struct Gaps<'a, 'p, 's, 't> {
    code: &'a HostCode<'p, 's, 't>,
    program: &'a Program<'p, 's, 't>,
    step: &'a Step<'t>,
    ways: &'a ControlFlow,
    versions: &'a Versions,
}

impl<'t> Gaps<'_, '_, '_, 't> {
    /// Statements with the bodies of all functions that they call.
    fn bodies(&self, statements: &[Node<'t>]) -> Vec<Node<'t>> {
        statements.iter().filter_map(|it| self.code.bodies_of(*it, usize::MAX)).flatten().collect()
    }

    /// What statements assign, take the address of, or declare for those behind them.
    fn changed(&self, statements: &[Node<'t>]) -> BTreeSet<Changed> {
        let is_harmless = |address: Node| is_only_followed(self.program, address);
        let changed = |body| names::changed_but(self.program.unit, body, statements.contains(&body), &is_harmless);
        self.bodies(statements).into_iter().flat_map(changed).collect()
    }

    /// Whether statements that change these change a value: what a pointer leads to, functions may change that get the pointer.
    fn change(&self, statements: &[Node<'t>], changed: &BTreeSet<Changed>, value: &HostValue) -> bool {
        let name = Changed::of(value);
        changed.contains(&name) || name.is_element && self.has(statements, &name.name)
    }

    fn has(&self, statements: &[Node<'t>], name: &str) -> bool {
        self.bodies(statements).into_iter().any(|body| names::has(self.program.unit, body, name))
    }

    fn refuse<T>(&self, number: usize, message: String, help: String) -> Failable<T> {
        let gap = &self.step.gaps[number].statements;
        let span = self.program.unit.span_between(gap[0].start_byte(), gap[gap.len() - 1].end_byte());
        Err(Box::new(Diagnostic::error("kept-step", message, span).with_help(help)))
    }

    /// The host changes arrays within a step only now and then, and computes no sweep itself.
    fn check_arrays(&self, nest: &Nest, number: usize) -> Failable<()> {
        let gap = &self.step.gaps[number].statements;
        let is_apart = |it: &Node<'t>| {
            self.code.need_of_host(*it) == Need::Store && self.code.stored_within(self.step, *it).is_some()
        };
        for statement in gap.iter().filter(|it| self.code.need_of_host(**it) >= Need::Store && !is_apart(it)) {
            let is_rare = statement.kind() == "if_statement" && !self.program.sweeps(*statement);
            let folds = !nest.step.folds.accumulators.is_empty() && !nest.step.folds.tells_early;
            if !is_rare || folds || !nest.index_arrays.is_empty() {
                return Err(between_sweeps(self.program, *statement));
            }
        }
        Ok(())
    }

    /// Whether the host needs or sets within the step what it folds, and that is complete behind the first leg.
    fn tells_early(&self, nest: &Nest) -> bool {
        let legs = self.step.legs();
        let (first, others) = (self.changed(legs[0]), legs[1..].concat());
        let changes = |value: &HostValue| self.change(legs[0], &first, value);
        let folded: Vec<&HostValue> = nest.step.folds.left().map(|it| &nest.values[it.variable]).collect();
        let is_complete = |value: &&HostValue| changes(value) && !self.has(&others, names::last(value));
        folded.iter().all(is_complete) && folded.iter().any(|it| self.is_used_within(it))
    }

    /// A variable of the nest as the program names it.
    fn original(&self, nest: &Nest, variable: Handle<HostValue>) -> HostValue {
        self.versions.original(&nest.values[variable])
    }

    /// The legs that know a variable of the nest by its name there.
    fn legs_that_know(&self, nest: &Nest, variable: Handle<HostValue>) -> Range<usize> {
        let version = self.versions.find(&nest.values[variable]);
        version.map_or(0..self.step.gaps.len() + 1, |version| version.legs.clone())
    }

    /// Whether the host needs or sets a variable between two legs.
    fn is_used_within(&self, value: &HostValue) -> bool {
        (0..self.step.gaps.len()).any(|number| {
            let is_set = self.changed(&self.step.gaps[number].statements).contains(&Changed::of(value));
            self.is_needed(number, value) || is_set && self.is_needed_behind(number, value)
        })
    }

    /// The same of what several legs fold, each of them variables of its own, which no other leg knows.
    fn tells_each_leg(&self, nest: &Nest) -> bool {
        let (legs, folds) = (self.step.legs(), &nest.step.folds);
        let leg_of = |number: usize| folds.accumulators[number].leg;
        let is_apart = |update: &Update| {
            nest.reachable([update.value]).into_iter().all(|part| match nest.exprs[part].kind {
                ExprKind::Accumulator(number) => leg_of(number) == leg_of(update.accumulator),
                _ => true,
            })
        };
        let is_of_one_leg = |it: &Accumulator| {
            let Some(leg) = it.leg.filter(|leg| *leg < legs.len()) else { return false };
            let (value, known) = (self.original(nest, it.variable), self.legs_that_know(nest, it.variable));
            let others = [&legs[known.start..leg.max(known.start)], &legs[leg + 1..known.end.max(leg + 1)]].concat();
            let is_plain = value.path.is_empty() && !nest.is_given(it.variable) && known.contains(&leg);
            let is_changed = || self.changed(legs[leg]).contains(&Changed::of(&value));
            !it.is_left || is_plain && is_changed() && !self.has(&others.concat(), names::last(&value))
        };
        let has_scalars_among_arrays = nest.arrays.handles().any(|array| nest.is_scalar(array));
        legs.len() <= Folds::MAX_TELLING_LEGS
            && !has_scalars_among_arrays
            && folds.accumulators.iter().all(|it| it.leg.is_some())
            && folds.accumulators.iter().all(is_of_one_leg)
            && folds.updates().iter().all(is_apart)
            && folds.left().any(|it| self.is_used_within(&self.original(nest, it.variable)))
    }

    /// What a step is given of what the one before it has folded must still be there when its last leg is recorded: if the host takes
    /// the legs before itself, it folds anew.
    fn check_folded_before(&self, nest: &Nest) -> Failable<()> {
        let mut folded = nest.step.folds.left().map(|it| it.variable);
        match folded.find(|it| nest.is_given(*it)).filter(|_| !nest.step.folds.goes_through) {
            Some(variable) => {
                let name = nest.values.text(variable);
                let message =
                    format!("the host does something between the sweeps of a step that needs and folds `{name}`");
                self.refuse(0, message, "move this before the first sweep or behind the last one".to_owned())
            }
            None => Ok(()),
        }
    }

    /// Whether the host reaches no array within the step and cannot leave it.
    fn go_through(&self) -> bool {
        let stays = |statement: Node<'t>| {
            let is_seen = self.code.bodies_of(statement, usize::MAX).is_some() && self.code.unseen(statement).is_none();
            let may_leave = has_jump(statement) || self.code.may_exit(statement);
            is_seen && !may_leave && self.code.need_of_host(statement) == Need::Nothing
        };
        self.step.gaps.iter().flat_map(|gap| &gap.statements).all(|it| stays(*it))
    }

    /// What legs leave in variables is not needed before the step is over, and the host gives these no other value meanwhile.
    fn check_left(&self, nest: &Nest, number: usize) -> Failable<()> {
        let legs = self.step.legs();
        let gap = &self.step.gaps[number].statements;
        let legs = legs[..=number].concat();
        let (before, assigned) = (self.changed(&legs), self.changed(gap));
        for variable in variables(nest) {
            let value = self.original(nest, variable);
            let (text, name) = (nest.values.text(variable), Changed::of(&value));
            let is_changed = self.change(&legs, &before, &value);
            let is_pointer = nest.step.left_pointers.iter().any(|it| it.variable == variable);
            if is_pointer && !assigned.contains(&name) {
                continue;
            }
            let folded = nest.step.folds.left().find(|it| it.variable == variable);
            let is_of_later_leg = |it: &Accumulator| nest.step.folds.tells_each_leg && it.leg > Some(number);
            if folded.is_some_and(is_of_later_leg) {
                continue;
            }
            if gap.iter().any(|it| names::declares(self.program.unit, *it, &name.name)) {
                let message = format!("`{text}` is declared between the sweeps of a step, which give it a value");
                return self.refuse(number, message, format!("declare `{text}` before the loop"));
            }
            let is_folded = folded.is_some();
            if is_folded && nest.step.folds.tells_early {
                continue;
            }
            let is_folded = is_folded && !is_changed;
            let is_needed = is_changed && self.is_needed(number, &value);
            // What a later leg folds may begin anew here, unless a leg before goes by what the step before has folded.
            let is_gone_by =
                || self.legs_that_know(nest, variable).start <= number && self.has(&legs, names::last(&value));
            let is_kept = is_folded && !is_gone_by();
            let is_set = assigned.contains(&name) && !is_kept && self.is_needed_behind(number, &value);
            if is_pointer || is_needed || is_set {
                let message = format!("the host needs or sets `{text}` between the sweeps of a step, which change it");
                let help = format!("use another variable than `{text}` here, or move this behind the last sweep");
                let is_copied = is_needed && nest.step.folds.left().any(|it| it.variable == variable);
                let exchange = "or, if the sweeps behind it only copy, exchange pointers in their place: `tmp = a; a = b; b = tmp;`";
                let refused: Failable<()> = self.refuse(number, message, help);
                return refused.map_err(|error| if is_copied { Box::new(error.with_help(exchange)) } else { error });
            }
        }
        Ok(())
    }

    /// Whether the legs behind a gap, as they stand in the program, may read what the legs before it assign but to pointers, which
    /// the host has by then.
    fn hands_on(&self, nest: &Nest, number: usize) -> bool {
        let legs = self.step.legs()[..=number].concat();
        let before = self.changed(&legs);
        variables(nest).into_iter().filter(|it| nest.step.left_pointers.iter().all(|left| left.variable != *it)).any(
            |variable| {
                let value = self.original(nest, variable);
                self.change(&legs, &before, &value) && self.is_needed_behind(number, &value)
            },
        )
    }

    /// The leg that exchanges all pointers: then the host has them.
    fn turning_leg(&self, nest: &Nest) -> Failable<usize> {
        let legs: Vec<_> = self.step.legs().into_iter().map(|leg| self.changed(leg)).collect();
        let pointers = nest.step.left_pointers.iter();
        let pointers: Vec<_> = pointers.map(|it| Changed::of(&nest.values[it.variable])).collect();
        let turns = |leg: &BTreeSet<Changed>| pointers.iter().any(|pointer| leg.contains(pointer));
        let mut turning = (0..legs.len()).filter(|leg| turns(&legs[*leg]));
        match (turning.next(), turning.next()) {
            (leg, None) => Ok(leg.unwrap_or(legs.len() - 1)),
            (_, Some(leg)) => {
                let message = "pointers are exchanged before and behind what the host does here".to_owned();
                self.refuse(leg - 1, message, "exchange all pointers behind the last sweep".to_owned())
            }
        }
    }

    /// Whether a variable may be read in a gap, or where control goes from there without the rest of the step.
    fn is_needed(&self, number: usize, value: &HostValue) -> bool {
        let gap = &self.step.gaps[number].statements;
        match self.plain_local(number, value) {
            Some(variable) => self.ways.is_read_in_gap(number, variable),
            None => {
                let leaves = gap.iter().any(|it| has_jump(*it) || self.code.may_exit(*it));
                let may_follow = self.code.takes_address_of(value) && names::follow(&self.bodies(gap));
                let is_named =
                    self.has(gap, names::last(value)) || gap.iter().any(|it| self.code.unseen(*it).is_some());
                leaves || is_named || may_follow
            }
        }
    }

    /// Whether what a variable holds behind a gap may be read later.
    fn is_needed_behind(&self, number: usize, value: &HostValue) -> bool {
        self.plain_local(number, value).is_none_or(|variable| self.ways.is_read_behind_gap(number, variable))
    }

    /// A variable of the function of which its text tells everything.
    fn plain_local(&self, number: usize, value: &HostValue) -> Option<usize> {
        let variable = self.ways.local_in_gap(number, &value.variable.name).filter(|_| value.path.is_empty())?;
        let qualifiers = self.ways.qualifiers(variable);
        let is_shared = qualifiers.is_static || qualifiers.is_extern || qualifiers.is_volatile;
        let is_plain = !is_shared && !self.ways.is_exposed(variable) && self.ways.hidden().is_none();
        is_plain.then_some(variable)
    }

    /// The numbers of the nest that are versions of variables: the call for the first leg that knows one brings it to all that do.
    fn find_versions_set(&self, nest: &Nest, places: &BTreeSet<Handle<Param>>) -> Failable<Vec<(Handle<Param>, Set)>> {
        let (legs, mut set) = (self.step.legs(), Vec::new());
        for version in self.versions.iter() {
            let (own, last) = (Changed::named(&version.name), version.legs.end - 1);
            let changes = |gap: &Gap<'t>| self.changed(&gap.statements).contains(&own);
            let ends = |number: &usize| *number == last || changes(&self.step.gaps[*number]);
            let end = (version.legs.start..version.legs.end.min(self.step.gaps.len())).find(ends);
            let is_needed_behind = end.is_some_and(|end| self.has(&legs[end + 1..=last].concat(), &version.name));
            let change = Changed::named(&version.known_as);
            for param in nest.params.handles().filter(|it| is_made_of(nest, *it, &change)) {
                let is_plain = |variable: Handle<HostValue>| nest.values[variable].path.is_empty();
                let is_one = matches!(nest.params[param].value, ParamValue::Variable(it) if is_plain(it));
                let is_place = !nest.params[param].ty.is_float() && places.contains(&param);
                if !is_one || is_place || is_needed_behind {
                    let message = format!("`{}` changes between the sweeps of a step", version.name);
                    let help = format!("set `{0}` before the first sweep, or behind the last one", version.name);
                    return self.refuse(version.legs.start.max(1) - 1, message, help);
                }
                set.extend(version.legs.start.checked_sub(1).map(|gap| (param, Set::Late(gap))));
                set.extend(end.map(|gap| (param, Set::Gone(gap))));
            }
        }
        Ok(set)
    }

    /// The numbers of the nest that the host gives other values in gaps.
    fn find_set(&self, nest: &Nest) -> Failable<Vec<(Handle<Param>, Set)>> {
        let changed: Vec<BTreeSet<Changed>> = self.step.gaps.iter().map(|gap| self.changed(&gap.statements)).collect();
        let own: BTreeSet<&str> =
            variables(nest).into_iter().map(|variable| names::last(&nest.values[variable])).collect();
        let legs = self.step.legs();
        let places = params_of_places(nest);
        let mut set = self.find_versions_set(nest, &places)?;
        let is_known = |it: &&Changed| own.contains(it.name.as_str()) || !it.is_element && self.versions.has(&it.name);
        for change in changed.iter().flatten().filter(|it| !is_known(it)).collect::<BTreeSet<_>>() {
            let (name, is_element) = (&change.name, change.is_element);
            let first = changed.iter().position(|changed| changed.contains(change)).unwrap_or_default();
            let last = changed.iter().rposition(|changed| changed.contains(change)).unwrap_or_default();
            let is_needed = |legs: &[&[Node<'t>]]| self.has(&legs.concat(), name);
            let params: Vec<_> = nest.params.handles().filter(|it| is_made_of(nest, *it, change)).collect();
            let is_pointer = is_element && nest.buffers().any(|it| Changed::of(&nest.values[it.variable]) == *change);
            if !is_pointer && (!is_needed(&legs) || is_element && params.is_empty()) {
                continue;
            }
            let are_numbers = params.iter().all(|it| nest.params[*it].ty.is_float() || !places.contains(it));
            let is_moved = !is_element && leads_to_array(nest, name);
            let is_late = are_numbers && !is_needed(&legs[..=last]);
            let is_gone = !is_needed(&legs[first + 1..]);
            if params.is_empty() || is_moved || !is_late && !is_gone {
                let message = format!("`{name}` changes between the sweeps of a step");
                let help = format!("set `{name}` before the first sweep, or behind the last one");
                return self.refuse(last, message, help);
            }
            let whom = || if is_late { Set::Late(last) } else { Set::Gone(first) };
            set.extend(params.into_iter().map(|param| (param, whom())));
        }
        Ok(set)
    }
}

/// The scalars that say where something is done or how often, or that follow rules, and those that others are made of.
fn params_of_places(nest: &Nest) -> BTreeSet<Handle<Param>> {
    let made = nest.params.iter().filter_map(|(_, param)| match param.value {
        ParamValue::Expression { value, .. } => Some(value),
        ParamValue::Variable(_) | ParamValue::IsSet { .. } => None,
    });
    let ruled = nest.step.rules.iter().flat_map(|rule| [rule.first, rule.next]);
    nest.params_in(roots_of_places(nest).into_iter().chain(made).chain(ruled))
}

/// Variables that the nest changes.
fn variables(nest: &Nest) -> Vec<Handle<HostValue>> {
    let pointers = nest.step.left_pointers.iter().map(|pointer| pointer.variable);
    let scalars = nest.left_scalars().into_iter().map(|(variable, _)| variable);
    let folded = nest.step.folds.left().map(|it| it.variable);
    pointers.chain(scalars).chain(folded).chain(nest.step.dead.iter().copied()).collect()
}

/// Whether a scalar that calls bring is made of what changes.
fn is_made_of(nest: &Nest, param: Handle<Param>, change: &Changed) -> bool {
    match nest.params[param].value {
        ParamValue::Variable(variable) | ParamValue::IsSet { pointer: variable, .. } => {
            let text = nest.values.to_c(variable);
            let may_be = !change.is_element || text.contains(['[', '*', '>']);
            nest.clock.end() != Some(param) && may_be && names::has_word(&text, &change.name)
        }
        ParamValue::Expression { .. } => false,
    }
}

fn leads_to_array(nest: &Nest, name: &str) -> bool {
    let buffers = nest.buffers().map(|buffer| buffer.variable);
    let held = nest.step.exchanged_pointers().flat_map(|pointer| pointer.held.iter().copied());
    buffers.chain(held).any(|variable| names::has_word(&nest.values.to_c(variable), name))
}

fn between_sweeps(program: &Program, statement: Node) -> Box<Diagnostic> {
    let message = "the host does something between the sweeps of a step";
    let error = Diagnostic::error("kept-step", message, program.unit.span(statement));
    let reason = "in each step it may change arrays there, so that the device could not take a whole step";
    Box::new(
        error.because(reason).with_help("move this statement before the first sweep or behind the last one").with_help(
            "or let it fill an array of its own there, and let a loop between the sweeps bring that to the others",
        ),
    )
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read, refusal};
    use crate::ir::{Gap, Nest, ParamValue};

    /// A kept loop with `code` between two sweeps, the second of which adds `value`; `before` stands before the function.
    fn with_gap(before: &str, code: &str, value: &str) -> String {
        let sweeps = [
            "for (i = 1; i < n - 1; i++) b[i] = w * (a[i - 1] + a[i + 1]);".to_owned(),
            format!("for (j = 1; j < n - 1; j++) a[j] = b[j] + {value};"),
        ];
        let [first, second] = sweeps;
        let body = format!(
            "int i, j, k = 0; double s = 0;\n#pragma stencil\nfor (int t = 0; t < steps; t++) {{\n{first}\n{code}\n{second}\n}}"
        );
        let head = "int n, int steps, double w, double *a, double *b, double *c";
        format!("#include <stdio.h>\n{before}\n{}", function(head, &body))
    }

    /// The names of what the calls for later legs bring.
    fn late(nest: &Nest) -> Vec<String> {
        let text = |gap: &Gap| {
            gap.late
                .iter()
                .map(|param| match nest.params[*param].value {
                    ParamValue::Variable(variable) => nest.values.to_c(variable),
                    _ => panic!("{nest}"),
                })
                .collect::<Vec<_>>()
        };
        nest.step.gaps.iter().flat_map(text).collect()
    }

    #[test]
    fn what_reaches_nothing_makes_a_gap() {
        for code in [
            "putchar('.');",
            "if (t % 3 == 0) printf(\"%d\", t);",
            "for (k = 0; k < 3; k++) putchar('.');",
            "if (k) break;",
        ] {
            let nest = read(&with_gap("", code, "1"));
            assert_eq!(nest.step.gaps.len(), 1, "{code}");
            assert_eq!(late(&nest), [""; 0], "{code}");
        }
        assert!(read(&with_gap("", "s = k * 2;", "s")).step.gaps.is_empty());
    }

    #[test]
    fn numbers_come_from_gaps() {
        for code in [
            "putchar('.'); s = t * 0.5;",
            "s = t * 0.5; putchar('.');",
            "s = t * 0.5; c[3] = s; printf(\"%g\", s);",
            "double s = t; putchar('.');",
            "const double q = t, s = q * k; putchar('.');",
        ] {
            assert_eq!(late(&read(&with_gap("", code, "s"))), ["s"], "{code}");
        }
        let before = "struct grid { int m; double q; }; static struct grid g;";
        assert_eq!(late(&read(&with_gap(before, "g.q = t; g.m = t; putchar('.');", "g.q"))), ["g.q"]);
    }

    #[test]
    fn what_sweeps_leave_is_not_needed_in_a_gap() {
        let message = |code: &str| refusal(&with_gap("", code, "1")).message;
        let needs_i = "the host needs or sets `i` between the sweeps of a step, which change it";
        for code in ["printf(\"%d\", i);", "if (k) { for (k = i; k < 3; k++) putchar('.'); }"] {
            assert_eq!(message(code), needs_i, "{code}");
        }
        assert_eq!(message("if (t == 7) { w = i; break; }"), needs_i);
        read(&with_gap("", "for (i = 0; i < 3; i++) putchar('.'); printf(\"%d\", i);", "1"));
        read(&with_gap("", "i = 3; putchar('.');", "1"));
        read(&with_gap("", "for (j = 0; j < 3; j++) putchar('.');", "1"));
    }

    #[test]
    fn sizes_and_pointers_stay_within_a_step() {
        for (code, name) in
            [("n--; putchar('.');", "n"), ("putchar('.'); b = c;", "b"), ("int k = t; putchar('.');", "k")]
        {
            let message = refusal(&with_gap("", code, "c[k]")).message;
            assert_eq!(message, format!("`{name}` changes between the sweeps of a step"), "{code}");
        }
        let message = refusal(&with_gap("", "w = w / 2; putchar('.');", "w")).message;
        assert_eq!(message, "`w` changes between the sweeps of a step");
    }

    #[test]
    fn functions_call_variables_of_their_own_what_they_like() {
        let source = |declared: &str| {
            let before = "int g; static void spread(int m, double *to, const double *from)";
            let body = format!("{{ {declared} for (int j = g; j < m; j++) to[j] = from[j]; }}");
            with_gap(&format!("{before} {body}"), "for (g = 0; g < t; g++) putchar('.'); spread(n, c, b);", "1")
        };
        for declared in ["int g = 1;", "int k = 1, g = k;"] {
            assert_eq!(read(&source(declared)).step.gaps.len(), 1, "{declared}");
        }
        let hidden_too_late = "for (int j = g; j < m; j++) to[j] = 0; int g = 1;";
        for declared in ["", "extern int g;", "{ int g = 1; }", hidden_too_late] {
            let message = refusal(&source(declared)).message;
            assert_eq!(message, "`g` changes between the sweeps of a step", "{declared}");
        }
    }

    #[test]
    fn numbers_of_legs_before_a_gap_change_for_the_steps_to_come() {
        let gone = |nest: &Nest| nest.step.gaps.iter().map(|gap| gap.gone.len()).collect::<Vec<_>>();
        for code in ["w = w / 2; putchar('.');", "putchar('.'); if (t % 3 == 0) w += 0.25;", "w = 0.5; if (k) break;"] {
            let nest = read(&with_gap("", code, "1"));
            assert_eq!((gone(&nest), late(&nest).len()), (vec![1], 0), "{code}");
        }
    }

    #[test]
    fn arrays_change_in_a_gap_now_and_then() {
        let message = "the host does something between the sweeps of a step";
        let before = "void look(double *);";
        for code in ["look(b);", "while (k) look(c);", "if (k) { look(b); for (k = 0; k < n; k++) b[k] = t; }"] {
            assert_eq!(refusal(&with_gap(before, code, "1")).message, message, "{code}");
        }
        assert_eq!(read(&with_gap(before, "if (t % 3 == 0) look(b);", "1")).step.gaps.len(), 1);
    }

    #[test]
    fn legs_hand_on_what_those_behind_them_read() {
        let hands_on = |point: &str, value: &str| {
            let sweep = format!("for (i = 1; i < n - 1; i++) {{ {point} b[i] =");
            let source =
                with_gap("", "} putchar('.');", value).replacen("for (i = 1; i < n - 1; i++) b[i] =", &sweep, 1);
            read(&source).step.gaps[0].hands_on
        };
        assert!(!hands_on("", "1"));
        assert!(!hands_on("s = w * i;", "1"));
        assert!(hands_on("", "i"));
    }
}
