//! A step as a nest: the body of a loop that is put around it in the text.

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::counter::Counter;
use super::declared::Lasting;
use super::gaps::{check_gaps, hoisted, ways};
use super::given::give_values;
use super::host_code::HostCode;
use super::insertion::{COUNTER, END, Insertion};
use super::lifetimes::{is_lasting, lasting};
use super::names::{Changed, declared_in};
use super::own_arrays::is_array;
use super::program::Program;
use super::step::{Gap, Step};
use super::turning::Turning;
use super::versions::Versions;
use super::wheels::put_on_wheels;
use crate::front::Failable;
use crate::front::marked::MarkedNest;
use crate::front::reading::{self, Scalars, with_rows};
use crate::front::readings::Mark;
use crate::front::removal::remove_accesses;
use crate::front::rules::{find_rules_of_step, may_follow_a_rule};
use crate::front::tree::{Unit, ancestors, declared_identifier, is_loop, loop_at, named};
use crate::ir::{Clock, ExprKind, Handle, HostValue, Listed, Loop, Nest, Param, ParamValue, Replay, Selector};
use crate::source::Diagnostic;

/// A step, and the nest that it is.
pub type Found<'t> = Failable<(Step<'t>, MarkedNest)>;

/// Reads a step as the body of a loop that counts as the host's does, with what the host does around it as if it were of the step.
/// The declarations that are to stand before the host's loop for that come with it.
pub fn read_step<'t>(
    program: &Program<'_, '_, 't>,
    root: Node<'t>,
    mark: Mark,
    (step, turning): (&Step<'t>, &Turning<'t>),
    folds: bool,
) -> Failable<(MarkedNest, Vec<Lasting>)> {
    let read = |versions: &Versions| read_with(program, root, mark, (step, turning), (folds, versions));
    read(&Versions::default()).or_else(|refusal| {
        let versions = if folds { Versions::of(program, root, step) } else { Versions::default() };
        let found = Some(versions).filter(|it| !it.is_empty()).and_then(|versions| read(&versions).ok());
        found.ok_or(refusal)
    })
}

/// The same, with these versions of variables.
fn read_with<'t>(
    program: &Program<'_, '_, 't>,
    root: Node<'t>,
    mark: Mark,
    (step, turning): (&Step<'t>, &Turning<'t>),
    (folds, versions): (bool, &Versions),
) -> Failable<(MarkedNest, Vec<Lasting>)> {
    let unit = program.unit;
    let declared: String = step.declared.iter().map(|it| format!("{} ", it.read)).collect();
    // A call that is the body of its loop needs braces around what is put in; loops that are such bodies run over space.
    let first = step.statements[0];
    let is_body = !is_loop(first) && ancestors(root, first).first().is_some_and(|around| is_loop(*around));
    let (open, close) = if is_body { ("{ ", " }") } else { ("", "") };
    let hoisted = open.to_owned() + &hoisted(program, step, versions)? + &declared;
    let head = head(step.counter.as_ref());
    let start = step.start() + hoisted.len() + head.find("for").unwrap_or_default();
    let head = hoisted + &head + &turning.text_before(program);
    let tail = turning.text_behind(program) + " }" + close;
    let mut within = unit.clone();
    step.declared.iter().for_each(|it| within.blank(it.words.clone()));
    leave_out_gaps(&mut within, program, root, step);
    let endings = versions.endings().into_iter().map(|(at, text)| Insertion { at, text });
    let ends = [Insertion { at: step.start(), text: &head }, Insertion { at: step.end(), text: &tail }];
    let [first, last] = ends;
    within.insert(&[first].into_iter().chain(endings).chain([last]).collect::<Vec<_>>());
    let read = || read_text(within.clone(), start, mark, folds);
    let mut marked = mark.readings.find_or(&within, (start, folds), read)?;
    turning.leave_to_host(&mut marked.nest, program, step)?;
    record(&mut marked.nest, program, step)?;
    let outer = loop_at(root, unit.start_behind_pragma(mark.index));
    let mut before_loop = Vec::new();
    if let Some(outer) = outer {
        check_scalars_outlive(program, outer, (step, &marked.nest))?;
        before_loop = lasting(program, root, outer, (step, &marked.nest))?;
        let dead = arrays_of_steps(program, outer, (step, &marked.nest));
        marked.clauses.scratch.extend(dead);
    }
    if let Some(ways) = &within.ways {
        let code = HostCode::new(program, root, &marked.nest, &mark.clauses.vouched);
        let code = match outer {
            Some(outer) => code.around(outer, step),
            None => code,
        };
        check_gaps(&code, step, ways, (&mut marked.nest, versions))?;
        versions.give_back(&mut marked.nest);
    }
    Ok((marked, before_loop))
}

/// Scalars that are arrays of the nest have their memory as long as steps may be recorded.
///
/// # Errors
/// One is declared in the loop that the host keeps.
fn check_scalars_outlive(program: &Program, outer: Node, (step, nest): (&Step, &Nest)) -> Failable<()> {
    let scalars = Nest::buffers(nest).map(|buffer| &nest.values[buffer.variable]);
    let is_scalar = |value: &&HostValue| {
        value.path.last() == Some(&Selector::Address) && !value.path.contains(&Selector::Dereference)
    };
    let scalars = scalars.filter(is_scalar).map(|value| value.variable.name.as_str());
    let scalars: Vec<&str> = scalars.filter(|name| !step.declares(name)).collect();
    let mut declared = declared_in(outer).filter_map(declared_identifier);
    let Some(short) = declared.find(|name| scalars.contains(&program.text(*name))) else { return Ok(()) };
    let name = program.text(short);
    let message =
        format!("`{name}` carries a value through the sweeps of a step and is declared in the loop around it");
    let error = Diagnostic::error("kept-step", message, program.unit.span(short));
    Err(Box::new(error.with_help(format!("declare `{name}` before the loop, and give it its value here"))))
}

/// The arrays that the loop around a step declares for each iteration and that nothing but the step uses: nobody asks what is in them
/// when steps are delivered.
fn arrays_of_steps(program: &Program, outer: Node, (step, nest): (&Step, &Nest)) -> Vec<Handle<HostValue>> {
    let is_short = |it: &Node| it.parent().is_some_and(|declaration| !is_lasting(program.unit, declaration));
    let has_value = |it: &Node| it.kind() == "init_declarator";
    let arrays = declared_in(outer).filter(|it| is_array(*it) && !has_value(it) && is_short(it));
    let arrays = arrays.filter_map(declared_identifier);
    let arrays: Vec<Node> = arrays.collect();
    let is_of_step =
        |it: &Node| step.statements.iter().any(|statement| statement.byte_range().contains(&it.start_byte()));
    let is_used_elsewhere =
        |array: &Node| named(program.unit, outer, program.text(*array)).any(|it| it != *array && !is_of_step(&it));
    let dead: BTreeSet<&str> =
        arrays.iter().filter(|array| !is_used_elsewhere(array)).map(|array| program.text(*array)).collect();
    let is_dead = |variable: &Handle<HostValue>| {
        let HostValue { variable, path } = &nest.values[*variable];
        path.is_empty() && dead.contains(variable.name.as_str())
    };
    Nest::buffers(nest).map(|buffer| buffer.variable).filter(is_dead).collect()
}

/// Reads the nest that begins at `start` in a text.
fn read_text(mut unit: Unit, start: usize, mark: Mark, folds: bool) -> Failable<MarkedNest> {
    let file = mark.readings.parse(&mut unit);
    let found = file.and_then(|file| loop_at(file.root, start).map(|node| (file, node)));
    let Some((file, node)) = found else {
        let error = Diagnostic::error("syntax", "the step of this loop is not understood as C", mark.pragma);
        return Err(Box::new(error.with_help("check that the compiler accepts the file")));
    };
    let read = |scalars, rows| reading::read_with(&unit, &file, node, mark, (scalars, rows));
    with_rows(|rows| {
        let refusal = match read(if folds { Scalars::Folded } else { Scalars::Own }, rows) {
            Err(refusal) if may_follow_a_rule(&refusal) => refusal,
            found => return found,
        };
        let Ok(Some(rules)) = find_rules_of_step(&unit, &file, node, folds) else { return Err(refusal) };
        let scalars = if folds { Scalars::FoldedAndRuled(rules) } else { Scalars::Ruled(rules) };
        read(scalars, rows).map_err(|_| refusal)
    })
}

/// Blanks what the host does within a step, and notes where.
fn leave_out_gaps<'t>(unit: &mut Unit, program: &Program<'_, '_, 't>, root: Node<'t>, step: &Step<'t>) {
    if step.gaps.is_empty() {
        return;
    }
    unit.ways = Some(ways(program, root, step));
    for Gap { behind, statements } in &step.gaps {
        statements.iter().for_each(|statement| unit.blank(statement.byte_range()));
        // The words of a declaration are left out already.
        let start = step.statements[*behind].start_byte();
        let blanks = unit.text[start..].len() - unit.text[start..].trim_start().len();
        unit.gaps.push(start + blanks);
    }
}

/// The head of the loop that is put around a step.
fn head(counter: Option<&Counter>) -> String {
    match counter {
        Some(Counter { name, update, is_down }) => {
            let relation = if *is_down { '>' } else { '<' };
            format!("long long {END}; for (; {name} {relation} {END}; {update}) {{ ")
        }
        None => format!("long long {END}; for (long long {COUNTER} = 0; {COUNTER} < {END}; {COUNTER}++) {{ "),
    }
}

/// Lets the host count the steps of what was read as a counted nest.
fn record<'t>(nest: &mut Nest, program: &Program<'_, '_, 't>, step: &Step<'t>) -> Failable<()> {
    let end = nest.params.handles().find(|it| is_end(nest, *it));
    let (Clock::Counted { time }, Some(end)) = (nest.clock, end) else {
        return Err(left_to_host(nest, "one of its steps cannot be repeated"));
    };
    give_values(nest, program, time, !step.gaps.is_empty());
    leave_varying_calls(nest, time, &step.changed_around(program));
    if nest.step.folds.accumulators.is_empty() {
        put_scalars_on_wheels(nest, program, time, step);
    }
    let step = &nest.step;
    let has_history = nest.arrays.iter().any(|(_, array)| array.history.is_some());
    if has_history || step.until.is_some() || !step.rules.is_empty() {
        return Err(left_to_host(nest, "what its steps compute depends on values of earlier steps"));
    }
    if let Some(listed) = step.listed.iter().find(|listed| listed.over == [time]) {
        return Err(not_listed(nest, listed));
    }
    // The host counts.
    nest.loops[time].outlives = false;
    let values = &nest.values;
    nest.watched.retain(|(variable, _)| values.text(*variable) != END);
    if nest.step.left_pointers.is_empty() {
        nest.step.replay.retain(|it| !matches!(it, Replay::Loop(this, inner) if *this == time && inner.is_empty()));
    }
    nest.clock = Clock::Recorded { time, end };
    Ok(())
}

/// Lets steps of a time tile have scalars of their own, unless the host does something within them.
pub fn put_scalars_on_wheels<'t>(nest: &mut Nest, program: &Program<'_, '_, 't>, time: Handle<Loop>, step: &Step<'t>) {
    if step.gaps.is_empty() {
        let changed = step.changed_around(program);
        put_on_wheels(nest, time, &|value| changed.contains(&Changed::of(value)));
    }
}

fn is_end(nest: &Nest, param: Handle<Param>) -> bool {
    matches!(&nest.params[param].value, ParamValue::Variable(it) if nest.values.text(*it) == END)
}

/// Leaves those calls over space to the device after all that may give other values in each step, as what they are made of changes.
fn leave_varying_calls(nest: &mut Nest, time: Handle<Loop>, changed: &BTreeSet<Changed>) {
    let is_changed = |nest: &Nest, param: Handle<Param>| match &nest.params[param].value {
        ParamValue::Variable(value) | ParamValue::IsSet { pointer: value, .. } => {
            changed.contains(&Changed::of(&nest.values[*value]))
        }
        ParamValue::Expression { .. } => false,
    };
    let varies = |nest: &Nest, listed: &Listed| {
        let mut params = nest.params_of_listed(listed).into_iter();
        listed.over != [time] && params.any(|param| is_changed(nest, param))
    };
    let mut gone = BTreeSet::new();
    while let Some(place) = nest.step.listed.iter().position(|listed| varies(nest, listed)) {
        let Listed { read, value, .. } = nest.step.listed.remove(place);
        for expr in nest.exprs.handles() {
            if matches!(nest.exprs[expr].kind, ExprKind::Read(it) if it == read) {
                nest.exprs[expr].kind = nest.exprs[value].kind.clone();
            }
        }
        gone.insert(read);
    }
    remove_accesses(nest, &gone);
}

/// A kept loop in whose steps a function of the library is called with what the program's text cannot give for each.
fn not_listed(nest: &Nest, listed: &Listed) -> Box<Diagnostic> {
    let (span, value) = (nest.exprs.span(listed.value), &nest.exprs[listed.value].kind);
    let ExprKind::Call(function, _) = value else { unreachable!("only calls are listed") };
    let name = function.name();
    let message = format!("the host keeps this loop, and no device computes `{name}` to the last bit as the host does");
    let error = Diagnostic::error("kept-step", message, span);
    Box::new(error.with_help("give a variable this value before the sweeps, and use it there"))
}

/// A kept loop whose steps cannot be recorded.
fn left_to_host(nest: &Nest, why: &str) -> Box<Diagnostic> {
    let error = Diagnostic::error("kept-step", format!("the host keeps this loop, and {why}"), nest.span);
    Box::new(error.with_help("mark the `for` loops inside this loop, which the host then runs, instead"))
}
